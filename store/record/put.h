/* A memory is written: txn_put, which every operation is made of, and its parts. For store/ alone. */
#ifndef STEMMA_PUT_H
#define STEMMA_PUT_H

#include "model/memory/memory.h"
#include "store/txn/txn.h"

/*
 * The operation that all others are made of: `after` replaces `before` (NULL: it is added, or fills a
 * stub). Writes the rows, links, history, marks and the index of the text, creates stubs for refs
 * never named, and appends one event. Fills after->node, after->event and the antecedents' nodes (in a
 * bulk load, which only adds, those are not known yet); a
 * version that is not above before's becomes one more. `operation` is a constant ("add", "import");
 * `reason` may be NULL.
 *
 * ERROR_INVALID: what could not be read back as it is. ERROR_CONFLICT: `before` is NULL and the ref
 * is taken, or `before` is not what is stored, or what is stored is not what its last event left.
 * After these nothing was written and the job may go on; after any other error it must fail, and its
 * savepoint is rolled back whatever it returns.
 */
int txn_put(struct txn *t, const struct actor *actor, const char *operation,
            const struct memory *before, struct memory *after, const char *reason, struct error *e);

/* The same with what an event may say besides. */
struct put {
    const char *operation; /* a constant */
    const char *reason;    /* NULL: none */
    int64_t undoes;        /* the event that this takes back; 0: none */
    bool erases;           /* nothing of what it was may be kept, in any patch */
};
/*
 * `after` NULL: an addition is taken back. A stub remains, of which nothing is left but its ref; the event
 * has no `after`, and its patch holds the whole memory. What rests on it has a missing antecedent then.
 */
int txn_put_as(struct txn *t, const struct actor *actor, const struct put *how,
               const struct memory *before, struct memory *after, struct error *e);

/* ---- its parts ---- */

/*
 * Could this memory be stored and read back as it is? Every string valid UTF-8, numbers in range, no
 * ref twice in a group, `detail` a minified object. ERROR_INVALID names the memory and the field.
 */
int put_check(const struct memory *m, struct strbuf *scratch, struct error *e);

/* The statements that insert a memory: into the tables, or into others of the same shape. */
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
            " (?, ?, ?, ?, ?, ?, nullif(?, -1), nullif(?, -1), nullif(?, -1), ?, ?, ?, ?, ?)",     \
            "INSERT INTO " prefix "history(memory, position, at, old, new, reason,"                \
            " evidence_source, operation, actor, origin) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",   \
            "INSERT INTO " prefix "mark(memory, position, mark, at, actor, value, reason)"         \
            " VALUES (?, ?, ?, ?, ?, ?, ?)",                                                       \
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
/* All of a memory that is not there, whose links lead to rows; the names that it bears are in the store. */
int put_whole(struct db *db, const struct put_tables *to, const struct memory *m, struct error *e);

/* A row of the table of links. */
struct link_row {
    int64_t memory, target; /* target 0: none */
    int64_t at;             /* this and the reason stand on position 0 alone */
    const char *reason;
    uint32_t number, position;
    uint32_t shape;
};
int put_link_row(struct txn *t, const struct link_row *link, struct error *e);

/*
 * Sweeps what `m` was before its event `last`, that one's patch included, and nothing of what it is, which may be a
 * stub: an event that says so. Neither its version nor its time changes.
 */
int txn_sweep(struct txn *t, const struct actor *actor, const struct memory *m, int64_t last,
              struct error *e);

/* Appends the strings as a JSON array; nothing where there are none. The form of the columns. */
void put_strings(struct strbuf *out, const char *const *strings, size_t count);
/* "" or "{}" are no detail. */
const char *put_detail(const struct memory *m);

/*
 * The groups of a memory's links as the link table numbers them: its justifications in their order
 * from 0, then its relations, each a group of one.
 */

struct group {
    unsigned shape; /* GRAPH_SHAPE(role, reading, recorded) */
    int64_t at;
    const char *reason;
    const struct antecedent *members; /* of the memory's; NULL for a relation */
    size_t count;
    struct antecedent target; /* of a relation */
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
/* Does it say anything at all? One that does not is no row. */
bool use_is_empty(const struct use *u);

#endif
