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

static int out_of_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "Ask for less at once.", "memory ran out");
}

/* ---- what is erased ---- */

static int copy_list(struct plan *p, const void *list, size_t count, size_t size, void **copy,
                     struct error *e)
{
    *copy = count ? arena_memdup(p->arena, list, count * size) : NULL;
    return count && !*copy ? out_of_memory(e) : 0;
}

/* The numbers of a use say nothing by themselves. */
static int strip_use(struct plan *p, const struct use **use, struct error *e)
{
    if (!*use)
        return 0;
    struct use *bare = arena_memdup(p->arena, *use, sizeof(**use));
    if (!bare)
        return out_of_memory(e);
    bare->excerpt = bare->section = bare->version_hash = bare->label = bare->title = NULL;
    *use = use_is_empty(bare) ? NULL : bare;
    return 0;
}

static int strip_justifications(struct plan *p, struct memory *m, struct error *e)
{
    void *all, *antecedents;
    if (copy_list(p, m->justifications, m->justification_count, sizeof(*m->justifications), &all,
                  e))
        return -1;
    m->justifications = all;
    for (size_t i = 0; i < m->justification_count; i++) {
        struct justification *j = &m->justifications[i];
        if (copy_list(p, j->antecedents, j->count, sizeof(*j->antecedents), &antecedents, e))
            return -1;
        j->reason = NULL;
        j->antecedents = antecedents;
        for (size_t k = 0; k < j->count; k++)
            if (strip_use(p, &j->antecedents[k].use, e))
                return -1;
    }
    return 0;
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
    if (copy_list(p, m->history, m->history_count, sizeof(*m->history), &all, e))
        return -1;
    m->history = all;
    for (size_t i = 0; i < m->history_count; i++) {
        m->history[i].reason = NULL;
        if (strip_evidence(p, &m->history[i], e))
            return -1;
    }
    return 0;
}

static int strip_marks_and_relations(struct plan *p, struct memory *m, struct error *e)
{
    void *marks, *relations;
    if (copy_list(p, m->marks, m->mark_count, sizeof(*m->marks), &marks, e) ||
        copy_list(p, m->relations, m->relation_count, sizeof(*m->relations), &relations, e))
        return -1;
    m->marks = marks;
    m->relations = relations;
    for (size_t i = 0; i < m->mark_count; i++)
        m->marks[i].value = m->marks[i].reason = NULL;
    for (size_t i = 0; i < m->relation_count; i++)
        m->relations[i].reason = NULL;
    return 0;
}

static int strip(struct plan *p, struct memory *m, struct error *e)
{
    m->status = STATUS_PURGED;
    m->text = "";
    m->source = m->source_entity = m->context = m->detail = NULL;
    m->tags = m->annotations = NULL;
    m->tag_count = m->annotation_count = 0;
    return strip_justifications(p, m, e) || strip_history(p, m, e) ||
                   strip_marks_and_relations(p, m, e)
               ? -1
               : 0;
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
    if (!*m)
        return out_of_memory(e);
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
    if (reason && !change.reason)
        return out_of_memory(e);
    return strip(p, m, e) || plan_append(p, &change, e) ? -1 : 0;
}

/* ---- all of it ---- */

static int purge(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    const struct memory *now = plan_read(p, node, e);
    if (!now)
        return e->code == ERROR_NOT_FOUND ? purge_taken_back(p, node, q->reason, e) : -1;
    if (now->status == STATUS_PURGED)
        return plan_leave(p, e, "%s:%s is purged already", kind_name(now->ref.kind), now->ref.id);
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
