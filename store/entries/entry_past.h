/* Namespaces and entries for a reader of the past (past.h). For store/ alone. */
#ifndef STEMMA_ENTRY_PAST_H
#define STEMMA_ENTRY_PAST_H

#include "store/db/db.h"
#include "store/entries/entry.h"

/* As namespace_list; *rows, to be freed, and *count begin as none. O(entries). */
int entry_past_namespaces(struct reader *r, struct arena *arena, struct namespace_row **rows,
                          size_t *count, struct error *e);

struct entry_past_query {
    const char *name; /* in the arena */
    int64_t namespace_;
    const char *after;
    size_t limit, value_max;
};
/* As entry_rows, into an array that is large enough; `take` fills the value. O(entries of the namespace). */
int entry_past_rows(struct reader *r, struct arena *arena, const struct entry_past_query *q,
                    void (*take)(struct arena *arena, const struct memory *m, size_t value_max,
                                 struct entry *out),
                    struct entry *out, size_t *count, struct error *e);

#endif
