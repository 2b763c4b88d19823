#include "store/json/kept_gists.h"

#include <string.h>
#include "model/base/alloc.h"
#include "model/format/exchange_parts.h"
#include "model/json/json.h"
#include "store/db/column.h"
#include "store/guard/guard.h"
#include "store/json/kept_rows.h"
#include "store/db/reader.h"
#include "store/db/store_state.h"

#define SLOTS     8192
#define BYTES_MAX (1 << 20) /* of all that is kept */

struct kept_gist {
    struct kept_row kept;
    uint16_t ref_len;
    uint8_t kind, status;
    uint32_t len;
    struct guard_look look;
    char json[];
};

struct kept_gists {
    struct kept_rows rows;
};

struct kept_gists *kept_gists_new(void)
{
    struct kept_gists *k = xcalloc(1, sizeof(*k));
    kept_rows_init(&k->rows, SLOTS, BYTES_MAX);
    return k;
}

void kept_gists_free(struct kept_gists *k)
{
    if (!k)
        return;
    kept_rows_release(&k->rows);
    free(k);
}

static const struct guard_rules *rules_of(const struct reader *r)
{
    const struct guard *g = reader_guarded(r);
    return g ? g->rules : NULL;
}

/* As an answer has it, its text under its key. Where there is no memory for that it is not known to be clean. */
static bool looks_clean(const struct guard_rules *rules, const char *json, size_t ref_len,
                        size_t len)
{
    struct strbuf whole = STRBUF_INIT;
    strbuf_grow(&whole, len + sizeof("{'ref':,'text':}"));
    strbuf_addstr(&whole, "{\"ref\":");
    strbuf_add(&whole, json, ref_len);
    strbuf_addstr(&whole, ",\"text\":");
    strbuf_add(&whole, json + ref_len, len - ref_len);
    strbuf_addch(&whole, '}');
    bool clean = !whole.failed && !guard_finds_in_json(rules, whole.buf, whole.len);
    strbuf_release(&whole);
    return clean;
}

static bool is_clean(const struct guard_rules *rules, struct kept_gist *g)
{
    if (!guard_looked(&g->look, rules))
        guard_note_look(&g->look, rules, looks_clean(rules, g->json, g->ref_len, g->len));
    return g->look.clean;
}

/* 1 where it was kept. */
static int find(struct kept_gists *k, struct reader *r, int64_t seq, int64_t row, struct gist *out,
                struct error *e)
{
    const struct guard_rules *rules = rules_of(r);
    struct kept_row *kept;
    pthread_mutex_lock(&k->rows.lock);
    int found = kept_rows_find(&k->rows, r, seq, row, &kept, e);
    if (found > 0) {
        struct kept_gist *gist = (struct kept_gist *)kept;
        strbuf_add(&out->json, gist->json, gist->len);
        out->ref_len = gist->ref_len;
        out->kind = (enum kind)gist->kind;
        out->status = (enum status)gist->status;
        out->clean = rules && is_clean(rules, gist);
    }
    pthread_mutex_unlock(&k->rows.lock);
    return found;
}

/* Where there is no memory for it, it is not kept. */
static void keep(struct kept_gists *k, int64_t seq, int64_t row, const struct gist *g)
{
    if (g->text || g->json.failed || g->ref_len > UINT16_MAX)
        return;
    pthread_mutex_lock(&k->rows.lock);
    struct kept_gist *kept =
        (struct kept_gist *)kept_rows_add(&k->rows, seq, row, sizeof(*kept) + g->json.len);
    if (kept) {
        kept->ref_len = (uint16_t)g->ref_len;
        kept->kind = (uint8_t)g->kind;
        kept->status = (uint8_t)g->status;
        kept->len = (uint32_t)g->json.len;
        kept->look = (struct guard_look){0};
        memcpy(kept->json, g->json.buf, g->json.len);
    }
    pthread_mutex_unlock(&k->rows.lock);
}

static int no_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "Ask for less, or free some memory.",
                     "there is no memory for what is read");
}

static int read_row(struct reader *r, struct arena *arena, int64_t row, struct gist *out,
                    struct error *e)
{
    struct db *db = reader_db(r);
    bool failed = false;
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT kind, name, status, text FROM memory WHERE id = ?", e);
    int found = stmt ? db_bind(db, stmt, e, "i", row) : -1;
    if (found < 0)
        return -1;
    if (found == 0)
        return error_set(e, ERROR_NOT_FOUND, "", "there is no memory in row %lld", (long long)row);
    int kind = column_enum(stmt, 0, KIND_COUNT), status = column_enum(stmt, 2, STATUS_COUNT);
    struct ref ref = {(enum kind)kind, column_text(arena, stmt, 1, &failed)};
    const char *text = column_text(arena, stmt, 3, &failed);
    sqlite3_reset(stmt);
    if (failed)
        return no_memory(e);
    if (kind < 0 || status < 0 || !ref.id)
        return reader_damaged(e, "the kind or status", row);
    out->kind = ref.kind;
    out->status = (enum status)status;
    exchange_add_ref(&out->json, ref);
    out->ref_len = out->json.len;
    if (text && (ref.kind == KIND_ENTRY || strlen(text) > GIST_TEXT_MAX || guard_is_name(text)))
        out->text = text;
    else
        json_add_string(&out->json, text ? text : "");
    return out->json.failed ? no_memory(e) : 0;
}

int gist_read(struct reader *r, struct arena *arena, int64_t row, struct gist *out, struct error *e)
{
    struct kept_gists *k = reader_keeps(r) ? reader_store(r)->gists : NULL;
    int64_t seq = 0;
    strbuf_clear(&out->json);
    out->text = NULL;
    out->clean = false;
    if (k && reader_moment(r, &seq, e))
        return -1;
    int found = k ? find(k, r, seq, row, out, e) : 0;
    if (found < 0 || (!found && read_row(r, arena, row, out, e)))
        return -1;
    if (found)
        return out->json.failed ? no_memory(e) : 0;
    if (rules_of(r) && !out->text)
        out->clean = looks_clean(rules_of(r), out->json.buf, out->ref_len, out->json.len);
    if (k && out->kind != KIND_ENTRY)
        keep(k, seq, row, out);
    return 0;
}
