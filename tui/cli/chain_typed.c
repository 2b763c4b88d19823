#include "tui/cli/chain_typed.h"

#include <stdio.h>
#include "store/reasoning/chain.h"
#include "store/history/past.h"
#include "tui/cli/opening.h"

int check_written(struct reader *r, const struct memory_row *row, const char *word, struct error *e)
{
    if (row->status != STATUS_MISSING)
        return 0;
    if (reader_past(r) >= 0)
        return error_set(e, ERROR_NOT_FOUND, "`stemma history` tells when it came.",
                         "%.80s was not there yet", word);
    return error_set(e, ERROR_NOT_FOUND, "`stemma show --reverse` shows who names it.", "%.80s %s",
                     word,
                     row->event ? "was taken back: only its ref is left"
                                : "is named by others and was never written here");
}

static int check_kind(struct reader *r, const struct memory_row *row, const char *word,
                      struct error *e)
{
    if (row->ref.kind == KIND_CHAIN)
        return 0;
    if (row->ref.kind != KIND_STEP)
        return error_set(
            e, ERROR_USAGE, "`stemma list chain` lists the chains; `stemma show` shows anything.",
            "%.80s is no chain or step but a memory of kind %s", word, kind_name(row->ref.kind));
    int64_t chain = chain_of_step(r, row->node, e);
    if (chain == 0)
        return error_set(e, ERROR_NOT_FOUND, "`stemma show` shows what it rests on.",
                         "the step %.80s is part of no chain", word);
    return chain < 0 ? -1 : 0;
}

int64_t chain_typed(struct reader *r, const char *word, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct memory_row row;
    int64_t node = opening_resolve(r, word, e);
    if (node < 0)
        return -1;
    int result = memory_row_read(r, &arena, node, &row, e) || check_written(r, &row, word, e) ||
                         check_kind(r, &row, word, e)
                     ? -1
                     : 0;
    arena_release(&arena);
    return result ? -1 : node;
}
