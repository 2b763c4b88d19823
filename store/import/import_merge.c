#include "store/import/import_merge.h"

#include <string.h>
#include "model/format/exchange.h"
#include "model/base/strbuf.h"
#include "store/db/store.h"

/* The form of a memory in its first version is what is hashed. */
static void write_form(struct strbuf *form, const struct memory *m, struct digest *out)
{
    struct memory plain = *m;
    plain.version = 1;
    exchange_write(form, &plain, NULL);
    digest_bytes(out, form->buf, form->len);
}

static void import_hash(const struct memory *m, struct digest *out)
{
    struct strbuf form = STRBUF_INIT;
    write_form(&form, m, out);
    strbuf_release(&form);
}

void import_hash_form(struct memory *m, struct arena *arena, struct digest *out)
{
    struct strbuf form = STRBUF_INIT;
    write_form(&form, m, out);
    if (m->version == 1)
        m->form = arena_strndup(arena, form.buf, form.len);
    strbuf_release(&form);
}

int import_standing(struct db *db, struct ref ref, struct standing *out, struct error *e)
{
    *out = (struct standing){.node = 0};
    sqlite3_stmt *stmt =
        db_prepare(db,
                   "SELECT m.id, m.status, m.event, i.origin, i.event, i.hash FROM memory m"
                   " LEFT JOIN imported i ON i.memory = m.id WHERE m.kind = ? AND m.name = ?",
                   e);
    int row = stmt ? db_bind(db, stmt, e, "is", (int64_t)ref.kind, ref.id) : -1;
    if (row <= 0)
        return row;
    out->node = sqlite3_column_int64(stmt, 0);
    out->status = (enum status)sqlite3_column_int(stmt, 1);
    out->event = sqlite3_column_int64(stmt, 2);
    out->origin = sqlite3_column_int64(stmt, 3);
    out->imported_event = sqlite3_column_int64(stmt, 4);
    if (sqlite3_column_bytes(stmt, 5) == DIGEST_SIZE)
        memcpy(out->hash.bytes, sqlite3_column_blob(stmt, 5), DIGEST_SIZE);
    sqlite3_reset(stmt);
    return 0;
}

static bool same_digest(const struct digest *a, const struct digest *b)
{
    return memcmp(a->bytes, b->bytes, DIGEST_SIZE) == 0;
}

/* A stub that an import has written once: its addition was undone. */
bool import_taken_back(const struct standing *known, int64_t origin)
{
    return known->status == STATUS_MISSING && known->origin && known->origin == origin;
}

/* Is what the source says what we have? A source that gives no creation time does not deny ours. */
static bool says_ours(const struct import_item *item, const struct memory *ours)
{
    struct memory said = item->memory;
    struct digest here, there;
    if (item->undated) {
        said.updated_at = said.updated_at == said.created_at ? ours->updated_at : said.updated_at;
        said.created_at = ours->created_at;
    }
    import_hash(ours, &here);
    import_hash(&said, &there);
    return same_digest(&here, &there);
}

/* Where the hash alone does not decide. */
static enum verdict compared(int64_t origin, bool replace, const struct standing *known, bool same)
{
    bool is_own = known->origin && known->origin == origin;
    if (same)
        return is_own ? VERDICT_ALREADY : VERDICT_SAME;
    if (replace || (is_own && known->event == known->imported_event))
        return VERDICT_UPDATE;
    return is_own ? VERDICT_CONFLICT : VERDICT_REFUSED;
}

int import_decide(struct db *db, struct arena *arena, int64_t origin, bool replace,
                  const struct import_item *item, const struct standing *known,
                  enum verdict *verdict, struct memory *ours, struct error *e)
{
    ours->node = 0;
    if (known->node == 0 || known->status == STATUS_MISSING) {
        *verdict = known->node && import_taken_back(known, origin) && !replace
                       ? (same_digest(&known->hash, &item->hash) ? VERDICT_SAME : VERDICT_CONFLICT)
                       : VERDICT_ADD;
        return 0;
    }
    /* What a person purged does not come back by itself, and of what it was nothing is noted. */
    if (known->status == STATUS_PURGED && known->origin == origin && !replace) {
        *verdict = VERDICT_SAME;
        return 0;
    }
    /* The source is as it was. Ours may have changed: that is no conflict, and --replace takes it
     * back. */
    if (known->origin && same_digest(&known->hash, &item->hash) &&
        !(replace && known->event != known->imported_event)) {
        *verdict = VERDICT_SAME;
        return 0;
    }
    if (memory_read_db(db, arena, known->node, ours, e))
        return -1;
    *verdict = compared(origin, replace, known, says_ours(item, ours));
    return 0;
}
