/*
 * What a source does not say any more. It is kept, and told once: the hash of what the source said
 * last becomes one of zeros, so that what comes back is looked at anew. For store/ alone.
 */
#ifndef STEMMA_IMPORT_GONE_H
#define STEMMA_IMPORT_GONE_H

#include "store/import/import_origin.h"
#include "store/import/import_seen.h"

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
