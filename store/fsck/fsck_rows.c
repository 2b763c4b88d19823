/* The pass over rows: compares each memory with its last event, and each row of its parts with what
 * txn_put would write. */
#include "store/fsck/fsck_internal.h"
#include "model/base/strbuf.h"
#include "model/format/memory_json.h"
#include "model/json/json.h"
#include "store/record/entry_row.h"
#include "store/record/get.h"
#include "store/record/index_tables.h"
#include "store/record/put.h"
#include "store/record/waiting.h"

/* The tables that hold parts of memories, and how many rows of each were seen. */
enum part {
    LINK,
    USE,
    HISTORY,
    MARK,
    ATTRIBUTION,
    LOOKUP,
    ENTRY,
    PART_COUNT
};

struct rows {
    struct fsck *f;
    struct error *e;
    struct memory_scan *memories;
    struct memory m; /* the memory being checked, as read */
    struct strbuf bytes, strings;
    int64_t met[PART_COUNT];
    struct part_scan {
        sqlite3_stmt *stmt; /* all rows of the part, ordered by memory; NULL before the first use */
        int more;
    } scan[PART_COUNT];
    bool has_secret; /* without the secret, the rows of entries cannot be checked */
};

/* Compares the rows of one part of a memory with what they should be. */
struct part_check {
    struct rows *r;
    enum part part;
    sqlite3_stmt *stmt;
    int more;  /* 1 on a row, 0 at the end, -1 on error */
    bool same; /* so far */
};

/* ---- missing memories, and parts without a memory ---- */

/* Reads the ref of an event's memory into the arena; id is NULL if the event does not say. */
static int fsck_ref_of_event(struct rows *r, int64_t seq, struct ref *ref)
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

/* Reports a memory that has events but no row. */
static int report_missing(struct rows *r, int64_t row)
{
    struct ref ref;
    int64_t last = r->f->last[row];
    arena_clear(&r->f->arena);
    if (fsck_ref_of_event(r, last, &ref))
        return -1;
    fsck_report(r->f, FSCK_ROW_UNRECORDED, last, ref, "Restore it from a backup.",
                "%s%s%s is missing (row %lld), and event %lld is about it",
                ref.id ? kind_name(ref.kind) : "a memory", ref.id ? ":" : "", ref.id ? ref.id : "",
                (long long)row, (long long)last);
    fsck_mark_faulty(r->f, row);
    return 0;
}

/* Limited by last_node: a row far beyond the others is damage. */
static int fsck_gap(struct rows *r, int64_t next, int64_t node)
{
    int64_t unspoken = 0;
    for (int64_t row = next; row < node && row <= r->f->last_node; row++)
        if (!r->f->last[row])
            unspoken++;
        else if (report_missing(r, row))
            return -1;
    if (unspoken && node <= r->f->last_node)
        fsck_report(
            r->f, FSCK_ROW_UNRECORDED, 0, (struct ref){KIND_RAW, NULL},
            "Restore them from a backup.",
            "%lld of the rows %lld to %lld are missing; no event is about them, so they were "
            "only named",
            (long long)unspoken, (long long)next, (long long)node - 1);
    return 0;
}

/* A table that holds parts of memories. */
struct part_table {
    const char *name, *one, *of_memory; /* table name; "a link"; what is wrong with a memory */
    const char *owners;                 /* query for the memories that have this part */
    const char *rows;                   /* query for all rows, ordered by memory */
    bool (*has)(const struct rows *r);  /* can the memory have this part? NULL if every one can */
    void (*check)(struct part_check *c);
};
static const struct part_table parts[PART_COUNT];

static int report_strays(struct rows *r, const struct part_table *part)
{
    AUTO_STRBUF sql = STRBUF_INIT;
    strbuf_addf(
        &sql, "SELECT DISTINCT memory FROM %s WHERE memory NOT IN (SELECT id FROM memory WHERE %s)",
        part->name, part->owners);
    struct query rows = db_query(r->f->db, r->e, sql.buf, "");
    while (db_next(&rows)) {
        int64_t row = sqlite3_column_int64(rows.stmt, 0);
        /* A missing memory was reported already. */
        if (row < 0 || !row_set_has(&r->f->faulty, row))
            fsck_report(r->f, FSCK_ROW_UNRECORDED, 0, (struct ref){KIND_RAW, NULL}, NULL,
                        "%s belongs to row %lld, which is no memory that has one", part->one,
                        (long long)row);
    }
    return db_end(&rows);
}

/*
 * Parts that belong to no memory are not visited by the walk; the counts show that there are some.
 */
static int fsck_strays(struct rows *r)
{
    for (int i = 0; i < PART_COUNT; i++) {
        int64_t count;
        char sql[64];
        snprintf(sql, sizeof(sql), "SELECT count(*) FROM %s", parts[i].name);
        if (db_int(r->f->db, &count, 0, r->e, sql, "") ||
            (count != r->met[i] && report_strays(r, &parts[i])))
            return -1;
    }
    return 0;
}

/* ---- entries ---- */

static const struct ref no_ref = {KIND_RAW, NULL};

/* Checks that the secret for hashing keys exists. */
static int fsck_secret(struct rows *r)
{
    int64_t bytes;
    if (db_int(r->f->db, &bytes, 0, r->e, "SELECT length(bytes) FROM secret WHERE id = 1", ""))
        return -1;
    r->has_secret = bytes == 32;
    if (!r->has_secret)
        fsck_report(
            r->f, FSCK_DATABASE, 0, no_ref, NULL,
            "the secret of the store is missing, so that entries can neither be put nor found "
            "by the keys that agents were shown");
    return 0;
}

/* Returns true if the row has the values of the memory, except `hidden`. The namespace is compared
 * by name. */
static bool fsck_entry_is(sqlite3_stmt *stmt, int64_t node, const struct entry_row *row)
{
    return fsck_row_is(stmt, "issiiiiirii", node, row->name, row->key, row->shown,
                       (int64_t)row->state, row->created, row->updated, row->event, row->expires,
                       row->bytes, row->open);
}

static int check_leaving(void *arg, int64_t seq, int64_t expires)
{
    struct rows *r = arg;
    int64_t stored;
    if (db_int(r->f->db, &stored, 0, r->e, "SELECT expires FROM event WHERE seq = ?", "i", seq))
        return -1;
    if (stored != expires)
        fsck_report(r->f, FSCK_EVENT_ALTERED, seq, r->m.ref, NULL,
                    "event %lld on %s:%s was altered: its expiry differs from that in its patch",
                    (long long)seq, kind_name(r->m.ref.kind), r->m.ref.id);
    return 0;
}

/*
 * Compares the time in each event on the entry, when a value in its patch expires, with the patch.
 */
static int fsck_entry_leaving(struct rows *r)
{
    return entry_patch_expiry_walk(r->f->db, &r->m, check_leaving, r, r->e);
}

/*
 * No other events may have such a time: neither events on other memories nor those without a patch.
 */
static const char no_time_sql[] =
    "SELECT seq, 'event ' || seq || ' was altered: it keeps nothing that is ever over' FROM event"
    " INDEXED BY event_expires WHERE expires IS NOT NULL AND (patch IS NULL OR subject NOT IN"
    " (SELECT id FROM memory WHERE kind = 14) OR subject IS NULL)";

/* Of the entries with a key, the newest present one is visible, or else the newest expired one. All
 * others must be hidden. */
static const char hidden_sql[] =
    "SELECT DISTINCT 0, 'the namespace ' || coalesce((SELECT name FROM namespace WHERE id ="
    " t.namespace), 'of no name') || ' shows another than the last of those of one key' FROM"
    " (SELECT namespace, hidden, row_number() OVER (PARTITION BY namespace, key ORDER BY state,"
    " created DESC, memory DESC) AS place FROM entry WHERE state < 2 UNION ALL SELECT namespace,"
    " hidden, 1 FROM entry WHERE state > 1) AS t WHERE hidden <> (place > 1)";

static const char counts_sql[] =
    "SELECT 0, 'the namespace ' || n.name || ' has a wrong count of its entries' FROM namespace n"
    " LEFT JOIN (SELECT namespace, sum(state = 0) AS items, sum(bytes * (state = 0)) AS bytes,"
    " sum(state = 1) AS expired FROM entry WHERE hidden = 0 GROUP BY namespace) t"
    " ON t.namespace = n.id WHERE n.items <> coalesce(t.items, 0)"
    " OR n.bytes <> coalesce(t.bytes, 0) OR n.expired <> coalesce(t.expired, 0)";

/* Counts entries that no namespace lists. These are not faults. */
static int count_unlisted(struct rows *r)
{
    static const char nameless[] = "SELECT count(*) FROM memory WHERE kind = ? AND status IN (?, ?)"
                                   " AND id NOT IN (SELECT memory FROM entry)";
    static const char hidden[] = "SELECT count(*) FROM entry WHERE hidden = 1 AND state = 0";
    struct fsck_summary *s = r->f->summary;
    return failed_if(db_int(r->f->db, &s->nameless, 0, r->e, nameless, "iii", (int64_t)KIND_ENTRY,
                            (int64_t)STATUS_ACTIVE, (int64_t)STATUS_SUPERSEDED) ||
                     db_int(r->f->db, &s->hidden, 0, r->e, hidden, ""));
}

/* Checks the counts of namespaces and of ranges of keys, and which entry of a key is visible. O(n
 * log n). */
static int fsck_entry_counts(struct rows *r)
{
    return failed_if(count_unlisted(r) || fsck_query(r->f, FSCK_EVENT_ALTERED, no_time_sql, r->e) ||
                     fsck_query(r->f, FSCK_ROW_ALTERED, hidden_sql, r->e) ||
                     fsck_query(r->f, FSCK_ROW_ALTERED, counts_sql, r->e));
}

/* ---- the parts of a memory ---- */

/* Advances to the next row (if `step`) and sets `more` to whether it belongs to this memory. */
static void advance(struct part_check *c, bool step)
{
    struct part_scan *s = &c->r->scan[c->part];
    if (step)
        s->more = db_step(c->r->f->db, s->stmt, c->r->e);
    c->more = s->more > 0 ? sqlite3_column_int64(s->stmt, 0) == c->r->m.node : s->more;
}

/* Memories are visited in the order of rows, and so are the scans. Rows between two memories belong
 * to none and are skipped here. */
static struct part_check begin_part(struct rows *r, enum part part)
{
    struct part_scan *s = &r->scan[part];
    if (!s->stmt) {
        s->stmt = db_prepare(r->f->db, parts[part].rows, r->e);
        s->more = s->stmt ? db_step(r->f->db, s->stmt, r->e) : -1;
    }
    while (s->more > 0 && sqlite3_column_int64(s->stmt, 0) < r->m.node)
        s->more = db_step(r->f->db, s->stmt, r->e);
    struct part_check c = {.r = r, .part = part, .stmt = s->stmt, .same = true};
    advance(&c, false);
    return c;
}

/* Returns true if there is a row to compare. After the first difference there is none. */
static bool on_row(const struct part_check *c)
{
    return c->same && c->more > 0;
}

/* Records whether the current row is the expected one: expect(c, on_row(c) && …). */
static void expect(struct part_check *c, bool same)
{
    c->same = same;
    if (same) {
        c->r->met[c->part]++;
        advance(c, true);
    }
}

/* Returns 1 if all rows were as expected, 0 if not, -1 on error. Remaining rows count as this
 * memory's. */
static int end_part(struct part_check *c)
{
    bool same = c->same && c->more == 0;
    for (; c->more > 0; advance(c, true))
        c->r->met[c->part]++;
    return c->more < 0 ? -1 : same;
}

/* Resets the statements of all parts. */
static void fsck_parts_end(struct rows *r)
{
    for (size_t i = 0; i < PART_COUNT; i++)
        if (r->scan[i].stmt)
            sqlite3_reset(r->scan[i].stmt);
}

static bool link_is(sqlite3_stmt *stmt, int64_t node, const struct group *g, size_t number,
                    size_t position)
{
    int64_t target = g->count ? group_antecedent(g, position)->node : 0;
    if (position)
        return fsck_row_is(stmt, "iiirinn", node, (int64_t)number, (int64_t)position, target,
                           (int64_t)g->shape);
    return fsck_row_is(stmt, "iiiriis", node, (int64_t)number, (int64_t)0, target,
                       (int64_t)g->shape, g->at, g->reason);
}

static void check_links(struct part_check *c)
{
    const struct memory *m = &c->r->m;
    for (size_t i = 0; i < groups_count(m); i++) {
        struct group g = groups_at(m, i);
        for (size_t k = 0; k < (g.count ? g.count : 1); k++)
            expect(c, on_row(c) && link_is(c->stmt, m->node, &g, i, k));
    }
}

static bool use_is(sqlite3_stmt *stmt, int64_t node, const struct antecedent *a, size_t number,
                   size_t position)
{
    const struct use *u = a->use;
    return fsck_row_is(stmt, "iiidiscmmssssr", node, (int64_t)number, (int64_t)position,
                       u->relevance, (int64_t)u->score, u->excerpt, u->chunk, u->rank, u->page,
                       u->section, u->version_hash, u->label, u->title, a->node);
}

static void check_uses(struct part_check *c)
{
    const struct memory *m = &c->r->m;
    for (size_t i = 0; i < m->justification_count; i++)
        for (size_t k = 0; k < m->justifications[i].count; k++) {
            const struct antecedent *a = &m->justifications[i].antecedents[k];
            if (!use_is_empty(a->use))
                expect(c, on_row(c) && use_is(c->stmt, m->node, a, i, k));
        }
}

static void check_history(struct part_check *c)
{
    const struct memory *m = &c->r->m;
    for (size_t i = 0; i < m->history_count; i++) {
        const struct history_entry *h = &m->history[i];
        expect(c, on_row(c) && fsck_row_is(c->stmt, "iiiddsssssss", m->node, (int64_t)i, h->at,
                                           h->old, h->new_, h->reason, h->evidence_source,
                                           h->operation, h->actor, h->origin, h->before, h->after));
    }
}

static void check_flags(struct part_check *c)
{
    const struct memory *m = &c->r->m;
    for (size_t i = 0; i < m->flag_count; i++) {
        const struct flag *k = &m->flags[i];
        expect(c, on_row(c) && fsck_row_is(c->stmt, "iisisssr", m->node, (int64_t)i, k->name, k->at,
                                           k->actor, k->value, k->reason, (int64_t)k->by_agent));
    }
}

/* Only listed attributions have a row. */
static bool has_attribution(const struct rows *r)
{
    return attribution_is_listed(&r->m);
}

static void check_attribution(struct part_check *c)
{
    const char *type = NULL;
    int64_t at = 0;
    attribution_of(&c->r->m, &c->r->f->arena, &at, &type);
    expect(c, on_row(c) && fsck_row_is(c->stmt, "isii", c->r->m.node, type, at, (int64_t)1));
}

static bool lookup_is(sqlite3_stmt *stmt, const struct lookup_row *row)
{
    return sqlite3_column_int64(stmt, 1) == (int64_t)row->field &&
           sqlite3_column_bytes(stmt, 2) == LOOKUP_KEY_SIZE &&
           memcmp(sqlite3_column_blob(stmt, 2), row->key, LOOKUP_KEY_SIZE) == 0 &&
           sqlite3_column_int64(stmt, 3) == 1;
}

/* Most memories have no such rows; superfluous ones show in the counts. */
static bool has_lookup(const struct rows *r)
{
    return lookup_has(&r->m);
}

static void check_lookup(struct part_check *c)
{
    struct lookup_row rows[LOOKUP_FIELDS_MOST];
    size_t count;
    lookup_of(&c->r->m, rows, &count);
    for (size_t i = 0; i < count; i++)
        expect(c, on_row(c) && lookup_is(c->stmt, &rows[i]));
}

static bool has_entry(const struct rows *r)
{
    return r->m.ref.kind == KIND_ENTRY && r->has_secret;
}

static void check_entry(struct part_check *c)
{
    struct entry_row row;
    int has = entry_row_of(c->r->f->db, &c->r->m, &c->r->f->arena, &row, c->r->e);
    if (has < 0)
        c->more = -1;
    else if (has)
        expect(c, on_row(c) && fsck_entry_is(c->stmt, c->r->m.node, &row));
}

static const struct part_table parts[PART_COUNT] = {
    [LINK] = {"link", "a link", "a link", "status <> 7",
              "SELECT memory, number, position, target, shape, at, reason FROM link"
              " ORDER BY memory, number, position",
              NULL, check_links},
    [USE] = {"use", "the use of a link", "the use of a link", "status <> 7",
             "SELECT memory, number, position, relevance, score, excerpt, chunk, rank, page,"
             " section, version_hash, label, title, target FROM use"
             " ORDER BY memory, number, position",
             NULL, check_uses},
    [HISTORY] = {"history", "an entry of a history", "its history", "status <> 7",
                 "SELECT memory, position, at, old, new, reason, evidence_source, operation, actor,"
                 " origin, before, after FROM history ORDER BY memory, position",
                 NULL, check_history},
    [MARK] = {"mark", "a mark", "a mark", "status <> 7",
              "SELECT memory, position, mark, at, actor, value, reason, by_agent FROM mark"
              " ORDER BY memory, position",
              NULL, check_flags},
    [ATTRIBUTION] = {"attribution", "an entry of the log of attributions",
                     "its place in the log of attributions", "kind = 9 AND status < 4",
                     "SELECT a.memory, a.type, a.at, a.agent = m.agent FROM attribution a"
                     " JOIN memory m ON m.id = a.memory ORDER BY a.memory",
                     has_attribution, check_attribution},
    [LOOKUP] = {"lookup", "what it is found by", "what it is found by",
                "kind IN (9, 11, 13) AND status < 4",
                "SELECT f.memory, f.field, f.key, f.agent = m.agent FROM lookup f"
                " JOIN memory m ON m.id = f.memory ORDER BY f.memory, f.field",
                has_lookup, check_lookup},
    [ENTRY] = {"entry", "a row of an entry", "its row among the entries",
               "kind = 14 AND status NOT IN (6, 7)",
               "SELECT e.memory, n.name, e.key, e.shown, e.state, e.created, e.updated, e.event,"
               " e.expires, e.bytes, e.open FROM entry e LEFT JOIN namespace n"
               " ON n.id = e.namespace ORDER BY e.memory",
               has_entry, check_entry},
};

/* Compares the memory's own row: values that are not in its JSON form, and bytes that a repair
 * would make equal. */
static bool row_is(struct rows *r, sqlite3_stmt *stmt)
{
    const struct memory *m = &r->m;
    strbuf_clear(&r->strings);
    put_strings(&r->strings, m->tags, m->tag_count);
    size_t tags = r->strings.len;
    strbuf_addch(&r->strings, '\0');
    size_t after = r->strings.len;
    put_strings(&r->strings, m->annotations, m->annotation_count);
    return fsck_row_is(stmt, "iisiiidiisssssss", m->node, (int64_t)m->ref.kind, m->ref.id,
                       (int64_t)m->status, m->created_at, m->updated_at, m->confidence,
                       (int64_t)m->is_protected, m->version, m->text, m->source, m->source_entity,
                       m->context, tags ? r->strings.buf : NULL,
                       r->strings.len > after ? r->strings.buf + after : NULL, put_detail(m));
}

/* Sets *wrong to the part of the memory that differs from what txn_put writes, or to NULL. `row` is
 * its own row. */
static int fsck_parts(struct rows *r, sqlite3_stmt *row, const char **wrong)
{
    *wrong = row_is(r, row) ? NULL : "its row";
    for (size_t i = 0; i < PART_COUNT; i++) {
        if (parts[i].has && !parts[i].has(r))
            continue;
        struct part_check c = begin_part(r, (enum part)i);
        parts[i].check(&c);
        int same = end_part(&c);
        if (same < 0)
            return -1;
        if (!same && !*wrong)
            *wrong = parts[i].of_memory;
    }
    return 0;
}

/* ---- each memory ---- */

/* Returns 1 if the memory is what its last event committed to, 0 if not, -1 on error. */
static int check_commitment(struct rows *r, int64_t seq)
{
    struct query row =
        db_query(r->f->db, r->e, "SELECT canonical, salt FROM event WHERE seq = ?", "i", seq);
    if (!db_next(&row))
        return db_end(&row);
    const char *text = (const char *)sqlite3_column_text(row.stmt, 0);
    size_t len = (size_t)sqlite3_column_bytes(row.stmt, 0);
    struct error ignored;
    struct json_slice after = {NULL, 0};
    if (text && json_check(text, len, 1, &ignored) == 0)
        after = json_member(text, len, "after");
    bool salted = sqlite3_column_bytes(row.stmt, 1) == SALT_SIZE;
    bool same = false;
    if (salted && after.ptr) {
        struct digest d;
        char hex[2 * DIGEST_SIZE + 1];
        strbuf_clear(&r->bytes);
        memory_json_write(&r->bytes, &r->m, NULL);
        digest_commit(&d, sqlite3_column_blob(row.stmt, 1), r->bytes.buf, r->bytes.len);
        digest_hex(hex, &d);
        same = after.len == 2 * DIGEST_SIZE + 2 && memcmp(after.ptr + 1, hex, 2 * DIGEST_SIZE) == 0;
    }
    db_end(&row);
    return same;
}

static void report_row(struct rows *r, enum fsck_fault fault, int64_t seq, const char *how)
{
    fsck_report(r->f, fault, seq, r->m.ref, NULL, "%s:%s %s", kind_name(r->m.ref.kind), r->m.ref.id,
                how);
}

/* A stub must have no content but its ref. If it has events, the last of them is an undone
 * addition. */
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
                   "was altered: it was never written, but its row has content");
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

/* Compares the memory with its last event, then with what events do not cover. */
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
                   "was changed by an event that is missing: the "
                   "journal's tail was cut");
    else if (!same && r->m.event > 0 && !found)
        fsck_report(r->f, FSCK_ROW_UNRECORDED, r->m.event, r->m.ref,
                    "Compare what stemma show says of it with a backup.",
                    "%s:%s cannot be checked: its last event, %lld, is missing",
                    kind_name(r->m.ref.kind), r->m.ref.id, (long long)r->m.event);
    else if (!last)
        report_row(r, FSCK_ROW_UNRECORDED, 0, "has no event: it was inserted without the journal");
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

/* Sets *missing to a missing row that the memory refers to, or to 0. */
static int find_missing(struct rows *r, int64_t node, int64_t *missing)
{
    return db_int(r->f->db, missing, 0, r->e,
                  "SELECT target FROM link WHERE memory = ? AND target > 0"
                  " AND target NOT IN (SELECT id FROM memory) ORDER BY number, position LIMIT 1",
                  "i", node);
}

/* Appends "row 5 (raw:x)" with the ref from the row's last event. *was is set if the row existed
 * once. */
static int name_missing(struct rows *r, int64_t missing, struct strbuf *out, bool *was)
{
    struct ref ref;
    int64_t seq;
    if (db_int(r->f->db, &seq, 0, r->e, "SELECT max(seq) FROM event WHERE subject = ?", "i",
               missing) ||
        fsck_ref_of_event(r, seq, &ref))
        return -1;
    strbuf_addf(out, "row %lld", (long long)missing);
    *was = seq || missing <= r->f->last_node;
    if (!ref.id)
        return 0;
    strbuf_addstr(out, " (");
    ref_add(out, ref);
    strbuf_addch(out, ')');
    return 0;
}

/* Reports a memory that could not be read, with the reason in r->e: a row that it refers to is
 * missing, or the memory itself is damaged. */
static int report_unreadable(struct rows *r, sqlite3_stmt *row, int64_t node, int64_t last)
{
    struct ref ref;
    int64_t missing;
    bool was = false;
    struct error why = *r->e;
    AUTO_STRBUF self = STRBUF_INIT, other = STRBUF_INIT;
    int result = failed_if((!fsck_ref(r->f, row, 1, &ref) && fsck_ref_of_event(r, last, &ref)) ||
                           find_missing(r, node, &missing) ||
                           (missing && name_missing(r, missing, &other, &was)));
    if (result == 0 && ref.id)
        ref_add(&self, ref);
    else
        strbuf_addf(&self, "row %lld", (long long)node);
    if (result == 0 && was)
        fsck_report(r->f, FSCK_LINK_BROKEN, last, ref, NULL,
                    "%s names %s, which is missing, and cannot be checked without it", self.buf,
                    other.buf);
    else if (result == 0 && missing)
        fsck_report(r->f, FSCK_ROW_ALTERED, last, ref, NULL,
                    "%s was altered: it names %s, which is"
                    " not there",
                    self.buf, other.buf);
    else if (result == 0)
        fsck_report(r->f, FSCK_ROW_ALTERED, last, ref, NULL, "%s was altered: %s", self.buf,
                    why.what);
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
    bool is_sound = r->f->summary->findings == before && !row_set_has(&r->f->faulty, node);
    if (is_sound && r->m.ref.kind == KIND_ENTRY && fsck_entry_leaving(r))
        return -1;
    if (r->f->summary->findings > before)
        fsck_mark_faulty(r->f, node);
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
    struct query rows = db_query(f->db, r->e, memories_sql, "");
    while (db_next(&rows)) {
        int64_t node = sqlite3_column_int64(rows.stmt, 0);
        int result = next < node ? fsck_gap(r, next, node) : 0;
        next = node < 1 ? 1 : node + 1;
        if (result || fsck_step(f, r->e) || check_memory(r, rows.stmt))
            return db_fail(&rows);
    }
    return db_end(&rows);
}

static int report_waiting(void *arg, int64_t row, bool missing)
{
    struct fsck *f = arg;
    struct error ignored;
    struct ref ref = {KIND_RAW, NULL};
    struct query rows =
        db_query(f->db, &ignored, "SELECT kind, name FROM memory WHERE id = ?", "i", row);
    if (db_next(&rows))
        fsck_ref(f, rows.stmt, 0, &ref);
    db_end(&rows);
    fsck_report(f, FSCK_ROW_ALTERED, 0, ref,
                "Approve it, or flag it for_review: that decides anew.", "%s:%s %s",
                kind_name(ref.kind), ref.id ? ref.id : "?",
                missing ? "should wait for a decision and does not"
                        : "waits for a decision and should not");
    return 0;
}

/* A memory with a finding may wait for another reason than its journal says. */
static int check_waiting(struct fsck *f, struct error *e)
{
    return f->summary->findings ? 0 : waiting_check(f->db, report_waiting, f, e);
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
    if (result == 0)
        result = check_waiting(f, e);
    strbuf_release(&r.bytes);
    strbuf_release(&r.strings);
    return result;
}
