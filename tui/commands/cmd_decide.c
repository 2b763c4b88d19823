/* What a person decides about memories as they are: a command for each of these operations. */
#include "tui/cli/cmd.h"

#include "tui/cli/operating.h"

static const struct option_spec options[] = {
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
        .options = options,                                                                        \
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
