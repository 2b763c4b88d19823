#include "store/guard/guard_entries.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "store/db/column.h"
#include "store/db/db.h"
#include "store/guard/guard_rules.h"
#include "store/db/reader.h"

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

void guard_entry_learn(struct reader *r, int64_t node, const struct known_entry *what)
{
    struct known_entry now = *what;
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

/* Looks through the namespaces behind the last one that was, until one may be listed. */
static int look_on(struct reader *r, struct guard_listing *l, struct error *e)
{
    const struct guard *g = reader_guarded(r);
    struct db *db = reader_db(r);
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT id, name FROM namespace WHERE id > ? ORDER BY id", e);
    int more = stmt ? db_bind(db, stmt, e, "i", l->last) : -1;
    for (; more > 0 && !l->any; more = db_step(db, stmt, e)) {
        const char *name = (const char *)sqlite3_column_text(stmt, 1);
        l->any = !name || permission_reads(&g->rules->permissions, g->agent, name, MET_IN_LIST);
        l->last = sqlite3_column_int64(stmt, 0);
    }
    if (stmt)
        sqlite3_reset(stmt);
    return more < 0 ? -1 : 0;
}

/* A namespace stays once it is there, so that what was found of it holds for as long as the caller does; but what a
 * transaction of the writer's has added may go again. */
bool guard_lists_entries(struct reader *r)
{
    struct error ignored;
    struct guard_known *known = reader_guard_known(r);
    struct guard_listing *l = &known->listing;
    guard_stamp(r);
    if (l->caller != known->stamp.number || (!l->asked && !reader_keeps(r)))
        *l = (struct guard_listing){.caller = known->stamp.number};
    if (!l->asked && !l->any && look_on(r, l, &ignored))
        return true;
    l->asked = true;
    return l->any;
}

void guard_entries_free(struct known_entry *all)
{
    free(all);
}
