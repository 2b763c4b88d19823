#include "tui/text/times.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "model/base/clock.h"

static atomic_bool is_local; /* a worker reads it */

void times_set_local(bool local)
{
    is_local = local;
    tzset();
}

const char *times_zone(void)
{
    return is_local ? "" : "Z";
}

const char *times_zone_name(void)
{
    return is_local ? "local time" : "UTC";
}

/* How far local time is ahead of UTC at that time, in ms. */
static int64_t ahead(int64_t at)
{
    time_t seconds = (time_t)(at / 1000);
    struct tm tm;
    return is_local && localtime_r(&seconds, &tm) ? (int64_t)tm.tm_gmtoff * 1000 : 0;
}

void times_format_iso(char *out, size_t size, int64_t at)
{
    char iso[40];
    clock_format_iso(iso, sizeof(iso), at + ahead(at));
    snprintf(out, size, "%.*s%s", (int)strcspn(iso, "Z"), iso, times_zone());
}

void times_format(char *out, size_t size, int64_t at)
{
    char iso[40];
    times_format_iso(iso, sizeof(iso), at);
    iso[strcspn(iso, "T")] = ' ';
    snprintf(out, size, "%.*s", (int)strcspn(iso, "."), iso); /* without milliseconds */
    if (at == 0)
        snprintf(out, size, "unknown");
}

/* Whether it names its zone, as "10:42Z" and "10:42+01:00" do, or is a number of ms. */
static bool has_zone(const char *text)
{
    const char *colon = strchr(text, ':');
    return colon ? strpbrk(colon, "Zz+-") != NULL : text[strspn(text, "0123456789")] == '\0';
}

/* Reads it as if local time were UTC, then moves it. */
static int parse(int (*read)(const char *text, int64_t now, int64_t *ms), const char *text,
                 int64_t now, int64_t *ms)
{
    int64_t wall;
    if (!is_local || has_zone(text))
        return read(text, now, ms);
    if (read(text, now + ahead(now), &wall))
        return -1;
    *ms = wall - ahead(wall - ahead(wall));
    return 0;
}

int times_parse(const char *text, int64_t now, int64_t *ms)
{
    return parse(clock_parse_when, text, now, ms);
}

int times_parse_future(const char *text, int64_t now, int64_t *ms)
{
    return parse(clock_parse_future, text, now, ms);
}

struct query_clock times_clock(int64_t now)
{
    return (struct query_clock){now, times_parse};
}
