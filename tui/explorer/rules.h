/* The permission rules of agents for display, and masking as agents would see it. */
#ifndef STEMMA_RULES_H
#define STEMMA_RULES_H

#include "store/guard/guard.h"

struct app;
struct data;
struct config;

struct rules {
    struct config_rules *config; /* of the home: what is in force; NULL until needed */
    struct guard_rules *shown;   /* referenced; the rules at the last check of the file; or NULL */
    struct watcher *watcher;     /* watches the file; or NULL */
    int fd;                      /* signals a change of the file; or -1 */
    char *note;                  /* message to show when the person does not type; or NULL */
    int64_t noted_at; /* when the last message was shown, as status.shown_since: the next one replaces it */
};

/* The current rules, with a reference for the caller. If the configuration became invalid, the previous ones. Returns
 * NULL after a message if there are none. */
struct guard_rules *rules_now(struct app *x);
/* Sets x->rules.config. Returns false and sets *e if a pattern is invalid. */
bool rules_open(struct app *x, struct error *e);
/* Reads the configuration file now, and says what came of it. */
void rules_reload(struct app *x);
/* Starts to watch the configuration file: descriptor x->rules.fd. */
void rules_watch(struct app *x);
/* Call when the descriptor is readable and when it is due: reads a changed file and reports the result. Returns
 * whether something has to be drawn. */
int rules_fd(const struct app *x);
bool rules_ready(struct app *x);
bool rules_due(struct app *x);
/* The permissions of these rules; with NULL those of the configuration at the start. */
const struct permissions *rules_permissions(const struct config *config,
                                            const struct guard_rules *rules);

/* ---- :mask ---- */

/* The reason why changes are blocked while masks are on (masked text would be saved), or NULL. */
const char *rules_mask_blocks(const struct data *data);
/* Turns masking on or off. */
void rules_toggle_mask(struct app *x);
void rules_release(struct app *x);

#endif
