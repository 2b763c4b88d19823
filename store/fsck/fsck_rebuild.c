#include "store/fsck/fsck.h"

#include "model/base/strbuf.h"
#include "store/db/fts_tables.h"
#include "store/db/schema.h"
#include "store/search/search_words.h"
#include "store/txn/txn.h"

#define PAUSE 1024 /* memories between two looks whether to go on */

struct rebuild {
    int (*progress)(void *arg, int64_t done, int64_t total);
    void *arg;
    int64_t done, total;
    struct arena arena;
    struct strbuf text;
};

/* FTS5 empties its tables by itself, but not where it cannot read them or one of them is gone: they are
 * made those of a new store first. */
static int empty_index(struct db *db, struct error *e)
{
    struct db *fresh = db_open(":memory:", DB_WRITE, e);
    int result = !fresh || schema_make_search(fresh, e) || fts_tables_make(fresh, db, e) ||
                         fts_tables_copy(fresh, db, e)
                     ? -1
                     : 0;
    db_close(fresh);
    return result ? -1
                  : db_run(db, e, "INSERT INTO memory_fts(memory_fts) VALUES ('delete-all')", "");
}

static int add_row(struct rebuild *b, struct db *db, sqlite3_stmt *stmt, struct error *e)
{
    arena_clear(&b->arena);
    strbuf_clear(&b->text);
    search_text_of(&b->text, &b->arena, stmt, 1);
    if (b->progress && b->done % PAUSE == 0 && b->progress(b->arg, b->done, b->total))
        return error_set(e, ERROR_INTERRUPTED, "", "interrupted: the search index is as it was");
    b->done++;
    return db_run(db, e, "INSERT INTO memory_fts(rowid, text) VALUES (?, ?)", "is",
                  sqlite3_column_int64(stmt, 0), b->text.buf);
}

/* In the order of the rows, which FTS5 takes best (text_index.h). */
static int rebuild(struct txn *t, void *arg, struct error *e)
{
    struct rebuild *b = arg;
    struct db *db = txn_db(t);
    if (db_int(db, &b->total, 0, e, "SELECT count(*) FROM memory WHERE status < 7", "") ||
        empty_index(db, e))
        return -1;
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT id, " SEARCH_TEXT_COLUMNS " FROM memory WHERE status < 7 ORDER BY id", e);
    int more = stmt ? db_step(db, stmt, e) : -1;
    for (; more > 0; more = db_step(db, stmt, e))
        if (add_row(b, db, stmt, e)) {
            sqlite3_reset(stmt);
            return -1;
        }
    return more;
}

int store_rebuild_search(struct store *s, int (*progress)(void *arg, int64_t done, int64_t total),
                         void *arg, int64_t *count, struct error *e)
{
    struct rebuild b = {.progress = progress, .arg = arg, .text = STRBUF_INIT};
    int result = store_run_alone(s, rebuild, &b, e);
    *count = b.done;
    arena_release(&b.arena);
    strbuf_release(&b.text);
    return result;
}
