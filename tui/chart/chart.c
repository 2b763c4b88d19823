#include "tui/chart/chart.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/guard/guard_mask.h"
#include "store/lineage/neighbours.h"

#define COLUMNS_PER_LAYER 28
#define NODES_LEAST       24
#define NODES_MOST        150

static const char *const styles[CHART_STYLES] = {
    [CHART_AUTO] = "auto", [CHART_LR] = "lr",         [CHART_LR_BOX] = "lr-box",
    [CHART_TB] = "tb",     [CHART_TB_BOX] = "tb-box", [CHART_OUTLINE] = "outline",
};

const char *chart_style_name(enum chart_style style)
{
    return styles[style];
}

int chart_style_from_name(const char *name)
{
    for (int s = 0; s < CHART_STYLES; s++)
        if (strcmp(styles[s], name) == 0)
            return s;
    return -1;
}

void chart_wish_room(struct scene_wishes *w, int columns, int rows)
{
    size_t fits = (size_t)(columns > 0 ? columns / COLUMNS_PER_LAYER : 4) *
                  (size_t)(rows > 0 ? rows : 60) / 2;
    w->budget = fits < NODES_LEAST ? NODES_LEAST : fits > NODES_MOST ? NODES_MOST : fits;
    w->fan = rows > 0 && rows < 20 ? 5 : 7;
}

uint32_t chart_find(const struct chart *c, const char *id)
{
    for (uint32_t i = 0; i < c->scene.nodes; i++)
        if (strcmp(c->scene.node[i].id, id) == 0)
            return i;
    return PICTURE_NONE;
}

void chart_release(struct chart *c)
{
    layout_release(&c->layout);
    picture_release(&c->picture);
    scene_release(&c->scene);
    free(c->node);
    arena_release(&c->arena);
    arena_release(&c->writing);
    *c = (struct chart)CHART_INIT;
}

/* ---- what the nodes say ---- */

static int no_memory(struct error *e)
{
    error_set(e, ERROR_MEMORY, "Ask for less, or free some memory.",
              "there is no memory for the drawing");
    return -1;
}

/* Indented lines are one line: a label has no room for blanks. */
static void squeeze_blanks(struct strbuf *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->len; i++)
        if (s->buf[i] != ' ' || (kept > 0 && s->buf[kept - 1] != ' '))
            s->buf[kept++] = s->buf[i];
    strbuf_cut(s, kept);
}

static int keep_text(struct chart *c, struct chart_node *node, const char *text, unsigned flags)
{
    struct strbuf clean = STRBUF_INIT;
    text_add(&clean, text, flags);
    if (!(flags & TEXT_EXACT))
        squeeze_blanks(&clean);
    node->text = clean.failed ? NULL : arena_strndup(&c->arena, clean.buf, clean.len);
    strbuf_release(&clean);
    return node->text ? 0 : -1;
}

/* As it is shown, in the arena where that is another; NULL where memory ran out. */
static const char *shown_id(struct reader *r, struct arena *arena, const char *id)
{
    struct ref ref;
    struct strbuf name = STRBUF_INIT;
    if (!reader_masked(r) || ref_parse(id, &ref) != REF_MEMORY)
        return reader_masked(r) ? guard_mask_text(reader_masked(r), arena, id) : id;
    struct ref shown = guard_mask_ref(r, arena, ref);
    if (shown.id == ref.id)
        return id;
    ref_add(&name, shown);
    id = name.failed ? NULL : arena_strndup(arena, name.buf, name.len);
    strbuf_release(&name);
    return id;
}

/* For want of a text the beginning of its id, as long as lists show it. */
static int keep_id(struct chart *c, struct reader *r, uint32_t i, struct arena *scratch,
                   unsigned flags)
{
    struct ref ref;
    const char *id = c->scene.node[i].id;
    c->node[i].textless = true;
    if (!(id = shown_id(r, scratch, id)))
        return -1;
    if (ref_parse(id, &ref) != REF_MEMORY)
        return keep_text(c, &c->node[i], id, flags | TEXT_EXACT);
    id = arena_strndup(scratch, ref.id, ref_short_length(r, ref));
    return id ? keep_text(c, &c->node[i], id, flags | TEXT_EXACT) : -1;
}

static int read_text(struct chart *c, struct reader *r, uint32_t i, struct arena *scratch,
                     struct error *e)
{
    const struct scene_node *n = &c->scene.node[i];
    struct chart_node *node = &c->node[i];
    unsigned flags = c->ascii ? TEXT_ASCII : 0;
    struct memory_row row = {0};
    node->text = "";
    if (n->sort == SCENE_GHOST)
        return keep_id(c, r, i, scratch, flags) ? no_memory(e) : 0;
    if (n->sort != SCENE_MEMORY)
        return 0;
    arena_clear(scratch);
    if (memory_row_read(r, scratch, n->row, &row, e))
        return -1;
    node->dead = !STATUS_LIVES(row.status);
    node->text_cut = row.text_cut;
    bool empty = !row.text || !row.text[strspn(row.text, " \t\r\n")];
    int failed = empty ? keep_id(c, r, i, scratch, flags) : keep_text(c, node, row.text, flags);
    return failed ? no_memory(e) : 0;
}

static int read_texts(struct chart *c, struct reader *r, struct error *e)
{
    struct arena scratch = ARENA_INIT;
    int result = 0;
    c->node = xcalloc(c->scene.nodes ? c->scene.nodes : 1, sizeof(*c->node));
    if (!c->node)
        return no_memory(e);
    for (uint32_t i = 0; i < c->scene.nodes && !result; i++) {
        c->node[i].name = shown_id(r, &c->arena, c->scene.node[i].id);
        result = c->node[i].name ? read_text(c, r, i, &scratch, e) : no_memory(e);
    }
    arena_release(&scratch);
    return result;
}

/* Whose labels a node shows: its own memory, or the members that it stands for. */
static size_t rows_of(const struct scene_node *n, const int64_t **rows)
{
    bool several = n->sort == SCENE_TWINS || n->sort == SCENE_CHAIN;
    *rows = several ? n->member : &n->row;
    return several ? n->members : n->sort == SCENE_MEMORY;
}

/* The label that all of them have; LABEL_COUNT where they differ. */
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
    const struct scene *s = &c->scene;
    const int64_t *rows;
    size_t count = 0;
    for (uint32_t i = 0; i < s->nodes; i++)
        count += rows_of(&s->node[i], &rows);
    int64_t *all = xmalloc((count ? count : 1) * sizeof(*all));
    struct row_label *label = xcalloc(count ? count : 1, sizeof(*label));
    size_t at = 0;
    for (uint32_t i = 0; all && i < s->nodes; i++) {
        size_t own = rows_of(&s->node[i], &rows);
        if (own)
            memcpy(all + at, rows, own * sizeof(*all));
        at += own;
    }
    int result = !all || !label ? no_memory(e) : labels_of_rows(r, all, count, label, e);
    at = 0;
    for (uint32_t i = 0; !result && i < s->nodes; i++) {
        size_t own = rows_of(&s->node[i], &rows);
        c->node[i].support = shared_label(label + at, own);
        at += own;
    }
    free(all);
    free(label);
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

static int read_all(struct chart *c, struct reader *r, const struct scene_wishes *w,
                    struct error *e)
{
    struct scene_source source = neighbours_of(r);
    if (scene_make(&c->scene, w, &source, e) || read_texts(c, r, e) || read_labels(c, r, e))
        return -1;
    return read_totals(c, r, w->focus, e);
}

int chart_load(struct chart *c, struct reader *r, const struct scene_wishes *w,
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
