#include "store/record/entry_claim.h"

#include "model/policy/permission.h"
#include "store/record/detail_member.h"
#include "store/record/entry_find.h"
#include "store/record/entry_row.h"
#include "store/entries/sweeper.h"

bool entry_name_of(const struct memory *m, struct json_slice detail, struct arena *arena,
                   struct entry_claim *out)
{
    *out = (struct entry_claim){NULL, NULL};
    if (!detail.ptr)
        return false;
    detail_string(json_member(detail.ptr, detail.len, "namespace"), arena, &out->namespace_);
    detail_string(json_member(detail.ptr, detail.len, "key"), arena, &out->key);
    if (!out->key)
        out->key = m->text ? m->text : "";
    return out->namespace_ && namespace_is_valid(out->namespace_, strlen(out->namespace_)) &&
           entry_key_is_valid(out->key, strlen(out->key));
}

bool entry_claim_of(const struct memory *m, int64_t now, struct arena *arena,
                    struct entry_claim *out)
{
    if (m->ref.kind != KIND_ENTRY || (m->status != STATUS_ACTIVE && m->status != STATUS_SUPERSEDED))
        return 0;
    return !entry_is_over(m, now) && entry_name_of(m, detail_json(m->detail), arena, out);
}

bool entry_claim_equal(const struct entry_claim *a, const struct entry_claim *b)
{
    return strcmp(a->namespace_, b->namespace_) == 0 && strcmp(a->key, b->key) == 0;
}

int entry_claim_holder(struct db *db, const struct entry_claim *claim, struct ref ref, int64_t now,
                       struct entry_holder *out, struct error *e)
{
    static const char sql[] =
        "SELECT e.memory, e.expires FROM namespace n CROSS JOIN entry e INDEXED BY entry_there"
        " CROSS JOIN memory m ON m.id = e.memory WHERE n.name = ? AND e.namespace = n.id"
        " AND e.key = ? AND e.state = 0 AND e.hidden = 0 AND m.name <> ?";
    *out = (struct entry_holder){0};
    sqlite3_stmt *stmt = db_prepare(db, sql, e);
    int found =
        stmt ? db_bind(db, stmt, e, "sss", claim->namespace_, claim->key, ref.id ? ref.id : "")
             : -1;
    if (found > 0) {
        int64_t expires = sqlite3_column_int64(stmt, 1);
        *out = (struct entry_holder){sqlite3_column_int64(stmt, 0), expires && expires <= now};
        sqlite3_reset(stmt);
    }
    return found < 0 ? -1 : 0;
}

int entry_claim_taken(const struct entry_claim *claim, const char *id, struct error *e)
{
    return error_set(e, ERROR_CONFLICT, "Retract that one, or give one of them another key.",
                     "the namespace %s has a key %s already: entry:%s", claim->namespace_,
                     claim->key, id);
}

static int taken_by(struct db *db, const struct entry_claim *claim, int64_t row,
                    struct arena *arena, struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(db, "SELECT name FROM memory WHERE id = ?", e);
    int found = db_bind(db, stmt, e, "i", row);
    const char *id = found > 0 ? db_text(arena, stmt, 0) : NULL;
    if (found > 0)
        sqlite3_reset(stmt);
    return found < 0 ? -1 : entry_claim_taken(claim, id, e);
}

/* *over: one that has that name and has expired; 0: none. */
static int check(struct db *db, const struct memory *before, const struct memory *after,
                 int64_t now, int64_t *over, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct entry_claim claim = {"", ""}, had = {"", ""};
    struct entry_holder holder = {0};
    *over = 0;
    if (after->ref.kind != KIND_ENTRY)
        return 0;
    int result = 0;
    bool held = before && entry_claim_of(before, now, &arena, &had);
    if (entry_claim_of(after, now, &arena, &claim) && !(held && entry_claim_equal(&claim, &had)))
        result = entry_claim_holder(db, &claim, after->ref, now, &holder, e);
    if (result == 0 && holder.memory && !holder.over)
        result = taken_by(db, &claim, holder.memory, &arena, e);
    else
        *over = holder.memory;
    arena_release(&arena);
    return result;
}

int entry_claim_check(struct db *db, const struct memory *before, const struct memory *after,
                      int64_t now, struct error *e)
{
    int64_t over;
    return check(db, before, after, now, &over, e);
}

int entry_claim_take(struct txn *t, const struct memory *before, const struct memory *after,
                     struct error *e)
{
    int64_t over;
    if (check(txn_db(t), before, after, txn_now(t), &over, e))
        return -1;
    return over ? entry_expire_now(t, &sweeper_actor, over, "expire", e) : 0;
}
