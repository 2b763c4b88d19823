/* Opens an SQLite file without changing one that is not ours, and makes private copies. */
#include "store/db/db_open.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "store/db/store_file.h"
#include "store/platform/platform.h"
#include "store/platform/file_state.h"

/* Bytes of a text or a row: in another program's file, and in a store, where an event may hold a
 * text of RECORD_MAX_BYTES with escapes. */
#define FOREIGN_LENGTH (64 << 20)
#define STORE_LENGTH   (256 << 20)

/* The state of the file and its companions before it is opened. */
struct surroundings {
    bool is_wal;         /* according to the header */
    bool is_cut;         /* the last page is incomplete */
    bool has_log;        /* a write-ahead log with content */
    bool log_exists;     /* a write-ahead log, maybe empty */
    bool has_index;      /* the log's -shm exists */
    bool has_journal;    /* a rollback journal with content */
    bool can_write_here; /* the file and its directory are writable */
};

int db_stat_companion(const char *path, const char *suffix, struct stat *out)
{
    AUTO_FREE char *name = xformat("%s%s", path, suffix);
    return stat(name, out);
}

bool db_has_companion(const char *path, const char *suffix, bool *exists)
{
    struct stat file;
    bool found = db_stat_companion(path, suffix, &file) == 0;
    if (exists)
        *exists = found;
    return found && file.st_size > 0;
}

static bool db_can_write_directory(const char *path)
{
    AUTO_FREE char *directory = xstrdup(path);
    char *slash = strrchr(directory, '/');
    if (slash)
        slash[slash == directory] = '\0';
    return access(slash ? directory : ".", W_OK) == 0;
}

/* ---- settings ---- */

/*
 * No memory map: if another process truncated the file, SIGBUS would end the program. The page
 * caches are small because the kernel caches the same pages: measured, a larger cache gains readers
 * nothing, and the writer's must hold the pages that a batch changes.
 */
static const char reader_settings[] =
    "PRAGMA query_only = ON; PRAGMA cache_size = " DB_READER_CACHE ";"
    "PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON";
static const char foreign_settings[] = "PRAGMA query_only = ON; PRAGMA cache_size = -2048;"
                                       "PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON";
/*
 * Pages of 2 KB: a store has about sixty tables and indexes with at least one page each, so an
 * empty store has 150 kB. A store that an import creates gets pages of 16 KB: measured, imports
 * take a fifth to a quarter less time than with 4 KB.
 *
 * After each checkpoint, at 16 MB, the log is overwritten from its beginning. It is truncated only
 * above 24 MB: truncating it further frees pages and allocates them again each time (measured: 5 to
 * 10 % of a small write). When the writer is idle it empties the log.
 */
static const char writer_settings[] =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
    "PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 25165824;"
    "PRAGMA cache_size = " DB_WRITER_CACHE ";"
    "PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON; PRAGMA cell_size_check = ON";

static void harden(sqlite3 *handle, enum db_mode mode)
{
    sqlite3_busy_timeout(handle, DB_BUSY_MS);
    sqlite3_extended_result_codes(handle, 1);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    if (mode != DB_WRITE) {
        sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
        sqlite3_limit(handle, SQLITE_LIMIT_WORKER_THREADS, 0);
    }
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH,
                  mode == DB_FOREIGN || mode == DB_APPLY ? FOREIGN_LENGTH : STORE_LENGTH);
}

/* A URI, because only a URI can carry open parameters. */
static void add_uri(struct strbuf *uri, const char *path, const char *parameters)
{
    strbuf_addstr(uri, *path == '/' ? "file://" : "file:");
    for (const char *p = path; *p; p++)
        if (strchr("%?#", *p))
            strbuf_addf(uri, "%%%02x", (unsigned char)*p);
        else
            strbuf_addch(uri, *p);
    strbuf_addstr(uri, parameters);
}

static sqlite3 *open_handle(const char *path, const char *parameters, int flags, const char *vfs,
                            struct error *e)
{
    AUTO_STRBUF uri = STRBUF_INIT;
    sqlite3 *handle = NULL;
    add_uri(&uri, path, parameters);
    int code =
        sqlite3_open_v2(uri.buf, &handle, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, vfs);
    if (code == SQLITE_OK)
        return handle;
    db_error_code(code, sqlite3_errmsg(handle), path, e, "open");
    sqlite3_close(handle);
    return NULL;
}

/*
 * Reads from the header whether the file is in WAL mode, and whether its last page is complete.
 * Goes through SQLite, because closing a descriptor of our own would drop the locks of every
 * connection of this process to the file.
 */
static void inspect_header(const char *path, struct surroundings *s)
{
    struct error ignored;
    unsigned char header[20] = {0};
    sqlite3_file *file = NULL;
    sqlite3_int64 size = 0;
    sqlite3 *handle = open_handle(path, "", SQLITE_OPEN_READONLY, NULL, &ignored);
    if (handle &&
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK &&
        file && file->pMethods) {
        file->pMethods->xRead(file, header, sizeof(header), 0);
        file->pMethods->xFileSize(file, &size);
    }
    sqlite3_close(handle);
    int page = header[16] << 8 | header[17];
    s->is_wal = header[19] == 2;
    s->is_cut = s->is_wal && page >= 512 && size % page;
}

static struct surroundings inspect(const char *path)
{
    struct surroundings s = {0};
    inspect_header(path, &s);
    s.has_log = db_has_companion(path, "-wal", &s.log_exists);
    s.has_index = db_has_companion(path, "-shm", NULL);
    s.has_journal = db_has_companion(path, "-journal", NULL);
    s.can_write_here = db_can_write_directory(path) && access(path, W_OK) == 0;
    return s;
}

static int apply_settings(sqlite3 *handle, const char *path, enum db_mode mode, struct error *e)
{
    bool large = mode == DB_LARGE;
    mode = large ? DB_WRITE : mode;
    const char *settings = mode == DB_WRITE     ? writer_settings
                           : mode == DB_APPLY   ? "PRAGMA cell_size_check = ON"
                           : mode != DB_FOREIGN ? reader_settings
                                                : foreign_settings;
    harden(handle, mode);
    /* Small pages: a memory is read from pages of its own, each of whose cells is checked. */
    if (mode == DB_WRITE)
        sqlite3_exec(handle, large ? "PRAGMA page_size = 4096" : "PRAGMA page_size = 2048", NULL,
                     NULL, NULL);
    /* Read the schema now, so that an unreadable file fails here. */
    if (sqlite3_exec(handle, settings, NULL, NULL, NULL) == SQLITE_OK &&
        sqlite3_exec(handle, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL) == SQLITE_OK)
        return 0;
    return db_error_code(sqlite3_extended_errcode(handle), sqlite3_errmsg(handle), path, e, "open");
}

static struct db *open_as(const char *path, enum db_mode mode, const char *parameters, int flags,
                          struct error *e)
{
    const char *vfs = mode == DB_WRITE || mode == DB_LARGE ? log_file_vfs() : NULL;
    sqlite3 *handle = open_handle(path, parameters, flags, vfs, e);
    if (!handle)
        return NULL;
    if (apply_settings(handle, path, mode, e)) {
        /* A file that could not be read must not be changed by closing it. */
        sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
        sqlite3_close(handle);
        return NULL;
    }
    struct db *db = db_wrap(handle, path, NULL);
    db_share(db, mode != DB_READ && mode != DB_FOREIGN && mode != DB_APPLY);
    return db;
}

/* ---- choosing ---- */

static struct db *open_copy(const char *path, enum db_mode mode, struct error *e)
{
    struct db *db = NULL;
    AUTO_STRBUF name = STRBUF_INIT;
    char *directory = db_make_copy(path, &name, e);
    sqlite3 *handle = directory ? open_handle(name.buf, "", SQLITE_OPEN_READWRITE, NULL, e) : NULL;
    if (handle && apply_settings(handle, path, mode, e) == 0) {
        db = db_wrap(handle, path, directory);
    } else if (directory) {
        sqlite3_close(handle);
        db_remove_copy(directory);
        free(directory);
    }
    return db;
}

/*
 * Opens a file whose write-ahead log has content. DB_FOREIGN first tries to open an existing index
 * read-only; if that fails, or there is no index, the index is written. Last resort: a private
 * copy.
 */
static struct db *open_with_log(const char *path, enum db_mode mode, const struct surroundings *s,
                                struct error *e)
{
    struct db *db = NULL;
    if (mode == DB_FOREIGN && s->has_index)
        db = open_as(path, mode, "?readonly_shm=1", SQLITE_OPEN_READWRITE, e);
    if (!db && (s->can_write_here || s->has_index))
        db = open_as(path, mode, "", SQLITE_OPEN_READWRITE, e);
    return db ? db : open_copy(path, mode, e);
}

/*
 * Opens a file without a log. A read-write handle would roll a hot rollback journal back into the
 * file; a read-only handle refuses to open it, so a private copy is read instead.
 */
static struct db *open_plain(const char *path, enum db_mode mode, const struct surroundings *s,
                             struct error *e)
{
    if (s->is_cut) {
        db_error_code(SQLITE_CORRUPT, "it was cut short", path, e, "open");
        return NULL;
    }
    if (s->has_journal || !s->is_wal) {
        struct db *db = open_as(path, mode, "", SQLITE_OPEN_READONLY, e);
        return db || !s->has_journal ? db : open_copy(path, mode, e);
    }
    if (!s->can_write_here)
        return open_as(path, mode, "?immutable=1", SQLITE_OPEN_READONLY, e);
    return open_as(path, mode, "", SQLITE_OPEN_READWRITE, e);
}

/*
 * What an allocation grows to: half as much again as it needs, at most. A search makes FTS5 list the thousands of rows
 * of a
 * page, with room for eight more at a time: to copy that list was a fifth of a search (measured). Eight less than a
 * multiple
 * of 16 is what malloc gives.
 */
static int roomy(int bytes)
{
    int step = 16;
    if (bytes > 1 << 30)
        return (bytes + 7) & -8;
    while (step < bytes / 4)
        step *= 2;
    return ((bytes + 8 + step - 1) & -step) - 8;
}

/*
 * Process-wide settings. SQLite's memory statistics cost a lock for each allocation and are not
 * used.
 */
static void configure(void)
{
    unsigned char key[16];
    sqlite3_mem_methods memory;
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &memory) == SQLITE_OK) {
        memory.xRoundup = roomy;
        sqlite3_config(SQLITE_CONFIG_MALLOC, &memory);
    }
    if (platform_random(key, sizeof(key)))
        key_index_seed(key);
}

struct db *db_open(const char *path, enum db_mode mode, struct error *e)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, configure);
    if (mode != DB_READ && mode != DB_FOREIGN)
        return open_as(path, mode, "", SQLITE_OPEN_READWRITE, e);
    struct surroundings s = inspect(path);
    struct db *db = s.has_log ? open_with_log(path, mode, &s, e) : open_plain(path, mode, &s, e);
    if (db)
        db_keep_log(db, s.log_exists || s.has_log);
    return db;
}

void db_use_temporary(const char *path)
{
    sqlite3_temp_directory =
        sqlite3_mprintf("%.*s", (int)(strrchr(path, '/') - path), path); /* never freed */
}

#define COPY_TRIES 5

static const char *const suffixes[] = {"", "-wal", "-journal"};
#define SUFFIX_COUNT (sizeof(suffixes) / sizeof(suffixes[0]))

static void copy_name(struct strbuf *name, const char *directory, const char *suffix)
{
    strbuf_clear(name);
    strbuf_addf(name, "%s/copy.db%s", directory, suffix);
}

void db_remove_copy(const char *directory)
{
    static const char *const made[] = {"", "-wal", "-shm", "-journal"};
    AUTO_STRBUF name = STRBUF_INIT;
    for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
        copy_name(&name, directory, made[i]);
        unlink(name.buf);
    }
    rmdir(directory);
}

/* Returns 0 if the file was copied or does not exist. */
static int copy_file(const char *from, const char *to)
{
    int source = store_file_peek(from);
    if (source < 0)
        return errno == ENOENT ? 0 : -1;
    int target = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int result = target < 0 ? -1 : platform_copy(source, target);
    int saved = errno;
    if (target >= 0)
        close(target);
    store_file_end_peek(source);
    errno = saved;
    return result;
}

static void read_states(const char *path, struct file_state states[SUFFIX_COUNT])
{
    AUTO_STRBUF name = STRBUF_INIT;
    for (size_t i = 0; i < SUFFIX_COUNT; i++) {
        strbuf_clear(&name);
        strbuf_addf(&name, "%s%s", path, suffixes[i]);
        states[i] = file_state_of(name.buf);
    }
}

static int copy_all(const char *path, const char *directory, struct error *e)
{
    AUTO_STRBUF from = STRBUF_INIT, to = STRBUF_INIT;
    int failed = 0;
    for (size_t i = 0; i < SUFFIX_COUNT && !failed; i++) {
        strbuf_clear(&from);
        strbuf_addf(&from, "%s%s", path, suffixes[i]);
        copy_name(&to, directory, suffixes[i]);
        if (copy_file(from.buf, to.buf))
            failed = error_set(e, ERROR_STORE, "Check its permissions and the room in TMPDIR.",
                               "cannot copy %s: %s", from.buf, strerror(errno));
    }
    return failed;
}

/* A file that changed during the copy may be torn in it. */
static int copy_whole(const char *path, const char *directory, struct error *e)
{
    struct file_state before[SUFFIX_COUNT], after[SUFFIX_COUNT];
    for (int i = 0; i < COPY_TRIES; i++) {
        bool changed = false;
        read_states(path, before);
        if (copy_all(path, directory, e))
            return -1;
        read_states(path, after);
        for (size_t n = 0; n < SUFFIX_COUNT; n++)
            changed |= file_state_difference(&before[n], &after[n]) != 0;
        if (!changed)
            return 0;
    }
    return error_set(e, ERROR_BUSY, "Wait for the other program to finish, then try again.",
                     "%s kept changing while it was copied", path);
}

char *db_make_copy(const char *path, struct strbuf *name, struct error *e)
{
    const char *parent = getenv("TMPDIR");
    strbuf_addf(name, "%s/stemma-XXXXXX", parent && *parent ? parent : "/tmp");
    char *directory = xstrdup(name->buf);
    if (!mkdtemp(directory)) {
        error_set(e, ERROR_STORE, "Check TMPDIR.", "cannot make a private copy of %s: %s", path,
                  strerror(errno));
        free(directory);
        return NULL;
    }
    if (copy_whole(path, directory, e) == 0) {
        copy_name(name, directory, "");
        return directory;
    }
    db_remove_copy(directory);
    free(directory);
    return NULL;
}
