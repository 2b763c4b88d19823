/*
 * Purge: erases the content of a memory for good, here and in the patches, reasons and salts of its
 * events. Ref, links, times, kind, agent and numbers stay, so that the lineage and the journal's
 * hash chain stay intact. Copies that a purge cannot reach are listed in remarks. checkpoint.h
 * describes the cleaning of the file afterwards.
 */
#include "store/ops/operation_internal.h"

#include "model/base/strbuf.h"

#include "model/format/memory_json.h"
#include "store/record/put.h"
#include "store/journal/journal.h"
#include "store/history/past.h"
#include "store/query/list.h"
#include "store/record/get.h"

/* ---- erasing content ---- */

/* Page numbers and the like do not reveal content and stay. */
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
    size_t count = m->justification_count;
    m->justifications =
        arena_memdup(p->arena, m->justifications, count * sizeof(*m->justifications));
    for (struct justification *j = m->justifications; j < m->justifications + count; j++) {
        j->reason = NULL;
        j->antecedents = arena_memdup(p->arena, j->antecedents, j->count * sizeof(*j->antecedents));
        for (size_t k = 0; k < j->count; k++)
            strip_use(p, &j->antecedents[k].use);
    }
}

/* An evidence source may be any text. Only the ref of a known memory is kept. */
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
    m->history = arena_memdup(p->arena, m->history, m->history_count * sizeof(*m->history));
    for (size_t i = 0; i < m->history_count; i++) {
        m->history[i].reason = m->history[i].before = m->history[i].after = NULL;
        if (strip_evidence(p, &m->history[i], e))
            return -1;
    }
    return 0;
}

static void strip_flags_and_relations(struct plan *p, struct memory *m)
{
    m->flags = arena_memdup(p->arena, m->flags, m->flag_count * sizeof(*m->flags));
    m->relations = arena_memdup(p->arena, m->relations, m->relation_count * sizeof(*m->relations));
    for (size_t i = 0; i < m->flag_count; i++)
        m->flags[i].value = m->flags[i].reason = NULL;
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
    strip_flags_and_relations(p, m);
    return 0;
}

/* ---- additions that were undone ---- */

/* An undone addition leaves a stub; the patch of the last event still holds the whole memory. Sets
 * *m to NULL if the row was never more than a stub. */
static int read_taken_back(struct plan *p, int64_t node, struct memory **m, struct error *e)
{
    struct event *events;
    size_t count;
    *m = NULL;
    if (journal_of(p->reader, p->arena, node, &events, &count, e))
        return -1;
    while (count > 0 && rewind_is_sweep(events[count - 1].operation))
        count--;
    if (count == 0 || !events[count - 1].patch)
        return 0;
    *m = arena_alloc(p->arena, sizeof(**m));
    if (memory_json_unpatch(*m, NULL, p->arena, events[count - 1].patch, e))
        return -1;
    (*m)->node = node;
    (*m)->version++;
    (*m)->updated_at = p->now;
    return 0;
}

/* Returns ERROR_NOT_FOUND, as for any stub, if no content is kept. */
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

/* ---- the operation ---- */

int op_purge(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    const struct memory *now = plan_read(p, node, e);
    if (!now)
        return e->code == ERROR_NOT_FOUND ? purge_taken_back(p, node, q->reason, e) : -1;
    if (now->status == STATUS_PURGED)
        return plan_leave(p, "%s:%s is purged already", REF_ARGS(now->ref));
    if (operation_check_unprotected(now, e))
        return -1;
    struct memory *m = plan_change(p, node, "purge", q->reason, e);
    if (!m)
        return -1;
    p->change[p->count - 1].erases = true;
    return strip(p, m, e);
}

/* ---- remaining copies ---- */

/*
 * Words of an erased memory may remain in excerpts that others quote, in memories made from it, in
 * reasons that name it, in imported files and in backups. The queries below find the memories by
 * index: those linked to it, and those changed together with it.
 */
#define NAMED 8 /* this many are named, the rest is counted */

/* The erased memories, and other rows that were found; each once. */
struct copies {
    struct plan *p;
    struct row_index erased, found;
};

/* ---- finding copies ---- */

static const char quoting_sql[] =
    "SELECT l.memory FROM link l INDEXED BY link_target JOIN use u ON u.memory = l.memory AND"
    " u.number = l.number AND u.position = l.position WHERE l.target = ?1 AND (u.excerpt IS NOT "
    "NULL OR u.title IS NOT NULL)";
/* Roles below 16 are support. */
static const char made_sql[] =
    "SELECT memory FROM link INDEXED BY link_target WHERE target = ?1 AND shape & 31 < 16";
/* A document without a title is named after the quoted passage. */
static const char called_sql[] =
    "SELECT d.id FROM link l JOIN memory d ON d.id = l.target JOIN memory m ON m.id = l.memory"
    " LEFT JOIN use u ON u.memory = l.memory AND u.number = l.number AND u.position = l.position"
    " WHERE l.memory = ?1 AND d.kind = 10 AND d.text IN (u.excerpt, m.text)";
/* Memories linked to it or changed together with it whose reasons or values contain its id (?2). */
static const char saying_sql[] =
    "WITH near(id) AS (SELECT memory FROM link INDEXED BY link_target WHERE target = ?1"
    " UNION SELECT o.subject FROM event e JOIN event o ON o.correlation = e.correlation"
    " WHERE e.subject = ?1 AND e.correlation IS NOT NULL AND o.subject IS NOT NULL"
    " AND json_extract(e.patch, '$.reason') IS NOT NULL)"
    " SELECT id FROM near WHERE id <> ?1 AND ("
    " EXISTS (SELECT 1 FROM link WHERE memory = near.id AND instr(reason, ?2))"
    " OR EXISTS (SELECT 1 FROM history WHERE memory = near.id AND instr(reason, ?2))"
    " OR EXISTS (SELECT 1 FROM mark WHERE memory = near.id AND instr(coalesce(reason, '') || ' ' "
    "|| coalesce(value, ''), ?2))"
    " OR EXISTS (SELECT 1 FROM event WHERE subject = near.id"
    " AND instr(json_extract(patch, '$.reason'), ?2)))";

/* Adds the rows that a statement returns for one erased memory. */
static int find_rows(struct copies *c, const char *sql, int64_t row, const char *id,
                     struct error *e)
{
    struct query rows = db_query(reader_db(c->p->reader), e, sql, id ? "is" : "i", row, id);
    while (db_next(&rows))
        row_index_add(&c->found, sqlite3_column_int64(rows.stmt, 0));
    return db_end(&rows);
}

/* Searches for the short form of a UUID, which people and programs write. */
static int find_saying(struct copies *c, int64_t row, struct error *e)
{
    struct plan *p = c->p;
    struct memory_row m;
    if (memory_row_read(p->reader, p->arena, row, &m, e))
        return -1;
    size_t len = strlen(m.ref.id);
    bool shortens = len == 36 && ref_is_uuid_prefix(m.ref.id, 36);
    const char *id = arena_strndup(p->arena, m.ref.id, shortens ? REF_SHORT : len);
    return find_rows(c, saying_sql, row, id, e);
}

/* ---- reporting copies ---- */

/* Appends "belief:a, belief:b and 7 more" for the rows found that are not erased themselves. */
static int name_rows(struct copies *c, struct strbuf *out, struct error *e)
{
    size_t count = 0, at = 0;
    for (size_t i = 0; i < c->found.count; i++)
        count += row_index_find(&c->erased, c->found.row[i]) == ROW_NONE;
    size_t named = count > NAMED + 1 ? NAMED : count;
    for (size_t i = 0; at < named; i++) {
        struct memory_row m;
        if (row_index_find(&c->erased, c->found.row[i]) != ROW_NONE)
            continue;
        if (memory_row_read(c->p->reader, c->p->arena, c->found.row[i], &m, e))
            return -1;
        strbuf_addstr(out, at == 0 ? "" : at + 1 < count ? ", " : " and ");
        ref_add(out, m.ref);
        at++;
    }
    if (count > named)
        strbuf_addf(out, " and %zu more", count - named);
    return 0;
}

static int remark_each(struct copies *c, const char *what, const char *sql, struct error *e)
{
    AUTO_STRBUF names = STRBUF_INIT;
    int result = 0;
    row_index_clear(&c->found);
    for (size_t i = 0; i < c->erased.count && result == 0; i++)
        result = sql ? find_rows(c, sql, c->erased.row[i], NULL, e)
                     : find_saying(c, c->erased.row[i], e);
    if (result == 0)
        result = name_rows(c, &names, e);
    if (result == 0 && names.len)
        plan_remark(c->p, "%s: %s", what, names.buf);
    return result;
}

static int remark_origin(struct plan *p, int64_t origin, struct error *e)
{
    struct db *db = reader_db(p->reader);
    struct query row = db_query(
        db, e, "SELECT coalesce(path, 'standard input') FROM origin WHERE id = ?", "i", origin);
    if (db_next(&row))
        plan_remark(p, "the imported source is unchanged: %s",
                    (const char *)sqlite3_column_text(row.stmt, 0));
    return db_end(&row);
}

static int remark_origins(struct copies *c, struct error *e)
{
    static const char sql[] = "SELECT origin FROM imported WHERE memory = ?1";
    row_index_clear(&c->found);
    for (size_t i = 0; i < c->erased.count; i++)
        if (find_rows(c, sql, c->erased.row[i], NULL, e))
            return -1;
    for (size_t i = 0; i < c->found.count; i++)
        if (remark_origin(c->p, c->found.row[i], e))
            return -1;
    return 0;
}

static int remark_copies(struct plan *p, const int64_t *rows, size_t count, struct error *e)
{
    struct copies c = {.p = p, .erased = ROW_INDEX_INIT, .found = ROW_INDEX_INIT};
    for (size_t i = 0; i < count; i++)
        row_index_add(&c.erased, rows[i]);
    int result =
        failed_if(remark_each(&c, "excerpts and titles quoted from it stay", quoting_sql, e) ||
                  remark_each(&c, "memories made from it may repeat it", made_sql, e) ||
                  remark_each(&c, "documents named after its text stay", called_sql, e) ||
                  remark_each(&c, "reasons that name it stay", NULL, e) || remark_origins(&c, e));
    row_index_release(&c.erased);
    row_index_release(&c.found);
    if (result == 0)
        plan_remark(p, "backups, exports and other copies stay as they are");
    return result;
}

int op_purge_then(struct plan *p, const struct request *q, const int64_t *rows, size_t count,
                  struct error *e)
{
    (void)q;
    return failed_if(p->count && (operation_treat_dependants(p, STATUS_PURGED, rows, count, e) ||
                                  remark_copies(p, rows, count, e)));
}
