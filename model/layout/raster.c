#include "model/layout/raster.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/layout/draft.h"

/* Bits are for a drawing from top to bottom. From left to right, north becomes west and east
 * becomes south. */
static uint8_t turned_mask(const struct layout *l, uint8_t mask)
{
    if (l->options.flow == FLOW_DOWN)
        return mask;
    return (uint8_t)((mask & (CELL_N | CELL_S)) << 2 | (mask & (CELL_W | CELL_E)) >> 2);
}

/* The window in the directions of the draft. */
struct window {
    const struct layout *l;
    struct raster *r;
    int32_t across, across_end, onward, onward_end; /* ends are exclusive */
};

static struct raster_cell *cell_at(const struct window *w, int32_t across, int32_t onward)
{
    bool down = w->l->options.flow == FLOW_DOWN;
    int32_t column = down ? across - w->across : onward - w->onward;
    int32_t row = down ? onward - w->onward : across - w->across;
    return &w->r->cell[(size_t)row * (size_t)w->r->columns + (size_t)column];
}

static bool in_window(const struct window *w, int32_t across, int32_t onward)
{
    return across >= w->across && across < w->across_end && onward >= w->onward &&
           onward < w->onward_end;
}

static bool wire_in_window(const struct window *w, const struct layout_wire *wire)
{
    return wire->across ? wire->at >= w->onward && wire->at < w->onward_end
                        : wire->at >= w->across && wire->at < w->across_end;
}

/* The directions in which a wire leaves a cell. */
static uint8_t bits_of(const struct layout_wire *wire, int32_t from, int32_t to, int32_t cell)
{
    bool before = from<2 * cell, after = to> 2 * cell;
    uint8_t first = wire->across ? CELL_W : CELL_N, last = wire->across ? CELL_E : CELL_S;
    return (uint8_t)((before ? first : 0) | (after ? last : 0));
}

typedef void (*put)(const struct window *w, struct raster_cell *cell, uint32_t net, uint8_t mask);

/* Visits the cells of a wire between two half cells that are in the window. */
static void follow(const struct window *w, const struct layout_wire *wire, int32_t from, int32_t to,
                   put put_cell)
{
    if (!wire_in_window(w, wire))
        return;
    int32_t least = wire->across ? w->across : w->onward;
    int32_t end = wire->across ? w->across_end : w->onward_end;
    int32_t first = (from + 1) >> 1, last = to >> 1;
    first = first > least ? first : least;
    last = last < end ? last : end - 1;
    for (int32_t i = first; i <= last; i++) {
        struct raster_cell *cell = wire->across ? cell_at(w, i, wire->at) : cell_at(w, wire->at, i);
        put_cell(w, cell, wire->net, turned_mask(w->l, bits_of(wire, from, to, i)));
    }
}

/* Lines onward are put first, so lines across pass under those of other nets. */
static void put_line(const struct window *w, struct raster_cell *cell, uint32_t net, uint8_t mask)
{
    if (cell->type == RASTER_EMPTY) {
        cell->type = RASTER_LINE;
        cell->net = net;
        cell->stroke = w->l->net[net].stroke;
    } else if (cell->net != net) {
        cell->crossed = net;
        return;
    }
    cell->mask |= mask;
}

static void put_light(const struct window *w, struct raster_cell *cell, uint32_t net, uint8_t mask)
{
    if (cell->net == net) {
        cell->lit = true;
    } else if (!cell->lit) {
        cell->crossed = cell->net;
        cell->net = net;
        cell->stroke = w->l->net[net].stroke;
        cell->mask = mask;
        cell->lit = true;
    }
}

static void put_wires(const struct window *w)
{
    const struct layout *l = w->l;
    for (int across = 0; across < 2; across++)
        for (size_t i = 0; i < l->wires; i++)
            if (l->wire[i].across == (across == 1))
                follow(w, &l->wire[i], l->wire[i].from, l->wire[i].to, put_line);
}

/* The highlighted part of a wire, in half cells. Empty if `from` is greater than `to`. */
struct light {
    int32_t from, to;
};

static void light_wire(struct light *light, int32_t from, int32_t to)
{
    int32_t least = from < to ? from : to, most = from < to ? to : from;
    light->from = least < light->from ? least : light->from;
    light->to = most > light->to ? most : light->to;
}

static void light_whole(const struct layout *l, struct light *light, uint32_t wire)
{
    light[wire] = (struct light){l->wire[wire].from, l->wire[wire].to};
}

static void light_leg(const struct layout *l, struct light *light, const struct layout_leg *leg)
{
    light_whole(l, light, leg->near);
    light_whole(l, light, leg->far);
    if (leg->dogleg != PICTURE_NONE) {
        light_wire(&light[leg->dogleg], leg->from, leg->turn);
        light_whole(l, light, leg->dogleg + 1);
    }
    /* All legs of a trunk share one end of it, and those of a dogleg its end, so the highlighted
     * part is contiguous. */
    if (leg->trunk != PICTURE_NONE)
        light_wire(&light[leg->trunk], leg->turn, leg->to);
}

static void find_light(const struct layout *l, const uint8_t *lit, struct light *light)
{
    AUTO_FREE uint8_t *seen = xcalloc(l->legs + 1, 1);
    for (uint32_t e = 0; e < l->picture->edges; e++) {
        uint32_t leg = lit[e] ? l->edge_leg[e] : PICTURE_NONE;
        for (; leg != PICTURE_NONE && !seen[leg]; leg = l->leg[leg].next) {
            seen[leg] = 1;
            light_leg(l, light, &l->leg[leg]);
        }
    }
}

static void put_lights(const struct window *w, const struct light *light)
{
    const struct layout *l = w->l;
    for (int across = 0; across < 2; across++)
        for (size_t i = 0; i < l->wires; i++)
            if (l->wire[i].across == (across == 1) && light[i].from <= light[i].to)
                follow(w, &l->wire[i], light[i].from, light[i].to, put_light);
}

/* The directions in which the border of a node continues from a cell; 0 if the cell is not a
 * border. */
static uint8_t border_of(const struct layout *l, const struct layout_node *n, int32_t column,
                         int32_t row)
{
    bool left = column == n->column, right = column == n->column + n->width - 1;
    bool top = row == n->row, bottom = row == n->row + n->height - 1;
    if (l->options.boxed)
        return (uint8_t)(((left || right) && !top ? CELL_N : 0) |
                         ((left || right) && !bottom ? CELL_S : 0) |
                         ((top || bottom) && !left ? CELL_W : 0) |
                         ((top || bottom) && !right ? CELL_E : 0));
    if (l->options.flow == FLOW_DOWN)
        return row < n->label_row || row >= n->label_row + n->label_rows ? CELL_W | CELL_E : 0;
    bool before = n->label_column > n->column;
    bool after = n->label_column + n->label_columns < n->column + n->width;
    return (left && before) || (right && after) ? CELL_N | CELL_S : 0;
}

static void put_node(const struct window *w, uint32_t node)
{
    struct raster *r = w->r;
    const struct layout_node *n = &w->l->node[node];
    int32_t left = n->column > r->column ? n->column : r->column;
    int32_t top = n->row > r->row ? n->row : r->row;
    int32_t right = n->column + n->width, end = r->column + r->columns;
    right = right < end ? right : end;
    int32_t bottom = n->row + n->height;
    end = r->row + r->rows;
    bottom = bottom < end ? bottom : end;
    for (int32_t y = top; y < bottom; y++)
        for (int32_t x = left; x < right; x++) {
            struct raster_cell *cell =
                &r->cell[(size_t)(y - r->row) * (size_t)r->columns + (size_t)(x - r->column)];
            cell->mask = border_of(w->l, n, x, y);
            cell->type = cell->mask ? RASTER_BORDER : RASTER_INSIDE;
            cell->dashed = cell->mask && w->l->picture->node[node].ghost;
            cell->node = node;
        }
}

static void put_ports(const struct window *w, const struct light *light)
{
    const struct layout *l = w->l;
    for (size_t i = 0; i < l->ports; i++) {
        const struct layout_port *port = &l->port[i];
        if (!in_window(w, port->across, port->onward))
            continue;
        struct raster_cell *cell = cell_at(w, port->across, port->onward);
        if (port->arrow)
            cell->arrow = l->options.flow == FLOW_DOWN ? CELL_N : CELL_W;
        if (!port->border)
            continue;
        cell->mask |= turned_mask(l, port->after ? CELL_S : CELL_N);
        cell->net = l->wire[port->wire].net;
        cell->stroke = l->net[cell->net].stroke;
        cell->twofold = port->twofold;
        cell->lit = light && light[port->wire].from <= light[port->wire].to;
    }
}

static void put_all(const struct window *w, const struct light *light)
{
    put_wires(w);
    if (light)
        put_lights(w, light);
    for (uint32_t n = 0; n < w->l->picture->nodes; n++)
        put_node(w, n);
    put_ports(w, light);
}

static void raster_init(struct raster *r)
{
    if (r->columns <= 0 || r->rows <= 0) {
        r->columns = r->rows = 0;
        return;
    }
    size_t cells = (size_t)r->columns * (size_t)r->rows;
    r->cell = xmalloc(cells * sizeof(*r->cell));
    for (size_t i = 0; i < cells; i++)
        r->cell[i] = (struct raster_cell){
            .node = PICTURE_NONE, .net = PICTURE_NONE, .crossed = PICTURE_NONE};
}

void raster_make(struct raster *r, const struct layout *l, int32_t column, int32_t row,
                 int32_t columns, int32_t rows, const uint8_t *lit)
{
    *r = (struct raster){.column = column, .row = row, .columns = columns, .rows = rows};
    raster_init(r);
    if (r->columns == 0 || l->width == 0)
        return;
    bool down = l->options.flow == FLOW_DOWN;
    struct window w = {.l = l,
                       .r = r,
                       .across = down ? column : row,
                       .across_end = down ? column + columns : row + rows,
                       .onward = down ? row : column,
                       .onward_end = down ? row + rows : column + columns};
    AUTO_FREE struct light *light = NULL;
    if (lit) {
        light = xmalloc((l->wires + 1) * sizeof(*light));
        for (size_t i = 0; i < l->wires; i++)
            light[i] = (struct light){INT32_MAX, INT32_MIN};
        find_light(l, lit, light);
    }
    put_all(&w, light);
}

void raster_release(struct raster *r)
{
    free(r->cell);
    *r = (struct raster){.cell = NULL};
}

/* ---- glyphs, by mask ---- */

static const char *const light_line[] = {" ", "╵", "╷", "│", "╴", "┘", "┐", "┤",
                                         "╶", "└", "┌", "├", "─", "┴", "┬", "┼"};
static const char *const heavy_line[] = {" ", "╹", "╻", "┃", "╸", "┛", "┓", "┫",
                                         "╺", "┗", "┏", "┣", "━", "┻", "┳", "╋"};
static const char *const ascii_line[] = {" ", "|", "|", "|", "-", "'", ".", "+",
                                         "-", "'", ".", "+", "-", "+", "+", "+"};

/* Other strokes differ from a light line only where they are straight. */
static const struct {
    const char *upright, *level;
} broken_line[STROKE_COUNT] = {
    [STROKE_GUESSED] = {"╎", "╌"},
    [STROKE_EVIDENCE] = {"┊", "┈"},
    [STROKE_REINFORCED] = {"┆", "┄"},
};

static const char *const double_port[16] = {
    [CELL_W | CELL_E | CELL_S] = "╤",
    [CELL_W | CELL_E | CELL_N] = "╧",
    [CELL_N | CELL_S | CELL_E] = "╟",
    [CELL_N | CELL_S | CELL_W] = "╢",
};

static const char *broken(enum stroke stroke, uint8_t mask)
{
    bool upright = mask == (CELL_N | CELL_S), level = mask == (CELL_W | CELL_E);
    if (upright && broken_line[stroke].upright)
        return broken_line[stroke].upright;
    if (level && broken_line[stroke].level)
        return broken_line[stroke].level;
    return light_line[mask & 15];
}

const char *raster_glyph(const struct raster_cell *cell, bool ascii)
{
    if (cell->arrow)
        return ascii ? (cell->arrow == CELL_N ? "^" : "<") : cell->arrow == CELL_N ? "▲" : "◄";
    if (ascii)
        return ascii_line[cell->mask & 15];
    if (cell->type == RASTER_LINE)
        return cell->stroke == STROKE_SUPERSEDES ? heavy_line[cell->mask & 15]
                                                 : broken(cell->stroke, cell->mask);
    if (cell->twofold && double_port[cell->mask & 15])
        return double_port[cell->mask & 15];
    return cell->dashed ? broken(STROKE_REINFORCED, cell->mask) : light_line[cell->mask & 15];
}
