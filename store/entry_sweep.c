#include "entry.h"
#include "entry_find.h"
#include "entry_row.h"
#include "operation.h"
#include "reader.h"
#include "txn.h"

int64_t entry_next_expiry(struct reader *r, struct error *e)
{
    static const char there[] = "SELECT expires FROM entry INDEXED BY entry_expires WHERE state = 0"
                                " AND expires IS NOT NULL ORDER BY expires LIMIT 1";
    static const char gone[] = "SELECT expires FROM entry WHERE state > 0 AND bytes > 0"
                               " AND expires IS NOT NULL ORDER BY expires LIMIT 1";
    int64_t next, other;
    if (db_int(reader_db(r), &next, 0, e, there, "") ||
        db_int(reader_db(r), &other, 0, e, gone, ""))
        return -1;
    return other && (!next || other < next) ? other : next;
}

int entry_expire(struct plan *p, int64_t node, const char *operation, struct error *e)
{
    struct memory *m = plan_follow(p, node, operation, NULL, e);
    if (!m || plan_set_detail(p, m, "value", NULL, e))
        return -1;
    if (STATUS_LIVES(m->status)) /* what was taken away stays so */
        m->status = STATUS_EXPIRED;
    p->change[p->count - 1].erases = true;
    return 0;
}

int entry_sweep_first(struct plan *p, int64_t node, struct error *e)
{
    const struct memory *now = plan_read(p, node, e);
    if (!now)
        return -1;
    if (!STATUS_LIVES(now->status) || now->status == STATUS_EXPIRED)
        return 0;
    int over = entry_is_over(now, p->now, e);
    return over > 0 ? entry_expire(p, node, "expire", e) : over;
}

/* The first so many rows that have expired, in the arena. */
static int find_over(struct txn *t, struct arena *arena, size_t most, int64_t **out, size_t *count,
                     struct error *e)
{
    static const char sql[] =
        "SELECT memory, expires FROM (SELECT memory, expires FROM entry INDEXED BY entry_expires"
        " WHERE state = 0 AND expires IS NOT NULL AND expires <= ?1 ORDER BY expires LIMIT ?2)"
        " UNION ALL SELECT memory, expires FROM (SELECT memory, expires FROM entry WHERE state > 0"
        " AND bytes > 0 AND expires IS NOT NULL AND expires <= ?1 ORDER BY expires LIMIT ?2)"
        " LIMIT ?2";
    *count = 0;
    *out = arena_array(arena, most + 1, sizeof(**out));
    if (!*out)
        return error_set(e, ERROR_MEMORY, "", "memory ran out");
    sqlite3_stmt *stmt = db_prepare(t->db, sql, e);
    int more = stmt ? db_bind(t->db, stmt, e, "ii", txn_now(t), (int64_t)most + 1) : -1;
    for (; more > 0; more = db_step(t->db, stmt, e))
        (*out)[(*count)++] = sqlite3_column_int64(stmt, 0);
    if (stmt)
        sqlite3_reset(stmt);
    return more;
}

int entry_expire_now(struct txn *t, const struct actor *actor, int64_t node, const char *operation,
                     struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct plan p = {
        .reader = txn_reader(t, e), .actor = actor, .arena = &arena, .now = txn_now(t)};
    int result =
        p.reader && entry_expire(&p, node, operation, e) == 0 ? plan_carry_out(&p, t, e) : -1;
    arena_release(&arena);
    return result;
}

int entry_sweep(struct txn *t, const struct actor *actor, size_t most, bool *left, struct error *e)
{
    struct arena arena = ARENA_INIT;
    int64_t *rows;
    size_t count;
    int result = find_over(t, &arena, most, &rows, &count, e);
    *left = result == 0 && count > most;
    for (size_t i = 0; i < count && i < most && result == 0; i++)
        result = entry_expire_now(t, actor, rows[i], "expire", e);
    arena_release(&arena);
    return result;
}
