#include "store/record/entry_block.h"

#include <string.h>

#define FULL (ENTRY_BLOCK_MAX * 3 / 4) /* that many a block has where all are made at once */

struct block {
    char first[256]; /* its least key, or less; "": none */
    int64_t items;
    int64_t masked;          /* those with personal data */
    int64_t least, greatest; /* bounds of what is open of these */
};

static bool is_masked(const char *key, int64_t open)
{
    return open < (int64_t)strlen(key);
}

static void take(struct block *b, const char *key, int64_t open)
{
    if (b->items++ == 0)
        snprintf(b->first, sizeof(b->first), "%s", key);
    if (!is_masked(key, open))
        return;
    b->least = b->masked == 0 || open < b->least ? open : b->least;
    b->greatest = b->masked == 0 || open > b->greatest ? open : b->greatest;
    b->masked++;
}

static int read_block(struct db *db, sqlite3_stmt *stmt, int more, struct block *out,
                      struct error *e)
{
    *out = (struct block){.items = 0};
    if (more > 0) {
        const char *first = (const char *)sqlite3_column_text(stmt, 0);
        snprintf(out->first, sizeof(out->first), "%s", first ? first : "");
        out->items = sqlite3_column_int64(stmt, 1);
        out->masked = sqlite3_column_int64(stmt, 2);
        out->least = sqlite3_column_int64(stmt, 3);
        out->greatest = sqlite3_column_int64(stmt, 4);
    }
    (void)db, (void)e;
    return more < 0 ? -1 : 0;
}

#define COLUMNS "first, items, masked, least, greatest"

/* The one that the key is in or would be; items 0: there is none. */
static int find_block(struct db *db, int64_t name, const char *key, struct block *out,
                      struct error *e)
{
    static const char at[] = "SELECT " COLUMNS " FROM entry_block WHERE namespace = ?"
                             " AND first <= ? ORDER BY first DESC LIMIT 1";
    static const char first[] = "SELECT " COLUMNS " FROM entry_block WHERE namespace = ?"
                                " ORDER BY first LIMIT 1";
    sqlite3_stmt *stmt = db_prepare(db, at, e);
    int more = db_bind(db, stmt, e, "is", name, key);
    int result = read_block(db, stmt, more, out, e);
    sqlite3_reset(stmt);
    if (result || more)
        return result;
    stmt = db_prepare(db, first, e);
    more = db_bind(db, stmt, e, "i", name);
    result = read_block(db, stmt, more, out, e);
    sqlite3_reset(stmt);
    return result;
}

static int insert_block(struct db *db, int64_t name, const struct block *b, struct error *e)
{
    return db_run(db, e,
                  "INSERT INTO entry_block(namespace, " COLUMNS ") VALUES (?, ?, ?, ?, ?, ?)",
                  "isiiii", name, b->first, b->items, b->masked, b->least, b->greatest);
}

static int delete_block(struct db *db, int64_t name, const char *first, struct error *e)
{
    return db_run(db, e, "DELETE FROM entry_block WHERE namespace = ? AND first = ?", "is", name,
                  first);
}

static int update_block(struct db *db, int64_t name, const char *was, const struct block *b,
                        struct error *e)
{
    return db_run(db, e,
                  "UPDATE entry_block SET first = ?, items = ?, masked = ?, least = ?, greatest = ?"
                  " WHERE namespace = ? AND first = ?",
                  "siiiiis", b->first, b->items, b->masked, b->least, b->greatest, name, was);
}

static const char keys_sql[] = "SELECT key, open FROM entry INDEXED BY entry_there"
                               " WHERE namespace = ? AND key >= ? AND state = 0 AND hidden = 0"
                               " ORDER BY key LIMIT ?";

/* Makes two of one that became too large. */
static int part(struct db *db, int64_t name, const struct block *whole, struct error *e)
{
    struct block half[2] = {{.items = 0}, {.items = 0}};
    sqlite3_stmt *stmt = db_prepare(db, keys_sql, e);
    int more = db_bind(db, stmt, e, "isi", name, whole->first, whole->items);
    for (; more > 0; more = db_step(db, stmt, e))
        take(&half[half[0].items >= whole->items / 2], (const char *)sqlite3_column_text(stmt, 0),
             sqlite3_column_int64(stmt, 1));
    sqlite3_reset(stmt);
    if (more < 0 || delete_block(db, name, whole->first, e))
        return -1;
    return (half[0].items && insert_block(db, name, &half[0], e)) ||
                   (half[1].items && insert_block(db, name, &half[1], e))
               ? -1
               : 0;
}

int entry_block_add(struct db *db, int64_t name, const char *key, int64_t open, struct error *e)
{
    struct block b;
    char was[sizeof(b.first)];
    if (find_block(db, name, key, &b, e))
        return -1;
    memcpy(was, b.first, sizeof(was));
    bool fresh = b.items == 0;
    take(&b, key, open);
    if (fresh)
        return insert_block(db, name, &b, e);
    if (strcmp(key, b.first) < 0)
        snprintf(b.first, sizeof(b.first), "%s", key);
    if (update_block(db, name, was, &b, e))
        return -1;
    return b.items > ENTRY_BLOCK_MAX ? part(db, name, &b, e) : 0;
}

int entry_block_drop(struct db *db, int64_t name, const char *key, int64_t open, struct error *e)
{
    struct block b;
    if (find_block(db, name, key, &b, e))
        return -1;
    if (b.items <= 1)
        return delete_block(db, name, b.first, e);
    b.items--;
    b.masked -= is_masked(key, open);
    return update_block(db, name, b.first, &b, e);
}

/* ---- all of them ---- */

struct filling {
    struct db *db;
    int64_t name;
    struct block block;
};

static int fill_key(struct filling *f, int64_t name, const char *key, int64_t open, struct error *e)
{
    if (f->block.items && (name != f->name || f->block.items == FULL)) {
        if (insert_block(f->db, f->name, &f->block, e))
            return -1;
        f->block = (struct block){.items = 0};
    }
    f->name = name;
    take(&f->block, key, open);
    return 0;
}

int entry_block_fill(struct db *db, struct error *e)
{
    struct filling f = {.db = db};
    if (db_exec(db, "DELETE FROM entry_block", e))
        return -1;
    sqlite3_stmt *stmt = db_prepare(db,
                                    "SELECT namespace, key, open FROM entry INDEXED BY entry_there"
                                    " WHERE state = 0 AND hidden = 0 ORDER BY namespace, key",
                                    e);
    int more = db_step(db, stmt, e);
    while (more > 0)
        more =
            fill_key(&f, sqlite3_column_int64(stmt, 0), (const char *)sqlite3_column_text(stmt, 1),
                     sqlite3_column_int64(stmt, 2), e)
                ? -1
                : db_step(db, stmt, e);
    sqlite3_reset(stmt);
    return more == 0 && f.block.items ? insert_block(db, f.name, &f.block, e) : more;
}

/* ---- counting ---- */

struct counting {
    struct db *db;
    int64_t name;
    const char *prefix, *end; /* the first key that it takes, and the first that it does not */
    int64_t open;             /* of a key so much must be; 0: nothing */
    int64_t sum;
};

/* Looks at the keys from `from` up to `to`; NULL: as far as is counted. */
static int count_keys(struct counting *c, const char *from, const char *to, struct error *e)
{
    static const char sql[] =
        "SELECT count(*) FROM entry INDEXED BY entry_there WHERE namespace = ? AND key >= ?"
        " AND key < ? AND state = 0 AND hidden = 0 AND open >= ?";
    int64_t found;
    from = strcmp(from, c->prefix) < 0 ? c->prefix : from;
    to = !to || strcmp(to, c->end) > 0 ? c->end : to;
    if (db_int(c->db, &found, 0, e, sql, "issi", c->name, from, to, c->open))
        return -1;
    c->sum += found;
    return 0;
}

/* `next`: the first key of the block after it; NULL: there is none, or none that is counted. */
static int count_block(struct counting *c, const struct block *b, const char *next, struct error *e)
{
    bool within = strcmp(b->first, c->prefix) >= 0 && next;
    if (within && (b->masked == 0 || b->least >= c->open)) {
        c->sum += b->items;
        return 0;
    }
    if (within && b->masked == b->items && b->greatest < c->open)
        return 0;
    return count_keys(c, b->first, next, e);
}

static int count_blocks(struct counting *c, const char *first, struct error *e)
{
    static const char sql[] = "SELECT " COLUMNS " FROM entry_block WHERE namespace = ?"
                              " AND first >= ? AND first < ? ORDER BY first";
    struct block b[2];
    int at = 0;
    sqlite3_stmt *stmt = db_prepare(c->db, sql, e);
    int more = db_bind(c->db, stmt, e, "iss", c->name, first, c->end);
    bool any = more > 0;
    if (any && read_block(c->db, stmt, more, &b[at], e))
        more = -1;
    while (more > 0) {
        more = db_step(c->db, stmt, e);
        if (more > 0)
            read_block(c->db, stmt, more, &b[!at], e);
        if (more >= 0 && count_block(c, &b[at], more ? b[!at].first : NULL, e))
            more = -1;
        at = !at;
    }
    sqlite3_reset(stmt);
    return more;
}

int entry_block_count(struct db *db, int64_t name, const char *prefix, bool whole, int64_t *out,
                      struct error *e)
{
    char end[1024];
    struct block b;
    *out = 0;
    if (strlen(prefix) > ENTRY_KEY_MAX)
        return 0;
    snprintf(end, sizeof(end), "%s" ENTRY_KEY_END, prefix);
    struct counting c = {db, name, prefix, end, whole ? 0 : (int64_t)strlen(prefix), 0};
    if (find_block(db, name, prefix, &b, e) || (b.items && count_blocks(&c, b.first, e)))
        return -1;
    *out = c.sum;
    return 0;
}
