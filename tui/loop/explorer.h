/*
 * The explorer, the interactive program. One call runs it until the person quits.
 *
 * It reads with its own readers, and follows what others write. Keys come from the terminal, or from a script, which
 * uses no terminal.
 */
#ifndef STEMMA_EXPLORER_H
#define STEMMA_EXPLORER_H

#include "store/db/store.h"
#include "tui/explorer/stores.h"

struct config;

/*
 * Runs until the person quits. Returns 0; or -1 and sets *e if there is no usable terminal or the store cannot be
 * read; or the number of the signal that ended it (SIGTERM, SIGHUP, …). In the last case the caller closes the store
 * and ends by that signal. The terminal is always restored.
 */
int explorer_run(struct store *s, const struct config *config,
                 const struct explorer_options *options, struct error *e);

/* The file of the last visit of the store at that path, for explorer_options. The caller frees it. NULL if HOME is
 * unknown. */
char *explorer_visit_path(const char *store);
/* The same for the file of where the person was. */
char *explorer_place_path(const char *store);

#endif
