/*
 * One run of an import, the pipeline that all formats share: a source gives records, which are merged with what is here
 * and written in slices. For store/ alone.
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

#include "store/import/import.h"
#include "store/import/import_merge.h"
#include "store/import/record_reader.h"

/* A kind of source, how it is told again when it was moved or copied, and what its records are. */
struct import_source {
    const char *name;  /* "kernle", "jsonl", "cot" */
    const char *actor; /* the channel in the journal: "import kernle" */
    /* Refs are never used twice and creation times never change, while all else may: see
     * struct import_origin. */
    bool known_by_ref;
    bool agent_is_filter; /* options->agent says whose memories are wanted */
    /* Records that are not a memory each: how one is written, and whether it is here (VERDICT_SAME) or not
     * (VERDICT_ADD); so many make a slice. NULL, 0: they are memories. */
    slice_write *write;
    int (*find)(struct db *db, const struct import_options *options, int64_t origin,
                struct slice_entry *entry, struct error *e);
    size_t slice_items;
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

/* A line for a person; one about a record (slice_say). */
void import_run_report(struct import_run *run, const char *line);
void import_run_say(struct import_run *run, const struct import_item *item, const char *what, ...)
    __attribute__((format(printf, 3, 4)));
/* Now and then; ERROR_INTERRUPTED where it is to stop. */
int import_run_progress(struct import_run *run, int64_t done, int64_t total, struct error *e);

/*
 * Waits for what was submitted, makes the indexes, counts what is named and not here; frees the run.
 * `failed`: the run ends early, for the reason that `e` holds already and keeps.
 */
int import_run_close(struct import_run *run, bool failed, struct error *e);

/* ---- a source of records: lines, or JSON values ---- */

struct import_reading;

/* What a format says of itself. Its file has these functions, and the two that others call. */
struct import_format {
    struct import_source source;
    bool by_lines;           /* its records are lines, else JSON values */
    int64_t faults_shown;    /* records that are not understood, told one by one; 0: all */
    const char *more_faults; /* "that are no chains" */
    /* Fills the item and gives it to import_run_add; tells what it does not understand (import_fault). */
    int (*take)(struct import_reading *r, const struct record *record, struct import_item *item,
                struct error *e);
    void (*end)(struct import_reading *r); /* tells what was kept back; NULL: nothing is */
    /* Beforehand: does the record say what the format is of? */
    bool (*is_one)(const struct record *record, struct arena *arena);
};

struct import_reading {
    const struct import_format *format;
    struct import_run *run;
    const struct import_options *options;
    struct import_summary *summary;
    struct record_reader in;
    int64_t now, faults;
    struct strbuf scratch; /* the format's own, and so is `unknown_lines` */
    int64_t unknown_lines;
};

/* Tells that a record cannot be taken over, and counts it. */
void import_fault(struct import_reading *r, const struct import_item *item,
                  const struct error *wrong);

/* As import_jsonl_check and import_jsonl. */
int import_format_check(const struct import_format *format, const char *path, struct error *e);
int import_format_run(const struct import_format *format, struct store *s, const char *path,
                      const struct import_options *options, struct import_summary *summary,
                      struct error *e);

#endif
