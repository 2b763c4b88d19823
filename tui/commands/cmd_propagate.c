/* stemma propagate: what rests on a memory is no surer than what it rests on. */
#include "tui/cli/cmd.h"

#include "tui/cli/operating.h"

static const struct option_spec options[] = {
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
    .options = options,
    .min_words = 1,
    .max_words = 1,
    .run = run_propagate,
};
