/*
 * The pipeline that all import formats share: records of a source are merged with the store and
 * written in slices. Only for store/.
 *
 * The caller's thread reads and maps memories into one slice while the writer thread writes the
 * other. A slice is one job, so other writers do not wait long. Each slice is valid by itself, and
 * a run that was stopped or killed is completed by running it again.
 *
 * An import into an empty store that is longer than a slice begins with a bulk load
 * (store/record/load.h). The load is one transaction: if it is killed, nothing of it remains.
 */
#ifndef STEMMA_IMPORT_RUN_H
#define STEMMA_IMPORT_RUN_H

#include "store/import/import.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "store/import/import_merge.h"
#include "model/base/error.h"

struct import_run;

/* Returns ERROR_INVALID if the source is of another known kind than `kind` ("kernle", "jsonl"); the
 * error says which and what to do. ERROR_STORE if it does not exist. Otherwise 0. */
int import_check_kind(const char *path, const char *kind, struct error *e);

/* `path` NULL means standard input. End the run with import_run_close. */
struct import_run *import_run_open(struct store *s, const struct import_format *format,
                                   const char *path, const struct import_options *options,
                                   struct import_summary *summary, struct error *e);

/* Returns the arena for the next memory. Ask for each memory, because the run clears it with each
 * slice. NULL if the import cannot go on. */
struct arena *import_run_arena(struct import_run *run, struct error *e);

/*
 * Takes a memory made in that arena. The shortest way to make one is to write it as the JSON of a memory
 * and to read that with memory_json_read, which fills and checks every field. Set `item->hash` after the
 * last change of the memory (import_hash_form in import_merge.h). Counts it as read. Returns -1 if the import cannot go
 * on.
 */
int import_run_add(struct import_run *run, struct import_item *item, struct error *e);

/*
 * The way of most formats: takes the JSON of a memory (model/format/memory_json.h), which is in
 * `json`. One without `created_at` gets the time of the import, and is undated. One that cannot be
 * read is reported, with `line` if it is not 0, and counted in not_understood. Returns -1 if the
 * import cannot go on.
 */
int import_run_take(struct import_run *run, const struct strbuf *json, int64_t line,
                    struct error *e);
/* The same, but one without `created_at` gets the time `at`, ms since the epoch. */
int import_run_take_dated(struct import_run *run, const struct strbuf *json, int64_t line,
                          int64_t at, struct error *e);

/* Can a memory of a source be stored? Checks the fields of its detail that answers count with, and the parts of an
 * entry and of an attribution. ERROR_INVALID names the memory and what is wrong. */
int import_check(const struct memory *m, int64_t now, struct error *e);

/* A UUID in the arena, made of the texts (the last argument is NULL): what identifies a record of a source without ids,
 * beginning with the name of the format. */
const char *import_make_id(struct arena *arena, const char *text, ...) __attribute__((sentinel));

/* Writes and commits what was read so far. Call when the source is idle. */
int import_run_commit(struct import_run *run, struct error *e);

/* Commits what was read so far. All of it is passed again, with what is known by then; it counts once, as added. */
int import_run_again(struct import_run *run, struct error *e);

/* Report a line, or a line about a record (slice_report). */
void import_run_report(struct import_run *run, const char *line);
void import_run_report_record(struct import_run *run, const struct import_item *item,
                              const char *what, ...) __attribute__((format(printf, 3, 4)));
/* Call regularly. Returns ERROR_INTERRUPTED if the import must stop. */
int import_run_progress(struct import_run *run, int64_t done, int64_t total, struct error *e);

/* Waits for submitted slices, makes the indexes, counts refs to missing memories, and frees the
 * run. `failed`: the run ends early, and `e` keeps its error. */
int import_run_close(struct import_run *run, bool failed, struct error *e);

/* ---- sources of records: lines or JSON values ---- */

#define RECORD_MAX_BYTES (64u << 20)

/* Determined by whether the first value ends on its own line. If values stand on lines, a broken
 * value ends with its line and does not spoil others. */
enum value_shape {
    VALUES_UNKNOWN,
    VALUES_LINES,
    VALUES_FOLLOW, /* one after the other, across lines */
    VALUES_LIST
};

struct record_reader {
    int fd;
    const char *path;
    char *buf;
    size_t alloc, start, end; /* unread data: buf[start] .. buf[end] */
    bool is_file;             /* reading never waits */
    bool at_end, stopped;
    /* Called before more is read, with bytes read and size; non-zero stops. May be NULL. */
    int (*asked)(void *arg, int64_t done, int64_t total);
    void *arg;
    int64_t offset; /* bytes read so far */
    int64_t size;   /* of the file; 0 if unknown */

    bool by_lines; /* every line that is not blank is a record */
    size_t most;   /* bytes of a record */
    enum value_shape shape;
    bool begun;     /* a byte order mark was skipped or ruled out */
    bool any;       /* the source is not empty (an empty list counts) */
    int64_t number; /* number of the last record, from 1 */
    int64_t line;   /* line of the next byte, from 1 */
};

struct record {
    const char *ptr; /* without surrounding white space; valid until the next call */
    size_t len;
    int64_t number, line; /* of its start; both from 1 */
    bool too_long;        /* more than the limit; ptr is NULL */
    bool unclosed;        /* the file ended inside its list; ptr is NULL */
};

struct record_import;

/* How a format of records is read. */
struct record_format {
    bool by_lines;    /* records are lines; otherwise JSON values */
    bool is_numbered; /* reports name a record by its number: "chain 2 (line 3)" */
    /* The function that checks each record before the format sees it, and the levels that it accepts; NULL: none. */
    int (*check)(const char *text, size_t len, int depth, struct error *e);
    int depth;
    size_t record_max;       /* bytes of a record; 0 for RECORD_MAX_BYTES */
    int64_t faults_shown;    /* report this many faulty records one by one; 0 for all */
    const char *more_faults; /* for the others: "that are no chains" */
    const char *not_one;     /* what is said of a record of another format: "is no agent file" */
    /* Fills the item and passes it to import_run_add; reports faults with import_fault. 1: it is of another format. */
    int (*take)(struct record_import *r, const struct record *record, struct import_item *item,
                struct error *e);
    size_t
        state_size; /* bytes of the format's own state, zeroed for each import; 0 if it has none */
    int (*end)(struct record_import *r,
               struct error *e);  /* adds or reports what was held back; may be NULL */
    void (*release)(void *state); /* of what the state holds; may be NULL */
    /* Required. Is the record of this format? record_format_check asks it of records until one is, so that a wrong
     * file is refused before a store is made for it. */
    bool (*is_one)(const struct record *record, struct arena *arena);
};

struct record_import {
    const struct import_format *format; /* with records */
    struct import_run *run;
    const struct import_options *options;
    struct import_summary *summary;
    struct record_reader in;
    int64_t now, faults;
    struct strbuf scratch; /* used by the format, like unknown_lines */
    int64_t unknown_lines;
    void *state;
};

/* Reports that a record cannot be imported, and counts it. The second: of a line, 0 for none. */
void import_fault(struct record_import *r, const struct import_item *item,
                  const struct error *wrong);
void import_fault_at(struct record_import *r, int64_t line, const char *what, ...)
    __attribute__((format(printf, 3, 4)));

#endif
