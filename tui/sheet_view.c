#include "sheet_view.h"

#include "app.h"

void sheet_view_draw_line(struct view *v, const struct sheet *s, const struct pane *row,
                          size_t line)
{
    if (line < s->count && s->line[line].node && marks_has(&v->app->marks, s->line[line].node))
        paint_text(row, 0, 2, 1, STYLE_MARK, "*");
    sheet_draw_line(s, row, line, v->search.pattern);
}

static size_t section_begin(const struct sheet *s, int32_t section)
{
    size_t line = 0;
    while (line < s->count && s->line[line].section != section)
        line++;
    return line;
}

static size_t section_row(const struct sheet *s, int32_t section)
{
    for (size_t i = section_begin(s, section); i < s->count && s->line[i].section == section; i++)
        if (s->line[i].opens)
            return i;
    return LINE_NONE;
}

void sheet_view_step(struct view *v, const struct sheet *s, int direction)
{
    if (v->count == 0)
        return;
    int32_t sections = s->line[v->count - 1].section + 1;
    int32_t section = s->line[v->selected == LINE_NONE ? v->top : v->selected].section;
    for (int32_t i = 0; i < sections; i++) {
        section = (section + direction + sections) % sections;
        size_t begin = section_begin(s, section), row = section_row(s, section);
        bool seen = begin >= v->top && begin < v->top + (size_t)v->height;
        if (row == LINE_NONE && seen && (section > 0 || v->selected == LINE_NONE))
            continue;
        if (!seen || row >= v->top + (size_t)v->height)
            v->top = begin;
        v->selected = row;
        view_scroll(v, 0);
        return;
    }
}

struct sheet_place sheet_view_place(const struct view *v, const struct sheet *s)
{
    struct sheet_place place = {.on_line = v->selected < s->count};
    if (!place.on_line)
        return place;
    const struct sheet_line *line = &s->line[v->selected];
    place.node = line->node;
    place.value = line->value;
    place.line = v->selected;
    place.row = v->selected > v->top ? v->selected - v->top : 0;
    return place;
}

/* The row itself; where it is gone, or is of no memory, the line that is where it was. */
static size_t find_place(const struct sheet *s, const struct sheet_place *place)
{
    for (size_t i = 0; i < s->count && place->node; i++)
        if (s->line[i].opens && s->line[i].node == place->node && s->line[i].value == place->value)
            return i;
    return place->line < s->count ? place->line : s->count ? s->count - 1 : LINE_NONE;
}

void sheet_view_return(struct view *v, const struct sheet *s, const struct sheet_place *place)
{
    view_set_count(v, s->count);
    if (!place->on_line)
        return;
    size_t line = find_place(s, place);
    view_select(v, line);
    if (v->selected != LINE_NONE) {
        v->top = v->selected > place->row ? v->selected - place->row : 0;
        view_reveal(v);
    }
}
