/* Reading entries: one entry, a page of a namespace, all namespaces. */
#include "store/entries/entry.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/db/db.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/record/entry_row.h"
#include "store/record/get.h"

/* ---- one entry ---- */

int entry_not_found(const char *name, struct error *e)
{
    return error_set(e, ERROR_NOT_FOUND, "See which keys there are with listMemory.",
                     "there is no such entry in the namespace %s", name);
}

/*
 * Of several living entries with a key, all but one are `hidden`. State 0 is present, 1 is expired.
 * The conditions on `state` repeat those of the partial indexes; otherwise SQLite scans the table.
 */
static const char by_key[] =
    "SELECT e.memory FROM namespace n CROSS JOIN entry e INDEXED BY entry_there WHERE n.name = ?1"
    " AND e.namespace = n.id AND e.key = ?2 AND e.state = 0 AND e.hidden = 0 UNION ALL"
    " SELECT e.memory FROM namespace n CROSS JOIN entry e INDEXED BY entry_aside WHERE n.name = ?1"
    " AND e.namespace = n.id AND e.key = ?2 AND (e.state > 0 OR e.hidden > 0) AND e.state = 1"
    " AND e.hidden = 0 LIMIT 1";
/* An opaque key has few rows. */
static const char by_shown[] =
    "SELECT e.memory FROM entry e JOIN namespace n ON n.id = e.namespace WHERE n.name = ?1"
    " AND e.shown = ?2 AND e.state < 2 ORDER BY e.created DESC, e.memory DESC LIMIT 1";

int entry_find(struct db *db, const char *name, const char *key, int64_t *memory, struct error *e)
{
    int64_t shown;
    if (entry_key_hash_read(key, &shown))
        return db_int(db, memory, 0, e, by_shown, "si", name, shown);
    return db_int(db, memory, 0, e, by_key, "ss", name, key);
}

/* Copies the value to the arena; "null" if there is none. */
static void read_value(struct arena *arena, const struct memory *m, struct entry *out)
{
    struct json_slice value;
    entry_value_of(m, &value);
    out->value = value.ptr ? arena_strndup(arena, value.ptr, value.len) : "null";
    out->bytes = (int64_t)value.len;
}

static int read_entry(struct reader *r, struct arena *arena, int64_t memory, struct entry *out,
                      struct error *e)
{
    struct memory m;
    struct entry_row row;
    struct db *db = reader_db(r);
    if (memory_read_db(db, arena, memory, &m, e))
        return -1;
    int is = entry_row_of(db, &m, arena, &row, e);
    if (is < 0)
        return -1;
    if (!is || row.state != ENTRY_THERE ||
        (row.expires && row.expires <= store_now(reader_store(r))))
        return 1;
    *out = (struct entry){.node = memory,
                          .ref = m.ref,
                          .namespace_ = row.name,
                          .key = row.key,
                          .version = m.version,
                          .created_at = m.created_at,
                          .updated_at = m.updated_at,
                          .expires_at = row.expires};
    read_value(arena, &m, out);
    return 0;
}

int entry_get(struct reader *r, struct arena *arena, const char *name, const char *key,
              struct entry *out, struct error *e)
{
    int64_t memory;
    if (reader_begin(r, e))
        return -1;
    int result = entry_find(reader_db(r), name, key, &memory, e);
    if (result == 0)
        result = memory ? read_entry(r, arena, memory, out, e) : 1;
    reader_end(r);
    return result > 0 ? entry_not_found(name, e) : result;
}

/* ---- cursors of a page ---- */

#define HASH_LENGTH 16 /* hash of the query, in hex */

/* The hash and the last key, padded so that the length of the encrypted cursor reveals nothing. */
static const char *cursor_of(struct arena *arena, const struct entry_query *q, const char *last)
{
    uint64_t mark = fnv_add(FNV_BASIS, q->namespace_, strlen(q->namespace_) + 1);
    mark = q->prefix ? fnv_add(mark, q->prefix, strlen(q->prefix)) : mark;
    return arena_format(arena, "%016" PRIx64 "%-*s", mark, ENTRY_KEY_MAX, last);
}

static void write_cursor(struct reader *r, struct arena *arena, const struct entry_query *q,
                         const char *last, const char **out)
{
    AUTO_STRBUF sealed = STRBUF_INIT;
    guard_encrypt_cursor(r, cursor_of(arena, q, last), &sealed);
    *out = arena_strndup(arena, sealed.buf, sealed.len);
}

/* ERROR_INVALID if it is damaged or belongs to another query. */
static int read_cursor(struct reader *r, struct arena *arena, const struct entry_query *q,
                       const char **last, struct error *e)
{
    const char *plain;
    if (guard_decrypt_cursor(r, arena, q->cursor, &plain, e))
        return -1;
    if (strlen(plain) != HASH_LENGTH + ENTRY_KEY_MAX || plain[HASH_LENGTH] == ' ' ||
        strncmp(plain, cursor_of(arena, q, ""), HASH_LENGTH) != 0)
        return guard_bad_cursor(e);
    *last = arena_strndup(arena, plain + HASH_LENGTH, strcspn(plain + HASH_LENGTH, " "));
    return 0;
}

/* ---- a page ---- */

/* A page being filled. */
struct listing {
    struct reader *reader;
    struct arena *arena;
    const struct entry_query *query;
    struct entry_page *page;
    int64_t name; /* row of the namespace */
    int64_t now;
    const char *prefix;
    char end[ENTRY_KEY_MAX + 2]; /* upper bound of the keys with the prefix */
    char last[ENTRY_KEY_MAX + 1];
};

/* The number of leading bytes of a key that must be free of personal data to compare the prefix. */
static int64_t least_open(const struct listing *l)
{
    return l->query->pii ? (int64_t)strlen(l->prefix) : 0;
}

/* Returns true if the part of the key that the caller may see has the prefix. *open is the length
 * of that part. */
static bool matches(const struct listing *l, const char *key, size_t len, size_t *open)
{
    *open = l->query->pii ? entry_open(l->query->pii, key, len) : len;
    return *open >= strlen(l->prefix);
}

static void add_key(struct listing *l, sqlite3_stmt *stmt, const char *key, bool masked)
{
    struct entry_page *page = l->page;
    char text[ENTRY_MASKED_SIZE];
    entry_key_hash_write(text, sqlite3_column_int64(stmt, 2));
    page->keys[page->count] = arena_strdup(l->arena, masked ? text : key);
    page->nodes[page->count++] = sqlite3_column_int64(stmt, 1);
    page->masked += masked;
    snprintf(l->last, sizeof(l->last), "%s", key);
}

/* Returns 1 if the page is full, so that this key is on the next page. */
static int take_key(struct listing *l, sqlite3_stmt *stmt)
{
    const char *key = (const char *)sqlite3_column_text(stmt, 0);
    size_t len = (size_t)sqlite3_column_bytes(stmt, 0), open;
    if (!key || !matches(l, key, len, &open))
        return 0;
    if (l->page->count == l->query->limit)
        return 1;
    add_key(l, stmt, key, open < len);
    return 0;
}

static const char page_sql[] =
    "SELECT key, memory, shown FROM entry INDEXED BY entry_there WHERE namespace = ? AND key >= ?"
    " AND key < ? AND state = 0 AND hidden = 0 AND open >= ? AND (expires IS NULL OR expires > ?)"
    " ORDER BY key";

#define KEY_END "\x7f" /* sorts after every byte of a key */

/* The lower bound of the scan. With two lower bounds SQLite would use only the first one for the
 * index. Keys contain no byte 1, so "\x01" gives the first key after `after`. */
static void first_key(const struct listing *l, const char *after, char *out, size_t size)
{
    if (strcmp(after, l->prefix) < 0 || !*after)
        snprintf(out, size, "%s", l->prefix);
    else
        snprintf(out, size, "%s\x01", after);
}

/* Returns true if no further entry can match. Only on the first page: the total includes earlier
 * pages. */
static bool is_all(const struct listing *l)
{
    return !l->query->cursor && (int64_t)l->page->count == l->page->total;
}

static int fill_page(struct listing *l, const char *after, bool *more, struct error *e)
{
    char from[ENTRY_KEY_MAX + 2];
    first_key(l, after, from, sizeof(from));
    *more = false;
    if (l->page->total == 0)
        return 0;
    struct query rows = db_query(reader_db(l->reader), e, page_sql, "issii", l->name, from, l->end,
                                 least_open(l), l->now);
    while (!*more && !is_all(l) && db_next(&rows)) {
        int taken = take_key(l, rows.stmt);
        if (taken < 0)
            return db_fail(&rows);
        *more = taken > 0;
    }
    return db_end(&rows);
}

/* The total without entries that expired but were not swept yet. */
static int count_kept(struct listing *l, struct error *e)
{
    static const char all[] = "SELECT items FROM namespace WHERE id = ?";
    static const char begun[] = "SELECT count(*) FROM entry INDEXED BY entry_there WHERE"
                                " namespace = ? AND key >= ? AND key < ? AND state = 0"
                                " AND hidden = 0 AND open >= ?";
    static const char sql[] = "SELECT count(*) FROM entry INDEXED BY entry_expires WHERE expires "
                              "<= ? AND namespace = ? AND key >= ? AND key < ?"
                              " AND state = 0 AND expires IS NOT NULL AND hidden = 0 AND open >= ?";
    struct db *db = reader_db(l->reader);
    int64_t over;
    if (*l->prefix ? db_int(db, &l->page->total, 0, e, begun, "issi", l->name, l->prefix, l->end,
                            least_open(l))
                   : db_int(db, &l->page->total, 0, e, all, "i", l->name))
        return -1;
    if (db_int(db, &over, 0, e, sql, "iissi", l->now, l->name, l->prefix, l->end, least_open(l)))
        return -1;
    l->page->total -= over;
    return 0;
}

/* The column `open` reflects the built-in patterns only. If the caller has patterns of its own,
 * test each key as for a page; otherwise the total would reveal what the page hides. */
static int count_matches(struct listing *l, struct error *e)
{
    struct db *db = reader_db(l->reader);
    size_t open;
    struct query rows =
        db_query(db, e, page_sql, "issii", l->name, l->prefix, l->end, least_open(l), l->now);
    while (db_next(&rows)) {
        const char *key = (const char *)sqlite3_column_text(rows.stmt, 0);
        l->page->total += key && matches(l, key, (size_t)sqlite3_column_bytes(rows.stmt, 0), &open);
    }
    return db_end(&rows);
}

static int count_all(struct listing *l, struct error *e)
{
    const struct pii *pii = l->query->pii;
    return pii && pii_has_patterns(pii) && *l->prefix ? count_matches(l, e) : count_kept(l, e);
}

static int list(struct listing *l, struct error *e)
{
    const struct entry_query *q = l->query;
    const char *after = "";
    bool more;
    if (q->cursor && read_cursor(l->reader, l->arena, q, &after, e))
        return -1;
    l->name = entry_namespace_row(reader_db(l->reader), q->namespace_, e);
    if (l->name <= 0 || strlen(l->prefix) > ENTRY_KEY_MAX)
        return l->name < 0 ? -1 : 0;
    snprintf(l->end, sizeof(l->end), "%s" KEY_END, l->prefix);
    if (count_all(l, e) || fill_page(l, after, &more, e))
        return -1;
    if (more)
        write_cursor(l->reader, l->arena, q, l->last, &l->page->cursor);
    return 0;
}

int entry_list(struct reader *r, struct arena *arena, const struct entry_query *query,
               struct entry_page *out, struct error *e)
{
    struct listing l = {.reader = r,
                        .arena = arena,
                        .query = query,
                        .page = out,
                        .now = store_now(reader_store(r)),
                        .prefix = query->prefix ? query->prefix : ""};
    *out = (struct entry_page){.keys = arena_array(arena, query->limit + 1, sizeof(*out->keys)),
                               .nodes = arena_array(arena, query->limit + 1, sizeof(*out->nodes))};
    return reader_begin(r, e) ? -1 : reader_done(r, list(&l, e));
}

/* ---- namespaces, for the explorer ---- */

/* Adds entries that are not swept yet to the expired ones. */
static const char namespaces_sql[] =
    "SELECT n.name, n.items, n.bytes, n.expired, (SELECT updated FROM entry INDEXED BY entry_oldest"
    " WHERE namespace = n.id AND state = 0 AND hidden = 0 ORDER BY updated DESC LIMIT 1),"
    " coalesce(o.items, 0), coalesce(o.bytes, 0) FROM namespace n LEFT JOIN"
    " (SELECT namespace, count(*) AS items, sum(bytes) AS bytes FROM entry WHERE expires <= ?"
    " AND state = 0 AND expires IS NOT NULL AND hidden = 0 GROUP BY namespace) o"
    " ON o.namespace = n.id ORDER BY n.name";

/* Returns the time for which the reader answers. */
static int time_of(struct reader *r, int64_t *at, struct error *e)
{
    *at = store_now(reader_store(r));
    return reader_past(r) < 0 ? 0
                              : db_int(reader_db(r), at, 0, e,
                                       "SELECT at FROM event ORDER BY seq DESC LIMIT 1", "");
}

/* For a reader of the past: the table `namespace` counts only present entries. O(entries). */
static const char past_namespaces_sql[] =
    "SELECT n.name, sum(f.there), sum(f.there * f.bytes), sum(1 - f.there),"
    " coalesce(max(f.there * f.updated), 0), 0, 0 FROM (SELECT *, state = 0 AND"
    " (expires IS NULL OR expires > ?) AS there FROM entry WHERE hidden = 0 AND state < 2) f"
    " JOIN namespace n ON n.id = f.namespace GROUP BY n.id ORDER BY n.name";

static int read_namespaces(struct reader *r, struct arena *arena, struct namespace_row **out,
                           size_t *count, struct error *e)
{
    size_t alloc = 0;
    int64_t now;
    if (time_of(r, &now, e))
        return -1;
    struct query rows = db_query(
        reader_db(r), e, reader_past(r) < 0 ? namespaces_sql : past_namespaces_sql, "i", now);
    while (db_next(&rows)) {
        int64_t over = sqlite3_column_int64(rows.stmt, 5);
        struct namespace_row row = {.name = db_text(arena, rows.stmt, 0),
                                    .items = sqlite3_column_int64(rows.stmt, 1) - over,
                                    .bytes = sqlite3_column_int64(rows.stmt, 2) -
                                             sqlite3_column_int64(rows.stmt, 6),
                                    .expired = sqlite3_column_int64(rows.stmt, 3) + over};
        row.updated_at = row.items ? sqlite3_column_int64(rows.stmt, 4) : 0;
        *ARENA_ADD(arena, *out, *count, alloc) = row;
    }
    return db_end(&rows);
}

int namespace_list(struct reader *r, struct arena *arena, struct namespace_row **out, size_t *count,
                   struct error *e)
{
    *out = NULL;
    *count = 0;
    return reader_begin(r, e) ? -1 : reader_done(r, read_namespaces(r, arena, out, count, e));
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct namespace_row *)a)->name, ((const struct namespace_row *)b)->name);
}

void namespace_add_quotas(const struct permissions *p, struct arena *arena,
                          struct namespace_row **rows, size_t *count)
{
    size_t had = *count;
    struct namespace_row *all = arena_array(arena, had + p->namespace_count + 1, sizeof(*all));
    for (size_t i = 0; i < had; i++)
        all[i] = (*rows)[i];
    for (size_t i = 0; i < p->namespace_count; i++) {
        const struct namespace_policy *policy = &p->namespaces[i];
        bool used = !policy->max_items && !policy->max_bytes;
        for (size_t k = 0; k < had && !used; k++)
            used = permission_policy(p, all[k].name) == policy;
        if (!used)
            all[(*count)++].name = arena_strdup(arena, policy->pattern);
    }
    if (*count > had)
        SORT(all, *count, by_name);
    *rows = all;
}

static const char rows_sql[] =
    "SELECT e.memory, e.key, m.name, m.version, m.created_at, m.updated_at, e.expires, e.bytes"
    " FROM entry e INDEXED BY entry_there JOIN memory m ON m.id = e.memory"
    " WHERE e.namespace = ? AND e.key > ? AND e.state = 0 AND e.hidden = 0"
    " AND (e.expires IS NULL OR e.expires > ?) ORDER BY e.key LIMIT ?";

/* Cuts the value at a whole character. A value of the past that has expired since is not shown. */
static int take_value(struct reader *r, struct arena *arena, size_t max, struct entry *out,
                      struct error *e)
{
    struct memory m;
    struct json_slice value;
    if (memory_read_db(reader_db(r), arena, out->node, &m, e) || entry_hide(r, arena, &m, e))
        return -1;
    entry_value_of(&m, &value);
    out->value =
        value.ptr ? arena_strndup(arena, value.ptr, utf8_fit(value.ptr, value.len, max)) : "null";
    return 0;
}

static int read_row(struct reader *r, struct arena *arena, sqlite3_stmt *stmt, const char *name,
                    size_t value_max, struct entry *out, struct error *e)
{
    *out = (struct entry){.node = sqlite3_column_int64(stmt, 0),
                          .key = db_text(arena, stmt, 1),
                          .ref = {KIND_ENTRY, db_text(arena, stmt, 2)},
                          .namespace_ = name,
                          .version = sqlite3_column_int64(stmt, 3),
                          .created_at = sqlite3_column_int64(stmt, 4),
                          .updated_at = sqlite3_column_int64(stmt, 5),
                          .expires_at = sqlite3_column_int64(stmt, 6),
                          .bytes = sqlite3_column_int64(stmt, 7)};
    return take_value(r, arena, value_max, out, e);
}

static int read_rows(struct reader *r, struct arena *arena, const char *name, const char *after,
                     size_t limit, size_t value_max, struct entry *out, size_t *count,
                     struct error *e)
{
    struct db *db = reader_db(r);
    const char *kept = arena_strdup(arena, name);
    int64_t now, row = entry_namespace_row(db, name, e);
    if (row <= 0)
        return row < 0 ? -1 : 0;
    if (time_of(r, &now, e))
        return -1;
    struct query rows =
        db_query(db, e, rows_sql, "isii", row, after ? after : "", now, (int64_t)limit);
    while (db_next(&rows))
        if (read_row(r, arena, rows.stmt, kept, value_max, &out[(*count)++], e))
            return db_fail(&rows);
    return db_end(&rows);
}

int entry_rows(struct reader *r, struct arena *arena, const char *name, const char *after,
               size_t limit, size_t value_max, struct entry **out, size_t *count, struct error *e)
{
    *count = 0;
    *out = arena_array(arena, limit + 1, sizeof(**out));
    return reader_begin(r, e)
               ? -1
               : reader_done(r, read_rows(r, arena, name, after, limit, value_max, *out, count, e));
}
