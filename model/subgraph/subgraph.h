/*
 * The part of a lineage that is shown: the memories around a focus, within a budget. Hidden
 * neighbours are counted on the memory that they belong to. Expanding and collapsing changes the
 * view, never the store.
 *
 * A subgraph depends only on its request and on the store: the same request over the same store
 * gives the same subgraph.
 */
#ifndef STEMMA_MODEL_SUBGRAPH_H
#define STEMMA_MODEL_SUBGRAPH_H

#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "model/graph/lineage.h"
#include "model/layout/picture.h"

/*
 * Equivalent nodes and chains are groups of at least three memories of the same kind and status
 * that were in view before any expansion, none of them opened since or missing. They are drawn as
 * one node.
 *
 * Equivalent nodes are grouped only if that saves lines: if they share several neighbours, or are
 * at least eight. None of them may be among the first ones of a kind that a SUBGRAPH_MORE
 * continues. The members of a chain have no other neighbours than the previous and the next member;
 * if these supersede each other, they may have other links that are the same for all members.
 * Members that are not superseded need to be at least six.
 */
enum subgraph_node_type {
    SUBGRAPH_MEMORY = 0,
    SUBGRAPH_MISSING, /* referenced by others, but not in the store */
    SUBGRAPH_MORE, /* ⋯ +37 raw: the hidden neighbours of one kind on one side of a memory; at least two */
    SUBGRAPH_EQUIVALENT, /* 12 notes: all have the same neighbours in view, with the same strokes */
    SUBGRAPH_CHAIN,      /* ⋮ 9 replaced: each is based on the next, all with the same strokes */
};

struct subgraph_node {
    enum subgraph_node_type type;
    /* Stable and unique: "belief:ID"; for other types based on the memory that they belong to,
     * or on their last member. In the subgraph's arena. */
    const char *id;
    /* of the memory; for SUBGRAPH_MORE of the memory that it belongs to; otherwise of the first
     * member */
    int64_t row;
    enum kind kind; /* of the members, if it stands for several */
    enum status status;
    int64_t at;          /* created */
    enum direction side; /* for SUBGRAPH_MORE: ancestors or descendants of `row` */
    /* Rows: for SUBGRAPH_MORE the next ones, at most SUBGRAPH_MEMBERS; for equivalent nodes the
     * newest first. */
    const int64_t *member; /* [members] */
    size_t members;
    size_t total;       /* the number of memories that it stands for */
    bool total_bounded; /* there are more: "+999" */
    /* By direction: neighbours that no node in view stands for; for a group the maximum over its
     * members. */
    size_t hidden[2];
    bool hidden_bounded[2]; /* there may be more */
    bool opened;            /* opened by an expansion, so it can be closed */
    bool loop;              /* it is based on itself; not counted as a cycle */
    bool on_circle;         /* on a cycle of nodes in view */
};
/* Whether the node is one memory, which may be missing. */
static inline bool subgraph_is_single(const struct subgraph_node *n)
{
    return n->type == SUBGRAPH_MEMORY || n->type == SUBGRAPH_MISSING;
}
#define SUBGRAPH_MEMBERS 10

/* Appends the id of the SUBGRAPH_MORE node for that side and kind of the memory with this id. */
void subgraph_add_rest_id(struct strbuf *out, enum direction side, enum kind kind, const char *id);

struct subgraph_edge {
    uint32_t from, to; /* nodes of the subgraph; `from` is based on `to` */
    uint8_t strokes;   /* a bit for each enum stroke */
};

enum subgraph_show {
    SHOW_ANCESTORS = 1,
    SHOW_DESCENDANTS = 2,
    SHOW_BOTH = 3,
};

/*
 * Shows `count` more neighbours of a memory, or closes that side. The remaining neighbours become a
 * SUBGRAPH_MORE node, or are shown if there is only one. Closing removes what no other memory in
 * view shows, without a replacement. An expansion of a memory that is not in view at its turn is
 * ignored. Opening only adds: what was shown as itself still is.
 */
struct expansion {
    int64_t row;
    enum direction side;
    int kind;     /* enum kind of the neighbours, or -1 for all kinds */
    size_t count; /* how many more to show; 0 to close that side */
};

struct subgraph_request {
    int64_t focus;
    enum subgraph_show show;
    uint32_t depth; /* steps from the focus, or DEPTH_UNLIMITED */
    size_t budget;  /* the most nodes before any expansion, counting a chain as one; at least 1 */
    /* the most of one kind on one side before the rest becomes SUBGRAPH_MORE; 0 for no bound */
    size_t fan;
    bool gather;                 /* draw equivalent nodes and chains as one node */
    struct expansion *expansion; /* [count] in the order of making */
    size_t count, alloc;
    int64_t *apart; /* [apart_count] rows that were opened and so are never grouped again */
    size_t apart_count, apart_alloc;
    /* [firsts] rows that come before others of their kind where not all are shown, the first of them first; if a memory
     * has many neighbours, only among the first SUBGRAPH_COMPARED of them. Owned by the request. */
    int64_t *first;
    size_t firsts;
};
#define SUBGRAPH_COMPARED 999
#define SUBGRAPH_REQUEST_INIT                                                                      \
    {                                                                                              \
        .show = SHOW_ANCESTORS, .depth = DEPTH_UNLIMITED, .budget = 60, .fan = 7, .gather = true   \
    }
void subgraph_expand(struct subgraph_request *w, struct expansion expansion);
void subgraph_ungroup(struct subgraph_request *w, const int64_t *rows, size_t count);
void subgraph_request_copy(struct subgraph_request *to, const struct subgraph_request *from);
void subgraph_request_release(struct subgraph_request *w);

/* The interface to the store. */
struct subgraph_memory {
    const char *id; /* "kind:id", in the arena */
    enum kind kind;
    enum status status; /* STATUS_MISSING for a ghost */
    int64_t at;         /* creation time; 0 if not known */
};
struct subgraph_link {
    int64_t row;      /* the other end, never the memory itself */
    unsigned strokes; /* a bit for each stroke between the two */
    struct subgraph_memory memory;
    uint32_t rank; /* its place among the rows that come first; set by this room, 0 from a source */
};
struct subgraph_links {
    struct subgraph_link *link; /* [count] each other end once, ordered by subgraph_link_order */
    size_t count;
    size_t total[KIND_COUNT]; /* of each kind, including those not in `link` */
    bool bounded;             /* there are more than were counted */
};
struct subgraph_tie {
    int64_t row;
    unsigned strokes;
};
struct subgraph_ties {
    struct subgraph_tie *tie; /* [count] each other end once */
    size_t count;
    size_t total; /* the number of all other ends */
    bool bounded; /* there are more than were counted */
    bool loop;    /* it is based on itself; not counted elsewhere */
};
struct subgraph_source {
    void *of;
    /*
     * Gets the links of a row on one side, at most `most` of each kind, in the arena. If there are
     * too many to count, it counts a first part; a larger `most` gives the same ones first and
     * counts more, in the end all. Returns -1 with an error.
     */
    int (*links)(void *of, struct arena *arena, int64_t row, enum direction side, size_t most,
                 struct subgraph_links *out, struct error *e);
    /* Gets the links to any of the first `count` rows of `rows`, however many links the row has. */
    int (*among)(void *of, struct arena *arena, int64_t row, enum direction side,
                 const struct row_index *rows, size_t count, struct subgraph_ties *out,
                 struct error *e);
    int (*memory)(void *of, struct arena *arena, int64_t row, struct subgraph_memory *out,
                  struct error *e);
};
/* Orders links by rank; then by stroke, the strongest first, so that guessed ones come last; then newest
 * first; then by id. Never returns 0 for two links of one memory. */
int subgraph_link_order(const struct subgraph_link *a, const struct subgraph_link *b);

struct subgraph {
    struct subgraph_node *node; /* [nodes] the focus is node 0 */
    uint32_t nodes;
    struct subgraph_edge *edge; /* [edges] by (from, to), unique, none to itself */
    uint32_t edges;
    uint32_t *circle;     /* nodes of the cycles in view; each is based on the next */
    size_t *circle_first; /* [circles + 1] */
    size_t circles;
    bool partial; /* a part of the lineage is not in view */
    struct arena arena;
};

/* Makes the subgraph. Returns -1 with an error. Call subgraph_release in any case. Queries to
 * the source are bounded by what is in view, not by what is hidden. */
int subgraph_make(struct subgraph *s, const struct subgraph_request *w,
                  const struct subgraph_source *source, struct error *e);
void subgraph_release(struct subgraph *s);

#endif
