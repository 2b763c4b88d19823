#include "model/graph/groups.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"

#define GROUP_STEPS 5000000 /* links to follow: about 100 ms */

void uses_make(struct uses *u, const struct ancestry *a)
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

void uses_release(struct uses *u)
{
    free(u->component);
    free(u->member);
    free(u->through);
    free(u->first);
    free(u->just);
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

bool groups_find(uint32_t *group, const struct ancestry *a, const struct uses *u)
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
