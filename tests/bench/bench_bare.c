/*
 * Measures SQLite alone for the writes that a store has just done: the same rows in the same
 * tables with the same indexes, in transactions of the same sizes, on the same disk. COPY is a
 * copy of the store before them, or as the last run left it. A line of standard input has the last
 * memory and event before, those after, and 1 if each event had its own transaction. The answer is
 * a line: memories, commits, ms.
 */
#include "tests/bench/bench.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/open.h"

/* The tables that an addition writes, each with the column of the memory or event. */
static const struct table {
    const char *name, *key;
} tables[] = {
    {"memory", "id"},   {"link", "memory"},        {"use", "memory"},    {"history", "memory"},
    {"mark", "memory"}, {"attribution", "memory"}, {"lookup", "memory"}, {"event", "seq"},
};
#define TABLES (sizeof(tables) / sizeof(*tables))

static sqlite3 *db;

static void run(const char *sql)
{
    char *what = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &what) == SQLITE_OK)
        return;
    fprintf(stderr, "%s: %s\n", sql, what);
    exit(2);
}

static sqlite3_stmt *prepare(const char *sql)
{
    sqlite3_stmt *stmt;
    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK)
        return stmt;
    fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(db));
    exit(2);
}

static void step(sqlite3_stmt *stmt)
{
    int code = sqlite3_step(stmt);
    if (code != SQLITE_DONE && code != SQLITE_ROW) {
        fprintf(stderr, "%s: %s\n", sqlite3_sql(stmt), sqlite3_errmsg(db));
        exit(2);
    }
}

/* A copy of the written rows in memory, so that reading them costs little. */
static void gather(const char *path, int64_t from, int64_t to, int64_t event, int64_t last)
{
    char sql[400];
    for (size_t i = 0; i < TABLES; i++) {
        bool is_event = strcmp(tables[i].key, "seq") == 0;
        snprintf(
            sql, sizeof(sql),
            "DROP TABLE IF EXISTS temp.new_%s; CREATE TEMP TABLE new_%s AS SELECT * FROM w.%s"
            " WHERE %s > %" PRId64 " AND %s <= %" PRId64 "; CREATE INDEX temp.at_%s ON new_%s(%s)",
            tables[i].name, tables[i].name, tables[i].name, tables[i].key, is_event ? event : from,
            tables[i].key, is_event ? last : to, tables[i].name, tables[i].name, tables[i].key);
        run(sql);
    }
    run("DROP TABLE IF EXISTS temp.words; CREATE TEMP TABLE words(id INTEGER PRIMARY KEY, text)");
    sqlite3_stmt *word = prepare("INSERT INTO temp.words VALUES(?, ?)");
    struct arena a = ARENA_INIT;
    struct store *s = bench_must(
        store_open(path, &(struct store_options){.read_only = true}, NULL, &bench_error));
    struct reader *r = bench_must(reader_open(s, &bench_error));
    for (int64_t node = from + 1; node <= to; node++) {
        struct memory m;
        struct strbuf text = STRBUF_INIT;
        arena_clear(&a);
        if (memory_read(r, &a, node, &m, &bench_error) || m.status == STATUS_MISSING)
            continue;
        memory_search_text(&m, &text);
        sqlite3_bind_int64(word, 1, node);
        sqlite3_bind_text(word, 2, text.buf, (int)text.len, SQLITE_TRANSIENT);
        step(word);
        sqlite3_reset(word);
        strbuf_release(&text);
    }
    sqlite3_finalize(word);
    arena_release(&a);
    reader_close(r);
    store_close(s);
}

/* Returns the ms for the transactions: events with the same time together, or each alone. */
static double write_again(int64_t from, int64_t event, bool one_by_one, int64_t *commits)
{
    char sql[200];
    sqlite3_stmt *insert[TABLES];
    for (size_t i = 0; i < TABLES; i++) {
        snprintf(sql, sizeof(sql),
                 "INSERT INTO main.%s SELECT * FROM temp.new_%s WHERE %s > ?1 AND %s <= ?2",
                 tables[i].name, tables[i].name, tables[i].key, tables[i].key);
        insert[i] = prepare(sql);
    }
    sqlite3_stmt *words = prepare("INSERT INTO memory_fts(rowid, text) SELECT id, text FROM"
                                  " temp.words WHERE id > ?1 AND id <= ?2");
    snprintf(sql, sizeof(sql),
             "SELECT max(seq), max(subject) FROM temp.new_event GROUP BY %s ORDER BY 1",
             one_by_one ? "seq" : "at");
    sqlite3_stmt *batch = prepare(sql);
    double start = bench_ms(CLOCK_MONOTONIC);
    for (*commits = 0; sqlite3_step(batch) == SQLITE_ROW; ++*commits) {
        int64_t seq = sqlite3_column_int64(batch, 0), memory = sqlite3_column_int64(batch, 1);
        run("SAVEPOINT one"); /* BEGIN is impossible during a SELECT */
        for (size_t i = 0; i <= TABLES; i++) {
            sqlite3_stmt *stmt = i < TABLES ? insert[i] : words;
            bool is_event = i < TABLES && strcmp(tables[i].key, "seq") == 0;
            sqlite3_bind_int64(stmt, 1, is_event ? event : from);
            sqlite3_bind_int64(stmt, 2, is_event ? seq : memory);
            step(stmt);
            sqlite3_reset(stmt);
        }
        run("RELEASE one");
        event = seq;
        from = memory > from ? memory : from;
    }
    double took = bench_ms(CLOCK_MONOTONIC) - start;
    for (size_t i = 0; i < TABLES; i++)
        sqlite3_finalize(insert[i]);
    sqlite3_finalize(words);
    sqlite3_finalize(batch);
    return took;
}

void bench_bare(char **argv)
{
    int64_t from, to, event, last, commits;
    int one_by_one;
    char *attach = sqlite3_mprintf("ATTACH %Q AS w", argv[0]);
    if (sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL))
        exit(2);
    run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32768;"
        "PRAGMA wal_autocheckpoint = 1024; PRAGMA temp_store = MEMORY");
    while (scanf("%" SCNd64 "%" SCNd64 "%" SCNd64 "%" SCNd64 "%d", &from, &event, &to, &last,
                 &one_by_one) == 5) {
        run(attach);
        gather(argv[0], from, to, event, last);
        run("DETACH w");
        double ms = write_again(from, event, one_by_one, &commits);
        printf("%" PRId64 " %" PRId64 " %g\n", to - from, commits, ms);
        fflush(stdout);
        run("PRAGMA wal_checkpoint(TRUNCATE)");
    }
    sqlite3_free(attach);
    sqlite3_close(db);
}
