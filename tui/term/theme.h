/*
 * Themes. Drawing code names a style (a role); a theme, a YAML file, gives each style a foreground, a background and
 * attributes. The look of STYLE_TEXT lies under every other one. No information depends on colour alone.
 */
#ifndef STEMMA_THEME_H
#define STEMMA_THEME_H

#include <stddef.h>
#include "model/base/error.h"
#include "tui/text/style.h"

enum theme_attribute {
    THEME_BOLD = 1,
    THEME_DIM = 2,
    THEME_UNDERLINE = 4,
    THEME_REVERSE = 8,
    THEME_ITALIC = 16,
};

#define COLOUR_DEFAULT (-1)
#define COLOUR_UNSET   (-2) /* keeps the colour of the style below */
#define COLOUR_GREY    16   /* middle grey if the terminal has 256 colours, else bright black */
#define COLOUR_RGB                                                                                 \
    (1 << 24) /* added to 0xrrggbb; a terminal with fewer colours shows its nearest one */

struct theme_look {
    int fg, bg; /* 0–15, or one of COLOUR_… */
    unsigned attributes;
};

struct theme {
    char name[64];
    struct theme_look look[STYLE_COUNT];
};

/*
 * Reads a theme. `name` is a built-in theme or an alias (`auto` is the one for a dark ground), else a file
 * themes/NAME.yaml in the person's configuration directory, or a path if it contains a '/'. Returns -1 and sets *e,
 * with the line of a syntax error.
 */
int theme_load(struct theme *theme, const char *name, struct error *e);
int theme_parse(struct theme *theme, const char *name, const char *text, size_t len,
                struct error *e);
/* Writes the name of a built-in theme to `name` and returns it; NULL after the last. */
const char *theme_shipped(size_t index, char *name, size_t size);

/* The nearest colour to 0xrrggbb of the first `count` colours of xterm: all 256, 16 or 8. */
int colour_nearest(int rgb, int count);

/* Combines two looks: the colours of `over` where it sets them, the attributes of both. */
struct theme_look theme_over(struct theme_look under, struct theme_look over);

#endif
