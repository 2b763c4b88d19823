#include "model/graph/ancestry.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/graph/walk.h"

static int compare_u64(const void *a, const void *b)
{
    return COMPARE(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* `member` [count] are the sources in any order. */
static void list_sources(struct ancestry *a, const uint32_t *member, size_t count)
{
    AUTO_FREE uint64_t *by_node = xmalloc((count + 1) * sizeof(*by_node));
    for (size_t i = 0; i < count; i++)
        by_node[i] = (uint64_t)a->node[member[i]] << 32 | member[i];
    SORT(by_node, count, compare_u64);
    a->source = xmalloc((count + 1) * sizeof(*a->source));
    a->source_member = xmalloc((count + 1) * sizeof(*a->source_member));
    a->source_count = count;
    for (size_t i = 0; i < count; i++) {
        a->source[i] = (uint32_t)(by_node[i] >> 32);
        a->source_member[i] = (uint32_t)by_node[i];
    }
}

/* ---- building: members in any order, then in the order of dependence ---- */

struct building {
    struct ancestry a; /* `source_member` alone is filled of the sources */
    size_t node_alloc, first_alloc, just_alloc, link_first_alloc, link_alloc, source_alloc;
    size_t links;
};

/* The links added since the last justification are one more of the last member. `just`: in the graph. */
static void end_just(struct building *b, uint32_t just)
{
    size_t justs = b->a.justs++;
    ARRAY_ROOM(b->a.just, justs, b->just_alloc, 1);
    ARRAY_ROOM(b->a.link_first, justs, b->link_first_alloc, 2);
    b->a.just[justs] = just;
    b->a.link_first[justs + 1] = (uint32_t)b->links;
}

static void add_link(struct building *b, uint32_t member)
{
    *ARRAY_ADD(b->a.link, b->links, b->link_alloc) = member;
}

/* Call it before the justifications of the member. */
static void add_member(struct building *b, uint32_t node)
{
    size_t count = b->a.count++;
    ARRAY_ROOM(b->a.node, count, b->node_alloc, 1);
    ARRAY_ROOM(b->a.just_first, count, b->first_alloc, 2);
    b->a.node[count] = node;
    b->a.just_first[count] = b->a.justs;
}

static void add_source(struct building *b, uint32_t member)
{
    *ARRAY_ADD(b->a.source_member, b->a.source_count, b->source_alloc) = member;
}

static void building_begin(struct building *b, struct patience *patience)
{
    *b = (struct building){.a = {.patience = patience}};
    ARRAY_ROOM(b->a.link_first, 0, b->link_first_alloc, 1);
    b->a.link_first[0] = 0;
}

/* Releases what was built. All members are reached from the first, which becomes the last. */
static void building_end(struct building *b, struct ancestry *out)
{
    const struct ancestry *a = &b->a;
    struct support_order order;
    uint32_t links = 0;
    size_t size = sizeof(uint32_t);
    AUTO_FREE uint32_t *first = xmalloc((a->count + 1) * size);
    AUTO_FREE uint32_t *place = xmalloc((a->count + 1) * size);
    a->just_first[a->count] = a->justs;
    for (uint32_t m = 0; m <= a->count; m++)
        first[m] = a->link_first[a->just_first[m]];
    strong_components(&order, a->count, first, a->link, NULL);
    *out = (struct ancestry){.count = a->count,
                             .components = (uint32_t)order.components,
                             .patience = a->patience,
                             .node = xmalloc((a->count + 1) * size),
                             .just_first = xmalloc((a->count + 1) * size),
                             .just = xmalloc((a->justs + 1) * size),
                             .link_first = xmalloc((a->justs + 1) * size),
                             .link = xmalloc((b->links + 1) * size),
                             .component_first = order.first};
    for (uint32_t m = 0; m < a->count; m++)
        place[order.node[m]] = m;
    for (uint32_t m = 0; m < a->count; m++) {
        uint32_t of = order.node[m];
        out->node[m] = a->node[of];
        out->just_first[m] = out->justs;
        for (uint32_t j = a->just_first[of]; j < a->just_first[of + 1]; j++) {
            out->just[out->justs] = a->just[j];
            out->link_first[out->justs++] = links;
            for (uint32_t i = a->link_first[j]; i < a->link_first[j + 1]; i++)
                out->link[links++] = place[a->link[i]];
        }
    }
    out->just_first[out->count] = out->justs;
    out->link_first[out->justs] = links;
    for (size_t i = 0; i < a->source_count; i++)
        a->source_member[i] = place[a->source_member[i]];
    list_sources(out, a->source_member, a->source_count);
    order.first = NULL; /* it is the ancestry's now */
    support_order_release(&order);
    ancestry_release(&b->a);
}

/* ---- from the graph ---- */

static void add_justs(struct building *b, struct row_index *reached, const struct graph *g,
                      const struct labels *labels, uint32_t node)
{
    for (uint32_t j = g->just_first[node]; j < g->just_first[node + 1]; j++) {
        if (labels->broken[j] > 0)
            continue;
        for (uint32_t i = g->link_first[j]; i < g->link_first[j + 1]; i++)
            add_link(b, (uint32_t)row_index_add(reached, g->link_to[i]));
        end_just(b, j);
    }
}

void ancestry_make(struct ancestry *a, const struct graph *g, const struct labels *labels,
                   uint32_t target)
{
    struct building b;
    AUTO(row_index) reached = ROW_INDEX_INIT;
    building_begin(&b, g->patience);
    row_index_add(&reached, target);
    for (size_t at = 0; at < reached.count; at++) {
        uint32_t node = reached_node(&reached, at);
        size_t links = b.links;
        add_member(&b, node);
        if (fold_is_leaf(g, labels, node))
            add_source(&b, (uint32_t)at);
        else if (labels->stands[node])
            add_justs(&b, &reached, g, labels, node);
        if (!graph_gives_up(g, 1 + b.links - links))
            continue;
        ancestry_release(&b.a);
        building_begin(&b, g->patience);
        add_member(&b, target);
        break;
    }
    building_end(&b, a);
}

void ancestry_release(struct ancestry *a)
{
    FREE_ALL(a->node, a->just_first, a->just, a->link_first, a->link, a->component_first, a->source,
             a->source_member);
    *a = (struct ancestry){.count = 0};
}

/* ---- condensing ---- */

struct condensing {
    const struct ancestry *a;
    struct building b; /* its members are still those of `a`, and its links */
    uint32_t *same;    /* [members] another one that always stands together with it, or itself */
    uint32_t *first, *end; /* [members] their justifications in `b`; NODE_NONE: not added yet */
    uint32_t *seen;        /* [members] by which justification or class last, from 1 */
    uint32_t stamp;
};

static uint32_t same_as(struct condensing *c, uint32_t member)
{
    while (c->same[member] != member)
        member = c->same[member] = c->same[c->same[member]];
    return member;
}

/* The classes of members each of which is enough for each other: circles along single antecedents. */
static void find_classes(struct support_order *out, const struct ancestry *a)
{
    AUTO_FREE uint32_t *first = xmalloc(((size_t)a->count + 1) * sizeof(*first));
    AUTO_FREE uint32_t *to = xmalloc(((size_t)ancestry_links(a) + 1) * sizeof(*to));
    uint32_t links = 0;
    for (uint32_t m = 0; m < a->count; m++) {
        first[m] = links;
        for (uint32_t j = a->just_first[m]; j < a->just_first[m + 1]; j++)
            if (a->link_first[j + 1] - a->link_first[j] == 1)
                to[links++] = a->link[a->link_first[j]];
    }
    first[a->count] = links;
    strong_components(out, a->count, first, to, NULL);
}

/* Adds the justification, each antecedent once, unless it has `self` or one of the antecedents that are enough alone,
 * which `enough` marks. */
static void add_reduced(struct condensing *c, uint32_t just, uint32_t self, uint32_t enough)
{
    const struct ancestry *a = c->a;
    size_t links = c->b.links;
    uint32_t stamp = ++c->stamp;
    for (uint32_t i = a->link_first[just]; i < a->link_first[just + 1]; i++) {
        uint32_t to = same_as(c, a->link[i]);
        if (to == self || c->seen[to] == enough) {
            c->b.links = links;
            return;
        }
        if (c->seen[to] < stamp)
            add_link(&c->b, to);
        c->seen[to] = stamp;
    }
    end_just(&c->b, just);
}

/* Are all antecedents of the justification one? */
static bool is_single(struct condensing *c, uint32_t just)
{
    const struct ancestry *a = c->a;
    uint32_t only = same_as(c, a->link[a->link_first[just]]);
    for (uint32_t i = a->link_first[just] + 1; i < a->link_first[just + 1]; i++)
        if (same_as(c, a->link[i]) != only)
            return false;
    return true;
}

/* Adds the justifications of a class as those of `self`: first those of one antecedent. A class that has only one such
 * is the same as its antecedent, unless it has the target. */
static void add_class(struct condensing *c, const uint32_t *member, size_t count, uint32_t self)
{
    const struct ancestry *a = c->a;
    struct building *b = &c->b;
    uint32_t justs = b->a.justs, enough = ++c->stamp;
    for (size_t i = 0; i < count; i++)
        for (uint32_t j = a->just_first[member[i]]; j < a->just_first[member[i] + 1]; j++) {
            uint32_t only = same_as(c, a->link[a->link_first[j]]);
            if (!is_single(c, j) || only == self || c->seen[only] == enough)
                continue;
            c->seen[only] = enough;
            add_link(b, only);
            end_just(b, j);
        }
    for (size_t i = 0; i < count; i++)
        for (uint32_t j = a->just_first[member[i]]; j < a->just_first[member[i] + 1]; j++)
            if (!is_single(c, j))
                add_reduced(c, j, self, enough);
    if (b->a.justs != justs + 1 || b->a.link_first[justs + 1] - b->a.link_first[justs] > 1 ||
        self == a->count - 1)
        return;
    c->same[self] = b->a.link[--b->links];
    b->a.justs--;
}

/* Unites the class of the member, and adds its justifications, unless that was done before. */
static void take_class(struct condensing *c, const struct support_order *order, uint32_t member)
{
    const uint32_t *first = &member, *of = order->of;
    size_t count = 1;
    if (of) {
        first = &order->node[order->first[of[member]]];
        count = order->first[of[member] + 1] - order->first[of[member]];
    }
    if (c->first[member] != NODE_NONE || same_as(c, member) != member)
        return;
    for (size_t i = 0; i < count && count > 1; i++)
        member = first[i] > member ? first[i] : member; /* the target is the last */
    for (size_t i = 0; i < count; i++)
        c->same[first[i]] = member;
    c->first[member] = c->b.a.justs;
    add_class(c, first, count, member);
    c->end[member] = c->b.a.justs;
}

/* Keeps what the target is still based on. `number` [members] becomes the place of those kept. */
static void keep_reached(struct condensing *c, struct building *out, uint32_t *number)
{
    const struct ancestry *a = c->a;
    const struct building *b = &c->b;
    AUTO_FREE uint32_t *queue = xmalloc(((size_t)a->count + 1) * sizeof(*queue));
    uint32_t count = 0;
    building_begin(out, a->patience);
    number[a->count - 1] = count;
    queue[count++] = a->count - 1;
    for (uint32_t at = 0; at < count; at++) {
        uint32_t m = queue[at];
        add_member(out, a->node[m]);
        for (uint32_t j = c->first[m]; j < c->end[m]; j++) {
            for (uint32_t i = b->a.link_first[j]; i < b->a.link_first[j + 1]; i++) {
                uint32_t to = same_as(c, b->a.link[i]);
                if (number[to] == NODE_NONE) {
                    number[to] = count;
                    queue[count++] = to;
                }
                add_link(out, number[to]);
            }
            end_just(out, NODE_NONE);
        }
    }
    for (size_t i = 0; i < a->source_count; i++)
        if (number[a->source_member[i]] != NODE_NONE)
            add_source(out, number[a->source_member[i]]);
}

static void condense_once(struct ancestry *a)
{
    size_t size = ((size_t)a->count + 1) * sizeof(uint32_t);
    struct condensing c = {.a = a,
                           .same = xmalloc(size),
                           .seen = xcalloc(1, size),
                           .first = xmalloc(size),
                           .end = xmalloc(size)};
    struct support_order order = {.node = NULL};
    struct building out;
    AUTO_FREE uint32_t *number = xmalloc(size);
    building_begin(&c.b, NULL);
    memset(number, 0xff, size);
    memset(c.first, 0xff, size);
    for (uint32_t m = 0; m < a->count; m++)
        c.same[m] = m;
    if (a->components < a->count)
        find_classes(&order, a);
    for (uint32_t m = 0; m < a->count; m++)
        take_class(&c, &order, m);
    keep_reached(&c, &out, number);
    support_order_release(&order);
    ancestry_release(&c.b.a);
    FREE_ALL(c.same, c.seen, c.first, c.end);
    ancestry_release(a);
    building_end(&out, a);
}

void ancestry_condense(struct ancestry *a)
{
    uint32_t before;
    do {
        before = a->count;
        if (patience_is_over(a->patience, (uint64_t)a->count + ancestry_links(a)))
            return;
        condense_once(a);
    } while (a->components < a->count && a->count < before - before / 8);
}
