#include "tui/widget/view.h"

#include "model/base/alloc.h"
#include "model/base/fnv.h"
#include "model/base/strbuf.h"
#include "store/journal/journal.h"
#include "tui/explorer/app.h"
#include "tui/text/text.h"

void view_init(struct view *v, const struct view_ops *ops, struct app *app)
{
    v->ops = ops;
    v->app = app;
    v->references = 1;
    v->selected = LINE_NONE;
    v->only_new = ops->only_new && app->prefs.only_new;
    view_reads(v);
}

void view_take_only_new(struct view *v)
{
    if (!v->ops->only_new || v->only_new == v->app->prefs.only_new)
        return;
    v->only_new = v->app->prefs.only_new;
    v->ops->only_new(v);
}

void view_reads(struct view *v)
{
    struct error e;
    int64_t last = journal_last(v->app->data.reader, &e);
    v->read_to = last > 0 ? last : 0;
}

void view_reads_not(struct view *v)
{
    v->read_to = 0;
}

struct view *view_hold(struct view *v)
{
    v->references++;
    return v;
}

void view_drop(struct view *v)
{
    /* A deep stack is let go from the top down, one after the other. */
    while (v && --v->references == 0) {
        struct view *below = v->below;
        worker_cancel_owner(&v->app->data.worker, v);
        worker_cancel_owner(&v->app->data.worker, &v->search);
        v->ops->release(v);
        free(v->search.line);
        free(v);
        v = below;
    }
}

bool view_selectable(struct view *v, size_t line)
{
    return line < v->count && (!v->ops->selectable || v->ops->selectable(v, line));
}

/* The nearest line that can be selected from `line` on in that direction; LINE_NONE. */
static size_t seek(struct view *v, size_t line, int direction)
{
    while (line < v->count) {
        if (view_selectable(v, line))
            return line;
        if (direction < 0 && line == 0)
            break;
        line += direction < 0 ? (size_t)-1 : 1;
    }
    return LINE_NONE;
}

static void put_cursor(struct view *v, size_t line)
{
    if (v->selected == line)
        return;
    v->selected = line;
    if (v->ops->selected)
        v->ops->selected(v);
}

void view_select(struct view *v, size_t line)
{
    if (v->count == 0) {
        put_cursor(v, LINE_NONE);
        return;
    }
    if (line >= v->count)
        line = v->count - 1;
    size_t found = seek(v, line, 1);
    if (found == LINE_NONE)
        found = seek(v, line, -1);
    put_cursor(v, found);
    view_reveal(v);
}

static size_t last_top(const struct view *v)
{
    size_t height = v->height > 0 ? (size_t)v->height : 1;
    return v->count > height ? v->count - height : 0;
}

void view_reveal(struct view *v)
{
    size_t height = v->height > 0 ? (size_t)v->height : 1;
    if (v->height <= 0) /* not on a screen yet: the first frame asks again */
        return;
    if (v->selected != LINE_NONE && v->selected < v->top)
        v->top = v->selected;
    if (v->selected != LINE_NONE && v->selected >= v->top + height)
        v->top = v->selected - height + 1;
    if (v->top > last_top(v))
        v->top = last_top(v);
}

void view_show_line(struct view *v, size_t line)
{
    size_t height = v->height > 0 ? (size_t)v->height : 1;
    if (view_selectable(v, line) || !v->ops->at_large) {
        view_select(v, line);
        return;
    }
    put_cursor(v, LINE_NONE);
    if (line >= v->top && line < v->top + height)
        return;
    v->top = line > height / 2 ? line - height / 2 : 0;
    if (v->top > last_top(v))
        v->top = last_top(v);
}

void view_set_count(struct view *v, size_t count)
{
    v->count = count;
    if (count == 0) {
        put_cursor(v, LINE_NONE);
        v->top = 0;
        return;
    }
    bool loose = v->selected == LINE_NONE && v->ops->at_large;
    if (!loose && (v->selected >= count || !view_selectable(v, v->selected))) {
        view_select(v, v->selected == LINE_NONE ? v->top : v->selected);
        return;
    }
    if (v->top > last_top(v))
        v->top = last_top(v);
}

static bool on_screen(const struct view *v, size_t line)
{
    return line != LINE_NONE && line >= v->top &&
           line < v->top + (size_t)(v->height > 0 ? v->height : 1);
}

/*
 * One line on: to the next one that can be selected where that is on the screen or just beyond it;
 * else the text between is scrolled by a line.
 */
static void move_one(struct view *v, int direction)
{
    size_t from = v->selected == LINE_NONE ? v->top : v->selected;
    size_t next = LINE_NONE;
    if (v->selected == LINE_NONE && on_screen(v, seek(v, v->top, 1)))
        next = seek(v, v->top, 1);
    else if (direction > 0 ? from + 1 < v->count : from > 0)
        next = seek(v, direction > 0 ? from + 1 : from - 1, direction);
    bool near = next != LINE_NONE && (next > from ? next - from : from - next) == 1;
    if (near || on_screen(v, next)) {
        put_cursor(v, next);
        view_reveal(v);
    } else if (direction > 0) {
        v->top += v->top < last_top(v);
    } else if (v->top > 0) {
        v->top--;
    } else if (v->ops->at_large && next == LINE_NONE) {
        put_cursor(v, LINE_NONE);
    }
}

static void move_plain(struct view *v, long lines)
{
    size_t from = v->selected == LINE_NONE ? 0 : v->selected;
    size_t by = (size_t)(lines < 0 ? -lines : lines);
    if (lines < 0)
        view_select(v, from > by ? from - by : 0);
    else
        view_select(v, v->count - from > by ? from + by : v->count - 1);
}

void view_move(struct view *v, long lines)
{
    if (v->count == 0)
        return;
    if (v->ops->draw) {
        for (long i = 0; i < (lines < 0 ? -lines : lines); i++)
            view_request(v, lines < 0 ? REQUEST_UP : REQUEST_DOWN);
        return;
    }
    if (!v->ops->selectable) {
        move_plain(v, lines);
        return;
    }
    for (long i = 0; i < (lines < 0 ? -lines : lines); i++)
        move_one(v, lines < 0 ? -1 : 1);
}

void view_scroll(struct view *v, long lines)
{
    if (v->ops->wheel) {
        v->ops->wheel(v, lines);
        return;
    }
    long top = (long)v->top + lines, most = (long)last_top(v);
    v->top = top < 0 ? 0 : top > most ? (size_t)most : (size_t)top;
    if (v->selected == LINE_NONE || on_screen(v, v->selected))
        return;
    size_t height = v->height > 0 ? (size_t)v->height : 1;
    size_t found = v->selected < v->top ? seek(v, v->top, 1) : seek(v, v->top + height - 1, -1);
    if (on_screen(v, found))
        put_cursor(v, found);
    else if (v->ops->selectable) /* text alone: keys are about nothing that is not seen */
        put_cursor(v, LINE_NONE);
}

void view_page(struct view *v, int halves)
{
    if (v->ops->draw) {
        bool half = halves == 1 || halves == -1;
        view_request(v, halves < 0 ? (half ? REQUEST_HALF_UP : REQUEST_PAGE_UP)
                                   : (half ? REQUEST_HALF_DOWN : REQUEST_PAGE_DOWN));
        return;
    }
    long lines = (v->height > 1 ? v->height : 2) * halves / 2;
    if (halves == 2 || halves == -2)
        lines -= halves / 2; /* a line stays, to read on from */
    lines = lines ? lines : halves;
    long wanted = v->selected == LINE_NONE ? lines : (long)v->selected + lines;
    view_scroll(v, lines);
    if (!v->ops->selectable && v->count > 0)
        view_select(v, wanted < 0 ? 0 : (size_t)wanted);
}

/* The line, or none where it is among text that is not on the screen. */
static size_t seen(const struct view *v, size_t line)
{
    return v->ops->selectable && v->height > 0 && !on_screen(v, line) ? LINE_NONE : line;
}

void view_first(struct view *v)
{
    v->end_wanted = false;
    if (v->ops->draw && view_request(v, REQUEST_FIRST))
        return;
    v->top = 0;
    if (v->count > 0)
        put_cursor(v, v->ops->at_large ? LINE_NONE : seen(v, seek(v, 0, 1)));
    if (!v->ops->selectable)
        view_reveal(v);
}

void view_last(struct view *v)
{
    if (view_go_to_end(v) || v->count == 0 || (v->ops->draw && view_request(v, REQUEST_LAST)))
        return;
    v->top = last_top(v);
    put_cursor(v, seen(v, seek(v, v->count - 1, -1)));
}

int64_t view_node_at(struct view *v, size_t line)
{
    return v->ops->node && line < v->count ? v->ops->node(v, line) : 0;
}

int64_t view_line_id(struct view *v, size_t line)
{
    int64_t node = view_node_at(v, line);
    bool named = !node && v->ops->line_id && line < v->count;
    return named ? v->ops->line_id(v, line) : node;
}

/* FNV-1a, in 62 bits. */
int64_t view_name_id(const char *name)
{
    return name ? -(int64_t)(fnv_add(FNV_BASIS, name, strlen(name)) >> 2) - 2 : -1;
}

int64_t view_node(struct view *v)
{
    return view_node_at(v, v->selected);
}

int64_t view_about(const struct view *v)
{
    return v->ops->about ? v->ops->about(v) : 0;
}

void view_read_moved(struct view *v)
{
    v->moved = false;
    v->behind = false;
    if (!view_request(v, REQUEST_REFRESH))
        view_news(v, NULL, 0, true);
}

bool view_request(struct view *v, enum view_request request)
{
    int64_t before = v->read_to;
    if (request == REQUEST_REFRESH && v->ops->load) {
        view_load(v);
        return true;
    }
    if (request == REQUEST_REFRESH)
        view_reads(v);
    bool done = v->ops->request && v->ops->request(v, request);
    if (!done)
        v->read_to = before;
    return done;
}

void view_load(struct view *v)
{
    v->calm.wanted = false;
    view_reads(v);
    v->ops->load(v);
}

static void load_when_due(struct view *v)
{
    if (v->ops->load && !worker_has(&v->app->data.worker, v, -1) && calm_is_due(&v->calm, v->app))
        view_load(v);
}

void view_news(struct view *v, const struct event *events, size_t count, bool whole)
{
    size_t known = 0;
    while (known < count && events[known].seq <= v->read_to)
        known++;
    if (count > 0 && known == count)
        return;
    events = events ? events + known : NULL;
    count -= known;
    v->calm.wanted = v->ops->load != NULL;
    load_when_due(v);
    if (v->ops->news)
        v->ops->news(v, events, count, whole);
}

/* ---- drawing ---- */

static void draw_line(struct view *v, const struct pane *area, int row, size_t line)
{
    struct pane p = pane_row(area, row);
    bool selected = line == v->selected;
    if (selected && !v->app->ui.preview_focus) {
        p.over = STYLE_SELECTION;
        paint_clear(&p);
    }
    v->ops->draw_line(v, &p, line);
    if (selected && p.width > 1)
        paint_text(&p, 0, 1, 1, STYLE_CURSOR, ">");
    if (selected) {
        v->app->ui.screen.cursor_y = p.y;
        v->app->ui.screen.cursor_x = p.x + (p.width > 1);
    }
}

static void draw_empty(struct view *v, const struct pane *p)
{
    const char *why = v->ops->empty(v);
    struct strbuf text = STRBUF_INIT;
    text_clean(&text, why, strlen(why), v->app->ui.screen.utf8 ? 0 : TEXT_ASCII);
    paint_bytes(p, p->height > 2 ? 1 : 0, 3, p->width - 3, STYLE_DIM, text.buf, text.len);
    strbuf_release(&text);
}

/* So many rows more are above the lines: the cursor's line stays where it is on the screen, as far as there are lines
 * to scroll. */
static void keep_row(struct view *v, int rows)
{
    long most = v->selected == LINE_NONE ? (long)last_top(v) : (long)v->selected;
    long top = (long)v->top + rows;
    v->top = top < 0 ? 0 : top > most ? (size_t)most : (size_t)top;
}

void view_draw(struct view *v, const struct pane *p)
{
    if (v->ops->draw) {
        v->ops->draw(v, p);
        return;
    }
    int header = v->ops->header && p->height > 3 ? v->ops->header(v) : 0;
    struct pane lines = pane_part(p, header, 0, p->height - header, p->width);
    bool resized = v->height != lines.height;
    bool header_alone = resized && v->height > 0 && v->height + v->header == p->height;
    int more = header - v->header;
    v->height = lines.height;
    v->header = header;
    v->width = lines.width;
    if (v->ops->layout)
        v->ops->layout(v, lines.height, lines.width);
    load_when_due(v);
    if (header_alone)
        keep_row(v, more);
    if (resized)
        view_reveal(v);
    if (header > 0) {
        struct pane head = pane_part(p, 0, 0, header, p->width);
        v->ops->draw_header(v, &head);
    }
    v->app->ui.screen.cursor_y = lines.y;
    v->app->ui.screen.cursor_x = lines.x;
    if (v->count == 0 && v->ops->empty)
        draw_empty(v, &lines);
    for (int row = 0; row < lines.height && v->top + (size_t)row < v->count; row++)
        draw_line(v, &lines, row, v->top + (size_t)row);
}
