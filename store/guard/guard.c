/* What a caller may see of a memory, in C and in SQL. Also the encrypted cursors of lists. */
#include "store/guard/guard_internal.h"

#include <nettle/siv-cmac.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/digest.h"
#include "model/base/strbuf.h"
#include "store/db/db.h"
#include "store/db/reader.h"
#include "store/db/store_state.h"
#include "store/record/entry_row.h"

/* ---- the caller ---- */

void reader_guard(struct reader *r, const struct guard *g)
{
    struct guard_known *known = reader_guard_known(r);
    known->read_masked = false;
    known->masked = 0;
    known->guard = g && g->rules ? g : NULL;
    reader_forget_caller(r);
}

void reader_mask(struct reader *r, const struct guard_rules *rules)
{
    reader_guard_known(r)->mask = rules;
}

const struct guard_rules *reader_masked(const struct reader *r)
{
    return reader_guard_known(r)->mask;
}

const struct guard *reader_guarded(const struct reader *r)
{
    return reader_guard_known(r)->guard;
}

/* ---- visibility ---- */

/* Returns true if memories of other agents are hidden. */
static bool hides_others(const struct guard *g)
{
    return !g->rules->permissions.share;
}

bool guard_withholds(const struct reader *r)
{
    struct error ignored;
    struct guard_known *known = reader_guard_known(r);
    int64_t found;
    if (known->withholds < 0)
        known->withholds =
            db_int(reader_db((struct reader *)r), &found, 0, &ignored,
                   "SELECT EXISTS (SELECT 1 FROM main.memory WHERE status >= 8)", "") ||
            found;
    return known->withholds > 0;
}

/* Returns true if the store contains anything that the rules could hide. Errors count as yes. */
static bool has_hidden(struct reader *r, const struct guard *g)
{
    if (guard_withholds(r))
        return true;
    struct error ignored;
    int64_t found;
    return db_int(reader_db(r), &found, 0, &ignored,
                  "SELECT EXISTS (SELECT 1 FROM memory WHERE kind = ?)"
                  " OR (? AND EXISTS (SELECT 1 FROM agent WHERE name <> ?))",
                  "iis", (int64_t)KIND_ENTRY, (int64_t)hides_others(g), g->agent) ||
           found;
}

bool guard_hides(const struct reader *r)
{
    const struct guard *g = reader_guarded(r);
    if (!g)
        return false;
    struct guard_known *known = reader_guard_known(r);
    if (known->hides < 0)
        known->hides = has_hidden((struct reader *)r, g);
    return known->hides > 0;
}

/* Sets *found if the caller may list any namespace. */
static int find_listed_namespace(struct reader *r, bool *found, struct error *e)
{
    const struct guard *g = reader_guarded(r);
    struct db *db = reader_db(r);
    struct query names = db_query(db, e, "SELECT name FROM namespace", "");
    *found = false;
    while (!*found && db_next(&names)) {
        const char *name = (const char *)sqlite3_column_text(names.stmt, 0);
        *found = !name || permission_reads(&g->rules->permissions, g->agent, name, ENTRY_IN_LIST);
    }
    return db_end(&names);
}

/* Returns true if the caller may list any namespace. Errors count as yes; each entry is checked
 * anyway. */
static bool lists_entries(struct reader *r)
{
    struct error ignored;
    struct guard_known *known = reader_guard_known(r);
    bool found;
    if (known->lists_entries < 0)
        known->lists_entries = find_listed_namespace(r, &found, &ignored) || found;
    return known->lists_entries;
}

unsigned guard_kinds(struct reader *r, unsigned kinds)
{
    bool asks = kinds & KIND_BIT(KIND_ENTRY) && guard_hides(r);
    return asks && !lists_entries(r) ? kinds & ~KIND_BIT(KIND_ENTRY) : kinds;
}

bool guard_hides_of(const struct reader *r, unsigned kinds)
{
    return guard_hides(r) &&
           (kinds & KIND_BIT(KIND_ENTRY) || hides_others(reader_guarded(r)) || guard_withholds(r));
}

/* With more entries than this, assume that some have links instead of searching. */
#define ENTRIES_SEARCHED 20000

/* Returns true if any link comes from an entry or leads to one: among all links, or among those of
 * memories changed after event `since`. Errors count as yes. */
static bool find_linked_entry(struct reader *r, int64_t since)
{
    struct error ignored;
    int64_t found, kind = KIND_ENTRY;
    struct db *db = reader_db(r);
    if (since >= 0)
        return db_int(db, &found, 0, &ignored,
                      "SELECT 1 FROM event e JOIN link l ON l.memory = e.subject WHERE e.seq > ?"
                      " AND ? IN ((SELECT kind FROM memory WHERE id = l.target),"
                      " (SELECT kind FROM memory WHERE id = l.memory)) LIMIT 1",
                      "ii", since, kind) ||
               found;
    return db_int(db, &found, 0, &ignored,
                  "SELECT count(*) FROM (SELECT 1 FROM memory WHERE kind = ? LIMIT ?)", "ii", kind,
                  (int64_t)ENTRIES_SEARCHED + 1) ||
           found > ENTRIES_SEARCHED ||
           db_int(db, &found, 0, &ignored,
                  "SELECT 1 FROM memory m WHERE kind = ? AND"
                  " (EXISTS (SELECT 1 FROM link WHERE target = m.id)"
                  " OR EXISTS (SELECT 1 FROM link WHERE memory = m.id)) LIMIT 1",
                  "i", kind) ||
           found;
}

/* Links of entries are rare. Caches the event up to which there was none. A reader of the past
 * assumes that there are some. */
static bool has_linked_entry(struct reader *r)
{
    struct error ignored;
    int64_t seq;
    _Atomic int64_t *known = &reader_store(r)->unlinked_until;
    if (!reader_may_cache(r) || sqlite3_get_autocommit(db_handle(reader_db(r))) ||
        reader_snapshot_seq(r, &seq, &ignored) || seq < 1)
        return true;
    int64_t until = atomic_load(known);
    if (until == seq)
        return false;
    if (until < 0 || until > seq)
        return true;
    bool linked = find_linked_entry(r, until > 0 ? until : -1);
    atomic_compare_exchange_strong(known, &until, linked ? -1 : seq);
    return linked;
}

bool guard_hides_linked_entries(const struct reader *r)
{
    if (!guard_hides(r))
        return false;
    struct guard_known *known = reader_guard_known(r);
    if (known->hides_linked < 0)
        known->hides_linked = has_linked_entry((struct reader *)r);
    return known->hides_linked > 0;
}

bool guard_hides_linked(const struct reader *r)
{
    const struct guard *g = reader_guarded(r);
    return guard_hides(r) &&
           (hides_others(g) || guard_withholds(r) || guard_hides_linked_entries(r));
}

/* Returns true if `agent` is another agent whose memories are hidden from the caller. Only what was
 * named and never written is of no agent. */
static bool is_other_agent(const struct guard *g, const char *agent)
{
    return g->rules && hides_others(g) && agent && *agent && strcmp(agent, g->agent) != 0;
}

int guard_refuse(struct error *e)
{
    return error_set(e, ERROR_REFUSED, "Ask the person who reviews this memory.",
                     "that memory is another agent's, and agents do not share here");
}

bool guard_hides_agent(const struct reader *r, const char *agent)
{
    const struct guard *g = reader_guarded(r);
    return g && is_other_agent(g, agent);
}

/* The visibility of an entry depends on its namespace only. An entry without a known namespace is
 * visible to nobody. */
static int entry_visibility(struct reader *r, int64_t node, enum entry_access how,
                            enum visibility *out, struct error *e)
{
    const struct guard *g = reader_guarded(r);
    const struct permissions *p = &g->rules->permissions;
    AUTO_ARENA arena = ARENA_INIT;
    const char *name = NULL;
    int result = entry_namespace(r, &arena, node, &name, e);
    bool allowed = result == 0 && name && permission_reads(p, g->agent, name, how) &&
                   (how == ENTRY_BY_REF || permission_reads(p, g->agent, name, ENTRY_BY_REF));
    *out = allowed ? VISIBLE_WHOLE : VISIBLE_NONE;
    if (allowed)
        reader_guard_known(r)->read_masked |= permission_policy(p, name)->pii != PII_OFF;
    return result;
}

static int visibility_of(struct reader *r, int64_t node, enum kind kind, enum status status,
                         const char *agent, enum entry_access how, enum visibility *out,
                         struct error *e)
{
    const struct guard *g = reader_guarded(r);
    bool own = g && status != STATUS_QUARANTINED && same_text(agent, g->agent);
    *out = g && STATUS_WITHHELD(status) && !own ? VISIBLE_NONE : VISIBLE_WHOLE;
    if (!g || *out == VISIBLE_NONE)
        return 0;
    if (kind == KIND_ENTRY)
        return entry_visibility(r, node, how, out, e);
    if (is_other_agent(g, agent))
        *out = VISIBLE_OWNER;
    return 0;
}

int guard_visibility_of(struct reader *r, int64_t node, enum kind kind, const char *agent,
                        enum visibility *out, struct error *e)
{
    int64_t status = STATUS_ACTIVE;
    if (reader_guarded(r) && guard_withholds(r) &&
        db_int(reader_db(r), &status, STATUS_ACTIVE, e,
               "SELECT status FROM main.memory WHERE id = ?", "i", node))
        return -1;
    return visibility_of(r, node, kind, (enum status)status, agent, ENTRY_BY_REF, out, e);
}

int guard_owner(struct reader *r, struct arena *arena, int64_t node, int *kind, enum status *status,
                const char **agent, struct error *e)
{
    struct query row = db_query(reader_db(r), e,
                                "SELECT m.kind, a.name, m.status FROM memory m LEFT JOIN agent a"
                                " ON a.id = m.agent WHERE m.id = ?",
                                "i", node);
    if (!db_next(&row))
        return db_end(&row);
    *kind = column_enum(row.stmt, 0, KIND_COUNT);
    *agent = column_utf8(arena, row.stmt, 1);
    *status = (enum status)sqlite3_column_int(row.stmt, 2);
    db_end(&row);
    return *kind < 0 ? reader_damaged(e, "the kind", node) : 1;
}

static int row_visibility(struct reader *r, int64_t node, enum entry_access how,
                          enum visibility *out, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    const char *agent = NULL;
    enum status status = STATUS_ACTIVE;
    int kind = 0;
    *out = VISIBLE_WHOLE;
    if (!guard_hides(r))
        return 0;
    int result = guard_owner(r, &arena, node, &kind, &status, &agent, e);
    if (result > 0)
        result = visibility_of(r, node, (enum kind)kind, status, agent, how, out, e);
    return result;
}

int guard_visibility(struct reader *r, int64_t node, enum visibility *out, struct error *e)
{
    return row_visibility(r, node, ENTRY_BY_REF, out, e);
}

int guard_visibility_of_ref(struct reader *r, struct ref ref, enum visibility absent,
                            enum visibility *out, struct error *e)
{
    int64_t node = ref_find(reader_db(r), ref, e);
    *out = absent;
    return node < 0 ? -1 : node > 0 ? guard_visibility(r, node, out, e) : 0;
}

int guard_lists(struct reader *r, int64_t node, bool *listed, struct error *e)
{
    enum visibility visibility;
    int result = row_visibility(r, node, ENTRY_IN_LIST, &visibility, e);
    *listed = result == 0 && visibility == VISIBLE_WHOLE;
    return result;
}

/* ---- in SQL ---- */

/* Returns the row of the caller's agent, or -1. */
static int64_t caller_row(struct reader *r)
{
    struct error ignored;
    struct guard_known *known = reader_guard_known(r);
    const struct guard *g = reader_guarded(r);
    if (known->mine == 0 && db_int(reader_db(r), &known->mine, -1, &ignored,
                                   "SELECT id FROM agent WHERE name = ?", "s", g->agent))
        known->mine = -1;
    return known->mine;
}

int64_t guard_only_agent(struct reader *r)
{
    const struct guard *g = reader_guarded(r);
    return g && hides_others(g) ? caller_row(r) : 0;
}

/* Agent 0 is NULL: of no agent. */
static bool is_open_agent(struct reader *r, int64_t agent)
{
    const struct guard *g = reader_guarded(r);
    return agent == 0 || !hides_others(g) || agent == caller_row(r);
}

int guard_sees(struct reader *r, enum kind kind, int64_t agent, enum status status, int64_t node,
               bool *seen, struct error *e)
{
    enum visibility visibility = VISIBLE_WHOLE;
    *seen = !reader_guarded(r) || !STATUS_WITHHELD(status) ||
            (status != STATUS_QUARANTINED && agent != 0 && agent == caller_row(r));
    if (!reader_guarded(r) || !*seen)
        return 0;
    if (kind != KIND_ENTRY) {
        *seen = is_open_agent(r, agent);
        return 0;
    }
    if (!lists_entries(r)) {
        *seen = false;
        return 0;
    }
    int result = entry_visibility(r, node, ENTRY_IN_LIST, &visibility, e);
    *seen = visibility == VISIBLE_WHOLE;
    return result;
}

int guard_status(struct reader *r, enum kind kind, int64_t node, enum status *status,
                 struct error *e)
{
    int64_t over;
    if (kind != KIND_ENTRY || (*status != STATUS_ACTIVE && *status != STATUS_SUPERSEDED) ||
        reader_is_writers(r) || reader_past(r) >= 0)
        return 0;
    if (db_int(reader_db(r), &over, 0, e,
               "SELECT 1 FROM main.entry WHERE memory = ? AND expires <= ?", "ii", node,
               store_now(reader_store(r))))
        return -1;
    *status = over ? STATUS_EXPIRED : *status;
    return 0;
}

static void sql_status(sqlite3_context *context, int count, sqlite3_value **value)
{
    struct error e;
    enum status status = (enum status)sqlite3_value_int(value[1]);
    (void)count;
    if (guard_status(sqlite3_user_data(context), (enum kind)sqlite3_value_int(value[0]),
                     sqlite3_value_int64(value[2]), &status, &e))
        sqlite3_result_error(context, e.what, -1);
    else
        sqlite3_result_int(context, (int)status);
}

static void sql_sees(sqlite3_context *context, int count, sqlite3_value **value)
{
    struct reader *r = sqlite3_user_data(context);
    struct error e;
    bool seen;
    (void)count;
    if (guard_sees(r, (enum kind)sqlite3_value_int(value[0]), sqlite3_value_int64(value[1]),
                   (enum status)sqlite3_value_int(value[2]), sqlite3_value_int64(value[3]), &seen,
                   &e))
        sqlite3_result_error(context, e.what, -1);
    else
        sqlite3_result_int(context, seen);
}

/* The text of an entry is its key, for which stricter rules apply. */
static bool masks_text(const struct guard *g, int64_t kind, const char *text, size_t len)
{
    const struct guard_rules *rules = g->rules;
    if (kind == KIND_ENTRY)
        return pii_key_visible(rules->pii, text, len) < len;
    return rules->permissions.mask && guard_has_pii(rules, text, len);
}

static void masks_in_sql(sqlite3_context *context, int count, sqlite3_value **value)
{
    const struct guard *g = reader_guarded(sqlite3_user_data(context));
    const char *text = g ? (const char *)sqlite3_value_text(value[1]) : NULL;
    (void)count;
    sqlite3_result_int(context, text && masks_text(g, sqlite3_value_int64(value[0]), text,
                                                   (size_t)sqlite3_value_bytes(value[1])));
}

int guard_prepare(struct reader *r, struct db *db, struct error *e)
{
    const int flags = SQLITE_UTF8 | SQLITE_DIRECTONLY;
    int code = sqlite3_create_function_v2(db_handle(db), "guard_sees", 4, flags, r, sql_sees, NULL,
                                          NULL, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_create_function_v2(db_handle(db), "guard_status", 3, flags, r, sql_status,
                                          NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_create_function_v2(db_handle(db), "guard_masks", 2, flags, r, masks_in_sql,
                                          NULL, NULL, NULL);
    return code == SQLITE_OK ? 0 : db_error(db, e, "prepare the guard");
}

/* ---- encrypted cursors ---- */

#define CURSOR_MAX 4096 /* bytes, encrypted or not */

static const uint8_t nonce[] = "cursors";

int guard_secret_for(struct db *db, const struct guard_rules *rules, const char *use,
                     struct digest *key)
{
    struct error none;
    if (entry_secret_for(db, use, key, &none) == 0)
        return 0;
    for (size_t i = 0; rules && i < sizeof(key->bytes); i++)
        key->bytes[i] = rules->key[i % GUARD_KEY];
    return rules ? 0 : -1;
}

static void set_key(struct reader *r, struct siv_cmac_aes128_ctx *ctx)
{
    struct digest key;
    guard_secret_for(reader_db(r), reader_guarded(r)->rules, "list", &key);
    siv_cmac_aes128_set_key(ctx, key.bytes);
}

int guard_bad_cursor(struct error *e)
{
    return error_set(e, ERROR_INVALID, "Ask for the first page again, without a cursor.",
                     "the cursor is damaged or belongs to another list");
}

void guard_encrypt_cursor(struct reader *r, const char *cursor, struct strbuf *out)
{
    struct siv_cmac_aes128_ctx ctx;
    size_t len = strlen(cursor), sealed_len = len + SIV_DIGEST_SIZE;
    if (!reader_guarded(r) || len == 0) {
        strbuf_addstr(out, cursor);
        return;
    }
    AUTO_FREE uint8_t *sealed = xmalloc(sealed_len);
    set_key(r, &ctx);
    siv_cmac_aes128_encrypt_message(&ctx, sizeof(nonce), nonce, 0, NULL, sealed_len, sealed,
                                    (const uint8_t *)cursor);
    strbuf_grow(out, BASE32_LEN(sealed_len));
    base32_write(out->buf + out->len, sealed, sealed_len);
    out->len += BASE32_LEN(sealed_len);
}

int guard_decrypt_cursor(struct reader *r, struct arena *arena, const char *sealed,
                         const char **out, struct error *e)
{
    struct siv_cmac_aes128_ctx ctx;
    uint8_t bytes[CURSOR_MAX];
    size_t len = strlen(sealed) * 5 / 8;
    *out = sealed;
    if (!reader_guarded(r) || !*sealed)
        return 0;
    if (len > CURSOR_MAX || len <= SIV_DIGEST_SIZE || !base32_read(sealed, bytes, len))
        return guard_bad_cursor(e);
    size_t plain_len = len - SIV_DIGEST_SIZE;
    char *plain = arena_alloc(arena, plain_len + 1);
    set_key(r, &ctx);
    if (!siv_cmac_aes128_decrypt_message(&ctx, sizeof(nonce), nonce, 0, NULL, plain_len,
                                         (uint8_t *)plain, bytes))
        return guard_bad_cursor(e);
    plain[plain_len] = '\0';
    *out = plain;
    return 0;
}
