/*
 * A chart: the drawn lineage of a memory. What is in view (a scene), what each node says, and where it all stands (a
 * layout). The explorer and `stemma graph` show the same one.
 */
#ifndef STEMMA_CHART_H
#define STEMMA_CHART_H

#include "../model/layout/layout.h"
#include "../model/layout/raster.h"
#include "../model/scene.h"
#include "../store/subgraph.h"
#include "text.h"

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

#define CHART_NARROW 60 /* columns below which only an outline is drawn */
#define CHART_LARGE                                                                                \
    200 /* nodes in view above which only an outline is drawn, unless it is asked for */

struct chart_options {
    enum chart_style style;
    int columns, rows; /* what there is room for; 0: no bound */
    int label_columns; /* the longest label; 0: 28 */
    bool ascii;
    bool bundle; /* edges share lines, where the style's own way is another: see chart_lay_out */
    const struct chart
        *before; /* what was drawn before: what stays keeps its order. NULL: a fresh drawing */
};

struct chart_node {
    const char
        *label;  /* as it is drawn, clean and cut: "b ● Never skip staging be…"; in the arena */
    int columns; /* of the label */
    enum label support; /* of a memory */
    const char *text;   /* clean, one line, whole; NULL */
    bool dead;          /* its status is none of the living ones */
};

struct chart {
    struct scene scene;
    struct chart_node *node; /* [scene.nodes] */
    struct picture
        picture;          /* a node for each of the scene's, by their numbers as they were added */
    struct layout layout; /* filled unless style is CHART_OUTLINE */
    enum chart_style style; /* the one that was taken */
    size_t total[2]; /* by direction: all that the focus rests on, and carries; counted to 1000 */
    bool total_bounded[2];
    bool large, narrow; /* why it is an outline, where a drawing was asked for */
    struct arena arena;
};

/* The number of a scene's node in the picture and layout, and back. */
static inline uint32_t chart_drawn(const struct chart *c, uint32_t scene_node)
{
    return c->picture.place[scene_node];
}
static inline uint32_t chart_of_drawn(const struct chart *c, uint32_t drawn)
{
    return c->picture.node[drawn].added;
}
/* The scene's node of that id; PICTURE_NONE. */
uint32_t chart_find(const struct chart *c, const char *id);

/* Reads and lays out; on any thread, with its own reader. -1 with an error; chart_release follows in any case. */
int chart_load(struct chart *c, struct reader *r, const struct scene_wishes *w,
               const struct chart_options *o, struct error *e);
/* Another style or size over the same scene; what was laid out before is let go. */
int chart_lay_out(struct chart *c, const struct chart_options *o, struct error *e);
void chart_release(struct chart *c);

#endif
