/* The question why: a page that a person reads in ten seconds. */
#include <string.h>
#include "model/base/alloc.h"
#include "model/graph/assignment.h"
#include "model/graph/derivation.h"
#include "model/graph/roots.h"
#include "model/memory/confidence.h"
#include "store/guard/guard.h"
#include "store/lineage/trust.h"
#include "store/query/list.h"
#include "store/questions/questions.h"
#include "store/questions/support.h"
#include "store/db/store.h"
#include "store/history/history.h"
#include "store/json/answer.h"
#include "store/lineage/subgraph.h"
#include "store/query/ref.h"
#include "store/search/search.h"

enum {
    WHY_COUNTS,
    WHY_NEEDED,
    WHY_CLASS,
    WHY_DERIVATIONS,
    WHY_CONTRADICTED
};

static const struct report_column step_columns[] = {
    {"ref", "memory", REPORT_REF},     {"role", "as", REPORT_WORD},
    {"recorded", NULL, REPORT_WORD},   {"actor", "by", REPORT_TEXT},
    {"at", "when", REPORT_TIME},       {"adds", "adds", REPORT_NUMBER},
    {"strength", NULL, REPORT_NUMBER}, {0},
};
static const struct report_column memory_columns[] = {{NULL, "memory", REPORT_REF}, {0}};
static const struct report_column count_columns[] = {
    {"supports", NULL, REPORT_COUNT},
    {"independent", NULL, REPORT_COUNT},
    {0},
};
static const struct report_column class_columns[] = {{"class", "class", REPORT_WORD}, {0}};
static const struct report_part parts[] = {
    [WHY_COUNTS] = {.shape = PART_MEMBERS, .columns = count_columns},
    [WHY_NEEDED] = {.key = "hangs_on", .shape = PART_LIST, .columns = memory_columns},
    [WHY_CLASS] = {.shape = PART_MEMBERS, .columns = class_columns},
    [WHY_DERIVATIONS] = {.key = "derivations",
                         .title = "why",
                         .shape = PART_GROUPS,
                         .columns = step_columns,
                         .group_name = "derivation",
                         .none = "nothing supports it"},
    [WHY_CONTRADICTED] = {.key = "contradicted_by",
                          .title = "contradicts",
                          .shape = PART_LIST,
                          .columns = memory_columns},
    {0},
};

#define SHOWN 20 /* derivations */

struct telling {
    struct report *report;
    struct reader *reader;
    const struct support *support;
    struct memory target; /* with its history */
    struct error *e;
};

/* What the step added to the confidence of the target, as its history records it; NAN for nothing. */
static double added_by(const struct telling *t, struct ref ref, bool is_target)
{
    const struct memory *m = &t->target;
    AUTO_STRBUF name = STRBUF_INIT;
    double sum = 0;
    bool any = false;
    if (is_target)
        return NAN;
    ref_add(&name, ref);
    for (size_t i = 0; i < m->history_count; i++) {
        const struct history_entry *h = &m->history[i];
        if (h->evidence_source && strcmp(h->evidence_source, name.buf) == 0 &&
            history_is_reinforcement(h)) {
            sum += h->new_ - h->old;
            any = true;
        }
    }
    return any ? sum : NAN;
}

static int add_step(struct telling *t, uint32_t group, const struct derivation *d, size_t i)
{
    const struct graph *g = t->support->graph;
    const struct derivation_step *step = &d->step[i];
    bool is_target = i + 1 == d->count;
    struct memory_row m;
    if (memory_row_read(t->reader, t->report->arena, support_row(t->support, step->node), &m, t->e))
        return -1;
    struct cell *c = report_add(t->report, WHY_DERIVATIONS, group);
    cell_int(&c[0], m.node);
    if (step->used != NODE_NONE) {
        cell_text(&c[1], role_name(SHAPE_ROLE(g->just_shape[step->used])));
        cell_text(&c[2], recorded_name(SHAPE_RECORDED(g->just_shape[step->used])));
    }
    cell_text(&c[3], m.agent_id);
    cell_int(&c[4], m.created_at);
    cell_number(&c[5], added_by(t, m.ref, is_target));
    cell_number(&c[6], is_target ? d->strength : NAN);
    return 0;
}

static int tell(struct telling *t, const struct derivations *all)
{
    for (size_t d = 0; d < all->count; d++)
        for (size_t i = 0; i < all->item[d].count; i++)
            if (add_step(t, (uint32_t)d, &all->item[d], i))
                return -1;
    if (all->total > all->count)
        t->report->note = arena_format(t->report->arena, "%zu weaker derivations are not shown.",
                                       all->total - all->count);
    return 0;
}

/* ---- the sentence above the page ---- */

#define NEEDED_MOST 5

/* The sources without which alone it has no support: each bit of a word leaves out another one. Returns how many. */
static size_t add_needed(struct telling *t)
{
    const uint32_t *source;
    const struct support *s = t->support;
    struct support_function *f = support_function_new(s->graph, s->labels, s->node);
    size_t sources = support_sources(f, &source), count = 0;
    uint32_t needed[NEEDED_MOST] = {0};
    AUTO_FREE uint64_t *leaf = xmalloc((sources + 1) * sizeof(*leaf));
    for (size_t from = 0; from < sources; from += 64) {
        for (size_t i = 0; i < sources; i++)
            leaf[i] = i / 64 == from / 64 ? ~((uint64_t)1 << (i % 64)) : UINT64_MAX;
        uint64_t stands = support_evaluate(f, leaf);
        for (size_t i = from; i < sources && i < from + 64; i++)
            if (!(stands >> (i - from) & 1) && source[i] != s->node && count++ < NEEDED_MOST)
                needed[count - 1] = source[i];
    }
    const int64_t *rows =
        support_rows_sorted(s, t->report->arena, needed, count < NEEDED_MOST ? count : NEEDED_MOST);
    for (size_t i = 0; i < count && count <= NEEDED_MOST; i++)
        cell_int(report_add(t->report, WHY_NEEDED, 0), rows[i]);
    support_function_free(f);
    return count;
}

static void summarise(struct telling *t, const struct independence *roots)
{
    struct arena *arena = t->report->arena;
    const char *begin = support_sentence(t->support, arena, roots);
    size_t needed = roots->independent == 1 ? add_needed(t) : 0;
    t->report->summary =
        needed == 1 ? arena_format(arena, "%s: it hangs on", begin)
        : needed > NEEDED_MOST
            ? arena_format(arena, "%s: it needs each of %zu sources.", begin, needed)
        : needed > 1 ? arena_format(arena, "%s: it needs each of", begin)
        : roots->independent > 1
            ? arena_format(arena, "%s: no single source takes its support away.", begin)
            : arena_format(arena, "%s.", begin);
}

static int add_derivations(struct telling *t)
{
    const struct support *s = t->support;
    AUTO(independence) roots = {0};
    AUTO(derivations) all = {0};
    AUTO_FREE double *weight = xcalloc((size_t)s->graph->nodes + 1, sizeof(*weight));
    independence_compute(&roots, s->graph, s->labels, s->node);
    struct cell *c = report_add(t->report, WHY_COUNTS, 0);
    cell_int(&c[0], roots.supports);
    cell_int(&c[1], roots.independent);
    struct row_label label = {0};
    summarise(t, &roots);
    int result = trust_class_fill(t->reader, &t->report->subject, 1, &label, t->e);
    cell_text(&report_add(t->report, WHY_CLASS, 0)[0], trust_class_name(label.class));
    result = result || support_weights(s, t->reader, roots.root_count ? roots.root : &s->node,
                                       roots.root_count ? roots.root_count : 1, weight, t->e);
    if (result)
        return -1;
    derivations_best(&all, s->graph, s->labels, s->node, weight, SHOWN);
    return failed_if(tell(t, &all) || support_note_others(s, t->report, t->reader, roots.root,
                                                          roots.root_count, t->e));
}

static void add_contradiction(struct report *p, int64_t row)
{
    for (size_t i = 0; i < p->part[WHY_CONTRADICTED].count; i++)
        if (p->part[WHY_CONTRADICTED].row[i].cell[0].is.integer == row)
            return;
    cell_int(report_add(p, WHY_CONTRADICTED, 0), row);
}

#define CONTRADICTIONS_MOST 500

/* Those that it names, and those that name it: of memories of other agents nothing is told, as in taint. */
static int add_contradictions(struct telling *t)
{
    struct related *related;
    size_t count;
    bool more;
    for (size_t i = 0; i < t->target.relation_count; i++)
        if (t->target.relations[i].type == RELATION_CONTRADICTS)
            add_contradiction(t->report, t->target.relations[i].to_node);
    if (related_to(t->reader, t->report->arena, t->report->subject, RELATION_CONTRADICTS,
                   CONTRADICTIONS_MOST, &related, &count, &more, t->e))
        return -1;
    for (size_t i = 0; i < count; i++) {
        enum visibility visibility = VISIBLE_WHOLE;
        if (guard_hides_linked(t->reader) &&
            guard_visibility(t->reader, related[i].node, &visibility, t->e))
            return -1;
        if (visibility == VISIBLE_WHOLE)
            add_contradiction(t->report, related[i].node);
    }
    if (more && !t->report->note)
        t->report->note =
            arena_format(t->report->arena, "Of those that contradict it only %d are listed.",
                         CONTRADICTIONS_MOST);
    return 0;
}

static int answer_why(struct report *p, struct reader *r, const struct asked *asked,
                      struct error *e)
{
    AUTO(support) s = {0};
    struct telling t = {.report = p, .reader = r, .support = &s, .e = e};
    return failed_if(support_load(&s, r, asked->row[0], e) ||
                     memory_read(r, p->arena, asked->row[0], &t.target, e) ||
                     guard_memory(r, p->arena, &t.target, e) || add_derivations(&t) ||
                     add_contradictions(&t));
}

const struct question question_why = {
    .name = "why",
    .of = ABOUT_MEMORY,
    .parts = parts,
    .answer = answer_why,
};

/* ---- why not ---- */

enum {
    NOT_NEAREST,
    NOT_FALLEN,
    NOT_OTHERS
};

static const struct report_column not_columns[] = {{"ref", "memory", REPORT_REF},
                                                   {"cause", "why not", REPORT_TEXT},
                                                   {"event", "event", REPORT_COUNT},
                                                   {0}};
static const struct report_column not_refs[] = {{NULL, "memory", REPORT_REF}, {0}};
static const struct report_part not_parts[] = {
    [NOT_NEAREST] = {.shape = PART_MEMBERS, .columns = not_columns},
    [NOT_FALLEN] = {.key = "fallen",
                    .title = "the nearest source that ended or is missing",
                    .shape = PART_LIST,
                    .columns = not_refs},
    [NOT_OTHERS] = {.key = "others",
                    .title = "others that say something like it",
                    .shape = PART_LIST,
                    .columns = not_columns},
    {0},
};

#define FOUND_MOST 6

struct finding {
    int64_t row[FOUND_MOST];
    size_t count;
};

static int take_found(void *arg, int64_t node, bool exact)
{
    struct finding *f = arg;
    (void)exact;
    for (size_t i = 0; i < f->count; i++)
        if (f->row[i] == node)
            return 0;
    f->row[f->count++] = node;
    return f->count == FOUND_MOST;
}

/* Memories that have all of the words, or all but the shortest ones, until some have. */
static int find_said(struct finding *f, struct reader *r, struct arena *arena, const char *text,
                     struct error *e)
{
    struct search_query query = {.words = text, .statuses = STATUSES_ALL};
    char *words = arena_strdup(arena, text);
    while (search_has_words(words)) {
        char *shortest = NULL;
        size_t least = SIZE_MAX;
        query.words = words;
        if (search_run(r, &query, take_found, f, e))
            return -1;
        if (f->count)
            return 0;
        for (char *at = words; *at;) {
            size_t blank = strspn(at, " "), len = strcspn(at + blank, " ");
            if (len && len < least)
                shortest = at + blank, least = len;
            at += blank + len;
        }
        if (!shortest)
            return 0;
        memset(shortest, ' ', least);
    }
    return 0;
}

/* "it is believed", or what ended it or took its support away. */
static int add_cause(struct report *p, struct reader *r, size_t part, int64_t row, struct error *e)
{
    struct memory_row m;
    struct row_label label;
    struct author author = {.seq = 0};
    AUTO_STRBUF cause = STRBUF_INIT;
    int64_t source = 0;
    if (memory_row_read(r, p->arena, row, &m, e) || labels_of_rows(r, &row, 1, &label, e) ||
        why_add(r, p->arena, row, m.status, label.label, &cause, e) ||
        (label.label == LABEL_UNSUPPORTED && why_source(r, p->arena, row, &source, &author, e)) ||
        (!STATUS_LIVES(m.status) && history_ended_by(r, p->arena, row, m.status, &author, e)))
        return -1;
    if (cause.len == 0)
        strbuf_addstr(&cause, label.label == LABEL_UNSOURCED
                                  ? "it is believed, but nobody said what it is based on"
                                  : "it is believed");
    if (author.reason && *author.reason)
        strbuf_addf(&cause, ": %s", author.reason);
    struct cell *c = report_add(p, part, 0);
    cell_int(&c[0], row);
    cell_text(&c[1], arena_take(p->arena, &cause));
    if (author.seq)
        cell_int(&c[2], author.seq);
    if (source && part == NOT_NEAREST)
        cell_int(report_add(p, NOT_FALLEN, 0), source);
    return 0;
}

/* A ref is the memory itself, if the caller may see it. */
static int find_named(struct finding *f, struct reader *r, const char *text, struct error *e)
{
    struct error unknown;
    enum visibility visibility;
    int64_t row = ref_resolve(r, text, &unknown);
    if (row < 0)
        return 0;
    if (guard_visibility(r, row, &visibility, e))
        return -1;
    return visibility == VISIBLE_WHOLE ? take_found(f, row, true), 0 : 0;
}

static int answer_why_not(struct report *p, struct reader *r, const struct asked *asked,
                          struct error *e)
{
    struct finding f = {.count = 0};
    if (find_named(&f, r, asked->text, e) ||
        (f.count == 0 && find_said(&f, r, p->arena, asked->text, e)))
        return -1;
    for (size_t i = 0; i < f.count; i++)
        if (add_cause(p, r, i == 0 ? NOT_NEAREST : NOT_OTHERS, f.row[i], e))
            return -1;
    if (f.count)
        return 0;
    struct cell *c = report_add(p, NOT_NEAREST, 0);
    cell_text(&c[1], "no memory says this: it was never recorded, or purged");
    return 0;
}

const struct question question_why_not = {
    .name = "why-not", .of = ABOUT_TEXT, .parts = not_parts, .answer = answer_why_not};
