/*
 * What of a lineage is in view: the memories around a focus within a budget, with what is left out counted where it
 * hangs. Showing more or less changes what is in view and never the store.
 *
 * A subgraph follows from its request and what the store says, and from nothing else: the same
 * request over the same store give the same subgraph.
 */
#ifndef STEMMA_MODEL_SUBGRAPH_H
#define STEMMA_MODEL_SUBGRAPH_H

#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "model/graph/graph.h"
#include "model/graph/lineage.h"
#include "model/layout/picture.h"

/*
 * Equivalent nodes and chains are at least three memories, alike in kind and status, in view without any expansion, none of which
 * was opened since; none is missing. Equivalent nodes stand as one where that saves lines: where they share several others, or
 * are eight; none is of those that a SUBGRAPH_MORE left in view. The members of a chain have nothing but the one before
 * and the one after them; where those supersede each other they may have other links, all of them the same. Those
 * that are not superseded stand as one only where there are six.
 */
enum subgraph_node_type {
    SUBGRAPH_MEMORY = 0,
    SUBGRAPH_MISSING, /* named by others, and not there */
    SUBGRAPH_MORE,    /* ⋯ +37 raw: what else a memory has of one kind on one side; never one */
    SUBGRAPH_EQUIVALENT, /* 12 raws: in view each has the same others before and after it, by the same strokes */
    SUBGRAPH_CHAIN, /* ⋮ 9 superseded: each rests on the next, all by the same strokes */
};

struct subgraph_node {
    enum subgraph_node_type sort;
    /* Stable and distinct: "belief:ID", of others made of what they hang on, or of their last member. In the
     * subgraph's arena. */
    const char *id;
    int64_t row;    /* the memory's; SUBGRAPH_MORE: of what it hangs on; else of the first member */
    enum kind kind; /* of members, where it stands for several */
    enum status status;
    int64_t at;          /* created */
    enum direction side; /* SUBGRAPH_MORE: what `row` rests on, or what it carries */
    /* Rows: of SUBGRAPH_MORE the next ones, at most SUBGRAPH_MEMBERS; of equivalent nodes later before earlier. */
    const int64_t *member; /* [members] */
    size_t members;
    size_t total;       /* how many it stands for; a memory: 1 */
    bool total_bounded; /* there are more: "+999" */
    size_t hidden
        [2]; /* by direction: neighbours that no node in view stands for; the most of any member */
    bool hidden_bounded[2]; /* there may be more */
    bool opened;            /* by an expansion: it can be closed */
    bool loop;              /* it rests on itself, which makes no circle */
    bool on_circle;         /* of nodes in view */
};
#define SUBGRAPH_MEMBERS 10

/* Appends the id of the rest of a kind that hangs on that side of the memory with the id. */
void subgraph_add_rest_id(struct strbuf *out, enum direction side, enum kind kind, const char *id);

struct subgraph_edge {
    uint32_t from, to; /* nodes of the subgraph; `from` rests on `to` */
    uint8_t strokes;   /* a bit for each enum stroke */
};

enum subgraph_show {
    SHOW_ANCESTORS = 1,
    SHOW_DESCENDANTS = 2,
    SHOW_BOTH = 3,
};

/*
 * A memory's neighbours are shown, however many were asked for, and what is left of them stands as SUBGRAPH_MORE, but as
 * itself where that is one. Or they are closed: what nothing else in view holds goes, and nothing comes in its
 * place. An expansion of what is not in view when its turn comes asks for nothing. Opening only adds: what stood for
 * itself still does.
 */
struct expansion {
    int64_t row;
    enum direction side;
    int kind;     /* enum kind of what is opened; -1: every kind */
    size_t count; /* so many more of them; 0: it is closed, and shows none on that side */
};

struct subgraph_request {
    int64_t focus;
    enum subgraph_show show;
    uint32_t depth; /* steps from the focus; DEPTH_UNLIMITED */
    size_t
        budget; /* at most so many nodes before any expansion, a chain as one of them; at least 1 */
    size_t fan; /* of one kind on one side before the rest becomes SUBGRAPH_MORE; 0: no bound */
    bool gather;                 /* equivalent nodes and chains stand as one */
    struct expansion *expansion; /* [count] in the order in which they were made */
    size_t count, alloc;
    int64_t *
        apart; /* [apart_count] rows that equivalent nodes and chains leave alone, for they were opened */
    size_t apart_count, apart_alloc;
};
#define SUBGRAPH_REQUEST_INIT                                                                      \
    {                                                                                              \
        .show = SHOW_ANCESTORS, .depth = DEPTH_UNLIMITED, .budget = 60, .fan = 7, .gather = true   \
    }
void subgraph_expand(struct subgraph_request *w, struct expansion expansion);
void subgraph_ungroup(struct subgraph_request *w, const int64_t *rows, size_t count);
void subgraph_request_copy(struct subgraph_request *to, const struct subgraph_request *from);
void subgraph_request_release(struct subgraph_request *w);

/* What a subgraph asks of a store. */
struct subgraph_memory {
    const char *id; /* "kind:id", in the arena */
    enum kind kind;
    enum status status; /* STATUS_MISSING: a ghost */
    int64_t at;         /* created; 0: not known */
};
struct subgraph_link {
    int64_t row;      /* the other end, which is another memory */
    unsigned strokes; /* a bit for each way in which one rests on the other */
    struct subgraph_memory memory;
};
struct subgraph_links {
    struct subgraph_link
        *link; /* [count] each other end once, in the order of subgraph_link_order */
    size_t count;
    size_t total[KIND_COUNT]; /* of each kind, those that are not among `link` too */
    bool bounded;             /* there are more than were counted */
};
struct subgraph_tie {
    int64_t row;
    unsigned strokes;
};
struct subgraph_ties {
    struct subgraph_tie *tie; /* [count] each other end once */
    size_t count;
    size_t total; /* other ends in all */
    bool bounded; /* there are more than were counted */
    bool loop;    /* it rests on itself, which counts for nothing else here */
};
struct subgraph_source {
    void *of;
    /*
     * The row's links on that side, at most `most` of each kind, in the arena. Where there are so many that not all
     * are counted, those that are come first, and asking for more gives the same ones before others; with
     * a larger `most` more are counted, in the end all. -1 with an error.
     */
    int (*links)(void *of, struct arena *arena, int64_t row, enum direction side, size_t most,
                 struct subgraph_links *out, struct error *e);
    /* Those of them that lead to one of the first `count` of these rows, however many there are. */
    int (*among)(void *of, struct arena *arena, int64_t row, enum direction side,
                 const struct row_index *rows, size_t count, struct subgraph_ties *out,
                 struct error *e);
    int (*memory)(void *of, struct arena *arena, int64_t row, struct subgraph_memory *out,
                  struct error *e);
};
/* The stronger stroke first, so that what is guessed comes last; then later before earlier; then by id. Never 0 for two
 * links of a memory. */
int subgraph_link_order(const struct subgraph_link *a, const struct subgraph_link *b);

struct subgraph {
    struct subgraph_node *node; /* [nodes] the focus is node 0 */
    uint32_t nodes;
    struct subgraph_edge *edge; /* [edges] by (from, to), each pair once; none to itself */
    uint32_t edges;
    uint32_t *circle;     /* nodes of the circles in view, each of which rests on the next */
    size_t *circle_first; /* [circles + 1] */
    size_t circles;
    bool partial; /* something of the lineage is not in view */
    struct arena arena;
};

/* -1 with an error; the caller calls subgraph_release in any case. What it asks of the source is bounded by what is in
 * view, never by what hangs on it. */
int subgraph_make(struct subgraph *s, const struct subgraph_request *w,
                  const struct subgraph_source *source, struct error *e);
void subgraph_release(struct subgraph *s);

#endif
