/*
 * How many calls a session makes in a second of late: those of the last PACE_SECONDS.
 *
 * Its row says how many there were, and when the last one was; it is written within a second of a call and looked at
 * half a second after that. Between two looks at such a row its calls are taken to be spread evenly over the second
 * before the last of them. Where the last call may not have been told yet the seconds end with the last that was, else
 * now: so a steady pace is told as a steady one, and who stopped has none PACE_SECONDS later.
 */
#ifndef STEMMA_PACE_H
#define STEMMA_PACE_H

#include <stdint.h>

#define PACE_SECONDS 5
#define PACE_SPELLS  16 /* as many looks as those seconds have, and one that began before */

/* All times are ms since the epoch, by the clock of the rows. */
struct pace {
    int64_t calls, seen_at; /* as the row said last */
    int64_t since;          /* what was before is not known */
    struct spell {
        int64_t from, to, calls; /* so many after the one and up to the other */
    } spell[PACE_SPELLS];        /* the oldest gives way */
    unsigned next;
};

/* Of a session that is met: one that began within those seconds has made all its calls in them; when an older one made
 * them is not known. */
struct pace pace_begin(int64_t started_at, int64_t seen_at, int64_t calls, int64_t now);
/* Its row as it is by now. */
void pace_add(struct pace *p, int64_t seen_at, int64_t calls);
/* Calls a second; 0 where there were none, or where it is not known yet. */
double pace_at(const struct pace *p, int64_t now);

#endif
