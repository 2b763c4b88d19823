/* The tools that change memories. Each carries out an operation of the store (store/ops) for an agent. */
#include <math.h>
#include <string.h>
#include "store/txn/txn.h"
#include "store/history/history.h"
#include "store/mcp/tools/tools.h"
#include "store/json/answer.h"
#include "store/ops/policy.h"
#include "store/json/compact.h"
#include "store/query/list.h"
#include "store/query/ref.h"
#include "store/record/get.h"

#define REASON_FIELD OPTIONAL("reason", STRING, NULL)
#define CHANGED_FIELDS                                                                             \
    FIELD("ref", STRING, FIELD_REQUIRED | FIELD_OWN, NULL), NEEDED("version", INTEGER, NULL),      \
        TEXTS("unresolved", 0, "They name nothing yet: check for slips."),                         \
        TEXTS("left", 0, "Left as it was, and why."), OPTIONAL("left_out", INTEGER, NULL),         \
        OPTIONAL("pending", STRING, "It waits for a person's approval.")

static const struct field changed_fields[] = {CHANGED_FIELDS, FIELD_END};

#define OPERATES(operation_, hints_, encode_)                                                      \
    .operation = OPERATION_##operation_, WRITES(hints_, write_operation, encode_)

/* The outcome of an operation, for its answer. */
struct done_operation {
    struct plan p;
    int64_t row;     /* row of the memory that it was about; 0 if none */
    const char *ref; /* of the memory to answer with, as the agent finds it again */
    const char *
        *changed; /* [p.count] refs of the memories that it changed; NULL where it has none */
    int64_t version;
};

/* ---- from arguments to the operation's request ---- */

/* The values of the operation's parameters, each from the argument of its name. */
static void take_request(struct mcp_call *call, const struct op_spec *spec, struct request *q)
{
    const struct given *t = &call->given;
    for (const struct field *f = t->fields; f->name; f++) {
        const struct given_value *v = &t->value[f - t->fields];
        const struct param *p = v->json.ptr ? op_param(spec, f->name) : NULL;
        if (!p || p->type == PARAM_REFS)
            continue;
        if (f->type == FIELD_ARRAY)
            op_set_list(p, q, v->list, v->count);
        else if (p->type == PARAM_KIND)
            op_set_kind(p, q, (enum kind)kind_from_name(v->text, v->len));
        else if (f->type == FIELD_STRING)
            op_set_text(p, q, &call->arena, v->text, v->len);
        else if (f->type == FIELD_INTEGER)
            op_set_integer(p, q, v->integer);
        else
            op_set_number(p, q, v->number);
    }
}

/* Sets the parameters that are made from several arguments: provenance and seeds. */
static void take_rest(struct mcp_call *call, const struct op_spec *spec, struct request *q)
{
    for (const struct param *p = spec->params; p->type != PARAM_END; p++) {
        if (p->type == PARAM_PROVENANCE) {
            struct add_request *given = arena_alloc(&call->arena, sizeof(*given));
            given->confidence = NAN;
            take_provenance(call, given);
            q->provenance = given;
            q->agent = given->agent_id;
        } else if (p->type == PARAM_SEEDS) {
            struct seed *seed = arena_alloc(&call->arena, sizeof(*seed));
            seed->confidence = given_number(&call->given, "confidence");
            seed->text = given_text(&call->given, "statement", &seed->len);
            seed->tags = given_list(&call->given, "tags", &seed->tag_count);
            q->seeds = seed;
            q->seed_count = 1;
        }
    }
}

/* Finds the memory of the operation: the argument with the name of its first parameter of type PARAM_REFS, if the
 * tool has it. */
static int find(struct mcp_call *call, struct reader *r, const struct op_spec *spec, int64_t *row,
                struct error *e)
{
    const struct param *p = spec->params;
    while (p->type != PARAM_END && p->type != PARAM_REFS)
        p++;
    bool is_given = p->type == PARAM_REFS && given_text(&call->given, p->name, NULL);
    *row = is_given ? resolve_whole(call, r, p->name, e) : 0;
    return *row < 0 ? -1 : 0;
}

/* ---- the outcome ---- */

#define BEGINNING 58 /* bytes of the text of each version */

/* Adds {"version","text"?} with the beginning of the text. */
static void add_version(struct json_object *o, const char *name, int64_t version, const char *text)
{
    AUTO_STRBUF line = STRBUF_INIT;
    struct json_object one = json_open(o, name, '{');
    json_pair_int(&one, "version", version);
    if (text) {
        compact_add_text(&line, text, SIZE_MAX, BEGINNING);
        json_pair(&one, "text", line.buf ? line.buf : "");
    }
    json_end(&one);
}

/* Says what the expected and the present version are, within the bytes of an error: an agent needs both to decide. */
static int explain_version(struct mcp_call *call, struct reader *r, int64_t row, int64_t expected,
                           struct error *e)
{
    AUTO_STRBUF form = STRBUF_INIT, both = STRBUF_INIT;
    struct json_object o = {&both, '}', false};
    struct memory_row m;
    struct error failed;
    int found = version_form(r, row, expected, &form, &failed);
    if (found < 0 || memory_row_read(r, &call->arena, row, &m, &failed))
        return -1;
    const char *text =
        found ? json_text(&call->arena, json_member(form.buf, form.len, "text"), NULL) : NULL;
    text = text ? guard_text(r, &call->arena, text, strlen(text)) : NULL;
    add_version(&o, "expected", expected, text);
    add_version(&o, "present", m.version, m.text ? m.text : "");
    call->details = arena_strndup(&call->arena, both.buf, both.len);
    return error_set(e, ERROR_CONFLICT, "memory_get reads the present version.",
                     expected > m.version ? "it is at version %lld; a version %lld never was"
                                          : "it is at version %lld, not %lld",
                     (long long)m.version, (long long)expected);
}

/* Removes memories that are hidden from the caller from the list of those left unchanged. */
static int hide_left(struct reader *r, struct arena *arena, struct plan *p, struct error *e)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->left_count; i++) {
        bool hidden;
        if (guard_begins_hidden(r, p->left[i], &hidden, e))
            return -1;
        if (!hidden)
            p->left[kept++] = refs_shorten(r, arena, p->left[i]);
    }
    p->left_count = kept;
    return 0;
}

/* The row to answer with: the first memory that was added, else the one that the operation was about. */
static int64_t answered_row(const struct op_spec *spec, const struct done_operation *d)
{
    for (size_t i = 0; spec->adds && i < d->p.count; i++)
        if (!d->p.change[i].before)
            return d->p.change[i].after->node;
    return d->row;
}

/* The refs as the agent finds them again, which need the store. */
static void shorten_changed(struct mcp_call *call, struct reader *r, struct done_operation *d)
{
    d->changed = arena_array(&call->arena, d->p.count + 1, sizeof(*d->changed));
    for (size_t i = 0; i < d->p.count; i++)
        d->changed[i] =
            d->p.change[i].after ? ref_short(r, &call->arena, d->p.change[i].after->ref) : NULL;
}

static int keep_done(struct mcp_call *call, struct reader *r, const struct op_spec *spec,
                     struct done_operation *d, struct error *e)
{
    struct memory_row m;
    int64_t row = answered_row(spec, d);
    if (memory_row_read(r, &call->arena, row, &m, e) || hide_left(r, &call->arena, &d->p, e))
        return -1;
    d->ref = ref_short(r, &call->arena, m.ref);
    if (call->tool->operation == OPERATION_REVISE)
        shorten_changed(call, r, d);
    d->version = m.version;
    if (!d->row)
        call->subject = row;
    call->done = d;
    return 0;
}

/* Carries out the operation for the agent of the call. */
static int carry_out(struct mcp_call *call, struct txn *t, enum operation op, struct error *e)
{
    const struct op_spec *spec = op_spec(op);
    struct done_operation *d = arena_alloc(&call->arena, sizeof(*d));
    struct request q = REQUEST_INIT;
    struct reader *r = txn_reader(t, e);
    take_request(call, spec, &q);
    take_rest(call, spec, &q);
    if (!r || find(call, r, spec, &d->row, e))
        return -1;
    q.nodes = &d->row;
    q.node_count = d->row > 0;
    if (operation_in(t, &call->actor, op, &q, &call->arena, &d->p, e) == 0)
        return keep_done(call, r, spec, d, e);
    bool stale = e->code == ERROR_CONFLICT && q.expected_version > 0 && d->row > 0;
    if (!stale || explain_version(call, r, d->row, q.expected_version, e))
        refs_shorten_error(r, &call->arena, e);
    return -1;
}

static int write_operation(struct mcp_call *call, struct txn *t, struct error *e)
{
    return carry_out(call, t, (enum operation)call->tool->operation, e);
}

static struct json_object begin_done(struct mcp_call *call)
{
    const struct done_operation *d = call->done;
    size_t left = 0;
    struct json_object o = begin_changed(call, d->ref, d->version);
    add_echo(&o, "unresolved", d->p.unresolved, d->p.unresolved_count, &left);
    add_echo(&o, "left", d->p.left, d->p.left_count, &left);
    add_left_out(&o, left);
    if (d->p.outcome)
        add_pending(call, &o, d->p.outcome->node, d->p.outcome->text, d->p.waits);
    return o;
}

static void encode_done(struct mcp_call *call)
{
    struct json_object o = begin_done(call);
    json_end(&o);
}

/* ---- what a person answered ---- */

int decide_pending(struct mcp_call *call, struct txn *t, struct error *e)
{
    struct actor person = {.class = ACTOR_PERSON,
                           .name = call->service->offer.person,
                           .origin = "mcp",
                           .session = call->actor.session};
    struct request q = REQUEST_INIT;
    struct plan p;
    struct memory_row m;
    struct reader *r = txn_reader(t, e);
    if (!r)
        return -1;
    reader_guard(r, NULL); /* the person sees everything */
    q.nodes = &call->decides.row;
    q.node_count = 1;
    q.reason = call->decides.reason;
    int result = memory_row_read(r, &call->arena, call->decides.row, &m, e);
    bool stands = person.name && m.status == STATUS_PENDING && gate_asks(&call->guard);
    if (result == 0 && stands)
        result =
            operation_in(t, &person, call->decides.approves ? OPERATION_APPROVE : OPERATION_RETRACT,
                         &q, &call->arena, &p, e);
    reader_guard(r, &call->guard);
    call->subject = call->decides.row;
    return result;
}

/* ---- memory_update, memory_mark, memory_seed ---- */

static const struct field update_arguments[] = {
    REF_FIELD,
    FIELD("text", STRING, FIELD_NOT_EMPTY | FIELD_TEXT, NULL),
    OPTIONAL("confidence", NUMBER, "0 to 1", UNIT),
    TEXTS("tags", 0, NULL, TAG_BOUNDS),
    REFS_FIELD("derived_from", "all of it, in place of what it names"),
    REASON_FIELD,
    OPTIONAL("expected_version", INTEGER, NULL, .min = 1, .max = WHOLE_MAX),
    FIELD_END,
};

const struct mcp_tool tool_memory_update = {
    .name = "memory_update",
    .title = "Correct a memory",
    .description =
        "Corrects a memory's text, confidence, tags or sources. What you leave out stays; its "
        "history "
        "keeps the old values. With expected_version, the version that you read, a change since "
        "then is a CONFLICT with both versions.",
    .sets = TOOLSET_BIT(TOOLSET_MEMORY),
    SCHEMA(update_arguments, changed_fields),
    OPERATES(EDIT, HINT_DESTRUCTIVE | HINT_IDEMPOTENT, encode_done),
};

static const struct field flag_arguments[] = {
    REF_FIELD,
    FIELD("mark", STRING, FIELD_REQUIRED | FIELD_NOT_EMPTY,
          "One word: reviewed, for_review, poisoned, rating, faithful, or your own.",
          .longest = 60),
    OPTIONAL("value", STRING,
             "Of a rating: how good; of a source of a step: document:ID relevant, or irrelevant.",
             .longest = SHORT_MAX),
    OPTIONAL("remove", BOOLEAN, "Takes back a flag of yours.", .fallback = "false"),
    REASON_FIELD,
    FIELD_END,
};

static int write_mark(struct mcp_call *call, struct txn *t, struct error *e)
{
    bool remove = given_bool(&call->given, "remove", false);
    return carry_out(call, t, remove ? OPERATION_UNFLAG : OPERATION_FLAG, e);
}

const struct mcp_tool tool_memory_mark = {
    .name = "memory_mark",
    .title = "Flag a memory",
    .description =
        "Flags a memory for the person who reviews and for other agents. It changes nothing "
        "else. for_review: a person should look. poisoned: a source seems planted or false. "
        "rating: of a source of a step, \"document:ID relevant\" or irrelevant. faithful: yes or "
        "no, does a step keep to its sources?",
    .sets = TOOLSET_BIT(TOOLSET_MEMORY),
    SCHEMA(flag_arguments, changed_fields),
    .operation = OPERATION_FLAG,
    WRITES(HINT_IDEMPOTENT, write_mark, encode_done),
};

static const struct field seed_arguments[] = {
    PROSE("statement", NULL),
    OPTIONAL("confidence", NUMBER, "0 to 1; default 0.8", UNIT),
    TAGS_FIELD,
    FIELD_END,
};

const struct mcp_tool tool_memory_seed = {
    .name = "memory_seed",
    .title = "Add a seed belief",
    .description =
        "Adds a belief that you were given at the start rather than formed: a principle, who you "
        "are. Use it once, at setup.",
    .sets = TOOLSET_BIT(TOOLSET_KERNLE),
    SCHEMA(seed_arguments, changed_fields),
    OPERATES(SEED, 0, encode_done),
};

/* ---- memory_propagate_confidence: a preview; only a person caps confidences ---- */

static const struct field propagate_arguments[] = {REF_FIELD, FIELD_END};

static const struct field change_fields[] = {
    FIELD("ref", STRING, FIELD_REQUIRED | FIELD_OWN, NULL),
    NEEDED("before", NUMBER, NULL),
    NEEDED("after", NUMBER, NULL),
    FIELD_END,
};

static const struct field answer[] = {
    OBJECTS("changes", FIELD_REQUIRED, change_fields, "Confidences that would be lowered."),
    OPTIONAL("more", INTEGER, "So many others would be, too."),
    TEXTS("left", 0, "What would be left as it is, and why."),
    OPTIONAL("left_out", INTEGER, NULL),
    FIELD_END,
};

#define CAPS_MOST 30000 /* bytes of the changes, before the last one */

/* Adds what would change, as far as there is room; memories that the caller may not see whole are left out. */
static int add_caps(struct mcp_call *call, struct reader *r, const struct plan *p, struct error *e)
{
    int64_t more = 0;
    struct json_object o = json_begin(&call->result, '{');
    struct json_object list = json_open(&o, "changes", '[');
    for (size_t i = 0; i < p->count; i++) {
        const struct planned *c = &p->change[i];
        enum visibility visibility;
        if (!c->before || !c->after)
            continue;
        if (guard_visibility(r, c->before->node, &visibility, e))
            return -1;
        if (visibility != VISIBLE_WHOLE)
            continue;
        if (more || o.out->len > CAPS_MOST) {
            more++;
            continue;
        }
        struct json_object one = json_item_open(&list, '{');
        json_pair(&one, "ref", ref_short(r, &call->arena, c->after->ref));
        json_pair_double(&one, "before", c->before->confidence);
        json_pair_double(&one, "after", c->after->confidence);
        json_end(&one);
    }
    json_end(&list);
    json_pair_int_if(&o, "more", more);
    size_t left = 0;
    add_echo(&o, "left", p->left, p->left_count, &left);
    add_left_out(&o, left);
    json_end(&o);
    return 0;
}

static int preview(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct plan p;
    struct request q = REQUEST_INIT;
    /* Preview as a person, who needs no permission: nothing is written. */
    struct actor person = call->actor;
    int64_t row = resolve_whole(call, r, "ref", e);
    person.class = ACTOR_PERSON;
    q.nodes = &row;
    q.node_count = 1;
    if (row < 0 || operation_preview(r, &person, OPERATION_CAP_CONFIDENCE, &q, &call->arena, &p, e))
        return -1;
    return hide_left(r, &call->arena, &p, e) ? -1 : add_caps(call, r, &p, e);
}

const struct mcp_tool tool_memory_propagate_confidence = {
    .name = "memory_propagate_confidence",
    .title = "How sure can what is based on it be?",
    .description =
        "Shows what would change if no memory could be surer than its strongest justification, "
        "and that no stronger than its weakest source. Nothing is written: a person commits it.",
    .sets = TOOLSET_BIT(TOOLSET_KERNLE),
    SCHEMA(propagate_arguments, answer),
    READS(preview),
};

/* ---- decisions about a memory: for agents only if the configuration allows it ---- */

static const struct field decide_arguments[] = {REF_FIELD, REASON_FIELD, FIELD_END};

#define DECIDES(name_, operation_, set_, title_, idempotent_, description_)                        \
    const struct mcp_tool tool_memory_##name_ = {                                                  \
        .name = "memory_" #name_,                                                                  \
        .title = title_,                                                                           \
        .description = description_,                                                               \
        .sets = TOOLSET_BIT(TOOLSET_##set_),                                                       \
        SCHEMA(decide_arguments, changed_fields),                                                  \
        OPERATES(operation_, HINT_DESTRUCTIVE | (idempotent_), encode_done),                       \
        .opt_in = true,                                                                            \
    }

const struct mcp_tool tool_memory_verify = {
    .name = "memory_verify",
    .title = "Verify a memory",
    .description = "Records that you checked a memory against its source and found it right: the "
                   "flag verified in your name. Its confidence stays. Say what you checked.",
    .sets = TOOLSET_BIT(TOOLSET_KERNLE),
    SCHEMA(decide_arguments, changed_fields),
    OPERATES(APPROVE, 0, encode_done),
};

static const struct field retract_arguments[] = {
    REF_FIELD,
    OPTIONAL("forget", BOOLEAN, NULL, .fallback = "false"),
    REASON_FIELD,
    FIELD_END,
};

static int write_retract(struct mcp_call *call, struct txn *t, struct error *e)
{
    bool forget = given_bool(&call->given, "forget", false);
    return carry_out(call, t, forget ? OPERATION_FORGET : OPERATION_RETRACT, e);
}

const struct mcp_tool tool_memory_retract = {
    .name = "memory_retract",
    .title = "Retract a memory",
    .description =
        "Marks a memory as wrong. Its text and lineage stay, but it supports nothing any more. "
        "Ask memory_lineage for whatif first. With `forget` it is hidden from lists and "
        "searches, not called wrong.",
    .sets = TOOLSET_BIT(TOOLSET_MEMORY),
    SCHEMA(retract_arguments, changed_fields),
    .operation = OPERATION_RETRACT,
    WRITES(HINT_DESTRUCTIVE | HINT_IDEMPOTENT, write_retract, encode_done),
    .opt_in = true,
};

DECIDES(restore, RESTORE, KERNLE, "Restore a memory", HINT_IDEMPOTENT,
        "Brings back a memory that was retracted, forgotten or deleted; what is based on it "
        "stands again. What a person retracted only a person restores.");

DECIDES(forget, FORGET, KERNLE, "Forget a memory", HINT_IDEMPOTENT,
        "Hides a memory from lists and searches; nothing can be based on it any more, and what "
        "is based on it is flagged for review. If it is wrong, use memory_retract.");

DECIDES(protect, LOCK, KERNLE, "Protect a memory", HINT_IDEMPOTENT,
        "Locks a memory: no agent can change it, you included. Only a person unlocks it.");

/* ---- memory_process_raw, _reinforce, _consolidate, _supersede, _revise_from_episode ---- */

static const enum kind processed[] = {KIND_EPISODE, KIND_BELIEF, KIND_NOTE};

static const char *one_processed(int i)
{
    return (size_t)i < sizeof(processed) / sizeof(processed[0]) ? kind_name(processed[i]) : NULL;
}

static const struct field process_arguments[] = {
    REF_ARGUMENT("ref", "raw:id"),
    NEEDED("as", STRING, NULL, .choice = one_processed),
    FIELD("text", STRING, FIELD_NOT_EMPTY | FIELD_TEXT, "Default: the text of the raw entry"),
    PROVENANCE_FIELDS,
    TAGS_TOO,
    FIELD_END,
};

const struct mcp_tool tool_memory_process_raw = {
    .name = "memory_process_raw",
    .title = "Promote a raw entry",
    .description =
        "Makes an episode, belief or note of a raw entry: derived from it, with confidence 0.7. "
        "Further provenance is added to that of the entry.",
    .sets = TOOLSET_BIT(TOOLSET_KERNLE),
    SCHEMA(process_arguments, changed_fields),
    OPERATES(PROMOTE, 0, encode_done),
};

static const struct field reinforced_fields[] = {
    CHANGED_FIELDS,
    NEEDED("old", NUMBER, "Its confidence before."),
    NEEDED("new", NUMBER, "And now."),
    FIELD_END,
};

/* Answers with the confidence of the memory before the first and after the last change of the call. */
static void encode_reinforced(struct mcp_call *call)
{
    const struct done_operation *d = call->done;
    double old = NAN, new = NAN;
    for (size_t i = 0; i < d->p.count; i++) {
        const struct planned *c = &d->p.change[i];
        if (!c->before || !c->after || c->before->node != d->row)
            continue;
        old = isnan(old) ? c->before->confidence : old;
        new = c->after->confidence;
    }
    struct json_object o = begin_done(call);
    /* Six decimals show the smallest step; the memory in full form has the exact number. */
    json_pair_double(&o, "old", round(old * 1e6) / 1e6);
    json_pair_double(&o, "new", round(new * 1e6) / 1e6);
    json_end(&o);
}

static const struct field reinforce_arguments[] = {
    REF_FIELD,
    FIELD("evidence_source", STRING, FIELD_NOT_EMPTY, "A ref, or context:TEXT for a remark.",
          .longest = URI_MAX),
    REASON_FIELD,
    FIELD_END,
};

const struct mcp_tool tool_memory_reinforce = {
    .name = "memory_reinforce",
    .title = "Reinforce a memory",
    .description =
        "Raises the confidence of a memory that new evidence confirms. Use it instead of adding "
        "the same belief again. The evidence becomes a further justification: the belief then "
        "stands without its first source. Each step is smaller.",
    .sets = TOOLSET_BIT(TOOLSET_MEMORY),
    SCHEMA(reinforce_arguments, reinforced_fields),
    OPERATES(REINFORCE, 0, encode_reinforced),
};

static const struct field consolidate_arguments[] = {
    REF_FIELD,
    TEXTS("evidence", FIELD_REQUIRED | FIELD_NONE_EMPTY, NULL, .longest = URI_MAX, .min = 1,
          .max = REFS_MAX),
    OPTIONAL("date", STRING, "2026-02-01; default: today", .longest = SHORT_MAX),
    REASON_FIELD,
    FIELD_END,
};

const struct mcp_tool tool_memory_consolidate = {
    .name = "memory_consolidate",
    .title = "Consolidate a belief",
    .description =
        "Reinforces a belief once by several memories, each a justification of its own. For one "
        "piece of evidence use memory_reinforce.",
    .sets = TOOLSET_BIT(TOOLSET_KERNLE),
    SCHEMA(consolidate_arguments, reinforced_fields),
    OPERATES(CONSOLIDATE, 0, encode_reinforced),
};

static const struct field supersede_arguments[] = {
    REF_ARGUMENT("ref", NULL),
    PROSE("statement", NULL),
    OPTIONAL("confidence", NUMBER, "0 to 1; default: the old one's", UNIT),
    REASON_FIELD,
    FIELD_END,
};

const struct mcp_tool tool_memory_supersede = {
    .name = "memory_supersede",
    .title = "Replace a belief",
    .description =
        "Replaces a belief by a better statement, and keeps the old one as its source. Use it "
        "when you learned more; for a slip use memory_update. A belief that is replaced already "
        "is a CONFLICT, which names the newer one.",
    .sets = TOOLSET_BIT(TOOLSET_MEMORY),
    SCHEMA(supersede_arguments, changed_fields),
    OPERATES(REPLACE, 0, encode_done),
};

static const struct field revise_arguments[] = {
    REF_ARGUMENT("episode", NULL),
    REFS_FIELD("confirms", NULL),
    REFS_FIELD("contradicts", NULL),
    REASON_FIELD,
    FIELD_END,
};

static const struct field revise_answer[] = {
    FIELD("reinforced", ARRAY, FIELD_REQUIRED | FIELD_OWN, NULL, .of = FIELD_STRING),
    FIELD("for_review", ARRAY, FIELD_REQUIRED | FIELD_OWN, "A person will look at them.",
          .of = FIELD_STRING),
    OPTIONAL("left_out", INTEGER, "So many more of these lists."),
    FIELD_END,
};

#define CHANGED_MOST 34000 /* bytes of an answer with refs, before the last one */

/* Adds the refs of the memories that the operation changed, and to *left the number of those without room. */
static void add_changed(struct json_object *o, const char *name, const struct done_operation *d,
                        const char *operation, int64_t *left)
{
    struct json_object list = json_open(o, name, '[');
    for (size_t i = 0; i < d->p.count; i++) {
        if (strcmp(d->p.change[i].operation, operation) != 0 || !d->changed[i])
            continue;
        if (o->out->len > CHANGED_MOST) {
            ++*left;
            continue;
        }
        json_item_string(&list, d->changed[i]);
    }
    json_end(&list);
}

static void encode_revised(struct mcp_call *call)
{
    const struct done_operation *d = call->done;
    int64_t left = 0;
    struct json_object o = json_begin(&call->result, '{');
    add_changed(&o, "reinforced", d, "reinforce", &left);
    add_changed(&o, "for_review", d, "mark", &left);
    json_pair_int_if(&o, "left_out", left);
    json_end(&o);
}

const struct mcp_tool tool_memory_revise_from_episode = {
    .name = "memory_revise_from_episode",
    .title = "Revise beliefs from an experience",
    .description =
        "Records what an episode confirms and contradicts. Confirmed beliefs are reinforced; "
        "contradicted ones are flagged for review and keep their confidence.",
    .sets = TOOLSET_BIT(TOOLSET_KERNLE),
    SCHEMA(revise_arguments, revise_answer),
    OPERATES(REVISE, 0, encode_revised),
};
