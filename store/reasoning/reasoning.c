#include "store/reasoning/reasoning.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/reasoning/reasoning.h"
#include "model/base/utf8.h"
#include "store/ops/policy.h"
#include "store/reasoning/reasoning_detail.h"
#include "store/reasoning/reasoning_write.h"

/* ---- what is shared ---- */

int writing_begin(struct writing *w, struct txn *t, const struct actor *actor,
                  const char *operation, struct arena *arena, struct error *e)
{
    char id[37];
    *w = (struct writing){.t = t, .actor = *actor, .operation = operation, .arena = arena};
    if (actor->correlation)
        return 0;
    if (txn_make_id(t, id, e))
        return -1;
    memcpy(w->correlation, id + 24, sizeof(w->correlation)); /* 48 bits of chance will do */
    w->actor.correlation = w->correlation;
    return 0;
}

void writing_release(struct writing *w)
{
    free(w->earlier);
}

int writing_agent(struct writing *w, const char *agent_id, struct error *e)
{
    w->agent_id = !utf8_is_blank(agent_id)         ? agent_id
                  : !utf8_is_blank(w->actor.agent) ? w->actor.agent
                                                   : w->actor.name;
    return add_agent_check(w->agent_id, e);
}

void writing_note(struct writing *w, const struct earlier *step)
{
    void *list = w->earlier;
    array_grow(&list, &w->earlier_alloc, w->earlier_count, sizeof(*step));
    w->earlier = list;
    w->earlier[w->earlier_count++] = *step;
}

int writing_memory(struct writing *w, enum kind kind, const char *id, const char *text,
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

int writing_put(struct writing *w, struct memory *m, struct added *out, struct error *e)
{
    if (txn_put(w->t, &w->actor, w->operation, NULL, m, NULL, e))
        return -1;
    *out = (struct added){.node = m->node, .ref = m->ref, .version = m->version};
    return 0;
}

/* ---- a chain that is there ---- */

static int read_chain(struct writing *w, int64_t node, struct memory *m, struct error *e)
{
    struct chain_detail detail;
    if (memory_read_db(txn_db(w->t), w->arena, node, m, e))
        return -1;
    if (m->ref.kind != KIND_CHAIN || m->status == STATUS_MISSING)
        return error_set(e, ERROR_NOT_FOUND, "Name a chain of thought.", "%s:%s is no chain",
                         kind_name(m->ref.kind), m->ref.id);
    if (!STATUS_LIVES(m->status))
        return error_set(e, ERROR_CONFLICT, "Begin another chain.", "chain:%s is %s", m->ref.id,
                         status_name(m->status));
    chain_detail_read(m->detail, w->arena, &detail);
    if (detail.answer)
        return error_set(e, ERROR_CONFLICT, "Begin another chain.", "chain:%s is finished already",
                         m->ref.id);
    w->chain = m->ref;
    w->agent_id = m->agent_id;
    return 0;
}

static void note_row(struct writing *w, sqlite3_stmt *stmt)
{
    struct step_detail detail;
    const char *name = db_text(w->arena, stmt, 1), *text = db_text(w->arena, stmt, 2);
    step_detail_read(text, w->arena, &detail);
    struct earlier step = {.node = sqlite3_column_int64(stmt, 0),
                           .ref = {KIND_STEP, name},
                           .number = detail.number,
                           .answer = detail.answer,
                           .confidence =
                               reasoning_stated(KIND_STEP, detail.unstated, db_double(stmt, 3)),
                           .time = detail.execution_time};
    writing_note(w, &step);
}

/* The steps that are part of it; those that were taken back are not. */
static int read_steps(struct writing *w, int64_t chain, struct error *e)
{
    static const char sql[] =
        "SELECT m.id, m.name, m.detail, m.confidence FROM link l INDEXED BY link_target"
        " JOIN memory m ON m.id = l.memory WHERE l.target = ? AND l.shape & 31 = 21"
        " AND m.kind = 12 AND m.status < 7 ORDER BY m.id";
    struct db *db = txn_db(w->t);
    sqlite3_stmt *stmt = db_prepare(db, sql, e);
    int more = db_bind(db, stmt, e, "i", chain);
    while (more > 0) {
        note_row(w, stmt);
        more = db_step(db, stmt, e);
    }
    sqlite3_reset(stmt);
    return more;
}

/* ---- beginning ---- */

int chain_begin(struct txn *t, const struct actor *actor, const struct chain_start *start,
                struct arena *arena, struct added *out, struct error *e)
{
    struct writing w;
    struct memory m;
    struct chain_given given = {.strategy = start->strategy, .total_time = NAN};
    const char *detail = chain_detail_write(&given, (struct json_slice){NULL, 0}, arena);
    if (question_check(start->question, start->question_len, e) ||
        writing_begin(&w, t, actor, "add", arena, e))
        return -1;
    int result = writing_agent(&w, start->agent_id, e) ||
                         writing_memory(&w, KIND_CHAIN, NULL, start->question, start->question_len,
                                        detail, &m, e) ||
                         writing_put(&w, &m, out, e)
                     ? -1
                     : 0;
    writing_release(&w);
    return result;
}

/* ---- a step ---- */

static int check_number(const struct writing *w, int64_t number, struct error *e)
{
    for (size_t i = 0; i < w->earlier_count; i++)
        if (w->earlier[i].number == number)
            return error_set(e, ERROR_CONFLICT, "Give it the next number.",
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
    int result = read_chain(&w, chain, &m, e) || policy_may_change(r, actor, &m, e) ||
                         read_steps(&w, chain, e) || check_number(&w, step->number, e) ||
                         step_write(&w, step, NULL, (struct json_slice){NULL, 0}, out, e)
                     ? -1
                     : 0;
    writing_release(&w);
    return result;
}

/* ---- finishing ---- */

void writing_sum_up(const struct writing *w, double *confidence, double *total)
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
    int result = read_chain(&w, chain, &m, e) || policy_may_change(r, actor, &m, e) ||
                         read_steps(&w, chain, e) ||
                         finish(&w, &m, answer, answer_len, confidence, total_time, e)
                     ? -1
                     : 0;
    writing_release(&w);
    return result;
}
