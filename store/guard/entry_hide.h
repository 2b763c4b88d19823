/*
 * The value of an entry that has expired is shown to nobody any more, from that instant on and whether it was
 * swept or not: not as it is, not as it was, in none of its versions. That of one that was deleted is shown so to no
 * agent, but to a person, who may restore it. For store/ alone.
 */
#ifndef STEMMA_ENTRY_HIDE_H
#define STEMMA_ENTRY_HIDE_H

#include "store/db/store.h"

/*
 * Takes the value out of `m`, which is the memory of that row now or at any time, where that version or the
 * present one has expired, and where the present one is deleted and the reader has a guard; what it takes it out
 * of is a copy in the arena. A reader of the writer's connection sees all of it, for what it reads is written
 * again. -1 where memory ran out.
 */
int entry_hide(struct reader *r, struct arena *arena, struct memory *m, struct error *e);

/* The same of the detail of a row, which may be of any kind: in the arena where anything was taken out of it. */
int entry_hide_detail(struct reader *r, struct arena *arena, int64_t node, const char **detail,
                      struct error *e);

/* As memory_read, with what has expired: for a walk from the present back. */
int memory_read_whole(struct reader *r, struct arena *arena, int64_t node, struct memory *out,
                      struct error *e);

#endif
