/* Compact sets of what an import has read, and the questions it asks the store when it is done.
 * Only for store/. */
#ifndef STEMMA_IMPORT_SEEN_H
#define STEMMA_IMPORT_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/arena.h"
#include "model/base/digest.h"
#include "model/base/map.h"
#include "model/memory/memory.h"
#include "store/import/import_merge.h"

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
/* Records that a new one was reported. Flags it unless it was changed here or `actor`, who imports, is NULL; `path` is
 * that of the source. */
int unlisted_note(struct txn *t, int64_t row, int64_t origin, const struct actor *actor,
                  const char *path, struct error *e);

#endif
