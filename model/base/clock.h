/* Times: ms since the epoch, UTC, and the texts that people and other systems write them in. */
#ifndef STEMMA_CLOCK_H
#define STEMMA_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * ISO 8601: "2026-02-01T00:55:39.130963+00:00", "…Z", a naive one (UTC), a space for the T, a bare
 * date, a basic offset (+0530). A fraction is cut to ms (floor). -1: not one, or no such day. A leap
 * second is the first of the next minute.
 */
int clock_parse_iso(const char *text, int64_t *ms);
/*
 * A time as a person types it: what clock_parse_iso reads (of a bare date its first moment, UTC), "now",
 * "today", "yesterday", ms since the epoch (12 digits or more, as JSON has them), or how long before `now`:
 * "2 days ago", "an hour ago", "90 min", "3w", "5mo". A month is 30 days there, a year 365. -1: not one,
 * or of no year from 0000 to 9999.
 */
int clock_parse_when(const char *text, int64_t now, int64_t *ms);
/* The same of a time to come, of which a length says how long after `now`: "10m", "+2h", "in 3 days"; also
 * "tomorrow". -1: not one. */
int clock_parse_coming(const char *text, int64_t now, int64_t *ms);
/* "2026-02-01T00:55:39.130Z"; `size` at least 32. A year beyond four digits has a sign and six or more,
 * which clock_parse_iso does not read. */
void clock_format_iso(char *out, size_t size, int64_t ms);
/* For a column: "now", "41s", "5m", "2h", "3d", "3w", "5mo", "2y"; "in 3d" when in the future.
 * Rounded down; less than a second either way is now. `size` at least 32. */
void clock_format_age(char *out, size_t size, int64_t ms, int64_t now);
/* How many ms it says the same of it, and in `*unit` how many each of what comes next does; of more than a day what
 * days say. */
int64_t clock_age_stands(int64_t ms, int64_t now, int64_t *unit);
/* Is it before 2000 or more than a day after `now`: a time that someone got wrong? */
#define CLOCK_EARLIEST INT64_C(946684800000)
#define CLOCK_DAY      INT64_C(86400000)
bool clock_is_suspect(int64_t ms, int64_t now);
/* The same of when something was retrieved, which may be longer ago: of a number so small that seconds were given. */
#define CLOCK_RETRIEVED_EARLIEST INT64_C(100000000000)
bool clock_retrieval_is_suspect(int64_t ms, int64_t now);

#endif
