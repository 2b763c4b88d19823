#include "tui/widget/page_view.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/text/text.h"
#include "tui/widget/ui.h"

static void draw_span(const struct page *s, const struct pane *row, const struct span *span,
                      const char *pattern)
{
    int column = span->column >= 0 ? span->column : s->width + span->column;
    int width = span->width > 0 ? span->width : row->width - column - 1;
    if (column < 0 || width <= 0)
        return;
    if (span->right)
        paint_right(row, 0, column, width, span->style, span->text);
    else
        paint_linked(row, 0, column, width, span->style, span->text, pattern,
                     span->whole ? span->whole : span->text, span->at);
}

void page_draw_line(const struct page *s, const struct pane *row, size_t index, const char *pattern)
{
    if (index >= s->count)
        return;
    const struct page_line *line = &s->line[index];
    if (line->kind == PAGE_RULE && line->span_count == 2) {
        paint_rule(row, 0, line->span[0].text, line->span[1].text);
        return;
    }
    for (uint32_t i = 0; i < line->span_count; i++)
        draw_span(s, row, &line->span[i], pattern);
}

/* The lines of the page below those that the pane shows. */
static size_t lines_below(const struct page *s, const struct pane *p, size_t top)
{
    size_t shown = top + (size_t)p->height - 1, count = s->count;
    while (count > 0 && s->line[count - 1].span_count == 0)
        count--;
    return count > shown ? count - shown : 0;
}

size_t page_draw(const struct page *s, const struct pane *p, size_t top, const char *title,
                 const char *state)
{
    AUTO_STRBUF right = STRBUF_INIT;
    top = page_scrolled(s, top, 0);
    size_t below = lines_below(s, p, top);
    const char *down = glyph_text(p->screen, GLYPH_DOWN);
    char dot[8] = "";
    if (*state && below > 0)
        snprintf(dot, sizeof(dot), " %s ", glyph_text(p->screen, GLYPH_DOT));
    strbuf_addstr(&right, state);
    if (below > 0)
        strbuf_addf(&right, "%s%s more %s", dot, GROUPED(below), down);
    if (below > 0 && !paint_rule_fits(p, title, right.buf)) { /* the state is cut */
        strbuf_clear(&right);
        strbuf_addf(&right, "%s more %s%s%s", GROUPED(below), down, dot, state);
    }
    paint_rule(p, 0, title, right.buf);
    for (int i = 1; i < p->height; i++) {
        struct pane line = pane_row(p, i);
        page_draw_line(s, &line, top + (size_t)i - 1, NULL);
    }
    return top;
}

size_t page_scrolled(const struct page *s, size_t top, long lines)
{
    long to = (long)top + lines, most = (long)s->count - 1;
    return to < 0 || most < 0 ? 0 : to > most ? (size_t)most : (size_t)to;
}

static const struct page *page_of(const struct view *v)
{
    return &((const struct page_view *)v)->shown.page;
}

/* ---- lines ---- */

void page_view_draw_line(struct view *v, const struct pane *row, size_t line)
{
    ui_draw_mark(v->ui, row, 0, 2, page_view_subject(v, line).node);
    page_draw_line(page_of(v), row, line, v->search.pattern);
}

bool page_view_selectable(struct view *v, size_t line)
{
    return line < page_of(v)->count && page_of(v)->line[line].opens;
}

struct line_subject page_view_subject(struct view *v, size_t line)
{
    struct line_subject s = {0};
    if (line < page_of(v)->count)
        s.node = page_of(v)->line[line].node;
    else if (line == LINE_NONE && v->ops->at_large)
        s.node = ((const struct page_view *)v)->shown.key.id;
    return s;
}

void page_view_text(struct view *v, size_t line, struct strbuf *out)
{
    page_text(page_of(v), line, out);
}

const struct page_line *page_view_line(const struct view *v)
{
    return v->cursor < page_of(v)->count ? &page_of(v)->line[v->cursor] : NULL;
}

/* ---- sections ---- */

static size_t section_begin(const struct page *s, int32_t section)
{
    size_t line = 0;
    while (line < s->count && s->line[line].section != section)
        line++;
    return line;
}

static size_t section_row(const struct page *s, int32_t section)
{
    for (size_t i = section_begin(s, section); i < s->count && s->line[i].section == section; i++)
        if (s->line[i].opens)
            return i;
    return LINE_NONE;
}

static void step(struct view *v, int direction)
{
    const struct page *s = page_of(v);
    if (v->count == 0)
        return;
    int32_t sections = s->line[v->count - 1].section + 1;
    int32_t section = s->line[v->cursor == LINE_NONE ? v->top : v->cursor].section;
    for (int32_t i = 0; i < sections; i++) {
        section = (section + direction + sections) % sections;
        size_t begin = section_begin(s, section), row = section_row(s, section);
        bool seen = begin >= v->top && begin < v->top + (size_t)v->height;
        if (row == LINE_NONE && seen && (section > 0 || v->cursor == LINE_NONE))
            continue;
        if (!seen || row >= v->top + (size_t)v->height)
            v->top = begin;
        v->cursor = row;
        view_scroll(v, 0);
        return;
    }
}

bool page_view_request(struct view *v, enum view_request request)
{
    if (request != REQUEST_NEXT_SECTION && request != REQUEST_PREVIOUS_SECTION)
        return false;
    step(v, request == REQUEST_NEXT_SECTION ? 1 : -1);
    return true;
}

/* ---- keeping the cursor in a new layout ---- */

static bool is_of(const struct page_line *line, int64_t node, int64_t value)
{
    return line->opens && line->node == node && line->value == value;
}

static struct page_place place_of(const struct view *v)
{
    const struct page_line *line = page_view_line(v);
    if (!line)
        return (struct page_place){0};
    struct page_place place = {.on_line = true,
                               .node = line->node,
                               .value = line->value,
                               .line = v->cursor,
                               .row = (long)v->cursor - (long)v->top};
    for (size_t i = 0; i < v->cursor; i++)
        place.nth += is_of(&page_of(v)->line[i], line->node, line->value);
    return place;
}

/* The same line, or the last line of that memory; LINE_NONE without one. */
static size_t find_place(const struct page *s, const struct page_place *place)
{
    size_t found = LINE_NONE, passed = 0;
    for (size_t i = 0; i < s->count && place->node && passed <= place->nth; i++)
        if (is_of(&s->line[i], place->node, place->value)) {
            found = i;
            passed++;
        }
    return found;
}

/* The line of the place. Without one, the line at the old position, until the memory is back, as after undo. */
static size_t seek_place(struct page_view *p, const struct page_place *place)
{
    const struct page *s = &p->shown.page;
    bool moved = place->line != p->put;
    size_t back = moved ? LINE_NONE : find_place(s, &p->lost), found = find_place(s, place);
    if (moved || back != LINE_NONE)
        p->lost = (struct page_place){0};
    if (back != LINE_NONE || found != LINE_NONE)
        return back != LINE_NONE ? back : found;
    if (!p->lost.node)
        p->lost = *place;
    return place->line < s->count ? place->line : s->count ? s->count - 1 : LINE_NONE;
}

/* The lines changed: moves the cursor to the line of the same memory and value, else keeps it about where it was. */
static void return_to(struct view *v, const struct page_place *place)
{
    bool seen = place->row >= 0 && place->row < v->height;
    view_set_count(v, page_of(v)->count);
    if (place->on_line)
        view_select(v, seek_place((struct page_view *)v, place));
    ((struct page_view *)v)->put = v->cursor;
    if (place->on_line && v->cursor != LINE_NONE) {
        long top = (long)v->cursor - place->row;
        v->top = top > 0 ? (size_t)top : 0;
        view_set_count(v, page_of(v)->count); /* limits `top` to the last page */
    }
    if (place->on_line && seen)
        view_reveal(v);
    view_search_again(v);
}

void page_view_layout(struct view *v, int height, int width)
{
    struct panel *p = &((struct page_view *)v)->shown;
    (void)height;
    if (!p->facts || panel_is_laid_out(p, width, 0))
        return;
    struct page_place place = place_of(v);
    panel_lay_out(p, width, 0);
    return_to(v, &place);
}

void page_view_end(struct view *v)
{
    view_last(v);
    v->top = v->count > (size_t)v->height ? v->count - (size_t)v->height : 0;
}

void page_view_load(struct view *v)
{
    panel_load(&((struct page_view *)v)->shown);
}

const char *page_view_empty(struct view *v)
{
    const struct panel *p = &((struct page_view *)v)->shown;
    return p->error.code != ERROR_NONE ? p->error.what : "reading…";
}

void *page_view_new(size_t size, const struct view_ops *ops, struct ui *ui,
                    const struct panel_ops *page, int64_t id)
{
    struct page_view *s = xcalloc(1, size);
    view_init(&s->view, ops, ui);
    panel_init(&s->shown, page, ui);
    s->shown.view = &s->view;
    s->shown.key.id = id;
    return s;
}

void page_view_release(struct view *v)
{
    panel_release(&((struct page_view *)v)->shown);
}
