/*
 * Purge: what it says is erased for good, here and in the patches, reasons and salts of its events; ref, links,
 * times, kind, agent and numbers stay, so that the lineage and the journal's chain do. What cannot be reached
 * from here is told: where copies may live. scrub.h says what is left to do afterwards.
 */
#include "store/ops/operation.h"

#include "model/format/exchange.h"
#include "store/ops/copies.h"
#include "store/record/groups.h"
#include "store/journal/journal.h"
#include "store/db/reader.h"
#include "store/ops/remedy.h"
#include "store/history/rewind.h"

/* ---- what is erased ---- */

static void copy_list(struct plan *p, const void *list, size_t count, size_t size, void **copy)
{
    *copy = count ? arena_memdup(p->arena, list, count * size) : NULL;
}

/* The numbers of a use say nothing by themselves. */
static void strip_use(struct plan *p, const struct use **use)
{
    if (!*use)
        return;
    struct use *bare = arena_memdup(p->arena, *use, sizeof(**use));
    bare->excerpt = bare->section = bare->version_hash = bare->label = bare->title = NULL;
    *use = use_is_empty(bare) ? NULL : bare;
}

static void strip_justifications(struct plan *p, struct memory *m)
{
    void *all, *antecedents;
    copy_list(p, m->justifications, m->justification_count, sizeof(*m->justifications), &all);
    m->justifications = all;
    for (size_t i = 0; i < m->justification_count; i++) {
        struct justification *j = &m->justifications[i];
        copy_list(p, j->antecedents, j->count, sizeof(*j->antecedents), &antecedents);
        j->reason = NULL;
        j->antecedents = antecedents;
        for (size_t k = 0; k < j->count; k++)
            strip_use(p, &j->antecedents[k].use);
    }
}

/* What is written where a ref belongs may be any words: only that of a memory that is known stays. */
static int strip_evidence(struct plan *p, struct history_entry *h, struct error *e)
{
    struct ref ref;
    int64_t known = 0;
    if (!h->evidence_source)
        return 0;
    if (ref_parse(h->evidence_source, &ref) == REF_MEMORY &&
        (known = ref_find(reader_db(p->reader), ref, e)) < 0)
        return -1;
    if (!known)
        h->evidence_source = NULL;
    return 0;
}

static int strip_history(struct plan *p, struct memory *m, struct error *e)
{
    void *all;
    copy_list(p, m->history, m->history_count, sizeof(*m->history), &all);
    m->history = all;
    for (size_t i = 0; i < m->history_count; i++) {
        m->history[i].reason = NULL;
        if (strip_evidence(p, &m->history[i], e))
            return -1;
    }
    return 0;
}

static void strip_marks_and_relations(struct plan *p, struct memory *m)
{
    void *marks, *relations;
    copy_list(p, m->marks, m->mark_count, sizeof(*m->marks), &marks);
    copy_list(p, m->relations, m->relation_count, sizeof(*m->relations), &relations);
    m->marks = marks;
    m->relations = relations;
    for (size_t i = 0; i < m->mark_count; i++)
        m->marks[i].value = m->marks[i].reason = NULL;
    for (size_t i = 0; i < m->relation_count; i++)
        m->relations[i].reason = NULL;
}

static int strip(struct plan *p, struct memory *m, struct error *e)
{
    m->status = STATUS_PURGED;
    m->text = "";
    m->source = m->source_entity = m->context = m->detail = NULL;
    m->tags = m->annotations = NULL;
    m->tag_count = m->annotation_count = 0;
    strip_justifications(p, m);
    if (strip_history(p, m, e))
        return -1;
    strip_marks_and_relations(p, m);
    return 0;
}

/* ---- what was added and taken back ---- */

/*
 * Only a stub is left of it, and the event that took it back keeps it whole. *m NULL: the row was never
 * more than a stub.
 */
static int read_taken_back(struct plan *p, int64_t node, struct memory **m, struct error *e)
{
    struct event *events;
    size_t count;
    *m = NULL;
    if (journal_of(p->reader, p->arena, node, &events, &count, e))
        return -1;
    while (count > 0 && rewind_keeps(events[count - 1].operation))
        count--;
    if (count == 0 || !events[count - 1].patch)
        return 0;
    *m = arena_alloc(p->arena, sizeof(**m));
    if (exchange_unpatch(*m, NULL, p->arena, events[count - 1].patch, e))
        return -1;
    (*m)->node = node;
    (*m)->version++;
    (*m)->updated_at = p->now;
    return 0;
}

/* -1 with ERROR_NOT_FOUND, as of any stub, where nothing of it is kept. */
static int purge_taken_back(struct plan *p, int64_t node, const char *reason, struct error *e)
{
    struct memory *m;
    struct error not_found = *e;
    if (read_taken_back(p, node, &m, e))
        return -1;
    if (!m) {
        *e = not_found;
        return -1;
    }
    struct planned change = {
        .operation = "purge", .after = m, .reason = arena_strdup(p->arena, reason), .erases = true};
    if (strip(p, m, e))
        return -1;
    plan_append(p, &change);
    return 0;
}

/* ---- all of it ---- */

static int purge(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    const struct memory *now = plan_read(p, node, e);
    if (!now)
        return e->code == ERROR_NOT_FOUND ? purge_taken_back(p, node, q->reason, e) : -1;
    if (now->status == STATUS_PURGED) {
        plan_leave(p, "%s:%s is purged already", kind_name(now->ref.kind), now->ref.id);
        return 0;
    }
    if (now->is_protected)
        return error_set(e, ERROR_REFUSED, REMEDY_UNPROTECT, "%s:%s is protected",
                         kind_name(now->ref.kind), now->ref.id);
    struct memory *m = plan_change(p, node, "purge", q->reason, e);
    if (!m)
        return -1;
    p->change[p->count - 1].erases = true;
    return strip(p, m, e);
}

int op_purge(struct plan *p, const struct request *q, struct error *e)
{
    size_t count;
    int64_t *rows = operation_rows(p, q, 1, &count, e);
    if (!rows)
        return -1;
    for (size_t i = 0; i < count; i++)
        if (purge(p, rows[i], q, e))
            return -1;
    p->named = p->count;
    if (p->count == 0)
        return 0;
    return plan_consequences(p, rows, count, e) || copies_remark(p, rows, count, e) ? -1 : 0;
}
