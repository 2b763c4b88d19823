/* Opening another store while the explorer runs. */
#ifndef STEMMA_OPEN_STORE_H
#define STEMMA_OPEN_STORE_H

#include "model/base/arena.h"
#include "tui/config/config.h"
#include "tui/loop/explorer.h"

struct store_opener {
    const struct config *config; /* outlives all stores */
    bool read_only;
    const char *person;
};

/* explorer_options.open; `arg` is a struct store_opener. A foreign source is imported into its working copy, at first
 * for 0.7 s, and followed. */
int open_for_explorer(void *arg, const char *path, struct opened_store *out, struct error *e);

/* How the header names the store at that path: its name without `.db`; NULL for the default store. In the arena. */
const char *store_title(struct arena *arena, const char *path);
/* Copies a text to the arena and frees it; NULL stays NULL. */
const char *open_kept(struct arena *arena, char *text);

#endif
