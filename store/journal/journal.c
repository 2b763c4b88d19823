/* Appends events to the journal, and reads them. */
#include "store/journal/journal.h"

#include "model/format/memory_json.h"
#include "model/json/json.h"
#include "model/policy/permission.h"
#include "store/db/db.h"
#include "store/db/store_state.h"
#include "store/journal/canonical.h"

/*
 * Writes the patch column: the fields to restore and the reason, if any. NULL if both are missing.
 */
static const char *write_patch(struct txn *t, const struct change *change)
{
    strbuf_clear(&t->patch);
    if (!change->patch && !change->reason)
        return NULL;
    struct json_object o = json_begin(&t->patch, '{');
    if (change->patch) {
        json_key(&o, "fields");
        strbuf_addstr(&t->patch, change->patch);
    }
    if (change->reason) {
        json_key(&o, "reason");
        json_add_string(&t->patch, change->reason);
    }
    json_end(&o);
    return t->patch.buf;
}

static void commit_hex(char out[2 * DIGEST_SIZE + 1], const unsigned char *salt, const void *bytes,
                       size_t len)
{
    struct digest d;
    digest_commit(&d, salt, bytes, len);
    digest_hex(out, &d);
}

/* The columns repeat members of the canonical text for queries; fsck compares them. */
static int insert_event(struct txn *t, const struct received *v, const struct change *change,
                        struct error *e)
{
    struct digest hmac;
    const unsigned char *key = t->store->key;
    if (key)
        digest_hmac(&hmac, key, t->store->key_len, &v->hash);
    if (db_run(t->db, e,
               "INSERT INTO event(seq, at, session, actor, operation, subject, correlation,"
               " canonical, salt, patch, hash, hmac, person, undoes, expires)"
               " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
               "iirssrssbsbbrrr", t->last_seq + 1, v->at, v->session, v->actor, change->operation,
               change->node, v->correlation, v->canonical, v->salt, (size_t)SALT_SIZE, v->patch,
               v->hash.bytes, (size_t)DIGEST_SIZE, key ? hmac.bytes : NULL,
               key ? (size_t)DIGEST_SIZE : 0, (int64_t)v->by_hand, change->undoes, change->expires))
        return -1;
    t->last_seq++;
    t->last_hash = v->hash;
    return 0;
}

/* What a replica sends, and what it needs to make the change again after the changes of others. */
static int put_in_outbox(struct txn *t, const struct change *change, struct error *e)
{
    strbuf_clear(&t->canonical);
    if (change->was)
        memory_json_write(&t->canonical, change->was, NULL);
    return db_run(t->db, e, "INSERT INTO outbox(seq, before, after) VALUES (?, ?, ?)", "iss",
                  t->last_seq, change->was ? t->canonical.buf : NULL, change->after);
}

bool journal_is_by_hand(const char *class_name, const char *origin)
{
    static const char channel[] = "import ";
    return same_text(class_name, "person") &&
           !(origin && strncmp(origin, channel, sizeof(channel) - 1) == 0);
}

bool event_is_automatic(const struct event *event)
{
    return event->session <= 0 && same_text(event->origin, EXPIRY_ORIGIN);
}

void event_add_number(struct strbuf *out, const struct event *event, const char *sign)
{
    int64_t own = event->provisional;
    strbuf_addf(out, "%s%lld", own ? "~" : sign, (long long)(own ? own : event->seq));
}

int journal_append(struct txn *t, const struct actor *actor, const struct change *change,
                   struct error *e)
{
    unsigned char salt[SALT_SIZE];
    char after[2 * DIGEST_SIZE + 1], patch_commitment[2 * DIGEST_SIZE + 1];
    if (change->received)
        return insert_event(t, change->received, change, e);
    if (txn_random(t, salt, SALT_SIZE, e))
        return -1;
    if (change->after)
        commit_hex(after, salt, change->after, change->after_len);
    const char *patch = write_patch(t, change);
    commit_hex(patch_commitment, salt, t->patch.buf, t->patch.len);

    char ref[REF_ID_MAX + 32];
    if (change->ref.id)
        snprintf(ref, sizeof(ref), "%s:%s", REF_ARGS(change->ref));
    strbuf_clear(&t->canonical);
    canonical_write(&t->canonical,
                    &(struct canonical){
                        .at = t->now,
                        .seq = t->last_seq + 1,
                        .session = actor->session,
                        .actor = actor->name,
                        .agent = actor->agent,
                        .claimed = actor->claimed,
                        .class_name = actor->class == ACTOR_AGENT ? "agent" : "person",
                        .correlation = actor->correlation,
                        .erases = change->erases,
                        .operation = change->operation,
                        .origin = actor->origin,
                        .ref = change->ref.id ? ref : NULL,
                        .before = change->before,
                        .after = change->after ? after : NULL,
                        .patch = patch_commitment,
                        .undoes = change->undoes,
                    });
    struct received own = {
        .at = t->now,
        .session = actor->session,
        .actor = actor->name,
        .correlation = actor->correlation,
        .by_hand =
            journal_is_by_hand(actor->class == ACTOR_AGENT ? "agent" : "person", actor->origin),
        .canonical = t->canonical.buf,
        .salt = salt,
        .patch = patch,
    };
    digest_chain(&own.hash, t->last_seq ? &t->last_hash : NULL, t->canonical.buf, t->canonical.len);
    if (insert_event(t, &own, change, e))
        return -1;
    return t->team.member ? put_in_outbox(t, change, e) : 0;
}

/* Reads a member of the patch column: "fields" as JSON, "reason" as text. */
static const char *patch_member(struct arena *a, const char *patch, const char *name)
{
    struct error ignored;
    size_t len = patch ? strlen(patch) : 0;
    if (!len || patch[0] != '{' || json_check(patch, len, JSON_DEPTH_LIMIT, &ignored))
        return NULL;
    struct json_slice value = json_member(patch, len, name);
    if (!value.ptr)
        return NULL;
    if (value.ptr[0] != '"')
        return arena_strndup(a, value.ptr, value.len);
    return json_text(a, value, NULL);
}

const struct session_decision session_decisions[] = {
    [SESSION_ENDS] = {"end-session", "ended", "", ""},
    [SESSION_READS_ONLY] = {"read-only-session", "made", " read-only", "Let it write again"},
    [SESSION_WRITES] = {"read-write-session", "let", " write again", "Make it read-only again"},
};

const struct session_decision *session_decision(const char *operation)
{
    for (size_t i = 0; operation && i < sizeof(session_decisions) / sizeof(session_decisions[0]);
         i++)
        if (strcmp(session_decisions[i].operation, operation) == 0)
            return &session_decisions[i];
    return NULL;
}

/*
 * The session column of a decision is the session decided about (session_decide); of other events
 * the session in which it was made.
 */
static void read_session(struct event *out, sqlite3_stmt *stmt)
{
    int64_t session = sqlite3_column_int64(stmt, 2);
    *(session_decision(out->operation) ? &out->about : &out->session) = session;
}

static void read_event(struct arena *a, sqlite3_stmt *stmt, struct event *out)
{
    struct canonical c;
    const char *canonical = column_utf8(a, stmt, 6);
    const char *patch = column_utf8(a, stmt, 7);
    int64_t seq = sqlite3_column_int64(stmt, 0), confirmed = sqlite3_column_int64(stmt, 9);
    *out = (struct event){
        .seq = seq,
        .provisional = seq > confirmed ? seq - confirmed : 0,
        .at = sqlite3_column_int64(stmt, 1),
        .subject = sqlite3_column_int64(stmt, 3),
        .actor = column_utf8(a, stmt, 4),
        .operation = column_utf8(a, stmt, 5),
        .correlation = column_utf8(a, stmt, 8),
        .patch = patch_member(a, patch, "fields"),
        .reason = patch_member(a, patch, "reason"),
    };
    out->author = out->actor ? out->actor : "someone";
    read_session(out, stmt);
    /* An altered event is shown as far as it can be read; fsck reports what is wrong. */
    if (canonical && canonical_read(&c, a, canonical, strlen(canonical)) == 0) {
        out->agent = c.agent;
        out->claimed = c.claimed;
        if (c.agent && !same_text(c.class_name, "person"))
            out->author = agent_label(a, c.agent, c.claimed);
        out->origin = c.origin;
        out->class_name = c.class_name;
        out->before = c.before;
        out->after = c.after;
        out->undoes = c.undoes;
        if (!c.ref || ref_parse(c.ref, &out->ref) != REF_MEMORY)
            out->ref.id = NULL;
    }
}

/* Reads the rows of a query with EVENT_COLUMNS. */
static int read_events(struct query rows, struct arena *a, struct event **out, size_t *count)
{
    size_t alloc = 0;
    *out = NULL;
    *count = 0;
    while (db_next(&rows))
        read_event(a, rows.stmt, ARENA_ADD(a, *out, *count, alloc));
    return db_end(&rows);
}

#define EVENT_COLUMNS                                                                              \
    "SELECT seq, at, session, subject, actor, operation, canonical, patch, correlation,"           \
    " coalesce((SELECT confirmed FROM team), 9223372036854775807) FROM event "

int journal_read(struct reader *r, struct arena *arena, int64_t after, size_t limit,
                 struct event **out, size_t *count, struct error *e)
{
    return read_events(db_query(reader_db(r), e, EVENT_COLUMNS "WHERE seq > ? ORDER BY seq LIMIT ?",
                                "ii", after, limit > INT64_MAX ? INT64_MAX : (int64_t)limit),
                       arena, out, count);
}

int journal_of(struct reader *r, struct arena *arena, int64_t node, struct event **out,
               size_t *count, struct error *e)
{
    return read_events(
        db_query(reader_db(r), e, EVENT_COLUMNS "WHERE subject = ? ORDER BY seq", "i", node), arena,
        out, count);
}

#define PAGE_EVENTS 16

int journal_walk_back(struct db *db, struct arena *arena, int64_t node, int64_t least,
                      int (*each)(void *arg, const struct event *event, struct error *e), void *arg,
                      struct error *e)
{
    AUTO_ARENA own = ARENA_INIT;
    int64_t before = INT64_MAX;
    size_t count = PAGE_EVENTS;
    int ended = 0;
    while (ended == 0 && count == PAGE_EVENTS) {
        struct event *events;
        arena_clear(&own);
        struct query rows = db_query(db, e,
                                     EVENT_COLUMNS "WHERE subject = ? AND seq < ? AND seq >= ?"
                                                   " ORDER BY seq DESC LIMIT ?",
                                     "iiii", node, before, least, (int64_t)PAGE_EVENTS);
        ended = read_events(rows, arena ? arena : &own, &events, &count);
        for (size_t i = 0; i < count && ended == 0; i++)
            ended = each(arg, &events[i], e);
        before = count ? events[count - 1].seq : 0;
    }
    return ended;
}

int journal_changed(struct reader *r, int64_t after, int (*each)(void *arg, int64_t node),
                    void *arg, struct error *e)
{
    struct query rows = db_query(
        reader_db(r), e, "SELECT subject FROM event WHERE seq > ? ORDER BY seq", "i", after);
    while (db_next(&rows)) {
        int64_t node = sqlite3_column_int64(rows.stmt, 0);
        if (node > 0 && each(arg, node))
            break;
    }
    return db_end(&rows);
}

int64_t journal_count_of(struct reader *r, int64_t node, int64_t after, int64_t most,
                         struct error *e)
{
    int64_t count;
    if (db_int(reader_db(r), &count, 0, e,
               "SELECT count(*) FROM (SELECT 1 FROM event WHERE subject = ? AND seq > ? LIMIT ?)",
               "iii", node, after, most))
        return -1;
    return count;
}

int journal_has_before(struct reader *r, int64_t node, int64_t seq, struct error *e)
{
    int64_t found;
    if (db_int(reader_db(r), &found, 0, e,
               "SELECT EXISTS (SELECT 1 FROM event WHERE subject = ? AND seq <= ?)", "ii", node,
               seq))
        return -1;
    return found != 0;
}

int journal_actors(struct reader *r, struct arena *arena, int64_t *after, int64_t most,
                   const char ***out, size_t *count, struct error *e)
{
    int64_t last = journal_last(r, e), end = last - *after > most ? *after + most : last;
    if (last < 0 ||
        column_texts(arena,
                     db_query(reader_db(r), e,
                              "SELECT DISTINCT actor FROM event WHERE seq > ? AND seq <= ?", "ii",
                              *after, end),
                     out, count))
        return -1;
    *after = end > *after ? end : *after;
    return end < last;
}

/* ---- filtered ---- */

/*
 * All statements have the same parameters. A plain comparison (without OR … IS NULL) lets SQLite
 * use an index.
 */
#define MATCHING                                                                                   \
    "WHERE seq > ?1 AND seq <= ?11 AND at BETWEEN ?2 AND ?3 AND (?4 IS NULL OR actor = ?4"         \
    " OR (?12 IS NOT NULL AND actor = '" AGENT_UNNAMED "' AND instr(canonical, ?12) > 0))"         \
    " AND (?5 IS NULL OR operation = ?5) AND (?6 IS NULL OR session = ?6)"                         \
    " AND (?7 = 0 OR ?7 >> (SELECT kind FROM memory m WHERE m.id = subject) & 1)"
#define OF_SUBJECT     " AND subject = ?8 AND (?9 IS NULL OR correlation = ?9)"
#define OF_CORRELATION " AND correlation = ?9 AND ?8 IS NULL"
#define OF_ANY         " AND ?8 IS NULL AND ?9 IS NULL"
#define OLDEST_FIRST   " ORDER BY seq LIMIT ?10"
#define NEWEST_FIRST   " ORDER BY seq DESC LIMIT ?10"

/* The member of a canonical text that makes the label `?NAME` of an unnamed agent; nothing for other names. */
static void add_claim(struct strbuf *out, const char *label)
{
    if (!label || label[0] != '?' || !label[1])
        return;
    strbuf_addstr(out, "\"claimed\":");
    json_add_ascii(out, label + 1);
}

int journal_select(struct reader *r, struct arena *arena, const struct event_filter *f,
                   int64_t after, size_t limit, struct event **out, size_t *count, struct error *e)
{
    AUTO_STRBUF claim = STRBUF_INIT;
    static const char *const sql[2][3] = {{EVENT_COLUMNS MATCHING OF_ANY OLDEST_FIRST,
                                           EVENT_COLUMNS MATCHING OF_CORRELATION OLDEST_FIRST,
                                           EVENT_COLUMNS MATCHING OF_SUBJECT OLDEST_FIRST},
                                          {EVENT_COLUMNS MATCHING OF_ANY NEWEST_FIRST,
                                           EVENT_COLUMNS MATCHING OF_CORRELATION NEWEST_FIRST,
                                           EVENT_COLUMNS MATCHING OF_SUBJECT NEWEST_FIRST}};
    add_claim(&claim, f->actor);
    return read_events(db_query(reader_db(r), e,
                                sql[f->newest_first][f->subject ? 2 : f->correlation != NULL],
                                "iiissrirsiis", after, f->since, f->until, f->actor, f->operation,
                                f->session, (int64_t)f->kinds, f->subject, f->correlation,
                                limit > INT64_MAX ? INT64_MAX : (int64_t)limit, f->last,
                                claim.len ? claim.buf : NULL),
                       arena, out, count);
}

int64_t journal_count(struct reader *r, const struct event_filter *f, int64_t after,
                      struct error *e)
{
    AUTO_STRBUF claim = STRBUF_INIT;
    int64_t count = -1;
    add_claim(&claim, f->actor);
    struct query found =
        db_query(reader_db(r), e,
                 f->subject       ? "SELECT count(*), ?10 FROM event " MATCHING OF_SUBJECT
                 : f->correlation ? "SELECT count(*), ?10 FROM event " MATCHING OF_CORRELATION
                                  : "SELECT count(*), ?10 FROM event " MATCHING OF_ANY,
                 "iiissrirsiis", after, f->since, f->until, f->actor, f->operation, f->session,
                 (int64_t)f->kinds, f->subject, f->correlation, (int64_t)0, f->last,
                 claim.len ? claim.buf : NULL);
    if (db_next(&found))
        count = sqlite3_column_int64(found.stmt, 0);
    return db_end(&found) ? -1 : count;
}

int64_t journal_time(struct reader *r, int64_t seq, struct error *e)
{
    int64_t at;
    if (db_int(reader_db(r), &at, 0, e, "SELECT at FROM event WHERE seq = ?", "i", seq))
        return -1;
    return at > 0 ? at : 0;
}

int64_t journal_first_at(struct reader *r, int64_t at, struct error *e)
{
    int64_t low = 1, high = journal_last(r, e) + 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2, then = journal_time(r, middle, e);
        if (then < 0)
            return -1;
        if (then < at)
            low = middle + 1;
        else
            high = middle;
    }
    return high ? low : -1;
}

int64_t journal_count_correlation(struct reader *r, const char *correlation, struct error *e)
{
    int64_t count;
    if (db_int(reader_db(r), &count, 0, e, "SELECT count(*) FROM event WHERE correlation = ?", "s",
               correlation))
        return -1;
    return count;
}

int64_t journal_last(struct reader *r, struct error *e)
{
    int64_t seq;
    if (db_int(reader_db(r), &seq, 0, e, "SELECT max(seq) FROM event", ""))
        return -1;
    return seq;
}
