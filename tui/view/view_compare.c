/*
 * Two panes: two memories, or a memory or a list as of two times, side by side. Each side is laid out as a page, as it
 * is shown alone; lines that belong together share a row, and a sign between the panes says where they differ. Where
 * two pages have no room next to each other, lines that both have are shown once, and the others below each other.
 */
#include "tui/view/views.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/map.h"
#include "model/format/difference.h"
#include "store/history/past.h"
#include "store/query/list.h"
#include "store/query/matcher.h"
#include "tui/explorer/app.h"
#include "tui/render/facts.h"
#include "tui/text/text.h"
#include "tui/widget/page_view.h"

#define SIDES      2
#define USERS_MOST 20000 /* nodes that are traversed for "used by" */
#define ROWS_MOST                                                                                  \
    10000 /* memories of a list that are compared; the header says if there are more */
#define CELLS_MOST                                                                                 \
    4000000       /* pairs of lines that are looked at; longer pages are paired by their memories */
#define WIDE  100 /* columns from which the pages stand next to each other */
#define APART 3   /* columns between them: the sign, with a blank on both sides */

struct compare_view {
    struct page_view page; /* its data is struct compared */
    struct compare_side side[SIDES];
    struct view *list; /* whose memories are compared, held; NULL for memories */
    size_t differ;     /* rows of the layout that differ */
};

/* What the worker reads. */
struct compare_ask {
    struct compare_side side[SIDES];
    bool lists;
    struct arena arena; /* of the next two */
    struct list_query query;
    struct query_terms terms;
};

struct compared {
    struct arena arena;
    struct facts *facts[SIDES]; /* of memories; NULL if it did not exist */
    struct fact_row *row[SIDES];
    size_t count[SIDES];
    bool lists, more; /* more than ROWS_MOST memories on a side */
};

static struct compare_view *compare_of(struct view *v)
{
    return (struct compare_view *)v;
}

/* ---- reading ---- */

static void ask(const struct panel *p, void *more)
{
    struct compare_view *v = compare_of(p->view);
    struct compare_ask *asked = more;
    memcpy(asked->side, v->side, sizeof(asked->side));
    asked->lists = v->list != NULL;
    if (v->list)
        list_view_ask(v->list, &asked->arena, &asked->query, &asked->terms);
}

static void drop(void *more)
{
    arena_release(&((struct compare_ask *)more)->arena);
}

static int find_rows(struct reader *r, const struct compare_ask *asked, struct compared *c,
                     int64_t *nodes, size_t *count, struct error *e)
{
    struct list_query query = asked->query;
    struct matcher matcher;
    int64_t node;
    int found = 1, fits = 1;
    if (matcher_make(&matcher, r, &asked->terms, &query, e)) {
        matcher_release(&matcher);
        return -1;
    }
    struct list *list = list_open(r, &query, NULL, e);
    while (list && fits >= 0 && (found = list_next(list, &node, e)) == 1) {
        fits = matcher_passes(&matcher, r, node, e);
        if (fits > 0 && *count == ROWS_MOST) {
            c->more = true;
            break;
        }
        if (fits > 0)
            nodes[(*count)++] = node;
    }
    list_close(list);
    matcher_release(&matcher);
    return list && found >= 0 && fits >= 0 ? 0 : -1;
}

static int read_list(struct reader *r, const struct compare_ask *asked, struct compared *c,
                     int side, struct error *e)
{
    int64_t *nodes = arena_array(&c->arena, ROWS_MOST, sizeof(*nodes));
    if (reader_begin(r, e))
        return -1;
    int failed = find_rows(r, asked, c, nodes, &c->count[side], e);
    if (!failed) {
        c->row[side] = facts_rows_read(r, &c->arena, nodes, c->count[side], e);
        failed = !c->row[side];
    }
    return reader_done(r, failed ? -1 : 0);
}

static int read_memory(struct reader *r, int64_t node, struct facts **out, struct error *e)
{
    if (reader_begin(r, e))
        return -1;
    *out = facts_read(r, node, USERS_MOST, true, NULL, e);
    return reader_done(r, *out || e->code == ERROR_NOT_FOUND ? 0 : -1);
}

static int read_side(struct reader *r, const struct compare_ask *asked, struct compared *c,
                     int side, struct error *e)
{
    const struct compare_side *s = &asked->side[side];
    struct reader *past = s->seq ? reader_open_past(reader_store(r), s->seq, NULL, NULL, e) : NULL;
    if (s->seq && !past)
        return -1;
    if (past)
        reader_mask(past, reader_masked(r));
    struct reader *from = past ? past : r;
    int failed = asked->lists ? read_list(from, asked, c, side, e)
                              : read_memory(from, s->node, &c->facts[side], e);
    if (past)
        reader_close(past);
    return failed;
}

static void compared_free(void *facts)
{
    struct compared *c = facts;
    for (int i = 0; i < SIDES; i++)
        facts_free(c->facts[i]);
    arena_release(&c->arena);
    free(c);
}

static void *read_both(const struct panel_key *key, struct reader *r, struct error *e)
{
    const struct compare_ask *asked = key->more;
    struct compared *c = xcalloc(1, sizeof(*c));
    c->arena = (struct arena)ARENA_INIT;
    c->lists = asked->lists;
    for (int i = 0; i < SIDES; i++)
        if (read_side(r, asked, c, i, e)) {
            compared_free(c);
            return NULL;
        }
    return c;
}

/* ---- which lines belong together ---- */

enum {
    SAME_NOTHING,
    SAME_BLANK,
    SAME_FIELD,
    SAME_ALL = 4
};

/* A line of a page, as it is compared. */
struct own_line {
    const char *text; /* all of it, in the page's arena */
    const char *key;  /* the name of its field, or the title of a rule; NULL for neither */
    int64_t node;
};

static struct own_line *lines_of(struct page *s)
{
    struct own_line *all = arena_array(&s->arena, s->count + 1, sizeof(*all));
    for (size_t i = 0; i < s->count; i++) {
        const struct page_line *line = &s->line[i];
        AUTO_STRBUF text = STRBUF_INIT;
        page_text(s, i, &text);
        bool keyed =
            line->span_count && (line->kind == PAGE_RULE || line->span[0].style == STYLE_FIELD);
        all[i] = (struct own_line){arena_strndup(&s->arena, text.buf, text.len),
                                   keyed ? line->span[0].text : NULL, line->node};
    }
    return all;
}

/* How much two lines have in common. */
static unsigned similarity(const struct own_line *a, const struct own_line *b)
{
    if (!strcmp(a->text, b->text) && a->node == b->node)
        return *a->text ? SAME_ALL : SAME_BLANK;
    bool field = a->key && b->key && !strcmp(a->key, b->key);
    return field || (a->node && a->node == b->node) ? SAME_FIELD : SAME_NOTHING;
}

struct pair {
    size_t left, right; /* lines; SIZE_MAX for none */
    bool equal;
};

/* The longest common subsequence by weight (Wagner and Fischer 1974). O(lines of one * lines of the other). */
static size_t pair_lines(const struct own_line *a, size_t n, const struct own_line *b, size_t m,
                         struct pair *out)
{
    uint32_t *best = xcalloc((n + 1) * (m + 1), sizeof(*best));
    size_t count = 0, i = 0, k = 0;
    for (size_t x = n; x-- > 0;)
        for (size_t y = m; y-- > 0;) {
            uint32_t *cell = &best[x * (m + 1) + y], both = similarity(&a[x], &b[y]);
            uint32_t skip = cell[m + 1] > cell[1] ? cell[m + 1] : cell[1];
            both = both ? both + cell[m + 2] : 0;
            *cell = both > skip ? both : skip;
        }
    while (i < n || k < m) {
        const uint32_t *cell = &best[i * (m + 1) + k];
        unsigned same = i < n && k < m ? similarity(&a[i], &b[k]) : SAME_NOTHING;
        if (same && *cell == same + cell[m + 2])
            out[count++] = (struct pair){i++, k++, same == SAME_ALL || same == SAME_BLANK};
        else if (k == m || (i < n && cell[m + 1] >= cell[1]))
            out[count++] = (struct pair){i++, SIZE_MAX, false};
        else
            out[count++] = (struct pair){SIZE_MAX, k++, false};
    }
    free(best);
    return count;
}

/* How far on the other side has a memory; SIZE_MAX if it does not, or not any more. */
static size_t ahead(const struct map *side, int64_t node, size_t from)
{
    const int64_t *at = node ? map_find(side, node) : NULL;
    return at && (size_t)*at >= from ? (size_t)*at - from : SIZE_MAX;
}

/* O(lines). A memory that moved stands alone on each side. Lines without a memory are paired if they meet. */
static size_t pair_by_node(const struct own_line *a, size_t n, const struct own_line *b, size_t m,
                           struct pair *out)
{
    struct map left = MAP_INIT, right = MAP_INIT;
    size_t count = 0, i = 0, k = 0;
    for (size_t at = 0; at < n; at++)
        *map_at(&left, a[at].node) = (int64_t)at;
    for (size_t at = 0; at < m; at++)
        *map_at(&right, b[at].node) = (int64_t)at;
    while (i < n || k < m) {
        unsigned same = i < n && k < m ? similarity(&a[i], &b[k]) : SAME_NOTHING;
        size_t of_left = i < n ? ahead(&right, a[i].node, k) : SIZE_MAX;
        size_t of_right = k < m ? ahead(&left, b[k].node, i) : SIZE_MAX;
        if (same)
            out[count++] = (struct pair){i++, k++, same == SAME_ALL || same == SAME_BLANK};
        else if (k == m || (i < n && (of_left == SIZE_MAX || of_right < of_left)))
            out[count++] = (struct pair){i++, SIZE_MAX, false};
        else
            out[count++] = (struct pair){SIZE_MAX, k++, false};
    }
    map_release(&left);
    map_release(&right);
    return count;
}

/* Lines of one side that no line of the other belongs to stand next to those of the other side. */
static size_t join_rest(struct pair *all, size_t count)
{
    size_t out = 0;
    for (size_t i = 0; i < count;) {
        struct pair rest[SIDES];
        size_t end = i, left = 0, right = 0;
        for (; end < count && (all[end].left == SIZE_MAX || all[end].right == SIZE_MAX); end++) {
            left += all[end].right == SIZE_MAX;
            right += all[end].left == SIZE_MAX;
        }
        if (end == i) {
            all[out++] = all[i++];
            continue;
        }
        /* The lines of each side follow each other, so the first and their numbers are enough. */
        rest[0].left = rest[1].right = SIZE_MAX;
        for (size_t at = i; at < end; at++) {
            if (all[at].left != SIZE_MAX && rest[0].left == SIZE_MAX)
                rest[0].left = all[at].left;
            if (all[at].right != SIZE_MAX && rest[1].right == SIZE_MAX)
                rest[1].right = all[at].right;
        }
        for (size_t at = 0; at < left || at < right; at++)
            all[out++] = (struct pair){at < left ? rest[0].left + at : SIZE_MAX,
                                       at < right ? rest[1].right + at : SIZE_MAX, false};
        i = end;
    }
    return out;
}

/* ---- layout ---- */

struct laying {
    struct page *page;
    struct page side[SIDES];
    struct own_line *line[SIDES];
    int width; /* of each side */
};

/* A rule within a side. */
static void put_rule(struct page *s, int column, int width, const struct page_line *line)
{
    const char *dash = glyph_of(GLYPH_DASH, s->options.ascii), *title = line->span[0].text;
    struct strbuf *dashes = page_buffer(s);
    for (int i = 0; i < width; i++)
        strbuf_addstr(dashes, dash);
    page_put(s, column, width, STYLE_RULE, dashes->buf);
    page_put(s, column + 2, width - 3, STYLE_RULE_TITLE, page_printf(s, " %s ", title));
    const char *right = line->span_count > 1 ? line->span[1].text : "";
    int used = (int)text_width(title, strlen(title), (size_t)width, 0) + 6;
    int wide = (int)text_width(right, strlen(right), (size_t)width, 0) + 2;
    if (*right && used + wide + 2 <= width)
        page_put(s, column + width - wide - 2, wide, STYLE_RULE_TITLE,
                 page_printf(s, " %s ", right));
}

/* Copies a span word by word and highlights the words that the other side does not have there; none if hardly any are
 * the same, where the sign between the panes says enough. */
static void put_words(struct laying *l, int side, const struct span *span, const char *other)
{
    struct text_run *run;
    size_t count, same = 0, all = strlen(span->text) + strlen(other);
    const char *before = side ? other : span->text, *after = side ? span->text : other;
    text_difference(before, after, &l->page->arena, &run, &count);
    for (size_t i = 0; i < count; i++)
        same += run[i].kind == RUN_SAME ? 2 * run[i].len : 0;
    struct span part = *span;
    int end = span->column + span->width;
    for (size_t i = 0; i < count && part.column < end; i++) {
        if (run[i].kind == (side ? RUN_REMOVED : RUN_ADDED))
            continue;
        part.text = arena_strndup(&l->page->arena, run[i].text, run[i].len);
        part.width = end - part.column;
        part.style = run[i].kind == RUN_SAME || 2 * same < all ? span->style : STYLE_MATCH;
        page_put_at(l->page, l->page->count - 1, &part);
        part.column += (int)text_width(part.text, run[i].len, (size_t)part.width + 1, 0);
    }
}

/* Copies a line of a side to the last line. `other` is the line that is shown next to it and differs, or NULL. */
static void put_line(struct laying *l, int side, size_t index, int column,
                     const struct page_line *other)
{
    const struct page *from = &l->side[side];
    const struct page_line *line = &from->line[index];
    if (line->kind == PAGE_RULE) {
        put_rule(l->page, column, from->width, line);
        return;
    }
    for (uint32_t i = 0; i < line->span_count; i++) {
        struct span span = line->span[i];
        int at = span.column < 0 ? from->width + span.column : span.column;
        int room = from->width - at - 1;
        bool differs = other && i < other->span_count && !span.right &&
                       strcmp(span.text, other->span[i].text) != 0;
        span.width = span.width > 0 && span.width < room ? span.width : room;
        span.column = column + at;
        if (span.width > 0 && differs)
            put_words(l, side, &span, other->span[i].text);
        else if (span.width > 0)
            page_put_at(l->page, l->page->count - 1, &span);
    }
}

static void begin_row(struct laying *l, const struct pair *p)
{
    int64_t node = p->left != SIZE_MAX ? l->line[0][p->left].node : 0;
    page_opens(l->page, node ? node : p->right != SIZE_MAX ? l->line[1][p->right].node : 0);
}

static void put_wide(struct laying *l, const struct pair *p)
{
    bool left = p->left != SIZE_MAX, right = p->right != SIZE_MAX, both = left && right;
    begin_row(l, p);
    page_put(l->page, l->width + 1, 1, STYLE_MARK,
             p->equal ? glyph_of(GLYPH_BAR, l->page->options.ascii)
             : both   ? (l->page->options.ascii ? "!" : "≠")
             : left   ? "<"
                      : ">");
    if (left)
        put_line(l, 0, p->left, 0, both && !p->equal ? &l->side[1].line[p->right] : NULL);
    if (right)
        put_line(l, 1, p->right, l->width + APART,
                 both && !p->equal ? &l->side[0].line[p->left] : NULL);
}

static void put_stacked(struct laying *l, const struct pair *p)
{
    const size_t index[SIDES] = {p->left, p->right};
    for (int side = 0; side < SIDES; side++) {
        if (index[side] == SIZE_MAX || (side > 0 && p->equal))
            continue;
        page_opens(l->page, l->line[side][index[side]].node);
        if (!p->equal)
            page_put(l->page, 0, 1, STYLE_MARK, side ? "+" : "-");
        put_line(l, side, index[side], 2, NULL);
    }
}

static void lay_side(struct laying *l, const struct compared *c, int side,
                     const struct page_options *options)
{
    struct page *s = &l->side[side];
    struct page_options own = *options;
    own.width = l->width;
    page_init(s);
    if (c->facts[side]) {
        facts_page(s, c->facts[side], &own);
    } else {
        page_begin(s, &own);
        s->options.ref_width = facts_ref_width(c->row[side], c->count[side], 12);
        for (size_t i = 0; i < c->count[side]; i++) {
            page_opens(s, c->row[side][i].row.node);
            facts_put_row(s, &c->row[side][i], "", false, 1);
        }
        if (!c->lists)
            page_note(s, 1, "it did not exist then");
        else if (c->count[side] == 0)
            page_note(s, 1, "no memories");
    }
    l->line[side] = lines_of(s);
}

static void lay(struct panel *p, const struct page_options *options)
{
    struct compare_view *v = compare_of(p->view);
    bool wide = options->width >= WIDE;
    struct laying l = {.page = &p->page,
                       .width = wide ? (options->width - APART) / 2 : options->width - 2};
    p->page.options = *options;
    for (int i = 0; i < SIDES; i++)
        lay_side(&l, p->facts, i, options);
    size_t n = l.side[0].count, m = l.side[1].count;
    struct pair *all = xcalloc(n + m + 1, sizeof(*all));
    bool few = (n + 1) * (m + 1) <= CELLS_MOST;
    size_t count = (few ? pair_lines : pair_by_node)(l.line[0], n, l.line[1], m, all);
    count = join_rest(all, count);
    v->differ = 0;
    for (size_t i = 0; i < count; i++) {
        /* Tab goes from one difference to the next. */
        p->page.section += !all[i].equal && (i == 0 || all[i - 1].equal);
        v->differ += !all[i].equal;
        (wide ? put_wide : put_stacked)(&l, &all[i]);
    }
    free(all);
    for (int i = 0; i < SIDES; i++)
        page_release(&l.side[i]);
}

static const struct panel_ops compare_panel = {.job = "comparing",
                                               .more = sizeof(struct compare_ask),
                                               .ask = ask,
                                               .read = read_both,
                                               .drop = drop,
                                               .free = compared_free,
                                               .lay = lay};

/* ---- the view ---- */

static void title(struct view *v, struct strbuf *out)
{
    const struct compare_view *c = compare_of(v);
    strbuf_addf(out, "compare %s, %s", c->side[0].name, c->side[1].name);
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct compare_view *c = compare_of(v);
    const struct compared *read = c->page.shown.facts;
    if (!read)
        return;
    if (c->differ)
        strbuf_addf(out, "%zu line%s differ%s", c->differ, c->differ == 1 ? "" : "s",
                    c->differ == 1 ? "s" : "");
    else
        strbuf_addstr(out, "no difference");
    if (read->more)
        strbuf_addf(out, " in the first %s of each, :diff has all", GROUPED(ROWS_MOST));
}

static void draw_header(struct view *v, const struct pane *p)
{
    const struct compare_view *c = compare_of(v);
    int width = (p->width - APART) / 2;
    AUTO_STRBUF left = STRBUF_INIT, right = STRBUF_INIT;
    ui_mask_name(v->ui, c->side[0].name, &left);
    ui_mask_name(v->ui, c->side[1].name, &right);
    if (p->width >= WIDE) {
        paint_text(p, 0, 1, width - 1, STYLE_HEADER, left.buf);
        paint_text(p, 0, width + APART + 1, width - 1, STYLE_HEADER, right.buf);
        return;
    }
    int at = paint_format(p, 0, 0, width, STYLE_HEADER, "- %s", left.buf);
    paint_format(p, 0, at + 3, p->width - at - 4, STYLE_HEADER, "+ %s", right.buf);
}

static void release(struct view *v)
{
    view_drop(compare_of(v)->list);
    page_view_release(v);
}

static const struct view_ops compare_ops = {
    .name = "compare",
    PAGE_VIEW_OPS,
    .has = HAS_MEMORIES,
    .at_large = true,
    .bar = "next-section=next difference,show,approve,edit,retract,resolve",
    .title = title,
    .counts = counts,
    .header_rows = 1,
    .draw_header = draw_header,
    .release = release,
};

struct view *compare_view_new(struct ui *ui, const struct compare_side side[2], struct view *list)
{
    struct compare_view *v =
        page_view_new(sizeof(*v), &compare_ops, ui, &compare_panel, side->node);
    memcpy(v->side, side, sizeof(v->side));
    v->list = list ? view_hold(list) : NULL;
    view_load(&v->page.view);
    return &v->page.view;
}
