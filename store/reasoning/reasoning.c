/* Writing chains of thought: step by step, or a whole chain at once. */
#include "store/reasoning/reasoning.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/map.h"
#include "model/base/utf8.h"
#include "model/reasoning/reasoning.h"
#include "store/guard/guard.h"
#include "store/ops/plan.h"
#include "store/ops/policy.h"
#include "store/reasoning/document.h"
#include "store/reasoning/reasoning_given.h"
#include "store/record/get.h"
#include "store/record/put.h"
#include "store/record/index_tables.h"
#include "store/txn/txn.h"

/* A chain being written. */
struct writing {
    struct txn *t;
    struct actor actor;    /* with a correlation */
    const char *operation; /* operation of the events of the chain and its steps */
    const char *agent_id;  /* owner of the chain */
    struct ref chain;
    struct arena *arena;
    char correlation[13];
    struct earlier *earlier; /* the steps so far, in the arena */
    size_t earlier_count, earlier_alloc;
};

/* ---- shared by all ways of writing ---- */

/* Initialises *w with a copy of the actor that has a correlation. */
static int writing_begin(struct writing *w, struct txn *t, const struct actor *actor,
                         const char *operation, struct arena *arena, struct error *e)
{
    char id[37];
    *w = (struct writing){.t = t, .actor = *actor, .operation = operation, .arena = arena};
    if (actor->correlation)
        return 0;
    if (txn_make_id(t, id, e))
        return -1;
    memcpy(w->correlation, id + 24, sizeof(w->correlation)); /* 48 random bits are enough */
    w->actor.correlation = w->correlation;
    return 0;
}

/* Sets the agent of the chain. ERROR_INVALID if the name is too long. */
static int writing_agent(struct writing *w, const char *agent_id, struct error *e)
{
    w->agent_id = plan_agent(&w->actor, agent_id);
    return add_agent_check(w->agent_id, e);
}

/* Initialises a memory of the chain, without links. `id` NULL makes one. */
static int writing_memory(struct writing *w, enum kind kind, const char *id, const char *text,
                          size_t text_len, const char *detail, struct memory *out, struct error *e)
{
    char made[37];
    if (!id && txn_make_id(w->t, made, e))
        return -1;
    const char *copy = arena_strdup(w->arena, id ? id : made);
    memory_init(out, (struct ref){kind, copy});
    out->agent_id = w->agent_id;
    out->source_type = source_type_name(SOURCE_INFERENCE);
    out->created_at = out->updated_at = txn_now(w->t);
    out->detail = strcmp(detail, "{}") == 0 ? NULL : detail;
    memory_set_text(out, w->arena, text, text_len);
    return 0;
}

static int writing_put(struct writing *w, struct memory *m, struct added *out, struct error *e)
{
    memory_claim(m, &w->actor, w->arena);
    if (txn_put(w->t, &w->actor, w->operation, NULL, m, NULL, e))
        return -1;
    *out = (struct added){.node = m->node, .ref = m->ref, .version = m->version};
    return 0;
}

/* Computes the mean confidence of the steps and the sum of their known times; NAN if there are
 * none. */
static void writing_sum_up(const struct writing *w, double *confidence, double *total)
{
    *total = NAN;
    double *all = w->earlier_count ? arena_array(w->arena, w->earlier_count, sizeof(*all)) : NULL;
    for (size_t i = 0; i < w->earlier_count; i++) {
        double time = w->earlier[i].time;
        if (all)
            all[i] = w->earlier[i].confidence;
        if (!isnan(time))
            *total = isnan(*total) ? time : *total + time;
    }
    *confidence = all ? chain_confidence(all, w->earlier_count) : NAN;
}

/* ---- writing a step ---- */

#define NAMED 60 /* code points of an id in an error */

/* ---- contexts that are answers of earlier steps ---- */

static size_t trim_ends(const char **text)
{
    size_t len = strlen(*text);
    while (len && strchr(" \t\r\n", **text))
        (*text)++, len--;
    while (len && strchr(" \t\r\n", (*text)[len - 1]))
        len--;
    return len;
}

static bool same_words(const char *a, const char *b)
{
    size_t a_len = trim_ends(&a), b_len = trim_ends(&b);
    return a_len && a_len == b_len && memcmp(a, b, a_len) == 0;
}

/* Returns the latest step before `number` with exactly that answer, or NULL. */
static const struct earlier *answered_by(const struct earlier *steps, size_t count,
                                         const char *context, int64_t number)
{
    const struct earlier *found = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct earlier *s = &steps[i];
        if (s->answer && s->number < number && (!found || s->number > found->number) &&
            same_words(s->answer, context))
            found = s;
    }
    return found;
}

static void add_once(struct step_read *out, const struct earlier *step)
{
    for (size_t i = 0; i < out->from_count; i++)
        if (out->from[i] == step)
            return;
    out->from[out->from_count++] = step;
}

/* Splits the contexts. Answers of earlier steps go to out->from and become empty in the result, so
 * that they are no sources but keep their position. */
static const char **split_contexts(const struct earlier *steps, size_t count,
                                   const struct step_given *given, struct arena *arena,
                                   struct step_read *out)
{
    const char **rest = arena_array(arena, given->context_count + 1, sizeof(*rest));
    out->from = arena_array(arena, given->context_count + 1, sizeof(*out->from));
    for (size_t i = 0; i < given->context_count; i++) {
        const struct earlier *step = answered_by(steps, count, given->contexts[i], given->number);
        rest[i] = step ? "" : given->contexts[i];
        if (step)
            add_once(out, step);
    }
    return rest;
}

/* ---- sources ---- */

static bool is_filled(struct json_slice list)
{
    struct json_each it = json_each(list);
    return list.ptr && list.ptr[0] == '[' && json_next(&it);
}

void step_read_sources(const struct earlier *steps, size_t count, const struct step_given *given,
                       struct arena *arena, struct step_read *out)
{
    *out = (struct step_read){.from = NULL};
    const char **contexts = split_contexts(steps, count, given, arena, out);
    if (is_filled(given->attributions))
        sources_from_attributions(&out->sources, arena, given->attributions, "source_attributions");
    else
        sources_extract(&out->sources, arena, given->results, "retrieved_documents", contexts,
                        given->context_count);
}

static const struct use *use_of(struct arena *arena, const struct source *s, struct ref document)
{
    struct use *use = arena_alloc(arena, sizeof(*use));
    *use = (struct use)USE_NONE;
    use->relevance = s->relevance;
    use->score = s->origin;
    use->excerpt = s->excerpt;
    use->chunk = s->chunk;
    use->rank = s->rank;
    use->version_hash = s->version_hash;
    use->title = s->title;
    if (s->invented || strcmp(s->document_id, document.id) != 0)
        use->label = s->document_id;
    return use;
}

/* Moves a source to the refused ones. */
static void refuse(struct writing *w, struct source_list *list, const struct source *s,
                   struct error *e)
{
    error_prefix(e, "%s[%zu] (“%.*s”)", list->name ? list->name : "context_used", s->index,
                 (int)utf8_prefix(s->document_id, NAMED), s->document_id);
    list->refused[list->refused_count++] =
        (struct source_refusal){s->index, arena_strdup(w->arena, e->what)};
}

/* Records that a named retrieval is not in the store. */
static void note_unresolved(struct step_added *added, const char *attribution)
{
    for (size_t i = 0; i < added->unresolved_count; i++)
        if (strcmp(added->unresolved[i], attribution) == 0)
            return;
    added->unresolved[added->unresolved_count++] = attribution;
}

/* On ERROR_INVALID nothing of the source was written. */
static int add_document(struct writing *w, const struct source *s, const char *step, size_t i,
                        struct antecedent *out, bool *known, struct error *e)
{
    char salt[80];
    snprintf(salt, sizeof(salt), "%.50s.%zu", step, i);
    if (document_check_names(w->t, s, w->arena, known, e) ||
        document_find_or_add(w->t, &w->actor, "add", w->agent_id, s, salt, w->arena, &out->ref,
                             &out->node, e) ||
        document_link_retrieval(w->t, &w->actor, w->agent_id, out->node, s, w->arena, e))
        return -1;
    out->use = use_of(w->arena, s, out->ref);
    return 0;
}

/*
 * Adds the documents of all sources and links them to their retrievals. A source that cannot be
 * stored is refused alone. The events of documents have the operation "add" even in an import,
 * because other memories may use the documents too.
 */
static int add_documents(struct writing *w, struct source_list *list, const char *step,
                         struct antecedent *out, struct step_added *added, struct error *e)
{
    bool known;
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        struct source s = list->source[i];
        if (add_document(w, &s, step, i, &out[kept], &known, e)) {
            if (e->code != ERROR_INVALID)
                return -1;
            refuse(w, list, &s, e);
            continue;
        }
        list->source[kept++] = s;
        if (!known)
            note_unresolved(added, s.attribution);
    }
    list->count = kept;
    return 0;
}

/* ---- groups ---- */

/*
 * For each source, the position (from 1) of the previous source with the same document; 0 if none.
 */
static size_t *places_before(struct arena *arena, const struct antecedent *all, size_t count)
{
    size_t *before = arena_array(arena, count + 1, sizeof(*before));
    AUTO(map) last = MAP_INIT;
    for (size_t i = 0; i < count; i++) {
        int64_t *place = map_at(&last, all[i].node);
        before[i] = (size_t)*place;
        *place = (int64_t)i + 1;
    }
    return before;
}

/* A group holds a document only once, so a document that occurs again begins another group.
 * Concatenated, the groups are the sources in order. */
static size_t group_sources(struct antecedent *all, size_t count, const size_t *before, int64_t at,
                            struct justification *out)
{
    size_t groups = 0, first = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || before[i] > first) {
            first = i;
            out[groups++] =
                (struct justification){ROLE_SOURCE, READING_ANY, RECORDED, at, NULL, all + i, 0};
        }
        out[groups - 1].count++;
    }
    return groups;
}

static void add_earlier(struct writing *w, const struct step_read *read, int64_t at,
                        struct justification *out)
{
    struct antecedent *steps = arena_array(w->arena, read->from_count, sizeof(*steps));
    for (size_t i = 0; i < read->from_count; i++)
        steps[i] = (struct antecedent){.ref = read->from[i]->ref};
    *out =
        (struct justification){ROLE_STEP, READING_ANY, RECORDED, at, NULL, steps, read->from_count};
}

static int base_on_document(struct writing *w, struct memory *m, struct step_read *read,
                            struct step_added *added, struct error *e)
{
    struct source_list *sources = &read->sources;
    struct antecedent *all = arena_array(w->arena, sources->count + 1, sizeof(*all));
    m->justifications = arena_array(w->arena, sources->count + 1, sizeof(*m->justifications));
    added->unresolved = arena_array(w->arena, sources->count + 1, sizeof(*added->unresolved));
    if (add_documents(w, sources, m->ref.id, all, added, e))
        return -1;
    size_t *before = places_before(w->arena, all, sources->count);
    m->justification_count =
        group_sources(all, sources->count, before, m->created_at, m->justifications);
    if (read->from_count == 0)
        return 0;
    add_earlier(w, read, m->created_at, &m->justifications[m->justification_count++]);
    return 0;
}

static void be_part_of(struct writing *w, struct memory *m)
{
    m->relations = arena_alloc(w->arena, sizeof(*m->relations));
    m->relations[0] =
        (struct relation){.type = RELATION_PART_OF, .to = w->chain, .at = m->created_at};
    m->relation_count = 1;
}

/* ---- the step ---- */

static void note(struct writing *w, const struct memory *m, const struct step_given *given)
{
    const char *answer =
        given->answer ? arena_strndup(w->arena, given->answer, given->answer_len) : NULL;
    *ARENA_ADD(w->arena, w->earlier, w->earlier_count, w->earlier_alloc) = (struct earlier){
        m->node, m->ref, given->number, answer, given->confidence, given->execution_time};
}

/* Truncates the excerpts. For an agent they are also masked before. */
static int cut_excerpts(struct writing *w, struct source_list *sources, struct error *e)
{
    struct reader *r = txn_reader(w->t, e);
    if (!r)
        return -1;
    const struct guard_rules *rules = guard_rules_of(r);
    if (rules)
        sources_cut(sources, w->arena, guard_pii(rules));
    return 0;
}

/* Adds a step whose fields were checked. */
static int step_write(struct writing *w, const struct step_given *given, const char *id,
                      struct step_added *out, struct error *e)
{
    struct memory m;
    struct step_read read;
    *out = (struct step_added){.unread = 0};
    step_read_sources(w->earlier, w->earlier_count, given, w->arena, &read);
    if (cut_excerpts(w, &read.sources, e) ||
        writing_memory(w, KIND_STEP, id, given->question, given->question_len, "{}", &m, e))
        return -1;
    out->unread = read.sources.refused_count;
    if (!isnan(given->confidence))
        m.confidence = given->confidence;
    if (base_on_document(w, &m, &read, out, e))
        return -1;
    m.detail = step_detail_write(given, &read.sources, w->arena);
    be_part_of(w, &m);
    if (writing_put(w, &m, &out->step, e))
        return -1;
    out->sources = read.sources;
    note(w, &m, given);
    return 0;
}

static int by_step_number(const void *a, const void *b)
{
    const struct earlier *x = a, *y = b;
    return x->number != y->number ? (x->number > y->number) - (x->number < y->number)
                                  : (x->node > y->node) - (x->node < y->node);
}

/* A finished chain is based on all of its steps, by number. */
static void chain_rest_on_steps(struct writing *w, struct memory *chain)
{
    size_t count = chain->justification_count;
    if (w->earlier_count == 0)
        return;
    struct justification *all = arena_array(w->arena, count + 1, sizeof(*all));
    struct antecedent *steps = arena_array(w->arena, w->earlier_count, sizeof(*steps));
    if (count)
        memcpy(all, chain->justifications, count * sizeof(*all));
    SORT(w->earlier, w->earlier_count, by_step_number);
    for (size_t i = 0; i < w->earlier_count; i++)
        steps[i] = (struct antecedent){.ref = w->earlier[i].ref};
    all[count] = (struct justification){ROLE_STEP, READING_ALL, RECORDED,        txn_now(w->t),
                                        NULL,      steps,       w->earlier_count};
    chain->justifications = all;
    chain->justification_count = count + 1;
}

/* ---- a whole chain ---- */

/* A chain being recorded. */
struct recording {
    struct writing w;
    const struct chain_given *given;
    const struct record_as *as;
    struct step_sources *sources; /* [step_count] sources taken */
    size_t refused_alloc;
    struct chain_recorded *out;
};

static void keep_refused(struct recording *r, const struct step_added *step, int64_t number)
{
    for (size_t i = 0; i < step->sources.refused_count; i++)
        *ARENA_ADD(r->w.arena, r->out->refused, r->out->refused_count, r->refused_alloc) =
            (struct recorded_refusal){number, step->sources.refused[i], i < step->unread};
}

static int write_steps(struct recording *r, struct error *e)
{
    const struct chain_given *g = r->given;
    r->sources = arena_array(r->w.arena, g->step_count + 1, sizeof(*r->sources));
    for (size_t i = 0; i < g->step_count; i++) {
        struct step_added added;
        char id[37];
        bool named = r->as->step_id && r->as->step_id(r->as->arg, g->step[i].number, id);
        if (step_write(&r->w, &g->step[i], named ? id : NULL, &added, e))
            return error_prefix(e, "step %lld", (long long)g->step[i].number);
        r->sources[i] = (struct step_sources){g->step[i].number, added.sources.source,
                                              added.sources.count, NULL};
        keep_refused(r, &added, g->step[i].number);
    }
    return 0;
}

/* Compares a given summary with ours. */
static void compare_summary(struct recording *r)
{
    struct source_summary ours;
    if (!r->given->summary.ptr)
        return;
    source_summarise(&ours, r->w.arena, r->sources, r->given->step_count);
    source_summary_compare(&ours, r->given->summary, r->w.arena, &r->out->differences,
                           &r->out->difference_count);
}

/* The chain is written after its steps, complete. The steps refer to its ref before it exists. */
static int write_chain(struct recording *r, struct memory *m, struct error *e)
{
    struct chain_given given = *r->given;
    double mean, sum;
    if (r->out->difference_count == 0)
        given.summary.ptr = NULL; /* ours says the same */
    writing_sum_up(&r->w, &mean, &sum);
    if (isnan(given.total_time))
        given.total_time = sum;
    if (isnan(given.confidence))
        given.confidence = mean;
    m->detail = chain_detail_write(&given, r->w.arena);
    if (!isnan(given.confidence))
        m->confidence = given.confidence;
    chain_rest_on_steps(&r->w, m);
    return writing_put(&r->w, m, &r->out->chain, e);
}

int chain_record_as(struct txn *t, const struct actor *actor, const struct chain_given *given,
                    const struct record_as *as, struct arena *arena, struct chain_recorded *out,
                    struct error *e)
{
    struct recording r = {.given = given, .as = as, .out = out};
    struct memory m;
    *out = (struct chain_recorded){.steps = given->step_count};
    if (writing_begin(&r.w, t, actor, as->operation, arena, e) ||
        writing_agent(&r.w, as->agent_id, e) ||
        writing_memory(&r.w, KIND_CHAIN, as->id, given->question, given->question_len, "{}", &m, e))
        return -1;
    r.w.chain = m.ref;
    if (write_steps(&r, e))
        return -1;
    compare_summary(&r);
    return write_chain(&r, &m, e);
}

int chain_record(struct txn *t, const struct actor *actor, const char *operation,
                 struct json_slice whole, const char *agent_id, struct arena *arena,
                 struct chain_recorded *out, struct error *e)
{
    struct chain_given given;
    struct record_as as = {.operation = operation, .agent_id = agent_id};
    if (chain_given_read(whole, arena, &given, e))
        return -1;
    return chain_record_as(t, actor, &given, &as, arena, out, e);
}

/* ---- writing step by step: reading the chain so far ---- */

/* `open`: a finished chain is refused. */
static int read_chain(struct writing *w, int64_t node, bool open, struct memory *m, struct error *e)
{
    struct reasoning_detail detail;
    if (memory_read_db(txn_db(w->t), w->arena, node, m, e))
        return -1;
    if (m->ref.kind != KIND_CHAIN || m->status == STATUS_MISSING)
        return error_set(e, ERROR_NOT_FOUND, "Name a chain of thought.", "%s:%s is no chain",
                         kind_name(m->ref.kind), m->ref.id);
    if (!STATUS_LIVES(m->status))
        return error_set(e, ERROR_CONFLICT, "Begin another chain.", "chain:%s is %s", m->ref.id,
                         status_word(m->status));
    reasoning_detail_read(m->detail, false, w->arena, &detail);
    if (open && detail.answer)
        return error_set(e, ERROR_CONFLICT, "Begin another chain.", "chain:%s is finished already",
                         m->ref.id);
    w->chain = m->ref;
    w->agent_id = m->agent_id;
    return 0;
}

/* Reads the steps of the chain, without those that were undone. */
static int read_steps(struct writing *w, int64_t chain, struct error *e)
{
    static const char sql[] =
        "SELECT m.id, m.name, m.detail, m.confidence FROM link l INDEXED BY link_target"
        " JOIN memory m ON m.id = l.memory WHERE l.target = ? AND l.shape & 31 = 21"
        " AND m.kind = 12 AND m.status <> 7 ORDER BY m.id";
    struct query rows = db_query(txn_db(w->t), e, sql, "i", chain);
    while (db_next(&rows)) {
        struct reasoning_detail detail;
        reasoning_detail_read(db_text(w->arena, rows.stmt, 2), true, w->arena, &detail);
        *ARENA_ADD(w->arena, w->earlier, w->earlier_count, w->earlier_alloc) =
            (struct earlier){sqlite3_column_int64(rows.stmt, 0),
                             {KIND_STEP, db_text(w->arena, rows.stmt, 1)},
                             detail.number,
                             detail.answer,
                             reasoning_stated(KIND_STEP, detail.unstated, db_double(rows.stmt, 3)),
                             detail.seconds};
    }
    return db_end(&rows);
}

/* ---- beginning ---- */

int chain_begin(struct txn *t, const struct actor *actor, const struct chain_start *start,
                struct arena *arena, struct added *out, struct error *e)
{
    struct writing w;
    struct memory m;
    struct chain_given given = {
        .strategy = start->strategy, .model = start->model, .total_time = NAN};
    const char *detail = chain_detail_write(&given, arena);
    if (question_check(start->question, start->question_len, e) ||
        writing_begin(&w, t, actor, "add", arena, e))
        return -1;
    return failed_if(
        writing_agent(&w, start->agent_id, e) ||
        writing_memory(&w, KIND_CHAIN, NULL, start->question, start->question_len, detail, &m, e) ||
        writing_put(&w, &m, out, e));
}

/* ---- one step more ---- */

static int check_number(const struct writing *w, int64_t number, struct error *e)
{
    for (size_t i = 0; i < w->earlier_count; i++)
        if (w->earlier[i].number == number)
            return error_set(e, ERROR_CONFLICT,
                             "Give it the next number; cot_step with `replace` corrects a step.",
                             "chain:%s has a step %lld already, step:%s", w->chain.id,
                             (long long)number, w->earlier[i].ref.id);
    return 0;
}

int chain_add_step(struct txn *t, const struct actor *actor, int64_t chain,
                   const struct step_given *step, struct arena *arena, struct step_added *out,
                   struct error *e)
{
    struct writing w;
    struct memory m;
    struct reader *r = txn_reader(t, e);
    if (!r || step_given_check(step, e) || writing_begin(&w, t, actor, "add", arena, e))
        return -1;
    return failed_if(read_chain(&w, chain, true, &m, e) || policy_may_change(r, actor, &m, e) ||
                     read_steps(&w, chain, e) || check_number(&w, step->number, e) ||
                     step_write(&w, step, NULL, out, e));
}

/* ---- other sources for a step ---- */

static const struct earlier *find_step(const struct writing *w, int64_t number, struct error *e)
{
    for (size_t i = 0; i < w->earlier_count; i++)
        if (w->earlier[i].number == number)
            return &w->earlier[i];
    error_set(e, ERROR_NOT_FOUND, "Leave out `replace` to add it.", "chain:%s has no step %lld",
              w->chain.id, (long long)number);
    return NULL;
}

/* Keeps what the step is based on besides its sources and the answers that it was given. */
static void keep_others(struct writing *w, const struct memory *before, struct memory *after)
{
    size_t count = after->justification_count;
    struct justification *all =
        arena_array(w->arena, count + before->justification_count + 1, sizeof(*all));
    if (count)
        memcpy(all, after->justifications, count * sizeof(*all));
    for (size_t i = 0; i < before->justification_count; i++)
        if (before->justifications[i].role != ROLE_SOURCE &&
            before->justifications[i].role != ROLE_STEP)
            all[count++] = before->justifications[i];
    after->justifications = all;
    after->justification_count = count;
}

static int replace(struct writing *w, const struct memory *before, const struct step_given *given,
                   struct step_added *out, struct error *e)
{
    struct memory after = *before;
    struct step_read read;
    *out = (struct step_added){.unread = 0};
    step_read_sources(w->earlier, w->earlier_count, given, w->arena, &read);
    if (cut_excerpts(w, &read.sources, e))
        return -1;
    out->unread = read.sources.refused_count;
    after.form = NULL;
    after.created_at = txn_now(w->t); /* of the new groups */
    if (base_on_document(w, &after, &read, out, e))
        return -1;
    after.created_at = before->created_at;
    after.updated_at = txn_now(w->t);
    after.detail = step_detail_replace(before->detail, given, &read.sources, w->arena);
    keep_others(w, before, &after);
    if (txn_put(w->t, &w->actor, w->operation, before, &after, NULL, e))
        return -1;
    out->step = (struct added){.node = after.node, .ref = after.ref, .version = after.version};
    out->sources = read.sources;
    return 0;
}

int chain_replace_sources(struct txn *t, const struct actor *actor, int64_t chain,
                          const struct step_given *step, struct arena *arena,
                          struct step_added *out, struct error *e)
{
    struct writing w;
    struct memory m;
    const struct earlier *found;
    struct reader *r = txn_reader(t, e);
    if (!r || step_given_check(step, e) || writing_begin(&w, t, actor, "edit", arena, e) ||
        read_chain(&w, chain, false, &m, e) || read_steps(&w, chain, e) ||
        !(found = find_step(&w, step->number, e)) ||
        memory_read_db(txn_db(t), arena, found->node, &m, e) || policy_may_change(r, actor, &m, e))
        return -1;
    if (!m.text || !same_words(m.text, step->question))
        return error_set(e, ERROR_CONFLICT,
                         "Give the question of that step; its sources alone"
                         " are replaced.",
                         "step:%s asks something else", m.ref.id);
    return replace(&w, &m, step, out, e);
}

/* ---- finishing ---- */

static int finish(struct writing *w, const struct memory *before, const char *answer,
                  size_t answer_len, double confidence, double total_time, struct error *e)
{
    struct memory after = *before;
    double mean, sum;
    writing_sum_up(w, &mean, &sum);
    after.form = NULL;
    after.updated_at = txn_now(w->t);
    confidence = isnan(confidence) ? mean : confidence;
    if (!isnan(confidence))
        after.confidence = confidence;
    after.detail =
        chain_detail_finish(before->detail, answer, answer_len,
                            isnan(total_time) ? sum : total_time, isnan(confidence), w->arena);
    chain_rest_on_steps(w, &after);
    return txn_put(w->t, &w->actor, w->operation, before, &after, NULL, e);
}

int chain_finish(struct txn *t, const struct actor *actor, int64_t chain, const char *answer,
                 size_t answer_len, double confidence, double total_time, struct arena *arena,
                 struct error *e)
{
    struct writing w;
    struct memory m;
    struct reader *r = txn_reader(t, e);
    if (!r || confidence_check(confidence, e) || time_check(total_time, e) ||
        writing_begin(&w, t, actor, "finish", arena, e))
        return -1;
    return failed_if(read_chain(&w, chain, true, &m, e) || policy_may_change(r, actor, &m, e) ||
                     read_steps(&w, chain, e) ||
                     finish(&w, &m, answer, answer_len, confidence, total_time, e));
}
