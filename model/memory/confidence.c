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

/* Without approvals, which Kernle does not count. Evidence that lost its support confirms nothing: a memory must not be
 * worth more with it than without. */
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

int64_t confidence_confirmed_at(const struct memory *m, const bool *fallen)
{
    int64_t at = last_confirmed(m, fallen);
    for (size_t i = 0; i < m->flag_count; i++)
        if (strcmp(m->flags[i].name, "approved") == 0 && !m->flags[i].by_agent &&
            m->flags[i].at > at)
            at = m->flags[i].at;
    return at;
}

const int64_t stale_defaults[KIND_COUNT] = {[KIND_BELIEF] = 180};

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

#define AGENT_PREFIX "agent:"

static bool is_agent(const char *entity)
{
    return entity && strncmp(entity, AGENT_PREFIX, sizeof(AGENT_PREFIX) - 1) == 0;
}

/* The rule of who told it; NULL if there is none. `source_entity` may be NULL. */
static const struct trust_entity *trust_entity_of(const struct trust_rules *t,
                                                  const char *source_entity)
{
    const char *name = source_entity;
    if (is_agent(name))
        name += sizeof(AGENT_PREFIX) - 1;
    for (size_t i = 0; name && i < t->entity_count; i++)
        if (strcmp(t->entities[i].name, source_entity) == 0 ||
            strcmp(t->entities[i].name, name) == 0)
            return &t->entities[i];
    return NULL;
}

/*
 * What the type of a logged retrieval says of its source. Types are free words (web_scrape, tavily_search, user_input),
 * so parts of them are compared. Others, such as database_query, are the agent's own tools: the memory's source_type.
 */
static const struct {
    const char *part;
    enum source_type type;
} retrieved_types[] = {
    {"web", SOURCE_EXTERNAL},        {"tavily", SOURCE_EXTERNAL},
    {"http", SOURCE_EXTERNAL},       {"url", SOURCE_EXTERNAL},
    {"scrape", SOURCE_EXTERNAL},     {"crawl", SOURCE_EXTERNAL},
    {"brows", SOURCE_EXTERNAL},      {"user", SOURCE_TOLD_BY_HUMAN},
    {"human", SOURCE_TOLD_BY_HUMAN}, {"reasoning", SOURCE_INFERENCE},
};

static enum source_type source_type_of(const struct trust_source *from)
{
    for (size_t i = 0; from->retrieved && i < sizeof(retrieved_types) / sizeof(*retrieved_types);
         i++)
        if (strstr(from->retrieved, retrieved_types[i].part))
            return retrieved_types[i].type;
    return from->type >= 0 && from->type < SOURCE_TYPE_COUNT ? (enum source_type)from->type
                                                             : SOURCE_UNKNOWN;
}

const char *trust_class_name(enum trust_class class)
{
    static const char *const names[] = {NULL,    "unknown", "web",   "external",
                                        "agent", "own",     "person"};
    return names[class];
}

/* An agent writes `source_entity` itself, so a name only lowers a class. */
enum trust_class trust_class_of(const struct trust_source *from)
{
    static const uint8_t by_type[SOURCE_TYPE_COUNT] = {
        [SOURCE_DIRECT_EXPERIENCE] = CLASS_OWN,
        [SOURCE_INFERENCE] = CLASS_OWN,
        [SOURCE_CONSOLIDATION] = CLASS_OWN,
        [SOURCE_PROCESSING] = CLASS_OWN,
        [SOURCE_SEED] = CLASS_OWN,
        [SOURCE_TOLD_BY_AGENT] = CLASS_AGENT,
        [SOURCE_TOLD_BY_HUMAN] = CLASS_PERSON,
        [SOURCE_OBSERVATION] = CLASS_OWN,
        [SOURCE_EXTERNAL] = CLASS_EXTERNAL,
        [SOURCE_UNKNOWN] = CLASS_UNKNOWN,
    };
    enum trust_class class = (enum trust_class)by_type[source_type_of(from)];
    if (class == CLASS_EXTERNAL && from->retrieved)
        return CLASS_WEB;
    return is_agent(from->entity) && class > CLASS_AGENT ? CLASS_AGENT : class;
}

const struct trust_rules trust_classes = {.by_class = true};

enum trust_class trust_class_of_weight(double weight)
{
    return (enum trust_class)(weight * CLASS_PERSON + 0.5);
}

double trust_weight(const struct trust_rules *t, const struct trust_source *from)
{
    const struct trust_entity *by = trust_entity_of(t, from->entity);
    if (t->by_class)
        return (double)trust_class_of(from) / CLASS_PERSON;
    return by ? by->trust : t->source_type[source_type_of(from)];
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
