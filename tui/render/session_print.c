#include "tui/render/session_print.h"

#include <stdio.h>
#include <string.h>
#include "model/base/clock.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/guard/guard.h"
#include "tui/render/brief.h"
#include "tui/render/facts.h"
#include "tui/text/text.h"

const char *session_client(const struct session_row *s)
{
    return utf8_is_blank(s->client) ? "unnamed client" : s->client;
}

const char *session_known_as(const struct session_row *s)
{
    bool named = !s->actor || !utf8_is_blank(s->agent) || !utf8_is_blank(s->client);
    return named ? s->actor : session_client(s);
}

void session_name(const struct session_row *s, struct strbuf *out)
{
    strbuf_addstr(out, session_client(s));
    if (s->client_version && *s->client_version)
        strbuf_addf(out, " %s", s->client_version);
}

void session_title(const struct session_row *s, struct strbuf *out)
{
    strbuf_addf(out, "session %lld (", (long long)s->id);
    session_name(s, out);
    strbuf_addch(out, ')');
}

bool session_is_lost(const struct session_row *s)
{
    return !s->lives && s->ended_by && !strcmp(s->ended_by, "lost");
}

bool session_is_loopback(const struct session_row *s)
{
    return s->peer_uid < 0 && s->peer_pid < 0 && s->transport && strcmp(s->transport, "http") == 0;
}

void session_state(const struct session_row *s, struct strbuf *out)
{
    if (s->lives)
        strbuf_addstr(out, s->read_only ? "live, read only" : "live");
    else if (s->away)
        strbuf_addstr(out, "away; read only when it comes again");
    else if (session_is_lost(s))
        strbuf_addstr(out, "lost: its process was killed");
    else
        strbuf_addf(out, "ended by %s", s->ended_by ? s->ended_by : "someone");
}

const char *session_agent(const struct session_row *s)
{
    return s->agent ? s->agent : s->actor;
}

void session_mask(struct reader *r, struct arena *arena, struct session_row *rows, size_t count)
{
    const struct guard_rules *rules = reader_masked(r);
    for (size_t i = 0; rules && i < count; i++) {
        const char **const words[] = {&rows[i].actor,  &rows[i].agent,          &rows[i].task,
                                      &rows[i].client, &rows[i].client_version, &rows[i].ended_by};
        for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++) {
            const char *shown = guard_mask_text(rules, arena, *words[k]);
            *words[k] = shown || !*words[k] ? shown : "";
        }
    }
}

/* ---- numbers ---- */

void took_text(char *out, size_t size, const struct latency *l, double percent)
{
    int64_t us = latency_percentile(l, percent);
    if (!l->count)
        snprintf(out, size, "-");
    else if (us < 1000)
        snprintf(out, size, "%dus", (int)us);
    else if (us < 10000)
        snprintf(out, size, "%.1fms", (double)us / 1e3);
    else if (us < 1000000)
        snprintf(out, size, "%dms", (int)(us / 1000));
    else if (us < 10000000)
        snprintf(out, size, "%.1fs", (double)us / 1e6);
    else
        snprintf(out, size, "%llds", (long long)(us / 1000000));
}

void session_peer(char *out, size_t size, const struct session_row *s)
{
    int len = 0;
    snprintf(out, size, "%s", session_is_loopback(s) ? "loopback" : "");
    if (s->peer_uid >= 0)
        len = snprintf(out, size, "uid %lld", (long long)s->peer_uid);
    if (s->peer_pid >= 0)
        snprintf(out + len, size - (size_t)len, "%spid %lld", len ? " " : "",
                 (long long)s->peer_pid);
}

/* ---- JSON ---- */

/* `none` is written as null. */
static void add_number(struct json_object *o, const char *key, int64_t number, int64_t none)
{
    if (number == none)
        json_pair(o, key, NULL);
    else
        json_pair_int(o, key, number);
}

double session_rate(const struct session_row *s, int64_t now)
{
    int64_t end = s->lives ? now : s->ended_at;
    int64_t ms = end - s->started_at;
    return (double)s->calls * 1000 / (double)(ms < 1000 ? 1000 : ms);
}

static void add_latency(struct json_object *o, const struct latency *latency)
{
    struct json_object p = json_open(o, "latency_us", '{');
    json_pair_int(&p, "p50", latency_percentile(latency, 50));
    json_pair_int(&p, "p90", latency_percentile(latency, 90));
    json_pair_int(&p, "p99", latency_percentile(latency, 99));
    json_end(&p);
}

/* Where those of the session begin. */
static size_t first_of(struct session_use_names names, int64_t session)
{
    size_t low = 0, high = names.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (names.list[middle].session < session)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_names(struct json_object *o, int64_t session, struct session_use_names names)
{
    int64_t redactions = 0;
    struct json_object list = json_open(o, "namespaces", '[');
    for (size_t i = first_of(names, session); i < names.count && names.list[i].session == session;
         i++) {
        const struct session_name *n = &names.list[i];
        redactions += n->redactions;
        if (!n->namespace_)
            continue;
        struct json_object one = json_item_open(&list, '{');
        json_pair(&one, "namespace", n->namespace_);
        json_pair_int(&one, "calls", n->calls);
        json_pair_int(&one, "errors", n->errors);
        json_pair_int(&one, "redactions", n->redactions);
        json_end(&one);
    }
    json_end(&list);
    json_pair_int(o, "redactions", redactions);
}

void session_json(struct output *out, const struct session_row *s, struct session_use_names names)
{
    struct json_object o = json_begin(&out->text, '{');
    add_number(&o, "id", s->id, 0);
    json_pair(&o, "uuid", s->uuid);
    json_pair(&o, "client", s->client);
    json_pair(&o, "client_version", s->client_version);
    json_pair(&o, "era", s->era);
    json_pair(&o, "transport", s->transport);
    json_pair(&o, "actor", s->actor);
    json_pair(&o, "agent", s->agent);
    json_pair(&o, "task", s->task);
    add_number(&o, "peer_uid", s->peer_uid, -1);
    add_number(&o, "peer_pid", s->peer_pid, -1);
    add_number(&o, "process", s->process, -1);
    add_number(&o, "started_at", s->started_at, 0);
    add_number(&o, "seen_at", s->seen_at, 0);
    add_number(&o, "ended_at", s->ended_at, 0);
    json_pair(&o, "ended_by", s->ended_by);
    json_pair_bool(&o, "lives", s->lives);
    json_pair_bool(&o, "read_only", s->read_only);
    json_pair_int(&o, "calls", s->calls);
    json_pair_int(&o, "errors", s->errors);
    json_key(&o, "rate");
    json_add_double(&out->text, (double)(int64_t)(session_rate(s, out->now) * 1000) / 1000);
    add_latency(&o, &s->latency);
    add_names(&o, s->id, names);
    json_end(&o);
    strbuf_addch(&out->text, '\n');
}

/* ---- for people ---- */

struct laying {
    struct sheet *sheet;
    struct facts_look look,
        whole; /* two facts in a line where there is room; each in lines of its own */
    int place;
};

/* Raw text, which shows what it hides; nothing where it is not known. */
static void put(struct laying *l, const char *field, const char *text)
{
    if (text)
        facts_put_name(l->sheet, &l->place, &l->look, field, text);
}

static void put_whole(struct laying *l, const char *field, const char *text)
{
    if (text)
        facts_put_name(l->sheet, &l->place, &l->whole, field, text);
}

static void put_time(struct laying *l, const char *field, int64_t at)
{
    struct strbuf text = STRBUF_INIT;
    if (at)
        add_time(&text, at, l->look.now);
    put(l, field, text.buf);
    strbuf_release(&text);
}

static void put_calls(struct laying *l, const struct session_row *s, const char *pace)
{
    char half[32], nine[32], most[32], text[200];
    snprintf(text, sizeof(text), "%s%lld, %lld failed, %.1f a second in the mean%s",
             session_is_lost(s) ? "at least " : "", (long long)s->calls, (long long)s->errors,
             session_rate(s, l->look.now), pace);
    put_whole(l, "calls", text);
    took_text(half, sizeof(half), &s->latency, 50);
    took_text(nine, sizeof(nine), &s->latency, 90);
    took_text(most, sizeof(most), &s->latency, 99);
    snprintf(text, sizeof(text), "%s or less (half), %s (9 of 10), %s (99 of 100)", half, nine,
             most);
    if (s->latency.count)
        put_whole(l, "they took", text);
}

/* "a.b 12 calls, 3 failed, 2 masked": a line for each. */
static void put_names(struct laying *l, int64_t session, struct session_use_names names)
{
    for (size_t i = first_of(names, session); i < names.count && names.list[i].session == session;
         i++) {
        const struct session_name *n = &names.list[i];
        struct strbuf text = STRBUF_INIT;
        strbuf_addf(&text, "%s: %lld call%s, %lld failed, %lld masked",
                    n->namespace_ ? n->namespace_ : "no namespace", (long long)n->calls,
                    n->calls == 1 ? "" : "s", (long long)n->errors, (long long)n->redactions);
        put_whole(l, "about", text.buf);
        strbuf_release(&text);
    }
}

void session_sheet(struct sheet *sheet, const struct session_row *s, struct session_use_names names,
                   int64_t now, const char *pace, bool pairs)
{
    struct laying l = {.sheet = sheet,
                       .look = {.width = sheet->width, .now = now, .command = !pairs}};
    struct strbuf text = STRBUF_INIT;
    char peer[SESSION_PEER_SIZE];
    l.whole = l.look;
    l.whole.command = true;
    session_name(s, &text);
    put(&l, "client", text.buf);
    strbuf_clear(&text);
    session_state(s, &text);
    put(&l, "state", text.buf);
    put(&l, "agent", session_agent(s));
    put(&l, "protocol", s->era);
    put_time(&l, "began", s->started_at);
    put_time(&l, "last call", s->seen_at);
    put_time(&l, "ended", s->ended_at);
    strbuf_clear(&text);
    strbuf_addstr(&text, s->transport ? s->transport : "unknown");
    if (s->process >= 0)
        strbuf_addf(&text, ", by process %lld", (long long)s->process);
    put(&l, "served", text.buf);
    session_peer(peer, sizeof(peer), s);
    put(&l, "peer", peer);
    strbuf_clear(&text);
    strbuf_addf(&text, "%lld, %s", (long long)s->id, s->uuid ? s->uuid : "?");
    put_whole(&l, "session", text.buf);
    put_calls(&l, s, pace);
    put_whole(&l, "task", s->task);
    put_names(&l, s->id, names);
    strbuf_release(&text);
}
