/* stemma mark, verify, protect, retract, forget, reinforce, revise, consolidate, propagate, fix-provenance: judgements. */
#include <string.h>
#include "tui/cli/cmd.h"
#include "tui/cli/operating.h"
#include "tui/cli/field_words.h"
#include "tui/render/kind_fields.h"

/* stemma mark: a person's word on memories, or its taking back. */

static const struct option_spec options[] = {
    {.name = "value",
     .type = OPTION_TEXT,
     .argument = "V",
     .about = "how good it is; of a source in a step: document:ID relevant|irrelevant; faithful: "
              "yes|no"},
    {.name = "remove", .about = "take the mark away; --value document:ID: one source's rating"},
    OPERATING_REASON,
    OPERATING_DRY_RUN,
    OPTION_END,
};

static int run_mark(struct invocation *i, struct error *e)
{
    struct request q = REQUEST_INIT;
    bool remove = option_given(i, "remove");
    const char *value = option_text(i, "value");
    if (remove && value && strcmp(i->words[0], "rating") != 0)
        return error_set(e, ERROR_USAGE, "Leave --value out.",
                         "--remove takes all marks of that name away, whatever their value");
    q.mark = i->words[0];
    q.value = value;
    operating_take_refs(i, &q, 1);
    return operating_run(i, remove ? OPERATION_UNMARK : OPERATION_MARK, &q, e);
}

const struct command cmd_mark = {
    .name = "mark",
    .words = "MARK REF…",
    .about = "say a word on memories: reviewed, for_review, poisoned, rating, …",
    .details =
        "A mark is a word beside the memory, with who said it, when and why, and never its "
        "status; but what a person marked quarantined, agents do not change. Any other word "
        "will do as well.\n\n"
        "What a step of reasoning used is rated source by source: --value "
        "\"document:ID relevant\" or irrelevant, one word of each person for each of its "
        "sources. faithful says yes or no: is it supported by its sources? Neither changes a "
        "number that was recorded. A source may be named by its id alone.\n\n"
        "--remove where there is nothing to remove ends with status 1.\n\n" OPERATING_JSON,
    .options = options,
    .min_words = 2,
    .max_words = -1,
    .run = run_mark,
};

/* What a person decides about memories as they are: a command for each of these operations. */

static const struct option_spec cmd_decide_options[] = {
    OPERATING_REASON,
    OPERATING_DRY_RUN,
    OPERATING_YES,
    OPTION_END,
};

/* The operation is called as the command is. */
static int run_decide(struct invocation *i, struct error *e)
{
    struct request q = REQUEST_INIT;
    operating_take_refs(i, &q, 0);
    return operating_run(i, (enum operation)operation_from_name(i->command->name), &q, e);
}

#define DECIDES(name_, about_, details_)                                                           \
    const struct command cmd_##name_ = {                                                           \
        .name = #name_,                                                                            \
        .words = "REF…",                                                                           \
        .about = about_,                                                                           \
        .details = details_ OPERATING_JSON,                                                        \
        .options = cmd_decide_options,                                                             \
        .min_words = 1,                                                                            \
        .max_words = -1,                                                                           \
        .run = run_decide,                                                                         \
    }

DECIDES(verify, "it was looked into, and holds: its confidence rises by 0.1",
        "To 1 at most, with an entry in its history. From then on agents do not change it; `stemma "
        "undo` takes that back.\n\n");
DECIDES(protect, "keep memories from being changed or forgotten",
        "Agents do not change a protected memory, and nobody forgets it, until it is "
        "unprotected.\n\n");
DECIDES(unprotect, "let agents change memories again",
        "Those that were verified too. They may be forgotten again as well. Only a person "
        "unprotects.\n\n");
DECIDES(retract, "it is wrong: what rests on it alone falls with it",
        "Its text and its lineage stay, and `stemma restore` takes it back. " OPERATING_ASKS);
DECIDES(restore, "it holds again: takes back retract, forget and deletion",
        "What was purged cannot come back.\n\n");
DECIDES(forget, "take memories out of the lists, and keep their lineage",
        "A protected one is refused. What rests on a forgotten one is marked for "
        "review. " OPERATING_ASKS);
DECIDES(purge, "erase what memories say, for good",
        "Text, earlier versions and all that would bring them back are erased from the files; the "
        "journal still verifies. It cannot be undone. " OPERATING_ASKS);

/* stemma reinforce: evidence came that bears a memory out. */

static const struct option_spec cmd_reinforce_options[] = {
    {.name = "evidence",
     .type = OPTION_TEXT,
     .argument = "REF",
     .about = "what bears it out: a memory, or an annotation such as consolidation:2026-02-01"},
    OPERATING_REASON,
    OPERATING_DRY_RUN,
    OPTION_END,
};

static int run_reinforce(struct invocation *i, struct error *e)
{
    struct request q = REQUEST_INIT;
    q.evidence = option_list(i, "evidence", &q.evidence_count);
    if (q.evidence_count > 1)
        return error_set(e, ERROR_USAGE, "Reinforce it once for each.",
                         "a reinforcement has one piece of evidence, and several are given");
    operating_take_refs(i, &q, 0);
    return operating_run(i, OPERATION_REINFORCE, &q, e);
}

const struct command cmd_reinforce = {
    .name = "reinforce",
    .words = "REF…",
    .about = "evidence came that bears it out: its confidence rises",
    .details =
        "By 0.05 / (1 + 0.1 n) of what it lacks to 0.99, where n counts its reinforcements with "
        "this one. The evidence becomes one more justification.\n\n" OPERATING_JSON,
    .options = cmd_reinforce_options,
    .min_words = 1,
    .max_words = -1,
    .run = run_reinforce,
};

/* stemma revise: what an episode confirms and what it contradicts. */

static const struct option_spec cmd_revise_options[] = {
    {.name = "confirms",
     .type = OPTION_LIST,
     .argument = "REF…",
     .about = "what it bears out: reinforced, with the episode as evidence",
     .words = true},
    {.name = "contradicts",
     .type = OPTION_LIST,
     .argument = "REF…",
     .about = "what it speaks against: marked for review, nothing else",
     .words = true},
    OPERATING_REASON,
    OPERATING_DRY_RUN,
    OPTION_END,
};

static int run_revise(struct invocation *i, struct error *e)
{
    struct request q = REQUEST_INIT;
    q.evidence = option_list(i, "confirms", &q.evidence_count);
    q.contradicts = option_list(i, "contradicts", &q.contradict_count);
    if (q.evidence_count + q.contradict_count == 0)
        return error_set(e, ERROR_USAGE, "Give --confirms REF, --contradicts REF, or both.",
                         "it is not said what the episode confirms or contradicts");
    operating_take_refs(i, &q, 0);
    return operating_run(i, OPERATION_REVISE, &q, e);
}

const struct command cmd_revise = {
    .name = "revise",
    .words = "EPISODE --confirms REF… --contradicts REF…",
    .about = "say what an episode confirms and what it contradicts",
    .details = "Nothing is guessed: only what is named is touched, and all of it or "
               "nothing.\n\n" OPERATING_JSON,
    .options = cmd_revise_options,
    .min_words = 1,
    .max_words = 1,
    .run = run_revise,
};

/* stemma consolidate: what was looked over together bears a memory out. */

static const struct option_spec cmd_consolidate_options[] = {
    {.name = "from",
     .type = OPTION_LIST,
     .argument = "REF…",
     .about = "what was looked over, or an annotation such as context:TEXT",
     .words = true},
    {.name = "date",
     .type = OPTION_TEXT,
     .argument = "D",
     .about = "of the consolidation, as 2026-02-01; today, if left out"},
    OPERATING_REASON,
    OPERATING_DRY_RUN,
    OPTION_END,
};

static int run_consolidate(struct invocation *i, struct error *e)
{
    struct request q = REQUEST_INIT;
    q.evidence = option_list(i, "from", &q.evidence_count);
    q.date = option_text(i, "date");
    if (q.evidence_count == 0)
        return error_set(e, ERROR_USAGE, "Give --from REF.", "it is not said what was looked over");
    operating_take_refs(i, &q, 0);
    return operating_run(i, OPERATION_CONSOLIDATE, &q, e);
}

const struct command cmd_consolidate = {
    .name = "consolidate",
    .words = "REF… --from REF…",
    .about = "reinforce a memory by what was looked over together",
    .details =
        "Its history names the consolidation (consolidation:DATE), and each raw capture or other "
        "memory of --from becomes a justification.\n\n" OPERATING_JSON,
    .options = cmd_consolidate_options,
    .min_words = 1,
    .max_words = -1,
    .run = run_consolidate,
};

/* stemma propagate: what rests on a memory is no surer than what it rests on. */

static const struct option_spec cmd_propagate_options[] = {
    OPERATING_REASON,
    OPERATING_DRY_RUN,
    OPERATING_YES,
    OPTION_END,
};

static int run_propagate(struct invocation *i, struct error *e)
{
    struct request q = REQUEST_INIT;
    operating_take_refs(i, &q, 0);
    return operating_run(i, OPERATION_PROPAGATE, &q, e);
}

const struct command cmd_propagate = {
    .name = "propagate",
    .words = "REF",
    .about = "lower what rests on a memory to what that can bear",
    .details =
        "Over all that REF carries: the lower of its own confidence and that of its strongest "
        "justification, which is as strong as its weakest antecedent. Nothing rises; what rests "
        "on itself, or has no justification that holds, is left and named. " OPERATING_ASKS
            OPERATING_JSON,
    .options = cmd_propagate_options,
    .min_words = 1,
    .max_words = 1,
    .run = run_propagate,
};

/* stemma fix-provenance: what a store that was written before provenance was kept can still tell of it. */

static const struct option_spec cmd_fix_provenance_options[] = {
    {.name = "seeds",
     .type = OPTION_TEXT,
     .argument = "FILE",
     .about = "statements that are seeds, one a line, beside those that say so themselves"},
    OPERATING_REASON,
    OPERATING_DRY_RUN,
    OPERATING_YES,
    OPTION_END,
};

static int read_seeds(struct invocation *i, const char *path, struct request *q, struct error *e)
{
    struct seed *seeds;
    size_t count;
    if (statements_read(path, &i->arena, &seeds, &count, e))
        return -1;
    q->statements = arena_array(&i->arena, count + 1, sizeof(*q->statements));
    for (size_t n = 0; n < count; n++)
        q->statements[n] = seeds[n].text;
    q->statement_count = count;
    return 0;
}

static int run_fix_provenance(struct invocation *i, struct error *e)
{
    struct request q = REQUEST_INIT;
    const char *path = option_text(i, "seeds");
    if (path && read_seeds(i, path, &q, e))
        return -1;
    return operating_run(i, OPERATION_FIX_PROVENANCE, &q, e);
}

const struct command cmd_fix_provenance = {
    .name = "fix-provenance",
    .words = "",
    .about = "record where seeds and what raws became came from",
    .details =
        "Beliefs that were there from the start become source_type seed; what a raw was processed "
        "into is derived from it, recorded as migrated. " OPERATING_ASKS OPERATING_JSON,
    .options = cmd_fix_provenance_options,
    .run = run_fix_provenance,
};
