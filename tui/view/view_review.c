#include "tui/view/view_review.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/query/marked.h"
#include "tui/explorer/app.h"
#include "tui/view/memory/facts_sheet.h"
#include "tui/explorer/news.h"
#include "tui/explorer/since.h"

#define SLOT_QUEUE 0
#define FOR_REVIEW "for_review"

struct review_view {
    struct view view;
    struct marked *queue; /* [view.count] */
    bool known, again;
    char *agent; /* whose is listed; NULL: all */
};

struct queue_job {
    struct job job;
    struct review_view *view;
    char *agent;
    struct since since;
    struct marked *queue;
    size_t count;
};

static struct review_view *review_of(struct view *v)
{
    return (struct review_view *)v;
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct queue_job *j = (struct queue_job *)job;
    size_t count = 0;
    if (since_read(&j->since, r, &job->cancelled, e) ||
        marked_list(r, FOR_REVIEW, j->agent, &j->queue, &j->count, e))
        return JOB_FAILED;
    for (size_t i = 0; i < j->count; i++)
        if (since_wants(&j->since, j->queue[i].node))
            j->queue[count++] = j->queue[i];
    j->count = count;
    return JOB_DONE;
}

static size_t find_node(const struct queue_job *j, int64_t node)
{
    size_t i = 0;
    while (i < j->count && j->queue[i].node != node)
        i++;
    return i;
}

static void load(struct review_view *q);

/* The cursor stays on its memory; where that has left the queue, on the one that came after it. */
static void done(struct job *job, const struct error *e)
{
    struct queue_job *j = (struct queue_job *)job;
    struct review_view *q = j->view;
    struct view *v = &q->view;
    if (e->code) {
        app_fail(v->app, e);
        return;
    }
    size_t place = j->count, row = v->selected != LINE_NONE ? v->selected - v->top : 0;
    for (size_t line = v->selected; line < v->count && place == j->count; line++)
        place = find_node(j, q->queue[line].node);
    free(q->queue);
    q->queue = j->queue;
    j->queue = NULL;
    q->known = true;
    view_set_count(v, j->count);
    if (place < j->count) {
        v->top = place > row ? place - row : 0;
        view_select(v, place);
    }
    view_search_again(v);
    if (q->again)
        load(q);
}

static void release_job(struct job *job)
{
    struct queue_job *j = (struct queue_job *)job;
    since_release(&j->since);
    free(j->queue);
    free(j->agent);
    free(j);
}

static const struct job_ops job_ops = {
    .name = "reading the review queue", .run = run, .done = done, .release = release_job};

static void load(struct review_view *q)
{
    struct app *x = q->view.app;
    struct queue_job *j = xcalloc(1, sizeof(*j));
    q->again = false;
    free(q->agent);
    q->agent = x->prefs.agent ? xstrdup(x->prefs.agent) : NULL;
    j->view = q;
    j->since = since_of(&q->view);
    j->agent = x->prefs.agent ? xstrdup(x->prefs.agent) : NULL;
    worker_submit(&x->data.worker, &j->job, &job_ops, q, SLOT_QUEUE);
}

/* ---- drawing ---- */

static void title(struct view *v, struct strbuf *out)
{
    (void)v;
    strbuf_addstr(out, "review");
}

static void counts(struct view *v, struct strbuf *out)
{
    if (review_of(v)->known)
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

static int header(struct view *v)
{
    (void)v;
    return 1;
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
    const struct marked *one = &review_of(v)->queue[line];
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
    return line < v->count ? review_of(v)->queue[line].node : 0;
}

static const char *empty(struct view *v)
{
    if (!review_of(v)->known)
        return "reading…";
    return v->only_new ? since_empty(v) : "nothing waits for a review";
}

static bool request(struct view *v, enum view_request request)
{
    switch (request) {
    case REQUEST_OPEN:
        app_open_memory(v->app, view_node(v));
        return true;
    case REQUEST_REFRESH:
        load(review_of(v));
        return true;
    default:
        return false;
    }
}

/* What is under way is left to end, or it never would while others write. */
static void news(struct view *v, const struct event *events, size_t count, bool whole)
{
    struct review_view *q = review_of(v);
    (void)events;
    (void)count;
    (void)whole;
    q->again = worker_has(&v->app->data.worker, q, SLOT_QUEUE);
    if (!q->again)
        load(q);
}

static void only_new(struct view *v)
{
    load(review_of(v));
}

static void shown(struct view *v)
{
    const char *mine = review_of(v)->agent, *wanted = v->app->prefs.agent;
    if (mine && wanted ? strcmp(mine, wanted) != 0 : mine != wanted)
        load(review_of(v));
}

static void release(struct view *v)
{
    free(review_of(v)->queue);
    free(review_of(v)->agent);
}

static const struct view_ops review_ops = {
    .name = "review",
    .place = IN_REVIEW,
    .preview = true,
    .title = title,
    .counts = counts,
    .header = header,
    .draw_header = draw_header,
    .draw_line = draw_line,
    .node = node_at,
    .empty = empty,
    .request = request,
    .shown = shown,
    .only_new = only_new,
    .news = news,
    .release = release,
};

struct view *review_view_new(struct app *x)
{
    struct review_view *q = xcalloc(1, sizeof(*q));
    view_init(&q->view, &review_ops, &x->ui);
    load(q);
    return &q->view;
}
