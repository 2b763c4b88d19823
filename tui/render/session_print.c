#include "tui/render/session_print.h"

#include <stdio.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/guard/guard.h"
#include "tui/render/oneline.h"
#include "tui/render/permission_table.h"

const char *session_client(const struct session_row *s)
{
    return utf8_is_blank(s->client) ? "unnamed client" : s->client;
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
        strbuf_addstr(out, s->read_only ? "connected, read-only" : "live");
    else if (s->away)
        strbuf_addstr(out, "away; read-only when it comes back");
    else if (session_is_lost(s))
        strbuf_addstr(out, "lost: its process was killed");
    else
        strbuf_addf(out, "ended by %s", s->ended_by ? s->ended_by : "someone");
}

void session_mask(struct reader *r, struct arena *arena, struct session_row *rows, size_t count)
{
    const struct guard_rules *rules = reader_masked(r);
    for (size_t i = 0; rules && i < count; i++) {
        const char **const words[] = {&rows[i].actor,   &rows[i].label,  &rows[i].agent,
                                      &rows[i].task,    &rows[i].client, &rows[i].client_version,
                                      &rows[i].ended_by};
        for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++) {
            const char *shown = guard_mask_text(rules, arena, *words[k]);
            *words[k] = shown || !*words[k] ? shown : "";
        }
    }
}

/* ---- numbers ---- */

void latency_text(char *out, size_t size, const struct latency *l, double percent)
{
    microseconds_text(out, size, l->count ? latency_percentile(l, percent) : -1);
}

void microseconds_text(char *out, size_t size, int64_t us)
{
    if (us < 0)
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
    if (s->machine) {
        snprintf(out, size, "on %s", s->machine);
        return;
    }
    snprintf(out, size, "%s", session_is_loopback(s) ? "loopback" : "");
    if (s->peer_uid >= 0)
        len = snprintf(out, size, "uid %lld", (long long)s->peer_uid);
    if (s->peer_pid >= 0)
        snprintf(out + len, size - (size_t)len, "%spid %lld", len ? " " : "",
                 (long long)s->peer_pid);
}

/* ---- JSON ---- */

/* Writes `none` as null. */
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

/* The index of the session's first row in a list of `count` that is ordered by session. */
static size_t first_of(const void *list, size_t count, size_t size, size_t member, int64_t session)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int64_t at;
        memcpy(&at, (const char *)list + middle * size + member, sizeof(at));
        if (at < session)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#define FIRST_OF(list, count, session_)                                                            \
    first_of(list, count, sizeof(*(list)), offsetof(__typeof__(*(list)), session), session_)

/* The part of the details that is of one session. */
static struct session_details details_of_session(struct session_details all, int64_t session)
{
    struct session_details own = {0};
    size_t at = FIRST_OF(all.name, all.names, session);
    own.name = all.name + at;
    while (at + own.names < all.names && own.name[own.names].session == session)
        own.names++;
    at = FIRST_OF(all.usage, all.usages, session);
    own.usage = all.usage + at;
    while (at + own.usages < all.usages && own.usage[own.usages].session == session)
        own.usages++;
    return own;
}

static void add_names(struct json_object *o, const struct session_details *own)
{
    int64_t redactions = 0;
    struct json_object list = json_open(o, "namespaces", '[');
    for (size_t i = 0; i < own->names; i++) {
        const struct session_namespace *n = &own->name[i];
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

/* ---- what was sent ---- */

void tokens_text(char *out, size_t size, int64_t bytes)
{
    double tokens = (double)bytes / BYTES_A_TOKEN;
    if (bytes < 0)
        snprintf(out, size, "-");
    else if (tokens < 999.5)
        snprintf(out, size, "~%.0f", tokens);
    else if (tokens < 999500)
        snprintf(out, size, tokens < 99950 ? "~%.1fk" : "~%.0fk", tokens / 1e3);
    else
        snprintf(out, size, tokens < 99950000 ? "~%.1fM" : "~%.0fM", tokens / 1e6);
}

void add_usage(struct strbuf *out, const struct usage *u)
{
    char bytes[24], tokens[24], full[24];
    format_bytes(bytes, sizeof(bytes), u->bytes);
    tokens_text(tokens, sizeof(tokens), u->bytes);
    tokens_text(full, sizeof(full), u->full_bytes);
    strbuf_addf(out, "%s, %s tokens", bytes, tokens);
    if (u->full_bytes != u->bytes)
        strbuf_addf(out, ", in full form %s", full);
}

struct usage session_total(const struct session_row *rows, size_t count)
{
    struct usage sum = {.tool = NULL};
    for (size_t i = 0; i < count; i++) {
        sum.bytes += rows[i].bytes > 0 ? rows[i].bytes : 0;
        sum.full_bytes += rows[i].full_bytes > 0 ? rows[i].full_bytes : 0;
    }
    return sum;
}

static struct usage sum_of(const struct session_details *own)
{
    struct usage sum = {.tool = NULL};
    for (size_t i = 0; i < own->usages; i++)
        usage_add(&sum, &own->usage[i]);
    return sum;
}

static void pair_usage(struct json_object *o, const struct usage *u)
{
    json_pair_int(o, "answers", u->answers);
    json_pair_int(o, "failures", u->failures);
    json_pair_int(o, "bytes", u->bytes);
    json_pair_int(o, "tokens", u->bytes / BYTES_A_TOKEN);
    json_pair_int(o, "full_bytes", u->full_bytes);
    json_pair_int(o, "full_tokens", u->full_bytes / BYTES_A_TOKEN);
}

/* Nothing of what was counted before durations were. */
static void pair_latency(struct json_object *o, const struct latency *l)
{
    if (!l->count)
        return;
    struct json_object p = json_open(o, "latency_us", '{');
    json_pair_int(&p, "p50", latency_percentile(l, 50));
    json_pair_int(&p, "p99", latency_percentile(l, 99));
    json_end(&p);
}

/* null if nothing was counted. */
static void add_sent(struct json_object *o, const struct session_details *own)
{
    struct usage sum = sum_of(own);
    if (!own->usages) {
        json_pair(o, "sent", NULL);
        return;
    }
    struct json_object sent = json_open(o, "sent", '{');
    pair_usage(&sent, &sum);
    json_pair_bool(&sent, "tokens_estimated", true);
    struct json_object tools = json_open(&sent, "tools", '[');
    for (size_t i = 0; i < own->usages; i++) {
        struct json_object one = json_item_open(&tools, '{');
        json_pair(&one, "tool", own->usage[i].tool);
        pair_usage(&one, &own->usage[i]);
        pair_latency(&one, &own->usage[i].latency);
        json_end(&one);
    }
    json_end(&tools);
    json_end(&sent);
}

void session_json(struct output *out, const struct session_row *s, struct session_details details)
{
    struct session_details own = details_of_session(details, s->id);
    struct json_object o = json_begin(&out->text, '{');
    add_number(&o, "id", s->id, 0);
    json_pair(&o, "uuid", s->uuid);
    json_pair(&o, "client", s->client);
    json_pair(&o, "client_version", s->client_version);
    json_pair(&o, "era", s->era);
    json_pair(&o, "transport", s->transport);
    json_pair(&o, "actor", s->actor);
    json_pair(&o, "agent", same_text(s->actor, AGENT_UNNAMED) ? NULL : s->actor);
    json_pair(&o, "claimed", session_claimed(s));
    json_pair(&o, "task", s->task);
    json_pair_if(&o, "machine", s->machine);
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
    struct json_object p = json_open(&o, "latency_us", '{');
    json_pair_int(&p, "p50", latency_percentile(&s->latency, 50));
    json_pair_int(&p, "p90", latency_percentile(&s->latency, 90));
    json_pair_int(&p, "p99", latency_percentile(&s->latency, 99));
    json_end(&p);
    add_sent(&o, &own);
    add_names(&o, &own);
    json_end_line(&o);
}

/* ---- for people ---- */

/* A fact in its own lines, with invisible characters shown. */
static void put_whole(struct page *s, const char *field, const char *text)
{
    page_field(s, field, STYLE_TEXT, page_name(s, text), SIZE_MAX);
}

static void put_time(struct page *s, const char *field, int64_t at)
{
    struct strbuf *text = page_buffer(s);
    if (at)
        add_time(text, at, s->options.now);
    page_fact(s, field, text->buf);
}

static void put_calls(struct page *s, const struct session_row *row, const char *recent)
{
    char half[32], nine[32], most[32];
    put_whole(s, "calls",
              page_printf(s, "%s%lld, %lld failed, %.1f/s on average%s",
                          session_is_lost(row) ? "at least " : "", (long long)row->calls,
                          (long long)row->errors, session_rate(row, s->options.now), recent));
    latency_text(half, sizeof(half), &row->latency, 50);
    latency_text(nine, sizeof(nine), &row->latency, 90);
    latency_text(most, sizeof(most), &row->latency, 99);
    if (row->latency.count)
        put_whole(s, "latency", page_printf(s, "p50 %s, p90 %s, p99 %s", half, nine, most));
}

/* The sum, then a line for each tool and method, the largest first. */
static void put_sent(struct page *s, const struct session_row *row,
                     const struct session_details *own)
{
    struct usage sum = {.bytes = row->bytes, .full_bytes = row->full_bytes};
    struct strbuf *text = page_buffer(s);
    char half[32], most[32];
    if (row->bytes < 0)
        return;
    add_usage(text, &sum);
    strbuf_addf(text, " (estimated: %d bytes a token)", BYTES_A_TOKEN);
    put_whole(s, "sent", arena_strdup(&s->arena, text->buf));
    for (size_t i = 0; i < own->usages; i++) {
        const struct usage *u = &own->usage[i];
        text = page_buffer(s);
        strbuf_addf(text, "%s: %lld answer%s", u->tool, (long long)u->answers,
                    u->answers == 1 ? "" : "s");
        if (u->failures)
            strbuf_addf(text, ", %lld failed", (long long)u->failures);
        latency_text(half, sizeof(half), &u->latency, 50);
        latency_text(most, sizeof(most), &u->latency, 99);
        if (u->latency.count)
            strbuf_addf(text, ", p50 %s, p99 %s", half, most);
        strbuf_addstr(text, ", ");
        add_usage(text, u);
        put_whole(s, i ? "" : "by tool", arena_strdup(&s->arena, text->buf));
    }
}

void session_page(struct page *s, const struct session_row *row, struct session_details details,
                  const char *recent)
{
    struct session_details own = details_of_session(details, row->id);
    struct strbuf *text = page_buffer(s);
    char peer[SESSION_PEER_SIZE];
    session_name(row, text);
    page_fact_name(s, "client", text->buf);
    text = page_buffer(s);
    session_state(row, text);
    page_fact_name(s, "state", text->buf);
    page_fact_agent(s, row->actor, session_claimed(row));
    page_fact_name(s, "protocol", row->era);
    put_time(s, "began", row->started_at);
    put_time(s, "last call", row->seen_at);
    put_time(s, "ended", row->ended_at);
    text = page_buffer(s);
    strbuf_addstr(text, row->transport ? row->transport : "unknown");
    if (row->process >= 0)
        strbuf_addf(text, ", by process %lld", (long long)row->process);
    page_fact_name(s, "served", text->buf);
    session_peer(peer, sizeof(peer), row);
    page_fact_name(s, "peer", peer);
    put_whole(s, "session",
              page_printf(s, "%lld, %s", (long long)row->id, row->uuid ? row->uuid : "?"));
    put_calls(s, row, recent);
    put_sent(s, row, &own);
    put_whole(s, "task", row->task);
    /* "a.b: 12 calls, 3 failed, 2 masked", a line for each. */
    for (size_t i = 0; i < own.names; i++) {
        const struct session_namespace *n = &own.name[i];
        put_whole(s, "about",
                  page_printf(s, "%s: %lld call%s, %lld failed, %lld masked",
                              n->namespace_ ? n->namespace_ : "no namespace", (long long)n->calls,
                              n->calls == 1 ? "" : "s", (long long)n->errors,
                              (long long)n->redactions));
    }
}
