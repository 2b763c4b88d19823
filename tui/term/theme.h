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
#include "tui/text/style.h"

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
