/* What changed last: a memory knows the last event on it, so that nothing is walked but what is found. */
#include "store/query/list.h"

#include <string.h>
#include "store/guard/guard.h"
#include "store/db/reader.h"

struct search {
    struct reader *r;
    int64_t after;
    struct latest_change *found; /* the newest first */
    size_t count, limit;
    struct error *e;
};

static void keep(struct search *s, struct latest_change one)
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
        struct latest_change one = {sqlite3_column_int64(stmt, 0), sqlite3_column_int64(stmt, 1)};
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

static int find(struct search *s, const char *agent)
{
    unsigned kinds = guard_kinds(s->r, KINDS_ALL);
    int64_t only = guard_only_agent(s->r);
    return only ? find_open(s, agent, only) : find_agents(s, kinds, agent);
}

int list_latest_changes(struct reader *r, int64_t after, const char *agent, size_t limit,
                        struct latest_change *out, size_t *count, struct error *e)
{
    struct search s = {.r = r, .after = after, .found = out, .limit = limit, .e = e};
    if (reader_begin(r, e))
        return -1;
    int result = find(&s, agent);
    reader_end(r);
    *count = s.count;
    return result;
}
