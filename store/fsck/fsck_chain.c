/* The passes over the hash chains: the journal and the call log. Also the pass over sessions. */
#include "model/base/alloc.h"
#include "model/base/latency.h"
#include "model/base/strbuf.h"
#include "store/db/db.h"
#include "store/fsck/fsck_internal.h"
#include "store/journal/call_chain.h"
#include "store/journal/canonical.h"
#include "store/journal/journal.h"

static const struct ref no_ref = {KIND_RAW, NULL};

/* The hashes of a link. */
struct link_hash {
    struct digest stored, computed; /* `computed` is set by fsck_check_hash */
    bool has_hash;                  /* `stored` is valid */
};

/* A link of a chain: an event or a call. Blobs and texts belong to the statement. */
struct link {
    sqlite3_stmt *stmt;
    int64_t number, subject;
    const char *text; /* canonical text */
    size_t len;
    struct canonical c;         /* for an event */
    struct canonical_call call; /* for a row of the call log */
    bool readable;              /* one of them is filled */
    struct link_hash hash;
};

/* State of a walk along a chain. */
struct chain_walk {
    int64_t number; /* of the last link */
    struct link_hash last;
    bool sound;            /* the last link's text fits its hash */
    int64_t hmacs;         /* links with an HMAC */
    struct row_set undone; /* events that another one takes back; the caller releases it */
};

/* The journal or the call log. */
struct chain {
    const char *sql;
    int text, hash, hmac; /* column numbers */
    enum fsck_fault broken, cut;
    const char *one, *many, *of, *log, *there, *done; /* words for findings */
    int (*read)(struct link *l, struct arena *arena);
    /* Sets *why to what does not fit between columns and text. */
    int (*check)(struct fsck *f, const struct link *l, const char **why, struct error *e);
    /* Reports `why`; if it is NULL, checks what the link says about others. */
    int (*judge)(struct fsck *f, struct chain_walk *w, const struct link *l, const char *why,
                 struct error *e);
};

static bool fsck_take_digest(struct digest *out, sqlite3_stmt *stmt, int column)
{
    if (sqlite3_column_bytes(stmt, column) != DIGEST_SIZE)
        return false;
    memcpy(out->bytes, sqlite3_column_blob(stmt, column), DIGEST_SIZE);
    return true;
}

/*
 * Checks that text and previous hash give this hash. If not, the text, this hash or the previous
 * hash was altered. The next link tells which, because it was made with the true hash. Returns NULL
 * if sound.
 */
static const char *fsck_check_hash(const struct chain_walk *w, struct link_hash *l,
                                   const void *text, size_t len)
{
    bool first = w->number == 0;
    digest_chain(&l->computed, first ? NULL : &w->last.stored, text, len);
    if (!l->has_hash)
        return "its hash is not valid";
    if (digest_equal(&l->computed, &l->stored))
        return NULL;
    if (!first && !w->sound) {
        struct digest other;
        digest_chain(&other, &w->last.computed, text, len);
        if (digest_equal(&other, &l->stored)) {
            l->computed = other; /* the previous hash column was altered, not this one */
            return NULL;
        }
    }
    return "its text and its hash do not fit";
}

/* Once links have HMACs, all later ones must. Without the key they cannot be checked. Returns NULL
 * if sound. */
static const char *fsck_check_hmac(struct fsck *f, struct chain_walk *w, const struct link_hash *l,
                                   sqlite3_stmt *stmt, int column)
{
    const struct store *s = reader_store(f->reader);
    bool has = sqlite3_column_type(stmt, column) != SQLITE_NULL;
    struct digest stored, expected;
    if (!has)
        return s->key && w->hmacs ? "its signature (HMAC) is missing" : NULL;
    w->hmacs++;
    if (!s->key)
        return sqlite3_column_bytes(stmt, column) == DIGEST_SIZE
                   ? NULL
                   : "its signature (HMAC) is not valid";
    digest_hmac(&expected, s->key, s->key_len, &l->stored);
    return fsck_take_digest(&stored, stmt, column) && digest_equal(&stored, &expected)
               ? NULL
               : "its signature (HMAC) is not of this key";
}

static struct ref ref_of(const struct link *l)
{
    struct ref ref = {KIND_RAW, NULL};
    if (!l->readable || !l->c.ref || ref_parse(l->c.ref, &ref) != REF_MEMORY)
        ref.id = NULL;
    return ref;
}

static void report_gap(struct fsck *f, const struct chain *c, int64_t last, const struct link *l)
{
    AUTO_STRBUF hint = STRBUF_INIT;
    strbuf_addf(&hint, "Compare it with a backup: it records nothing that was %s here.", c->done);
    if (l->number < 1)
        fsck_report(f, c->broken, l->number, ref_of(l), hint.buf,
                    "%s %lld%s precedes the first: it was inserted", c->one, (long long)l->number,
                    c->of);
    else if (l->number == last + 2)
        fsck_report(f, c->broken, last + 1, no_ref, NULL, "%s %lld%s is missing", c->one,
                    (long long)last + 1, c->of);
    else
        fsck_report(f, c->broken, last + 1, no_ref, NULL, "%s %lld to %lld%s are missing", c->many,
                    (long long)last + 1, (long long)l->number - 1, c->of);
}

static int check_link(struct fsck *f, const struct chain *c, struct chain_walk *w, struct link *l,
                      const struct chain_end *head, struct error *e)
{
    const char *why = NULL;
    if (l->number == w->number + 1) {
        why = fsck_check_hash(w, &l->hash, l->text, l->len);
    } else {
        report_gap(f, c, w->number, l);
        l->hash.computed = l->hash.stored; /* do not report the next link as well */
    }
    if (why && !w->sound && l->hash.has_hash && l->number > 1) {
        fsck_report(f, c->broken, l->number, ref_of(l), "Compare both with a backup.",
                    "%s %lld%s does not follow %s %lld", c->one, (long long)l->number, c->of,
                    c->one, (long long)w->number);
        why = NULL;
    }
    if (!why && c->check(f, l, &why, e))
        return -1;
    const char *unsigned_why = fsck_check_hmac(f, w, &l->hash, l->stmt, c->hmac);
    if (c->judge(f, w, l, why ? why : unsigned_why, e))
        return -1;
    if (head && l->number == head->count && !digest_equal(&head->hash, &l->hash.stored) &&
        !digest_equal(&head->hash, &l->hash.computed))
        fsck_report(f, c->cut, l->number, ref_of(l), fsck_accept(f),
                    "the head file has another hash for %s %lld%s: %s was cut and written anew",
                    c->one, (long long)l->number, c->of, c->log);
    return 0;
}

/* Walks the whole chain and compares its end with `head`, which may be NULL. */
static int walk(struct fsck *f, const struct chain *c, struct chain_walk *w,
                const struct chain_end *head, struct error *e)
{
    struct link l = {0};
    struct query rows = db_query(f->db, e, c->sql, "");
    while (db_next(&rows)) {
        arena_clear(&f->arena);
        l.stmt = rows.stmt;
        l.number = sqlite3_column_int64(l.stmt, 0);
        l.text = (const char *)sqlite3_column_text(l.stmt, c->text);
        l.len = (size_t)sqlite3_column_bytes(l.stmt, c->text);
        l.readable = c->read(&l, &f->arena) == 0;
        l.hash.has_hash = fsck_take_digest(&l.hash.stored, l.stmt, c->hash);
        if (fsck_step(f, e) || check_link(f, c, w, &l, head, e))
            return db_fail(&rows);
        w->number = l.number;
        w->last = l.hash;
        w->sound = l.hash.has_hash && digest_equal(&l.hash.stored, &l.hash.computed);
    }
    if (rows.more == 0 && head && head->count > w->number)
        fsck_report(f, c->cut, w->number + 1, no_ref, fsck_accept(f),
                    "the head file knows of %lld %s%s and %s %lld: its tail was cut",
                    (long long)head->count, c->many, c->of, c->there, (long long)w->number);
    return db_end(&rows);
}

/* ---- the journal ---- */

enum column {
    SEQ,
    AT,
    SESSION,
    ACTOR,
    OPERATION,
    SUBJECT,
    CORRELATION,
    CANONICAL,
    SALT,
    PATCH,
    HASH,
    HMAC,
    PERSON,
    UNDOES
};

static int read_event(struct link *l, struct arena *arena)
{
    l->subject = sqlite3_column_int64(l->stmt, SUBJECT);
    return canonical_read(&l->c, arena, l->text, l->len);
}

/* Returns true if a later event erased the patch. */
static bool is_erased(const struct fsck *f, const struct link *l)
{
    return f->purged && l->subject >= 1 && l->subject <= f->last_node &&
           l->number < f->purged[l->subject] && sqlite3_column_type(l->stmt, SALT) == SQLITE_NULL &&
           sqlite3_column_type(l->stmt, PATCH) == SQLITE_NULL;
}

/* Compares salt and patch with the hash in the text. A purge removes both. */
static const char *check_patch(const struct fsck *f, const struct link *l)
{
    struct digest d;
    char hex[2 * DIGEST_SIZE + 1];
    if (is_erased(f, l))
        return NULL;
    if (sqlite3_column_bytes(l->stmt, SALT) != SALT_SIZE)
        return "its salt is not valid";
    if (sqlite3_column_type(l->stmt, PATCH) != SQLITE_NULL &&
        sqlite3_column_bytes(l->stmt, PATCH) == 0)
        return "its patch was emptied";
    digest_commit(&d, sqlite3_column_blob(l->stmt, SALT), sqlite3_column_text(l->stmt, PATCH),
                  (size_t)sqlite3_column_bytes(l->stmt, PATCH));
    digest_hex(hex, &d);
    return same_text(hex, l->c.patch) ? NULL : "its salt or its patch was altered";
}

/* Compares the columns with the text that they repeat. */
static const char *compare_columns(const struct fsck *f, const struct link *l)
{
    const struct canonical *c = &l->c;
    if (!l->readable)
        return "its text cannot be read";
    if (!fsck_row_is(l->stmt, "iirss", c->seq, c->at, c->session, c->actor, c->operation))
        return "a column differs from its text";
    const char *correlation = (const char *)sqlite3_column_text(l->stmt, CORRELATION);
    if (!same_text(correlation, c->correlation))
        return "its correlation differs from its text";
    if (sqlite3_column_int64(l->stmt, UNDOES) != c->undoes ||
        (!c->undoes && sqlite3_column_type(l->stmt, UNDOES) != SQLITE_NULL))
        return "the event it undoes differs from its text";
    bool by_hand = sqlite3_column_int64(l->stmt, PERSON) == 1;
    if (by_hand != journal_is_by_hand(c->class_name, c->origin) ||
        (!by_hand && sqlite3_column_type(l->stmt, PERSON) != SQLITE_NULL))
        return "whether a person did it differs from its text";
    if (!c->ref != (sqlite3_column_type(l->stmt, SUBJECT) == SQLITE_NULL))
        return "its subject differs from its text";
    return check_patch(f, l);
}

/* Checks that the subject's row is the memory that the text names. Events mostly come in the order
 * of rows, so the row is looked up first. */
static int check_subject(struct fsck *f, const struct link *l, const char **why, struct error *e)
{
    struct ref ref = ref_of(l);
    if (!ref.id)
        return 0;
    int64_t row; /* any number: an altered one may be negative */
    if (db_int(f->db, &row, 0, e, "SELECT id FROM memory WHERE id = ? AND kind = ? AND name = ?",
               "iis", l->subject, (int64_t)ref.kind, ref.id) ||
        (!row && db_int(f->db, &row, 0, e, "SELECT id FROM memory WHERE kind = ? AND name = ?",
                        "is", (int64_t)ref.kind, ref.id)))
        return -1;
    if (row && row != l->subject)
        *why = "its subject is not the memory that its text names";
    return 0;
}

/* "event 5 on belief:x …", with the ref if the text can be read. */
static void report_event(struct fsck *f, const struct link *l, const char *how, const char *why)
{
    struct ref ref = ref_of(l);
    fsck_report(f, FSCK_EVENT_ALTERED, l->number, ref, NULL, "event %lld%s%s%s%s %s%s",
                (long long)l->number, ref.id ? " on " : "", ref.id ? kind_name(ref.kind) : "",
                ref.id ? ":" : "", ref.id ? ref.id : "", how, why);
}

/* An event may take back only an earlier event on the same memory that no other event takes back.
 * To take it back again, an event names the undo. */
static int check_undoes(struct fsck *f, struct chain_walk *w, const struct link *l,
                        const char **why, struct error *e)
{
    int64_t undoes = l->readable ? l->c.undoes : 0, subject;
    if (!undoes)
        return 0;
    if (undoes < 1 || undoes >= l->number) {
        *why = "undoes an event that is not before it";
        return 0;
    }
    bool is_near =
        undoes <= 2 * f->summary->events + 1024; /* larger numbers are damage and not in the set */
    if (is_near && row_set_has(&w->undone, undoes))
        *why = "undoes an event that another one undid";
    else if (is_near)
        row_set_add(&w->undone, undoes);
    if (db_int(f->db, &subject, 0, e, "SELECT subject FROM event WHERE seq = ?", "i", undoes))
        return -1;
    if (subject && subject != l->subject) /* a missing event is reported by the chain */
        *why = "undoes an event on another memory";
    return 0;
}

static bool is_import(const struct link *l)
{
    static const char channel[] = "import ";
    return l->readable && strcmp(l->c.operation, "import") == 0 && l->c.origin &&
           strncmp(l->c.origin, channel, sizeof(channel) - 1) == 0;
}

/* Records the last event on each memory. Reports here an event whose row is greater than all rows;
 * fsck_rows finds the others. */
static void note_last(struct fsck *f, const struct link *l)
{
    if (!f->last)
        return;
    if (l->subject >= 1 && l->subject <= f->last_node) {
        f->last[l->subject] = l->number;
        if (is_import(l))
            f->imported[l->subject] = l->number;
    } else if (l->subject > f->last_node) {
        struct ref ref = ref_of(l);
        fsck_report(f, FSCK_ROW_UNRECORDED, l->number, ref, "Restore it from a backup.",
                    "%s%s%s is missing, and event %lld is about it",
                    ref.id ? kind_name(ref.kind) : "a memory", ref.id ? ":" : "",
                    ref.id ? ref.id : "", (long long)l->number);
    }
}

static int check_event(struct fsck *f, const struct link *l, const char **why, struct error *e)
{
    (void)e;
    *why = compare_columns(f, l);
    return 0;
}

static int judge_event(struct fsck *f, struct chain_walk *w, const struct link *l, const char *why,
                       struct error *e)
{
    if (!why && check_subject(f, l, &why, e))
        return -1;
    if (why)
        report_event(f, l, "was altered: ", why);
    else if (check_undoes(f, w, l, &why, e))
        return -1;
    else if (why)
        report_event(f, l, "", why);
    note_last(f, l);
    return 0;
}

static const struct chain journal = {
    .sql = "SELECT seq, at, session, actor, operation, subject, correlation, canonical,"
           " salt, patch, hash, hmac, person, undoes FROM event ORDER BY seq",
    .text = CANONICAL,
    .hash = HASH,
    .hmac = HMAC,
    .broken = FSCK_CHAIN_BROKEN,
    .cut = FSCK_TAIL_CUT,
    .one = "event",
    .many = "events",
    .of = "",
    .log = "the journal",
    .there = "the journal has",
    .done = "done",
    .read = read_event,
    .check = check_event,
    .judge = judge_event,
};

/* Finds up to which event the contents of each memory were erased. A purge erases all before it; a
 * sweep says how far it goes. Only a person purges; entries are erased by expiry. */
static int find_purged(struct fsck *f, struct error *e)
{
    sqlite3_stmt *stmt =
        db_prepare(f->db,
                   "SELECT subject, max(CASE WHEN operation <> 'sweep' THEN seq WHEN"
                   " json_valid(canonical) THEN 1 + json_extract(canonical,"
                   " '$.erases') END) FROM event WHERE subject > 0 AND ((person"
                   " AND operation = 'purge') OR (operation IN ('expire', 'evict',"
                   " 'sweep') AND subject IN (SELECT id FROM memory WHERE"
                   " kind = 14))) GROUP BY subject",
                   e);
    int more = stmt ? db_step(f->db, stmt, e) : -1;
    for (; more > 0 && f->last; more = db_step(f->db, stmt, e)) {
        int64_t subject = sqlite3_column_int64(stmt, 0);
        if (!f->purged)
            f->purged = xcalloc((size_t)f->last_node + 1, sizeof(*f->purged));
        if (subject <= f->last_node)
            f->purged[subject] = sqlite3_column_int64(stmt, 1);
    }
    if (stmt)
        sqlite3_reset(stmt);
    return more < 0 ? -1 : 0;
}

int fsck_chain(struct fsck *f, struct error *e)
{
    struct chain_walk w = {.sound = true};
    if (find_purged(f, e))
        return -1;
    int result = walk(f, &journal, &w, f->head ? &f->head->events : NULL, e);
    row_set_release(&w.undone);
    f->summary->hmacs += w.hmacs;
    f->last_seq = w.number;
    return result;
}

/*
 * The call log is checked like the journal: numbers from 1 without gaps, each hash covers the one
 * before, and the head file knows the end. A tail cut since the head was last written is not
 * noticed. Rewriting the whole chain and the head is noticed only with HMACs.
 */

enum call_column {
    CALL_ABOUT = 5,
    CALL_TIMES,
    CALL_CANONICAL,
    CALL_HASH,
    CALL_HMAC,
    CALL_GUARD
};

static int read_call(struct link *l, struct arena *arena)
{
    return canonical_call_read(&l->call, arena, l->text, l->len);
}

/* Returns true if the column's digest is the one in the text. */
static bool is_covered(const struct link *l, enum call_column column, const char *digest)
{
    struct digest d;
    char hex[2 * DIGEST_SIZE + 1];
    const char *text = (const char *)sqlite3_column_text(l->stmt, column);
    digest_bytes(&d, text ? text : "", (size_t)sqlite3_column_bytes(l->stmt, column));
    digest_hex(hex, &d);
    return same_text(hex, digest);
}

/*
 * Checks namespace, trace and masking of a call. The column is NULL if there is nothing to record.
 */
static const char *check_guard(struct fsck *f, const struct link *l)
{
    struct call_guard g;
    const char *text = (const char *)sqlite3_column_text(l->stmt, CALL_GUARD);
    if (!text && !l->call.guard && sqlite3_column_type(l->stmt, CALL_GUARD) == SQLITE_NULL)
        return NULL;
    if (!text || !l->call.guard || !is_covered(l, CALL_GUARD, l->call.guard))
        return "its namespace or masking was altered";
    if (canonical_guard_read(&g, &f->arena, text,
                             (size_t)sqlite3_column_bytes(l->stmt, CALL_GUARD)))
        return "its namespace and masking cannot be read";
    return NULL;
}

/* Checks the times against the digest in the text, and their summary against the columns. */
static const char *check_times(struct fsck *f, const struct link *l)
{
    int64_t *at;
    enum error_code *outcome;
    size_t count;
    const char *times = (const char *)sqlite3_column_text(l->stmt, CALL_TIMES);
    if (!is_covered(l, CALL_TIMES, l->call.times))
        return "its times were altered";
    if (call_times_read(times, &f->arena, &at, &outcome, &count) || (int64_t)count != l->call.count)
        return "its times cannot be read";
    return NULL;
}

static int64_t row_of(struct fsck *f, const char *text, struct error *e)
{
    struct ref ref;
    int64_t row = 0;
    if (!text || ref_parse(text, &ref) != REF_MEMORY)
        return 0;
    return db_int(f->db, &row, 0, e, "SELECT id FROM memory WHERE kind = ? AND name = ?", "is",
                  (int64_t)ref.kind, ref.id)
               ? -1
               : row;
}

/* Compares the columns with the text that they repeat. */
static int check_call(struct fsck *f, const struct link *l, const char **why, struct error *e)
{
    const struct canonical_call *c = &l->call;
    *why = "its text cannot be read";
    if (!l->readable)
        return 0;
    *why = "a column differs from its text";
    if (!fsck_row_is(l->stmt, "iiisi", c->id, c->session, c->at, c->tool, c->count))
        return 0;
    int64_t subject = row_of(f, c->ref, e);
    if (subject < 0)
        return -1;
    *why = "its subject differs from its text";
    if (!c->ref != (sqlite3_column_type(l->stmt, CALL_ABOUT) == SQLITE_NULL) ||
        (subject && subject != sqlite3_column_int64(l->stmt, CALL_ABOUT)))
        return 0;
    *why = check_times(f, l);
    if (!*why)
        *why = check_guard(f, l);
    return 0;
}

static bool is_about(const char *tool)
{
    return strcmp(tool, CALL_SESSION) == 0 || strcmp(tool, CALL_NAMED) == 0;
}

/* Sets *later if the client of that session changed its name afterwards. */
static int is_named_later(struct fsck *f, const struct link *l, int64_t *later, struct error *e)
{
    return db_int(f->db, later, 0, e,
                  "SELECT 1 FROM call WHERE id > ? AND session = ? AND tool = '" CALL_NAMED
                  "' LIMIT 1",
                  "ii", l->number, l->call.session);
}

/* When a session began or its client was renamed, the session's row must exist and match the last
 * such call. */
static int check_about(struct fsck *f, const struct link *l, struct error *e)
{
    char hex[2 * DIGEST_SIZE + 1];
    int64_t later = 0;
    if (!l->readable || !is_about(l->call.tool) || l->call.session < 1)
        return 0;
    int found = call_about(f->db, l->call.session, hex, e);
    bool same = found > 0 && same_text(hex, l->call.about);
    if (found < 0 || (found && !same && is_named_later(f, l, &later, e)))
        return -1;
    if (!found)
        fsck_report(f, FSCK_SESSION, l->number, no_ref, "Restore it from a backup.",
                    "session %lld is missing, and row %lld of the call log saw it begin",
                    (long long)l->call.session, (long long)l->number);
    else if (!same && !later)
        fsck_report(f, FSCK_SESSION, l->number, no_ref, NULL,
                    "session %lld was altered: it is not what it was when it %s",
                    (long long)l->call.session,
                    strcmp(l->call.tool, CALL_NAMED) == 0 ? "was named last" : "began");
    return 0;
}

static int judge_call(struct fsck *f, struct chain_walk *w, const struct link *l, const char *why,
                      struct error *e)
{
    (void)w;
    if (!why)
        return check_about(f, l, e);
    fsck_report(f, FSCK_CALL_ALTERED, l->number, no_ref, NULL,
                "row %lld of the call log was altered: %s", (long long)l->number, why);
    return 0;
}

static const struct chain calls = {
    .sql = "SELECT id, session, at, tool, count, subject, times, canonical, hash, hmac, guard"
           " FROM call ORDER BY id",
    .text = CALL_CANONICAL,
    .hash = CALL_HASH,
    .hmac = CALL_HMAC,
    .broken = FSCK_CALLS_BROKEN,
    .cut = FSCK_CALLS_CUT,
    .one = "row",
    .many = "rows",
    .of = " of the call log",
    .log = "the log",
    .there = "there are",
    .done = "asked",
    .read = read_call,
    .check = check_call,
    .judge = judge_call,
};

int fsck_calls(struct fsck *f, struct error *e)
{
    struct chain_walk w = {.sound = true};
    return walk(f, &calls, &w, f->head ? &f->head->calls : NULL, e);
}

/* Each session must have begun in the call log, and decisions about it must be in the journal. Of
 * the rows of a group, SQLite returns the one with the greatest seq. */
static const char sessions[] =
    "SELECT s.id, CASE WHEN b.session IS NULL"
    "  THEN 'was inserted: the call log did not see it begin'"
    " WHEN s.read_only < (w.operation IS 'read-only-session')"
    "  THEN 'was altered: the journal says that it may only read'"
    " WHEN s.read_only > (w.operation IS 'read-only-session')"
    "  THEN 'was altered: the journal does not say that it may only read'"
    " WHEN s.ended_by IS NOT NULL AND s.ended_at IS NULL"
    "  THEN 'was altered: who ended it is there, and not when'"
    " WHEN x.actor IS NOT NULL AND s.ended_by IS NOT x.actor"
    "  THEN 'was altered: the journal says that another ended it'"
    " WHEN x.actor IS NULL AND s.ended_by NOT IN ('client', 'server')"
    "  THEN 'was altered: the journal does not know that a person ended it' END, s.latency"
    " FROM session s"
    " LEFT JOIN (SELECT session, operation, max(seq) FROM event WHERE subject IS NULL AND"
    "  operation IN ('read-only-session', 'read-write-session') GROUP BY session) w"
    "  ON w.session = s.id"
    " LEFT JOIN (SELECT session, actor, max(seq) FROM event WHERE subject IS NULL AND"
    "  operation = 'end-session' GROUP BY session) x ON x.session = s.id"
    " LEFT JOIN (SELECT DISTINCT session FROM call WHERE tool = '" CALL_SESSION "') b"
    "  ON b.session = s.id"
    /* The calls of a session are on the machine of the team that served it; others do not know its process. */
    " WHERE s.process IS NOT NULL OR NOT EXISTS (SELECT 1 FROM team UNION ALL SELECT 1 FROM origin"
    "  WHERE kind = 'team') ORDER BY s.id";

int fsck_sessions(struct fsck *f, struct error *e)
{
    struct latency ignored;
    struct query rows = db_query(f->db, e, sessions, "");
    while (db_next(&rows)) {
        const char *why = (const char *)sqlite3_column_text(rows.stmt, 1);
        if (!why && latency_read(&ignored, (const char *)sqlite3_column_text(rows.stmt, 2)))
            why = "was altered: its latencies cannot be read";
        if (why)
            fsck_report(f, FSCK_SESSION, 0, no_ref, NULL, "session %lld %s",
                        (long long)sqlite3_column_int64(rows.stmt, 0), why);
    }
    return db_end(&rows);
}
