/*
 * A subgraph while it is being made, for this room alone. Memories come into view first (by rings, then by
 * request), then what they are linked by, and at last the nodes that stand for several.
 */
#ifndef STEMMA_SUBGRAPH_BUILD_H
#define STEMMA_SUBGRAPH_BUILD_H

#include "model/base/map.h"
#include "model/subgraph/subgraph.h"

#define SEEN_NONE  UINT32_MAX
#define NOT_WALKED UINT32_MAX
#define EVERY_KIND ((1u << KIND_COUNT) - 1)

static inline enum direction subgraph_across(enum direction side)
{
    return side == ANCESTORS ? DESCENDANTS : ANCESTORS;
}

/* How many of each kind a memory has on one side, and how many of those are in view. */
struct seen_counts {
    size_t total[KIND_COUNT], shown[KIND_COUNT];
    bool bounded;
    size_t asked; /* the most that was asked for, which decides how many are counted */
};

struct seen_side {
    /* Steps from the focus along the lineage on this side; NOT_WALKED: it is not part of it. */
    uint32_t depth;
    uint32_t open;              /* a bit for each kind whose memories in view it holds there */
    uint32_t rest;              /* a bit for each kind of which what is not in view stands as one */
    uint32_t expanded;          /* a bit for each kind that an expansion opened */
    bool bounded;               /* it has more than were counted */
    size_t total;               /* links, once they are known */
    size_t shown;               /* of those, to memories in view */
    uint32_t first;             /* of its ties; SEEN_NONE */
    struct seen_counts *counts; /* in the arena; NULL: nobody has asked for its kinds */
};

/* A memory in view. */
struct seen {
    int64_t row;
    struct subgraph_memory memory;
    struct seen_side side[2];
    bool loop, apart;
    /* Of what it is a member as long as nothing is asked for: */
    uint32_t group;               /* SEEN_NONE: of nothing */
    enum subgraph_node_type sort; /* SUBGRAPH_EQUIVALENT or SUBGRAPH_CHAIN */
    uint32_t place;               /* in its chain */
    size_t marked[2];             /* there: how many of its links were in view, by side */
};

/*
 * A link between two of them: `end[ANCESTORS]` is what the other rests on. `next[ANCESTORS]` is the next tie of the
 * one that rests on it, among all to what that rests on; `next[DESCENDANTS]` likewise of the other.
 */
struct tie {
    uint32_t end[2], next[2];
    unsigned strokes;
};

struct subgraph_build {
    const struct subgraph_request *request;
    const struct subgraph_source *source;
    struct arena *arena; /* of the subgraph */
    struct arena scratch;
    struct row_index rows; /* of `seen`, with their numbers */
    struct seen *seen;     /* [count] the focus is 0 */
    uint32_t count;
    size_t alloc;
    uint32_t linked; /* the ties of so many are known */
    struct tie *tie;
    uint32_t ties;
    size_t tie_alloc;
    uint32_t groups; /* of those that stand as one without any expansion */
};

/* ---- subgraph_view.c: what is in view ---- */

/* The number of a row that is in view; SEEN_NONE. */
uint32_t view_find(const struct subgraph_build *b, int64_t row);
/* What the source says of the links of `v` on that side; out->link is in the scratch arena. */
int view_links(struct subgraph_build *b, uint32_t v, enum direction side, size_t most,
               struct subgraph_links *out, struct error *e);
/* The other end of a tie of a memory on its side `side`. */
static inline uint32_t tie_other(const struct tie *t, enum direction side)
{
    return t->end[side];
}
/* How many of that kind are not in view; 0 where nobody asked for its kinds. */
size_t view_unseen(const struct seen_side *s, enum kind kind);
/* Does a node stand for those? Never for one. */
bool view_has_rest(const struct seen_side *s, enum kind kind);

/* Brings the memories around the focus into view. */
int rings_show(struct subgraph_build *b, struct error *e);

/* Brings what is asked for into view. */
int expansions_show(struct subgraph_build *b, struct error *e);
/* The first `most` of a memory's links on one side that are not in view, of one kind or of all (-1), in the scratch
 * arena. */
int expansion_unseen(struct subgraph_build *b, uint32_t v, enum direction side, int kind,
                     size_t most, struct subgraph_link **link, size_t *count, struct error *e);
/* Counts what the nodes for the rest of a kind stand for; wherever that is one memory, it is brought into view. */
int expand_single_rests(struct subgraph_build *b, struct error *e);

/*
 * ---- subgraph_groups.c: chains and equivalent nodes ----
 *
 * They are found in what is in view without any expansion. Expansions and what they bring into view take members away, and
 * never add one: what a person has seen as itself stays.
 */

struct gathered {
    enum subgraph_node_type sort;
    size_t first, count; /* in `member` */
};
struct gathering {
    uint32_t *of; /* [b->count] the group of each; SEEN_NONE */
    struct gathered *group;
    size_t groups;
    uint32_t *member;
    size_t members;
};

void gather_mark(struct subgraph_build *b);
void gather_all(struct subgraph_build *b, struct gathering *g);

/* So many nodes less there are for chains, whatever else comes into view. */
void chains_save(struct subgraph_build *b, size_t *saved);

/* ---- subgraph.c: the subgraph of what is in view ---- */

/* ---- subgraph_circles.c ---- */

#endif
