/* The effective confidence of a memory, and the changes of its history that no record explains. */
#include "model/memory/confidence.h"

#include "model/base/clock.h"
#include "model/base/strbuf.h"
#include "model/json/json.h"

/* ---- the history ---- */

double confidence_unrecorded(const struct memory *m, size_t i)
{
    const struct history_entry *entry = i < m->history_count ? &m->history[i] : NULL;
    double value = !entry ? m->confidence : entry->origin ? NAN : entry->old;
    for (size_t k = i; !isnan(value) && k-- > 0;) {
        const struct history_entry *before = &m->history[k];
        if (before->origin || isnan(before->new_))
            continue;
        double change = value - before->new_;
        return fabs(change) > CONFIDENCE_TOLERANCE ? change : 0;
    }
    return 0;
}

bool history_is_reinforcement(const struct history_entry *h)
{
    return !h->origin && h->evidence_source && h->new_ > h->old; /* false for NAN */
}

static double unit(double value)
{
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

/*
 * Replays the recorded changes in order, without the fallen ones of the first `count`. Each step stays within 0 to 1:
 * an edit to 0 leaves nothing to take away from a later reinforcement.
 */
static double replay(const struct memory *m, const bool *fallen, size_t count)
{
    double left = NAN, last = NAN;
    for (size_t i = 0; i < m->history_count; i++) {
        const struct history_entry *h = &m->history[i];
        if (h->origin || isnan(h->new_))
            continue;
        double old = !isnan(h->old) ? h->old : isnan(last) ? h->new_ : last;
        left = isnan(left) ? old : unit(left + confidence_unrecorded(m, i));
        last = h->new_;
        if (i >= count || !fallen[i])
            left = unit(left + h->new_ - old);
    }
    left = unit(left + confidence_unrecorded(m, m->history_count));
    return rint(left * 1000) / 1000; /* the recorded amounts have three decimals */
}

double confidence_kept(const struct memory *m, const bool *fallen, size_t count)
{
    bool any = false;
    for (size_t i = 0; fallen && i < count; i++)
        any |= fallen[i] && history_is_reinforcement(&m->history[i]);
    double kept = any ? replay(m, fallen, count) : m->confidence;
    return kept < m->confidence ? kept : m->confidence;
}

/* ---- decay ---- */

#define DAY_MS 86400000.0

struct decay_rule {
    double rate, period, floor;
};

/* A kind with a period of 0 does not decay. */
static const struct decay_rule decay_rules[KIND_COUNT] = {
    [KIND_BELIEF] = {0.01, 30, 0.5}, [KIND_EPISODE] = {0.01, 30, 0.5},
    [KIND_GOAL] = {0.01, 30, 0.5},   [KIND_RELATIONSHIP] = {0.01, 30, 0.5},
    [KIND_VALUE] = {0.005, 60, 0.7}, [KIND_NOTE] = {0.015, 30, 0.4},
    [KIND_DRIVE] = {0.005, 60, 0.6},
};

/* Reads `last_verified` from the detail of a memory that came from Kernle. */
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

/* When the memory was last confirmed: created, verified, or its confidence was changed here. Evidence that lost
 * its support confirms nothing: a memory must not be worth more with it than without. */
static int64_t last_confirmed(const struct memory *m, const bool *fallen)
{
    int64_t since = m->created_at, verified;
    for (size_t i = 0; i < m->history_count; i++) {
        const struct history_entry *h = &m->history[i];
        if (!h->origin && !isnan(h->new_) && h->at > since && !(fallen && fallen[i]))
            since = h->at;
    }
    if (last_verified(m, &verified) && verified > since)
        since = verified;
    return since;
}

static struct decay decay_at(const struct memory *m, const bool *fallen, double base, int64_t now)
{
    const struct decay_rule *rule = &decay_rules[m->ref.kind];
    struct decay d = {.base = base, .now = base, .since = last_confirmed(m, fallen)};
    /* As doubles, since the difference of a wrong time may overflow int64_t. */
    d.days = ((double)now - (double)d.since) / DAY_MS;
    if (rule->period == 0 || m->is_protected || !(d.days >= 1))
        return d;
    d.rate = rule->rate;
    d.period = rule->period;
    d.floor = rule->floor < base ? rule->floor : base;
    double left = base - d.rate * d.days / d.period;
    d.at_floor = left <= d.floor;
    d.now = d.at_floor ? d.floor : left;
    return d;
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

/* ---- trust ---- */

const struct trust_rules trust_defaults = {
    .source_type = {[SOURCE_DIRECT_EXPERIENCE] = 1,
                    [SOURCE_INFERENCE] = 0.9,
                    [SOURCE_CONSOLIDATION] = 0.9,
                    [SOURCE_PROCESSING] = 1,
                    [SOURCE_SEED] = 1,
                    [SOURCE_TOLD_BY_AGENT] = 0.7,
                    [SOURCE_TOLD_BY_HUMAN] = 0.9,
                    [SOURCE_OBSERVATION] = 1,
                    [SOURCE_EXTERNAL] = 0.6,
                    [SOURCE_UNKNOWN] = 0.5},
};

const struct trust_entity *trust_entity_of(const struct trust_rules *t, const char *source_entity)
{
    static const char agent[] = "agent:";
    const char *name = source_entity;
    if (name && strncmp(name, agent, sizeof(agent) - 1) == 0)
        name += sizeof(agent) - 1;
    for (size_t i = 0; name && i < t->entity_count; i++)
        if (strcmp(t->entities[i].name, source_entity) == 0 ||
            strcmp(t->entities[i].name, name) == 0)
            return &t->entities[i];
    return NULL;
}

double trust_weight(const struct trust_rules *t, int64_t source_type, const char *source_entity)
{
    const struct trust_entity *by = trust_entity_of(t, source_entity);
    bool known = source_type >= 0 && source_type < SOURCE_TYPE_COUNT;
    return by ? by->trust : t->source_type[known ? source_type : SOURCE_UNKNOWN];
}

/* ---- all of it ---- */

void effective_cap(struct effective *e, const struct confidence_rules *rules, double trust)
{
    e->capped = rules->trust && rules->trust->cap && trust < e->value;
    if (e->capped)
        e->value = trust;
}

struct effective effective_compute(const struct memory *m, const struct confidence_rules *rules,
                                   bool stands, const bool *fallen, int64_t now)
{
    struct effective e = {.stored = m->confidence,
                          .kept = confidence_kept(m, fallen, m->history_count),
                          .stands = stands};
    e.decay = rules && rules->decay ? decay_at(m, fallen, e.kept, now)
                                    : (struct decay){.base = e.kept, .now = e.kept};
    e.value = stands ? e.decay.now : 0;
    return e;
}
