/* What the readers of foreign databases share. */
#include "store/import/other_tables.h"

#include <inttypes.h>
#include <stdio.h>
#include "model/base/strbuf.h"

/* Real tables, without shadow tables of virtual tables, whose names begin with theirs. */
static const char real_tables[] =
    "SELECT name FROM sqlite_schema t WHERE type = 'table' AND rootpage > 0"
    " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND NOT EXISTS (SELECT 1 FROM sqlite_schema v"
    " WHERE v.type = 'table' AND v.rootpage = 0"
    " AND substr(t.name, 1, length(v.name) + 1) = v.name || '_' COLLATE NOCASE) ORDER BY name";

/* Appends "NAME 12". A table that cannot be read must not stop an import. Empty tables are left
 * out. */
static void add_table(struct db *db, struct strbuf *out, const char *name)
{
    int64_t rows;
    struct error unreadable;
    AUTO_STRBUF sql = STRBUF_INIT;
    strbuf_addstr(&sql, "SELECT count(*) FROM \"");
    for (const char *c = name; *c; c++)
        strbuf_addf(&sql, "%s%c", *c == '"' ? "\"" : "", *c);
    strbuf_addch(&sql, '"');
    if (db_int(db, &rows, 0, &unreadable, sql.buf, ""))
        strbuf_addf(out, "%s (cannot be read)", name);
    else if (rows)
        strbuf_addf(out, "%s %" PRId64, name, rows);
}

int other_tables(struct db *db, bool (*is_read)(void *arg, const char *table), void *arg, char *out,
                 size_t size, struct error *e)
{
    const size_t rest = 32; /* ", and 12345 more" */
    AUTO_STRBUF one = STRBUF_INIT;
    AUTO_ARENA arena = ARENA_INIT;
    size_t len = 0, more = 0;
    *out = '\0';
    struct query others = db_query(db, e, real_tables, "");
    while (db_next(&others)) {
        const char *name = db_text(&arena, others.stmt, 0);
        strbuf_clear(&one);
        if (!is_read(arg, name))
            add_table(db, &one, name);
        if (one.len == 0)
            continue;
        if (more || len + one.len + 2 + rest > size)
            more++;
        else
            len += (size_t)snprintf(out + len, size - len, "%s%s", len ? ", " : "", one.buf);
    }
    if (more)
        snprintf(out + len, size - len, ", and %zu more", more);
    return db_end(&others);
}

#define AGENTS_NAMED 12 /* the rest are counted */

int import_unknown_agent(const char *path, const char *agent, const struct key_index *agents,
                         struct error *e)
{
    AUTO_STRBUF all = STRBUF_INIT;
    for (size_t i = 0; i < agents->count && i < AGENTS_NAMED; i++)
        strbuf_addf(&all, "%s%s", i ? ", " : "", agents->key[i].text);
    if (agents->count > AGENTS_NAMED)
        strbuf_addf(&all, " and %zu more", agents->count - AGENTS_NAMED);
    return error_set(e, ERROR_INVALID, agents->count ? "Name one of its agents." : "",
                     "%.100s has no agent '%.60s'; it has %s", path, agent,
                     agents->count ? all.buf : "none");
}
