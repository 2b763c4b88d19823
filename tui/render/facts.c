#include "tui/render/facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "model/memory/memory.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/history/history.h"
#include "store/ops/policy.h"
#include "store/query/list.h"
#include "store/query/ref.h"
#include "store/record/get.h"
#include "tui/render/kind_fields.h"

static int facts_past_read(struct reader *r, struct arena *arena, const struct memory *m,
                           struct facts_past *out, struct error *e);

void facts_free(struct facts *f)
{
    if (!f)
        return;
    arena_release(&f->arena);
    free(f);
}

void facts_ref(const struct memory_row *row, size_t short_length, struct strbuf *out)
{
    size_t len = strlen(row->ref.id);
    if (!ref_is_uuid_prefix(row->ref.id, REF_SHORT) && len <= 24)
        short_length = len;
    strbuf_addf(out, "%s:%.*s", kind_name(row->ref.kind),
                (int)(short_length < len ? short_length : len), row->ref.id);
}

struct fact_row *facts_rows_read(struct reader *r, struct arena *arena, const int64_t *nodes,
                                 size_t count, struct error *e)
{
    struct fact_row *rows = arena_array(arena, count ? count : 1, sizeof(*rows));
    struct row_label *labels = arena_array(arena, count ? count : 1, sizeof(*labels));
    if (count > 0 && effective_of_rows(r, nodes, count, labels, e))
        return NULL;
    for (size_t i = 0; i < count; i++) {
        if (memory_row_read(r, arena, nodes[i], &rows[i].row, e))
            return NULL;
        rows[i].label = labels[i];
        rows[i].short_length = ref_short_length(r, rows[i].row.ref);
    }
    return rows;
}

static bool group_is_valid(const struct fact_group *g)
{
    bool all = g->justification->reading == READING_ALL || g->justification->count == 0;
    for (size_t i = 0; i < g->shown; i++) {
        bool stands = label_stands(g->row[i].label.label);
        if (stands != all)
            return stands;
    }
    return all;
}

static int read_groups(struct reader *r, struct facts *f, struct error *e)
{
    const struct memory *m = &f->memory;
    int64_t nodes[FACTS_ROWS] = {0};
    f->group = arena_array(&f->arena, m->justification_count + 1, sizeof(*f->group));
    for (size_t i = 0; i < m->justification_count; i++) {
        struct fact_group *g = &f->group[i];
        g->justification = &m->justifications[i];
        g->shown = g->justification->count < FACTS_ROWS ? g->justification->count : FACTS_ROWS;
        for (size_t k = 0; k < g->shown; k++)
            nodes[k] = g->justification->antecedents[k].node;
        g->row = facts_rows_read(r, &f->arena, nodes, g->shown, e);
        if (!g->row)
            return -1;
        g->valid = group_is_valid(g);
    }
    return 0;
}

static int read_relations(struct reader *r, struct facts *f, struct error *e)
{
    const struct memory *m = &f->memory;
    int64_t nodes[FACTS_ROWS] = {0};
    f->relation_shown = m->relation_count < FACTS_ROWS ? m->relation_count : FACTS_ROWS;
    for (size_t i = 0; i < f->relation_shown; i++)
        nodes[i] = m->relations[i].to_node;
    f->relation = facts_rows_read(r, &f->arena, nodes, f->relation_shown, e);
    return f->relation ? 0 : -1;
}

static int read_related(struct reader *r, struct facts *f, struct error *e)
{
    int64_t nodes[FACTS_ROWS] = {0};
    if (related_to(r, &f->arena, f->node, -1, FACTS_ROWS, &f->related, &f->related_count,
                   &f->related_more, e))
        return -1;
    for (size_t i = 0; i < f->related_count; i++)
        nodes[i] = f->related[i].node;
    f->related_row = facts_rows_read(r, &f->arena, nodes, f->related_count, e);
    return f->related_row ? 0 : -1;
}

/* Reads the sources of confidence changes, newest first. */
static int read_evidence(struct reader *r, struct facts *f, struct error *e)
{
    const struct memory *m = &f->memory;
    size_t count = m->history_count < FACTS_ROWS ? m->history_count : FACTS_ROWS;
    f->evidence = arena_array(&f->arena, count + 1, sizeof(*f->evidence));
    for (size_t i = 0; i < count; i++) {
        const char *source = m->history[m->history_count - 1 - i].evidence_source;
        struct error unknown;
        struct ref ref;
        if (!source || ref_parse(source, &ref) != REF_MEMORY)
            continue;
        /* refs in the history are stored in full */
        int64_t node = ref_find(reader_db(r), ref, &unknown);
        if (node <= 0)
            continue;
        if (memory_row_read(r, &f->arena, node, &f->evidence[i].row, e))
            return -1;
        f->evidence[i].short_length = ref_short_length(r, ref);
    }
    return 0;
}

/* Reads the rows of direct users, as many as are shown. */
static int keep_users(struct reader *r, struct facts *f, const int64_t *nodes, struct error *e)
{
    f->used_by_shown = f->used_by_count < FACTS_ROWS ? f->used_by_count : FACTS_ROWS;
    f->used_by = facts_rows_read(r, &f->arena, nodes, f->used_by_shown, e);
    return f->used_by ? 0 : -1;
}

/* Collects the direct users of node 0, each once, in the order of the graph, without node 0 itself. */
static int read_users(struct reader *r, struct facts *f, const struct graph *g, struct error *e)
{
    int64_t nodes[FACTS_ROWS] = {0};
    uint32_t before = 0;
    for (uint32_t i = g->use_first[0]; i < g->use_first[1]; i++) {
        uint32_t user = g->just_node[g->use_just[i]];
        if (user == before || user == 0)
            continue;
        before = user;
        if (f->used_by_count < FACTS_ROWS)
            nodes[f->used_by_count] = graph_row(g, user);
        f->used_by_count++;
    }
    return keep_users(r, f, nodes, e);
}

/* The neighbourhood is too large to traverse, so only count the users. */
static int count_users(struct reader *r, struct facts *f, size_t bound, struct error *e)
{
    struct dependants below;
    int failed = dependants_find(r, f->node, bound, &below, e);
    if (!failed) {
        f->bounded = below.more;
        f->used_by_count = below.direct;
        f->descendant_count = below.count;
        failed = keep_users(r, f, below.row, e);
    }
    free(below.row);
    return failed;
}

static int read_around(struct reader *r, struct facts *f, size_t bound, struct error *e)
{
    struct graph g;
    if (graph_load_surroundings(r, &g, &f->node, 1, DESCENDANTS, bound, &f->bounded, e))
        return -1;
    int failed = 0;
    if (f->bounded)
        failed = count_users(r, f, bound, e);
    else if (g.nodes > 0) {
        struct labels labels;
        struct whatif what;
        const uint32_t root = 0;
        failed = read_users(r, f, &g, e);
        labels_compute(&labels, &g);
        whatif_retract(&what, &g, &labels, &root, 1);
        f->would_lose_support = what.unsupported_count;
        f->descendant_count = what.unsupported_count + what.weakened_count + what.descending_count;
        whatif_release(&what);
        labels_release(&labels);
    }
    graph_release(&g);
    return failed;
}

static int read_ended_by(struct reader *r, struct facts *f, struct fact_row *rows, size_t count,
                         struct error *e)
{
    for (size_t i = 0; i < count; i++)
        if (history_ended_by(r, &f->arena, rows[i].row.node, rows[i].row.status, &rows[i].ended_by,
                             e))
            return -1;
    return 0;
}

/* Who ended the sources and the evidence that do not live. */
static int read_ends(struct reader *r, struct facts *f, struct error *e)
{
    for (size_t i = 0; i < f->memory.justification_count; i++)
        if (read_ended_by(r, f, f->group[i].row, f->group[i].shown, e))
            return -1;
    size_t count = f->memory.history_count < FACTS_ROWS ? f->memory.history_count : FACTS_ROWS;
    return read_ended_by(r, f, f->evidence, count, e);
}

/* The stored length counts. A masked value has another one. */
static int measure_value(struct reader *r, struct facts *f, struct error *e)
{
    struct memory whole = f->memory;
    if (f->memory.ref.kind != KIND_ENTRY)
        return 0;
    int result = reader_masked(r) ? guard_read_unmasked(r, &f->arena, f->node, &whole, e) : 0;
    f->value_bytes = result ? 0 : (int64_t)member_of(&whole, "value").len;
    return result;
}

/* A text that was edited here is shown as it is. */
static int read_transcript(struct reader *r, struct facts *f, struct error *e)
{
    struct transcript_text *t = &f->transcript;
    const char *text = f->memory.text ? f->memory.text : "";
    size_t len = strlen(text), sign = strlen("\xe2\x80\xa6");
    int found = transcript_text_read(r, f->memory.ref, &f->arena, t, e);
    if (found < 0)
        return -1;
    const char **const texts[] = {&t->text, &t->path};
    guard_mask_texts(r, &f->arena, texts, 2);
    if (t->text && (len < sign || strncmp(t->text, text, len - sign) != 0))
        t->text = NULL;
    return 0;
}

#define SOURCES_BOUND 5000 /* memories; in a larger lineage the sources are not counted */

static int read_all(struct reader *r, struct facts *f, size_t bound, bool past,
                    const struct trust *trust, struct error *e)
{
    if (trust)
        f->trust = *trust;
    if (memory_read(r, &f->arena, f->node, &f->memory, e) ||
        (!trust && trust_of_row(r, f->node, &f->trust, e)) ||
        policy_find_judges(r, f->node, f->memory.flags, f->memory.flag_count, e) ||
        measure_value(r, f, e) || labels_of_rows(r, &f->node, 1, &f->label, e) ||
        trust_class_fill(r, &f->node, 1, &f->label, e) ||
        effective_of(r, &f->arena, f->node, f->label.label, &f->effective, &f->fallen,
                     f->trust.value, e) ||
        (f->trust.weakest && f->trust.weakest != f->node &&
         memory_read(r, &f->arena, f->trust.weakest, &f->weakest, e)))
        return -1;
    if (f->weakest.node)
        f->weakest_length = ref_short_length(r, f->weakest.ref);
    f->short_length = ref_short_length(r, f->memory.ref);
    f->not_yet = f->memory.status == STATUS_MISSING && !f->memory.event && reader_past(r) >= 0;
    if (read_groups(r, f, e) || read_relations(r, f, e) || read_related(r, f, e) ||
        read_evidence(r, f, e) ||
        (f->label.valid > 1 && independent_of_row(r, f->node, SOURCES_BOUND, &f->independent, e)))
        return -1;
    if (reader_past(r) < 0 &&
        team_disputed(r, &f->arena, f->node, &f->disputed, &f->disputed_count, e))
        return -1;
    if (past && read_transcript(r, f, e))
        return -1;
    if (past && (facts_past_read(r, &f->arena, &f->memory, &f->past, e) || read_ends(r, f, e)))
        return -1;
    return read_around(r, f, bound, e);
}

struct facts *facts_read(struct reader *r, int64_t node, size_t bound, bool past,
                         const struct trust *trust, struct error *e)
{
    struct facts *f = xcalloc(1, sizeof(*f));
    f->arena = (struct arena)ARENA_INIT;
    f->node = node;
    if (!reader_begin(r, e) && !reader_done(r, read_all(r, f, bound, past, trust, e)))
        return f;
    facts_free(f);
    return NULL;
}

struct walk {
    struct arena *arena;
    const struct memory *m;
    struct facts_past *out;
    struct fact_step *step; /* newest first */
    size_t count, alloc;
    bool rewritten; /* an edit replaced the text that the earlier events were about */
};

static void take_authors(struct walk *w, const struct revision *revision)
{
    const struct memory *b = revision->before, *a = revision->after;
    const char *operation = revision->event.operation;
    /* A flag that the memory was added with is not a change. */
    if (a && b && a->is_protected && !b->is_protected && w->m->is_protected)
        author_take(w->arena, &w->out->protected_by, revision);
    /* A later edit of the text ended the approval. */
    w->rewritten |= a && b && !revision->undone_by && operation && !strcmp(operation, "edit") &&
                    !same_text(a->text, b->text);
    bool by_person = revision->event.class_name && !strcmp(revision->event.class_name, "person");
    if (operation && !strcmp(operation, "verify") && by_person && !w->rewritten)
        author_take(w->arena, &w->out->verified_by, revision);
    /* Nobody expires an entry: it expired before the sweep noted it. */
    if (revision_ends(revision, w->m->status) && !event_is_automatic(&revision->event))
        author_take(w->arena, &w->out->ended_by, revision);
}

static void take_step(struct walk *w, const struct revision *revision)
{
    const struct memory *b = revision->before, *a = revision->after;
    if (!b || !a || a->history_count == 0 || a->history_count <= b->history_count)
        return;
    struct fact_step *s = ARENA_ADD(w->arena, w->step, w->count, w->alloc);
    *s = (struct fact_step){.seq = revision->event.seq,
                            .operation = arena_strdup(w->arena, revision->event.operation),
                            .before = b->confidence,
                            .after = a->confidence,
                            .n = member_int(a, "times_reinforced", 0),
                            .at = a->history[a->history_count - 1].at,
                            .new_ = a->history[a->history_count - 1].new_};
    struct author by = author_of(w->arena, &revision->event);
    s->who = by.who;
    s->person = by.person;
}

static int take(void *arg, const struct revision *revision)
{
    struct walk *w = arg;
    take_authors(w, revision);
    take_step(w, revision);
    if (!revision->before && revision->after) { /* the oldest revision so far */
        w->out->created = author_of(w->arena, &revision->event);
        w->out->first =
            revision->after->history_count == 0 ? revision->after->confidence : (double)NAN;
    }
    return 0;
}

/* Matches each history entry with the newest event before it that made such an entry. Entries of undone events are no
 * longer in the history. */
static void match(struct walk *w)
{
    size_t next = 0;
    for (size_t i = w->m->history_count; i-- > 0;) {
        const struct history_entry *h = &w->m->history[i];
        size_t at = next;
        while (at < w->count && (w->step[at].at != h->at || w->step[at].new_ != h->new_))
            at++;
        if (at == w->count || h->origin)
            continue;
        w->out->step[i] = w->step[at];
        next = at + 1;
    }
}

/* Reads the events of a memory. O(events). */
static int facts_past_read(struct reader *r, struct arena *arena, const struct memory *m,
                           struct facts_past *out, struct error *e)
{
    struct walk w = {.arena = arena, .m = m, .out = out};
    *out = (struct facts_past){.first = (double)NAN};
    out->step = arena_array(arena, m->history_count + 1, sizeof(*out->step));
    int failed = history_walk(r, m->node, take, &w, e);
    if (!failed)
        match(&w);
    out->known = !failed;
    return failed ||
                   (m->is_protected &&
                    author_take_imported(r, arena, m->node, "protect", &out->protected_by, e)) ||
                   ((!out->ended_by.who || out->ended_by.again) &&
                    history_ended_by(r, arena, m->node, m->status, &out->ended_by, e))
               ? -1
               : 0;
}

/* ---- formulas ---- */

#define STEP    0.05
#define SLOWER  0.1
#define CEILING 0.99

bool fact_step_sum(const struct fact_step *s, bool ascii, struct strbuf *out)
{
    const char *times = ascii ? "*" : "\xc2\xb7", *minus = ascii ? "-" : "\xe2\x88\x92";
    double more = STEP / (1 + SLOWER * (double)s->n) * (CEILING - s->before);
    more = more > 0 ? more : 0;
    if (s->operation && !strcmp(s->operation, "verify")) {
        strbuf_addstr(out, s->before + 0.1 > 1 ? "+0.1, at most 1" : "+0.1");
        return true;
    }
    if (s->n <= 0 || fabs(s->before + more - s->after) > 1e-12)
        return false;
    if (more > 0)
        strbuf_addf(out, "0.05/(1+0.1%s%lld)%s(0.99%s%.3f)", times, (long long)s->n, times, minus,
                    s->before);
    else
        strbuf_addstr(out, "nothing above 0.99");
    return true;
}
