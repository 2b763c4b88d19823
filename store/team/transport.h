/*
 * Where the events of a team are kept in order: the journal of one store, as a server or a folder
 * has it. stemma never trusts a transport: the receiver checks each event against the hash chain.
 *
 * A transport is a table of functions. transport_open chooses it by the address:
 *   "postgresql://…", "postgres://…", "service=NAME", "host=… dbname=…"   PostgreSQL (libpq)
 *   anything else                                              a folder of segments (file://DIR, DIR)
 *
 * Only one thread uses a transport at a time. Every call can block; none blocks longer than
 * TRANSPORT_WAIT_MS without an answer of the other side. ERROR_BUSY: it cannot be reached now, or
 * did not answer in time; try again later. Any other error is for a person. No error text has the
 * password.
 */
#ifndef STEMMA_TRANSPORT_H
#define STEMMA_TRANSPORT_H

#include "model/base/arena.h"
#include "model/base/digest.h"
#include "model/base/error.h"
#include "store/db/head.h"

#define TRANSPORT_WAIT_MS 5000

/*
 * An event as it travels. `hash` is digest_chain(hash before, canonical). What a purge erased is
 * NULL: salt, patch, line.
 */
struct team_event {
    int64_t seq;
    struct digest hash;
    const char *canonical;     /* store/journal/canonical.h */
    const unsigned char *salt; /* SALT_SIZE bytes */
    const char *patch;
    const char *line; /* the JSONL form of the memory after the event; NULL if it has none */
    const char *file; /* for errors: which file has it; NULL on a server */
};

/* A session as all machines list it: the row of table `session` as a JSON object. */
struct team_session {
    int64_t id, changed; /* `changed` grows with each change of any session at the transport */
    const char *row;
};

struct team_machine {
    int number; /* 0: the one that created the team */
    const char *name;
    int64_t
        applied; /* the last event that it has applied, and of which it has erased what was purged */
    int64_t seen_at; /* ms since the epoch, by the transport's clock; 0 if unknown */
    /* What the transport has of it cannot be read; then `name` is that of the file. */
    bool damaged;
};

struct transport;

/*
 * For a command that shows how far it is: `tick` is called by what takes long, in this process, with
 * what it has done of all (0 if unknown). Other than 0 interrupts it: ERROR_INTERRUPTED. What was
 * interrupted can be run again.
 */
void transport_on_progress(int (*tick)(void *arg, int64_t done, int64_t total), void *arg);
int transport_progress(int64_t done, int64_t total, struct error *e);

/* Opens it; connects. `store` is the team's id (a UUID), NULL before create. NULL with `e`. */
struct transport *transport_open(const char *address, const char *store, struct error *e);
void transport_close(struct transport *t); /* NULL is allowed */
/* The address without its password, for people. */
const char *transport_name(const struct transport *t);
/* The address as a store may keep it: NULL and an error if it has a password. */
char *transport_address(const char *address, struct error *e);

/*
 * Begins the journal of store `store` after the chain end `at`, which the snapshot of the first
 * push has. ERROR_CONFLICT if it exists.
 */
int transport_create(struct transport *t, const char *store, const struct chain_end *at,
                     struct error *e);
/*
 * The same if there is no team yet, else ERROR_CONFLICT: of several that begin one at once, one
 * does. Its id may be another one than `store`: t->store has it.
 */
int transport_create_first(struct transport *t, const char *store, const struct chain_end *at,
                           struct error *e);
/* The ids of the stores there. */
int transport_stores(struct transport *t, struct arena *arena, const char ***out, size_t *count,
                     struct error *e);
/* Registers a machine, or finds it by its name; *number is 0 for the first. */
int transport_join(struct transport *t, const char *machine, int *number, struct error *e);
int transport_leave(struct transport *t, int machine, struct error *e);
int transport_machines(struct transport *t, struct arena *arena, struct team_machine **out,
                       size_t *count, struct error *e);

/* The end of the journal there. */
int transport_head(struct transport *t, struct chain_end *out, struct error *e);
/* The events with seq > `after` in order, at most `limit`, in the arena. */
int transport_fetch(struct transport *t, int64_t after, size_t limit, struct arena *arena,
                    struct team_event **out, size_t *count, struct error *e);
/*
 * Appends `count` events in one transaction and one round trip, if the journal there still ends at
 * `base`. Returns 1 if it was appended, 0 if others were faster (nothing was changed), -1 with `e`:
 * after ERROR_BUSY it may or may not have been appended. Tells the others that there is something
 * to fetch. The bodies of what an event erases (`erases` of its canonical text) are erased there,
 * too, and so are snapshots older than it. `machine` is the appending one.
 */
int transport_append(struct transport *t, int machine, const struct chain_end *base,
                     const struct team_event *events, size_t count, struct error *e);
/*
 * Keeps others from appending until the next transport_append or transport_unlock, so that a
 * change that was planned after it holds. A holder that stalls loses the lock after
 * TRANSPORT_WAIT_MS.
 */
int transport_lock(struct transport *t, struct error *e);
void transport_unlock(struct transport *t);

/*
 * A descriptor that becomes readable when somebody may have appended; -1 if there is none: poll.
 * transport_heard empties it.
 */
int transport_fd(struct transport *t);
void transport_heard(struct transport *t);

/* Notes what a machine has applied, and its sessions that changed; reads those of the others. */
int transport_report(struct transport *t, int machine, int64_t applied,
                     const struct team_session *sessions, size_t count, struct error *e);
int transport_sessions(struct transport *t, int64_t changed, struct arena *arena,
                       struct team_session **out, size_t *count, struct error *e);

/*
 * A snapshot: the bytes of a store as of an event. transport_put_snapshot reads the file `path`
 * and replaces older ones; transport_get_snapshot writes the newest one to the new file `path`.
 * *seq is its event. Returns 1, 0 if there is none, -1.
 */
int transport_put_snapshot(struct transport *t, int64_t seq, const char *path, struct error *e);
int transport_get_snapshot(struct transport *t, const char *path, int64_t *seq, struct error *e);
/* Sets *seq to the event of the newest snapshot. Returns 1, 0 if there is none, -1. */
int transport_find_snapshot(struct transport *t, int64_t *seq, struct error *e);

/* ---- a transport: only for store/team ---- */

struct transport_ops {
    /* Sets t->store. */
    int (*create)(struct transport *t, const char *store, const struct chain_end *at, bool first,
                  struct error *e);
    int (*stores)(struct transport *t, struct arena *arena, const char ***out, size_t *count,
                  struct error *e);
    int (*join)(struct transport *t, const char *machine, int *number, struct error *e);
    int (*leave)(struct transport *t, int machine, struct error *e);
    int (*machines)(struct transport *t, struct arena *arena, struct team_machine **out,
                    size_t *count, struct error *e);
    int (*head)(struct transport *t, struct chain_end *out, struct error *e);
    int (*fetch)(struct transport *t, int64_t after, size_t limit, struct arena *arena,
                 struct team_event **out, size_t *count, struct error *e);
    int (*append)(struct transport *t, int machine, const struct chain_end *base,
                  const struct team_event *events, size_t count, struct error *e);
    int (*lock)(struct transport *t, struct error *e);
    void (*unlock)(struct transport *t);
    int (*fd)(struct transport *t);
    void (*heard)(struct transport *t);
    int (*report)(struct transport *t, int machine, int64_t applied,
                  const struct team_session *sessions, size_t count, struct error *e);
    int (*sessions)(struct transport *t, int64_t changed, struct arena *arena,
                    struct team_session **out, size_t *count, struct error *e);
    int (*put_snapshot)(struct transport *t, int64_t seq, const char *path, struct error *e);
    int (*get_snapshot)(struct transport *t, const char *path, int64_t *seq, struct error *e);
    int (*find_snapshot)(struct transport *t, int64_t *seq, struct error *e);
    void (*close)(struct transport *t);
};

/* The head of each transport's own struct. */
struct transport {
    const struct transport_ops *ops;
    char *name;  /* without the password */
    char *store; /* its id; NULL before create */
};

struct transport *postgres_open(const char *address, const char *store, struct error *e);
struct transport *segments_open(const char *address, const char *store, struct error *e);

#endif
