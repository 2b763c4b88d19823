/* The tables of entries against the memories, and what is counted in them against themselves. */
#include "store/fsck/fsck_rows.h"

#include "store/record/entry_row.h"

static const struct ref no_ref = {KIND_RAW, NULL};

int fsck_secret(struct rows *r)
{
    int64_t bytes;
    if (db_int(r->f->db, &bytes, 0, r->e, "SELECT length(bytes) FROM secret WHERE id = 1", ""))
        return -1;
    r->has_secret = bytes == 32;
    if (!r->has_secret)
        fsck_report(r->f, FSCK_DATABASE, 0, no_ref, NULL,
                    "the secret of the store is gone, so that entries can neither be put nor found "
                    "by the keys that agents were shown");
    return 0;
}

bool fsck_entry_is(sqlite3_stmt *stmt, int64_t node, const struct entry_row *row)
{
    return fsck_row_is(stmt, "issiiiiirii", node, row->name, row->key, row->shown,
                       (int64_t)row->state, row->created, row->updated, row->event, row->expires,
                       row->bytes, row->open);
}

static int check_leaving(void *arg, const struct leaving *l)
{
    struct rows *r = arg;
    if (l->stored != l->expires)
        fsck_report(r->f, FSCK_EVENT_ALTERED, l->seq, r->m.ref, NULL,
                    "event %lld on %s:%s was altered: when what its patch keeps is over is not what"
                    " that says",
                    (long long)l->seq, kind_name(r->m.ref.kind), r->m.ref.id);
    return 0;
}

int fsck_entry_leaving(struct rows *r)
{
    return entry_leaving_walk(r->f->db, &r->m, check_leaving, r, r->e);
}

/* No other event has such a time: those on other memories, and those of which no patch is kept. */
static int check_no_time(struct rows *r)
{
    static const char sql[] =
        "SELECT seq FROM event INDEXED BY event_expires WHERE expires IS NOT NULL AND (patch IS"
        " NULL OR subject NOT IN (SELECT id FROM memory WHERE kind = 14) OR subject IS NULL)";
    sqlite3_stmt *stmt = db_prepare(r->f->db, sql, r->e);
    int more = stmt ? db_step(r->f->db, stmt, r->e) : -1;
    for (; more > 0; more = db_step(r->f->db, stmt, r->e)) {
        int64_t seq = sqlite3_column_int64(stmt, 0);
        fsck_report(r->f, FSCK_EVENT_ALTERED, seq, no_ref, NULL,
                    "event %lld was altered: it keeps nothing that is ever over", (long long)seq);
    }
    return more;
}

/* Reports each namespace that the statement names. */
static int report_each(struct rows *r, const char *sql, const char *what)
{
    sqlite3_stmt *stmt = db_prepare(r->f->db, sql, r->e);
    int more = stmt ? db_step(r->f->db, stmt, r->e) : -1;
    for (; more > 0; more = db_step(r->f->db, stmt, r->e)) {
        const char *name = (const char *)sqlite3_column_text(stmt, 0);
        fsck_report(r->f, FSCK_ROW_ALTERED, 0, no_ref, NULL, "the namespace %s %s",
                    name ? name : "of no name", what);
    }
    return more;
}

/* Of one key the last that was made counts of those that are there, else of those that expired; the others are
 * hidden. */
static const char hidden_sql[] =
    "SELECT DISTINCT (SELECT name FROM namespace WHERE id = t.namespace) FROM (SELECT namespace,"
    " hidden, row_number() OVER (PARTITION BY namespace, key ORDER BY state, created DESC, memory"
    " DESC) AS place FROM entry WHERE state < 2 UNION ALL SELECT namespace, hidden, 1 FROM entry"
    " WHERE state > 1) AS t WHERE hidden <> (place > 1)";

static const char counts_sql[] =
    "SELECT n.name FROM namespace n LEFT JOIN (SELECT namespace, sum(state = 0) AS items,"
    " sum(bytes * (state = 0)) AS bytes, sum(state = 1) AS expired FROM entry WHERE hidden = 0"
    " GROUP BY namespace) t ON t.namespace = n.id WHERE n.items <> coalesce(t.items, 0)"
    " OR n.bytes <> coalesce(t.bytes, 0) OR n.expired <> coalesce(t.expired, 0)";

/* They are no faults, but nobody finds them by a namespace. */
static int count_unlisted(struct rows *r)
{
    static const char nameless[] = "SELECT count(*) FROM memory WHERE kind = ? AND status IN (?, ?)"
                                   " AND id NOT IN (SELECT memory FROM entry)";
    static const char hidden[] = "SELECT count(*) FROM entry WHERE hidden = 1 AND state = 0";
    struct fsck_summary *s = r->f->summary;
    return db_int(r->f->db, &s->nameless, 0, r->e, nameless, "iii", (int64_t)KIND_ENTRY,
                  (int64_t)STATUS_ACTIVE, (int64_t)STATUS_SUPERSEDED) ||
                   db_int(r->f->db, &s->hidden, 0, r->e, hidden, "")
               ? -1
               : 0;
}

int fsck_entry_counts(struct rows *r)
{
    if (count_unlisted(r) || check_no_time(r))
        return -1;
    return report_each(r, hidden_sql, "shows another than the last of those of one key") ||
                   report_each(r, counts_sql, "has a wrong count of its entries")
               ? -1
               : 0;
}
