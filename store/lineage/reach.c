#include "store/lineage/reach.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "store/lineage/around.h"
#include "store/lineage/kept_reach.h"
#include "store/db/reader.h"

#define NOT_AGAIN UINT64_MAX
/* Who passes so many one by one is kept for those who come upon it. */
#define KEPT_FROM 512
/* Between two looks at a limit; two take about as long as a step of SQLite's. */
#define STEPS 1024
/* Words that may be swept over for each row that is reached, and some besides. */
#define SWEPT_EACH 16
#define SWEPT_SOME 65536

void reach_release(struct reach *reach)
{
    for (size_t i = 0; reach->block && i < reach->blocks; i++)
        free(reach->block[i]);
    free(reach->block);
    free(reach->back);
    *reach = (struct reach){.block = NULL};
}

/* ---- places: how far a row is from the first, the way of the sweep ---- */

static uint64_t place_of(const struct reach *reach, int64_t row)
{
    return (uint64_t)(reach->direction == ANCESTORS ? reach->top - row : row - 1);
}

static int64_t row_at(const struct reach *reach, uint64_t place)
{
    return reach->direction == ANCESTORS ? reach->top - (int64_t)place : (int64_t)place + 1;
}

bool reach_has(const struct reach *reach, int64_t row)
{
    uint64_t place = place_of(reach, row);
    const uint64_t *block = reach->block[place / REACH_ROWS];
    return block && block[place / 64 % REACH_WORDS] >> place % 64 & 1;
}

/* The block of a place, empty where nothing was reached there so far; NULL: memory ran out. */
static uint64_t *block_at(struct reach *reach, size_t number)
{
    uint64_t **block = &reach->block[number];
    if (!*block)
        *block = xcalloc(2 * REACH_WORDS, sizeof(**block));
    return *block;
}

static int mark(struct reach *reach, int64_t row, uint64_t from, struct error *e)
{
    if (row < 1 || row > reach->rows)
        return reader_damaged(e, "a link", row);
    uint64_t place = place_of(reach, row), bit = UINT64_C(1) << place % 64;
    uint64_t *block = block_at(reach, place / REACH_ROWS);
    if (!block)
        return around_no_memory(e);
    uint64_t *word = &block[place / 64 % REACH_WORDS];
    if (*word & bit)
        return 0;
    *word |= bit;
    reach->count++;
    if (place > reach->last)
        reach->last = place;
    if (place / 64 < from / 64 && place < reach->again)
        reach->again = place;
    return 0;
}

/* ---- links ---- */

static int leads_back(struct reach *reach, int64_t memory, struct error *e)
{
    if (reach->back_count && reach->back[reach->back_count - 1] == memory)
        return 0;
    if (!array_grow((void **)&reach->back, &reach->back_alloc, reach->back_count,
                    sizeof(*reach->back)))
        return around_no_memory(e);
    reach->back[reach->back_count++] = memory;
    return 0;
}

static int pass_memory(struct reach *reach, struct links_walk *w, uint64_t place, struct error *e)
{
    struct links l;
    unsigned shape;
    size_t count;
    int64_t row = row_at(reach, place);
    if (links_of(w, row, &l, e))
        return -1;
    while (links_group(&l, &shape, &count))
        while (count-- > 0) {
            int64_t target = links_next(&l);
            if (target >= row && l.circle != 0 && leads_back(reach, row, e))
                return -1;
            if (mark(reach, target, place, e))
                return -1;
        }
    return 0;
}

static int pass_users(struct reach *reach, struct links_walk *w, uint64_t place, struct error *e)
{
    struct users users;
    int64_t row = row_at(reach, place);
    if (links_users(w, row, &users, e))
        return -1;
    for (int64_t user; (user = links_user(&users));) {
        if ((user <= row && leads_back(reach, user, e)) || mark(reach, user, place, e))
            return -1;
    }
    return 0;
}

/* ---- what is known ---- */

static void take_block(struct reach *reach, uint64_t *block, const struct reach_block *known)
{
    for (size_t i = 0; i < REACH_WORDS; i++) {
        uint64_t new = known->bits[i] & ~block[i];
        if (new)
            reach->count += (size_t)__builtin_popcountll(new);
        block[i] |= known->bits[i];
        block[i + REACH_WORDS] |= known->bits[i];
    }
}

/* All of it is reached, and needs not to be passed. */
static int take_set(struct reach *reach, const struct reach_set *s, struct error *e)
{
    for (size_t i = 0; i < s->blocks; i++) {
        uint64_t *block = block_at(reach, s->block[i].number);
        if (!block)
            return around_no_memory(e);
        take_block(reach, block, &s->block[i]);
    }
    for (size_t i = 0; i < s->back_count; i++)
        if (leads_back(reach, s->back[i], e))
            return -1;
    if (s->last > reach->last)
        reach->last = s->last;
    return 0;
}

/* ---- sweeps ---- */

static int pass(struct reach *reach, struct links_walk *w, uint64_t place, struct error *e)
{
    const struct reach_set *known =
        w->reach ? kept_reach_set(w, reach, row_at(reach, place)) : NULL;
    if (known)
        return take_set(reach, known, e);
    reach->passed++;
    return reach->direction == ANCESTORS ? pass_memory(reach, w, place, e)
                                         : pass_users(reach, w, place, e);
}

/* The rows of a word that were reached, among them those that are only while it is passed. */
static int pass_word(struct reach *reach, struct links_walk *w, uint64_t number, struct error *e)
{
    uint64_t *word = &reach->block[number / REACH_WORDS][number % REACH_WORDS],
             *passed = word + REACH_WORDS;
    for (uint64_t left; (left = *word & ~*passed);) {
        *passed |= left & -left;
        if (pass(reach, w, number * 64 + (uint64_t)__builtin_ctzll(left), e))
            return -1;
    }
    return 0;
}

/* From that place to the furthest. */
static int sweep(struct reach *reach, struct links_walk *w, struct reader *r, uint64_t from,
                 size_t *swept, struct error *e)
{
    size_t told = reach->count;
    for (uint64_t number = from / 64; number <= reach->last / 64; number++, (*swept)++) {
        if (!reach->block[number / REACH_WORDS]) {
            number |= REACH_WORDS - 1;
            continue;
        }
        if (pass_word(reach, w, number, e))
            return -1;
        if (reach->count - told < STEPS)
            continue;
        if (reader_spend(r, (int64_t)(reach->count - told) / 2, e))
            return -1;
        told = reach->count;
    }
    return reader_spend(r, (int64_t)(reach->count - told) / 2 + 1, e);
}

int reach_from(struct reach *reach, struct links_walk *w, struct reader *r, int64_t row,
               enum direction direction, struct error *e)
{
    size_t swept = 0;
    *reach = (struct reach){.direction = direction, .rows = w->rows, .again = NOT_AGAIN};
    reach->blocks = (size_t)w->rows / REACH_ROWS + 1;
    reach->top = (int64_t)(reach->blocks * REACH_ROWS) - 1;
    reach->block = xcalloc(reach->blocks, sizeof(*reach->block));
    if (!reach->block)
        return around_no_memory(e);
    if (mark(reach, row, 0, e))
        return -1;
    for (uint64_t from = place_of(reach, row); from != NOT_AGAIN; from = reach->again) {
        reach->again = NOT_AGAIN;
        if (sweep(reach, w, r, from, &swept, e))
            return -1;
        if (swept > SWEPT_EACH * reach->count + SWEPT_SOME)
            return 0;
    }
    if (w->reach && reach->passed >= KEPT_FROM)
        kept_reach_keep(w, reach, row);
    return 1;
}
