/* stemma revise: what an episode confirms and what it contradicts. */
#include "tui/cli/cmd.h"

#include "tui/cli/operating.h"

static const struct option_spec options[] = {
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
    .options = options,
    .min_words = 1,
    .max_words = 1,
    .run = run_revise,
};
