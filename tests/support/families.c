#include "tests/support/families.h"

#include <stdio.h>
#include "model/base/alloc.h"
#include "tests/support/random.h"

const char *const family_name[FAMILY_COUNT] = {
    "acyclic, 1.3 edges a node",       "acyclic, 2 edges a node",  "acyclic, 3 edges a node",
    "acyclic, edges to what is near",  "trees and a quarter more", "beliefs, episodes and raws",
    "any direction, 1.5 edges a node",
};

struct making {
    struct family_graph *f;
    struct random r;
    uint32_t alloc;
    uint32_t *called; /* random numbers, so that they do not reveal the edges */
};

static bool has_edge(const struct family_graph *f, uint32_t from, uint32_t to)
{
    for (uint32_t e = 0; e < f->edges; e++)
        if (f->from[e] == from && f->to[e] == to)
            return true;
    return false;
}

static void add_edge(struct making *m, uint32_t from, uint32_t to)
{
    struct family_graph *f = m->f;
    from = m->called[from];
    to = m->called[to];
    if (from == to || f->edges == m->alloc || has_edge(f, from, to))
        return;
    f->from[f->edges] = from;
    f->to[f->edges++] = to;
}

static uint32_t below(struct making *m, uint32_t count)
{
    return random_below(&m->r, count);
}

/* ---- families ---- */

/* Adds `edges` edges, or fewer if there is no room. */
static void acyclic(struct making *m, uint32_t edges)
{
    uint32_t n = m->f->nodes;
    for (uint32_t tries = 0; m->f->edges < edges && tries < 20 * edges; tries++) {
        uint32_t a = below(m, n), b = below(m, n);
        add_edge(m, a < b ? a : b, a < b ? b : a);
    }
}

static void sparse(struct making *m)
{
    acyclic(m, m->f->nodes * 13 / 10);
}

static void middle(struct making *m)
{
    acyclic(m, m->f->nodes * 2);
}

static void dense(struct making *m)
{
    acyclic(m, m->f->nodes * 3);
}

static void near(struct making *m)
{
    uint32_t n = m->f->nodes, edges = n * 8 / 5;
    for (uint32_t tries = 0; m->f->edges < edges && tries < 20 * edges; tries++) {
        uint32_t a = below(m, n), b = a + 1 + below(m, 1 + below(m, 10));
        if (b < n)
            add_edge(m, a, b);
    }
}

static void tree(struct making *m)
{
    uint32_t n = m->f->nodes;
    for (uint32_t i = 1; i < n; i++)
        add_edge(m, i > 12 ? i - 1 - below(m, 12) : below(m, i), i);
    acyclic(m, n - 1 + n / 4);
}

/* A node of `count` from `first` on, at about the relative place of i among `of`. */
static uint32_t near_place(struct making *m, uint32_t i, uint32_t of, uint32_t first,
                           uint32_t count)
{
    int64_t at = (int64_t)i * count / of + (int64_t)below(m, 11) - 5;
    return first + (uint32_t)(at < 0 ? 0 : at >= (int64_t)count ? (int64_t)count - 1 : at);
}

static void lineage(struct making *m)
{
    uint32_t n = m->f->nodes, raws = n / 2, episodes = n / 4, beliefs = n - raws - episodes;
    for (uint32_t i = 0; i < episodes; i++)
        for (uint32_t k = 1 + below(m, 4); k > 0; k--)
            add_edge(m, beliefs + i, near_place(m, i, episodes, beliefs + episodes, raws));
    for (uint32_t i = 0; i < beliefs && episodes; i++) {
        for (uint32_t k = 1 + below(m, 3); k > 0; k--)
            add_edge(m, i, near_place(m, i, beliefs, beliefs, episodes));
        if (i > 0 && random_chance(&m->r, 30))
            add_edge(m, i, below(m, i)); /* it supersedes another one */
        if (random_chance(&m->r, 30))
            add_edge(m, i, beliefs + episodes + below(m, raws));
    }
}

static void cyclic(struct making *m)
{
    uint32_t n = m->f->nodes, edges = n * 3 / 2;
    for (uint32_t tries = 0; m->f->edges < edges && tries < 20 * edges; tries++)
        add_edge(m, below(m, n), below(m, n));
}

static const struct {
    void (*make)(struct making *);
    uint32_t least, most; /* nodes */
} families[FAMILY_COUNT] = {
    [FAMILY_SPARSE] = {sparse, 5, 100}, [FAMILY_MIDDLE] = {middle, 5, 70},
    [FAMILY_DENSE] = {dense, 8, 50},    [FAMILY_NEAR] = {near, 5, 100},
    [FAMILY_TREE] = {tree, 5, 100},     [FAMILY_LINEAGE] = {lineage, 8, 100},
    [FAMILY_CYCLIC] = {cyclic, 5, 60},
};

uint32_t family_graphs(enum family family)
{
    return family < 3 ? 72 : 71;
}

/* ---- graphs ---- */

static void call_nodes(struct making *m)
{
    struct family_graph *f = m->f;
    for (uint32_t i = 0; i < f->nodes; i++) {
        uint32_t k = below(m, i + 1);
        m->called[i] = m->called[k];
        m->called[k] = i;
        snprintf(f->id[i], sizeof(f->id[i]), "%05u", (unsigned)i % 100000);
    }
}

void family_make(struct family_graph *f, enum family family, uint32_t number, uint32_t nodes)
{
    struct making m = {.f = f, .r = {((uint64_t)family << 32) + number}};
    if (nodes == 0)
        nodes =
            families[family].least + below(&m, families[family].most - families[family].least + 1);
    m.alloc = nodes * 8;
    m.called = xcalloc(nodes, sizeof(*m.called));
    *f = (struct family_graph){.nodes = nodes,
                               .from = xcalloc(m.alloc, sizeof(*f->from)),
                               .to = xcalloc(m.alloc, sizeof(*f->to)),
                               .id = xcalloc(nodes, sizeof(*f->id))};
    call_nodes(&m);
    families[family].make(&m);
    free(m.called);
}

void family_release(struct family_graph *f)
{
    free(f->from);
    free(f->to);
    free(f->id);
    *f = (struct family_graph){.nodes = 0};
}

void family_picture(const struct family_graph *f, struct picture *p)
{
    int failed = 0;
    *p = (struct picture)PICTURE_INIT;
    for (uint32_t i = 0; i < f->nodes; i++)
        failed |= picture_add_node(p, (struct picture_node){.id = f->id[i], .columns = 8});
    for (uint32_t e = 0; e < f->edges; e++)
        failed |= picture_add_edge(p, f->from[e], f->to[e], STROKE_DERIVED);
    picture_finish(p);
    if (failed)
        abort();
}
