#include "store/reasoning/chain.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/memory/memory.h"
#include "store/reasoning/chain_rows.h"
#include "store/reasoning/document.h"
#include "store/guard/guard.h"
#include "store/db/reader.h"
#include "store/reasoning/reasoning_detail.h"

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
    struct numbered {
        int64_t node, number;
    } * numbered; /* [out->step_count], by node */
};

/* A step as it is read: its memory is looked at once more when all of them are known. */
struct step_read {
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

static int read_step(struct chain_reading *c, int64_t node, struct step_read *out)
{
    struct step_detail detail;
    struct memory *m = &out->m;
    if (memory_read(c->r, c->arena, node, m, c->e) || guard_names(c->r, c->arena, m, c->e) ||
        guard_excerpts(c->r, c->arena, m, c->e))
        return -1;
    step_detail_read(m->detail, c->arena, &detail);
    out->step = (struct chain_step){
        .node = node,
        .ref = m->ref,
        .number = detail.number,
        .question = m->text ? m->text : "",
        .answer = detail.answer,
        .trace = detail.trace,
        .confidence = m->status == STATUS_MISSING
                          ? NAN
                          : reasoning_stated(KIND_STEP, detail.unstated, m->confidence),
        .execution_time = detail.execution_time,
        .context_used = detail.context_used,
        .token_usage = detail.token_usage,
        .created_at = m->created_at,
        .status = m->status};
    read_faithful(m, &out->step);
    return read_sources(c, m, &out->step);
}

static int by_node(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;
    return (x->node > y->node) - (x->node < y->node);
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
            struct numbered wanted = {j->antecedents[k].node, 0};
            const struct numbered *found =
                bsearch(&wanted, c->numbered, c->out->step_count, sizeof(wanted), by_node);
            if (found && found->number > 0)
                out->earlier[out->earlier_count++] = found->number;
        }
    }
}

/* Those without a number come last, in the order in which they were written. */
static int by_number(const void *a, const void *b)
{
    const struct chain_step *x = &(*(const struct step_read *const *)a)->step,
                            *y = &(*(const struct step_read *const *)b)->step;
    if (!x->number != !y->number)
        return x->number ? -1 : 1;
    return x->number != y->number ? (x->number > y->number) - (x->number < y->number)
                                  : (x->node > y->node) - (x->node < y->node);
}

static void keep_steps(struct chain_reading *c, const struct step_read **order, size_t count)
{
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): of pointers */
    qsort(order, count, sizeof(*order), by_number);
    for (size_t i = 0; i < count; i++) {
        c->out->step[i] = order[i]->step;
        c->numbered[i] = (struct numbered){order[i]->step.node, order[i]->step.number};
    }
    c->out->step_count = count;
    qsort(c->numbered, count, sizeof(*c->numbered), by_node);
    for (size_t i = 0; i < count; i++)
        read_earlier(c, &order[i]->m, &c->out->step[i]);
}

static int read_steps(struct chain_reading *c, const int64_t *nodes, size_t count)
{
    struct step_read *steps = arena_array(c->arena, count + 1, sizeof(*steps));
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): of pointers */
    const struct step_read **order = arena_array(c->arena, count + 1, sizeof(*order));
    c->out->step = arena_array(c->arena, count + 1, sizeof(*c->out->step));
    c->numbered = arena_array(c->arena, count + 1, sizeof(*c->numbered));
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
    for (size_t i = 0; all && i < c->out->step_count; i++)
        if (STATUS_LIVES(c->out->step[i].status))
            all[count++] = c->out->step[i].confidence;
    return all ? chain_confidence(all, count) : NAN;
}

static void fill_chain(struct chain_reading *c, const struct memory *m)
{
    struct chain_detail detail;
    chain_detail_read(m->detail, c->arena, &detail);
    *c->out =
        (struct chain){.node = m->node,
                       .ref = m->ref,
                       .agent_id = m->agent_id,
                       .question = m->text ? m->text : "",
                       .answer = detail.answer,
                       .strategy = detail.strategy,
                       .confidence = reasoning_stated(KIND_CHAIN, detail.unstated, m->confidence),
                       .total_time = detail.total_time,
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
    if (reader_begin(r, e))
        return -1;
    int result = read_chain(&c, node);
    reader_end(r);
    return result;
}

struct step_sources *chain_step_sources(const struct chain *c, struct arena *arena)
{
    struct step_sources *all = arena_array(arena, c->step_count + 1, sizeof(*all));
    int64_t last = 0;
    for (size_t i = 0; i < c->step_count; i++)
        last = c->step[i].number > last ? c->step[i].number : last;
    for (size_t i = 0; all && i < c->step_count; i++) {
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
