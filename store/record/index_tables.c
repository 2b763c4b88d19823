/*
 * Fills and queries the derived tables lookup and attribution, computes terms of the search index,
 * and edits members of a detail.
 */
#include "store/record/index_tables.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/record/entry_row.h"
#include "store/record/get.h"
#include "store/record/put.h"
#include "store/record/waiting.h"

struct json_slice detail_json(const char *detail)
{
    size_t len = detail ? strlen(detail) : 0;
    if (!is_detail(detail, len))
        return (struct json_slice){NULL, 0};
    return json_trim(detail, len);
}

struct json_slice detail_member(const struct memory *m, const char *name)
{
    struct json_slice detail = detail_json(m->detail);
    return detail.ptr ? json_member(detail.ptr, detail.len, name) : detail;
}

void detail_string(struct json_slice value, struct arena *arena, const char **out)
{
    size_t len;
    const char *text = json_text(arena, value, &len);
    *out = text && utf8_valid(text, len) ? text : NULL;
}

void detail_text(const struct memory *m, const char *name, struct arena *arena, const char **out)
{
    struct json_slice detail = detail_json(m->detail);
    *out = NULL;
    if (detail.ptr)
        detail_string(json_member(detail.ptr, detail.len, name), arena, out);
}

int64_t detail_int(const struct memory *m, const char *name, int64_t otherwise)
{
    int64_t whole;
    struct json_slice value = detail_member(m, name);
    return value.ptr && json_integer(value, &whole) == 0 ? whole : otherwise;
}

void detail_set(const char **detail, struct arena *arena, const char *member, const char *json)
{
    AUTO_STRBUF out = STRBUF_INIT;
    struct json_slice object = detail_json(*detail && **detail ? *detail : "{}");
    bool found = false;
    if (!object.ptr)
        return;
    struct json_object o = json_begin(&out, '{');
    for (struct json_each it = json_each(object); json_next(&it);) {
        bool is_it = json_key_is(it.key, member);
        found |= is_it;
        if (is_it && !json)
            continue;
        strbuf_addstr(&out, o.any ? ",\"" : "\"");
        o.any = true;
        strbuf_add(&out, it.key.ptr, it.key.len);
        strbuf_addstr(&out, "\":");
        strbuf_add(&out, is_it ? json : it.value.ptr, is_it ? strlen(json) : it.value.len);
    }
    if (!found && json)
        json_pair_raw(&o, member, json);
    json_end(&o);
    *detail = arena_strndup(arena, out.buf, out.len);
}

void detail_set_text(const char **detail, struct arena *arena, const char *member, const char *text)
{
    AUTO_STRBUF json = STRBUF_INIT;
    json_add_string(&json, text);
    detail_set(detail, arena, member, json.buf);
}

void memory_claim(struct memory *m, const struct actor *actor, struct arena *arena)
{
    if (actor->claimed)
        detail_set_text(&m->detail, arena, CLAIMED_MEMBER, actor->claimed);
}

#define FIRST_SIZE 4096

/* FNV-1a, then the finalizer of SplitMix64: sums need well-distributed bits. */
uint64_t term_hash(const char *term, size_t len)
{
    uint64_t x = fnv_add(FNV_BASIS, term, len);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* https://sqlite.org/fts5.html#extending_fts5 */
static fts5_api *find_api(struct db *db, struct error *e)
{
    fts5_api *api = NULL;
    sqlite3_stmt *stmt = db_prepare(db, "SELECT fts5(?1)", e);
    if (!stmt || sqlite3_bind_pointer(stmt, 1, &api, "fts5_api_ptr", NULL) ||
        db_step(db, stmt, e) < 0)
        return NULL;
    sqlite3_reset(stmt);
    sqlite3_clear_bindings(stmt);
    return api;
}

int terms_function(struct db *db, const char *name, fts5_extension_function function, void *arg,
                   struct error *e)
{
    fts5_api *api = find_api(db, e);
    return api && api->xCreateFunction(api, name, arg, function, NULL) == SQLITE_OK ? 0 : -1;
}

int terms_open(struct terms *t, struct db *db, struct error *e)
{
    void *with;
    *t = (struct terms){.round = 0};
    error_set(e, ERROR_STORE, "Report it.", "this SQLite has no trigrams");
    fts5_api *api = find_api(db, e);
    if (!api || api->xFindTokenizer(api, "trigram", &with, &t->api))
        return -1;
    if (t->api.xCreate(with, NULL, 0, &t->tokenizer) == SQLITE_OK)
        return 0;
    t->tokenizer = NULL;
    return -1;
}

void terms_close(struct terms *t)
{
    if (t->tokenizer)
        t->api.xDelete(t->tokenizer);
    free(t->slot);
    *t = (struct terms){.round = 0};
}

/* The slot of the hash, or the free slot for it. */
static struct term_slot *find_slot(const struct terms *t, uint64_t hash)
{
    size_t at = hash & (t->size - 1);
    while (t->slot[at].round == t->round && t->slot[at].hash != hash)
        at = (at + 1) & (t->size - 1);
    return &t->slot[at];
}

static void grow(struct terms *t)
{
    struct terms wider = *t;
    wider.size = t->size ? 2 * t->size : FIRST_SIZE;
    wider.slot = xcalloc(wider.size, sizeof(*wider.slot));
    for (size_t i = 0; i < t->size; i++)
        if (t->slot[i].round == t->round)
            *find_slot(&wider, t->slot[i].hash) = t->slot[i];
    free(t->slot);
    *t = wider;
}

static int add_term(void *arg, int flags, const char *term, int len, int start, int end)
{
    struct terms *t = arg;
    (void)flags, (void)start, (void)end;
    t->met++;
    if (2 * (size_t)t->count >= t->size)
        grow(t);
    uint64_t hash = term_hash(term, (size_t)len);
    struct term_slot *slot = find_slot(t, hash);
    if (slot->round == t->round)
        return SQLITE_OK;
    *slot = (struct term_slot){hash, t->round};
    t->count++;
    t->sum += hash;
    return SQLITE_OK;
}

int terms_compute(struct terms *t, const char *text, size_t len, struct error *e)
{
    t->count = 0;
    t->sum = 0;
    t->met = 0;
    if (++t->round == 0) { /* wrapped around: clear all slots */
        if (t->size)
            memset(t->slot, 0, t->size * sizeof(*t->slot));
        t->round = 1;
    }
    return t->api.xTokenize(t->tokenizer, t, FTS5_TOKENIZE_DOCUMENT, text, (int)len, add_term)
               ? error_set(e, ERROR_STORE, "Report it.", "a text cannot be taken apart")
               : 0;
}

/* ---- keys of lookup ---- */

static void key_of(uint8_t key[LOOKUP_KEY_SIZE], const void *bytes, size_t len)
{
    struct digest d;
    digest_bytes(&d, bytes, len);
    memcpy(key, d.bytes, LOOKUP_KEY_SIZE);
}

/* Unicode's White_Space (PropList.txt). */
static bool is_space(uint32_t c)
{
    return (c >= 9 && c <= 13) || c == ' ' || c == 0x85 || c == 0xa0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f ||
           c == 0x205f || c == 0x3000;
}

/* `text` must be valid UTF-8. */
static struct json_slice without_space_around(const char *text, size_t len)
{
    const char *first = NULL, *end = text;
    for (size_t at = 0; at < len;) {
        uint32_t c;
        int n = utf8_decode(text + at, len - at, &c);
        bool space = n > 0 && is_space(c);
        size_t taken = n > 0 ? (size_t)n : 1;
        if (!space) {
            first = first ? first : text + at;
            end = text + at + taken;
        }
        at += taken;
    }
    return (struct json_slice){first ? first : text, first ? (size_t)(end - first) : 0};
}

static void key_of_question(uint8_t key[LOOKUP_KEY_SIZE], const char *text)
{
    AUTO_STRBUF folded = STRBUF_INIT;
    struct json_slice inner = without_space_around(text, strlen(text));
    fold_text(&folded, inner.ptr, inner.len);
    key_of(key, folded.buf, folded.len);
}

static void lower(char *s, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (s[i] >= 'A' && s[i] <= 'F')
            s[i] = (char)(s[i] + ('a' - 'A'));
}

/* The text of a member to look up, which the caller frees; NULL if there is none. */
static char *text_of(struct json_slice value, size_t *len)
{
    if (!value.ptr || value.len == 0 || value.ptr[0] == 'n' || value.ptr[0] == '{' ||
        value.ptr[0] == '[')
        return NULL;
    bool quoted = value.ptr[0] == '"';
    *len = quoted ? value.len - 2 : value.len;
    if (*len == 0)
        return NULL;
    char *text = xmemdup(value.ptr + (quoted ? 1 : 0), *len);
    if (quoted)
        *len = json_unescape(text, text, *len);
    return text;
}

static bool key_of_member(uint8_t key[LOOKUP_KEY_SIZE], enum lookup_field field,
                          struct json_slice value)
{
    size_t len;
    char *text = text_of(value, &len);
    if (!text)
        return false;
    if (field == LOOKUP_CONTENT_HASH)
        lower(text, len);
    key_of(key, text, len);
    free(text);
    return true;
}

/* The key of two texts, joined by a NUL. */
static void key_of_pair(uint8_t key[LOOKUP_KEY_SIZE], const char *a, size_t a_len, const char *b,
                        size_t b_len)
{
    AUTO_STRBUF both = STRBUF_INIT;
    strbuf_add(&both, a, a_len);
    strbuf_addch(&both, '\0');
    strbuf_add(&both, b, b_len);
    key_of(key, both.buf, both.len);
}

/* The key of the response that a citation belongs to. */
static bool key_of_response(uint8_t key[LOOKUP_KEY_SIZE], struct json_slice detail)
{
    size_t len = 0, message_len = 0;
    AUTO_FREE char *conversation =
        text_of(json_member(detail.ptr, detail.len, "conversation_id"), &len);
    AUTO_FREE char *message =
        text_of(json_member(detail.ptr, detail.len, "message_id"), &message_len);
    if (conversation && message)
        key_of_pair(key, conversation, len, message, message_len);
    return conversation && message;
}

static const struct {
    enum kind kind;
    /* member of the detail; NULL if it is made of several, of the text or of a relation */
    const char *member;
} fields[LOOKUP_COUNT] = {
    [LOOKUP_CONVERSATION] = {KIND_CITATION, "conversation_id"},
    [LOOKUP_MESSAGE] = {KIND_CITATION, "message_id"},
    [LOOKUP_CITED] = {KIND_CITATION, "document_id"},
    [LOOKUP_URI] = {KIND_ATTRIBUTION, "source_uri"},
    [LOOKUP_CONTENT_HASH] = {KIND_ATTRIBUTION, "full_content_hash"},
    [LOOKUP_QUESTION] = {KIND_CHAIN, NULL},
    [LOOKUP_RESPONSE] = {KIND_CITATION, NULL},
    [LOOKUP_DOCUMENT_URI] = {KIND_DOCUMENT, "uri"},
    [LOOKUP_COPY_OF] = {KIND_ATTRIBUTION, NULL},
    [LOOKUP_CLAIMED] = {KIND_COUNT, CLAIMED_MEMBER},
};

/* Spares most memories the walk through their detail. */
bool lookup_has(const struct memory *m)
{
    return m->ref.kind == KIND_CITATION || m->ref.kind == KIND_ATTRIBUTION ||
           m->ref.kind == KIND_CHAIN || m->ref.kind == KIND_DOCUMENT ||
           (m->detail && strstr(m->detail, "\"" CLAIMED_MEMBER "\""));
}

/* The first document that it is a copy of. */
static bool key_of_copy(uint8_t key[LOOKUP_KEY_SIZE], const struct memory *m)
{
    for (size_t i = 0; i < m->relation_count; i++) {
        AUTO_STRBUF ref = STRBUF_INIT;
        if (m->relations[i].type != RELATION_COPY_OF || m->relations[i].to.kind != KIND_DOCUMENT)
            continue;
        ref_add(&ref, m->relations[i].to);
        key_of(key, ref.buf, ref.len);
        return true;
    }
    return false;
}

static bool key_of_field(uint8_t key[LOOKUP_KEY_SIZE], enum lookup_field field,
                         const struct memory *m, struct json_slice detail)
{
    if (field == LOOKUP_QUESTION) {
        key_of_question(key, m->text ? m->text : "");
        return true;
    }
    if (field == LOOKUP_COPY_OF)
        return key_of_copy(key, m);
    if (!detail.ptr)
        return false;
    if (field == LOOKUP_RESPONSE)
        return key_of_response(key, detail);
    return key_of_member(key, field, json_member(detail.ptr, detail.len, fields[field].member));
}

void lookup_of(const struct memory *m, struct lookup_row out[LOOKUP_FIELDS_MOST], size_t *count)
{
    *count = 0;
    if (!STATUS_INDEXED(m->status) || !lookup_has(m))
        return;
    struct json_slice detail = detail_json(m->detail);
    for (int i = 0; i < LOOKUP_COUNT; i++) {
        struct lookup_row *row = &out[*count];
        if (fields[i].kind != m->ref.kind && fields[i].kind != KIND_COUNT)
            continue;
        row->field = (enum lookup_field)i;
        *count += key_of_field(row->key, row->field, m, detail);
    }
}

/* ---- writing ---- */

static int insert_rows(struct db *db, const struct put_tables *to, const struct lookup_row *rows,
                       size_t count, int64_t node, int64_t agent, struct error *e)
{
    for (size_t i = 0; i < count; i++)
        if (db_run(db, e, to->lookup, "iibi", node, (int64_t)rows[i].field,
                   (const void *)rows[i].key, (size_t)LOOKUP_KEY_SIZE, agent))
            return -1;
    return 0;
}

int lookup_insert(struct db *db, const struct put_tables *to, const struct memory *m, int64_t agent,
                  struct error *e)
{
    struct lookup_row rows[LOOKUP_FIELDS_MOST];
    size_t count;
    lookup_of(m, rows, &count);
    return insert_rows(db, to, rows, count, m->node, agent, e);
}

static bool same_rows(const struct lookup_row *a, const struct lookup_row *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i].field != b[i].field || memcmp(a[i].key, b[i].key, LOOKUP_KEY_SIZE) != 0)
            return false;
    return true;
}

int lookup_put(struct txn *t, const struct memory *before, const struct memory *after,
               struct error *e)
{
    struct lookup_row had[LOOKUP_FIELDS_MOST], has[LOOKUP_FIELDS_MOST];
    size_t had_count = 0, count = 0;
    if (before)
        lookup_of(before, had, &had_count);
    if (after)
        lookup_of(after, has, &count);
    if (had_count == count && (count == 0 || same_text(before->agent_id, after->agent_id)) &&
        same_rows(had, has, count))
        return 0;
    if (had_count && db_run(t->db, e, "DELETE FROM lookup WHERE memory = ?", "i", before->node))
        return -1;
    int64_t agent = count ? txn_agent(t, after->agent_id, e) : 0;
    return agent < 0
               ? -1
               : insert_rows(t->db, &main_tables, has, count, after ? after->node : 0, agent, e);
}

/* ---- finding ---- */

void lookup_key(uint8_t key[LOOKUP_KEY_SIZE], enum lookup_field field, const char *value)
{
    size_t len = strlen(value);
    if (field == LOOKUP_QUESTION) {
        key_of_question(key, value);
        return;
    }
    AUTO_FREE char *copy = xmemdup(value, len);
    if (field == LOOKUP_CONTENT_HASH)
        lower(copy, len);
    key_of(key, copy, len);
}

int lookup_rows(struct db *db, struct arena *arena, enum lookup_field field, const char *value,
                const char *agent, size_t limit, int64_t **out, size_t *count, struct error *e)
{
    static const char all[] = "SELECT memory FROM lookup INDEXED BY lookup_key"
                              " WHERE field = ? AND key = ? ORDER BY memory DESC";
    static const char of_agent[] =
        "SELECT memory FROM lookup INDEXED BY lookup_key WHERE field = ? AND key = ?"
        " AND agent = (SELECT id FROM agent WHERE name = ?) ORDER BY memory DESC";
    uint8_t key[LOOKUP_KEY_SIZE];
    size_t alloc = 0;
    *out = NULL;
    *count = 0;
    lookup_key(key, field, value);
    struct query rows = db_query(db, e, agent ? of_agent : all, agent ? "ibs" : "ib",
                                 (int64_t)field, (const void *)key, (size_t)LOOKUP_KEY_SIZE, agent);
    while (*count < limit && db_next(&rows))
        *ARENA_ADD(arena, *out, *count, alloc) = sqlite3_column_int64(rows.stmt, 0);
    return db_end(&rows);
}

void lookup_response_key(uint8_t key[LOOKUP_KEY_SIZE], const char *conversation,
                         const char *message)
{
    key_of_pair(key, conversation, strlen(conversation), message, strlen(message));
}

/* ---- attribution ---- */

static struct json_slice member(struct json_slice detail, const char *name)
{
    return detail.ptr ? json_member(detail.ptr, detail.len, name) : detail;
}

bool attribution_is_listed(const struct memory *m)
{
    return m->ref.kind == KIND_ATTRIBUTION && STATUS_INDEXED(m->status);
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

void attribution_of(const struct memory *m, struct arena *arena, int64_t *at, const char **type)
{
    struct json_slice detail = detail_json(m->detail);
    *at = time_of(m, detail);
    detail_string(member(detail, "source_type"), arena, type);
}

/*
 * Nearly every row is new. A plain INSERT avoids the statement journal that SQLite needs for a
 * REPLACE.
 */
int attribution_insert(struct db *db, const struct put_tables *to, const struct memory *m,
                       int64_t agent, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    const char *type;
    int64_t at;
    if (!attribution_is_listed(m))
        return 0;
    attribution_of(m, &arena, &at, &type);
    int result = db_run(db, e, to->attribution, "iisi", m->node, agent, type, at);
    if (result == 0 && sqlite3_changes(db_handle(db)) == 0)
        result =
            db_run(db, e, "UPDATE attribution SET agent = ?, type = ?, at = ? WHERE memory = ?",
                   "isii", agent, type, at, m->node);
    return result;
}

int attribution_put(struct txn *t, const struct memory *before, const struct memory *after,
                    struct error *e)
{
    if (after && attribution_is_listed(after)) {
        int64_t agent = txn_agent(t, after->agent_id, e);
        return agent < 0 ? -1 : attribution_insert(t->db, &main_tables, after, agent, e);
    }
    if (before && attribution_is_listed(before))
        return db_run(t->db, e, "DELETE FROM attribution WHERE memory = ?", "i", before->node);
    return 0;
}

/* ---- filling the tables of an older store ---- */

/* A damaged memory is skipped; fsck reports it. */
static int fill_memory(struct db *db, int64_t node, int64_t agent, fill_one insert, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct memory m;
    int result = memory_read_db(db, &arena, node, &m, e);
    if (result == 0)
        result = insert(db, &main_tables, &m, agent, e);
    else if (e->code != ERROR_INTERRUPTED)
        result = 0;
    return result;
}

int record_fill_each(struct db *db, const char *sql, fill_one insert, struct error *e)
{
    struct query rows = db_query(db, e, sql, "");
    while (db_next(&rows))
        if (fill_memory(db, sqlite3_column_int64(rows.stmt, 0), sqlite3_column_int64(rows.stmt, 1),
                        insert, e))
            return db_fail(&rows);
    return db_end(&rows);
}

int record_fill(struct db *db, int64_t version, struct error *e)
{
    static const char listed[] =
        "SELECT id, agent FROM memory WHERE kind IN (9, 10, 11, 13) AND status < 4";
    return failed_if((version < 4 && record_fill_each(db, listed, lookup_insert, e)) ||
                     (version < 2 && record_fill_each(db, listed, attribution_insert, e)) ||
                     (version < 5 && entry_row_fill(db, e)) ||
                     (version < 6 && entry_patch_expiry_fill(db, e)) ||
                     (version < 16 && waiting_fill(db, e)));
}
