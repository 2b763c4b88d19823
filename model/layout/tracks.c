/* Assigns a track of its channel to each trunk. */

#include "model/base/array.h"
#include "model/layout/draft.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A trunk or a dogleg that needs a track. */
struct run {
    int32_t left, right;
    int32_t end;             /* the last column of its track that it occupies */
    uint32_t near, near_end; /* its near columns are column[near .. near_end], ascending */
    uint32_t far, far_end;   /* likewise */
    uint32_t parent;         /* for a dogleg: the trunk that it leads to; otherwise NO_TRUNK */
    uint32_t waits;          /* how many runs must be placed before it */
    uint32_t slot;           /* its index among the runs that are weighed together */
    int32_t least;           /* the least track that the placed runs allow */
    int32_t track;
};

struct scheduler {
    struct channel *c;
    struct run *run; /* [runs] the channel's trunks, then its doglegs */
    uint32_t runs;
    int32_t *column;  /* [pins] columns of near pins by run, then of far pins by run */
    uint32_t *facing; /* for near pins: the run whose far pin is in the same column, or NO_TRUNK */
    uint32_t *dogleg; /* [channel's trunks] the run of its dogleg, or NO_TRUNK */
    uint32_t *member; /* [runs] the runs that need a track, by (left, right, number) */
    /* For at most CHANNEL_EXACT runs that are weighed against each other: */
    int64_t *regret; /* extra crossings for being nearer than runs that prefer to be nearer */
    int64_t *sum;    /* extra crossings (or fewer) for being nearer than all others */
    uint32_t *line;  /* their order */
    uint8_t *taken;  /* [2 * CHANNEL_EXACT] tracks */
    int32_t *gain;   /* gain[i, k]: extra crossings if i is nearer than k */
};

/* Do they overlap, so that they cannot share a track? */
static bool runs_meet(const struct run *a, const struct run *b)
{
    return a->left <= b->end && b->left <= a->end;
}

static void scheduler_init(struct scheduler *s, struct channel *c)
{
    *s = (struct scheduler){.c = c, .runs = c->trunks + c->doglegs};
    size_t pins = (size_t)c->nears + c->fars + 2 * (size_t)c->doglegs;
    s->run = arena_array(c->arena, (size_t)s->runs + 1, sizeof(*s->run));
    s->column = arena_array(c->arena, pins + 1, sizeof(*s->column));
    s->facing = arena_array(c->arena, pins + 1, sizeof(*s->facing));
    s->dogleg = arena_array(c->arena, (size_t)c->trunks + 1, sizeof(*s->dogleg));
    s->member = arena_array(c->arena, (size_t)s->runs + 1, sizeof(*s->member));
}

static void number_doglegs(struct scheduler *s)
{
    struct channel *c = s->c;
    uint32_t next = c->trunks;
    for (uint32_t t = 0; t < c->trunks; t++) {
        s->dogleg[t] = NO_TRUNK;
        if (c->trunk[t].turn_track != NO_TRACK) {
            s->run[next].parent = t;
            s->dogleg[t] = next++;
        }
    }
}

/* Divides column[] among the runs, one after the other. */
static void reserve_columns(struct scheduler *s)
{
    const struct channel *c = s->c;
    uint32_t at = 0;
    for (uint32_t i = 0; i < c->nears; i++)
        s->run[c->near[i].turned ? s->dogleg[c->near[i].trunk] : c->near[i].trunk].near_end++;
    for (uint32_t i = 0; i < c->fars; i++)
        s->run[c->far[i].trunk].far_end++;
    for (uint32_t t = 0; t < c->trunks; t++)
        if (s->dogleg[t] != NO_TRUNK) {
            s->run[t].near_end += !c->trunk[t].turn_shared;
            s->run[s->dogleg[t]].far_end++;
        }
    for (uint32_t r = 0; r < s->runs; r++) {
        struct run *run = &s->run[r];
        uint32_t nears = run->near_end, fars = run->far_end;
        run->near = run->near_end = at;
        run->far = run->far_end = at + nears;
        at += nears + fars;
    }
}

static void add_near(struct scheduler *s, uint32_t r, int32_t column, uint32_t facing)
{
    struct run *run = &s->run[r];
    uint32_t i = run->near_end++;
    /* Only the column of a dogleg's turn can be out of order. */
    for (; i > run->near && s->column[i - 1] > column; i--) {
        s->column[i] = s->column[i - 1];
        s->facing[i] = s->facing[i - 1];
    }
    s->column[i] = column;
    s->facing[i] = facing;
    if (facing != NO_TRUNK)
        s->run[facing].waits++;
}

static void add_dogleg(struct scheduler *s, uint32_t t)
{
    const struct trunk *trunk = &s->c->trunk[t];
    struct run *run = &s->run[s->dogleg[t]];
    s->column[run->far_end++] = trunk->turn;
    s->run[t].waits++;
    if (!trunk->turn_shared)
        add_near(s, t, trunk->turn, NO_TRUNK);
}

static void fill_columns(struct scheduler *s)
{
    const struct channel *c = s->c;
    for (uint32_t i = 0, k = 0; i < c->nears; i++) {
        const struct pin *pin = &c->near[i];
        while (k < c->fars && c->far[k].at < pin->at)
            k++;
        uint32_t facing = k < c->fars && c->far[k].at == pin->at ? c->far[k].trunk : NO_TRUNK;
        if (pin->turned)
            add_near(s, s->dogleg[pin->trunk], pin->at, facing);
        else
            add_near(s, pin->trunk, pin->at, facing == pin->trunk ? NO_TRUNK : facing);
    }
    for (uint32_t i = 0; i < c->fars; i++)
        s->column[s->run[c->far[i].trunk].far_end++] = c->far[i].at;
    for (uint32_t t = 0; t < c->trunks; t++)
        if (s->dogleg[t] != NO_TRUNK)
            add_dogleg(s, t);
}

static int by_number(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/*
 * An ASCII corner does not show on which side it continues, and a line that passes under another
 * shows only on both sides of it. So two runs share a track only if a column without any pin is
 * between them; `end` is that column.
 */
static void find_ends(struct scheduler *s)
{
    struct channel *c = s->c;
    for (uint32_t r = 0; r < s->runs; r++)
        s->run[r].end = s->run[r].right;
    if (!c->ascii)
        return;
    size_t count = 0;
    int32_t *used =
        arena_array(c->arena, (size_t)c->nears + c->fars + c->doglegs + 1, sizeof(*used));
    int32_t *free_after =
        arena_array(c->arena, (size_t)c->nears + c->fars + c->doglegs + 1, sizeof(*used));
    for (uint32_t i = 0; i < c->nears; i++)
        used[count++] = c->near[i].at;
    for (uint32_t i = 0; i < c->fars; i++)
        used[count++] = c->far[i].at;
    for (uint32_t t = 0; t < c->trunks; t++)
        if (s->dogleg[t] != NO_TRUNK)
            used[count++] = c->trunk[t].turn;
    SORT(used, count, by_number);
    for (size_t i = count; i-- > 0;)
        free_after[i] =
            i + 1 < count && used[i + 1] <= used[i] + 1 ? free_after[i + 1] : used[i] + 1;
    for (uint32_t r = 0; r < s->runs; r++) {
        const int32_t *found = bsearch(&s->run[r].right, used, count, sizeof(*used), by_number);
        s->run[r].end = found ? free_after[found - used] : s->run[r].right + 1;
    }
}

static void find_reaches(struct scheduler *s)
{
    for (uint32_t r = 0; r < s->runs; r++) {
        struct run *run = &s->run[r];
        int32_t near_left = s->column[run->near], near_right = s->column[run->near_end - 1];
        int32_t far_left = s->column[run->far], far_right = s->column[run->far_end - 1];
        run->left = near_left < far_left ? near_left : far_left;
        run->right = near_right > far_right ? near_right : far_right;
        run->track = NO_TRACK;
    }
}

/* The runs that wait for a placed run must have a greater track, and wait for one run less. */
static void scheduler_release_waiting(struct scheduler *s, const struct run *placed)
{
    int32_t clear =
        s->c->ascii ? 2 : 1; /* in ASCII, two corners on top of each other would look joined */
    for (uint32_t i = placed->near; i < placed->near_end; i++)
        if (s->facing[i] != NO_TRUNK) {
            struct run *other = &s->run[s->facing[i]];
            other->waits--;
            if (other->least < placed->track + clear)
                other->least = placed->track + clear;
        }
    if (placed->parent != NO_TRUNK) {
        struct run *other = &s->run[placed->parent];
        other->waits--;
        if (other->least < placed->track + 1)
            other->least = placed->track + 1;
    }
}

static int64_t sweep_key(const struct scheduler *s, const struct run *run)
{
    int64_t near = (int64_t)s->column[run->near] + s->column[run->near_end - 1];
    int64_t far = (int64_t)s->column[run->far] + s->column[run->far_end - 1];
    return near < far ? -near - far : near + far;
}

/*
 * For runs that are too many to weigh: places those that lead right from the right, and those that
 * lead left from the left. This has no crossing among runs of one direction. O(count²).
 */
static void scheduler_sweep(struct scheduler *s, const uint32_t *member, uint32_t count)
{
    for (uint32_t placed = 0; placed < count; placed++) {
        struct run *next = NULL;
        for (uint32_t i = 0; i < count; i++) {
            struct run *run = &s->run[member[i]];
            if (run->track == NO_TRACK && run->waits == 0 &&
                (!next || sweep_key(s, run) < sweep_key(s, next)))
                next = run;
        }
        assert(next); /* constraints have no cycle */
        for (uint32_t i = 0; i < count; i++) {
            const struct run *run = &s->run[member[i]];
            if (run->track >= next->least && runs_meet(run, next))
                next->least = run->track + 1;
        }
        next->track = next->least;
        scheduler_release_waiting(s, next);
    }
}

static uint32_t count_between(const int32_t *column, uint32_t from, uint32_t end, int32_t left,
                              int32_t right)
{
    if (end - from == 1)
        return column[from] > left && column[from] < right;
    uint32_t bound[2];
    const int32_t limit[2] = {left, right - 1}; /* counts the columns up to that */
    for (int i = 0; i < 2; i++) {
        uint32_t low = from, high = end;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (column[middle] <= limit[i])
                low = middle + 1;
            else
                high = middle;
        }
        bound[i] = low;
    }
    return bound[1] > bound[0] ? bound[1] - bound[0] : 0;
}

/* The crossings if `a` is nearer than `b`: far branches of `a` pass `b`, and near branches of
 * `b` pass `a`. */
static int32_t cost(const struct scheduler *s, const struct run *a, const struct run *b)
{
    return (int32_t)(count_between(s->column, a->far, a->far_end, b->left, b->right) +
                     count_between(s->column, b->near, b->near_end, a->left, a->right));
}

/* More than any number of crossings, for hard constraints. */
#define MUST (1 << 24)

static int32_t *gain_of(const struct scheduler *s, uint32_t count, uint32_t i, uint32_t k)
{
    return &s->gain[(size_t)i * count + k];
}

static void set_gain(struct scheduler *s, uint32_t count, uint32_t i, uint32_t k, int32_t gain)
{
    *gain_of(s, count, i, k) = gain;
    *gain_of(s, count, k, i) = -gain;
}

static void count_gains(struct scheduler *s, const uint32_t *member, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        s->run[member[i]].slot = i;
        for (uint32_t k = 0; k <= i; k++) {
            const struct run *a = &s->run[member[i]], *b = &s->run[member[k]];
            set_gain(s, count, i, k, runs_meet(a, b) ? cost(s, a, b) - cost(s, b, a) : 0);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct run *run = &s->run[member[i]];
        for (uint32_t k = run->near; k < run->near_end; k++)
            if (s->facing[k] != NO_TRUNK)
                set_gain(s, count, i, s->run[s->facing[k]].slot, -MUST);
        if (run->parent != NO_TRUNK)
            set_gain(s, count, i, s->run[run->parent].slot, -MUST);
    }
}

static bool is_better(const struct scheduler *s, uint32_t i, uint32_t k)
{
    return s->regret[i] != s->regret[k] ? s->regret[i] < s->regret[k] : s->sum[i] < s->sum[k];
}

/* Orders the runs from the near side: always takes the run with the fewest extra crossings.
 * There is always one without a hard constraint, since these have no cycle. */
static void order_runs(struct scheduler *s, uint32_t count)
{
    memset(s->regret, 0, count * sizeof(*s->regret));
    memset(s->sum, 0, count * sizeof(*s->sum));
    for (uint32_t i = 0; i < count; i++) {
        s->line[i] = i;
        for (uint32_t k = 0; k < count; k++) {
            int32_t gain = *gain_of(s, count, i, k);
            s->sum[i] += gain;
            s->regret[i] += gain > 0 ? gain : 0;
        }
    }
    for (uint32_t placed = 0; placed < count; placed++) {
        uint32_t best = placed;
        for (uint32_t i = placed + 1; i < count; i++)
            if (is_better(s, s->line[i], s->line[best]))
                best = i;
        uint32_t taken = s->line[best];
        memmove(s->line + placed + 1, s->line + placed, (best - placed) * sizeof(*s->line));
        s->line[placed] = taken;
        for (uint32_t i = placed + 1; i < count; i++) {
            int32_t gain = *gain_of(s, count, s->line[i], taken);
            s->sum[s->line[i]] -= gain;
            s->regret[s->line[i]] -= gain > 0 ? gain : 0;
        }
    }
}

/* Takes the smallest track that is free where `run` reaches and greater than those of all placed
 * runs that must or should be nearer. */
static void assign_track(struct scheduler *s, const uint32_t *member, uint32_t count,
                         uint32_t which)
{
    struct run *run = &s->run[member[which]];
    uint32_t tracks = 2 * count; /* enough, since each run adds at most two */
    memset(s->taken, 0, tracks);
    for (uint32_t k = 0; k < count; k++) {
        const struct run *other = &s->run[member[k]];
        if (other->track == NO_TRACK || !runs_meet(run, other))
            continue;
        s->taken[other->track] = 1;
        if (*gain_of(s, count, which, k) > 0 && run->least <= other->track)
            run->least = other->track + 1;
    }
    run->track = run->least;
    while ((uint32_t)run->track < tracks && s->taken[run->track])
        run->track++;
}

/*
 * Assigns tracks to at most CHANNEL_EXACT runs by weighing all pairs. None of them may overlap a
 * run outside of the group.
 */
static void scheduler_weigh(struct scheduler *s, const uint32_t *member, uint32_t count)
{
    count_gains(s, member, count);
    order_runs(s, count);
    for (uint32_t i = 0; i < count; i++) {
        assign_track(s, member, count, s->line[i]);
        scheduler_release_waiting(s, &s->run[member[s->line[i]]]);
    }
}

struct reach {
    int32_t left, right;
    uint32_t run;
};

static int by_reach(const void *a, const void *b)
{
    const struct reach *x = a, *y = b;
    int order = COMPARE(x->left, y->left);
    order = order ? order : COMPARE(x->right, y->right);
    return order ? order : COMPARE(x->run, y->run);
}

static void sort_members(struct scheduler *s, uint32_t *count)
{
    struct reach *reach = arena_array(s->c->arena, (size_t)s->runs + 1, sizeof(*reach));
    uint32_t members = 0;
    for (uint32_t r = 0; r < s->runs; r++)
        if (s->run[r].left < s->run[r].right)
            reach[members++] = (struct reach){s->run[r].left, s->run[r].right, r};
    SORT(reach, members, by_reach);
    for (uint32_t i = 0; i < members; i++)
        s->member[i] = reach[i].run;
    *count = members;
}

/* Groups of runs that do not overlap are independent. */
static void schedule(struct scheduler *s)
{
    uint32_t count;
    size_t exact = s->runs < CHANNEL_EXACT ? s->runs : CHANNEL_EXACT;
    s->regret = arena_array(s->c->arena, exact + 1, sizeof(*s->regret));
    s->sum = arena_array(s->c->arena, exact + 1, sizeof(*s->sum));
    s->line = arena_array(s->c->arena, exact + 1, sizeof(*s->line));
    s->taken = arena_array(s->c->arena, 2 * exact + 1, 1);
    s->gain = arena_array(s->c->arena, exact * exact + 1, sizeof(*s->gain));
    sort_members(s, &count);
    for (uint32_t from = 0, to; from < count; from = to) {
        int32_t end = s->run[s->member[from]].end;
        for (to = from + 1; to < count && s->run[s->member[to]].left <= end; to++)
            if (end < s->run[s->member[to]].end)
                end = s->run[s->member[to]].end;
        if (to - from <= CHANNEL_EXACT)
            scheduler_weigh(s, s->member + from, to - from);
        else
            scheduler_sweep(s, s->member + from, to - from);
    }
}

static void store_result(const struct scheduler *s)
{
    struct channel *c = s->c;
    for (uint32_t r = 0; r < s->runs; r++)
        if (c->tracks < s->run[r].track + 1)
            c->tracks = s->run[r].track + 1;
    for (uint32_t t = 0; t < c->trunks; t++) {
        c->trunk[t].track = s->run[t].track;
        if (s->dogleg[t] != NO_TRUNK)
            c->trunk[t].turn_track = s->run[s->dogleg[t]].track;
    }
}

void tracks_find(struct channel *c)
{
    struct scheduler s;
    scheduler_init(&s, c);
    for (uint32_t r = 0; r < s.runs; r++)
        s.run[r].parent = NO_TRUNK;
    number_doglegs(&s);
    reserve_columns(&s);
    fill_columns(&s);
    find_reaches(&s);
    find_ends(&s);
    schedule(&s);
    store_result(&s);
}
