/*
 * The stores of a run: the one that the explorer began with, its home, and the one that is shown (`:open`).
 *
 * The home stays open until the run ends, since agents may be connected to it: a listener serves one store, whatever
 * is shown. Any other store is closed when another one is shown. Then nothing of it is left in struct app; where the
 * person was is in its file (last_place_open).
 */
#ifndef STEMMA_STORES_H
#define STEMMA_STORES_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include "model/base/arena.h"
#include "model/base/error.h"
#include "tui/explorer/options.h"

struct app;
struct config;

struct home {
    struct store *store;
    struct explorer_options options; /* for coming back */
    char *name;
    struct config_rules *rules;    /* the configuration that is in force; NULL until needed */
    struct config *config;         /* reloaded, owned; NULL while that of the start is in force */
    struct mcp_listener *listener; /* serves the home; NULL if this process does not listen */
    struct error listen_error;     /* the reason */
    int port;                      /* of its HTTP; 0 for none */
    atomic_bool has_message;       /* the listener's thread has a message */
    pthread_mutex_t lock;
    struct worker *worker; /* is woken for a message; NULL between two stores */
};

struct stores {
    struct opened_store *shown; /* owned; NULL: the home */
    struct opened_store *next;  /* owned */
    bool leaves; /* the explorer goes on with `next`, or with the home if that is NULL */
    char *name;  /* in the header; NULL for the default store */
};

/* Whether the home is shown. */
bool stores_at_home(const struct app *x);
/* Names the store that is shown, by the configuration or by its path. */
void stores_take_name(struct app *x);
/* Notes it among those that were opened last. */
void stores_note_recent(struct app *x);
/* The worker that the listener's thread wakes; NULL for none. */
void stores_set_worker(struct home *home, struct worker *worker);

/* Shows another store: a name of the configuration, or a path. If it cannot be opened, the message says why, and the
 * store that is shown stays. */
void stores_open(struct app *x, const char *name);

/* A store to choose. */
struct known_store {
    const char *name; /* what opens it: a name of the configuration, or a path */
    const char *about;
};
/* Those of the configuration, then those that were opened last. In the arena. */
struct known_store *stores_list(struct app *x, struct arena *arena, size_t *count);

#endif
