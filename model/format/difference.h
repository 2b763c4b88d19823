/*
 * The difference between two states of a memory, and between two texts, for a person to read.
 */
#ifndef STEMMA_DIFFERENCE_H
#define STEMMA_DIFFERENCE_H

#include <stddef.h>
#include "model/base/arena.h"
#include "model/memory/memory.h"

struct difference {
    const char *field; /* "text", "confidence", "tags", "justifications", "detail.outcome" */
    /* NULL if absent. For an element of a list one of the two is NULL. */
    const char *before, *after;
};
/*
 * Lists the differences in the order of the JSON of a memory, one for each field or list element that
 * changed, in the arena. Either memory may be NULL; then all fields of the other differ. Numbers
 * are written as in the JSON of a memory, times in ms. version and updated_at are left out. Texts are
 * unchanged, control characters included. A member of the detail is a field: a string without
 * quotes, other values as JSON; its name is escaped as in JSON. Elements of other lists are written
 * in words:
 *
 *   justifications  "derived_from all of raw:a, raw:b (migrated): reason", or
 *                   "derived_from nothing" if it is empty
 *   relations       "contradicts belief:x: reason"
 *   history         "0.700 → 0.713 (reason), by episode:e"; an event of another system begins with
 *                   its operation; what it wrote follows as the field "written"
 *   marks (flags)   "for_review = value by ash: reason"
 *
 * If several equal elements were removed or added, each has a line. O(n log n).
 */
void memory_difference(const struct memory *before, const struct memory *after, struct arena *arena,
                       struct difference **out, size_t *count);
/* The same for a viewer from whom some texts are hidden: each text that is put into words is
 * replaced by what `see` returns for it (NULL on failure). Texts that are a field of their own
 * are not passed to `see`. */
typedef const char *difference_see(void *arg, const char *text);
void memory_difference_seen(const struct memory *before, const struct memory *after,
                            struct arena *arena, difference_see *see, void *arg,
                            struct difference **out, size_t *count);

/*
 * The difference between two texts, word by word: which runs are the same, removed and added.
 */
enum text_run_kind {
    RUN_SAME = 0,
    RUN_REMOVED, /* comes before the added run that replaces it */
    RUN_ADDED
};
struct text_run {
    enum text_run_kind kind;
    const char *text; /* a slice of `after` if added, otherwise of `before` */
    size_t len;       /* > 0 */
};

/*
 * Lists the runs in order, in the arena. Neighbours differ in kind. Without the added runs they are
 * `before`, without the removed ones `after`. A token is a word, a run of blanks, a line break, a
 * sign, or a character of a script without spaces; combining marks stay with their base character.
 * A few equal words between longer changes count as changed, since they match by chance.
 *
 * Finds the shortest edit script (Myers 1986) in O(words · changes). If it is longer than
 * TEXT_EDITS_MOST, the whole differing part is one change.
 */
#define TEXT_EDITS_MOST 1000
void text_difference(const char *before, const char *after, struct arena *arena,
                     struct text_run **out, size_t *count);

#endif
