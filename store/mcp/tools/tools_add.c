/* The tools that add a memory: memory_raw, _episode, _note, _belief, _add. */
#include "model/format/memory_json.h"
#include "store/json/compact.h"
#include "store/mcp/tools/tools.h"
#include "store/ops/policy.h"
#include "store/query/ref.h"
#include "store/txn/txn.h"

#define UNRESOLVED_SHOWN 5 /* refs shown in a log message */

/* The answer of every tool that adds a memory. */
static const struct field added_fields[] = {
    FIELD("ref", STRING, FIELD_REQUIRED | FIELD_OWN, NULL),
    NEEDED("version", INTEGER, NULL),
    TEXTS("unresolved", 0, "Kept, and name nothing yet: check for slips."),
    TEXTS("annotations", 0, "No refs: kept as remarks."),
    OPTIONAL("left_out", INTEGER, NULL),
    OPTIONAL("pending", STRING, "It waits for a person's approval."),
    OPTIONAL("why", STRING, "What it is based on has ended."),
    FIELD_END,
};

/* Joins `tags` and `context_tags`. */
static void take_tags(struct mcp_call *call, struct add_request *r)
{
    const struct given *t = &call->given;
    size_t own, context;
    const char **tags = given_list(t, "tags", &own);
    const char **more = given_list(t, "context_tags", &context);
    const char **all = arena_array(&call->arena, own + context + 1, sizeof(*all));
    for (size_t i = 0; i < own; i++)
        all[i] = tags[i];
    for (size_t i = 0; i < context; i++)
        all[own + i] = more[i];
    r->tags = all;
    r->tag_count = own + context;
}

void take_provenance(struct mcp_call *call, struct add_request *r)
{
    const struct given *t = &call->given;
    r->agent_id = given_text(t, "agent_id", NULL);
    r->source = given_text(t, "source", NULL);
    r->source_type = given_text(t, "source_type", NULL);
    r->source_entity = given_text(t, "source_entity", NULL);
    r->context = given_text(t, "context", NULL);
    r->derived_from = given_list(t, "derived_from", &r->derived_count);
    r->relates_to = given_list(t, "relates_to", &r->relates_count);
    r->derivation = (enum reading)given_choice(t, "derivation", READING_ANY);
    take_tags(call, r);
}

void add_items(struct json_object *o, const char *name, const void *items, size_t count,
               list_item item, size_t most, size_t *left)
{
    size_t written = 0;
    if (count == 0)
        return;
    struct json_object list = json_open(o, name, '[');
    while (written < count && o->out->len < most)
        item(&list, items, written++);
    json_end(&list);
    *left += count - written;
}

static void text_item(struct json_object *list, const void *texts, size_t i)
{
    json_item_string(list, ((const char *const *)texts)[i]);
}

void add_texts(struct json_object *o, const char *name, const char *const *texts, size_t count,
               size_t most, size_t *left)
{
    add_items(o, name, texts, count, text_item, most, left);
}

/* ---- the answer of a write ---- */

#define ECHO_TEXT 300   /* code points of a text that the agent gave */
#define ECHO_MOST 34000 /* bytes of an answer with such texts, before the last one */

static void echo_item(struct json_object *list, const void *texts, size_t i)
{
    AUTO_STRBUF text = STRBUF_INIT;
    compact_add_text(&text, ((const char *const *)texts)[i], ECHO_TEXT, 6 * ECHO_TEXT);
    json_item(list);
    json_add_string_len(list->out, text.buf, text.len);
}

void add_echo(struct json_object *o, const char *name, const char *const *texts, size_t count,
              size_t *left)
{
    add_items(o, name, texts, count, echo_item, ECHO_MOST, left);
}

struct json_object begin_changed(struct mcp_call *call, const char *ref, int64_t version)
{
    struct json_object o = json_begin(&call->result, '{');
    json_pair(&o, "ref", ref);
    json_pair_int(&o, "version", version);
    return o;
}

struct json_object begin_written(struct mcp_call *call, struct ref ref, int64_t version)
{
    struct json_object o = json_begin(&call->result, '{');
    memory_json_pair_ref(&o, "ref", ref);
    json_pair_int(&o, "version", version);
    return o;
}

void add_pending(struct mcp_call *call, struct json_object *o, int64_t row, const char *text,
                 const char *waits)
{
    if (!waits)
        return;
    json_pair(o, "pending", gate_message(&call->arena, waits));
    if (gate_asks(&call->guard))
        call->asks = (struct mcp_asked){row, text, waits};
}

/* Reports unresolved refs in a log message, for hosts that show their log. The answer lists all of them. */
static void warn_unresolved(struct mcp_call *call, const struct added *added)
{
    AUTO_STRBUF text = STRBUF_INIT;
    size_t count = added->unresolved_count;
    if (count == 0)
        return;
    strbuf_addf(&text, "%zu %s yet and %s kept as given: ", count,
                count == 1 ? "ref names nothing" : "refs name nothing", count == 1 ? "is" : "are");
    for (size_t i = 0; i < count && i < UNRESOLVED_SHOWN; i++)
        strbuf_addf(&text, "%s%s", i ? ", " : "", added->unresolved[i]);
    strbuf_addstr(&text, count > UNRESOLVED_SHOWN ? ", …" : "");
    call->warning = arena_strndup(&call->arena, text.buf, text.len);
}

int keep_added(struct mcp_call *call, const struct added *added)
{
    call->subject = added->node;
    call->done = added;
    return 0;
}

/* What was added, and its ref as the agent finds it again, which needs the store. */
struct added_short {
    struct added added;
    const char *ref;
};

/* Adds the memory of `request` with the provenance from the arguments. */
static int add(struct mcp_call *call, struct txn *t, struct add_request *request, size_t text_len,
               struct error *e)
{
    struct added_short *a = arena_alloc(&call->arena, sizeof(*a));
    take_provenance(call, request);
    if (add_memory(t, &call->actor, request, text_len, &call->arena, &a->added, e))
        return -1;
    struct reader *r = txn_reader(t, e);
    if (!r)
        return -1;
    a->ref = ref_short(r, &call->arena, a->added.ref);
    call->subject = a->added.node;
    call->done = a;
    return 0;
}

static void add_remarks(struct mcp_call *call, struct json_object *o, const struct added *added)
{
    size_t left = 0;
    add_echo(o, "unresolved", added->unresolved, added->unresolved_count, &left);
    add_echo(o, "annotations", added->annotations, added->annotation_count, &left);
    add_left_out(o, left);
    add_pending(call, o, added->node, added->text, added->waits);
    json_pair_if(o, "why", added->why);
    json_end(o);
    warn_unresolved(call, added);
}

static void encode_short(struct mcp_call *call)
{
    const struct added_short *a = call->done;
    struct json_object o = begin_changed(call, a->ref, a->added.version);
    add_remarks(call, &o, &a->added);
}

void encode_added(struct mcp_call *call)
{
    const struct added *added = call->done;
    struct json_object o = begin_written(call, added->ref, added->version);
    add_remarks(call, &o, added);
}

/* Adds an argument to the detail as it is: it was checked, and the detail uses the same form. */
static void add_member(const struct given *t, struct json_object *o, const char *argument,
                       const char *member, const char *otherwise)
{
    struct json_slice value = given_value(t, argument);
    if (!value.ptr && !otherwise)
        return;
    json_key(o, member);
    if (!value.ptr)
        json_add_string(o->out, otherwise);
    else
        json_add_value(o->out, value.ptr, value.len);
}

/* For kinds with their own tool: the argument with the text, and the arguments that become members of the detail. */
static const struct {
    const char *text;
    struct {
        const char *argument, *member, *otherwise;
    } members[4];
} own[KIND_COUNT] = {
    [KIND_RAW] = {"blob", {{NULL, NULL, NULL}}},
    [KIND_EPISODE] = {"objective",
                      {{"outcome", "outcome", NULL},
                       {"outcome_type", "outcome_type", NULL},
                       {"lessons", "lessons", NULL}}},
    [KIND_NOTE] = {"content",
                   {{"type", "note_type", "note"},
                    {"speaker", "speaker", NULL},
                    {"reason", "reason", NULL}}},
    [KIND_BELIEF] = {"statement", {{"type", "belief_type", "fact"}}},
};

/* Adds a memory of the tool's kind. */
static int write_kind(struct mcp_call *call, struct txn *t, struct error *e)
{
    AUTO_STRBUF detail = STRBUF_INIT;
    size_t len;
    enum kind kind = (enum kind)call->tool->kind;
    struct add_request r = {.kind = kind, .text = given_text(&call->given, own[kind].text, &len)};
    r.confidence = given_number(&call->given, "confidence");
    struct json_object o = json_begin(&detail, '{');
    for (size_t i = 0; own[kind].members[i].member; i++)
        add_member(&call->given, &o, own[kind].members[i].argument, own[kind].members[i].member,
                   own[kind].members[i].otherwise);
    json_end(&o);
    r.detail = detail.buf;
    return add(call, t, &r, len, e);
}

static const struct field raw_arguments[] = {
    PROSE("blob", NULL),
    PROVENANCE_FIELDS,
    TAGS_TOO,
    FIELD_END,
};

const struct mcp_tool tool_memory_raw = {
    .name = "memory_raw",
    .title = "Capture as it happened",
    .description =
        "Keeps something exactly as it came, before you interpret it: a message, output, a page, "
        "a thought. What you make of it names its ref in derived_from. For something retrieved "
        "use log_source_attribution.",
    .sets = TOOLSET_BIT(TOOLSET_KERNLE),
    SCHEMA(raw_arguments, added_fields),
    WRITES(0, write_kind, encode_short),
    .kind = KIND_RAW,
};

static const struct field episode_arguments[] = {
    PROSE("objective", NULL),
    NEEDED("outcome", STRING, NULL),
    OPTIONAL("outcome_type", STRING, "success, failure, partial", .longest = SHORT_MAX),
    TEXTS("lessons", 0, NULL, .max = TAGS_MAX),
    TAGS_FIELD,
    PROVENANCE_FIELDS,
    FIELD_END,
};

const struct mcp_tool tool_memory_episode = {
    .name = "memory_episode",
    .title = "Remember an experience",
    .description =
        "Records what was attempted and what came of it. Use it when a task ends, well or badly. "
        "Beliefs formed from it name it in derived_from.",
    .sets = TOOLSET_BIT(TOOLSET_KERNLE),
    SCHEMA(episode_arguments, added_fields),
    WRITES(0, write_kind, encode_short),
    .kind = KIND_EPISODE,
};

static const struct field note_arguments[] = {
    PROSE("content", NULL),
    FIELD("type", STRING, FIELD_NOT_EMPTY, "note, decision, insight, quote, observation, …",
          .longest = SHORT_MAX, .fallback = "\"note\""),
    OPTIONAL("speaker", STRING, NULL, .longest = SHORT_MAX),
    OPTIONAL("reason", STRING, NULL),
    TAGS_FIELD,
    PROVENANCE_FIELDS,
    FIELD_END,
};

const struct mcp_tool tool_memory_note = {
    .name = "memory_note",
    .title = "Write a note",
    .description =
        "Keeps a decision with its reason, an insight, a quote with its speaker, an observation.",
    .sets = TOOLSET_BIT(TOOLSET_KERNLE),
    SCHEMA(note_arguments, added_fields),
    WRITES(0, write_kind, encode_short),
    .kind = KIND_NOTE,
};

static const struct field belief_arguments[] = {
    PROSE("statement", NULL),
    FIELD("type", STRING, FIELD_NOT_EMPTY, "fact, preference, rule, …", .longest = SHORT_MAX,
          .fallback = "\"fact\""),
    OPTIONAL("confidence", NUMBER, "0 to 1", .fallback = "0.8", UNIT),
    PROVENANCE_FIELDS,
    TAGS_TOO,
    FIELD_END,
};

const struct mcp_tool tool_memory_belief = {
    .name = "memory_belief",
    .title = "Hold something true",
    .description =
        "Records a statement that you hold true, how sure you are, and why. Search first. "
        "derived_from: what it was made from; relates_to: what else supports it. With derivation "
        "\"all\" it stands only while all of derived_from stand.",
    .sets = TOOLSET_BIT(TOOLSET_KERNLE),
    SCHEMA(belief_arguments, added_fields),
    WRITES(0, write_kind, encode_short),
    .kind = KIND_BELIEF,
};

static const struct field any_arguments[] = {
    FIELD("kind", STRING, FIELD_REQUIRED | FIELD_UNTOLD,
          "raw, episode, note, belief, goal, value, …", .choice = one_kind),
    PROSE("text", NULL),
    OPTIONAL("confidence", NUMBER, "0 to 1", UNIT),
    FIELD("detail", OBJECT, FIELD_OPEN, "outcome, note_type, uri …"),
    TAGS_FIELD,
    PROVENANCE("name its sources: kind:id", "what backs it up", NULL, "human:NAME", FIELD_UNLISTED),
    FIELD_END,
};

static int write_any(struct mcp_call *call, struct txn *t, struct error *e)
{
    struct json_slice detail = given_value(&call->given, "detail");
    size_t len;
    struct add_request r = {.text = given_text(&call->given, "text", &len)};
    r.kind = (enum kind)given_choice(&call->given, "kind", KIND_NOTE);
    r.confidence = given_number(&call->given, "confidence");
    r.detail = detail.ptr ? arena_strndup(&call->arena, detail.ptr, detail.len) : NULL;
    if (r.kind == KIND_ENTRY && call->guard.rules)
        return error_set(e, ERROR_REFUSED,
                         "putMemory (set namespaces) stores entries: call it by name.",
                         "an entry is put by putMemory alone");
    return add(call, t, &r, len, e);
}

const struct mcp_tool tool_memory_add = {
    .name = "memory_add",
    .title = "Add a memory of any kind",
    .description =
        "Adds a memory. Search first. raw: as it came; episode: what was tried; note: a decision, "
        "a quote; belief: what you hold true.",
    .sets = TOOLSET_BIT(TOOLSET_MEMORY),
    SCHEMA(any_arguments, added_fields),
    WRITES(0, write_any, encode_short),
};
