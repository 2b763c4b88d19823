/*
 * The parts of the view that draws lineage, for graph_*.c, view_graph.c and act_lineage.c.
 *
 * A node is a node of the drawing's picture. The lines of the view, which `selected` and a search count, are the
 * nodes layer by layer. Nothing moves by itself: a drawing is made when it is opened, when more or less of it is
 * asked for, when it is to be tidied or drawn otherwise, and when it is to be read again.
 */
#ifndef STEMMA_GRAPH_VIEW_H
#define STEMMA_GRAPH_VIEW_H

#include "model/base/map.h"
#include "store/lineage/subgraph.h"
#include "tui/explorer/app.h"
#include "tui/view/graph/graph_drawing.h"
#include "tui/chart/chart.h"
#include "tui/widget/view.h"

enum graph_slot {
    SLOT_DRAWING = 0,
    SLOT_SHADE,
};

/* Where the window stands once a drawing is there. */
enum graph_arrival {
    ARRIVE_AT_FOCUS = 0, /* as much of the drawing as there is room for, the focus among it */
    ARRIVE_IN_PLACE,     /* the cursor's node in the cell in which it stood */
};

enum shading {
    SHADING_NONE = 0,
    SHADING_WEAKENED,
    SHADING_FALLS,
    SHADING_ROOT,
    SHADINGS
};

/* What would lose its support without a memory. */
struct shade {
    int64_t row; /* the memory; 0: nothing is shaded */
    bool known;
    struct map of; /* an enum shading by row */
    size_t count[SHADINGS];
};

/* Something that was opened or closed; all of them together, in their order, are the request. */
struct opening {
    int64_t of; /* the memory that it is about; 0: of `apart` */
    struct expansion expansion[2];
    size_t expansions;
    int64_t *apart; /* [apart_count] equivalent nodes or a chain */
    size_t apart_count;
    struct drawing *before,
        *after; /* held: what was drawn then, and what came of it; NULL: nothing yet */
};

enum graph_legend {
    LEGEND_LINE = 0, /* below the drawing, where there is room */
    LEGEND_WHOLE,
    LEGEND_NONE,
};

struct graph_view {
    struct view view;
    int64_t focus;
    enum subgraph_show show;
    struct subgraph_request request;
    struct opening *opening; /* [openings] */
    size_t openings, opening_alloc;
    enum chart_style style;  /* that was asked for */
    struct drawing *drawing; /* held; NULL: none yet */
    char failed[512];        /* why there is none; "" */
    /* The window: the drawing's cell in its upper left corner, and how large it is. */
    int32_t column, row;
    int columns, rows;
    bool placed;     /* it has been put somewhere since it was drawn anew */
    uint8_t *lit;    /* [edges] on the ways to and from the cursor's node */
    uint32_t picked; /* the edge that Tab chose; PICTURE_NONE */
    bool dots;
    int32_t full_column, full_row; /* the window and the cursor of before the dots */
    size_t full_cursor;
    enum graph_legend legend;
    struct shade shade;
    size_t news;                         /* events about what is in view since it was read */
    bool stale;                          /* there are others besides, nobody knows how many */
    bool wants_outline, outline_refused; /* too much to draw; a drawing is wanted all the same */
    int64_t
        wanted; /* while nothing is drawn: the memory at which the next drawing is looked at; 0: the focus */
    char exported[512]; /* the file that is to be replaced, while that is asked */
    struct memory_name name;
};

static inline struct graph_view *graph_of(struct view *v)
{
    return (struct graph_view *)v;
}

/* ---- what is there ---- */

/* The layout that is shown: of labels or of dots. Only where something is drawn. */
const struct layout *graph_view_layout(const struct graph_view *g);
/* Under the cursor; PICTURE_NONE where nothing is drawn. */
uint32_t graph_view_cursor(const struct graph_view *g);
void graph_view_select(struct graph_view *g, uint32_t node);

/* ---- view_graph.c ---- */

/* Reads and draws it by its request. What is in `over` as well keeps the order that it has there; NULL: afresh. */
void graph_view_load(struct graph_view *g, enum graph_arrival arrival, struct drawing *over);
/* Shows again what was drawn before. */
void graph_view_restore(struct graph_view *g, struct drawing *before);
/* Dots for labels, or labels again. */
void graph_view_set_dots(struct graph_view *g, bool dots);

/* ---- graph_walk.c: the window ---- */

/* Shows as much of the drawing as there is room for, the cursor's node among it. */
void graph_view_place(struct graph_view *g);
/* Moves the window so that the letter of the node's kind stands in that cell of it. */
void graph_view_put_at(struct graph_view *g, uint32_t node, int32_t column, int32_t row);
/* As little as brings the cursor's node in, two cells from the edge where the drawing goes on. */
void graph_view_reveal(struct graph_view *g);
void graph_view_centre(struct graph_view *g);
/* By so many cells; a node that is seen takes the cursor where its own is not seen any more. */
void graph_view_pan(struct graph_view *g, int columns, int rows);
/* Another size of the window. */
void graph_view_resize(struct graph_view *g, int columns, int rows);
/* In that cell of the window; PICTURE_NONE. */
uint32_t graph_view_node_in(const struct graph_view *g, int row, int column);

/* ---- graph_walk.c: the cursor ---- */

void graph_view_walk(struct graph_view *g, enum move move);
/* The next edge of the cursor's node, or the one before: the arrow key goes along it. */
void graph_view_pick(struct graph_view *g, int direction);
void graph_view_go_last(struct graph_view *g);
/* The cursor stands on another node: other edges are lit. */
void graph_view_light(struct graph_view *g);

/* ---- lineage_view.c: showing more and less ---- */

/* More of what hangs on the cursor's node, or what stands as one as the several that it is. */
void graph_view_expand(struct graph_view *g);
void graph_view_expand_side(struct graph_view *g, enum direction side);
/* Takes that back, or hides what lies beyond the node. */
void graph_view_collapse(struct graph_view *g);
/* A drawing came, which shows what was opened last. */
void graph_view_arrived(struct graph_view *g);
/* None will come of it: what was asked for last is given up. */
void graph_view_did_not_arrive(struct graph_view *g);
void graph_view_release_openings(struct graph_view *g);

/* ---- graph_paint.c ---- */

void graph_view_paint(struct graph_view *g, const struct pane *p);
/* Of a node's label what stands before the letter of its kind, or before the words where it has none. */
int graph_view_badge_columns(const struct graph_view *g, uint32_t node);
/* How many rows below the drawing it takes of so many. */
int graph_view_legend_rows(const struct graph_view *g, int height);
void graph_view_legend_draw(struct graph_view *g, const struct pane *row);
/* Over the drawing, where all of it is asked for. */
void graph_view_legend_draw_whole(struct graph_view *g, const struct pane *p);
/* "derived", "supersedes", … */
const char *graph_view_stroke_word(enum stroke stroke);
/* "belief:b7 → belief:b9 → itself", appended, where the node is on a circle. */
bool graph_view_add_circle(struct graph_view *g, uint32_t node, struct strbuf *out);

/* ---- graph_walk.c: what would lose support without a memory ---- */

void graph_view_shade_ask(struct graph_view *g, int64_t row); /* 0: nothing is shaded any more */
void shade_release(struct shade *s);
enum shading graph_view_shading(const struct graph_view *g, uint32_t node);
/* Of the memories that are drawn, themselves or among several that stand as one, how many are shaded how. */
void graph_view_count_shaded(const struct graph_view *g, size_t count[SHADINGS]);

/* ---- lineage_view.c: changes by others ---- */

/* As view_ops has it: what concerns what is in view is counted, and nothing is drawn. */
void graph_view_news(struct view *v, const struct event *events, size_t count, bool whole);

/* ---- lineage_view.c: nodes that stand for several ---- */

/* What the preview shows of a node that stands for several. */
void graph_view_group_preview(struct graph_view *g, const struct pane *p);
/* Opens a list of them; of a memory, of what hangs on it and is not in view. */
void graph_view_list_group(struct graph_view *g);

/*
 * The lineage of a memory, drawn: nodes and lines in a window that the cursor walks through, from node to node along
 * the edges. lineage_view.h says when it is drawn.
 */
struct view *graph_view_new(struct app *x, int64_t node, enum subgraph_show show,
                            enum chart_style style);
bool view_is_graph(const struct view *v);

/*
 * The lineage as an outline. The lines of its tree are those of the whole outline; `visible` are the ones that no
 * folded line hides. A subtree is the run of lines that follow and are deeper.
 */
struct tree {
    struct graph graph;
    struct labels labels;
    struct outline outline;
    size_t split; /* lines from here on are of what it carries; before, of what it rests on */
    bool filled;
};

struct outline_view {
    struct view view;
    int64_t node;
    enum subgraph_show show;
    struct tree tree;
    struct view *drawing;    /* that it stands for, held; NULL: none was drawn */
    bool for_room;           /* only as long as there is no room for a drawing */
    int64_t wanted;          /* where the cursor is to go once it is read; 0: nowhere */
    uint8_t *folded;         /* [outline.count] */
    uint32_t *visible;       /* [view.count] lines */
    size_t memories;         /* distinct, without the root */
    bool changed;            /* something was written since */
    struct memory_name name; /* of the breadcrumb */
};

static inline struct outline_view *outline_of(struct view *v)
{
    return (struct outline_view *)v;
}

struct view *outline_view_new(struct app *x, int64_t node, enum subgraph_show show,
                              struct view *drawing, bool for_room);
bool view_is_outline(const struct view *v);
/* Puts the cursor on that memory as soon as it is known where it stands. */
void outline_view_find(struct view *v, int64_t node);

#endif
