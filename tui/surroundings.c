/*
 * Groups are shown as they were written (one `any` of three stays one), while the count of what
 * holds takes them apart, as the model does.
 */
#include "surroundings.h"

#include <math.h>
#include <stdlib.h>
#include "../model/alloc.h"
#include "../store/subgraph.h"
#include "brief.h"
#include "portrait.h"

/* What carries more than this is counted in the whole graph. */
#define AROUND_MAX 20000
/* Dependants that are named; the rest are counted, and --reverse shows them. */
#define DEPENDANTS_SHOWN 20

struct surroundings {
    struct output *out;
    struct reader *reader;
    const struct memory *m;
    struct arena arena;
    int64_t *dependants; /* rows of those that rest on it directly */
    size_t dependant_count, dependant_alloc;
    size_t descendants; /* all of them */
};

/* ---- what it rests on ---- */

/* "2  evidence, any of, auto-linked: because" */
static void group_line(struct output *out, const struct justification *j, size_t number)
{
    strbuf_addf(&out->text, "  %zu  %s", number, role_name(j->role));
    if (j->count > 1)
        strbuf_addf(&out->text, ", %s of", reading_name(j->reading));
    if (j->count == 0)
        strbuf_addstr(&out->text, ", resting on nothing");
    if (j->recorded != RECORDED)
        output_printf(out, TONE_WARN, ", %s", recorded_name(j->recorded));
    if (j->reason) {
        strbuf_addstr(&out->text, ": ");
        output_text(out, TONE_PLAIN, j->reason);
    }
    strbuf_addch(&out->text, '\n');
}

/* "0.83 measured, page 12, Section, rank 2": what a use says besides its excerpt. */
static void describe_use(struct strbuf *out, const struct use *use)
{
    if (!isnan(use->relevance))
        strbuf_addf(out, "%.2f %s", use->relevance, score_name(use->score));
    if (use->rank >= 0)
        strbuf_addf(out, "%srank %lld", out->len ? ", " : "", (long long)use->rank);
    if (use->page >= 0)
        strbuf_addf(out, "%spage %lld", out->len ? ", " : "", (long long)use->page);
    if (use->section)
        strbuf_addf(out, "%s%s", out->len ? ", " : "", use->section);
    if (use->chunk >= 0)
        strbuf_addf(out, "%schunk %lld", out->len ? ", " : "", (long long)use->chunk);
    if (use->label)
        strbuf_addf(out, "%sas %s", out->len ? ", " : "", use->label);
}

static int antecedent_line(struct surroundings *s, const struct antecedent *a,
                           const struct row_label *label, struct error *e)
{
    struct brief brief;
    struct strbuf note = STRBUF_INIT;
    int result = brief_read(s->reader, &s->arena, a->node, label->label, &brief, e);
    if (!result) {
        if (a->use)
            describe_use(&note, a->use);
        strbuf_addstr(&s->out->text, "     ");
        brief_print(s->out, &brief, s->m->agent_id, 5, note.buf);
        if (a->use && a->use->excerpt)
            output_paragraph(s->out, a->use->excerpt, 9, s->out->columns);
    }
    strbuf_release(&note);
    return result;
}

static int print_group(struct surroundings *s, const struct justification *j, size_t number,
                       const struct row_label *labels, struct error *e)
{
    group_line(s->out, j, number);
    for (size_t i = 0; i < j->count; i++)
        if (antecedent_line(s, &j->antecedents[i], &labels[i], e))
            return -1;
    return 0;
}

/* The labels of all antecedents of all groups, in their order; NULL with an error. */
static struct row_label *antecedent_labels(struct surroundings *s, struct error *e)
{
    const struct memory *m = s->m;
    size_t count = 0;
    for (size_t i = 0; i < m->justification_count; i++)
        count += m->justifications[i].count;
    int64_t *rows = arena_array(&s->arena, count + 1, sizeof(*rows));
    struct row_label *labels = arena_array(&s->arena, count + 1, sizeof(*labels));
    if (!rows || !labels) {
        error_set(e, ERROR_MEMORY, "Ask for less, or free some memory.",
                  "there is no memory for what it rests on");
        return NULL;
    }
    count = 0;
    for (size_t i = 0; i < m->justification_count; i++)
        for (size_t n = 0; n < m->justifications[i].count; n++)
            rows[count++] = m->justifications[i].antecedents[n].node;
    return labels_of_rows(s->reader, rows, count, labels, e) ? NULL : labels;
}

static int print_rests_on(struct surroundings *s, struct error *e)
{
    if (s->m->justification_count == 0)
        return 0;
    const struct row_label *labels = antecedent_labels(s, e);
    if (!labels)
        return -1;
    portrait_heading(s->out, "rests on", "");
    for (size_t i = 0; i < s->m->justification_count; i++) {
        if (print_group(s, &s->m->justifications[i], i + 1, labels, e))
            return -1;
        labels += s->m->justifications[i].count;
    }
    return 0;
}

/* ---- what it carries ---- */

/* The rows that name node 0 or `root` in a justification, each once. */
static int collect_dependants(struct surroundings *s, const struct graph *g, uint32_t root)
{
    for (uint32_t u = g->use_first[root]; u < g->use_first[root + 1]; u++) {
        int64_t row = graph_row(g, g->just_node[g->use_just[u]]);
        /* A node's justifications are neighbours, so one that names it twice stands twice in a row. */
        if (s->dependant_count && s->dependants[s->dependant_count - 1] == row)
            continue;
        if (!array_grow((void **)&s->dependants, &s->dependant_alloc, s->dependant_count,
                        sizeof(*s->dependants)))
            return -1;
        s->dependants[s->dependant_count++] = row;
    }
    return 0;
}

/* What rests on it directly, and how many do at all. A memory that much rests on is looked up in
 * the whole graph. */
static int find_dependants(struct surroundings *s, struct error *e)
{
    struct graph g;
    struct lineage down;
    bool bounded = false;
    uint32_t root = 0;
    graph_init(&g);
    int result =
        graph_load_around(s->reader, &g, &s->m->node, 1, DESCENDANTS, AROUND_MAX, &bounded, e);
    if (!result && bounded) {
        graph_release(&g);
        graph_init(&g);
        root = (uint32_t)(s->m->node - 1);
        result = graph_load(s->reader, &g, e);
    }
    if (!result && lineage_walk(&down, &g, root, DESCENDANTS, DEPTH_UNLIMITED))
        result = error_set(e, ERROR_MEMORY, "Ask for less, or free some memory.",
                           "there is no memory for what rests on it");
    else if (!result) {
        s->descendants = down.count - 1;
        lineage_release(&down);
        if (collect_dependants(s, &g, root))
            result = error_set(e, ERROR_MEMORY, "Ask for less, or free some memory.",
                               "there is no memory for what rests on it");
    }
    graph_release(&g);
    return result;
}

static int print_carries(struct surroundings *s, struct error *e)
{
    struct strbuf rest = STRBUF_INIT;
    struct row_label labels[DEPENDANTS_SHOWN];
    size_t shown = s->dependant_count < DEPENDANTS_SHOWN ? s->dependant_count : DEPENDANTS_SHOWN;
    if (s->dependant_count == 0)
        return 0;
    strbuf_addf(&rest, "%zu %s, %zu directly", s->descendants,
                s->descendants == 1 ? "memory" : "memories", s->dependant_count);
    portrait_heading(s->out, "carries", rest.buf);
    strbuf_release(&rest);
    if (labels_of_rows(s->reader, s->dependants, shown, labels, e))
        return -1;
    for (size_t i = 0; i < shown; i++) {
        struct brief brief;
        if (brief_read(s->reader, &s->arena, s->dependants[i], labels[i].label, &brief, e))
            return -1;
        strbuf_addstr(&s->out->text, "     ");
        brief_print(s->out, &brief, s->m->agent_id, 5, NULL);
    }
    if (shown < s->dependant_count)
        strbuf_addf(&s->out->text, "     +%zu more: stemma show --reverse\n",
                    s->dependant_count - shown);
    return 0;
}

/* ---- what it says of others without resting on them ---- */

static int print_relations(struct surroundings *s, struct error *e)
{
    if (s->m->relation_count)
        portrait_heading(s->out, "relations", "");
    for (size_t i = 0; i < s->m->relation_count; i++) {
        const struct relation *relation = &s->m->relations[i];
        struct brief brief;
        struct row_label label;
        if (labels_of_rows(s->reader, &relation->to_node, 1, &label, e) ||
            brief_read(s->reader, &s->arena, relation->to_node, label.label, &brief, e))
            return -1;
        strbuf_addf(&s->out->text, "     %-15s  ", role_name(relation->type));
        brief_print(s->out, &brief, s->m->agent_id, 22, relation->reason);
    }
    return 0;
}

int surroundings_print(struct output *out, struct reader *r, const struct memory *m,
                       struct error *e)
{
    struct surroundings s = {.out = out, .reader = r, .m = m, .arena = ARENA_INIT};
    int result = print_rests_on(&s, e);
    if (!result)
        result = find_dependants(&s, e);
    if (!result)
        result = print_carries(&s, e);
    if (!result)
        result = print_relations(&s, e);
    free(s.dependants);
    arena_release(&s.arena);
    return result;
}
