#include "store/import/import_gone.h"

#include <stdlib.h>
#include "model/base/array.h"
#include "model/base/strbuf.h"

#define SHOWN 20 /* are named one by one */

static void tell(const struct gone_question *q, struct ref ref)
{
    struct strbuf line = STRBUF_INIT;
    ref_add(&line, ref);
    strbuf_addstr(&line, q->partly_read ? " is not in what could be read of the source; kept here"
                                        : " is no longer in the source; kept here");
    q->report(q->arg, line.buf);
    strbuf_release(&line);
}

static void tell_rest(const struct gone_question *q, size_t rest)
{
    char line[96];
    snprintf(line, sizeof(line), "%zu more %s no longer in the source; kept here", rest,
             rest == 1 ? "memory is" : "memories are");
    q->report(q->arg, line);
}

/* The row that the statement stands on. */
static void look(struct gone *g, sqlite3_stmt *stmt, const struct gone_question *q)
{
    struct ref ref = {(enum kind)sqlite3_column_int(stmt, 1),
                      (const char *)sqlite3_column_text(stmt, 2)};
    if (!ref.id || seen_has(q->met, ref))
        return;
    g->count++;
    if (sqlite3_column_int(stmt, 3)) /* it was told */
        return;
    *ARRAY_ADD(g->news, g->news_count, g->alloc) = sqlite3_column_int64(stmt, 0);
    if (g->news_count <= SHOWN)
        tell(q, ref);
}

int gone_find(struct gone *g, struct db *db, const struct gone_question *q, struct error *e)
{
    static const char sql[] =
        "SELECT m.id, m.kind, m.name, i.hash = zeroblob(32) FROM imported i"
        " JOIN memory m ON m.id = i.memory WHERE i.origin = ?1 AND m.status <= ?2"
        " AND (?3 IS NULL OR m.agent = (SELECT id FROM agent WHERE name = ?3))";
    sqlite3_stmt *stmt = db_prepare(db, sql, e);
    int row =
        stmt ? db_bind(db, stmt, e, "iis", q->origin, (int64_t)STATUS_RETRACTED, q->agent) : -1;
    for (; row > 0; row = db_step(db, stmt, e))
        look(g, stmt, q);
    if (row == 0 && g->news_count > SHOWN)
        tell_rest(q, g->news_count - SHOWN);
    return row;
}

int gone_note(const struct gone *g, struct db *db, int64_t origin, struct error *e)
{
    for (size_t i = 0; i < g->news_count; i++)
        if (db_run(db, e, "UPDATE imported SET hash = zeroblob(32) WHERE memory = ? AND origin = ?",
                   "ii", g->news[i], origin))
            return -1;
    return 0;
}

void gone_release(struct gone *g)
{
    free(g->news);
    *g = (struct gone){.news = NULL};
}
