/* Writes memories: txn_put, on which all operations are built, and its parts. Only for store/. */
#ifndef STEMMA_PUT_H
#define STEMMA_PUT_H

#include "model/memory/memory.h"
#include "store/txn/txn.h"
#include "model/base/error.h"

/*
 * Replaces `before` by `after`; `before` NULL adds a memory, or fills a stub. Writes the rows,
 * links, history, flags and the text index, creates stubs for new refs, and appends one event.
 * Fills after->node, after->event and the nodes of antecedents (in a bulk load these are not known
 * yet). If the version is not above that of `before`, it becomes one more. `operation` is a
 * constant ("add", "import"); `reason` may be NULL.
 *
 * ERROR_INVALID: it could not be read back unchanged. ERROR_CONFLICT: `before` is NULL and the ref
 * exists, or `before` is not what is stored, or what is stored does not match its last event. After
 * these nothing was written and the job may continue. After any other error the job must fail; its
 * savepoint is rolled back whatever it returns.
 */
int txn_put(struct txn *t, const struct actor *actor, const char *operation,
            const struct memory *before, struct memory *after, const char *reason, struct error *e);

/* Options of an event for txn_put_as. */
struct put {
    const char *operation; /* a constant */
    const char *reason;    /* NULL if none */
    int64_t undoes;        /* the event that this reverts; 0 if none */
    bool erases;           /* erase all former states from the patches */
    /*
     * For a replica (store/team). `received`: the event of another machine, which is appended as it
     * is; what the caller read as `before` is replaced whatever it is. `taken_back`: no event is
     * appended; the memory is put back as event `event` left it (0: it had none).
     */
    const struct received *received;
    bool taken_back;
    bool again; /* made again after the changes of others */
    int64_t event;
};
/*
 * As txn_put. If `after` is NULL the addition is reverted: a stub with only its ref remains, the
 * event has no `after`, and its patch has the whole memory. Memories based on it then have a
 * missing antecedent.
 */
int txn_put_as(struct txn *t, const struct actor *actor, const struct put *how,
               const struct memory *before, struct memory *after, struct error *e);

/* ---- parts of txn_put ---- */

/*
 * Checks that the memory can be stored and read back unchanged: valid UTF-8, numbers in range, no
 * ref twice in a group, `detail` a minified object. ERROR_INVALID names the memory and the field.
 */
int put_check(const struct memory *m, struct strbuf *scratch, struct error *e);

/* The statements that insert a memory, into the tables or into temporary ones of the same shape. */
struct put_tables {
    const char *memory, *link, *use, *history, *mark, *attribution, *lookup, *entry;
};
#define PUT_TABLES(prefix)                                                                         \
    {                                                                                              \
        "INSERT INTO " prefix "memory(id, kind, name, status, agent, source_type, created_at,"     \
        " updated_at, confidence, protected, version, event, text, source, source_entity, "        \
        "context,"                                                                                 \
        " tags, annotations, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "  \
        "?,"                                                                                       \
        " ?) ON CONFLICT DO NOTHING",                                                              \
            "INSERT INTO " prefix "link(memory, number, position, target, shape, at, reason)"      \
            " VALUES (?, ?, ?, ?, ?, ?, ?)",                                                       \
            "INSERT INTO " prefix "use(memory, number, position, relevance, score, excerpt,"       \
            " chunk, rank, page, section, version_hash, label, title, target) VALUES"              \
            " (?, ?, ?, ?, ?, ?, nullif(?, " CHUNK_NONE_SQL                                        \
            "), nullif(?, -1), nullif(?, -1), ?, ?, ?, ?, ?)",                                     \
            "INSERT INTO " prefix "history(memory, position, at, old, new, reason,"                \
            " evidence_source, operation, actor, origin, before, after) VALUES"                    \
            " (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",                                               \
            "INSERT INTO " prefix "mark(memory, position, mark, at, actor, value, reason,"         \
            " by_agent) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",                                          \
            "INSERT INTO " prefix "attribution(memory, agent, type, at) VALUES (?, ?, ?, ?)"       \
            " ON CONFLICT DO NOTHING",                                                             \
            "INSERT INTO " prefix "lookup(memory, field, key, agent) VALUES (?, ?, ?, ?)",         \
            "INSERT INTO " prefix "entry(memory, namespace, key, shown, state, hidden, created,"   \
            " updated, event, expires, bytes, open) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"   \
            " ON CONFLICT(memory) DO UPDATE SET namespace = excluded.namespace, key ="             \
            " excluded.key, shown = excluded.shown, state = excluded.state, hidden ="              \
            " excluded.hidden, created = excluded.created, updated = excluded.updated, event ="    \
            " excluded.event, expires = excluded.expires, bytes = excluded.bytes, open ="          \
            " excluded.open"                                                                       \
    }
extern const struct put_tables main_tables;
/*
 * Inserts all rows of a memory that does not exist. Its links must have rows; its agent and source
 * type must exist.
 */
int put_whole(struct db *db, const struct put_tables *to, const struct memory *m, struct error *e);

/* A row of the table of links. */
struct link_row {
    int64_t memory, target; /* target is 0 if none */
    int64_t at;             /* `at` and `reason` are only set at position 0 */
    const char *reason;
    uint32_t number, position;
    uint32_t shape;
};
int put_link_row(struct txn *t, const struct link_row *link, struct error *e);

/*
 * Erases the former states of `m` (may be a stub) up to its event `last`, including that event's
 * patch, and appends an event. The memory, its version and its time do not change.
 */
int txn_sweep(struct txn *t, const struct actor *actor, const struct memory *m, int64_t last,
              struct error *e);
/* The same for the sweep of another machine. */
int txn_sweep_received(struct txn *t, const struct received *received, const struct memory *m,
                       int64_t last, struct error *e);

/* Appends the strings as a JSON array, as columns have them; nothing if there are none. */
void put_strings(struct strbuf *out, const char *const *strings, size_t count);
/* The detail column: NULL for "" and "{}". */
const char *put_detail(const struct memory *m);

/*
 * The groups of a memory's links as numbered in table link: justifications in order from 0, then
 * relations, each a group of one.
 */
struct group {
    unsigned shape; /* GRAPH_SHAPE(role, reading, recorded) */
    int64_t at;
    const char *reason;
    const struct antecedent *members; /* owned by the memory; NULL for a relation */
    size_t count;
    struct antecedent target; /* for a relation */
};

static inline size_t groups_count(const struct memory *m)
{
    return m->justification_count + m->relation_count;
}
struct group groups_at(const struct memory *m, size_t number);
static inline const struct antecedent *group_antecedent(const struct group *g, size_t position)
{
    return g->members ? &g->members[position] : &g->target;
}
/* True if no member is set; an empty use has no row. */
bool use_is_empty(const struct use *u);

/*
 * The rules for an entry that agents can find, read and overwrite. Every way by which people add or
 * change one checks them, so that it accepts only what putMemory accepts. And the rule for the number of a step. Only
 * for store/.
 */
struct db;

/*
 * Checks those of namespace, key, value and expires_at that are present. Other kinds always pass.
 * ERROR_INVALID names the member and what to give.
 */
int entry_check_given(const struct memory *m, struct error *e);
/*
 * The same, and requires a namespace, a value, and the key as text. expires_at must be in the
 * future: otherwise the value would be erased at once, which no undo reverts.
 */
int entry_check(const struct memory *m, int64_t now, struct error *e);
/*
 * The same for a JSONL line, whose expires_at may be past. A living entry must be complete, except
 * for the value of an expired one, and its text may differ from its key. For other entries only
 * present members are checked. The error names the memory.
 */
int entry_check_line(const struct memory *m, int64_t now, struct error *e);

/* Each step of a chain has a number of its own: ERROR_CONFLICT names another step that has the number of `m`. O(steps
 * of the chain). What is no step, or has no number, passes. */
int step_number_check(struct db *db, const struct memory *m, struct error *e);
/* The same for a step whose addition was undone, before it returns by a redo or an import. Any other memory passes. */
int step_return_check(struct db *db, const struct memory *m, struct error *e);

#endif
