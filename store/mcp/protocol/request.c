/* A request in flight: its copy of the params, its answer, and its entry in the call log and the metrics. */
#include <time.h>
#include "model/base/alloc.h"
#include "model/base/utf8.h"
#include "store/mcp/protocol/connection_internal.h"
#include "store/db/reader.h"
#include "store/mcp/protocol/masking.h"
#include "store/db/thread.h"
#include "store/query/ref.h"
#include <stdlib.h>

#define STEPS   40000 /* SQLite steps; as many as for a read in the loop */
#define LONGEST 8192  /* maximum bytes of a ref as received */

/* Returns the value, or the first element if it is a list. */
static struct json_slice first_of(struct json_slice value)
{
    if (!value.ptr || value.ptr[0] != '[')
        return value;
    struct json_each it = json_each(value);
    return json_next(&it) ? it.value : (struct json_slice){NULL, 0};
}

static int64_t row_of(struct mcp_call *call, struct reader *r, const char *name)
{
    struct error ignored;
    struct json_slice all = call->arguments;
    struct json_slice value = first_of(json_member(all.ptr, all.len, name));
    if (value.len > LONGEST)
        return 0;
    const char *ref = json_text(&call->arena, value, NULL);
    int64_t row = ref ? ref_resolve(r, ref, &ignored) : 0;
    return row > 0 ? row : 0;
}

/*
 * Finds the memory that the arguments name (FIELD_SUBJECT), for the call log. The arguments may be unchecked. The
 * lookup uses the caller's guard and sets nothing if the caller may not find the memory. `r` must not be in use.
 */
static void subject_find(struct mcp_call *call, struct reader *r)
{
    const struct field *f = call->tool->arguments;
    reader_limit(r, STEPS);
    reader_guard(r, &call->guard);
    for (; f && f->name && !call->subject; f++)
        if (f->flags & FIELD_SUBJECT)
            call->subject = row_of(call, r, f->name);
    reader_guard(r, NULL);
    reader_limit(r, 0);
}

/* ---- request ---- */

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static struct json_slice copy_slice(struct arena *a, struct json_slice s)
{
    return (struct json_slice){s.ptr ? arena_strndup(a, s.ptr, s.len) : NULL, s.len};
}

/* The name that the caller gives itself: agent_id of the call or else of _meta, else, if none is granted, its
 * client's. */
static const char *claim_of(const struct exchange *x, struct arena *arena, struct json_slice agent)
{
    struct mcp_connection *c = x->c;
    const char *own = c->agent ? c->agent : AGENT_UNNAMED;
    const char *claimed = json_text(arena, agent, NULL);
    if (utf8_is_blank(claimed))
        claimed = json_text(arena, x->m->agent, NULL);
    if (utf8_is_blank(claimed) && !c->agent)
        claimed = arena_strdup(arena, client_of(c, x->m));
    return utf8_is_blank(claimed) || strcmp(claimed, own) == 0 ? NULL : claimed;
}

static void name_actor(struct mcp_call *call, const struct exchange *x, struct json_slice agent)
{
    const char *own = call->guard.agent;
    call->actor = (struct actor){.class = ACTOR_AGENT,
                                 .name = own,
                                 .agent = own,
                                 .claimed = claim_of(x, &call->request_arena, agent),
                                 .origin = "mcp"};
}

/* Minimum level of log messages for the request's client. */
static int level_of(const struct exchange *x)
{
    char name[16];
    if (!x->m->modern)
        return x->c->log_level;
    if (message_copy_string(x->m->log_level, name, sizeof(name)) < 0)
        return LOG_LEVEL_NOTHING;
    return log_level_named(name);
}

struct guard connection_guard(const struct mcp_connection *c)
{
    return (struct guard){.rules = connection_rules(c),
                          .agent = c->agent ? c->agent : AGENT_UNNAMED};
}

/*
 * W3C Trace Context: version, trace, parent, flags. Later versions may append fields. The standard says to ignore an
 * invalid value.
 */
#define TRACEPARENT 55
static bool is_traceparent(struct json_slice value)
{
    static const char form[] = "xx-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx-xxxxxxxxxxxxxxxx-xx";
    static const char zeros[] = "00000000000000000000000000000000";
    if (!message_is_string(value) || value.len - 2 < TRACEPARENT)
        return false;
    const char *t = value.ptr + 1;
    for (size_t i = 0; i < TRACEPARENT; i++)
        if (!t[i] || (form[i] == '-' ? t[i] != '-' : !strchr("0123456789abcdef", t[i])))
            return false;
    bool more = value.len - 2 > TRACEPARENT;
    return memcmp(t + 3, zeros, 32) != 0 && memcmp(t + 36, zeros, 16) != 0 &&
           memcmp(t, "ff", 2) != 0 &&
           (!more || (memcmp(t, zeros, 2) != 0 && t[TRACEPARENT] == '-'));
}

/* Takes agent, task and traceparent from _meta, and reports the money spent to the session. */
static void fill_meta(struct mcp_request *r, const struct exchange *x)
{
    double spent;
    const struct message *m = x->m;
    struct arena *arena = &r->call.request_arena;
    r->own_task = !x->c->task && m->task.ptr;
    r->call.said_agent = json_text(arena, m->agent, NULL);
    r->call.task = x->c->task ? arena_strdup(arena, x->c->task) : json_text(arena, m->task, NULL);
    if (m->traceparent.ptr && is_traceparent(m->traceparent))
        r->call.traceparent = arena_strndup(arena, m->traceparent.ptr + 1, TRACEPARENT);
    if (r->call.session && m->spent.ptr && json_double(m->spent, &spent) == 0)
        session_set_cost(r->call.session, spent);
}

static void fill_call(struct mcp_request *r, const struct exchange *x)
{
    struct mcp_connection *c = x->c;
    r->call.service = c->service;
    r->call.era = x->m->modern ? ERA_MODERN : ERA_LEGACY;
    r->call.session = c->client_session ? c->client_session->session : NULL;
    r->call.connection = c;
    r->call.rates = c->host->rates;
    r->call.began_us = monotonic_us();
    strbuf_init(&r->call.result);
    atomic_init(&r->call.cancelled, false);
    r->method = x->method;
    r->host = c->host;
    r->batch = x->batch;
    r->client_session = client_session_hold(c->client_session);
    r->log_level = level_of(x);
    pthread_mutex_init(&r->progress.lock, NULL);
}

struct json_slice request_slice(const struct mcp_call *call, const struct message *m,
                                struct json_slice part)
{
    return (struct json_slice){call->request->params.ptr + (part.ptr - m->params.ptr), part.len};
}

const char *mcp_call_text(struct mcp_call *call, const char *name, size_t *len)
{
    return json_text(&call->arena, message_member(call->arguments, name), len);
}

struct mcp_call *request_new(const struct exchange *x, struct json_slice agent)
{
    if (!x->m->modern)
        client_session_ensure(x->c, x->m);
    struct json_slice params = x->m->params;
    if (!params.ptr)
        params = (struct json_slice){"{}", 2};
    struct mcp_request *r = xcalloc(1, sizeof(*r));
    struct arena *arena = &r->call.request_arena;
    r->size = sizeof(*r) + x->m->id.len + params.len;
    r->call.request = r;
    r->id = copy_slice(arena, x->m->id);
    r->params = r->call.arguments = copy_slice(arena, params);
    if (x->m->token.ptr && message_is_id(x->m->token)) /* else the token is null */
        r->token = request_slice(&r->call, x->m, x->m->token);
    fill_call(r, x);
    r->call.guard = connection_guard(x->c);
    r->call.guard.agent =
        arena_strdup(arena, r->call.guard.agent); /* it may outlive its connection */
    fill_meta(r, x);
    name_actor(&r->call, x, agent);
    return &r->call;
}

static void enlist(struct mcp_request *r)
{
    struct mcp_connection *c = r->call.connection;
    r->next = c->first;
    r->link = &c->first;
    if (r->next)
        r->next->link = &r->next;
    c->first = r;
    c->in_flight++;
    c->held += r->size;
    if (r->batch)
        r->batch->waiting++;
}

static void unlist(struct mcp_request *r)
{
    struct mcp_connection *c = r->call.connection;
    *r->link = r->next;
    if (r->next)
        r->next->link = r->link;
    c->in_flight--;
    c->held -= r->size;
}

void request_start(struct mcp_call *call)
{
    enlist(call->request);
    call->request->host->start(call->request->host, call);
}

void request_fail(struct mcp_call *call)
{
    enlist(call->request);
    mcp_connection_answer(call);
}

struct mcp_request *request_find(const struct mcp_connection *c, struct json_slice id)
{
    for (struct mcp_request *r = c->first; r; r = r->next)
        if (!r->unanswered && message_same_id(r->id, id) && !atomic_load(&r->call.cancelled))
            return r;
    return NULL;
}

void request_cancel(struct mcp_request *r)
{
    atomic_store(&r->call.cancelled, true);
    r->host->cancel(r->host, &r->call);
}

void request_forget_all(struct mcp_connection *c)
{
    while (c->first) {
        struct mcp_request *r = c->first;
        unlist(r);
        r->call.connection = NULL;
        if (!atomic_load(&r->call.cancelled))
            request_cancel(r);
    }
}

/*
 * Finds the memory that a failed call was about: a person who reads a refusal asks for it first. A call that did not
 * find the memory has none. If a write failed, its transaction was rolled back and the row that it noted may be used
 * again, so the row is looked up from the arguments.
 */
static void note_subject(struct mcp_call *call, bool wrote)
{
    struct reader *r = call->request->host->reader;
    bool in_vain = call->error.code == ERROR_NOT_FOUND && !call->subject;
    bool failed = call->error.code != ERROR_NONE && !in_vain;
    if (call->work == WORK_WRITE && !wrote)
        call->subject = 0;
    if (failed && !call->subject && call->tool && r)
        subject_find(call, r);
}

/* The name that the call claims, if its session claims another one; a call without a claim is unnamed then. */
static const char *other_claim(const struct mcp_call *call)
{
    const char *claimed = call->actor.claimed;
    if (same_text(claimed, session_claim(call->session)))
        return NULL;
    return claimed ? claimed : AGENT_UNNAMED;
}

/* ---- what is kept of a failed call ---- */

/* Bounds of what is masked: of a longer argument only the size is kept, and what follows is left out. */
#define KEPT_VALUE_MAX 16384
#define KEPT_ALL_MAX   65536

/* Cuts a text that is too long, and says how much is missing; `left` bytes are missing already. */
static const char *keep_text(struct arena *arena, const char *text, size_t len, size_t left)
{
    AUTO_STRBUF kept = STRBUF_INIT;
    if (len <= FAILURE_MAX && !left)
        return arena_strndup(arena, text, len);
    size_t some = utf8_fit(text, len, FAILURE_MAX - 40);
    strbuf_add(&kept, text, some);
    strbuf_addf(&kept, "… (%zu more bytes)", len - some + left);
    text = arena_strndup(arena, kept.buf, kept.len);
    return text;
}

/*
 * True if the value of an argument may be kept: the tool knows it, and it is not the value of an entry. A method that
 * there is has no values of entries.
 */
static bool may_keep(const struct mcp_call *call, const struct json_each *it)
{
    const struct field *f = call->tool ? call->tool->arguments : NULL;
    if (it->value.len > KEPT_VALUE_MAX)
        return false;
    if (!call->tool)
        return call->request->method->serve != NULL;
    while (f && f->name && !json_key_is(it->key, f->name))
        f++;
    return f && f->name && !(f->flags & FIELD_UNKEPT);
}

/* The arguments, masked as values are; of those that are not kept the size. NULL if there are none. */
static const char *keep_arguments(struct mcp_call *call)
{
    AUTO_STRBUF kept = STRBUF_INIT;
    const char *text = NULL;
    size_t left = 0;
    struct json_object o = json_begin(&kept, '{');
    for (struct json_each it = json_each(call->arguments); json_next(&it);) {
        if (!it.is_object || it.key.len > KEPT_VALUE_MAX || json_key_is(it.key, "_meta"))
            continue;
        if (kept.len > KEPT_ALL_MAX) {
            left = (size_t)(it.end - it.key.ptr);
            break;
        }
        json_item(&o);
        strbuf_addch(&kept, '"');
        strbuf_add(&kept, it.key.ptr, it.key.len);
        if (may_keep(call, &it)) {
            strbuf_addstr(&kept, "\":");
            strbuf_add(&kept, it.value.ptr, it.value.len);
        } else {
            strbuf_addf(&kept, "\":\"(%zu byte%s, not kept)\"", it.value.len,
                        it.value.len == 1 ? "" : "s");
        }
    }
    json_end(&o);
    call_mask_arguments(call, &kept);
    if (kept.len > 2)
        text = keep_text(&call->arena, kept.buf, kept.len, left);
    return text;
}

/* What the answer says of the failure: the text of a tool's result, or the error of a message. */
static const char *told(struct arena *arena, struct json_slice answer)
{
    struct json_slice error = json_member(answer.ptr, answer.len, "error");
    struct json_slice result = json_member(answer.ptr, answer.len, "result");
    struct json_each it = {.key = {NULL, 0}};
    if (result.ptr)
        it = json_each(json_member(result.ptr, result.len, "content"));
    if (result.ptr && json_next(&it)) {
        const char *text = json_text(arena, message_member(it.value, "text"), NULL);
        return text ? keep_text(arena, text, strlen(text), 0) : NULL;
    }
    return error.ptr ? keep_text(arena, error.ptr, error.len, 0) : NULL;
}

void request_take_answer(struct mcp_call *call, struct mcp_connection *c, const struct batch *batch)
{
    struct json_slice answer = reply_written(c, batch);
    call->sent_bytes = answer.len;
    c->answered = 0;
    if (call->error.code != ERROR_NONE && answer.len > 0)
        call->sent_error = told(&call->arena, answer);
}

/* Cancelled calls are logged too, because a write may be in the journal. `wrote` is true even if the answer was too
 * long and was replaced by an error. */
void request_note(struct mcp_call *call, bool wrote)
{
    const struct mcp_host *host = call->request->host;
    const char *name = call->tool ? call->tool->name : call->request->method->name;
    int64_t took_us = monotonic_us() - call->began_us;
    if (host->count)
        host->count(host->metrics, call, name, took_us);
    if (!call->session)
        return;
    note_subject(call, wrote);
    bool failed = call->sent_error != NULL;
    struct call_note n = {
        .tool = name,
        .subject = call->subject,
        .bytes = (int64_t)call->sent_bytes,
        .full_bytes = (int64_t)call->full_bytes,
        /* what was refused for personal data has some that masking may not find */
        .arguments = failed && call->error.code != ERROR_PII ? keep_arguments(call) : NULL,
        .error = call->sent_error,
        .at = now_ms(),
        .took_us = took_us,
        .outcome = call->error.code,
        .is_tool = call->tool != NULL,
        .wrote = wrote,
        .namespace_ = call->namespace_,
        .agent = other_claim(call),
        .task = call->request->own_task ? call->task : NULL,
        .traceparent = call->traceparent,
        .spans = call->spans,
        .redactions = call->redactions,
    };
    session_note(call->session, &n);
}

static void release(struct mcp_request *r)
{
    arena_release(&r->call.arena);
    arena_release(&r->call.request_arena);
    strbuf_release(&r->call.result);
    pthread_mutex_destroy(&r->progress.lock);
    client_session_release(r->client_session);
    guard_rules_release(r->call.guard.rules);
    free(r);
}

void request_drop(struct mcp_call *call)
{
    release(call->request);
}

/* Sends a log message about the outcome to the client. It never contains a memory's text. */
static void log_outcome(struct mcp_request *r)
{
    const struct mcp_call *call = &r->call;
    const char *name = call->tool ? call->tool->name : r->method->name;
    if (call->error.code == ERROR_REFUSED)
        request_log(r, "notice", "%s was refused: %s", name, call->error.what);
    else if (call->error.code == ERROR_NONE && call->warning)
        request_log(r, "warning", "%s: %s", name, call->warning);
    else if (call->error.code == ERROR_NONE && call->work != WORK_WRITE)
        request_log(r, "debug", "%s read an answer of %zu bytes", name, call->result.len);
}

/* Replaces the path of the store, which agents need not know. Returns true if the text contained it. */
static bool leave_out_path(char *text, size_t size, const char *path)
{
    static const char instead[] = "the store";
    AUTO_STRBUF out = STRBUF_INIT;
    const char *at, *from = text;
    for (; (at = strstr(from, path)); from = at + strlen(path)) {
        strbuf_add(&out, from, (size_t)(at - from));
        strbuf_addstr(&out, instead);
    }
    strbuf_addstr(&out, from);
    bool found = from != text;
    if (found)
        snprintf(text, size, "%s", out.buf);
    return found;
}

static void complete_error(struct mcp_request *r)
{
    struct mcp_call *call = &r->call;
    struct reader *reader = r->host->reader;
    const char *path = reader ? store_path(reader_store(reader)) : "";
    if (call->error.code == ERROR_REFUSED && call->denied == DENIAL_SESSION)
        /* the writer does not know the client; rewrite its hint */
        protocol_deny(call, &call->error);
    if (call->error.code == ERROR_REFUSED && call->tool && call->tool->refused)
        call->tool->refused(call);
    if (call->service->hint)
        call->service->hint(&call->error,
                            call->connection ? &call->connection->offer : &call->service->offer);
    if (path[0] != '/')
        return;
    if (leave_out_path(call->error.what, sizeof(call->error.what), path))
        error_quote_all(&call->error); /* the recorded positions of quotes no longer match */
    leave_out_path(call->error.hint, sizeof(call->error.hint), path);
}

/* Encodes the answer of a committed write, guarded for its caller. An error here does not undo the write. */
static void encode(struct mcp_call *call)
{
    struct reader *r = call->request->host->reader;
    if (r)
        reader_guard(r, &call->guard);
    call->tool->encode(call);
    if (!r)
        return;
    call_note_guard(call, r);
    call_mask(call, r);
    reader_guard(r, NULL);
}

static void send_answer(struct mcp_connection *c, struct mcp_request *r)
{
    if (r->call.error.code == ERROR_NONE && r->call.done)
        encode(&r->call);
    struct reply to = {.c = c, .batch = r->batch, .id = r->id, .era = r->call.era};
    to.cached = r->method->flags & METHOD_CACHED;
    to.call = &r->call;
    if (r->call.error.code != ERROR_NONE)
        complete_error(r);
    call_mask(&r->call, NULL);
    log_outcome(r);
    request_add_progress(r, &c->out);
    request_add_events(r, now_ms(), &c->out);
    protocol_answer(to, &r->call);
    request_take_answer(&r->call, c, r->batch);
}

void mcp_connection_answer(struct mcp_call *call)
{
    struct mcp_request *r = call->request;
    struct mcp_connection *c = call->connection;
    bool wrote = call->error.code == ERROR_NONE && call->work == WORK_WRITE;
    if (c) {
        unlist(r);
        if (!atomic_load(&call->cancelled) && !r->unanswered) {
            send_answer(c, r);
            elicit_ask(c, call);
        }
    }
    if (r->batch)
        batch_settle(c, r->batch);
    request_note(call, wrote);
    release(r);
}

/* ---- questions to the client's person ---- */

#define QUESTIONS_MAX                                                                              \
    16 /* of a connection: more would not be read; the others are asked for in the explorer */
#define SHOWN   500 /* characters of the text */
#define APPROVE "approve"
#define REJECT  "reject"

struct question {
    int64_t number, row;
    struct question *next;
};

/* An object without members is the form mode, the only one before 2025-11-25. */
bool elicit_declared(struct json_slice capabilities)
{
    struct json_slice own = message_member(capabilities, "elicitation");
    return message_is_object(own) &&
           (message_member(own, "form").ptr || !message_member(own, "url").ptr);
}

static const char form[] =
    "{\"type\":\"object\",\"properties\":{\"decision\":{\"type\":\"string\",\"title\":\"Decision\","
    "\"enum\":[\"" APPROVE "\",\"" REJECT "\"]}},\"required\":[\"decision\"]}";

static void add_message(const struct mcp_call *call, struct strbuf *out)
{
    AUTO_STRBUF masked = STRBUF_INIT;
    protocol_mask(call->guard.rules, call->asks.text, &masked);
    strbuf_addf(out, "%s wrote a memory that waits for you (%s): ", call->actor.name,
                call->asks.why);
    clean_add(out, masked.buf ? masked.buf : "", SHOWN);
}

void elicit_ask(struct mcp_connection *c, const struct mcp_call *call)
{
    AUTO_STRBUF message = STRBUF_INIT;
    size_t count = 0;
    for (const struct question *q = c->questions; q; q = q->next)
        count++;
    if (!c->elicits || !call->asks.row || call->request->batch || count >= QUESTIONS_MAX)
        return;
    struct question *q = xcalloc(1, sizeof(*q));
    *q = (struct question){++c->asked, call->asks.row, c->questions};
    c->questions = q;
    add_message(call, &message);
    strbuf_addf(&c->out,
                "{\"jsonrpc\":\"2.0\",\"method\":\"elicitation/create\",\"id\":\"approval-%lld\","
                "\"params\":{\"message\":",
                (long long)q->number);
    json_add_string_len(&c->out, message.buf, message.len);
    strbuf_addf(&c->out, ",\"requestedSchema\":%s}}\n", form);
}

/* Takes the question of that id from the connection: its row, or 0 if it asked none. */
static int64_t take(struct mcp_connection *c, struct json_slice id)
{
    for (struct question **at = &c->questions; *at; at = &(*at)->next) {
        struct question *q = *at;
        char own[40];
        int len = snprintf(own, sizeof(own), "\"approval-%lld\"", (long long)q->number);
        if (!message_same_id((struct json_slice){own, (size_t)len}, id))
            continue;
        int64_t row = q->row;
        *at = q->next;
        free(q);
        return row;
    }
    return 0;
}

/* Sets *approves; false if the person decided nothing. */
static bool read_decision(struct json_slice result, bool *approves)
{
    char action[16], decision[16];
    struct json_slice content = message_member(result, "content");
    message_copy_string(message_member(result, "action"), action, sizeof(action));
    message_copy_string(message_member(content, "decision"), decision, sizeof(decision));
    bool accepted = strcmp(action, "accept") == 0;
    *approves = accepted && strcmp(decision, APPROVE) == 0;
    return *approves || strcmp(action, "decline") == 0 ||
           (accepted && strcmp(decision, REJECT) == 0);
}

void elicit_answer(struct mcp_connection *c, const struct message *m)
{
    static const struct method answered = {.name = "elicitation/create"};
    bool approves;
    int64_t row = m->id.ptr && c->questions ? take(c, m->id) : 0;
    if (!row || !c->service->decide ||
        !read_decision(message_member(m->whole, "result"), &approves))
        return;
    struct message none = {.class = MESSAGE_RESPONSE};
    struct exchange x = {.c = c, .m = &none, .method = &answered};
    struct mcp_call *call = request_new(&x, (struct json_slice){NULL, 0});
    call->request->unanswered = true;
    call->decides =
        (struct mcp_decision){.row = row,
                              .approves = approves,
                              .reason = arena_format(&call->request_arena, "through the client %s",
                                                     c->client ? c->client : "of the agent")};
    call->write = c->service->decide;
    call->work = WORK_WRITE;
    request_start(call);
}

void elicit_release(struct mcp_connection *c)
{
    while (c->questions) {
        struct question *q = c->questions;
        c->questions = q->next;
        free(q);
    }
}
