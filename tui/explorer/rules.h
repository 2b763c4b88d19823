/* The rules of agents as the explorer shows them, and whether it shows what agents would see. */
#ifndef STEMMA_RULES_H
#define STEMMA_RULES_H

#include "store/guard/guard.h"

struct app;

struct rules {
    struct config_rules *config; /* that agents are held to; NULL: not asked for yet */
    struct guard_rules *shown; /* held; what they were when the file was looked at last, or NULL */
    struct watcher *watcher;   /* of the file; NULL: it is not watched */
    int fd;                    /* tells that the file changed, or -1 */
    char *note;                /* what is to be said of it once nobody types; NULL: nothing */
};

/* Those that hold now, held for the caller; where the configuration is wrong by now those of before. NULL where
 * they cannot be had, and that was said. */
struct guard_rules *rules_now(struct app *x);
/* From here on the file of the configuration is looked at when it changes: descriptor x->rules.fd. */
void rules_watch(struct app *x);
/* Reads it where it changed, and says what became of it, when the descriptor can be read and when it is due. Does
 * anything look different? */
int rules_fd(const struct app *x);
bool rules_ready(struct app *x);
bool rules_due(struct app *x);
/* What they say; of none what the configuration said at the start. */
const struct permissions *rules_say(const struct app *x, const struct guard_rules *rules);

/* ---- :mask ---- */

/* Why nothing is changed while it is, or NULL: what is typed over masked text would be kept. */
const char *rules_mask_blocks(const struct app *x);
/* Masks what is shown, or shows it as it is again. */
void rules_toggle_mask(struct app *x);
void rules_release(struct app *x);

#endif
