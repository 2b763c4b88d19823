/* stemma mark: a person's word on memories, or its taking back. */
#include "tui/cli/cmd.h"

#include <string.h>
#include "tui/cli/operating.h"

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
