/*
 * stemma whatif: a retraction that is only thought. The closure of what is named is loaded,
 * labelled, and asked; the store is not touched.
 */
#include "tui/cli/cmd.h"

#include <stdio.h>
#include "store/json/answer.h"
#include "tui/render/brief.h"
#include "tui/cli/opening.h"

/* The question and its answer. */
struct question {
    struct output *out;
    struct reader *reader;
    int64_t *rows; /* of the memories named, each once */
    size_t count;
    struct retraction retraction;
    struct arena arena;
};

/* Named twice, it is retracted once. */
static int resolve_all(struct question *q, struct invocation *i, struct error *e)
{
    q->rows = arena_array(&i->arena, i->word_count, sizeof(*q->rows));
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

static int read_brief(struct question *q, uint32_t node, struct brief *b, struct error *e)
{
    const struct retraction *x = &q->retraction;
    arena_clear(&q->arena);
    return brief_read(q->reader, &q->arena, graph_row(&x->graph, node),
                      (enum label)x->labels.label[node], b, e);
}

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
    for (size_t n = 0; n < q->retraction.outcome.weakened_count; n++) {
        const struct whatif_weakened *w = &q->retraction.outcome.weakened[n];
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
    output_printf(out, STYLE_STRONG, "\n%s", title);
    strbuf_addf(&out->text, "  %zu\n", count);
}

static int print_answer(struct question *q, struct error *e)
{
    output_printf(q->out, STYLE_STRONG, "If retracted:\n");
    for (size_t n = 0; n < q->count; n++)
        if (print_memory(q, q->retraction.nodes[n], NULL, e))
            return -1;
    print_count(q->out, "falls", q->retraction.outcome.fall_count);
    for (size_t n = 0; n < q->retraction.outcome.fall_count; n++)
        if (print_memory(q, q->retraction.outcome.falls[n], NULL, e))
            return -1;
    print_count(q->out, "weakened", q->retraction.outcome.weakened_count);
    if (print_weakened(q, e))
        return -1;
    print_count(q->out, "only descends", q->retraction.outcome.descends);
    strbuf_addstr(&q->out->text, "Nothing was written.\n");
    return 0;
}

static int write_answer(struct question *q, struct error *e)
{
    struct answer to = output_answer(q->out);
    if (answer_retraction(&to, q->reader, &q->retraction, e))
        return -1;
    strbuf_addch(&q->out->text, '\n');
    return 0;
}

static int read_whatif(struct invocation *i, struct reader *r, struct error *e)
{
    struct question q = {.out = &i->out, .reader = r, .arena = ARENA_INIT};
    int result = -1;
    if (!resolve_all(&q, i, e) && !retraction_load(&q.retraction, q.reader, q.rows, q.count, e))
        result = i->out.json ? write_answer(&q, e) : print_answer(&q, e);
    retraction_release(&q.retraction);
    arena_release(&q.arena);
    return result;
}

static const struct option_spec options[] = {
    OPT_AS_OF,
    OPTION_END,
};

const struct command cmd_whatif = {
    .name = "whatif",
    .words = "REF…",
    .about = "what would fall, or be weakened, if these were retracted",
    .details =
        "Falls: stands now, and would not. Weakened: would still stand, on fewer justifications. "
        "Only descends: comes from them and loses nothing. Nothing is written.",
    .options = options,
    .min_words = 1,
    .max_words = -1,
    .read = read_whatif,
};
