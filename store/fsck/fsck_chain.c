#include "model/base/alloc.h"
#include "store/fsck/fsck_link.h"

#include <stdlib.h>
#include "model/base/strbuf.h"
#include "store/journal/canonical.h"
#include "store/journal/journal_write.h"
#include "store/db/same.h"

/* An event as it is looked at. Blobs and texts belong to the statement. */
struct link_of_chain {
    sqlite3_stmt *stmt;
    int64_t seq, subject;
    const char *text; /* canonical */
    size_t len;
    struct canonical c;
    bool readable; /* `c` is filled */
    struct link_hash hash;
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
    HMAC,
    PERSON,
    UNDOES
};

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
    fsck_take_hash(&l->hash, stmt, HASH);
}

/* Was what it kept erased, by an event that came later? */
static bool is_erased(const struct fsck *f, const struct link_of_chain *l)
{
    return f->purged && l->subject >= 1 && l->subject <= f->last_node &&
           l->seq < f->purged[l->subject] && sqlite3_column_type(l->stmt, SALT) == SQLITE_NULL &&
           sqlite3_column_type(l->stmt, PATCH) == SQLITE_NULL;
}

/* The salt and the patch against what the text commits to. Both are gone once it is purged. */
static const char *check_patch(const struct fsck *f, const struct link_of_chain *l)
{
    struct digest d;
    char hex[2 * DIGEST_SIZE + 1];
    if (is_erased(f, l))
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
static const char *check_columns(const struct fsck *f, const struct link_of_chain *l)
{
    const struct canonical *c = &l->c;
    if (!l->readable)
        return "its text cannot be read";
    if (!fsck_row_is(l->stmt, "iirss", c->seq, c->at, c->session, c->actor, c->operation))
        return "a column does not say what its text says";
    const char *correlation = (const char *)sqlite3_column_text(l->stmt, CORRELATION);
    if (!same_text(correlation, c->correlation))
        return "its correlation does not say what its text says";
    if (sqlite3_column_int64(l->stmt, UNDOES) != c->undoes ||
        (!c->undoes && sqlite3_column_type(l->stmt, UNDOES) != SQLITE_NULL))
        return "what it takes back is not what its text says";
    bool by_hand = sqlite3_column_int64(l->stmt, PERSON) == 1;
    if (by_hand != journal_is_by_hand(c->class_name, c->origin) ||
        (!by_hand && sqlite3_column_type(l->stmt, PERSON) != SQLITE_NULL))
        return "whether a person did it is not what its text says";
    if (!c->ref != (sqlite3_column_type(l->stmt, SUBJECT) == SQLITE_NULL))
        return "its subject does not say what its text says";
    return check_patch(f, l);
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

static void check_order(struct fsck *f, struct chain_walk *w, const struct link_of_chain *l)
{
    static const struct ref unknown = {KIND_RAW, NULL};
    if (l->seq < 1)
        fsck_report(f, FSCK_CHAIN_BROKEN, l->seq, ref_of(l),
                    "Compare it with a backup: it records nothing that was done here.",
                    "event %lld stands before the first: it was put in", (long long)l->seq);
    else if (l->seq == w->number + 2)
        fsck_report(f, FSCK_CHAIN_BROKEN, w->number + 1, unknown, NULL, "event %lld is missing",
                    (long long)w->number + 1);
    else
        fsck_report(f, FSCK_CHAIN_BROKEN, w->number + 1, unknown, NULL,
                    "events %lld to %lld are missing", (long long)w->number + 1,
                    (long long)l->seq - 1);
}

/*
 * What takes an event back comes after it, is about the same memory, and is the only one that does:
 * what takes it back again names the undo.
 */
static int check_undoes(struct fsck *f, struct chain_walk *w, const struct link_of_chain *l,
                        const char **why, struct error *e)
{
    int64_t undoes = l->readable ? l->c.undoes : 0, subject;
    if (!undoes)
        return 0;
    if (undoes < 1 || undoes >= l->seq) {
        *why = "takes back an event that was not there yet";
        return 0;
    }
    bool is_near =
        undoes <= 2 * f->summary->events + 1024; /* of a far greater one there is no set */
    if (is_near && row_set_has(&w->undone, undoes))
        *why = "takes back an event that another one took back";
    else if (is_near)
        row_set_add(&w->undone, undoes);
    if (db_int(f->db, &subject, 0, e, "SELECT subject FROM event WHERE seq = ?", "i", undoes))
        return -1;
    if (subject && subject != l->subject) /* that one is missing is told by the chain */
        *why = "takes back an event on another memory";
    return 0;
}

static void check_head(struct fsck *f, const struct head *head, const struct link_of_chain *l)
{
    if (head && l->seq == head->events.count &&
        !fsck_same_digest(&head->events.hash, &l->hash.stored) &&
        !fsck_same_digest(&head->events.hash, &l->hash.computed))
        fsck_report(f, FSCK_TAIL_CUT, l->seq, ref_of(l), "Compare what follows with a backup.",
                    "the head file has another hash for event %lld: the journal was cut and "
                    "written anew",
                    (long long)l->seq);
}

static int check_event(struct fsck *f, struct chain_walk *w, struct link_of_chain *l,
                       const struct head *head, struct error *e)
{
    bool in_order = l->seq == w->number + 1;
    const char *hash = NULL;
    if (in_order) {
        hash = fsck_check_hash(w, &l->hash, l->text, l->len);
    } else {
        check_order(f, w, l);
        l->hash.computed = l->hash.stored; /* nothing to follow */
    }
    if (hash && !w->sound && l->hash.has_hash && l->seq > 1) {
        fsck_report(f, FSCK_CHAIN_BROKEN, l->seq, ref_of(l), "Compare both with a backup.",
                    "event %lld does not follow event %lld", (long long)l->seq,
                    (long long)w->number);
        hash = NULL;
    }
    const char *why = hash ? hash : check_columns(f, l);
    const char *unsigned_why = fsck_check_hmac(f, w, &l->hash, l->stmt, HMAC, &f->summary->hmacs);
    if (!why)
        why = unsigned_why;
    if (!why && check_subject(f, l, &why, e))
        return -1;
    if (why)
        report_altered(f, l, why);
    else if (check_undoes(f, w, l, &why, e))
        return -1;
    else if (why)
        report_event(f, FSCK_EVENT_ALTERED, l, why);
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

/* Up to where events erased what those before them kept: all of it, or as they say. Only a person purges, by hand;
 * what entries said expires by itself. */
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

int fsck_chain(struct fsck *f, const struct head *head, struct error *e)
{
    struct chain_walk w = CHAIN_WALK_INIT;
    struct link_of_chain l = {0};
    if (find_purged(f, e))
        return -1;
    sqlite3_stmt *stmt =
        db_prepare(f->db,
                   "SELECT seq, at, session, actor, operation, subject, correlation, canonical,"
                   " salt, patch, hash, hmac, person, undoes FROM event ORDER BY seq",
                   e);
    int more = stmt ? db_step(f->db, stmt, e) : -1;
    for (; more > 0; more = db_step(f->db, stmt, e)) {
        read_link(f, stmt, &l);
        if (fsck_step(f, e) || check_event(f, &w, &l, head, e)) {
            sqlite3_reset(stmt);
            more = -1;
            break;
        }
        note_last(f, &l);
        fsck_walk_on(&w, &l.hash, l.seq);
    }
    row_set_release(&w.undone);
    f->last_seq = w.number;
    if (more == 0 && head && head->events.count > w.number)
        fsck_report(f, FSCK_TAIL_CUT, w.number + 1, (struct ref){KIND_RAW, NULL}, NULL,
                    "the head file knows of %lld events and the journal has %lld: its tail was cut",
                    (long long)head->events.count, (long long)w.number);
    return more;
}
