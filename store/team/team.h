/*
 * A team: one memory on many machines. Each has the whole store, a replica, and answers from it;
 * a transport (transport.h) has the order of its journal. A change is appended there before it is
 * acknowledged. While the team cannot be reached, changes are kept at the end of the replica's
 * journal, and made again after those of the others when it can (model/team/merge.h).
 */
#ifndef STEMMA_TEAM_H
#define STEMMA_TEAM_H

#include "store/db/store.h"

struct strbuf;
struct team_ops;
extern const struct team_ops team_ops; /* for store_open */

struct team_member {
    int number;
    const char *name;
    int64_t applied, seen_at; /* seen_at: ms since the epoch; 0 if unknown */
    bool damaged;             /* the file there that is its name cannot be read */
};

/* A purge that not all machines have applied yet. */
struct team_purge {
    const char *ref;
    int done;  /* by how many machines of `known`; the server's bodies are erased at once */
    int known; /* machines of which the team knows what they have applied */
};

struct team_status {
    bool member; /* else nothing else is set */
    const char *store, *address, *name;
    int machine;
    int64_t confirmed;           /* the last event that the team has */
    int64_t pending;             /* events that it does not have yet */
    int64_t behind;              /* events of the team that are not here yet, as last heard */
    int64_t disputed;            /* changes that did not hold, for a person to decide */
    int64_t seen_at;             /* when it was last reached; 0: never */
    const char *problem;         /* why it cannot be reached now; NULL if it can */
    struct team_member *members; /* as last heard */
    size_t member_count;
    struct team_purge *purges;
    size_t purge_count;
};

/* What the replica knows, without asking the team. */
int team_status(struct reader *r, struct arena *arena, struct team_status *out, struct error *e);
/* Appends "14 ms, 0 behind" or "offline, 7 to send"; `took` is team_answered_us. */
void team_add_summary(struct strbuf *out, const struct team_status *s, int64_t took);
/* 3: the event is the third that the team does not have, so its number may change; 0: it has it. */
int64_t team_provisional(struct reader *r, int64_t seq);
/* How long the team's last answer took, in microseconds; 0 if unknown. Any thread. */
int64_t team_answered_us(const struct store *s);

/*
 * Makes a team of a store: begins its journal at `address`, with a snapshot of the store for the
 * machines that join. `name` is this machine's. ERROR_CONFLICT if the store is a replica already.
 */
int team_create(struct store *s, const char *address, const char *name, struct error *e);
/* The same where another team is already. */
int team_create_another(struct store *s, const char *address, const char *name, struct error *e);
/*
 * Makes the new file `path` a replica of the team's store at `address`. `id` chooses among several
 * stores there; NULL if there is one. ERROR_CONFLICT if the file exists.
 */
int team_join(const char *path, const char *address, const char *id, const char *name,
              struct error *e);
/*
 * The same for a store that left the team, or a copy of a replica: its journal is the team's as far
 * as it goes. A machine that the team has removed is registered again.
 */
int team_return(struct store *s, const char *address, const char *id, const char *name,
                struct error *e);
/* The store goes on alone. ERROR_CONFLICT if it has events that the team does not have, unless `anyway`. */
int team_leave(struct store *s, bool anyway, struct error *e);
/* Takes another machine, which is lost, off the list; it appends no more. */
int team_remove(struct store *s, const struct team_status *now, int machine, struct error *e);
/* Leaves a new snapshot there, for the machines that join. */
int team_snapshot(struct store *s, struct error *e);
/*
 * Fetches, applies and sends all that waits; what others purged leaves this machine's files, and the
 * machines hear of each other. -1 also if the team cannot be reached. */
int team_sync(struct store *s, struct error *e);

/* A thread that keeps the replica up to date, for programs that run long. */
struct team_follower;
struct team_follower *team_follow(
    struct store *s); /* NULL if it is no member, read-only, or followed already */
void team_follow_end(struct team_follower *f); /* NULL is allowed */

/* A change that did not hold when others had been faster. Lines are JSONL; NULL if there was no memory. */
struct disputed {
    int64_t id, at;
    const char *ref; /* NULL if it was not about a memory */
    const char *actor, *operation, *reason;
    bool by_person;
    const char *base, *mine, *theirs;
};
/* Of one memory (its row), or of all (0). */
int team_disputed(struct reader *r, struct arena *arena, int64_t node, struct disputed **out,
                  size_t *count, struct error *e);

/* A field that the change set: the values as JSON; NULL for none. */
struct disputed_field {
    const char *name, *was, *mine, *now;
};
int team_disputed_fields(const struct disputed *d, struct arena *arena, struct disputed_field **out,
                         size_t *count, struct error *e);
/* A person has decided about it. */
int team_settle(struct store *s, int64_t id, struct error *e);

/* Compares the team's journal with the replica's; `report` is called for each difference. */
int team_verify(struct reader *r, void (*report)(void *arg, int64_t seq, const char *what),
                void *arg, struct error *e);

#endif
