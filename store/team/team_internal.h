/* The parts of a team's replica. Only for store/team. */
#ifndef STEMMA_TEAM_INTERNAL_H
#define STEMMA_TEAM_INTERNAL_H

#include "store/journal/canonical.h"
#include "store/journal/journal.h"
#include "store/team/team.h"
#include "store/team/transport.h"
#include "store/txn/txn.h"

/* What a job changed when it ran first, by the lines of the memory before and after. */
struct noted {
    const struct store_job *job;
    const char *ref, *before, *after;
    bool by_person;
};

/* The connection to the team. Only the writer's thread uses it. */
struct team_link {
    struct transport *transport; /* NULL while there is none */
    int64_t retry_at;            /* ms, monotonic: before that the team is not asked again */
    bool locked;
    struct arena arena;  /* of `noted` */
    int64_t noted_after; /* the last event that the team had then */
    struct noted *noted;
    size_t noted_count, noted_alloc;
};

extern const struct team_ops team_ops;

/* ---- receive.c ---- */

/* Sets *out to the parsed canonical text of an event. ERROR_STORE if it cannot be read. */
int team_read_canonical(struct canonical *out, const struct team_event *v, struct arena *arena,
                        struct error *e);
/*
 * What is wrong with an event that follows one with the hash `before`, by itself; NULL if nothing is. `c` is its
 * parsed canonical text.
 */
const char *team_check_event(const struct team_event *v, const struct canonical *c,
                             const struct digest *before);
/*
 * Appends an event of another machine to the journal, with what it changes. ERROR_STORE if it does
 * not follow the journal, or is not what its hash says: then the team's journal was altered.
 */
int team_receive(struct txn *t, const struct team_event *v, struct error *e);

/* ---- rebase.c ---- */

/*
 * Takes back the events that the team does not have, calls `receive` for those that it has instead,
 * and makes the former again. What no longer holds becomes a row of `disputed`.
 */
int team_rebase(struct txn *t, int (*receive)(struct txn *t, void *arg, struct error *e), void *arg,
                struct error *e);
/* Reads a line of the outbox; *out is NULL for NULL. */
int team_read_line(const struct memory **out, const char *line, struct arena *arena,
                   struct error *e);

/* ---- replica.c ---- */

/* Fetched in one transaction: an interrupted sync goes on with the next, and the log stays small. */
#define SYNC_EVENTS 10000

/* Fetches, applies and sends within the transaction. */
int team_catch_up(struct txn *t, bool lock, struct error *e);
/* The same, but nothing is fetched any more after the event `until`. */
int team_catch_up_until(struct txn *t, bool lock, int64_t until, struct error *e);
/* If what failed did so because the team has removed this machine, the error says that. */
void team_explain(struct transport *transport, int machine, struct error *e);
/* Notes that the journal up to the event `end` is the team's. */
int team_confirm(struct txn *t, const struct chain_end *end, struct error *e);

/* ---- membership.c ---- */

/*
 * Leaves the store as of its last commit at the transport. Nobody else writes here meanwhile. A
 * store that has more than the team, or less than this transaction, leaves none.
 */
int team_put_snapshot(struct txn *t, struct transport *transport, struct error *e);

#endif
