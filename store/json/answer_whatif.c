/* A hypothetical retraction as the object of its JSON form. */
#include "store/json/answer.h"

#include "model/json/json.h"
#include "store/guard/guard.h"

/* More than one element and what closes the answer may take: each byte of an id may be escaped. */
#define ANSWER_ELEMENT (6 * REF_ID_MAX + 200)

struct writing {
    const struct answer *to;
    struct strbuf *out;
    struct reader *reader;
    const struct retraction *q;
    struct arena arena;
    const struct answer_room *room; /* NULL: no end of it */
    size_t began;                   /* where in `out` */
};

/* Is there room in the list for one more? `told`: how many it has. */
static bool has_room(const struct writing *w, size_t told)
{
    const struct answer_room *room = w->room;
    return !room || ((room->count == 0 || told < room->count) &&
                     w->out->len - w->began + ANSWER_ELEMENT <= room->bytes);
}

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
    json_pair_int(&o, "before", one->before);
    json_pair_int(&o, "after", one->after);
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

static void add_more(struct json_object *o, const char *name, int64_t count)
{
    if (count > 0)
        json_pair_int(o, name, count);
}

/* Those there is room for; *more: how many others fall. */
static int add_falls(struct writing *w, int64_t *more, struct error *e)
{
    size_t told = 0;
    struct json_object falls = json_begin(w->out, '[');
    for (size_t n = 0; n < w->q->outcome.fall_count; n++) {
        bool seen;
        if (is_seen(w, w->q->outcome.falls[n], &seen, e))
            return -1;
        if (!seen)
            continue;
        if (!has_room(w, told)) {
            ++*more;
            continue;
        }
        told++;
        json_item(&falls);
        if (add_ref(w, w->q->outcome.falls[n], e))
            return -1;
    }
    json_end(&falls);
    return 0;
}

/* The same of what is weakened. */
static int add_all_weakened(struct writing *w, int64_t *more, struct error *e)
{
    size_t told = 0;
    struct json_object weakened = json_begin(w->out, '[');
    for (size_t n = 0; n < w->q->outcome.weakened_count; n++) {
        const struct whatif_weakened *one = &w->q->outcome.weakened[n];
        bool seen;
        if (is_seen(w, one->node, &seen, e))
            return -1;
        if (!seen)
            continue;
        if (!has_room(w, told)) {
            ++*more;
            continue;
        }
        told++;
        json_item(&weakened);
        if (add_weakened(w, one, e))
            return -1;
    }
    json_end(&weakened);
    return 0;
}

static int add_answer(struct writing *w, struct error *e)
{
    int64_t descends, falls_more = 0, weakened_more = 0;
    struct json_object o = json_begin(w->out, '{');
    json_key(&o, "falls");
    if (add_falls(w, &falls_more, e))
        return -1;
    add_more(&o, "falls_more", falls_more);
    json_key(&o, "weakened");
    if (add_all_weakened(w, &weakened_more, e))
        return -1;
    add_more(&o, "weakened_more", weakened_more);
    if (count_descending(w, &descends, e))
        return -1;
    json_pair_int(&o, "descends", descends);
    json_end(&o);
    return 0;
}

static int write_answer(struct writing *w, struct error *e)
{
    w->began = w->out->len;
    int result = add_answer(w, e);
    arena_release(&w->arena);
    return result;
}

int answer_retraction(const struct answer *to, struct reader *r, const struct retraction *q,
                      struct error *e)
{
    struct writing w = {.to = to, .out = to->out, .reader = r, .q = q, .arena = ARENA_INIT};
    return write_answer(&w, e);
}

int answer_whatif(struct reader *r, const int64_t *rows, size_t count,
                  const struct answer_room *room, struct strbuf *out, struct error *e)
{
    struct retraction q;
    struct answer to = {.out = out};
    struct writing w = {
        .to = &to, .out = out, .reader = r, .q = &q, .arena = ARENA_INIT, .room = room};
    if (reader_begin(r, e))
        return -1;
    int result = retraction_load(&q, r, rows, count, e) || write_answer(&w, e) ? -1 : 0;
    retraction_release(&q);
    reader_end(r);
    return result;
}
