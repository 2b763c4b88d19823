/* Reads and writes the head file of a store: one line for the journal, one for the call log. */
#include "store/db/head.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/db/db.h"
#include "store/db/store.h"

#define HEAD_TEXT_MAX 256
#define CALLS         "calls "

/* Parses "COUNT HASH\n" and moves *at past it. */
static int parse_end(struct chain_end *out, char **at)
{
    char *end, *text = *at, *newline = strchr(text, '\n');
    if (text[0] < '1' || text[0] > '9' || !newline)
        return -1;
    *newline = '\0';
    *at = newline + 1;
    errno = 0;
    intmax_t count = strtoimax(text, &end, 10);
    if (errno || *end != ' ')
        return -1;
    out->count = (int64_t)count;
    return digest_from_hex(&out->hash, end + 1);
}

/* Accepts a line for the journal, a line for the call log, or both in this order. */
static int parse_head(struct head *out, char *text)
{
    *out = (struct head){.events = {.count = 0}};
    bool calls_only = strncmp(text, CALLS, strlen(CALLS)) == 0;
    if (!calls_only && parse_end(&out->events, &text))
        return -1;
    if (!*text)
        return 0;
    if (strncmp(text, CALLS, strlen(CALLS)) != 0)
        return -1;
    text += strlen(CALLS);
    return parse_end(&out->calls, &text) || *text ? -1 : 0;
}

static ssize_t read_text(const char *path, char text[HEAD_TEXT_MAX])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return -1;
    ssize_t len = read(fd, text, HEAD_TEXT_MAX - 1);
    int saved = errno;
    close(fd);
    errno = saved;
    if (len >= 0)
        text[len] = '\0';
    return len;
}

int head_read(struct head *out, const char *path, struct error *e)
{
    char text[HEAD_TEXT_MAX];
    ssize_t len = read_text(path, text);
    if (len < 0 && errno == ENOENT)
        return 0;
    if (len < 0)
        return error_set(e, ERROR_STORE, "Check its permissions.", "cannot read %s: %s", path,
                         strerror(errno));
    if (strlen(text) != (size_t)len || parse_head(out, text))
        return error_set(e, ERROR_INVALID, "", "%s is not a journal's head", path);
    return 1;
}

/* fsync before rename: after a crash the old head or the new one is complete. */
static int write_file(const char *path, const char *text, size_t len)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return -1;
    bool written = write(fd, text, len) == (ssize_t)len && fsync(fd) == 0;
    return close(fd) == 0 && written ? 0 : -1;
}

static void write_end(struct strbuf *text, const char *lead, const struct chain_end *end)
{
    char hex[2 * DIGEST_SIZE + 1];
    if (!end->count)
        return;
    digest_hex(hex, &end->hash);
    strbuf_addf(text, "%s%" PRId64 " %s\n", lead, end->count, hex);
}

static int replace_file(const char *path, const struct strbuf *text, struct error *e)
{
    AUTO_FREE char *fresh = xformat("%s.%ld", path, (long)getpid());
    int result = 0;
    if (store_make_folders(fresh, e)) {
        result = -1;
    } else if (write_file(fresh, text->buf, text->len) || rename(fresh, path)) {
        result = error_set(e, ERROR_STORE, "Check its permissions.", "cannot write %s: %s", path,
                           strerror(errno));
        unlink(fresh);
    }
    return result;
}

/* Whether the chain that `sql` reads has the hash of `end` at its number. */
static bool holds(struct db *db, const char *sql, const struct chain_end *end)
{
    struct error ignored;
    struct query row = db_query(db, &ignored, sql, "i", end->count);
    bool same = db_next(&row) && sqlite3_column_bytes(row.stmt, 0) == DIGEST_SIZE &&
                memcmp(sqlite3_column_blob(row.stmt, 0), end->hash.bytes, DIGEST_SIZE) == 0;
    return db_end(&row) == 0 && same;
}

/* Otherwise a few writes to a truncated store would hide what was cut. */
static bool may_replace(struct db *db, const char *sql, const struct chain_end *there,
                        const struct chain_end *next)
{
    return next->count > there->count && (!there->count || (db && holds(db, sql, there)));
}

int head_replace(const struct head *head, const char *path, struct error *e)
{
    AUTO_STRBUF text = STRBUF_INIT;
    write_end(&text, "", &head->events);
    write_end(&text, CALLS, &head->calls);
    return replace_file(path, &text, e);
}

int head_write(const struct head *head, struct db *db, const char *path, struct error *e)
{
    struct head there = {.events = {.count = 0}}, next = *head;
    struct error ignored;
    int found = head_read(&there, path, &ignored);
    if (found != 1 && db && head_is_noted(db, path, &ignored) == 1)
        return 0;
    if (found != 1)
        there = (struct head){.events = {.count = 0}};
    if (!may_replace(db, "SELECT hash FROM event WHERE seq = ?", &there.events, &head->events))
        next.events = there.events;
    if (!may_replace(db, "SELECT hash FROM call WHERE id = ?", &there.calls, &head->calls))
        next.calls = there.calls;
    if (next.events.count == there.events.count && next.calls.count == there.calls.count)
        return 0;
    return head_replace(&next, path, e);
}

static int end_of(struct db *db, const char *sql, struct chain_end *out, struct error *e)
{
    struct query row = db_query(db, e, sql, "");
    *out = (struct chain_end){.count = 0};
    if (db_next(&row) && sqlite3_column_bytes(row.stmt, 1) == DIGEST_SIZE) {
        out->count = sqlite3_column_int64(row.stmt, 0);
        memcpy(out->hash.bytes, sqlite3_column_blob(row.stmt, 1), DIGEST_SIZE);
    }
    return db_end(&row);
}

int head_of(struct db *db, struct head *out, struct error *e)
{
    static const char events[] = "SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1";
    static const char calls[] = "SELECT id, hash FROM call ORDER BY id DESC LIMIT 1";
    return end_of(db, events, &out->events, e) || end_of(db, calls, &out->calls, e) ? -1 : 0;
}

/* ---- its path ---- */

/*
 * The secret is random and never changes, so it identifies the store. Its hash does not reveal it.
 */
static bool name_of(struct db *db, const char *of, const char *path, char name[2 * DIGEST_SIZE + 1])
{
    struct error ignored;
    struct digest digest;
    struct digest_run run;
    sqlite3_stmt *stmt = db_prepare(db, "SELECT bytes FROM secret WHERE id = 1", &ignored);
    if (!stmt || db_step(db, stmt, &ignored) <= 0)
        return false;
    digest_run_begin(&run);
    digest_run_add(&run, of, strlen(of) + 1);
    digest_run_add(&run, sqlite3_column_blob(stmt, 0), (size_t)sqlite3_column_bytes(stmt, 0));
    digest_run_add(&run, path, strlen(path));
    digest_run_end(&run, &digest);
    sqlite3_reset(stmt);
    digest_hex(name, &digest);
    return true;
}

char *head_path(struct db *db, const char *path)
{
    char name[2 * DIGEST_SIZE + 1];
    if (!name_of(db, "head", path, name))
        return NULL;
    char *in = xformat("heads/%.32s", name), *result = store_state_path(in);
    free(in);
    return result;
}

int head_is_noted(struct db *db, const char *path, struct error *e)
{
    char name[2 * DIGEST_SIZE + 1];
    int64_t found = 0;
    if (!name_of(db, "place", path, name))
        return 0;
    return db_int(db, &found, 0, e, "SELECT 1 FROM head_place WHERE name = ?", "s", name)
               ? -1
               : (int)found;
}

int head_note(struct db *db, const char *path, struct error *e)
{
    char name[2 * DIGEST_SIZE + 1];
    return name_of(db, "place", path, name)
               ? db_run(db, e, "INSERT OR IGNORE INTO head_place VALUES (?)", "s", name)
               : 0;
}

/* ---- earlier versions ---- */

static void remove_companion(const char *store_path, const char *suffix)
{
    AUTO_FREE char *path = xformat("%s%s", store_path, suffix);
    unlink(path);
}

void head_migrate(const char *store_path, const char *path)
{
    struct head head = {.events = {.count = 0}};
    struct error ignored;
    AUTO_FREE char *old = xformat("%s-head", store_path);
    int found = head_read(&head, old, &ignored);
    if (found == 0 || (found > 0 && path && head_write(&head, NULL, path, &ignored) == 0))
        unlink(old);
    remove_companion(store_path, "-next");
    remove_companion(store_path, "-write");
    remove_companion(store_path, "-sessions");
}
