#include "model/layout/layout_stats.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/layout/rank/ordering.h"

/*
 * Where nets cross in a channel: going from track to track, the columns that a branch passes are
 * counted in a tree of sums (Fenwick 1994). A trunk crosses those within its reach, its own
 * excepted.
 */
struct passing {
    const struct channel *c;
    int32_t *column; /* [columns] of pins and doglegs, ascending, each once */
    uint32_t columns;
    uint32_t *sum; /* [columns + 1] */
};

struct event {
    int32_t track;
    uint8_t sort;
    int32_t left, right; /* a column, or a reach */
};
enum {
    ENDS = 0, /* before trunks of its track are looked at, and */
    REACHES,
    BEGINS, /* after them: no trunk crosses its own branches */
};

static uint32_t column_number(const struct passing *p, int32_t at)
{
    uint32_t low = 0, high = p->columns;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (p->column[middle] < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void change(struct passing *p, int32_t at, bool begins)
{
    for (uint32_t i = column_number(p, at) + 1; i <= p->columns; i += i & -i)
        p->sum[i] += begins ? 1 : UINT32_MAX;
}

static uint32_t count_before(const struct passing *p, int32_t at)
{
    uint32_t count = 0;
    for (uint32_t i = column_number(p, at); i > 0; i -= i & -i)
        count += p->sum[i];
    return count;
}

static int by_track(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    if (x->track != y->track)
        return x->track < y->track ? -1 : 1;
    return (x->sort > y->sort) - (x->sort < y->sort);
}

static size_t add_branch(struct event *event, int32_t at, int32_t from_track, int32_t to_track)
{
    event[0] = (struct event){from_track, BEGINS, at, at};
    event[1] = (struct event){to_track, ENDS, at, at};
    return 2;
}

/* What a dogleg adds; where it ends in a column of its own a branch goes on from it. */
static size_t add_dogleg(struct event *event, const struct trunk *trunk)
{
    size_t count = 0;
    if (trunk->turn_track == NO_TRACK)
        return 0;
    event[count++] =
        (struct event){trunk->turn_track, REACHES, trunk->turn_left, trunk->turn_right};
    if (!trunk->turn_shared)
        count += add_branch(event + count, trunk->turn, trunk->turn_track, trunk->track);
    return count;
}

static size_t list_events(const struct channel *c, struct event *event)
{
    size_t count = 0;
    for (uint32_t i = 0; i < c->nears; i++) {
        const struct pin *pin = &c->near[i];
        const struct trunk *trunk = &c->trunk[pin->trunk];
        int32_t to = pin->turned ? trunk->turn_track : trunk->track;
        count += add_branch(event + count, pin->at, NO_TRACK, to == NO_TRACK ? c->tracks : to);
    }
    for (uint32_t i = 0; i < c->fars; i++)
        if (c->trunk[c->far[i].trunk].track != NO_TRACK)
            count +=
                add_branch(event + count, c->far[i].at, c->trunk[c->far[i].trunk].track, c->tracks);
    for (uint32_t t = 0; t < c->trunks; t++) {
        const struct trunk *trunk = &c->trunk[t];
        if (trunk->track != NO_TRACK)
            event[count++] = (struct event){trunk->track, REACHES, trunk->left, trunk->right};
        count += add_dogleg(event + count, trunk);
    }
    return count;
}

static int by_column(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static void number_columns(struct passing *p)
{
    const struct channel *c = p->c;
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->nears; i++)
        p->column[count++] = c->near[i].at;
    for (uint32_t i = 0; i < c->fars; i++)
        p->column[count++] = c->far[i].at;
    for (uint32_t t = 0; t < c->trunks; t++)
        if (c->trunk[t].turn_track != NO_TRACK)
            p->column[count++] = c->trunk[t].turn;
    qsort(p->column, count, sizeof(*p->column), by_column);
    for (uint32_t i = 0; i < count; i++)
        if (p->columns == 0 || p->column[p->columns - 1] != p->column[i])
            p->column[p->columns++] = p->column[i];
    memset(p->sum, 0, ((size_t)p->columns + 1) * sizeof(*p->sum));
}

static int count_crossings(const struct channel *c, uint64_t *crossings)
{
    size_t columns = (size_t)c->nears + c->fars + c->trunks;
    struct passing p = {.c = c};
    struct event *event = xmalloc((4 * columns + 1) * sizeof(*event));
    p.column = xmalloc((columns + 1) * sizeof(*p.column));
    p.sum = xmalloc((columns + 2) * sizeof(*p.sum));
    int result = event && p.column && p.sum ? 0 : -1;
    if (result == 0) {
        size_t count = list_events(c, event);
        number_columns(&p);
        qsort(event, count, sizeof(*event), by_track);
        for (size_t i = 0; i < count; i++)
            if (event[i].sort == REACHES)
                *crossings +=
                    count_before(&p, event[i].right) - count_before(&p, event[i].left + 1);
            else
                change(&p, event[i].left, event[i].sort == BEGINS);
    }
    free(event);
    free(p.column);
    free(p.sum);
    return result;
}

/* A line turns where a branch meets its trunk or dogleg: how often a near and a far one meet it
 * in one place. */
static uint64_t count_met(const struct channel *c)
{
    uint64_t met = 0;
    for (uint32_t i = 0, k = 0; i < c->fars; i++) {
        while (k < c->nears && c->near[k].at < c->far[i].at)
            k++;
        met += k < c->nears && c->near[k].at == c->far[i].at && !c->near[k].turned &&
               c->near[k].trunk == c->far[i].trunk && c->trunk[c->far[i].trunk].track != NO_TRACK;
    }
    return met;
}

/* Where branches end at their trunk or dogleg. */
static uint64_t count_ends(const struct channel *c)
{
    uint64_t ends = 0;
    for (uint32_t i = 0; i < c->nears; i++)
        ends += c->trunk[c->near[i].trunk].track != NO_TRACK;
    for (uint32_t i = 0; i < c->fars; i++)
        ends += c->trunk[c->far[i].trunk].track != NO_TRACK;
    for (uint32_t t = 0; t < c->trunks; t++)
        if (c->trunk[t].turn_track != NO_TRACK)
            ends += c->trunk[t].turn_shared ? 1 : 2;
    return ends;
}

/* The cells that a wire is in. */
static int64_t cells(const struct layout_wire *w)
{
    return (w->to >> 1) - ((w->from + 1) >> 1) + 1;
}

/* The cells that a dogleg shares with a branch of its trunk, but for the one where it meets it. */
static int64_t twice(const struct channel *c)
{
    int64_t sum = 0;
    for (uint32_t t = 0; t < c->trunks; t++)
        if (c->trunk[t].turn_track != NO_TRACK && c->trunk[t].turn_shared)
            sum += c->trunk[t].track - c->trunk[t].turn_track + 1;
    return sum;
}

int layout_stats_find(struct layout_stats *stats, const struct draft *d)
{
    const struct layered *g = &d->g;
    int64_t line = 0;
    stats->segment_crossings = ordering_crossings(g);
    stats->dummies = g->points - g->picture->nodes;
    for (uint32_t e = 0; e < g->picture->edges; e++)
        stats->span += g->layer[g->lower[e]] - g->layer[g->upper[e]];
    for (uint32_t gap = 0; gap < d->gaps; gap++) {
        const struct channel *c = &d->channel[gap];
        uint64_t ends = count_ends(c);
        stats->doglegs += c->doglegs;
        stats->bends += ends - count_met(c);
        line -= (int64_t)ends + twice(c);
        if (count_crossings(c, &stats->crossings))
            return -1;
    }
    for (size_t i = 0; i < d->layout->wires; i++)
        line += cells(&d->layout->wire[i]);
    stats->cells = line > 0 ? (uint64_t)line : 0;
    return 0;
}
