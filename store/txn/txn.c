/*
 * One write transaction: the write lock, BEGIN IMMEDIATE, the end of the journal, savepoints, rows
 * of refs and names.
 */
#include "store/txn/txn.h"

#include <time.h>
#include "model/base/array.h"
#include "model/base/alloc.h"
#include "store/txn/checkpoint.h"
#include "store/db/db_open.h"
#include "store/db/store_file.h"
#include "store/db/schema.h"
#include "store/db/reader.h"
#include "store/db/store_state.h"
#include "store/db/thread.h"
#include "store/platform/platform.h"

/* ---- known rows of refs and names ---- */

static void make_key(struct intern *t, unsigned tag, const char *key)
{
    strbuf_clear(&t->sought);
    strbuf_addch(&t->sought, (char)tag);
    strbuf_addstr(&t->sought, key);
}

int64_t intern_find(struct intern *t, unsigned tag, const char *key)
{
    make_key(t, tag, key);
    size_t at = key_index_find(&t->keys, t->sought.buf, t->sought.len);
    return at == ROW_NONE ? INTERN_NONE : t->row[at];
}

bool intern_add(struct intern *t, unsigned tag, const char *key, int64_t row)
{
    bool forgot = t->keys.count >= INTERN_MAX;
    if (forgot)
        intern_clear(t);
    make_key(t, tag, key);
    size_t at = key_index_add(&t->keys, t->sought.buf, t->sought.len);
    ARRAY_ROOM(t->row, t->keys.count, t->alloc, 0);
    t->row[at] = row;
    return forgot;
}

void intern_clear(struct intern *t)
{
    key_index_clear(&t->keys);
}

void intern_release(struct intern *t)
{
    key_index_release(&t->keys);
    free(t->row);
    strbuf_release(&t->sought);
}

struct db *txn_db(struct txn *t)
{
    return t->db;
}

struct store *txn_store(struct txn *t)
{
    return t->store;
}

int64_t txn_now(struct txn *t)
{
    return t->now;
}

/* ---- waiting for others ---- */

void txn_set_give_up(struct txn *t, bool (*gives_up)(void *arg), void *arg)
{
    t->gives_up = gives_up;
    t->give_up_arg = arg;
}

/* A busy handler that can give up; SQLite's own always waits to its end. */
static int on_busy(void *arg, int tries)
{
    struct txn *t = arg;
    if (tries == 0)
        t->busy_since = monotonic_ms();
    if (monotonic_ms() - t->busy_since >= (platform_has_locks() ? DB_BUSY_MS : WRITE_WAIT_MS) ||
        (t->gives_up && t->gives_up(t->give_up_arg)))
        return 0;
    long pause = tries < 4 ? 1L << tries : 10;
    nanosleep(&(struct timespec){0, pause * 1000000}, NULL);
    return 1;
}

void txn_wait_for_others(struct txn *t, bool wait)
{
    sqlite3_busy_handler(db_handle(t->db), wait ? on_busy : NULL, t);
}

struct txn *txn_open(struct store *s, struct error *e)
{
    if (store_check_file(s, e))
        return NULL;
    struct txn *t = xcalloc(1, sizeof(*t));
    t->store = s;
    t->refs = t->agents = t->source_types = (struct intern)INTERN_INIT;
    struct strbuf *buffers[] = {&t->bytes, &t->text, &t->words,      &t->canonical,
                                &t->patch, &t->tags, &t->annotations};
    for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++)
        strbuf_init(buffers[i]);
    t->data_version = -1;
    if (!(t->db = db_open(s->path, DB_WRITE, e))) {
        txn_close(t);
        return NULL;
    }
    t->holds_log = store_file_hold_log(s, t->db);
    txn_wait_for_others(t, true);
    return t;
}

/* Also called after a second rollback, when the lock is released already. */
static void release_lock(struct txn *t)
{
    if (t->has_lock)
        store_file_unlock(&t->store->file);
    t->has_lock = false;
}

void txn_close(struct txn *t)
{
    if (!t)
        return;
    reader_close(t->reader);
    if (t->holds_log)
        store_file_release_log(t->store, t->db);
    db_close(t->db);
    release_lock(t);
    intern_release(&t->refs);
    intern_release(&t->agents);
    intern_release(&t->source_types);
    text_index_release(&t->index);
    struct strbuf *buffers[] = {&t->bytes, &t->text, &t->words,      &t->canonical,
                                &t->patch, &t->tags, &t->annotations};
    for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++)
        strbuf_release(buffers[i]);
    free(t);
}

struct reader *txn_reader(struct txn *t, struct error *e)
{
    if (!t->reader)
        t->reader = reader_over(t->store, t->db, e);
    else
        reader_renew(t->reader);
    return t->reader;
}

static int read_head(struct txn *t, struct error *e)
{
    struct query row =
        db_query(t->db, e, "SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1", "");
    bool any = db_next(&row), damaged = any && sqlite3_column_bytes(row.stmt, 1) != DIGEST_SIZE;
    t->last_seq = any ? sqlite3_column_int64(row.stmt, 0) : 0;
    if (any && !damaged)
        memcpy(t->last_hash.bytes, sqlite3_column_blob(row.stmt, 1), DIGEST_SIZE);
    if (db_end(&row))
        return -1;
    return damaged ? error_set(e, ERROR_STORE, "Run stemma fsck on the store.",
                               "the journal's last event is damaged")
                   : 0;
}

static int read_team(struct txn *t, struct error *e)
{
    struct query row =
        db_query(t->db, e, "SELECT machine, confirmed, hash FROM team WHERE id = 1", "");
    t->team = (struct txn_team){.member = db_next(&row)};
    if (t->team.member) {
        t->team.machine = sqlite3_column_int(row.stmt, 0);
        t->team.confirmed = sqlite3_column_int64(row.stmt, 1);
        if (sqlite3_column_bytes(row.stmt, 2) == DIGEST_SIZE)
            memcpy(t->team.hash.bytes, sqlite3_column_blob(row.stmt, 2), DIGEST_SIZE);
    }
    return db_end(&row);
}

static int check_schema(struct txn *t, struct error *e)
{
    int64_t version;
    if (db_int(t->db, &version, 0, e, "PRAGMA user_version", ""))
        return -1;
    if (version != SCHEMA_VERSION)
        return error_set(e, ERROR_STORE, "Use the newest stemma.",
                         "%s was changed to version %lld by another program", t->store->path,
                         (long long)version);
    if (!t->indexes_checked && schema_create_indexes(t->db, e))
        return -1;
    t->indexes_checked = true;
    return 0;
}

/*
 * Reads again what another process may have changed since our last commit. PRAGMA data_version
 * tells whether any did, so a process that writes alone reads it once.
 */
static int refresh(struct txn *t, struct error *e)
{
    int64_t data_version;
    if (db_int(t->db, &data_version, 0, e, "PRAGMA data_version", ""))
        return -1;
    if (data_version == t->data_version)
        return 0;
    if (check_schema(t, e) || read_head(t, e) || read_team(t, e) ||
        db_int(t->db, &t->last_node, 0, e, "SELECT max(id) FROM memory", ""))
        return -1;
    t->refs_complete = t->last_node == 0;
    if (t->refs_complete)
        intern_clear(&t->refs);
    t->data_version = data_version;
    return 0;
}

/* If a file was removed, saves acknowledged commits from the removed log, and fails. */
static int check_files(struct txn *t, struct error *e)
{
    if (store_check_file(t->store, e) == 0) {
        t->log_saved = false;
        return 0;
    }
    checkpoint_save(t);
    return -1;
}

int txn_begin(struct txn *t, struct error *e)
{
    t->generation++;
    t->failed = false;
    if (store_file_lock(&t->store->file, WRITE_WAIT_MS, t->gives_up, t->give_up_arg, e))
        return -1;
    t->has_lock = true;
    if (check_files(t, e) == 0 && db_run(t->db, e, "BEGIN IMMEDIATE", "") == 0) {
        /* Read the clock with the lock held: then times follow the sequence while the clock does. */
        t->now = store_now(t->store);
        if (refresh(t, e) == 0)
            return 0;
        txn_rollback(t);
        return -1;
    }
    release_lock(t);
    return -1;
}

/* After a rollback cached rows may not exist. */
static void forget(struct txn *t)
{
    t->generation++;
    intern_clear(&t->refs);
    intern_clear(&t->agents);
    intern_clear(&t->source_types);
    t->refs_complete = false;
}

static int commit(struct txn *t, struct error *e)
{
    log_file_begin_commit(db_handle(t->db));
    int result = db_run(t->db, e, "COMMIT", "");
    int code = log_file_end_commit(db_handle(t->db), result == 0);
    return code ? db_error_code(code, sqlite3_errstr(code), t->store->path, e, "write") : result;
}

int txn_commit(struct txn *t, struct error *e)
{
    /* A commit counts only if others can read it: from the current log, or from the file. */
    if (text_index_flush(&t->index, t->db, e) || commit(t, e) ||
        (store_check_log(t->store, e) && checkpoint_save(t))) {
        txn_rollback(t);
        return -1;
    }
    release_lock(t);
    return 0;
}

void txn_rollback(struct txn *t)
{
    struct error ignored;
    if (!txn_is_lost(t))
        db_run(t->db, &ignored, "ROLLBACK", "");
    forget(t);
    text_index_clear(&t->index);
    t->data_version = -1;
    release_lock(t);
}

bool txn_is_lost(struct txn *t)
{
    return sqlite3_get_autocommit(db_handle(t->db)) != 0;
}

void txn_note_state(struct txn *t)
{
    t->saved.last_seq = t->last_seq;
    t->saved.last_node = t->last_node;
    t->saved.last_hash = t->last_hash;
    t->saved.team = t->team;
    t->saved.texts = t->index.count;
    t->saved.changes = sqlite3_total_changes64(db_handle(t->db));
    t->failed = false;
}

int txn_save(struct txn *t, struct error *e)
{
    txn_note_state(t);
    if (t->load)
        t->load_ops->save(t->load, &t->saved);
    return db_run(t->db, e, "SAVEPOINT job", "");
}

bool txn_is_unchanged(struct txn *t)
{
    return !t->failed && t->last_seq == t->saved.last_seq &&
           sqlite3_total_changes64(db_handle(t->db)) == t->saved.changes;
}

/* Applies the pending text changes of finished jobs if there are many. */
int txn_end_job(struct txn *t, struct error *e)
{
    if (t->load)
        return t->load_ops->texts(t->load, &t->index, e);
    return text_index_is_full(&t->index) ? text_index_flush(&t->index, t->db, e) : 0;
}

int txn_release(struct txn *t, struct error *e)
{
    return txn_end_job(t, e) || db_run(t->db, e, "RELEASE job", "") ? -1 : 0;
}

int txn_undo(struct txn *t, struct error *e)
{
    t->last_seq = t->saved.last_seq;
    t->last_node = t->saved.last_node;
    t->last_hash = t->saved.last_hash;
    t->team = t->saved.team;
    forget(t);
    text_index_cut(&t->index, t->saved.texts);
    if (t->load)
        t->load_ops->undo(t->load, &t->saved);
    if (db_run(t->db, e, "ROLLBACK TO job", ""))
        return -1;
    return txn_release(t, e);
}

int txn_random(struct txn *t, void *out, size_t len, struct error *e)
{
    if (t->random_left < len) {
        if (!platform_random(t->random, sizeof(t->random)))
            return error_set(e, ERROR_STORE, "", "the system gives no random numbers");
        t->random_left = sizeof(t->random);
    }
    t->random_left -= len;
    memcpy(out, t->random + t->random_left, len);
    memset(t->random + t->random_left, 0, len);
    return 0;
}

int txn_make_id(struct txn *t, char out[37], struct error *e)
{
    unsigned char random[ID_RANDOM];
    if (t->store->make_id) {
        t->store->make_id(out);
        return 0;
    }
    if (txn_random(t, random, sizeof(random), e))
        return -1;
    store_write_id(out, random);
    return 0;
}

/* Returns the row of `name` in a table of names. `select` and `insert` have it as parameter. */
static int64_t name_row(struct txn *t, struct intern *known, const char *name, const char *select,
                        const char *insert, struct error *e)
{
    int64_t row = intern_find(known, 0, name);
    if (row != INTERN_NONE)
        return row;
    if (db_int(t->db, &row, INTERN_NONE, e, select, "s", name))
        return -1;
    if (row == INTERN_NONE) {
        if (db_run(t->db, e, insert, "s", name))
            return -1;
        row = sqlite3_last_insert_rowid(db_handle(t->db));
    }
    intern_add(known, 0, name, row);
    return row;
}

int64_t txn_agent(struct txn *t, const char *name, struct error *e)
{
    return name_row(t, &t->agents, name, "SELECT id FROM agent WHERE name = ?",
                    "INSERT INTO agent(name) VALUES (?)", e);
}

int64_t txn_source_type(struct txn *t, const char *name, struct error *e)
{
    return name_row(t, &t->source_types, name, "SELECT id FROM source_type WHERE name = ?",
                    "INSERT INTO source_type(name) VALUES (?)", e);
}

/*
 * The cache has refs, not states. A row keeps its ref for ever, so entries stay valid over the
 * commits of other processes.
 */
int64_t txn_ref(struct txn *t, struct ref ref, bool make, struct error *e)
{
    int64_t node = intern_find(&t->refs, ref.kind, ref.id);
    if (node != INTERN_NONE)
        return node;
    if (!t->refs_complete) {
        if (db_int(t->db, &node, 0, e, "SELECT id FROM memory WHERE kind = ? AND name = ?", "is",
                   (int64_t)ref.kind, ref.id))
            return -1;
    } else {
        node = 0;
    }
    if (!node && make) {
        node = t->last_node + 1;
        if (db_run(t->db, e, "INSERT INTO memory(id, kind, name, status) VALUES (?, ?, ?, 7)",
                   "iis", node, (int64_t)ref.kind, ref.id))
            return -1;
        t->last_node = node;
    }
    if (node && intern_add(&t->refs, ref.kind, ref.id, node))
        t->refs_complete = false;
    return node;
}
