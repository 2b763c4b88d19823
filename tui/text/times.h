/*
 * Times as people read and write them: UTC, or local time with `times: local` in config.yaml. JSON, exports and what
 * agents are answered are UTC in any case (model/base/clock.h). Ages ("3w") do not depend on a zone.
 */
#ifndef STEMMA_TIMES_H
#define STEMMA_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/query/query.h"
#include "model/base/strbuf.h"
#include "store/db/store.h"

/* The zone is that of the process (TZ). */
void times_set_local(bool local);
/* What follows a time where the zone must be said: "Z", or nothing for local time. */
const char *times_zone(void);
/* The zone in words: "UTC" or "local time". */
const char *times_zone_name(void);
/* Writes "2026-11-20 10:42:16", or "unknown" for 0, which stands for a time that was not recorded. `size` is at least
 * 32. */
void times_format(char *out, size_t size, int64_t at);
/* Writes "2026-11-20T10:42:16.130", followed by times_zone: times_parse reads it back. `size` is at least 32. */
void times_format_iso(char *out, size_t size, int64_t at);
/* As clock_parse_when and clock_parse_future; a time without a zone is of that of the setting. */
int times_parse(const char *text, int64_t now, int64_t *ms);
int times_parse_future(const char *text, int64_t now, int64_t *ms);
/* For the times of a query. */
struct query_clock times_clock(int64_t now);

/* ---- a past state of the store, as a person names it ---- */

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

/* ---- how far long work is ---- */

struct strbuf;

/*
 * Appends "9 of 191 MiB, 4 %, 30 MiB/s, 6 s left" after `ms` of work, or "12 of 300, 4 %, 6 s left" if it does not
 * count bytes. `total` is 0 if not known.
 */
void progress_add(struct strbuf *out, int64_t done, int64_t total, bool is_bytes, int64_t ms);

#endif
