/*
 * stemma whatif: a retraction that is only thought. The closure of what is named is loaded,
 * labelled, and asked; the store is not touched.
 */
#include "cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include "../model/json.h"
#include "../store/subgraph.h"
#include "brief.h"
#include "opening.h"

/* Beyond so many memories around those named the whole graph is loaded instead. */
#define AROUND_MAX 50000

/* The question and its answer. */
struct question {
    struct output *out;
    struct reader *reader;
    int64_t *rows;   /* of the memories named, each once */
    uint32_t *nodes; /* the same in the graph */
    size_t count;
    struct graph graph;
    struct labels labels;
    struct whatif answer;
    struct arena arena;
};

/* Named twice, it is retracted once. */
static int resolve_all(struct question *q, struct invocation *i, struct error *e)
{
    q->rows = arena_array(&i->arena, i->word_count, sizeof(*q->rows));
    q->nodes = arena_array(&i->arena, i->word_count, sizeof(*q->nodes));
    if (!q->rows || !q->nodes)
        return error_set(e, ERROR_MEMORY, "Ask for less, or free some memory.",
                         "there is no memory for the question");
    for (size_t w = 0; w < i->word_count; w++) {
        int64_t row = opening_resolve(q->reader, i->words[w], e);
        if (row < 0)
            return -1;
        size_t n = 0;
        while (n < q->count && q->rows[n] != row)
            n++;
        q->rows[n] = row;
        q->count += n == q->count;
    }
    return 0;
}

/* Nodes of a closure are numbered from the roots on; in the whole graph a node is its row less
 * one. */
static int load(struct question *q, struct error *e)
{
    bool bounded = false;
    if (graph_load_around(q->reader, &q->graph, q->rows, q->count, DESCENDANTS, AROUND_MAX,
                          &bounded, e))
        return -1;
    if (bounded) {
        graph_release(&q->graph);
        graph_init(&q->graph);
        if (graph_load(q->reader, &q->graph, e))
            return -1;
    }
    for (size_t n = 0; n < q->count; n++)
        q->nodes[n] = bounded ? (uint32_t)(q->rows[n] - 1) : (uint32_t)n;
    return 0;
}

static int answer(struct question *q, struct error *e)
{
    if (labels_compute(&q->labels, &q->graph) ||
        whatif_retract(&q->answer, &q->graph, &q->labels, q->nodes, q->count))
        return error_set(e, ERROR_MEMORY, "Ask for less, or free some memory.",
                         "there is no memory for the answer");
    return 0;
}

static int read_brief(struct question *q, uint32_t node, struct brief *b, struct error *e)
{
    arena_clear(&q->arena);
    return brief_read(q->reader, &q->arena, graph_row(&q->graph, node),
                      (enum label)q->labels.label[node], b, e);
}

/* ---- for people ---- */

static int print_memory(struct question *q, uint32_t node, const char *note, struct error *e)
{
    struct brief b;
    if (read_brief(q, node, &b, e))
        return -1;
    strbuf_addstr(&q->out->text, "  ");
    if (note)
        brief_print_about(q->out, &b, 2, note, NULL);
    else
        brief_print(q->out, &b, NULL, 2, NULL);
    return output_row(q->out, e);
}

static int print_weakened(struct question *q, struct error *e)
{
    for (size_t n = 0; n < q->answer.weakened_count; n++) {
        const struct whatif_weakened *w = &q->answer.weakened[n];
        char note[64];
        snprintf(note, sizeof(note), "%u%s%u hold", (unsigned)w->before,
                 q->out->ascii ? " -> " : " → ", (unsigned)w->after);
        if (print_memory(q, w->node, note, e))
            return -1;
    }
    return 0;
}

static void print_count(struct output *out, const char *title, size_t count)
{
    output_printf(out, TONE_STRONG, "\n%s", title);
    strbuf_addf(&out->text, "  %zu\n", count);
}

static int print_answer(struct question *q, struct error *e)
{
    output_printf(q->out, TONE_STRONG, "If retracted:\n");
    for (size_t n = 0; n < q->count; n++)
        if (print_memory(q, q->nodes[n], NULL, e))
            return -1;
    print_count(q->out, "falls", q->answer.fall_count);
    for (size_t n = 0; n < q->answer.fall_count; n++)
        if (print_memory(q, q->answer.falls[n], NULL, e))
            return -1;
    print_count(q->out, "weakened", q->answer.weakened_count);
    if (print_weakened(q, e))
        return -1;
    print_count(q->out, "only descends", q->answer.descends);
    strbuf_addstr(&q->out->text, "Nothing was written.\n");
    return 0;
}

/* ---- JSON ---- */

static int add_ref(struct question *q, uint32_t node, struct error *e)
{
    struct brief b;
    if (read_brief(q, node, &b, e))
        return -1;
    json_add_ref(&q->out->text, b.row.ref);
    return output_row(q->out, e);
}

static int add_weakened(struct question *q, const struct whatif_weakened *w, struct error *e)
{
    struct json_object o = json_begin(&q->out->text, '{');
    json_key(&o, "ref");
    if (add_ref(q, w->node, e))
        return -1;
    json_key(&o, "before");
    json_add_int(&q->out->text, w->before);
    json_key(&o, "after");
    json_add_int(&q->out->text, w->after);
    json_end(&o);
    return 0;
}

static int write_answer(struct question *q, struct error *e)
{
    struct strbuf *out = &q->out->text;
    struct json_object o = json_begin(out, '{');
    json_key(&o, "falls");
    struct json_object falls = json_begin(out, '[');
    for (size_t n = 0; n < q->answer.fall_count; n++) {
        json_item(&falls);
        if (add_ref(q, q->answer.falls[n], e))
            return -1;
    }
    json_end(&falls);
    json_key(&o, "weakened");
    struct json_object weakened = json_begin(out, '[');
    for (size_t n = 0; n < q->answer.weakened_count; n++) {
        json_item(&weakened);
        if (add_weakened(q, &q->answer.weakened[n], e))
            return -1;
    }
    json_end(&weakened);
    json_key(&o, "descends");
    json_add_int(out, (int64_t)q->answer.descends);
    json_end(&o);
    strbuf_addch(out, '\n');
    return 0;
}

static int run_whatif(struct invocation *i, struct error *e)
{
    struct opened o;
    struct question q = {.out = &i->out, .arena = ARENA_INIT};
    if (opening_open(i, NULL, false, &o, e))
        return -1;
    q.reader = o.reader;
    graph_init(&q.graph);
    int result = -1;
    if (!resolve_all(&q, i, e) && !load(&q, e) && !answer(&q, e))
        result = i->out.json ? write_answer(&q, e) : print_answer(&q, e);
    whatif_release(&q.answer);
    labels_release(&q.labels);
    graph_release(&q.graph);
    arena_release(&q.arena);
    opening_close(&o);
    return result;
}

const struct command cmd_whatif = {
    .name = "whatif",
    .words = "REF…",
    .about = "what would fall, or be weakened, if these were retracted",
    .details =
        "Falls: stands now, and would not. Weakened: would still stand, on fewer "
        "justifications. Only descends: comes from them and loses nothing. Nothing is written.",
    .min_words = 1,
    .max_words = -1,
    .run = run_whatif,
};
