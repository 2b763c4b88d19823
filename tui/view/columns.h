/* The columns of a list of memories: chooses those that fit, and draws rows. Each kind has its own set of columns. */
#ifndef STEMMA_COLUMNS_H
#define STEMMA_COLUMNS_H

#include <stdbool.h>
#include "store/query/list.h"
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
    COLUMN_LOSES,  /* in the order of keystones, of all kinds */
    COLUMN_MEMORY, /* its ref; this and the next only if the person chose them */
    COLUMN_UPDATED,
    COLUMN_COUNT,
    /* These have places of their own. */
    COLUMN_SIGN = COLUMN_COUNT,
    COLUMN_TEXT,
    COLUMN_ANSWER,
    COLUMN_NONE
};

struct columns {
    int label;
    int at[COLUMN_COUNT]; /* first column of each; 0 if it is hidden */
    int width_of[COLUMN_COUNT];
    int text;      /* first column of the text */
    int answer;    /* first column of the answer; 0 if it is hidden */
    bool by_trust; /* trust stands in place of the confidence */
    int width;     /* end of the text or the answer */
};

/* Chooses the columns of a list for a width. `root` is a kind or ROOT_ALL. The text keeps at least 40 columns; columns
 * that the person did not ask for are dropped for it, the least important first. */
struct columns columns_fit(struct view *v, int width, int root);
void columns_draw_header(struct view *v, const struct columns *c, const struct pane *p, int root);

/* The column of that name in lists of a root; COLUMN_NONE if there is none. */
int columns_find(const char *name, int root);
/* The name of a column, as choices and orders have it. */
const char *column_name(int column, int root);
/* The order of the store by what a column shows; ORDER_COUNT if no index has it. */
enum list_order column_order(const struct prefs *prefs, int column);
/* The column that shows what an order of the store is by; COLUMN_NONE for the order of recording. */
int column_of_order(enum list_order order);
bool column_is_text(int column);
/* `pattern` is highlighted in the text; may be NULL. */
/* `words`: of a search: a row that does not show one shows the excerpt around it; NULL in other lists. */
void columns_draw_row(struct view *v, const struct columns *c, const struct pane *row, int64_t node,
                      const char *pattern, const char *words);

/*
 * Sorts the rows of a short list by a column that no index has: the worker reads what the lines would show and sorts by
 * it. What a row lacks comes last; equal rows keep their order.
 */
#define COLUMN_SORT_MAX 10000 /* rows; what their lines show takes about a second */
struct column_sort {
    int column; /* COLUMN_NONE for none */
    bool up;
    struct column_key *key; /* [count] owned */
    size_t count;
};
/* Reads a part. Returns 1 to be called again, 0 if the rows are sorted, -1 on error. */
int column_sort_step(struct column_sort *s, struct reader *r, int64_t *rows, size_t count,
                     struct error *e);
void column_sort_release(struct column_sort *s);

#endif
