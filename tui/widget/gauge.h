/* How full a quota is, and how long something still lives: as lines of entries show it. */
#ifndef STEMMA_GAUGE_H
#define STEMMA_GAUGE_H

#include "tui/term/paint.h"

struct app;

/* A bar of `width` columns; nothing where there is no quota. From four fifths on it warns. */
void gauge_draw(const struct pane *row, int column, int width, int64_t used, int64_t most);
/* The style of a number beside it. */
enum style gauge_style(int64_t used, int64_t most);

/*
 * "45s", "59m", "3h"; "" for what never expires, and "expired". Where it is drawn a frame is wanted when it would
 * read otherwise, and not before: nothing ticks that does not change.
 */
void countdown_say(struct app *x, char *out, size_t size, int64_t expires_at);

#endif
