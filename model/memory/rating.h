/*
 * A person's word on a source of a step: a mark `rating` on the step whose value is "document:ID
 * WORD", so that a step has one for each of its sources and person. A rating of a memory as a whole
 * has no ref: "0.9".
 */
#ifndef STEMMA_RATING_H
#define STEMMA_RATING_H

#include <stdbool.h>
#include "model/memory/ref.h"

struct arena;
struct memory;
struct mark;

#define RATING_RELEVANT   "relevant"
#define RATING_IRRELEVANT "irrelevant"

/* The ref that a rating's value begins with and the word after its last space, both in the arena;
 * false: it is of the memory as a whole, or memory ran out. `value` may be NULL. */
bool rating_parse(const char *value, struct arena *arena, struct ref *of, const char **word);
/* The latest mark that rates that source in the step, of equal times the last; NULL: none. */
const struct mark *rating_of(const struct memory *step, struct ref source, struct arena *arena);

#endif
