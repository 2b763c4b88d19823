/*
 * A form as a file: YAML with a comment above each field that says what it takes. For the person's editor,
 * and for whatever was left of it.
 */
#ifndef STEMMA_FORM_FILE_H
#define STEMMA_FORM_FILE_H

#include "model/base/error.h"
#include "model/base/strbuf.h"

struct app;
struct form;

void form_file_write(const struct form *f, struct strbuf *out);
/*
 * Fills in the form from a file; a field that the file leaves out stays as it is. ERROR_INVALID with the line: nothing
 * was filled in then.
 */
int form_file_read(struct form *f, const char *text, size_t len, struct error *e);

/* Opens all of the form in the editor. What cannot be read is kept, and opened the next time. */
void form_edit_outside(struct app *x, struct form *f);

/*
 * The person's own editor, on a text: $VISUAL, else $EDITOR, else vi. It has the terminal to itself until
 * it ends, and then the explorer takes it back.
 *
 * The text stands in a file that only its owner reads, in a directory of its own; both are gone afterwards,
 * with whatever the editor left beside it.
 */

/*
 * `name` is the file's. The text becomes what the file holds when the editor ends, without a line feed that it
 * added at the end. -1 where no editor can be started, or it failed: then the text is what it left,
 * if it left one. Any bytes may come back.
 */
int editor_run(struct app *x, const char *name, struct strbuf *text, struct error *e);

#endif
