/* Moving the cursor along edges, and the window over the drawing; highlighted memories. */

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/graph/lineage.h"
#include "model/graph/roots.h"
#include "store/lineage/orphans.h"
#include "store/lineage/loaded.h"
#include "store/record/get.h"
#include "tui/view/graph/graph_view.h"

void graph_view_light(struct graph_view *g)
{
    uint32_t node = graph_view_cursor(g);
    g->picked = PICTURE_NONE;
    if (node == PICTURE_NONE)
        return;
    size_t edges = g->drawing->chart.picture.edges;
    if (!g->lit)
        g->lit = xcalloc(edges ? edges : 1, 1);
    drawing_light(g->drawing, node, g->lit);
}

/* ---- moving along edges ---- */

static bool along_flow(const struct graph_view *g, enum move move)
{
    bool right = g->drawing->chart.layout.options.flow == FLOW_RIGHT;
    return (move == MOVE_LEFT || move == MOVE_RIGHT) == right;
}

static void report_end(struct graph_view *g, uint32_t node, enum move move)
{
    const struct subgraph_node *n = drawing_subgraph(g->drawing, node);
    bool back = move == MOVE_LEFT || move == MOVE_UP;
    size_t hidden = n->hidden[back ? ANCESTORS : DESCENDANTS];
    if (!along_flow(g, move))
        ui_message(g->view.ui, "there is nothing there");
    else if (hidden)
        ui_message(g->view.ui, "%s %zu more; + shows them", back ? "based on" : "used by", hidden);
    else
        ui_message(g->view.ui,
                   back ? "it has no further sources" : "nothing further is based on it");
}

void graph_view_walk(struct graph_view *g, enum move move)
{
    uint32_t node = graph_view_cursor(g);
    if (node == PICTURE_NONE)
        return;
    uint32_t next = moves_go(&g->drawing->moves, node, move);
    bool rest = drawing_subgraph(g->drawing, node)->type == SUBGRAPH_MORE;
    if (next != node)
        graph_view_select(g, next);
    else if (rest && along_flow(g, move))
        graph_view_expand(&g->view);
    else
        report_end(g, node, move);
}

/* Goes to the farthest source; in a drawing of users to the farthest of them. */
void graph_view_go_last(struct graph_view *g)
{
    if (graph_view_cursor(g) == PICTURE_NONE)
        return;
    const struct layout *l = &g->drawing->chart.layout;
    graph_view_select(g, l->layer_node[g->show == SHOW_DESCENDANTS ? l->picture->nodes - 1 : 0]);
}

/* ---- picking an edge ---- */

/* Lists the edges of a node: first those to its sources, then the others, each in the order of their other ends on the
 * screen. */
static uint32_t list_edges(const struct moves *m, uint32_t node, uint32_t *list)
{
    uint32_t count = 0;
    for (int side = MOVES_BEFORE; side < MOVES_SIDES; side++) {
        uint32_t from = count;
        for (uint32_t i = m->first[side][node]; i < m->first[side][node + 1]; i++) {
            uint32_t edge = m->edge[side][i], at = count++;
            uint32_t line = moves_line(m, moves_other(m, edge, node));
            for (; at > from && moves_line(m, moves_other(m, list[at - 1], node)) > line; at--)
                list[at] = list[at - 1];
            list[at] = edge;
        }
    }
    return count;
}

static void add_strokes(uint8_t strokes, struct strbuf *out)
{
    bool more = false;
    for (int s = STROKE_COUNT; s-- > 0;) {
        if (!(strokes >> s & 1))
            continue;
        strbuf_addf(out, "%s%s", more ? ", " : "", graph_view_stroke_word((enum stroke)s));
        more = true;
    }
}

static void report_picked(struct graph_view *g, uint32_t node, uint32_t rank, uint32_t count)
{
    const struct drawing *d = g->drawing;
    const struct picture *p = &d->chart.picture;
    uint32_t other = moves_other(&d->moves, g->picked, node);
    const struct subgraph_node *n = drawing_subgraph(d, other);
    const struct memory_row *row = subgraph_is_single(n) ? details_row(g->view.app, n->row) : NULL;
    AUTO_STRBUF message = STRBUF_INIT;
    strbuf_addf(&message, "edge %u of %u: %s ", rank + 1, count,
                p->edge[g->picked].from == node ? "based on" : "used by");
    if (row)
        details_ref(g->view.app, row, &message);
    else
        strbuf_addstr(&message, drawing_chart(d, other)->label);
    strbuf_addf(&message, " %s ", glyph_text(&g->view.ui->screen, GLYPH_DOT));
    add_strokes(p->edge[g->picked].strokes, &message);
    ui_message(g->view.ui, "%s", message.buf);
}

void graph_view_pick(struct graph_view *g, int direction)
{
    uint32_t node = graph_view_cursor(g), count = 0, at = 0;
    AUTO_FREE uint32_t *list = NULL;
    if (node != PICTURE_NONE) {
        list = xmalloc((g->drawing->chart.picture.edges + (size_t)1) * sizeof(*list));
        count = list_edges(&g->drawing->moves, node, list);
    }
    if (count == 0) {
        ui_message(g->view.ui, "it has no edge here");
    } else {
        while (at < count && list[at] != g->picked)
            at++;
        at = at == count ? (direction > 0 ? 0 : count - 1)
                         : (at + count + (uint32_t)direction) % count;
        g->picked = list[at];
        struct moves *m = &g->drawing->moves;
        int side = at >= m->first[MOVES_BEFORE][node + 1] - m->first[MOVES_BEFORE][node];
        m->last[side][node] = moves_other(m, g->picked, node);
        report_picked(g, node, at, count);
    }
}

#define EDGE 2 /* least distance of the cursor's node from the edge of the window */

static int32_t clamp(int32_t at, int32_t least, int32_t most)
{
    return at < least ? least : at > most ? most : at;
}

/* The window's origin: centres a drawing that fits, or with `middle` the node if there is room; else centres the node
 * within the bounds of the drawing. */
static int32_t origin(int32_t whole, int32_t room, int32_t at, int32_t size, bool middle)
{
    if (whole <= room)
        return middle ? clamp(at + size / 2 - room / 2, whole - room, 0) : -(room - whole) / 2;
    return clamp(at + size / 2 - room / 2, 0, whole - room);
}

void graph_view_place(struct graph_view *g)
{
    uint32_t node = graph_view_cursor(g);
    if (node == PICTURE_NONE || g->columns <= 0 || g->rows <= 0)
        return;
    const struct layout *l = graph_view_layout(g);
    const struct layout_node *n = &l->node[node];
    bool both = g->show == SHOW_BOTH;
    g->column = origin(l->width, g->columns, n->column, n->width, both);
    g->row = origin(l->height, g->rows, n->row, n->height, both);
    g->placed = true;
    graph_view_reveal(g);
}

void graph_view_put_at(struct graph_view *g, uint32_t node, int32_t column, int32_t row)
{
    const struct layout_node *n = &graph_view_layout(g)->node[node];
    g->column = n->label_column + graph_view_badge_columns(g, node) - column;
    g->row = n->label_row - row;
    g->placed = true;
}

/* The smallest change of `from` that shows `at` to `at + size`, with a margin of EDGE if the drawing continues. */
static int32_t reveal(int32_t from, int32_t room, int32_t at, int32_t size, int32_t whole)
{
    int32_t edge = room > size + 2 * EDGE ? EDGE : 0;
    int32_t before = at - edge > 0 ? at - edge : 0;
    int32_t end = at + size + edge < whole ? at + size + edge : whole;
    if (from + room < end)
        from = end - room;
    return from > before ? before : from;
}

void graph_view_reveal(struct graph_view *g)
{
    uint32_t node = graph_view_cursor(g);
    if (node == PICTURE_NONE || !g->placed || g->columns <= 0 || g->rows <= 0)
        return;
    const struct layout *l = graph_view_layout(g);
    const struct layout_node *n = &l->node[node];
    g->column = reveal(g->column, g->columns, n->column, n->width, l->width);
    g->row = reveal(g->row, g->rows, n->row, n->height, l->height);
}

void graph_view_centre(struct view *v)
{
    struct graph_view *g = graph_of(v);
    uint32_t node = graph_view_cursor(g);
    if (node == PICTURE_NONE)
        return;
    const struct layout_node *n = &graph_view_layout(g)->node[node];
    g->column = n->column + n->width / 2 - g->columns / 2;
    g->row = n->row + n->height / 2 - g->rows / 2;
}

/* ---- panning ---- */

static int64_t beyond(int32_t at, int32_t size, int32_t from, int32_t room)
{
    int32_t before = from - at, after = at + size - from - room;
    int32_t out = before > after ? before : after;
    bool fills = size > room && before >= 0 && after >= 0;
    return out > 0 && !fills ? out : 0;
}

/* How much of a node is outside the window, in rows; 0 if it is visible. */
static int64_t hidden_by(const struct graph_view *g, const struct layout_node *n)
{
    return beyond(n->column, n->width, g->column, g->columns) +
           4 * beyond(n->row, n->height, g->row, g->rows);
}

static int64_t distance(const struct layout_node *a, const struct layout_node *b)
{
    int64_t columns = (a->column + a->width / 2) - (b->column + b->width / 2);
    int64_t rows = (a->row + a->height / 2) - (b->row + b->height / 2);
    return (columns < 0 ? -columns : columns) + 2 * (rows < 0 ? -rows : rows);
}

/* Of the best visible nodes, the one nearest to the cursor's node. */
static uint32_t nearest_seen(const struct graph_view *g, uint32_t from)
{
    const struct layout *l = graph_view_layout(g);
    uint32_t best = from;
    int64_t best_hidden = hidden_by(g, &l->node[from]), best_far = 0;
    for (uint32_t i = 0; i < l->picture->nodes; i++) {
        int64_t hidden = hidden_by(g, &l->node[i]), far = distance(&l->node[i], &l->node[from]);
        if (hidden < best_hidden || (hidden == best_hidden && far < best_far)) {
            best = i;
            best_hidden = hidden;
            best_far = far;
        }
    }
    return best;
}

void graph_view_pan(struct graph_view *g, int columns, int rows)
{
    uint32_t node = graph_view_cursor(g);
    if (node == PICTURE_NONE)
        return;
    const struct layout *l = graph_view_layout(g);
    int32_t column = g->column, row = g->row;
    /* There is nowhere to scroll if everything fits. */
    if (columns)
        g->column = clamp(g->column + columns, column < 0 ? column : 0,
                          column > l->width - g->columns ? column : l->width - g->columns);
    if (rows)
        g->row = clamp(g->row + rows, row < 0 ? row : 0,
                       row > l->height - g->rows ? row : l->height - g->rows);
    if (g->column == column && g->row == row) {
        ui_message(g->view.ui, "this is the edge of the drawing");
        return;
    }
    if (hidden_by(g, &l->node[node]) > 0)
        graph_view_select(g, nearest_seen(g, node));
}

/* Centres a drawing that fits; else keeps the window within the drawing. */
static int32_t refit(int32_t from, int32_t whole, int32_t room)
{
    return whole <= room ? -(room - whole) / 2 : clamp(from, 0, whole - room);
}

void graph_view_resize(struct graph_view *g, int columns, int rows)
{
    bool wider = columns != g->columns, higher = rows != g->rows;
    g->columns = columns;
    g->rows = rows;
    if (graph_view_cursor(g) == PICTURE_NONE)
        return;
    const struct layout *l = graph_view_layout(g);
    if (!g->placed) {
        graph_view_place(g);
        return;
    }
    if (wider)
        g->column = refit(g->column, l->width, columns);
    if (higher)
        g->row = refit(g->row, l->height, rows);
    if (wider || higher)
        graph_view_reveal(g);
}

uint32_t graph_view_node_in(const struct graph_view *g, int row, int column)
{
    if (graph_view_cursor(g) == PICTURE_NONE)
        return PICTURE_NONE;
    const struct layout *l = graph_view_layout(g);
    if (row < 0 || column < 0 || row >= g->rows || column >= g->columns)
        return PICTURE_NONE;
    for (uint32_t i = 0; i < l->picture->nodes; i++) {
        const struct layout_node *n = &l->node[i];
        int32_t at_column = g->column + column, at_row = g->row + row;
        if (at_column >= n->column && at_column < n->column + n->width && at_row >= n->row &&
            at_row < n->row + n->height)
            return i;
    }
    return PICTURE_NONE;
}

struct graph_highlight_job {
    struct job job;
    struct graph_view *view;
    struct graph_highlight highlight;
    int64_t *rows; /* [count] the memories in view */
    size_t count;
    bool again; /* the message was shown before */
};

void graph_highlight_release(struct graph_highlight *s)
{
    map_release(&s->of);
    *s = (struct graph_highlight){0};
}

static int find_losses(struct graph_highlight *s, struct reader *r, struct error *e)
{
    struct retraction q;
    int failed = retraction_load(&q, r, &s->row, 1, e);
    const struct whatif *what = &q.outcome;
    for (size_t i = 0; !failed && i < what->weakened_count; i++)
        *map_at(&s->of, graph_row(&q.graph, what->weakened[i].node)) = EFFECT_WEAKENED;
    for (size_t i = 0; !failed && i < what->unsupported_count; i++)
        *map_at(&s->of, graph_row(&q.graph, what->unsupported[i])) = EFFECT_UNSUPPORTED;
    *map_at(&s->of, s->row) = EFFECT_ROOT;
    s->count[EFFECT_WEAKENED] = failed ? 0 : what->weakened_count;
    s->count[EFFECT_UNSUPPORTED] = failed ? 0 : what->unsupported_count;
    retraction_release(&q);
    return failed;
}

static int find_derivations(struct graph_highlight *s, struct reader *r, struct error *e)
{
    struct graph g;
    struct labels labels;
    struct independence found;
    bool bounded;
    if (graph_load_surroundings(r, &g, &s->row, 1, ANCESTORS, 0, &bounded, e))
        return -1;
    labels_compute(&labels, &g);
    independence_compute(&found, &g, &labels, 0);
    s->derivations = found.first ? found.independent : 0;
    s->roots = found.root_count;
    s->proven = found.proven;
    for (size_t i = 0; i < s->derivations; i++)
        for (size_t m = found.first[i]; m < found.first[i + 1]; m++)
            *map_at(&s->of, graph_row(&g, found.member[m])) = (int64_t)i + 1;
    independence_release(&found);
    labels_release(&labels);
    graph_release(&g);
    return 0;
}

static int find_keystones(struct graph_highlight_job *j, struct reader *r, struct error *e)
{
    AUTO_FREE struct row_label *label = xcalloc(j->count + 1, sizeof(*label));
    int failed = loses_fill(r, j->rows, j->count, label, e);
    for (size_t i = 0; !failed && i < j->count; i++)
        if (label[i].has_loses && label[i].loses)
            *map_at(&j->highlight.of, j->rows[i]) = label[i].loses;
    return failed;
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct graph_highlight_job *j = (struct graph_highlight_job *)job;
    struct graph_highlight *s = &j->highlight;
    if (reader_begin(r, e))
        return JOB_FAILED;
    int failed = s->kind == HIGHLIGHT_KEYSTONES     ? find_keystones(j, r, e)
                 : s->kind == HIGHLIGHT_DERIVATIONS ? find_derivations(s, r, e)
                                                    : find_losses(s, r, e);
    reader_end(r);
    return failed ? JOB_FAILED : JOB_DONE;
}

static void say(struct graph_view *g)
{
    const struct graph_highlight *s = &g->highlight;
    const struct memory_row *row = details_row(g->view.app, s->row);
    AUTO_STRBUF message = STRBUF_INIT;
    strbuf_addstr(&message, s->kind == HIGHLIGHT_LOSS ? "without " : "");
    if (row)
        details_ref(g->view.app, row, &message);
    else
        strbuf_addstr(&message, "it");
    if (s->kind == HIGHLIGHT_DERIVATIONS)
        strbuf_addf(&message, " has %s%zu independent derivation%s from %zu root%s",
                    s->proven ? "" : "at least ", s->derivations, s->derivations == 1 ? "" : "s",
                    s->roots, s->roots == 1 ? "" : "s");
    else if (s->count[EFFECT_UNSUPPORTED] + s->count[EFFECT_WEAKENED] == 0)
        strbuf_addstr(&message, " nothing would change");
    else
        strbuf_addf(&message, ", %zu would lose all support and %zu be weakened",
                    s->count[EFFECT_UNSUPPORTED], s->count[EFFECT_WEAKENED]);
    if (s->kind == HIGHLIGHT_KEYSTONES)
        ui_message(g->view.ui, "each number is how many others lose all support without it");
    else
        ui_message(g->view.ui, "%s", message.buf);
}

static void done(struct job *job, const struct error *e)
{
    struct graph_highlight_job *j = (struct graph_highlight_job *)job;
    if (e->code != ERROR_NONE) {
        ui_error(j->view->view.ui, e);
        return;
    }
    graph_highlight_release(&j->view->highlight);
    j->view->highlight = j->highlight;
    j->view->highlight.known = true;
    j->highlight = (struct graph_highlight){0};
    if (!j->again)
        say(j->view);
}

static void release_job(struct job *job)
{
    graph_highlight_release(&((struct graph_highlight_job *)job)->highlight);
    free(((struct graph_highlight_job *)job)->rows);
    free(job);
}

static const struct job_ops job_ops = {
    .name = "highlighting", .run = run, .done = done, .release = release_job};

/* The memories of a node that a highlight can name. */
static size_t rows_of(const struct subgraph_node *n, const int64_t **rows)
{
    *rows = subgraph_is_single(n) ? &n->row : n->member;
    return subgraph_is_single(n) ? 1 : n->type == SUBGRAPH_MORE ? 0 : n->members;
}

static void list_rows(const struct graph_view *g, struct graph_highlight_job *j)
{
    const struct subgraph *s = &g->drawing->chart.subgraph;
    const int64_t *rows;
    for (uint32_t i = 0; i < s->nodes; i++)
        j->count += rows_of(&s->node[i], &rows);
    j->rows = xcalloc(j->count + 1, sizeof(*j->rows));
    size_t at = 0;
    for (uint32_t i = 0; i < s->nodes; i++)
        for (size_t k = 0, own = rows_of(&s->node[i], &rows); k < own; k++)
            j->rows[at++] = rows[k];
}

void graph_view_ask_highlight(struct graph_view *g, enum highlight kind, int64_t row)
{
    if (row == 0) {
        worker_cancel(&g->view.ui->data->worker, g, SLOT_HIGHLIGHT);
        graph_highlight_release(&g->highlight);
        return;
    }
    struct graph_highlight_job *j = xcalloc(1, sizeof(*j));
    j->view = g;
    j->again = g->highlight.row == row && g->highlight.kind == kind;
    j->highlight.row = row;
    j->highlight.kind = kind;
    if (kind == HIGHLIGHT_KEYSTONES)
        list_rows(g, j);
    worker_submit(&g->view.ui->data->worker, &j->job, &job_ops, g, SLOT_HIGHLIGHT);
}

static enum effect effect_of(const struct graph_highlight *s, int64_t row)
{
    const int64_t *effect = map_find(&s->of, row);
    return effect ? (enum effect) * effect : EFFECT_NONE;
}

/* The greatest value of its members. */
static int64_t value_of(const struct graph_view *g, uint32_t node)
{
    const int64_t *rows, *value;
    size_t count = rows_of(drawing_subgraph(g->drawing, node), &rows);
    int64_t greatest = 0;
    for (size_t i = 0; g->highlight.known && i < count; i++)
        if ((value = map_find(&g->highlight.of, rows[i])) && *value > greatest)
            greatest = *value;
    return greatest;
}

enum effect graph_view_shading(const struct graph_view *g, uint32_t node)
{
    return g->highlight.kind == HIGHLIGHT_LOSS ? (enum effect)value_of(g, node) : EFFECT_NONE;
}

size_t graph_view_highlighted(const struct graph_view *g, uint32_t node)
{
    return g->highlight.kind == HIGHLIGHT_LOSS ? 0 : (size_t)value_of(g, node);
}

void graph_view_count_effects(const struct graph_view *g, size_t count[EFFECTS])
{
    const int64_t *rows;
    memset(count, 0, EFFECTS * sizeof(*count));
    for (uint32_t i = 0; i < g->drawing->chart.picture.nodes; i++)
        for (size_t k = 0, own = rows_of(drawing_subgraph(g->drawing, i), &rows); k < own; k++)
            count[effect_of(&g->highlight, rows[k])]++;
}
