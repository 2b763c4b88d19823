/* What a memory has several of: links, uses, history, marks. Only what differs is written. */
#include "store/record/put.h"

#include "store/record/groups.h"
#include "store/record/load.h"
#include "store/db/same.h"

/* Of a bulk load the target may not have come: load_finish fills it. */
static int put_use(struct txn *t, int64_t node, size_t number, size_t position,
                   const struct antecedent *a, struct error *e)
{
    const struct use *u = a->use;
    return db_run(
        t->db, e,
        "INSERT INTO use(memory, number, position, relevance, score, excerpt, chunk,"
        " rank, page, section, version_hash, label, title, target)"
        " VALUES (?, ?, ?, ?, ?, ?, nullif(?, -1), nullif(?, -1), nullif(?, -1), ?, ?, ?, ?, ?)",
        "iiidisiiissssr", node, (int64_t)number, (int64_t)position, u->relevance, (int64_t)u->score,
        u->excerpt, u->chunk, u->rank, u->page, u->section, u->version_hash, u->label, u->title,
        a->node > 0 ? a->node : 0);
}

int put_link_row(struct txn *t, const struct link_row *link, struct error *e)
{
    static const char sql[] =
        "INSERT INTO link(memory, number, position, target, shape, at, reason)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)";
    if (link->position)
        return db_run(t->db, e, sql, "iiirinn", link->memory, (int64_t)link->number,
                      (int64_t)link->position, link->target, (int64_t)link->shape);
    return db_run(t->db, e, sql, "iiiriis", link->memory, (int64_t)link->number, (int64_t)0,
                  link->target, (int64_t)link->shape, link->at, link->reason);
}

static int put_link(struct txn *t, int64_t node, size_t number, size_t position,
                    const struct group *g, int64_t target, struct error *e)
{
    struct link_row link = {.memory = node,
                            .target = target,
                            .number = (uint32_t)number,
                            .position = (uint32_t)position,
                            .shape = g->shape};
    if (position == 0) {
        link.at = g->at;
        link.reason = g->reason;
    }
    if (!t->load)
        return put_link_row(t, &link, e);
    load_link(t->load, &link);
    return 0;
}

static int put_group(struct txn *t, int64_t node, size_t number, const struct group *g,
                     struct error *e)
{
    if (g->count == 0)
        return put_link(t, node, number, 0, g, 0, e);
    for (size_t i = 0; i < g->count; i++) {
        const struct antecedent *a = group_member(g, i);
        if (put_link(t, node, number, i, g, a->node, e) ||
            (!use_is_empty(a->use) && put_use(t, node, number, i, a, e)))
            return -1;
    }
    return 0;
}

static int find_target(struct txn *t, struct ref ref, int64_t *node, struct error *e)
{
    if (t->load) {
        load_target(t->load, ref, node);
        return 0;
    }
    *node = txn_ref(t, ref, true, e);
    return *node < 0 ? -1 : 0;
}

/* The rows that the links lead to; those never named become stubs. */
static int find_targets(struct txn *t, struct memory *m, struct error *e)
{
    for (size_t i = 0; i < m->justification_count; i++)
        for (size_t k = 0; k < m->justifications[i].count; k++) {
            struct antecedent *a = &m->justifications[i].antecedents[k];
            if (find_target(t, a->ref, &a->node, e))
                return -1;
        }
    for (size_t i = 0; i < m->relation_count; i++)
        if (find_target(t, m->relations[i].to, &m->relations[i].to_node, e))
            return -1;
    return 0;
}

int put_links(struct txn *t, const struct memory *before, struct memory *after, struct error *e)
{
    if (find_targets(t, after, e))
        return -1;
    size_t shared = before ? groups_shared(before, after) : 0;
    if (before && shared < groups_count(before) &&
        (db_run(t->db, e, "DELETE FROM link WHERE memory = ? AND number >= ?", "ii", after->node,
                (int64_t)shared) ||
         db_run(t->db, e, "DELETE FROM use WHERE memory = ? AND number >= ?", "ii", after->node,
                (int64_t)shared)))
        return -1;
    for (size_t i = shared; i < groups_count(after); i++) {
        struct group g = groups_at(after, i);
        if (put_group(t, after->node, i, &g, e))
            return -1;
    }
    return 0;
}

static bool same_entry(const struct history_entry *a, const struct history_entry *b)
{
    return a->at == b->at && same_number(a->old, b->old) && same_number(a->new_, b->new_) &&
           same_text(a->reason, b->reason) && same_text(a->evidence_source, b->evidence_source) &&
           same_text(a->operation, b->operation) && same_text(a->actor, b->actor) &&
           same_text(a->origin, b->origin);
}

int put_history(struct txn *t, const struct memory *before, const struct memory *after,
                struct error *e)
{
    size_t had = before ? before->history_count : 0, shared = 0;
    while (shared < had && shared < after->history_count &&
           same_entry(&before->history[shared], &after->history[shared]))
        shared++;
    if (shared < had && db_run(t->db, e, "DELETE FROM history WHERE memory = ? AND position >= ?",
                               "ii", after->node, (int64_t)shared))
        return -1;
    for (size_t i = shared; i < after->history_count; i++) {
        const struct history_entry *h = &after->history[i];
        if (db_run(t->db, e,
                   "INSERT INTO history(memory, position, at, old, new, reason, evidence_source,"
                   " operation, actor, origin) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                   "iiiddsssss", after->node, (int64_t)i, h->at, h->old, h->new_, h->reason,
                   h->evidence_source, h->operation, h->actor, h->origin))
            return -1;
    }
    return 0;
}

static bool same_mark(const struct mark *a, const struct mark *b)
{
    return a->at == b->at && same_text(a->mark, b->mark) && same_text(a->actor, b->actor) &&
           same_text(a->value, b->value) && same_text(a->reason, b->reason);
}

int put_marks(struct txn *t, const struct memory *before, const struct memory *after,
              struct error *e)
{
    size_t had = before ? before->mark_count : 0, shared = 0;
    while (shared < had && shared < after->mark_count &&
           same_mark(&before->marks[shared], &after->marks[shared]))
        shared++;
    if (shared < had && db_run(t->db, e, "DELETE FROM mark WHERE memory = ? AND position >= ?",
                               "ii", after->node, (int64_t)shared))
        return -1;
    for (size_t i = shared; i < after->mark_count; i++) {
        const struct mark *k = &after->marks[i];
        if (db_run(t->db, e,
                   "INSERT INTO mark(memory, position, mark, at, actor, value, reason)"
                   " VALUES (?, ?, ?, ?, ?, ?, ?)",
                   "iisisss", after->node, (int64_t)i, k->mark, k->at, k->actor, k->value,
                   k->reason))
            return -1;
    }
    return 0;
}

int put_nothing(struct txn *t, const struct memory *before, struct error *e)
{
    static const char *const sql[] = {
        "DELETE FROM link WHERE memory = ?", "DELETE FROM use WHERE memory = ?",
        "DELETE FROM history WHERE memory = ?", "DELETE FROM mark WHERE memory = ?"};
    for (size_t i = 0; i < sizeof(sql) / sizeof(*sql); i++)
        if (db_run(t->db, e, sql[i], "i", before->node))
            return -1;
    return 0;
}
