#include "tui/widget/view.h"

#include <stdlib.h>
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "model/memory/memory.h"
#include "store/journal/journal.h"
#include "tui/widget/rows_view.h"
#include "tui/widget/ui.h"
#include "tui/text/match.h"
#include "tui/text/style.h"
#include "tui/text/text.h"
#include "tui/text/times.h"

static bool view_go_to_end(struct view *v);

#define LEAST_MS 250

void throttle_read_done(struct throttle *c, int64_t begun)
{
    int64_t now = monotonic_ms(), until = now + 4 * (now - begun) + LEAST_MS;
    if (until > c->until)
        c->until = until;
}

/* Whether to read now. If it is too early, schedules a frame for the right time. */
static bool throttle_is_due(const struct throttle *c, struct ui *ui)
{
    int64_t wait = ui->script ? 0 : c->until - monotonic_ms();
    if (c->wanted && wait > 0)
        ui_wake(ui, wait);
    return c->wanted && wait <= 0;
}

bool view_is(const struct view *v, const char *name)
{
    return strcmp(v->ops->name, name) == 0;
}

void view_init(struct view *v, const struct view_ops *ops, struct ui *ui)
{
    v->ops = ops;
    v->app = ui->app;
    v->ui = ui;
    v->references = 1;
    v->cursor = LINE_NONE;
    v->only_new = ops->has & HAS_NEW && ui->prefs->only_new;
    v->notified_to = ui->data->feed ? feed_seq(ui->data->feed) : 0;
    view_read_begin(v);
}

void view_update_only_new(struct view *v)
{
    if (!(v->ops->has & HAS_NEW) || v->only_new == v->ui->prefs->only_new)
        return;
    v->only_new = v->ui->prefs->only_new;
    v->sought = v->cursor > 0 ? view_subject(v).id : 0;
    v->asked = true;
    v->ops->narrow(v);
}

int view_read_filter(struct view *v, const char *text, struct query_place *bad, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct query_terms terms;
    snprintf(v->filter_word, sizeof(v->filter_word), "%s", text);
    if (!v->ops->query)
        return 0;
    int result = query_parse(text, (enum query_on)v->ops->query, times_clock(v->ui->now), &arena,
                             &terms, e) ||
                 (v->ops->read_filter && v->ops->read_filter(v, &terms, e));
    *bad = (struct query_place){terms.bad_from, terms.bad_to};
    if (result)
        return -1;
    const struct query_term *word = query_term(&terms, QUERY_TEXT);
    snprintf(v->filter_word, sizeof(v->filter_word), "%s", word ? word->text : "");
    v->filter_fields = terms.count > 0 && (terms.count > 1 || !word);
    return 0;
}

int view_set_filter(struct view *v, const char *text, struct query_place *bad, struct error *e)
{
    bool found = v->count > 0 && (v->filter_taken || v->cursor != 0);
    bool same = !strcmp(v->filter, text);
    v->filter_taken |= same;
    if (same)
        return 0;
    if (view_read_filter(v, text, bad, e))
        return -1;
    if (!*v->filter)
        v->unfiltered = view_subject(v).id;
    v->sought = *text ? 0 : found ? view_subject(v).id : v->unfiltered;
    snprintf(v->filter, sizeof(v->filter), "%s", text);
    v->asked = true;
    v->ops->narrow(v);
    v->filter_taken = !v->ui->prompt.ops;
    return 0;
}

void view_filter(struct view *v, const char *text)
{
    struct query_place bad;
    struct error e;
    if (view_set_filter(v, text, &bad, &e))
        ui_error(v->ui, &e);
}

void view_read_begin(struct view *v)
{
    struct error e;
    int64_t last = journal_last(v->ui->data->reader, &e);
    v->read_to = last > 0 ? last : 0;
    v->epoch = v->ui->data->epoch;
}

void view_read_cancel(struct view *v)
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
    /* Releases a deep stack from the top in a loop, without recursion. */
    while (v && --v->references == 0) {
        struct view *below = v->below;
        worker_cancel_owner(&v->ui->data->worker, v);
        worker_cancel_owner(&v->ui->data->worker, &v->search);
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

/* The nearest line from `line` on, in that direction, that can be selected; or LINE_NONE. */
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
    if (v->cursor == line)
        return;
    v->cursor = line;
    if (v->ops->moved)
        v->ops->moved(v);
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
    if (v->height <= 0) /* not on the screen yet; the first frame calls this again */
        return;
    if (v->cursor != LINE_NONE && v->cursor < v->top)
        v->top = v->cursor;
    if (v->cursor != LINE_NONE && v->cursor >= v->top + height)
        v->top = v->cursor - height + 1;
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
    bool loose = v->cursor == LINE_NONE && v->ops->at_large;
    if (!loose && (v->cursor >= count || !view_selectable(v, v->cursor))) {
        view_select(v, v->cursor == LINE_NONE ? v->top : v->cursor);
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
 * Moves to the next line that can be selected if it is visible or just outside the screen. Otherwise scrolls by one
 * line.
 */
static void move_one(struct view *v, int direction)
{
    size_t from = v->cursor == LINE_NONE ? v->top : v->cursor;
    size_t next = LINE_NONE;
    if (v->cursor == LINE_NONE && on_screen(v, seek(v, v->top, 1)))
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

void view_move(struct view *v, long lines)
{
    size_t steps = (size_t)(lines < 0 ? -lines : lines);
    for (size_t i = 0; i < steps && i < v->count; i++)
        if (v->ops->draw)
            view_request(v, lines < 0 ? REQUEST_UP : REQUEST_DOWN);
        else
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
    if (v->cursor == LINE_NONE || on_screen(v, v->cursor))
        return;
    size_t height = v->height > 0 ? (size_t)v->height : 1;
    size_t found = v->cursor < v->top ? seek(v, v->top, 1) : seek(v, v->top + height - 1, -1);
    if (on_screen(v, found))
        put_cursor(v, found);
    else if (v->ops->selectable) /* only text: actions must not apply to an invisible line */
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
        lines -= halves / 2; /* keep one line for context */
    lines = lines ? lines : halves;
    long wanted = v->cursor == LINE_NONE ? lines : (long)v->cursor + lines;
    view_scroll(v, lines);
    if (!v->ops->selectable && v->count > 0)
        view_select(v, wanted < 0 ? 0 : (size_t)wanted);
}

/* `line`, or LINE_NONE if the view may have no cursor and the line is not visible. */
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

static struct line_subject subject_of(struct view *v, size_t line)
{
    return v->ops->subject ? v->ops->subject(v, line) : (struct line_subject){0};
}

struct line_subject view_subject(struct view *v)
{
    return subject_of(v, v->cursor < v->count ? v->cursor : LINE_NONE);
}

int64_t view_node_at(struct view *v, size_t line)
{
    return line < v->count ? subject_of(v, line).node : 0;
}

int64_t view_line_id(struct view *v, size_t line)
{
    struct line_subject subject = line < v->count ? subject_of(v, line) : (struct line_subject){0};
    return subject.node ? subject.node : subject.id;
}

/* FNV-1a, in 62 bits. */
int64_t view_name_id(const char *name)
{
    return name ? -(int64_t)(fnv_add(FNV_BASIS, name, strlen(name)) >> 2) - 2 : -1;
}

int64_t view_node(struct view *v)
{
    return view_node_at(v, v->cursor);
}

int64_t view_about(struct view *v)
{
    return subject_of(v, LINE_NONE).node;
}

int64_t view_memory(struct view *v)
{
    int64_t node = view_node(v);
    return node > 0 ? node : view_about(v);
}

void view_add_position(struct view *v, struct strbuf *out)
{
    size_t all = 0, place = 0;
    for (size_t i = 0; i < v->count; i++) {
        all += view_selectable(v, i);
        if (i == v->cursor)
            place = all;
    }
    strbuf_addf(out, "%zu/%zu", place, all);
}

void view_add_below(struct view *v, struct strbuf *out)
{
    size_t shown = v->top + (size_t)(v->height > 0 ? v->height : 0);
    if (v->ops->selectable && !v->ops->draw && v->height > 0 && v->count > shown)
        strbuf_addf(out, "%zu more %s", v->count - shown, glyph_text(&v->ui->screen, GLYPH_DOWN));
}

void view_reload_if_outdated(struct view *v)
{
    if (v->epoch == v->ui->data->epoch)
        return;
    v->epoch = v->ui->data->epoch;
    if (!view_request(v, REQUEST_REFRESH))
        view_notify(v, NULL, 0, true);
}

bool view_request(struct view *v, enum view_request request)
{
    int64_t before = v->read_to;
    if (request == REQUEST_REFRESH && v->ops->load) {
        view_load(v);
        return true;
    }
    if (request == REQUEST_REFRESH)
        view_read_begin(v);
    bool done = v->ops->request && v->ops->request(v, request);
    if (!done)
        v->read_to = before;
    return done;
}

void view_load(struct view *v)
{
    v->throttle.wanted = false;
    view_read_begin(v);
    v->ops->load(v);
}

void view_changed(struct view *v, const struct event *events, size_t count, bool whole)
{
    (void)events, (void)count, (void)whole;
    v->changed = true;
}

/* Reads again unless a read or a search of this view is running: a search depends on the current line numbers. */
static void load_when_due(struct view *v)
{
    struct worker *worker = &v->ui->data->worker;
    bool busy = worker_has(worker, v, -1) || worker_has(worker, &v->search, -1);
    if (v->ops->load && !busy && throttle_is_due(&v->throttle, v->ui))
        view_load(v);
}

void view_notify(struct view *v, const struct event *events, size_t count, bool whole)
{
    size_t known = 0;
    while (known < count && events[known].seq <= v->read_to)
        known++;
    if (count > 0 && known == count)
        return;
    events = events ? events + known : NULL;
    count -= known;
    if (v->ops->notify)
        v->ops->notify(v, events, count, whole);
    else
        v->throttle.wanted = v->ops->load != NULL;
    load_when_due(v);
}

/* ---- drawing ---- */

/* Lines may have moved since the range began. */
static void find_range(struct view *v)
{
    struct selection *s = &v->ui->selection;
    for (size_t line = v->top; s->range && on_screen(v, line) && line < v->count; line++)
        if (view_node_at(v, line) == s->range)
            s->range_line = line;
}

static bool in_range(const struct view *v, size_t line)
{
    const struct selection *s = &v->ui->selection;
    if (!s->range || v->cursor == LINE_NONE)
        return false;
    return s->range_line < v->cursor ? line >= s->range_line && line <= v->cursor
                                     : line >= v->cursor && line <= s->range_line;
}

static void draw_line(struct view *v, const struct pane *area, int row, size_t line)
{
    struct pane p = pane_row(area, row);
    bool selected = line == v->cursor;
    if (selected && !v->ui->preview_focus) {
        p.over = STYLE_SELECTION;
        paint_clear(&p);
    }
    v->ops->draw_line(v, &p, line);
    if (in_range(v, line) && view_node_at(v, line) > 0)
        paint_text(&p, 0, 2, 1, STYLE_MARK, "*");
    if (selected && p.width > 1)
        paint_cursor(&p, 0);
    if (selected) {
        v->ui->screen.cursor_y = p.y;
        v->ui->screen.cursor_x = p.x + (p.width > 1);
    }
}

/* Appends what may be wrong with the filter that nothing matches. */
static void add_filter_hint(struct view *v, struct strbuf *out)
{
    AUTO_STRBUF hint = STRBUF_INIT;
    if (!v->ops->query || view_is_partial(v))
        return;
    query_hint(v->filter, (enum query_on)v->ops->query, &hint);
    for (int i = 0; i < LABEL_COUNT && !hint.len; i++)
        if (!strcmp(v->filter, mark_of_label((enum label)i, !v->ui->screen.utf8)))
            strbuf_addf(&hint, "did you mean label:%s?", label_name((enum label)i));
    if (hint.len)
        strbuf_addf(out, "nothing matches the filter; %s", hint.buf);
}

#define EMPTY_ROWS 6 /* most rows of the reason why a view is empty */

static void draw_empty(struct view *v, const struct pane *p)
{
    AUTO_STRBUF why = STRBUF_INIT;
    AUTO_ARENA arena = ARENA_INIT;
    struct text_line *lines;
    add_filter_hint(v, &why);
    if (why.len == 0)
        strbuf_addstr(&why, v->ops->empty(v));
    size_t room = p->width > 5 ? (size_t)p->width - 4 : 1;
    size_t count = text_wrap(&arena, why.buf, why.len, room, EMPTY_ROWS,
                             v->ui->screen.utf8 ? 0 : TEXT_ASCII, &lines);
    for (size_t i = 0; i < count; i++)
        paint_text(p, (int)i + (p->height > 2), 3, p->width - 3, STYLE_DIM, lines[i].text);
}

/* `rows` more rows are above the lines: scrolls so that the cursor's line keeps its place on the screen, if
 * possible. */
static void keep_row(struct view *v, int rows)
{
    long most = v->cursor == LINE_NONE ? (long)last_top(v) : (long)v->cursor;
    long top = (long)v->top + rows;
    v->top = top < 0 ? 0 : top > most ? (size_t)most : (size_t)top;
}

void view_draw(struct view *v, const struct pane *p)
{
    v->ui->headers.count = v->ui->headers.shifts = 0;
    v->ui->headers.of = v;
    if (v->ops->draw) {
        load_when_due(v);
        v->ops->draw(v, p);
        return;
    }
    int header = v->ops->header ? v->ops->header(v) : v->ops->header_rows;
    header = p->height > 3 ? header : 0;
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
        if (headers_arrange(v)) {
            paint_clear(&head);
            v->ops->draw_header(v, &head);
            headers_arrange(v);
        }
    }
    v->ui->screen.cursor_y = lines.y;
    v->ui->screen.cursor_x = lines.x;
    if (v->count == 0 && v->ops->empty)
        draw_empty(v, &lines);
    find_range(v);
    for (int row = 0; row < lines.height && v->top + (size_t)row < v->count; row++)
        draw_line(v, &lines, row, v->top + (size_t)row);
}

/* Searching, and waiting for lines that are not read yet. */

#define READING "reading to " /* prefix of the status line while something is waited for */

bool view_is_partial(struct view *v)
{
    return v->ops->partial && v->ops->partial(v);
}

/* ---- waiting for lines ---- */

bool view_waits_for_line(const struct view *v)
{
    return v->end_wanted || v->line_wanted > 0 || (v->search.wanted && !v->search.complete);
}

bool view_awaits_lines(struct view *v)
{
    bool reads = worker_has(&v->ui->data->worker, v, -1);
    v->asked = v->asked && reads;
    return reads && (v->count == 0 || v->asked || (v->ops->unsettled && v->ops->unsettled(v)));
}

bool view_wants_more(const struct view *v)
{
    return view_waits_for_line(v) || v->line_sought || v->when_whole;
}

void view_cancel_wait(struct view *v)
{
    v->end_wanted = false;
    v->line_wanted = 0;
    v->line_sought = false;
    v->search.wanted = false;
    v->when_whole = NULL;
}

/* If more lines follow, goes to the last one when they are read, and returns true. */
static bool view_go_to_end(struct view *v)
{
    if (!view_is_partial(v))
        return false;
    v->end_wanted = true;
    ui_message(v->ui, READING "the end; any key stops it");
    view_grown(v);
    return true;
}

/* The wait is over: removes its message from the status line. */
static void clear_wait_message(struct view *v)
{
    if (!strncmp(v->ui->status.text, READING, strlen(READING)))
        v->ui->status.text[0] = '\0';
}

/* Whether a read goes on that adds lines, or will: one in parts, or the next page. */
static bool is_whole(struct view *v)
{
    bool rows = v->ops->draw_line == rows_view_draw_line;
    return !view_is_partial(v) && (!rows || rows_view_is_whole(v));
}

static void tell_whole(struct view *v)
{
    void (*done)(struct view * v) = v->when_whole;
    if (!done || !is_whole(v))
        return;
    v->when_whole = NULL;
    clear_wait_message(v);
    done(v);
}

void view_read_whole(struct view *v, void (*done)(struct view *v))
{
    v->when_whole = done;
    if (!is_whole(v))
        ui_message(v->ui, READING "the end first; any key stops it");
    tell_whole(v);
}

void view_go_to_line(struct view *v, size_t number)
{
    if (number > v->count && view_is_partial(v)) {
        v->line_wanted = number;
        ui_message(v->ui, READING "line %zu; any key stops it", number);
        return;
    }
    if (number > v->count)
        ui_message(v->ui, "there is no line %zu: this is the last one", number);
    view_select(v, number > 0 ? number - 1 : 0);
}

void view_grown(struct view *v)
{
    bool partial = view_is_partial(v);
    size_t line = v->line_wanted;
    if (v->end_wanted && v->count > 0)
        view_select(v, v->count - 1);
    if (line > 0 && (v->count >= line || !partial)) {
        v->line_wanted = 0;
        clear_wait_message(v);
        view_go_to_line(v, line);
    }
    if (v->end_wanted && !partial) {
        v->end_wanted = false;
        clear_wait_message(v);
    }
    tell_whole(v);
    if (*v->search.pattern && v->ops->text)
        view_search_here(v);
}
