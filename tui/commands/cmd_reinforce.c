/* stemma reinforce: evidence came that bears a memory out. */
#include "tui/cli/cmd.h"

#include "tui/cli/operating.h"

static const struct option_spec options[] = {
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
    .options = options,
    .min_words = 1,
    .max_words = -1,
    .run = run_reinforce,
};
