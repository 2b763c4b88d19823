/* The tools by which a belief grows: processed from a capture, reinforced, consolidated, superseded, revised. */
#include <math.h>
#include <string.h>
#include "model/format/exchange_parts.h"
#include "store/mcp/tools/tools.h"

/* ---- memory_process_raw ---- */

static const enum kind processed[] = {KIND_EPISODE, KIND_BELIEF, KIND_NOTE};

static const char *one_processed(int i)
{
    return (size_t)i < sizeof(processed) / sizeof(processed[0]) ? kind_name(processed[i]) : NULL;
}

static const struct field process_arguments[] = {
    {.name = "ref",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY | FIELD_SUBJECT,
     .longest = URI_MAX,
     .about = "The raw capture: raw:id."},
    {.name = "as",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED,
     .choice = one_processed,
     .about = "What it becomes."},
    {.name = "text",
     .type = FIELD_STRING,
     .flags = FIELD_NOT_EMPTY | FIELD_TEXT,
     .about = "What that says. Without it, the words of the capture."},
    PROVENANCE_FIELDS,
    FIELD_END,
};

/* What was made, by its ref. */
static int answer_added(struct deed *d, struct error *e)
{
    struct json_object o;
    const struct memory *m = deed_added(d);
    if (deed_answer(d, m ? m->node : d->row, &o, e))
        return -1;
    json_end(&o);
    return 0;
}

static int write_process(struct mcp_call *call, struct txn *t, struct error *e)
{
    struct deed d = deed_begin(call, t);
    struct add_request given = {.confidence = NAN};
    int as = take_choice(&d.taking, "as", one_processed, 0);
    take_provenance(&d.taking, &given);
    d.q.as = processed[as];
    d.q.text = take_text(&d.taking, "text", &d.q.text_len);
    d.q.agent = given.agent_id;
    d.q.provenance = &given;
    call->actor = actor_of(call, given.agent_id);
    return deed_do(&d, OPERATION_PROCESS, e) || answer_added(&d, e) ? -1 : 0;
}

const struct mcp_tool tool_memory_process_raw = {
    .name = "memory_process_raw",
    .title = "Make something of a capture",
    .description =
        "Makes an episode, a belief or a note of a raw capture. The new memory is derived from the "
        "capture (derived_from [\"raw:…\"]), has confidence 0.7, and the capture says what it was "
        "processed into; one capture may become several. Use it when you go through captures that "
        "nothing was made of yet.\n"
        "text: what it says, where the words of the capture are not what you want to keep. Further "
        "provenance is added to that of the capture.\n"
        "Example: {\"ref\": \"raw:79d086c7\", \"as\": \"belief\", \"text\": \"The runner's disk "
        "fills "
        "within a day\"} → {\"ref\": \"belief:…\", \"version\": 1}.",
    .arguments = process_arguments,
    .answer = changed_fields,
    .work = WORK_WRITE,
    .write = write_process,
};

/* ---- memory_reinforce, memory_consolidate ---- */

static const struct field reinforced_fields[] = {
    CHANGED_FIELDS,
    {.name = "old",
     .type = FIELD_NUMBER,
     .flags = FIELD_REQUIRED,
     .about = "Its confidence before."},
    {.name = "new", .type = FIELD_NUMBER, .flags = FIELD_REQUIRED, .about = "And now."},
    FIELD_END,
};

/* The confidence of what was changed, before and after all changes of the call. */
static int answer_reinforced(struct deed *d, struct error *e)
{
    struct json_object o;
    double old = NAN, new = NAN;
    for (size_t i = 0; i < d->p.count; i++) {
        const struct planned *c = &d->p.change[i];
        if (!c->before || !c->after || c->before->node != d->row)
            continue;
        old = isnan(old) ? c->before->confidence : old;
        new = c->after->confidence;
    }
    if (deed_answer(d, d->row, &o, e))
        return -1;
    json_key(&o, "old");
    json_add_double(o.out, old);
    json_key(&o, "new");
    json_add_double(o.out, new);
    json_end(&o);
    return 0;
}

static const struct field reinforce_arguments[] = {
    REF_FIELD,
    {.name = "evidence_source",
     .type = FIELD_STRING,
     .flags = FIELD_NOT_EMPTY,
     .longest = URI_MAX,
     .about = "What bears it out: a ref, or a remark such as consolidation:2026-02-01."},
    REASON_FIELD,
    FIELD_END,
};

static int write_reinforce(struct mcp_call *call, struct txn *t, struct error *e)
{
    struct deed d = deed_begin(call, t);
    const char *evidence = take_text(&d.taking, "evidence_source", NULL);
    d.q.evidence = &evidence;
    d.q.evidence_count = evidence != NULL;
    return deed_do(&d, OPERATION_REINFORCE, e) || answer_reinforced(&d, e) ? -1 : 0;
}

const struct mcp_tool tool_memory_reinforce = {
    .name = "memory_reinforce",
    .title = "Bear a memory out",
    .description =
        "Raises the confidence of a belief (or another memory) because evidence came that bears it "
        "out. Use it instead of writing the same belief again. Name the evidence whenever there is "
        "any: it becomes one more justification, so that the belief stands even where its first "
        "source falls. An episode becomes one of its source episodes.\n"
        "The step grows smaller each time: confidence += 0.05 / (1 + 0.1 n) · (0.99 − confidence), "
        "where n counts this reinforcement. Calling it again reinforces again.\n"
        "Example: {\"ref\": \"belief:54c5507f\", \"evidence_source\": \"episode:65f767ba\", "
        "\"reason\": \"the second deploy went the same way\"} → {\"ref\", \"version\", \"old\": "
        "0.7, "
        "\"new\": 0.7131818…}. What a person protected or verified is refused (PERMISSION_DENIED).",
    .arguments = reinforce_arguments,
    .answer = reinforced_fields,
    .work = WORK_WRITE,
    .write = write_reinforce,
};

static const struct field consolidate_arguments[] = {
    REF_FIELD,
    {.name = "evidence",
     .type = FIELD_ARRAY,
     .of = FIELD_STRING,
     .flags = FIELD_REQUIRED | FIELD_NONE_EMPTY,
     .longest = URI_MAX,
     .min = 1,
     .max = REFS_MAX,
     .about = "Refs of what was looked over: raw captures, episodes."},
    {.name = "date",
     .type = FIELD_STRING,
     .longest = SHORT_MAX,
     .about = "Of the consolidation, as 2026-02-01. Without it, today."},
    REASON_FIELD,
    FIELD_END,
};

static int write_consolidate(struct mcp_call *call, struct txn *t, struct error *e)
{
    struct deed d = deed_begin(call, t);
    d.q.evidence = take_list(&d.taking, "evidence", &d.q.evidence_count);
    d.q.date = take_text(&d.taking, "date", NULL);
    return deed_do(&d, OPERATION_CONSOLIDATE, e) || answer_reinforced(&d, e) ? -1 : 0;
}

const struct mcp_tool tool_memory_consolidate = {
    .name = "memory_consolidate",
    .title = "Consolidate a belief",
    .description =
        "Reinforces a belief by what you looked over together: at the end of a day or a project, "
        "when several captures and episodes bear out the same. It is one reinforcement, whose "
        "history entry names consolidation:DATE, and each of `evidence` becomes a justification of "
        "its own.\n"
        "Example: {\"ref\": \"belief:54c5507f\", \"evidence\": [\"raw:f70cefb6\", "
        "\"raw:38ab2f89\"], "
        "\"date\": \"2026-02-01\"} → {\"ref\", \"version\", \"old\", \"new\"}. For one piece of "
        "evidence "
        "memory_reinforce is enough.",
    .arguments = consolidate_arguments,
    .answer = reinforced_fields,
    .work = WORK_WRITE,
    .write = write_consolidate,
};

/* ---- memory_supersede ---- */

static const struct field supersede_arguments[] = {
    {.name = "ref",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY | FIELD_SUBJECT,
     .longest = URI_MAX,
     .about = "The belief that is no longer how you would put it."},
    {.name = "statement",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY | FIELD_TEXT,
     .about = "The better one."},
    {.name = "confidence",
     .type = FIELD_NUMBER,
     .min = 0,
     .max = 1,
     .about = "Of the new one, 0 to 1. Without it, the old one's."},
    REASON_FIELD,
    FIELD_END,
};

static int write_supersede(struct mcp_call *call, struct txn *t, struct error *e)
{
    struct deed d = deed_begin(call, t);
    d.q.text = take_text(&d.taking, "statement", &d.q.text_len);
    d.q.confidence = arg_number(call->arguments, "confidence", NAN);
    return deed_do(&d, OPERATION_SUPERSEDE, e) || answer_added(&d, e) ? -1 : 0;
}

const struct mcp_tool tool_memory_supersede = {
    .name = "memory_supersede",
    .title = "Put a better statement in its place",
    .description =
        "Replaces a belief by a better statement, and keeps the old one: the new belief is an "
        "inference derived from it, has its source episodes as evidence and starts a history of "
        "its "
        "own; the old one is superseded, and both show the chain of versions. Use it when you "
        "learned more; memory_update is for a slip of the pen, memory_revise_from_episode for what "
        "an experience speaks against.\n"
        "Example: {\"ref\": \"belief:54c5507f\", \"statement\": \"Deploys that skip staging fail "
        "on "
        "Fridays\", \"reason\": \"only Fridays did\"} → {\"ref\": \"belief:…\", \"version\": 1}. "
        "One that "
        "is superseded already is a CONFLICT that names the newer one.",
    .arguments = supersede_arguments,
    .answer = changed_fields,
    .work = WORK_WRITE,
    .write = write_supersede,
};

/* ---- memory_revise_from_episode ---- */

static const struct field revise_arguments[] = {
    {.name = "episode",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY | FIELD_SUBJECT,
     .longest = URI_MAX,
     .about = "The episode, by its ref."},
    {.name = "confirms",
     .type = FIELD_ARRAY,
     .of = FIELD_STRING,
     REF_BOUNDS,
     .about = "Refs of the beliefs that it bears out."},
    {.name = "contradicts",
     .type = FIELD_ARRAY,
     .of = FIELD_STRING,
     REF_BOUNDS,
     .about = "Refs of the beliefs that it speaks against."},
    REASON_FIELD,
    FIELD_END,
};

static const struct field revise_answer[] = {
    {.name = "reinforced",
     .type = FIELD_ARRAY,
     .of = FIELD_STRING,
     .flags = FIELD_REQUIRED,
     .about = "Refs of what was reinforced."},
    {.name = "for_review",
     .type = FIELD_ARRAY,
     .of = FIELD_STRING,
     .flags = FIELD_REQUIRED,
     .about = "Refs of what a person will look at."},
    FIELD_END,
};

/* The refs of what that operation changed. */
static void add_changed(struct json_object *o, const char *name, const struct plan *p,
                        const char *operation)
{
    json_key(o, name);
    struct json_object list = json_begin(o->out, '[');
    for (size_t i = 0; i < p->count; i++) {
        if (strcmp(p->change[i].operation, operation) != 0 || !p->change[i].after)
            continue;
        json_item(&list);
        exchange_add_ref(o->out, p->change[i].after->ref);
    }
    json_end(&list);
}

static int write_revise(struct mcp_call *call, struct txn *t, struct error *e)
{
    struct deed d = deed_begin(call, t);
    d.ref = take_text(&d.taking, "episode", NULL);
    d.q.evidence = take_list(&d.taking, "confirms", &d.q.evidence_count);
    d.q.contradicts = take_list(&d.taking, "contradicts", &d.q.contradict_count);
    if (deed_do(&d, OPERATION_REVISE, e))
        return -1;
    struct json_object o = json_begin(&call->result, '{');
    add_changed(&o, "reinforced", &d.p, "reinforce");
    add_changed(&o, "for_review", &d.p, "mark");
    json_end(&o);
    return 0;
}

const struct mcp_tool tool_memory_revise_from_episode = {
    .name = "memory_revise_from_episode",
    .title = "Revise beliefs from an experience",
    .description =
        "Says what an episode confirms and what it contradicts. What it confirms is reinforced, "
        "with "
        "the episode as evidence; what it contradicts is marked for review and keeps its "
        "confidence: "
        "a person, or you with memory_supersede, decides then. Nothing is guessed, so name each "
        "belief yourself: memory_search finds those the episode is about. All of it is done or "
        "nothing.\n"
        "Example: {\"episode\": \"episode:65f767ba\", \"confirms\": [\"belief:8fc21b98\"], "
        "\"contradicts\": [\"belief:c2992c46\"]} → {\"reinforced\": [\"belief:8fc21b98-…\"], "
        "\"for_review\": [\"belief:c2992c46-…\"]}.",
    .arguments = revise_arguments,
    .answer = revise_answer,
    .work = WORK_WRITE,
    .write = write_revise,
};
