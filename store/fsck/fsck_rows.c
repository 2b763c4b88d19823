/* Each memory against the event that wrote it last. */
#include "store/fsck/fsck_rows.h"

#include "model/format/exchange.h"
#include "model/json/json.h"

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
    bool same = false;
    if (salted && after.ptr) {
        struct digest d;
        char hex[2 * DIGEST_SIZE + 1];
        strbuf_clear(&r->bytes);
        exchange_write(&r->bytes, &r->m, NULL);
        digest_commit(&d, sqlite3_column_blob(stmt, 1), r->bytes.buf, r->bytes.len);
        digest_hex(hex, &d);
        same = after.len == 2 * DIGEST_SIZE + 2 && memcmp(after.ptr + 1, hex, 2 * DIGEST_SIZE) == 0;
    }
    sqlite3_reset(stmt);
    return same;
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
    if (same < 0 || fsck_parts(r, row, &wrong))
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
        fsck_ref_of_event(r, seq, &ref))
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
    int result = (!fsck_ref(r->f, row, 1, &ref) && fsck_ref_of_event(r, last, &ref)) ||
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
    if (memory_scan_read(r->memories, &r->f->arena, node, &r->m, r->e))
        return r->e->code == ERROR_STORE ? report_unreadable(r, row, node, last) : -1;
    return r->m.status == STATUS_MISSING ? check_stub(r, row, last) : check_whole(r, row, last);
}

static int check_memory(struct rows *r, sqlite3_stmt *row)
{
    int64_t node = sqlite3_column_int64(row, 0), before = r->f->summary->findings;
    if (read_and_check(r, row, node))
        return -1;
    bool is_sound = r->f->summary->findings == before && !row_set_has(&r->f->told, node);
    if (is_sound && r->m.ref.kind == KIND_ENTRY && fsck_entry_leaving(r))
        return -1;
    if (r->f->summary->findings > before)
        fsck_note_told(r->f, node);
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
        int result = next < node ? fsck_gap(r, next, node) : 0;
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
    struct rows r = {.f = f,
                     .e = e,
                     .memories = memory_scan_open(f->db),
                     .bytes = STRBUF_INIT,
                     .strings = STRBUF_INIT};
    int result = fsck_secret(&r);
    if (result == 0)
        result = check_memories(&r);
    memory_scan_close(r.memories);
    fsck_parts_end(&r);
    if (result == 0)
        result = fsck_strays(&r);
    if (result == 0)
        result = fsck_entry_counts(&r);
    strbuf_release(&r.bytes);
    strbuf_release(&r.strings);
    return result;
}
