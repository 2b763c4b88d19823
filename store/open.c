/*
 * Opens a store: checks and upgrades its schema, prepares its locks, head file, writer and graph.
 */
#include "store/open.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/db/db_open.h"
#include "store/db/head.h"
#include "store/db/schema.h"
#include "store/db/store_file.h"
#include "store/db/store_state.h"
#include "store/fsck/fsck_log.h"
#include "store/guard/guard.h"
#include "store/lineage/loaded.h"
#include "store/platform/platform.h"
#include "store/record/index_tables.h"
#include "store/team/team.h"
#include "store/txn/writer.h"

static int64_t system_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- the key of the journal ---- */

#define KEY_MAX 4096

static int read_key(struct store *s, const char *path, int fd, struct error *e)
{
    struct stat file;
    if (fstat(fd, &file) == 0 && (file.st_mode & 077))
        return error_set(e, ERROR_STORE, "Run chmod 600 on it.", "others may read the key file %s",
                         path);
    s->key = xmalloc(KEY_MAX + 1);
    ssize_t len = read(fd, s->key, KEY_MAX + 1);
    while (len > 0 && (s->key[len - 1] == '\n' || s->key[len - 1] == '\r'))
        len--;
    if (len <= 0 || len > KEY_MAX)
        return error_set(e, ERROR_STORE, "It should hold 1 to 4096 bytes.", "%s is not a key file",
                         path);
    s->key_len = (size_t)len;
    return 0;
}

static int load_key(struct store *s, const char *path, struct error *e)
{
    platform_hide_memory();
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return error_set(e, ERROR_STORE, "Check the configuration.",
                         "cannot read the key file %s: %s", path, strerror(errno));
    int result = read_key(s, path, fd, e);
    close(fd);
    return result;
}

/* ---- opening ---- */

/* Creates an empty file with mode 0600; SQLite gives its companions the same mode. */
static int make_file(const char *path, bool *made, struct error *e)
{
    if (store_make_folders(path, e))
        return -1;
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0 && errno != EEXIST)
        return error_set(e, errno == EACCES || errno == EROFS ? ERROR_REFUSED : ERROR_STORE,
                         "Give another path.", "cannot make %s: %s", path, strerror(errno));
    *made = fd >= 0;
    if (*made)
        close(fd);
    return 0;
}

static int migrate(struct db *db, struct error *e)
{
    if (db_exec(db, "BEGIN IMMEDIATE", e))
        return -1;
    if (schema_migrate(db, record_fill, e) == 0 && db_exec(db, "COMMIT", e) == 0)
        return 0;
    struct error ignored;
    db_exec(db, "ROLLBACK", &ignored);
    return -1;
}

#define MAKING_TRIES 200

/* Creates or upgrades the tables under the write lock. */
static int prepare(struct store *s, bool large, struct error *e)
{
    if (store_file_lock(&s->file, WRITE_WAIT_MS, NULL, NULL, e))
        return -1;
    struct db *db = NULL;
    int result = -1;
    /*
     * Without locks for turns, SQLite refuses at once if another process creates the store at the
     * same time: try again.
     */
    for (int tries = platform_has_locks() ? 1 : MAKING_TRIES; tries > 0 && result; tries--) {
        db_close(db);
        db = db_open(s->path, large ? DB_LARGE : DB_WRITE, e);
        result = db ? migrate(db, e) : -1;
        if (result && tries > 1)
            poll(NULL, 0, 5 + getpid() % 16); /* ms */
    }
    /* Checkpoint, so that the file is recognised without its log. */
    if (result == 0)
        result = db_exec(db, "PRAGMA wal_checkpoint(TRUNCATE)", e);
    db_close(db);
    store_file_unlock(&s->file);
    return result;
}

/* A trigger does not run here, but in other programs it may change what is written next. */
static int note_trigger(struct db *db, struct error *warning, struct error *e)
{
    struct query row =
        db_query(db, e, "SELECT name FROM sqlite_schema WHERE type = 'trigger' LIMIT 1", "");
    if (db_next(&row))
        error_set(warning, ERROR_REFUSED, "stemma fsck lists all that is not stemma's.",
                  "the store has a trigger that is not stemma's and does not run here: %s",
                  (const char *)sqlite3_column_text(row.stmt, 0));
    return db_end(&row);
}

/* In a transaction, because another process may be creating the store. */
static int try_state(struct store *s, enum schema_state *state, struct error *warning,
                     struct error *e)
{
    struct db *db = db_open(s->path, DB_READ, e);
    int result = db && db_exec(db, "BEGIN", e) == 0 ? schema_state(db, state, e) : -1;
    if (result == 0 && *state == SCHEMA_CURRENT)
        s->head = head_path(db, s->path);
    if (result == 0 && warning)
        result = note_trigger(db, warning, e);
    if (result == 0 && *state == SCHEMA_CURRENT)
        result = db_exec(db, "COMMIT", e);
    if (result == 0 && *state == SCHEMA_CURRENT)
        s->first = db;
    else
        db_close(db);
    return result;
}

/* A file that was empty when it was opened cannot be read after it gets a log: open it again. */
static int read_state(struct store *s, enum schema_state *state, struct error *warning,
                      struct error *e)
{
    struct error ignored;
    return try_state(s, state, warning, &ignored) && try_state(s, state, warning, e) ? -1 : 0;
}

/* A read-only store of an earlier version has its head file next to it. */
static void use_old_head(struct store *s)
{
    char *old = xformat("%s-head", s->path);
    if (access(old, F_OK) == 0) {
        free(s->head);
        s->head = old;
        return;
    }
    free(old);
}

/* Finds the head file, and removes the files that earlier versions left next to the store. */
static void tidy(struct store *s)
{
    struct error ignored;
    /* A damaged log stays as it is until something is written. */
    s->shared = !s->read_only && !s->log_damage && !store_write_errno(s->path);
    if (!s->head) {
        struct db *db = db_open(s->read ? s->read : s->path, DB_READ, &ignored);
        s->head = db ? head_path(db, s->path) : NULL;
        db_close(db);
    }
    if (s->shared)
        head_migrate(s->path, s->head);
    else
        use_old_head(s);
    if (s->first && !(s->shared && db_become_shared(s->first)))
        db_close(atomic_exchange(&s->first, NULL));
}

/*
 * Two processes that close the store at the same time may each see the other, so that neither
 * checkpoints the log. Open and close it once more.
 */
static void leave_one_file(struct store *s)
{
    struct error ignored;
    if (s->shared && access(s->file.names[STORE_LOG], F_OK) == 0 && !store_check_file(s, &ignored))
        db_close(db_open(s->path, DB_SHARED, &ignored));
}

static int newer(struct store *s, struct error *warning)
{
    s->read_only = s->newer = true;
    if (warning)
        store_cannot_write(s, "", warning);
    return 0;
}

/* Upgrades a private copy; it need not survive a crash, so without sync. */
static int bring_forward(const char *path, struct error *e)
{
    struct db *db = db_open(path, DB_WRITE, e);
    int result =
        failed_if(!db || db_exec(db, "PRAGMA synchronous = OFF", e) || db_exec(db, "BEGIN", e) ||
                  schema_migrate(db, record_fill, e) || db_exec(db, "COMMIT", e) ||
                  db_exec(db, "PRAGMA wal_checkpoint(TRUNCATE)", e));
    db_close(db);
    return result;
}

static void older_release(struct store *s)
{
    if (s->copy)
        db_remove_copy(s->copy);
    free(s->copy);
    free(s->read);
    s->copy = s->read = NULL;
}

/* Makes an upgraded copy in a new directory under TMPDIR. older_release removes it. */
static int older_copy(struct store *s, struct error *e)
{
    AUTO_STRBUF name = STRBUF_INIT;
    s->copy = db_make_copy(s->path, &name, e);
    if (s->copy) {
        s->read = xstrdup(name.buf);
        if (bring_forward(s->read, e) == 0)
            return 0;
        older_release(s);
    }
    if (e->code == ERROR_STORE)
        snprintf(e->hint, sizeof(e->hint),
                 "Set TMPDIR to a directory with room for it, or open it once where it can be "
                 "written.");
    return error_prefix(e, "%s is of an older version, and is read through a private copy",
                        s->path);
}

/*
 * Decides by the schema whether the store can be used as it is; upgrades an older one if it can be
 * written.
 */
static int check_state(struct store *s, bool create, bool large, struct error *warning,
                       struct error *e)
{
    enum schema_state state;
    if (read_state(s, &state, create ? warning : NULL, e))
        return -1;
    switch (state) {
    case SCHEMA_CURRENT:
        return 0;
    case SCHEMA_NEWER:
        return newer(s, warning);
    case SCHEMA_OLDER:
        /* An upgrade would remove the log before a person can copy it. */
        if (!s->read_only && !s->log_damage && (create || !store_write_errno(s->path)))
            return prepare(s, large, e);
        s->read_only = true;
        return older_copy(s, e);
    case SCHEMA_EMPTY:
        if (create && !s->read_only) {
            chmod(s->path,
                  0600); /* an empty file from elsewhere; if this fails, so does the next step */
            return prepare(s, large, e);
        }
        return error_set(e, ERROR_INVALID, "Add a memory to it, or give another path.",
                         "%s holds no store yet", s->path);
    case SCHEMA_KERNLE:
        return error_set(e, ERROR_INVALID, "Run stemma import kernle on it.",
                         "%s is a store of Kernle", s->path);
    case SCHEMA_FOREIGN:
        break;
    }
    return error_set(e, ERROR_INVALID, "Give another path.", "%s is a database of another program",
                     s->path);
}

static int find_file(struct store *s, const char *path, bool create, bool *made, struct error *e)
{
    struct stat file;
    if (stat(path, &file) && errno == ENOENT && create && !s->read_only && make_file(path, made, e))
        return -1;
    if (stat(path, &file))
        return error_set(e, errno == ENOENT ? ERROR_NOT_FOUND : ERROR_STORE,
                         errno == ENOENT ? "Check the path, or add a memory to make it."
                                         : "Check the path.",
                         "cannot open %s: %s", path, strerror(errno));
    if (!S_ISREG(file.st_mode))
        return error_set(e, ERROR_STORE, "Give the path of a file.", "%s is not a file", path);
    s->path = realpath(path, NULL); /* independent of a later chdir */
    if (!s->path)
        return error_set(e, ERROR_STORE, "", "cannot find %s: %s", path, strerror(errno));
    return store_file_open(&s->file, s->path, e);
}

/* Removes the file that we created if it is still empty, for example because the disk is full. */
static void drop_empty(struct store *s)
{
    struct stat file;
    struct error ignored;
    if (store_file_lock(&s->file, 0, NULL, NULL, &ignored))
        return;
    if (stat(s->path, &file) == 0 && file.st_size == 0)
        unlink(s->path);
    store_file_unlock(&s->file);
}

/* Adds the SQL functions of the lineage and of the guard to a new connection. */
static int prepare_connection(struct reader *r, struct db *db, struct error *e)
{
    return graph_load_prepare(db, e) || guard_prepare(r, db, e) ? -1 : 0;
}

/* Says what the damaged log had, since the next write removes it. */
static void note_damage(struct store *s, struct error *warning)
{
    struct error ignored;
    AUTO_STRBUF what = STRBUF_INIT;
    int64_t last = 0;
    struct db *db = db_open(s->read ? s->read : s->path, DB_READ, &ignored);
    if (db)
        db_int(db, &last, 0, &ignored, "SELECT max(seq) FROM event", "");
    db_close(db);
    log_damage_keep_after(s->log_damage, last);
    log_damage_say(s->log_damage, s, &what);
    if (warning)
        error_set(warning, ERROR_STORE, log_damage_advice(s->log_damage), "%s", what.buf);
}

struct store *store_open(const char *path, const struct store_options *options,
                         struct error *warning, struct error *e)
{
    struct store *s = xcalloc(1, sizeof(*s));
    if (warning)
        warning->code = ERROR_NONE;
    s->read_only = options->read_only;
    s->now = options->now ? options->now : system_now;
    s->make_id = options->make_id;
    s->prepare = prepare_connection;
    s->runtime_dir = options->runtime_dir ? xstrdup(options->runtime_dir) : NULL;
    s->confidence = options->confidence;
    bool made = false;
    if ((options->hmac_key && load_key(s, options->hmac_key, e)) ||
        find_file(s, path, options->create, &made, e)) {
        store_close(s);
        return NULL;
    }
    s->log_damage = log_damage_find(s);
    if (check_state(s, options->create, options->large, warning, e)) {
        if (made)
            drop_empty(s);
        store_close(s);
        return NULL;
    }
    if (s->log_damage)
        note_damage(s, warning);
    tidy(s);
    if (!s->read_only)
        s->writer = writer_new(s);
    s->graph = graph_cache_new();
    s->team = &team_ops;
    return s;
}

int store_copy(const char *path, const char *to, struct error *e)
{
    int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return error_set(e, ERROR_STORE, "", "cannot write the copy %s: %s", to, strerror(errno));
    close(fd);
    return db_copy(path, DB_READ, to, e);
}

void store_close(struct store *s)
{
    if (!s)
        return;
    writer_free(s->writer);
    graph_cache_free(s->graph);
    db_close(s->first);
    older_release(s);
    if (s->file.names[STORE_ITSELF])
        leave_one_file(s);
    for (size_t i = 0; s->key && i < s->key_len; i++)
        ((volatile unsigned char *)s->key)[i] = 0;
    free(s->key);
    store_file_close(&s->file);
    log_damage_free(s->log_damage);
    FREE_ALL(s->head, s->runtime_dir, s->path, s);
}
