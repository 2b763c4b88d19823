/* What changed last: a memory knows the last event on it, so that nothing is walked but what is found. */
#include "store/journal/journal.h"

#include <string.h>
#include "store/guard/guard.h"
#include "store/db/reader.h"

struct search {
    struct reader *r;
    int64_t after;
    struct latest *found; /* the newest first */
    size_t count, limit;
    struct error *e;
};

static void keep(struct search *s, struct latest one)
{
    size_t at = s->count < s->limit ? s->count++ : s->limit - 1;
    for (; at > 0 && s->found[at - 1].seq < one.seq; at--)
        s->found[at] = s->found[at - 1];
    s->found[at] = one;
    if (s->count == s->limit)
        s->after = s->found[s->limit - 1].seq;
}

/* Those of one agent, 0 being nobody, in the order of an index. */
static int find_of(struct search *s, enum kind kind, int64_t agent)
{
#define FIND   "SELECT id, event FROM memory WHERE kind = ? AND agent IS ? AND event > ?"
#define NEWEST " ORDER BY event DESC"
    struct db *db = reader_db(s->r);
    bool asks = guard_hides_of(s->r, KIND_BIT(kind));
    sqlite3_stmt *stmt = db_prepare(db, asks ? FIND GUARD_SQL NEWEST : FIND NEWEST, s->e);
    int more = stmt ? db_bind(db, stmt, s->e, "iri", (int64_t)kind, agent, s->after) : -1;
    while (more > 0) {
        struct latest one = {sqlite3_column_int64(stmt, 0), sqlite3_column_int64(stmt, 1)};
        if (one.seq <= s->after) /* there are as many newer ones by now */
            break;
        keep(s, one);
        more = db_step(db, stmt, s->e);
    }
    if (stmt)
        sqlite3_reset(stmt);
    return more < 0 ? -1 : 0;
}

static int find_kinds(struct search *s, unsigned kinds, int64_t agent)
{
    for (int kind = 0; kind < KIND_COUNT; kind++)
        if (kinds & KIND_BIT(kind) && find_of(s, (enum kind)kind, agent))
            return -1;
    return 0;
}

/* Of an agent by its name, else of all, and of nobody. */
static int find_agents(struct search *s, unsigned kinds, const char *agent)
{
    static const char some[] = "SELECT id FROM agent WHERE ?1 IS NULL OR name = ?1";
    struct db *db = reader_db(s->r);
    sqlite3_stmt *stmt = db_prepare(db, some, s->e);
    int more = stmt ? db_bind(db, stmt, s->e, "s", agent) : -1;
    while (more > 0 && find_kinds(s, kinds, sqlite3_column_int64(stmt, 0)) == 0)
        more = db_step(db, stmt, s->e);
    if (stmt)
        sqlite3_reset(stmt);
    return more ? -1 : agent ? 0 : find_kinds(s, kinds, 0);
}

/* Entries are governed by their namespaces, whoever wrote them. */
static int find_open(struct search *s, const char *agent, int64_t only)
{
    const unsigned entries = KIND_BIT(KIND_ENTRY);
    const struct guard *g = reader_guarded(s->r);
    unsigned kinds = guard_kinds(s->r, KINDS_ALL);
    bool is_own = agent && g->agent && strcmp(agent, g->agent) == 0;
    if (kinds & entries && find_agents(s, entries, agent))
        return -1;
    kinds &= ~entries;
    if ((!agent || is_own) && only > 0 && find_kinds(s, kinds, only))
        return -1;
    return agent ? 0 : find_kinds(s, kinds, 0);
}

/* A store that nobody has written to since stemma has the index is without it, and one look at each agent and kind would
 * be a walk over all memories of the kind. */
static int has_index(struct db *db, bool *found, struct error *e)
{
    int64_t there;
    if (db_int(db, &there, 0, e,
               "SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = 'memory_latest'", ""))
        return -1;
    *found = there == 1;
    return 0;
}

/* The same, as the journal has it. O(events after `after`). */
static int find_in_journal(struct search *s, unsigned kinds, const char *agent)
{
#define WALK                                                                                       \
    "SELECT memory.id, seq FROM event CROSS JOIN memory ON memory.id = subject"                    \
    " WHERE seq > ?1 AND memory.event = seq AND (1 << kind) & ?2"                                  \
    " AND (?3 IS NULL OR agent = (SELECT id FROM agent WHERE name = ?3))"
#define BACK " ORDER BY seq DESC"
    struct db *db = reader_db(s->r);
    bool asks = guard_hides_of(s->r, kinds);
    sqlite3_stmt *stmt = db_prepare(db, asks ? WALK GUARD_SQL BACK : WALK BACK, s->e);
    int more = stmt ? db_bind(db, stmt, s->e, "iis", s->after, (int64_t)kinds, agent) : -1;
    while (more > 0) {
        keep(s, (struct latest){sqlite3_column_int64(stmt, 0), sqlite3_column_int64(stmt, 1)});
        more = s->count < s->limit ? db_step(db, stmt, s->e) : 0;
    }
    if (stmt)
        sqlite3_reset(stmt);
    return more < 0 ? -1 : 0;
}

static int find(struct search *s, const char *agent)
{
    unsigned kinds = guard_kinds(s->r, KINDS_ALL);
    int64_t only = guard_only_agent(s->r);
    bool indexed;
    if (has_index(reader_db(s->r), &indexed, s->e))
        return -1;
    return !indexed ? find_in_journal(s, kinds, agent)
           : only   ? find_open(s, agent, only)
                    : find_agents(s, kinds, agent);
}

int journal_latest(struct reader *r, int64_t after, const char *agent, size_t limit,
                   struct latest *out, size_t *count, struct error *e)
{
    struct search s = {.r = r, .after = after, .found = out, .limit = limit, .e = e};
    if (reader_begin(r, e))
        return -1;
    int result = find(&s, agent);
    reader_end(r);
    *count = s.count;
    return result;
}
