/* Writes and reads the times of a row of the call log, and appends rows to its hash chain. */
#include "store/journal/call_chain.h"

#include <stdbool.h>
#include <string.h>
#include "model/json/json.h"
#include "store/db/db.h"
#include "store/db/store_state.h"
#include "store/journal/canonical.h"

bool call_guard_is_empty(const struct call_guard *g)
{
    return !g->namespace_ && !g->agent && !g->task && !g->traceparent && g->redactions <= 0 &&
           !g->spans.permission_us && !g->spans.pii_us && !g->spans.store_us;
}

void call_guard_sum(struct call_guard *g, const struct call_guard *more)
{
    g->redactions += more->redactions;
    g->spans.permission_us += more->spans.permission_us;
    g->spans.pii_us += more->spans.pii_us;
    g->spans.store_us += more->spans.store_us;
}

#define OUT_OF_MEMORY 'm' /* in older stores only: now the program ends if it runs out of memory */

/* The letter of each outcome; a file does not contain enum values. */
static const char letters[] = {
    [ERROR_NONE] = '\0',   [ERROR_NOT_FOUND] = 'n', [ERROR_USAGE] = 'u',
    [ERROR_INVALID] = 'i', [ERROR_STORE] = 's',     [ERROR_BUSY] = 'b',
    [ERROR_REFUSED] = 'r', [ERROR_CONFLICT] = 'c',  [ERROR_INTERRUPTED] = 't',
    [ERROR_PII] = 'p',     [ERROR_QUOTA] = 'q',     [ERROR_RATE] = 'l',
};

void call_times_init(struct call_times *t)
{
    *t = (struct call_times){.count = 0};
    strbuf_init(&t->text);
}

void call_times_release(struct call_times *t)
{
    strbuf_release(&t->text);
}

void call_times_close(struct call_times *t)
{
    if (!t->open)
        return;
    if (!t->text.len) {
        json_add_int(&t->text, t->first);
        t->last = t->first;
    }
    strbuf_addch(&t->text, ',');
    json_add_int(&t->text, t->run - t->last);
    if (letters[t->outcome])
        strbuf_addch(&t->text, letters[t->outcome]);
    if (t->open > 1) {
        strbuf_addch(&t->text, 'x');
        json_add_int(&t->text, (int64_t)t->open);
    }
    t->last = t->run;
    t->open = 0;
}

void call_times_add_many(struct call_times *t, int64_t at, enum error_code outcome, size_t count)
{
    if (t->open && (at != t->run || outcome != t->outcome))
        call_times_close(t);
    if (!t->count)
        t->first = at;
    t->run = at;
    t->outcome = outcome;
    t->open += count;
    t->count += count;
}

void call_times_add(struct call_times *t, int64_t at, enum error_code outcome)
{
    call_times_add_many(t, at, outcome, 1);
}

/* ---- reading ---- */

/* Reads a number below 2^62, so that a sum of two does not overflow. */
static bool read_number(const char **at, int64_t *out)
{
    bool negative = **at == '-';
    const char *p = *at + negative, *begin = p;
    int64_t value = 0;
    for (; *p >= '0' && *p <= '9'; p++) {
        if (value > (INT64_MAX / 2 - 9) / 10)
            return false;
        value = value * 10 + (*p - '0');
    }
    if (p == begin || (*begin == '0' && p > begin + 1) || (negative && value == 0))
        return false;
    *out = negative ? -value : value;
    *at = p;
    return true;
}

static enum error_code read_outcome(const char **at)
{
    if (**at == OUT_OF_MEMORY) {
        (*at)++;
        return ERROR_STORE;
    }
    for (size_t i = 1; i < sizeof(letters); i++)
        if (**at == letters[i]) {
            (*at)++;
            return (enum error_code)i;
        }
    return ERROR_NONE;
}

struct run_of_calls {
    int64_t at, count;
    enum error_code outcome;
};

/*
 * Reads ",DELTA", an optional letter and an optional "xCOUNT". run->at is the time of the previous
 * run on entry.
 */
static bool read_run(const char **at, struct run_of_calls *run)
{
    int64_t delta;
    run->count = 1;
    if (**at != ',')
        return false;
    (*at)++;
    if (!read_number(at, &delta) || __builtin_add_overflow(run->at, delta, &run->at))
        return false;
    run->outcome = read_outcome(at);
    if (**at != 'x')
        return true;
    (*at)++;
    return read_number(at, &run->count) && run->count > 1 && run->count <= CALL_TIMES_MAX;
}

/* The number of calls in the text; 0 if it is malformed. */
static size_t count_calls(const char *text)
{
    struct run_of_calls run;
    size_t count = 0;
    if (!text || !read_number(&text, &run.at) || !*text)
        return 0;
    while (*text) {
        if (!read_run(&text, &run) || (count += (size_t)run.count) > CALL_TIMES_MAX)
            return 0;
    }
    return count;
}

int call_times_read(const char *text, struct arena *arena, int64_t **at, enum error_code **outcome,
                    size_t *count)
{
    struct run_of_calls run;
    *count = count_calls(text);
    *at = *count ? arena_array(arena, *count, sizeof(**at)) : NULL;
    *outcome = *at ? arena_array(arena, *count, sizeof(**outcome)) : NULL;
    if (!*outcome) {
        *count = 0;
        return -1;
    }
    read_number(&text, &run.at);
    for (size_t i = 0; i < *count;) {
        read_run(&text, &run);
        for (int64_t n = 0; n < run.count; n++, i++) {
            (*at)[i] = run.at;
            (*outcome)[i] = run.outcome;
        }
    }
    return 0;
}

/* Reads the end of the chain into t->calls, once for each generation. */
static int find_end(struct txn *t, struct error *e)
{
    if (t->calls_generation == t->generation)
        return 0;
    struct chain_end end = {.count = 0};
    struct query row = db_query(t->db, e, "SELECT id, hash FROM call ORDER BY id DESC LIMIT 1", "");
    bool any = db_next(&row), damaged = any && sqlite3_column_bytes(row.stmt, 1) != DIGEST_SIZE;
    if (any && !damaged) {
        end.count = sqlite3_column_int64(row.stmt, 0);
        memcpy(end.hash.bytes, sqlite3_column_blob(row.stmt, 1), DIGEST_SIZE);
    }
    if (db_end(&row))
        return -1;
    if (damaged)
        return error_set(e, ERROR_STORE, "Run stemma fsck on the store.",
                         "the last row of the call log is damaged");
    t->calls = end;
    t->calls_generation = t->generation;
    return 0;
}

/*
 * Writes the ref of a memory, so that the canonical text does not depend on the table of memories.
 */
static int write_ref(struct txn *t, int64_t node, struct strbuf *ref, struct error *e)
{
    struct query row = db_query(t->db, e, "SELECT kind, name FROM memory WHERE id = ?", "i", node);
    int kind = db_next(&row) ? column_enum(row.stmt, 0, KIND_COUNT) : -1;
    strbuf_clear(ref);
    if (kind >= 0)
        strbuf_addf(ref, "%s:%s", kind_name((enum kind)kind), sqlite3_column_text(row.stmt, 1));
    return db_end(&row);
}

/* `guard` is the column's text, or NULL. */
static int insert_row(struct txn *t, const struct call_entry *entry, int64_t subject,
                      const char *guard, struct error *e)
{
    struct digest hash, hmac;
    const unsigned char *key = t->store->key;
    digest_chain(&hash, t->calls.count ? &t->calls.hash : NULL, t->canonical.buf, t->canonical.len);
    if (key)
        digest_hmac(&hmac, key, t->store->key_len, &hash);
    if (db_run(t->db, e,
               "INSERT INTO call(id, session, at, tool, subject, count, times, canonical, hash,"
               " hmac, guard) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
               "iiisrissbbs", t->calls.count + 1, entry->session, entry->at, entry->tool, subject,
               (int64_t)entry->count, entry->times, t->canonical.buf, hash.bytes,
               (size_t)DIGEST_SIZE, key ? hmac.bytes : NULL, key ? (size_t)DIGEST_SIZE : 0, guard))
        return -1;
    t->calls.count++;
    t->calls.hash = hash;
    return 0;
}

static const char *digest_text(char hex[2 * DIGEST_SIZE + 1], const char *text, size_t len)
{
    struct digest digest;
    digest_bytes(&digest, text, len);
    digest_hex(hex, &digest);
    return hex;
}

static int append(struct txn *t, const struct call_entry *entry, const struct strbuf *guard,
                  struct error *e)
{
    char times[2 * DIGEST_SIZE + 1], guard_hex[2 * DIGEST_SIZE + 1];
    strbuf_clear(&t->text);
    if (find_end(t, e) || (entry->subject && write_ref(t, entry->subject, &t->text, e)))
        return -1;
    strbuf_clear(&t->canonical);
    canonical_call_write(
        &t->canonical,
        &(struct canonical_call){
            .about = entry->about,
            .at = entry->at,
            .count = (int64_t)entry->count,
            .guard = guard->len ? digest_text(guard_hex, guard->buf, guard->len) : NULL,
            .id = t->calls.count + 1,
            .ref = t->text.len ? t->text.buf : NULL,
            .session = entry->session,
            .times = digest_text(times, entry->times, strlen(entry->times)),
            .tool = entry->tool,
        });
    return insert_row(t, entry, t->text.len ? entry->subject : 0, guard->len ? guard->buf : NULL,
                      e);
}

int call_append(struct txn *t, const struct call_entry *entry, struct error *e)
{
    AUTO_STRBUF guard = STRBUF_INIT;
    if (entry->guard)
        canonical_guard_write(&guard, entry->guard);
    return append(t, entry, &guard, e);
}

#define IDENTITY                                                                                   \
    "SELECT uuid, class, actor, agent, task, client, client_version, era, transport, peer_uid,"    \
    " peer_pid, process, started_at FROM session WHERE id = ?"

int call_about(struct db *db, int64_t session, char hex[2 * DIGEST_SIZE + 1], struct error *e)
{
    AUTO_STRBUF bytes = STRBUF_INIT;
    struct digest digest;
    sqlite3_stmt *stmt = db_prepare(db, IDENTITY, e);
    int found = stmt ? db_bind(db, stmt, e, "i", session) : -1;
    /* Each column with its type and length, so that different rows have different bytes. */
    for (int i = 0; found > 0 && i < sqlite3_column_count(stmt); i++) {
        const void *value = sqlite3_column_text(stmt, i);
        int type = sqlite3_column_type(stmt, i), len = sqlite3_column_bytes(stmt, i);
        strbuf_addf(&bytes, "%d:%d:", value ? type : SQLITE_NULL, len);
        strbuf_add(&bytes, value ? value : "", (size_t)len);
    }
    sqlite3_reset(stmt);
    digest_bytes(&digest, bytes.buf, bytes.len);
    digest_hex(hex, &digest);
    return found;
}

int call_append_session(struct txn *t, const char *tool, int64_t session, int64_t at,
                        struct error *e)
{
    char about[2 * DIGEST_SIZE + 1], times[32];
    if (call_about(t->db, session, about, e) < 0)
        return -1;
    snprintf(times, sizeof(times), "%lld,0", (long long)at);
    struct call_entry entry = {
        .session = session, .at = at, .tool = tool, .count = 1, .times = times, .about = about};
    return call_append(t, &entry, e);
}
