/* The person's editor: $VISUAL, else $EDITOR, else vi, and the file that it edits. Commands and the explorer start it
 * in their own ways. */
#ifndef STEMMA_EDITOR_H
#define STEMMA_EDITOR_H

#include <stdbool.h>
#include "model/base/error.h"
#include "model/base/strbuf.h"

/* Without a terminal there is no vi, which would wait for ever: then NULL if none is set. */
const char *editor_name(bool terminal);

/* The words that run it on a file. The name may have arguments, so a shell splits it; the path is passed separately and
 * never parsed. */
struct editor_command {
    struct strbuf text;
    char *argv[6];
};
void editor_command_make(struct editor_command *c, const char *name, const char *path);
/* Fails unless it ended with status 0. `status` is as of waitpid. */
int editor_check(int status, const char *name, struct error *e);

/* A text in a directory of its own, so that copies that editors make beside it are removed with it. */
struct edited_file {
    char directory[300], path[400];
};
/* Writes the text to a file of that name, which ends with a line end. On failure nothing is left. */
int edited_file_make(struct edited_file *f, const char *name, const struct strbuf *text,
                     struct error *e);
/* Takes the text of the file. Leaves *text unchanged if the file cannot be read. */
int edited_file_read(const struct edited_file *f, struct strbuf *text, struct error *e);
/* Whether the file has another text, or may have one because it cannot be read. */
bool edited_file_differs(const struct edited_file *f, const struct strbuf *text);
void edited_file_remove(const struct edited_file *f);

#endif
