#include "store/record/attribution_row.h"

#include "model/json/json.h"
#include "store/record/detail_member.h"

static struct json_slice member(struct json_slice detail, const char *name)
{
    return detail.ptr ? json_member(detail.ptr, detail.len, name) : detail;
}

bool attribution_is_listed(const struct memory *m)
{
    return m->ref.kind == KIND_ATTRIBUTION && STATUS_LISTED(m->status);
}

static int64_t time_of(const struct memory *m, struct json_slice detail)
{
    int64_t whole;
    double number;
    struct json_slice value = member(detail, "retrieval_timestamp");
    if (!value.ptr)
        return m->created_at;
    if (json_integer(value, &whole) == 0)
        return whole;
    if (json_double(value, &number) == 0 && fabs(number) < 0x1p62)
        return (int64_t)floor(number);
    return m->created_at;
}

int attribution_time(const struct memory *m, int64_t *at)
{
    struct json_slice detail = detail_json(m->detail);
    *at = time_of(m, detail);
    return 0;
}

static void type_of(struct json_slice detail, struct arena *arena, const char **type)
{
    detail_string(member(detail, "source_type"), arena, type);
}

int attribution_type(const struct memory *m, struct arena *arena, const char **type)
{
    struct json_slice detail;
    *type = NULL;
    detail = detail_json(m->detail);
    type_of(detail, arena, type);
    return 0;
}

/* Nearly every row is new, and to replace one SQLite keeps a copy of each page that it changes. */
static int insert_row(struct db *db, int64_t node, int64_t agent, const char *type, int64_t at,
                      struct error *e)
{
    static const char insert[] = "INSERT INTO attribution(memory, agent, type, at)"
                                 " VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING";
    static const char update[] =
        "UPDATE attribution SET agent = ?, type = ?, at = ? WHERE memory = ?";
    if (db_run(db, e, insert, "iisi", node, agent, type, at))
        return -1;
    if (sqlite3_changes(db_handle(db)) > 0)
        return 0;
    return db_run(db, e, update, "isii", agent, type, at, node);
}

static int write_row(struct db *db, const struct memory *m, int64_t agent, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct json_slice detail;
    const char *type;
    detail = detail_json(m->detail);
    type_of(detail, &arena, &type);
    int result = insert_row(db, m->node, agent, type, time_of(m, detail), e);
    arena_release(&arena);
    return result;
}

int attribution_put(struct txn *t, const struct memory *before, const struct memory *after,
                    struct error *e)
{
    if (after && attribution_is_listed(after)) {
        int64_t agent = txn_agent(t, after->agent_id, e);
        return agent < 0 ? -1 : write_row(t->db, after, agent, e);
    }
    if (before && attribution_is_listed(before))
        return db_run(t->db, e, "DELETE FROM attribution WHERE memory = ?", "i", before->node);
    return 0;
}

static int fill_row(struct db *db, int64_t node, int64_t agent, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct memory m;
    int result = memory_read_db(db, &arena, node, &m, e);
    if (!result && attribution_is_listed(&m))
        result = write_row(db, &m, agent, e);
    arena_release(&arena);
    return result;
}

int attribution_fill(struct db *db, struct error *e)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT id, agent FROM memory WHERE kind = ? AND status < 4", e);
    int more = db_bind(db, stmt, e, "i", (int64_t)KIND_ATTRIBUTION);
    while (more > 0)
        more = fill_row(db, sqlite3_column_int64(stmt, 0), sqlite3_column_int64(stmt, 1), e)
                   ? -1
                   : db_step(db, stmt, e);
    sqlite3_reset(stmt);
    return more < 0 ? -1 : 0;
}
