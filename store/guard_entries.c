#include "guard_entries.h"

#include <stdlib.h>
#include "../model/alloc.h"
#include "column.h"
#include "db.h"
#include "reader.h"

#define KEPT 1024 /* an entry has one place: what falls on it later takes it over */

/* The place of the entry, and at which moment and for whom the reader reads; NULL: nothing is kept. */
static struct known_entry *place_of(struct reader *r, int64_t node, struct known_entry *now)
{
    struct error ignored;
    struct guard_known *known = reader_guard_known(r);
    if (!reader_guarded(r) || !reader_keeps(r) || sqlite3_get_autocommit(db_handle(reader_db(r))) ||
        reader_moment(r, &now->seq, &ignored))
        return NULL;
    if (!known->entries)
        known->entries = xcalloc(KEPT, sizeof(*known->entries));
    guard_stamp(r);
    now->node = node;
    now->caller = known->stamp.number;
    return &known->entries[(uint64_t)node % KEPT];
}

struct known_entry *guard_entry_known(struct reader *r, int64_t node)
{
    struct known_entry now, *k = place_of(r, node, &now);
    bool stands = k && k->node == node && k->seq == now.seq && k->caller == now.caller;
    return stands ? k : NULL;
}

void guard_entry_learn(struct reader *r, int64_t node, enum sight sight, bool is_masked)
{
    struct known_entry now = {.sight = sight, .is_masked = is_masked};
    struct known_entry *k = place_of(r, node, &now);
    if (k)
        *k = now;
}

void guard_entry_learn_other(struct reader *r, int64_t node)
{
    struct known_entry now = {.is_other = true};
    struct known_entry *k = place_of(r, node, &now);
    if (k)
        *k = now;
}

void guard_entries_free(struct known_entry *all)
{
    free(all);
}
