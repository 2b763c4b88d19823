#include "store/txn/checkpoint.h"

#include <sys/stat.h>
#include "store/db/db_open.h"
#include "store/db/store_state.h"

#define MOST_BYTES (16 << 20)
#define IDLE_BYTES (4 << 20)

static int count_frames(void *arg, sqlite3 *handle, const char *database, int frames)
{
    struct checkpoint *c = arg;
    (void)handle, (void)database;
    c->frames = frames;
    return SQLITE_OK;
}

void checkpoint_watch(struct checkpoint *c, struct txn *t)
{
    struct error ignored;
    if (db_int(t->db, &c->page, 2048, &ignored, "PRAGMA page_size", ""))
        c->page = 2048;
    sqlite3_wal_hook(db_handle(t->db), count_frames, c);
}

/* How many have come since the last checkpoint. */
static int fresh_frames(struct checkpoint *c)
{
    if (c->frames < c->kept)
        c->kept = 0; /* the log began anew */
    return c->frames - c->kept;
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

static bool is_long(struct checkpoint *c)
{
    return fresh_frames(c) >= MOST_BYTES / c->page;
}

bool checkpoint_is_overdue(struct checkpoint *c)
{
    return c->erased || is_long(c);
}

/*
 * Where readers hold it up it is tried again once as many frames again have come. Before the first
 * commit the file's size tells how long the log is at most: where all of it is in the store already, that is
 * seen at once.
 */
void checkpoint_between(struct checkpoint *c, struct txn *t)
{
    struct error ignored;
    struct stat log;
    if (c->frames == 0 && db_stat_beside(db_path(t->db), "-wal", &log) == 0)
        c->frames = (int)(log.st_size / c->page);
    if (!is_long(c) || store_look_at_file(txn_store(t), &ignored))
        return;
    sqlite3_wal_checkpoint_v2(db_handle(t->db), "main", SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    c->kept = c->frames;
}

/* Readers that see the end of it may keep it from being cut, though all of it was moved. */
int checkpoint_save(struct txn *t)
{
    int frames = -1, moved = -1;
    if (t->log_saved || !store_misses_log_alone(t->store))
        return t->log_saved ? 0 : -1;
    int code = sqlite3_wal_checkpoint_v2(db_handle(t->db), "main", SQLITE_CHECKPOINT_TRUNCATE,
                                         &frames, &moved);
    bool went = code == SQLITE_OK || (code & 0xff) == SQLITE_BUSY;
    t->log_saved = went && frames >= 0 && frames == moved;
    return t->log_saved ? 0 : -1;
}

static int empty(struct txn *t)
{
    struct error ignored;
    if (store_look_at_file(t->store, &ignored))
        return checkpoint_save(t);
    txn_wait_for_others(t, false);
    int code =
        sqlite3_wal_checkpoint_v2(db_handle(t->db), "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    txn_wait_for_others(t, true);
    return code == SQLITE_OK ? 0 : -1;
}

/* For whoever opens the store next reads all of the log first (measured: 5 ms for 16 MB). */
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
    c->kept = c->frames;
}
