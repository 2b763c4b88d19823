/* Which style a chart takes, and how long its labels are. */
#include "model/base/alloc.h"
#include "tui/chart/chart.h"

#include <stdlib.h>
#include "tui/chart/chart_label.h"
#include "tui/chart/chart_seed.h"

#define FEW             15 /* nodes that look best in boxes */
#define LABEL_MOST      44 /* columns; longer ones make lines too far apart to follow */
#define LABEL_LEAST     14 /* shorter ones say too little */
#define LABEL_PLEASANT  20 /* what they keep where the least would not help, and in boxes */
#define NEARLY          4  /* a quarter of what there is room for out of sight is not much */
#define ROWS_PER_COLUMN 4  /* what one column out of sight counts for */

/* A drawing that is tried. */
struct attempt {
    enum chart_style style;
    int label_columns;
    int64_t overflow; /* rows out of sight, with columns as so many rows */
};

static int no_room(struct error *e)
{
    error_set(e, ERROR_MEMORY, "Ask for less, or for the outline.",
              "there is no memory for the drawing, or no drawing is that large");
    return -1;
}

static bool flows_down(enum chart_style style)
{
    return style == CHART_TB || style == CHART_TB_BOX;
}

/* ---- one drawing ---- */

/* Nodes in the order of their kinds; what stands for the rest of a kind comes last of it. */
static int make_picture(struct chart *c)
{
    const struct scene *s = &c->scene;
    picture_release(&c->picture);
    c->picture = (struct picture)PICTURE_INIT;
    for (uint32_t i = 0; i < s->nodes; i++) {
        const struct scene_node *n = &s->node[i];
        struct picture_node node = {.id = n->id,
                                    .rank = (int)n->kind * 2 + (n->sort == SCENE_MORE),
                                    .at = n->at,
                                    .columns = c->node[i].columns,
                                    .ghost = n->sort == SCENE_GHOST,
                                    .loop = n->loop};
        if (picture_add_node(&c->picture, node))
            return -1;
    }
    for (uint32_t i = 0; i < s->edges; i++)
        for (int stroke = 0; stroke < STROKE_COUNT; stroke++)
            if (s->edge[i].strokes >> stroke & 1 &&
                picture_add_edge(&c->picture, s->edge[i].from, s->edge[i].to, (enum stroke)stroke))
                return -1;
    return picture_finish(&c->picture);
}

static struct layout_options layout_options_of(const struct chart *c, const struct chart_options *o)
{
    return (struct layout_options){
        .flow = flows_down(c->style) ? FLOW_DOWN : FLOW_RIGHT,
        .boxed = c->style == CHART_LR_BOX || c->style == CHART_TB_BOX,
        .bundle = c->style != CHART_TB_BOX || o->bundle,
        .ascii = o->ascii,
    };
}

static int make_layout(struct chart *c, const struct chart_options *o, const int32_t *seed)
{
    struct layout_options options = layout_options_of(c, o);
    int32_t *drawn = NULL;
    if (seed) {
        drawn = xmalloc(c->scene.nodes * sizeof(*drawn));
        if (!drawn)
            return -1;
        for (uint32_t i = 0; i < c->scene.nodes; i++)
            drawn[chart_drawn(c, i)] = seed[i];
    }
    options.seed = drawn;
    int result = layout_make(&c->layout, &c->picture, &options);
    free(drawn);
    return result;
}

static int begin_drawing(struct chart *c, const struct attempt *a)
{
    layout_release(&c->layout);
    c->style = a->style;
    c->label_columns = a->label_columns;
    return chart_label_all(c, a->label_columns, flows_down(a->style)) || make_picture(c) ? -1 : 0;
}

static int draw(struct chart *c, const struct chart_options *o, const struct attempt *a,
                const int32_t *seed, struct error *e)
{
    if (begin_drawing(c, a))
        return no_room(e);
    return a->style != CHART_OUTLINE && make_layout(c, o, seed) ? no_room(e) : 0;
}

/* ---- which one ---- */

static int64_t overflow(const struct chart_options *o, int64_t width, int64_t height)
{
    int64_t columns = o->columns > 0 && width > o->columns ? width - o->columns : 0;
    int64_t rows = o->rows > 0 && height > o->rows ? height - o->rows : 0;
    return columns * ROWS_PER_COLUMN + rows;
}

/* How wide it would be from left to right if no label were longer than that. */
static int64_t width_with(const struct chart *c, int label_columns)
{
    const struct layout *l = &c->layout;
    int64_t width = l->width;
    for (uint32_t layer = 0; layer < l->layers; layer++) {
        int32_t widest = 0;
        for (uint32_t i = l->layer_first[layer]; i < l->layer_first[layer + 1]; i++) {
            int32_t own = l->node[l->layer_node[i]].label_columns;
            widest = own > widest ? own : widest;
        }
        width -= widest > label_columns ? widest - label_columns : 0;
    }
    return width;
}

/* Short labels show nearly all of it; else it has to be moved about anyway, and they had better say something. */
static int shortest_label(const struct chart_options *o, int64_t least_width, int least)
{
    return least_width <= o->columns + o->columns / NEARLY ? least : LABEL_PLEASANT;
}

/* The longest labels with which it fits from left to right, whose order they do not change. */
static int fitting_label(const struct chart *c, const struct chart_options *o)
{
    int most = c->label_columns;
    if (o->columns <= 0 || o->label_columns > 0)
        return most;
    for (int columns = most; columns >= LABEL_LEAST; columns--)
        if (width_with(c, columns) <= o->columns)
            return columns;
    return shortest_label(o, width_with(c, LABEL_LEAST), LABEL_LEAST);
}

static int longest_label(const struct chart_options *o, int otherwise)
{
    return o->label_columns > 0 ? o->label_columns : o->columns > 0 ? otherwise : CHART_LABEL;
}

static int draw_across(struct chart *c, const struct chart_options *o, const int32_t *seed,
                       struct attempt *a, struct error *e)
{
    a->label_columns = longest_label(o, LABEL_MOST);
    if (draw(c, o, a, seed, e))
        return -1;
    a->label_columns = fitting_label(c, o);
    return a->label_columns == c->label_columns ? 0 : draw(c, o, a, seed, e);
}

/* Here the length of a label decides where all others stand: a few are tried, by halves. */
static int draw_down(struct chart *c, const struct chart_options *o, const int32_t *seed,
                     struct attempt *a, struct error *e)
{
    static const int lengths[] = {LABEL_LEAST, 17, LABEL_PLEASANT, 24, 28, 36, LABEL_MOST};
    int fits = a->style == CHART_TB_BOX ? 2 : 0, over = sizeof(lengths) / sizeof(lengths[0]);
    bool any = o->columns > 0 && o->label_columns <= 0;
    a->label_columns = longest_label(o, lengths[fits]);
    if (draw(c, o, a, seed, e))
        return -1;
    if (any && c->layout.width > o->columns) {
        a->label_columns = shortest_label(o, c->layout.width, lengths[fits]);
        over = fits + 1;
    }
    while (any && over - fits > 1) {
        int middle = (fits + over) / 2;
        a->label_columns = lengths[middle];
        if (draw(c, o, a, seed, e))
            return -1;
        *(c->layout.width <= o->columns ? &fits : &over) = middle;
        a->label_columns = lengths[fits];
    }
    return a->label_columns == c->label_columns ? 0 : draw(c, o, a, seed, e);
}

/* Draws it with labels as long as there is room for. */
static int draw_fitting(struct chart *c, const struct chart_options *o, enum chart_style style,
                        const int32_t *seed, struct attempt *a, struct error *e)
{
    *a = (struct attempt){.style = style};
    if (flows_down(style) ? draw_down(c, o, seed, a, e) : draw_across(c, o, seed, a, e))
        return -1;
    a->overflow = overflow(o, c->layout.width, c->layout.height);
    return 0;
}

/* Boxes where there are few, then from left to right, then from top to bottom: the first that fits, else that of which the
 * least is out of sight. */
static int draw_best(struct chart *c, const struct chart_options *o, struct error *e)
{
    static const enum chart_style order[] = {CHART_TB_BOX, CHART_LR, CHART_TB};
    const size_t styles = sizeof(order) / sizeof(order[0]);
    struct attempt best = {.style = CHART_AUTO}, a;
    for (size_t i = 0; i < styles; i++) {
        if (order[i] == CHART_TB_BOX && c->scene.nodes > FEW)
            continue;
        if (draw_fitting(c, o, order[i], NULL, &a, e))
            return -1;
        if (a.overflow == 0)
            return 0;
        bool boxes = order[i] == CHART_TB_BOX;
        if (!boxes && (best.style == CHART_AUTO || a.overflow < best.overflow))
            best = a;
    }
    return best.style == c->style ? 0 : draw(c, o, &best, NULL, e);
}

static int draw_outline(struct chart *c, const struct chart_options *o, struct error *e)
{
    struct attempt a = {.style = CHART_OUTLINE,
                        .label_columns = o->label_columns > 0 ? o->label_columns : o->columns};
    return draw(c, o, &a, NULL, e);
}

static bool same_options(const struct layout_options *a, const struct layout_options *b)
{
    return a->flow == b->flow && a->boxed == b->boxed && a->bundle == b->bundle &&
           a->ascii == b->ascii;
}

/* Where nothing changed the very same drawing comes back, for seeds say nothing of lines; else what stays keeps its order. */
static int take_over(struct chart *c, const struct chart_options *o, const struct picture *picture,
                     const struct layout *layout, const int32_t *seed)
{
    struct layout_options options = layout_options_of(c, o);
    if (same_options(&options, &layout->options) && picture_same(&c->picture, picture))
        return layout_copy(&c->layout, layout, &c->picture);
    return make_layout(c, o, seed);
}

/* As it was drawn before: labels that grow and shrink while it grows would make everything move. */
static int draw_again(struct chart *c, const struct chart_options *o, const int32_t *seed,
                      struct error *e)
{
    struct attempt a = {.style = o->before->style, .label_columns = o->before->label_columns};
    struct picture picture = o->before->picture;
    struct layout layout = o->before->layout;
    bool own = o->before == c; /* which is kept until it was compared */
    if (own) {
        c->picture = (struct picture)PICTURE_INIT;
        c->layout = (struct layout){0};
    }
    int result = begin_drawing(c, &a) || take_over(c, o, &picture, &layout, seed) ? no_room(e) : 0;
    if (own) {
        layout_release(&layout);
        picture_release(&picture);
    }
    return result;
}

static int draw_auto(struct chart *c, const struct chart_options *o, const int32_t *seed,
                     struct error *e)
{
    c->large = c->scene.nodes > CHART_LARGE;
    c->narrow = o->columns > 0 && o->columns < CHART_NARROW;
    if (c->large || c->narrow)
        return draw_outline(c, o, e);
    return seed ? draw_again(c, o, seed, e) : draw_best(c, o, e);
}

int chart_lay_out(struct chart *c, const struct chart_options *o, struct error *e)
{
    int32_t *seed = NULL;
    struct attempt a;
    int result;
    if (chart_find_seeds(c, o->before, &seed)) {
        free(seed);
        return no_room(e);
    }
    c->ascii = o->ascii;
    c->large = c->narrow = false;
    if (o->style == CHART_OUTLINE)
        result = draw_outline(c, o, e);
    else if (o->style == CHART_AUTO)
        result = draw_auto(c, o, seed, e);
    else if (seed && o->before->style == o->style)
        result = draw_again(c, o, seed, e);
    else
        result = draw_fitting(c, o, o->style, seed, &a, e);
    free(seed);
    return result;
}
