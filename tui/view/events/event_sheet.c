/* One thing that happened, laid out in full. */
#include "tui/view/events/event_facts.h"

#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/render/difference_sheet.h"
#include "tui/render/facts_sheet.h"
#include "tui/explorer/news.h"
#include "tui/render/session_print.h"
#include "tui/text/text.h"

#define FIELD 11 /* where values begin, behind the names of facts */
#define WHY   40 /* lines of a reason at most */

struct laying {
    struct app *app;
    struct sheet *sheet;
    const struct event_facts *facts;
};

static void put(struct laying *l, const char *name, const char *value)
{
    if (!value || !*value || !sheet_line(l->sheet))
        return;
    sheet_put(l->sheet, 1, FIELD - 2, STYLE_FIELD, name);
    sheet_wrap(l->sheet, FIELD, l->sheet->width - FIELD - 1, STYLE_TEXT, value, WHY, true);
}

static void exact(char *out, size_t size, int64_t at)
{
    struct facts_look look = {.exact_times = true};
    facts_when(out, size, at, &look);
}

/* A name from outside: a line break in it shows. */
static void add_name(struct strbuf *out, const char *name)
{
    text_add(out, name, TEXT_EXACT);
}

/* "12: claude-code 2.1.4, uid 1000 pid 4711" */
static void add_session(const struct session_row *s, struct strbuf *out)
{
    struct strbuf name = STRBUF_INIT;
    char peer[SESSION_PEER_SIZE];
    session_name(s, &name);
    strbuf_addf(out, "%lld: ", (long long)s->id);
    add_name(out, name.buf);
    session_peer(peer, sizeof(peer), s);
    strbuf_addf(out, "%s%s", *peer ? ", " : "", peer);
    strbuf_release(&name);
}

static void put_who(struct laying *l)
{
    const struct event *e = l->facts->event;
    struct strbuf who = STRBUF_INIT;
    const struct session_row *session = &l->facts->session;
    const struct call_row *calls = l->facts->calls;
    const char *said = calls ? calls->guard.agent : NULL;
    const char *actor = e ? e->actor : said ? said : session->actor;
    const char *agent = e ? e->agent : said ? said : session->agent;
    add_name(&who, actor ? actor : "someone");
    bool person = e && e->class_name && !strcmp(e->class_name, "person");
    bool nobody = e && news_is_nobodys(e);
    strbuf_addstr(&who, nobody ? " itself" : person ? ", a person" : ", an agent");
    if (agent && (!actor || strcmp(agent, actor) != 0)) {
        strbuf_addstr(&who, " for ");
        add_name(&who, agent);
    }
    if (e && e->origin && !nobody) {
        strbuf_addstr(&who, ", through ");
        add_name(&who, e->origin);
    }
    if (session->id > 0) {
        strbuf_addstr(&who, ", session ");
        add_session(session, &who);
    }
    put(l, "who", who.buf);
    strbuf_release(&who);
}

static void put_about(struct laying *l)
{
    const struct session_row *about = &l->facts->about;
    struct strbuf text = STRBUF_INIT;
    if (about->id > 0) {
        add_session(about, &text);
        put(l, "session", text.buf);
    }
    strbuf_release(&text);
}

static void put_memory(struct laying *l)
{
    const struct memory_row *row = &l->facts->row;
    struct strbuf ref = STRBUF_INIT;
    if (row->node <= 0 || !sheet_line(l->sheet))
        return;
    facts_ref(row, l->facts->short_length, &ref);
    struct strbuf clean = STRBUF_INIT;
    add_name(&clean, ref.buf);
    int width = (int)text_width(clean.buf, clean.len, 40, 0);
    sheet_put(l->sheet, 1, FIELD - 2, STYLE_FIELD, "memory");
    sheet_put(l->sheet, FIELD, 40, STYLE_REF, clean.buf);
    if (row->status != STATUS_ACTIVE)
        sheet_format(l->sheet, FIELD + width + 2, 0, STYLE_DIM, "%s %s %s",
                     status_name(row->status), glyph_text(&l->app->ui.screen, GLYPH_DOT),
                     row->text ? row->text : "");
    else
        sheet_put(l->sheet, FIELD + width + 2, 0, STYLE_TEXT, row->text);
    strbuf_release(&clean);
    strbuf_release(&ref);
}

static const char *who_did(const struct event *e)
{
    bool person = e->class_name && !strcmp(e->class_name, "person");
    return person && e->actor ? e->actor : news_who(e);
}

static void put_batch(struct laying *l)
{
    const struct event_facts *f = l->facts;
    struct strbuf text = STRBUF_INIT;
    if (f->together <= 1)
        return;
    strbuf_addf(&text, "one of %lld changes made together: ", (long long)f->together);
    add_name(&text, f->event->correlation);
    for (size_t i = 0; i < f->other_count; i++) {
        const struct event *e = &f->others[i];
        strbuf_addf(&text, "\nevent %lld %s ", (long long)e->seq, news_said(e->operation));
        if (e->ref.id) {
            strbuf_addf(&text, "%s:", kind_name(e->ref.kind));
            add_name(&text, e->ref.id);
        }
    }
    if (f->together - 1 > (int64_t)f->other_count)
        strbuf_addf(&text, "\nand %lld more",
                    (long long)(f->together - 1) - (long long)f->other_count);
    put(l, "together", text.buf);
    strbuf_release(&text);
}

static void put_undone(struct laying *l)
{
    const struct event_facts *f = l->facts;
    struct strbuf text = STRBUF_INIT;
    char when[40];
    if (f->undone_by) {
        exact(when, sizeof(when), f->undone_by->at);
        strbuf_addf(&text, "by event %lld, %s, ", (long long)f->undone_by->seq, when);
        add_name(&text, who_did(f->undone_by));
        put(l, "undone", text.buf);
    }
    strbuf_clear(&text);
    if (f->event->undoes > 0) {
        strbuf_addf(&text, "event %lld", (long long)f->event->undoes);
        put(l, "takes back", text.buf);
    }
    strbuf_release(&text);
}

static void put_changes(struct laying *l)
{
    const struct event_facts *f = l->facts;
    if (f->event->subject <= 0)
        return;
    sheet_line(l->sheet);
    if (f->purged_by)
        put(l, "changed",
            f->purged_by == f->id ? "what it was is not kept"
                                  : "purged since: what it was is not kept");
    else if (f->difference_count == 0)
        put(l, "changed", "nothing that is kept");
    difference_sheet(l->sheet, f->difference, f->difference_count, !l->app->ui.screen.utf8);
}

static void add_took(struct strbuf *out, const char *what, int64_t us, size_t count)
{
    if (us > 0)
        strbuf_addf(out, "%s%s %.3f ms", out->len ? ", " : "", what,
                    (double)us / 1000 / (double)(count ? count : 1));
}

/* What is known beside who asked for what; of older calls nothing is. */
static void put_guard(struct laying *l, const struct call_row *c)
{
    const struct call_guard *g = &c->guard;
    struct strbuf text = STRBUF_INIT;
    char masked[64];
    put(l, "namespace", g->namespace_);
    put(l, "task", g->task);
    put(l, "trace", g->traceparent);
    snprintf(masked, sizeof(masked), "%lld of personal data", (long long)g->redactions);
    if (g->redactions > 0)
        put(l, "masked", masked);
    add_took(&text, "permission", g->spans.permission_us, c->count);
    add_took(&text, "personal data", g->spans.pii_us, c->count);
    add_took(&text, "store", g->spans.store_us, c->count);
    if (text.len && c->count > 1)
        strbuf_addstr(&text, ", each on average");
    put(l, "took", text.buf);
    strbuf_release(&text);
}

static void put_calls(struct laying *l, const struct happening *h)
{
    char first[40], last[40], text[128];
    int64_t from = h->at;
    const struct call_row *c = l->facts->calls;
    for (size_t i = 0; i < c->count; i++)
        if (c->outcome[i] == h->outcome && c->at[i] < from)
            from = c->at[i];
    put(l, "tool", c->tool);
    exact(first, sizeof(first), from);
    exact(last, sizeof(last), h->at);
    if (h->count > 1)
        snprintf(text, sizeof(text), "%u times, from %s to %s", h->count, first, last);
    else
        snprintf(text, sizeof(text), "once, %s", first);
    put(l, "called", text);
    put(l, "refused", happening_why(h));
    put_guard(l, c);
}

void event_sheet(struct app *x, struct sheet *s, int width, const struct event_facts *f,
                 const struct happening *h)
{
    struct laying l = {x, s, f};
    sheet_clear(s, width);
    put_who(&l);
    put_memory(&l);
    put_about(&l);
    if (f->call) {
        put_calls(&l, h);
        return;
    }
    put(&l, "why", f->event->reason);
    put_undone(&l);
    put_batch(&l);
    put_changes(&l);
}

void event_title(struct app *x, const struct happening *h, struct strbuf *out)
{
    const char *dot = glyph_text(&x->ui.screen, GLYPH_DOT);
    if (h->sort == HAPPENED_WRITE)
        strbuf_addf(out, "event %lld %s %s", (long long)h->id, dot, happening_said(h));
    else
        strbuf_addf(out, "call%s %s %s", h->count == 1 ? "" : "s", dot, happening_said(h));
}
