/*
 * What differs between two states of a memory, as a person reads it: a line for each field or
 * element of a list that changed.
 */
#ifndef STEMMA_DIFFERENCE_H
#define STEMMA_DIFFERENCE_H

#include <stddef.h>
#include "model/base/arena.h"
#include "model/memory/memory.h"

struct difference {
    const char *field; /* "text", "confidence", "tags", "justifications", "detail.outcome" */
    const char *before, *after; /* NULL: absent. Of a list one element: one of them is NULL */
};
/*
 * In the order of the exchange form, in the arena; either memory may be NULL (then all fields of
 * the other). Numbers as the exchange form writes them, times in ms; version and updated_at are
 * left out. Texts as they are, control characters too. A member of the detail is a field, its
 * string without quotes, other values as JSON; its name is escaped as in JSON. Elements of the
 * other lists are put in words:
 *
 *   justifications  "derived_from all of raw:a, raw:b (migrated): reason"; of an empty one
 *                   "derived_from nothing"
 *   relations       "contradicts belief:x: reason"
 *   history         "0.700 → 0.713 (reason), by episode:e"; what another system kept begins with its operation
 *   marks           "for_review = value by ash: reason"
 *
 * Of equal ones that were removed and added each is a line. O(n log n).
 */
void memory_difference(const struct memory *before, const struct memory *after, struct arena *arena,
                       struct difference **out, size_t *count);
/* The same for somebody who may not see each text as it is: what is put in words is what `see` makes of each (NULL: it
 * failed, as memory that ran out); what stands by itself is as it is. */
typedef const char *difference_see(void *arg, const char *text);
void memory_difference_seen(const struct memory *before, const struct memory *after,
                            struct arena *arena, difference_see *see, void *arg,
                            struct difference **out, size_t *count);

/*
 * What differs between two texts, by words, as a person reads it: what stayed, what went and what came.
 */

enum text_run_kind {
    RUN_SAME = 0,
    RUN_REMOVED, /* before an added one that took its place */
    RUN_ADDED
};
struct text_run {
    enum text_run_kind kind;
    const char *text; /* a slice of `after` where it was added, else of `before` */
    size_t len;       /* > 0 */
};

/*
 * The runs in their order, in the arena; no two of a kind follow each other. Those that are not added make
 * `before`, those that are not removed `after`. A word is a token, as is a run of blanks, a line break, a sign, and a
 * character of scripts without spaces; marks stay with what they combine with. A few words between longer changes
 * count as changed, for they are there by chance.
 *
 * The shortest edit script (Myers 1986), O(words · changes); where it is longer than TEXT_EDITS_MOST what
 * differs is one change as a whole.
 */
#define TEXT_EDITS_MOST 1000
void text_difference(const char *before, const char *after, struct arena *arena,
                     struct text_run **out, size_t *count);

#endif
