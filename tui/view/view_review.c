#include "tui/view/views.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/query/list.h"
#include "tui/explorer/app.h"
#include "tui/explorer/news.h"
#include "tui/view/memory/list_line.h"
#include "tui/widget/rows_view.h"

#define FOR_REVIEW "for_review"

struct review_view {
    struct rows_view rows;
    char *agent; /* whose is listed; NULL: all */
};

struct queue_question {
    char *agent; /* in the arena */
    struct since since;
};

static struct review_view *review_of(struct view *v)
{
    return (struct review_view *)v;
}

/* ---- reading ---- */

static void ask(struct rows_view *v, struct rows *rows)
{
    struct review_view *q = review_of(&v->view);
    struct queue_question *asked = rows->question;
    const char *agent = v->view.app->prefs.agent;
    free(q->agent);
    q->agent = agent ? xstrdup(agent) : NULL;
    asked->agent = agent ? arena_strdup(&rows->arena, agent) : NULL;
    asked->since = since_of(&v->view);
}

static int read_queue(struct rows *rows, struct reader *r, struct error *e)
{
    struct queue_question *asked = rows->question;
    struct marked *queue = NULL;
    size_t count = 0;
    int failed = since_read(&asked->since, r, rows->cancelled, e) ||
                 marked_list(r, FOR_REVIEW, asked->agent, &queue, &count, e);
    for (size_t i = 0; i < count && !failed; i++)
        if (since_wants(&asked->since, queue[i].node))
            *(struct marked *)rows_add(rows) = queue[i];
    free(queue);
    since_release(&asked->since);
    return failed ? -1 : 0;
}

static int64_t row_id(const void *row)
{
    return ((const struct marked *)row)->node;
}

static const struct rows_ops queue_ops = {.job = ROWS_JOB("reading the review queue"),
                                          .size = sizeof(struct marked),
                                          .question = sizeof(struct queue_question),
                                          .ask = ask,
                                          .read = read_queue,
                                          .id = row_id,
                                          .node = row_id,
                                          .reading = "reading…",
                                          .nothing = "nothing waits for a review"};

/* ---- drawing ---- */

static void counts(struct view *v, struct strbuf *out)
{
    if (rows_view_known(v))
        strbuf_addf(out, "%zu to review", v->count);
}

/* "age by why memory text"; `one` NULL: the names of the columns. */
static void draw(struct view *v, const struct pane *row, const struct marked *one)
{
    struct app *x = v->app;
    int width = row->width, why = width >= 150 ? 40 : width >= 100 ? 28 : width >= 56 ? 20 : 0;
    struct list_line l = line_begin(v, row, !one, 6, NULL);
    struct arena arena = ARENA_INIT;
    struct mark mark = {0};
    struct error e;
    const struct memory_row *m = one ? line_memory(&l, one->node, 3) : NULL;
    if (one && marked_read(x->data.reader, &arena, one->node, FOR_REVIEW, &mark, &e))
        mark = (struct mark){0};
    if (m)
        line_news(&l, 4, m);
    line_when(&l, x->prefs.exact_times ? "at" : "age", one ? one->at : 0);
    line_cell(&l, width >= 56 ? 10 : 5, "by", STYLE_SOURCE,
              mark.actor && news_is_own(x, mark.actor) ? "you" : mark.actor);
    if (why) /* a value says more than nothing does */
        line_cell(&l, why, "why", STYLE_TEXT, mark.reason ? mark.reason : mark.value);
    if (l.end - l.at >= 50)
        line_ref(&l, 17, "memory", m);
    line_text(&l, "text", STYLE_TEXT, m ? m->text : NULL);
    arena_release(&arena);
}

static void draw_header(struct view *v, const struct pane *p)
{
    draw(v, p, NULL);
}

static void draw_line(struct view *v, const struct pane *row, size_t line)
{
    draw(v, row, rows_view_at(v, line));
}

static void shown(struct view *v)
{
    const char *mine = review_of(v)->agent, *wanted = v->app->prefs.agent;
    if (mine && wanted ? strcmp(mine, wanted) != 0 : mine != wanted)
        view_load(v);
}

static void release(struct view *v)
{
    free(review_of(v)->agent);
    rows_view_release(v);
}

static const struct view_ops review_ops = {
    .name = "review",
    .place = IN_REVIEW,
    .preview = true,
    .counts = counts,
    .header_rows = 1,
    .draw_header = draw_header,
    .draw_line = draw_line,
    .node = rows_view_node,
    .empty = rows_view_empty,
    .shown = shown,
    .only_new = view_load,
    .load = rows_view_load,
    .release = release,
};

struct view *review_view_new(struct app *x)
{
    struct review_view *q = xcalloc(1, sizeof(*q));
    view_init(&q->rows.view, &review_ops, &x->ui);
    q->rows.rows_ops = &queue_ops;
    view_load(&q->rows.view);
    return &q->rows.view;
}
