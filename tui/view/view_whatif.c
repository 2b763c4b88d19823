#include "tui/view/view_whatif.h"

#include "model/base/alloc.h"
#include "model/graph/lineage.h"
#include "model/base/strbuf.h"
#include "store/lineage/subgraph.h"
#include "tui/explorer/app.h"
#include "tui/render/facts_sheet.h"
#include "tui/widget/rows_view.h"

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

struct whatif_view {
    struct rows_view rows;
    int64_t *nodes;
    size_t node_count;
    size_t of[SECTION_COUNT]; /* memories in each */
    uint32_t memories;
    bool unfolded;           /* all that only descend are listed */
    struct memory_name name; /* of what is retracted, where it is one */
};

struct whatif_question {
    const int64_t *nodes; /* in the arena */
    size_t count;
};

static struct whatif_view *whatif_of(struct view *v)
{
    return (struct whatif_view *)v;
}

/* ---- reading ---- */

static struct outcome *add(struct rows *rows, enum section section, int64_t node)
{
    struct outcome *o = rows_add(rows);
    o->node = node;
    o->section = (uint8_t)section;
    return o;
}

/* Each section has a heading, also an empty one. */
static void fill(struct rows *rows, const struct graph *g, const struct whatif *what)
{
    const struct whatif_question *asked = rows->question;
    add(rows, SECTION_RETRACTED, 0);
    for (size_t i = 0; i < asked->count; i++)
        add(rows, SECTION_RETRACTED, asked->nodes[i]);
    add(rows, SECTION_FALLS, 0);
    for (size_t i = 0; i < what->fall_count; i++)
        add(rows, SECTION_FALLS, graph_row(g, what->falls[i]));
    add(rows, SECTION_WEAKENED, 0);
    for (size_t i = 0; i < what->weakened_count; i++) {
        struct outcome *o = add(rows, SECTION_WEAKENED, graph_row(g, what->weakened[i].node));
        o->before = what->weakened[i].before;
        o->after = what->weakened[i].after;
    }
    add(rows, SECTION_DESCENDS, 0);
    for (size_t i = 0; i < what->descends; i++)
        add(rows, SECTION_DESCENDS, graph_row(g, what->descending[i]));
}

static void ask(struct rows_view *v, struct rows *rows)
{
    const struct whatif_view *w = whatif_of(&v->view);
    struct whatif_question *asked = rows->question;
    asked->nodes = arena_memdup(&rows->arena, w->nodes, w->node_count * sizeof(*w->nodes));
    asked->count = w->node_count;
}

static int read_outcomes(struct rows *rows, struct reader *r, struct error *e)
{
    const struct whatif_question *asked = rows->question;
    struct graph g;
    struct labels labels;
    struct whatif what;
    bool bounded;
    if (graph_load_around(r, &g, asked->nodes, asked->count, DESCENDANTS, 0, &bounded, e))
        return -1;
    /* The nodes that a graph is loaded around are its first ones. */
    uint32_t *roots = arena_array(&rows->arena, asked->count, sizeof(*roots));
    for (size_t i = 0; i < asked->count; i++)
        roots[i] = (uint32_t)i;
    labels_compute(&labels, &g);
    whatif_retract(&what, &g, &labels, roots, asked->count);
    fill(rows, &g, &what);
    whatif_release(&what);
    labels_release(&labels);
    graph_release(&g);
    return 0;
}

static int64_t row_id(const void *row)
{
    const struct outcome *o = row;
    return o->node * SECTION_COUNT + (o->node ? o->section : 0);
}

static void taken(struct rows_view *v)
{
    struct whatif_view *w = whatif_of(&v->view);
    struct outcome *all = v->rows->row;
    w->memories = 0;
    memset(w->of, 0, sizeof(w->of));
    for (size_t i = 0; i < v->rows->count; i++) {
        w->of[all[i].section] += all[i].node != 0;
        w->memories += all[i].node != 0;
        all[i].place = w->memories;
    }
}

/* The line that stands for those that are folded; LINE_NONE where none are. */
static size_t fold_line(const struct whatif_view *w)
{
    size_t hidden = w->of[SECTION_DESCENDS];
    return w->unfolded || hidden <= DESCENDS_SHOWN + 1
               ? LINE_NONE
               : w->rows.rows->count - hidden + DESCENDS_SHOWN;
}

/* Many that only descend are folded: a line stands for them. */
static bool passes(struct rows_view *v, const void *row)
{
    size_t index = (size_t)((const struct outcome *)row - (const struct outcome *)v->rows->row);
    size_t fold = fold_line(whatif_of(&v->view));
    return fold == LINE_NONE || index <= fold;
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
    snprintf(right, sizeof(right), "%zu", w->of[o->section]);
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
    const struct outcome *o = rows_view_at(v, line);
    if (line == fold_line(w))
        paint_format(row, 0, 5, row->width - 5, STYLE_DIM, "%zu more; Enter lists them",
                     w->rows.rows->count - line);
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
    if (!rows_view_known(v))
        return;
    strbuf_addf(out, "%zu fall%s %s %zu weakened %s %zu only descend", w->of[SECTION_FALLS],
                w->of[SECTION_FALLS] == 1 ? "s" : "", dot, w->of[SECTION_WEAKENED], dot,
                w->of[SECTION_DESCENDS]);
}

static void notice(struct view *v, struct strbuf *out)
{
    if (rows_view_known(v) && whatif_of(v)->rows.changed)
        strbuf_addstr(out, "changed since, R asks again");
}

static bool selectable(struct view *v, size_t line)
{
    return ((const struct outcome *)rows_view_at(v, line))->node != 0 ||
           line == fold_line(whatif_of(v));
}

/* Memories alone are counted. */
static void position(struct view *v, struct strbuf *out)
{
    const struct whatif_view *w = whatif_of(v);
    if (v->selected != fold_line(w))
        strbuf_addf(out, "%u/%u", ((const struct outcome *)rows_view_at(v, v->selected))->place,
                    w->memories);
}

static int64_t node_at(struct view *v, size_t line)
{
    const struct whatif_view *w = whatif_of(v);
    const struct outcome *o = rows_view_at(v, line);
    return o && line != fold_line(w) ? o->node : 0;
}

static const char *empty(struct view *v)
{
    (void)v;
    return "asking what if…";
}

static void step_section(struct view *v, int direction)
{
    const struct outcome *o = rows_view_at(v, v->selected);
    int section = o ? o->section : 0;
    for (int i = 0; i < SECTION_COUNT; i++) {
        section = (section + direction + SECTION_COUNT) % SECTION_COUNT;
        for (size_t line = 0; line < v->count; line++) {
            o = rows_view_at(v, line);
            if (o->section == section && o->node) {
                view_select(v, line);
                return;
            }
        }
    }
}

static void unfold(struct whatif_view *w)
{
    w->unfolded = true;
    rows_view_lay(&w->rows.view);
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
        rows_view_load(v);
        return true;
    default:
        return false;
    }
}

static void release(struct view *v)
{
    free(whatif_of(v)->nodes);
    rows_view_release(v);
}

static const struct rows_ops outcome_ops = {.job = ROWS_JOB("what if"),
                                            .size = sizeof(struct outcome),
                                            .question = sizeof(struct whatif_question),
                                            .ask = ask,
                                            .read = read_outcomes,
                                            .id = row_id,
                                            .taken = taken,
                                            .passes = passes};

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
    .news = rows_view_changed,
    .release = release,
};

struct view *whatif_view_new(struct app *x, const int64_t *nodes, size_t count)
{
    struct whatif_view *w = xcalloc(1, sizeof(*w));
    view_init(&w->rows.view, &whatif_ops, &x->ui);
    w->nodes = xcalloc(count, sizeof(*nodes));
    memcpy(w->nodes, nodes, count * sizeof(*nodes));
    w->node_count = count;
    details_name_open(x, &w->name, nodes[0]);
    w->rows.rows_ops = &outcome_ops;
    rows_view_load(&w->rows.view);
    return &w->rows.view;
}
