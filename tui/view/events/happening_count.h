/* How many happenings there are in all, which is told while no more than a page of them was read. */
#ifndef STEMMA_HAPPENING_COUNT_H
#define STEMMA_HAPPENING_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct happening_list;

struct happening_count {
    size_t there;  /* whatever a pattern leaves of them */
    bool known;    /* else `there` is nothing yet */
    bool part;     /* of a part of them, which is known once all of it was looked at */
    size_t since;  /* so many of them came after the list was begun */
    size_t looked; /* so many were looked at, from the newest on */
    bool whole;    /* all were: then what comes is added, and what is read again is not */
};

/* The list begins behind these rows of the two logs: the worker counts what is up to them, unless a part is wanted. */
void happening_count_begin(struct happening_list *l, int64_t seq, int64_t call);
/* So many more were looked at, of what is newer or on the way back; with `ended` there is nothing older. */
void happening_count_looked(struct happening_count *c, size_t seen, bool back, bool ended);

#endif
