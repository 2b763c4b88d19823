#include "fsck.h"

#include "../model/strbuf.h"
#include "canonical.h"
#include "same.h"

/* An event as it is looked at. Blobs and texts belong to the statement. */
struct link_of_chain {
    sqlite3_stmt *stmt;
    int64_t seq, subject;
    const char *text; /* canonical */
    size_t len;
    struct canonical c;
    bool readable; /* `c` is filled */
    struct digest stored, computed;
    bool has_hash;
};

/* What is known of the chain so far. */
struct walk {
    int64_t seq;
    struct digest stored, computed; /* the last event's hash, and what its text gives */
    bool sound;                     /* both are the same */
    bool keyed;                     /* an event with an HMAC has come */
};

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
    HMAC
};

static bool take_digest(struct digest *out, sqlite3_stmt *stmt, int column)
{
    if (sqlite3_column_bytes(stmt, column) != DIGEST_SIZE)
        return false;
    memcpy(out->bytes, sqlite3_column_blob(stmt, column), DIGEST_SIZE);
    return true;
}

static bool same_digest(const struct digest *a, const struct digest *b)
{
    return memcmp(a->bytes, b->bytes, DIGEST_SIZE) == 0;
}

static struct ref ref_of(const struct link_of_chain *l)
{
    struct ref ref = {KIND_RAW, NULL};
    if (!l->readable || !l->c.ref || ref_parse(l->c.ref, &ref) != REF_MEMORY)
        ref.id = NULL;
    return ref;
}

static void read_link(struct fsck *f, sqlite3_stmt *stmt, struct link_of_chain *l)
{
    arena_clear(&f->arena);
    l->stmt = stmt;
    l->seq = sqlite3_column_int64(stmt, SEQ);
    l->subject = sqlite3_column_int64(stmt, SUBJECT);
    l->text = (const char *)sqlite3_column_text(stmt, CANONICAL);
    l->len = (size_t)sqlite3_column_bytes(stmt, CANONICAL);
    l->readable = canonical_read(&l->c, &f->arena, l->text, l->len) == 0;
    l->has_hash = take_digest(&l->stored, stmt, HASH);
}

/*
 * Does it follow? Where its text and the hash before it do not give its hash, the text may have been
 * altered, or either hash; the next event tells which: it was made with the true one. NULL: sound.
 */
static const char *check_hash(const struct walk *w, struct link_of_chain *l, bool first)
{
    digest_chain(&l->computed, first ? NULL : &w->stored, l->text, l->len);
    if (!l->has_hash)
        return "its hash is not one";
    if (same_digest(&l->computed, &l->stored))
        return NULL;
    if (!first && !w->sound) {
        struct digest other;
        digest_chain(&other, &w->computed, l->text, l->len);
        if (same_digest(&other, &l->stored)) {
            l->computed = other; /* the hash column before it was altered, not this event */
            return NULL;
        }
    }
    return "its text and its hash do not fit";
}

/* The salt and the patch against what the text commits to. Both are gone once it is purged. */
static const char *check_patch(const struct link_of_chain *l)
{
    struct digest d;
    char hex[2 * DIGEST_SIZE + 1];
    bool no_salt = sqlite3_column_type(l->stmt, SALT) == SQLITE_NULL;
    if (no_salt && sqlite3_column_type(l->stmt, PATCH) == SQLITE_NULL &&
        sqlite3_column_int64(l->stmt, HMAC + 1) == STATUS_PURGED)
        return NULL;
    if (sqlite3_column_bytes(l->stmt, SALT) != SALT_SIZE)
        return "its salt is not one";
    if (sqlite3_column_type(l->stmt, PATCH) != SQLITE_NULL &&
        sqlite3_column_bytes(l->stmt, PATCH) == 0)
        return "its patch was emptied";
    digest_commit(&d, sqlite3_column_blob(l->stmt, SALT), sqlite3_column_text(l->stmt, PATCH),
                  (size_t)sqlite3_column_bytes(l->stmt, PATCH));
    digest_hex(hex, &d);
    return same_text(hex, l->c.patch) ? NULL : "its salt or its patch was altered";
}

/* The columns that repeat the text. */
static const char *check_columns(const struct link_of_chain *l)
{
    const struct canonical *c = &l->c;
    if (!l->readable)
        return "its text cannot be read";
    if (!fsck_row_is(l->stmt, "iirss", c->seq, c->at, c->session, c->actor, c->operation))
        return "a column does not say what its text says";
    const char *correlation = (const char *)sqlite3_column_text(l->stmt, CORRELATION);
    if (!same_text(correlation, c->correlation))
        return "its correlation does not say what its text says";
    if (!c->ref != (sqlite3_column_type(l->stmt, SUBJECT) == SQLITE_NULL))
        return "its subject does not say what its text says";
    return check_patch(l);
}

/* Once there are HMACs there is one on each event; without the key none can be checked. */
static const char *check_hmac(struct fsck *f, struct walk *w, const struct link_of_chain *l)
{
    const struct store *s = reader_store(f->reader);
    bool has = sqlite3_column_type(l->stmt, HMAC) != SQLITE_NULL;
    struct digest stored, expected;
    if (!has)
        return s->key && w->keyed ? "its signature (HMAC) is gone" : NULL;
    w->keyed = true;
    f->summary->hmacs++;
    if (!s->key)
        return sqlite3_column_bytes(l->stmt, HMAC) == DIGEST_SIZE
                   ? NULL
                   : "its signature (HMAC) is not one";
    digest_hmac(&expected, s->key, s->key_len, &l->stored);
    return take_digest(&stored, l->stmt, HMAC) && same_digest(&stored, &expected)
               ? NULL
               : "its signature (HMAC) is not of this key";
}

/* Does its subject's row hold another memory, and the memory it speaks of stand elsewhere? */
static int check_subject(struct fsck *f, const struct link_of_chain *l, const char **why,
                         struct error *e)
{
    struct ref ref = ref_of(l);
    if (!ref.id)
        return 0;
    int64_t row; /* of any number: an altered one may be below 0 */
    if (db_int(f->db, &row, 0, e, "SELECT id FROM memory WHERE kind = ? AND name = ?", "is",
               (int64_t)ref.kind, ref.id))
        return -1;
    if (row && row != l->subject)
        *why = "its subject is another memory than its text says";
    return 0;
}

/* "event 5 on belief:x …": as far as its text can be read. */
static void report_event(struct fsck *f, enum fsck_fault fault, const struct link_of_chain *l,
                         const char *how)
{
    struct ref ref = ref_of(l);
    if (ref.id)
        fsck_report(f, fault, l->seq, ref, NULL, "event %lld on %s:%s %s", (long long)l->seq,
                    kind_name(ref.kind), ref.id, how);
    else
        fsck_report(f, fault, l->seq, ref, NULL, "event %lld %s", (long long)l->seq, how);
}

static void report_altered(struct fsck *f, const struct link_of_chain *l, const char *why)
{
    struct strbuf how = STRBUF_INIT;
    strbuf_addf(&how, "was altered: %s", why);
    report_event(f, FSCK_EVENT_ALTERED, l, how.buf);
    strbuf_release(&how);
}

static void check_order(struct fsck *f, struct walk *w, const struct link_of_chain *l)
{
    static const struct ref unknown = {KIND_RAW, NULL};
    if (l->seq < 1)
        fsck_report(f, FSCK_CHAIN_BROKEN, l->seq, ref_of(l),
                    "Compare it with a backup: it records nothing that was done here.",
                    "event %lld stands before the first: it was put in", (long long)l->seq);
    else if (l->seq == w->seq + 2)
        fsck_report(f, FSCK_CHAIN_BROKEN, w->seq + 1, unknown, NULL, "event %lld is missing",
                    (long long)w->seq + 1);
    else
        fsck_report(f, FSCK_CHAIN_BROKEN, w->seq + 1, unknown, NULL,
                    "events %lld to %lld are missing", (long long)w->seq + 1,
                    (long long)l->seq - 1);
}

static void check_head(struct fsck *f, const struct head *head, const struct link_of_chain *l)
{
    if (head && l->seq == head->count && !same_digest(&head->hash, &l->stored) &&
        !same_digest(&head->hash, &l->computed))
        fsck_report(f, FSCK_TAIL_CUT, l->seq, ref_of(l), "Compare what follows with a backup.",
                    "the head file has another hash for event %lld: the journal was cut and "
                    "written anew",
                    (long long)l->seq);
}

static int check_event(struct fsck *f, struct walk *w, struct link_of_chain *l,
                       const struct head *head, struct error *e)
{
    bool in_order = l->seq == w->seq + 1;
    const char *hash = NULL;
    if (in_order) {
        hash = check_hash(w, l, l->seq == 1);
    } else {
        check_order(f, w, l);
        l->computed = l->stored; /* nothing to follow */
    }
    if (hash && !w->sound && l->has_hash && l->seq > 1) {
        fsck_report(f, FSCK_CHAIN_BROKEN, l->seq, ref_of(l), "Compare both with a backup.",
                    "event %lld does not follow event %lld", (long long)l->seq, (long long)w->seq);
        hash = NULL;
    }
    const char *why = hash ? hash : check_columns(l);
    const char *unsigned_why = check_hmac(f, w, l);
    if (!why)
        why = unsigned_why;
    if (!why && check_subject(f, l, &why, e))
        return -1;
    if (why)
        report_altered(f, l, why);
    check_head(f, head, l);
    return 0;
}

static bool is_import(const struct link_of_chain *l)
{
    static const char channel[] = "import ";
    return l->readable && strcmp(l->c.operation, "import") == 0 && l->c.origin &&
           strncmp(l->c.origin, channel, sizeof(channel) - 1) == 0;
}

/* The last event on each memory; one whose memory has no row is told here where it is beyond all. */
static void note_last(struct fsck *f, const struct link_of_chain *l)
{
    if (!f->last)
        return;
    if (l->subject >= 1 && l->subject <= f->last_node) {
        f->last[l->subject] = l->seq;
        if (is_import(l))
            f->imported[l->subject] = l->seq;
    } else if (l->subject > f->last_node) {
        struct ref ref = ref_of(l);
        fsck_report(f, FSCK_ROW_UNRECORDED, l->seq, ref, "Restore it from a backup.",
                    "%s%s%s is gone, and event %lld is about it",
                    ref.id ? kind_name(ref.kind) : "a memory", ref.id ? ":" : "",
                    ref.id ? ref.id : "", (long long)l->seq);
    }
}

int fsck_chain(struct fsck *f, const struct head *head, struct error *e)
{
    struct walk w = {.sound = true};
    struct link_of_chain l = {0};
    sqlite3_stmt *stmt =
        db_prepare(f->db,
                   "SELECT seq, at, session, actor, operation, subject, correlation, canonical,"
                   " salt, patch, hash, hmac, (SELECT status FROM memory m WHERE m.id = subject)"
                   " FROM event ORDER BY seq",
                   e);
    int more = stmt ? db_step(f->db, stmt, e) : -1;
    for (; more > 0; more = db_step(f->db, stmt, e)) {
        read_link(f, stmt, &l);
        if (fsck_step(f, e) || check_event(f, &w, &l, head, e)) {
            sqlite3_reset(stmt);
            return -1;
        }
        note_last(f, &l);
        w.seq = l.seq;
        w.stored = l.stored;
        w.computed = l.computed;
        w.sound = l.has_hash && same_digest(&l.stored, &l.computed);
    }
    f->last_seq = w.seq;
    if (more == 0 && head && head->count > w.seq)
        fsck_report(f, FSCK_TAIL_CUT, w.seq + 1, (struct ref){KIND_RAW, NULL}, NULL,
                    "the head file knows of %lld events and the journal has %lld: its tail was cut",
                    (long long)head->count, (long long)w.seq);
    return more;
}
