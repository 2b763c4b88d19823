/* The effective confidence of memories: reads what model/memory/confidence.h computes with. */
#include "store/lineage/effective.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/reasoning/citation.h"
#include "store/db/store_state.h"
#include "store/guard/guard.h"
#include "store/lineage/trust.h"
#include "store/record/get.h"

/*
 * Whether nobody stated the confidence of a chain, a step or a response that cites nothing: it is the default of its
 * kind (reasoning_stated). An unfinished chain states none yet. The search for a member is safe because quotes inside a
 * JSON string are escaped.
 */
#define UNSTATED_SQL                                                                               \
    "kind IN (11, 12, 13) AND confidence = 0.8 AND"                                                \
    " (coalesce(instr(detail, '\"confidence_unstated\":true'), 0) OR (kind = 11 AND"               \
    " NOT coalesce(instr(detail, '\"final_answer\":\"'), 0)) OR annotations = '[\"" CITES_NOTHING  \
    "\"]')"
_Static_assert(KIND_CHAIN == 11 && KIND_STEP == 12 && KIND_CITATION == 13, "as in UNSTATED_SQL");

const struct confidence_rules *confidence_rules_of(struct reader *r)
{
    return &reader_store(r)->confidence;
}

/* ---- evidence that fell ---- */

/* The memories that each reinforcement of a history names as its evidence. */
struct evidence {
    size_t *entry; /* [count] */
    int64_t *row;  /* [count] */
    size_t count, entry_alloc, row_alloc;
    bool *fallen; /* [history_count] */
    bool stands;  /* some of it */
};

static void release(struct evidence *v)
{
    free(v->entry);
    free(v->row);
}

/* A hidden entry must leave no trace: it counts as standing. */
static int is_hidden(struct reader *r, enum kind kind, int64_t row, bool *hidden, struct error *e)
{
    enum visibility visibility = VISIBLE_NONE;
    *hidden = kind == KIND_ENTRY && reader_guarded(r);
    if (!*hidden || row == 0)
        return 0;
    int result = guard_visibility(r, row, &visibility, e);
    *hidden = visibility == VISIBLE_NONE;
    return result;
}

/* `row` is 0 for a ref that nothing names: it does not stand. */
static int add_evidence(struct evidence *v, struct reader *r, size_t entry, enum kind kind,
                        int64_t row, struct error *e)
{
    bool hidden;
    if (is_hidden(r, kind, row, &hidden, e))
        return -1;
    if (hidden)
        return 0;
    v->fallen[entry] = true; /* until one is found that stands */
    if (row == 0)
        return 0;
    *ARRAY_ADD(v->entry, v->count, v->entry_alloc) = entry;
    v->count--;
    *ARRAY_ADD(v->row, v->count, v->row_alloc) = row;
    return 0;
}

/* A consolidation names a date; its evidence are the justifications that were added with it. */
static int add_added(struct evidence *v, struct reader *r, const struct memory *m, size_t entry,
                     struct error *e)
{
    for (size_t i = 0; i < m->justification_count; i++) {
        const struct justification *j = &m->justifications[i];
        bool added = j->role == ROLE_EVIDENCE || j->role == ROLE_REINFORCEMENT;
        for (size_t k = 0; added && j->at == m->history[entry].at && k < j->count; k++)
            if (add_evidence(v, r, entry, j->antecedents[k].ref.kind, j->antecedents[k].node, e))
                return -1;
    }
    return 0;
}

static int add_entry(struct evidence *v, struct reader *r, const struct memory *m, size_t entry,
                     struct error *e)
{
    struct ref ref;
    const struct history_entry *h = &m->history[entry];
    if (!history_is_reinforcement(h))
        return 0;
    if (ref_parse(h->evidence_source, &ref) != REF_MEMORY)
        return add_added(v, r, m, entry, e);
    int64_t row = ref_find(reader_db(r), ref, e);
    return row < 0 ? -1 : add_evidence(v, r, entry, ref.kind, row, e);
}

static int find_fallen(struct reader *r, struct arena *arena, const struct memory *m,
                       struct evidence *v, struct error *e)
{
    v->fallen = arena_array(arena, m->history_count + 1, sizeof(*v->fallen));
    for (size_t i = 0; i < m->history_count; i++)
        if (add_entry(v, r, m, i, e))
            return -1;
    struct row_label *label = arena_array(arena, v->count + 1, sizeof(*label));
    if (labels_of_rows(r, v->row, v->count, label, e))
        return -1;
    for (size_t i = 0; i < v->count; i++)
        if (label_stands(label[i].label)) {
            v->fallen[v->entry[i]] = false;
            v->stands = true;
        }
    return 0;
}

int evidence_confirms(struct reader *r, int64_t node, bool *out, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct memory m;
    struct evidence v = {.count = 0};
    int result = failed_if(memory_read_db(reader_db(r), &arena, node, &m, e) ||
                           find_fallen(r, &arena, &m, &v, e));
    *out = v.stands;
    release(&v);
    return result;
}

int memory_confirmed_at(struct reader *r, int64_t node, enum kind *kind, int64_t *at,
                        struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct memory m;
    struct evidence v = {.count = 0};
    int result =
        memory_read_db(reader_db(r), &arena, node, &m, e) || find_fallen(r, &arena, &m, &v, e) ? -1
                                                                                               : 0;
    if (result == 0) {
        *kind = m.ref.kind;
        *at = confidence_confirmed_at(&m, v.fallen);
    }
    release(&v);
    return result;
}

/* Without the cap by trust. */
static int compute(struct reader *r, struct arena *arena, int64_t node, enum label label,
                   struct effective *out, bool **fallen, struct error *e)
{
    struct memory m;
    struct evidence v = {.count = 0};
    /* Unmasked: the evidence is looked up by its ref. */
    int result = failed_if(memory_read_db(reader_db(r), arena, node, &m, e) ||
                           find_fallen(r, arena, &m, &v, e));
    if (result == 0)
        *out = effective_compute(&m, confidence_rules_of(r), label_stands(label), v.fallen,
                                 store_now(reader_store(r)));
    *fallen = v.fallen;
    release(&v);
    return result;
}

int effective_of(struct reader *r, struct arena *arena, int64_t node, enum label label,
                 struct effective *out, bool **fallen, double trust, struct error *e)
{
    if (compute(r, arena, node, label, out, fallen, e))
        return -1;
    effective_cap(out, confidence_rules_of(r), trust);
    return 0;
}

static bool is_capped(struct reader *r)
{
    const struct trust_rules *trust = confidence_rules_of(r)->trust;
    return trust && trust->cap;
}

/* ---- rows of a list ---- */

/*
 * Can this evidence have fallen? If all justifications of a memory are valid, all its antecedents
 * stand, and evidence is an antecedent unless an import says otherwise. `l` has known labels, or is
 * NULL.
 */
static int is_suspect(struct reader *r, int64_t row, enum label label, const char *evidence,
                      const struct loaded *l, bool *suspect, struct error *e)
{
    struct ref ref;
    struct row_label of;
    int64_t linked = 0;
    *suspect = label == LABEL_WEAKENED;
    if (*suspect || ref_parse(evidence, &ref) != REF_MEMORY)
        return 0;
    int64_t by = ref_find(reader_db(r), ref, e);
    *suspect = by == 0;
    if (by <= 0)
        return by < 0 ? -1 : 0;
    if (!loaded_label(l, by, &of)) {
        if (db_int(reader_db(r), &linked, 0, e,
                   "SELECT EXISTS (SELECT 1 FROM link WHERE memory = ? AND target = ?)", "ii", row,
                   by) ||
            (!linked && labels_of_rows(r, &by, 1, &of, e)))
            return -1;
    }
    *suspect = !linked && !label_stands(of.label);
    return 0;
}

static int fill_by_memory(struct reader *r, int64_t row, enum label label, double *out,
                          struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct effective effective = {.value = NAN};
    bool *fallen;
    int result = compute(r, &arena, row, label, &effective, &fallen, e);
    *out = effective.value;
    return result;
}

#define EVIDENCE_OF                                                                                \
    "SELECT evidence_source FROM history WHERE memory = ? AND evidence_source IS NOT NULL"

static int fill_one(struct reader *r, int64_t row, struct row_label *io, struct error *e)
{
    bool has_evidence = false, suspect = confidence_rules_of(r)->decay;
    struct query stored = db_query(reader_db(r), e,
                                   "SELECT confidence, EXISTS (SELECT 1 FROM history WHERE memory ="
                                   " m.id AND evidence_source IS NOT NULL), " UNSTATED_SQL
                                   " FROM memory m WHERE id = ?",
                                   "i", row);
    io->stored = io->effective = NAN;
    io->unstated = false;
    if (db_next(&stored)) {
        io->stored = io->effective = db_double(stored.stmt, 0);
        has_evidence = sqlite3_column_int(stored.stmt, 1) != 0;
        io->unstated = label_stands(io->label) && sqlite3_column_int(stored.stmt, 2) != 0;
    }
    if (db_end(&stored))
        return -1;
    if (!label_stands(io->label)) {
        io->effective = 0;
        return 0;
    }
    if (!has_evidence)
        return suspect ? fill_by_memory(r, row, io->label, &io->effective, e) : 0;
    struct query rows = db_query(reader_db(r), e, EVIDENCE_OF, "i", row);
    while (!suspect && db_next(&rows))
        if (is_suspect(r, row, io->label, (const char *)sqlite3_column_text(rows.stmt, 0), NULL,
                       &suspect, e))
            return db_fail(&rows);
    if (db_end(&rows))
        return -1;
    return suspect ? fill_by_memory(r, row, io->label, &io->effective, e) : 0;
}

int effective_fill(struct reader *r, const int64_t *rows, size_t count, struct row_label *io,
                   struct error *e)
{
    if (reader_begin(r, e))
        return -1;
    int result = 0;
    bool capped = is_capped(r) && count > 0;
    for (size_t i = 0; i < count && result == 0; i++)
        result = fill_one(r, rows[i], &io[i], e);
    if (capped && !io[0].has_trust && result == 0)
        result = trust_fill(r, rows, count, io, e);
    for (size_t i = 0; i < count && capped && result == 0; i++)
        if (io[i].trust < io[i].effective)
            io[i].effective = io[i].trust;
    return reader_done(r, result);
}

double effective_shown(const struct row_label *label)
{
    return label->unstated ? NAN : label->effective;
}

int support_of_rows(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                    struct error *e)
{
    if (reader_begin(r, e))
        return -1;
    return reader_done(r, failed_if(labels_of_rows(r, rows, count, out, e) ||
                                    trust_fill(r, rows, count, out, e) ||
                                    effective_fill(r, rows, count, out, e)));
}

int effective_of_rows(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                      struct error *e)
{
    if (reader_begin(r, e))
        return -1;
    return reader_done(
        r,
        labels_of_rows(r, rows, count, out, e) || effective_fill(r, rows, count, out, e) ? -1 : 0);
}

/* ---- all rows ---- */

static bool stands(const struct loaded *l, int64_t row)
{
    struct row_label label;
    return loaded_label(l, row, &label) && label_stands(label.label);
}

/* The index covers the query. */
int confidences_stored(struct reader *r, size_t rows, double *out, struct error *e)
{
    struct query each = db_query(reader_db(r), e,
                                 "SELECT id, confidence FROM memory INDEXED BY memory_confidence"
                                 " WHERE status <> 7",
                                 "");
    for (size_t i; db_next_row(&each, rows, &i);)
        out[i] = db_double(each.stmt, 1);
    return db_end(&each);
}

static int read_stored(struct reader *r, const struct loaded *l, double *out, struct error *e)
{
    if (confidences_stored(r, l->rows, out, e))
        return -1;
    for (size_t i = 0; i < l->rows; i++)
        if (!stands(l, (int64_t)i + 1))
            out[i] = 0;
    return 0;
}

static int clear_unstated(struct reader *r, const struct loaded *l, double *out, struct error *e)
{
    struct query each =
        db_query(reader_db(r), e, "SELECT id FROM memory WHERE status <> 7 AND " UNSTATED_SQL, "");
    for (size_t i; db_next_row(&each, l->rows, &i);)
        out[i] = 0;
    return db_end(&each);
}

/* Reads only what decay needs of each memory. */
static int read_decayed(struct reader *r, const struct loaded *l, double *out, struct error *e)
{
    struct history_entry last = {.new_ = 0};
    int64_t now = store_now(reader_store(r));
    struct query rows =
        db_query(reader_db(r), e,
                 "SELECT m.id, m.kind, m.confidence, m.created_at, m.protected,"
                 " CASE WHEN instr(m.detail, '\"last_verified\"') THEN m.detail END,"
                 " (SELECT max(h.at) FROM history h WHERE h.memory = m.id AND h.new IS NOT NULL"
                 " AND h.origin IS NULL) FROM memory m WHERE m.status <> 7",
                 "");
    while (db_next(&rows)) {
        int64_t row = sqlite3_column_int64(rows.stmt, 0);
        int kind = column_enum(rows.stmt, 1, KIND_COUNT);
        if (!stands(l, row) || kind < 0)
            continue;
        last.at = sqlite3_column_int64(rows.stmt, 6);
        const struct memory m = {.ref.kind = (enum kind)kind,
                                 .confidence = db_double(rows.stmt, 2),
                                 .created_at = sqlite3_column_int64(rows.stmt, 3),
                                 .is_protected = sqlite3_column_int(rows.stmt, 4) != 0,
                                 .detail = (const char *)sqlite3_column_text(rows.stmt, 5),
                                 .history = &last,
                                 .history_count = sqlite3_column_type(rows.stmt, 6) != SQLITE_NULL};
        out[row - 1] = effective_compute(&m, confidence_rules_of(r), true, NULL, now).value;
    }
    return db_end(&rows);
}

/* Computes those again whose evidence may have fallen. */
static int read_suspects(struct reader *r, const struct loaded *l, double *out, struct error *e)
{
    int64_t done = 0;
    struct query rows = db_query(reader_db(r), e,
                                 "SELECT memory, evidence_source FROM history"
                                 " WHERE evidence_source IS NOT NULL",
                                 "");
    while (db_next(&rows)) {
        int64_t row = sqlite3_column_int64(rows.stmt, 0);
        const char *evidence = (const char *)sqlite3_column_text(rows.stmt, 1);
        struct row_label label;
        bool suspect;
        if (row == done || !loaded_label(l, row, &label) || !label_stands(label.label))
            continue;
        if (is_suspect(r, row, label.label, evidence, l, &suspect, e) ||
            (suspect && fill_by_memory(r, row, label.label, &out[row - 1], e)))
            return db_fail(&rows);
        done = suspect ? row : done;
    }
    return db_end(&rows);
}

int effective_of_all(struct reader *r, const struct loaded *l, double *out, struct error *e)
{
    memset(out, 0, l->rows * sizeof(*out));
    if (confidence_rules_of(r)->decay ? read_decayed(r, l, out, e) : read_stored(r, l, out, e))
        return -1;
    if (read_suspects(r, l, out, e) || clear_unstated(r, l, out, e))
        return -1;
    if (!is_capped(r))
        return 0;
    AUTO_FREE double *trust = xmalloc((l->rows + 1) * sizeof(*trust));
    int result = trust_of_all(r, l->rows, trust, e);
    for (size_t i = 0; i < l->rows && result == 0; i++)
        out[i] = trust[i] < out[i] ? trust[i] : out[i];
    return result;
}
