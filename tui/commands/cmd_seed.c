/* stemma seed: the beliefs that an agent begins with. */
#include "model/base/utf8.h"
#include "tui/cli/cmd.h"

#include "tui/cli/operating.h"
#include "tui/render/kind_fields.h"

static const struct option_spec options[] = {
    {.name = "agent",
     .type = OPTION_TEXT,
     .argument = "A",
     .about = "whose beliefs they are; yours, if left out"},
    OPERATING_REASON,
    OPERATING_DRY_RUN,
    OPTION_END,
};

static int run_seed(struct invocation *i, struct error *e)
{
    struct request q = REQUEST_INIT;
    struct seed *seeds;
    q.agent = option_text(i, "agent");
    if (q.agent && utf8_is_blank(q.agent))
        return error_set(e, ERROR_USAGE, "Write --agent NAME.", "the name of the agent is %s",
                         *q.agent ? "blank" : "empty");
    if (statements_read(i->words[0], &i->arena, &seeds, &q.seed_count, e))
        return -1;
    q.seeds = seeds;
    return operating_run(i, OPERATION_SEED, &q, e);
}

const struct command cmd_seed = {
    .name = "seed",
    .words = "FILE",
    .about = "add the beliefs that an agent begins with",
    .details =
        "FILE (- is standard input) has one statement a line, or lines of JSON: {\"statement\": "
        "\"…\", \"confidence\": 0.8, \"tags\": [\"…\"]}, of which the last two may be left out. "
        "All are added or none, and one `stemma undo` takes them back. Prints the ref of each; "
        "the store is made where there is none.\n\n" OPERATING_JSON,
    .options = options,
    .min_words = 1,
    .max_words = 1,
    .run = run_seed,
};
