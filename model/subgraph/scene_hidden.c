#include "model/subgraph/scene_build.h"

/* So many links are looked at to tell which of what several members have is the same. */
#define LOOKED_AT 2000

static size_t counted(const struct seen_side *s)
{
    size_t total = 0;
    for (int kind = 0; s->counts && kind < KIND_COUNT; kind++)
        total += s->counts->total[kind];
    return total > s->total ? total : s->total;
}

static bool is_bounded(const struct seen_side *s)
{
    return s->bounded && (!s->counts || s->counts->bounded);
}

/* Where what was counted is all in view, it is not known whether there is anything else. */
static int count_on(struct scene_build *b, uint32_t v, enum direction side, struct error *e)
{
    struct scene_links links;
    const struct seen_side *s = &b->seen[v].side[side];
    arena_clear(&b->scratch);
    return is_bounded(s) && counted(s) <= s->shown ? view_links(b, v, side, s->shown + 1, &links, e)
                                                   : 0;
}

bool hidden_any(const struct seen_side *s)
{
    return counted(s) > s->shown || is_bounded(s);
}

int hidden_count(struct scene_build *b, struct error *e)
{
    for (uint32_t v = 0; v < b->count; v++)
        if (count_on(b, v, ANCESTORS, e) || count_on(b, v, DESCENDANTS, e))
            return -1;
    return 0;
}

size_t hidden_beside(const struct seen_side *s, bool *bounded)
{
    size_t total = counted(s), known = s->shown;
    *bounded = is_bounded(s);
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        if (!view_has_rest(s, (enum kind)kind))
            continue;
        known += view_unseen(s, (enum kind)kind);
        *bounded = false; /* the node of the rest says so */
    }
    return total > known ? total - known : 0;
}

/* Adds the rows that a member has there and that are not in view. */
static int add_unseen(struct scene_build *b, uint32_t v, enum direction side,
                      struct row_index *unseen, struct error *e)
{
    struct scene_links links;
    arena_clear(&b->scratch);
    if (view_links(b, v, side, b->seen[v].side[side].total, &links, e))
        return -1;
    for (size_t i = 0; i < links.count; i++)
        if (view_find(b, links.link[i].row) == SEEN_NONE &&
            row_index_add(unseen, links.link[i].row) == ROW_NONE)
            return scene_no_memory(e);
    return 0;
}

static int count_unseen(struct scene_build *b, const uint32_t *member, size_t members,
                        enum direction side, size_t *hidden, struct error *e)
{
    struct row_index unseen = ROW_INDEX_INIT;
    int result = 0;
    for (size_t i = 0; i < members && result == 0; i++)
        if (hidden_any(&b->seen[member[i]].side[side]))
            result = add_unseen(b, member[i], side, &unseen, e);
    *hidden = unseen.count;
    row_index_release(&unseen);
    return result;
}

int hidden_beside_all(struct scene_build *b, const uint32_t *member, size_t members,
                      enum direction side, size_t *hidden, bool *bounded, struct error *e)
{
    size_t with = 0, links = 0;
    *hidden = 0;
    *bounded = false;
    for (size_t i = 0; i < members; i++) {
        const struct seen_side *s = &b->seen[member[i]].side[side];
        bool more;
        size_t beside = hidden_beside(s, &more);
        with += beside > 0 || more;
        links += beside > 0 ? s->total : 0;
        *hidden = beside > *hidden ? beside : *hidden;
        *bounded |= more;
    }
    if (with < 2 || *bounded)
        return 0;
    *bounded = links > LOOKED_AT;
    return *bounded ? 0 : count_unseen(b, member, members, side, hidden, e);
}
