#include "tests/bench/bare.h"

#include <sqlite3.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/db/reader.h"
#include "tests/bench/report.h"

/* Each table that an addition writes, and which of its rows belong to which memory or event. */
static const struct table {
    const char *name, *key;
    bool of_event; /* `key` is an event's, otherwise a memory's row */
} tables[] = {
    {"memory", "id", false},       {"link", "memory", false}, {"use", "memory", false},
    {"history", "memory", false},  {"mark", "memory", false}, {"attribution", "memory", false},
    {"found_by", "memory", false}, {"event", "seq", true},
};
#define TABLES (sizeof(tables) / sizeof(*tables))

/* What an addition does not write, or only once in a while; what entries alone have, of which the bench adds none; and
 * the index of texts. */
static const char others[] = "'agent','source_type','imported','origin','session','call','secret',"
                             "'namespace','entry','memory_fts'";

#define COLUMNS_MAX 32
struct row {
    int64_t key;
    sqlite3_value *values[COLUMNS_MAX];
};

struct load {
    struct row *rows[TABLES];
    size_t count[TABLES], alloc[TABLES];
    int columns[TABLES];
    struct text {
        int64_t node;
        char *words;
        size_t len;
    } * texts;
    size_t text_count, text_alloc;
    int64_t *batches; /* the last event of each transaction, and the last memory */
    size_t batch_count, batch_alloc;
};

static void check(sqlite3 *db, int code, const char *what)
{
    if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE)
        return;
    fprintf(stderr, "%s: %s\n", what, db ? sqlite3_errmsg(db) : "failed");
    exit(2);
}

static sqlite3 *open_file(const char *path, int flags)
{
    sqlite3 *db;
    check(NULL, sqlite3_open_v2(path, &db, flags, NULL), path);
    return db;
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *stmt;
    check(db, sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), sql);
    return stmt;
}

static int64_t number(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *stmt = prepare(db, sql);
    check(db, sqlite3_step(stmt), sql);
    int64_t value = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return value;
}

struct bare_mark bare_mark(const char *path)
{
    sqlite3 *db = open_file(path, SQLITE_OPEN_READWRITE);
    struct bare_mark mark = {number(db, "SELECT max(id) FROM memory"),
                             number(db, "SELECT max(seq) FROM event")};
    sqlite3_close(db);
    return mark;
}

/* A table that is not known here would make SQLite look faster than it is. */
static void check_tables(sqlite3 *db)
{
    char sql[600];
    size_t len =
        (size_t)snprintf(sql, sizeof(sql),
                         "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT "
                         "LIKE 'memory_fts_%%' AND name NOT IN (%s",
                         others);
    for (size_t i = 0; i < TABLES; i++)
        len += (size_t)snprintf(sql + len, sizeof(sql) - len, ",'%s'", tables[i].name);
    snprintf(sql + len, sizeof(sql) - len, ")");
    sqlite3_stmt *stmt = prepare(db, sql);
    if (sqlite3_step(stmt) == SQLITE_ROW) {
        fprintf(stderr, "the bench does not know the table %s\n", sqlite3_column_text(stmt, 0));
        exit(2);
    }
    sqlite3_finalize(stmt);
}

/* ---- what was written, into memory ---- */

static void room(void **array, size_t *alloc, size_t count, size_t size)
{
    if (!array_grow(array, alloc, count, size))
        check(NULL, SQLITE_NOMEM, "memory");
}

static void load_table(struct load *l, size_t which, sqlite3 *db, int64_t from, int64_t to)
{
    char sql[200];
    const struct table *t = &tables[which];
    snprintf(sql, sizeof(sql), "SELECT %s, * FROM %s WHERE %s > ?1 AND %s <= ?2 ORDER BY %s",
             t->key, t->name, t->key, t->key, t->key);
    sqlite3_stmt *stmt = prepare(db, sql);
    sqlite3_bind_int64(stmt, 1, from);
    sqlite3_bind_int64(stmt, 2, to);
    int columns = l->columns[which] = sqlite3_column_count(stmt) - 1;
    if (columns > COLUMNS_MAX) {
        fprintf(stderr, "the table %s has more columns than the bench has room for\n", t->name);
        exit(2);
    }
    while (sqlite3_step(stmt) == SQLITE_ROW) {
        room((void **)&l->rows[which], &l->alloc[which], l->count[which], sizeof(struct row));
        struct row *row = &l->rows[which][l->count[which]++];
        row->key = sqlite3_column_int64(stmt, 0);
        for (int i = 0; i < columns; i++)
            row->values[i] = sqlite3_value_dup(sqlite3_column_value(stmt, i + 1));
    }
    sqlite3_finalize(stmt);
}

/* The transactions: events that share their time. */
static void load_batches(struct load *l, sqlite3 *db, struct bare_mark from, struct bare_mark to,
                         bool one_by_one)
{
    sqlite3_stmt *stmt =
        prepare(db, one_by_one ? "SELECT seq, subject FROM event WHERE seq > ?1 AND seq <= ?2"
                                 " ORDER BY seq"
                               : "SELECT max(seq), max(subject) FROM event WHERE seq > ?1"
                                 " AND seq <= ?2 GROUP BY at ORDER BY 1");
    sqlite3_bind_int64(stmt, 1, from.events);
    sqlite3_bind_int64(stmt, 2, to.events);
    while (sqlite3_step(stmt) == SQLITE_ROW) {
        room((void **)&l->batches, &l->batch_alloc, l->batch_count * 2 + 1, sizeof(*l->batches));
        l->batches[l->batch_count * 2] = sqlite3_column_int64(stmt, 0);
        l->batches[l->batch_count++ * 2 + 1] = sqlite3_column_int64(stmt, 1);
    }
    sqlite3_finalize(stmt);
}

static void load_texts(struct load *l, const char *path, struct bare_mark from, struct bare_mark to)
{
    struct error e;
    struct arena a = ARENA_INIT;
    struct store *s = store_open(path, &(struct store_options){.read_only = true}, NULL, &e);
    struct reader *r = s ? reader_open(s, &e) : NULL;
    for (int64_t node = from.memories + 1; r && node <= to.memories; node++) {
        struct memory m;
        struct strbuf words = STRBUF_INIT;
        arena_clear(&a);
        if (memory_read(r, &a, node, &m, &e) || m.status == STATUS_MISSING)
            continue;
        memory_search_text(&m, &words);
        room((void **)&l->texts, &l->text_alloc, l->text_count, sizeof(*l->texts));
        struct text *t = &l->texts[l->text_count++];
        t->node = node;
        t->words = strbuf_detach(&words, &t->len);
    }
    if (!r)
        check(NULL, SQLITE_ERROR, e.what);
    arena_release(&a);
    reader_close(r);
    store_close(s);
}

/* ---- and out of it ---- */

struct bare {
    sqlite3 *db;
    sqlite3_stmt *insert[TABLES], *word, *begin, *commit;
    size_t done[TABLES], words; /* of one load */
};

static int columns_of(sqlite3 *db, const char *table)
{
    char sql[100];
    snprintf(sql, sizeof(sql), "SELECT * FROM %s", table);
    sqlite3_stmt *stmt = prepare(db, sql);
    int columns = sqlite3_column_count(stmt);
    sqlite3_finalize(stmt);
    return columns;
}

struct bare *bare_open(const char *path)
{
    char sql[200];
    struct bare *w = xcalloc(1, sizeof(*w));
    w->db = open_file(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX);
    check(w->db,
          sqlite3_exec(w->db,
                       "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                       "PRAGMA wal_autocheckpoint = 1024; PRAGMA cache_size = -32768;"
                       "PRAGMA temp_store = MEMORY",
                       NULL, NULL, NULL),
          path);
    for (size_t i = 0; i < TABLES; i++) {
        size_t len = (size_t)snprintf(sql, sizeof(sql), "INSERT INTO %s VALUES(?", tables[i].name);
        for (int k = columns_of(w->db, tables[i].name); k > 1; k--)
            len += (size_t)snprintf(sql + len, sizeof(sql) - len, ",?");
        snprintf(sql + len, sizeof(sql) - len, ")");
        w->insert[i] = prepare(w->db, sql);
    }
    w->word = prepare(w->db, "INSERT INTO memory_fts(rowid, text) VALUES (?, ?)");
    w->begin = prepare(w->db, "BEGIN IMMEDIATE");
    w->commit = prepare(w->db, "COMMIT");
    return w;
}

static void run(struct bare *w, sqlite3_stmt *stmt)
{
    check(w->db, sqlite3_step(stmt), sqlite3_sql(stmt));
    sqlite3_reset(stmt);
}

/* Texts and blobs without a copy: they stay where they are. */
static void bind(sqlite3_stmt *stmt, int at, sqlite3_value *value)
{
    if (sqlite3_value_type(value) == SQLITE_TEXT)
        sqlite3_bind_text(stmt, at, (const char *)sqlite3_value_text(value),
                          sqlite3_value_bytes(value), SQLITE_STATIC);
    else if (sqlite3_value_type(value) == SQLITE_BLOB)
        sqlite3_bind_blob(stmt, at, sqlite3_value_blob(value), sqlite3_value_bytes(value),
                          SQLITE_STATIC);
    else
        sqlite3_bind_value(stmt, at, value);
}

static void write_table(struct bare *w, const struct load *l, size_t which, int64_t to)
{
    while (w->done[which] < l->count[which] && l->rows[which][w->done[which]].key <= to) {
        const struct row *row = &l->rows[which][w->done[which]++];
        for (int i = 0; i < l->columns[which]; i++)
            bind(w->insert[which], i + 1, row->values[i]);
        run(w, w->insert[which]);
    }
}

static void write_batch(struct bare *w, const struct load *l, int64_t event, int64_t memory)
{
    run(w, w->begin);
    for (size_t i = 0; i < TABLES; i++)
        write_table(w, l, i, tables[i].of_event ? event : memory);
    for (; w->words < l->text_count && l->texts[w->words].node <= memory; w->words++) {
        const struct text *t = &l->texts[w->words];
        sqlite3_bind_int64(w->word, 1, t->node);
        sqlite3_bind_text(w->word, 2, t->words, (int)t->len, SQLITE_STATIC);
        run(w, w->word);
    }
    run(w, w->commit);
}

void bare_close(struct bare *w)
{
    for (size_t i = 0; i < TABLES; i++)
        sqlite3_finalize(w->insert[i]);
    sqlite3_finalize(w->word);
    sqlite3_finalize(w->begin);
    sqlite3_finalize(w->commit);
    sqlite3_close(w->db);
    free(w);
}

static void release(struct load *l)
{
    for (size_t i = 0; i < TABLES; i++) {
        for (size_t k = 0; k < l->count[i]; k++)
            for (int c = 0; c < l->columns[i]; c++)
                sqlite3_value_free(l->rows[i][k].values[c]);
        free(l->rows[i]);
    }
    for (size_t i = 0; i < l->text_count; i++)
        free(l->texts[i].words);
    free(l->texts);
    free(l->batches);
}

/* The log is empty at the beginning of each run, as the listener leaves it when nobody writes. */
static void empty_log(struct bare *w)
{
    check(w->db, sqlite3_wal_checkpoint_v2(w->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL),
          "checkpoint");
}

struct bare_run bare_write(struct bare *w, const char *written, struct bare_mark from,
                           struct bare_mark to, bool one_by_one)
{
    struct load load = {0};
    struct bare_run result = {0};
    sqlite3 *db = open_file(written, SQLITE_OPEN_READWRITE);
    check_tables(db);
    for (size_t i = 0; i < TABLES; i++)
        load_table(&load, i, db, tables[i].of_event ? from.events : from.memories,
                   tables[i].of_event ? to.events : to.memories);
    load_batches(&load, db, from, to, one_by_one);
    sqlite3_close(db);
    load_texts(&load, written, from, to);
    memset(w->done, 0, sizeof(w->done));
    w->words = 0;
    double start = bench_clock_ms(CLOCK_MONOTONIC);
    double began = bench_clock_ms(CLOCK_THREAD_CPUTIME_ID);
    for (size_t i = 0; i < load.batch_count; i++)
        write_batch(w, &load, load.batches[i * 2], load.batches[i * 2 + 1]);
    result.ms = bench_clock_ms(CLOCK_MONOTONIC) - start;
    result.worked_ms = bench_clock_ms(CLOCK_THREAD_CPUTIME_ID) - began;
    result.memories = load.count[0];
    result.commits = load.batch_count;
    empty_log(w);
    release(&load);
    return result;
}
