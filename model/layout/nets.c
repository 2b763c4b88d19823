#include "model/layout/nets.h"

#include <stdlib.h>
#include "model/base/alloc.h"

/* Edges on one side of a node that may share a net: by stroke, and reversed or not. */
#define GROUPS (STROKE_COUNT * 2)

enum side {
    BELOW = 0, /* the node is the edges' upper end */
    ABOVE,
};

/* Stars are numbered by (node, side, group); most of them have no edges. */
struct cover {
    struct layered *g;
    uint32_t stars, most;  /* how many; the edges of the largest */
    uint32_t *first, *of;  /* the edges of star s are of[first[s] .. first[s + 1]] */
    uint32_t *left;        /* [stars] its edges that are in no net yet */
    uint32_t *head, *next; /* [most + 1], [stars] stars by what was left when they were put there */
    uint32_t *edge_star;   /* [edges] the one that became its net */
};

static uint32_t star_of(const struct layered *g, uint32_t edge, enum side side)
{
    uint32_t node = side == BELOW ? g->upper[edge] : g->lower[edge];
    uint32_t group = g->picture->edge[edge].stroke * 2u + g->reversed[edge];
    return (node * 2 + side) * GROUPS + group;
}

static enum side side_of(uint32_t star)
{
    return star / GROUPS % 2 ? ABOVE : BELOW;
}

/* ---- what there is to choose from ---- */

static int prepare(struct cover *c)
{
    const struct picture *p = c->g->picture;
    if (p->nodes > (PICTURE_NONE - 2) / (2 * GROUPS) || p->edges > PICTURE_NONE / 2)
        return -1;
    c->stars = p->nodes * 2 * GROUPS;
    c->first = xcalloc(c->stars + (size_t)2, sizeof(*c->first));
    c->of = xmalloc((p->edges * (size_t)2 + 1) * sizeof(*c->of));
    c->left = xcalloc(c->stars + (size_t)1, sizeof(*c->left));
    c->next = xmalloc((c->stars + (size_t)1) * sizeof(*c->next));
    c->edge_star = xmalloc((p->edges + (size_t)1) * sizeof(*c->edge_star));
    return c->first && c->of && c->left && c->next && c->edge_star ? 0 : -1;
}

static void find_stars(struct cover *c)
{
    uint32_t edges = c->g->picture->edges;
    for (uint32_t e = 0; e < edges; e++) {
        c->edge_star[e] = PICTURE_NONE;
        c->first[star_of(c->g, e, BELOW) + 2]++;
        c->first[star_of(c->g, e, ABOVE) + 2]++;
    }
    for (uint32_t s = 0; s < c->stars; s++) {
        c->left[s] = c->first[s + 2];
        if (c->left[s] > c->most)
            c->most = c->left[s];
        c->first[s + 2] += c->first[s + 1];
    }
    for (uint32_t e = 0; e < edges; e++) {
        c->of[c->first[star_of(c->g, e, BELOW) + 1]++] = e;
        c->of[c->first[star_of(c->g, e, ABOVE) + 1]++] = e;
    }
}

/* What one memory needs all of is one tree, from it; not what several need among other things. */
static bool goes_apart(uint32_t star)
{
    bool reversed = star % 2;
    return star % GROUPS / 2 == STROKE_ALL && (side_of(star) == ABOVE) != reversed;
}

static void queue_star(struct cover *c, uint32_t star)
{
    if (c->left[star] < 2 || goes_apart(star))
        return;
    c->next[star] = c->head[c->left[star]];
    c->head[c->left[star]] = star;
}

static int queue_stars(struct cover *c, bool bundle)
{
    c->head = xmalloc((c->most + (size_t)1) * sizeof(*c->head));
    if (!c->head)
        return -1;
    for (uint32_t i = 0; i <= c->most; i++)
        c->head[i] = PICTURE_NONE;
    /* From the last, so that of equal ones the first comes first. */
    for (uint32_t s = c->stars; s > 0; s -= GROUPS) {
        uint32_t ports = c->first[s] - c->first[s - GROUPS];
        if (bundle || ports > NETS_PORTS)
            for (uint32_t k = 1; k <= GROUPS; k++)
                queue_star(c, s - k);
    }
    return 0;
}

/* ---- the cover ---- */

static void take_star(struct cover *c, uint32_t star)
{
    enum side other = side_of(star) == BELOW ? ABOVE : BELOW;
    for (uint32_t i = c->first[star]; i < c->first[star + 1]; i++) {
        uint32_t e = c->of[i];
        if (c->edge_star[e] != PICTURE_NONE)
            continue;
        c->edge_star[e] = star;
        c->left[star_of(c->g, e, other)]--;
    }
}

/* A star may have lost edges since it was queued; then it is queued where it belongs now. */
static void choose_stars(struct cover *c)
{
    for (uint32_t most = c->most; most >= 2; most--)
        while (c->head[most] != PICTURE_NONE) {
            uint32_t star = c->head[most];
            c->head[most] = c->next[star];
            if (c->left[star] == most)
                take_star(c, star);
            else
                queue_star(c, star);
        }
}

/* ---- nets ---- */

static uint32_t add_net(struct layered *g, uint32_t edge, enum side side)
{
    g->net[g->nets] = (struct net){
        .stroke = g->picture->edge[edge].stroke,
        .reversed = g->reversed[edge],
        .centre = side == BELOW ? g->upper[edge] : g->lower[edge],
        .fans_out = side == BELOW,
    };
    return g->nets++;
}

/* A star's net comes with its first edge; `next` keeps which that is. */
static int number_nets(struct cover *c)
{
    struct layered *g = c->g;
    uint32_t edges = g->picture->edges;
    g->edge_net = xmalloc((edges + (size_t)1) * sizeof(*g->edge_net));
    g->net = xmalloc((edges + (size_t)1) * sizeof(*g->net));
    if (!g->edge_net || !g->net)
        return -1;
    for (uint32_t s = 0; s < c->stars; s++)
        c->next[s] = PICTURE_NONE;
    for (uint32_t e = 0; e < edges; e++) {
        uint32_t star = c->edge_star[e];
        if (star == PICTURE_NONE) {
            g->edge_net[e] = add_net(g, e, BELOW);
            continue;
        }
        if (c->next[star] == PICTURE_NONE)
            c->next[star] = add_net(g, e, side_of(star));
        g->edge_net[e] = c->next[star];
    }
    return 0;
}

int nets_make(struct layered *g, bool bundle)
{
    struct cover c = {.g = g};
    int result = prepare(&c);
    if (result == 0) {
        find_stars(&c);
        result = queue_stars(&c, bundle);
    }
    if (result == 0) {
        choose_stars(&c);
        result = number_nets(&c);
    }
    free(c.first);
    free(c.of);
    free(c.left);
    free(c.head);
    free(c.next);
    free(c.edge_star);
    return result;
}
