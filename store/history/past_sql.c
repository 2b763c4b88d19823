/*
 * SQLite takes a UNION ALL apart into the statement around it where that sorts by what it gives,
 * does not sum up, and does not have the union on the right of a LEFT JOIN; otherwise it makes the
 * whole view, for each row that is asked for. What follows says the same as the statements do in a
 * way in which it does not come to that. Whoever changes one of those need not know: then it is
 * answered as before, only slower; the test of the plans says so.
 */
#include "store/history/past_sql.h"

#include <string.h>
#include "model/base/strbuf.h"
#include "store/journal/call_chain.h"

struct rule {
    bool whole; /* `from` is all of the statement, else it may stand anywhere in it */
    const char *from;
    const char *to;
    const char *end; /* put behind the statement; NULL: nothing */
};

/* Links with the use that was made, from one pair of tables: the memory is in one of the two. */
#define LINKS_OF(link, use)                                                                        \
    "SELECT l.number, l.shape, l.at, l.reason, l.target, t.kind, t.name,"                          \
    " (SELECT status FROM memory WHERE id = l.target),"                                            \
    " u.memory, u.relevance, u.score, u.excerpt, u.chunk, u.rank, u.page, u.section,"              \
    " u.version_hash, u.label, u.title, l.position"                                                \
    " FROM " link " l LEFT JOIN main.memory t ON t.id = l.target LEFT JOIN " use " u"              \
    " ON u.memory = l.memory AND u.number = l.number AND u.position = l.position"                  \
    " WHERE l.memory = ?1"

static const struct rule rules[] = {
    /* A subquery with a LIMIT is asked for by itself, so the union within it can be taken apart. */
    {false, "SELECT count(*) FROM memory INDEXED BY memory_created WHERE",
     "SELECT count(*) FROM (SELECT 1 FROM listed_created WHERE", " LIMIT -1)"},
    {true, "SELECT count(*) FROM memory WHERE status < 7",
     "SELECT count(*) FROM (SELECT 1 FROM listed_created WHERE status < 7", " LIMIT -1)"},
    {true,
     "SELECT gather_node(?1, id, kind, status) FROM memory INDEXED BY memory_created"
     " WHERE status < 7",
     "SELECT gather_node(?1, id, kind, status) FROM (SELECT id, kind, status FROM listed_created"
     " WHERE status < 7 LIMIT -1)",
     NULL},
    {true,
     "SELECT gather_link(?1, memory, number, target, shape) FROM link"
     " WHERE memory >= ?2 AND memory < ?3",
     "SELECT gather_link(?1, memory, number, target, shape) FROM"
     " (SELECT memory, number, target, shape, position FROM link"
     " WHERE memory >= ?2 AND memory < ?3 ORDER BY memory, number, position LIMIT -1)",
     NULL},
    /* A list's index, under the name of its view. */
    {false, "memory INDEXED BY memory_", "listed_", NULL},
    {false, " FROM event INDEXED BY event_confidence WHERE ",
     " FROM main.event INDEXED BY event_confidence WHERE seq <= past_moment() AND ", NULL},
    /* Rows and refs stay what they are. */
    {true, "SELECT max(id) FROM memory", "SELECT max(id) FROM main.memory", NULL},
    {true, "SELECT kind FROM memory WHERE id = ?", "SELECT kind FROM main.memory WHERE id = ?",
     NULL},
    {false, " FROM call c LEFT JOIN memory m ", " FROM call c LEFT JOIN main.memory m ", NULL},
    /* Its rows are not all that there are up to a number. */
    {true, CALL_COUNT, "SELECT coalesce(sum(" CALL_LINES "), 0) FROM call WHERE id <= ?1", NULL},
    /* What is sorted by is among what is given. */
    {true, "SELECT id FROM memory WHERE kind = ? AND status < 7 ORDER BY name",
     "SELECT id, name FROM memory WHERE kind = ? AND status < 7 ORDER BY name", NULL},
    {true, "SELECT memory, target FROM link WHERE shape & 31 = ? ORDER BY memory, number",
     "SELECT memory, target, number FROM link WHERE shape & 31 = ? ORDER BY memory, number", NULL},
    {true,
     "SELECT memory, new FROM history WHERE origin IS NULL AND new IS NOT NULL ORDER BY memory,"
     " position",
     "SELECT memory, new, position FROM history WHERE origin IS NULL AND new IS NOT NULL"
     " ORDER BY memory, position",
     NULL},
    /* The parts come one after the other, and each in the order of its key. */
    {true,
     "SELECT m.kind, m.status, l.number, l.target, l.shape FROM memory m"
     " LEFT JOIN link l ON l.memory = m.id WHERE m.id = ? ORDER BY l.number, l.position",
     "SELECT kind, status, NULL, NULL, NULL FROM memory WHERE id = ?1"
     " UNION ALL SELECT NULL, NULL, number, target, shape FROM link WHERE memory = ?1",
     NULL},
    {true,
     "SELECT l.number, l.shape, l.at, l.reason, l.target, t.kind, t.name, t.status,"
     " u.memory, u.relevance, u.score, u.excerpt, u.chunk, u.rank, u.page, u.section,"
     " u.version_hash, u.label, u.title, l.position"
     " FROM link l LEFT JOIN memory t ON t.id = l.target LEFT JOIN use u"
     " ON u.memory = l.memory AND u.number = l.number AND u.position = l.position"
     " WHERE l.memory = ? ORDER BY l.number, l.position",
     LINKS_OF("main.link", "main.use") " AND past_same(?1) UNION ALL " LINKS_OF("temp.then_link",
                                                                                "temp.then_use"),
     NULL},
    /* The index of texts is that of the present. What has changed since may have said anything, and
     * is looked at; what it says now is not found in what it said then. */
    {true, "SELECT rowid FROM memory_fts WHERE memory_fts MATCH ? ORDER BY rowid DESC",
     "SELECT rowid FROM memory_fts WHERE memory_fts MATCH ?"
     " UNION SELECT id FROM temp.then_memory ORDER BY 1 DESC",
     NULL},
    {true, "SELECT doc, term FROM temp.memory_terms WHERE term >= ? AND term < ?",
     "SELECT doc, term FROM temp.memory_terms WHERE term >= ?1 AND term < ?2"
     " UNION ALL SELECT id, ?1 FROM temp.then_memory",
     NULL},
};

static char *apply(const struct rule *rule, const char *sql)
{
    struct strbuf out = STRBUF_INIT;
    size_t len = strlen(rule->from);
    const char *found;
    for (; (found = strstr(sql, rule->from)); sql = found + len) {
        strbuf_add(&out, sql, (size_t)(found - sql));
        strbuf_addstr(&out, rule->to);
    }
    strbuf_addstr(&out, sql);
    if (rule->end)
        strbuf_addstr(&out, rule->end);
    return strbuf_detach(&out, NULL);
}

static bool applies(const struct rule *rule, const char *sql)
{
    return rule->whole ? strcmp(sql, rule->from) == 0 : strstr(sql, rule->from) != NULL;
}

static char *vary(const char *sql)
{
    for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
        if (applies(&rules[i], sql))
            return apply(&rules[i], sql);
    return NULL;
}

void past_sql_vary(struct db *db)
{
    db_vary(db, vary);
}
