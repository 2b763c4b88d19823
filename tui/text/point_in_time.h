/* A past state of the store as a person names it: by a time, or by the number of an event. */
#ifndef STEMMA_POINT_IN_TIME_H
#define STEMMA_POINT_IN_TIME_H

#include "model/base/strbuf.h"
#include "store/db/store.h"

struct point_in_time {
    int64_t seq;   /* the last event at that time; 0 if there was none yet */
    int64_t at;    /* the time of that event; if there is none, of the first event in the store */
    int64_t until; /* the time that was given, else the time of the event */
};

/*
 * Parses a time that clock_parse_when accepts ("2026-11-13 09:00", "2 days ago"), or "@123" for the state after event
 * 123. Returns -1 and sets ERROR_USAGE for any other text or an unknown event. `r` must read the present.
 */
int point_in_time_read(struct reader *r, const char *text, int64_t now, struct point_in_time *out,
                       struct error *e);
/* Appends "2026-11-13 09:00:00Z (event 123)", or "before the first event". */
void point_in_time_add(struct strbuf *out, const struct point_in_time *m);

#endif
