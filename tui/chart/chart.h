/*
 * A chart: the drawing of a memory's lineage. It holds the visible part (a subgraph), the label of each node, and
 * their positions (a layout). The explorer and `stemma graph` draw the same chart.
 */
#ifndef STEMMA_CHART_H
#define STEMMA_CHART_H

#include "model/base/strbuf.h"
#include "model/layout/layout.h"
#include "model/layout/raster.h"
#include "model/subgraph/subgraph.h"
#include "store/lineage/subgraph.h"
#include "tui/text/output.h"
#include "tui/text/text.h"

enum chart_style {
    CHART_AUTO = 0, /* choose a style that fits */
    CHART_LR,
    CHART_LR_BOX,
    CHART_TB,
    CHART_TB_BOX,
    CHART_OUTLINE,
    CHART_STYLES
};
const char *chart_style_name(enum chart_style style); /* "auto", "lr", "lr-box", … */

#define CHART_NARROW 80 /* with fewer columns CHART_AUTO draws an outline */
#define CHART_LARGE                                                                                \
    60 /* with more visible nodes CHART_AUTO draws an outline, except over an earlier drawing */

struct chart_options {
    enum chart_style style;
    int columns, rows; /* available room; 0 for no limit */
    int label_columns; /* the longest label; 0 to fit the room, or CHART_LABEL if the room has no limit */
    bool ascii;
    bool bundle; /* edges share lines in CHART_TB_BOX, too, as in every other style */
    /* The previous chart, or NULL. Nodes that remain keep their order. If `style` is CHART_AUTO or did not change,
     * the style and the label length are kept, too. */
    const struct chart *before;
};

/*
 * A label is "‹5 b ● Never skip staging be… ↺ 3›". Its parts: the number of hidden memories that it is based on (↑5 in
 * top-down styles), the letter of its kind (memory.h), the sign of its support, the text, ↺ if it is based on itself,
 * and the number of hidden memories that use it (↓3). A node for several memories reads "⋯ +37 notes", "12
 * notes" or "⋮ 9 replaced"; a missing memory "b ?ID".
 */
struct chart_node {
    const char *name; /* its id as it is shown; unique in the chart */
    const char *
        label; /* clean text, cut between cells, with a line feed between its lines; rewritten by chart_lay_out */
    int lines;      /* of the label … */
    int most_lines; /* … and how many its layer has room for */
    int columns;    /* width of the label, of its longest line */
    bool cut;       /* the text goes on */
    int head_columns; /* columns before the text, including kind and sign; blank from the second line on */
    int badge_columns; /* columns of the count of hidden sources at its start */
    int tail_columns;  /* columns after the text, in the last line */
    int mark;          /* byte offset of the sign of its support */
    int mark_length;   /* bytes of that sign; 0 if there is none */
    /* the label of the memory, or the common one of several; LABEL_COUNT if none */
    enum label support;
    const char *text; /* clean, in one line, cut to the length that lists use; may be "" */
    bool text_cut;
    bool textless; /* `text` is the start of its id because it has no text */
    bool ended;    /* !STATUS_LIVES(its status) */
};

struct chart {
    struct subgraph subgraph;
    struct chart_node *node; /* [subgraph.nodes] */
    struct picture picture;  /* one node per node of the subgraph, added in the same order */
    struct layout layout;    /* filled unless style is CHART_OUTLINE */
    enum chart_style style;  /* the style that was chosen */
    int label_columns;       /* the limit that was used for labels … */
    int label_lines;         /* … and for the lines of each */
    bool ascii;
    /* by enum direction: all ancestors and descendants of the focus; counted up to 999 */
    size_t total[2];
    bool total_bounded[2];
    bool large, narrow;   /* the reason why CHART_AUTO chose an outline */
    struct arena arena;   /* holds the texts */
    struct arena writing; /* holds the labels */
};
#define CHART_INIT                                                                                 \
    {                                                                                              \
        .style = CHART_OUTLINE                                                                     \
    }

#define CHART_LABEL 32 /* the longest label if the room has no limit, in columns */

/* Translate between node numbers of the subgraph and of the picture and layout. */
static inline uint32_t chart_drawn(const struct chart *c, uint32_t subgraph_node)
{
    return c->picture.place[subgraph_node];
}
static inline uint32_t chart_of_drawn(const struct chart *c, uint32_t drawn)
{
    return c->picture.node[drawn].added;
}
/* The node of the subgraph with that id, or PICTURE_NONE. */
uint32_t chart_find(const struct chart *c, const char *id);

/* Sets the initial limits of visible nodes and of neighbours per kind for a given room; 0 for no limit. */
void chart_request_room(struct subgraph_request *w, int columns, int rows);

/* Reads and lays out a chart. Any thread may call it with its own reader. Returns -1 and sets *e on failure. The
 * caller calls chart_release in either case. */
int chart_load(struct chart *c, struct reader *r, const struct subgraph_request *w,
               const struct chart_options *o, struct error *e);
/* As chart_load, but folds only what does not fit, in up to CHART_LARGE nodes. w->fan is the least number of a kind to
 * show; what was chosen is left in w. If nothing fits, or the lineage is larger, loads the request as it is. */
int chart_load_fitting(struct chart *c, struct reader *r, struct subgraph_request *w,
                       const struct chart_options *o, struct error *e);
/*
 * Lays out the same subgraph again with another style or size. Without a previous chart CHART_AUTO chooses: an
 * outline if the room is narrow or the graph is large; top-down boxes if a few nodes fit; else left to right with
 * labels as long as the columns allow, or top-down if that hides less (a hidden column counts as four hidden rows).
 * Returns -1 and sets *e on failure; then the chart can only be released.
 */
int chart_lay_out(struct chart *c, const struct chart_options *o, struct error *e);
void chart_release(struct chart *c);

/* ---- node labels: chart_label.c ---- */

/*
 * Appends the label of a node in at most `lines` lines of at most `most` columns (0 for no limit). The text is
 * shortened first. If too little room for the text remains, the counts of hidden neighbours are dropped. The other
 * parts are never cut. `down` selects the signs of top-down styles. Sets all members of `about` that describe a label,
 * except `label`.
 */
void chart_label_add(struct strbuf *out, const struct chart *c, uint32_t node, int most, int lines,
                     bool down, struct chart_node *about);

/* Rewrites the labels of all nodes. */
void chart_label_all(struct chart *c, int most, int lines, bool down);

/* The bytes of line `number` of the label, from *line on. */
size_t chart_label_line(const struct chart_node *n, int number, const char **line);

/* The legend lists only the signs that occur. */
enum legend_type {
    LEGEND_FLOW = 0, /* reading direction */
    LEGEND_STROKE,   /* `of`: an enum stroke */
    LEGEND_REVERSED, /* an edge against the reading direction: ◄ or ▲ */
    LEGEND_ALL,      /* a double port: an `all` group */
    LEGEND_KIND,     /* `of`: an enum kind */
    LEGEND_MARK,     /* `of`: an enum label */
    LEGEND_GHOST,
    LEGEND_LOOP,
    LEGEND_HIDDEN,  /* `of`: an enum direction; hidden neighbours */
    LEGEND_SEVERAL, /* `of`: SUBGRAPH_MORE, SUBGRAPH_EQUIVALENT or SUBGRAPH_CHAIN */
};

struct legend_entry {
    enum legend_type type;
    int of;
    char sign[8];   /* "━", "b", "●"; "" if `words` are enough */
    char words[48]; /* "3 notes", "replaces" */
};
#define LEGEND_MAX (STROKE_COUNT + KIND_COUNT + LABEL_COUNT + 10)

/* Fills `out` in the order of enum legend_type and returns the count. Kinds, labels, strokes and missing memories are
 * counted. In ASCII all strokes look alike and share one entry. `seen` is NULL, or has for each node of the picture
 * whether it is on the screen; the lines to and from it are, too. */
size_t chart_legend(const struct chart *c, const uint8_t *seen,
                    struct legend_entry out[LEGEND_MAX]);

/* Sets depth[node] to the fewest visible steps from the focus to each node on that side, or to PICTURE_NONE if it is
 * not reachable. O(nodes + edges). */
void chart_depths(const struct chart *c, enum direction side, uint32_t *depth);

/* How many memories the reachable nodes stand for, without the focus. */
size_t chart_reached(const struct chart *c, const uint32_t *depth);

/* ---- a chart as text and for Graphviz: graph_text.c; as JSON: graph_json.c ---- */

/*
 * Appends the drawing or outline, and below it what it shows: the focus, how much of its lineage is hidden, the
 * legend, and each cycle. Does not flush. `show` is the value from the request. A drawing is never cut; lines of an
 * outline are cut at out->columns.
 */
void graph_text_print(struct output *out, const struct chart *c, enum subgraph_show show);

/*
 * Appends the chart in Graphviz's DOT language (`dot -Tsvg` draws it). Node names are chart_node.name; a name with
 * special characters gets a number as prefix and is cleaned. Shapes depend on the kind. Missing memories and nodes
 * for several memories are dashed, inactive ones grey. Edges point from a source to what is based on it: down with
 * `down`, else to the right. Text of memories is cleaned and stays inside quotes.
 */
void graph_dot_add(struct strbuf *out, const struct chart *c, bool down);

/*
 * Appends the chart as JSON: the object of `show --trace` plus the layout: {"focus", "show", "nodes", "links", "cut",
 * "cycles"} and, for a drawing, "style", "width", "height".
 *
 * A node has {"ref", "depth", "text", "label", "status", "missing"?} as in a trace (depth: the fewest steps from the
 * focus on either side), "kind", "side" (based_on, used_by; both for the focus), "hidden"? {"based_on", "used_by"}
 * (counts of hidden neighbours), and in a drawing "layer", "column", "row", "columns", "rows". A node for several
 * memories has "id" in place of "ref", "sort" (more, equivalent, chain), "kind", "total", and "of" (the node that
 * they are attached to) or "members". Refs and ids are chart_node.name everywhere.
 *
 * A link has {"from", "to", "role", "reading", "justification", "recorded"} as in a trace, one for each justification
 * between two visible memories, and "stroke" as drawn (not for a link to itself). A relation has only the role
 * "supersedes". A link of a node for several memories has "strokes" (all of them) and "stroke".
 *
 * `cut` is the number of hidden memories of the lineage. A count that stopped early has "bounded": true next to it.
 * Returns -1 and sets *e on failure.
 */
int graph_json_add(struct strbuf *out, struct reader *r, const struct chart *c,
                   enum subgraph_show show, struct error *e);

#endif
