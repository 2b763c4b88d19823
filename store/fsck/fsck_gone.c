/* What is not there, and what belongs to nothing. */
#include "store/fsck/fsck_rows.h"

static const char *const part_names[PART_COUNT] = {"a link",
                                                   "the use of a link",
                                                   "an entry of a history",
                                                   "a mark",
                                                   "an entry of the log of attributions",
                                                   "what it is found by",
                                                   "a row of an entry"};

int fsck_ref_of_event(struct rows *r, int64_t seq, struct ref *ref)
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

/* A memory that events speak of and that has no row. */
static int report_gone(struct rows *r, int64_t row)
{
    struct ref ref;
    int64_t last = r->f->last[row];
    arena_clear(&r->f->arena);
    if (fsck_ref_of_event(r, last, &ref))
        return -1;
    fsck_report(r->f, FSCK_ROW_UNRECORDED, last, ref, "Restore it from a backup.",
                "%s%s%s is gone (row %lld), and event %lld is about it",
                ref.id ? kind_name(ref.kind) : "a memory", ref.id ? ":" : "", ref.id ? ref.id : "",
                (long long)row, (long long)last);
    fsck_note_told(r->f, row);
    return 0;
}

/* A row far beyond the others is no end of theirs. */
int fsck_gap(struct rows *r, int64_t next, int64_t node)
{
    int64_t unspoken = 0;
    for (int64_t row = next; row < node && row <= r->f->last_node; row++)
        if (!r->f->last[row])
            unspoken++;
        else if (report_gone(r, row))
            return -1;
    if (unspoken && node <= r->f->last_node)
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
        "SELECT memory FROM attribution WHERE memory NOT IN"
        " (SELECT id FROM memory WHERE kind = 9 AND status < 4)",
        "SELECT DISTINCT memory FROM found_by WHERE memory NOT IN"
        " (SELECT id FROM memory WHERE kind IN (9, 11, 13) AND status < 4)",
        "SELECT memory FROM entry WHERE memory NOT IN"
        " (SELECT id FROM memory WHERE kind = 14 AND status < 6)",
    };
    sqlite3_stmt *stmt = db_prepare(r->f->db, sql[part], r->e);
    int more = stmt ? db_step(r->f->db, stmt, r->e) : -1;
    for (; more > 0; more = db_step(r->f->db, stmt, r->e)) {
        int64_t row = sqlite3_column_int64(stmt, 0);
        if (row < 0 || !row_set_has(&r->f->told, row)) /* of one that is gone it is no news */
            fsck_report(r->f, FSCK_ROW_UNRECORDED, 0, (struct ref){KIND_RAW, NULL}, NULL,
                        "%s belongs to row %lld, which is no memory that has one", part_names[part],
                        (long long)row);
    }
    return more;
}

int fsck_strays(struct rows *r)
{
    static const char *const sql[PART_COUNT] = {
        "SELECT count(*) FROM link",        "SELECT count(*) FROM use",
        "SELECT count(*) FROM history",     "SELECT count(*) FROM mark",
        "SELECT count(*) FROM attribution", "SELECT count(*) FROM found_by",
        "SELECT count(*) FROM entry"};
    for (int i = 0; i < PART_COUNT; i++) {
        int64_t count;
        if (db_int(r->f->db, &count, 0, r->e, sql[i], "") ||
            (count != r->met[i] && report_strays(r, (enum part)i)))
            return -1;
    }
    return 0;
}
