#include "store/reasoning/chain.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/hints.h"
#include "model/base/map.h"
#include "model/memory/memory.h"
#include "store/db/db.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/history/past.h"
#include "store/reasoning/document.h"
#include "store/reasoning/reasoning_given.h"
#include "store/record/index_tables.h"
#include "store/session/session.h"

static int64_t chain_row(struct reader *r, int64_t node, struct error *e);

static int chain_state_of(struct reader *r, int64_t chain, const int64_t *steps, size_t count,
                          bool answered, enum chain_state *out, struct error *e);
static int chain_step_rows(struct reader *r, struct arena *arena, int64_t chain, int64_t **out,
                           size_t *count, struct error *e);

/* ---- the documents of a chain: the columns of its matrix ---- */

/* What is known of a document from one of its uses, which come in the order of the steps. */
static void add_use(struct chain_document *d, const struct chain_source *use, bool first_in_step)
{
    const struct source *s = &use->source;
    if (!d->node)
        *d = (struct chain_document){
            .node = use->document, .id = s->document_id, .status = use->status, .best = -1};
    d->steps += first_in_step;
    d->changed |= use->changed;
    if (!d->title && s->title && *s->title)
        d->title = s->title;
    if (s->relevance > d->best) {
        d->best = s->relevance;
        d->origin = s->origin;
    }
}

/* Documents in the order in which they are met, and in each source its own. */
static void gather(struct chain *c, struct arena *arena)
{
    struct row_index met = ROW_INDEX_INIT;
    size_t uses = 0;
    for (size_t i = 0; i < c->step_count; i++)
        uses += c->step[i].source_count;
    c->document = arena_array(arena, uses + 1, sizeof(*c->document));
    size_t *last = arena_array(arena, uses + 1, sizeof(*last)); /* steps that used each, from 1 */
    for (size_t i = 0; i < c->step_count; i++)
        for (size_t k = 0; k < c->step[i].source_count; k++) {
            struct chain_source *use = &c->step[i].source[k];
            use->column = row_index_add(&met, use->document);
            add_use(&c->document[use->column], use, last[use->column] != i + 1);
            last[use->column] = i + 1;
        }
    c->document_count = met.count;
    row_index_release(&met);
}

static bool is_untitled(struct json_slice detail)
{
    struct json_slice untitled = {NULL, 0};
    if (detail.ptr)
        untitled = json_member(detail.ptr, detail.len, "untitled");
    return untitled.ptr && untitled.ptr[0] == 't';
}

/* Its own title where it has one, else what it was called. */
static int read_title(struct reader *r, struct arena *arena, struct chain_document *d,
                      struct error *e)
{
    struct db *db = reader_db(r);
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT kind, name, text, detail FROM memory WHERE id = ?", e);
    int found = db_bind(db, stmt, e, "i", d->node);
    struct json_slice detail;
    if (found <= 0)
        return found;
    int kind = sqlite3_column_int(stmt, 0);
    d->ref = (struct ref){(unsigned)kind < KIND_COUNT ? (enum kind)kind : KIND_DOCUMENT,
                          column_utf8(arena, stmt, 1)};
    const char *text = column_utf8(arena, stmt, 2);
    struct memory m = {.detail = column_utf8(arena, stmt, 3)};
    sqlite3_reset(stmt);
    detail = detail_json(m.detail);
    if (!d->ref.id)
        return reader_damaged(e, "the name", d->node);
    enum sight sight;
    if (guard_sight(r, d->node, &sight, e))
        return -1;
    if (sight == SIGHT_WHOLE && text && *text && strcmp(text, d->ref.id) != 0 &&
        !is_untitled(detail))
        d->title = text;
    if (reader_masked(r))
        d->ref = guard_mask_ref(r, arena, d->ref);
    const char **const shown[] = {&d->title};
    guard_mask_texts(r, arena, shown, 1);
    return 0;
}

/* The best first; of the same relevance the one that was met first. */
static int by_best(const void *a, const void *b)
{
    const struct chain_document *x = *(const struct chain_document *const *)a,
                                *y = *(const struct chain_document *const *)b;
    if (x->best != y->best)
        return x->best > y->best ? -1 : 1;
    return (x > y) - (x < y);
}

static void sort_documents(struct chain *c, struct arena *arena)
{
    struct chain_document *met = c->document;
    const struct chain_document **order = arena_array(arena, c->document_count, sizeof(*order));
    size_t *column = arena_array(arena, c->document_count, sizeof(*column));
    for (size_t i = 0; i < c->document_count; i++)
        order[i] = &met[i];
    if (c->document_count)
        qsort(order, c->document_count, sizeof(*order), by_best);
    c->document = arena_array(arena, c->document_count + 1, sizeof(*c->document));
    for (size_t i = 0; i < c->document_count; i++) {
        c->document[i] = *order[i];
        column[order[i] - met] = i;
    }
    for (size_t i = 0; i < c->step_count; i++)
        for (size_t k = 0; k < c->step[i].source_count; k++)
            c->step[i].source[k].column = column[c->step[i].source[k].column];
}

/* ---- all of them ---- */

/* As source_summarise has it, of documents of the graph. */
static void mark_primary(struct chain *c)
{
    size_t count = 0;
    while (count < c->document_count && count < PRIMARY_MAX &&
           c->document[count].best > PRIMARY_ABOVE)
        count++;
    if (count == 0)
        count = c->document_count < PRIMARY_MAX ? c->document_count : PRIMARY_MAX;
    for (size_t i = 0; i < count; i++)
        c->document[i].primary = true;
}

/* Its documents from the sources of its steps, and in these their columns. */
static int chain_fill_documents(struct reader *r, struct arena *arena, struct chain *c,
                                struct error *e)
{
    gather(c, arena);
    sort_documents(c, arena);
    for (size_t i = 0; i < c->document_count; i++)
        if (read_title(r, arena, &c->document[i], e))
            return -1;
    mark_primary(c);
    return 0;
}

/* ---- states, and what is kept while a chain is read ---- */

const char *chain_state_name(enum chain_state state)
{
    static const char *const names[] = {"running", "finished", "abandoned"};
    return names[state];
}

/* A chain while it is read. */
struct chain_reading {
    struct reader *r;
    struct arena *arena;
    struct error *e;
    struct chain *out;
    struct map numbers; /* of the steps, by their rows */
};

/* A step as it is read: its memory is looked at once more when all of them are known. */
struct read_step {
    struct memory m;
    struct chain_step step;
};

/* ---- a source ---- */

/* What was recorded; what an import did not say is as of a retrieval that did not. */
static void fill_source(struct source *s, const struct antecedent *a)
{
    static const struct use none = USE_NONE;
    const struct use *use = a->use ? a->use : &none;
    *s = (struct source){.document_id = use->label ? use->label : a->ref.id,
                         .invented = use->label && strlen(use->label) <= REF_ID_MAX,
                         .title = use->title,
                         .relevance = isnan(use->relevance) ? 0.5 : use->relevance,
                         .origin = isnan(use->relevance)      ? SCORE_DEFAULT
                                   : use->score == SCORE_NONE ? SCORE_ASSERTED
                                                              : use->score,
                         .excerpt = use->excerpt,
                         .chunk = use->chunk,
                         .rank = use->rank,
                         .version_hash = use->version_hash};
}

static int add_source(struct chain_reading *c, const struct memory *m, const struct antecedent *a,
                      enum recorded recorded, struct chain_source *out)
{
    fill_source(&out->source, a);
    out->page = a->use ? a->use->page : -1;
    out->section = a->use ? a->use->section : NULL;
    out->document = a->node;
    out->status = a->status;
    out->guessed = recorded != RECORDED;
    const struct mark *rating = rating_of(m, a->ref, c->arena);
    struct ref of;
    if (rating && rating_parse(rating->value, c->arena, &of, &out->rating)) {
        out->rated_by = rating->actor;
        out->rating_reason = rating->reason;
    }
    if (!out->source.version_hash)
        return 0;
    return document_changed_since(c->r, a->node, out->source.chunk, m->node,
                                  out->source.version_hash, &out->changed, c->e);
}

/* Sources as reasoning.h writes them, and documents that an import names otherwise. */
static bool is_source(const struct justification *j, const struct antecedent *a)
{
    return j->role == ROLE_SOURCE || (j->role != ROLE_STEP && a->ref.kind == KIND_DOCUMENT);
}

/* An entry that is not seen is no source. What cannot be read is not told. */
static bool is_named(struct chain_reading *c, const struct antecedent *a)
{
    struct error ignored;
    enum sight sight;
    return guard_sight(c->r, a->node, &sight, &ignored) == 0 && sight != SIGHT_NONE;
}

static int read_sources(struct chain_reading *c, const struct memory *m, struct chain_step *out)
{
    size_t count = 0;
    for (size_t i = 0; i < m->justification_count; i++)
        count += m->justifications[i].count;
    out->source = arena_array(c->arena, count + 1, sizeof(*out->source));
    for (size_t i = 0; i < m->justification_count; i++) {
        const struct justification *j = &m->justifications[i];
        for (size_t k = 0; k < j->count; k++)
            if (is_source(j, &j->antecedents[k]) && is_named(c, &j->antecedents[k]) &&
                add_source(c, m, &j->antecedents[k], j->recorded,
                           &out->source[out->source_count++]))
                return -1;
    }
    return 0;
}

/* ---- a step ---- */

static void read_faithful(const struct memory *m, struct chain_step *out)
{
    const struct mark *latest = NULL;
    for (size_t i = 0; i < m->mark_count; i++)
        if (strcmp(m->marks[i].mark, "faithful") == 0 && (!latest || m->marks[i].at >= latest->at))
            latest = &m->marks[i];
    if (!latest)
        return;
    out->faithful = latest->value;
    out->faithful_by = latest->actor;
    out->faithful_reason = latest->reason;
}

static int read_step(struct chain_reading *c, int64_t node, struct read_step *out)
{
    struct reasoning_detail detail;
    struct memory *m = &out->m;
    if (memory_read(c->r, c->arena, node, m, c->e) || guard_names(c->r, c->arena, m, c->e) ||
        guard_excerpts(c->r, c->arena, m, c->e))
        return -1;
    reasoning_detail_read(m->detail, true, c->arena, &detail);
    out->step = (struct chain_step){
        .node = node,
        .ref = m->ref,
        .number = detail.number,
        .question = m->text ? m->text : "",
        .answer = detail.answer,
        .trace = detail.words,
        .confidence = m->status == STATUS_MISSING
                          ? NAN
                          : reasoning_stated(KIND_STEP, detail.unstated, m->confidence),
        .execution_time = detail.seconds,
        .context_used = detail.context_used,
        .token_usage = detail.token_usage,
        .created_at = m->created_at,
        .status = m->status};
    read_faithful(m, &out->step);
    return read_sources(c, m, &out->step);
}

/* Once the numbers of all are known. */
static void read_earlier(struct chain_reading *c, const struct memory *m, struct chain_step *out)
{
    size_t count = 0;
    for (size_t i = 0; i < m->justification_count; i++)
        count += m->justifications[i].role == ROLE_STEP ? m->justifications[i].count : 0;
    out->earlier = arena_array(c->arena, count + 1, sizeof(*out->earlier));
    for (size_t i = 0; i < m->justification_count; i++) {
        const struct justification *j = &m->justifications[i];
        for (size_t k = 0; k < j->count && j->role == ROLE_STEP; k++) {
            const int64_t *number = map_find(&c->numbers, j->antecedents[k].node);
            if (number && *number > 0)
                out->earlier[out->earlier_count++] = *number;
        }
    }
}

/* Those without a number come last, in the order in which they were written. */
static int by_number(const void *a, const void *b)
{
    const struct chain_step *x = &(*(const struct read_step *const *)a)->step,
                            *y = &(*(const struct read_step *const *)b)->step;
    if (!x->number != !y->number)
        return x->number ? -1 : 1;
    return x->number != y->number ? (x->number > y->number) - (x->number < y->number)
                                  : (x->node > y->node) - (x->node < y->node);
}

static void keep_steps(struct chain_reading *c, const struct read_step **order, size_t count)
{
    qsort(order, count, sizeof(*order), by_number);
    for (size_t i = 0; i < count; i++) {
        c->out->step[i] = order[i]->step;
        *map_at(&c->numbers, order[i]->step.node) = order[i]->step.number;
    }
    c->out->step_count = count;
    for (size_t i = 0; i < count; i++)
        read_earlier(c, &order[i]->m, &c->out->step[i]);
}

static int read_steps(struct chain_reading *c, const int64_t *nodes, size_t count)
{
    struct read_step *steps = arena_array(c->arena, count + 1, sizeof(*steps));
    const struct read_step **order = arena_array(c->arena, count + 1, sizeof(*order));
    c->out->step = arena_array(c->arena, count + 1, sizeof(*c->out->step));
    for (size_t i = 0; i < count; i++) {
        if (reader_check(c->r, c->e) || read_step(c, nodes[i], &steps[i]))
            return -1;
        order[i] = &steps[i];
    }
    if (count)
        keep_steps(c, order, count);
    return 0;
}

/* ---- the chain ---- */

static double mean_so_far(struct chain_reading *c)
{
    size_t count = 0;
    double *all = arena_array(c->arena, c->out->step_count + 1, sizeof(*all));
    for (size_t i = 0; i < c->out->step_count; i++)
        if (STATUS_LIVES(c->out->step[i].status))
            all[count++] = c->out->step[i].confidence;
    return chain_confidence(all, count);
}

static void fill_chain(struct chain_reading *c, const struct memory *m)
{
    struct reasoning_detail detail;
    reasoning_detail_read(m->detail, false, c->arena, &detail);
    *c->out =
        (struct chain){.node = m->node,
                       .ref = m->ref,
                       .agent_id = m->agent_id,
                       .question = m->text ? m->text : "",
                       .answer = detail.answer,
                       .strategy = detail.words,
                       .confidence = reasoning_stated(KIND_CHAIN, detail.unstated, m->confidence),
                       .total_time = detail.seconds,
                       .token_usage = detail.token_usage,
                       .created_at = m->created_at,
                       .updated_at = m->updated_at,
                       .status = m->status};
}

/* A step of one's own may be part of another agent's chain. */
static int check_seen(struct chain_reading *c, int64_t chain)
{
    enum sight sight;
    if (guard_sight(c->r, chain, &sight, c->e))
        return -1;
    return sight == SIGHT_WHOLE
               ? 0
               : error_set(c->e, ERROR_REFUSED, "Ask the person who reviews this memory.",
                           "that chain is another agent's");
}

static int leave_out_unseen(struct chain_reading *c, int64_t *nodes, size_t *count)
{
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) {
        enum sight sight;
        if (guard_sight(c->r, nodes[i], &sight, c->e))
            return -1;
        if (sight == SIGHT_WHOLE)
            nodes[kept++] = nodes[i];
    }
    *count = kept;
    return 0;
}

static int read_chain(struct chain_reading *c, int64_t node)
{
    struct memory m;
    int64_t *nodes, chain = chain_row(c->r, node, c->e);
    size_t count;
    if (chain < 0 || check_seen(c, chain) || memory_read(c->r, c->arena, chain, &m, c->e))
        return -1;
    fill_chain(c, &m);
    if (chain_step_rows(c->r, c->arena, chain, &nodes, &count, c->e) ||
        leave_out_unseen(c, nodes, &count) || read_steps(c, nodes, count) ||
        chain_fill_documents(c->r, c->arena, c->out, c->e))
        return -1;
    if (chain_state_of(c->r, chain, nodes, count, c->out->answer != NULL, &c->out->state, c->e))
        return -1;
    if (c->out->state != CHAIN_FINISHED)
        c->out->confidence = mean_so_far(c);
    return 0;
}

int chain_read(struct reader *r, struct arena *arena, int64_t node, struct chain *out,
               struct error *e)
{
    struct chain_reading c = {.r = r, .arena = arena, .e = e, .out = out};
    int result = reader_begin(r, e) ? -1 : reader_done(r, read_chain(&c, node));
    map_release(&c.numbers);
    return result;
}

struct step_sources *chain_step_sources(const struct chain *c, struct arena *arena)
{
    struct step_sources *all = arena_array(arena, c->step_count + 1, sizeof(*all));
    int64_t last = 0;
    for (size_t i = 0; i < c->step_count; i++)
        last = c->step[i].number > last ? c->step[i].number : last;
    for (size_t i = 0; i < c->step_count; i++) {
        const struct chain_step *step = &c->step[i];
        bool own = step->number && (i == 0 || step->number != step[-1].number);
        struct source *sources = arena_array(arena, step->source_count + 1, sizeof(*sources));
        for (size_t k = 0; k < step->source_count; k++)
            sources[k] = step->source[k].source;
        all[i] = (struct step_sources){own || last == INT64_MAX ? step->number : ++last, sources,
                                       step->source_count};
    }
    return all;
}

/* ---- the rows that belong to a chain, and whether somebody goes on with it ---- */

/* Adds the first column of what the statement gives for a row. */
static int read_rows(struct db *db, const char *sql, int64_t of, struct row_index *rows,
                     struct error *e)
{
    struct query found = db_query(db, e, sql, "i", of);
    while (db_next(&found))
        row_index_add(rows, sqlite3_column_int64(found.stmt, 0));
    return db_end(&found);
}

/* Its steps, each once, in the arena: those that are part of it, and those that it rests on; anything may be. By their
 * numbers: in shapes role 4 is step and relation 21 part_of, of kinds 11 is a chain and 12 a step. */
static int chain_step_rows(struct reader *r, struct arena *arena, int64_t chain, int64_t **out,
                           size_t *count, struct error *e)
{
    static const char parts[] = "SELECT l.memory FROM link l INDEXED BY link_target"
                                " CROSS JOIN memory m ON m.id = l.memory"
                                " WHERE l.target = ? AND l.shape & 31 = 21 AND m.kind = 12";
    static const char rested_on[] = "SELECT l.target FROM link l"
                                    " CROSS JOIN memory m ON m.id = l.target"
                                    " WHERE l.memory = ? AND l.shape & 31 = 4 AND m.kind = 12";
    struct row_index rows = ROW_INDEX_INIT;
    struct db *db = reader_db(r);
    int result = read_rows(db, parts, chain, &rows, e) || read_rows(db, rested_on, chain, &rows, e);
    *count = result ? 0 : rows.count;
    *out = arena_array(arena, rows.count + 1, sizeof(**out));
    if (rows.count)
        memcpy(*out, rows.row, rows.count * sizeof(**out));
    row_index_release(&rows);
    return result ? -1 : 0;
}

/* ---- the chain of a step ---- */

int64_t chain_of_step(struct reader *r, int64_t step, struct error *e)
{
    static const char part_of[] = "SELECT l.target, l.number FROM link l"
                                  " CROSS JOIN memory m ON m.id = l.target"
                                  " WHERE l.memory = ? AND l.shape & 31 = 21 AND m.kind = 11"
                                  " ORDER BY l.number LIMIT 1";
    static const char rests[] = "SELECT l.memory FROM link l INDEXED BY link_target"
                                " CROSS JOIN memory m ON m.id = l.memory"
                                " WHERE l.target = ? AND l.shape & 31 = 4 AND m.kind = 11"
                                " ORDER BY l.memory LIMIT 1";
    int64_t found;
    struct db *db = reader_db(r);
    if (db_int(db, &found, 0, e, part_of, "i", step) ||
        (!found && db_int(db, &found, 0, e, rests, "i", step)))
        return -1;
    return found;
}

static int64_t chain_row(struct reader *r, int64_t node, struct error *e)
{
    int64_t kind, chain = node;
    if (db_int(reader_db(r), &kind, -1, e, "SELECT kind FROM main.memory WHERE id = ?", "i", node))
        return -1;
    if (kind == KIND_STEP)
        chain = chain_of_step(r, node, e);
    else if (kind != KIND_CHAIN)
        chain = 0;
    return chain ? chain
                 : error_set(e, ERROR_NOT_FOUND, REMEDY_CHAINS,
                             kind == KIND_STEP ? "the step is part of no chain"
                                               : "it is no chain of thought, and no step of one");
}

/* ---- its state ---- */

/* The session that wrote of it last: of what was added last, the first event. 0: none. */
static int find_session(struct db *db, int64_t last, int64_t *session, struct error *e)
{
    return db_int(db, session, 0, e,
                  "SELECT coalesce(session, 0) FROM event WHERE subject = ? ORDER BY seq LIMIT 1",
                  "i", last);
}

/* Is it there? As of a moment: was it then? */
static int session_lives(struct reader *r, int64_t session, bool *lives, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct session_row row;
    int64_t moment = reader_past(r), then = 0;
    int result = session_read(r, &arena, session, &row, e);
    if (result && e->code == ERROR_NOT_FOUND)
        result = 0, *lives = false;
    else if (result == 0)
        *lives = row.lives;
    if (result == 0 && moment > 0 && !*lives && row.ended_at) {
        result = past_moment_time(r, moment, &then, e);
        *lives = result == 0 && row.ended_at > then;
    }
    arena_release(&arena);
    return result;
}

/* The state of a chain with these steps. */
static int chain_state_of(struct reader *r, int64_t chain, const int64_t *steps, size_t count,
                          bool answered, enum chain_state *out, struct error *e)
{
    int64_t last = chain, session = 0;
    bool lives = false;
    *out = answered ? CHAIN_FINISHED : CHAIN_ABANDONED;
    if (answered)
        return 0;
    for (size_t i = 0; i < count; i++)
        last = steps[i] > last ? steps[i] : last;
    if (find_session(reader_db(r), last, &session, e) ||
        (session > 0 && session_lives(r, session, &lives, e)))
        return -1;
    if (lives)
        *out = CHAIN_RUNNING;
    return 0;
}

/* ---- in brief ---- */

/* Documents that steps rest on, each once. ROLE_SOURCE is 3. */
static int count_documents(struct db *db, const int64_t *steps, size_t count, size_t *out,
                           struct error *e)
{
    static const char sql[] =
        "SELECT target FROM link WHERE memory = ? AND shape & 31 = 3 AND target IS NOT NULL";
    struct row_index rows = ROW_INDEX_INIT;
    int result = 0;
    for (size_t i = 0; i < count && result == 0; i++)
        result = read_rows(db, sql, steps[i], &rows, e);
    *out = rows.count;
    row_index_release(&rows);
    return result;
}

static int read_detail(struct reader *r, struct arena *arena, int64_t node,
                       struct reasoning_detail *out, struct error *e)
{
    struct query row =
        db_query(reader_db(r), e, "SELECT detail FROM memory WHERE id = ?", "i", node);
    const char *detail = db_next(&row) ? db_text(arena, row.stmt, 0) : NULL;
    reasoning_detail_read(detail, false, arena, out);
    return db_end(&row);
}

/* Within a string its quotes would be escaped, so that it is found where it is a member alone. */
static int read_confidence(struct db *db, enum kind kind, int64_t row, double *confidence,
                           int64_t *status, struct error *e)
{
    struct query q = db_query(
        db, e,
        "SELECT confidence, status, coalesce(instr(detail, '\"confidence_unstated\":true'), 0) > 0"
        " FROM memory WHERE id = ?",
        "i", row);
    bool found = db_next(&q);
    *confidence =
        found ? reasoning_stated(kind, sqlite3_column_int(q.stmt, 2) != 0, db_double(q.stmt, 0))
              : NAN;
    *status = found ? sqlite3_column_int64(q.stmt, 1) : STATUS_MISSING;
    return db_end(&q);
}

/* The chain's own, or the mean of those steps that live. */
static int find_confidence(struct db *db, int64_t chain, const int64_t *steps, size_t count,
                           struct chain_brief *out, struct error *e)
{
    int64_t status;
    double sum = 0, one;
    size_t living = 0;
    if (out->state == CHAIN_FINISHED)
        return read_confidence(db, KIND_CHAIN, chain, &out->confidence, &status, e);
    for (size_t i = 0; i < count; i++) {
        if (read_confidence(db, KIND_STEP, steps[i], &one, &status, e))
            return -1;
        if (!STATUS_LIVES(status) || one != one)
            continue;
        sum += one;
        living++;
    }
    out->confidence = living ? sum / (double)living : NAN;
    return 0;
}

static int read_brief(struct reader *r, struct arena *arena, int64_t node, struct chain_brief *out,
                      struct error *e)
{
    struct reasoning_detail detail;
    int64_t *steps;
    size_t count;
    if (read_detail(r, arena, node, &detail, e) ||
        chain_step_rows(r, arena, node, &steps, &count, e) ||
        count_documents(reader_db(r), steps, count, &out->sources, e) ||
        chain_state_of(r, node, steps, count, detail.answer != NULL, &out->state, e) ||
        find_confidence(reader_db(r), node, steps, count, out, e))
        return -1;
    out->steps = count;
    out->total_time = detail.seconds;
    out->answer = detail.answer;
    out->strategy = detail.words;
    const char **const shown[] = {&out->answer, &out->strategy};
    guard_mask_texts(r, arena, shown, 2);
    return 0;
}

int chain_brief_read(struct reader *r, struct arena *arena, int64_t node, struct chain_brief *out,
                     struct error *e)
{
    *out = (struct chain_brief){.total_time = NAN, .confidence = NAN};
    if (reader_begin(r, e))
        return -1;
    int64_t chain = chain_row(r, node, e);
    int result = chain < 0 ? -1 : read_brief(r, arena, chain, out, e);
    reader_end(r);
    return result;
}

/* ---- on the same question ---- */

static int find_same(struct reader *r, struct arena *arena, int64_t node, size_t limit,
                     int64_t **out, size_t *count, struct error *e)
{
    struct memory m;
    if (guard_read_bare(r, arena, node, &m, e))
        return -1;
    return found_by_rows(reader_db(r), arena, FOUND_BY_QUESTION, m.text ? m.text : "", NULL,
                         INT64_MAX, limit < SIZE_MAX ? limit + 1 : limit, out, count, e);
}

int chains_on_question(struct reader *r, struct arena *arena, int64_t node, size_t limit,
                       int64_t **out, size_t *count, bool *more, struct error *e)
{
    *more = false;
    if (reader_begin(r, e))
        return -1;
    int64_t chain = chain_row(r, node, e);
    int result = chain < 0 ? -1 : find_same(r, arena, chain, limit, out, count, e);
    reader_end(r);
    if (result == 0 && *count > limit) {
        *count = limit;
        *more = true;
    }
    return result;
}
