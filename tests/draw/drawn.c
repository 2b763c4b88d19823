#include "tests/draw/drawn.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "model/layout/moves.h"
#include "model/layout/raster.h"
#include "tui/render/trace.h"
#include "tui/text/text.h"

#define CELLS_AT_ONCE (1 << 18) /* of a raster */

struct drawing {
    const struct graph_text *graph;
    const struct drawn_options *options;
    struct picture picture;
    struct layout layout;
    struct picture_outline outline;
    size_t label_columns;       /* no label is longer */
    uint32_t *by_row;           /* [nodes] by the places of their labels */
    uint8_t *lit;               /* [edges] or NULL */
    struct outline_place *spot; /* [nodes] of an outline's labels; their lines are `line` */
    size_t *line;
    uint64_t width, height;
    clock_t took;
};

int drawn_style_from_name(const char *name)
{
    static const char *const names[DRAWN_STYLES] = {"lr", "lr-box", "tb", "tb-box", "outline"};
    for (int i = 0; i < DRAWN_STYLES; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

static const struct given_node *given(const struct drawing *d, uint32_t node)
{
    return &d->graph->node[d->picture.node[node].added];
}

/*
 * The text of a node: its label, or its id if the label shows nothing. A ghost begins with ?, and
 * a node that is based on itself ends with a mark, which is never cut. It has at least one column.
 */
static size_t add_label(struct strbuf *out, const struct given_node *n, size_t columns, bool ascii)
{
    unsigned flags = ascii ? TEXT_ASCII : 0;
    size_t taken = (n->ghost ? 1 : 0) + (n->loop ? 2 : 0);
    size_t left = columns > taken ? columns - taken : 1;
    strbuf_addstr(out, n->ghost ? "?" : "");
    size_t width = text_fit(out, n->label, n->label_len, left, flags);
    if (width == 0)
        width = text_fit(out, n->id, strlen(n->id), left, flags);
    if (n->loop)
        strbuf_addstr(out, ascii ? " C" : " ↺");
    if (width + taken == 0) {
        strbuf_addch(out, ' ');
        width = 1;
    }
    return width + taken;
}

static size_t add_node_label(void *of, uint32_t node, size_t columns, struct strbuf *out)
{
    const struct drawing *d = of;
    size_t most = columns < d->label_columns ? columns : d->label_columns;
    return add_label(out, given(d, node), most, d->options->ascii);
}

static int make_picture(struct drawing *d)
{
    for (size_t i = 0; i < d->graph->nodes; i++) {
        const struct given_node *n = &d->graph->node[i];
        if (picture_add_node(&d->picture,
                             (struct picture_node){.id = n->id, .columns = 1, .ghost = n->ghost}))
            return -1;
    }
    for (size_t i = 0; i < d->graph->edges; i++) {
        const struct given_edge *edge = &d->graph->edge[i];
        if (picture_add_edge(&d->picture, edge->from, edge->to, edge->stroke))
            return -1;
    }
    picture_finish(&d->picture);
    return 0;
}

/* The widest label, uncut. */
static size_t widest_label(struct drawing *d)
{
    struct strbuf label = STRBUF_INIT;
    size_t widest = 0;
    d->label_columns = SIZE_MAX;
    for (uint32_t v = 0; v < d->picture.nodes; v++) {
        strbuf_clear(&label);
        size_t columns = add_node_label(d, v, INT32_MAX / 4, &label);
        widest = columns > widest ? columns : widest;
    }
    strbuf_release(&label);
    return widest;
}

/* Lays out with labels of at most this width. */
static int lay_out(struct drawing *d, size_t label_columns)
{
    enum drawn_style style = d->options->style;
    bool across = style == DRAWN_LR || style == DRAWN_LR_BOX;
    struct layout_options options = {
        .flow = across ? FLOW_RIGHT : FLOW_DOWN,
        .boxed = style == DRAWN_LR_BOX || style == DRAWN_TB_BOX,
        .bundle = d->options->bundle == BUNDLE_BY_STYLE ? across : d->options->bundle == BUNDLE_YES,
        .ascii = d->options->ascii,
    };
    struct strbuf label = STRBUF_INIT;
    d->label_columns = label_columns;
    for (uint32_t v = 0; v < d->picture.nodes; v++) {
        strbuf_clear(&label);
        d->picture.node[v].columns = (int)add_node_label(d, v, label_columns, &label);
    }
    strbuf_release(&label);
    layout_release(&d->layout);
    clock_t start = clock();
    int result = layout_make(&d->layout, &d->picture, &options);
    d->took = clock() - start;
    return result;
}

/* The longest labels with which the drawing fits, or the shortest allowed ones. */
static int lay_out_within(struct drawing *d, size_t width)
{
    size_t high = widest_label(d), low = DRAWN_LABEL_LEAST;
    if (lay_out(d, high))
        return -1;
    if ((size_t)d->layout.width <= width || high <= low)
        return 0;
    while (low < high - 1) {
        size_t middle = low + (high - low) / 2;
        if (lay_out(d, middle))
            return -1;
        if ((size_t)d->layout.width <= width)
            low = middle;
        else
            high = middle;
    }
    return d->label_columns == low ? 0 : lay_out(d, low);
}

static void write_raster_row(FILE *out, struct drawing *d, const struct raster *r, int32_t row,
                             uint32_t *label)
{
    struct strbuf line = STRBUF_INIT;
    const struct raster_cell *cell = r->cell + (size_t)row * (size_t)r->columns;
    for (int32_t column = 0; column < r->columns;) {
        const struct layout_node *n =
            *label < d->picture.nodes ? &d->layout.node[d->by_row[*label]] : NULL;
        if (n && n->label_row == r->row + row && n->label_column == column) {
            size_t columns = add_node_label(d, d->by_row[(*label)++], SIZE_MAX, &line);
            column += (int32_t)columns;
        } else {
            bool hidden = d->lit && cell[column].type == RASTER_LINE && !cell[column].lit;
            strbuf_addstr(&line, hidden ? " " : raster_glyph(&cell[column], d->options->ascii));
            column++;
        }
    }
    while (line.len > 0 && line.buf[line.len - 1] == ' ')
        strbuf_cut(&line, line.len - 1);
    strbuf_addch(&line, '\n');
    fwrite(line.buf, 1, line.len, out);
    strbuf_release(&line);
}

static void write_drawing(FILE *out, struct drawing *d)
{
    const struct layout *l = &d->layout;
    int32_t rows = l->width > 0 ? CELLS_AT_ONCE / l->width : 0;
    uint32_t label = 0;
    rows = rows > 0 ? rows : 1;
    for (int32_t row = 0; row < l->height; row += rows) {
        struct raster r;
        clock_t start = clock();
        int32_t count = l->height - row < rows ? l->height - row : rows;
        raster_make(&r, l, 0, row, l->width, count, d->lit);
        d->took += clock() - start;
        for (int32_t i = 0; i < count; i++)
            write_raster_row(out, d, &r, i, &label);
        raster_release(&r);
    }
}

static const struct layout_node *sorted_nodes; /* qsort takes no context */

static int compare_labels(const void *a, const void *b)
{
    const struct layout_node *x = &sorted_nodes[*(const uint32_t *)a],
                             *y = &sorted_nodes[*(const uint32_t *)b];
    if (x->label_row != y->label_row)
        return x->label_row < y->label_row ? -1 : 1;
    return (x->label_column > y->label_column) - (x->label_column < y->label_column);
}

/* Selects the edges from or to the lit node. */
static int find_lit(struct drawing *d, struct error *e)
{
    const char *id = d->options->lit;
    bool there = false;
    if (!id)
        return 0;
    d->lit = calloc((size_t)d->picture.edges + 1, 1);
    if (!d->lit)
        return -1;
    for (uint32_t i = 0; i < d->picture.edges; i++)
        d->lit[i] = strcmp(d->picture.node[d->picture.edge[i].from].id, id) == 0 ||
                    strcmp(d->picture.node[d->picture.edge[i].to].id, id) == 0;
    for (uint32_t v = 0; v < d->picture.nodes; v++)
        there |= strcmp(d->picture.node[v].id, id) == 0;
    return there ? 0 : error_set(e, ERROR_USAGE, "", "there is no node “%s” to be lit", id);
}

static int draw(FILE *out, struct drawing *d)
{
    uint32_t nodes = d->picture.nodes;
    size_t width = d->options->width;
    if (width > 0 ? lay_out_within(d, width) : lay_out(d, DRAWN_LABEL))
        return -1;
    d->by_row = calloc((size_t)nodes + 1, sizeof(*d->by_row));
    if (!d->by_row)
        return -1;
    for (uint32_t v = 0; v < nodes; v++)
        d->by_row[v] = v;
    sorted_nodes = d->layout.node;
    if (nodes > 1)
        qsort(d->by_row, nodes, sizeof(*d->by_row), compare_labels);
    d->width = (uint64_t)d->layout.width;
    d->height = (uint64_t)d->layout.height;
    write_drawing(out, d);
    return 0;
}

static void write_outline(FILE *out, struct drawing *d)
{
    struct outline_text t = {.picture = &d->picture,
                             .outline = &d->outline,
                             .down = true,
                             .ascii = d->options->ascii,
                             .columns = d->options->width,
                             .label = add_node_label,
                             .of = d};
    struct strbuf line = STRBUF_INIT;
    d->label_columns = d->options->width > 0 ? SIZE_MAX : DRAWN_LABEL;
    for (size_t i = 0; i < d->outline.count; i++) {
        struct outline_place place;
        uint32_t node = d->outline.line[i].node;
        strbuf_clear(&line);
        outline_text_add(&line, &t, i, &place);
        size_t columns = text_width(line.buf, line.len, SIZE_MAX - 1, 0);
        d->width = columns > d->width ? columns : d->width;
        if (!d->outline.line[i].again) {
            d->spot[node] = place;
            d->line[node] = i;
        }
        while (line.len > 0 && line.buf[line.len - 1] == ' ')
            strbuf_cut(&line, line.len - 1);
        strbuf_addch(&line, '\n');
        fwrite(line.buf, 1, line.len, out);
    }
    strbuf_release(&line);
}

static int draw_outline(FILE *out, struct drawing *d)
{
    size_t nodes = d->picture.nodes;
    d->spot = calloc(nodes + 1, sizeof(*d->spot));
    d->line = calloc(nodes + 1, sizeof(*d->line));
    if (!d->spot || !d->line)
        return -1;
    clock_t start = clock();
    int result = picture_outline_make(&d->outline, &d->picture, PICTURE_NONE, true);
    d->took = clock() - start;
    d->height = d->outline.count;
    if (result)
        return -1;
    write_outline(out, d);
    return 0;
}

/* The node's id, safe for a terminal. */
static void write_id(FILE *out, const struct drawing *d, const char *before, uint32_t node)
{
    struct strbuf id = STRBUF_INIT;
    text_add(&id, d->picture.node[node].id, TEXT_EXACT);
    fprintf(out, "%s%s", before, id.buf);
    strbuf_release(&id);
}

static void write_rects(FILE *out, const struct drawing *d)
{
    for (uint32_t v = 0; v < d->picture.nodes; v++) {
        write_id(out, d, "-- rect ", v);
        if (d->options->style == DRAWN_OUTLINE) {
            fprintf(out, " %zu %zu %zu 1\n", d->spot[v].column, d->line[v], d->spot[v].columns);
        } else {
            const struct layout_node *n = &d->layout.node[v];
            fprintf(out, " %d %d %d %d\n", (int)n->column, (int)n->row, (int)n->width,
                    (int)n->height);
        }
    }
}

static void write_moves(FILE *out, const struct drawing *d)
{
    struct moves m;
    moves_init(&m, &d->layout);
    for (uint32_t v = 0; v < d->picture.nodes; v++) {
        write_id(out, d, "-- moves ", v);
        for (enum move move = MOVE_LEFT; move <= MOVE_DOWN; move++)
            write_id(out, d, " ", moves_peek(&m, v, move));
        fputc('\n', out);
    }
    moves_release(&m);
}

static void write_stats(FILE *out, const struct drawing *d)
{
    fprintf(out, "-- stats segment_crossings=%llu width=%llu height=%llu ms=%.3f\n",
            (unsigned long long)d->layout.segment_crossings, (unsigned long long)d->width,
            (unsigned long long)d->height, (double)d->took * 1000.0 / (double)CLOCKS_PER_SEC);
}

int drawn_write(FILE *out, const struct graph_text *g, const struct drawn_options *o,
                struct error *e)
{
    struct drawing d = {.graph = g, .options = o, .picture = PICTURE_INIT};
    int result = make_picture(&d);
    if (!result)
        result = find_lit(&d, e);
    if (!result)
        result = o->style == DRAWN_OUTLINE ? draw_outline(out, &d) : draw(out, &d);
    if (!result && o->rects)
        write_rects(out, &d);
    if (!result && o->moves && o->style != DRAWN_OUTLINE)
        write_moves(out, &d);
    if (!result && o->stats)
        write_stats(out, &d);
    free(d.by_row);
    free(d.lit);
    free(d.spot);
    free(d.line);
    picture_outline_release(&d.outline);
    layout_release(&d.layout);
    picture_release(&d.picture);
    if (result && e->code == ERROR_NONE)
        error_set(e, ERROR_INVALID, "", "the drawing is too large");
    return result;
}
