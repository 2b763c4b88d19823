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

#endif
