/*
 * One run of an import: the pipeline that both kinds share. For store/ alone.
 *
 * The caller's thread reads and maps memories into a slice while the writer's thread writes the one
 * before. A slice is one job, so that nobody else waits long; what it wrote is valid by itself, and
 * a run that was stopped between two slices, or killed in one, is completed by running it again.
 *
 * Into an empty store, an import that is longer than a slice begins with a bulk load (store/record/load.h): its
 * first memories are one transaction, of which nothing is left where it is killed.
 */
#ifndef STEMMA_IMPORT_RUN_H
#define STEMMA_IMPORT_RUN_H

#include "store/import/import_merge.h"
#include "store/import/import.h"

/* A kind of source, and how it is told again when it was moved or copied. */
struct import_source {
    const char *name;  /* "kernle", "jsonl" */
    const char *actor; /* the channel in the journal: "import kernle" */
    /* Refs are never used twice and creation times never change, while all else may: see
     * struct import_origin. */
    bool known_by_ref;
    bool agent_is_filter; /* options->agent says whose memories are wanted */
};

struct import_run;

/* A source of another kind than `kind` ("kernle", "jsonl"): ERROR_INVALID says what it is and what to
 * do with it. ERROR_STORE where there is none. 0 where it is that, or nothing that is known. */
int import_check_kind(const char *path, const char *kind, struct error *e);

/* `path` NULL: standard input. The caller ends it with import_run_close. */
struct import_run *import_run_open(struct store *s, const struct import_source *source,
                                   const char *path, const struct import_options *options,
                                   struct import_summary *summary, struct error *e);

/* Where the next memory is to be made: asked for each one, for it belongs to the run, which clears it
 * slice by slice. NULL where the import cannot go on. */
struct arena *import_run_arena(struct import_run *run, struct error *e);

/*
 * Takes over the memory, made in that arena. `item->hash` is to be filled (import_hash_form). Counts it as
 * read. -1 where the import cannot go on.
 */
int import_run_add(struct import_run *run, struct import_item *item, struct error *e);

/* Nothing comes for a while: what was read is written and committed. */
int import_run_rest(struct import_run *run, struct error *e);

/* A line for a person. */
void import_run_report(struct import_run *run, const char *line);
/* Now and then; ERROR_INTERRUPTED where it is to stop. */
int import_run_progress(struct import_run *run, int64_t done, int64_t total, struct error *e);

/*
 * Waits for what was submitted, makes the indexes, counts what is named and not here; frees the run.
 * `failed`: the run ends early, for the reason that `e` holds already and keeps.
 */
int import_run_close(struct import_run *run, bool failed, struct error *e);

#endif
