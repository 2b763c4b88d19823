/*
 * The explorer: the program in the terminal. One call runs it from the first frame until it is left.
 *
 * It reads through readers of its own, shows what is in the store, and follows what others write.
 * Keys come from the terminal, or from a script, in which case no terminal is touched at all.
 */
#ifndef STEMMA_EXPLORER_H
#define STEMMA_EXPLORER_H

#include <stdbool.h>
#include <stddef.h>
#include "store/db/store.h"
#include "tui/explorer/options.h"

struct config;

/*
 * Runs until the person leaves. 0; or -1 with `e` where there is no usable terminal or the store
 * cannot be read; or the number of the signal that ended it (SIGTERM, SIGHUP, …): the caller closes
 * the store and ends as that signal would. The terminal is restored in every case.
 */
int explorer_run(struct store *s, const struct config *config,
                 const struct explorer_options *options, struct error *e);

/* The file of the last visit of the store at that path, for explorer_options; free() it. NULL where HOME is not
 * known. */
char *explorer_visit_path(const char *store);

#endif
