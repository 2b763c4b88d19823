/* Reading what happened, from the two logs at once. */
#include "happening.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../model/alloc.h"
#include "../model/strbuf.h"
#include "app.h"
#include "match.h"
#include "news.h"

#define BATCH     256 /* of a log, at a time */
#define TEXT_KEPT 160 /* bytes of a memory's text */
#define NAME_KEPT 64

/* ---- one of them ---- */

/* The client and the agent of a session; empty ones where there is none. */
static const struct client_known *client_of(struct happening_walk *w, struct reader *r,
                                            int64_t session)
{
    static const struct client_known nobody;
    size_t known = sizeof(w->known) / sizeof(w->known[0]);
    struct arena arena = ARENA_INIT;
    struct session_row row;
    struct error e;
    char text[24];
    if (session <= 0)
        return &nobody;
    for (size_t i = 0; i < known; i++)
        if (w->known[i].session == session)
            return &w->known[i];
    struct client_known *one = &w->known[w->known_next++ % known];
    *one = (struct client_known){.session = session};
    snprintf(text, sizeof(text), "%lld", (long long)session);
    if (!session_find(r, &arena, text, &row, &e)) {
        snprintf(one->name, sizeof(one->name), "%s", row.client ? row.client : row.transport);
        snprintf(one->agent, sizeof(one->agent), "%s", row.agent ? row.agent : row.actor);
    }
    arena_release(&arena);
    return one;
}

/* A string and its end, of at most `most` bytes, in the happening's own. */
static const char *pack(char **at, const char *text, size_t most)
{
    size_t len = text ? strnlen(text, most) : 0;
    char *begin = *at;
    if (len > 0)
        memcpy(begin, text, len);
    begin[len] = '\0';
    *at += len + 1;
    return begin;
}

struct words {
    const char *who, *what, *client;
};

/* NULL where memory ran out. */
static struct happening *make(struct reader *r, const struct happening *like,
                              const struct words *words)
{
    struct arena arena = ARENA_INIT;
    struct memory_row row;
    struct error e;
    char ref[REF_ID_MAX + 32] = "";
    bool known = like->subject > 0 && !memory_row_read(r, &arena, like->subject, &row, &e);
    if (known)
        snprintf(ref, sizeof(ref), "%s:%s", kind_name(row.ref.kind), row.ref.id);
    size_t room = 3 * (NAME_KEPT + 1) + strlen(ref) + 1 + TEXT_KEPT + 1;
    struct happening *h = malloc(sizeof(*h) + room);
    if (h) {
        char *at = h->bytes;
        *h = *like;
        h->who = pack(&at, words->who, NAME_KEPT);
        h->what = pack(&at, words->what, NAME_KEPT);
        h->client = pack(&at, words->client, NAME_KEPT);
        h->ref = pack(&at, ref, sizeof(ref));
        h->text = pack(&at, known ? row.text : NULL, TEXT_KEPT);
    }
    arena_release(&arena);
    return h;
}

static bool matches(const struct happening *h, const char *pattern)
{
    struct strbuf text = STRBUF_INIT;
    happening_text(h, &text);
    bool found = match_text(text.buf, pattern);
    strbuf_release(&text);
    return found;
}

static int keep(struct happening_walk *w, struct happening *h, struct error *e)
{
    w->seen++;
    if (h && *w->filter.pattern && !matches(h, w->filter.pattern)) {
        free(h);
        return 0;
    }
    if (!h || !array_grow((void **)&w->found, &w->alloc, w->count, sizeof(struct happening *))) {
        free(h);
        return error_set(e, ERROR_MEMORY, "Filter it with \\.",
                         "there is no memory left for all that happened");
    }
    w->found[w->count++] = h;
    w->met = w->met || (*w->until && matches(h, w->until));
    return 0;
}

static int keep_event(struct happening_walk *w, struct reader *r, const struct event *event,
                      struct error *e)
{
    if (w->filter.session && event->session != w->filter.session)
        return 0;
    struct happening like = {.at = event->at,
                             .id = event->seq,
                             .subject = event->subject,
                             .session = event->session,
                             .count = 1,
                             .sort = HAPPENED_WRITE,
                             .person =
                                 event->class_name && strcmp(event->class_name, "person") == 0};
    const struct client_known *client = client_of(w, r, event->session);
    struct words words = {like.person && event->actor ? event->actor : news_who(event),
                          event->operation, client->name};
    like.foreign = !like.person && event->session > 0 &&
                   strncmp(words.who, client->agent, sizeof(client->agent) - 1) != 0;
    return keep(w, make(r, &like, &words), e);
}

/* Calls of a row that were answered, or that failed in one way, are one happening. */
static int keep_calls(struct happening_walk *w, struct reader *r, const struct call_row *call,
                      bool refused, struct error *e)
{
    struct happening like = {.id = call->id,
                             .subject = call->subject,
                             .session = call->session,
                             .sort = refused ? HAPPENED_REFUSAL : HAPPENED_READ};
    for (size_t i = 0; i < call->count; i++) {
        if ((call->outcome[i] != ERROR_NONE) != refused)
            continue;
        like.count++;
        like.at = call->at[i] > like.at ? call->at[i] : like.at;
        like.outcome = (uint8_t)call->outcome[i];
    }
    if (like.count == 0)
        return 0;
    const struct client_known *client = client_of(w, r, call->session);
    struct words words = {client->agent, call->tool, client->name};
    return keep(w, make(r, &like, &words), e);
}

static int keep_call(struct happening_walk *w, struct reader *r, const struct call_row *call,
                     struct error *e)
{
    if (w->filter.session && call->session != w->filter.session)
        return 0;
    /* Of one row the refusal is the later one (is_later). */
    return keep_calls(w, r, call, w->back, e) || keep_calls(w, r, call, !w->back, e) ? -1 : 0;
}

/* ---- the two logs ---- */

/* The next rows of a log: those after `from`, or the last ones before it. */
static int fill(struct happening_walk *w, struct reader *r, struct happening_buffer *b, bool calls,
                struct error *e)
{
    int64_t *from = calls ? &w->call : &w->seq;
    b->count = b->at = 0;
    arena_clear(&b->arena);
    while (b->count == 0 && !b->end) {
        /* Ids of the log of calls have gaps: backwards it goes by windows of ids, empty ones too. */
        int64_t after = !w->back ? *from : *from - 1 > BATCH ? *from - 1 - BATCH : 0;
        size_t limit = w->back ? (size_t)(*from > 0 ? *from - 1 - after : 0) : BATCH;
        int failed = 0;
        if (limit > 0)
            failed = calls ? call_list(r, &b->arena, after, limit, &b->calls, &b->count, e)
                           : journal_read(r, &b->arena, after, limit, &b->events, &b->count, e);
        if (failed)
            return -1;
        /* Backwards a window may reach beyond itself, for what it lacks comes after it. */
        while (w->back && b->count > 0 &&
               (calls ? b->calls[b->count - 1].id : b->events[b->count - 1].seq) >= *from)
            b->count--;
        b->end = w->back ? after == 0 && b->count == 0 : b->count == 0;
        if (w->back && b->count == 0)
            *from = after + 1;
    }
    return 0;
}

static const struct event *head_event(const struct happening_walk *w)
{
    const struct happening_buffer *b = &w->written;
    return b->at < b->count ? &b->events[w->back ? b->count - 1 - b->at : b->at] : NULL;
}

static const struct call_row *head_call(const struct happening_walk *w)
{
    const struct happening_buffer *b = &w->called;
    return b->at < b->count ? &b->calls[w->back ? b->count - 1 - b->at : b->at] : NULL;
}

static int64_t last_at(const struct call_row *call)
{
    int64_t at = 0;
    for (size_t i = 0; i < call->count; i++)
        at = call->at[i] > at ? call->at[i] : at;
    return at;
}

/* The one of both logs that comes next; 1, or 0 at the end of both. */
static int take_next(struct happening_walk *w, struct reader *r, struct error *e)
{
    if ((w->written.at == w->written.count && fill(w, r, &w->written, false, e)) ||
        (w->called.at == w->called.count && fill(w, r, &w->called, true, e)))
        return -1;
    const struct event *event = head_event(w);
    const struct call_row *call = head_call(w);
    if (!event && !call)
        return 0;
    bool event_first =
        event && (!call || (w->back ? event->at >= last_at(call) : event->at <= last_at(call)));
    if (event_first) {
        w->seq = event->seq;
        w->written.at++;
        return keep_event(w, r, event, e) ? -1 : 1;
    }
    w->call = call->id;
    w->called.at++;
    return keep_call(w, r, call, e) ? -1 : 1;
}

/* Backwards from behind the last ones. */
static int begin(struct happening_walk *w, struct reader *r, struct error *e)
{
    int64_t seq = journal_last(r, e), call = seq < 0 ? -1 : call_last(r, e);
    int64_t calls = call < 0 ? -1 : call_count(r, e);
    if (calls < 0)
        return -1;
    w->there = seq + calls;
    w->seq = w->first_seq = seq + 1;
    w->call = w->first_call = call + 1;
    w->begun = true;
    return 0;
}

static bool wants_more(const struct happening_walk *w)
{
    return !w->met && (w->wanted == 0 || w->taken + w->count < w->wanted);
}

int happening_walk_on(struct happening_walk *w, struct reader *r, int ms, struct error *e)
{
    int64_t until = monotonic_ms() + ms;
    int more = 1;
    if (reader_begin(r, e))
        return -1;
    if (!w->begun && begin(w, r, e))
        more = -1;
    for (size_t taken = 1; more > 0 && wants_more(w); taken++) {
        more = take_next(w, r, e);
        if (taken % 16 == 0 && monotonic_ms() >= until)
            break;
    }
    reader_end(r);
    w->ended = more == 0;
    return more <= 0 ? more : wants_more(w);
}

void happening_walk_release(struct happening_walk *w)
{
    for (size_t i = 0; i < w->count; i++)
        free(w->found[i]);
    free(w->found);
    arena_release(&w->written.arena);
    arena_release(&w->called.arena);
    *w = (struct happening_walk){0};
}
