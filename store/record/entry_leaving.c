#include "store/record/entry_leaving.h"

#include "model/json/json.h"
#include "store/record/detail_member.h"
#include "store/record/entry_row.h"

/* How long an entry lasts, as far as that decides when its value is over. */
struct lasting {
    int64_t expires; /* 0: never */
    bool expired;    /* its status says so, whatever its time */
};

static int64_t over_at(const struct lasting *l)
{
    return l->expired ? 1 : l->expires;
}

static void lasting_of(const struct memory *m, struct lasting *out)
{
    struct json_slice detail = detail_json(m->detail);
    *out = (struct lasting){.expires = detail.ptr ? entry_expires_in(detail) : 0,
                            .expired = m->status == STATUS_EXPIRED};
}

/* ---- what a patch says ---- */

static struct json_slice member(struct json_slice object, const char *name)
{
    return object.ptr ? json_member(object.ptr, object.len, name) : object;
}

/* What the patch puts back of the detail: an object with that member; ptr NULL: nothing. */
static struct json_slice put_back(struct json_slice detail, bool whole, const char *name)
{
    struct json_slice removed = whole ? (struct json_slice){NULL, 0} : member(detail, "removed");
    if (whole)
        return member(detail, name).ptr ? detail : (struct json_slice){NULL, 0};
    for (struct json_each it = json_each(removed); removed.ptr && json_next(&it);) {
        struct json_slice one = member(it.value, "value");
        if (member(one, name).ptr)
            return one;
    }
    return (struct json_slice){NULL, 0};
}

/* Does the patch take that member of the detail away? */
static bool takes_away(struct json_slice detail, const char *name)
{
    struct json_slice added = member(detail, "added");
    for (struct json_each it = json_each(added); added.ptr && json_next(&it);)
        if (it.value.len > 1 &&
            json_key_is((struct json_slice){it.value.ptr + 1, it.value.len - 2}, name))
            return true;
    return false;
}

/* From how long it lasted after the change to how long before. */
static void step_back(struct lasting *l, struct json_slice fields, bool whole)
{
    struct json_slice status = member(fields, "status"), detail = member(fields, "detail");
    struct json_slice time = put_back(detail, whole, "expires_at");
    if (whole || status.ptr)
        l->expired = status.len > 1 &&
                     json_key_is((struct json_slice){status.ptr + 1, status.len - 2}, "expired");
    if (time.ptr)
        l->expires = entry_expires_in(time);
    else if (whole || takes_away(detail, "expires_at"))
        l->expires = 0;
}

int entry_leaving(const struct memory *before, const char *fields, size_t len, bool whole,
                  int64_t *expires)
{
    struct lasting l = {0};
    *expires = 0;
    if (before->ref.kind != KIND_ENTRY || !len)
        return 0;
    lasting_of(before, &l);
    if (over_at(&l) && put_back(json_member(fields, len, "detail"), whole, "value").ptr)
        *expires = over_at(&l);
    return 0;
}

/* ---- what all of them say ---- */

static struct json_slice object_in(sqlite3_stmt *stmt, int column)
{
    struct error ignored;
    const char *text = (const char *)sqlite3_column_text(stmt, column);
    size_t len = (size_t)sqlite3_column_bytes(stmt, column);
    bool is = text && *text == '{' && json_check(text, len, JSON_DEPTH_LIMIT, &ignored) == 0;
    return (struct json_slice){is ? text : NULL, is ? len : 0};
}

/* Other than 0: no older patch is kept, or `each` wants no more. */
static int walk_event(struct lasting *l, sqlite3_stmt *stmt,
                      int (*each)(void *arg, const struct leaving *l), void *arg)
{
    struct json_slice canonical = object_in(stmt, 1), patch = object_in(stmt, 2);
    struct json_slice fields = member(patch, "fields");
    bool whole = !member(canonical, "after").ptr, value = false;
    struct leaving leaving = {.seq = sqlite3_column_int64(stmt, 0),
                              .stored = sqlite3_column_int64(stmt, 3)};
    if (member(canonical, "before").ptr) {
        if (!fields.ptr)
            return 1;
        step_back(l, fields, whole);
        value = put_back(member(fields, "detail"), whole, "value").ptr != NULL;
    }
    leaving.expires = value ? over_at(l) : 0;
    return each(arg, &leaving);
}

int entry_leaving_walk(struct db *db, const struct memory *now,
                       int (*each)(void *arg, const struct leaving *l), void *arg, struct error *e)
{
    static const char sql[] = "SELECT seq, canonical, patch, expires FROM event WHERE subject = ?"
                              " ORDER BY seq DESC";
    struct lasting l = {0};
    int ended = 0;
    lasting_of(now, &l);
    sqlite3_stmt *stmt = db_prepare(db, sql, e);
    int more = db_bind(db, stmt, e, "i", now->node);
    while (more > 0 && ended == 0) {
        ended = walk_event(&l, stmt, each, arg);
        more = ended ? 0 : db_step(db, stmt, e);
    }
    sqlite3_reset(stmt);
    return more < 0 || ended < 0 ? -1 : 0;
}

/* ---- filling ---- */

struct filling {
    struct db *db;
    struct error *e;
};

static int fill_event(void *arg, const struct leaving *l)
{
    struct filling *f = arg;
    return l->expires ? db_run(f->db, f->e, "UPDATE event SET expires = ? WHERE seq = ?", "ii",
                               l->expires, l->seq)
                      : 0;
}

static int fill_memory(struct filling *f, int64_t node)
{
    struct arena arena = ARENA_INIT;
    struct memory m;
    int result = memory_read_db(f->db, &arena, node, &m, f->e);
    if (result && f->e->code != ERROR_INTERRUPTED)
        result = 0; /* a damaged one: fsck tells of it */
    else if (result == 0)
        result = entry_leaving_walk(f->db, &m, fill_event, f, f->e);
    arena_release(&arena);
    return result;
}

int entry_leaving_fill(struct db *db, struct error *e)
{
    struct filling f = {db, e};
    static const char sql[] = "SELECT id FROM memory WHERE kind = ? AND EXISTS (SELECT 1 FROM event"
                              " WHERE subject = memory.id AND instr(patch, '\"value\"') > 0)";
    sqlite3_stmt *stmt = db_prepare(db, sql, e);
    int more = db_bind(db, stmt, e, "i", (int64_t)KIND_ENTRY);
    while (more > 0)
        more = fill_memory(&f, sqlite3_column_int64(stmt, 0)) ? -1 : db_step(db, stmt, e);
    sqlite3_reset(stmt);
    return more < 0 ? -1 : 0;
}
