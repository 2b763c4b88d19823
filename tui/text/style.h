/*
 * Styles: the role of each part of a text. A theme gives each style a look on the screen; a command's output uses
 * colour codes for it; a file gets none. Also the signs that have an ASCII substitute.
 */
#ifndef STEMMA_STYLE_H
#define STEMMA_STYLE_H

#include <stdbool.h>
#include <stddef.h>
#include "model/graph/graph.h"
#include "model/memory/memory.h"
#include "model/base/strbuf.h"

enum style {
    STYLE_TEXT = 0,
    STYLE_DIM,
    STYLE_TITLE,  /* the last word of the breadcrumb */
    STYLE_CRUMB,  /* the words before it */
    STYLE_STORE,  /* the name of a store that the configuration gives a colour */
    STYLE_COUNTS, /* at its right */
    STYLE_HEADER, /* names of columns */
    STYLE_RULE,
    STYLE_RULE_TITLE,
    STYLE_FIELD, /* the name of a fact: "created" */
    STYLE_REF,
    STYLE_NUMBER,
    STYLE_STRONG, /* a value that stands out: the relevance of a primary source */
    STYLE_AGE,
    STYLE_SOURCE,
    STYLE_KEY,
    STYLE_KEY_HELP,
    STYLE_STATUS,
    STYLE_ERROR,
    STYLE_PROMPT,
    STYLE_SELECTION, /* over the styles of the selected line */
    STYLE_CURSOR,    /* the `>` before it */
    STYLE_MARK,      /* the `*` of a marked line */
    STYLE_MATCH,     /* what a search or a filter found */
    STYLE_CHIP,      /* a filter, a pause, the count of changes */
    STYLE_STAND_IN,  /* replaces a character that must not reach a terminal */
    STYLE_GUESSED,   /* a link that was not recorded */
    STYLE_SUPPORTED, /* STYLE_SUPPORTED to STYLE_ENDED have the order of enum label */
    STYLE_WEAKENED,
    STYLE_UNSUPPORTED,
    STYLE_CIRCULAR,
    STYLE_UNSOURCED,
    STYLE_ENDED,
    STYLE_LINE_GUESSED, /* lines of a drawing: STYLE_LINE_… have the order of enum stroke */
    STYLE_LINE_EVIDENCE,
    STYLE_LINE_REINFORCED,
    STYLE_LINE_DERIVED,
    STYLE_LINE_ALL,
    STYLE_LINE_SUPERSEDES,
    STYLE_LIT_GUESSED, /* the same lines on paths to and from the cursor's node */
    STYLE_LIT_EVIDENCE,
    STYLE_LIT_REINFORCED,
    STYLE_LIT_DERIVED,
    STYLE_LIT_ALL,
    STYLE_LIT_SUPERSEDES,
    STYLE_PICKED, /* the line that an arrow key would follow */
    STYLE_BORDER, /* of a node */
    STYLE_BORDER_SELECTED,
    STYLE_KIND,          /* its letter */
    STYLE_BADGE,         /* the number of hidden neighbours */
    STYLE_GROUP,         /* a node that stands for several memories */
    STYLE_GHOST,         /* a memory that is referenced but missing */
    STYLE_LOSES_SUPPORT, /* the text of a memory that would lose its support */
    STYLE_POPUP,
    STYLE_POPUP_TITLE,
    STYLE_COUNT,
    STYLE_NONE = STYLE_COUNT
};
#define STYLE_OF_LABEL(label)       ((enum style)(STYLE_SUPPORTED + (label)))
#define STYLE_OF_STROKE(stroke)     ((enum style)(STYLE_LINE_GUESSED + (stroke)))
#define STYLE_OF_LIT_STROKE(stroke) ((enum style)(STYLE_LIT_GUESSED + (stroke)))

/* Signs with an ASCII substitute. */
enum glyph {
    GLYPH_CRUMB,    /* › > */
    GLYPH_ELLIPSIS, /* … ~ */
    GLYPH_ARROW,    /* → -> */
    GLYPH_DOWN,     /* ↓ v */
    GLYPH_UP,       /* ↑ ^ */
    GLYPH_DOT,      /* · . */
    GLYPH_TEE,      /* ├ | */
    GLYPH_CORNER,   /* └ ` */
    GLYPH_BAR,      /* │ | */
    GLYPH_DASH,     /* ─ - */
    GLYPH_FOLDED,   /* ▸ + */
    GLYPH_OPEN,     /* ▾ - */
    GLYPH_AGAIN,    /* ↑ ^ */
    GLYPH_SIDE,     /* │ | and a frame's corners */
    GLYPH_TOP_LEFT,
    GLYPH_TOP_RIGHT,
    GLYPH_BOTTOM_LEFT,
    GLYPH_BOTTOM_RIGHT,
    GLYPH_LIVES,   /* ● o */
    GLYPH_ENDED,   /* × x */
    GLYPH_TIMES,   /* × x */
    GLYPH_REFUSED, /* ⊘ R */
    GLYPH_COUNT
};
const char *glyph_of(enum glyph glyph, bool ascii);
/* For a screen reader: signs become words or commas, and what is only drawn becomes nothing. Set before any thread
 * draws; one process has one terminal. */
void style_speak(bool on);
bool style_speaks(void);

/*
 * The legend: the signs in front of a memory with their meaning. The screen, `stemma help signs` and the tables in
 * README.md and docs/ use it. The labels come first, in their order.
 */
struct legend_row {
    const char *sign, *ascii; /* one column, except for SIGN_SUPPORT; a space for words alone */
    const char *word;         /* NULL to use the name of the label */
    const char *meaning;
};
enum {
    SIGN_SUPPORT = LABEL_COUNT,
    SIGN_ANY_OF,
    SIGN_ALL_OF,
    SIGN_PENDING,
    SIGN_APPROVED, /* SIGN_APPROVED to SIGN_CONTRADICTED have the order of enum row_flag */
    SIGN_REVIEW,
    SIGN_LOCKED,
    SIGN_CONTRADICTED,
    SIGN_SELECTED,
    SIGN_DISBELIEVED,
    SIGN_FALLEN,
    SIGN_NEW,
    SIGN_CHANGED,
    SIGN_CHANGED_NOW,
    SIGN_FAILED,
    SIGN_PERSON,
    SIGN_COUNT
};
#define SIGN_BIT(sign)  (1u << (sign))
#define SIGNS_OF_LABELS (SIGN_BIT(LABEL_COUNT) - 1)
#define SIGNS_OF_FLAGS  (SIGN_BIT(SIGN_CONTRADICTED + 1) - SIGN_BIT(SIGN_PENDING))
extern const struct legend_row legend_rows[SIGN_COUNT];
const char *legend_word(int sign);
/* The sign of a memory: its label, unless its status says more. */
int sign_of_memory(enum status status, enum label label);
/* Of a label or another sign. */
const char *mark_of_label(int sign, bool ascii);
enum style style_of_sign(int sign);
/* A level of 0–1 as one of eight blocks, or as a digit. */
const char *level_mark(double level, bool ascii);

/*
 * Relevance scores. A sign shows the origin of the value: ".95" was measured, "~.60" was computed from a rank, "=.50"
 * is a default, "?.90" was asserted. The sign is text, so that the difference does not depend on colour.
 */

struct strbuf;

#define SCORE_WIDTH 4 /* columns: the sign, then three digits */

/* '~', '=', '?', or ' ' for a measured score. A score of unknown origin counts as asserted. */
char score_sign(enum score origin);
/* "measured", "heuristic", "default", "asserted"; "origin unknown" for SCORE_NONE. */
const char *score_word(enum score origin);
/* Bold for a measured score above PRIMARY_ABOVE, STYLE_NUMBER for a lower one, STYLE_GUESSED if it was not measured. */
enum style score_style(double relevance, enum score origin);

/* Writes three columns: ".95", "1.0", ".00", rounded as printf does; " - " for NAN. */
void score_digits(char out[8], double relevance);
/* Appends SCORE_WIDTH columns, "~.60" or " .95". */
void score_add(struct strbuf *out, double relevance, enum score origin);
/* Appends " · " between two facts: nothing if `out` is empty. */
void add_dot(struct strbuf *out, bool ascii);
/* Appends a bar of `width` columns, full for 1, padded with blanks. Its line depends on the origin. */
void score_bar(struct strbuf *out, bool utf8, double relevance, enum score origin, int width);

/* Durations for a column: "0.8 s", "42 s", "3m 20s", "2h 05m". */

#define SECONDS_WIDTH 7 /* columns; a duration of more than a thousand hours is wider */

/* Writes "" if `seconds` is NAN, negative or infinite. `out` holds 24 bytes. */
void seconds_text(char out[24], double seconds);

/*
 * A chart of numbers as rows of text: bars or a line, with the values at its left and the range below. A view paints
 * the rows (paint_plot), a page puts them (page_plot). Every sign is one column wide.
 */

#define PLOT_VALUE 7 /* columns of a value at the left */

struct plot {
    const double *value; /* [count] one for each column; NAN for none */
    size_t count;
    double low, high; /* the ends of the axis; if both are 0, from 0 to the greatest value */
    int rows;         /* of the chart itself */
    bool line; /* a line that goes on until the value changes; else bars from the lowest row */
    bool ascii;
    void (*write)(char *out, size_t size, double value); /* a value of the axis; NULL for no axis */
    const char *left, *right; /* below the chart, in ASCII; NULL for no such row */
};

/* The columns before the chart, and the rows with the one below. */
int plot_axis_width(const struct plot *p);
int plot_height(const struct plot *p);
/* Append row `row`, 0 for the highest: plot_axis_width columns, and `count` columns. */
void plot_add_axis(const struct plot *p, int row, struct strbuf *out);
void plot_add_row(const struct plot *p, int row, struct strbuf *out);
/* Appends what it shows in words: "12 values, the least 0.2, the greatest 0.95, the last 0.9". */
void plot_add_words(const struct plot *p, struct strbuf *out);

#endif
