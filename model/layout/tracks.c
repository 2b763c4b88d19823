#include "tracks.h"

#include <stdlib.h>
#include <string.h>

/* A trunk or a dogleg as it is given a track. */
struct run {
    int32_t left, right;
    int32_t end;             /* the column up to which nobody else may share its track */
    uint32_t near, near_end; /* its columns there are column[near .. near_end], ascending */
    uint32_t far, far_end;   /* likewise */
    uint32_t parent;         /* of a dogleg: the trunk that it leads to; NO_TRUNK */
    uint32_t waits;          /* how many must be placed before it */
    bool queued;
    int32_t least; /* track, by those that are placed */
    int32_t track;
};

struct scheduler {
    struct channel *c;
    struct run *run; /* [runs] the channel's trunks, then its doglegs */
    uint32_t runs;
    int32_t *column;  /* [pins] near ones by run, then far ones by run */
    uint32_t *facing; /* of those near: the run whose far pin is in the same column; NO_TRUNK */
    uint32_t *turned; /* [doglegs] the near pin of each */
    uint32_t *member; /* [runs] those that need a track, by (left, right, number) */
    int64_t *sum;  /* [CHANNEL_EXACT] what it costs to place one before the rest, and not after */
    int32_t *gain; /* [CHANNEL_EXACT²] gain[i, k]: crossings more if i is nearer than k */
};

static void scheduler_release(struct scheduler *s)
{
    free(s->run);
    free(s->column);
    free(s->facing);
    free(s->turned);
    free(s->member);
    free(s->sum);
    free(s->gain);
}

static int scheduler_init(struct scheduler *s, struct channel *c)
{
    *s = (struct scheduler){.c = c, .runs = c->trunks + c->doglegs};
    size_t pins = (size_t)c->nears + c->fars + 2 * (size_t)c->doglegs;
    s->run = calloc((size_t)s->runs + 1, sizeof(*s->run));
    s->column = malloc((pins + 1) * sizeof(*s->column));
    s->facing = malloc((pins + 1) * sizeof(*s->facing));
    s->turned = malloc(((size_t)c->doglegs + 1) * sizeof(*s->turned));
    s->member = malloc(((size_t)s->runs + 1) * sizeof(*s->member));
    return s->run && s->column && s->facing && s->turned && s->member ? 0 : -1;
}

static void number_doglegs(struct scheduler *s)
{
    struct channel *c = s->c;
    uint32_t dogleg = 0;
    for (uint32_t i = 0; i < c->nears; i++)
        if (c->near[i].turn_track != NO_TRACK) {
            s->run[c->trunks + dogleg].parent = c->near[i].trunk;
            s->turned[dogleg++] = i;
        }
}

static void reserve_columns(struct scheduler *s)
{
    const struct channel *c = s->c;
    uint32_t at = 0;
    for (uint32_t i = 0; i < c->nears; i++)
        s->run[c->near[i].trunk].near_end++;
    for (uint32_t i = 0; i < c->fars; i++)
        s->run[c->far[i].trunk].far_end++;
    for (uint32_t r = 0; r < s->runs; r++) {
        struct run *run = &s->run[r];
        uint32_t nears = r < c->trunks ? run->near_end : 1, fars = r < c->trunks ? run->far_end : 1;
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

static void fill_columns(struct scheduler *s)
{
    const struct channel *c = s->c;
    uint32_t k = 0, dogleg = 0;
    for (uint32_t i = 0; i < c->nears; i++) {
        const struct pin *pin = &c->near[i];
        while (k < c->fars && c->far[k].at < pin->at)
            k++;
        uint32_t facing = k < c->fars && c->far[k].at == pin->at ? c->far[k].trunk : NO_TRUNK;
        if (pin->turn_track != NO_TRACK) {
            add_near(s, c->trunks + dogleg++, pin->at, facing);
            add_near(s, pin->trunk, pin->turn, NO_TRUNK);
        } else {
            add_near(s, pin->trunk, pin->at, facing == pin->trunk ? NO_TRUNK : facing);
        }
    }
    for (uint32_t i = 0; i < c->fars; i++)
        s->column[s->run[c->far[i].trunk].far_end++] = c->far[i].at;
    for (uint32_t d = 0; d < c->doglegs; d++) {
        struct run *run = &s->run[c->trunks + d];
        s->column[run->far_end++] = c->near[s->turned[d]].turn;
        s->run[run->parent].waits++;
    }
}

static int by_number(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/*
 * In ASCII a corner does not tell on which side it goes on, and what passes behind a line is looked for beyond it;
 * so two runs share a track only where a column without any pin is between them, and `end` is that column.
 */
static int find_ends(struct scheduler *s)
{
    struct channel *c = s->c;
    for (uint32_t r = 0; r < s->runs; r++)
        s->run[r].end = s->run[r].right;
    if (!c->ascii)
        return 0;
    size_t count = 0;
    int32_t *used = malloc(((size_t)c->nears + c->fars + c->doglegs + 1) * sizeof(*used));
    int32_t *free_after = malloc(((size_t)c->nears + c->fars + c->doglegs + 1) * sizeof(*used));
    if (!used || !free_after) {
        free(used);
        free(free_after);
        return -1;
    }
    for (uint32_t i = 0; i < c->nears; i++)
        used[count++] = c->near[i].at;
    for (uint32_t i = 0; i < c->fars; i++)
        used[count++] = c->far[i].at;
    for (uint32_t d = 0; d < c->doglegs; d++)
        used[count++] = c->near[s->turned[d]].turn;
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

/* How often they cross if `a` is nearer than `b`: where far branches of `a` pass `b`, and near ones of `b` pass
 * `a`. */
static int32_t cost(const struct scheduler *s, const struct run *a, const struct run *b)
{
    return (int32_t)(count_between(s->column, a->far, a->far_end, b->left, b->right) +
                     count_between(s->column, b->near, b->near_end, a->left, a->right));
}

static bool meet(const struct run *a, const struct run *b)
{
    return a->left <= b->end && b->left <= a->end;
}

/* Those that wait for it wait for one less, and lie beyond it. */
static void let_go(struct scheduler *s, const struct run *placed)
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

static void count_gains(struct scheduler *s, const uint32_t *member, uint32_t count)
{
    memset(s->sum, 0, count * sizeof(*s->sum));
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < i; k++) {
            const struct run *a = &s->run[member[i]], *b = &s->run[member[k]];
            int32_t gain = meet(a, b) ? cost(s, a, b) - cost(s, b, a) : 0;
            s->gain[(size_t)i * count + k] = gain;
            s->gain[(size_t)k * count + i] = -gain;
            s->sum[i] += gain;
            s->sum[k] -= gain;
        }
}

/* The smallest track beyond all that must or would rather be nearer, and free where `run` reaches. */
static void take_track(struct scheduler *s, const uint32_t *member, uint32_t count, uint32_t which,
                       uint8_t *taken)
{
    struct run *run = &s->run[member[which]];
    uint32_t tracks = 2 * count; /* never more: each adds two at most */
    memset(taken, 0, tracks);
    for (uint32_t k = 0; k < count; k++) {
        const struct run *other = &s->run[member[k]];
        if (other->track == NO_TRACK || !meet(run, other))
            continue;
        taken[other->track] = 1;
        if (s->gain[(size_t)which * count + k] > 0 && run->least <= other->track)
            run->least = other->track + 1;
    }
    run->track = run->least;
    while ((uint32_t)run->track < tracks && taken[run->track])
        run->track++;
}

static int schedule_exactly(struct scheduler *s, const uint32_t *member, uint32_t count)
{
    uint8_t *taken = malloc(2 * (size_t)count);
    if (!taken)
        return -1;
    count_gains(s, member, count);
    for (uint32_t placed = 0; placed < count; placed++) {
        uint32_t best = NO_TRUNK;
        for (uint32_t i = 0; i < count; i++) {
            const struct run *run = &s->run[member[i]];
            if (run->track == NO_TRACK && run->waits == 0 &&
                (best == NO_TRUNK || s->sum[i] < s->sum[best]))
                best = i;
        }
        take_track(s, member, count, best, taken);
        for (uint32_t i = 0; i < count; i++)
            s->sum[i] -= s->gain[(size_t)i * count + best];
        let_go(s, &s->run[member[best]]);
    }
    free(taken);
    return 0;
}

/*
 * For runs too many to weigh against each other: those that lead right from the right, those that lead left from the
 * left, which is without a crossing among those of one direction. A heap of what waits for nothing.
 */
struct heap {
    uint32_t *member;
    uint32_t count;
    const int64_t *key; /* by run */
};

static bool comes_before(const struct heap *h, uint32_t a, uint32_t b)
{
    return h->key[a] != h->key[b] ? h->key[a] < h->key[b] : a < b;
}

static void heap_add(struct heap *h, uint32_t run)
{
    uint32_t i = h->count++;
    for (; i > 0 && comes_before(h, run, h->member[(i - 1) / 2]); i = (i - 1) / 2)
        h->member[i] = h->member[(i - 1) / 2];
    h->member[i] = run;
}

static uint32_t heap_take(struct heap *h)
{
    uint32_t least = h->member[0], last = h->member[--h->count], i = 0;
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child + 1 < h->count && comes_before(h, h->member[child + 1], h->member[child]))
            child++;
        if (child >= h->count || !comes_before(h, h->member[child], last))
            break;
        h->member[i] = h->member[child];
        i = child;
    }
    h->member[i] = last;
    return least;
}

/* The farthest track that is taken anywhere between two places, in a tree of twice as many nodes. */
struct skyline {
    int32_t *whole, *any; /* on all of what is below a node, and somewhere there */
    uint32_t size;
};

static int32_t skyline_highest(const struct skyline *k, uint32_t from, uint32_t to)
{
    int32_t most = NO_TRACK;
    uint32_t ends[] = {from + k->size, to + k->size};
    for (int e = 0; e < 2; e++)
        for (uint32_t node = ends[e]; node > 0; node /= 2)
            most = k->whole[node] > most ? k->whole[node] : most;
    for (uint32_t l = ends[0], r = ends[1] + 1; l < r; l /= 2, r /= 2) {
        if (l % 2 == 1 && k->any[l++] > most)
            most = k->any[l - 1];
        if (r % 2 == 1 && k->any[--r] > most)
            most = k->any[r];
    }
    return most;
}

static void skyline_raise(struct skyline *k, uint32_t from, uint32_t to, int32_t track)
{
    for (uint32_t l = from + k->size, r = to + k->size + 1; l < r; l /= 2, r /= 2) {
        uint32_t nodes[] = {l % 2 == 1 ? l++ : 0, r % 2 == 1 ? --r : 0};
        for (int i = 0; i < 2; i++)
            for (uint32_t node = nodes[i]; node > 0; node /= 2) {
                if (node == nodes[i] && k->whole[node] < track)
                    k->whole[node] = track;
                if (k->any[node] < track)
                    k->any[node] = track;
            }
    }
}

struct rough {
    struct heap heap;
    struct skyline skyline;
    int32_t *place; /* sorted columns; where one stands there is its place in the skyline */
    uint32_t places;
    int64_t *key;
};

static uint32_t place_of(const struct rough *r, int32_t column)
{
    const int32_t *found = bsearch(&column, r->place, r->places, sizeof(column), by_number);
    return found ? (uint32_t)(found - r->place) : 0;
}

static int64_t rough_key(const struct scheduler *s, const struct run *run)
{
    int64_t near = (int64_t)s->column[run->near] + s->column[run->near_end - 1];
    int64_t far = (int64_t)s->column[run->far] + s->column[run->far_end - 1];
    return near < far ? -near - far : near + far;
}

static void add_if_free(struct rough *r, struct scheduler *s, uint32_t run)
{
    if (run == NO_TRUNK || s->run[run].waits > 0 || s->run[run].queued)
        return;
    s->run[run].queued = true;
    heap_add(&r->heap, run);
}

static int rough_init(struct rough *r, struct scheduler *s, const uint32_t *member, uint32_t count)
{
    size_t nodes = 4 * (size_t)count + 2;
    *r = (struct rough){.skyline = {.size = 2 * count}};
    r->key = malloc(s->runs * sizeof(*r->key));
    r->heap.member = malloc(count * sizeof(*r->heap.member));
    r->place = malloc(2 * (size_t)count * sizeof(*r->place));
    r->skyline.whole = malloc(nodes * sizeof(*r->skyline.whole));
    r->skyline.any = malloc(nodes * sizeof(*r->skyline.any));
    if (!r->key || !r->heap.member || !r->place || !r->skyline.whole || !r->skyline.any)
        return -1;
    r->heap.key = r->key;
    for (size_t i = 0; i < nodes; i++)
        r->skyline.whole[i] = r->skyline.any[i] = NO_TRACK;
    for (uint32_t i = 0; i < count; i++) {
        const struct run *run = &s->run[member[i]];
        r->key[member[i]] = rough_key(s, run);
        r->place[r->places++] = run->left;
        r->place[r->places++] = run->end;
        add_if_free(r, s, member[i]);
    }
    qsort(r->place, r->places, sizeof(*r->place), by_number);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->places; i++)
        if (i == 0 || r->place[i] != r->place[kept - 1])
            r->place[kept++] = r->place[i];
    r->places = kept;
    return 0;
}

static void rough_release(struct rough *r)
{
    free(r->key);
    free(r->heap.member);
    free(r->place);
    free(r->skyline.whole);
    free(r->skyline.any);
}

static int schedule_roughly(struct scheduler *s, const uint32_t *member, uint32_t count)
{
    struct rough r;
    int result = rough_init(&r, s, member, count);
    while (result == 0 && r.heap.count > 0) {
        struct run *run = &s->run[heap_take(&r.heap)];
        uint32_t from = place_of(&r, run->left), to = place_of(&r, run->end);
        int32_t highest = skyline_highest(&r.skyline, from, to);
        run->track = run->least > highest ? run->least : highest + 1;
        skyline_raise(&r.skyline, from, to, run->track);
        let_go(s, run);
        for (uint32_t i = run->near; i < run->near_end; i++)
            add_if_free(&r, s, s->facing[i]);
        add_if_free(&r, s, run->parent);
    }
    rough_release(&r);
    return result;
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
    struct reach *reach = malloc(((size_t)s->runs + 1) * sizeof(*reach));
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
    s->sum = malloc((exact + 1) * sizeof(*s->sum));
    s->gain = malloc((exact * exact + 1) * sizeof(*s->gain));
    if (!s->sum || !s->gain || sort_members(s, &count))
        return -1;
    for (uint32_t from = 0, to; from < count; from = to) {
        int32_t end = s->run[s->member[from]].end;
        for (to = from + 1; to < count && s->run[s->member[to]].left <= end; to++)
            if (end < s->run[s->member[to]].end)
                end = s->run[s->member[to]].end;
        int result = to - from <= CHANNEL_EXACT ? schedule_exactly(s, s->member + from, to - from)
                                                : schedule_roughly(s, s->member + from, to - from);
        if (result)
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
    for (uint32_t t = 0; t < c->trunks; t++)
        c->trunk[t].track = s->run[t].track;
    for (uint32_t d = 0; d < c->doglegs; d++)
        c->near[s->turned[d]].turn_track = s->run[c->trunks + d].track;
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
