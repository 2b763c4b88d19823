#include "happening_row.h"

#include <string.h>
#include "../model/strbuf.h"
#include "app.h"
#include "facts_sheet.h"
#include "news.h"
#include "text.h"

#define SAID_WIDTH   12
#define REF_WIDTH    17
#define CLIENT_WIDTH 14
#define TEXT_LEAST   26

struct happening_columns happening_columns_fit(const struct app *x, int width, bool clients)
{
    struct happening_columns c = {
        .label = 3, .age = 6, .width = width, .age_width = x->exact_times ? 19 : 4};
    int at = c.age + c.age_width + 2, room;
    c.who_width = width >= 100 ? 14 : 11;
    c.from_width = width >= 170 ? 40 : 24;
    /* What it was made from comes before whose client it was: that stands above, with its agent. */
    room = width - (at + c.who_width + 2 + SAID_WIDTH + 1 + REF_WIDTH + 2) - TEXT_LEAST;
    bool from = room >= c.from_width + 2;
    bool client = clients && room >= c.from_width + 2 + CLIENT_WIDTH + 2;
    c.who = at;
    at += c.who_width + 2;
    c.client = client ? at : 0;
    at += client ? CLIENT_WIDTH + 2 : 0;
    c.said = at;
    at += SAID_WIDTH + 1;
    c.ref = width - at - REF_WIDTH >= 12 ? at : 0;
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
        {c->who, c->who_width, "who"},    {c->client, CLIENT_WIDTH, "client"},
        {c->said, SAID_WIDTH, "did"},     {c->ref, REF_WIDTH, "memory"},
        {c->from, c->from_width, "from"}, {c->text, c->width - c->text, "text"},
    };
    paint_right(row, 0, c->age, c->age_width, STYLE_HEADER, x->exact_times ? "at" : "age");
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
    };
    return styles[h->sort];
}

/* What a call was and came to: "memory_search ×12", "memory_note CONFLICT ×2". */
static int draw_call(struct app *x, const struct happening *h, const struct pane *row, int at,
                     int room, const char *pattern)
{
    struct strbuf call = STRBUF_INIT, clean = STRBUF_INIT;
    strbuf_addstr(&call, h->what);
    if (h->sort == HAPPENED_REFUSAL)
        strbuf_addf(&call, " %s", error_name((enum error_code)h->outcome));
    if (h->count > 1)
        strbuf_addf(&call, " %s%u", glyph_text(&x->screen, GLYPH_TIMES), h->count);
    if (h->subject > 0)
        strbuf_addf(&call, " %s", glyph_text(&x->screen, GLYPH_DOT));
    text_clean(&clean, call.buf, call.len, TEXT_EXACT);
    int taken = paint_matched(row, 0, at, room, style_of(h), clean.buf, clean.len, pattern);
    strbuf_release(&call);
    strbuf_release(&clean);
    return taken;
}

/* The memory as it is now: what is gone says so. */
static void draw_memory(struct app *x, const struct happening *h, const struct pane *row, int at,
                        int room, const char *pattern, int pan)
{
    const struct memory_row *m = h->subject > 0 ? details_row(x, h->subject) : NULL;
    if (!m || room < 1)
        return;
    if (m->status != STATUS_ACTIVE) {
        int taken = paint_format(row, 0, at, room, STYLE_DIM, "%s %s", status_name(m->status),
                                 glyph_text(&x->screen, GLYPH_DOT));
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
        paint_text(row, 0, c->label, 1, STYLE_UNGROUNDED, "!");
    else if (m && !STATUS_LIVES(m->status))
        paint_label(row, 0, c->label, LABEL_GONE);
    else if (h->sort == HAPPENED_WRITE && d && d->label.label < LABEL_COUNT)
        paint_label(row, 0, c->label, d->label.label);
}

/* An event about a session: what a person decided of it. */
static void draw_session(const struct happening *h, const struct pane *row, int at, int room,
                         const char *pattern)
{
    struct strbuf text = STRBUF_INIT, clean = STRBUF_INIT;
    if (h->subject > 0 || !h->session)
        return;
    strbuf_addf(&text, "the session of %s", *h->client ? h->client : "an unnamed client");
    if (!strcmp(h->what, "read-only-session"))
        strbuf_addstr(&text, ": it can only read now");
    if (!strcmp(h->what, "read-write-session"))
        strbuf_addstr(&text, ": it can write again");
    text_clean(&clean, text.buf, text.len, TEXT_EXACT);
    paint_matched(row, 0, at, room, STYLE_TEXT, clean.buf, clean.len, pattern);
    strbuf_release(&text);
    strbuf_release(&clean);
}

void happening_columns_row(struct app *x, const struct happening_columns *c, const struct pane *row,
                           const struct happening *h, const char *pattern, int pan)
{
    char when[40];
    if (!h)
        return;
    if (marks_has(&x->marks, h->subject))
        paint_text(row, 0, 2, 1, STYLE_MARK, "*");
    if (h->subject > 0 && h->subject == x->touched)
        paint_text(row, 0, c->label + 1, 1, STYLE_CHIP, "!");
    draw_label(x, c, row, h);
    struct facts_look look = {.now = x->now, .exact_times = x->exact_times};
    facts_when(when, sizeof(when), h->at, &look);
    paint_right(row, 0, c->age, c->age_width, STYLE_AGE, when);
    paint_name(row, 0, c->who, c->who_width, STYLE_SOURCE, h->who, pattern);
    if (c->client)
        paint_name(row, 0, c->client, CLIENT_WIDTH, STYLE_DIM, h->client, pattern);
    paint_name(row, 0, c->said, SAID_WIDTH, style_of(h), happening_said(h), pattern);
    if (c->ref)
        draw_ref(x, c, row, h);
    const struct detail *d = h->sort == HAPPENED_WRITE ? details_of(x, h->subject) : NULL;
    if (c->from && d)
        paint_text(row, 0, c->from, c->from_width, STYLE_DIM, d->from);
    int at = c->text, room = c->width - c->text - 1;
    if (h->sort != HAPPENED_WRITE) {
        int taken = draw_call(x, h, row, at, room, pattern) + 1;
        at += taken;
        room -= taken;
    } else {
        draw_session(h, row, at, room, pattern);
    }
    draw_memory(x, h, row, at, room, pattern, pan);
}
