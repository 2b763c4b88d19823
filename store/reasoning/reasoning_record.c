/* A whole chain at once. */
#include "store/reasoning/reasoning_record.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/reasoning/reasoning.h"
#include "store/reasoning/reasoning_detail.h"
#include "store/reasoning/reasoning_write.h"

/* A chain while it is recorded. */
struct recording {
    struct writing w;
    const struct chain_given *given;
    const struct record_as *as;
    struct step_sources *sources; /* [step_count]: as they were taken */
    struct recorded_refusal *refused;
    size_t refused_count, refused_alloc;
    struct chain_recorded *out;
};

static void keep_refused(struct recording *r, const struct step_added *step, int64_t number)
{
    for (size_t i = 0; i < step->sources.refused_count; i++) {
        void *list = r->refused;
        array_grow(&list, &r->refused_alloc, r->refused_count, sizeof(*r->refused));
        r->refused = list;
        r->refused[r->refused_count++] =
            (struct recorded_refusal){number, step->sources.refused[i], i < step->unread};
    }
}

static int write_steps(struct recording *r, struct error *e)
{
    const struct chain_given *g = r->given;
    r->sources = arena_array(r->w.arena, g->step_count + 1, sizeof(*r->sources));
    for (size_t i = 0; i < g->step_count; i++) {
        struct step_added added;
        char id[37];
        bool named = r->as->step_id && r->as->step_id(r->as->arg, g->step[i].number, id);
        if (step_write(&r->w, &g->step[i], named ? id : NULL, g->step_whole[i], &added, e))
            return error_prefix(e, "step %lld", (long long)g->step[i].number);
        r->sources[i] =
            (struct step_sources){g->step[i].number, added.sources.source, added.sources.count};
        keep_refused(r, &added, g->step[i].number);
    }
    return 0;
}

/* A summary that came with it against ours. */
static int compare_summary(struct recording *r, struct error *e)
{
    struct source_summary ours;
    if (!r->given->summary.ptr)
        return 0;
    return source_summarise(&ours, r->w.arena, r->sources, r->given->step_count, e) ||
                   source_summary_compare(&ours, r->given->summary, r->w.arena,
                                          &r->out->differences, &r->out->difference_count, e)
               ? -1
               : 0;
}

/* The chain comes after its steps, and is whole at once: what they are part of is named before. */
static int write_chain(struct recording *r, struct memory *m, struct error *e)
{
    struct chain_given given = *r->given;
    double mean, sum;
    writing_sum_up(&r->w, &mean, &sum);
    if (isnan(given.total_time))
        given.total_time = sum;
    if (isnan(given.confidence))
        given.confidence = mean;
    m->detail = chain_detail_write(&given, given.whole, r->w.arena);
    if (!isnan(given.confidence))
        m->confidence = given.confidence;
    chain_rest_on_steps(&r->w, m);
    return writing_put(&r->w, m, &r->out->chain, e);
}

static int keep_result(struct recording *r, struct error *e)
{
    r->out->steps = r->given->step_count;
    r->out->refused_count = r->refused_count;
    if (r->refused_count)
        r->out->refused =
            arena_memdup(r->w.arena, r->refused, r->refused_count * sizeof(*r->refused));
    return compare_summary(r, e);
}

static int record(struct recording *r, const char *agent_id, struct error *e)
{
    const struct chain_given *g = r->given;
    struct memory m;
    if (writing_agent(&r->w, agent_id, e) ||
        writing_memory(&r->w, KIND_CHAIN, r->as->id, g->question, g->question_len, "{}", &m, e))
        return -1;
    r->w.chain = m.ref;
    return write_steps(r, e) || write_chain(r, &m, e) || keep_result(r, e) ? -1 : 0;
}

int chain_record_as(struct txn *t, const struct actor *actor, const struct chain_given *given,
                    const struct record_as *as, struct arena *arena, struct chain_recorded *out,
                    struct error *e)
{
    struct recording r = {.given = given, .as = as, .out = out};
    *out = (struct chain_recorded){.steps = 0};
    if (writing_begin(&r.w, t, actor, as->operation, arena, e))
        return -1;
    int result = record(&r, as->agent_id, e);
    free(r.refused);
    writing_release(&r.w);
    return result;
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
