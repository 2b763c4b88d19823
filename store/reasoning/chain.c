/* Reads chains: steps, sources, the documents of the matrix, and summaries for lists. */
#include "store/reasoning/chain.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/error.h"
#include "model/base/map.h"
#include "model/memory/memory.h"
#include "store/db/db.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/history/past.h"
#include "store/lineage/effective.h"
#include "store/ops/policy.h"
#include "store/reasoning/document.h"
#include "store/reasoning/reasoning_given.h"
#include "store/record/index_tables.h"
#include "store/session/session.h"

/*
 * The steps of a chain, each once: the memories that are part of it and those it is based on.
 * Imported chains may have only one of both. Role 4 is step, relation 21 is part_of; kind 11 is
 * chain, kind 12 is step.
 */
#define STEPS_OF                                                                                   \
    "SELECT l.memory AS id FROM link l INDEXED BY link_target CROSS JOIN memory m"                 \
    " ON m.id = l.memory WHERE l.target = ?1 AND l.shape & 31 = 21 AND m.kind = 12"                \
    " UNION SELECT l.target FROM link l CROSS JOIN memory m ON m.id = l.target"                    \
    " WHERE l.memory = ?1 AND l.shape & 31 = 4 AND m.kind = 12"

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
                 : error_set(e, ERROR_NOT_FOUND, HINT_CHAINS,
                             kind == KIND_STEP
                                 ? "the step is part of no chain"
                                 : "it is neither a chain of thought nor a step of one");
}

/* ---- state ---- */

/* Sets *session to the session that added the row `last`; 0 if none. */
static int find_session(struct db *db, int64_t last, int64_t *session, struct error *e)
{
    return db_int(db, session, 0, e,
                  "SELECT coalesce(session, 0) FROM event WHERE subject = ? ORDER BY seq LIMIT 1",
                  "i", last);
}

/* Sets *lives if the session is alive, or was alive at the time of the snapshot. */
static int session_lives(struct reader *r, int64_t session, bool *lives, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct session_row row;
    int64_t past_seq = reader_past(r), then = 0;
    int result = session_read(r, &arena, session, &row, e);
    if (result && e->code == ERROR_NOT_FOUND)
        result = 0, *lives = false;
    else if (result == 0)
        *lives = row.lives;
    if (result == 0 && past_seq > 0 && !*lives && row.ended_at) {
        result = past_event_time(r, past_seq, &then, e);
        *lives = result == 0 && row.ended_at > then;
    }
    return result;
}

/* `last` is the newest row of the chain and its steps. */
static int chain_state_of(struct reader *r, int64_t last, bool answered, enum chain_state *out,
                          struct error *e)
{
    int64_t session = 0;
    bool lives = false;
    *out = answered ? CHAIN_FINISHED : CHAIN_ABANDONED;
    if (answered)
        return 0;
    if (find_session(reader_db(r), last, &session, e) ||
        (session > 0 && session_lives(r, session, &lives, e)))
        return -1;
    if (lives)
        *out = CHAIN_RUNNING;
    return 0;
}

/* ---- the documents of a chain: the columns of its matrix ---- */

/* Updates a document from one of its uses; uses come in order of steps. */
static void add_use(struct chain_document *d, const struct chain_source *use, bool first_in_step)
{
    const struct source *s = &use->source;
    if (!d->node)
        *d = (struct chain_document){.node = use->document,
                                     .id = s->document_id,
                                     .invented = s->invented,
                                     .status = use->status,
                                     .best = -1};
    d->steps += first_in_step;
    d->changed |= use->changed;
    if (!d->title && s->title && *s->title)
        d->title = s->title;
    if (s->relevance > d->best) {
        d->best = s->relevance;
        d->origin = s->origin;
    }
}

/* Collects the documents in order of first use and sets the column of each source. */
static void gather(struct chain *c, struct arena *arena)
{
    AUTO(row_index) met = ROW_INDEX_INIT;
    size_t uses = 0;
    for (size_t i = 0; i < c->step_count; i++)
        uses += c->step[i].source_count;
    c->document = arena_array(arena, uses + 1, sizeof(*c->document));
    /* last step that used each, from 1 */
    size_t *last = arena_array(arena, uses + 1, sizeof(*last));
    for (size_t i = 0; i < c->step_count; i++)
        for (size_t k = 0; k < c->step[i].source_count; k++) {
            struct chain_source *use = &c->step[i].source[k];
            use->column = row_index_add(&met, use->document);
            add_use(&c->document[use->column], use, last[use->column] != i + 1);
            last[use->column] = i + 1;
        }
    c->document_count = met.count;
}

/* Reads the title: the document's own, or else what a use called it. */
static int read_title(struct reader *r, struct arena *arena, struct chain_document *d,
                      struct error *e)
{
    const char *text = NULL, *detail = NULL;
    enum visibility visibility;
    struct query row = db_query(
        reader_db(r), e, "SELECT kind, name, text, detail FROM memory WHERE id = ?", "i", d->node);
    bool found = db_next(&row);
    if (found) {
        int kind = column_enum(row.stmt, 0, KIND_COUNT);
        d->ref = (struct ref){kind < 0 ? KIND_DOCUMENT : (enum kind)kind,
                              column_utf8(arena, row.stmt, 1)};
        text = column_utf8(arena, row.stmt, 2);
        detail = column_utf8(arena, row.stmt, 3);
    }
    if (db_end(&row))
        return -1;
    if (!found)
        return 0;
    if (!d->ref.id)
        return reader_damaged(e, "the name", d->node);
    if (guard_visibility(r, d->node, &visibility, e))
        return -1;
    if (visibility == VISIBLE_WHOLE && text && *text && strcmp(text, d->ref.id) != 0 &&
        !document_is_untitled(detail))
        d->title = text;
    if (reader_masked(r))
        d->ref = guard_mask_ref(r, arena, d->ref);
    const char **const shown[] = {&d->title};
    guard_mask_texts(r, arena, shown, 1);
    return 0;
}

/* Best relevance first; ties in order of first use. */
static int by_best(const void *a, const void *b)
{
    const struct chain_document *x = a, *y = b;
    return x->best != y->best ? COMPARE(y->best, x->best) : COMPARE(x->place, y->place);
}

static void sort_documents(struct chain *c, struct arena *arena)
{
    size_t *column = arena_array(arena, c->document_count, sizeof(*column));
    for (size_t i = 0; i < c->document_count; i++)
        c->document[i].place = i;
    SORT(c->document, c->document_count, by_best);
    for (size_t i = 0; i < c->document_count; i++)
        column[c->document[i].place] = i;
    for (size_t i = 0; i < c->step_count; i++)
        for (size_t k = 0; k < c->step[i].source_count; k++)
            c->step[i].source[k].column = column[c->step[i].source[k].column];
}

/* ---- all documents ---- */

/* Marks primary sources by the same rule as source_summarise. */
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

/* Fills the documents of the chain from the sources of its steps. */
static int chain_fill_documents(struct reader *r, struct arena *arena, struct chain *c,
                                struct error *e)
{
    gather(c, arena);
    sort_documents(c, arena);
    for (size_t i = 0; i < c->document_count; i++)
        if (read_title(r, arena, &c->document[i], e) ||
            document_retrieval_status(r, c->document[i].node, &c->document[i].retrieval, e))
            return -1;
    for (size_t i = 0; i < c->step_count; i++)
        for (size_t k = 0; k < c->step[i].source_count; k++) {
            struct chain_source *s = &c->step[i].source[k];
            enum status status = c->document[s->column].retrieval;
            s->source.retrieval = status == STATUS_ACTIVE ? NULL : status_name(status);
        }
    mark_primary(c);
    return 0;
}

/* ---- reading a chain ---- */

const char *chain_state_name(enum chain_state state)
{
    static const char *const names[] = {"running", "finished", "abandoned"};
    return names[state];
}

/* A chain being read. */
struct chain_reading {
    struct reader *r;
    struct arena *arena;
    struct error *e;
    struct chain *out;
    struct map numbers; /* step numbers by row */
};

/* A step being read. Its memory is needed again when all steps are known. */
struct read_step {
    struct memory m;
    struct chain_step step;
};

/* ---- sources ---- */

/* Fills a source from the recorded use. Values that an import did not give get the defaults of a
 * retrieval without them. */
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
    for (int judge = 0; judge < JUDGES; judge++) {
        const struct flag *rating = rating_of(m, a->ref, (enum judge)judge, c->arena);
        struct judgement *j = &out->rating[judge];
        struct ref of;
        if (rating && rating_parse(rating->value, c->arena, &of, &j->word)) {
            j->by = rating->actor;
            j->reason = rating->reason;
        }
    }
    if (!out->source.version_hash)
        return 0;
    return document_changed_since(c->r, a->node, out->source.chunk, m->node,
                                  out->source.version_hash, &out->changed, c->e);
}

/* Sources as reasoning.h writes them, and documents that an import links by another role. */
static bool is_source(const struct justification *j, const struct antecedent *a)
{
    return j->role == ROLE_SOURCE || (j->role != ROLE_STEP && a->ref.kind == KIND_DOCUMENT);
}

/* Hidden entries are left out, and so is what cannot be read. */
static bool is_named(struct chain_reading *c, const struct antecedent *a)
{
    struct error ignored;
    enum visibility visibility;
    return guard_visibility(c->r, a->node, &visibility, &ignored) == 0 &&
           visibility != VISIBLE_NONE;
}

/* `passages` has the whole text of each source whose excerpt was cut, hidden ones included. */
static int read_sources(struct chain_reading *c, const struct memory *m, struct json_slice passages,
                        struct chain_step *out)
{
    size_t count = 0;
    struct json_each whole = json_each(passages);
    for (size_t i = 0; i < m->justification_count; i++)
        count += m->justifications[i].count;
    out->source = arena_array(c->arena, count + 1, sizeof(*out->source));
    for (size_t i = 0; i < m->justification_count; i++) {
        const struct justification *j = &m->justifications[i];
        for (size_t k = 0; k < j->count; k++) {
            if (!is_source(j, &j->antecedents[k]))
                continue;
            const char *text = json_next(&whole) ? json_text_repaired(c->arena, whole.value) : NULL;
            if (!is_named(c, &j->antecedents[k]))
                continue;
            struct chain_source *source = &out->source[out->source_count++];
            if (add_source(c, m, &j->antecedents[k], j->recorded, source))
                return -1;
            source->source.whole = text;
        }
    }
    return 0;
}

/* ---- steps ---- */

static void read_faithful(const struct memory *m, struct chain_step *out)
{
    int64_t latest[JUDGES] = {INT64_MIN, INT64_MIN, INT64_MIN};
    for (size_t i = 0; i < m->flag_count; i++) {
        const struct flag *flag = &m->flags[i];
        enum judge judge = flag->judge;
        if (strcmp(flag->name, "faithful") != 0 || flag->at < latest[judge])
            continue;
        latest[judge] = flag->at;
        out->faithful[judge] = (struct judgement){flag->value, flag->actor, flag->reason};
    }
}

static int read_step(struct chain_reading *c, int64_t node, struct read_step *out)
{
    struct reasoning_detail detail;
    struct memory *m = &out->m;
    if (memory_read(c->r, c->arena, node, m, c->e) ||
        policy_find_judges(c->r, node, m->flags, m->flag_count, c->e) ||
        guard_names(c->r, c->arena, m, c->e) || guard_excerpts(c->r, c->arena, m, c->e))
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
        .model = detail.model,
        .created_at = m->created_at,
        .status = m->status};
    read_faithful(m, &out->step);
    return read_sources(c, m, detail.passages, &out->step);
}

/* Needs the numbers of all steps. */
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

/* Steps without a number come last, in the order in which they were written. */
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
    SORT(order, count, by_number);
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
                       .model = detail.model,
                       .summary = detail.summary,
                       .created_at = m->created_at,
                       .updated_at = m->updated_at,
                       .status = m->status};
    detail_text(m, CLAIMED_MEMBER, c->arena, &c->out->claimed);
}

/* An agent's step may be part of another agent's chain, which the agent may not read. */
static int check_visible(struct chain_reading *c, int64_t chain)
{
    enum visibility visibility;
    if (guard_visibility(c->r, chain, &visibility, c->e))
        return -1;
    return visibility == VISIBLE_WHOLE
               ? 0
               : error_set(c->e, ERROR_REFUSED, "Ask the person who reviews this memory.",
                           "that chain is another agent's");
}

/* Finds the visible steps, in the arena. *last is the greatest row of the chain and its steps. */
static int find_steps(struct chain_reading *c, int64_t chain, int64_t **out, size_t *count,
                      int64_t *last)
{
    size_t alloc = 0;
    *out = NULL;
    *count = 0;
    *last = chain;
    struct query rows = db_query(reader_db(c->r), c->e, STEPS_OF " ORDER BY id", "i", chain);
    while (db_next(&rows)) {
        int64_t step = sqlite3_column_int64(rows.stmt, 0);
        enum visibility visibility;
        if (guard_visibility(c->r, step, &visibility, c->e))
            return db_fail(&rows);
        if (visibility != VISIBLE_WHOLE)
            continue;
        *ARENA_ADD(c->arena, *out, *count, alloc) = step;
        *last = step > *last ? step : *last;
    }
    return db_end(&rows);
}

double chain_effective(double confidence, enum chain_state state, const struct row_label *label)
{
    return isnan(confidence) || (state != CHAIN_FINISHED && label_stands(label->label))
               ? confidence
               : label->effective;
}

static int read_support(struct chain_reading *c)
{
    struct chain *out = c->out;
    size_t count = out->step_count + 1;
    int64_t *rows = arena_array(c->arena, count, sizeof(*rows));
    struct row_label *label = arena_array(c->arena, count, sizeof(*label));
    rows[out->step_count] = out->node;
    for (size_t i = 0; i < out->step_count; i++)
        rows[i] = out->step[i].node;
    if (effective_of_rows(c->r, rows, count, label, c->e))
        return -1;
    for (size_t i = 0; i < out->step_count; i++) {
        out->step[i].label = label[i].label;
        out->step[i].effective =
            chain_effective(out->step[i].confidence, CHAIN_FINISHED, &label[i]);
    }
    out->effective = chain_effective(out->confidence, out->state, &label[out->step_count]);
    return 0;
}

static int read_chain(struct chain_reading *c, int64_t node)
{
    struct memory m;
    int64_t *nodes, last, chain = chain_row(c->r, node, c->e);
    size_t count;
    if (chain < 0 || check_visible(c, chain) || memory_read(c->r, c->arena, chain, &m, c->e))
        return -1;
    fill_chain(c, &m);
    if (find_steps(c, chain, &nodes, &count, &last) || read_steps(c, nodes, count) ||
        chain_fill_documents(c->r, c->arena, c->out, c->e) ||
        chain_state_of(c->r, last, c->out->answer != NULL, &c->out->state, c->e))
        return -1;
    if (c->out->state != CHAIN_FINISHED)
        c->out->confidence = mean_so_far(c);
    return read_support(c);
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
    for (size_t i = 0; i < c->step_count; i++) {
        const struct chain_step *step = &c->step[i];
        bool own = step->number && (i == 0 || step->number != step[-1].number);
        struct source *sources = arena_array(arena, step->source_count + 1, sizeof(*sources));
        for (size_t k = 0; k < step->source_count; k++)
            sources[k] = step->source[k].source;
        all[i] =
            (struct step_sources){step->number, sources, step->source_count,
                                  own ? NULL : arena_format(arena, "%s:%s", REF_ARGS(step->ref))};
    }
    return all;
}

/* ---- summaries for lists ---- */

/* Steps without a stated confidence do not count for the mean. The search for the member is safe
 * because quotes inside a JSON string are escaped. Role 3 is source. */
static const char brief_sql[] =
    "WITH step(id) AS (" STEPS_OF ") SELECT count(*), max(s.id),"
    " avg(CASE WHEN m.status <= ?2 AND NOT (m.confidence = ?3"
    " AND coalesce(instr(m.detail, '\"confidence_unstated\":true'), 0)) THEN m.confidence END),"
    " (SELECT count(DISTINCT l.target) FROM step t CROSS JOIN link l ON l.memory = t.id"
    " WHERE l.shape & 31 = 3) FROM step s CROSS JOIN memory m ON m.id = s.id";

static int read_brief(struct reader *r, struct arena *arena, int64_t node,
                      struct chain_summary *out, struct error *e)
{
    struct reasoning_detail detail;
    const char *text = NULL;
    double own = NAN;
    int64_t last = node;
    struct query row =
        db_query(reader_db(r), e, "SELECT detail, confidence FROM memory WHERE id = ?", "i", node);
    if (db_next(&row)) {
        text = db_text(arena, row.stmt, 0);
        own = db_double(row.stmt, 1);
    }
    reasoning_detail_read(text, false, arena, &detail);
    if (db_end(&row))
        return -1;
    row = db_query(reader_db(r), e, brief_sql, "iid", node, (int64_t)STATUS_EXPIRED,
                   kind_spec(KIND_STEP)->confidence);
    if (db_next(&row)) {
        out->steps = (size_t)sqlite3_column_int64(row.stmt, 0);
        out->confidence = db_double(row.stmt, 2);
        out->sources = (size_t)sqlite3_column_int64(row.stmt, 3);
        last = out->steps && sqlite3_column_int64(row.stmt, 1) > last
                   ? sqlite3_column_int64(row.stmt, 1)
                   : last;
    }
    if (db_end(&row) || chain_state_of(r, last, detail.answer != NULL, &out->state, e))
        return -1;
    if (out->state == CHAIN_FINISHED)
        out->confidence = reasoning_stated(KIND_CHAIN, detail.unstated, own);
    out->total_time = detail.seconds;
    out->answer = detail.answer;
    out->strategy = detail.words;
    const char **const shown[] = {&out->answer, &out->strategy};
    guard_mask_texts(r, arena, shown, 2);
    return 0;
}

int chain_summary_read(struct reader *r, struct arena *arena, int64_t node,
                       struct chain_summary *out, struct error *e)
{
    *out = (struct chain_summary){.total_time = NAN, .confidence = NAN};
    if (reader_begin(r, e))
        return -1;
    int64_t chain = chain_row(r, node, e);
    return reader_done(r, chain < 0 ? -1 : read_brief(r, arena, chain, out, e));
}

/* ---- chains with the same question ---- */

bool chain_asks_same(const struct chain *a, const struct chain *b)
{
    uint8_t x[LOOKUP_KEY_SIZE], y[LOOKUP_KEY_SIZE];
    lookup_key(x, LOOKUP_QUESTION, a->question);
    lookup_key(y, LOOKUP_QUESTION, b->question);
    return memcmp(x, y, LOOKUP_KEY_SIZE) == 0;
}

static int find_same(struct reader *r, struct arena *arena, int64_t node, size_t limit,
                     int64_t **out, size_t *count, struct error *e)
{
    struct memory m;
    int64_t chain = chain_row(r, node, e);
    if (chain < 0 || guard_read_unmasked(r, arena, chain, &m, e))
        return -1;
    return lookup_rows(reader_db(r), arena, LOOKUP_QUESTION, m.text ? m.text : "", NULL, limit + 1,
                       out, count, e);
}

int chains_on_question(struct reader *r, struct arena *arena, int64_t node, size_t limit,
                       int64_t **out, size_t *count, bool *more, struct error *e)
{
    if (reader_begin(r, e) || reader_done(r, find_same(r, arena, node, limit, out, count, e)))
        return -1;
    *more = *count > limit;
    *count = *more ? limit : *count;
    return 0;
}
