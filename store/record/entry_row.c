#include "store/record/entry_row.h"

#include "model/json/json.h"
#include "store/record/detail_member.h"
#include "store/entries/entry.h"
#include "store/record/entry_block.h"
#include "store/record/entry_claim.h"
#include "store/record/entry_key.h"
#include "store/entries/entry_open.h"

/* ---- what a memory says ---- */

void entry_value_of(const struct memory *m, struct json_slice *out)
{
    struct json_slice detail = detail_json(m->detail);
    *out = detail.ptr ? json_member(detail.ptr, detail.len, "value") : detail;
}

/* What is no time at all is none. */
int64_t entry_expires_in(struct json_slice detail)
{
    int64_t whole;
    double number;
    struct json_slice value = json_member(detail.ptr, detail.len, "expires_at");
    if (!value.ptr)
        return 0;
    if (json_integer(value, &whole))
        whole = json_double(value, &number) == 0 && fabs(number) < 0x1p62 ? (int64_t)floor(number)
                                                                          : INT64_MAX;
    return whole == INT64_MAX ? 0 : whole < 1 ? 1 : whole;
}

bool entry_lasts(const struct memory *m)
{
    struct json_slice detail = detail_json(m->detail);
    return !detail.ptr || entry_expires_in(detail) == 0;
}

bool entry_is_over(const struct memory *m, int64_t now)
{
    if (m->ref.kind != KIND_ENTRY || !m->detail)
        return false;
    if (m->status == STATUS_EXPIRED)
        return true;
    struct json_slice detail = detail_json(m->detail);
    int64_t expires = detail.ptr ? entry_expires_in(detail) : 0;
    return expires && expires <= now;
}

static enum entry_state state_of(enum status status)
{
    return status == STATUS_EXPIRED                                 ? ENTRY_EXPIRED
           : status == STATUS_ACTIVE || status == STATUS_SUPERSEDED ? ENTRY_THERE
                                                                    : ENTRY_GONE;
}

int entry_row_of(struct db *db, const struct memory *m, struct arena *arena, struct entry_row *out,
                 struct error *e)
{
    struct json_slice detail;
    struct entry_claim name;
    if (m->ref.kind != KIND_ENTRY || m->status >= STATUS_PURGED)
        return 0;
    detail = detail_json(m->detail);
    if (!entry_name_of(m, detail, arena, &name))
        return 0;
    out->name = name.namespace_;
    out->key = name.key;
    out->memory = m->node;
    out->state = state_of(m->status);
    out->created = m->created_at;
    out->updated = m->updated_at;
    out->event = m->event;
    out->expires = entry_expires_in(detail);
    out->bytes = (int64_t)json_member(detail.ptr, detail.len, "value").len;
    if (out->state == ENTRY_EXPIRED && out->bytes)
        out->expires = 1;
    out->open = (int64_t)entry_open(NULL, out->key, strlen(out->key));
    return entry_shown(db, out->name, out->key, &out->shown, e) ? -1 : 1;
}

/* ---- namespaces ---- */

int64_t entry_namespace_row(struct db *db, const char *name, struct error *e)
{
    int64_t row;
    return db_int(db, &row, 0, e, "SELECT id FROM namespace WHERE name = ?", "s", name) ? -1 : row;
}

static int64_t make_namespace(struct db *db, const char *name, struct error *e)
{
    int64_t row = entry_namespace_row(db, name, e);
    if (row)
        return row;
    if (db_run(db, e, "INSERT INTO namespace(name) VALUES (?)", "s", name))
        return -1;
    return sqlite3_last_insert_rowid(db_handle(db));
}

/* ---- rows ---- */

static bool counts(const struct entry_row *row)
{
    return row->state == ENTRY_THERE && !row->hidden;
}

/* Adds the row to what is counted, `times` 1, or takes it away, -1. */
static int count(struct db *db, const struct entry_row *row, int64_t times, struct error *e)
{
    bool expired = row->state == ENTRY_EXPIRED && !row->hidden;
    if (!counts(row) && !expired)
        return 0;
    if (db_run(db, e,
               "UPDATE namespace SET items = items + ?, bytes = bytes + ?, expired = expired + ?"
               " WHERE id = ?",
               "iiii", counts(row) ? times : 0, counts(row) ? times * row->bytes : 0,
               expired ? times : 0, row->namespace_))
        return -1;
    return !counts(row) ? 0
           : times > 0  ? entry_block_add(db, row->namespace_, row->key, row->open, e)
                        : entry_block_drop(db, row->namespace_, row->key, row->open, e);
}

/* What the table has of that memory, strings in the arena; memory 0: nothing. */
static int read_row(struct db *db, struct arena *arena, int64_t memory, struct entry_row *out,
                    struct error *e)
{
    *out = (struct entry_row){0};
    sqlite3_stmt *stmt = db_prepare(db,
                                    "SELECT namespace, key, state, hidden, bytes, open FROM entry"
                                    " WHERE memory = ?",
                                    e);
    int found = db_bind(db, stmt, e, "i", memory);
    if (found <= 0)
        return found;
    out->memory = memory;
    out->namespace_ = sqlite3_column_int64(stmt, 0);
    out->key = db_text(arena, stmt, 1);
    out->state = (enum entry_state)sqlite3_column_int(stmt, 2);
    out->hidden = sqlite3_column_int(stmt, 3) != 0;
    out->bytes = sqlite3_column_int64(stmt, 4);
    out->open = sqlite3_column_int64(stmt, 5);
    sqlite3_reset(stmt);
    return 0;
}

static const char insert_sql[] =
    "INSERT INTO entry(memory, namespace, key, shown, state, hidden, created, updated, event,"
    " expires, bytes, open) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT(memory) DO UPDATE SET namespace = excluded.namespace, key = excluded.key,"
    " shown = excluded.shown, state = excluded.state, hidden = excluded.hidden,"
    " created = excluded.created, updated = excluded.updated, event = excluded.event,"
    " expires = excluded.expires, bytes = excluded.bytes, open = excluded.open";

static int write_row(struct db *db, const struct entry_row *row, struct error *e)
{
    return db_run(db, e, insert_sql, "iisiiiiiirii", row->memory, row->namespace_, row->key,
                  row->shown, (int64_t)row->state, (int64_t)row->hidden, row->created, row->updated,
                  row->event, row->expires, row->bytes, row->open);
}

static int set_hidden(struct db *db, struct arena *arena, int64_t memory, bool hidden,
                      struct error *e)
{
    struct entry_row row;
    if (read_row(db, arena, memory, &row, e) || count(db, &row, -1, e) ||
        db_run(db, e, "UPDATE entry SET hidden = ? WHERE memory = ?", "ii", (int64_t)hidden,
               memory))
        return -1;
    row.hidden = hidden;
    return count(db, &row, 1, e);
}

/* One of many, whose place among them is found when all are there. */
static int load_row(struct db *db, struct entry_row *row, struct error *e)
{
    row->hidden = false;
    row->namespace_ = make_namespace(db, row->name, e);
    return row->namespace_ < 0 ? -1 : write_row(db, row, e);
}

/* ---- which of one key counts ---- */

struct front {
    int64_t memory, created; /* memory 0: there is none */
    bool there, hidden;
};

static bool is_before(const struct front *a, bool there, int64_t created, int64_t memory)
{
    if (!a->memory || a->there != there)
        return a->memory && a->there;
    return a->created != created ? a->created > created : a->memory > memory;
}

static int take_front(struct db *db, sqlite3_stmt *stmt, int more, struct front *front,
                      struct error *e)
{
    for (; more > 0; more = db_step(db, stmt, e)) {
        int64_t memory = sqlite3_column_int64(stmt, 0), created = sqlite3_column_int64(stmt, 1);
        bool there = sqlite3_column_int(stmt, 3) == ENTRY_THERE;
        if (!is_before(front, there, created, memory))
            *front = (struct front){memory, created, there, sqlite3_column_int(stmt, 2) != 0};
    }
    sqlite3_reset(stmt);
    return more;
}

/* The first of those of one key that live, but for `without`. O(log n), however many have been deleted. */
static int find_front(struct db *db, int64_t name, const char *key, int64_t without,
                      struct front *front, struct error *e)
{
    static const char there[] = "SELECT memory, created, hidden, state FROM entry INDEXED BY "
                                "entry_there WHERE namespace = ?"
                                " AND key = ? AND state = 0 AND hidden = 0 AND memory <> ?";
    static const char aside[] =
        "SELECT memory, created, hidden, state FROM entry INDEXED BY entry_aside WHERE namespace = "
        "?"
        " AND key = ? AND (state > 0 OR hidden > 0) AND state = ? AND hidden = ? AND memory <> ?"
        " ORDER BY created DESC, memory DESC LIMIT 1";
    static const int64_t places[][2] = {{ENTRY_THERE, 1}, {ENTRY_EXPIRED, 0}, {ENTRY_EXPIRED, 1}};
    *front = (struct front){0};
    sqlite3_stmt *stmt = db_prepare(db, there, e);
    int more = db_bind(db, stmt, e, "isi", name, key, without);
    if (take_front(db, stmt, more, front, e))
        return -1;
    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
        stmt = db_prepare(db, aside, e);
        more = db_bind(db, stmt, e, "isiii", name, key, places[i][0], places[i][1], without);
        if (take_front(db, stmt, more, front, e))
            return -1;
    }
    return 0;
}

static int show(struct db *db, struct arena *arena, const struct front *front, bool hidden,
                struct error *e)
{
    return front->memory && front->hidden != hidden
               ? set_hidden(db, arena, front->memory, hidden, e)
               : 0;
}

/* ---- writing ---- */

static int drop_row(struct db *db, struct arena *arena, const struct entry_row *old,
                    struct error *e)
{
    struct front front;
    return count(db, old, -1, e) ||
                   db_run(db, e, "DELETE FROM entry WHERE memory = ?", "i", old->memory) ||
                   find_front(db, old->namespace_, old->key, 0, &front, e) ||
                   show(db, arena, &front, false, e)
               ? -1
               : 0;
}

static int put_row(struct db *db, struct arena *arena, const struct entry_row *old,
                   struct entry_row *row, struct error *e)
{
    struct front front;
    row->namespace_ = make_namespace(db, row->name, e);
    if (row->namespace_ < 0)
        return -1;
    bool moved =
        old->memory && (old->namespace_ != row->namespace_ || strcmp(old->key, row->key) != 0);
    if ((moved && drop_row(db, arena, old, e)) ||
        find_front(db, row->namespace_, row->key, row->memory, &front, e))
        return -1;
    bool lives = row->state != ENTRY_GONE;
    row->hidden = lives && is_before(&front, row->state == ENTRY_THERE, row->created, row->memory);
    if ((old->memory && !moved && count(db, old, -1, e)) || write_row(db, row, e) ||
        count(db, row, 1, e))
        return -1;
    return show(db, arena, &front, lives && !row->hidden, e);
}

int entry_row_put(struct txn *t, const struct memory *before, const struct memory *after,
                  struct error *e)
{
    const struct memory *m = after ? after : before;
    struct arena arena = ARENA_INIT;
    struct entry_row old = {0}, row = {0};
    if (m->ref.kind != KIND_ENTRY)
        return 0;
    int has = after ? entry_row_of(t->db, after, &arena, &row, e) : 0;
    int result = has < 0 || (before && read_row(t->db, &arena, m->node, &old, e)) ? -1 : 0;
    if (result == 0 && has && t->load)
        result = load_row(t->db, &row, e);
    else if (result == 0 && has)
        result = put_row(t->db, &arena, &old, &row, e);
    else if (result == 0 && old.memory)
        result = drop_row(t->db, &arena, &old, e);
    arena_release(&arena);
    return result;
}

/* ---- all of them ---- */

static int fill_row(struct db *db, int64_t node, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct memory m;
    struct entry_row row = {0};
    int result = memory_read_db(db, &arena, node, &m, e);
    if (result && e->code != ERROR_INTERRUPTED)
        result = 0; /* a damaged one: fsck tells of it */
    else if (result == 0 && (result = entry_row_of(db, &m, &arena, &row, e)) > 0)
        result = load_row(db, &row, e);
    arena_release(&arena);
    return result;
}

int entry_row_fill(struct db *db, struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(db, "SELECT id FROM memory WHERE kind = ? AND status < 6", e);
    int more = db_bind(db, stmt, e, "i", (int64_t)KIND_ENTRY);
    while (more > 0)
        more = fill_row(db, sqlite3_column_int64(stmt, 0), e) ? -1 : db_step(db, stmt, e);
    sqlite3_reset(stmt);
    return more < 0 ? -1 : entry_row_count(db, e);
}

/* Those that live and are not the first of their key. */
static const char hide_sql[] =
    "UPDATE entry SET hidden = 1 WHERE memory IN (SELECT memory FROM (SELECT memory,"
    " row_number() OVER (PARTITION BY namespace, key ORDER BY state, created DESC, memory DESC)"
    " AS place FROM entry WHERE state < 2) WHERE place > 1)";

static const char count_sql[] =
    "UPDATE namespace SET items = t.items, bytes = t.bytes, expired = t.expired FROM"
    " (SELECT namespace, sum(state = 0) AS items, sum(bytes * (state = 0)) AS bytes,"
    " sum(state = 1) AS expired FROM entry WHERE hidden = 0 GROUP BY namespace) AS t"
    " WHERE t.namespace = namespace.id";

int entry_row_count(struct db *db, struct error *e)
{
    return db_exec(db, hide_sql, e) || db_exec(db, count_sql, e) || entry_block_fill(db, e) ? -1
                                                                                            : 0;
}
