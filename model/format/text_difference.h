/*
 * What differs between two texts, by words, as a person reads it: what stayed, what went and what came.
 */
#ifndef STEMMA_TEXT_DIFFERENCE_H
#define STEMMA_TEXT_DIFFERENCE_H

#include <stddef.h>
#include "model/base/arena.h"

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
 * differs is one change as a whole. Returns 0.
 */
#define TEXT_EDITS_MOST 1000
int text_difference(const char *before, const char *after, struct arena *arena,
                    struct text_run **out, size_t *count);

#endif
