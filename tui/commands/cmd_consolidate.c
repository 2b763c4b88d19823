/* stemma consolidate: what was looked over together bears a memory out. */
#include "tui/cli/cmd.h"

#include "tui/cli/operating.h"

static const struct option_spec options[] = {
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
    .options = options,
    .min_words = 1,
    .max_words = -1,
    .run = run_consolidate,
};
