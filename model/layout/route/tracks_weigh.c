#include "model/layout/route/scheduler.h"

#include <string.h>

static uint32_t count_between(const int32_t *column, uint32_t from, uint32_t end, int32_t left,
                              int32_t right)
{
    if (end - from == 1)
        return column[from] > left && column[from] < right;
    uint32_t bound[2];
    const int32_t limit[2] = {left, right - 1}; /* how many are at most that */
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

/* How often they cross if `a` is nearer than `b`: where far branches of `a` pass `b`, and near
 * ones of `b` pass `a`. */
static int32_t cost(const struct scheduler *s, const struct run *a, const struct run *b)
{
    return (int32_t)(count_between(s->column, a->far, a->far_end, b->left, b->right) +
                     count_between(s->column, b->near, b->near_end, a->left, a->right));
}

/* More than any number of crossings: what must be nearer is. */
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

/* From the near side on: always the one that crosses least for not being farther. There is one
 * that need not be, for what must be nearer than what makes no circle. */
static void line_up(struct scheduler *s, uint32_t count)
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

/* The place for the one at `from` where it crosses least. */
static uint32_t best_place(const struct scheduler *s, uint32_t count, uint32_t from)
{
    int64_t change = 0, least = 0;
    uint32_t best = from;
    for (uint32_t i = from; i-- > 0;) {
        change += *gain_of(s, count, s->line[from], s->line[i]);
        if (change < least) {
            least = change;
            best = i;
        }
    }
    change = 0;
    for (uint32_t i = from + 1; i < count; i++) {
        change += *gain_of(s, count, s->line[i], s->line[from]);
        if (change < least) {
            least = change;
            best = i;
        }
    }
    return best;
}

static bool improve(struct scheduler *s, uint32_t count)
{
    bool improved = false;
    for (uint32_t from = 0; from < count; from++) {
        uint32_t to = best_place(s, count, from), moved = s->line[from];
        if (to == from)
            continue;
        improved = true;
        if (to < from)
            memmove(s->line + to + 1, s->line + to, (from - to) * sizeof(*s->line));
        else
            memmove(s->line + from, s->line + from + 1, (to - from) * sizeof(*s->line));
        s->line[to] = moved;
    }
    return improved;
}

/* The smallest track beyond all that must or would rather be nearer, and free where `run`
 * reaches. */
static void take_track(struct scheduler *s, const uint32_t *member, uint32_t count, uint32_t which)
{
    struct run *run = &s->run[member[which]];
    uint32_t tracks = 2 * count; /* never more: each adds two at most */
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

#define MOST_PASSES 6

void scheduler_weigh(struct scheduler *s, const uint32_t *member, uint32_t count)
{
    count_gains(s, member, count);
    line_up(s, count);
    for (int pass = 0; pass < MOST_PASSES; pass++)
        if (!improve(s, count))
            break;
    for (uint32_t i = 0; i < count; i++) {
        take_track(s, member, count, s->line[i]);
        scheduler_let_go(s, &s->run[member[s->line[i]]]);
    }
}
