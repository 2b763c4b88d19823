/*
 * Themes: what each part of a screen looks like. Drawing names a style (a role); a theme, a YAML
 * file, gives it a foreground, a background and attributes. Sixteen colours and the terminal's own
 * background; nothing is told by colour alone.
 */
#ifndef STEMMA_THEME_H
#define STEMMA_THEME_H

#include <stdbool.h>
#include <stddef.h>
#include "model/base/error.h"
#include "model/graph/graph.h"

enum style {
    STYLE_TEXT = 0,
    STYLE_DIM,
    STYLE_TITLE,  /* the last word of the breadcrumb */
    STYLE_CRUMB,  /* the words before it */
    STYLE_COUNTS, /* at its right */
    STYLE_HEADER, /* names of columns */
    STYLE_RULE,
    STYLE_RULE_TITLE,
    STYLE_FIELD, /* the name of a fact: "created" */
    STYLE_REF,
    STYLE_NUMBER,
    STYLE_STRONG, /* one that stands out: the relevance of a primary source */
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
    STYLE_CHIP,      /* a filter, a pause, news */
    STYLE_STAND_IN,  /* in place of what must not reach a terminal */
    STYLE_GUESSED,   /* a link that was not recorded */
    STYLE_GROUNDED,  /* from here on in the order of enum label */
    STYLE_WEAKENED,
    STYLE_UNGROUNDED,
    STYLE_CIRCULAR,
    STYLE_UNSOURCED,
    STYLE_GONE,
    STYLE_LINE_GUESSED, /* lines of a drawing, from here on in the order of enum stroke */
    STYLE_LINE_EVIDENCE,
    STYLE_LINE_REINFORCED,
    STYLE_LINE_DERIVED,
    STYLE_LINE_ALL,
    STYLE_LINE_SUPERSEDES,
    STYLE_LIT_GUESSED, /* and those on the ways to and from the cursor's node, in the same order */
    STYLE_LIT_EVIDENCE,
    STYLE_LIT_REINFORCED,
    STYLE_LIT_DERIVED,
    STYLE_LIT_ALL,
    STYLE_LIT_SUPERSEDES,
    STYLE_PICKED, /* laid over the one that an arrow key would go along */
    STYLE_BORDER, /* of a node */
    STYLE_BORDER_SELECTED,
    STYLE_KIND,  /* its letter */
    STYLE_BADGE, /* how many neighbours of it are not in view */
    STYLE_GROUP, /* a node that stands for several */
    STYLE_GHOST, /* one that is named and not there */
    STYLE_FALLS, /* the text of what would lose its support */
    STYLE_POPUP,
    STYLE_POPUP_TITLE,
    STYLE_COUNT,
    STYLE_NONE = STYLE_COUNT
};
#define STYLE_OF_LABEL(label)       ((enum style)(STYLE_GROUNDED + (label)))
#define STYLE_OF_STROKE(stroke)     ((enum style)(STYLE_LINE_GUESSED + (stroke)))
#define STYLE_OF_LIT_STROKE(stroke) ((enum style)(STYLE_LIT_GUESSED + (stroke)))

enum theme_attribute {
    THEME_BOLD = 1,
    THEME_DIM = 2,
    THEME_UNDERLINE = 4,
    THEME_REVERSE = 8,
    THEME_ITALIC = 16,
};

#define COLOUR_DEFAULT (-1)
#define COLOUR_UNSET   (-2) /* leaves what is below */
#define COLOUR_GREY    16 /* as far from black as from white, where there are 256; else bright black */

struct theme_look {
    short fg, bg; /* 0–15, or one of COLOUR_… */
    unsigned attributes;
};

struct theme {
    char name[64];
    struct theme_look look[STYLE_COUNT];
};

/*
 * Reads a theme: `name` is one of those compiled in, else STEMMA's themes/NAME.yaml under the
 * person's configuration, else, with a '/', a path. -1 with the line of what is not understood.
 */
int theme_load(struct theme *theme, const char *name, struct error *e);
int theme_parse(struct theme *theme, const char *name, const char *text, size_t len,
                struct error *e);
/* The names of those compiled in, one after the other; NULL after the last. A constant. */
const char *theme_shipped(size_t index, char *name, size_t size);

/* `over` laid over `under`: colours where it sets them, attributes of both. */
struct theme_look theme_over(struct theme_look under, struct theme_look over);

#endif
