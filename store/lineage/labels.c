/*
 * Computes the labels of a few rows without the whole graph.
 *
 * A memory is proved supported by one path to its sources, and unsupported by an ended memory on each
 * path. If all antecedents are decided, the label is exact, whatever else is around: most rows are
 * decided so. For the others the surroundings are loaded and labelled twice, with the edge
 * supported and with the edge missing. Labels are monotonic in their antecedents (justifications have
 * no "not"), so the true labels lie in between: equal ones are exact. The rest comes from the whole
 * graph.
 */
#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/graph/roots.h"
#include "store/db/db.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/lineage/neighbours.h"
#include "store/lineage/loaded.h"
#include "store/lineage/trust.h"

/* ---- by short paths ---- */

/* Most paths are short; undecided rows get a second, longer search. */
static const struct {
    unsigned depth; /* of a path */
    size_t rows;    /* rows to read */
} limits[] = {{4, 64}, {24, 512}};
#define DEPTH_MAX   24
#define LIMIT_COUNT (sizeof(limits) / sizeof(limits[0]))

/* Rows with more groups or links are left to the next method. */
#define GROUPS_MAX 16
#define LINKS_MAX  64

enum answer {
    UNKNOWN = 0,
    NO,
    YES
};

/* What a row is based on. */
struct support {
    enum kind kind;
    enum status status;
    double weight;
    const struct link_group *group;
    size_t groups;
    const int64_t *row;
};

/* Answers about rows, when those of a lesser weight than `least` do not support. */
struct decisions {
    double least;
    struct row_index rows;
    uint8_t *answer; /* [rows.count] */
    size_t alloc;
};

/* The label of a row and its trust are proved from the same rows, which are read once. */
struct proof {
    struct reader *reader;
    const struct trust_rules *rules;
    struct links links;
    struct row_index opened;
    struct support *support; /* [opened.count] */
    size_t alloc;
    struct arena arena;
    struct decisions labels, trust, *of; /* `of` is one of them */
    unsigned depth;                      /* longest path */
    size_t left;                         /* rows that may still be asked about */
    int64_t path[DEPTH_MAX + 1];
    double next; /* the greatest weight of the rows that were too light */
};

/* So many rows may stay open when the next one is proved. */
#define OPENED_MAX 4096

static void proof_begin(struct proof *p, struct reader *r, const struct trust_rules *rules)
{
    *p = (struct proof){.reader = r,
                        .rules = rules,
                        .opened = ROW_INDEX_INIT,
                        .arena = ARENA_INIT,
                        .labels = {.rows = ROW_INDEX_INIT},
                        .trust = {.rows = ROW_INDEX_INIT}};
    p->of = &p->labels;
}

static void proof_end(struct proof *p)
{
    row_index_release(&p->opened);
    row_index_release(&p->labels.rows);
    row_index_release(&p->trust.rows);
    links_release(&p->links);
    arena_release(&p->arena);
    FREE_ALL(p->support, p->labels.answer, p->trust.answer);
}

static void store_answer(struct decisions *d, int64_t row, enum answer answer)
{
    size_t number = row_index_add(&d->rows, row);
    ARRAY_ROOM(d->answer, number, d->alloc, 1);
    d->answer[number] = (uint8_t)answer;
}

/* Returns 1, or 0 if it has too many links. */
static int open_row(struct proof *p, int64_t row, struct support *out, struct error *e)
{
    const struct links *l = &p->links;
    size_t known = row_index_find(&p->opened, row);
    if (known != ROW_NONE) {
        *out = p->support[known];
        return 1;
    }
    if (trust_nature(p->reader, p->rules, row, &out->kind, &out->status, &out->weight, e) ||
        links_of(&p->links, p->reader, row, e))
        return -1;
    if (l->groups > GROUPS_MAX || l->rows > LINKS_MAX)
        return 0;
    out->groups = l->groups;
    out->group =
        l->groups ? arena_memdup(&p->arena, l->group, l->groups * sizeof(*l->group)) : NULL;
    out->row = l->rows ? arena_memdup(&p->arena, l->row, l->rows * sizeof(*l->row)) : NULL;
    known = row_index_add(&p->opened, row);
    ARRAY_ROOM(p->support, known, p->alloc, 1);
    p->support[known] = *out;
    return 1;
}

static bool is_on_path(const struct proof *p, unsigned depth, int64_t row)
{
    for (unsigned i = 0; i <= depth; i++)
        if (p->path[i] == row)
            return true;
    return false;
}

static int decide(struct proof *p, int64_t row, unsigned depth, enum answer *out, struct error *e);

/* Whether a group supports: all of its members, or one of them. */
static int group_is_valid(struct proof *p, const struct support *s, const struct link_group *group,
                          bool all, unsigned depth, enum answer *out, struct error *e)
{
    enum answer final = all ? NO : YES;
    *out = all || group->count == 0 ? YES : NO;
    for (size_t i = 0; i < group->count && *out != final; i++) {
        enum answer one;
        if (decide(p, s->row[group->first + i], depth, &one, e))
            return -1;
        *out = one == final ? final : one == UNKNOWN ? UNKNOWN : *out;
    }
    return 0;
}

static bool is_all(const struct link_group *group)
{
    return SHAPE_READING(group->shape) == READING_ALL;
}

/* p->path[depth] is the row. */
static int is_supported(struct proof *p, const struct support *s, unsigned depth, enum answer *out,
                        struct error *e)
{
    *out = NO;
    for (size_t i = 0; i < s->groups && *out != YES; i++) {
        enum answer one;
        if (group_is_valid(p, s, &s->group[i], is_all(&s->group[i]), depth, &one, e))
            return -1;
        *out = one == YES ? YES : one == UNKNOWN ? UNKNOWN : *out;
    }
    return 0;
}

/*
 * Decides `row`, an antecedent on the path p->path[0..depth]. On a cycle it stays unknown: its
 * dependants need another path.
 */
static int decide(struct proof *p, int64_t row, unsigned depth, enum answer *out, struct error *e)
{
    struct support s;
    *out = UNKNOWN;
    if (p->left == 0 || is_on_path(p, depth, row))
        return 0;
    p->left--;
    size_t known = row_index_find(&p->of->rows, row);
    if (known != ROW_NONE) {
        *out = (enum answer)p->of->answer[known];
        return 0;
    }
    int opened = open_row(p, row, &s, e);
    if (opened <= 0)
        return opened;
    *out = STATUS_LIVES(s.status) ? YES : NO;
    if (*out == YES && s.weight < p->of->least) {
        *out = NO;
        p->next = s.weight > p->next ? s.weight : p->next;
    }
    if (*out == YES && s.groups > 0) {
        *out = UNKNOWN;
        if (depth == p->depth)
            return 0;
        p->path[depth + 1] = row;
        if (is_supported(p, &s, depth + 1, out, e))
            return -1;
    }
    if (*out != UNKNOWN)
        store_answer(p->of, row, *out);
    return 0;
}

static bool is_repeated(const int64_t *row, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (row[i] == row[at])
            return true;
    return false;
}

/* Each distinct member of an `any` group is a justification; an `all` group is one. */
static int count_group(struct proof *p, const struct support *s, const struct link_group *group,
                       struct row_label *out, bool *known, struct error *e)
{
    enum answer one;
    bool each = !is_all(group) && group->count > 0;
    if (!each) {
        if (group_is_valid(p, s, group, true, 0, &one, e))
            return -1;
        out->justs++;
        out->valid += one == YES;
        *known = one != UNKNOWN;
    }
    for (size_t i = 0; each && i < group->count && *known; i++) {
        if (is_repeated(&s->row[group->first], i))
            continue;
        if (decide(p, s->row[group->first + i], 0, &one, e))
            return -1;
        out->justs++;
        out->valid += one == YES;
        *known = one != UNKNOWN;
    }
    return 0;
}

static enum label label_of(const struct support *s, const struct row_label *counted)
{
    if (!STATUS_LIVES(s->status))
        return LABEL_ENDED;
    if (counted->justs == 0)
        return kind_spec(s->kind)->is_source ? LABEL_SUPPORTED : LABEL_UNSOURCED;
    return counted->valid < counted->justs ? LABEL_WEAKENED : LABEL_SUPPORTED;
}

/*
 * Returns 1 if paths decide the label. An unsupported row may be circular, which paths cannot tell.
 */
static int prove(struct proof *p, int64_t row, struct row_label *out, struct error *e)
{
    struct support s;
    bool known = true;
    int opened = open_row(p, row, &s, e);
    *out = (struct row_label){.label = LABEL_ENDED};
    p->path[0] = row;
    if (opened <= 0)
        return opened;
    for (size_t i = 0; i < s.groups && known; i++)
        if (count_group(p, &s, &s.group[i], out, &known, e))
            return -1;
    out->label = label_of(&s, out);
    return known && (out->label == LABEL_ENDED || out->justs == 0 || out->valid > 0);
}

static int prove_row(struct proof *p, int64_t row, struct row_label *out, struct error *e)
{
    int known = 0;
    for (size_t i = 0; i < LIMIT_COUNT && known == 0; i++) {
        p->depth = limits[i].depth;
        p->left = limits[i].rows;
        known = prove(p, row, out, e);
        if (known >= 0 && reader_charge(p->reader, (int64_t)(limits[i].rows - p->left + 1), e))
            return -1;
    }
    return known;
}

/* ---- trust, by short paths ---- */

/*
 * The trust of a row is the greatest weight at which it still stands when all lighter rows are dead.
 * Its own weight is the most that it can be, and usually one path has no lighter row; if none has, the
 * next weight to try is the greatest of those that were in the way. Returns 1, or 0 if short paths
 * do not decide.
 */
static int prove_trust(struct proof *p, int64_t row, struct trust *out, struct error *e)
{
    struct support s;
    enum answer stands = NO;
    int opened = open_row(p, row, &s, e);
    *out = (struct trust){0, 0};
    if (opened <= 0 || !STATUS_LIVES(s.status))
        return opened;
    p->path[0] = row;
    for (p->next = s.weight; stands == NO && p->next >= 0;) {
        p->trust.least = p->next;
        p->next = -1;
        row_index_clear(&p->trust.rows);
        stands = s.groups ? NO : YES;
        if (s.groups && is_supported(p, &s, 0, &stands, e))
            return -1;
    }
    if (stands == YES)
        *out = (struct trust){p->trust.least, p->trust.least == s.weight ? row : 0};
    return stands != UNKNOWN;
}

static int prove_trust_of(struct proof *p, int64_t row, struct trust *out, struct error *e)
{
    int known = 0;
    p->of = &p->trust;
    for (size_t i = 0; i < LIMIT_COUNT && known == 0; i++) {
        p->depth = limits[i].depth;
        p->left = limits[i].rows;
        known = prove_trust(p, row, out, e);
        if (known >= 0 && reader_charge(p->reader, (int64_t)(limits[i].rows - p->left + 1), e))
            known = -1;
    }
    p->of = &p->labels;
    return known;
}

int trust_by_paths(struct reader *r, const struct trust_rules *rules, int64_t row,
                   struct trust *out, struct error *e)
{
    struct proof p;
    proof_begin(&p, r, rules);
    int known = prove_trust_of(&p, row, out, e);
    proof_end(&p);
    return known;
}

/* The class of a row by the paths that prove its label; to find others costs more than a caller may want. */
static int prove_class(struct proof *p, int64_t row, struct row_label *io, struct error *e)
{
    struct trust trust;
    int known = prove_trust_of(p, row, &trust, e);
    io->has_proved = known > 0;
    if (io->has_proved)
        io->proved = trust_class_of_weight(trust.value);
    return known < 0 ? -1 : 0;
}

/* ---- by the surroundings ---- */

/* Rows to open around the requested ones; beyond that the whole graph is used. */
static const size_t opened_around[] = {128, 2048};
#define NEAR_MAX 50000 /* limit of rows that these name */

/* The surroundings, labelled twice. Nodes from `edge` on were not opened. */
struct nearby {
    struct surroundings surroundings;
    struct graph graph;
    struct labels high, low;
    size_t edge;
};

static void release_nearby(struct nearby *n)
{
    labels_release(&n->high);
    labels_release(&n->low);
    graph_release(&n->graph);
    surroundings_release(&n->surroundings);
}

/* Labels with the edge supported, then with it missing. */
static void label_both(struct nearby *n)
{
    labels_compute(&n->high, &n->graph);
    for (size_t node = n->edge; node < n->graph.nodes; node++)
        n->graph.status[node] = STATUS_MISSING;
    labels_compute(&n->low, &n->graph);
}

static struct row_label label_at(const struct graph *g, const struct labels *l, size_t node)
{
    return (struct row_label){.label = (enum label)l->label[node],
                              .valid = l->valid[node],
                              .justs = g->just_first[node + 1] - g->just_first[node]};
}

/* The requested rows are the first nodes. Returns 1 if all are exact. */
static int copy_labels(const struct nearby *n, size_t count, struct row_label *out)
{
    for (size_t i = 0; i < count; i++) {
        if (n->low.label[i] != n->high.label[i] || n->low.valid[i] != n->high.valid[i])
            return 0;
        out[i] = label_at(&n->graph, &n->high, i);
    }
    return 1;
}

/* For distinct rows: returns 1 if `out` is exact, 0 if more rows must be opened. */
static int label_near(struct reader *r, const int64_t *rows, size_t count, size_t opened,
                      struct row_label *out, struct error *e)
{
    struct nearby n = {.surroundings = SURROUNDINGS_INIT(r)};
    n.edge = n.surroundings.opened = count + opened;
    graph_init(&n.graph);
    n.surroundings.max = count + NEAR_MAX;
    surroundings_add_roots(&n.surroundings, rows, count);
    int result = surroundings_build(&n.surroundings, &n.graph, e);
    if (result == 0 && surroundings_in_limit(&n.surroundings)) {
        label_both(&n);
        result = copy_labels(&n, count, out);
    }
    release_nearby(&n);
    return result;
}

/* ---- by the whole graph ---- */

static int label_whole(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                       struct error *e)
{
    const struct loaded *l = loaded_get(r, e);
    for (size_t i = 0; i < count && l; i++)
        out[i] = label_at(&l->graph, &l->labels, (size_t)rows[i] - 1);
    loaded_release(l);
    return l ? 0 : -1;
}

/* For rows that short paths do not decide. */
static int label_others(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                        struct error *e)
{
    int known = 0;
    for (size_t i = 0; i < sizeof(opened_around) / sizeof(*opened_around) && known == 0; i++)
        known = label_near(r, rows, count, opened_around[i], out, e);
    return known ? known < 0 ? -1 : 0 : label_whole(r, rows, count, out, e);
}

int labels_uncached(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                    struct error *e)
{
    struct proof p;
    AUTO(row_index) left = ROW_INDEX_INIT;
    AUTO_FREE struct row_label *found = NULL;
    AUTO_FREE size_t *place = xmalloc((count + 1) * sizeof(*place));
    int known = 0;
    proof_begin(&p, r, &trust_classes);
    for (size_t i = 0; i < count && known >= 0; i++) {
        if (p.opened.count > OPENED_MAX) {
            row_index_clear(&p.opened);
            arena_clear(&p.arena);
        }
        known = prove_row(&p, rows[i], &out[i], e);
        place[i] = known ? ROW_NONE : row_index_add(&left, rows[i]);
        if (known >= 0 && prove_class(&p, rows[i], &out[i], e))
            known = -1;
    }
    if (known >= 0 && left.count) {
        found = xmalloc(left.count * sizeof(*found));
        known = label_others(r, left.row, left.count, found, e);
        for (size_t i = 0; i < count && known == 0; i++)
            if (place[i] != ROW_NONE) {
                found[place[i]].has_proved = out[i].has_proved;
                found[place[i]].proved = out[i].proved;
                out[i] = found[place[i]];
            }
    }
    proof_end(&p);
    return known < 0 ? -1 : 0;
}

/*
 * Loads everything the rows are based on, removes what is hidden from the caller, and labels it;
 * uses the whole graph if that is large.
 */
#define VISIBLE_MAX 50000

static int labels_visible(struct reader *r, const int64_t *rows, size_t count,
                          struct row_label *out, struct error *e)
{
    struct graph g;
    AUTO(labels) l = {.label = NULL};
    AUTO(row_index) different = ROW_INDEX_INIT;
    bool whole;
    for (size_t i = 0; i < count; i++)
        row_index_add(&different, rows[i]);
    int result = graph_load_surroundings(r, &g, different.row, different.count, ANCESTORS,
                                         VISIBLE_MAX, &whole, e);
    if (result == 0 && whole)
        result = label_whole(r, rows, count, out, e);
    else if (result == 0)
        result = guard_graph(r, &g, e);
    if (result == 0 && !whole)
        labels_compute(&l, &g);
    for (size_t i = 0; i < count && result == 0 && !whole; i++)
        out[i] = label_at(&g, &l, row_index_find(&different, rows[i]));
    graph_release(&g);
    return result;
}

static int label_rows(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                      struct error *e)
{
    if (guard_hides_linked_entries(r))
        return labels_visible(r, rows, count, out, e);
    const struct loaded *l = loaded_labels_find(r);
    if (!l)
        return labels_uncached(r, rows, count, out, e);
    int result = 0;
    for (size_t i = 0; i < count && result == 0; i++)
        if (!loaded_label(l, rows[i], &out[i]))
            result = error_set(e, ERROR_NOT_FOUND, "", "there is no memory in row %lld",
                               (long long)rows[i]);
    loaded_release(l);
    return result;
}

int labels_of_rows(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                   struct error *e)
{
    if (count == 0)
        return 0;
    return reader_begin(r, e) ? -1 : reader_done(r, label_rows(r, rows, count, out, e));
}

/* ---- independent derivations ---- */

/* What the whole graph knows, if its keystones were computed already. */
static void independent_in_whole(struct reader *r, int64_t row, struct independent *out)
{
    const struct loaded *l = loaded_find(r);
    const struct keystones *k = l ? atomic_load(&l->keystones) : NULL;
    if (k && row <= (int64_t)l->rows) {
        uint8_t reliance = k->independent[row - 1];
        out->known = reliance != RELIES_ON_NONE;
        out->count = reliance == RELIES_ON_MORE_UNPROVEN ? RELIES_ON_MORE : reliance;
        out->proven = reliance < RELIES_ON_MORE;
    }
    loaded_release(l);
}

int independent_of_row(struct reader *r, int64_t row, size_t bound, struct independent *out,
                       struct error *e)
{
    AUTO(graph) g = {0};
    AUTO(labels) labels = {0};
    AUTO(independence) found = {0};
    bool bounded;
    *out = (struct independent){.known = false};
    if (graph_load_surroundings(r, &g, &row, 1, ANCESTORS, bound, &bounded, e))
        return -1;
    if (bounded) {
        independent_in_whole(r, row, out);
    } else {
        labels_compute(&labels, &g);
        g.patience = reader_patience(r);
        independence_compute(&found, &g, &labels, 0);
        *out = (struct independent){labels.stands[0], found.proven, found.independent};
    }
    return reader_check(r, e);
}

/* ---- what says most about a lineage ---- */

struct telling {
    int64_t row;
    uint64_t weight;
};

static int by_weight(const void *a, const void *b)
{
    const struct telling *x = a, *y = b;
    return x->weight != y->weight ? COMPARE(y->weight, x->weight) : COMPARE(x->row, y->row);
}

static int is_contradicted(struct reader *r, int64_t row, bool *contradicted, struct error *e)
{
    int64_t found;
    int result = db_int(reader_db(r), &found, 0, e,
                        "SELECT EXISTS (SELECT 1 FROM link WHERE memory = ?1 AND (shape & 31) = ?2)"
                        " OR EXISTS (SELECT 1 FROM link WHERE target = ?1 AND (shape & 31) = ?2)",
                        "ii", row, (int64_t)RELATION_CONTRADICTS);
    *contradicted = found;
    return result;
}

static int weigh(struct reader *r, const struct graph *g, int64_t **rows, size_t *count,
                 struct error *e)
{
    AUTO(labels) labels = {0};
    AUTO(keystones) keystones = {0};
    AUTO_FREE struct telling *all = xcalloc(g->nodes + (size_t)1, sizeof(*all));
    int failed = 0;
    labels_compute(&labels, g);
    keystones_compute(&keystones, g, &labels, KEYSTONES_BUDGET);
    for (uint32_t v = 1; v < g->nodes && !failed; v++) {
        bool contradicted = false;
        failed = is_contradicted(r, graph_row(g, v), &contradicted, e);
        bool fallen = labels.label[v] == LABEL_UNSUPPORTED || labels.label[v] == LABEL_CIRCULAR;
        uint64_t weight = keystones.loses[v] + (uint64_t)contradicted + fallen;
        if (weight)
            all[(*count)++] = (struct telling){graph_row(g, v), weight};
    }
    SORT(all, *count, by_weight);
    *rows = xcalloc(*count + 1, sizeof(**rows));
    for (size_t i = 0; i < *count; i++)
        (*rows)[i] = all[i].row;
    return failed;
}

int telling_of_row(struct reader *r, int64_t row, enum direction side, size_t bound, int64_t **rows,
                   size_t *count, struct error *e)
{
    AUTO(graph) g = {0};
    bool bounded;
    *rows = NULL;
    *count = 0;
    if (graph_load_surroundings(r, &g, &row, 1, side, bound, &bounded, e))
        return -1;
    return bounded ? 0 : weigh(r, &g, rows, count, e);
}

int independent_fill(struct reader *r, int64_t row, size_t bound, struct row_label *io,
                     struct error *e)
{
    if (io->justs == 0 || !label_stands(io->label))
        return 0;
    if (io->valid <= 1)
        io->independent = (struct independent){true, true, io->valid};
    else if (bound)
        return independent_of_row(r, row, bound, &io->independent, e);
    else
        independent_in_whole(r, row, &io->independent);
    return 0;
}
