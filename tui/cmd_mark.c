/* stemma mark: a person's word on memories, or its taking back. */
#include "cmd.h"

#include "operating.h"

static const struct option_spec options[] = {
    {.name = "value", .type = OPTION_TEXT, .argument = "V", .about = "of a rating: how good it is"},
    {.name = "remove", .about = "take the mark away"},
    OPERATING_REASON,
    OPERATING_DRY_RUN,
    OPTION_END,
};

static int run_mark(struct invocation *i, struct error *e)
{
    struct request q = REQUEST_INIT;
    bool remove = option_given(i, "remove");
    if (remove && option_given(i, "value"))
        return error_set(e, ERROR_USAGE, "Leave --value out.",
                         "--remove takes all marks of that name away, whatever their value");
    q.mark = i->words[0];
    q.value = option_text(i, "value");
    operating_take_refs(i, &q, 1);
    return operating_run(i, remove ? OPERATION_UNMARK : OPERATION_MARK, &q, e);
}

const struct command cmd_mark = {
    .name = "mark",
    .words = "MARK REF…",
    .about = "say a word on memories: reviewed, for_review, poisoned, rating, …",
    .details = "A mark is a word beside the memory, with who said it, when and why, and never its "
               "status; but what a person marked quarantined, agents do not change. Any other word "
               "will do as well.\n\n" OPERATING_JSON,
    .options = options,
    .min_words = 2,
    .max_words = -1,
    .run = run_mark,
};
