#include "tui/chart/chart.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/map.h"
#include "model/layout/rows.h"
#include "store/guard/guard.h"
#include "store/lineage/neighbours.h"
#include "store/query/list.h"
#include "store/query/ref.h"
#include "store/record/get.h"

#define COLUMNS_PER_LAYER 28
#define NODES_MIN         24
/* Columns of a label in boxes, and if even LABEL_MIN would not make the drawing fit. */
#define LABEL_READABLE 20

static const char *const styles[CHART_STYLES] = {
    [CHART_AUTO] = "auto", [CHART_LR] = "lr",         [CHART_LR_BOX] = "lr-box",
    [CHART_TB] = "tb",     [CHART_TB_BOX] = "tb-box", [CHART_OUTLINE] = "outline",
};

const char *chart_style_name(enum chart_style style)
{
    return styles[style];
}

void chart_request_room(struct subgraph_request *w, int columns, int rows)
{
    size_t fits = (size_t)(columns > 0 ? columns / COLUMNS_PER_LAYER : 4) *
                  (size_t)(rows > 0 ? rows : 60) / 2;
    w->budget = fits < NODES_MIN ? NODES_MIN : fits > CHART_LARGE ? CHART_LARGE : fits;
    w->fan = rows > 0 && rows < 20 ? 5 : 7;
}

uint32_t chart_find(const struct chart *c, const char *id)
{
    for (uint32_t i = 0; i < c->subgraph.nodes; i++)
        if (strcmp(c->subgraph.node[i].id, id) == 0)
            return i;
    return PICTURE_NONE;
}

void chart_release(struct chart *c)
{
    layout_release(&c->layout);
    picture_release(&c->picture);
    subgraph_release(&c->subgraph);
    free(c->node);
    arena_release(&c->arena);
    arena_release(&c->writing);
    *c = (struct chart)CHART_INIT;
}

/* ---- node texts ---- */

/* Makes one line of indented lines: labels have no room for blanks. */
static void squeeze_blanks(struct strbuf *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->len; i++)
        if (s->buf[i] != ' ' || (kept > 0 && s->buf[kept - 1] != ' '))
            s->buf[kept++] = s->buf[i];
    strbuf_cut(s, kept);
}

static void keep_text(struct chart *c, struct chart_node *node, const char *text, unsigned flags)
{
    AUTO_STRBUF clean = STRBUF_INIT;
    text_add(&clean, text, flags);
    if (!(flags & TEXT_EXACT))
        squeeze_blanks(&clean);
    node->text = arena_strndup(&c->arena, clean.buf, clean.len);
}

/* The id as it is shown to this reader. Allocated in `arena` if it differs. */
static const char *shown_id(struct reader *r, struct arena *arena, const char *id)
{
    struct ref ref;
    AUTO_STRBUF name = STRBUF_INIT;
    if (!reader_masked(r) || ref_parse(id, &ref) != REF_MEMORY)
        return reader_masked(r) ? guard_mask_text(reader_masked(r), arena, id) : id;
    struct ref shown = guard_mask_ref(r, arena, ref);
    if (shown.id == ref.id)
        return id;
    ref_add(&name, shown);
    id = arena_strndup(arena, name.buf, name.len);
    return id;
}

/* A memory without text shows the start of its id, as long as lists show it. */
static void use_id_as_text(struct chart *c, struct reader *r, uint32_t i, struct arena *scratch,
                           unsigned flags)
{
    struct ref ref;
    const char *id = shown_id(r, scratch, c->subgraph.node[i].id);
    c->node[i].textless = true;
    if (ref_parse(id, &ref) == REF_MEMORY)
        id = arena_strndup(scratch, ref.id, ref_short_length(r, ref));
    keep_text(c, &c->node[i], id, flags | TEXT_EXACT);
}

static int read_text(struct chart *c, struct reader *r, uint32_t i, struct arena *scratch,
                     struct error *e)
{
    const struct subgraph_node *n = &c->subgraph.node[i];
    struct chart_node *node = &c->node[i];
    unsigned flags = c->ascii ? TEXT_ASCII : 0;
    struct memory_row row = {0};
    node->text = "";
    if (n->type == SUBGRAPH_MISSING)
        use_id_as_text(c, r, i, scratch, flags);
    if (n->type != SUBGRAPH_MEMORY)
        return 0;
    arena_clear(scratch);
    if (memory_row_read(r, scratch, n->row, &row, e))
        return -1;
    node->ended = !STATUS_LIVES(row.status);
    node->text_cut = row.text_cut;
    bool empty = !row.text || !row.text[strspn(row.text, " \t\r\n")];
    if (empty)
        use_id_as_text(c, r, i, scratch, flags);
    else
        keep_text(c, node, row.text, flags);
    return 0;
}

static int read_texts(struct chart *c, struct reader *r, struct error *e)
{
    AUTO_ARENA scratch = ARENA_INIT;
    int result = 0;
    c->node = xcalloc(c->subgraph.nodes ? c->subgraph.nodes : 1, sizeof(*c->node));
    for (uint32_t i = 0; i < c->subgraph.nodes && !result; i++) {
        c->node[i].name = shown_id(r, &c->arena, c->subgraph.node[i].id);
        result = read_text(c, r, i, &scratch, e);
    }
    return result;
}

/* The memories whose labels a node shows: its own, or all its members. */
static size_t rows_of(const struct subgraph_node *n, const int64_t **rows)
{
    bool several = n->type == SUBGRAPH_EQUIVALENT || n->type == SUBGRAPH_CHAIN;
    *rows = several ? n->member : &n->row;
    return several ? n->members : n->type == SUBGRAPH_MEMORY;
}

/* The label that all of them have, or LABEL_COUNT if they differ. */
static enum label shared_label(const struct row_label *label, size_t count)
{
    enum label shared = count ? label[0].label : LABEL_COUNT;
    for (size_t i = 1; i < count; i++)
        if (label[i].label != shared)
            return LABEL_COUNT;
    return shared;
}

static int read_labels(struct chart *c, struct reader *r, struct error *e)
{
    const struct subgraph *s = &c->subgraph;
    const int64_t *rows;
    size_t count = 0;
    for (uint32_t i = 0; i < s->nodes; i++)
        count += rows_of(&s->node[i], &rows);
    AUTO_FREE int64_t *all = xmalloc((count ? count : 1) * sizeof(*all));
    AUTO_FREE struct row_label *label = xcalloc(count ? count : 1, sizeof(*label));
    size_t at = 0;
    for (uint32_t i = 0; i < s->nodes; i++) {
        size_t own = rows_of(&s->node[i], &rows);
        if (own)
            memcpy(all + at, rows, own * sizeof(*all));
        at += own;
    }
    int result = labels_of_rows(r, all, count, label, e);
    at = 0;
    for (uint32_t i = 0; !result && i < s->nodes; i++) {
        size_t own = rows_of(&s->node[i], &rows);
        c->node[i].support = shared_label(label + at, own);
        at += own;
    }
    return result;
}

static int read_totals(struct chart *c, struct reader *r, int64_t focus, struct error *e)
{
    for (int side = 0; side < 2; side++)
        if (neighbours_total(r, focus, (enum direction)side, NEIGHBOURS_COUNTED, &c->total[side],
                             &c->total_bounded[side], e))
            return -1;
    return 0;
}

static int read_all(struct chart *c, struct reader *r, const struct subgraph_request *w,
                    struct error *e)
{
    struct subgraph_source source = neighbours_of(r);
    if (subgraph_make(&c->subgraph, w, &source, e) || read_texts(c, r, e) || read_labels(c, r, e))
        return -1;
    return read_totals(c, r, w->focus, e);
}

int chart_load(struct chart *c, struct reader *r, const struct subgraph_request *w,
               const struct chart_options *o, struct error *e)
{
    *c = (struct chart)CHART_INIT;
    c->ascii = o->ascii;
    if (reader_begin(r, e))
        return -1;
    int result = read_all(c, r, w, e);
    reader_end(r);
    return result ? -1 : chart_lay_out(c, o, e);
}

#define ROWS_PER_COLUMN 4 /* a hidden column counts as so many hidden rows */

static int64_t overflow(const struct chart_options *o, int64_t width, int64_t height)
{
    int64_t columns = o->columns > 0 && width > o->columns ? width - o->columns : 0;
    int64_t rows = o->rows > 0 && height > o->rows ? height - o->rows : 0;
    return columns * ROWS_PER_COLUMN + rows;
}

/* Whether more nodes are in view than a drawing can show well. Only a chain counts as one. */
static bool is_large(const struct chart *c)
{
    size_t count = 0;
    for (uint32_t i = 0; i < c->subgraph.nodes; i++) {
        const struct subgraph_node *n = &c->subgraph.node[i];
        count += n->type == SUBGRAPH_EQUIVALENT ? n->total : 1;
    }
    return count > CHART_LARGE;
}

/* Loads a chart with at most `fan` of a kind (0: all), and with groups or not. Returns 1 if it fits, 0 if not or if it
 * is large, -1 on error; only 1 leaves a chart. */
static int try_fold(struct chart *c, struct reader *r, struct subgraph_request *w, size_t fan,
                    bool gather, const struct chart_options *o, struct error *e)
{
    w->fan = fan;
    w->gather = gather;
    int failed = chart_load(c, r, w, o, e);
    if (!failed && c->style != CHART_OUTLINE && !is_large(c) &&
        overflow(o, c->layout.width, c->layout.height) == 0)
        return 1;
    chart_release(c);
    return failed && e->code != ERROR_INVALID ? -1 : 0; /* ERROR_INVALID: too large to lay out */
}

/* Loads a chart with as many of a kind as fit, from `least` to `most`. Returns as try_fold. */
static int fold(struct chart *c, struct reader *r, struct subgraph_request *w, size_t least,
                size_t most, const struct chart_options *o, struct error *e)
{
    int done = try_fold(c, r, w, least, w->gather, o, e);
    while (done > 0 && most > least) {
        struct chart more;
        size_t fan = least + (most - least + 1) / 2;
        int fits = try_fold(&more, r, w, fan, w->gather, o, e);
        if (fits) {
            chart_release(c);
            *c = more;
            c->layout.picture = &c->picture;
        }
        done = fits < 0 ? -1 : done;
        least = fits ? fan : least;
        most = fits ? most : fan - 1;
    }
    w->fan = least;
    return done;
}

#define COMPARED 2000 /* in a larger lineage the newest come first */

/* Where not all are shown, the memories that say most come first. */
static int find_first(struct reader *r, struct subgraph_request *w, struct error *e)
{
    free(w->first);
    w->first = NULL;
    w->firsts = 0;
    for (int side = 0; side < 2; side++) {
        int64_t *rows;
        size_t count;
        if (!(w->show & (side == ANCESTORS ? SHOW_ANCESTORS : SHOW_DESCENDANTS)))
            continue;
        if (reader_begin(r, e))
            return -1;
        int failed = telling_of_row(r, w->focus, (enum direction)side, COMPARED, &rows, &count, e);
        reader_end(r);
        if (!failed && count) {
            w->first = xrealloc(w->first, (w->firsts + count) * sizeof(*rows));
            memcpy(w->first + w->firsts, rows, count * sizeof(*rows));
            w->firsts += count;
        }
        free(rows);
        if (failed)
            return -1;
    }
    return 0;
}

static bool has_groups(const struct chart *c)
{
    for (uint32_t i = 0; i < c->subgraph.nodes; i++)
        if (!subgraph_is_single(&c->subgraph.node[i]))
            return true;
    return false;
}

/* Loads what fits of a lineage that is not large. Returns as try_fold. */
static int load_folded(struct chart *c, struct reader *r, struct subgraph_request *w, size_t least,
                       bool groups, const struct chart_options *o, struct error *e)
{
    size_t most = o->rows > 0 && (size_t)o->rows < CHART_LARGE ? (size_t)o->rows : CHART_LARGE;
    int done = groups ? try_fold(c, r, w, 0, false, o, e) : 0;
    if (done == 0 && find_first(r, w, e))
        return -1;
    w->gather = false;
    if (done == 0 && (done = fold(c, r, w, least, most, o, e)) == 0 && groups &&
        (done = try_fold(c, r, w, 0, true, o, e)) == 0)
        done = fold(c, r, w, least, most, o, e);
    return done;
}

int chart_load_fitting(struct chart *c, struct reader *r, struct subgraph_request *w,
                       const struct chart_options *o, struct error *e)
{
    size_t least = w->fan, budget = w->budget;
    struct chart_options options = *o;
    w->budget = CHART_LARGE + 1;
    w->fan = 0;
    w->gather = true;
    if (chart_load(c, r, w, o, e))
        return -1;
    bool large = is_large(c), drawn = c->style != CHART_OUTLINE, groups = has_groups(c);
    if (drawn && !large && !groups && overflow(o, c->layout.width, c->layout.height) == 0)
        return 0;
    chart_release(c);
    int done = drawn && !large ? load_folded(c, r, w, least, groups, o, e) : 0;
    if (done)
        return done > 0 ? 0 : -1;
    w->budget = budget;
    w->fan = least;
    w->gather = true;
    if (!drawn)
        options.style = CHART_OUTLINE;
    done = chart_load(c, r, w, &options, e);
    c->large = large && !drawn;
    c->narrow = o->columns > 0 && o->columns < CHART_NARROW;
    return done;
}

/* ---- seeds: the order of nodes in the previous drawing ---- */

static int32_t seed_of(const struct chart *before, const struct key_index *ids, const char *id)
{
    size_t node = key_index_find(ids, id, strlen(id));
    return node == ROW_NONE ? SEED_NONE
                            : before->layout.node[chart_drawn(before, (uint32_t)node)].seed;
}

/* A new node was part of a SUBGRAPH_MORE before if it has the same kind and is attached to the same node. */
static void seed_opened(const struct chart *c, const struct chart *before,
                        const struct key_index *ids, int32_t *seed)
{
    const struct subgraph *s = &c->subgraph;
    AUTO_STRBUF rest = STRBUF_INIT;
    for (uint32_t i = 0; i < s->edges; i++)
        for (int side = 0; side < 2; side++) {
            uint32_t hub = side == ANCESTORS ? s->edge[i].from : s->edge[i].to;
            uint32_t other = side == ANCESTORS ? s->edge[i].to : s->edge[i].from;
            const struct subgraph_node *n = &s->node[other];
            if (seed[other] != SEED_NONE || n->type == SUBGRAPH_MORE ||
                s->node[hub].type != SUBGRAPH_MEMORY)
                continue;
            strbuf_clear(&rest);
            subgraph_add_rest_id(&rest, (enum direction)side, n->kind, s->node[hub].id);
            seed[other] = seed_of(before, ids, rest.buf);
        }
}

/*
 * Returns the previous position of each node of the subgraph, or NULL if there was no drawing. The caller frees it. A
 * node that was opened from a SUBGRAPH_MORE gets the seed of that node, so it sorts after the nodes that were there
 * and before the remaining SUBGRAPH_MORE. Other new nodes get SEED_NONE.
 */
static int32_t *find_seeds(const struct chart *c, const struct chart *before)
{
    if (!before || before->style == CHART_OUTLINE || !before->layout.node || !c->subgraph.nodes)
        return NULL;
    struct key_index ids = KEY_INDEX_INIT;
    int32_t *seed = xcalloc(c->subgraph.nodes, sizeof(*seed));
    for (uint32_t i = 0; i < before->subgraph.nodes; i++)
        key_index_add(&ids, before->subgraph.node[i].id, strlen(before->subgraph.node[i].id));
    for (uint32_t i = 0; i < c->subgraph.nodes; i++)
        seed[i] = seed_of(before, &ids, c->subgraph.node[i].id);
    seed_opened(c, before, &ids, seed);
    key_index_release(&ids);
    return seed;
}

/* ---- choosing a style and the length of labels ---- */

#define BOXES_MAX   15 /* at most this many nodes look best in boxes */
#define LABEL_MAX   60 /* columns; longer labels spread the lines too far to follow */
#define LABEL_MIN   14 /* shorter labels are unclear */
#define LABEL_LINES 3
#define NEAR_FIT    4 /* a drawing that exceeds the room by at most 1/NEAR_FIT nearly fits */

/* One trial of a drawing. */
struct trial {
    enum chart_style style;
    int label_columns, label_lines;
    int64_t overflow; /* hidden rows, plus hidden columns in rows */
};

static int no_room(struct error *e)
{
    return error_set(e, ERROR_INVALID, "Ask for less, or for the outline.",
                     "the drawing would be too large");
}

static bool flows_down(enum chart_style style)
{
    return style == CHART_TB || style == CHART_TB_BOX;
}

/* ---- drawing ---- */

/* Adds nodes in the order of their kinds. The SUBGRAPH_MORE of a kind comes after the others of that kind. */
static void make_picture(struct chart *c)
{
    const struct subgraph *s = &c->subgraph;
    picture_release(&c->picture);
    c->picture = (struct picture)PICTURE_INIT;
    for (uint32_t i = 0; i < s->nodes; i++) {
        const struct subgraph_node *n = &s->node[i];
        struct picture_node node = {.id = n->id,
                                    .rank = (int)n->kind * 2 + (n->type == SUBGRAPH_MORE),
                                    .at = n->at,
                                    .columns = c->node[i].columns,
                                    .lines = c->node[i].lines,
                                    .ghost = n->type == SUBGRAPH_MISSING,
                                    .loop = n->loop};
        picture_add_node(&c->picture, node);
    }
    for (uint32_t i = 0; i < s->edges; i++)
        for (int stroke = 0; stroke < STROKE_COUNT; stroke++)
            if (s->edge[i].strokes >> stroke & 1)
                picture_add_edge(&c->picture, s->edge[i].from, s->edge[i].to, (enum stroke)stroke);
    picture_finish(&c->picture);
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
        drawn = xmalloc(c->subgraph.nodes * sizeof(*drawn));
        for (uint32_t i = 0; i < c->subgraph.nodes; i++)
            drawn[chart_drawn(c, i)] = seed[i];
    }
    options.seed = drawn;
    int result = layout_make(&c->layout, &c->picture, &options);
    free(drawn);
    return result;
}

static void begin_drawing(struct chart *c, const struct trial *a)
{
    layout_release(&c->layout);
    c->style = a->style;
    c->label_columns = a->label_columns;
    c->label_lines = a->label_lines;
    chart_label_all(c, a->label_columns, a->label_lines, flows_down(a->style));
    make_picture(c);
}

static int draw(struct chart *c, const struct chart_options *o, const struct trial *a,
                const int32_t *seed, struct error *e)
{
    begin_drawing(c, a);
    return a->style != CHART_OUTLINE && make_layout(c, o, seed) ? no_room(e) : 0;
}

/* ---- choosing the best drawing ---- */

/* The width of a left-to-right drawing if labels were at most `label_columns` long. */
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

/* The shortest useful label. If even shortest labels would not show nearly all, use a readable length: the person has
 * to scroll anyway. */
static int shortest_label(const struct chart_options *o, int64_t least_width, int least)
{
    return least_width <= o->columns + o->columns / NEAR_FIT ? least : LABEL_READABLE;
}

/* The longest label with which the left-to-right drawing fits. Label lengths do not change its order. */
static int fitting_label(const struct chart *c, const struct chart_options *o)
{
    int most = c->label_columns;
    if (o->columns <= 0 || o->label_columns > 0)
        return most;
    for (int columns = most; columns >= LABEL_MIN; columns--)
        if (width_with(c, columns) <= o->columns)
            return columns;
    return shortest_label(o, width_with(c, LABEL_MIN), LABEL_MIN);
}

static int longest_label(const struct chart_options *o)
{
    return o->label_columns > 0 ? o->label_columns : o->columns > 0 ? LABEL_MAX : CHART_LABEL;
}

static int draw_across(struct chart *c, const struct chart_options *o, const int32_t *seed,
                       struct trial *a, struct error *e)
{
    a->label_columns = longest_label(o);
    if (draw(c, o, a, seed, e))
        return -1;
    a->label_columns = fitting_label(c, o);
    return a->label_columns == c->label_columns ? 0 : draw(c, o, a, seed, e);
}

/* In a top-down drawing label lengths move all other nodes, so try a few lengths, the longest first. */
static int draw_down(struct chart *c, const struct chart_options *o, const int32_t *seed,
                     struct trial *a, struct error *e)
{
    static const int lengths[] = {LABEL_MAX, 44, 36, 28, 24, LABEL_READABLE, 17, LABEL_MIN};
    size_t count = sizeof(lengths) / sizeof(lengths[0]) - (a->style == CHART_TB_BOX ? 2 : 0);
    a->label_columns = longest_label(o);
    if (o->columns <= 0 || o->label_columns > 0)
        return draw(c, o, a, seed, e);
    for (size_t i = 0; i < count; i++) {
        a->label_columns = lengths[i];
        if (draw(c, o, a, seed, e))
            return -1;
        if (c->layout.width <= o->columns)
            return 0;
    }
    a->label_columns = shortest_label(o, c->layout.width, lengths[count - 1]);
    return a->label_columns == c->label_columns ? 0 : draw(c, o, a, seed, e);
}

static bool any_cut(const struct chart *c)
{
    for (uint32_t i = 0; i < c->subgraph.nodes; i++)
        if (c->node[i].cut)
            return true;
    return false;
}

/* From left to right, the nodes of a layer share the rows: sets how many lines the label of each may have. Layers do
 * not depend on labels. */
static void share_rows(struct chart *c, const struct chart_options *o)
{
    const struct layout *l = &c->layout;
    int apart = l->options.boxed ? 2 : 1; /* rows that a label takes besides its lines */
    for (uint32_t i = 0; i < c->subgraph.nodes; i++) {
        uint32_t layer = l->node[chart_drawn(c, i)].layer;
        int nodes = (int)(l->layer_first[layer + 1] - l->layer_first[layer]);
        int lines = o->rows > 0 ? (o->rows + apart) / nodes - apart : LABEL_LINES;
        bool down = l->options.flow == FLOW_DOWN || lines > LABEL_LINES;
        c->node[i].most_lines = down ? LABEL_LINES : lines > 1 ? lines : 1;
    }
}

/* Gives labels more lines while a text is cut and the drawing fits. */
static int wrap_labels(struct chart *c, const struct chart_options *o, const int32_t *seed,
                       struct trial *a, struct error *e)
{
    share_rows(c, o);
    while (o->columns > 0 && a->overflow == 0 && a->label_lines < LABEL_LINES && any_cut(c)) {
        struct trial more = *a;
        more.label_lines++;
        if (draw(c, o, &more, seed, e))
            return -1;
        int wide = c->layout.width - o->columns, layers = (int)c->layout.layers;
        if (wide > 0 && !flows_down(a->style)) { /* labels of several lines have a border */
            more.label_columns -= (wide + layers - 1) / layers;
            if (draw(c, o, &more, seed, e))
                return -1;
        }
        if (overflow(o, c->layout.width, c->layout.height) > 0)
            return draw(c, o, a, seed, e);
        *a = more;
    }
    return 0;
}

/* Draws with the longest labels that fit. */
static int draw_fitting(struct chart *c, const struct chart_options *o, enum chart_style style,
                        const int32_t *seed, struct trial *a, struct error *e)
{
    *a = (struct trial){.style = style, .label_lines = 1};
    for (uint32_t i = 0; i < c->subgraph.nodes; i++)
        c->node[i].most_lines = LABEL_LINES;
    if (flows_down(style) ? draw_down(c, o, seed, a, e) : draw_across(c, o, seed, a, e))
        return -1;
    a->overflow = overflow(o, c->layout.width, c->layout.height);
    return wrap_labels(c, o, seed, a, e);
}

/* Of two that hide as much, the one whose labels have more room. */
static bool is_better(const struct trial *a, const struct trial *b)
{
    if (b->style == CHART_AUTO || a->overflow != b->overflow)
        return b->style == CHART_AUTO || a->overflow < b->overflow;
    return a->label_columns * a->label_lines > b->label_columns * b->label_lines;
}

/* Tries boxes (for few nodes), left to right, and top-down. Keeps the first that fits and whose labels can be read,
 * else the one that hides least. */
static int draw_best(struct chart *c, const struct chart_options *o, struct error *e)
{
    static const enum chart_style order[] = {CHART_TB_BOX, CHART_LR, CHART_TB};
    const size_t orders = sizeof(order) / sizeof(order[0]);
    struct trial best = {.style = CHART_AUTO}, a;
    for (size_t i = 0; i < orders; i++) {
        bool boxes = order[i] == CHART_TB_BOX;
        if (boxes && c->subgraph.nodes > BOXES_MAX)
            continue;
        if (draw_fitting(c, o, order[i], NULL, &a, e))
            return -1;
        bool readable = a.label_columns * a.label_lines >= LABEL_MAX || !any_cut(c);
        if (a.overflow == 0 && readable)
            return 0;
        if ((!boxes || a.overflow == 0) && is_better(&a, &best))
            best = a;
    }
    return best.style == c->style ? 0 : draw(c, o, &best, NULL, e);
}

static int draw_outline(struct chart *c, const struct chart_options *o, struct error *e)
{
    struct trial a = {.style = CHART_OUTLINE,
                      .label_lines = 1,
                      .label_columns = o->label_columns > 0 ? o->label_columns : o->columns};
    return draw(c, o, &a, NULL, e);
}

static bool same_options(const struct layout_options *a, const struct layout_options *b)
{
    return a->flow == b->flow && a->boxed == b->boxed && a->bundle == b->bundle &&
           a->ascii == b->ascii;
}

/*
 * Keeps style and label length of the previous drawing, since a changing length would move everything. If nothing
 * changed, reuses the previous layout: seeds keep the order of nodes, but not the routes of lines.
 */
static int redraw(struct chart *c, const struct chart_options *o, const int32_t *seed,
                  struct error *e)
{
    const struct chart *before = o->before;
    int least = LABEL_LINES; /* of new nodes */
    for (uint32_t i = 0; i < before->subgraph.nodes; i++)
        least = before->node[i].most_lines < least ? before->node[i].most_lines : least;
    for (uint32_t i = 0; i < c->subgraph.nodes; i++) {
        uint32_t was = chart_find(before, c->subgraph.node[i].id);
        c->node[i].most_lines = was == PICTURE_NONE ? least : before->node[was].most_lines;
    }
    struct trial a = {.style = before->style,
                      .label_columns = before->label_columns,
                      .label_lines = before->label_lines};
    begin_drawing(c, &a);
    struct layout_options options = layout_options_of(c, o);
    if (!same_options(&options, &before->layout.options) ||
        !picture_same(&c->picture, &before->picture))
        return make_layout(c, o, seed) ? no_room(e) : 0;
    layout_copy(&c->layout, &before->layout, &c->picture);
    return 0;
}

static int draw_auto(struct chart *c, const struct chart_options *o, const int32_t *seed,
                     struct error *e)
{
    c->large = !seed && is_large(c);
    c->narrow = o->columns > 0 && o->columns < CHART_NARROW;
    if (c->large || c->narrow)
        return draw_outline(c, o, e);
    return seed ? redraw(c, o, seed, e) : draw_best(c, o, e);
}

int chart_lay_out(struct chart *c, const struct chart_options *o, struct error *e)
{
    AUTO_FREE int32_t *seed = find_seeds(c, o->before);
    struct trial a;
    int result;
    c->ascii = o->ascii;
    c->large = c->narrow = false;
    if (o->style == CHART_OUTLINE)
        result = draw_outline(c, o, e);
    else if (o->style == CHART_AUTO)
        result = draw_auto(c, o, seed, e);
    else if (seed && o->before->style == o->style)
        result = redraw(c, o, seed, e);
    else
        result = draw_fitting(c, o, o->style, seed, &a, e);
    return result;
}

/* ---- distances from the focus ---- */

void chart_depths(const struct chart *c, enum direction side, uint32_t *depth)
{
    const struct subgraph *s = &c->subgraph;
    AUTO_ARENA arena = ARENA_INIT;
    struct rows out;
    uint32_t *queue = arena_array(&arena, (size_t)s->nodes + 1, sizeof(*queue)), count = 0;
    rows_make(&out, &arena, s->nodes, s->edges, side == ANCESTORS ? &s->edge->from : &s->edge->to,
              sizeof(*s->edge));
    for (uint32_t v = 0; v < s->nodes; v++)
        depth[v] = PICTURE_NONE;
    if (s->nodes) {
        depth[0] = 0;
        queue[count++] = 0;
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = out.first[queue[i]]; k < out.first[queue[i] + 1]; k++) {
            const struct subgraph_edge *edge = &s->edge[out.item[k]];
            uint32_t to = side == ANCESTORS ? edge->to : edge->from;
            if (depth[to] != PICTURE_NONE)
                continue;
            depth[to] = depth[queue[i]] + 1;
            queue[count++] = to;
        }
}

size_t chart_reached(const struct chart *c, const uint32_t *depth)
{
    size_t count = 0;
    for (uint32_t v = 1; v < c->subgraph.nodes; v++)
        if (depth[v] != PICTURE_NONE && c->subgraph.node[v].type != SUBGRAPH_MORE)
            count += c->subgraph.node[v].total;
    return count;
}
