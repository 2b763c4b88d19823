/* stemma fix-provenance: what a store that was written before provenance was kept can still tell of it. */
#include "tui/cli/cmd.h"

#include "tui/cli/operating.h"
#include "tui/render/kind_fields.h"

static const struct option_spec options[] = {
    {.name = "seeds",
     .type = OPTION_TEXT,
     .argument = "FILE",
     .about = "statements that are seeds, one a line, beside those that say so themselves"},
    OPERATING_REASON,
    OPERATING_DRY_RUN,
    OPERATING_YES,
    OPTION_END,
};

static int read_seeds(struct invocation *i, const char *path, struct request *q, struct error *e)
{
    struct seed *seeds;
    size_t count;
    if (statements_read(path, &i->arena, &seeds, &count, e))
        return -1;
    q->statements = arena_array(&i->arena, count + 1, sizeof(*q->statements));
    for (size_t n = 0; n < count; n++)
        q->statements[n] = seeds[n].text;
    q->statement_count = count;
    return 0;
}

static int run_fix_provenance(struct invocation *i, struct error *e)
{
    struct request q = REQUEST_INIT;
    const char *path = option_text(i, "seeds");
    if (path && read_seeds(i, path, &q, e))
        return -1;
    return operating_run(i, OPERATION_FIX_PROVENANCE, &q, e);
}

const struct command cmd_fix_provenance = {
    .name = "fix-provenance",
    .words = "",
    .about = "record where seeds and what raws became came from",
    .details =
        "Beliefs that were there from the start become source_type seed; what a raw was processed "
        "into is derived from it, recorded as migrated. " OPERATING_ASKS OPERATING_JSON,
    .options = options,
    .run = run_fix_provenance,
};
