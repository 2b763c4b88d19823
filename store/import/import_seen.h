/*
 * What an import has met, in little room: refs with what was said of them (16 bytes each), and rows
 * of the store (one bit each). For store/ alone.
 */
#ifndef STEMMA_IMPORT_SEEN_H
#define STEMMA_IMPORT_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/arena.h"
#include "model/base/digest.h"
#include "model/base/map.h"
#include "model/memory/memory.h"
#include "store/db/db.h"
#include "store/import/import_merge.h"

struct seen {
    struct map
        said; /* the first 64 bits of SHA-256 of each ref, which never agree by accident: those of its content */
};

enum seen_before {
    SEEN_NEVER,
    SEEN_SAME, /* with the same content */
    SEEN_OTHER /* with other content */
};
/* Notes that `ref` was met with that content, if it is for the first time. */
enum seen_before seen_note(struct seen *s, struct ref ref, const struct digest *content);
void seen_release(struct seen *s);

/*
 * What an import names and does not bring: refs that name nothing in the store once all is in it. Kept
 * as rows, one bit each; a dry run, which makes no rows, keeps the refs. For store/ alone.
 */

struct mention {
    struct ref from, to;
};
struct missing {
    struct row_set named, filled; /* rows that links name; rows that are memories */
    struct row_set news;          /* rows that links name which were not there before */
    struct seen mentioned;        /* of a dry run: refs that have no row */
    struct mention *mentions;
    size_t count, alloc;
    struct arena arena;
};

/* A memory that was put: its nodes are filled. */
void missing_note_put(struct missing *s, const struct memory *m);
/* The same where a bulk load put it, and once that has ended the rows of what is named and did not come:
 * those after `after` up to `last`. */
void missing_note_row(struct missing *s, int64_t node);
void missing_note_stubs(struct missing *s, int64_t after, int64_t last);
/* One that stays as it is stored. */
int missing_note_stored(struct missing *s, struct db *db, int64_t node, struct error *e);
/* One that would be put; `node` is its row, or 0. */
int missing_note_dry(struct missing *s, struct db *db, const struct memory *m, int64_t node,
                     struct error *e);

/* Counts all, and tells `report` of the first few that are news and of how many more. `met`: every ref
 * that the source brought. */
int missing_count(struct missing *s, struct db *db, const struct seen *met,
                  void (*report)(void *arg, const char *line), void *arg, int64_t *count,
                  struct error *e);
void missing_release(struct missing *s);

/*
 * What a source does not say any more. It is kept, and told once: the hash of what the source said
 * last becomes one of zeros, so that what comes back is looked at anew. For store/ alone.
 */

struct gone {
    int64_t *news; /* rows of memories that were there when the source was read last */
    size_t news_count, alloc;
    int64_t count; /* with those that were gone then */
};

/* What telling needs to know of the run. */
struct gone_question {
    int64_t origin;
    const struct seen *met; /* every ref that the source has now */
    const char *agent;      /* only this agent's were looked for; NULL: all */
    bool partly_read;       /* something in the source could not be read */
    void (*report)(void *arg, const char *line);
    void *arg;
};

/* Finds them, and tells of the first few that are news and of how many more. -1 with `e`. Those that
 * are deleted, forgotten or purged here are nobody's news. O(memories of the origin). */
int gone_find(struct gone *g, struct db *db, const struct gone_question *q, struct error *e);
/* In a write transaction: notes that the news were told. */
int gone_note(const struct gone *g, struct db *db, int64_t origin, struct error *e);
void gone_release(struct gone *g);

#endif
