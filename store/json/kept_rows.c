#include "store/json/kept_rows.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/db/reader.h"

#define EVENTS_MAX  4096 /* after more than that nothing is looked through: all is given up */
#define BITS_A_SLOT 4
#define IN_HEAP     16 /* bytes that a piece of the heap takes beside what it holds, about */

void kept_rows_init(struct kept_rows *k, size_t slots, size_t bytes_max)
{
    *k = (struct kept_rows){.slots = slots,
                            .bytes_max = bytes_max,
                            .met = xcalloc(slots * BITS_A_SLOT / 64, sizeof(*k->met)),
                            .slot = xcalloc(slots, sizeof(*k->slot))};
    pthread_mutex_init(&k->lock, NULL);
}

static void empty(struct kept_rows *k, struct kept_rows_slot *slot)
{
    k->bytes -= slot->kept ? slot->kept->size + IN_HEAP : 0;
    free(slot->kept);
    *slot = (struct kept_rows_slot){0, NULL};
}

static void empty_all(struct kept_rows *k)
{
    for (size_t i = 0; i < k->slots && k->bytes > 0; i++)
        empty(k, &k->slot[i]);
}

void kept_rows_release(struct kept_rows *k)
{
    empty_all(k);
    pthread_mutex_destroy(&k->lock);
    free(k->met);
    free(k->slot);
}

static struct kept_rows_slot *set_of(const struct kept_rows *k, int64_t row)
{
    return &k->slot[((uint64_t)row & (k->slots / KEPT_ROWS_WAYS - 1)) * KEPT_ROWS_WAYS];
}

/* NULL: nothing is kept of the row. */
static struct kept_rows_slot *slot_of(const struct kept_rows *k, int64_t row)
{
    struct kept_rows_slot *set = set_of(k, row);
    for (struct kept_rows_slot *slot = set; slot < set + KEPT_ROWS_WAYS; slot++)
        if (slot->kept && slot->row == row)
            return slot;
    return NULL;
}

struct kept_row *kept_rows_at(const struct kept_rows *k, int64_t row)
{
    const struct kept_rows_slot *slot = slot_of(k, row);
    return slot ? slot->kept : NULL;
}

/* Gives up the subjects of the events since then. */
static int drop_changed(struct kept_rows *k, struct db *db, struct error *e)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT subject FROM event WHERE seq > ? AND subject IS NOT NULL", e);
    int more = stmt ? db_bind(db, stmt, e, "i", k->seq) : -1;
    for (; more > 0; more = db_step(db, stmt, e)) {
        struct kept_rows_slot *slot = slot_of(k, sqlite3_column_int64(stmt, 0));
        if (slot)
            empty(k, slot);
    }
    return more;
}

/* Brings it to the reader's moment: 1; 0: it is ahead of it. */
static int bring_to(struct kept_rows *k, struct reader *r, int64_t seq, struct error *e)
{
    if (k->seq >= seq)
        return k->seq == seq;
    if (k->bytes > 0 && seq - k->seq > EVENTS_MAX)
        empty_all(k);
    if (k->bytes > 0 && drop_changed(k, reader_db(r), e))
        return -1;
    k->seq = seq;
    return 1;
}

int kept_rows_find(struct kept_rows *k, struct reader *r, int64_t seq, int64_t row,
                   struct kept_row **out, struct error *e)
{
    int current = bring_to(k, r, seq, e);
    *out = current > 0 ? kept_rows_at(k, row) : NULL;
    return current < 0 ? -1 : *out != NULL;
}

/* Which gives way next, out of so many, a power of two: any of them (Knuth's generator of MMIX). In an order of their own
 * it would often be what is asked for next, and of more rows in turn than there is room for none would be found. */
static size_t next_victim(struct kept_rows *k, size_t count)
{
    k->random = k->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return k->random >> 33 & (count - 1);
}

/* The row's, or a free one, or one that is made free. */
static struct kept_rows_slot *place_for(struct kept_rows *k, int64_t row)
{
    struct kept_rows_slot *place = slot_of(k, row), *set = set_of(k, row);
    for (struct kept_rows_slot *slot = set; slot < set + KEPT_ROWS_WAYS && !place; slot++)
        if (!slot->kept)
            place = slot;
    if (!place)
        place = &set[next_victim(k, KEPT_ROWS_WAYS)];
    empty(k, place);
    return place;
}

/* Few others have the same bit: all are forgotten when as many were met as there are slots. */
static bool was_met(struct kept_rows *k, int64_t row)
{
    size_t bit =
        ((uint64_t)row * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (k->slots * BITS_A_SLOT - 1);
    uint64_t *word = &k->met[bit / 64], mask = UINT64_C(1) << bit % 64;
    if (*word & mask)
        return true;
    if (k->met_count++ == k->slots) {
        memset(k->met, 0, k->slots * BITS_A_SLOT / 8);
        k->met_count = 1;
    }
    *word |= mask;
    return false;
}

struct kept_row *kept_rows_add(struct kept_rows *k, int64_t seq, int64_t row, size_t size)
{
    struct kept_row *kept = k->seq == seq && was_met(k, row) ? xmalloc(size) : NULL;
    if (!kept)
        return NULL;
    struct kept_rows_slot *place = place_for(k, row);
    while (k->bytes > 0 && k->bytes + size + IN_HEAP > k->bytes_max)
        empty(k, &k->slot[next_victim(k, k->slots)]);
    kept->size = (uint32_t)size;
    *place = (struct kept_rows_slot){row, kept};
    k->bytes += size + IN_HEAP;
    return kept;
}
