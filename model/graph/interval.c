#include "model/graph/interval.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "model/graph/ancestry.h"
#include "model/graph/assignment.h"
#include "model/graph/fold.h"

/* ---- groups: which justifications of a member share a root ---- */

/* The ancestry in the other direction, and its circles. */
struct uses {
    uint32_t *component; /* [members] */
    uint32_t *member;    /* [justs] whose it is */
    bool *through;       /* [justs] it has an antecedent in the circle of its member */
    uint32_t *first;     /* [members + 1] ranges of `just` */
    uint32_t *just;      /* [links] the justifications with this antecedent */
};

#define GROUP_STEPS 5000000 /* links to follow: about 100 ms */

static void uses_make(struct uses *u, const struct ancestry *a)
{
    size_t members = (size_t)a->count + 2, justs = (size_t)a->justs + 1;
    u->component = xmalloc(members * sizeof(*u->component));
    u->member = xmalloc(justs * sizeof(*u->member));
    u->through = xcalloc(justs, sizeof(*u->through));
    u->first = xcalloc(members, sizeof(*u->first));
    u->just = xmalloc(((size_t)ancestry_links(a) + 1) * sizeof(*u->just));
    for (uint32_t c = 0; c < a->components; c++)
        for (uint32_t m = a->component_first[c]; m < a->component_first[c + 1]; m++)
            u->component[m] = c;
    for (uint32_t i = 0; i < ancestry_links(a); i++)
        u->first[a->link[i] + 2]++;
    for (uint32_t m = 2; m < a->count + 2; m++)
        u->first[m] += u->first[m - 1];
    for (uint32_t m = 0; m < a->count; m++)
        for (uint32_t j = a->just_first[m]; j < a->just_first[m + 1]; j++) {
            u->member[j] = m;
            for (uint32_t i = a->link_first[j]; i < a->link_first[j + 1]; i++) {
                u->through[j] |= u->component[a->link[i]] == u->component[m];
                u->just[u->first[a->link[i] + 1]++] =
                    j; /* then first[member] is the begin of its range */
            }
        }
}

static void uses_release(struct uses *u)
{
    FREE_ALL(u->component, u->member, u->through, u->first, u->just);
}

/* ---- dominators of components ---- */

struct tree {
    uint32_t *above, *depth;
    uint32_t *jump; /* one of those above, so that each way up is short (Myers 1983) */
};

static uint32_t common(const struct tree *t, uint32_t x, uint32_t y)
{
    while (x != y) {
        if (t->depth[x] < t->depth[y]) {
            uint32_t other = x;
            x = y;
            y = other;
        }
        if (t->depth[x] > t->depth[y])
            x = t->depth[t->jump[x]] >= t->depth[y] ? t->jump[x] : t->above[x];
        else if (t->jump[x] != t->jump[y]) {
            x = t->jump[x];
            y = t->jump[y];
        } else {
            x = t->above[x];
            y = t->above[y];
        }
    }
    return x;
}

/* The target's component is the last, and above all. Users have greater numbers, so theirs are known before. */
static void find_dominators(struct tree *t, const struct ancestry *a, const struct uses *u)
{
    const uint32_t last = a->components - 1;
    memset(t->above, 0xff, a->components * sizeof(*t->above));
    t->above[last] = t->jump[last] = last;
    t->depth[last] = 0;
    for (uint32_t c = a->components; c-- > 0;) {
        uint32_t up = t->above[c], far = t->jump[up];
        if (c != last) {
            t->depth[c] = t->depth[up] + 1;
            t->jump[c] = t->depth[up] - t->depth[far] == t->depth[far] - t->depth[t->jump[far]]
                             ? t->jump[far]
                             : up;
        }
        uint32_t from = a->just_first[a->component_first[c]],
                 to = a->just_first[a->component_first[c + 1]];
        for (uint32_t i = a->link_first[from]; i < a->link_first[to]; i++) {
            uint32_t below = u->component[a->link[i]];
            if (below != c)
                t->above[below] = t->above[below] == NODE_NONE ? c : common(t, t->above[below], c);
        }
    }
}

/* ---- following ---- */

struct following {
    const struct ancestry *a;
    const struct uses *u;
    uint32_t *group;
    uint32_t *groups; /* [members] how many there are so far */
    uint8_t *wanted;  /* [components] bool: it, or what uses it, has a member of several groups */
    /* up to 64 ancestors that are followed, a bit for each */
    uint64_t *bits,
        *end;          /* [components] those that reach it; those that are not followed further */
    uint64_t *by;      /* [justs] those that reach it */
    uint64_t *pending; /* a bit for each component: it is to be left */
    uint32_t
        *touched; /* [components] the first of its members that were reached; NODE_NONE: none */
    uint32_t *next_member;
    uint32_t *
        touched_just; /* [members] the first of its justifications that were reached; NODE_NONE: none */
    uint32_t *next_just;
    uint64_t steps, since; /* since `wanted` was found */
};

static uint32_t group_of(struct following *f, uint32_t just)
{
    while (f->group[just] != just)
        just = f->group[just] = f->group[f->group[just]];
    return just;
}

static void join(struct following *f, uint32_t x, uint32_t y)
{
    x = group_of(f, x);
    y = group_of(f, y);
    f->groups[f->u->member[x]] -= x != y;
    f->group[x > y ? x : y] = x < y ? x : y;
}

static void find_wanted(struct following *f)
{
    const struct ancestry *a = f->a;
    memset(f->wanted, 0, a->components);
    for (uint32_t c = a->components; c-- > 0;) {
        for (uint32_t m = a->component_first[c]; m < a->component_first[c + 1]; m++)
            f->wanted[c] |= f->groups[m] > 1;
        uint32_t from = a->just_first[a->component_first[c]],
                 to = a->just_first[a->component_first[c + 1]];
        for (uint32_t i = a->link_first[from]; f->wanted[c] && i < a->link_first[to]; i++)
            f->wanted[f->u->component[a->link[i]]] = 1;
    }
    f->since = 0;
}

static void touch(struct following *f, uint32_t just, uint64_t bits)
{
    uint32_t m = f->u->member[just], c = f->u->component[m];
    if (f->by[just] == 0) {
        if (f->touched_just[m] == NODE_NONE) {
            f->next_member[m] = f->touched[c];
            f->touched[c] = m;
        }
        f->next_just[just] = f->touched_just[m];
        f->touched_just[m] = just;
    }
    f->by[just] |= bits;
    f->bits[c] |= bits;
    f->pending[c / 64] |= UINT64_C(1) << c % 64;
}

/* Joins the justifications of the member that were reached by the same. */
static void join_reached(struct following *f, uint32_t member)
{
    uint32_t owner[64]; /* the first that each reached */
    uint64_t owned = 0;
    for (uint32_t j = f->touched_just[member]; j != NODE_NONE; j = f->next_just[j]) {
        for (uint64_t bits = f->u->through[j] ? 0 : f->by[j]; bits; bits &= bits - 1) {
            unsigned b = (unsigned)__builtin_ctzll(bits);
            if (owned >> b & 1)
                join(f, j, owner[b]);
            else
                owner[b] = j;
            owned |= UINT64_C(1) << b;
        }
        f->by[j] = 0;
    }
    f->touched_just[member] = NODE_NONE;
}

/* Goes on from a component that all have reached that will. */
static void leave(struct following *f, uint32_t c)
{
    const struct ancestry *a = f->a;
    uint64_t bits = f->bits[c] & ~f->end[c];
    for (uint32_t m = f->touched[c]; m != NODE_NONE; m = f->next_member[m])
        join_reached(f, m);
    f->touched[c] = NODE_NONE;
    f->bits[c] = 0;
    if (bits == 0)
        return;
    uint32_t from = f->u->first[a->component_first[c]], to = f->u->first[a->component_first[c + 1]];
    f->since += 1 + to - from;
    for (uint32_t i = from; i < to; i++) {
        uint32_t user = f->u->component[f->u->member[f->u->just[i]]];
        if (user != c && f->wanted[user])
            touch(f, f->u->just[i], bits);
    }
}

/* Follows the ancestors that are pending. */
static void follow(struct following *f, uint32_t lowest)
{
    uint32_t words = f->a->components / 64 + 1;
    for (uint32_t word = lowest / 64; word < words; word++)
        while (f->pending[word]) {
            uint32_t c = word * 64 + (uint32_t)__builtin_ctzll(f->pending[word]);
            f->pending[word] &= f->pending[word] - 1;
            leave(f, c);
        }
}

/* Is it used by several others, and do these matter? */
static bool is_shared(const struct following *f, uint32_t c)
{
    const struct ancestry *a = f->a;
    return f->wanted[c] &&
           f->u->first[a->component_first[c + 1]] - f->u->first[a->component_first[c]] > 1;
}

/* Follows all components. Returns false if the budget was spent. */
static bool follow_all(struct following *f, const struct tree *t)
{
    const struct ancestry *a = f->a;
    uint64_t links = (uint64_t)a->components + ancestry_links(a);
    find_wanted(f);
    for (uint32_t c = 0; c + 1 < a->components;) {
        uint32_t started[64], count = 0;
        for (; count < 64 && c + 1 < a->components; c++) {
            if (!is_shared(f, c))
                continue;
            f->bits[c] |= UINT64_C(1) << count;
            f->end[t->above[c]] |= UINT64_C(1) << count;
            f->pending[c / 64] |= UINT64_C(1) << c % 64;
            started[count++] = c;
        }
        uint64_t before = f->since;
        if (count > 0)
            follow(f, started[0]);
        for (uint32_t i = 0; i < count; i++)
            f->end[t->above[started[i]]] = 0;
        f->steps += f->since - before + a->components / 64;
        if (patience_is_over(a->patience, f->since - before) || f->steps > GROUP_STEPS)
            return false;
        if (f->since > links)
            find_wanted(f);
    }
    return true;
}

/* Makes the justifications of each member one group. */
static void join_all(struct following *f)
{
    const struct ancestry *a = f->a;
    for (uint32_t m = 0; m < a->count; m++)
        for (uint32_t j = a->just_first[m], first = NODE_NONE; j < a->just_first[m + 1]; j++) {
            if (f->u->through[j])
                continue;
            first = first == NODE_NONE ? j : first;
            join(f, first, j);
        }
}

/*
 * group[j] is the first justification of the group of j, among those of its member that are not through its circle.
 * Members of a circle have the same roots. Returns false if the budget of work was spent: then some that share no
 * root may be in one group.
 *
 * Two justifications of a member share a root if they share any ancestor. What has only one use is shared by none. For
 * what is above its dominator (the nearest member that all ways from the target to it go through) the dominator stands
 * for it. So an ancestor with several uses is followed up to its dominator, 64 at once; not where all
 * justifications are one group already. Mostly O(members and links).
 */
static bool groups_find(uint32_t *group, const struct ancestry *a, const struct uses *u)
{
    struct following f = {.a = a, .u = u, .group = group};
    size_t members = (size_t)a->count + 1, justs = (size_t)a->justs + 1,
           components = (size_t)a->components + 64;
    struct tree t = {.above = xmalloc(components * sizeof(*t.above)),
                     .depth = xmalloc(components * sizeof(*t.depth)),
                     .jump = xmalloc(components * sizeof(*t.jump))};
    f.groups = xcalloc(members, sizeof(*f.groups));
    f.wanted = xcalloc(components, 1);
    f.bits = xcalloc(components, sizeof(*f.bits));
    f.end = xcalloc(components, sizeof(*f.end));
    f.by = xcalloc(justs, sizeof(*f.by));
    f.pending = xcalloc(components / 64 + 1, sizeof(*f.pending));
    f.touched = xmalloc(components * sizeof(*f.touched));
    f.next_member = xmalloc(members * sizeof(*f.next_member));
    f.touched_just = xmalloc(members * sizeof(*f.touched_just));
    f.next_just = xmalloc(justs * sizeof(*f.next_just));
    memset(f.touched, 0xff, components * sizeof(*f.touched));
    memset(f.touched_just, 0xff, members * sizeof(*f.touched_just));
    for (uint32_t j = 0; j < a->justs; j++) {
        group[j] = j;
        f.groups[u->member[j]] += !u->through[j];
    }
    find_dominators(&t, a, u);
    bool whole = follow_all(&f, &t);
    if (!whole)
        join_all(&f);
    for (uint32_t j = 0; j < a->justs; j++)
        group[j] = group_of(&f, j);
    void *arrays[] = {t.above,       t.depth,        t.jump,     f.groups,  f.wanted,
                      f.bits,        f.end,          f.by,       f.pending, f.touched,
                      f.next_member, f.touched_just, f.next_just};
    for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++)
        free(arrays[i]);
    return whole;
}

/* ---- bounds ---- */

/* Indexed by member and justification of the ancestry. */
struct bounds {
    struct ancestry a;
    struct uses uses;
    const double *p;
    bool *circle;    /* [members] on a circle */
    uint32_t *group; /* [justs] the first justification of its group */
    uint32_t *best;  /* [justs] of a group, at its first: the best; NODE_NONE if none is valid */
    uint32_t
        *through; /* [members] the justification through the circle that counts, or NODE_NONE */
    double *low, *high;
    bool grouped; /* the groups are exact */
};

static bool is_source(const struct bounds *b, uint32_t member)
{
    return ancestry_is_source(&b->a, member);
}

/* ---- low ---- */

static double product_of(const struct bounds *b, uint32_t first, uint32_t end)
{
    double product = 1;
    for (uint32_t i = first; i < end; i++)
        product *= b->low[b->a.link[i]];
    return product;
}

static double low_of(const struct bounds *b, uint32_t just)
{
    return product_of(b, b->a.link_first[just], b->a.link_first[just + 1]);
}

/* The next justification of the member that counts, from `just` on; the end if there is none. For low
 * the best of a group, which is named by the group's first. */
static uint32_t next_term(const struct bounds *b, uint32_t member, uint32_t just)
{
    uint32_t end = b->a.just_first[member + 1];
    while (just < end && (b->group[just] != just || b->best[just] == NODE_NONE))
        just++;
    return just;
}

/* Noisy-or over the groups, from the one at `just` on, as the product of the contrary. */
static double contrary_low(const struct bounds *b, uint32_t member, uint32_t just)
{
    double contrary = 1;
    for (; just < b->a.just_first[member + 1]; just = next_term(b, member, just + 1))
        contrary *= 1 - low_of(b, b->best[just]);
    return contrary;
}

/* What a member has from outside its circle, through justifications that are valid `after`. */
static double low_outside(struct bounds *b, uint32_t member, const struct labels *after)
{
    const struct ancestry *a = &b->a;
    uint32_t end = a->just_first[member + 1];
    for (uint32_t j = a->just_first[member]; j < end; j++) {
        uint32_t *best = &b->best[b->group[j]];
        b->best[j] = NODE_NONE;
        if (after->broken[a->just[j]] == 0 && !b->uses.through[j] &&
            (*best == NODE_NONE || low_of(b, j) > low_of(b, *best)))
            *best = j;
    }
    uint32_t first = next_term(b, member, a->just_first[member]);
    if (first == end)
        return 0;
    return next_term(b, member, first + 1) == end ? low_of(b, b->best[first])
                                                  : 1 - contrary_low(b, member, first);
}

/* What becomes possible through the circle when the low of a member is known. `missing` [justs] counts down. */
static void hand_on(const struct bounds *b, uint32_t member, const struct labels *after,
                    uint32_t *missing, struct candidates *open)
{
    for (uint32_t i = b->uses.first[member]; i < b->uses.first[member + 1]; i++) {
        uint32_t j = b->uses.just[i], user = b->uses.member[j];
        if (b->uses.component[user] == b->uses.component[member] && --missing[j] == 0 &&
            after->broken[b->a.just[j]] == 0)
            candidates_push(open, (struct candidate){low_of(b, j), 1, user, j});
    }
}

/* Each member of a circle gets the better of what comes from outside and through the circle. A product is no more than
 * each of its factors, so the greatest that is not known yet is final. */
static void find_low_of_circle(struct bounds *b, uint32_t from, uint32_t to,
                               const struct labels *after, uint32_t *missing)
{
    const struct ancestry *a = &b->a;
    AUTO(candidates) open = CANDIDATES_INIT;
    AUTO_FREE uint8_t *known = xcalloc(to - from, 1);
    for (uint32_t m = from; m < to; m++) {
        candidates_push(&open, (struct candidate){b->low[m], 0, m, NODE_NONE});
        for (uint32_t j = a->just_first[m]; j < a->just_first[m + 1]; j++)
            for (uint32_t i = a->link_first[j]; i < a->link_first[j + 1]; i++)
                missing[j] += b->uses.component[a->link[i]] == b->uses.component[m];
    }
    while (open.count > 0) {
        struct candidate c = candidates_pop(&open);
        if (known[c.number - from])
            continue;
        known[c.number - from] = 1;
        b->low[c.number] = c.strength;
        b->through[c.number] = c.just;
        hand_on(b, c.number, after, missing, &open);
    }
}

static void find_low(struct bounds *b, const struct labels *after)
{
    const struct ancestry *a = &b->a;
    AUTO_FREE uint32_t *missing = xcalloc((size_t)a->justs + 1, sizeof(*missing));
    for (uint32_t c = 0; c < a->components; c++) {
        uint32_t from = a->component_first[c], to = a->component_first[c + 1];
        for (uint32_t m = from; m < to; m++) {
            b->through[m] = NODE_NONE;
            if (!is_source(b, m))
                b->low[m] = low_outside(b, m, after);
            else
                b->low[m] = after->stands[a->node[m]] ? b->p[a->node[m]] : 0;
        }
        if (to - from > 1)
            find_low_of_circle(b, from, to, after, missing);
    }
}

/* ---- high ---- */

/* The antecedent of a justification that has the minimum. */
static uint32_t least_of(const struct bounds *b, uint32_t just)
{
    const struct ancestry *a = &b->a;
    uint32_t least = a->link[a->link_first[just]];
    for (uint32_t i = a->link_first[just]; i < a->link_first[just + 1]; i++)
        if (b->high[a->link[i]] < b->high[least])
            least = a->link[i];
    return least;
}

static double contrary_high(const struct bounds *b, uint32_t member, uint32_t just)
{
    double contrary = 1;
    for (; just < b->a.just_first[member + 1]; just++)
        contrary *= 1 - b->high[least_of(b, just)];
    return contrary;
}

static double high_of(const struct bounds *b, uint32_t member)
{
    uint32_t first = b->a.just_first[member], count = b->a.just_first[member + 1] - first;
    if (count == 0)
        return b->p[b->a.node[member]];
    if (b->circle[member])
        return 1;
    return count == 1 ? b->high[least_of(b, first)] : 1 - contrary_high(b, member, first);
}

/* ---- both ---- */

/* Of a memory that stands. `after`: see interval_without; otherwise the same labels. */
static void make_bounds(struct bounds *b, const struct graph *g, const struct labels *labels,
                        const struct labels *after, uint32_t node, const double *p)
{
    ancestry_make(&b->a, g, labels, node);
    size_t members = b->a.count, justs = (size_t)b->a.justs + 1;
    b->p = p;
    b->circle = xcalloc(members, sizeof(*b->circle));
    b->group = xmalloc(justs * sizeof(*b->group));
    b->best = xmalloc(justs * sizeof(*b->best));
    b->through = xmalloc(members * sizeof(*b->through));
    b->low = xmalloc(members * sizeof(*b->low));
    b->high = xmalloc(members * sizeof(*b->high));
    uses_make(&b->uses, &b->a);
    for (uint32_t j = 0; j < b->a.justs; j++)
        b->circle[b->uses.member[j]] |= b->uses.through[j];
    b->grouped = groups_find(b->group, &b->a, &b->uses);
    find_low(b, after);
    for (uint32_t m = 0; m < members; m++)
        b->high[m] = high_of(b, m);
}

static void release_bounds(struct bounds *b)
{
    ancestry_release(&b->a);
    FREE_ALL(b->circle, b->group, b->best, b->through);
    uses_release(&b->uses);
    free(b->low);
    free(b->high);
}

/* Condenses the ancestry, so it comes last. */
static double exact_of(struct ancestry *a, const double *p)
{
    const uint32_t *source;
    double of_source[EXACT_SOURCES], exact = NAN;
    ancestry_condense(a);
    struct support_function *f = support_function_of(a);
    size_t count = support_sources(f, &source); /* only those that make a difference */
    if (count <= EXACT_SOURCES) {
        for (size_t s = 0; s < count; s++)
            of_source[s] = p[source[s]];
        exact = support_probability(f, of_source);
    }
    support_function_free(f);
    return exact;
}

void interval_compute(struct interval *out, const struct graph *g, const struct labels *labels,
                      uint32_t node, const double *p)
{
    interval_explain(out, NULL, NULL, g, labels, node, p, 0);
}

void interval_without(struct interval *out, const struct graph *g, const struct labels *labels,
                      const struct labels *after, uint32_t node, const double *p)
{
    struct bounds b;
    interval_compute(out, g, after, node, p);
    if (!after->stands[node])
        return;
    make_bounds(&b, g, labels, after, node, p);
    out->low = b.low[b.a.count - 1];
    out->grouped = b.grouped;
    release_bounds(&b);
}

/* ---- the arithmetic ---- */

/* What is still to be written, the next on top. Nothing recurses, since a chain may be of any depth. */
struct task {
    enum {
        TEXT,
        MEMBER,
        TERMS,
        FACTORS
    } what;
    uint32_t member, just, link;
    const char *text;
};

struct writing {
    const struct bounds *b;
    struct strbuf *out;
    size_t limit; /* of out->len */
    bool high;
    struct task *task;
    size_t count, alloc;
};

static void push(struct writing *w, struct task task)
{
    *ARRAY_ADD(w->task, w->count, w->alloc) = task;
}

/* With as few digits as give the same number again, and without an exponent, which bc cannot read. */
static void write_number(struct writing *w, double value)
{
    char text[400];
    int digits = 0;
    do
        snprintf(text, sizeof(text), "%.*e", digits++, value);
    while (strtod(text, NULL) != value && digits < 17);
    digits -= 1 + (int)strtol(strchr(text, 'e') + 1, NULL, 10);
    snprintf(text, sizeof(text), "%.*f", digits > 0 ? digits : 0, value);
    strbuf_addstr(w->out, text);
}

static bool is_full(const struct writing *w)
{
    return w->out->len >= w->limit;
}

static uint32_t next_of(const struct writing *w, uint32_t member, uint32_t just)
{
    return w->high ? just : next_term(w->b, member, just);
}

/* The justification of a term. */
static uint32_t chosen(const struct writing *w, uint32_t term)
{
    return w->high ? term : w->b->best[term];
}

/* Has the member no terms: is it a source, or 1 in a circle, or without anything? */
static bool is_number(const struct writing *w, uint32_t member)
{
    return is_source(w->b, member) || (w->high ? w->b->circle[member] : w->b->low[member] == 0);
}

/* The only justification that counts, or NODE_NONE if there are several terms. */
static uint32_t only_of(const struct writing *w, uint32_t member)
{
    uint32_t end = w->b->a.just_first[member + 1];
    if (!w->high && w->b->through[member] != NODE_NONE)
        return w->b->through[member];
    uint32_t term = next_of(w, member, w->b->a.just_first[member]);
    return next_of(w, member, term + 1) < end ? NODE_NONE : chosen(w, term);
}

/* The only antecedent that counts of the only justification, or NODE_NONE. */
static uint32_t same_as(const struct writing *w, uint32_t member)
{
    uint32_t just = is_number(w, member) ? NODE_NONE : only_of(w, member);
    const uint32_t *first = w->b->a.link_first;
    if (just == NODE_NONE || (!w->high && first[just + 1] - first[just] > 1))
        return NODE_NONE;
    return w->high ? least_of(w->b, just) : w->b->a.link[first[just]];
}

static void write_member(struct writing *w, uint32_t member, bool bare)
{
    const struct bounds *b = w->b;
    for (uint32_t next; (next = same_as(w, member)) != NODE_NONE;)
        member = next;
    if (is_full(w) || is_number(w, member)) {
        write_number(w, w->high ? b->high[member] : b->low[member]);
        return;
    }
    uint32_t just = only_of(w, member);
    if (just != NODE_NONE) {
        push(w, (struct task){FACTORS, member, just, b->a.link_first[just], NULL});
        return;
    }
    if (!bare)
        push(w, (struct task){.what = TEXT, .text = ")"});
    strbuf_addstr(w->out, bare ? "1 - " : "(1 - ");
    push(w, (struct task){TERMS, member, next_of(w, member, b->a.just_first[member]), 0, NULL});
}

/* The product of the contrary of each term, from t.just on. */
static void write_terms(struct writing *w, struct task t)
{
    const struct bounds *b = w->b;
    if (is_full(w)) {
        write_number(w, w->high ? contrary_high(b, t.member, t.just)
                                : contrary_low(b, t.member, t.just));
        return;
    }
    uint32_t just = chosen(w, t.just), next = next_of(w, t.member, t.just + 1);
    if (next < b->a.just_first[t.member + 1]) {
        push(w, (struct task){TERMS, t.member, next, 0, NULL});
        push(w, (struct task){.what = TEXT, .text = ") * "});
    } else {
        push(w, (struct task){.what = TEXT, .text = ")"});
    }
    strbuf_addstr(w->out, "(1 - ");
    push(w, (struct task){FACTORS, t.member, just, b->a.link_first[just], NULL});
}

/* The product of the antecedents, from t.link on; for `high` the minimum. */
static void write_factors(struct writing *w, struct task t)
{
    const struct ancestry *a = &w->b->a;
    uint32_t end = a->link_first[t.just + 1];
    if (w->high) {
        push(w, (struct task){.what = MEMBER, .member = least_of(w->b, t.just)});
        return;
    }
    if (is_full(w)) {
        write_number(w, product_of(w->b, t.link, end));
        return;
    }
    uint32_t member = a->link[t.link];
    if (++t.link < end) {
        push(w, t);
        push(w, (struct task){.what = TEXT, .text = " * "});
    }
    push(w, (struct task){.what = MEMBER, .member = member});
}

static void write_bound(struct strbuf *out, const struct bounds *b, bool high, size_t limit)
{
    struct writing w = {.b = b, .out = out, .limit = out->len + limit, .high = high};
    write_member(&w, b->a.count - 1, true);
    while (w.count > 0) {
        struct task t = w.task[--w.count];
        if (t.what == TEXT)
            strbuf_addstr(out, t.text);
        else if (t.what == MEMBER)
            write_member(&w, t.member, false);
        else if (t.what == TERMS)
            write_terms(&w, t);
        else
            write_factors(&w, t);
    }
    free(w.task);
}

void interval_explain(struct interval *out, struct strbuf *low, struct strbuf *high,
                      const struct graph *g, const struct labels *labels, uint32_t node,
                      const double *p, size_t limit)
{
    struct bounds b;
    *out = (struct interval){.grouped = true};
    if (!labels->stands[node]) {
        if (low)
            strbuf_addch(low, '0');
        if (high)
            strbuf_addch(high, '0');
        return;
    }
    make_bounds(&b, g, labels, labels, node, p);
    out->roots = b.a.source_count;
    out->low = b.low[b.a.count - 1];
    out->high = b.high[b.a.count - 1];
    out->grouped = b.grouped;
    if (low)
        write_bound(low, &b, false, limit);
    if (high)
        write_bound(high, &b, true, limit);
    out->exact = exact_of(&b.a, p);
    release_bounds(&b);
}
