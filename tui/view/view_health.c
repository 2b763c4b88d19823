#include "tui/view/view_health.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/explorer/mending.h"
#include "tui/explorer/news.h"
#include "tui/render/problem.h"
#include "tui/explorer/since.h"

#define SLOT_HEALTH 0

/* Headings and findings are one array, in the order of the lines. */
struct finding {
    int64_t node; /* 0: the heading of its problem */
    uint8_t problem;
    uint32_t place;             /* among the findings, from 1 */
    const char *field, *target; /* in the arena, or NULL */
};

struct findings {
    struct arena arena;
    struct finding *line;
    size_t count, alloc;
    size_t of[PROBLEM_COUNT];
    uint32_t findings; /* without headings */
    bool failed;
};

struct health_view {
    struct view view;
    struct findings found;
    bool known, changed;
    struct mending mending;
    struct health_job *looking; /* NULL: it is not looked */
    int64_t took;               /* ms: the last look */
};

struct health_job {
    struct job job;
    struct health_view *view;
    char *agent;
    struct since since;
    struct findings found;
    _Atomic int percent; /* how far it has come */
    int64_t began;       /* monotonic ms */
};

/* A store of a million is looked through in a second; one that changes all the time is not, all the time. */
#define LOOKS_AGAIN_MS 200

static struct health_view *health_of(struct view *v)
{
    return (struct health_view *)v;
}

static void findings_release(struct findings *f)
{
    arena_release(&f->arena);
    free(f->line);
    *f = (struct findings){.arena = ARENA_INIT};
}

static bool add_finding(struct findings *f, int64_t node, enum problem problem)
{
    if (!array_grow((void **)&f->line, &f->alloc, f->count, sizeof(*f->line)))
        return false;
    f->line[f->count++] = (struct finding){.node = node, .problem = (uint8_t)problem};
    return true;
}

static int take_orphan(void *arg, const struct orphan *orphan)
{
    struct health_job *j = arg;
    struct findings *f = &j->found;
    bool heading = f->of[orphan->problem] == 0;
    if (!since_wants(&j->since, orphan->node))
        return atomic_load(&j->job.cancelled);
    if ((heading && !add_finding(f, 0, orphan->problem)) ||
        !add_finding(f, orphan->node, orphan->problem)) {
        f->failed = true;
        return 1;
    }
    f->of[orphan->problem]++;
    f->line[f->count - 1].place = ++f->findings;
    f->line[f->count - 1].field = arena_strdup(&f->arena, orphan->field);
    f->line[f->count - 1].target = arena_strdup(&f->arena, orphan->target);
    return atomic_load(&j->job.cancelled);
}

static void tell(void *arg, int64_t done_rows, int64_t total)
{
    struct health_job *j = arg;
    if (total > 0)
        atomic_store(&j->percent, (int)(100 * done_rows / total));
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct health_job *j = (struct health_job *)job;
    if (since_read(&j->since, r, &job->cancelled, e))
        return JOB_FAILED;
    reader_on_progress(r, tell, j);
    int failed = orphans_find(r, j->agent, take_orphan, j, e);
    reader_on_progress(r, NULL, NULL);
    if (failed)
        return JOB_FAILED;
    if (j->found.failed)
        return (enum job_result)error_set(e, ERROR_MEMORY, "Choose an agent with A.",
                                          "there is no memory left for all that was found");
    return JOB_DONE;
}

/* The line of the same problem; where it is gone, of one that came after it: the cursor goes on. */
static size_t find_again(const struct findings *old, size_t line, const struct findings *new)
{
    for (; line < old->count; line++)
        for (size_t i = 0; old->line[line].node && i < new->count; i++)
            if (new->line[i].node == old->line[line].node &&new->line[i].problem ==
                old->line[line].problem)
                return i;
    return LINE_NONE;
}

static void done(struct job *job, const struct error *e)
{
    struct health_job *j = (struct health_job *)job;
    struct health_view *h = j->view;
    h->looking = NULL;
    if (e->code != ERROR_NONE) {
        app_fail(h->view.app, e);
        return;
    }
    size_t line = h->view.selected == LINE_NONE
                      ? LINE_NONE
                      : find_again(&h->found, h->view.selected, &j->found);
    size_t row = h->view.selected == LINE_NONE ? 0 : h->view.selected - h->view.top;
    h->took = monotonic_ms() - j->began;
    mending_changed(&h->mending);
    findings_release(&h->found);
    h->found = j->found;
    j->found = (struct findings){.arena = ARENA_INIT};
    h->known = true;
    h->changed = false;
    view_set_count(&h->view, h->found.count);
    if (line != LINE_NONE) {
        h->view.top = line > row ? line - row : 0;
        view_select(&h->view, line);
    }
    view_search_again(&h->view);
}

static void release_job(struct job *job)
{
    struct health_job *j = (struct health_job *)job;
    findings_release(&j->found);
    since_release(&j->since);
    free(j->agent);
    free(j);
}

static const struct job_ops job_ops = {
    .name = "looking for what is wrong", .run = run, .done = done, .release = release_job};

static void load(struct health_view *h)
{
    struct health_job *j = xcalloc(1, sizeof(*j));
    j->view = h;
    j->found.arena = (struct arena)ARENA_INIT;
    j->since = since_of(&h->view);
    j->agent = h->view.app->prefs.agent ? xstrdup(h->view.app->prefs.agent) : NULL;
    j->began = monotonic_ms();
    h->looking = j;
    worker_submit(&h->view.app->data.worker, &j->job, &job_ops, h, SLOT_HEALTH);
}

/* ---- mending ---- */

static const struct finding *at_cursor(const struct health_view *h)
{
    size_t line = h->view.selected;
    return line < h->found.count && h->found.line[line].node ? &h->found.line[line] : NULL;
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
    int64_t *nodes = xmalloc((h->found.count + 1) * sizeof(*nodes));
    size_t count = 0;
    if (f && nodes && marks->count > 0) {
        /* A memory may have a problem several times: it is mended once. */
        for (size_t i = 0; i < h->found.count; i++)
            if (h->found.line[i].problem == f->problem && marks_has(marks, h->found.line[i].node) &&
                (count == 0 || nodes[count - 1] != h->found.line[i].node))
                nodes[count++] = h->found.line[i].node;
        if (count == 0)
            app_say(v->app, "none of those that are marked has the problem under the cursor");
        else
            mending_offer(&h->mending, nodes, count, true);
    } else if (f && nodes) {
        mending_offer(&h->mending, &f->node, 1, false);
    }
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
    if (h->looking)
        app_wake(v->app, 100);
}

static void draw_heading(struct health_view *h, const struct pane *row, const struct finding *f)
{
    char right[32];
    snprintf(right, sizeof(right), "%zu", h->found.of[f->problem]);
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
    const struct finding *f = &h->found.line[line];
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
    if (h->known)
        strbuf_addf(out, "%u problem%s", h->found.findings, h->found.findings == 1 ? "" : "s");
}

static void notice(struct view *v, struct strbuf *out)
{
    const struct health_view *h = health_of(v);
    int percent = h->looking ? atomic_load(&h->looking->percent) : 0;
    if (percent > 0)
        strbuf_addf(out, "looking %d%%", percent);
    if (h->known && h->changed)
        strbuf_addf(out, "%s%s%schanged since, R looks again", out->len ? " " : "",
                    out->len ? glyph_text(&v->app->ui.screen, GLYPH_DOT) : "", out->len ? " " : "");
}

static void position(struct view *v, struct strbuf *out)
{
    const struct findings *f = &health_of(v)->found;
    strbuf_addf(out, "%u/%u", f->line[v->selected].place, f->findings);
}

static bool selectable(struct view *v, size_t line)
{
    return health_of(v)->found.line[line].node != 0;
}

static int64_t node_at(struct view *v, size_t line)
{
    return line < v->count ? health_of(v)->found.line[line].node : 0;
}

static const char *empty(struct view *v)
{
    if (!health_of(v)->known)
        return "looking…";
    return v->only_new ? "nothing is wrong with what is new or changed; Esc shows the rest"
                       : "nothing is wrong with this store's lineage";
}

static void step_problem(struct view *v, int direction)
{
    struct health_view *h = health_of(v);
    size_t at = v->selected;
    if (at == LINE_NONE)
        return;
    uint8_t problem = h->found.line[at].problem;
    if (direction > 0) {
        while (at < v->count && h->found.line[at].problem == problem)
            at++;
        view_select(v, at < v->count ? at : 0);
        return;
    }
    while (at > 0 && h->found.line[at].problem == problem)
        at--;
    problem = h->found.line[at].problem;
    while (at > 0 && h->found.line[at - 1].problem == problem)
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
        load(health_of(v));
        return true;
    default:
        return false;
    }
}

static void only_new(struct view *v)
{
    load(health_of(v));
}

static void news(struct view *v, const struct event *events, size_t count, bool whole)
{
    (void)events;
    (void)count;
    (void)whole;
    struct health_view *h = health_of(v);
    mending_changed(&h->mending);
    h->changed = true;
    if (!h->looking && h->known && h->took < LOOKS_AGAIN_MS)
        load(h);
}

static void release(struct view *v)
{
    mending_release(&health_of(v)->mending);
    findings_release(&health_of(v)->found);
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
    .only_new = only_new,
    .news = news,
    .release = release,
};

struct view *health_view_new(struct app *x)
{
    struct health_view *h = xcalloc(1, sizeof(*h));
    view_init(&h->view, &health_ops, &x->ui);
    h->found.arena = (struct arena)ARENA_INIT;
    mending_open(&h->mending, x);
    load(h);
    return &h->view;
}
