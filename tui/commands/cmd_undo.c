/* stemma undo, stemma redo: each is an event of its own. */
#include "tui/cli/cmd.h"

#include <errno.h>
#include <stdlib.h>
#include "tui/cli/operating.h"
#include "tui/render/plan_print.h"

static const struct option_spec options[] = {
    OPERATING_REASON,
    OPERATING_DRY_RUN,
    OPTION_END,
};

static int read_seq(const char *word, int64_t *seq, struct error *e)
{
    char *end;
    errno = 0;
    *seq = strtoll(word, &end, 10);
    if (*word < '0' || *word > '9' || *end || errno || *seq < 1)
        return error_set(e, ERROR_USAGE,
                         "`stemma log --json` and `stemma history REF` number them.",
                         "'%.40s' is not the number of an event", word);
    return 0;
}

static int take_back(struct invocation *i, enum operation op, struct request *q, struct error *e)
{
    int result = operating_run(i, op, q, e);
    if (result < 0 && e->code == ERROR_CONFLICT)
        stale_undo_print(i, q->seqs, q->seq_count, op == OPERATION_REDO);
    return result;
}

static int run_undo(struct invocation *i, struct error *e)
{
    struct request q = REQUEST_INIT;
    int64_t *seqs = arena_array(&i->arena, i->word_count + 1, sizeof(*seqs));
    for (size_t n = 0; n < i->word_count; n++)
        if (read_seq(i->words[n], &seqs[n], e))
            return -1;
    q.seqs = seqs;
    q.seq_count = i->word_count;
    return take_back(i, OPERATION_UNDO, &q, e);
}

static int run_redo(struct invocation *i, struct error *e)
{
    struct request q = REQUEST_INIT;
    return take_back(i, OPERATION_REDO, &q, e);
}

const struct command cmd_undo = {
    .name = "undo",
    .words = "[SEQ]",
    .about = "take back what you did last, or an event of anybody's",
    .details =
        "With all that was done together with it: all or none. What was changed since is refused "
        "(exit status 4) and told; other changes of the same memory stay. An undone addition "
        "leaves "
        "a stub. A purge cannot be undone, and is passed over; nor can what was decided about a "
        "session, which is decided again: what was done before that is taken back by its number "
        "alone.\n\n" OPERATING_JSON,
    .options = options,
    .max_words = 1,
    .run = run_undo,
};

const struct command cmd_redo = {
    .name = "redo",
    .words = "",
    .about = "do again what you undid last",
    .details = OPERATING_JSON,
    .options = options,
    .run = run_redo,
};
