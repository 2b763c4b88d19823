/* A hypothetical retraction as the object of its JSON form. */
#include "answer.h"

#include "../model/json.h"
#include "guard.h"

struct writing {
    const struct answer *to;
    struct strbuf *out;
    struct reader *reader;
    const struct retraction *q;
    struct arena arena;
};

static int add_ref(struct writing *w, uint32_t node, struct error *e)
{
    struct memory_row row;
    arena_clear(&w->arena);
    if (memory_row_read(w->reader, &w->arena, graph_row(&w->q->graph, node), &row, e))
        return -1;
    exchange_add_ref(w->out, row.ref);
    return w->to->flush ? w->to->flush(w->to->arg, e) : 0;
}

static int add_weakened(struct writing *w, const struct whatif_weakened *one, struct error *e)
{
    struct json_object o = json_begin(w->out, '{');
    json_key(&o, "ref");
    if (add_ref(w, one->node, e))
        return -1;
    json_key(&o, "before");
    json_add_int(w->out, one->before);
    json_key(&o, "after");
    json_add_int(w->out, one->after);
    json_end(&o);
    return 0;
}

/* Others' memories are in no list, nor in a count. */
static int is_seen(struct writing *w, uint32_t node, bool *seen, struct error *e)
{
    enum sight sight = SIGHT_WHOLE;
    *seen = true;
    if (!guard_hides_linked(w->reader))
        return 0;
    int result = guard_sight(w->reader, graph_row(&w->q->graph, node), &sight, e);
    *seen = sight == SIGHT_WHOLE;
    return result;
}

static int count_descending(struct writing *w, int64_t *count, struct error *e)
{
    const struct whatif *outcome = &w->q->outcome;
    *count = (int64_t)outcome->descends;
    if (!guard_hides_linked(w->reader))
        return 0;
    *count = 0;
    for (size_t n = 0; n < outcome->descends; n++) {
        bool seen;
        if (is_seen(w, outcome->descending[n], &seen, e))
            return -1;
        *count += seen;
    }
    return 0;
}

static int add_falls(struct writing *w, struct error *e)
{
    struct json_object falls = json_begin(w->out, '[');
    for (size_t n = 0; n < w->q->outcome.fall_count; n++) {
        bool seen;
        if (is_seen(w, w->q->outcome.falls[n], &seen, e))
            return -1;
        if (!seen)
            continue;
        json_item(&falls);
        if (add_ref(w, w->q->outcome.falls[n], e))
            return -1;
    }
    json_end(&falls);
    return 0;
}

static int add_answer(struct writing *w, struct error *e)
{
    const struct whatif *outcome = &w->q->outcome;
    struct json_object o = json_begin(w->out, '{');
    json_key(&o, "falls");
    if (add_falls(w, e))
        return -1;
    json_key(&o, "weakened");
    struct json_object weakened = json_begin(w->out, '[');
    for (size_t n = 0; n < outcome->weakened_count; n++) {
        bool seen;
        if (is_seen(w, outcome->weakened[n].node, &seen, e))
            return -1;
        if (!seen)
            continue;
        json_item(&weakened);
        if (add_weakened(w, &outcome->weakened[n], e))
            return -1;
    }
    json_end(&weakened);
    int64_t descends;
    if (count_descending(w, &descends, e))
        return -1;
    json_pair_int(&o, "descends", descends);
    json_end(&o);
    return 0;
}

int answer_retraction(const struct answer *to, struct reader *r, const struct retraction *q,
                      struct error *e)
{
    struct writing w = {.to = to, .out = to->out, .reader = r, .q = q, .arena = ARENA_INIT};
    int result = add_answer(&w, e);
    arena_release(&w.arena);
    return result;
}

int answer_whatif(struct reader *r, const int64_t *rows, size_t count, struct strbuf *out,
                  struct error *e)
{
    struct retraction q;
    if (reader_begin(r, e))
        return -1;
    int result = retraction_load_seen(&q, r, rows, count, e);
    if (!result)
        result = answer_retraction(&(struct answer){.out = out}, r, &q, e);
    retraction_release(&q);
    reader_end(r);
    return result;
}
