/*
 * The person's own editor, on a text: $VISUAL, else $EDITOR, else vi. It has the terminal to itself until
 * it ends, and then the explorer takes it back.
 *
 * The text stands in a file that only its owner reads, in a directory of its own; both are gone afterwards,
 * with whatever the editor left beside it.
 */
#ifndef STEMMA_EDITOR_H
#define STEMMA_EDITOR_H

#include "model/base/error.h"
#include "model/base/strbuf.h"

struct app;

/*
 * `name` is the file's. The text becomes what the file holds when the editor ends, without a line feed that it
 * added at the end. Any bytes may come back. -1 where no editor can be started, or it failed: then the text is as it
 * was, and if it left another one the file stays and `e` names it.
 */
int editor_run(struct app *x, const char *name, struct strbuf *text, struct error *e);

#endif
