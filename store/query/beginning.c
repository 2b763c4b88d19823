#include "store/query/beginning.h"

#include <string.h>
#include "store/guard/guard.h"
#include "store/db/reader.h"

/* No byte of UTF-8 is 0xff. */
char *beginning_end(struct arena *arena, const char *prefix)
{
    char *end = arena_strdup(arena, prefix);
    size_t len = end ? strlen(end) : 0;
    if (len == 0)
        return NULL;
    end[len - 1] = (char)((unsigned char)end[len - 1] + 1);
    return end;
}

/* A range of an index, in which nothing is a pattern. */
#define FIND(whose)                                                                                \
    "SELECT id, created_at, status, name FROM memory WHERE kind = ?1" whose                        \
    " AND name >= ?2 AND name < ?3"
#define IN_ORDER " ORDER BY name"

struct walk {
    struct reader *r;
    int (*each)(void *arg, const struct begun *one);
    void *arg;
    const char *prefix, *end;
    bool stopped;
};

/* Those of a caller who is kept from what others remember are looked for among its own and nobody's. */
static int begin(const struct walk *w, enum kind kind, sqlite3_stmt **stmt, struct error *e)
{
    struct db *db = reader_db(w->r);
    int64_t only = kind == KIND_ENTRY ? 0 : guard_only_agent(w->r);
    if (only) {
        *stmt = db_prepare(
            db, FIND(" AND agent = ?4") " UNION ALL " FIND(" AND agent IS NULL") IN_ORDER, e);
        return *stmt ? db_bind(db, *stmt, e, "issi", (int64_t)kind, w->prefix, w->end, only) : -1;
    }
    bool asks = guard_hides_of(w->r, KIND_BIT(kind));
    *stmt = db_prepare(db, asks ? FIND("") GUARD_SQL IN_ORDER : FIND("") IN_ORDER, e);
    return *stmt ? db_bind(db, *stmt, e, "iss", (int64_t)kind, w->prefix, w->end) : -1;
}

static int walk_kind(struct walk *w, enum kind kind, struct error *e)
{
    sqlite3_stmt *stmt;
    int more = begin(w, kind, &stmt, e);
    while (more > 0 && !w->stopped) {
        struct begun one = {.node = sqlite3_column_int64(stmt, 0),
                            .created_at = sqlite3_column_int64(stmt, 1),
                            .kind = kind,
                            .is_listed = STATUS_LISTED(sqlite3_column_int(stmt, 2)),
                            .is_stub = sqlite3_column_int(stmt, 2) == STATUS_MISSING,
                            .id = (const char *)sqlite3_column_text(stmt, 3)};
        bool is_masked = reader_guarded(w->r) && guard_masks_name(w->r, one.id);
        w->stopped = !is_masked && w->each(w->arg, &one) != 0;
        more = w->stopped ? 0 : db_step(reader_db(w->r), stmt, e);
    }
    if (stmt)
        sqlite3_reset(stmt);
    return more;
}

int beginning_walk(struct reader *r, unsigned kinds, const char *prefix,
                   int (*each)(void *arg, const struct begun *one), void *arg, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct walk w = {r, each, arg, prefix, beginning_end(&arena, prefix), false};
    int result = w.end ? 0 : error_set(e, ERROR_MEMORY, "", "memory ran out");
    kinds = guard_kinds(r, kinds);
    for (int kind = 0; kind < KIND_COUNT && result == 0 && !w.stopped; kind++)
        if (kinds & KIND_BIT(kind))
            result = walk_kind(&w, (enum kind)kind, e);
    arena_release(&arena);
    return result;
}
