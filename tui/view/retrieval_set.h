/* The log's groups, and the retrievals of those that are unfolded, as the worker reads them. */
#ifndef STEMMA_RETRIEVAL_SET_H
#define STEMMA_RETRIEVAL_SET_H

#include "store/reasoning/retrievals.h"

/* A group that is to be unfolded. */
struct unfolded {
    char *name; /* owned; NULL: of those without one */
    size_t limit;
};

/* Which groups are unfolded, by name, so that they stay so when they are read again. */
struct unfolding {
    struct unfolded *group;
    size_t count, alloc;
};
struct unfolded *unfolding_find(const struct unfolding *u, const char *name); /* NULL: it is not */
/* NULL where memory ran out. */
struct unfolded *unfolding_add(struct unfolding *u, const char *name, size_t limit);
void unfolding_remove(struct unfolding *u, const char *name);
void unfolding_release(struct unfolding *u);
bool unfolding_copy(struct unfolding *out, const struct unfolding *from);

struct retrieval_rows {
    struct retrieval *row; /* newest first */
    size_t count;
    bool more;
};

struct retrieval_set {
    struct arena arena;
    enum retrieval_group by;
    struct retrievals *group;
    struct retrieval_rows *rows; /* [count]; row NULL: of a folded group */
    size_t count;
    int64_t total, suspect;
};

/* NULL with `e` set. O(the log). `agent` NULL: of all. */
struct retrieval_set *retrieval_set_read(struct reader *r, enum retrieval_group by,
                                         const char *agent, const struct unfolding *unfolded,
                                         struct error *e);
void retrieval_set_free(struct retrieval_set *s); /* NULL is allowed */
/* The group of that name; SIZE_MAX: there is none. */
size_t retrieval_set_find(const struct retrieval_set *s, const char *name);

#endif
