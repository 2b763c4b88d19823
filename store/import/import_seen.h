/*
 * What an import has met, in little room: refs with what was said of them (16 bytes each); and what of the store it
 * asks once it is done. For store/ alone.
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

/* Lines that are told one by one while they are few; of the others only how many there are. */
struct telling {
    void (*report)(void *arg, const char *line);
    void *arg;
    int64_t told;
};

/*
 * What an import names and does not bring: refs that name nothing in the store once all is in it. A dry run, which makes
 * no rows, keeps those that it would have put. For store/ alone.
 */
struct missing {
    struct seen named; /* refs that stand in `mention` */
    struct row_set
        here; /* memories of the source that are here by now, whose links are asked for */
    struct mention {
        struct ref from, to;
    } * mention;
    size_t count, alloc;
    struct arena arena;
};

/* What is asked of the store once the import is done. */
struct run_question {
    int64_t origin;
    int64_t first;          /* the last event before the import */
    const struct seen *met; /* every ref that the source has now */
    bool dry_run;
    const char *agent; /* only this agent's were looked for; NULL: all */
    bool partly_read;  /* something in the source could not be read */
    struct telling tell;
};

/* A memory that would be put. */
int missing_note_dry(struct missing *s, struct db *db, const struct memory *m, struct error *e);
/* Counts all, and tells of the first few that are news and of how many more. O(links of the source). */
int missing_count(struct missing *s, struct db *db, const struct run_question *q, int64_t *count,
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

/* Finds them, and tells of the first few that are news and of how many more. -1 with `e`. Those that
 * are deleted, forgotten or purged here are nobody's news. O(memories of the origin). */
int gone_find(struct gone *g, struct db *db, const struct run_question *q, struct error *e);
/* In a write transaction: notes that the news were told. */
int gone_note(const struct gone *g, struct db *db, int64_t origin, struct error *e);

#endif
