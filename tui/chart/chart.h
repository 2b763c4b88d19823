/*
 * A chart: the drawn lineage of a memory. What is in view (a subgraph), what each node says, and where it all stands (a
 * layout). The explorer and `stemma graph` show the same one.
 */
#ifndef STEMMA_CHART_H
#define STEMMA_CHART_H

#include "model/base/strbuf.h"
#include "model/layout/layout.h"
#include "model/layout/raster.h"
#include "model/subgraph/subgraph.h"
#include "store/lineage/subgraph.h"
#include "tui/text/text.h"

enum chart_style {
    CHART_AUTO = 0, /* what fits */
    CHART_LR,
    CHART_LR_BOX,
    CHART_TB,
    CHART_TB_BOX,
    CHART_OUTLINE,
    CHART_STYLES
};
const char *chart_style_name(enum chart_style style); /* "auto", "lr", "lr-box", … */
int chart_style_from_name(const char *name);          /* -1 */

#define CHART_NARROW 60 /* columns below which only an outline is drawn, unless it is asked for */
#define CHART_LARGE                                                                                \
    200 /* nodes in view above which only an outline is drawn, unless it is asked for */

struct chart_options {
    enum chart_style style;
    int columns, rows; /* what there is room for; 0: no bound */
    int label_columns; /* the longest label; 0: what the room allows, CHART_LABEL where it has no bound */
    bool ascii;
    bool bundle; /* edges share lines in CHART_TB_BOX too, as they do in every other style */
    /* Another chart that was drawn before: what stays keeps its order, the style of CHART_AUTO and the length of its
     * labels. NULL: a fresh drawing. */
    const struct chart *before;
};

/*
 * A label: "‹3 b ● Never skip staging be… ↺ 5›". What it carries that is not in view (from top to bottom ↑3), the
 * letter of its kind (memory.h), the mark of its support, its text; that it rests on itself; what it rests on that
 * is not in view (↓5). Of what stands for several: "⋯ +37 raw", "12 raw", "⋮ 9 superseded"; of a ghost "b ?ID".
 */
struct chart_node {
    const char *name;   /* its id, or what is shown of it: the names of two nodes differ */
    const char *label;  /* clean, cut at a cell; drawn anew by chart_lay_out */
    int columns;        /* of the label */
    int head_columns;   /* of what stands before its text, the kind and the mark among it */
    int badge_columns;  /* of that, what is hidden before it */
    int tail_columns;   /* of what stands behind it */
    int mark;           /* the byte at which the mark of its support begins, … */
    int mark_length;    /* … and its bytes; 0: none is shown */
    enum label support; /* of a memory; of several the one that they share. LABEL_COUNT: none */
    const char *text;   /* clean, one line, as much as a list has of it; "" */
    bool text_cut;
    bool textless; /* `text` is the beginning of its id */
    bool dead;     /* its status is none of the living ones */
};

struct chart {
    struct subgraph subgraph;
    struct chart_node *node; /* [subgraph.nodes] */
    struct picture
        picture; /* a node for each of the subgraph's, by their numbers as they were added */
    struct layout layout;   /* filled unless style is CHART_OUTLINE */
    enum chart_style style; /* the one that was taken */
    int label_columns;      /* the longest label that was allowed */
    bool ascii;
    size_t total[2]; /* by direction: all that the focus rests on, and carries; counted to 999 */
    bool total_bounded[2];
    bool large, narrow;   /* why CHART_AUTO took an outline */
    struct arena arena;   /* texts */
    struct arena writing; /* labels */
};
#define CHART_INIT                                                                                 \
    {                                                                                              \
        .style = CHART_OUTLINE                                                                     \
    }

#define CHART_LABEL 32 /* columns of a label at most, where there is no bound on the room */

/* The number of a subgraph's node in the picture and layout, and back. */
static inline uint32_t chart_drawn(const struct chart *c, uint32_t subgraph_node)
{
    return c->picture.place[subgraph_node];
}
static inline uint32_t chart_of_drawn(const struct chart *c, uint32_t drawn)
{
    return c->picture.node[drawn].added;
}
/* The subgraph's node of that id; PICTURE_NONE. */
uint32_t chart_find(const struct chart *c, const char *id);

/* How many nodes are in view at first, and how many neighbours of a kind, where there is so much room; 0: no bound. */
void chart_request_room(struct subgraph_request *w, int columns, int rows);

/* Reads and lays out; on any thread, with its own reader. -1 with an error; the caller calls chart_release in any
 * case. */
int chart_load(struct chart *c, struct reader *r, const struct subgraph_request *w,
               const struct chart_options *o, struct error *e);
/*
 * Another style or size over the same subgraph; what was laid out before is let go. CHART_AUTO, where nothing was drawn
 * before: an outline where it is narrow or large; boxes from top to bottom for a few nodes that fit; else from left
 * to right with labels as long as the columns allow, or from top to bottom where less of that is out of sight, a
 * column counted as four rows. -1 with an error: then it can only be released.
 */
int chart_lay_out(struct chart *c, const struct chart_options *o, struct error *e);
void chart_release(struct chart *c);

/* ---- what the nodes say: chart_label.c ---- */

/*
 * Appends the label of a subgraph's node in at most `most` columns (0: no bound): first the text gives way; where there
 * is no room for a little of it, the hidden neighbours go; the rest is never cut. `down`: hidden neighbours are
 * above and below, else at the left and right. Fills what a chart_node says of the label but `label`.
 */
void chart_label_add(struct strbuf *out, const struct chart *c, uint32_t node, int most, bool down,
                     struct chart_node *about);

/* Writes all labels anew, likewise. */
void chart_label_all(struct chart *c, int most, bool down);

/* What the signs in a chart mean: those that are in it, and no others. */
enum legend_sort {
    LEGEND_FLOW = 0, /* which way a drawing is read */
    LEGEND_STROKE,   /* `of`: an enum stroke */
    LEGEND_AGAINST,  /* ◄ or ▲ */
    LEGEND_ALL,      /* a double port */
    LEGEND_KIND,     /* an enum kind */
    LEGEND_MARK,     /* an enum label */
    LEGEND_GHOST,
    LEGEND_LOOP,
    LEGEND_HIDDEN,  /* an enum direction: neighbours that are not in view */
    LEGEND_SEVERAL, /* SUBGRAPH_MORE, SUBGRAPH_EQUIVALENT or SUBGRAPH_CHAIN */
};

struct legend_entry {
    enum legend_sort sort;
    int of;
    char sign[8];      /* "━", "b", "●"; "" where the words say it */
    const char *words; /* "supersedes"; a constant */
};
#define LEGEND_MOST (STROKE_COUNT + KIND_COUNT + LABEL_COUNT + 10)

/* In the order of the sorts. Returns how many there are. In ASCII all strokes look alike, and one entry says so. */
size_t chart_legend(const struct chart *c, struct legend_entry out[LEGEND_MOST]);

/* How far from the focus its nodes are: depth[node], of the subgraph's: the fewest steps from the focus on that side,
 * by what is in view; PICTURE_NONE where it is not reached. O(nodes + edges). */
void chart_depths(const struct chart *c, enum direction side, uint32_t *depth);

/* How many memories the nodes that are reached stand for, the focus left out. */
size_t chart_reached(const struct chart *c, const uint32_t *depth);

#endif
