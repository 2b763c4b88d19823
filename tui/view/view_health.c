#include "tui/view/view_health.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/explorer/mending.h"
#include "tui/explorer/news.h"
#include "tui/render/plan_print.h"
#include "tui/explorer/visit.h"
#include "tui/widget/rows_view.h"

/* Headings and findings are one array, in the order of the lines. */
struct finding {
    int64_t node; /* 0: the heading of its problem */
    uint8_t problem;
    uint32_t place;             /* among the findings, from 1 */
    const char *field, *target; /* in the arena, or NULL */
};

struct health_view {
    struct rows_view rows;
    size_t of[PROBLEM_COUNT];
    uint32_t findings; /* without headings */
    struct mending mending;
};

struct health_question {
    const char *agent; /* in the arena; NULL: all */
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
    asked->agent = arena_strdup(&rows->arena, v->view.app->prefs.agent);
    asked->since = since_of(&v->view);
}

static int read_findings(struct rows *rows, struct reader *r, struct error *e)
{
    struct health_question *asked = rows->question;
    int failed = since_read(&asked->since, r, rows->cancelled, e);
    reader_on_progress(r, tell, asked);
    failed = failed || orphans_find(r, asked->agent, take_orphan, rows, e);
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

static void taken(struct rows_view *v)
{
    struct health_view *h = health_of(&v->view);
    struct finding *all = v->rows->row;
    h->findings = 0;
    memset(h->of, 0, sizeof(h->of));
    for (size_t i = 0; i < v->rows->count; i++)
        if (all[i].node) {
            h->of[all[i].problem]++;
            all[i].place = ++h->findings;
        }
    mending_changed(&h->mending);
}

static const struct rows_ops finding_ops = {.job = ROWS_JOB("looking for what is wrong"),
                                            .size = sizeof(struct finding),
                                            .question = sizeof(struct health_question),
                                            .ask = ask,
                                            .read = read_findings,
                                            .id = row_id,
                                            .taken = taken};

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

static void draw_heading(struct health_view *h, const struct pane *row, const struct finding *f)
{
    char right[32];
    snprintf(right, sizeof(right), "%zu", h->of[f->problem]);
    int at = 3 + paint_text(row, 0, 3, 20, STYLE_RULE_TITLE, problem_name(f->problem)) + 1;
    at += paint_text(row, 0, at, 12, STYLE_NUMBER, right) + 2;
    paint_text(row, 0, at, row->width - at, STYLE_DIM, problem_explained((enum problem)f->problem));
}

static void draw_finding(struct app *x, const struct pane *row, const struct finding *f,
                         const char *pattern)
{
    const struct memory_row *m = details_row(x, f->node);
    const struct detail *d = details_of(x, f->node);
    struct strbuf sb = STRBUF_INIT;
    if (!m)
        return;
    if (marks_has(&x->ui.marks, f->node))
        paint_text(row, 0, 2, 1, STYLE_MARK, "*");
    if (d && d->label.label < LABEL_COUNT)
        paint_label(row, 0, 3, d->label.label);
    news_draw(x, row, 4, m);
    details_ref(x, m, &sb);
    paint_bytes(row, 0, 6, 21, STYLE_REF, sb.buf, sb.len);
    strbuf_clear(&sb);
    if (f->field)
        strbuf_addstr(&sb, f->field);
    if (f->target)
        strbuf_addf(&sb, "%s%s", f->field ? " " : "", f->target);
    int room = row->width >= 90 && sb.len > 0 ? row->width * 2 / 5 : 0;
    if (room)
        paint_bytes(row, 0, row->width - room, room - 1, STYLE_UNGROUNDED, sb.buf, sb.len);
    strbuf_release(&sb);
    size_t len = m->text ? strlen(m->text) : 0;
    size_t from = len ? paint_skip(row, m->text, len, x->nav.top->pan) : 0;
    if (from < len)
        paint_matched(row, 0, 28, row->width - 28 - room - 1, STYLE_TEXT, m->text + from,
                      len - from, pattern);
}

static void draw_line(struct view *v, const struct pane *row, size_t line)
{
    struct health_view *h = health_of(v);
    const struct finding *f = rows_view_at(v, line);
    if (f->node == 0)
        draw_heading(h, row, f);
    else
        draw_finding(v->app, row, f, v->search.pattern);
}

static void title(struct view *v, struct strbuf *out)
{
    (void)v;
    strbuf_addstr(out, "health");
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

static void position(struct view *v, struct strbuf *out)
{
    const struct finding *f = rows_view_at(v, v->selected);
    strbuf_addf(out, "%u/%u", f->place, health_of(v)->findings);
}

static bool selectable(struct view *v, size_t line)
{
    return ((const struct finding *)rows_view_at(v, line))->node != 0;
}

static int64_t node_at(struct view *v, size_t line)
{
    const struct finding *f = rows_view_at(v, line);
    return f ? f->node : 0;
}

static const char *empty(struct view *v)
{
    if (!rows_view_known(v))
        return "looking…";
    return v->only_new ? "nothing is wrong with what is new or changed; Esc shows the rest"
                       : "nothing is wrong with this store's lineage";
}

static uint8_t problem_at(const struct view *v, size_t line)
{
    return ((const struct finding *)rows_view_at(v, line))->problem;
}

static void step_problem(struct view *v, int direction)
{
    size_t at = v->selected;
    if (at == LINE_NONE)
        return;
    uint8_t problem = problem_at(v, at);
    if (direction > 0) {
        while (at < v->count && problem_at(v, at) == problem)
            at++;
        view_select(v, at < v->count ? at : 0);
        return;
    }
    while (at > 0 && problem_at(v, at) == problem)
        at--;
    problem = problem_at(v, at);
    while (at > 0 && problem_at(v, at - 1) == problem)
        at--;
    view_select(v, at);
}

static bool request(struct view *v, enum view_request request)
{
    switch (request) {
    case REQUEST_OPEN:
        app_open_memory(v->app, view_node(v));
        return true;
    case REQUEST_NEXT_SECTION:
    case REQUEST_PREVIOUS_SECTION:
        step_problem(v, request == REQUEST_NEXT_SECTION ? 1 : -1);
        return true;
    case REQUEST_REFRESH:
        rows_view_load(v);
        return true;
    default:
        return false;
    }
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

static const struct view_ops health_ops = {
    .name = "health",
    .place = IN_HEALTH,
    .preview = true,
    .title = title,
    .notice = notice,
    .counts = counts,
    .layout = layout,
    .header = header,
    .draw_header = draw_header,
    .draw_line = draw_line,
    .selectable = selectable,
    .node = node_at,
    .empty = empty,
    .request = request,
    .position = position,
    .only_new = rows_view_load,
    .news = news,
    .release = release,
};

struct view *health_view_new(struct app *x)
{
    struct health_view *h = xcalloc(1, sizeof(*h));
    view_init(&h->rows.view, &health_ops, &x->ui);
    h->rows.rows_ops = &finding_ops;
    mending_open(&h->mending, x);
    rows_view_load(&h->rows.view);
    return &h->rows.view;
}
