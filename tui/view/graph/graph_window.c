/* The window through which a drawing is seen. All cells are the drawing's but where said. */
#include "tui/view/graph/graph_view.h"

#define EDGE 2 /* cells that the cursor's node keeps from the edge */

static int32_t clamp(int32_t at, int32_t least, int32_t most)
{
    return at < least ? least : at > most ? most : at;
}

/* What fits stands in the middle; of the rest the middle of the node is, as far as the drawing goes. */
static int32_t origin(int32_t whole, int32_t room, int32_t at, int32_t size)
{
    if (whole <= room)
        return -(room - whole) / 2;
    return clamp(at + size / 2 - room / 2, 0, whole - room);
}

void graph_view_place(struct graph_view *g)
{
    uint32_t node = graph_view_cursor(g);
    if (node == PICTURE_NONE || g->columns <= 0 || g->rows <= 0)
        return;
    const struct layout *l = graph_view_layout(g);
    const struct layout_node *n = &l->node[node];
    g->column = origin(l->width, g->columns, n->column, n->width);
    g->row = origin(l->height, g->rows, n->row, n->height);
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

/* The least change of `from` that shows `at` to `at + size` in `room`, with EDGE where the drawing goes on. */
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

void graph_view_centre(struct graph_view *g)
{
    uint32_t node = graph_view_cursor(g);
    if (node == PICTURE_NONE)
        return;
    const struct layout_node *n = &graph_view_layout(g)->node[node];
    g->column = n->column + n->width / 2 - g->columns / 2;
    g->row = n->row + n->height / 2 - g->rows / 2;
}

/* ---- panning ---- */

/* How far a node is out of the window, counted in rows; 0: all of it is seen. */
static int64_t hidden_by(const struct graph_view *g, const struct layout_node *n)
{
    int64_t left = g->column - n->column, right = n->column + n->width - g->column - g->columns;
    int64_t up = g->row - n->row, down = n->row + n->height - g->row - g->rows;
    int64_t columns = left > right ? left : right, rows = up > down ? up : down;
    bool wide = n->width > g->columns, high = n->height > g->rows;
    columns =
        columns < 0 || (wide && left <= 0 && n->column < g->column + g->columns) ? 0 : columns;
    rows = rows < 0 || (high && up <= 0) ? 0 : rows;
    return columns + 4 * rows;
}

static int64_t distance(const struct layout_node *a, const struct layout_node *b)
{
    int64_t columns = (a->column + a->width / 2) - (b->column + b->width / 2);
    int64_t rows = (a->row + a->height / 2) - (b->row + b->height / 2);
    return (columns < 0 ? -columns : columns) + 2 * (rows < 0 ? -rows : rows);
}

/* The node nearest to the cursor's of those that are seen best. */
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
    /* Where all of it fits there is nowhere to go. */
    if (columns)
        g->column = clamp(g->column + columns, column < 0 ? column : 0,
                          column > l->width - g->columns ? column : l->width - g->columns);
    if (rows)
        g->row = clamp(g->row + rows, row < 0 ? row : 0,
                       row > l->height - g->rows ? row : l->height - g->rows);
    if (g->column == column && g->row == row) {
        app_say(g->view.app, "the drawing ends here");
        return;
    }
    if (hidden_by(g, &l->node[node]) > 0)
        graph_view_select(g, nearest_seen(g, node));
}

/* What fits stands in the middle, and of what does not nothing is shown beyond its ends. */
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
