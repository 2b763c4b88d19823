/* Chains as answers: what is said of one that was just written, and one that is read. */
#include "model/format/exchange_parts.h"
#include "store/reasoning/chain.h"
#include "store/txn/txn.h"
#include "store/mcp/tools/reasoning_forms.h"

static int add_chain(struct mcp_call *call, const struct chain *c, struct json_object *o,
                     struct error *e)
{
    struct source_summary summary;
    struct summary_cut cut;
    struct step_sources *steps = chain_step_sources(c, &call->arena);
    if (!steps)
        return error_set(e, ERROR_MEMORY, "", "memory ran out");
    if (source_summarise(&summary, &call->arena, steps, c->step_count, e))
        return -1;
    json_pair_int(o, "steps", (int64_t)c->step_count);
    json_key(o, "total_confidence");
    json_add_double(o->out, c->confidence);
    json_key(o, "source_summary");
    if (add_summary(o->out, &summary, source_summary_write, true, LIST_MAX, &call->arena, &cut, e))
        return -1;
    add_summary_cut(o, &cut);
    return 0;
}

int add_written_chain(struct mcp_call *call, struct txn *t, int64_t chain, struct json_object *o,
                      struct error *e)
{
    struct memory_row row;
    struct chain c;
    struct reader *r = txn_reader(t, e);
    if (!r || memory_row_read(r, &call->arena, chain, &row, e) ||
        chain_read(r, &call->arena, chain, &c, e))
        return -1;
    call->subject = chain;
    json_key(o, "ref");
    exchange_add_ref(o->out, row.ref);
    json_pair_int(o, "version", row.version);
    return add_chain(call, &c, o, e);
}

/* ---- read ---- */

static int write_within(struct reader *r, int64_t node, const struct chain_part *part,
                        struct strbuf *out, struct error *e)
{
    struct chain_cut cut;
    if (chain_write_part(r, node, part, &cut, out, e))
        return -1;
    strbuf_cut(out, out->len - 1);
    struct json_object o = {out, '}', true};
    add_summary_cut(&o, &(struct summary_cut){cut.excerpts, cut.sources});
    if (cut.texts)
        json_pair_bool(&o, "texts_cut", true);
    if (cut.steps) {
        json_pair_int(&o, "steps_left_out", (int64_t)cut.steps);
        json_pair_int(&o, "next", (int64_t)(part->offset + cut.given));
    }
    json_end(&o);
    return 0;
}

int add_reasoning(struct reader *r, int64_t node, bool excerpts, size_t offset, struct strbuf *out,
                  struct error *e)
{
    struct chain_part part = {.excerpts = excerpts, .offset = offset, .most = ANSWER_MAX - 200};
    return write_within(r, node, &part, out, e);
}

static void write_displayed(struct strbuf *out, const struct source_summary *s)
{
    source_summary_display(out, s, true);
}

static int summarise(struct reader *r, int64_t node, struct arena *arena,
                     struct source_summary *out, struct error *e)
{
    struct chain c;
    if (chain_read(r, arena, node, &c, e))
        return -1;
    struct step_sources *steps = chain_step_sources(&c, arena);
    if (!steps)
        return error_set(e, ERROR_MEMORY, "", "memory ran out");
    return source_summarise(out, arena, steps, c.step_count, e);
}

int add_displayed(struct reader *r, int64_t node, bool excerpts, struct strbuf *out,
                  struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct source_summary summary;
    struct summary_cut cut;
    int result =
        summarise(r, node, &arena, &summary, e) ||
                add_summary(out, &summary, write_displayed, excerpts, LIST_MAX, &arena, &cut, e)
            ? -1
            : 0;
    if (result == 0) {
        strbuf_cut(out, out->len - 1);
        struct json_object o = {out, '}', true};
        add_summary_cut(&o, &cut);
        json_end(&o);
    }
    arena_release(&arena);
    return result;
}
