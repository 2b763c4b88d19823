/* The explorer's screen as a picture that any browser draws alike. */
#ifndef STEMMA_TESTS_SVG_H
#define STEMMA_TESTS_SVG_H

#include "model/base/strbuf.h"

/* Appends what curses has on its screen, cell by cell; `title` is what a browser reads aloud. The explorer must still
 * run: script_run's at_shot is where it does. */
void svg_add_screen(struct strbuf *out, const char *title, int rows, int columns);

#endif
