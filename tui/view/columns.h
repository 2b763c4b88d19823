/* The columns of a list of memories: chooses those that fit, and draws rows. Each kind has its own set of columns. */
#ifndef STEMMA_COLUMNS_H
#define STEMMA_COLUMNS_H

#include <stdbool.h>
#include "tui/term/paint.h"

struct prefs;
struct view;

enum column {
    COLUMN_STATE = 0, /* of a chain: finished, abandoned … */
    COLUMN_NUMBER,    /* of a step */
    COLUMN_CHAIN,     /* the chain of a step */
    COLUMN_SCORE,     /* of a citation */
    COLUMN_USES,      /* of a document */
    COLUMN_ORIGIN,    /* an attribution's type, URI and time */
    COLUMN_RETRIEVED,
    COLUMN_URI,
    COLUMN_PLACE, /* the cited passage */
    COLUMN_CONFIDENCE,
    COLUMN_HISTORY,
    COLUMN_SUPPORT,
    COLUMN_FLAGS, /* what people decided: enum row_flag */
    COLUMN_KIND,
    COLUMN_SUBTYPE, /* an episode's outcome, a note's type, a chain's strategy */
    COLUMN_STEPS,
    COLUMN_SOURCES,
    COLUMN_TIME,
    COLUMN_TOKENS, /* of a memory file: what it costs an agent, and when one last opened it */
    COLUMN_OPENED,
    COLUMN_SOURCE, /* source type */
    COLUMN_AGENT,
    COLUMN_AGE,
    COLUMN_LOSES, /* in the order of keystones, of all kinds */
    COLUMN_COUNT
};

struct columns {
    int label;
    int at[COLUMN_COUNT]; /* first column of each; 0 if it is hidden */
    int text;             /* first column of the text */
    int answer;           /* first column of the answer; 0 if it is hidden */
    int age_width;
    bool by_trust; /* trust stands in place of the confidence */
    int width;     /* end of the text or the answer */
};

/* Chooses the columns for a width. `root` is a kind or ROOT_ALL. The text keeps at least 40 columns; other columns
 * are dropped for it, the least important first. */
struct columns columns_fit(const struct prefs *prefs, int width, int root);
void columns_draw_header(const struct prefs *prefs, const struct columns *c, const struct pane *p,
                         int root);
/* `pattern` is highlighted in the text; may be NULL. */
/* `words`: of a search: a row that does not show one shows the excerpt around it; NULL in other lists. */
void columns_draw_row(struct view *v, const struct columns *c, const struct pane *row, int64_t node,
                      const char *pattern, const char *words);

#endif
