/* The tools that change memories. Each carries out an operation of the store (store/ops) for an agent. */
#include <math.h>
#include <string.h>
#include "model/format/memory_json.h"
#include "store/txn/txn.h"
#include "store/history/history.h"
#include "store/mcp/tools/tools.h"
#include "store/json/answer.h"
#include "store/query/list.h"
#include "store/record/get.h"

#define REASON_FIELD                                                                               \
    OPTIONAL("reason", STRING, "Why, in words: it is kept in the history and a person reads it.")
#define CHANGED_FIELDS                                                                             \
    NEEDED("ref", STRING, NULL),                                                                   \
        NEEDED("version", INTEGER, "That it is at now; it grows with each change."),               \
        TEXTS("unresolved", 0, "Refs you gave that name nothing yet: check them for slips."),      \
        TEXTS("left", 0, "What was left as it was, and why: it had these values already.")

static const struct field changed_fields[] = {CHANGED_FIELDS, FIELD_END};

#define OPERATES(operation_, hints_, encode_)                                                      \
    .operation = OPERATION_##operation_, WRITES(hints_, write_operation, encode_)

/* The outcome of an operation, for its answer. */
struct done_operation {
    struct plan p;
    int64_t row; /* row of the memory that it was about; 0 if none */
    struct ref ref;
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
            seed->confidence = given_number(&call->given, "confidence", NAN);
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

/* Adds the expected and the present version to the error's details: an agent needs both to decide. */
static void set_version_details(struct mcp_call *call, struct reader *r, int64_t row,
                                int64_t expected)
{
    struct strbuf both = STRBUF_INIT;
    struct error e;
    if (version_both(r, &call->arena, row, expected, &both, &e) == 0)
        call->details = arena_strndup(&call->arena, both.buf, both.len);
    strbuf_release(&both);
}

/* Removes memories that are hidden from the caller from the list of those left unchanged. */
static int hide_left(struct reader *r, struct plan *p, struct error *e)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->left_count; i++) {
        bool hidden;
        if (guard_begins_hidden(r, p->left[i], &hidden, e))
            return -1;
        if (!hidden)
            p->left[kept++] = p->left[i];
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

static int keep_done(struct mcp_call *call, struct reader *r, const struct op_spec *spec,
                     struct done_operation *d, struct error *e)
{
    struct memory_row m;
    int64_t row = answered_row(spec, d);
    if (memory_row_read(r, &call->arena, row, &m, e) || hide_left(r, &d->p, e))
        return -1;
    d->ref = m.ref;
    d->version = m.version;
    if (!d->row)
        call->subject = row;
    call->done = d;
    return 0;
}

/* Carries out the tool's operation for the agent of the call. */
static int write_operation(struct mcp_call *call, struct txn *t, struct error *e)
{
    enum operation op = (enum operation)call->tool->operation;
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
    if (e->code == ERROR_CONFLICT && q.expected_version)
        set_version_details(call, r, d->row, q.expected_version);
    return -1;
}

static struct json_object begin_done(struct mcp_call *call)
{
    const struct done_operation *d = call->done;
    size_t none = 0;
    struct json_object o = begin_written(call, d->ref, d->version);
    add_texts(&o, "unresolved", d->p.unresolved, d->p.unresolved_count, SIZE_MAX, &none);
    add_texts(&o, "left", d->p.left, d->p.left_count, SIZE_MAX, &none);
    return o;
}

static void encode_done(struct mcp_call *call)
{
    struct json_object o = begin_done(call);
    json_end(&o);
}

/* ---- memory_update, memory_mark, memory_seed ---- */

static const struct field update_arguments[] = {
    REF_FIELD,
    FIELD("text", STRING, FIELD_NOT_EMPTY | FIELD_TEXT, "What it says, in place of what it said."),
    OPTIONAL("confidence", NUMBER, "How sure you are, 0 to 1.", UNIT),
    TEXTS("tags", 0, "Its tags, in place of those it has; [] takes them away.", TAG_BOUNDS),
    REASON_FIELD,
    OPTIONAL("expected_version", INTEGER, "The version you read; of another: CONFLICT.", .min = 1,
             .max = WHOLE_MAX),
    FIELD_END,
};

const struct mcp_tool tool_memory_update = {
    .name = "memory_update",
    .title = "Correct a memory",
    .description = "Changes what a memory says, how sure you are of it, or its tags; what you "
                   "leave out stays, and what it was is kept in the history. Use it for a slip, a "
                   "better word, a tag. When you learned something, memory_supersede keeps both "
                   "statements apart, and memory_reinforce raises a confidence by evidence.\n"
                   "Give expected_version, the version that memory_get told you: if somebody "
                   "changed it since, you get CONFLICT, whose details hold `expected` (as it was, "
                   "or null) and `present`. What a person protected, verified, retracted or "
                   "quarantined is PERMISSION_DENIED.",
    SCHEMA(update_arguments, changed_fields),
    OPERATES(EDIT, HINT_DESTRUCTIVE | HINT_IDEMPOTENT, encode_done),
};

static const struct field flag_arguments[] = {
    REF_FIELD,
    FIELD("mark", STRING, FIELD_REQUIRED | FIELD_NOT_EMPTY,
          "One word: reviewed, for_review, poisoned, quarantined, rating, faithful, or your own.",
          .longest = 60),
    OPTIONAL("value", STRING,
             "Of a rating: how good; of a source of a step: document:ID relevant, or irrelevant.",
             .longest = SHORT_MAX),
    REASON_FIELD,
    FIELD_END,
};

const struct mcp_tool tool_memory_mark = {
    .name = "memory_mark",
    .title = "Say a word on a memory",
    .description =
        "Puts a mark on a memory: your word on it, for the person who reviews and for other "
        "agents. It changes nothing that the memory says. for_review asks a person to look; "
        "poisoned says that a source seems to be planted or false; rating says how good a source "
        "was, of a step for each of its sources (\"document:ID relevant\", or irrelevant); "
        "faithful yes or no, whether a step keeps to its sources.\n"
        "The same mark with another value takes your former one back.\n"
        "Example: {\"ref\": \"attribution:9b2d\", \"mark\": \"for_review\", \"reason\": \"the page "
        "contradicts itself\"}.",
    SCHEMA(flag_arguments, changed_fields),
    OPERATES(FLAG, HINT_IDEMPOTENT, encode_done),
};

static const struct field seed_arguments[] = {
    PROSE("statement", "The belief."),
    OPTIONAL("confidence", NUMBER, "0 to 1. Without it, 0.8.", UNIT),
    TAGS_FIELD,
    FIELD_END,
};

const struct mcp_tool tool_memory_seed = {
    .name = "memory_seed",
    .title = "Add a seed belief",
    .description = "Adds a belief that you were given at the start rather than formed: a "
                   "principle, a rule of the house, who you are. It is recorded as such (source "
                   "type seed), so that nobody takes it for experience. Use it once, when an "
                   "agent's memory is set up; for what you learn later use memory_belief.\n"
                   "Example: {\"statement\": \"Care before speed\", \"confidence\": 0.85, "
                   "\"tags\": [\"values\"]}. Calling it again adds another.",
    SCHEMA(seed_arguments, changed_fields),
    OPERATES(SEED, 0, encode_done),
};

/* ---- memory_propagate_confidence: a preview; only a person caps confidences ---- */

static const struct field propagate_arguments[] = {REF_FIELD, FIELD_END};

static const struct field weakened_fields[] = {
    NEEDED("ref", STRING, NULL),
    NEEDED("before", INTEGER, NULL),
    NEEDED("after", INTEGER, NULL),
    FIELD_END,
};

static const struct field change_fields[] = {
    NEEDED("ref", STRING, NULL),
    NEEDED("operation", STRING, NULL),
    NEEDED("version", INTEGER, "That it would be at."),
    OR_NULL("reason", STRING, NULL),
    FIELD("before", OBJECT, FIELD_REQUIRED | FIELD_OPEN, "What differs, as it is."),
    FIELD("after", OBJECT, FIELD_REQUIRED | FIELD_OPEN, "As it would be."),
    FIELD_END,
};

/* The same form as `stemma propagate --dry-run --json`. */
static const struct field answer[] = {
    NEEDED("operation", STRING, NULL),
    NEEDED("done", BOOLEAN, "Always false: nothing was changed."),
    OBJECTS("changes", FIELD_REQUIRED, change_fields, "What would be lowered."),
    TEXTS("loses_all_support", FIELD_REQUIRED, NULL),
    OBJECTS("weakened", FIELD_REQUIRED, weakened_fields, NULL),
    NEEDED("descends", INTEGER, NULL),
    TEXTS("left", FIELD_REQUIRED, "What would be left as it is, and why."),
    TEXTS("remarks", FIELD_REQUIRED, NULL),
    FIELD_END,
};

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
    const struct answer to = {.out = &call->result, .reader = r};
    if (answer_plan(&to, "propagate", &p, false, e))
        return -1;
    return answer_fits(call, "Ask about a memory that less is based on.", e);
}

const struct mcp_tool tool_memory_propagate_confidence = {
    .name = "memory_propagate_confidence",
    .title = "How sure can what is based on it be?",
    .description =
        "Shows what would change if confidence were propagated from a memory to all that is based "
        "on "
        "it: nothing can be surer than its strongest justification, and that is as strong as its "
        "weakest antecedent. Nothing is written; carrying it out is a person's. Use it when a "
        "source lost confidence, to tell which of your beliefs are now surer than what they are "
        "based on. What is based on itself is left as it is.",
    SCHEMA(propagate_arguments, answer),
    READS(preview),
};

/* ---- decisions about a memory: for agents only if the configuration allows it ---- */

static const struct field decide_arguments[] = {REF_FIELD, REASON_FIELD, FIELD_END};

#define DECIDES(name_, operation_, title_, idempotent_, description_)                              \
    const struct mcp_tool tool_memory_##name_ = {                                                  \
        .name = "memory_" #name_,                                                                  \
        .title = title_,                                                                           \
        .description = description_,                                                               \
        SCHEMA(decide_arguments, changed_fields),                                                  \
        OPERATES(operation_, HINT_DESTRUCTIVE | (idempotent_), encode_done),                       \
        .opt_in = true,                                                                            \
    }

DECIDES(verify, APPROVE, "Verify a memory", 0,
        "Says that a memory was checked and is right: it gets the flag approved, in your name. Its "
        "confidence stays. Use it after you checked the memory against its source "
        "itself, not because another memory says the same (that is memory_reinforce). Say in "
        "`reason` what you checked.\n"
        "Calling it again changes nothing. What a person protected, verified, retracted or "
        "quarantined is refused: PERMISSION_DENIED.\n"
        "Example: {\"ref\": \"belief:54c5507f\", \"reason\": \"read the CI log again\"}.");

DECIDES(
    retract, RETRACT, "Retract a memory", HINT_IDEMPOTENT,
    "Says that a memory is wrong. Its text and lineage stay, but nothing stands on it any more: "
    "what is based only on it loses all support (label unsupported), what has other justifications "
    "is "
    "weakened. Call memory_whatif first: it lists both. memory_restore takes it back.\n"
    "For a belief that has become more precise use memory_supersede. One that is retracted "
    "already is left as it is, as `left` says. What a person protected, verified, retracted or "
    "quarantined is refused: PERMISSION_DENIED.\n"
    "Example: {\"ref\": \"raw:79d086c7\", \"reason\": \"the log was of another host\"}.");

DECIDES(
    restore, RESTORE, "Restore a memory", HINT_IDEMPOTENT,
    "Takes a memory back that was retracted, forgotten or deleted: it is active again, or "
    "superseded where another belief superseded it, and what is based on it stands again. What was "
    "purged cannot come back, and what a person retracted only a person restores "
    "(PERMISSION_DENIED).\n"
    "Example: {\"ref\": \"raw:79d086c7\", \"reason\": \"it was the right host after all\"}.");

DECIDES(forget, FORGET, "Forget a memory", HINT_IDEMPOTENT,
        "Takes a memory out of lists and searches and keeps the skeleton of its lineage; "
        "nothing stands on it any more, and what is based on it is marked for review. Use it for "
        "what should no longer be recalled; what is wrong is retracted (memory_retract), so "
        "that others learn that it is. Call memory_whatif first to see what would lose support. A "
        "protected "
        "memory is refused: PERMISSION_DENIED. memory_restore takes it back.\n"
        "Example: {\"ref\": \"episode:65f767ba\", \"reason\": \"asked to\"}.");

DECIDES(protect, LOCK, "Protect a memory", HINT_IDEMPOTENT,
        "Keeps a memory from being changed by any agent, you included, and from being forgotten "
        "by anybody. Only a person takes that back. Use it for what must stay as it is: a rule "
        "of the house, a commitment. One that is protected already is left as it is.\n"
        "Example: {\"ref\": \"value:a7a5c395\", \"reason\": \"agreed with Claire\"}.");

/* ---- memory_process_raw, _reinforce, _consolidate, _supersede, _revise_from_episode ---- */

static const enum kind processed[] = {KIND_EPISODE, KIND_BELIEF, KIND_NOTE};

static const char *one_processed(int i)
{
    return (size_t)i < sizeof(processed) / sizeof(processed[0]) ? kind_name(processed[i]) : NULL;
}

static const struct field process_arguments[] = {
    REF_ARGUMENT("ref", "The raw capture: raw:id."),
    NEEDED("as", STRING, "What it becomes.", .choice = one_processed),
    FIELD("text", STRING, FIELD_NOT_EMPTY | FIELD_TEXT,
          "What that says. Without it, the words of the capture."),
    PROVENANCE_FIELDS,
    FIELD_END,
};

const struct mcp_tool tool_memory_process_raw = {
    .name = "memory_process_raw",
    .title = "Make something of a capture",
    .description = "Makes an episode, a belief or a note of a raw capture: it is derived from the "
                   "capture and has confidence 0.7. One capture may become several. Further "
                   "provenance is added to that of the capture.\n"
                   "Example: {\"ref\": \"raw:79d086c7\", \"as\": \"belief\", \"text\": \"The "
                   "runner's disk fills within a day\"} → {\"ref\": \"belief:…\", \"version\": 1}.",
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
    json_pair_double(&o, "old", old);
    json_pair_double(&o, "new", new);
    json_end(&o);
}

static const struct field reinforce_arguments[] = {
    REF_FIELD,
    FIELD("evidence_source", STRING, FIELD_NOT_EMPTY, "What confirms it: a ref, or a remark.",
          .longest = URI_MAX),
    REASON_FIELD,
    FIELD_END,
};

const struct mcp_tool tool_memory_reinforce = {
    .name = "memory_reinforce",
    .title = "Bear a memory out",
    .description =
        "Raises the confidence of a belief (or another memory) because evidence came that bears it "
        "out. Use it instead of writing the same belief again. The evidence becomes one more "
        "justification, so that the belief stands even if its first source is retracted.\n"
        "The step grows smaller each time: confidence += 0.05 / (1 + 0.1 n) · (0.99 − confidence), "
        "where n counts this reinforcement. What a person protected or verified is "
        "PERMISSION_DENIED.\n"
        "Example: {\"ref\": \"belief:54c5507f\", \"evidence_source\": \"episode:65f767ba\", "
        "\"reason\": \"the second deploy went the same way\"}.",
    SCHEMA(reinforce_arguments, reinforced_fields),
    OPERATES(REINFORCE, 0, encode_reinforced),
};

static const struct field consolidate_arguments[] = {
    REF_FIELD,
    TEXTS("evidence", FIELD_REQUIRED | FIELD_NONE_EMPTY,
          "Refs of what was looked over: raw captures, episodes.", .longest = URI_MAX, .min = 1,
          .max = REFS_MAX),
    OPTIONAL("date", STRING, "As 2026-02-01; else today.", .longest = SHORT_MAX),
    REASON_FIELD,
    FIELD_END,
};

const struct mcp_tool tool_memory_consolidate = {
    .name = "memory_consolidate",
    .title = "Consolidate a belief",
    .description = "Reinforces a belief by what you looked over together: at the end of a day or a "
                   "project, when several captures and episodes confirm the same. It is one "
                   "reinforcement, and each of `evidence` becomes a justification of its own. For "
                   "one piece of evidence memory_reinforce is enough.",
    SCHEMA(consolidate_arguments, reinforced_fields),
    OPERATES(CONSOLIDATE, 0, encode_reinforced),
};

static const struct field supersede_arguments[] = {
    REF_ARGUMENT("ref", "The belief that is no longer how you would put it."),
    PROSE("statement", "The better one."),
    OPTIONAL("confidence", NUMBER, "Of the new one, 0 to 1. Without it, the old one's.", UNIT),
    REASON_FIELD,
    FIELD_END,
};

const struct mcp_tool tool_memory_supersede = {
    .name = "memory_supersede",
    .title = "Put a better statement in its place",
    .description =
        "Replaces a belief by a better statement, and keeps the old one: the new belief is derived "
        "from it and has its source episodes as evidence. Use it when you learned more; "
        "memory_update is for a slip of the pen, memory_revise_from_episode for what an experience "
        "speaks against. One that is superseded already is a CONFLICT that names the newer one.\n"
        "Example: {\"ref\": \"belief:54c5507f\", \"statement\": \"Deploys that skip staging fail "
        "on Fridays\", \"reason\": \"only Fridays did\"}.",
    SCHEMA(supersede_arguments, changed_fields),
    OPERATES(REPLACE, 0, encode_done),
};

static const struct field revise_arguments[] = {
    REF_ARGUMENT("episode", "The episode, by its ref."),
    REFS_FIELD("confirms", "Refs of the beliefs that it confirms."),
    REFS_FIELD("contradicts", "Refs of the beliefs that it speaks against."),
    REASON_FIELD,
    FIELD_END,
};

static const struct field revise_answer[] = {
    TEXTS("reinforced", FIELD_REQUIRED, "Refs of what was reinforced."),
    TEXTS("for_review", FIELD_REQUIRED, "Refs of what a person will look at."),
    FIELD_END,
};

/* Adds the refs of the memories that the operation changed. */
static void add_changed(struct json_object *o, const char *name, const struct plan *p,
                        const char *operation)
{
    struct json_object list = json_open(o, name, '[');
    for (size_t i = 0; i < p->count; i++) {
        if (strcmp(p->change[i].operation, operation) != 0 || !p->change[i].after)
            continue;
        json_item(&list);
        memory_json_add_ref(o->out, p->change[i].after->ref);
    }
    json_end(&list);
}

static void encode_revised(struct mcp_call *call)
{
    const struct done_operation *d = call->done;
    struct json_object o = json_begin(&call->result, '{');
    add_changed(&o, "reinforced", &d->p, "reinforce");
    add_changed(&o, "for_review", &d->p, "mark");
    json_end(&o);
}

const struct mcp_tool tool_memory_revise_from_episode = {
    .name = "memory_revise_from_episode",
    .title = "Revise beliefs from an experience",
    .description =
        "Says what an episode confirms and what it contradicts. What it confirms is reinforced, "
        "with the episode as evidence; what it contradicts is marked for review and keeps its "
        "confidence. Nothing is guessed, so name each belief yourself: memory_search finds those "
        "the episode is about. All of it is done or nothing.\n"
        "Example: {\"episode\": \"episode:65f767ba\", \"confirms\": [\"belief:8fc21b98\"], "
        "\"contradicts\": [\"belief:c2992c46\"]}.",
    SCHEMA(revise_arguments, revise_answer),
    OPERATES(REVISE, 0, encode_revised),
};
