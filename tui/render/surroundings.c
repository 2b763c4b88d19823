/*
 * Groups are shown as they were written (one `any` of three stays one), while the count of what
 * holds takes them apart, as the model does.
 */
#include "tui/render/surroundings.h"

#include <math.h>
#include <stdlib.h>
#include "tui/render/brief.h"
#include "tui/render/portrait.h"

/* Dependants that are named; the rest are counted, and --reverse shows them. */
#define DEPENDANTS_SHOWN 20
/* What it carries is counted so far, and no further: the count would take longer than all else. */
#define COUNTED_MAX 2000

/* ---- reading ---- */

static size_t count_antecedents(const struct memory *m)
{
    size_t count = 0;
    for (size_t i = 0; i < m->justification_count; i++)
        count += m->justifications[i].count;
    return count;
}

/* The rows in the order in which they are printed, the memory's own first. */
static void gather_rows(const struct surroundings *s, int64_t *row)
{
    const struct memory *m = s->m;
    *row++ = m->node;
    for (size_t i = 0; i < m->justification_count; i++)
        for (size_t n = 0; n < m->justifications[i].count; n++)
            *row++ = m->justifications[i].antecedents[n].node;
    for (size_t i = 0; i < s->shown; i++)
        *row++ = s->below.row[i];
    for (size_t i = 0; i < m->relation_count; i++)
        *row++ = m->relations[i].to_node;
}

/* One question for the labels of all: their lineages overlap, and are walked once. */
static int read_labels(struct surroundings *s, struct error *e)
{
    size_t count = 1 + count_antecedents(s->m) + s->shown + s->m->relation_count;
    int64_t *rows = arena_array(&s->arena, count, sizeof(*rows));
    struct row_label *labels = arena_array(&s->arena, count, sizeof(*labels));
    if (!rows || !labels)
        return error_set(e, ERROR_MEMORY, "Ask for less, or free some memory.",
                         "there is no memory for what is around it");
    gather_rows(s, rows);
    if (labels_of_rows(s->reader, rows, count, labels, e))
        return -1;
    s->own = labels[0];
    s->label = labels + 1;
    return 0;
}

int surroundings_read(struct surroundings *s, struct output *out, struct reader *r,
                      const struct memory *m, struct error *e)
{
    *s = (struct surroundings){.out = out, .reader = r, .m = m, .arena = ARENA_INIT};
    if (dependants_find(r, m->node, COUNTED_MAX, &s->below, e))
        return -1;
    s->shown = s->below.direct < DEPENDANTS_SHOWN ? s->below.direct : DEPENDANTS_SHOWN;
    return read_labels(s, e);
}

void surroundings_release(struct surroundings *s)
{
    free(s->below.row);
    arena_release(&s->arena);
}

/* ---- what it rests on ---- */

/* "2  evidence, any of, auto-linked: because" */
static void group_line(struct output *out, const struct justification *j, size_t number)
{
    struct strbuf line = STRBUF_INIT;
    strbuf_addf(&line, "%s", role_name(j->role));
    if (j->count > 1)
        strbuf_addf(&line, ", %s of", reading_name(j->reading));
    if (j->count == 0)
        strbuf_addstr(&line, ", resting on nothing");
    if (j->recorded != RECORDED)
        strbuf_addf(&line, ", %s", recorded_name(j->recorded));
    if (j->reason)
        strbuf_addf(&line, ": %s", j->reason);
    strbuf_addf(&out->text, "  %zu  ", number);
    output_flow(out, line.buf, 7);
    out->text.failed |= line.failed;
    strbuf_release(&line);
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
            output_quote(s->out, a->use->excerpt, 9);
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

static int print_rests_on(struct surroundings *s, struct error *e)
{
    const struct row_label *labels = s->label;
    if (s->m->justification_count)
        portrait_heading(s->out, "rests on", "");
    for (size_t i = 0; i < s->m->justification_count; i++) {
        if (print_group(s, &s->m->justifications[i], i + 1, labels, e))
            return -1;
        labels += s->m->justifications[i].count;
    }
    return 0;
}

/* ---- what it carries ---- */

/* "3 memories, 1 directly"; "2,000+" where they were not counted to the end. */
static void describe_count(struct strbuf *out, const struct dependants *below)
{
    if (below->more && below->direct == below->count) {
        strbuf_addf(out, "%d,%03d+ memories directly", COUNTED_MAX / 1000, COUNTED_MAX % 1000);
        return;
    }
    if (below->more)
        strbuf_addf(out, "%d,%03d+ memories", COUNTED_MAX / 1000, COUNTED_MAX % 1000);
    else
        strbuf_addf(out, "%zu %s", below->count, below->count == 1 ? "memory" : "memories");
    strbuf_addf(out, ", %zu directly", below->direct);
}

/* "+10 more: stemma show raw:47735e51 --reverse" */
static void print_more(struct surroundings *s)
{
    const struct dependants *below = &s->below;
    struct strbuf line = STRBUF_INIT;
    strbuf_addf(&line, "+%zu%s more: stemma show %s --reverse", below->direct - s->shown,
                below->more && below->direct == below->count ? " or" : "",
                short_ref(s->reader, &s->arena, s->m->ref));
    strbuf_addstr(&s->out->text, "     ");
    output_flow(s->out, line.buf, 7);
    s->out->text.failed |= line.failed;
    strbuf_release(&line);
}

static int print_carries(struct surroundings *s, struct error *e)
{
    const struct dependants *below = &s->below;
    const struct row_label *labels = s->label + count_antecedents(s->m);
    struct strbuf rest = STRBUF_INIT;
    if (below->direct == 0)
        return 0;
    describe_count(&rest, below);
    portrait_heading(s->out, "carries", rest.buf);
    strbuf_release(&rest);
    for (size_t i = 0; i < s->shown; i++) {
        struct brief brief;
        if (brief_read(s->reader, &s->arena, below->row[i], labels[i].label, &brief, e))
            return -1;
        strbuf_addstr(&s->out->text, "     ");
        brief_print(s->out, &brief, s->m->agent_id, 5, NULL);
    }
    if (s->shown < below->direct)
        print_more(s);
    return 0;
}

/* ---- what it says of others without resting on them ---- */

static int print_relations(struct surroundings *s, struct error *e)
{
    const struct row_label *labels = s->label + count_antecedents(s->m) + s->shown;
    if (s->m->relation_count)
        portrait_heading(s->out, "relations", "");
    for (size_t i = 0; i < s->m->relation_count; i++) {
        const struct relation *relation = &s->m->relations[i];
        struct brief brief;
        if (brief_read(s->reader, &s->arena, relation->to_node, labels[i].label, &brief, e))
            return -1;
        bool narrow = s->out->columns < 60;
        strbuf_addf(&s->out->text, narrow ? "     %s\n       " : "     %-15s  ",
                    role_name(relation->type));
        brief_print(s->out, &brief, s->m->agent_id, narrow ? 7 : 22, relation->reason);
    }
    return 0;
}

int surroundings_print(struct surroundings *s, struct error *e)
{
    return print_rests_on(s, e) || print_carries(s, e) || print_relations(s, e) ? -1 : 0;
}
