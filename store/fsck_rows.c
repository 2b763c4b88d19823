#include "fsck.h"

#include "../model/exchange.h"
#include "../model/json.h"
#include "../model/strbuf.h"
#include "groups.h"
#include "put.h"
#include "same.h"

/* The tables whose rows are parts of memories, and how many of each were met. */
enum part {
    LINK,
    USE,
    HISTORY,
    MARK,
    PART_COUNT
};
static const char *const part_names[PART_COUNT] = {"a link", "the use of a link",
                                                   "an entry of a history", "a mark"};

struct rows {
    struct fsck *f;
    struct error *e;
    struct memory m;
    struct strbuf bytes, strings;
    int64_t met[PART_COUNT];
};

/* ---- its parts, row by row ---- */

/* A statement over the rows of a part of this memory, at its first; `more` as db_step gives it. */
static sqlite3_stmt *part_rows(struct rows *r, const char *sql, int *more)
{
    sqlite3_stmt *stmt = db_prepare(r->f->db, sql, r->e);
    *more = stmt ? db_bind(r->f->db, stmt, r->e, "i", r->m.node) : -1;
    return stmt;
}

/* Goes on to the next row of a part where the last was as it should be. */
static void next_row(struct rows *r, enum part part, sqlite3_stmt *stmt, int *more, bool *same)
{
    r->met[part]++;
    if (*same)
        *more = db_step(r->f->db, stmt, r->e);
}

/* 1 as it should be, 0 not, -1 an error: after the last row that there should be. */
static int end_rows(struct rows *r, enum part part, sqlite3_stmt *stmt, int more, bool same)
{
    bool left_over = more > 0;
    while (more > 0) { /* so that they count as this memory's */
        more = db_step(r->f->db, stmt, r->e);
        r->met[part] += more > 0;
    }
    if (stmt)
        sqlite3_reset(stmt);
    return more < 0 ? -1 : same && !left_over;
}

static bool link_is(sqlite3_stmt *stmt, const struct group *g, size_t number, size_t position)
{
    int64_t target = g->count ? group_member(g, position)->node : 0;
    if (position)
        return fsck_row_is(stmt, "iirinn", (int64_t)number, (int64_t)position, target,
                           (int64_t)g->shape);
    return fsck_row_is(stmt, "iiriis", (int64_t)number, (int64_t)0, target, (int64_t)g->shape,
                       g->at, g->reason);
}

static int check_links(struct rows *r)
{
    int more;
    bool same = true;
    sqlite3_stmt *stmt = part_rows(r,
                                   "SELECT number, position, target, shape, at, reason FROM link"
                                   " WHERE memory = ? ORDER BY number, position",
                                   &more);
    for (size_t i = 0; i < groups_count(&r->m) && same && more >= 0; i++) {
        struct group g = groups_at(&r->m, i);
        for (size_t k = 0; k < (g.count ? g.count : 1) && same && more >= 0; k++) {
            same = more > 0 && link_is(stmt, &g, i, k);
            if (more > 0)
                next_row(r, LINK, stmt, &more, &same);
        }
    }
    return end_rows(r, LINK, stmt, more, same);
}

static bool use_is(sqlite3_stmt *stmt, const struct use *u, size_t number, size_t position)
{
    return fsck_row_is(stmt, "iidismmmsss", (int64_t)number, (int64_t)position, u->relevance,
                       (int64_t)u->score, u->excerpt, u->chunk, u->rank, u->page, u->section,
                       u->version_hash, u->label);
}

static int check_uses(struct rows *r)
{
    int more;
    bool same = true;
    sqlite3_stmt *stmt =
        part_rows(r,
                  "SELECT number, position, relevance, score, excerpt, chunk, rank, page, section,"
                  " version_hash, label FROM use WHERE memory = ? ORDER BY number, position",
                  &more);
    for (size_t i = 0; i < r->m.justification_count && same && more >= 0; i++) {
        const struct justification *j = &r->m.justifications[i];
        for (size_t k = 0; k < j->count && same && more >= 0; k++) {
            const struct use *u = j->antecedents[k].use;
            if (use_is_empty(u))
                continue;
            same = more > 0 && use_is(stmt, u, i, k);
            if (more > 0)
                next_row(r, USE, stmt, &more, &same);
        }
    }
    return end_rows(r, USE, stmt, more, same);
}

static int check_history(struct rows *r)
{
    int more;
    bool same = true;
    sqlite3_stmt *stmt =
        part_rows(r,
                  "SELECT position, at, old, new, reason, evidence_source, operation, actor, origin"
                  " FROM history WHERE memory = ? ORDER BY position",
                  &more);
    for (size_t i = 0; i < r->m.history_count && same && more >= 0; i++) {
        const struct history_entry *h = &r->m.history[i];
        same = more > 0 &&
               fsck_row_is(stmt, "iiddsssss", (int64_t)i, h->at, h->old, h->new_, h->reason,
                           h->evidence_source, h->operation, h->actor, h->origin);
        if (more > 0)
            next_row(r, HISTORY, stmt, &more, &same);
    }
    return end_rows(r, HISTORY, stmt, more, same);
}

static int check_marks(struct rows *r)
{
    int more;
    bool same = true;
    sqlite3_stmt *stmt = part_rows(r,
                                   "SELECT position, mark, at, actor, value, reason FROM mark"
                                   " WHERE memory = ? ORDER BY position",
                                   &more);
    for (size_t i = 0; i < r->m.mark_count && same && more >= 0; i++) {
        const struct mark *k = &r->m.marks[i];
        same = more > 0 && fsck_row_is(stmt, "isisss", (int64_t)i, k->mark, k->at, k->actor,
                                       k->value, k->reason);
        if (more > 0)
            next_row(r, MARK, stmt, &more, &same);
    }
    return end_rows(r, MARK, stmt, more, same);
}

/* The row of the memory itself: what its exchange line does not show, and bytes that read the same
 * once they are repaired. */
static bool row_is(struct rows *r, sqlite3_stmt *stmt)
{
    const struct memory *m = &r->m;
    strbuf_clear(&r->strings);
    put_strings(&r->strings, m->tags, m->tag_count);
    size_t tags = r->strings.len;
    strbuf_addch(&r->strings, '\0');
    size_t after = r->strings.len;
    put_strings(&r->strings, m->annotations, m->annotation_count);
    return !r->strings.failed &&
           fsck_row_is(stmt, "iisiiidiisssssss", m->node, (int64_t)m->ref.kind, m->ref.id,
                       (int64_t)m->status, m->created_at, m->updated_at, m->confidence,
                       (int64_t)m->is_protected, m->version, m->text, m->source, m->source_entity,
                       m->context, tags ? r->strings.buf : NULL,
                       r->strings.len > after ? r->strings.buf + after : NULL, put_detail(m));
}

/* ---- a memory ---- */

/* Is it what the last event on it committed to? 1, 0, or -1. */
static int check_commitment(struct rows *r, int64_t seq)
{
    sqlite3_stmt *stmt =
        db_prepare(r->f->db, "SELECT canonical, salt FROM event WHERE seq = ?", r->e);
    int found = stmt ? db_bind(r->f->db, stmt, r->e, "i", seq) : -1;
    if (found <= 0)
        return found;
    const char *text = (const char *)sqlite3_column_text(stmt, 0);
    size_t len = (size_t)sqlite3_column_bytes(stmt, 0);
    struct error ignored;
    struct json_slice after = {NULL, 0};
    if (text && json_check(text, len, 1, &ignored) == 0)
        after = json_member(text, len, "after");
    bool salted = sqlite3_column_bytes(stmt, 1) == SALT_SIZE;
    bool same = !salted && r->m.status == STATUS_PURGED;
    if (salted && after.ptr) {
        struct digest d;
        char hex[2 * DIGEST_SIZE + 1];
        strbuf_clear(&r->bytes);
        exchange_write(&r->bytes, &r->m, NULL);
        if (r->bytes.failed) {
            sqlite3_reset(stmt);
            return error_set(r->e, ERROR_MEMORY, "", "memory ran out");
        }
        digest_commit(&d, sqlite3_column_blob(stmt, 1), r->bytes.buf, r->bytes.len);
        digest_hex(hex, &d);
        same = after.len == 2 * DIGEST_SIZE + 2 && memcmp(after.ptr + 1, hex, 2 * DIGEST_SIZE) == 0;
    }
    sqlite3_reset(stmt);
    return same;
}

/* NULL: all of its rows are as txn_put writes them. */
static int check_parts(struct rows *r, sqlite3_stmt *row, const char **wrong)
{
    int (*const checks[])(struct rows *) = {check_links, check_uses, check_history, check_marks};
    static const char *const names[] = {"a link", "the use of a link", "its history", "a mark"};
    *wrong = row_is(r, row) ? NULL : "its row";
    for (size_t i = 0; i < PART_COUNT; i++) {
        int same = checks[i](r);
        if (same < 0)
            return -1;
        if (!same && !*wrong)
            *wrong = names[i];
    }
    return 0;
}

static void report_row(struct rows *r, enum fsck_fault fault, int64_t seq, const char *how)
{
    fsck_report(r->f, fault, seq, r->m.ref, NULL, "%s:%s %s", kind_name(r->m.ref.kind), r->m.ref.id,
                how);
}

/* A stub holds nothing but its ref. One whose addition was undone has events: the last leaves
 * nothing. */
static int check_stub(struct rows *r, sqlite3_stmt *row, int64_t last)
{
    int64_t leaves = 0;
    if (last && db_int(r->f->db, &leaves, 0, r->e,
                       "SELECT json_extract(canonical, '$.after') IS NOT NULL FROM event"
                       " WHERE seq = ? AND json_valid(canonical)",
                       "i", last))
        return -1;
    if (leaves)
        report_row(r, FSCK_ROW_ALTERED, last, "was emptied: its last event left a memory");
    else if (!fsck_row_is(row, "iisinnniinnnnnnnrnn", r->m.node, (int64_t)r->m.ref.kind,
                          r->m.ref.id, (int64_t)STATUS_MISSING, (int64_t)0, (int64_t)0, last))
        report_row(r, FSCK_ROW_ALTERED, last,
                   "was altered: it is only named, yet its row says more");
    return 0;
}

static int find_event(struct rows *r, int64_t seq, bool *found)
{
    int64_t there;
    if (db_int(r->f->db, &there, 0, r->e, "SELECT seq FROM event WHERE seq = ?", "i", seq))
        return -1;
    *found = there != 0;
    return 0;
}

/* What the last event left against what is there; then what no event can see. */
static int check_whole(struct rows *r, sqlite3_stmt *row, int64_t last)
{
    const char *wrong = NULL;
    bool found = true;
    int same = last ? check_commitment(r, last) : 0;
    if (same < 0 || check_parts(r, row, &wrong))
        return -1;
    bool beyond = r->m.event > r->f->last_seq;
    if (!same && !beyond && find_event(r, r->m.event, &found))
        return -1;
    if (!same && beyond)
        report_row(r, FSCK_TAIL_CUT, r->m.event,
                   "was changed by an event that is gone: the "
                   "journal's tail was cut");
    else if (!same && r->m.event > 0 && !found)
        fsck_report(r->f, FSCK_ROW_UNRECORDED, r->m.event, r->m.ref,
                    "Compare what stemma show says of it with a backup.",
                    "%s:%s cannot be checked: its last event, %lld, is gone",
                    kind_name(r->m.ref.kind), r->m.ref.id, (long long)r->m.event);
    else if (!last)
        report_row(r, FSCK_ROW_UNRECORDED, 0, "has no event: it was put in past the journal");
    else if (!same)
        fsck_report(r->f, FSCK_ROW_ALTERED, last, r->m.ref, NULL,
                    "%s:%s was altered: it is not what its last event, %lld, left",
                    kind_name(r->m.ref.kind), r->m.ref.id, (long long)last);
    else if (r->m.event != last)
        report_row(r, FSCK_ROW_ALTERED, last, "was altered: its row names another event");
    else if (wrong)
        fsck_report(r->f, FSCK_ROW_ALTERED, last, r->m.ref, NULL,
                    "%s:%s was altered: %s is not as stemma writes it", kind_name(r->m.ref.kind),
                    r->m.ref.id, wrong);
    return 0;
}

/* The ref that an event is about, in the arena; id NULL: it does not tell. */
static int ref_of_event(struct rows *r, int64_t seq, struct ref *ref)
{
    sqlite3_stmt *stmt = db_prepare(r->f->db,
                                    "SELECT json_extract(canonical, '$.ref') FROM event WHERE seq "
                                    "= ? AND json_valid(canonical)",
                                    r->e);
    int found = stmt ? db_bind(r->f->db, stmt, r->e, "i", seq) : -1;
    *ref = (struct ref){KIND_RAW, NULL};
    if (found <= 0)
        return found;
    const char *text = db_text(&r->f->arena, stmt, 0);
    sqlite3_reset(stmt);
    if (text && ref_parse(text, ref) != REF_MEMORY)
        ref->id = NULL;
    return 0;
}

/* A row that the memory names and that is not there; 0: none. */
static int find_gone(struct rows *r, int64_t node, int64_t *gone)
{
    return db_int(r->f->db, gone, 0, r->e,
                  "SELECT target FROM link WHERE memory = ? AND target > 0"
                  " AND target NOT IN (SELECT id FROM memory) ORDER BY number, position LIMIT 1",
                  "i", node);
}

/* "row 5 (raw:x)": what an event says of a row that is gone. *was: it can be gone, for it has been. */
static int name_gone(struct rows *r, int64_t gone, struct strbuf *out, bool *was)
{
    struct ref ref;
    int64_t seq;
    if (db_int(r->f->db, &seq, 0, r->e, "SELECT max(seq) FROM event WHERE subject = ?", "i",
               gone) ||
        ref_of_event(r, seq, &ref))
        return -1;
    strbuf_addf(out, "row %lld", (long long)gone);
    *was = seq || gone <= r->f->last_node;
    if (!ref.id)
        return 0;
    strbuf_addstr(out, " (");
    ref_add(out, ref);
    strbuf_addch(out, ')');
    return 0;
}

/* It cannot be read, for the reason in r->e: what it names is gone, or it is damaged itself. Its own
 * row tells which it is, else the event does. */
static int report_unreadable(struct rows *r, sqlite3_stmt *row, int64_t node, int64_t last)
{
    struct ref ref;
    int64_t gone;
    bool was = false;
    struct error why = *r->e;
    struct strbuf self = STRBUF_INIT, other = STRBUF_INIT;
    int result = (!fsck_ref(r->f, row, 1, &ref) && ref_of_event(r, last, &ref)) ||
                         find_gone(r, node, &gone) || (gone && name_gone(r, gone, &other, &was))
                     ? -1
                     : 0;
    if (result == 0 && ref.id)
        ref_add(&self, ref);
    else
        strbuf_addf(&self, "row %lld", (long long)node);
    if (result == 0 && was)
        fsck_report(r->f, FSCK_LINK_BROKEN, last, ref, NULL,
                    "%s names %s, which is gone, and cannot be checked without it", self.buf,
                    other.buf);
    else if (result == 0 && gone)
        fsck_report(r->f, FSCK_ROW_ALTERED, last, ref, NULL,
                    "%s was altered: it names %s, which is"
                    " not there",
                    self.buf, other.buf);
    else if (result == 0)
        fsck_report(r->f, FSCK_ROW_ALTERED, last, ref, NULL, "%s was altered: %s", self.buf,
                    why.what);
    strbuf_release(&self);
    strbuf_release(&other);
    return result;
}

static int read_and_check(struct rows *r, sqlite3_stmt *row, int64_t node)
{
    int64_t last = node >= 1 && node <= r->f->last_node ? r->f->last[node] : 0;
    arena_clear(&r->f->arena);
    if (memory_read_db(r->f->db, &r->f->arena, node, &r->m, r->e))
        return r->e->code == ERROR_STORE ? report_unreadable(r, row, node, last) : -1;
    return r->m.status == STATUS_MISSING ? check_stub(r, row, last) : check_whole(r, row, last);
}

static int no_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "", "memory ran out");
}

static int note_told(struct fsck *f, int64_t node, struct error *e)
{
    return node >= 1 && node <= f->last_node && row_set_add(&f->told, node) ? no_memory(e) : 0;
}

static int check_memory(struct rows *r, sqlite3_stmt *row)
{
    int64_t node = sqlite3_column_int64(row, 0), before = r->f->summary->findings;
    if (read_and_check(r, row, node))
        return -1;
    return r->f->summary->findings > before ? note_told(r->f, node, r->e) : 0;
}

/* ---- what is not there, or belongs to nothing ---- */

/* A memory that events speak of and that has no row. */
static int report_gone(struct rows *r, int64_t row)
{
    struct ref ref;
    int64_t last = r->f->last[row];
    arena_clear(&r->f->arena);
    if (ref_of_event(r, last, &ref))
        return -1;
    fsck_report(r->f, FSCK_ROW_UNRECORDED, last, ref, "Restore it from a backup.",
                "%s%s%s is gone (row %lld), and event %lld is about it",
                ref.id ? kind_name(ref.kind) : "a memory", ref.id ? ":" : "", ref.id ? ref.id : "",
                (long long)row, (long long)last);
    return note_told(r->f, row, r->e);
}

/* The rows from `next` to before `node` are not there, though rows are never removed. */
static int check_gap(struct rows *r, int64_t next, int64_t node)
{
    int64_t unspoken = 0;
    for (int64_t row = next; row < node && row <= r->f->last_node; row++)
        if (!r->f->last[row])
            unspoken++;
        else if (report_gone(r, row))
            return -1;
    if (unspoken)
        fsck_report(r->f, FSCK_ROW_UNRECORDED, 0, (struct ref){KIND_RAW, NULL},
                    "Restore them from a backup.",
                    "%lld of the rows %lld to %lld are gone; no event is about them, so they were "
                    "only named",
                    (long long)unspoken, (long long)next, (long long)node - 1);
    return 0;
}

static int report_strays(struct rows *r, enum part part)
{
    static const char *const sql[PART_COUNT] = {
        "SELECT DISTINCT memory FROM link WHERE memory NOT IN"
        " (SELECT id FROM memory WHERE status < 7)",
        "SELECT DISTINCT memory FROM use WHERE memory NOT IN"
        " (SELECT id FROM memory WHERE status < 7)",
        "SELECT DISTINCT memory FROM history WHERE memory NOT IN"
        " (SELECT id FROM memory WHERE status < 7)",
        "SELECT DISTINCT memory FROM mark WHERE memory NOT IN"
        " (SELECT id FROM memory WHERE status < 7)",
    };
    sqlite3_stmt *stmt = db_prepare(r->f->db, sql[part], r->e);
    int more = stmt ? db_step(r->f->db, stmt, r->e) : -1;
    for (; more > 0; more = db_step(r->f->db, stmt, r->e)) {
        int64_t row = sqlite3_column_int64(stmt, 0);
        if (row < 0 || !row_set_has(&r->f->told, row)) /* of one that is gone it is no news */
            fsck_report(r->f, FSCK_ROW_UNRECORDED, 0, (struct ref){KIND_RAW, NULL}, NULL,
                        "%s belongs to row %lld, which is no memory", part_names[part],
                        (long long)row);
    }
    return more;
}

/* A part that belongs to no memory shows in the numbers alone. */
static int check_strays(struct rows *r)
{
    static const char *const sql[PART_COUNT] = {
        "SELECT count(*) FROM link", "SELECT count(*) FROM use", "SELECT count(*) FROM history",
        "SELECT count(*) FROM mark"};
    for (int i = 0; i < PART_COUNT; i++) {
        int64_t count;
        if (db_int(r->f->db, &count, 0, r->e, sql[i], "") ||
            (count != r->met[i] && report_strays(r, (enum part)i)))
            return -1;
    }
    return 0;
}

static const char memories_sql[] =
    "SELECT id, kind, name, status, created_at, updated_at, confidence, protected, version, text,"
    " source, source_entity, context, tags, annotations, detail, event, agent, source_type"
    " FROM memory ORDER BY id";

static int check_memories(struct rows *r)
{
    struct fsck *f = r->f;
    int64_t next = 1;
    sqlite3_stmt *stmt = db_prepare(f->db, memories_sql, r->e);
    int more = stmt ? db_step(f->db, stmt, r->e) : -1;
    for (; more > 0; more = db_step(f->db, stmt, r->e)) {
        int64_t node = sqlite3_column_int64(stmt, 0);
        int result = next < node ? check_gap(r, next, node) : 0;
        next = node < 1 ? 1 : node + 1;
        if (result || fsck_step(f, r->e) || check_memory(r, stmt)) {
            sqlite3_reset(stmt);
            return -1;
        }
    }
    return more;
}

int fsck_rows(struct fsck *f, struct error *e)
{
    struct rows r = {.f = f, .e = e, .bytes = STRBUF_INIT, .strings = STRBUF_INIT};
    int result = check_memories(&r);
    if (result == 0)
        result = check_strays(&r);
    strbuf_release(&r.bytes);
    strbuf_release(&r.strings);
    return result;
}
