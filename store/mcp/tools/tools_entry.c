/*
 * The tools of shared memory: listMemory, getMemory, putMemory, deleteMemory; and getContext. Each call is checked in
 * this order: rate limit, permission, arguments, personal data where it is not accepted, quota.
 */
#include <assert.h>
#include <string.h>
#include "store/mcp/tools/tools.h"
#include "model/format/memory_json.h"
#include "model/policy/permission.h"
#include "store/record/entry_row.h"
#include "store/db/thread.h"
#include "store/mcp/protocol/message.h"
#include "model/base/clock.h"

/* ---- permissions and rates ---- */

/* The permissions of the call; NULL if nothing is guarded. */
static const struct permissions *call_permissions(const struct mcp_call *call)
{
    return call->guard.rules ? guard_permissions(call->guard.rules) : NULL;
}

/* The policy of the namespace that the call is about. Never NULL. */
static const struct namespace_policy *call_policy(const struct mcp_call *call)
{
    static const struct permissions none;
    const struct permissions *p = call_permissions(call);
    return permission_policy(p ? p : &none, call->namespace_);
}

/* Makes the members the details of the failure. Releases `members`. Returns -1. */
static int set_details(struct mcp_call *call, struct strbuf *members)
{
    call->details = arena_strndup(&call->arena, members->buf, members->len);
    strbuf_release(members);
    return -1;
}

static int set_namespace_details(struct mcp_call *call, const char *name, enum access access)
{
    struct strbuf details = STRBUF_INIT;
    strbuf_addstr(&details, "\"namespace\":");
    json_add_string(&details, name);
    strbuf_addf(&details, ",\"operation\":\"%s\"", access_name(access));
    return set_details(call, &details);
}

/* The namespace in the arguments, which may be invalid. NULL if it is not a string or is too long. Sets
 * call->namespace_ if it is valid. */
static const char *find_namespace(struct mcp_call *call)
{
    size_t len;
    struct json_slice given = message_member(call->arguments, "namespace");
    const char *name = message_is_string(given) ? json_text(&call->arena, given, &len) : NULL;
    if (!name || len > NAMESPACE_MAX)
        return NULL;
    if (namespace_is_valid(name, len)) {
        memcpy(call->namespace_buffer, name, len + 1);
        call->namespace_ = call->namespace_buffer;
    }
    return name;
}

/* Takes the call from the rate limit of its tool, and of its namespace if that is valid. Sets ERROR_RATE with the
 * details {retry_after_ms}. */
int tool_take_rate(struct mcp_call *call, struct error *e)
{
    const struct permissions *p = call_permissions(call);
    struct strbuf details = STRBUF_INIT;
    int entry = memory_tool_from_name(call->tool->name);
    enum memory_tool tool = entry < 0 ? MEMORY_TOOL_SEARCH : (enum memory_tool)entry;
    if (!p || !call->rates)
        return 0;
    if (entry >= 0)
        find_namespace(call);
    int64_t wait = rates_take(call->rates, tool, call->namespace_ ? call->namespace_ : "",
                              permission_rate(p, tool, call->namespace_), monotonic_us());
    if (wait == 0)
        return 0;
    error_set(e, ERROR_RATE, "", "%s is called too often: wait %lld ms", call->tool->name,
              (long long)wait);
    strbuf_addf(&details, "\"retry_after_ms\":%lld", (long long)wait);
    return set_details(call, &details);
}

/* The details of a refusal are always the namespace and the operation; the hint becomes part of the message. */
static void complete_refusal(struct mcp_call *call)
{
    enum memory_tool tool = (enum memory_tool)memory_tool_from_name(call->tool->name);
    if (call->details || call->is_masked)
        return;
    if (!call->namespace_)
        find_namespace(call);
    if (!call->namespace_)
        return;
    error_join(&call->error);
    set_namespace_details(call, call->namespace_, memory_tool_access(tool));
}

/* Checks the caller's grant. Sets ERROR_REFUSED with the details {namespace, operation}. If the namespace is not a
 * string, the check of the arguments reports it. */
static int entry_permit(struct mcp_call *call, struct error *e)
{
    int64_t began = monotonic_us();
    int tool = memory_tool_from_name(call->tool->name);
    enum access access = memory_tool_access((enum memory_tool)tool);
    const char *name = find_namespace(call);
    if (!name)
        return 0; /* the check of the arguments reports it */
    const struct permissions *p = call_permissions(call);
    bool allowed =
        !p || permission_allows(p, call->guard.agent, (enum memory_tool)tool, name, access);
    call->spans.permission_us += monotonic_us() - began;
    if (allowed)
        return 0;
    error_set(e, ERROR_REFUSED, "", "Access denied to namespace '%.*s'", NAMESPACE_MAX, name);
    call->denied = DENIAL_NAMESPACE;
    return set_namespace_details(call, name, access);
}

/* Checks that the names are valid; `key` may be NULL. Sets ERROR_INVALID. */
static int check_names(const char *name, const char *key, struct error *e)
{
    static const char shown[] = ENTRY_MASKED_PREFIX;
    if (!namespace_is_valid(name, strlen(name)))
        return error_set(
            e, ERROR_INVALID,
            "Give names of A-Z a-z 0-9 _ - with a dot between them, 100 bytes at most.",
            "namespace is not a valid name");
    if (!key)
        return 0;
    int64_t hash;
    bool valid = strncmp(key, shown, strlen(shown)) == 0 ? entry_key_hash_read(key, &hash)
                                                         : entry_key_is_valid(key, strlen(key));
    if (!valid)
        return error_set(e, ERROR_INVALID, "Give A-Z a-z 0-9 _ . : / @ -, 200 bytes at most.",
                         "key is not a valid key");
    return 0;
}

static int begin_named(struct mcp_call *call, struct error *e)
{
    return check_names(given_text(&call->given, "namespace", NULL),
                       given_text(&call->given, "key", NULL), e);
}

#define NAMESPACE_FIELD NEEDED("namespace", STRING, "Names with dots: session.build")
#define KEY_FIELD       NEEDED("key", STRING, "Letters, digits, _ . : / @ -")

/* The checks of all tools of entries; `begin_` is the tool's own. */
#define ASKS(begin_)                                                                               \
    .rate = tool_take_rate, .permit = entry_permit, .refused = complete_refusal, .begin = begin_

static const struct field list_arguments[] = {
    NAMESPACE_FIELD,  OPTIONAL("prefix", STRING, NULL),
    LIMIT(100, "50"), OPTIONAL("cursor", STRING, NULL),
    FIELD_END,
};

static const struct field list_answer[] = {
    TEXTS("keys", FIELD_REQUIRED,
          "In the order of their bytes; [REDACTED]_… where one has personal data."),
    FIELD("cursor", STRING, FIELD_OWN, "There are more: give it as cursor."),
    NEEDED("total", INTEGER, "How many keys match, on all pages."),
    FIELD_END,
};

static void add_page(struct mcp_call *call, const struct entry_page *page)
{
    struct strbuf *out = &call->result;
    struct json_object o = json_begin(out, '{');
    json_pair_strings(&o, "keys", page->keys, page->count);
    if (page->cursor)
        json_pair(&o, "cursor", page->cursor);
    json_pair_int(&o, "total", page->total);
    json_end(&o);
    call->has_masks |= page->masked > 0;
}

/* The matcher that masks the answer; NULL if nothing is masked. */
static const struct pii *masks(const struct mcp_call *call)
{
    return call->guard.rules && call_policy(call)->pii != PII_OFF ? guard_pii(call->guard.rules)
                                                                  : NULL;
}

static int read_list(struct mcp_call *call, struct reader *r, struct error *e)
{
    int64_t began = monotonic_us();
    struct entry_page page;
    struct entry_query query = {
        .namespace_ = given_text(&call->given, "namespace", NULL),
        .prefix = given_text(&call->given, "prefix", NULL),
        .cursor = given_text(&call->given, "cursor", NULL),
        .limit = (size_t)given_integer(&call->given, "limit", 50),
        .pii = masks(call),
    };
    if (query.cursor && !*query.cursor)
        query.cursor = NULL;
    int result = entry_list(r, &call->arena, &query, &page, e);
    call->spans.store_us += monotonic_us() - began;
    if (result == 0)
        add_page(call, &page);
    return result;
}

const struct mcp_tool tool_list_memory = {
    .name = "listMemory",
    .title = "List shared memory",
    .description =
        "Lists the keys of a namespace of shared memory, in pages. A key with personal data "
        "comes as [REDACTED]_ and a hash, which getMemory and deleteMemory accept.",
    .sets = TOOLSET_BIT(TOOLSET_NAMESPACES),
    SCHEMA(list_arguments, list_answer),
    READS(read_list),
    ASKS(begin_named),
};

static const struct field named_arguments[] = {NAMESPACE_FIELD, KEY_FIELD, FIELD_END};

static const struct field get_answer[] = {
    NEEDED("namespace", STRING, NULL),
    FIELD("key", STRING, FIELD_REQUIRED, "As listMemory gives it."),
    OR_NULL("value", ANY, "As it was put; personal data in it is masked."),
    NEEDED("ref", STRING, "entry:ID: give it as derived_from of what you make of it."),
    NEEDED("version", INTEGER, "It grows with each put."),
    NEEDED("updated_at", INTEGER, "Milliseconds since the epoch."),
    OPTIONAL("expires_at", INTEGER, "Milliseconds since the epoch; left out: never."),
    FIELD_END,
};

static int add_entry(struct mcp_call *call, struct reader *r, const struct entry *found,
                     struct error *e)
{
    struct strbuf *out = &call->result;
    const char *key = found->key, *whole, *shown = NULL;
    if (masks(call) && guard_key(r, &call->arena, found->node, &whole, &shown, e))
        return -1;
    struct json_object o = json_begin(out, '{');
    json_pair(&o, "namespace", found->namespace_);
    json_pair(&o, "key", shown ? shown : key);
    json_key(&o, "value");
    json_add_value(out, found->value, strlen(found->value));
    memory_json_pair_ref(&o, "ref", found->ref);
    json_pair_int(&o, "version", found->version);
    json_pair_int(&o, "updated_at", found->updated_at);
    json_pair_int_if(&o, "expires_at", found->expires_at);
    json_end(&o);
    call->subject = found->node;
    return 0;
}

static int read_named(struct mcp_call *call, struct reader *r, struct error *e)
{
    int64_t began = monotonic_us();
    struct entry found = {0};
    const char *name = given_text(&call->given, "namespace", NULL),
               *key = given_text(&call->given, "key", NULL);
    int result =
        entry_get(r, &call->arena, name, key, &found, e) || add_entry(call, r, &found, e) ? -1 : 0;
    call->spans.store_us += monotonic_us() - began;
    return result ? -1 : answer_fits(call, "It is larger than clients read.", e);
}

const struct mcp_tool tool_get_memory = {
    .name = "getMemory",
    .title = "Read shared memory",
    .description =
        "Reads the value under a key of a namespace. Personal data comes masked: do not put a "
        "masked value back.",
    .sets = TOOLSET_BIT(TOOLSET_NAMESPACES),
    SCHEMA(named_arguments, get_answer),
    READS(read_named),
    ASKS(begin_named),
};

static const struct field put_arguments[] = {
    NAMESPACE_FIELD,
    KEY_FIELD,
    FIELD("value", ANY, FIELD_REQUIRED | FIELD_NULLABLE | FIELD_UNKEPT,
          "Any JSON, at most 1 MiB and 100 levels"),
    OPTIONAL("ttl_seconds", INTEGER, "0: at once; default: never", COUNT),
    FIELD_END,
};

static const struct field done_answer[] = {
    NEEDED("success", BOOLEAN, NULL),
    FIELD_END,
};

/* Maximum depth of a value, which is nested in the detail of its memory. */
#define VALUE_DEPTH (JSON_DEPTH_MAX - 1)

/* Writes the value as it will be stored to `out`: without white space and without unnecessary escapes, so that its
 * size, display and search use the text. Sets ERROR_INVALID if it is too large. */
static int take_json(struct mcp_call *call, struct strbuf *out, struct error *e)
{
    struct json_slice value = message_member(call->arguments, "value");
    if (!value.ptr)
        return error_set(e, ERROR_INVALID, "Give any JSON, null too.", "value is missing");
    _Static_assert(VALUE_DEPTH == 100, "the schema says so");
    if (json_check(value.ptr, value.len, VALUE_DEPTH, e))
        return error_prefix(e, "value");
    json_tidy(out, value.ptr, value.len);
    if (out->len > ENTRY_VALUE_MAX)
        return error_set(
            e, ERROR_INVALID,
            "A value has 1,048,576 bytes of JSON at most: put parts of it under keys of their "
            "own.",
            "Data too large");
    return 0;
}

static int check_ttl(struct mcp_call *call, int64_t ttl, struct error *e)
{
    const struct permissions *p = call_permissions(call);
    const struct grant *g = p ? permission_grant(p, call->guard.agent, MEMORY_TOOL_PUT) : NULL;
    if (!g || g->max_ttl_seconds < 0 || ttl <= g->max_ttl_seconds)
        return 0;
    return error_set(e, ERROR_INVALID, "Give a shorter one, or leave it out.",
                     "ttl_seconds of %lld is above the limit of %lld", (long long)ttl,
                     (long long)g->max_ttl_seconds);
}

/* Reports the kinds of personal data, never the text. */
static int refuse_personal(struct mcp_call *call, const struct pii *p, uint64_t kinds,
                           struct error *e)
{
    struct strbuf details = STRBUF_INIT;
    bool first = true;
    strbuf_addstr(&details, "\"redacted_fields\":[");
    for (int kind = 0; kind < PII_KINDS_MAX; kind++) {
        if (!(kinds >> kind & 1))
            continue;
        strbuf_addstr(&details, first ? "" : ",");
        json_add_string(&details, pii_kind_name(p, kind));
        first = false;
    }
    strbuf_addch(&details, ']');
    error_set(e, ERROR_PII, "", "PII detected in memory operation");
    return set_details(call, &details);
}

static int check_personal(struct mcp_call *call, const char *key, const struct strbuf *value,
                          struct error *e)
{
    struct pii_seen seen = {0};
    if (!call->guard.rules || call_policy(call)->pii != PII_REFUSE)
        return 0;
    const struct pii *p = guard_pii(call->guard.rules);
    int64_t began = monotonic_us();
    pii_in_json(p, value->buf, value->len, &seen);
    seen.kinds |= pii_key_kinds(p, key, strlen(key));
    call->spans.pii_us += monotonic_us() - began;
    return seen.kinds ? refuse_personal(call, p, seen.kinds, e) : 0;
}

/* Checks everything and prepares the write. */
static int begin_put(struct mcp_call *call, struct error *e)
{
    AUTO_STRBUF value = STRBUF_INIT;
    struct entry_put *wanted = arena_alloc(&call->request_arena, sizeof(*wanted));
    *wanted = (struct entry_put){
        .namespace_ = given_text(&call->given, "namespace", NULL),
        .key = given_text(&call->given, "key", NULL),
        .ttl_seconds = given_integer(&call->given, "ttl_seconds", -1),
    };
    int result = failed_if(check_names(wanted->namespace_, wanted->key, e) ||
                           take_json(call, &value, e) || check_ttl(call, wanted->ttl_seconds, e) ||
                           check_personal(call, wanted->key, &value, e));
    wanted->value = arena_strndup(&call->request_arena, value.buf, value.len);
    wanted->value_len = value.len;
    wanted->policy = call_policy(call);
    call->prepared = wanted;
    return result;
}

/* Adds the limits of the namespace to the details of ERROR_QUOTA. */
static int set_quota_details(struct mcp_call *call, const struct error *e)
{
    struct strbuf details = STRBUF_INIT;
    const struct namespace_policy *policy = call_policy(call);
    if (e->code == ERROR_REFUSED)
        call->denied = DENIAL_MEMORY;
    if (e->code != ERROR_QUOTA || !call->namespace_)
        return -1;
    strbuf_addstr(&details, "\"namespace\":");
    json_add_string(&details, call->namespace_);
    if (policy->max_items)
        strbuf_addf(&details, ",\"max_items\":%lld", (long long)policy->max_items);
    if (policy->max_bytes)
        strbuf_addf(&details, ",\"max_bytes\":%lld", (long long)policy->max_bytes);
    return set_details(call, &details);
}

/* Ends the write of an entry that began at `began`. */
static int end_write(struct mcp_call *call, int result, int64_t began, const struct error *e)
{
    call->spans.store_us += monotonic_us() - began;
    if (result)
        return set_quota_details(call, e);
    strbuf_addstr(&call->result, "{\"success\":true}");
    return 0;
}

static int write_put(struct mcp_call *call, struct txn *t, struct error *e)
{
    int64_t began = monotonic_us();
    struct entry_done done;
    int result = entry_put(t, &call->actor, call->prepared, &call->arena, &done, e);
    if (!result)
        call->subject = done.node;
    return end_write(call, result, began, e);
}

const struct mcp_tool tool_put_memory = {
    .name = "putMemory",
    .title = "Put into shared memory",
    .description =
        "Stores a value under a key of a namespace, for you later or for other agents; the old "
        "value becomes an earlier version. For what you learned use memory_add. Refusals: "
        "PERMISSION_DENIED, QUOTA_EXCEEDED, RATE_LIMITED, PII_DETECTED.",
    .sets = TOOLSET_BIT(TOOLSET_NAMESPACES),
    SCHEMA(put_arguments, done_answer),
    WRITES(HINT_DESTRUCTIVE | HINT_IDEMPOTENT, write_put, NULL),
    ASKS(begin_put),
};

static int write_delete(struct mcp_call *call, struct txn *t, struct error *e)
{
    int64_t began = monotonic_us();
    const char *name = given_text(&call->given, "namespace", NULL);
    const char *key = given_text(&call->given, "key", NULL);
    int result = entry_delete(t, &call->actor, name, key, NULL, &call->arena, e);
    return end_write(call, result, began, e);
}

const struct mcp_tool tool_delete_memory = {
    .name = "deleteMemory",
    .title = "Delete from shared memory",
    .description = "Deletes the entry under a key of a namespace.",
    .sets = TOOLSET_BIT(TOOLSET_NAMESPACES),
    SCHEMA(named_arguments, done_answer),
    WRITES(HINT_DESTRUCTIVE, write_delete, NULL),
    ASKS(begin_named),
};

/* ---- getContext: the session, its agent and its task ---- */

static const char *one_part(int i)
{
    static const char *const names[] = {"session", "agent", "task", "all"};
    return i >= 0 && i < 4 ? names[i] : NULL;
}
enum {
    ALL_PARTS = 3
};

static const struct field arguments[] = {
    OPTIONAL("context_type", STRING, "Which part; all: those that you may have.",
             .choice = one_part, .fallback = "\"all\""),
    OPTIONAL("include_history", BOOLEAN, "With the session: its calls of tools.",
             .fallback = "false"),
    FIELD_END,
};

static const struct field usage_fields[] = {
    NEEDED("tokens_used", INTEGER, "The bytes that passed, by 4."),
    NEEDED("tokens_estimated", BOOLEAN, "true."),
    NEEDED("usd_spent", NUMBER, "As the client said last; else 0."),
    FIELD_END,
};

static const struct field past_fields[] = {
    NEEDED("tool_name", STRING, NULL),
    FIELD("timestamp", STRING, FIELD_REQUIRED | FIELD_OWN, "ISO 8601, UTC."),
    NEEDED("success", BOOLEAN, NULL),
    FIELD_END,
};

static const struct field answer[] = {
    OPTIONAL("session_id", STRING, NULL),
    FIELD("start_time", STRING, FIELD_OWN, "Of the session: ISO 8601, UTC."),
    FIELD("agent_id", STRING, FIELD_SELF, "The name granted to you, else the one that you gave."),
    OPTIONAL("task_id", STRING, "As you said."),
    OPTIONAL("memory_usage", OBJECT, NULL, .fields = usage_fields),
    OBJECTS("tool_history", 0, past_fields, NULL),
    OPTIONAL("history_omitted", INTEGER, "How many older calls tool_history leaves out."),
    FIELD_END,
};

static unsigned allowed(const struct mcp_call *call)
{
    const struct permissions *p = call_permissions(call);
    return p ? permission_contexts(p, call->guard.agent)
             : CONTEXT_SESSION | CONTEXT_AGENT | CONTEXT_TASK;
}

static int context_deny(struct mcp_call *call, const char *part, struct error *e)
{
    struct strbuf details = STRBUF_INIT;
    call->denied = DENIAL_CONTEXT;
    error_set(e, ERROR_REFUSED, "Ask for another part, or for all that you may have.",
              "Access denied to the context of the %s", part);
    strbuf_addf(&details, "\"context_type\":\"%s\",\"operation\":\"read\"", part);
    return set_details(call, &details);
}

/* Checks the caller's permission for the part. An unknown part is left to the check of the arguments. */
static int context_permit(struct mcp_call *call, struct error *e)
{
    struct json_slice given = message_member(call->arguments, "context_type");
    unsigned parts = allowed(call);
    char name[16] = "all";
    if (given.ptr && message_copy_string(given, name, sizeof(name)) < 0)
        return 0;
    for (int i = 0; i < ALL_PARTS; i++)
        if (strcmp(name, one_part(i)) == 0 && !(parts >> i & 1))
            return context_deny(call, name, e);
    return parts || strcmp(name, one_part(ALL_PARTS)) != 0 ? 0 : context_deny(call, one_part(0), e);
}

static void pair_time(struct json_object *o, const char *name, int64_t ms)
{
    char when[32];
    clock_format_iso(when, sizeof(when), ms);
    json_pair(o, name, when);
}

static_assert(SESSION_PAST_MAX == 1000, "the description says so");

static void add_history(struct json_object *o, const struct session *s,
                        const struct session_use *used)
{
    struct json_object list = json_open(o, "tool_history", '[');
    for (size_t i = 0; i < used->kept; i++) {
        struct past_call past = session_past(s, i);
        struct json_object one = json_item_open(&list, '{');
        json_pair(&one, "tool_name", past.tool);
        pair_time(&one, "timestamp", past.at);
        json_pair_bool(&one, "success", past.outcome == ERROR_NONE);
        json_end(&one);
    }
    json_end(&list);
    if (used->calls > (int64_t)used->kept)
        json_pair_int(o, "history_omitted", used->calls - (int64_t)used->kept);
}

static void add_session(struct json_object *o, const struct session *s, bool history)
{
    if (!s)
        return;
    struct session_use used = session_get_use(s);
    json_pair(o, "session_id", session_uuid(s));
    pair_time(o, "start_time", used.started_at);
    struct json_object usage = json_open(o, "memory_usage", '{');
    json_pair_int(&usage, "tokens_used", used.bytes / BYTES_A_TOKEN);
    json_pair_raw(&usage, "tokens_estimated", "true");
    json_pair_double(&usage, "usd_spent", used.usd);
    json_end(&usage);
    if (history)
        add_history(o, s, &used);
}

/* Runs in the loop's thread, which owns sessions. It does not read the store, so it is never repeated on another
 * thread. */
static int read_context(struct mcp_call *call, struct reader *r, struct error *e)
{
    (void)e;
    (void)r;
    int part = given_choice(&call->given, "context_type", ALL_PARTS);
    unsigned parts = part == ALL_PARTS ? allowed(call) : 1u << part;
    struct json_object o = json_begin(&call->result, '{');
    if (parts & CONTEXT_SESSION)
        add_session(&o, call->session, given_bool(&call->given, "include_history", false));
    bool granted = strcmp(call->guard.agent, AGENT_UNNAMED) != 0;
    const char *agent = granted ? call->guard.agent : call->said_agent;
    if (parts & CONTEXT_AGENT && agent)
        json_pair(&o, "agent_id", agent);
    if (parts & CONTEXT_TASK && call->task)
        json_pair(&o, "task_id", call->task);
    json_end(&o);
    return 0;
}

const struct mcp_tool tool_get_context = {
    .name = "getContext",
    .title = "Where am I?",
    .description =
        "Tells your session, agent and task. With include_history also the calls of this "
        "session: pick up where you left off.",
    .sets = TOOLSET_BIT(TOOLSET_NAMESPACES),
    SCHEMA(arguments, answer),
    READS(read_context),
    .rate = tool_take_rate,
    .permit = context_permit,
};
