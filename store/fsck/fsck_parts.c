/* Each row that holds a part of a memory, against the form that txn_put gives it. */
#include "store/fsck/fsck_rows.h"

#include "store/record/index_tables.h"
#include "store/record/entry_row.h"
#include "store/record/put.h"

/*
 * The scan over a part, at the first row of this memory; *more: 1 there is one, 0 none, -1 it failed. Memories come in the
 * order of their rows, and so do the scans; rows between two memories belong to none.
 */
static sqlite3_stmt *part_rows(struct rows *r, enum part part, const char *sql, int *more)
{
    struct part_scan *s = &r->scan[part];
    if (!s->stmt) {
        s->stmt = db_prepare(r->f->db, sql, r->e);
        s->more = s->stmt ? db_step(r->f->db, s->stmt, r->e) : -1;
    }
    while (s->more > 0 && sqlite3_column_int64(s->stmt, 0) < r->m.node)
        s->more = db_step(r->f->db, s->stmt, r->e);
    *more = s->more > 0 ? sqlite3_column_int64(s->stmt, 0) == r->m.node : s->more;
    return s->stmt;
}

/* Goes on to the next row of a part where the last was as it should be. */
static void next_row(struct rows *r, enum part part, int *more, bool same)
{
    struct part_scan *s = &r->scan[part];
    r->met[part]++;
    if (!same)
        return;
    s->more = db_step(r->f->db, s->stmt, r->e);
    *more = s->more > 0 ? sqlite3_column_int64(s->stmt, 0) == r->m.node : s->more;
}

/* 1 as it should be, 0 not, -1 an error: after the last row that there should be. What is left counts as this memory's. */
static int end_rows(struct rows *r, enum part part, int more, bool same)
{
    bool left_over = more > 0;
    if (left_over && !same) /* the row that is not as it should be was counted */
        r->met[part]--;
    while (more > 0)
        next_row(r, part, &more, true);
    return more < 0 ? -1 : same && !left_over;
}

void fsck_parts_end(struct rows *r)
{
    for (size_t i = 0; i < PART_COUNT; i++)
        if (r->scan[i].stmt)
            sqlite3_reset(r->scan[i].stmt);
}

static bool link_is(sqlite3_stmt *stmt, int64_t node, const struct group *g, size_t number,
                    size_t position)
{
    int64_t target = g->count ? group_member(g, position)->node : 0;
    if (position)
        return fsck_row_is(stmt, "iiirinn", node, (int64_t)number, (int64_t)position, target,
                           (int64_t)g->shape);
    return fsck_row_is(stmt, "iiiriis", node, (int64_t)number, (int64_t)0, target,
                       (int64_t)g->shape, g->at, g->reason);
}

static int check_links(struct rows *r)
{
    int more;
    bool same = true;
    sqlite3_stmt *stmt =
        part_rows(r, LINK,
                  "SELECT memory, number, position, target, shape, at, reason FROM link"
                  " ORDER BY memory, number, position",
                  &more);
    for (size_t i = 0; i < groups_count(&r->m) && same && more >= 0; i++) {
        struct group g = groups_at(&r->m, i);
        for (size_t k = 0; k < (g.count ? g.count : 1) && same && more >= 0; k++) {
            same = more > 0 && link_is(stmt, r->m.node, &g, i, k);
            if (more > 0)
                next_row(r, LINK, &more, same);
        }
    }
    return end_rows(r, LINK, more, same);
}

static bool use_is(sqlite3_stmt *stmt, int64_t node, const struct antecedent *a, size_t number,
                   size_t position)
{
    const struct use *u = a->use;
    return fsck_row_is(stmt, "iiidismmmssssr", node, (int64_t)number, (int64_t)position,
                       u->relevance, (int64_t)u->score, u->excerpt, u->chunk, u->rank, u->page,
                       u->section, u->version_hash, u->label, u->title, a->node);
}

static int check_uses(struct rows *r)
{
    int more;
    bool same = true;
    sqlite3_stmt *stmt = part_rows(
        r, USE,
        "SELECT memory, number, position, relevance, score, excerpt, chunk, rank, page, section,"
        " version_hash, label, title, target FROM use ORDER BY memory, number, position",
        &more);
    for (size_t i = 0; i < r->m.justification_count && same && more >= 0; i++) {
        const struct justification *j = &r->m.justifications[i];
        for (size_t k = 0; k < j->count && same && more >= 0; k++) {
            const struct antecedent *a = &j->antecedents[k];
            if (use_is_empty(a->use))
                continue;
            same = more > 0 && use_is(stmt, r->m.node, a, i, k);
            if (more > 0)
                next_row(r, USE, &more, same);
        }
    }
    return end_rows(r, USE, more, same);
}

static int check_history(struct rows *r)
{
    int more;
    bool same = true;
    sqlite3_stmt *stmt = part_rows(
        r, HISTORY,
        "SELECT memory, position, at, old, new, reason, evidence_source, operation, actor, origin"
        " FROM history ORDER BY memory, position",
        &more);
    for (size_t i = 0; i < r->m.history_count && same && more >= 0; i++) {
        const struct history_entry *h = &r->m.history[i];
        same = more > 0 &&
               fsck_row_is(stmt, "iiiddsssss", r->m.node, (int64_t)i, h->at, h->old, h->new_,
                           h->reason, h->evidence_source, h->operation, h->actor, h->origin);
        if (more > 0)
            next_row(r, HISTORY, &more, same);
    }
    return end_rows(r, HISTORY, more, same);
}

static int check_marks(struct rows *r)
{
    int more;
    bool same = true;
    sqlite3_stmt *stmt =
        part_rows(r, MARK,
                  "SELECT memory, position, mark, at, actor, value, reason FROM mark"
                  " ORDER BY memory, position",
                  &more);
    for (size_t i = 0; i < r->m.mark_count && same && more >= 0; i++) {
        const struct mark *k = &r->m.marks[i];
        same = more > 0 && fsck_row_is(stmt, "iisisss", r->m.node, (int64_t)i, k->mark, k->at,
                                       k->actor, k->value, k->reason);
        if (more > 0)
            next_row(r, MARK, &more, same);
    }
    return end_rows(r, MARK, more, same);
}

/* Only one that is listed has a row, and of the agent that the memory is of. */
static int check_attribution(struct rows *r)
{
    const char *type = NULL;
    int more;
    if (!attribution_is_listed(&r->m))
        return 1;
    sqlite3_stmt *stmt = part_rows(
        r, ATTRIBUTION,
        "SELECT a.memory, a.type, a.at, a.agent = m.agent FROM attribution a JOIN memory m"
        " ON m.id = a.memory ORDER BY a.memory",
        &more);
    struct arena arena = ARENA_INIT;
    int64_t at = 0;
    attribution_type(&r->m, &arena, &type);
    attribution_time(&r->m, &at);
    bool same = more > 0 && fsck_row_is(stmt, "isii", r->m.node, type, at, (int64_t)1);
    arena_release(&arena);
    if (more > 0)
        next_row(r, ATTRIBUTION, &more, same);
    return end_rows(r, ATTRIBUTION, more, same);
}

static bool found_by_is(sqlite3_stmt *stmt, const struct found_by_row *row)
{
    return sqlite3_column_int64(stmt, 1) == (int64_t)row->field &&
           sqlite3_column_bytes(stmt, 2) == FOUND_BY_KEY &&
           memcmp(sqlite3_column_blob(stmt, 2), row->key, FOUND_BY_KEY) == 0 &&
           sqlite3_column_int64(stmt, 3) == 1;
}

/* Most have none, and of those it is enough that there are no more rows than were met. */
static int check_found_by(struct rows *r)
{
    struct found_by_row rows[FOUND_BY_MOST];
    size_t count;
    int more;
    bool same = true;
    found_by_of(&r->m, rows, &count);
    if (!found_by_has(r->m.ref.kind))
        return 1;
    sqlite3_stmt *stmt =
        part_rows(r, FOUND_BY,
                  "SELECT f.memory, f.field, f.key, f.agent = m.agent FROM found_by f JOIN memory m"
                  " ON m.id = f.memory ORDER BY f.memory, f.field",
                  &more);
    for (size_t i = 0; i < count && same && more >= 0; i++) {
        same = more > 0 && found_by_is(stmt, &rows[i]);
        if (more > 0)
            next_row(r, FOUND_BY, &more, same);
    }
    return end_rows(r, FOUND_BY, more, same);
}

static int check_entry(struct rows *r)
{
    int more;
    struct entry_row row;
    if (r->m.ref.kind != KIND_ENTRY || !r->has_secret)
        return 1;
    struct arena arena = ARENA_INIT;
    int has = entry_row_of(r->f->db, &r->m, &arena, &row, r->e);
    if (has < 0) {
        arena_release(&arena);
        return -1;
    }
    sqlite3_stmt *stmt = part_rows(
        r, ENTRY,
        "SELECT e.memory, n.name, e.key, e.shown, e.state, e.created, e.updated, e.event, "
        "e.expires, e.bytes,"
        " e.open FROM entry e LEFT JOIN namespace n ON n.id = e.namespace ORDER BY e.memory",
        &more);
    bool same = !has || (more > 0 && fsck_entry_is(stmt, r->m.node, &row));
    if (has && more > 0)
        next_row(r, ENTRY, &more, same);
    arena_release(&arena);
    return end_rows(r, ENTRY, more, same);
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
    return fsck_row_is(stmt, "iisiiidiisssssss", m->node, (int64_t)m->ref.kind, m->ref.id,
                       (int64_t)m->status, m->created_at, m->updated_at, m->confidence,
                       (int64_t)m->is_protected, m->version, m->text, m->source, m->source_entity,
                       m->context, tags ? r->strings.buf : NULL,
                       r->strings.len > after ? r->strings.buf + after : NULL, put_detail(m));
}

int fsck_parts(struct rows *r, sqlite3_stmt *row, const char **wrong)
{
    int (*const checks[])(struct rows *) = {check_links, check_uses,        check_history,
                                            check_marks, check_attribution, check_found_by,
                                            check_entry};
    static const char *const names[] = {"a link",
                                        "the use of a link",
                                        "its history",
                                        "a mark",
                                        "its place in the log of attributions",
                                        "what it is found by",
                                        "its row among the entries"};
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
