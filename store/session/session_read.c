/* Sessions as anybody sees them. */
#include "store/session/session_state.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include "model/base/alloc.h"
#include "store/db/column.h"
#include "store/db/reader.h"
#include "store/session/session_held.h"
#include "store/db/store_state.h"

#define UUID_PREFIX_MIN 4

#define COLUMNS                                                                                    \
    "SELECT id, uuid, actor, agent, task, client, client_version, era, transport,"                 \
    " ifnull(peer_uid, -1), ifnull(peer_pid, -1), ifnull(process, -1), started_at, seen_at,"       \
    " ended_at, ended_by, read_only, calls, errors, latency, " SESSION_AWAY " FROM session "

/* The texts from column 1 on, in their order. */
static bool read_texts(struct arena *a, sqlite3_stmt *stmt, struct session_row *out)
{
    bool failed = false;
    const char **texts[] = {&out->uuid,   &out->actor,          &out->agent, &out->task,
                            &out->client, &out->client_version, &out->era,   &out->transport};
    for (int i = 0; i < 8; i++)
        *texts[i] = column_text(a, stmt, 1 + i, &failed);
    out->ended_by = column_text(a, stmt, 15, &failed);
    return !failed;
}

/* Where the system has no locks that tell, the process that began it is looked for. */
bool session_is_served(struct store *s, const char *uuid, int64_t process)
{
    int held = store_file_is_held(&s->file, store_file_session_byte(uuid));
    if (held >= 0)
        return held;
    return process > 0 && (kill((pid_t)process, 0) == 0 || errno == EPERM);
}

static int read_row(struct arena *a, sqlite3_stmt *stmt, struct store *s, struct session_row *out,
                    struct error *e)
{
    *out = (struct session_row){
        .id = sqlite3_column_int64(stmt, 0),
        .peer_uid = sqlite3_column_int64(stmt, 9),
        .peer_pid = sqlite3_column_int64(stmt, 10),
        .process = sqlite3_column_int64(stmt, 11),
        .started_at = sqlite3_column_int64(stmt, 12),
        .seen_at = sqlite3_column_int64(stmt, 13),
        .ended_at = sqlite3_column_int64(stmt, 14),
        .read_only = sqlite3_column_int(stmt, 16) != 0,
        .calls = sqlite3_column_int64(stmt, 17),
        .errors = sqlite3_column_int64(stmt, 18),
    };
    if (!read_texts(a, stmt, out))
        return error_set(e, ERROR_MEMORY, "", "memory ran out");
    /* What somebody altered is shown as far as it goes. */
    latency_read(&out->latency, (const char *)sqlite3_column_text(stmt, 19));
    bool ended = sqlite3_column_type(stmt, 14) != SQLITE_NULL;
    out->lives = !ended && out->uuid && session_is_served(s, out->uuid, out->process);
    out->away = !out->lives && sqlite3_column_int(stmt, 20) != 0;
    if (!out->lives && !out->ended_by)
        out->ended_by = "lost";
    if (!out->lives && !ended)
        out->ended_at = out->seen_at;
    return 0;
}

#define NEWEST_FIRST "ORDER BY started_at DESC, id DESC"
#define BEGAN_BEFORE                                                                               \
    "(?1 = 0 OR (started_at, id) < (SELECT started_at, id FROM session WHERE id = ?1)) "

enum which {
    ROWS, /* whichever began when */
    ALL,
    LIVING,
    AWAY
};

static bool is_wanted(const struct session_row *row, enum which which)
{
    return which == ROWS || which == ALL || (which == AWAY ? row->away : row->lives);
}

/* The rows of a statement that is stepped once, which gave `more`. */
static int read_rows(struct db *db, struct arena *a, sqlite3_stmt *stmt, int more, struct store *s,
                     enum which which, size_t limit, struct session_row **rows, size_t *count,
                     struct error *e)
{
    size_t alloc = 0;
    for (; more > 0 && (!limit || *count < limit); more = db_step(db, stmt, e)) {
        if (!array_grow((void **)rows, &alloc, *count, sizeof(**rows)))
            return error_set(e, ERROR_MEMORY, "", "memory ran out");
        if (read_row(a, stmt, s, &(*rows)[*count], e))
            return -1;
        *count += is_wanted(&(*rows)[*count], which);
    }
    return more < 0 ? -1 : 0;
}

/* Those before `before`, in the arena. */
static int read_which(struct reader *r, struct arena *arena, enum which which, int64_t before,
                      size_t limit, struct session_row **out, size_t *count, struct error *e)
{
    static const char *const statements[] = {
        [ROWS] = COLUMNS "WHERE id < ? ORDER BY id DESC",
        [ALL] = COLUMNS "WHERE " BEGAN_BEFORE NEWEST_FIRST,
        [LIVING] = COLUMNS "WHERE " BEGAN_BEFORE "AND ended_at IS NULL " NEWEST_FIRST,
        [AWAY] = COLUMNS "INDEXED BY session_decided WHERE " BEGAN_BEFORE "AND (" SESSION_HELD
                         ") AND " SESSION_AWAY " " NEWEST_FIRST,
    };
    struct db *db = reader_db(r);
    struct session_row *rows = NULL;
    sqlite3_stmt *stmt = db_prepare(db, statements[which], e);
    *out = NULL;
    *count = 0;
    int more = stmt ? db_bind(db, stmt, e, "i", before) : -1;
    int result = read_rows(db, arena, stmt, more, reader_store(r), which, limit, &rows, count, e);
    if (result == 0 && *count && !(*out = arena_memdup(arena, rows, *count * sizeof(*rows))))
        result = error_set(e, ERROR_MEMORY, "", "memory ran out");
    if (stmt)
        sqlite3_reset(stmt);
    free(rows);
    return result;
}

int session_page(struct reader *r, struct arena *arena, int64_t before, size_t limit,
                 struct session_row **out, size_t *count, struct error *e)
{
    return read_which(r, arena, ROWS, before, limit, out, count, e);
}

int session_list_away(struct reader *r, struct arena *arena, struct session_row **out,
                      size_t *count, struct error *e)
{
    return read_which(r, arena, AWAY, 0, 0, out, count, e);
}

int session_list(struct reader *r, struct arena *arena, bool living, size_t limit,
                 struct session_row **out, size_t *count, struct error *e)
{
    return session_list_before(r, arena, living, 0, limit, out, count, e);
}

int session_list_before(struct reader *r, struct arena *arena, bool living, int64_t before,
                        size_t limit, struct session_row **out, size_t *count, struct error *e)
{
    return read_which(r, arena, living ? LIVING : ALL, before, limit, out, count, e);
}

int session_agents(struct reader *r, struct arena *arena, const char ***out, size_t *count,
                   struct error *e)
{
    static const char names[] = "SELECT DISTINCT ifnull(agent, actor) FROM session ORDER BY 1";
    struct db *db = reader_db(r);
    sqlite3_stmt *stmt = db_prepare(db, names, e);
    int more = stmt ? db_bind(db, stmt, e, "") : -1;
    return column_texts(db, arena, stmt, more, out, count, e);
}

/* ---- one of them ---- */

static bool is_number(const char *text, int64_t *out)
{
    *out = 0;
    for (const char *p = text; *p; p++) {
        if (*p < '0' || *p > '9' || *out > (INT64_MAX - 9) / 10)
            return false;
        *out = *out * 10 + (*p - '0');
    }
    return *text != '\0';
}

/* Is it hexadecimal digits and dashes, as the beginning of a uuid? In lower case in `prefix`. */
static bool is_prefix(const char *text, char prefix[37])
{
    size_t len = strlen(text);
    if (len < UUID_PREFIX_MIN || len > 36)
        return false;
    for (size_t i = 0; i <= len; i++)
        prefix[i] = (char)tolower((unsigned char)text[i]);
    return strspn(prefix, "0123456789abcdef-") == len;
}

/* The row that is meant, or -1. */
static int64_t resolve(struct db *db, const char *text, struct error *e)
{
    int64_t id, found = 0, last = 0;
    char prefix[37];
    if (is_number(text, &id) &&
        db_int(db, &found, 0, e, "SELECT id FROM session WHERE id = ?", "i", id))
        return -1;
    if (found)
        return found;
    if (is_prefix(text, prefix)) {
        /* 'g' is beyond every digit. */
        if (db_int(db, &found, 0, e,
                   "SELECT min(id) FROM session WHERE uuid >= ?1 AND uuid < ?1 || 'g'", "s",
                   prefix) ||
            db_int(db, &last, 0, e,
                   "SELECT max(id) FROM session WHERE uuid >= ?1 AND uuid < ?1 || 'g'", "s",
                   prefix))
            return -1;
        if (found != last)
            return error_set(e, ERROR_INVALID, "Give more of it, or its number.",
                             "more than one session begins with %s", text);
    }
    if (!found)
        return error_set(e, ERROR_NOT_FOUND, "stemma sessions --all lists them.",
                         "there is no session %s", text);
    return found;
}

int session_read(struct reader *r, struct arena *arena, int64_t id, struct session_row *out,
                 struct error *e)
{
    struct db *db = reader_db(r);
    sqlite3_stmt *stmt = db_prepare(db, COLUMNS "WHERE id = ?", e);
    int found = stmt ? db_bind(db, stmt, e, "i", id) : -1;
    int result = found < 0 ? -1 : 0;
    if (found == 0)
        result = error_set(e, ERROR_NOT_FOUND, "stemma sessions --all lists them.",
                           "there is no session %lld", (long long)id);
    if (found > 0) {
        result = read_row(arena, stmt, reader_store(r), out, e);
    }
    if (stmt)
        sqlite3_reset(stmt);
    return result;
}

int session_find(struct reader *r, struct arena *arena, const char *text, struct session_row *out,
                 struct error *e)
{
    int64_t id = resolve(reader_db(r), text, e);
    return id < 0 ? -1 : session_read(r, arena, id, out, e);
}
