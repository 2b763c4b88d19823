/*
 * What of a lineage is in view: the memories around a focus within a budget, with what is left out counted where it
 * hangs. Showing more or less changes what is in view and never the store.
 *
 * A scene follows from its wishes (what is asked for) and what the store says, and from nothing else: the same
 * wishes over the same store give the same scene.
 */
#ifndef STEMMA_SCENE_H
#define STEMMA_SCENE_H

#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "model/graph/graph.h"
#include "model/graph/lineage.h"
#include "model/layout/picture.h"

/*
 * Twins and chains are at least three memories, alike in kind and status, in view without any wish, none of which
 * was opened since; none is missing. Twins stand as one where that saves lines: where they share several others, or
 * are eight; none is of those that a SCENE_MORE left in view. The members of a chain have nothing but the one before
 * and the one after them; where those supersede each other they may have other links, all of them the same. Those
 * that are not superseded stand as one only where there are six.
 */
enum scene_sort {
    SCENE_MEMORY = 0,
    SCENE_GHOST, /* named by others, and not there */
    SCENE_MORE,  /* ⋯ +37 raw: what else a memory has of one kind on one side; never one */
    SCENE_TWINS, /* 12 raws: in view each has the same others before and after it, by the same strokes */
    SCENE_CHAIN, /* ⋮ 9 superseded: each rests on the next, all by the same strokes */
};

struct scene_node {
    enum scene_sort sort;
    /* Stable and distinct: "belief:ID", of others made of what they hang on, or of their last member. In the
     * scene's arena. */
    const char *id;
    int64_t row;    /* the memory's; SCENE_MORE: of what it hangs on; else of the first member */
    enum kind kind; /* of members, where it stands for several */
    enum status status;
    int64_t at;          /* created */
    enum direction side; /* SCENE_MORE: what `row` rests on, or what it carries */
    /* Rows: of SCENE_MORE the next ones, at most SCENE_MEMBERS; of twins later before earlier. */
    const int64_t *member; /* [members] */
    size_t members;
    size_t total;       /* how many it stands for; a memory: 1 */
    bool total_bounded; /* there are more: "+999" */
    size_t hidden
        [2]; /* by direction: neighbours that no node in view stands for; the most of any member */
    bool hidden_bounded[2]; /* there may be more */
    bool opened;            /* by a wish: it can be closed */
    bool loop;              /* it rests on itself, which makes no circle */
    bool on_circle;         /* of nodes in view */
};
#define SCENE_MEMBERS 10

/* Appends the id of the rest of a kind that hangs on that side of the memory with the id. */
void scene_add_rest_id(struct strbuf *out, enum direction side, enum kind kind, const char *id);

struct scene_edge {
    uint32_t from, to; /* nodes of the scene; `from` rests on `to` */
    uint8_t strokes;   /* a bit for each enum stroke */
};

enum scene_show {
    SCENE_RESTS_ON = 1,
    SCENE_CARRIES = 2,
    SCENE_BOTH = 3,
};

/*
 * A memory's neighbours are shown, however many were asked for, and what is left of them stands as SCENE_MORE, but as
 * itself where that is one. Or they are closed: what nothing else in view holds goes, and nothing comes in its
 * place. A wish about what is not in view when its turn comes asks for nothing. Opening only adds: what stood for
 * itself still does.
 */
struct scene_wish {
    int64_t row;
    enum direction side;
    int kind;     /* enum kind of what is opened; -1: every kind */
    size_t count; /* so many more of them; 0: it is closed, and shows none on that side */
};

struct scene_wishes {
    int64_t focus;
    enum scene_show show;
    uint32_t depth; /* steps from the focus; DEPTH_UNLIMITED */
    size_t budget;  /* at most so many nodes before any wish, a chain as one of them; at least 1 */
    size_t fan;     /* of one kind on one side before the rest becomes SCENE_MORE; 0: no bound */
    bool gather;    /* twins and chains stand as one */
    struct scene_wish *wish; /* [count] in the order in which they were made */
    size_t count, alloc;
    int64_t *apart; /* [apart_count] rows that twins and chains leave alone, for they were opened */
    size_t apart_count, apart_alloc;
};
#define SCENE_WISHES_INIT                                                                          \
    {                                                                                              \
        .show = SCENE_RESTS_ON, .depth = DEPTH_UNLIMITED, .budget = 60, .fan = 7, .gather = true   \
    }
void scene_wish(struct scene_wishes *w, struct scene_wish wish);
void scene_wish_apart(struct scene_wishes *w, const int64_t *rows, size_t count);
void scene_wishes_copy(struct scene_wishes *to, const struct scene_wishes *from);
void scene_wishes_release(struct scene_wishes *w);

/* What a scene asks of a store. */
struct scene_memory {
    const char *id; /* "kind:id", in the arena */
    enum kind kind;
    enum status status; /* STATUS_MISSING: a ghost */
    int64_t at;         /* created; 0: not known */
};
struct scene_link {
    int64_t row;      /* the other end, which is another memory */
    unsigned strokes; /* a bit for each way in which one rests on the other */
    struct scene_memory memory;
};
struct scene_links {
    struct scene_link *link; /* [count] each other end once, in the order of scene_link_order */
    size_t count;
    size_t total[KIND_COUNT]; /* of each kind, those that are not among `link` too */
    bool bounded;             /* there are more than were counted */
};
struct scene_tie {
    int64_t row;
    unsigned strokes;
};
struct scene_ties {
    struct scene_tie *tie; /* [count] each other end once */
    size_t count;
    size_t total; /* other ends in all */
    bool bounded; /* there are more than were counted */
    bool loop;    /* it rests on itself, which counts for nothing else here */
};
struct scene_source {
    void *of;
    /*
     * The row's links on that side, at most `most` of each kind, in the arena. Where there are so many that not all
     * are counted, those that are come first, and asking for more gives the same ones before others; with
     * a larger `most` more are counted, in the end all. -1 with an error.
     */
    int (*links)(void *of, struct arena *arena, int64_t row, enum direction side, size_t most,
                 struct scene_links *out, struct error *e);
    /* Those of them that lead to one of the first `count` of these rows, however many there are. */
    int (*among)(void *of, struct arena *arena, int64_t row, enum direction side,
                 const struct row_index *rows, size_t count, struct scene_ties *out,
                 struct error *e);
    int (*memory)(void *of, struct arena *arena, int64_t row, struct scene_memory *out,
                  struct error *e);
};
/* The stronger stroke first, so that what is guessed comes last; then later before earlier; then by id. Never 0 for two
 * links of a memory. */
int scene_link_order(const struct scene_link *a, const struct scene_link *b);

struct scene {
    struct scene_node *node; /* [nodes] the focus is node 0 */
    uint32_t nodes;
    struct scene_edge *edge; /* [edges] by (from, to), each pair once; none to itself */
    uint32_t edges;
    uint32_t *circle;     /* nodes of the circles in view, each of which rests on the next */
    size_t *circle_first; /* [circles + 1] */
    size_t circles;
    bool partial; /* something of the lineage is not in view */
    struct arena arena;
};

/* -1 with an error; the caller calls scene_release in any case. What it asks of the source is bounded by what is in
 * view, never by what hangs on it. */
int scene_make(struct scene *s, const struct scene_wishes *w, const struct scene_source *source,
               struct error *e);
void scene_release(struct scene *s);

#endif
