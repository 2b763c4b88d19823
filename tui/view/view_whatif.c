/* The view of what would lose support if memories were retracted. */
#include "tui/view/views.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/graph/lineage.h"
#include "model/base/strbuf.h"
#include "store/lineage/orphans.h"
#include "store/record/get.h"
#include "tui/explorer/app.h"
#include "tui/view/memory/list_line.h"
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
    bool fold, folded;      /* it stands for the folded ones, or is one of them */
};

struct whatif_view {
    struct rows_view rows;
    int64_t *nodes;
    size_t node_count;
    size_t of[SECTION_COUNT]; /* memories in each */
    bool unfolded;            /* all that only descend are listed */
    struct memory_name name;  /* of what is retracted, where it is one */
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
    for (size_t i = 0; i < what->descends; i++) {
        bool folds = what->descends > DESCENDS_SHOWN + 1 && i >= DESCENDS_SHOWN;
        if (folds && i == DESCENDS_SHOWN)
            add(rows, SECTION_DESCENDS, 0)->fold = true;
        add(rows, SECTION_DESCENDS, graph_row(g, what->descending[i]))->folded = folds;
    }
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
    struct retraction q;
    int result = retraction_load(&q, r, asked->nodes, asked->count, e);
    if (result == 0)
        fill(rows, &q.graph, &q.outcome);
    retraction_release(&q);
    return result;
}

static struct line_subject row_subject(const void *row)
{
    const struct outcome *o = row;
    int64_t id = o->fold ? INT64_MAX : o->node * SECTION_COUNT + (o->node ? o->section : 0);
    return (struct line_subject){.node = o->node, .id = id, .section = o->section};
}

static void taken(struct rows_view *v)
{
    struct whatif_view *w = whatif_of(&v->view);
    const struct outcome *all = v->rows->row;
    memset(w->of, 0, sizeof(w->of));
    for (size_t i = 0; i < v->rows->count; i++)
        w->of[all[i].section] += all[i].node != 0;
}

static bool passes(struct rows_view *v, const void *row)
{
    const struct outcome *o = row;
    return whatif_of(&v->view)->unfolded ? !o->fold : !o->folded;
}

/* ---- drawing ---- */

static void draw_heading(struct whatif_view *w, const struct pane *row, const struct outcome *o)
{
    static const char *const names[SECTION_COUNT] = {
        "if this were retracted", "would fall", "would be weakened", "would only lose an ancestor"};
    static const char *const about[SECTION_COUNT] = {
        "", "stand now, and would rest on nothing that holds",
        "would still stand, with fewer justifications", "descend from it, and hold as they do now"};
    if (o->section == SECTION_RETRACTED)
        paint_text(row, 0, 3, 30, STYLE_RULE_TITLE, names[o->section]);
    else
        line_heading(row, names[o->section], w->of[o->section], about[o->section]);
}

static void draw_outcome(struct view *v, const struct pane *row, const struct outcome *o)
{
    struct app *x = v->app;
    static const enum label after[SECTION_COUNT] = {LABEL_GONE, LABEL_UNGROUNDED, LABEL_WEAKENED,
                                                    LABEL_GROUNDED};
    struct list_line l = line_begin(v, row, false, 7, NULL);
    bool descends = o->section == SECTION_DESCENDS;
    const struct memory_row *m = line_memory(&l, o->node, descends ? 5 : 0);
    if (!m)
        return;
    if (!descends || !details_of(x, o->node))
        paint_label(row, 0, 5, after[o->section]);
    line_ref(&l, 21, NULL, m);
    struct list_line age = l;
    if (row->width >= 60) {
        age.at = l.end -= line_when_width(&l) + 1;
        line_when(&age, NULL, m->created_at);
    }
    if (o->section == SECTION_WEAKENED) {
        l.end -= 14;
        paint_format(row, 0, l.end, 13, STYLE_WEAKENED, "%u %s %u hold", o->before,
                     glyph_text(&x->ui.screen, GLYPH_ARROW), o->after);
    }
    line_text(&l, NULL, STYLE_TEXT, m->text);
}

static void draw(struct view *v, const struct pane *row, const void *one)
{
    struct whatif_view *w = whatif_of(v);
    const struct outcome *o = one;
    if (o->fold)
        paint_format(row, 0, 5, row->width - 5, STYLE_DIM, "%zu more; Enter lists them",
                     w->of[SECTION_DESCENDS] - DESCENDS_SHOWN);
    else if (o->node == 0)
        draw_heading(w, row, o);
    else
        draw_outcome(v, row, o);
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

static bool request(struct view *v, enum view_request request)
{
    const struct outcome *o = rows_view_at(v, v->selected);
    if (request != REQUEST_OPEN || !o || !o->fold)
        return rows_view_request(v, request);
    whatif_of(v)->unfolded = true;
    rows_view_lay(v);
    return true;
}

static void release(struct view *v)
{
    free(whatif_of(v)->nodes);
    rows_view_release(v);
}

static const struct rows_ops outcome_ops = {.job = "what if",
                                            .size = sizeof(struct outcome),
                                            .question = sizeof(struct whatif_question),
                                            .ask = ask,
                                            .read = read_outcomes,
                                            .subject = row_subject,
                                            .sections = true,
                                            .draw = draw,
                                            .taken = taken,
                                            .passes = passes,
                                            .reading = "asking what if…"};

static const struct view_ops whatif_ops = {
    .name = "what if",
    ROWS_SECTIONS_OPS,
    .has = HAS_MEMORIES | HAS_TEXT,
    .title = title,
    .counts = counts,
    .request = request,
    .news = view_changed,
    .release = release,
};

struct view *whatif_view_new(struct app *x, const int64_t *nodes, size_t count)
{
    struct whatif_view *w = rows_view_new(sizeof(*w), &whatif_ops, &outcome_ops, &x->ui);
    w->nodes = xcalloc(count, sizeof(*nodes));
    memcpy(w->nodes, nodes, count * sizeof(*nodes));
    w->node_count = count;
    details_name_open(x, &w->name, nodes[0]);
    rows_view_load(&w->rows.view);
    return &w->rows.view;
}
