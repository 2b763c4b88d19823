/* Times are milliseconds since the epoch, UTC. This header converts them from and to the text
 * forms that people and other systems use. */
#ifndef STEMMA_CLOCK_H
#define STEMMA_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLOCK_DAY                INT64_C(86400000)     /* ms */
#define CLOCK_EARLIEST           INT64_C(946684800000) /* 2000-01-01 */
#define CLOCK_RETRIEVED_EARLIEST INT64_C(100000000000) /* 1973-03-03 */

/*
 * Reads ISO 8601: "2026-02-01T00:55:39.130963+00:00", "…Z", no zone (means UTC), a space for the T,
 * a bare date, a basic offset (+0530). Truncates a fraction to ms. A leap second (":60") is read as
 * the first second of the next minute. Returns -1 if the text has another form or names no valid
 * day.
 */
int clock_parse_iso(const char *text, int64_t *ms);
/*
 * Reads a time as a person types it: what clock_parse_iso reads (a bare date means midnight UTC),
 * "now", "today", "yesterday", "tomorrow", ms since the epoch (12 digits or more, as JSON has them),
 * an age before `now` ("2 days ago", "an hour ago", "90 min", "3w", "5mo"; a month is 30 days, a
 * year 365), or a weekday ("last tuesday": midnight UTC of the latest one before today). Returns -1 for other text, or
 * if the year is not 0000 to 9999.
 */
int clock_parse_when(const char *text, int64_t now, int64_t *ms);
/* Like clock_parse_when, but a length counts forward from `now`: "10m", "+2h", "in 3 days". */
int clock_parse_future(const char *text, int64_t now, int64_t *ms);
/* Writes "2026-02-01T00:55:39.130Z". `size` must be at least 32. A year beyond four digits is
 * written with a sign and at least six digits; clock_parse_iso does not read that form. */
void clock_format_iso(char *out, size_t size, int64_t ms);
/* A short age for a column: "now", "41s", "5m", "2h", "3d", "3w", "5mo", "2y", or "in 3d" for a
 * future time. Rounds down; less than a second either way is "now". `size` must be at least 32. */
void clock_format_age(char *out, size_t size, int64_t ms, int64_t now);
/* The same in four columns, for lists: "+3d" for a future time, in weeks up to a year. */
void clock_format_age_brief(char *out, size_t size, int64_t ms, int64_t now);
/* How many ms the text of clock_format_age stays the same, at most to the next full day. *unit
 * is how long each text after that lasts: a second, a minute, an hour or a day. */
int64_t clock_age_valid_for(int64_t ms, int64_t now, int64_t *unit);
/* Is the time before 2000, or more than a day after `now`? Then it is probably wrong, for
 * example seconds in place of ms. */
bool clock_is_suspect(int64_t ms, int64_t now);
/* The same for a retrieval time, which may be much older: only a number so small that it must be
 * in seconds is suspect. */
bool clock_retrieval_is_suspect(int64_t ms, int64_t now);

#endif
