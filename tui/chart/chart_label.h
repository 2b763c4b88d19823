/* What the nodes of a chart say, as chart.h has it; for who draws one. */
#ifndef STEMMA_CHART_LABEL_H
#define STEMMA_CHART_LABEL_H

#include "model/base/strbuf.h"
#include "tui/chart/chart.h"

/*
 * Appends the label of a scene's node in at most `most` columns (0: no bound): first the text gives way; where there is no room
 * for a little of it, the hidden neighbours go; the rest is never cut.
 * `down`: hidden neighbours are above and below, else at the left and right. Fills what a chart_node says of the label
 * but `label`.
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
    LEGEND_SEVERAL, /* SCENE_MORE, SCENE_TWINS or SCENE_CHAIN */
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

/* How far from the focus of a chart its nodes are. */
/* depth[node], of the scene's: the fewest steps from the focus on that side, by what is in view; PICTURE_NONE where it is not
 * reached. O(nodes + edges). */
void chart_depths(const struct chart *c, enum direction side, uint32_t *depth);

/* How many memories the nodes that are reached stand for, the focus left out. */
size_t chart_reached(const struct chart *c, const uint32_t *depth);

#endif
