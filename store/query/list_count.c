/*
 * Facts about lists that need no walk: whether there is a row, which agents have rows, what changed
 * last.
 */
#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/map.h"
#include "store/db/db.h"
#include "store/guard/guard.h"
#include "store/query/list.h"

int list_any(struct reader *r, const struct list_query *query, bool *any, struct error *e)
{
    int64_t node;
    struct list *l = list_open(r, query, NULL, e);
    if (!l)
        return -1;
    int found = list_next(l, &node, e);
    list_close(l);
    *any = found > 0;
    return found < 0 ? -1 : 0;
}

/* ---- agents ---- */

/*
 * Compares the agent of the first row with the others. If the table of agents has only one, no row
 * is read.
 */
int list_several_agents(struct reader *r, bool *several, struct error *e)
{
    int64_t agents, others = 0;
    struct db *db = reader_db(r);
    if (reader_begin(r, e))
        return -1;
    int result =
        db_int(db, &agents, 0, e, "SELECT count(*) FROM (SELECT 1 FROM agent LIMIT 2)", "");
    if (result == 0 && agents > 1)
        result = db_int(db, &others, 0, e,
                        "SELECT count(*) FROM (SELECT 1 FROM memory INDEXED BY memory_created"
                        " WHERE status <> 7 AND (?1 >> status) & 1 AND agent <> (SELECT agent"
                        " FROM memory INDEXED BY memory_created"
                        " WHERE status <> 7 AND (?1 >> status) & 1 LIMIT 1) LIMIT 1)",
                        "i", (int64_t)STATUSES_LISTED);
    reader_end(r);
    *several = others > 0;
    return result;
}

/* Counted in C, because SQLite would sort the rows for GROUP BY. */
static int count_agents(struct db *db, struct map *t, struct error *e)
{
    struct query rows = db_query(db, e,
                                 "SELECT agent FROM memory INDEXED BY memory_created"
                                 " WHERE status <> 7 AND (?1 >> status) & 1 AND agent > 0",
                                 "i", (int64_t)STATUSES_LISTED);
    while (db_next(&rows))
        ++*map_at(t, sqlite3_column_int64(rows.stmt, 0));
    return db_end(&rows);
}

static int by_count(const void *a, const void *b)
{
    const struct agent_count *x = a, *y = b;
    return x->count != y->count ? COMPARE(y->count, x->count) : strcmp(x->name, y->name);
}

static int name_agents(struct db *db, const struct map *t, struct arena *arena,
                       struct agent_count **out, size_t *count, struct error *e)
{
    *out = arena_array(arena, t->keys.count, sizeof(**out));
    for (*count = 0; *count < t->keys.count; ++*count) {
        struct query row =
            db_query(db, e, "SELECT name FROM agent WHERE id = ?", "i", t->keys.row[*count]);
        const char *name = db_next(&row) ? column_utf8(arena, row.stmt, 0) : "?";
        if (db_end(&row))
            return -1;
        (*out)[*count] = (struct agent_count){name, t->value[*count]};
    }
    SORT(*out, *count, by_count);
    return 0;
}

int list_agents(struct reader *r, struct arena *arena, struct agent_count **out, size_t *count,
                struct error *e)
{
    AUTO(map) t = MAP_INIT;
    struct db *db = reader_db(r);
    if (reader_begin(r, e))
        return -1;
    int result = count_agents(db, &t, e) || name_agents(db, &t, arena, out, count, e) ? -1 : 0;
    return reader_done(r, result);
}

int64_t list_find_agent(struct reader *r, const char *name, struct error *e)
{
    int64_t found;
    bool has = true;
    if (db_int(reader_db(r), &found, 0, e, "SELECT id FROM agent WHERE name = ?", "s", name))
        return -1;
    if (found == 0 || !guard_hides(r))
        return found;
    struct list_query query = {.agent = name, .statuses = STATUSES_ALL};
    if (guard_hides_agent(r, name))
        query.kinds = KIND_BIT(KIND_ENTRY); /* only entries of other agents may be visible */
    return list_any(r, &query, &has, e) ? -1 : has ? found : 0;
}

struct named_agent list_named_agent(struct reader *r, const char *name)
{
    struct error ignored;
    const struct guard *g = reader_guarded(r);
    bool has = !name || !g || strcmp(name, g->agent) == 0;
    if (has || (list_has_agent(r, name, &has, &ignored) == 0 && has))
        return (struct named_agent){name, NULL};
    return (struct named_agent){g->agent, name};
}

int list_has_agent(struct reader *r, const char *name, bool *has, struct error *e)
{
    int64_t found = list_find_agent(r, name, e);
    *has = found > 0;
    return found < 0 ? -1 : 0;
}

/* ---- source types ---- */

static int list_names(struct reader *r, const char *sql, struct arena *arena, const char ***names,
                      size_t *count, struct error *e)
{
    size_t alloc = 0;
    *names = NULL;
    *count = 0;
    struct query rows = db_query(reader_db(r), e, sql, "");
    while (db_next(&rows)) {
        const char *name = db_text(arena, rows.stmt, 0);
        *ARENA_ADD(arena, *names, *count, alloc) = name ? name : "";
    }
    return db_end(&rows);
}

int list_source_types(struct reader *r, struct arena *arena, const char ***names, size_t *count,
                      struct error *e)
{
    return list_names(r, "SELECT name FROM source_type ORDER BY id", arena, names, count, e);
}

/* Each name is found in the index after the one before. */
int list_flags(struct reader *r, struct arena *arena, const char ***names, size_t *count,
               struct error *e)
{
    return list_names(r,
                      "WITH RECURSIVE n(mark) AS (SELECT min(mark) FROM mark UNION ALL"
                      " SELECT (SELECT min(k.mark) FROM mark k WHERE k.mark > n.mark) FROM n WHERE "
                      "n.mark IS NOT NULL)"
                      " SELECT mark FROM n WHERE mark IS NOT NULL",
                      arena, names, count, e);
}

/*
 * The last changes: each memory has its last event, and an index on it, so only results are read.
 */

struct search {
    struct reader *r;
    int64_t after;
    struct latest_change *found; /* newest first */
    size_t count, limit;
    struct error *e;
};

static void insert_newest(struct search *s, struct latest_change one)
{
    size_t at = s->count < s->limit ? s->count++ : s->limit - 1;
    for (; at > 0 && s->found[at - 1].seq < one.seq; at--)
        s->found[at] = s->found[at - 1];
    s->found[at] = one;
    if (s->count == s->limit)
        s->after = s->found[s->limit - 1].seq;
}

/*
 * Reads the memories of an agent (0: none) by the index, newest first, until there are `limit`
 * newer ones.
 */
static int find_of(struct search *s, enum kind kind, int64_t agent)
{
#define FIND   "SELECT id, event FROM memory WHERE kind = ? AND agent IS ? AND event > ?"
#define NEWEST " ORDER BY event DESC"
    bool checks = guard_hides_of(s->r, KIND_BIT(kind));
    struct query rows =
        db_query(reader_db(s->r), s->e, checks ? FIND GUARD_SQL NEWEST : FIND NEWEST, "iri",
                 (int64_t)kind, agent, s->after);
    while (db_next(&rows) && sqlite3_column_int64(rows.stmt, 1) > s->after)
        insert_newest(s, (struct latest_change){sqlite3_column_int64(rows.stmt, 0),
                                                sqlite3_column_int64(rows.stmt, 1)});
    return db_end(&rows);
}

static int find_kinds(struct search *s, unsigned kinds, int64_t agent)
{
    for (int kind = 0; kind < KIND_COUNT; kind++)
        if (kinds & KIND_BIT(kind) && find_of(s, (enum kind)kind, agent))
            return -1;
    return 0;
}

/* For one agent; without a name for all agents and for memories without one. */
static int find_agents(struct search *s, unsigned kinds, const char *agent)
{
    struct query rows = db_query(reader_db(s->r), s->e,
                                 "SELECT id FROM agent WHERE ?1 IS NULL OR name = ?1", "s", agent);
    while (db_next(&rows))
        if (find_kinds(s, kinds, sqlite3_column_int64(rows.stmt, 0)))
            return db_fail(&rows);
    return db_end(&rows) ? -1 : agent ? 0 : find_kinds(s, kinds, 0);
}

/* Entries are visible by namespace, not by author. */
static int find_open(struct search *s, const char *agent, int64_t only)
{
    const unsigned entries = KIND_BIT(KIND_ENTRY);
    const struct guard *g = reader_guarded(s->r);
    unsigned kinds = guard_kinds(s->r, KINDS_ALL);
    bool is_own = agent && strcmp(agent, g->agent) == 0;
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

int list_has_transcripts(struct reader *r, bool *has, struct error *e)
{
    int64_t found;
    int result = db_int(reader_db(r), &found, 0, e, "SELECT EXISTS(SELECT 1 FROM source_file)", "");
    *has = result == 0 && found;
    return result;
}
