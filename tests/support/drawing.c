#include "model/base/alloc.h"
#include "tests/support/drawing.h"
#include "tests/support/test.h"

/* ---- signs ---- */

enum {
    N = 1,
    S = 2,
    W = 4,
    E = 8,
    ARROW = 16,
    DOUBLE = 32,
};

/* The directions in which a sign certainly continues, and may continue. */
struct sign {
    const char *text;
    uint8_t surely, maybe;
    char line;
};

static const struct sign unicode[] = {
    {"│", N | S, 0, '-'},
    {"─", W | E, 0, '-'},
    {"┃", N | S, 0, '='},
    {"━", W | E, 0, '='},
    {"┆", N | S, 0, ','},
    {"┄", W | E, 0, ','},
    {"╎", N | S, 0, '!'},
    {"╌", W | E, 0, '!'},
    {"┊", N | S, 0, ':'},
    {"┈", W | E, 0, ':'},
    {"┘", N | W, 0, 0},
    {"┐", S | W, 0, 0},
    {"└", N | E, 0, 0},
    {"┌", S | E, 0, 0},
    {"┤", N | S | W, 0, 0},
    {"├", N | S | E, 0, 0},
    {"┴", N | W | E, 0, 0},
    {"┬", S | W | E, 0, 0},
    {"┼", 15, 0, 0},
    {"┛", N | W, 0, 0},
    {"┓", S | W, 0, 0},
    {"┗", N | E, 0, 0},
    {"┏", S | E, 0, 0},
    {"┫", N | S | W, 0, 0},
    {"┣", N | S | E, 0, 0},
    {"┻", N | W | E, 0, 0},
    {"┳", S | W | E, 0, 0},
    {"╋", 15, 0, 0},
    {"▲", N | S | ARROW, 0, 0},
    {"◄", W | E | ARROW, 0, 0},
    {"╤", W | E | S | DOUBLE, 0, 0},
    {"╧", W | E | N | DOUBLE, 0, 0},
    {"╟", N | S | E | DOUBLE, 0, 0},
    {"╢", N | S | W | DOUBLE, 0, 0},
};
static const struct sign ascii[] = {
    {"|", N | S, 0, 0}, {"-", W | E, 0, 0},         {"'", N, W | E, 0},         {".", S, W | E, 0},
    {"+", 0, 15, 0},    {"^", N | S | ARROW, 0, 0}, {"<", W | E | ARROW, 0, 0},
};

static struct sign decode(const char *text, bool is_ascii)
{
    const struct sign *signs = is_ascii ? ascii : unicode;
    size_t count = is_ascii ? sizeof(ascii) / sizeof(*ascii) : sizeof(unicode) / sizeof(*unicode);
    for (size_t i = 0; i < count; i++)
        if (strcmp(signs[i].text, text) == 0)
            return signs[i];
    assert_string_equal(text, " ");
    return (struct sign){" ", 0, 0, 0};
}

/* ---- the page ---- */

struct spot {
    struct sign sign;
    int32_t node;  /* -1 */
    uint8_t opens; /* the directions that are confirmed */
    uint32_t part; /* union-find over cells */
};

struct page {
    const struct layout *l;
    int32_t width, height;
    struct spot *spot;
    uint8_t back, on; /* the sides along the flow: N S, or W E */
};

static struct spot *at(const struct page *p, int32_t x, int32_t y)
{
    if (x < 0 || y < 0 || x >= p->width || y >= p->height)
        return NULL;
    return &p->spot[(size_t)y * (size_t)p->width + (size_t)x];
}

static void step(uint8_t side, int32_t *x, int32_t *y)
{
    *x += side == E ? 1 : side == W ? -1 : 0;
    *y += side == S ? 1 : side == N ? -1 : 0;
}

static uint8_t opposite(uint8_t side)
{
    return side == N ? S : side == S ? N : side == W ? E : W;
}

static void fill_page(struct page *p)
{
    const struct layout *l = p->l;
    struct raster r;
    raster_make(&r, l, 0, 0, l->width, l->height, NULL);
    for (size_t i = 0; i < (size_t)l->width * (size_t)l->height; i++) {
        const char *glyph = raster_glyph(&r.cell[i], l->options.ascii);
        p->spot[i] =
            (struct spot){.sign = decode(glyph, l->options.ascii), .node = -1, .part = (uint32_t)i};
    }
    raster_release(&r);
    for (uint32_t n = 0; n < l->picture->nodes; n++) {
        const struct layout_node *node = &l->node[n];
        assert_true(node->width >= l->picture->node[n].columns && node->height >= 1);
        assert_true(node->label_column >= node->column &&
                    node->label_column + l->picture->node[n].columns <= node->column + node->width);
        assert_true(node->label_row >= node->row &&
                    node->label_row + node->label_rows <= node->row + node->height);
        for (int32_t y = node->row; y < node->row + node->height; y++)
            for (int32_t x = node->column; x < node->column + node->width; x++) {
                assert_non_null(at(p, x, y));
                assert_int_equal(at(p, x, y)->node, -1);
                at(p, x, y)->node = (int32_t)n;
            }
    }
}

/* The next cell on that side. Across the flow, skips lines that pass in front. */
static struct spot *next_spot(const struct page *p, int32_t x, int32_t y, uint8_t side)
{
    uint8_t through = p->back | p->on;
    bool across = !(side & through);
    struct spot *s;
    do {
        step(side, &x, &y);
        s = at(p, x, y);
    } while (across && s && s->node < 0 && s->sign.surely == through);
    return s;
}

static bool answers(const struct page *p, const struct spot *s, uint8_t side)
{
    if (!s)
        return false;
    if (s->node >= 0)
        return side == p->back || side == p->on;
    return (s->sign.surely | s->sign.maybe) & opposite(side);
}

static uint32_t root(const struct page *p, uint32_t i)
{
    while (p->spot[i].part != i)
        i = p->spot[i].part = p->spot[p->spot[i].part].part;
    return i;
}

static void open_spot(struct page *p, int32_t x, int32_t y)
{
    struct spot *s = at(p, x, y);
    if (s->node >= 0)
        return;
    for (uint8_t side = N; side <= E; side <<= 1) {
        struct spot *next = next_spot(p, x, y, side);
        bool there = answers(p, next, side);
        if (s->sign.surely & side)
            assert_true(there); /* otherwise it dangles */
        if (!there || !((s->sign.surely | s->sign.maybe) & side))
            continue;
        s->opens |= side;
        if (next->node >= 0 || side == N || side == W)
            continue; /* it is joined from the other side */
        uint32_t one = root(p, (uint32_t)(s - p->spot)),
                 other = root(p, (uint32_t)(next - p->spot));
        assert_int_not_equal(one, other); /* otherwise the line is a ring */
        p->spot[one].part = other;
    }
    /* A corner has exactly two open sides, a fork at least three. */
    unsigned sides = (unsigned)__builtin_popcount(s->opens);
    if (s->sign.maybe == (W | E))
        assert_int_equal(sides, 2);
    if (s->sign.maybe == 15)
        assert_true(sides >= 3);
}

/* ---- from lines to edges ---- */

struct ending {
    uint32_t part, node;
    bool top, arrow, twofold;
};

static int by_part(const void *a, const void *b)
{
    const struct ending *x = a, *y = b;
    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    if (x->top != y->top)
        return x->top ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static int by_ends(const void *a, const void *b)
{
    const struct drawing_edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* The node that a line touches on that side of its cell. */
static size_t find_ending(const struct page *p, int32_t x, int32_t y, uint8_t side,
                          struct ending *out)
{
    const struct spot *s = at(p, x, y);
    if (s->node >= 0 || !(s->opens & side))
        return 0;
    int32_t nx = x, ny = y;
    step(side, &nx, &ny);
    const struct spot *node = at(p, nx, ny);
    if (node->node < 0)
        return 0;
    const struct layout_options *o = &p->l->options;
    uint8_t border = node->sign.surely | node->sign.maybe;
    if (o->boxed)
        assert_true(border & opposite(side));
    *out =
        (struct ending){root(p, (uint32_t)(s - p->spot)), (uint32_t)node->node, side == p->back,
                        ((side == p->back ? s->sign.surely : 0) | border) & ARROW, border & DOUBLE};
    return 1;
}

static void add_edges(struct drawing *d, const struct ending *ending, size_t count, char line)
{
    size_t tops = 0;
    while (tops < count && ending[tops].top)
        tops++;
    assert_true(tops == 1 || count - tops == 1); /* otherwise it is ambiguous */
    for (size_t t = 0; t < tops; t++) {
        assert_int_equal(ending[t].arrow, ending[0].arrow);
        for (size_t b = tops; b < count; b++) {
            const struct ending *from = ending[t].arrow ? &ending[t] : &ending[b];
            const struct ending *to = ending[t].arrow ? &ending[b] : &ending[t];
            d->edge = realloc(d->edge, (d->edges + 1) * sizeof(*d->edge));
            d->edge[d->edges++] =
                (struct drawing_edge){from->node, to->node, line, ending[t].arrow, from->twofold};
        }
    }
    for (size_t b = tops; b < count; b++)
        assert_false(ending[b].arrow);
}

/* Finds the stroke of each part; all its straight cells must have the same. */
static char *lines_of_parts(const struct page *p)
{
    size_t cells = (size_t)p->width * (size_t)p->height;
    char *line = calloc(cells + 1, 1);
    for (size_t i = 0; i < cells; i++)
        if (p->spot[i].node < 0 && p->spot[i].sign.line) {
            char *of = &line[root(p, (uint32_t)i)];
            assert_true(*of == 0 || *of == p->spot[i].sign.line);
            *of = p->spot[i].sign.line;
        }
    return line;
}

static void read_page(struct drawing *d, struct page *p)
{
    size_t cells = (size_t)p->width * (size_t)p->height, count = 0;
    AUTO_FREE struct ending *ending = malloc((2 * cells + 1) * sizeof(*ending));
    for (int32_t y = 0; y < p->height; y++)
        for (int32_t x = 0; x < p->width; x++)
            open_spot(p, x, y);
    for (int32_t y = 0; y < p->height; y++)
        for (int32_t x = 0; x < p->width; x++) {
            count += find_ending(p, x, y, p->back, ending + count);
            count += find_ending(p, x, y, p->on, ending + count);
        }
    qsort(ending, count, sizeof(*ending), by_part);
    AUTO_FREE char *line = lines_of_parts(p);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from; to < count && ending[to].part == ending[from].part; to++)
            ;
        add_edges(d, ending + from, to - from, line[ending[from].part]);
    }
}

void drawing_read(struct drawing *d, const struct layout *l)
{
    bool down = l->options.flow == FLOW_DOWN;
    struct page p = {l, l->width, l->height, NULL, down ? N : W, down ? S : E};
    size_t cells = (size_t)l->width * (size_t)l->height;
    *d = (struct drawing){.width = l->width, .height = l->height};
    p.spot = calloc(cells + 1, sizeof(*p.spot));
    if (cells > 0) {
        fill_page(&p);
        read_page(d, &p);
    }
    if (d->edges)
        qsort(d->edge, d->edges, sizeof(*d->edge), by_ends);
    free(p.spot);
}

void drawing_release(struct drawing *d)
{
    free(d->edge);
    *d = (struct drawing){.edge = NULL};
}

void drawing_check(const struct layout *l)
{
    static const char line[STROKE_COUNT] = {'!', ':', ',', '-', '-', '='};
    struct drawing d;
    drawing_read(&d, l);
    assert_int_equal(d.edges, l->picture->edges);
    for (uint32_t e = 0; e < l->picture->edges; e++) {
        const struct picture_edge *edge = &l->picture->edge[e];
        assert_int_equal(d.edge[e].from, edge->from);
        assert_int_equal(d.edge[e].to, edge->to);
        assert_int_equal(d.edge[e].reversed, l->edge_reversed[e]);
        if (l->options.ascii)
            continue;
        assert_int_equal(d.edge[e].twofold, edge->stroke == STROKE_ALL);
        assert_true(d.edge[e].line == 0 || d.edge[e].line == line[edge->stroke]);
    }
    drawing_release(&d);
}

void random_picture(struct random *r, struct arena *arena, struct picture *p, uint32_t nodes,
                    uint32_t edges, bool circles)
{
    *p = (struct picture)PICTURE_INIT;
    bool one_stroke = random_chance(r, 40), wrapped = random_chance(r, 30);
    for (uint32_t i = 0; i < nodes; i++) {
        char id[16];
        snprintf(id, sizeof(id), "%u", i);
        struct picture_node node = {.id = arena_strdup(arena, id),
                                    .rank = (int)random_below(r, 3),
                                    .at = random_below(r, 5),
                                    .columns = 1 + (int)random_below(r, 20),
                                    .lines = wrapped ? 1 + (int)random_below(r, 3) : 1,
                                    .ghost = random_chance(r, 10)};
        assert_int_equal(picture_add_node(p, node), 0);
    }
    for (uint32_t i = 0; i < edges && nodes > 1; i++) {
        uint32_t from = random_below(r, nodes), to = random_below(r, nodes);
        if (random_chance(r, 30))
            from = random_below(r, (nodes + 9) / 10); /* some have many */
        if (from == to || (!circles && from > to))
            continue;
        enum stroke stroke =
            one_stroke ? STROKE_DERIVED : (enum stroke)random_below(r, STROKE_COUNT);
        assert_int_equal(picture_add_edge(p, from, to, stroke), 0);
    }
    picture_finish(p);
}
