#include "store/mcp/metrics/metrics.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/journal/call_outcome.h"

#define OTHER "other"

/* ---- names ---- */

static const char *const reasons[DENIAL_COUNT] = {
    [DENIAL_NONE] = "other",    [DENIAL_NAMESPACE] = "namespace", [DENIAL_CONTEXT] = "context_type",
    [DENIAL_MEMORY] = "memory", [DENIAL_SESSION] = "session",     [DENIAL_TOOL] = "tool",
};

const char *metrics_status(enum error_code outcome)
{
    return outcome == ERROR_NONE          ? "success"
           : outcome == ERROR_INTERRUPTED ? "cancelled"
                                          : error_name(outcome);
}

const char *metrics_reason(enum denial denied)
{
    return reasons[denied];
}

/* FNV-1a (Fowler, Noll and Vo). */
static size_t hash(const char *name)
{
    uint32_t h = 2166136261u;
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 16777619u;
    return (h ^ h >> 16) % METRICS_SLOTS;
}

/* ---- beginning and end ---- */

static struct namespace_counts *new_name(const char *name)
{
    struct namespace_counts *n = xcalloc(1, sizeof(*n));
    snprintf(n->name, sizeof(n->name), "%s", name);
    return n;
}

struct metrics *metrics_new(int64_t process, int64_t started_at)
{
    struct metrics *m = xcalloc(1, sizeof(*m));
    m->process = process;
    m->started_at = started_at;
    for (int i = 0; i < ERROR_CODES; i++)
        for (int k = i; k >= 0; k--)
            if (strcmp(metrics_status((enum error_code)i), metrics_status((enum error_code)k)) == 0)
                m->status[i] = (enum error_code)k;
    m->names[NAMES_NONE] = new_name("");
    m->names[NAMES_OTHER] = new_name(OTHER);
    m->name_count = NAMES_FIRST;
    return m;
}

void metrics_free(struct metrics *m)
{
    for (size_t i = 0; m && i < m->call_count; i++) {
        free(m->calls[i]->name);
        free(m->calls[i]);
    }
    for (size_t i = 0; m && i < m->name_count; i++)
        free(m->names[i]);
    free(m);
}

/* ---- the row of a tool, of a namespace ---- */

/* *at is where it belongs where there is none. */
static struct call_counts *find_row(const struct metrics *m, const char *name, bool is_tool,
                                    size_t *at)
{
    size_t slot = hash(name);
    for (; m->call_slot[slot]; slot = (slot + 1) % METRICS_SLOTS) {
        struct call_counts *c = m->calls[m->call_slot[slot] - 1];
        if (c->is_tool == is_tool && strcmp(c->name, name) == 0)
            return c;
    }
    *at = slot;
    return NULL;
}

/* Of the last two places one is each for tools and methods that find none. */
struct call_counts *metrics_row(struct metrics *m, const char *name, bool is_tool)
{
    size_t slot;
    struct call_counts *c = find_row(m, name, is_tool, &slot);
    if (!c && m->call_count >= METRICS_CALLS - 2)
        c = find_row(m, name = OTHER, is_tool, &slot);
    if (c)
        return c;
    c = m->calls[m->call_count++] = xcalloc(1, sizeof(*c));
    c->name = xstrdup(name);
    c->is_tool = is_tool;
    m->call_slot[slot] = (uint8_t)m->call_count;
    return c;
}

/* Whoever reads what is counted meets the name there as in a list. */
static bool may_be_told(const struct guard_rules *rules, const char *name)
{
    return !rules || (permission_reads(guard_permissions(rules), NULL, name, MET_IN_LIST) &&
                      !guard_finds(rules, name, strlen(name)));
}

/* Whoever is let in makes a name known for good; before that it is one of a few. */
static struct namespace_counts *admit(struct metrics *m, struct namespace_counts *n, bool let_in)
{
    if (n->strange && let_in) {
        n->strange = false;
        m->strange--;
    }
    return n;
}

struct namespace_counts *metrics_name(struct metrics *m, const char *name, bool let_in,
                                      const struct guard_rules *rules)
{
    if (!name || !namespace_is_valid(name, strlen(name)))
        return m->names[NAMES_NONE];
    if (strcmp(name, OTHER) == 0 || !may_be_told(rules, name))
        return m->names[NAMES_OTHER];
    size_t slot = hash(name);
    for (; m->name_slot[slot]; slot = (slot + 1) % METRICS_SLOTS) {
        struct namespace_counts *n = m->names[m->name_slot[slot] - 1];
        if (strcmp(n->name, name) == 0)
            return admit(m, n, let_in);
    }
    if (m->name_count == NAMES_FIRST + METRICS_NAMES || (!let_in && m->strange == METRICS_STRANGE))
        return m->names[NAMES_OTHER];
    struct namespace_counts *n = m->names[m->name_count++] = new_name(name);
    n->strange = !let_in;
    m->strange += !let_in;
    m->name_slot[slot] = (uint8_t)m->name_count;
    return n;
}

void metrics_told_names(const struct metrics *m, const struct guard_rules *rules,
                        struct told_names *out)
{
    out->count = 0;
    for (size_t i = 0; i < m->name_count; i++)
        if (i < NAMES_FIRST || may_be_told(rules, m->names[i]->name))
            out->name[out->count++] = m->names[i];
}

/* ---- counting ---- */

void metrics_add(struct metrics *m, const struct metrics_call *call)
{
    struct call_counts *c = metrics_row(m, call->name, call->is_tool);
    enum error_code status = m->status[call->outcome];
    int tool = call->is_tool ? memory_tool_from_name(call->name) : -1;
    c->ended[status] += call->times;
    if (call->outcome == ERROR_REFUSED)
        c->denied[call->denied] += call->times;
    if (call->redactions > 0)
        c->redactions += (uint64_t)call->redactions;
    if (call->took_us >= 0) {
        latency_add(&c->took, call->took_us);
        c->took_us += (uint64_t)call->took_us;
    }
    if (tool >= 0)
        metrics_name(m, call->namespace_, call->outcome != ERROR_REFUSED && status != ERROR_USAGE,
                     call->rules)
            ->ended[tool][status] += call->times;
}

/* A tool of entries is denied before it comes to the store, or by what is there. */
static enum denial denial_of(const struct mcp_call *call, int tool)
{
    if (call->error.code != ERROR_REFUSED || call->denied)
        return call->denied;
    if (tool < 0 || call->spans.store_us > 0)
        return DENIAL_MEMORY;
    return tool == MEMORY_TOOL_CONTEXT ? DENIAL_CONTEXT : DENIAL_NAMESPACE;
}

void metrics_count(struct metrics *m, const struct mcp_call *call, const char *name,
                   int64_t took_us)
{
    int tool = call->tool ? memory_tool_from_name(name) : -1;
    struct metrics_call counted = {
        .name = name,
        .is_tool = call->tool != NULL,
        .namespace_ = call->namespace_,
        .outcome = call->error.code,
        .denied = denial_of(call, tool),
        .redactions = call->redactions,
        .took_us = took_us,
        .times = 1,
        .rules = call->guard.rules,
    };
    metrics_add(m, &counted);
}

void metrics_http(struct metrics *m, unsigned code)
{
    if (code >= 100 && code - 100 < HTTP_CODES)
        m->http[code - 100]++;
}

uint64_t metrics_calls(const struct call_counts *c)
{
    return c->ended[ERROR_NONE] + c->ended[ERROR_INTERRUPTED] + metrics_failures(c);
}

uint64_t metrics_failures(const struct call_counts *c)
{
    uint64_t count = 0;
    for (int i = 0; i < ERROR_CODES; i++)
        count += call_outcome_is_error((enum error_code)i) ? c->ended[i] : 0;
    return count;
}
