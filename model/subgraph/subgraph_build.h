/*
 * A subgraph under construction, private to this room. First memories come into view (by rings,
 * then by expansions), then their links, and last the nodes that stand for several memories.
 */
#ifndef STEMMA_SUBGRAPH_BUILD_H
#define STEMMA_SUBGRAPH_BUILD_H

#include "model/base/map.h"
#include "model/subgraph/subgraph.h"

#define SEEN_NONE  UINT32_MAX
#define NOT_WALKED UINT32_MAX
#define EVERY_KIND ((1u << KIND_COUNT) - 1)

static inline enum direction subgraph_opposite(enum direction side)
{
    return side == ANCESTORS ? DESCENDANTS : ANCESTORS;
}

/* For one side of a memory: the number of neighbours of each kind, and how many of them are in
 * view. */
struct seen_counts {
    size_t total[KIND_COUNT], shown[KIND_COUNT];
    bool bounded;
    size_t asked; /* the greatest `most` asked for so far, which decides how many are counted */
};

struct seen_side {
    /* Steps from the focus along the lineage on this side; NOT_WALKED if it is not part of it. */
    uint32_t depth;
    uint32_t open;              /* a bit for each kind of neighbours that it keeps in view */
    uint32_t rest;              /* a bit for each kind with a node for the hidden neighbours */
    uint32_t expanded;          /* a bit for each kind that an expansion opened */
    bool bounded;               /* it has more links than were counted */
    size_t total;               /* the number of links, once known */
    size_t shown;               /* the number of links to memories in view */
    uint32_t first;             /* the first of its ties; SEEN_NONE if none */
    struct seen_counts *counts; /* in the arena; NULL until the kinds are needed */
};

/* A memory in view. */
struct seen {
    int64_t row;
    struct subgraph_memory memory;
    struct seen_side side[2];
    bool loop, apart;
    /* Its group before any expansion: */
    uint32_t group;               /* SEEN_NONE if it is in no group */
    enum subgraph_node_type type; /* SUBGRAPH_EQUIVALENT or SUBGRAPH_CHAIN */
    uint32_t place;               /* its index in its chain */
    size_t marked[2];             /* how many of its links were in view then, by side */
};

/*
 * A link between two memories in view. end[ANCESTORS] is the antecedent of end[DESCENDANTS].
 * next[ANCESTORS] is the next tie of end[DESCENDANTS] to another antecedent; next[DESCENDANTS] is
 * the next tie of end[ANCESTORS] to another dependent.
 */
struct tie {
    uint32_t end[2], next[2];
    unsigned strokes;
};

struct subgraph_build {
    const struct subgraph_request *request;
    const struct subgraph_source *source;
    struct arena *arena; /* that of the subgraph */
    struct arena scratch;
    struct row_index rows;  /* the rows of `seen`, with the same numbers */
    struct row_index first; /* the request's rows that come first */
    struct seen *seen;      /* [count] the focus is 0 */
    uint32_t count;
    size_t alloc;
    uint32_t linked; /* the ties of the first `linked` memories are known */
    struct tie *tie;
    uint32_t ties;
    size_t tie_alloc;
    uint32_t groups; /* the number of groups before any expansion */
};

/* ---- subgraph_view.c: memories in view ---- */

/* The number of a row in view, or SEEN_NONE. */
uint32_t view_find(const struct subgraph_build *b, int64_t row);
/* Gets the links of `v` on that side from the source. out->link is in the scratch arena. */
int view_links(struct subgraph_build *b, uint32_t v, enum direction side, size_t most,
               struct subgraph_links *out, struct error *e);
/* The other end of a tie of a memory on its side `side`. */
static inline uint32_t tie_other(const struct tie *t, enum direction side)
{
    return t->end[side];
}
/* How many neighbours of that kind are hidden; 0 if the kinds were not counted. */
size_t view_unseen(const struct seen_side *s, enum kind kind);
/* Is there a node for these hidden neighbours? Never for a single one. */
bool view_has_rest(const struct seen_side *s, enum kind kind);

/* Brings the memories around the focus into view. */
int rings_show(struct subgraph_build *b, struct error *e);

/* Applies the expansions of the request in order. */
int expansions_show(struct subgraph_build *b, struct error *e);
/* Gets the first `most` hidden links of a memory on one side, of one kind or of all (-1), in the
 * scratch arena. */
int expansion_unseen(struct subgraph_build *b, uint32_t v, enum direction side, int kind,
                     size_t most, struct subgraph_link **link, size_t *count, struct error *e);
/* Counts the hidden neighbours that have a node of their kind. If it is only one, brings that
 * memory into view. */
int expand_single_rests(struct subgraph_build *b, struct error *e);

/*
 * ---- subgraph_groups.c: chains and equivalent nodes ----
 *
 * Groups are found among the memories in view before any expansion. Expansions and the memories
 * that they add can remove members, but never add one: what a person has seen as itself stays.
 */

struct gathered {
    enum subgraph_node_type type;
    size_t first, count; /* in `member` */
};
struct gathering {
    uint32_t *of; /* [b->count] the group of each memory, or SEEN_NONE */
    struct gathered *group;
    size_t groups;
    uint32_t *member;
    size_t members;
};

/* Records the groups among the memories in view. Call it before any expansion. */
void gather_mark(struct subgraph_build *b);
/* Gathers the members that are left after all expansions. */
void gather_all(struct subgraph_build *b, struct gathering *g);

/* The number of nodes that drawing chains as one node saves, whatever else comes into view. */
size_t chains_saving(struct subgraph_build *b);

#endif
