/* Draws activity in columns. */
#include "tui/view/events/activity_list.h"
#include "tui/view/memory/list_line.h"

#include <string.h>
#include "model/base/strbuf.h"
#include "store/history/history.h"
#include "store/query/ref.h"
#include "store/record/get.h"
#include "tui/explorer/app.h"
#include "tui/explorer/changes.h"
#include "tui/render/facts.h"

#define SAID_WIDTH   12
#define REF_WIDTH    17
#define CLIENT_WIDTH 14
#define TEXT_MIN     26
#define TEXT_SHORT   18 /* width of the text if it shares the line with sources */
#define WHY_MIN      20 /* least width of the reason of a failed call, with gaps */
#define WIDE         100
#define ALL_COLUMNS  134 /* width of all columns, with some words of text */
#define FROM_MAX     40

/* The width of sources or changes: half of the width beyond ALL_COLUMNS. */
static int from_width(int width, bool changes)
{
    int least = changes ? 30 : 24, half = least + (width - ALL_COLUMNS) / 2;
    return half < least ? least : half < FROM_MAX ? half : FROM_MAX;
}

struct activity_columns activity_columns_fit(struct view *v, int width, bool clients,
                                             enum activity_mode mode)
{
    bool narrow = width < 56; /* then drop times first, and cut names for the operation */
    bool changes = mode != ACTIVITY_LIVE, one = mode == ACTIVITY_HISTORY;
    struct activity_columns c = {.label = 3, .width = width, .clients = clients, .mode = mode};
    const char *from_name = changes ? "changed" : "from";
    c.age_width = column_width(v, "age", narrow ? 0 : v->ui->prefs->exact_times ? 19 : 4);
    c.who_width = column_width(v, "actor", narrow ? 7 : width >= WIDE ? 20 : 10);
    c.client_width = column_width(v, "client", CLIENT_WIDTH);
    c.action_width = column_width(v, "action", narrow ? 8 : SAID_WIDTH);
    c.ref_width = column_width(v, "memory", REF_WIDTH);
    c.from_width = column_width(v, from_name, from_width(width, changes));
    c.age = c.age_width ? 6 : 0;
    c.class = c.age ? c.age + c.age_width + 2 : 6;
    c.who = c.class + 2;
    int at = c.who + c.who_width + 2;
    /* Sources have priority over the client column, since clients are also shown with their agents. */
    int room = width - (at + c.action_width + 1 + c.ref_width + 2);
    bool from =
        c.from_width && !one && room >= c.from_width + 2 + (changes ? TEXT_MIN : TEXT_SHORT);
    bool client =
        c.client_width && clients && room >= c.from_width + 2 + c.client_width + 2 + TEXT_MIN;
    c.client = client ? at : 0;
    at += client ? c.client_width + 2 : 0;
    c.action = at;
    at += c.action_width + 1;
    c.ref = c.ref_width && !one && !narrow && width - at - c.ref_width >= WHY_MIN ? at : 0;
    at += c.ref ? c.ref_width + 2 : 0;
    c.from = from ? at : 0;
    at += from ? c.from_width + 2 : 0;
    c.text = at;
    return c;
}

struct line {
    struct app *app;
    const struct activity_columns *columns;
    const struct pane *row;
    const struct activity *of;
    const struct memory_row *memory; /* the current row; NULL without a memory */
    const char *pattern;
    int pan;
};

void activity_columns_draw_header(struct view *v, const struct activity_columns *c,
                                  const struct pane *row)
{
    const char *change = c->mode ? "changed" : "from";
    const struct {
        const char *name, *shown;
        int at, width;
    } names[] = {
        {"age", v->ui->prefs->exact_times ? "at" : NULL, c->age, c->age_width},
        {"actor", NULL, c->who, c->who_width},
        {"client", NULL, c->client, c->client_width},
        {"action", NULL, c->action, c->action_width},
        {"memory", NULL, c->ref, c->ref_width},
        {change, NULL, c->from, c->from_width},
    };
    if (c->mode != ACTIVITY_HISTORY)
        heading_draw_last(v, row, "sign", c->label - 2, 4);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        heading_draw(v, row, names[i].name, names[i].shown, names[i].at,
                     names[i].at ? names[i].width : 0, i == 0);
    heading_draw_last(v, row, c->mode && !c->from ? "changed" : "text", c->text,
                      c->width - c->text);
}

static bool is_write(const struct line *l)
{
    return l->of->type == ACTIVITY_WRITE;
}

static enum style style_of(const struct activity *a)
{
    return a->type == ACTIVITY_WRITE     ? STYLE_TEXT
           : a->type == ACTIVITY_REFUSAL ? STYLE_UNSUPPORTED
                                         : STYLE_DIM;
}

/* Draws a call, an error first: "memory_search ×12", "PERMISSION_DENIED getMemory in a.b ×2, 3 masked". Returns the
 * columns used. */
static int draw_call(const struct line *l, int at, int room)
{
    const struct activity *a = l->of;
    const struct screen *screen = &l->app->ui.screen;
    AUTO_STRBUF call = STRBUF_INIT;
    if (a->type == ACTIVITY_REFUSAL)
        strbuf_addf(&call, "%s ", activity_error(a));
    strbuf_addstr(&call, a->what);
    if (*a->namespace_)
        strbuf_addf(&call, " in %s", a->namespace_);
    if (a->count > 1)
        strbuf_addf(&call, " %s%u", glyph_text(screen, GLYPH_TIMES), a->count);
    if (a->masked > 0)
        strbuf_addf(&call, ", %u masked", a->masked);
    int taken = paint_name(l->row, at, room, style_of(a), call.buf, l->pattern);
    if (a->subject <= 0 || taken + 4 >= room) /* no room for the memory's text */
        return room;
    paint_text(l->row, 0, at + taken + 1, 1, style_of(a), glyph_text(screen, GLYPH_DOT));
    return taken + 2;
}

/* Appends the text of the current memory; for an entry, whose text is its key, its value, too. An expired value is
 * shown nowhere. */
static void add_text(const struct line *l, struct strbuf *out)
{
    const struct memory_row *m = l->memory;
    struct app *x = l->app;
    bool entry = m->ref.kind == KIND_ENTRY && m->status == STATUS_ACTIVE;
    const struct detail *d = entry ? details_of(&x->details, m->node) : NULL;
    strbuf_addstr(out, m->text);
    if (d && d->more.known && *d->more.text &&
        (d->more.entry.expires_at == 0 || d->more.entry.expires_at > x->ui.ages_from))
        strbuf_addf(out, " = %s", d->more.text);
}

/* Draws the current memory, or why it is not there any more. */
static void draw_memory(const struct line *l, int at, int room)
{
    const struct memory_row *m = l->memory;
    if (!m || room < 1)
        return;
    if (m->status != STATUS_ACTIVE) {
        bool more = m->text && *m->text; /* an undone addition has no text */
        int taken =
            paint_format(l->row, 0, at, room, STYLE_DIM, "%s%s%s", status_word(m->status),
                         more ? " " : "", more ? glyph_text(&l->app->ui.screen, GLYPH_DOT) : "");
        at += taken + 1;
        room -= taken + 1;
    }
    if (!m->text || room < 1)
        return;
    AUTO_STRBUF text = STRBUF_INIT;
    add_text(l, &text);
    size_t from = paint_skip(l->row, text.buf, text.len, l->pan);
    paint_matched(l->row, 0, at, room, is_write(l) ? STYLE_TEXT : STYLE_DIM, text.buf + from,
                  text.len - from, l->pattern);
}

static void draw_ref(const struct line *l)
{
    AUTO_STRBUF ref = STRBUF_INIT;
    details_ref(l->app, l->memory, &ref);
    paint_name(l->row, l->columns->ref, l->columns->ref_width, STYLE_REF, ref.buf, NULL);
}

static void draw_label(const struct line *l)
{
    int at = l->columns->label;
    if (l->of->type == ACTIVITY_REFUSAL)
        paint_text(l->row, 0, at, 1, STYLE_UNSUPPORTED,
                   glyph_text(&l->app->ui.screen, GLYPH_REFUSED));
    else
        line_label(l->row, at, l->memory,
                   is_write(l) ? details_of(&l->app->details, l->of->subject) : NULL);
}

/* Draws who did it: a person or an agent, which may have any name, and the client. */
static void draw_who(const struct line *l)
{
    const struct activity_columns *c = l->columns;
    const struct activity *a = l->of;
    AUTO_STRBUF who = STRBUF_INIT;
    bool shown = c->client || !c->clients || !*a->client || !strcmp(a->client, a->who);
    bool via = !a->person && !shown && (c->width >= WIDE || a->foreign);
    if (a->person)
        paint_text(l->row, 0, c->class, 1, STYLE_TITLE, "P");
    strbuf_addstr(&who, a->person && changes_is_own(l->app->options, a->who) ? "you" : a->who);
    if (via)
        strbuf_addf(&who, " via %s", a->client);
    paint_name(l->row, c->who, c->who_width, a->person ? STYLE_TITLE : STYLE_SOURCE, who.buf,
               l->pattern);
}

/* Draws an event without a memory: the end of a response, or a decision about a session. */
static void draw_no_memory(const struct line *l, int at)
{
    const struct activity *a = l->of;
    AUTO_STRBUF text = STRBUF_INIT;
    if (a->subject > 0 || (!a->about && !*a->text))
        return;
    if (*a->text)
        strbuf_addstr(&text, a->text);
    else
        strbuf_addf(&text, "session %lld (%s)", (long long)a->about,
                    *a->client ? a->client : "an unnamed client");
    paint_name(l->row, at, l->columns->width - at - 1, STYLE_TEXT, text.buf, l->pattern);
}

static bool is_undone(const struct line *l)
{
    struct error e;
    return history_undone_by(l->app->data.reader, l->of->id, &e) > 0;
}

/* Draws what an event changed and why, after a note if it was undone or is an undo. */
static void draw_change(const struct line *l, int at, int room)
{
    const struct activity *a = l->of;
    const char *dot = glyph_text(&l->app->ui.screen, GLYPH_DOT);
    AUTO_STRBUF text = STRBUF_INIT;
    AUTO_ARENA arena = ARENA_INIT;
    int taken = 0;
    if (room > 0 && is_undone(l))
        taken = paint_format(l->row, 0, at, room, STYLE_CHIP, "undone %s", dot) + 1;
    else if (room > 0 && a->undoes > 0)
        taken = paint_format(l->row, 0, at, room, STYLE_DIM, "event %lld %s", (long long)a->undoes,
                             dot) +
                1;
    strbuf_addstr(&text, a->change);
    if (*a->why)
        strbuf_addf(&text, "%s(%s)", text.len ? " " : "",
                    refs_shorten(l->app->data.reader, &arena, a->why));
    paint_matched(l->row, 0, at + taken, room - taken, STYLE_TEXT, text.buf, text.len, l->pattern);
}

static void draw_from(const struct line *l)
{
    const struct activity_columns *c = l->columns;
    const struct detail *d = is_write(l) ? details_of(&l->app->details, l->of->subject) : NULL;
    if (c->mode != ACTIVITY_LIVE && is_write(l) && l->of->subject > 0)
        draw_change(l, c->from, c->from_width);
    else if (c->mode == ACTIVITY_LIVE && d)
        paint_text(l->row, 0, c->from, c->from_width, STYLE_DIM, d->from);
}

/* Whether the only text column shows the change. For an addition it shows the added text. */
static bool change_is_text(const struct line *l)
{
    const struct activity *a = l->of;
    if (l->columns->mode == ACTIVITY_HISTORY)
        return true; /* the current text is shown above */
    return l->columns->mode != ACTIVITY_LIVE && !l->columns->from && is_write(l) &&
           a->subject > 0 && (*a->change || *a->why || a->undoes > 0 || is_undone(l));
}

static void draw_text(const struct line *l, int at)
{
    int end = l->columns->width - 1;
    if (change_is_text(l)) {
        draw_change(l, at, end - at);
        return;
    }
    if (is_write(l))
        draw_no_memory(l, l->columns->from ? l->columns->from : at);
    else
        at += draw_call(l, at, end - at) + 1;
    draw_memory(l, at, end - at);
}

/* Draws the sign for a text that changed after the event, else the sign for new lines. The position in the list shows
 * already what is new. */
static void draw_change_sign(const struct line *l)
{
    const struct activity *a = l->of;
    const struct memory_row *m = l->columns->mode == ACTIVITY_HISTORY ? NULL : l->memory;
    struct app *x = l->app;
    bool touched = a->subject == x->remote.touched;
    bool other = m && (is_write(l) ? m->event > a->id : m->updated_at > a->at);
    bool new = a->id > (is_write(l) ? x->unread.seq : x->unread.call);
    if (other)
        paint_text(l->row, 0, l->columns->label + 1, 1, touched ? STYLE_CHIP : STYLE_DIM,
                   mark_of_label(touched ? SIGN_CHANGED_NOW : SIGN_CHANGED, true));
    else if (new)
        paint_text(l->row, 0, l->columns->label + 1, 1, STYLE_CHIP, "+");
}

/* Draws the operation. Without a memory there is more room. On a narrow line the error of a failed call replaces it,
 * since the sign shows already that it failed. */
static void draw_what(const struct line *l)
{
    const struct activity_columns *c = l->columns;
    bool none = l->of->subject <= 0, tight = l->of->type == ACTIVITY_REFUSAL && !c->ref;
    int width = c->ref && none && is_write(l) ? c->ref - c->action + c->ref_width : c->action_width;
    if (!tight)
        paint_name(l->row, c->action, width, style_of(l->of), activity_action(l->of), l->pattern);
    if (c->ref && l->memory)
        draw_ref(l);
    if (c->from)
        draw_from(l);
    /* A call has no sources, so its text may use that column. */
    draw_text(l, is_write(l)      ? c->text
                 : tight          ? c->action
                 : none && c->ref ? c->ref
                 : c->from        ? c->from
                                  : c->text);
}

void activity_columns_draw(struct app *x, const struct activity_columns *c, const struct pane *row,
                           const struct activity *a, const char *pattern, int pan)
{
    struct page_options options = ages_options(&x->ui);
    char when[40];
    struct line l = {x,       c,  row, a, a->subject > 0 ? details_row(x, a->subject) : NULL,
                     pattern, pan};
    if (selection_has(&x->ui.selection, a->subject) && c->mode != ACTIVITY_HISTORY)
        paint_text(row, 0, 2, 1, STYLE_MARK, "*");
    draw_change_sign(&l);
    if (c->mode != ACTIVITY_HISTORY)
        draw_label(&l);
    if (c->age) {
        facts_when(when, sizeof(when), a->at, &options);
        paint_right(row, 0, c->age, c->age_width, STYLE_AGE, when);
    }
    draw_who(&l);
    if (c->client && a->session > 0)
        paint_name(row, c->client, c->client_width, STYLE_DIM, a->client, pattern);
    draw_what(&l);
}
