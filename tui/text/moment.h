/* A moment of the store's past as a person names it: a time, or an event by its number. */
#ifndef STEMMA_MOMENT_H
#define STEMMA_MOMENT_H

#include "model/base/strbuf.h"
#include "store/db/store.h"

struct moment {
    int64_t seq;   /* the last event by then; 0: there was none yet */
    int64_t at;    /* its time; of none: of the first event there is */
    int64_t until; /* the time that was named, else the event's */
};

/*
 * "2026-11-13 09:00", "2 days ago" and whatever else clock_parse_when reads, or "@123": when event
 * 123 had been made. ERROR_USAGE for what is neither, and for an event that there is not. `r` reads
 * the present.
 */
int moment_read(struct reader *r, const char *text, int64_t now, struct moment *out,
                struct error *e);
/* "event 123, 2026-11-13 09:00:00Z", or "before the first event". */
void moment_add(struct strbuf *out, const struct moment *m);

#endif
