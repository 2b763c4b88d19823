#include "tui/widget/places.h"

#include "model/base/alloc.h"

#define SLOTS 4096 /* a power of two, well above PLACES_MOST */

void unplaced_add(struct unplaced *u, int64_t node, bool was_there)
{
    for (size_t i = u->count; i-- > 0;)
        if (u->node[i] == node) {
            u->was_there[i] |= was_there;
            return;
        }
    if (u->count == PLACES_MOST) {
        u->overflow = true;
        return;
    }
    u->node[u->count] = node;
    u->was_there[u->count++] = was_there;
}

/* ---- taking out ---- */

/* Which of the memories it is, by a table that a row is looked up in at once. */
struct sought {
    uint16_t slot[SLOTS]; /* index + 1; 0: empty */
    const struct unplaced *u;
    size_t count;
};

static size_t slot_of(int64_t node)
{
    return (size_t)((uint64_t)node * 0x9e3779b97f4a7c15u >> 52) % SLOTS;
}

static void seek(struct sought *s, const struct unplaced *u)
{
    *s = (struct sought){.u = u};
    for (size_t i = 0; i < u->count; i++) {
        if (!u->was_there[i])
            continue;
        size_t at = slot_of(u->node[i]);
        while (s->slot[at])
            at = (at + 1) % SLOTS;
        s->slot[at] = (uint16_t)(i + 1);
        s->count++;
    }
}

/* Its index; u->count: it is none of them. */
static size_t index_of(const struct sought *s, int64_t node)
{
    for (size_t at = slot_of(node); s->slot[at]; at = (at + 1) % SLOTS)
        if (s->u->node[s->slot[at] - 1] == node)
            return s->slot[at] - 1u;
    return s->u->count;
}

/* `was`: in which row each of them stood, or SIZE_MAX. */
static void take_out(const struct unplaced *u, int64_t *ids, size_t *count, struct moves *m,
                     size_t was[PLACES_MOST])
{
    struct sought s;
    size_t kept = 0;
    seek(&s, u);
    for (size_t i = 0; i < u->count; i++)
        was[i] = SIZE_MAX;
    if (s.count == 0)
        return;
    for (size_t i = 0; i < *count; i++) {
        size_t index = index_of(&s, ids[i]);
        if (index == u->count) {
            ids[kept++] = ids[i];
        } else if (m->out_count < PLACES_MOST) {
            was[index] = kept;
            m->out[m->out_count++] = i;
        }
    }
    *count = kept;
}

/* ---- putting in ---- */

struct newcomer {
    int64_t node;
    size_t place; /* among the rows that stayed */
    bool is_new;
};

struct newcomers {
    struct newcomer one[PLACES_MOST]; /* in their order */
    size_t count;
};

/* Those that go between the same two rows are ordered among each other. */
static int insert(const struct placing *p, struct newcomers *n, struct newcomer one)
{
    int64_t same[PLACES_MOST];
    size_t first = 0, last, place = 0;
    struct error e;
    bool matches;
    while (first < n->count && n->one[first].place < one.place)
        first++;
    for (last = first; last < n->count && n->one[last].place == one.place; last++)
        same[last - first] = n->one[last].node;
    if (last > first &&
        list_place(p->reader, p->query, same, last - first, one.node, &place, &matches, &e))
        return -1;
    memmove(&n->one[first + place + 1], &n->one[first + place],
            (n->count - first - place) * sizeof(one));
    n->one[first + place] = one;
    n->count++;
    return 0;
}

static int find_places(const struct placing *p, const struct unplaced *u, const int64_t *ids,
                       size_t count, const size_t was[PLACES_MOST], struct newcomers *n)
{
    for (size_t i = 0; i < u->count; i++) {
        struct newcomer one = {.node = u->node[i], .is_new = was[i] == SIZE_MAX};
        struct error e;
        bool matches;
        if (list_place(p->reader, p->query, ids, count, one.node, &one.place, &matches, &e))
            return -1;
        matches = matches && (!p->passes || p->passes(p->arg, one.node));
        if (!matches && one.node == p->keep && was[i] != SIZE_MAX) {
            one.place = was[i];
            matches = true;
        }
        if (matches && insert(p, n, one))
            return -1;
    }
    return 0;
}

/* From the end, so that each row moves once. */
static int put_in(const struct newcomers *n, int64_t **ids, size_t *alloc, size_t *count,
                  struct moves *m)
{
    size_t end = *count;
    while (*alloc < *count + n->count)
        if (!array_grow((void **)ids, alloc, *alloc, sizeof(**ids)))
            return -1;
    for (size_t i = n->count; i-- > 0;) {
        size_t place = n->one[i].place;
        memmove(*ids + place + i + 1, *ids + place, (end - place) * sizeof(**ids));
        (*ids)[place + i] = n->one[i].node;
        m->in[i] = place + i;
        m->is_new[i] = n->one[i].is_new;
        end = place;
    }
    m->in_count = n->count;
    *count += n->count;
    return 0;
}

int places_update(const struct placing *p, const struct unplaced *u, int64_t **ids, size_t *alloc,
                  size_t *count, struct moves *m)
{
    size_t was[PLACES_MOST];
    struct newcomers n;
    struct error e;
    n.count = m->in_count = m->out_count = 0;
    if (reader_begin(p->reader, &e))
        return -1;
    take_out(u, *ids, count, m, was);
    int failed = find_places(p, u, *ids, *count, was, &n);
    reader_end(p->reader);
    return failed ? -1 : put_in(&n, ids, alloc, count, m);
}
