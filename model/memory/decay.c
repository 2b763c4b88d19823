#include "model/memory/decay.h"

#include <string.h>
#include "model/base/clock.h"
#include "model/json/json.h"
#include "model/memory/kind.h"

#define DAY_MS 86400000.0

struct pace {
    double rate, period, floor;
};

/* A period of 0: the kind does not decay. */
static const struct pace paces[KIND_COUNT] = {
    [KIND_BELIEF] = {0.01, 30, 0.5}, [KIND_EPISODE] = {0.01, 30, 0.5},
    [KIND_GOAL] = {0.01, 30, 0.5},   [KIND_RELATIONSHIP] = {0.01, 30, 0.5},
    [KIND_VALUE] = {0.005, 60, 0.7}, [KIND_NOTE] = {0.015, 30, 0.4},
    [KIND_DRIVE] = {0.005, 60, 0.6},
};

/* What a Kernle store says of when it was verified last. */
static bool last_verified(const struct memory *m, int64_t *at)
{
    char text[40];
    struct error ignored;
    size_t len = m->detail ? strlen(m->detail) : 0;
    struct json_slice value = {NULL, 0};
    if (len > 1 && m->detail[0] == '{' && json_check(m->detail, len, JSON_DEPTH_MAX, &ignored) == 0)
        value = json_member(m->detail, len, "last_verified");
    if (!value.ptr || value.ptr[0] != '"' || value.len < 2 || value.len - 2 >= sizeof(text))
        return false;
    text[json_unescape(text, value.ptr + 1, value.len - 2)] = '\0';
    return clock_parse_iso(text, at) == 0;
}

/* When something bore it out last: it was made, verified, or its confidence was changed here. */
static int64_t borne_out(const struct memory *m)
{
    int64_t since = m->created_at, verified;
    for (size_t i = 0; i < m->history_count; i++) {
        const struct history_entry *h = &m->history[i];
        if (!h->origin && !isnan(h->new_) && h->at > since)
            since = h->at;
    }
    if (last_verified(m, &verified) && verified > since)
        since = verified;
    return since;
}

bool decay_at(struct decay *out, const struct memory *m, int64_t now)
{
    const struct pace *pace = &paces[m->ref.kind];
    *out = (struct decay){.base = m->confidence, .now = m->confidence, .since = borne_out(m)};
    /* As doubles: a time that cannot be right must not overflow. */
    out->days = ((double)now - (double)out->since) / DAY_MS;
    if (pace->period == 0 || m->is_protected || !(out->days >= 1))
        return false;
    out->rate = pace->rate;
    out->period = pace->period;
    out->floor = pace->floor < out->base ? pace->floor : out->base;
    double left = out->base - out->rate * out->days / out->period;
    out->at_floor = left <= out->floor;
    out->now = out->at_floor ? out->floor : left;
    return true;
}

void decay_write(struct strbuf *out, const struct decay *d)
{
    if (d->at_floor && d->floor < d->base)
        strbuf_addf(out, "%.3f - %g * %.1f / %g, not below %g = %.3f", d->base, d->rate, d->days,
                    d->period, d->floor, d->now);
    else if (d->at_floor)
        strbuf_addf(out, "%.3f, at or below its floor already", d->now);
    else
        strbuf_addf(out, "%.3f - %g * %.1f / %g = %.3f", d->base, d->rate, d->days, d->period,
                    d->now);
}
