/* Times as people read and write them, and how far long work is. */
#include "tui/text/times.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "model/base/clock.h"
#include "store/journal/journal.h"
#include "store/team/team.h"
#include "store/history/past.h"
#include "model/base/strbuf.h"

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

/* ---- a past state of the store ---- */

/* The number after the @, or -1 if it is no number. */
static int64_t read_number(const char *text)
{
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno ? number : -1;
}

static int find_event(struct reader *r, const char *text, struct point_in_time *out,
                      struct error *e)
{
    int64_t last = journal_last(r, e), own = text[1] == '~' ? team_provisional(r, last) : 0;
    out->seq = read_number(text + 1 + (own > 0));
    if (last < 0)
        return -1;
    if (own && out->seq > 0) /* @~3: the third event that the team does not have */
        out->seq += last - own;
    if (out->seq < 0)
        return error_set(e, ERROR_USAGE,
                         "Write it as @123; `stemma history REF` shows the numbers.",
                         "'%.80s' is not the number of an event", text);
    if (out->seq > last)
        return error_set(e, ERROR_USAGE, "stemma log shows them.",
                         "there is no event %lld: the last one is %lld", (long long)out->seq,
                         (long long)last);
    return 0;
}

static int find_time(struct reader *r, const char *text, int64_t now, struct point_in_time *out,
                     struct error *e)
{
    if (times_parse(text, now, &out->until))
        return error_set(
            e, ERROR_USAGE,
            "Give a date, ISO 8601, how long ago (2 days ago), yesterday, last week, or an "
            "event (@123).",
            "'%.80s' is not a time", text);
    if (out->until > now)
        return error_set(e, ERROR_USAGE, "Give a time in the past, or now.", "'%.80s' is not yet",
                         text);
    return past_event_at(r, out->until, &out->seq, e);
}

int point_in_time_read(struct reader *r, const char *text, int64_t now, struct point_in_time *out,
                       struct error *e)
{
    /* On the `:` line a person may quote a time, as in a shell. */
    char bare[128];
    size_t len = strlen(text);
    if (len >= 2 && len < sizeof(bare) && strchr("\"'", *text) && text[len - 1] == *text) {
        snprintf(bare, sizeof(bare), "%.*s", (int)len - 2, text + 1);
        text = bare;
    }
    *out = (struct point_in_time){0};
    bool numbered = *text == '@';
    if (numbered ? find_event(r, text, out, e) : find_time(r, text, now, out, e))
        return -1;
    struct error none;
    if (past_event_time(r, out->seq ? out->seq : 1, &out->at, out->seq ? e : &none) && out->seq)
        return -1;
    if (numbered)
        out->until = out->seq ? out->at : INT64_MIN;
    return 0;
}

void point_in_time_add(struct strbuf *out, const struct point_in_time *m)
{
    char when[32];
    if (m->seq == 0) {
        strbuf_addstr(out, "before the first event");
        return;
    }
    times_format(when, sizeof(when), m->until);
    strbuf_addf(out, "%s%s (event %lld)", when, times_zone(), (long long)m->seq);
}

/* ---- how far long work is ---- */

#define FEW_SECONDS 3   /* no number below: the end of the work takes time that was not counted */
#define MINUTES     120 /* seconds from which minutes are told */

struct unit {
    const char *name;
    int64_t size;
};

static struct unit unit_of(int64_t bytes)
{
    return bytes < 10 << 20 ? (struct unit){"KiB", 1 << 10} : (struct unit){"MiB", 1 << 20};
}

static void add_left(struct strbuf *out, int64_t seconds)
{
    if (seconds < FEW_SECONDS)
        strbuf_addstr(out, ", a few seconds left");
    else if (seconds < MINUTES)
        strbuf_addf(out, ", %lld s left", (long long)seconds);
    else
        strbuf_addf(out, ", %lld min left", (long long)(seconds / 60));
}

void progress_add(struct strbuf *out, int64_t done, int64_t total, bool is_bytes, int64_t ms)
{
    struct unit unit =
        is_bytes ? unit_of(total > done ? total : done) : (struct unit){.name = "", .size = 1};
    const char *gap = is_bytes ? " " : "";
    strbuf_addf(out, "%lld", (long long)(done / unit.size));
    if (total > 0)
        strbuf_addf(out, " of %lld", (long long)(total / unit.size));
    strbuf_addf(out, "%s%s", gap, unit.name);
    if (total > 0)
        strbuf_addf(out, ", %d %%", (int)((double)done * 100 / (double)total));
    if (done <= 0 || ms <= 0)
        return;
    double rate = (double)done / (double)ms; /* per ms */
    struct unit of_rate = unit_of((int64_t)(rate * 1000));
    if (is_bytes)
        strbuf_addf(out, ", %lld %s/s", (long long)(rate * 1000 / (double)of_rate.size),
                    of_rate.name);
    if (total >= done)
        add_left(out, (int64_t)((double)(total - done) / rate / 1000));
}
