#include "tui/view/view_review.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/query/related.h"
#include "tui/explorer/app.h"
#include "tui/render/facts_sheet.h"
#include "tui/explorer/news.h"
#include "tui/explorer/visit.h"
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
                                          .id = row_id};

/* ---- drawing ---- */

static void title(struct view *v, struct strbuf *out)
{
    (void)v;
    strbuf_addstr(out, "review");
}

static void counts(struct view *v, struct strbuf *out)
{
    if (rows_view_known(v))
        strbuf_addf(out, "%zu to review", v->count);
}

/* Where columns begin; 0: not shown. */
struct queue_columns {
    int age, age_width, who, why, ref, text;
};

static struct queue_columns columns_fit(const struct app *x, int width)
{
    struct queue_columns c = {.age = 6, .age_width = x->prefs.exact_times ? 19 : 4};
    c.who = c.age + c.age_width + 2;
    c.why = c.who + (width >= 56 ? 12 : 7);
    int why = width >= 150 ? 40 : width >= 100 ? 28 : width >= 56 ? 20 : 0;
    c.text = c.why + (why ? why + 2 : 0);
    c.why = why ? c.why : 0;
    c.ref = width - c.text >= 50 ? c.text : 0;
    c.text += c.ref ? 19 : 0;
    return c;
}

static void draw_header(struct view *v, const struct pane *p)
{
    struct queue_columns c = columns_fit(v->app, p->width);
    paint_right(p, 0, c.age, c.age_width, STYLE_HEADER, v->app->prefs.exact_times ? "at" : "age");
    paint_text(p, 0, c.who, 8, STYLE_HEADER, "by");
    if (c.why)
        paint_text(p, 0, c.why, 8, STYLE_HEADER, "why");
    if (c.ref)
        paint_text(p, 0, c.ref, 8, STYLE_HEADER, "memory");
    paint_text(p, 0, c.text, 8, STYLE_HEADER, "text");
}

/* By whom and why; a value says more than nothing does. */
static void draw_mark(struct app *x, const struct queue_columns *c, const struct pane *row,
                      int64_t node, const char *pattern)
{
    struct arena arena = ARENA_INIT;
    struct mark mark;
    struct error e;
    if (!marked_read(x->data.reader, &arena, node, FOR_REVIEW, &mark, &e)) {
        const char *who = news_is_own(x, mark.actor) ? "you" : mark.actor ? mark.actor : "";
        const char *why = mark.reason ? mark.reason : mark.value ? mark.value : "";
        int who_width = (c->why ? c->why : c->text) - c->who - 1;
        paint_name(row, 0, c->who, who_width, STYLE_SOURCE, who, NULL);
        if (c->why)
            paint_matched(row, 0, c->why, (c->ref ? c->ref : c->text) - c->why - 2, STYLE_TEXT, why,
                          strlen(why), pattern);
    }
    arena_release(&arena);
}

static void draw_memory(struct app *x, const struct queue_columns *c, const struct pane *row,
                        const struct memory_row *m, const char *pattern)
{
    const struct detail *d = details_of(x, m->node);
    struct strbuf ref = STRBUF_INIT;
    news_draw(x, row, 4, m);
    if (!STATUS_LIVES(m->status))
        paint_label(row, 0, 3, LABEL_GONE);
    else if (d && d->label.label < LABEL_COUNT)
        paint_label(row, 0, 3, d->label.label);
    if (c->ref) {
        details_ref(x, m, &ref);
        paint_name(row, 0, c->ref, 17, STYLE_REF, ref.buf, NULL);
    }
    strbuf_release(&ref);
    size_t len = m->text ? strlen(m->text) : 0,
           from = paint_skip(row, m->text, len, x->nav.top->pan);
    if (from < len)
        paint_matched(row, 0, c->text, row->width - c->text - 1, STYLE_TEXT, m->text + from,
                      len - from, pattern);
}

static void draw_line(struct view *v, const struct pane *row, size_t line)
{
    struct app *x = v->app;
    const struct marked *one = rows_view_at(v, line);
    struct queue_columns c = columns_fit(x, row->width);
    struct facts_look look = ages_look(&x->ui);
    const struct memory_row *m = details_row(x, one->node);
    char when[40];
    if (marks_has(&x->ui.marks, one->node))
        paint_text(row, 0, 2, 1, STYLE_MARK, "*");
    facts_when(when, sizeof(when), one->at, &look);
    paint_right(row, 0, c.age, c.age_width, STYLE_AGE, when);
    draw_mark(x, &c, row, one->node, v->search.pattern);
    if (m)
        draw_memory(x, &c, row, m, v->search.pattern);
}

static int64_t node_at(struct view *v, size_t line)
{
    const struct marked *one = rows_view_at(v, line);
    return one ? one->node : 0;
}

static const char *empty(struct view *v)
{
    if (!rows_view_known(v))
        return "reading…";
    return v->only_new ? since_empty(v) : "nothing waits for a review";
}

static bool request(struct view *v, enum view_request request)
{
    if (request != REQUEST_OPEN)
        return false;
    app_open_memory(v->app, view_node(v));
    return true;
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
    .title = title,
    .counts = counts,
    .header_rows = 1,
    .draw_header = draw_header,
    .draw_line = draw_line,
    .node = node_at,
    .empty = empty,
    .request = request,
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
