#include "tui/view/view_whatif.h"

#include "model/base/alloc.h"
#include "model/graph/lineage.h"
#include "model/base/strbuf.h"
#include "store/lineage/subgraph.h"
#include "tui/explorer/app.h"
#include "tui/view/memory/facts_sheet.h"

#define SLOT_WHATIF    0
#define DESCENDS_SHOWN 20 /* of those that only descend; the rest is folded at first */

enum section {
    SECTION_RETRACTED = 0,
    SECTION_FALLS,
    SECTION_WEAKENED,
    SECTION_DESCENDS,
    SECTION_COUNT
};

struct outcome {
    int64_t node; /* 0: a heading */
    uint8_t section;
    uint32_t before, after; /* justifications that hold */
    uint32_t place;         /* among the memories, from 1 */
};

struct outcomes {
    struct outcome *line;
    size_t count, alloc;
    size_t of[SECTION_COUNT];
    uint32_t memories;
};

struct whatif_view {
    struct view view;
    int64_t *nodes;
    size_t node_count;
    struct outcomes outcomes;
    bool known, changed;
    bool unfolded;           /* all that only descend are listed */
    struct memory_name name; /* of what is retracted, where it is one */
};

struct whatif_job {
    struct job job;
    struct whatif_view *view;
    int64_t *nodes;
    size_t node_count;
    struct outcomes outcomes;
};

static struct whatif_view *whatif_of(struct view *v)
{
    return (struct whatif_view *)v;
}

static int add(struct outcomes *o, struct outcome outcome)
{
    if (!array_grow((void **)&o->line, &o->alloc, o->count, sizeof(*o->line)))
        return -1;
    o->memories += outcome.node != 0;
    outcome.place = o->memories;
    o->line[o->count++] = outcome;
    return 0;
}

static int add_heading(struct outcomes *o, enum section section, size_t count)
{
    o->of[section] = count;
    return add(o, (struct outcome){.section = (uint8_t)section});
}

static int fill(struct whatif_job *j, const struct graph *g, const struct whatif *what)
{
    struct outcomes *o = &j->outcomes;
    int failed = add_heading(o, SECTION_RETRACTED, j->node_count);
    for (size_t i = 0; i < j->node_count && !failed; i++)
        failed = add(o, (struct outcome){.node = j->nodes[i], .section = SECTION_RETRACTED});
    failed = failed || add_heading(o, SECTION_FALLS, what->fall_count);
    for (size_t i = 0; i < what->fall_count && !failed; i++)
        failed = add(
            o, (struct outcome){.node = graph_row(g, what->falls[i]), .section = SECTION_FALLS});
    failed = failed || add_heading(o, SECTION_WEAKENED, what->weakened_count);
    for (size_t i = 0; i < what->weakened_count && !failed; i++)
        failed = add(o, (struct outcome){.node = graph_row(g, what->weakened[i].node),
                                         .section = SECTION_WEAKENED,
                                         .before = what->weakened[i].before,
                                         .after = what->weakened[i].after});
    failed = failed || add_heading(o, SECTION_DESCENDS, what->descends);
    for (size_t i = 0; i < what->descends && !failed; i++)
        failed = add(o, (struct outcome){.node = graph_row(g, what->descending[i]),
                                         .section = SECTION_DESCENDS});
    return failed;
}

static int retract(struct whatif_job *j, const struct graph *g)
{
    struct labels labels;
    struct whatif what;
    uint32_t *roots = xmalloc(j->node_count * sizeof(*roots));
    int failed = !roots || labels_compute(&labels, g);
    if (!failed) {
        for (size_t i = 0; i < j->node_count; i++)
            roots[i] = (uint32_t)i;
        failed = whatif_retract(&what, g, &labels, roots, j->node_count);
        labels_release(&labels);
        if (!failed) {
            failed = fill(j, g, &what);
            whatif_release(&what);
        }
    }
    free(roots);
    return failed;
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct whatif_job *j = (struct whatif_job *)job;
    struct graph g;
    bool bounded;
    if (graph_load_around(r, &g, j->nodes, j->node_count, DESCENDANTS, 0, &bounded, e))
        return JOB_FAILED;
    int failed = retract(j, &g);
    graph_release(&g);
    if (failed)
        return (enum job_result)error_set(e, ERROR_MEMORY, "",
                                          "there is no memory left for a what-if");
    return JOB_DONE;
}

/* The line that stands for those that are folded; LINE_NONE where none are. */
static size_t fold_line(const struct whatif_view *w)
{
    const struct outcomes *o = &w->outcomes;
    size_t hidden = o->of[SECTION_DESCENDS];
    return w->unfolded || hidden <= DESCENDS_SHOWN + 1 ? LINE_NONE
                                                       : o->count - hidden + DESCENDS_SHOWN;
}

static void show_lines(struct whatif_view *w)
{
    size_t fold = fold_line(w);
    view_set_count(&w->view, fold == LINE_NONE ? w->outcomes.count : fold + 1);
    view_search_again(&w->view);
}

static void done(struct job *job, const struct error *e)
{
    struct whatif_job *j = (struct whatif_job *)job;
    struct whatif_view *w = j->view;
    if (e->code != ERROR_NONE) {
        app_fail(w->view.app, e);
        return;
    }
    free(w->outcomes.line);
    w->outcomes = j->outcomes;
    j->outcomes.line = NULL;
    w->known = true;
    w->changed = false;
    show_lines(w);
}

static void release_job(struct job *job)
{
    struct whatif_job *j = (struct whatif_job *)job;
    free(j->nodes);
    free(j->outcomes.line);
    free(j);
}

static const struct job_ops job_ops = {
    .name = "what if", .run = run, .done = done, .release = release_job};

static void load(struct whatif_view *w)
{
    struct whatif_job *j = xcalloc(1, sizeof(*j));
    j->view = w;
    j->nodes = xcalloc(w->node_count, sizeof(*j->nodes));
    memcpy(j->nodes, w->nodes, w->node_count * sizeof(*j->nodes));
    j->node_count = w->node_count;
    worker_submit(&w->view.app->data.worker, &j->job, &job_ops, w, SLOT_WHATIF);
}

/* ---- drawing ---- */

static void draw_heading(struct whatif_view *w, const struct pane *row, const struct outcome *o)
{
    static const char *const names[SECTION_COUNT] = {
        "if this were retracted", "would fall", "would be weakened", "would only lose an ancestor"};
    static const char *const about[SECTION_COUNT] = {
        "", "stand now, and would rest on nothing that holds",
        "would still stand, with fewer justifications", "descend from it, and hold as they do now"};
    char right[32];
    int at = 3 + paint_text(row, 0, 3, 30, STYLE_RULE_TITLE, names[o->section]) + 1;
    if (o->section == SECTION_RETRACTED)
        return;
    snprintf(right, sizeof(right), "%zu", w->outcomes.of[o->section]);
    at += paint_text(row, 0, at, 12, STYLE_NUMBER, right) + 2;
    paint_text(row, 0, at, row->width - at, STYLE_DIM, about[o->section]);
}

static void draw_outcome(struct app *x, const struct pane *row, const struct outcome *o,
                         const char *pattern)
{
    const struct memory_row *m = details_row(x, o->node);
    struct facts_look look = ages_look(&x->ui);
    static const enum label after[SECTION_COUNT] = {LABEL_GONE, LABEL_UNGROUNDED, LABEL_WEAKENED,
                                                    LABEL_GROUNDED};
    struct strbuf ref = STRBUF_INIT;
    char text[48];
    int end = row->width;
    if (!m)
        return;
    if (marks_has(&x->ui.marks, o->node))
        paint_text(row, 0, 2, 1, STYLE_MARK, "*");
    const struct detail *d = o->section == SECTION_DESCENDS ? details_of(x, o->node) : NULL;
    enum label label = d ? d->label.label : after[o->section];
    if (label < LABEL_COUNT)
        paint_label(row, 0, 5, label);
    details_ref(x, m, &ref);
    paint_bytes(row, 0, 7, 22, STYLE_REF, ref.buf, ref.len);
    strbuf_release(&ref);
    if (row->width >= 60) {
        int age = x->prefs.exact_times ? 19 : 4;
        facts_when(text, sizeof(text), m->created_at, &look);
        end -= age + 1;
        paint_right(row, 0, end, age, STYLE_AGE, text);
    }
    if (o->section == SECTION_WEAKENED) {
        snprintf(text, sizeof(text), "%u %s %u hold", o->before,
                 glyph_text(&x->ui.screen, GLYPH_ARROW), o->after);
        end -= 14;
        paint_text(row, 0, end, 13, STYLE_WEAKENED, text);
    }
    size_t len = m->text ? strlen(m->text) : 0;
    size_t from = len ? paint_skip(row, m->text, len, x->nav.top->pan) : 0;
    if (from < len)
        paint_matched(row, 0, 30, end - 31, STYLE_TEXT, m->text + from, len - from, pattern);
}

static void draw_line(struct view *v, const struct pane *row, size_t line)
{
    struct whatif_view *w = whatif_of(v);
    const struct outcome *o = &w->outcomes.line[line];
    if (line == fold_line(w))
        paint_format(row, 0, 5, row->width - 5, STYLE_DIM, "%zu more; Enter lists them",
                     w->outcomes.count - line);
    else if (o->node == 0)
        draw_heading(w, row, o);
    else
        draw_outcome(v->app, row, o, v->search.pattern);
}

static void title(struct view *v, struct strbuf *out)
{
    struct whatif_view *w = whatif_of(v);
    if (w->node_count > 1)
        strbuf_addf(out, "%zu marked what if", w->node_count);
    else
        strbuf_addf(out, "%s what if", details_name(v->app, &w->name));
}

static void counts(struct view *v, struct strbuf *out)
{
    struct whatif_view *w = whatif_of(v);
    const char *dot = glyph_text(&v->app->ui.screen, GLYPH_DOT);
    if (!w->known)
        return;
    strbuf_addf(out, "%zu fall%s %s %zu weakened %s %zu only descend",
                w->outcomes.of[SECTION_FALLS], w->outcomes.of[SECTION_FALLS] == 1 ? "s" : "", dot,
                w->outcomes.of[SECTION_WEAKENED], dot, w->outcomes.of[SECTION_DESCENDS]);
}

static void notice(struct view *v, struct strbuf *out)
{
    if (whatif_of(v)->known && whatif_of(v)->changed)
        strbuf_addstr(out, "changed since, R asks again");
}

static bool selectable(struct view *v, size_t line)
{
    return whatif_of(v)->outcomes.line[line].node != 0 || line == fold_line(whatif_of(v));
}

/* Memories alone are counted. */
static void position(struct view *v, struct strbuf *out)
{
    const struct whatif_view *w = whatif_of(v);
    if (v->selected != fold_line(w))
        strbuf_addf(out, "%u/%u", w->outcomes.line[v->selected].place, w->outcomes.memories);
}

static int64_t node_at(struct view *v, size_t line)
{
    const struct whatif_view *w = whatif_of(v);
    return line < v->count && line != fold_line(w) ? w->outcomes.line[line].node : 0;
}

static const char *empty(struct view *v)
{
    (void)v;
    return "asking what if…";
}

static void step_section(struct view *v, int direction)
{
    const struct outcomes *o = &whatif_of(v)->outcomes;
    int section = v->selected == LINE_NONE ? 0 : o->line[v->selected].section;
    for (int i = 0; i < SECTION_COUNT; i++) {
        section = (section + direction + SECTION_COUNT) % SECTION_COUNT;
        for (size_t line = 0; line < v->count; line++) {
            if (o->line[line].section == section && o->line[line].node) {
                view_select(v, line);
                return;
            }
        }
    }
}

static void unfold(struct whatif_view *w)
{
    w->unfolded = true;
    show_lines(w);
}

static bool request(struct view *v, enum view_request request)
{
    switch (request) {
    case REQUEST_OPEN:
        if (v->selected != LINE_NONE && v->selected == fold_line(whatif_of(v)))
            unfold(whatif_of(v));
        else
            app_open_memory(v->app, view_node(v));
        return true;
    case REQUEST_NEXT_SECTION:
    case REQUEST_PREVIOUS_SECTION:
        step_section(v, request == REQUEST_NEXT_SECTION ? 1 : -1);
        return true;
    case REQUEST_REFRESH:
        load(whatif_of(v));
        return true;
    default:
        return false;
    }
}

static void news(struct view *v, const struct event *events, size_t count, bool whole)
{
    (void)events;
    (void)count;
    (void)whole;
    whatif_of(v)->changed = true;
}

static void release(struct view *v)
{
    free(whatif_of(v)->nodes);
    free(whatif_of(v)->outcomes.line);
}

static const struct view_ops whatif_ops = {
    .name = "what if",
    .place = IN_WHATIF,
    .preview = true,
    .title = title,
    .notice = notice,
    .counts = counts,
    .draw_line = draw_line,
    .selectable = selectable,
    .node = node_at,
    .empty = empty,
    .request = request,
    .position = position,
    .news = news,
    .release = release,
};

struct view *whatif_view_new(struct app *x, const int64_t *nodes, size_t count)
{
    struct whatif_view *w = xcalloc(1, sizeof(*w));
    view_init(&w->view, &whatif_ops, &x->ui);
    w->nodes = xcalloc(count, sizeof(*nodes));
    memcpy(w->nodes, nodes, count * sizeof(*nodes));
    w->node_count = count;
    details_name_open(x, &w->name, nodes[0]);
    load(w);
    return &w->view;
}
