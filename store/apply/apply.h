/*
 * Writes what was decided here back into the source that the store follows, on request. A plan compares the memories
 * that changed here since they were imported with what the source says now, and shows the differences in the source's
 * own form. Writing it makes a copy of each file first and refuses if anything changed in between.
 */
#ifndef STEMMA_APPLY_H
#define STEMMA_APPLY_H

#include "model/json/json.h"
#include "store/import/import.h"
#include "store/import/write_back.h"

/* A plan. Everything in it lives in its arena. */
struct apply {
    struct arena arena;
    struct import_names names;
    int64_t origin; /* row of the source */
    const struct import_format *format;
    const char *agent;   /* to import the source again as before; NULL if it names its agents */
    struct write_back w; /* w.path; w.change, w.conflict and w.left are what people read */
    const char **backup; /* [backup_count] the copies that were made */
    size_t backup_count;
    int64_t undoes;          /* the event that the plan takes back; 0: none */
    int64_t undone_at;       /* ms: when that was */
    struct json_slice patch; /* of that event */
};

enum {
    APPLY_OVERWRITE = 1, /* also what changed in the source since it was decided about here */
    APPLY_UNDO = 2,      /* write back what was there before the last write */
};

/*
 * Plans what would be written into the source `path`, or into the only one of the store if it is NULL. Release the plan
 * even after -1. ERROR_NOT_FOUND if the store has no such source, or nothing was written that could be undone;
 * ERROR_USAGE if it has several sources, ERROR_REFUSED if its format cannot be written back, ERROR_CONFLICT if the
 * source is no longer what was written and is to be undone.
 */
int apply_plan(struct apply *a, struct reader *r, const char *path, unsigned how, struct error *e);
void apply_release(struct apply *a);

/*
 * Carries the plan out: copies (none for an undo), the event, the files, and an import that records that both agree.
 * ERROR_CONFLICT: the source changed since it was read; ERROR_BUSY: it is locked; ERROR_REFUSED: it cannot be written.
 * After each of these it is as it was.
 */
int apply_write(struct apply *a, struct store *s, const struct actor *actor, struct error *e);

/* Has it anything to write? */
bool apply_writes(const struct apply *a);

/* Planning an undo. Only for store/apply. */
/* Finds the last event that wrote to the source and was not undone: a->undoes. ERROR_NOT_FOUND: there is none. */
int apply_find_last(struct apply *a, struct db *db, struct error *e);
/* Plans to write back what was there before that event. */
int apply_plan_undo(struct apply *a, struct error *e);

#endif
