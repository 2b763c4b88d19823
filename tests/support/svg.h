/* The explorer's screen as an SVG picture that looks the same in every browser. */
#ifndef STEMMA_TESTS_SVG_H
#define STEMMA_TESTS_SVG_H

#include "model/base/strbuf.h"

/* Appends the curses screen, cell by cell. `title` is for screen readers. The explorer must be
 * running; call this in script.at_shot. */
void svg_add_screen(struct strbuf *out, const char *title, int rows, int columns);

#endif
