/* When the log is checkpointed, and how purged bytes are removed from the store's files. */
#include "store/txn/checkpoint.h"

#include <sys/stat.h>
#include <time.h>
#include "store/db/db_open.h"
#include "store/db/store_state.h"
#include "store/db/thread.h"
#include "store/txn/txn.h"

#define MOST_BYTES (16 << 20)
#define IDLE_BYTES (4 << 20)

static int count_frames(void *arg, sqlite3 *handle, const char *database, int frames)
{
    struct checkpoint *c = arg;
    (void)handle, (void)database;
    c->frames = frames;
    return SQLITE_OK;
}

int checkpoint_watch(struct checkpoint *c, struct txn *t, struct error *e)
{
    sqlite3_wal_hook(db_handle(t->db), count_frames, c);
    return db_int(t->db, &c->page, 0, e, "PRAGMA page_size", "");
}

/* The number of frames since the last checkpoint. */
static int fresh_frames(struct checkpoint *c)
{
    if (c->frames < c->last_frames)
        c->last_frames = 0; /* the log restarted */
    return c->frames - c->last_frames;
}

void checkpoint_note(struct checkpoint *c, struct txn *t)
{
    c->erased |= t->erased;
    t->erased = false;
}

bool checkpoint_is_due(struct checkpoint *c)
{
    return c->erased || fresh_frames(c) >= IDLE_BYTES / c->page;
}

/*
 * If readers hold up the checkpoint, it is repeated after as many new frames. Before the first
 * commit the size of the log file is an upper bound of its frames; if they are all in the file
 * already, SQLite notices at once.
 */
void checkpoint_between(struct checkpoint *c, struct txn *t)
{
    struct error ignored;
    struct stat log;
    if (c->frames == 0 && db_stat_companion(db_path(t->db), "-wal", &log) == 0)
        c->frames = (int)(log.st_size / c->page);
    if (fresh_frames(c) < MOST_BYTES / c->page || store_check_file(txn_store(t), &ignored))
        return;
    sqlite3_wal_checkpoint_v2(db_handle(t->db), "main", SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    c->last_frames = c->frames;
}

/*
 * Readers can prevent the truncation although all frames were moved: SQLITE_BUSY with frames ==
 * moved is success.
 */
int checkpoint_save(struct txn *t)
{
    int frames = -1, moved = -1;
    if (t->log_saved)
        return 0;
    if (!store_lost_only_log(t->store))
        return -1;
    int code = sqlite3_wal_checkpoint_v2(db_handle(t->db), "main", SQLITE_CHECKPOINT_TRUNCATE,
                                         &frames, &moved);
    bool ran = code == SQLITE_OK || (code & 0xff) == SQLITE_BUSY;
    t->log_saved = ran && frames >= 0 && frames == moved;
    return t->log_saved ? 0 : -1;
}

static int empty(struct txn *t)
{
    struct error ignored;
    if (store_check_file(t->store, &ignored))
        return checkpoint_save(t);
    txn_wait_for_others(t, false);
    int code =
        sqlite3_wal_checkpoint_v2(db_handle(t->db), "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    txn_wait_for_others(t, true);
    return code == SQLITE_OK ? 0 : -1;
}

/* Shortens the next open, which reads the whole log (measured: 5 ms for 16 MB). */
void checkpoint_empty(struct checkpoint *c, struct txn *t)
{
    struct error ignored;
    if (store_file_lock(&txn_store(t)->file, 0, NULL, NULL, &ignored))
        return;
    int result = empty(t);
    store_file_unlock(&txn_store(t)->file);
    if (result == 0) {
        c->frames = 0;
        c->erased = false;
    }
    c->last_frames = c->frames;
}

#define WAIT_MS  30000 /* total wait for readers and writers */
#define PAUSE_MS 50    /* pause between two tries, so that writers make progress */
#define STEPS    2000  /* VM steps between two progress reports */
/* VM steps for each rewritten row of a table or an index (measured). */
#define STEPS_PER_ROW 4

const char *vacuum_stage_name(enum vacuum_stage stage)
{
    static const char *const names[VACUUM_STAGE_COUNT] = {
        [VACUUM_INDEX] = "merging the search index",
        [VACUUM_FILE] = "rewriting the file",
        [VACUUM_LOG] = "emptying the log",
    };
    return names[stage];
}

struct vacuum {
    struct store *store;
    vacuum_progress report;
    void *arg;
    sqlite3 *handle; /* of the running statement */
    enum vacuum_stage stage;
    int64_t done, total, from;
};

static bool is_stopped(void *arg)
{
    struct vacuum *s = arg;
    int64_t done = s->total && s->done > s->total ? s->total : s->done;
    return s->report && s->report(s->arg, s->stage, done, s->total) != 0;
}

static void begin_stage(struct vacuum *s, enum vacuum_stage stage, sqlite3 *handle)
{
    s->stage = stage;
    s->handle = handle;
    s->done = s->total = 0;
}

/* ---- the search index ---- */

/* FTS5's writes show in the count of changes. */
static int on_index_progress(void *arg)
{
    struct vacuum *s = arg;
    s->done = sqlite3_total_changes64(s->handle) - s->from;
    return is_stopped(s);
}

/*
 * FTS5 keeps deleted words until all segments are merged into one, and 'optimize' skips an index of
 * one segment. So add and delete a row first, which makes a second segment. The first merge may
 * leave a segment that is not on the last level and still has such words, so merge_index merges
 * twice.
 */
static int merge_once(struct db *db, struct error *e)
{
    static const char words[] = "stemma";
    return failed_if(
        db_run(db, e, "INSERT INTO memory_fts(rowid, text) VALUES (0, ?)", "s", words) ||
        db_run(db, e,
               "INSERT INTO memory_fts(memory_fts, rowid, text) VALUES"
               " ('delete', 0, ?)",
               "s", words) ||
        db_run(db, e, "INSERT INTO memory_fts(memory_fts) VALUES ('optimize')", ""));
}

static int merge_index(struct txn *t, void *arg, struct error *e)
{
    struct vacuum *s = arg;
    struct db *db = txn_db(t);
    s->handle = db_handle(db);
    s->from = sqlite3_total_changes64(s->handle);
    if (db_int(db, &s->total, 0, e, "SELECT count(*) FROM memory_fts_data", ""))
        return -1;
    s->total *= 2;
    sqlite3_progress_handler(s->handle, STEPS, on_index_progress, s);
    int result = merge_once(db, e) || merge_once(db, e) ? -1 : 0;
    sqlite3_progress_handler(s->handle, 0, NULL, NULL);
    return result;
}

/* ---- the file ---- */

static int on_file_progress(void *arg)
{
    struct vacuum *s = arg;
    s->done += STEPS;
    return is_stopped(s);
}

/* Estimates the number of rows in all tables and indexes. */
static int count_rows(struct vacuum *s, struct db *db, struct error *e)
{
    int64_t memories, events, links;
    if (db_int(db, &memories, 0, e, "SELECT max(id) FROM memory", "") ||
        db_int(db, &events, 0, e, "SELECT max(seq) FROM event", "") ||
        db_int(db, &links, 0, e, "SELECT count(*) FROM link", ""))
        return -1;
    s->total = STEPS_PER_ROW * (6 * memories + 4 * events + 2 * links) + STEPS;
    return 0;
}

/*
 * Freed bytes may be in free pages and in gaps of split pages; VACUUM removes both. It uses a
 * temporary file, because the store may be larger than memory.
 */
static int rewrite_file(struct vacuum *s, struct txn *t, struct error *e)
{
    begin_stage(s, VACUUM_FILE, db_handle(t->db));
    if (count_rows(s, t->db, e) || store_file_lock(&t->store->file, WAIT_MS, NULL, NULL, e))
        return -1;
    sqlite3_progress_handler(s->handle, STEPS, on_file_progress, s);
    int result = db_exec(t->db, "PRAGMA temp_store = FILE; PRAGMA secure_delete = ON; VACUUM", e);
    sqlite3_progress_handler(s->handle, 0, NULL, NULL);
    store_file_unlock(&t->store->file);
    return result;
}

/* ---- the log ---- */

/*
 * Each try waits for readers for some seconds and blocks writers; between two tries they continue.
 */
static int empty_log(struct vacuum *s, struct txn *t, struct error *e)
{
    int64_t since = monotonic_ms();
    begin_stage(s, VACUUM_LOG, db_handle(t->db));
    for (;;) {
        int64_t waited = monotonic_ms() - since;
        if (is_stopped(s))
            return error_set(e, ERROR_INTERRUPTED, "", "interrupted");
        if (waited >= WAIT_MS)
            return error_set(e, ERROR_BUSY,
                             "Close what reads it, then run stemma purge on it again.",
                             "others read %s, so that its log cannot be emptied", db_path(t->db));
        if (store_file_lock(&t->store->file, (int)(WAIT_MS - waited), NULL, NULL, e))
            return -1;
        int code =
            sqlite3_wal_checkpoint_v2(s->handle, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
        store_file_unlock(&t->store->file);
        if (code == SQLITE_OK)
            return 0;
        if ((code & 0xff) != SQLITE_BUSY && (code & 0xff) != SQLITE_LOCKED)
            return db_error(t->db, e, "empty the log of");
        nanosleep(&(struct timespec){0, PAUSE_MS * 1000000L}, NULL);
    }
}

/* Uses a connection of its own, because the writer's may be in a transaction. */
static int rewrite(struct vacuum *s, struct error *e)
{
    struct txn *t = txn_open(s->store, e);
    if (!t)
        return -1;
    txn_set_give_up(t, is_stopped, s);
    int result = rewrite_file(s, t, e) || empty_log(s, t, e) ? -1 : 0;
    txn_close(t);
    return result;
}

/* ---- all of it ---- */

int store_vacuum(struct store *store, vacuum_progress report, void *arg, struct error *e)
{
    struct vacuum s = {.store = store, .report = report, .arg = arg};
    if (store_run_alone(store, merge_index, &s, e) == 0 && rewrite(&s, e) == 0)
        return 0;
    if (!*e->hint)
        snprintf(e->hint, sizeof(e->hint), "Run stemma purge on it again.");
    return error_prefix(e, "it is purged, but its bytes may still stand in the store's files");
}
