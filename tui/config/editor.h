/* The person's editor: $VISUAL, else $EDITOR, else vi. Commands and the explorer start it in their own ways. */
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

#endif
