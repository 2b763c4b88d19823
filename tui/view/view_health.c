#include "tui/view/views.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/explorer/mending.h"
#include "tui/render/plan_print.h"
#include "tui/explorer/news.h"
#include "tui/view/memory/list_line.h"
#include "tui/widget/rows_view.h"

/* Headings and findings are one array, in the order of the lines. */
struct finding {
    int64_t node; /* 0: the heading of its problem */
    uint8_t problem;
    const char *field, *target; /* in the arena, or NULL */
};

struct health_view {
    struct rows_view rows;
    size_t of[PROBLEM_COUNT];
    uint32_t findings; /* without headings */
    struct mending mending;
};

struct health_question {
    struct since since;
    _Atomic int percent; /* how far it has come */
};

/* A store of a million is looked through in a second; one that changes all the time is not, all the time. */
#define LOOKS_AGAIN_MS 200

static struct health_view *health_of(struct view *v)
{
    return (struct health_view *)v;
}

/* ---- reading ---- */

static int take_orphan(void *arg, const struct orphan *orphan)
{
    struct rows *rows = arg;
    const struct health_question *asked = rows->question;
    const struct finding *found = rows->row;
    if (since_wants(&asked->since, orphan->node)) {
        if (rows->count == 0 || found[rows->count - 1].problem != orphan->problem)
            ((struct finding *)rows_add(rows))->problem = (uint8_t)orphan->problem;
        *(struct finding *)rows_add(rows) =
            (struct finding){.node = orphan->node,
                             .problem = (uint8_t)orphan->problem,
                             .field = arena_strdup(&rows->arena, orphan->field),
                             .target = arena_strdup(&rows->arena, orphan->target)};
    }
    return atomic_load(rows->cancelled);
}

static void tell(void *arg, int64_t done_rows, int64_t total)
{
    struct health_question *asked = arg;
    if (total > 0)
        atomic_store(&asked->percent, (int)(100 * done_rows / total));
}

static void ask(struct rows_view *v, struct rows *rows)
{
    struct health_question *asked = rows->question;
    asked->since = since_of(&v->view);
}

static int read_findings(struct rows *rows, struct reader *r, struct error *e)
{
    struct health_question *asked = rows->question;
    int failed = since_read(&asked->since, r, rows->cancelled, e);
    reader_on_progress(r, tell, asked);
    failed = failed || orphans_find(r, rows->agent, take_orphan, rows, e);
    reader_on_progress(r, NULL, NULL);
    since_release(&asked->since);
    return failed ? -1 : 0;
}

/* A memory may have several problems. */
static int64_t row_id(const void *row)
{
    const struct finding *f = row;
    return f->node ? f->node * PROBLEM_COUNT + f->problem : 0;
}

static int64_t row_node(const void *row)
{
    return ((const struct finding *)row)->node;
}

static int row_section(const void *row)
{
    return ((const struct finding *)row)->problem;
}

static void taken(struct rows_view *v)
{
    struct health_view *h = health_of(&v->view);
    const struct finding *all = v->rows->row;
    h->findings = 0;
    memset(h->of, 0, sizeof(h->of));
    for (size_t i = 0; i < v->rows->count; i++)
        if (all[i].node) {
            h->of[all[i].problem]++;
            h->findings++;
        }
    mending_changed(&h->mending);
}

/* ---- mending ---- */

static const struct finding *at_cursor(const struct health_view *h)
{
    const struct finding *f = rows_view_at(&h->rows.view, h->rows.view.selected);
    return f && f->node ? f : NULL;
}

static void follow_mends(struct health_view *h)
{
    const struct finding *f = at_cursor(h);
    if (!f)
        return;
    struct orphan orphan = {.node = f->node,
                            .problem = (enum problem)f->problem,
                            .field = f->field,
                            .target = f->target};
    mending_follow(&h->mending, &orphan);
}

void health_view_mend(struct view *v)
{
    struct health_view *h = health_of(v);
    const struct marks *marks = &v->app->ui.marks;
    const struct finding *f = at_cursor(h);
    if (!f)
        return;
    if (marks->count == 0) {
        mending_offer(&h->mending, &f->node, 1, false);
        return;
    }
    int64_t *nodes = xcalloc(v->count, sizeof(*nodes));
    size_t count = 0;
    /* A memory may have a problem several times: it is mended once. */
    for (size_t i = 0; i < v->count; i++) {
        const struct finding *one = rows_view_at(v, i);
        if (one->problem == f->problem && marks_has(marks, one->node) &&
            (count == 0 || nodes[count - 1] != one->node))
            nodes[count++] = one->node;
    }
    if (count == 0)
        app_say(v->app, "none of those that are marked has the problem under the cursor");
    else
        mending_offer(&h->mending, nodes, count, true);
    free(nodes);
}

/* ---- drawing ---- */

static int header(struct view *v)
{
    return v->app->ui.screen.columns < 130 ? 2 : 1;
}

/* What would mend the one under the cursor, or how far it was looked. */
static void draw_header(struct view *v, const struct pane *p)
{
    struct health_view *h = health_of(v);
    if (at_cursor(h))
        mending_draw(&h->mending, p);
}

static void layout(struct view *v, int height, int width)
{
    struct health_view *h = health_of(v);
    (void)height;
    (void)width;
    follow_mends(h);
    if (h->rows.reading)
        app_wake(v->app, 100);
}

static void draw_finding(struct view *v, const struct pane *row, const struct finding *f)
{
    struct list_line l = line_begin(v, row, false, 6, NULL);
    const struct memory_row *m = line_memory(&l, f->node, 3);
    struct strbuf sb = STRBUF_INIT;
    if (!m)
        return;
    line_news(&l, 4, m);
    line_ref(&l, 20, NULL, m);
    if (f->field)
        strbuf_addstr(&sb, f->field);
    if (f->target)
        strbuf_addf(&sb, "%s%s", f->field ? " " : "", f->target);
    int room = row->width >= 90 && sb.len > 0 ? row->width * 2 / 5 : 0;
    if (room)
        paint_bytes(row, 0, row->width - room, room - 1, STYLE_UNGROUNDED, sb.buf, sb.len);
    l.end -= room;
    strbuf_release(&sb);
    line_text(&l, NULL, STYLE_TEXT, m->text);
}

static void draw(struct view *v, const struct pane *row, const void *one)
{
    const struct finding *f = one;
    if (f->node == 0)
        line_heading(row, problem_name(f->problem), health_of(v)->of[f->problem],
                     problem_explained((enum problem)f->problem));
    else
        draw_finding(v, row, f);
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct health_view *h = health_of(v);
    if (rows_view_known(v))
        strbuf_addf(out, "%u problem%s", h->findings, h->findings == 1 ? "" : "s");
}

static void notice(struct view *v, struct strbuf *out)
{
    const struct health_view *h = health_of(v);
    struct health_question *asked = h->rows.reading ? h->rows.reading->question : NULL;
    int percent = asked ? atomic_load(&asked->percent) : 0;
    if (percent > 0)
        strbuf_addf(out, "looking %d%%", percent);
    if (rows_view_known(v) && h->rows.changed)
        strbuf_addf(out, "%s%s%schanged since, R looks again", out->len ? " " : "",
                    out->len ? glyph_text(&v->app->ui.screen, GLYPH_DOT) : "", out->len ? " " : "");
}

static const char *empty(struct view *v)
{
    return rows_view_known(v) && v->only_new
               ? "nothing is wrong with what is new or changed; Esc shows the rest"
               : rows_view_empty(v);
}

static void news(struct view *v, const struct event *events, size_t count, bool whole)
{
    struct health_view *h = health_of(v);
    mending_changed(&h->mending);
    rows_view_changed(v, events, count, whole);
    if (!h->rows.reading && rows_view_known(v) && h->rows.took < LOOKS_AGAIN_MS)
        rows_view_load(v);
}

static void release(struct view *v)
{
    mending_release(&health_of(v)->mending);
    rows_view_release(v);
}

static const struct rows_ops finding_ops = {.job = ROWS_JOB("looking for what is wrong"),
                                            .size = sizeof(struct finding),
                                            .question = sizeof(struct health_question),
                                            .ask = ask,
                                            .read = read_findings,
                                            .id = row_id,
                                            .node = row_node,
                                            .section = row_section,
                                            .draw = draw,
                                            .taken = taken,
                                            .reading = "looking…",
                                            .nothing =
                                                "nothing is wrong with this store's lineage"};

static const struct view_ops health_ops = {
    .name = "health",
    .place = IN_HEALTH,
    .bar = "open,mend,mark",
    .preview = true,
    .notice = notice,
    .counts = counts,
    .layout = layout,
    .header = header,
    .draw_header = draw_header,
    .draw_line = rows_view_draw_line,
    .selectable = rows_view_selectable,
    .node = rows_view_node,
    .empty = empty,
    .request = rows_view_request,
    .position = rows_view_position,
    .only_new = rows_view_load,
    .news = news,
    .release = release,
};

struct view *health_view_new(struct app *x)
{
    struct health_view *h = rows_view_new(sizeof(*h), &health_ops, &finding_ops, &x->ui);
    mending_open(&h->mending, x);
    rows_view_load(&h->rows.view);
    return &h->rows.view;
}
