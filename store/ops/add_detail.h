/* The fields that the detail of each kind has. For store/ alone. */
#ifndef STEMMA_ADD_DETAIL_H
#define STEMMA_ADD_DETAIL_H

#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/memory/memory.h"

/*
 * Checks what a caller gives as detail: a JSON object, of a kind with known fields those alone and of
 * their types. *out is the object minified, in the arena, or NULL for none. ERROR_INVALID names the
 * field that is wrong.
 */
int add_detail(const char **out, struct arena *arena, enum kind kind, const char *json,
               struct error *e);

/*
 * Is the place that a line of an import says one: a step's step_number, a citation's page? Each, where it is
 * there and not null, is a whole number from 0 on. ERROR_INVALID otherwise. Other fields are kept as they are.
 */
int add_detail_check_place(enum kind kind, const char *detail, struct error *e);

/* Sets belief_type or note_type where `detail` (NULL: none) has none: fact, note. -1 where memory ran out. */
int add_detail_type(const char **detail, struct arena *arena, enum kind kind);

/* Says the key of an entry that has none: it is its text, of valid UTF-8. -1: memory ran out. */
int add_detail_key(const char **detail, struct arena *arena, enum kind kind, const char *text);

#endif
