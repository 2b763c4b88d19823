/* What the signs in a chart mean: those that are in it, and no others. */
#ifndef STEMMA_CHART_LEGEND_H
#define STEMMA_CHART_LEGEND_H

#include "tui/chart/chart.h"

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

#endif
