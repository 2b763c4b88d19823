/* A line of activity in columns. */
#include "tui/view/events/activity_list.h"

#include <string.h>
#include "model/base/strbuf.h"
#include "store/history/history.h"
#include "store/record/get.h"
#include "tui/explorer/app.h"
#include "tui/explorer/news.h"
#include "tui/text/text.h"
#include "tui/render/facts.h"

#define SAID_WIDTH   12
#define REF_WIDTH    17
#define CLIENT_WIDTH 14
#define TEXT_LEAST   26
#define TEXT_SHORT   18 /* where it gives way to what a memory was made from */
#define WHY_LEAST    20 /* of the text and its gaps: why a call was refused */
#define WIDE         100
#define ALL_COLUMNS  134 /* with words of the text */
#define FROM_MOST    40

/* Of what a memory was made from, or what was changed of it: half of what is more than all columns need. */
static int from_width(int width, bool changes)
{
    int least = changes ? 30 : 24, half = least + (width - ALL_COLUMNS) / 2;
    return half < least ? least : half < FROM_MOST ? half : FROM_MOST;
}

struct happening_columns happening_columns_fit(const struct app *x, int width, bool clients,
                                               enum happening_look look)
{
    bool narrow = width < 56; /* then times give way first, and names to what was done */
    bool changes = look != LOOK_LIVE, one = look == LOOK_HISTORY;
    struct happening_columns c = {.label = 3, .width = width, .clients = clients, .look = look};
    c.age_width = narrow ? 0 : x->prefs.exact_times ? 19 : 4;
    c.who_width = narrow ? 7 : width >= WIDE ? 20 : 10;
    c.said_width = narrow ? 8 : SAID_WIDTH;
    c.from_width = from_width(width, changes);
    c.age = narrow ? 0 : 6;
    c.class = narrow ? 6 : c.age + c.age_width + 2;
    c.who = c.class + 2;
    int at = c.who + c.who_width + 2;
    /* What it was made from comes before a column of clients: those stand with their agents too. */
    int room = width - (at + c.said_width + 1 + REF_WIDTH + 2);
    bool from = !one && room >= c.from_width + 2 + (changes ? TEXT_LEAST : TEXT_SHORT);
    bool client = clients && room >= c.from_width + 2 + CLIENT_WIDTH + 2 + TEXT_LEAST;
    c.client = client ? at : 0;
    at += client ? CLIENT_WIDTH + 2 : 0;
    c.said = at;
    at += c.said_width + 1;
    c.ref = !one && !narrow && width - at - REF_WIDTH >= WHY_LEAST ? at : 0;
    at += c.ref ? REF_WIDTH + 2 : 0;
    c.from = from ? at : 0;
    at += from ? c.from_width + 2 : 0;
    c.text = at;
    return c;
}

void happening_columns_header(const struct app *x, const struct happening_columns *c,
                              const struct pane *row)
{
    const struct {
        int at, width;
        const char *name;
    } names[] = {
        {c->who, c->who_width, "who"},
        {c->client, CLIENT_WIDTH, "client"},
        {c->said, c->said_width, "did"},
        {c->ref, REF_WIDTH, "memory"},
        {c->from, c->from_width, c->look ? "changed" : "from"},
        {c->text, c->width - c->text, c->look && !c->from ? "changed" : "text"},
    };
    if (c->age)
        paint_right(row, 0, c->age, c->age_width, STYLE_HEADER,
                    x->prefs.exact_times ? "at" : "age");
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (names[i].at)
            paint_text(row, 0, names[i].at, names[i].width + 1, STYLE_HEADER, names[i].name);
}

static enum style style_of(const struct happening *h)
{
    static const enum style styles[] = {
        [HAPPENED_WRITE] = STYLE_TEXT,
        [HAPPENED_READ] = STYLE_DIM,
        [HAPPENED_REFUSAL] = STYLE_UNGROUNDED,
        [HAPPENED_CANCEL] = STYLE_DIM,
    };
    return styles[h->sort];
}

/* What a call was and came to, why it was refused first: "memory_search ×12", "PERMISSION_DENIED getMemory in a.b ×2, 3
 * masked". */
static void add_call(struct app *x, const struct happening *h, struct strbuf *clean)
{
    struct strbuf call = STRBUF_INIT;
    if (h->sort == HAPPENED_REFUSAL)
        strbuf_addf(&call, "%s ", happening_why(h));
    strbuf_addstr(&call, h->what);
    if (*h->namespace_)
        strbuf_addf(&call, " in %s", h->namespace_);
    if (h->count > 1)
        strbuf_addf(&call, " %s%u", glyph_text(&x->ui.screen, GLYPH_TIMES), h->count);
    if (h->masked > 0)
        strbuf_addf(&call, ", %u masked", h->masked);
    text_clean(clean, call.buf, call.len, TEXT_EXACT);
    strbuf_release(&call);
}

/* Returns the columns it took. */
static int draw_call(struct app *x, const struct happening *h, const struct pane *row, int at,
                     int room, const char *pattern)
{
    struct strbuf clean = STRBUF_INIT;
    add_call(x, h, &clean);
    int taken = paint_matched(row, 0, at, room, style_of(h), clean.buf, clean.len, pattern);
    strbuf_release(&clean);
    if (h->subject <= 0 || taken + 4 >= room) /* its memory's text has no room */
        return room;
    paint_text(row, 0, at + taken + 1, 1, style_of(h), glyph_text(&x->ui.screen, GLYPH_DOT));
    return taken + 2;
}

/* The memory as it is now: what is gone says so. */
static void draw_memory(struct app *x, const struct happening *h, const struct pane *row, int at,
                        int room, const char *pattern, int pan)
{
    const struct memory_row *m = h->subject > 0 ? details_row(x, h->subject) : NULL;
    if (!m || room < 1)
        return;
    if (m->status != STATUS_ACTIVE) {
        bool more = m->text && *m->text; /* of what was undone nothing is left to say */
        int taken = paint_format(row, 0, at, room, STYLE_DIM, "%s%s%s", status_name(m->status),
                                 more ? " " : "", more ? glyph_text(&x->ui.screen, GLYPH_DOT) : "");
        at += taken + 1;
        room -= taken + 1;
    }
    if (!m->text || room < 1)
        return;
    size_t len = strlen(m->text), from = paint_skip(row, m->text, len, pan);
    paint_matched(row, 0, at, room, h->sort == HAPPENED_WRITE ? STYLE_TEXT : STYLE_DIM,
                  m->text + from, len - from, pattern);
}

static void draw_ref(struct app *x, const struct happening_columns *c, const struct pane *row,
                     const struct happening *h)
{
    const struct memory_row *m = h->subject > 0 ? details_row(x, h->subject) : NULL;
    struct strbuf ref = STRBUF_INIT;
    if (!m)
        return;
    details_ref(x, m, &ref);
    paint_name(row, 0, c->ref, REF_WIDTH, STYLE_REF, ref.buf, NULL);
    strbuf_release(&ref);
}

static void draw_label(struct app *x, const struct happening_columns *c, const struct pane *row,
                       const struct happening *h)
{
    const struct memory_row *m = h->subject > 0 ? details_row(x, h->subject) : NULL;
    const struct detail *d = details_of(x, h->subject);
    if (h->sort == HAPPENED_REFUSAL)
        paint_text(row, 0, c->label, 1, STYLE_UNGROUNDED, glyph_text(&x->ui.screen, GLYPH_REFUSED));
    else if (m && !STATUS_LIVES(m->status))
        paint_label(row, 0, c->label, LABEL_GONE);
    else if (h->sort == HAPPENED_WRITE && d && d->label.label < LABEL_COUNT)
        paint_label(row, 0, c->label, d->label.label);
}

/* Is the memory another one by now than the happening tells of? Its text is of today. */
static bool is_of_before(struct app *x, const struct happening *h)
{
    const struct memory_row *m = h->subject > 0 ? details_row(x, h->subject) : NULL;
    if (!m)
        return false;
    return h->sort == HAPPENED_WRITE ? m->event > h->id : m->updated_at > h->at;
}

/* Who it was: a person or an agent, which may have taken any name, and through which client. */
static void draw_who(struct app *x, const struct happening_columns *c, const struct pane *row,
                     const struct happening *h, const char *pattern)
{
    struct strbuf who = STRBUF_INIT;
    bool told = c->client || !c->clients || !*h->client || !strcmp(h->client, h->who);
    bool via = !h->person && !told && (c->width >= WIDE || h->foreign);
    enum style style = h->person ? STYLE_TITLE : STYLE_SOURCE;
    if (h->person)
        paint_text(row, 0, c->class, 1, STYLE_TITLE, "P");
    text_add(&who, h->person && news_is_own(x, h->who) ? "you" : h->who, TEXT_EXACT);
    if (via) {
        strbuf_addstr(&who, " via ");
        text_add(&who, h->client, TEXT_EXACT);
    }
    paint_name(row, 0, c->who, c->who_width, style, who.buf, pattern);
    strbuf_release(&who);
}

/* An event about no memory: the end of a response, or what a person decided of a session. */
static void draw_no_memory(const struct happening *h, const struct pane *row, int at, int room,
                           const char *pattern)
{
    struct strbuf text = STRBUF_INIT, clean = STRBUF_INIT;
    if (h->subject > 0 || (!h->about && !*h->text))
        return;
    if (*h->text)
        strbuf_addstr(&text, h->text);
    else
        strbuf_addf(&text, "session %lld (%s)", (long long)h->about,
                    *h->client ? h->client : "an unnamed client");
    text_clean(&clean, text.buf, text.len, TEXT_EXACT);
    paint_matched(row, 0, at, room, STYLE_TEXT, clean.buf, clean.len, pattern);
    strbuf_release(&text);
    strbuf_release(&clean);
}

/* "undone · ", or what an undo took back; returns the columns taken. */
static int draw_undone(struct app *x, const struct happening *h, const struct pane *row, int at,
                       int room)
{
    struct error e;
    const char *dot = glyph_text(&x->ui.screen, GLYPH_DOT);
    if (history_undone_by(x->data.reader, h->id, &e) > 0)
        return paint_format(row, 0, at, room, STYLE_CHIP, "undone %s", dot) + 1;
    if (h->undoes > 0)
        return paint_format(row, 0, at, room, STYLE_DIM, "event %lld %s", (long long)h->undoes,
                            dot) +
               1;
    return 0;
}

/* What an event changed, and why. */
static void draw_change(struct app *x, const struct happening *h, const struct pane *row, int at,
                        int room, const char *pattern)
{
    struct strbuf text = STRBUF_INIT, clean = STRBUF_INIT;
    int taken = room > 0 ? draw_undone(x, h, row, at, room) : 0;
    strbuf_addstr(&text, h->change);
    if (*h->why)
        strbuf_addf(&text, "%s\"%s\"", text.len ? " " : "", h->why);
    text_clean(&clean, text.buf, text.len, 0);
    if (room > taken && clean.len > 0)
        paint_matched(row, 0, at + taken, room - taken, STYLE_TEXT, clean.buf, clean.len, pattern);
    strbuf_release(&text);
    strbuf_release(&clean);
}

static void draw_from(struct app *x, const struct happening_columns *c, const struct pane *row,
                      const struct happening *h, const char *pattern)
{
    const struct detail *d = h->sort == HAPPENED_WRITE ? details_of(x, h->subject) : NULL;
    if (c->look != LOOK_LIVE && h->sort == HAPPENED_WRITE && h->subject > 0)
        draw_change(x, h, row, c->from, c->from_width, pattern);
    else if (c->look == LOOK_LIVE && d)
        paint_text(row, 0, c->from, c->from_width, STYLE_DIM, d->from);
}

/* The one column of text that is left has what was changed; of an addition what was added. */
static bool change_is_text(struct app *x, const struct happening_columns *c,
                           const struct happening *h)
{
    struct error e;
    if (c->look == LOOK_HISTORY)
        return true; /* its text stands above, as it is now */
    return c->look != LOOK_LIVE && !c->from && h->sort == HAPPENED_WRITE && h->subject > 0 &&
           (*h->change || *h->why || h->undoes > 0 ||
            history_undone_by(x->data.reader, h->id, &e) > 0);
}

/* What was done. About a session there is no memory, and more room. */
static void draw_said(const struct happening_columns *c, const struct pane *row,
                      const struct happening *h, const char *pattern)
{
    int width = c->ref && h->subject <= 0 && h->sort == HAPPENED_WRITE
                    ? c->ref - c->said + REF_WIDTH
                    : c->said_width;
    paint_name(row, 0, c->said, width, style_of(h), happening_said(h), pattern);
}

static void draw_text(struct app *x, const struct happening_columns *c, const struct pane *row,
                      const struct happening *h, int at, const char *pattern, int pan)
{
    int room = c->width - at - 1;
    if (change_is_text(x, c, h)) {
        draw_change(x, h, row, at, room, pattern);
        return;
    }
    if (h->sort != HAPPENED_WRITE) {
        int taken = draw_call(x, h, row, at, room, pattern) + 1;
        at += taken;
        room -= taken;
    } else {
        int from = c->from ? c->from : at;
        draw_no_memory(h, row, from, c->width - from - 1, pattern);
    }
    draw_memory(x, h, row, at, room, pattern, pan);
}

/* That the text is of another day goes before that the line is new: what is new stands above what is not. */
static void draw_news(struct app *x, const struct happening_columns *c, const struct pane *row,
                      const struct happening *h)
{
    bool touched = h->subject == x->remote.touched,
         other = c->look != LOOK_HISTORY && is_of_before(x, h);
    bool new = h->sort == HAPPENED_WRITE ? h->id > x->unread.seq : h->id > x->unread.call;
    if (other)
        paint_text(row, 0, c->label + 1, 1, touched ? STYLE_CHIP : STYLE_DIM, touched ? "!" : "~");
    else if (new)
        paint_text(row, 0, c->label + 1, 1, STYLE_CHIP, "+");
}

void happening_columns_row(struct app *x, const struct happening_columns *c, const struct pane *row,
                           const struct happening *h, const char *pattern, int pan)
{
    char when[40];
    if (!h)
        return;
    if (marks_has(&x->ui.marks, h->subject) && c->look != LOOK_HISTORY)
        paint_text(row, 0, 2, 1, STYLE_MARK, "*");
    draw_news(x, c, row, h);
    if (c->look != LOOK_HISTORY)
        draw_label(x, c, row, h);
    struct facts_look look = ages_look(&x->ui);
    if (c->age) {
        facts_when(when, sizeof(when), h->at, &look);
        paint_right(row, 0, c->age, c->age_width, STYLE_AGE, when);
    }
    draw_who(x, c, row, h, pattern);
    if (c->client && h->session > 0)
        paint_name(row, 0, c->client, CLIENT_WIDTH, STYLE_DIM, h->client, pattern);
    /* Where it is narrow, why a call was refused stands in place of "refused", which its mark says as well. */
    bool tight = h->sort == HAPPENED_REFUSAL && !c->ref;
    if (!tight)
        draw_said(c, row, h, pattern);
    if (c->ref)
        draw_ref(x, c, row, h);
    if (c->from)
        draw_from(x, c, row, h, pattern);
    /* A call was made from nothing, and where it is about no memory it has that column too. */
    int at = h->sort == HAPPENED_WRITE   ? c->text
             : tight                     ? c->said
             : h->subject <= 0 && c->ref ? c->ref
             : c->from                   ? c->from
                                         : c->text;
    draw_text(x, c, row, h, at, pattern, pan);
}
