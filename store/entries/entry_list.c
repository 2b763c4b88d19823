#include "store/db/column.h"
#include "store/entries/entry.h"
#include "store/record/entry_block.h"
#include "store/entries/entry_cursor.h"
#include "store/record/entry_key.h"
#include "store/entries/entry_open.h"
#include "store/record/entry_row.h"
#include "store/db/reader.h"

/* A page that is being filled. */
struct listing {
    struct reader *reader;
    struct arena *arena;
    const struct entry_query *query;
    struct entry_page *page;
    int64_t name; /* the namespace's row */
    int64_t now;
    const char *prefix;
    char end[ENTRY_KEY_MAX + 2]; /* behind all that begin with it */
    char last[ENTRY_KEY_MAX + 1];
};

/* So much of a key must be open: of what is behind personal data nothing is compared. */
static int64_t least_open(const struct listing *l)
{
    return l->query->pii ? (int64_t)strlen(l->prefix) : 0;
}

/* Does it match, as far as anybody may see it? */
static bool matches(const struct listing *l, const char *key, size_t len, size_t *open)
{
    *open = l->query->pii ? entry_open(l->query->pii, key, len) : len;
    return *open >= strlen(l->prefix);
}

static void add_key(struct listing *l, sqlite3_stmt *stmt, const char *key, bool masked)
{
    struct entry_page *page = l->page;
    char text[ENTRY_SHOWN_SIZE];
    entry_shown_write(text, sqlite3_column_int64(stmt, 2));
    page->keys[page->count] = arena_strdup(l->arena, masked ? text : key);
    page->nodes[page->count++] = sqlite3_column_int64(stmt, 1);
    page->masked += masked;
    snprintf(l->last, sizeof(l->last), "%s", key);
}

/* 1: the page is full, and here is one more. */
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

/* Of two bounds SQLite would look for the first alone, and read all keys up to the other. No key has a byte 1, so what
 * follows a key begins there. */
static void first_key(const struct listing *l, const char *after, char *out, size_t size)
{
    if (strcmp(after, l->prefix) < 0 || !*after)
        snprintf(out, size, "%s", l->prefix);
    else
        snprintf(out, size, "%s\x01", after);
}

/* Are all there that match? Those of pages before are counted with them. */
static bool is_all(const struct listing *l)
{
    return !l->query->cursor && (int64_t)l->page->count == l->page->total;
}

static int fill_page(struct listing *l, const char *after, bool *more, struct error *e)
{
    struct db *db = reader_db(l->reader);
    char from[ENTRY_KEY_MAX + 2];
    first_key(l, after, from, sizeof(from));
    *more = false;
    if (l->page->total == 0)
        return 0;
    sqlite3_stmt *stmt = db_prepare(db, page_sql, e);
    int step =
        stmt ? db_bind(db, stmt, e, "issii", l->name, from, l->end, least_open(l), l->now) : -1;
    while (step > 0) {
        int taken = take_key(l, stmt);
        *more = taken > 0;
        step = taken < 0 ? -1 : taken > 0 || is_all(l) ? 0 : db_step(db, stmt, e);
    }
    sqlite3_reset(stmt);
    return step;
}

/* Those that expired since and were not swept do not count. */
static int count_kept(struct listing *l, struct error *e)
{
    static const char sql[] = "SELECT count(*) FROM entry INDEXED BY entry_expires WHERE expires "
                              "<= ? AND namespace = ? AND key >= ? AND key < ?"
                              " AND state = 0 AND expires IS NOT NULL AND hidden = 0 AND open >= ?";
    struct db *db = reader_db(l->reader);
    int64_t over;
    if (entry_block_count(db, l->name, l->prefix, !l->query->pii, &l->page->total, e) ||
        db_int(db, &over, 0, e, sql, "iissi", l->now, l->name, l->prefix, l->end, least_open(l)))
        return -1;
    l->page->total -= over;
    return 0;
}

/* The table knows how much of a key is open by the rules of every store alone. Where the caller has more of them, each
 * key of the prefix is looked at as for a page: or the total would tell of a key what the page does not. */
static int count_matches(struct listing *l, struct error *e)
{
    struct db *db = reader_db(l->reader);
    size_t open;
    sqlite3_stmt *stmt = db_prepare(db, page_sql, e);
    int step =
        stmt ? db_bind(db, stmt, e, "issii", l->name, l->prefix, l->end, least_open(l), l->now)
             : -1;
    for (; step > 0; step = db_step(db, stmt, e)) {
        const char *key = (const char *)sqlite3_column_text(stmt, 0);
        l->page->total += key && matches(l, key, (size_t)sqlite3_column_bytes(stmt, 0), &open);
    }
    sqlite3_reset(stmt);
    return step;
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
    if (q->cursor && entry_cursor_read(reader_db(l->reader), l->arena, q, &after, e))
        return -1;
    l->name = entry_namespace_row(reader_db(l->reader), q->namespace_, e);
    if (l->name <= 0 || strlen(l->prefix) > ENTRY_KEY_MAX)
        return l->name < 0 ? -1 : 0;
    snprintf(l->end, sizeof(l->end), "%s" ENTRY_KEY_END, l->prefix);
    if (count_all(l, e) || fill_page(l, after, &more, e))
        return -1;
    return more
               ? entry_cursor_write(reader_db(l->reader), l->arena, q, l->last, &l->page->cursor, e)
               : 0;
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
    if (reader_begin(r, e))
        return -1;
    int result = list(&l, e);
    reader_end(r);
    return result;
}
