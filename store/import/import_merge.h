/*
 * Merges one memory of a source with the store, and writes slices of an import. Only for store/.
 *
 * `imported` keeps for each memory its origin, the hash of what the origin said last, and the event
 * that imported it. The source has changed if the hash differs; the store has changed if the
 * memory's last event is another one. A negative event: the store's version as of that event was
 * written to the source, so what the source says next is agreed.
 */
#ifndef STEMMA_IMPORT_MERGE_H
#define STEMMA_IMPORT_MERGE_H

#include <pthread.h>
#include "model/base/arena.h"
#include "model/base/digest.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "model/memory/memory.h"
#include "store/import/import.h"
#include "store/record/load.h"
#include "store/db/db.h"

struct import_item;
struct slice_entry;

/*
 * Identifies a source: was it imported before?
 *
 * A source is known by its last path, which is a real path. A source at a new path (moved, and
 * perhaps grown since), or standard input, is recognised by its first memories, unless another file
 * exists at the former path:
 *   a Kernle store, if more than half of those of them that are here came from
 *   it (same ref and creation time) and at least one is unchanged;
 *   a file of lines, if more than half of all of them are here from it, unchanged.
 * Differences from a known source are merged; differences from an unknown one are refused, so a
 * source that is not recognised changes nothing.
 */

#define ORIGIN_SAMPLE 64 /* memories that are compared */

struct import_origin {
    int64_t row; /* 0 if new */
    const struct import_format *format;
    char *path;     /* real path; NULL for standard input */
    char *identity; /* set when the first memories are known, or by the path */
    bool moved;     /* recognised by its memories: the new path must be recorded */
    char *was;      /* former path; NULL if unknown */
};

/* Returns -1 if the path does not exist. Release with import_origin_release. */
int import_origin_init(struct import_origin *o, const struct import_format *format,
                       const char *path, struct error *e);
void import_origin_release(struct import_origin *o);

/* Finds the origin by its path. */
int import_origin_find(struct import_origin *o, struct db *db, struct error *e);
/* Finds the origin by its first `count` memories. */
int import_origin_recognise(struct import_origin *o, struct db *db,
                            const struct slice_entry *entries, size_t count, struct error *e);

/* Inserts the origin's row if it is new, and records path, time and result. Call in a write transaction. */
int import_origin_record(struct import_origin *o, struct db *db, int64_t now, const char *summary,
                         struct error *e);

struct import_item {
    struct memory memory;
    struct digest hash; /* hash of what the source says */
    bool is_undone;     /* was imported before and undone here */
    bool undated;       /* the source has no creation time: keep the one of the store */
    int64_t line;       /* in the file; 0 if none */
    int64_t number;     /* number of a chain in its source, from 1; 0 if it is no chain */
    const struct chain_given *chain; /* the chain; `memory` has only its ref */
    size_t steps;                    /* steps of the chain, which become memories too */
};

enum verdict {
    VERDICT_ADD,      /* not in the store, or only a stub */
    VERDICT_UPDATE,   /* only the source changed, or --replace */
    VERDICT_SAME,     /* nothing to do */
    VERDICT_ALREADY,  /* the store already has the source's version: only record that */
    VERDICT_CONFLICT, /* both changed: ours stays */
    VERDICT_REFUSED,  /* another origin has it with other content */
    VERDICT_TAKEN,    /* an entry with a name that another living one has here */
};

/* What the store knows about a ref. */
struct stored_state {
    int64_t node; /* 0 if never named */
    int64_t event;
    enum status status;
    int64_t origin; /* 0 if not imported */
    int64_t imported_event;
    struct digest hash;
};

/*
 * Sets *out to the SHA-256 of the JSON of the memory with version 1; the version counts changes
 * here and is no content. If the version is 1, keeps the form in the arena as m->form for the
 * writer: then the memory must not change any more.
 */
void import_hash_form(struct memory *m, struct arena *arena, struct digest *out);

/* Derives the id of a record without one from its content and its agent, so that importing it
 * again finds it. `content` is the hash of the record as the source has it. */
void import_derive_id(const struct import_options *options, const struct digest *content,
                      char out[37]);

/* Returns true if that origin added the memory and the addition was undone here. Then only
 * --replace adds it again. */
bool import_taken_back(const struct stored_state *known, int64_t origin);

int import_read_stored(struct db *db, struct ref ref, struct stored_state *out, struct error *e);

/* Decides by `known`. If the stored memory matters, reads it into `arena`; then *ours is filled and
 * its node is not 0. */
int import_decide(struct db *db, struct arena *arena, int64_t origin, bool replace,
                  const struct import_item *item, const struct stored_state *known,
                  enum verdict *verdict, struct memory *ours, struct error *e);

/*
 * A slice of an import: the memories that one job writes. Only for store/.
 *
 * The caller's thread fills it, submits it and waits for it. In between only the writer thread uses
 * it. A memory that the store refuses does not stop the others.
 */
struct slice_entry {
    struct import_item item;
    enum verdict verdict;
    bool cannot;    /* the store refuses it, for a reason that was reported */
    size_t refused; /* number of its parts that were refused, for reported reasons */
};

struct slice;
/* Writes an entry. Runs in the writer thread. */
typedef int slice_write(struct slice *s, struct txn *t, struct slice_entry *entry, struct error *e);
slice_write slice_write_memory;

struct slice {
    /* the same for all slices of a run */
    struct store *store;
    const struct import_options *options;
    const struct actor *actor;
    slice_write *write;
    struct bulk *bulk; /* runs the jobs while it is open; may be NULL */

    struct arena arena; /* owns the memories */
    struct slice_entry *entries;
    size_t count, alloc;
    struct import_origin origin; /* borrowed; its row is inserted if the source is new */
    struct strbuf lines;         /* lines to report, each ending with a NUL */
    bool queued;
    bool loaded; /* by a bulk load: antecedents have no nodes */

    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool answered;      /* protected by `lock` */
    struct error error; /* result of the job */
    size_t at;          /* the entry that the job reached */
    bool again;         /* the job is retrying entries with VERDICT_TAKEN */
};

void slice_init(struct slice *s, struct store *store, const struct import_options *options,
                const struct actor *actor, slice_write *write, struct bulk *bulk);
/* Waits for its job first. */
void slice_release(struct slice *s);
void slice_clear(struct slice *s);
struct slice_entry *slice_add(struct slice *s, const struct import_item *item);

/* Adds a report: "line 3: belief:ID: what", or "chain 2 (line 3): what". A ref with id NULL is left
 * out. */
void slice_report(struct slice *s, const struct import_item *item, const char *what, ...)
    __attribute__((format(printf, 3, 4)));
/* Reports an error: "line 3: belief:ID: what is wrong. What to do." */
void slice_report_error(struct slice *s, const struct import_item *item, const struct error *wrong);
/* Passes the collected lines to the caller's report function. */
void slice_send_reports(struct slice *s);

/* Returns the actor of an import, with `channel` as its origin and a correlation of 48 random bits,
 * which each event has. */
struct actor import_actor(struct store *s, const struct import_options *options,
                          const char *channel, char correlation[13]);

/*
 * Who wrote a memory of the source: its agent, of which the source tells; the channel in the event says that it came by
 * an import. The person who imports wrote what belongs to that person, and what is locked, which only persons change.
 * Borrows the texts of both.
 */
struct actor import_author(const struct actor *importer, const struct memory *m);

/* Operation of the event, and of the row of the history, that tells of a change in the source that was not taken,
 * because the memory was changed here as well. */
#define CONFLICT_OPERATION "conflict"

/* Submits the slice to the writer. */
int slice_submit(struct slice *s, const struct import_origin *origin, struct error *e);
/*
 * Waits until the slice is written (in a bulk load: not yet committed). Then each entry that was
 * not refused has its verdict and node, and origin.row is set. Returns at once if nothing was
 * submitted.
 */
int slice_wait(struct slice *s, struct error *e);

/* ---- what an import has read, in compact sets, and the questions that it asks at its end ---- */

struct seen {
    /* the first 64 bits of the SHA-256 of each ref (collisions do not happen by chance) to those of
     * its content */
    struct map content;
};

enum seen_before {
    SEEN_NEVER,
    SEEN_SAME, /* with the same content */
    SEEN_OTHER /* with other content */
};
/* Adds `ref` with its content unless it was met before. */
enum seen_before seen_note(struct seen *s, struct ref ref, const struct digest *content);
void seen_release(struct seen *s);

/* Reports lines one by one while there are few, and then only counts them. */
struct limited_report {
    void (*report)(void *arg, const char *line);
    void *arg;
    int64_t reported;
};

struct mention {
    struct ref from, to;
};

/* Refs in the source that match nothing in the store once the import is done. A dry run writes
 * nothing, so it keeps the links that it would have stored. */
struct missing {
    struct seen named; /* refs of the memories in `mention` */
    /* memories of the source that are in the store now; their links are checked */
    struct row_set here;
    struct mention *mention;
    size_t count, alloc;
    struct arena arena;
};

/* Parameters of the questions after an import. */
struct run_question {
    int64_t origin;
    int64_t first;          /* last event before the import */
    const struct seen *met; /* all refs in the source */
    bool dry_run;
    const char *agent; /* only memories of this agent were read; NULL for all */
    unsigned kinds;    /* of memories that can be unlisted */
    bool partly_read;  /* a part of the source could not be read */
    struct limited_report report;
};

/* For a dry run: notes the links of a memory that would be stored. */
int missing_note_dry(struct missing *s, struct db *db, const struct memory *m, struct error *e);
/* Counts all missing refs, reports the first few new ones and the number of the rest. O(links of
 * the source). */
int missing_count(struct missing *s, struct db *db, const struct run_question *q, int64_t *count,
                  struct error *e);
void missing_release(struct missing *s);

/* Memories that the source no longer has. They are kept, reported and flagged once: the recorded hash is set
 * to zeros, so that a memory that returns is compared again. */
struct unlisted {
    int64_t *new_rows; /* rows that the source still had at the last import */
    size_t new_count, alloc;
    int64_t count; /* all of them, including those that were missing before */
};

/*
 * Finds them, reports the first few new ones and the number of the rest. Returns -1 with `e`.
 * Memories that were deleted, forgotten or purged here are not reported. O(memories of the origin).
 */
int unlisted_find(struct unlisted *g, struct db *db, const struct run_question *q, struct error *e);
/* The flag of a memory that was removed from the source that it came from. The import that finds it there again takes
 * it back (import_merge.c). */
#define FLAG_REMOVED "removed_at_source"
/* Records that a new one was reported. Flags it unless it was changed here or `actor` is NULL; `path` is that of the
 * source. */
int unlisted_note(struct txn *t, int64_t row, int64_t origin, const struct actor *actor,
                  const char *path, struct error *e);

/*
 * Memories that a source names by another ref than ours. A format without ids makes a ref of the text: after an edit
 * here was written back, the same memory has another text there. The event of writing back keeps both refs
 * (store/apply).
 */
#define APPLY_OPERATION "apply" /* of the event; its patch is described in store/apply/README.md */

struct import_names {
    struct arena arena;
    struct key_index given; /* refs that sources make */
    struct ref *ref;        /* [given.count]; id NULL: no longer */
    size_t alloc;
};

/* Reads them from the events that were not undone. Release it even after -1. */
int import_names_load(struct import_names *names, struct db *db, struct error *e);
void import_names_release(struct import_names *names);
/* The ref of the memory that is meant: `given` itself, unless it is one of these. */
struct ref import_names_find(const struct import_names *names, struct ref given);

#endif
