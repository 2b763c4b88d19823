#include "model/base/alloc.h"
#include "model/layout/route/scheduler.h"

#include <stdlib.h>

static void scheduler_release(struct scheduler *s)
{
    free(s->run);
    free(s->column);
    free(s->facing);
    free(s->dogleg);
    free(s->member);
    free(s->regret);
    free(s->sum);
    free(s->line);
    free(s->taken);
    free(s->gain);
}

static int scheduler_init(struct scheduler *s, struct channel *c)
{
    *s = (struct scheduler){.c = c, .runs = c->trunks + c->doglegs};
    size_t pins = (size_t)c->nears + c->fars + 2 * (size_t)c->doglegs;
    s->run = xcalloc((size_t)s->runs + 1, sizeof(*s->run));
    s->column = xcalloc(pins + 1, sizeof(*s->column));
    s->facing = xcalloc(pins + 1, sizeof(*s->facing));
    s->dogleg = xcalloc((size_t)c->trunks + 1, sizeof(*s->dogleg));
    s->member = xmalloc(((size_t)s->runs + 1) * sizeof(*s->member));
    return s->run && s->column && s->facing && s->dogleg && s->member ? 0 : -1;
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

/* A run's columns follow those of the run before. */
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
    /* Only what a dogleg led elsewhere is out of order. */
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
 * In ASCII a corner does not tell on which side it goes on, and what passes behind a line is
 * looked for beyond it; so two runs share a track only where a column without any pin is between
 * them, and `end` is that column.
 */
static int find_ends(struct scheduler *s)
{
    struct channel *c = s->c;
    for (uint32_t r = 0; r < s->runs; r++)
        s->run[r].end = s->run[r].right;
    if (!c->ascii)
        return 0;
    size_t count = 0;
    int32_t *used = xmalloc(((size_t)c->nears + c->fars + c->doglegs + 1) * sizeof(*used));
    int32_t *free_after = xmalloc(((size_t)c->nears + c->fars + c->doglegs + 1) * sizeof(*used));
    if (!used || !free_after) {
        free(used);
        free(free_after);
        return -1;
    }
    for (uint32_t i = 0; i < c->nears; i++)
        used[count++] = c->near[i].at;
    for (uint32_t i = 0; i < c->fars; i++)
        used[count++] = c->far[i].at;
    for (uint32_t t = 0; t < c->trunks; t++)
        if (s->dogleg[t] != NO_TRUNK)
            used[count++] = c->trunk[t].turn;
    qsort(used, count, sizeof(*used), by_number);
    for (size_t i = count; i-- > 0;)
        free_after[i] =
            i + 1 < count && used[i + 1] <= used[i] + 1 ? free_after[i + 1] : used[i] + 1;
    for (uint32_t r = 0; r < s->runs; r++) {
        const int32_t *found = bsearch(&s->run[r].right, used, count, sizeof(*used), by_number);
        s->run[r].end = found ? free_after[found - used] : s->run[r].right + 1;
    }
    free(used);
    free(free_after);
    return 0;
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

void scheduler_let_go(struct scheduler *s, const struct run *placed)
{
    int32_t clear = s->c->ascii ? 2 : 1; /* a corner over a corner would join them */
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

struct reach {
    int32_t left, right;
    uint32_t run;
};

static int by_reach(const void *a, const void *b)
{
    const struct reach *x = a, *y = b;
    if (x->left != y->left)
        return x->left < y->left ? -1 : 1;
    if (x->right != y->right)
        return x->right < y->right ? -1 : 1;
    return (x->run > y->run) - (x->run < y->run);
}

static int sort_members(struct scheduler *s, uint32_t *count)
{
    struct reach *reach = xmalloc(((size_t)s->runs + 1) * sizeof(*reach));
    uint32_t members = 0;
    if (!reach)
        return -1;
    for (uint32_t r = 0; r < s->runs; r++)
        if (s->run[r].left < s->run[r].right)
            reach[members++] = (struct reach){s->run[r].left, s->run[r].right, r};
    qsort(reach, members, sizeof(*reach), by_reach);
    for (uint32_t i = 0; i < members; i++)
        s->member[i] = reach[i].run;
    free(reach);
    *count = members;
    return 0;
}

/* Runs that do not meet are none of each other's concern. */
static int schedule(struct scheduler *s)
{
    uint32_t count;
    size_t exact = s->runs < CHANNEL_EXACT ? s->runs : CHANNEL_EXACT;
    s->regret = xmalloc((exact + 1) * sizeof(*s->regret));
    s->sum = xmalloc((exact + 1) * sizeof(*s->sum));
    s->line = xmalloc((exact + 1) * sizeof(*s->line));
    s->taken = xmalloc(2 * exact + 1);
    s->gain = xmalloc((exact * exact + 1) * sizeof(*s->gain));
    if (!s->regret || !s->sum || !s->line || !s->taken || !s->gain || sort_members(s, &count))
        return -1;
    for (uint32_t from = 0, to; from < count; from = to) {
        int32_t end = s->run[s->member[from]].end;
        for (to = from + 1; to < count && s->run[s->member[to]].left <= end; to++)
            if (end < s->run[s->member[to]].end)
                end = s->run[s->member[to]].end;
        if (to - from <= CHANNEL_EXACT)
            scheduler_weigh(s, s->member + from, to - from);
        else if (scheduler_sweep(s, s->member + from, to - from))
            return -1;
    }
    return 0;
}

static void tell(const struct scheduler *s)
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

int tracks_find(struct channel *c)
{
    struct scheduler s;
    int result = scheduler_init(&s, c);
    if (result == 0) {
        for (uint32_t r = 0; r < s.runs; r++)
            s.run[r].parent = NO_TRUNK;
        number_doglegs(&s);
        reserve_columns(&s);
        fill_columns(&s);
        find_reaches(&s);
        result = find_ends(&s);
    }
    if (result == 0)
        result = schedule(&s);
    if (result == 0)
        tell(&s);
    scheduler_release(&s);
    return result;
}
