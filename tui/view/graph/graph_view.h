/*
 * The interactive drawing of lineage; shared by graph_*.c, view_graph.c and act_lineage.c.
 *
 * A node is a node of the drawing's picture. The lines of the view, which `cursor` and searches refer to, are the
 * nodes layer by layer. A drawing is only made when it is opened, expanded, collapsed, tidied, drawn in another
 * style, or refreshed; otherwise nothing moves.
 */
#ifndef STEMMA_GRAPH_VIEW_H
#define STEMMA_GRAPH_VIEW_H

#include "model/base/map.h"
#include "tui/explorer/app.h"
#include "tui/view/graph/graph_drawing.h"
#include "tui/chart/chart.h"
#include "tui/widget/view.h"

enum graph_slot {
    SLOT_DRAWING = 0,
    SLOT_HIGHLIGHT,
};

/* The position of the window in a new drawing. */
enum graph_arrival {
    ARRIVE_AT_FOCUS = 0, /* shows as much of the drawing as possible, including the focus */
    ARRIVE_IN_PLACE,     /* the cursor's node stays in its cell */
};

enum effect {
    EFFECT_NONE = 0,
    EFFECT_WEAKENED,
    EFFECT_UNSUPPORTED,
    EFFECT_ROOT,
    EFFECTS
};

enum highlight {
    HIGHLIGHT_LOSS = 0,    /* what would lose support without the memory */
    HIGHLIGHT_DERIVATIONS, /* its independent derivations (model/graph/roots.h) */
    HIGHLIGHT_KEYSTONES,   /* memories without which others lose all support */
    HIGHLIGHTS
};

struct graph_highlight {
    enum highlight kind;
    int64_t row; /* the memory; 0 for no highlighting */
    bool known;
    /* By row: an enum effect; the number of the derivation, from 1; how many others a keystone takes with it. */
    struct map of;
    size_t count[EFFECTS]; /* of HIGHLIGHT_LOSS */
    size_t derivations, roots;
    bool proven; /* there are no more derivations */
};

/* One expand or collapse step. All of them, in their order, make the request. */
struct opening {
    int64_t of; /* the memory; 0 for `apart` */
    struct expansion expansion[2];
    size_t expansions;
    /* [apart_count] members of equivalent nodes or of a chain that are shown apart */
    int64_t *apart;
    size_t apart_count;
    /* referenced: the drawings before and after this step; or NULL */
    struct drawing *before, *after;
};

enum graph_legend {
    LEGEND_LINE = 0, /* one line below the drawing, if there is room */
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
    enum chart_style style;  /* the requested style */
    struct drawing *drawing; /* referenced; NULL before the first one */
    char failed[512];        /* the reason why there is no drawing; or "" */
    /* The window: the drawing's cell in its upper left corner, and its size. */
    int32_t column, row;
    int columns, rows;
    bool placed;     /* the window was positioned for this drawing */
    uint8_t *lit;    /* [edges] on paths to and from the cursor's node */
    uint32_t picked; /* the edge chosen with Tab, or PICTURE_NONE */
    bool dots;
    int32_t full_column, full_row; /* window and cursor before the change to dots */
    size_t full_cursor;
    enum graph_legend legend;
    struct graph_highlight highlight;
    size_t changes;       /* events about visible memories since the read */
    bool stale;           /* there are more events, their number is unknown */
    bool wants_outline;   /* nothing is drawn, since the drawing is too large: show the outline */
    bool outline_refused; /* the person wants the drawing although there is no room for it */
    int64_t wanted;       /* the memory for the cursor in the next drawing; 0 for the focus */
    struct memory_name name;
};

static inline struct graph_view *graph_of(struct view *v)
{
    return (struct graph_view *)v;
}

/* ---- state ---- */

/* The current layout, with labels or dots. Only if something is drawn. */
const struct layout *graph_view_layout(const struct graph_view *g);
/* The node under the cursor; PICTURE_NONE if nothing is drawn. */
uint32_t graph_view_cursor(const struct graph_view *g);
void graph_view_select(struct graph_view *g, uint32_t node);
/* The number of nodes that are at least partly on the screen. Unless NULL, seen[node] tells which. */
uint32_t graph_view_on_screen(const struct graph_view *g, uint8_t *seen);

/* ---- view_graph.c ---- */

/* Reads and draws the request. Nodes that are also in `over` keep their order; NULL for a fresh drawing. */
void graph_view_load(struct graph_view *g, enum graph_arrival arrival, struct drawing *over);
/* Shows an earlier drawing again. */
void graph_view_restore(struct graph_view *g, struct drawing *before);
/* Switches between dots and labels. */
void graph_view_set_dots(struct graph_view *g, bool dots);

/* ---- graph_walk.c: the window ---- */

/* Positions the window to show as much of the drawing as possible, including the cursor's node. */
void graph_view_place(struct graph_view *g);
/* Moves the window so that the node's kind letter is in that cell of the window. */
void graph_view_put_at(struct graph_view *g, uint32_t node, int32_t column, int32_t row);
/* Scrolls just enough to show the cursor's node, two cells from an edge if the drawing continues there. */
void graph_view_reveal(struct graph_view *g);
void graph_view_centre(struct view *v);
/* Scrolls by cells. If the cursor's node leaves the window, the cursor moves to a visible node. */
void graph_view_pan(struct graph_view *g, int columns, int rows);
/* Changes the size of the window. */
void graph_view_resize(struct graph_view *g, int columns, int rows);
/* The node in that cell of the window, or PICTURE_NONE. */
uint32_t graph_view_node_in(const struct graph_view *g, int row, int column);

/* ---- graph_walk.c: the cursor ---- */

void graph_view_walk(struct graph_view *g, enum move move);
/* Picks the next or previous edge of the cursor's node. The arrow key then follows it. */
void graph_view_pick(struct graph_view *g, int direction);
void graph_view_go_last(struct graph_view *g);
/* Updates the highlighted edges after the cursor moved. */
void graph_view_light(struct graph_view *g);

/* ---- lineage_view.c: showing more and less ---- */

/* Shows more neighbours of the cursor's node, or splits a node for several memories. */
void graph_view_expand(struct view *v);
void graph_view_expand_side(struct graph_view *g, enum direction side);
/* Undoes that, or hides what is beyond the node. */
void graph_view_collapse(struct view *v);
/* The drawing of the last step has arrived. */
void graph_view_loaded(struct graph_view *g);
/* The last step failed or was cancelled; drops it. */
void graph_view_load_failed(struct graph_view *g);
void graph_view_release_openings(struct graph_view *g);

/* ---- graph_paint.c ---- */

void graph_view_paint(struct graph_view *g, const struct pane *p);
/* Columns of the node's label before its kind letter, or before its text if it has none. */
int graph_view_badge_columns(const struct graph_view *g, uint32_t node);
/* The number of rows for the legend, of `height` rows. */
int graph_view_legend_rows(const struct graph_view *g, int height);
void graph_view_legend_draw(struct graph_view *g, const struct pane *row);
/* Draws the whole legend over the drawing. */
void graph_view_legend_draw_whole(struct graph_view *g, const struct pane *p);
/* "derived", "replaces", … */
const char *graph_view_stroke_word(enum stroke stroke);
/* If the node is on a cycle, appends "belief:b7 → belief:b9 → itself" and returns true. */
bool graph_view_add_circle(struct graph_view *g, uint32_t node, struct strbuf *out);

/* ---- graph_walk.c: highlighted memories ---- */

/* 0 ends the highlighting. */
void graph_view_ask_highlight(struct graph_view *g, enum highlight kind, int64_t row);
void graph_highlight_release(struct graph_highlight *s);
/* EFFECT_NONE unless losses are highlighted. */
enum effect graph_view_shading(const struct graph_view *g, uint32_t node);
/* The number that a highlighted derivation or keystone has; 0 for other nodes. Of several members the greatest. */
size_t graph_view_highlighted(const struct graph_view *g, uint32_t node);
/* Counts the visible memories by their shading, including those in nodes for several. */
void graph_view_count_effects(const struct graph_view *g, size_t count[EFFECTS]);

/* ---- lineage_view.c: changes by others ---- */

/* view_ops->notify: counts events about visible memories without drawing them. */
void graph_view_notify(struct view *v, const struct event *events, size_t count, bool whole);

/* ---- lineage_view.c: nodes that stand for several ---- */

/* Draws the preview of a node for several memories. */
void graph_view_group_preview(struct graph_view *g, const struct pane *p);
/* Opens a list of its members; for a memory, of its hidden neighbours. */
void graph_view_list_group(struct view *v);

/*
 * The lineage of a memory as a drawing, in a window; the cursor moves along edges from node to node. lineage_view.h
 * tells when it is used.
 */
struct view *graph_view_new(struct app *x, int64_t node, enum subgraph_show show,
                            enum chart_style style);
bool view_is_graph(const struct view *v);

/* The lineage that an outline shows: its graph, labels and lines. */
struct tree {
    struct graph graph;
    struct labels labels;
    struct outline outline;
    size_t split; /* lines before are sources, from here on users */
    bool filled;
};

/*
 * The lineage as an outline. Its lines are those of the whole outline; `visible` has the lines that no fold hides. A
 * subtree is the following run of deeper lines.
 */
struct outline_view {
    struct view view;
    int64_t node;
    enum subgraph_show show;
    struct tree tree;
    struct view *drawing;    /* the drawing that it replaces, referenced; or NULL */
    bool for_room;           /* only while there is no room for the drawing */
    int64_t wanted;          /* the memory for the cursor after the read; 0 for none */
    uint8_t *folded;         /* [outline.count] */
    uint32_t *visible;       /* [view.count] lines */
    size_t memories;         /* distinct, without the root */
    bool changed;            /* the store changed since the read */
    struct memory_name name; /* of the breadcrumb */
};

static inline struct outline_view *outline_of(struct view *v)
{
    return (struct outline_view *)v;
}

struct view *outline_view_new(struct app *x, int64_t node, enum subgraph_show show,
                              struct view *drawing, bool for_room);
bool view_is_outline(const struct view *v);
/* Moves the cursor to that memory as soon as it is read. */
void outline_view_find(struct view *v, int64_t node);

#endif
