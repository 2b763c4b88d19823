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

#endif
