#include "tui/text/point_in_time.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "store/journal/journal.h"
#include "store/team/team.h"
#include "store/history/past.h"
#include "tui/text/times.h"

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
