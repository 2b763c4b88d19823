/* What is written that concerns a drawing: what others write is told, and nothing moves. */
#include "tui/view/graph/graph_view.h"

#include "model/base/map.h"
#include "store/lineage/neighbours.h"

#define ASKED_MOST 64 /* memories whose links are looked at, for one piece of news */

struct news {
    struct graph_view *g;
    struct scene_source source;
    struct row_index rows; /* in view, by themselves or among others */
    struct arena arena;
    size_t asked;
    bool own; /* something of it was done here */
};

/* -1 where memory ran out. */
static int add_rows(struct news *n)
{
    const struct scene *s = &n->g->drawing->chart.scene;
    for (uint32_t i = 0; i < s->nodes; i++) {
        const struct scene_node *node = &s->node[i];
        bool single = node->sort == SCENE_MEMORY || node->sort == SCENE_GHOST;
        if (single && row_index_add(&n->rows, node->row) == ROW_NONE)
            return -1;
        for (size_t k = 0; !single && k < node->members; k++)
            if (row_index_add(&n->rows, node->member[k]) == ROW_NONE)
                return -1;
    }
    return 0;
}

/* Does it rest on what is in view, or carry it? */
static bool is_tied(struct news *n, int64_t row)
{
    for (int side = 0; side < 2; side++) {
        struct scene_ties ties;
        struct error e;
        if (n->source.among(n->source.of, &n->arena, row, (enum direction)side, &n->rows,
                            n->rows.count, &ties, &e) ||
            ties.count > 0)
            return true;
    }
    return false;
}

static bool concerns(struct news *n, int64_t row)
{
    if (row_index_find(&n->rows, row) != ROW_NONE)
        return true;
    /* Whose links are not looked at may be anybody's. */
    return n->asked++ >= ASKED_MOST || is_tied(n, row);
}

static void count_events(struct news *n, const struct event *events, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (events[i].subject <= 0 || !concerns(n, events[i].subject))
            continue;
        if (acting_is_own(n->g->view.app, &events[i]))
            n->own = true;
        else
            n->g->news++;
    }
}

/* Was the last that was done to a memory done here? */
static bool is_own(struct news *n, int64_t seq)
{
    struct app *x = n->g->view.app;
    struct event *events;
    struct error e;
    size_t count;
    return !journal_read(x->data.reader, &n->arena, seq - 1, 1, &events, &count, &e) && count > 0 &&
           acting_is_own(x, events);
}

static bool totals_differ(struct news *n)
{
    const struct chart *c = &n->g->drawing->chart;
    for (int side = 0; side < 2; side++) {
        struct error e;
        size_t total;
        bool more;
        if (neighbours_total(n->g->view.app->data.reader, n->g->focus, (enum direction)side,
                             NEIGHBOURS_COUNTED, &total, &more, &e) ||
            more || total != c->total[side])
            return true;
    }
    return false;
}

/* Nobody says which: those that are in view know it, and how many there are in all. */
static bool is_stale(struct news *n)
{
    struct memory_row row;
    struct error e;
    for (size_t i = 0; i < n->rows.count; i++) {
        arena_clear(&n->arena);
        if (memory_row_read(n->g->view.app->data.reader, &n->arena, n->rows.row[i], &row, &e))
            return true;
        if (row.event <= n->g->seen)
            continue;
        if (!is_own(n, row.event))
            return true;
        n->own = true;
    }
    return !n->own && totals_differ(n);
}

/* What the person did here is seen at once, where it stands. */
void graph_view_news(struct view *v, const struct event *events, size_t count, bool whole)
{
    struct graph_view *g = graph_of(v);
    struct news n = {.g = g, .rows = ROW_INDEX_INIT, .arena = ARENA_INIT};
    struct error e;
    if (!drawing_is_drawn(g->drawing) || reader_begin(v->app->data.reader, &e)) {
        g->stale = g->stale || whole;
        return;
    }
    n.source = neighbours_of(v->app->data.reader);
    if (add_rows(&n))
        g->stale = true;
    else if (whole)
        g->stale = g->stale || is_stale(&n);
    else
        count_events(&n, events, count);
    reader_end(v->app->data.reader);
    row_index_release(&n.rows);
    arena_release(&n.arena);
    if (n.own)
        graph_view_load(g, ARRIVE_IN_PLACE, g->drawing);
}
