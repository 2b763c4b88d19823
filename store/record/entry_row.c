/*
 * The derived rows of entries: names and counts, which entry of a key counts, and when the values
 * in patches expire.
 */
#include "store/record/entry_row.h"

#include <string.h>
#include "model/base/digest.h"
#include "model/base/strbuf.h"
#include "model/format/memory_json.h"
#include "model/json/json.h"
#include "model/policy/permission.h"
#include "store/db/reader.h"
#include "store/journal/journal.h"
#include "store/record/index_tables.h"
#include "store/record/put.h"

/* ---- keys ---- */

#define SECRET_SIZE 32

static int read_secret(struct db *db, uint8_t secret[SECRET_SIZE], struct error *e)
{
    struct query row = db_query(db, e, "SELECT bytes FROM secret WHERE id = 1", "");
    bool whole = db_next(&row) && sqlite3_column_bytes(row.stmt, 0) == SECRET_SIZE;
    if (whole)
        memcpy(secret, sqlite3_column_blob(row.stmt, 0), SECRET_SIZE);
    if (db_end(&row))
        return -1;
    return whole ? 0
                 : error_set(e, ERROR_STORE, "Run stemma fsck on the store.",
                             "the store is damaged: its secret is missing");
}

int entry_secret_for(struct db *db, const char *use, struct digest *out, struct error *e)
{
    uint8_t secret[SECRET_SIZE];
    struct digest d;
    if (read_secret(db, secret, e))
        return -1;
    digest_bytes(&d, use, strlen(use));
    digest_hmac(out, secret, SECRET_SIZE, &d);
    return 0;
}

/* The masked key, as entry_row.shown. ERROR_STORE if the store has no secret. */
static int hash_key(struct db *db, const char *name, const char *key, int64_t *out, struct error *e)
{
    uint8_t secret[SECRET_SIZE];
    AUTO_STRBUF text = STRBUF_INIT;
    struct digest plain, keyed;
    uint64_t bits = 0;
    if (read_secret(db, secret, e))
        return -1;
    strbuf_addstr(&text, name);
    strbuf_addch(&text, '\0');
    strbuf_addstr(&text, key);
    digest_bytes(&plain, text.buf, text.len);
    digest_hmac(&keyed, secret, SECRET_SIZE, &plain);
    for (size_t i = 0; i < sizeof(bits); i++)
        bits = bits << 8 | keyed.bytes[i];
    *out = (int64_t)bits;
    return 0;
}

void entry_key_hash_write(char out[ENTRY_MASKED_SIZE], int64_t shown)
{
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)((uint64_t)shown >> (56 - 8 * i));
    memcpy(out, ENTRY_MASKED_PREFIX, sizeof(ENTRY_MASKED_PREFIX) - 1);
    base32_write(out + sizeof(ENTRY_MASKED_PREFIX) - 1, bytes, sizeof(bytes));
}

bool entry_key_hash_read(const char *text, int64_t *out)
{
    const size_t at = sizeof(ENTRY_MASKED_PREFIX) - 1;
    uint8_t bytes[8];
    uint64_t bits = 0;
    if (strncmp(text, ENTRY_MASKED_PREFIX, at) != 0 ||
        !base32_read(text + at, bytes, sizeof(bytes)))
        return false;
    for (int i = 0; i < 8; i++)
        bits = bits << 8 | bytes[i];
    *out = (int64_t)bits;
    return true;
}

size_t entry_open(const struct pii *pii, const char *key, size_t len)
{
    size_t open = pii_key_visible(pii_built_in(), key, len);
    size_t own = pii && pii_has_patterns(pii) ? pii_key_visible(pii, key, len) : open;
    return own < open ? own : open;
}

int entry_masked_key(struct reader *r, struct arena *arena, const char *name, const char *key,
                     const char **out, struct error *e)
{
    char text[ENTRY_MASKED_SIZE];
    int64_t shown;
    if (hash_key(reader_db(r), name, key, &shown, e))
        return -1;
    entry_key_hash_write(text, shown);
    *out = arena_strdup(arena, text);
    return 0;
}

/* ---- names ---- */

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

int entry_claim_check(struct db *db, const struct memory *before, const struct memory *after,
                      int64_t now, int64_t *over, struct error *e)
{
    static const char sql[] =
        "SELECT e.memory, e.expires, m.name FROM namespace n CROSS JOIN entry e INDEXED BY"
        " entry_there CROSS JOIN memory m ON m.id = e.memory WHERE n.name = ? AND e.namespace = "
        "n.id"
        " AND e.key = ? AND e.state = 0 AND e.hidden = 0 AND m.name <> ?";
    AUTO_ARENA arena = ARENA_INIT;
    struct entry_claim claim, had;
    int64_t unasked;
    int result = 0;
    over = over ? over : &unasked;
    *over = 0;
    bool claims = entry_claim_of(after, now, &arena, &claim);
    if (claims && before && entry_claim_of(before, now, &arena, &had))
        claims = strcmp(claim.namespace_, had.namespace_) != 0 || strcmp(claim.key, had.key) != 0;
    if (claims) {
        struct query row = db_query(db, e, sql, "sss", claim.namespace_, claim.key, after->ref.id);
        if (db_next(&row)) {
            int64_t expires = sqlite3_column_int64(row.stmt, 1);
            if (expires && expires <= now)
                *over = sqlite3_column_int64(row.stmt, 0);
            else
                result = error_set(e, ERROR_CONFLICT,
                                   "Retract that one, or give one of them another key.",
                                   "the namespace %s has a key %s already: entry:%s",
                                   claim.namespace_, claim.key, sqlite3_column_text(row.stmt, 2));
        }
        result = db_end(&row) ? -1 : result;
    }
    return result;
}

/* ---- members of an entry ---- */

void entry_value_of(const struct memory *m, struct json_slice *out)
{
    struct json_slice detail = detail_json(m->detail);
    *out = detail.ptr ? json_member(detail.ptr, detail.len, "value") : detail;
}

/* An expires_at that is not a number counts as none. */
static int64_t entry_expires_in(struct json_slice detail)
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
                                                                    : ENTRY_REMOVED;
}

int entry_row_of(struct db *db, const struct memory *m, struct arena *arena, struct entry_row *out,
                 struct error *e)
{
    struct json_slice detail;
    struct entry_claim name;
    if (m->ref.kind != KIND_ENTRY || !STATUS_KEPT(m->status))
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
    return hash_key(db, out->name, out->key, &out->shown, e) ? -1 : 1;
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

/* Adds the row to the counts of its namespace (times 1), or subtracts it (times -1). */
static int count(struct db *db, const struct entry_row *row, int64_t times, struct error *e)
{
    bool expired = row->state == ENTRY_EXPIRED && !row->hidden;
    if (!counts(row) && !expired)
        return 0;
    return db_run(db, e,
                  "UPDATE namespace SET items = items + ?, bytes = bytes + ?, expired = expired + ?"
                  " WHERE id = ?",
                  "iiii", counts(row) ? times : 0, counts(row) ? times * row->bytes : 0,
                  expired ? times : 0, row->namespace_);
}

/* Reads the row of a memory; memory is 0 if there is none. */
static int read_row(struct db *db, struct arena *arena, int64_t memory, struct entry_row *out,
                    struct error *e)
{
    struct query row = db_query(db, e,
                                "SELECT namespace, key, state, hidden, bytes, open FROM entry"
                                " WHERE memory = ?",
                                "i", memory);
    *out = (struct entry_row){0};
    if (db_next(&row)) {
        out->memory = memory;
        out->namespace_ = sqlite3_column_int64(row.stmt, 0);
        out->key = db_text(arena, row.stmt, 1);
        out->state = (enum entry_state)sqlite3_column_int(row.stmt, 2);
        out->hidden = sqlite3_column_int(row.stmt, 3) != 0;
        out->bytes = sqlite3_column_int64(row.stmt, 4);
        out->open = sqlite3_column_int64(row.stmt, 5);
    }
    return db_end(&row);
}

static int write_row(struct db *db, const struct put_tables *to, const struct entry_row *row,
                     struct error *e)
{
    return db_run(db, e, to->entry, "iisiiiiiirii", row->memory, row->namespace_, row->key,
                  row->shown, (int64_t)row->state, (int64_t)row->hidden, row->created, row->updated,
                  row->event, row->expires, row->bytes, row->open);
}

int entry_row_insert(struct db *db, const struct put_tables *to, const struct memory *m,
                     struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct entry_row row = {0};
    int has = entry_row_of(db, m, &arena, &row, e);
    if (has < 0 && e->code == ERROR_STORE)
        has = 0; /* the store has no secret: fsck reports it */
    row.namespace_ = has > 0 ? entry_namespace_row(db, row.name, e) : 0;
    int result = has < 0 || row.namespace_ < 0 ? -1 : 0;
    if (row.namespace_ > 0)
        result = write_row(db, to, &row, e);
    return result;
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

/* Inserts a row of a bulk load; entry_row_count computes `hidden` later. */
static int load_row(struct db *db, struct entry_row *row, struct error *e)
{
    row->hidden = false;
    row->namespace_ = make_namespace(db, row->name, e);
    return row->namespace_ < 0 ? -1 : write_row(db, &main_tables, row, e);
}

/* ---- which of one key counts ---- */

struct first_entry {
    int64_t memory, created; /* memory is 0 if there is none */
    bool there, hidden;
};

static bool precedes(const struct first_entry *a, bool there, int64_t created, int64_t memory)
{
    if (!a->memory || a->there != there)
        return a->memory && a->there;
    return a->created != created ? a->created > created : a->memory > memory;
}

static int read_first(struct query rows, struct first_entry *front)
{
    while (db_next(&rows)) {
        int64_t memory = sqlite3_column_int64(rows.stmt, 0),
                created = sqlite3_column_int64(rows.stmt, 1);
        bool there = sqlite3_column_int(rows.stmt, 3) == ENTRY_THERE;
        if (!precedes(front, there, created, memory))
            *front =
                (struct first_entry){memory, created, there, sqlite3_column_int(rows.stmt, 2) != 0};
    }
    return db_end(&rows);
}

/* The first of those of one key that live, but for `without`. O(log n), however many have been deleted. */
static int find_first(struct db *db, int64_t name, const char *key, int64_t without,
                      struct first_entry *front, struct error *e)
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
    *front = (struct first_entry){0};
    if (read_first(db_query(db, e, there, "isi", name, key, without), front))
        return -1;
    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
        if (read_first(
                db_query(db, e, aside, "isiii", name, key, places[i][0], places[i][1], without),
                front))
            return -1;
    }
    return 0;
}

static int set_first_hidden(struct db *db, struct arena *arena, const struct first_entry *front,
                            bool hidden, struct error *e)
{
    return front->memory && front->hidden != hidden
               ? set_hidden(db, arena, front->memory, hidden, e)
               : 0;
}

/* ---- writing ---- */

static int drop_row(struct db *db, struct arena *arena, const struct entry_row *old,
                    struct error *e)
{
    struct first_entry front;
    return failed_if(count(db, old, -1, e) ||
                     db_run(db, e, "DELETE FROM entry WHERE memory = ?", "i", old->memory) ||
                     find_first(db, old->namespace_, old->key, 0, &front, e) ||
                     set_first_hidden(db, arena, &front, false, e));
}

static int put_row(struct db *db, struct arena *arena, const struct entry_row *old,
                   struct entry_row *row, struct error *e)
{
    struct first_entry front;
    row->namespace_ = make_namespace(db, row->name, e);
    if (row->namespace_ < 0)
        return -1;
    bool moved =
        old->memory && (old->namespace_ != row->namespace_ || strcmp(old->key, row->key) != 0);
    if ((moved && drop_row(db, arena, old, e)) ||
        find_first(db, row->namespace_, row->key, row->memory, &front, e))
        return -1;
    bool lives = row->state != ENTRY_REMOVED;
    row->hidden = lives && precedes(&front, row->state == ENTRY_THERE, row->created, row->memory);
    if ((old->memory && !moved && count(db, old, -1, e)) || write_row(db, &main_tables, row, e) ||
        count(db, row, 1, e))
        return -1;
    return set_first_hidden(db, arena, &front, lives && !row->hidden, e);
}

int entry_row_put(struct txn *t, const struct memory *before, const struct memory *after,
                  struct error *e)
{
    const struct memory *m = after ? after : before;
    AUTO_ARENA arena = ARENA_INIT;
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
    return result;
}

/* ---- filling the tables ---- */

static int fill_row(struct db *db, const struct put_tables *to, const struct memory *m,
                    int64_t agent, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct entry_row row = {0};
    (void)to, (void)agent;
    int has = entry_row_of(db, m, &arena, &row, e);
    return has > 0 ? load_row(db, &row, e) : has;
}

_Static_assert(KIND_ENTRY == 14, "as in the statements below");

int entry_row_fill(struct db *db, struct error *e)
{
    static const char sql[] = "SELECT id, agent FROM memory WHERE kind = 14 AND status < 6";
    return record_fill_each(db, sql, fill_row, e) ? -1 : entry_row_count(db, e);
}

/* Hides all entries except the first of each key. */
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
    return db_exec(db, hide_sql, e) || db_exec(db, count_sql, e) ? -1 : 0;
}

/* ---- values in patches ---- */

static struct json_slice member(struct json_slice object, const char *name)
{
    return object.ptr ? json_member(object.ptr, object.len, name) : object;
}

/* True if the patch of a detail restores a value. */
static bool has_value(struct json_slice detail, bool whole)
{
    if (whole)
        return member(detail, "value").ptr;
    struct json_slice removed = member(detail, "removed");
    for (struct json_each it = json_each(removed); removed.ptr && json_next(&it);)
        if (member(member(it.value, "value"), "value").ptr)
            return true;
    return false;
}

int64_t entry_patch_expiry(const struct memory *before, const char *fields, size_t len, bool whole)
{
    if (before->ref.kind != KIND_ENTRY || !len ||
        !has_value(json_member(fields, len, "detail"), whole))
        return 0;
    struct json_slice detail = detail_json(before->detail);
    return before->status == STATUS_EXPIRED ? 1 : detail.ptr ? entry_expires_in(detail) : 0;
}

/* ---- walking the patches of an entry ---- */

struct walk {
    const struct memory *now; /* the state after the next event */
    struct arena arena;
    int (*each)(void *arg, int64_t seq, int64_t expires);
    void *arg;
};

#define WALK_BYTES (1u << 20) /* bytes of former states before drop_former */

/* Copies the current state into a new arena and frees all former ones. */
static int drop_former(struct walk *w, struct error *e)
{
    struct arena kept = ARENA_INIT;
    AUTO_STRBUF form = STRBUF_INIT;
    struct memory *now = arena_alloc(&kept, sizeof(*now));
    memory_json_write(&form, w->now, NULL);
    int result = memory_json_read(now, &kept, form.buf, form.len, NULL, 0, NULL, e);
    arena_release(&w->arena);
    w->arena = kept;
    w->now = now;
    return result;
}

/* Returns other than 0 if no older patch exists or fits, or `each` stops. */
static int walk_event(void *arg, const struct event *event, struct error *e)
{
    struct walk *w = arg;
    int64_t expires = 0;
    if (event->before) {
        bool whole = !event->after;
        struct memory *before = arena_alloc(&w->arena, sizeof(*before));
        if (!event->patch ||
            memory_json_unpatch(before, whole ? NULL : w->now, &w->arena, event->patch, e))
            return 1;
        expires = entry_patch_expiry(before, event->patch, strlen(event->patch), whole);
        w->now = before;
        if (w->arena.used > WALK_BYTES && drop_former(w, e))
            return 1;
    }
    return w->each(w->arg, event->seq, expires);
}

int entry_patch_expiry_walk(struct db *db, const struct memory *now,
                            int (*each)(void *arg, int64_t seq, int64_t expires), void *arg,
                            struct error *e)
{
    struct walk w = {now, ARENA_INIT, each, arg};
    int ended = journal_walk_back(db, NULL, now->node, 0, walk_event, &w, e);
    arena_release(&w.arena);
    return ended < 0 ? -1 : 0;
}

/* ---- filling ---- */

struct filling {
    struct db *db;
    struct error *e;
};

static int fill_event(void *arg, int64_t seq, int64_t expires)
{
    struct filling *f = arg;
    return expires ? db_run(f->db, f->e, "UPDATE event SET expires = ? WHERE seq = ?", "ii",
                            expires, seq)
                   : 0;
}

static int fill_patch_expiry(struct db *db, const struct put_tables *to, const struct memory *m,
                             int64_t agent, struct error *e)
{
    struct filling f = {db, e};
    (void)to, (void)agent;
    return entry_patch_expiry_walk(db, m, fill_event, &f, e);
}

int entry_patch_expiry_fill(struct db *db, struct error *e)
{
    static const char sql[] =
        "SELECT id, agent FROM memory WHERE kind = 14 AND EXISTS (SELECT 1 FROM event"
        " WHERE subject = memory.id AND instr(patch, '\"value\"') > 0)";
    return record_fill_each(db, sql, fill_patch_expiry, e);
}

/* ---- the namespace of an entry ---- */

int entry_namespace(struct reader *r, struct arena *arena, int64_t node, const char **name,
                    struct error *e)
{
    static const char now[] = "SELECT n.name FROM entry e JOIN namespace n ON n.id = e.namespace"
                              " WHERE e.memory = ?";
    static const char then[] =
        "SELECT name FROM main.namespace WHERE id = coalesce((SELECT namespace FROM"
        " temp.then_entry WHERE memory = ?1), (SELECT namespace FROM main.entry WHERE memory = "
        "?1))";
    struct query row = db_query(reader_db(r), e, reader_past(r) < 0 ? now : then, "i", node);
    *name = db_next(&row) ? db_text(arena, row.stmt, 0) : NULL;
    return db_end(&row);
}
