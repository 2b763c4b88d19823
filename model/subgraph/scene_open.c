#include "model/subgraph/scene_build.h"

/* ---- what is not in view ---- */

static size_t keep_unseen(const struct scene_build *b, struct scene_links *links, int kind,
                          size_t most)
{
    size_t kept = 0;
    for (size_t i = 0; i < links->count && kept < most; i++)
        if ((kind < 0 || (int)links->link[i].memory.kind == kind) &&
            view_find(b, links->link[i].row) == SEEN_NONE)
            links->link[kept++] = links->link[i];
    return kept;
}

/* Enough of them that some of the rest are counted, too. */
static size_t enough(size_t most, size_t shown)
{
    return most < SIZE_MAX - shown - 2 ? most + shown + 2 : SIZE_MAX;
}

int wishes_unseen(struct scene_build *b, uint32_t v, enum direction side, int kind, size_t most,
                  struct scene_link **link, size_t *count, struct error *e)
{
    struct scene_links links;
    size_t ask = enough(most, b->seen[v].side[side].shown);
    if (view_links(b, v, side, ask, &links, e))
        return -1;
    *link = links.link;
    *count = keep_unseen(b, &links, kind, most);
    return 0;
}

/* The same, though there are few of that kind among many others, and not all were counted. */
static int find_unseen(struct scene_build *b, uint32_t v, const struct scene_wish *w,
                       struct scene_link **link, size_t *count, struct error *e)
{
    struct scene_links links;
    size_t ask = enough(w->count, b->seen[v].side[w->side].shown);
    do {
        arena_clear(&b->scratch);
        if (view_links(b, v, w->side, ask, &links, e))
            return -1;
        *link = links.link;
        *count = keep_unseen(b, &links, w->kind, w->count);
        ask = ask < SIZE_MAX / 4 ? ask * 4 : SIZE_MAX;
    } while (*count < w->count && links.bounded);
    return 0;
}

/* It hangs on `v`: where that goes on with the lineage, so does it. */
static int show(struct scene_build *b, uint32_t v, enum direction side,
                const struct scene_link *link, struct error *e)
{
    uint32_t n = view_add(b, link->row, &link->memory, e);
    if (n == SEEN_NONE)
        return -1;
    uint32_t depth = b->seen[v].side[side].depth;
    b->seen[n].side[side].depth = depth == NOT_WALKED ? NOT_WALKED : depth + 1;
    return 0;
}

/* ---- never a node for the rest where that is one ---- */

static int settle_kind(struct scene_build *b, uint32_t v, enum direction side, enum kind kind,
                       struct error *e)
{
    struct scene_link *link;
    size_t count;
    if (!(b->seen[v].side[side].rest & KIND_BIT(kind)) ||
        view_unseen(&b->seen[v].side[side], kind) != 1)
        return 0;
    arena_clear(&b->scratch);
    if (wishes_unseen(b, v, side, (int)kind, 2, &link, &count, e))
        return -1;
    return count == 1 && show(b, v, side, link, e) ? -1 : 0;
}

/* Enough is counted to name the first of the rest. */
static int count_rest(struct scene_build *b, uint32_t v, enum direction side, struct error *e)
{
    struct scene_links links;
    const struct seen_side *s = &b->seen[v].side[side];
    size_t most = enough(SCENE_MEMBERS, s->shown);
    arena_clear(&b->scratch);
    return s->counts->bounded && s->counts->asked < most ? view_links(b, v, side, most, &links, e)
                                                         : 0;
}

static int settle_once(struct scene_build *b, struct error *e)
{
    for (uint32_t v = 0; v < b->linked; v++)
        for (int side = 0; side < 2; side++) {
            if (b->seen[v].side[side].rest && count_rest(b, v, (enum direction)side, e))
                return -1;
            for (int kind = 0; b->seen[v].side[side].rest && kind < KIND_COUNT; kind++)
                if (settle_kind(b, v, (enum direction)side, (enum kind)kind, e))
                    return -1;
        }
    return 0;
}

int wishes_settle(struct scene_build *b, struct error *e)
{
    do {
        if (view_link(b, e) || settle_once(b, e))
            return -1;
    } while (b->linked < b->count);
    return 0;
}

/* ---- wishes ---- */

static uint32_t kinds_of(const struct scene_wish *w)
{
    return w->kind < 0 ? EVERY_KIND : KIND_BIT(w->kind);
}

static int open_wish(struct scene_build *b, uint32_t v, const struct scene_wish *w, struct error *e)
{
    struct scene_link *link;
    size_t count;
    if (find_unseen(b, v, w, &link, &count, e))
        return -1;
    struct seen_side *s = &b->seen[v].side[w->side];
    s->open |= kinds_of(w);
    s->rest |= kinds_of(w);
    s->wished |= kinds_of(w);
    for (size_t i = 0; i < count; i++)
        if (show(b, v, w->side, &link[i], e))
            return -1;
    return 0;
}

/* ---- closing ---- */

/* Marks what a memory holds; `queue` is as long as there are memories in view. */
static void hold_side(const struct scene_build *b, uint32_t v, enum direction side, bool *held,
                      uint32_t *queue, uint32_t *count)
{
    const struct seen_side *s = &b->seen[v].side[side];
    for (uint32_t t = s->first; t != SEEN_NONE; t = b->tie[t].next[side]) {
        uint32_t other = tie_other(&b->tie[t], side);
        if (held[other] || !(s->open & KIND_BIT(b->seen[other].memory.kind)))
            continue;
        held[other] = true;
        queue[(*count)++] = other;
    }
}

/* What nothing holds any more goes out of view. */
static int let_go(struct scene_build *b, struct error *e)
{
    uint32_t count = 0;
    arena_clear(&b->scratch);
    uint32_t *queue = arena_array(&b->scratch, b->count, sizeof(*queue));
    bool *held = arena_array(&b->scratch, b->count, sizeof(*held));
    if (!queue || !held)
        return scene_no_memory(e);
    held[0] = true;
    queue[count++] = 0;
    for (uint32_t i = 0; i < count; i++) {
        hold_side(b, queue[i], ANCESTORS, held, queue, &count);
        hold_side(b, queue[i], DESCENDANTS, held, queue, &count);
    }
    return view_keep(b, held, e);
}

static int close_wish(struct scene_build *b, uint32_t v, const struct scene_wish *w,
                      struct error *e)
{
    struct seen_side *s = &b->seen[v].side[w->side];
    s->open &= ~kinds_of(w);
    s->rest &= ~kinds_of(w);
    s->wished &= ~kinds_of(w);
    return let_go(b, e);
}

/* A wish about what is not in view, for something was closed since, asks for nothing. */
int wishes_show(struct scene_build *b, struct error *e)
{
    for (size_t i = 0; i < b->wishes->count; i++) {
        const struct scene_wish *w = &b->wishes->wish[i];
        uint32_t v = view_find(b, w->row);
        if (v == SEEN_NONE)
            continue;
        if ((w->count ? open_wish(b, v, w, e) : close_wish(b, v, w, e)) || wishes_settle(b, e))
            return -1;
    }
    return 0;
}
