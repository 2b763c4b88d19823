#include "store/history/past.h"

#include "store/guard/entry_hide.h"
#include "store/db/reader.h"
#include "store/history/rewind.h"

/* ---- a moment ---- */

/* The first event at `seq` or after it; its number and time. 1, or 0: there is none. */
static int event_from(struct db *db, int64_t seq, int64_t *found, int64_t *at, struct error *e)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT seq, at FROM event WHERE seq >= ? ORDER BY seq LIMIT 1", e);
    int more = db_bind(db, stmt, e, "i", seq);
    if (more > 0) {
        *found = sqlite3_column_int64(stmt, 0);
        *at = sqlite3_column_int64(stmt, 1);
        sqlite3_reset(stmt);
    }
    return more;
}

/*
 * `low` is an event at `time` or before it (0: none), the next event after `high` - 1 is later: so
 * they close in on a place where the times pass over it, which is the only one where they never run
 * backwards.
 */
static int search_moment(struct db *db, int64_t time, int64_t high, int64_t *low, struct error *e)
{
    while (high - *low > 1) {
        int64_t middle = *low + (high - *low) / 2, seq, at;
        int found = event_from(db, middle, &seq, &at, e);
        if (found < 0)
            return -1;
        if (found == 0 || seq >= high || at > time)
            high = middle;
        else
            *low = seq;
    }
    return 0;
}

static int find_moment(struct db *db, int64_t time, int64_t *seq, struct error *e)
{
    int64_t last, found, at = 0;
    if (db_int(db, &last, 0, e, "SELECT max(seq) FROM event", ""))
        return -1;
    *seq = 0;
    if (last == 0)
        return 0;
    if (event_from(db, last, &found, &at, e) < 0)
        return -1;
    if (at > time)
        return search_moment(db, time, last, seq, e);
    *seq = last;
    return 0;
}

int past_moment(struct reader *r, int64_t time, int64_t *seq, struct error *e)
{
    if (reader_begin(r, e))
        return -1;
    int result = find_moment(reader_db(r), time, seq, e);
    reader_end(r);
    return result;
}

int past_moment_time(struct reader *r, int64_t seq, int64_t *at, struct error *e)
{
    int64_t found;
    if (reader_begin(r, e))
        return -1;
    int more = event_from(reader_db(r), seq, &found, at, e);
    reader_end(r);
    if (more < 0)
        return -1;
    return more && found == seq ? 0
                                : error_set(e, ERROR_NOT_FOUND, "stemma log shows them.",
                                            "there is no event %lld", (long long)seq);
}

/* ---- one memory ---- */

int memory_read_past(struct reader *r, struct arena *arena, int64_t node, int64_t seq,
                     struct memory *out, struct error *e)
{
    struct db *db = reader_begin_present(r, e);
    int64_t past = reader_past(r);
    if (!db)
        return -1;
    if (past >= 0 && seq > past)
        seq = past;
    int result =
        rewind_memory(db, arena, node, seq, out, e) || rewind_links(db, out, seq, e) ? -1 : 0;
    reader_end_present(r);
    if (result == 0)
        result = entry_hide(r, arena, out, e);
    return result;
}
