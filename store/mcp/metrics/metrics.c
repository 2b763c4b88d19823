/* Counts calls, and writes the counters as Prometheus text and as JSON. */
#include "store/mcp/metrics/metrics.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/json/json.h"
#include "store/mcp/protocol/connection.h"
#include "store/session/session.h"

#define OTHER "other"

/* ---- names ---- */

static const char *const reasons[DENIAL_COUNT] = {
    [DENIAL_NONE] = "other",    [DENIAL_NAMESPACE] = "namespace", [DENIAL_CONTEXT] = "context_type",
    [DENIAL_MEMORY] = "memory", [DENIAL_SESSION] = "session",     [DENIAL_TOOL] = "tool",
};

/* Names of outcomes, constants: "success", "cancelled", "PERMISSION_DENIED", … */
static const char *outcome_name(enum error_code outcome)
{
    return outcome == ERROR_NONE          ? "success"
           : outcome == ERROR_INTERRUPTED ? "cancelled"
                                          : error_name(outcome);
}

/* The first outcome with the same name, which counts for all of them. */
static enum error_code first_of(enum error_code outcome)
{
    enum error_code first = ERROR_NONE;
    while (strcmp(outcome_name(first), outcome_name(outcome)) != 0)
        first++;
    return first;
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

static struct call_counts *find_row(const struct metrics *m, const char *name, bool is_tool)
{
    for (size_t i = 0; i < m->call_count; i++)
        if (m->calls[i]->is_tool == is_tool && strcmp(m->calls[i]->name, name) == 0)
            return m->calls[i];
    return NULL;
}

/* The last two rows are reserved for `other` tools and `other` methods. */
struct call_counts *metrics_row(struct metrics *m, const char *name, bool is_tool)
{
    struct call_counts *c = find_row(m, name, is_tool);
    if (!c && m->call_count >= METRICS_CALLS - 2)
        c = find_row(m, name = OTHER, is_tool);
    if (c)
        return c;
    c = m->calls[m->call_count++] = xcalloc(1, sizeof(*c));
    c->name = xstrdup(name);
    c->is_tool = is_tool;
    return c;
}

/* A reader of the metrics sees the name as in a list, so the same permission applies. */
static bool is_visible_name(const struct guard_rules *rules, const char *name)
{
    return !rules || (permission_reads(guard_permissions(rules), NULL, name, ENTRY_IN_LIST) &&
                      !guard_has_pii(rules, name, strlen(name)));
}

static struct namespace_counts *metrics_name(struct metrics *m, const char *name,
                                             const struct guard_rules *rules)
{
    if (!name || !namespace_is_valid(name, strlen(name)))
        return m->names[NAMES_NONE];
    if (strcmp(name, OTHER) == 0 || !is_visible_name(rules, name))
        return m->names[NAMES_OTHER];
    for (size_t i = NAMES_FIRST; i < m->name_count; i++)
        if (strcmp(m->names[i]->name, name) == 0)
            return m->names[i];
    if (m->name_count == NAMES_FIRST + METRICS_NAMES)
        return m->names[NAMES_OTHER];
    return m->names[m->name_count++] = new_name(name);
}

/* True if the rules allow to name the namespace in that row. */
static bool is_visible(const struct metrics *m, const struct guard_rules *rules, size_t i)
{
    return i < NAMES_FIRST || is_visible_name(rules, m->names[i]->name);
}

/* ---- counting ---- */

void metrics_add(struct metrics *m, const struct metrics_call *call)
{
    struct call_counts *c = metrics_row(m, call->name, call->is_tool);
    enum error_code status = first_of(call->outcome);
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
        metrics_name(m, call->namespace_, call->rules)->ended[tool][status] += call->times;
}

/* Derives why a call was denied if it does not state it: memory tools are denied either before they reach the store,
 * or because of what is in it. */
static enum denial denial_of(int tool, const struct call_spans *spans, enum denial otherwise)
{
    if (tool < 0)
        return otherwise;
    if (spans->store_us > 0)
        return DENIAL_MEMORY;
    return tool == MEMORY_TOOL_CONTEXT ? DENIAL_CONTEXT : DENIAL_NAMESPACE;
}

void metrics_count(struct metrics *m, const struct mcp_call *call, const char *name,
                   int64_t took_us)
{
    int tool = call->tool ? memory_tool_from_name(name) : -1;
    bool says = call->error.code != ERROR_REFUSED || call->denied;
    struct metrics_call counted = {
        .name = name,
        .is_tool = call->tool != NULL,
        .namespace_ = call->namespace_,
        .outcome = call->error.code,
        .denied = says ? call->denied : denial_of(tool, &call->spans, DENIAL_MEMORY),
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
    uint64_t count = 0;
    for (int i = 0; i < ERROR_CODES; i++)
        count += c->ended[i];
    return count;
}

/* ---- the counters as Prometheus text and as JSON ---- */

static const double quantiles[] = {0.5, 0.9, 0.99};
#define QUANTILES (sizeof(quantiles) / sizeof(*quantiles))

/* ---- Prometheus ---- */

static void begin(struct strbuf *out, const char *name, const char *type, const char *about)
{
    strbuf_addf(out, "# HELP %s %s\n# TYPE %s %s\n", name, about, name, type);
}

/* Appends a label with its value escaped for Prometheus. */
static void add_label(struct strbuf *out, const char *name, const char *value)
{
    strbuf_addf(out, "%s=\"", name);
    for (; *value; value++) {
        if (*value == '\\' || *value == '"')
            strbuf_addch(out, '\\');
        if (*value == '\n')
            strbuf_addstr(out, "\\n");
        else
            strbuf_addch(out, *value);
    }
    strbuf_addch(out, '"');
}

/* Appends a sample unless its count is 0. Labels are pairs of strings, ended by NULL. */
static void add_sample(struct strbuf *out, const char *metric, uint64_t count, ...)
{
    const char *label;
    va_list labels;
    if (count == 0)
        return;
    strbuf_addf(out, "%s{", metric);
    va_start(labels, count);
    for (bool first = true; (label = va_arg(labels, const char *)); first = false) {
        strbuf_addstr(out, first ? "" : ",");
        add_label(out, label, va_arg(labels, const char *));
    }
    va_end(labels);
    strbuf_addf(out, "} %llu\n", (unsigned long long)count);
}

static void add_seconds(struct strbuf *out, uint64_t us)
{
    strbuf_addf(out, " %llu.%06u\n", (unsigned long long)(us / 1000000), (unsigned)(us % 1000000));
}

enum counted {
    BY_STATUS,
    BY_REASON,
    MASKED,
    TOOK,
};

/* The metrics of each tool, or of each other method. */
static const struct metric {
    const char *name, *about;
    bool tools;
    enum counted counted;
} metric_table[] = {
    {"memory_tool_requests_total",
     "Calls of tools, by namespace and outcome; cancelled: their client gave them up.", true,
     BY_STATUS},
    {"memory_tool_latency_seconds",
     "From a request to its answer, since the process began; a quantile is at most an eighth "
     "above the truth.",
     true, TOOK},
    {"memory_tool_permission_denies_total",
     "Calls of tools that were denied, by what forbade them.", true, BY_REASON},
    {"memory_tool_pii_redactions_total", "Personal data that was masked in answers.", true, MASKED},
    {"stemma_requests_total",
     "Requests that are no calls of tools and read the store or were in error, by outcome.", false,
     BY_STATUS},
    {"stemma_request_latency_seconds",
     "From a request to its answer, since the process began; a quantile is at most an eighth "
     "above the truth.",
     false, TOOK},
    {"stemma_request_pii_redactions_total", "Personal data that was masked in answers.", false,
     MASKED},
};

/* Tools without namespaces get an empty one, like calls that named none. */
static void add_tool(struct strbuf *out, const char *metric, const char *tool, const char *name,
                     const uint64_t ended[ERROR_CODES])
{
    for (int i = 0; i < ERROR_CODES; i++)
        add_sample(out, metric, ended[i], "tool_name", tool, "namespace", name, "status",
                   outcome_name((enum error_code)i), NULL);
}

static void add_statuses(struct strbuf *out, const struct metrics *m,
                         const struct guard_rules *rules, const char *metric,
                         const struct call_counts *c)
{
    int tool = c->is_tool ? memory_tool_from_name(c->name) : -1;
    for (int i = 0; !c->is_tool && i < ERROR_CODES; i++)
        add_sample(out, metric, c->ended[i], "method", c->name, "status",
                   outcome_name((enum error_code)i), NULL);
    if (c->is_tool && tool < 0)
        add_tool(out, metric, c->name, "", c->ended);
    for (size_t n = 0; tool >= 0 && n < m->name_count; n++)
        if (is_visible(m, rules, n))
            add_tool(out, metric, c->name, m->names[n]->name, m->names[n]->ended[tool]);
}

static void add_latency(struct strbuf *out, const char *metric, const char *label,
                        const struct call_counts *c)
{
    char name[64];
    for (size_t q = 0; q < QUANTILES; q++) {
        strbuf_addf(out, "%s{", metric);
        add_label(out, label, c->name);
        strbuf_addf(out, ",quantile=\"%g\"}", quantiles[q]);
        add_seconds(out, (uint64_t)latency_percentile(&c->took, quantiles[q] * 100));
    }
    strbuf_addf(out, "%s_sum{", metric);
    add_label(out, label, c->name);
    strbuf_addch(out, '}');
    add_seconds(out, c->took_us);
    snprintf(name, sizeof(name), "%s_count", metric);
    add_sample(out, name, c->took.count, label, c->name, NULL);
}

static void add_metric(struct strbuf *out, const struct metrics *m, const struct guard_rules *rules,
                       const struct metric *k)
{
    const char *label = k->tools ? "tool_name" : "method";
    begin(out, k->name, k->counted == TOOK ? "summary" : "counter", k->about);
    for (size_t i = 0; i < m->call_count; i++) {
        const struct call_counts *c = m->calls[i];
        if (c->is_tool != k->tools)
            continue;
        if (k->counted == BY_STATUS)
            add_statuses(out, m, rules, k->name, c);
        else if (k->counted == MASKED)
            add_sample(out, k->name, c->redactions, label, c->name, NULL);
        else if (k->counted == TOOK && c->took.count > 0)
            add_latency(out, k->name, label, c);
        for (int r = 0; k->counted == BY_REASON && r < DENIAL_COUNT; r++)
            add_sample(out, k->name, c->denied[r], label, c->name, "reason", reasons[r], NULL);
    }
}

static void add_http(struct strbuf *out, const struct metrics *m)
{
    begin(out, "stemma_http_responses_total", "counter", "Answers of HTTP, by their status.");
    for (unsigned i = 0; i < HTTP_CODES; i++)
        if (m->http[i])
            strbuf_addf(out, "stemma_http_responses_total{code=\"%u\"} %llu\n", 100 + i,
                        (unsigned long long)m->http[i]);
}

static void add_gauge(struct strbuf *out, const char *name, const char *about, int64_t value)
{
    begin(out, name, "gauge", about);
    strbuf_addf(out, "%s %lld\n", name, (long long)value);
}

void metrics_write(const struct metrics *m, const struct guard_rules *rules, struct strbuf *out)
{
    for (size_t i = 0; i < sizeof(metric_table) / sizeof(*metric_table); i++)
        add_metric(out, m, rules, &metric_table[i]);
    add_http(out, m);
    add_gauge(out, "stemma_sessions", "Sessions that this process serves.", m->sessions);
    add_gauge(out, "stemma_connections", "Connections that it has.", m->connections);
    add_gauge(out, "stemma_start_time_seconds", "When it began to count, since the epoch.",
              m->started_at / 1000);
    begin(out, "stemma_build_info", "gauge", "What counts.");
    strbuf_addstr(out, "stemma_build_info{version=\"" STEMMA_VERSION "\"} 1\n");
}

/* ---- JSON ---- */

static const char *status_at(int i)
{
    return outcome_name((enum error_code)i);
}

static const char *reason_at(int i)
{
    return reasons[i];
}

static void write_counts(struct json_object *o, const char *key, const uint64_t *counts, int count,
                         const char *(*name)(int i))
{
    struct json_object list = json_open(o, key, '{');
    for (int i = 0; i < count; i++)
        if (counts[i])
            json_pair_int(&list, name(i), (int64_t)counts[i]);
    json_end(&list);
}

static void write_latency(struct json_object *o, const struct call_counts *c)
{
    AUTO_STRBUF buckets = STRBUF_INIT;
    latency_write(&buckets, &c->took);
    struct json_object l = json_open(o, "latency", '{');
    json_pair_int(&l, "count", (int64_t)c->took.count);
    json_pair_int(&l, "sum_us", (int64_t)c->took_us);
    json_pair_int(&l, "p50_us", latency_percentile(&c->took, 50));
    json_pair_int(&l, "p90_us", latency_percentile(&c->took, 90));
    json_pair_int(&l, "p99_us", latency_percentile(&c->took, 99));
    json_pair(&l, "buckets", buckets.buf);
    json_end(&l);
}

static void write_call(struct strbuf *out, const struct call_counts *c)
{
    struct json_object o = json_begin(out, '{');
    json_pair(&o, c->is_tool ? "tool_name" : "method", c->name);
    json_pair_int(&o, "calls", (int64_t)metrics_calls(c));
    write_counts(&o, "ended", c->ended, ERROR_CODES, status_at);
    write_counts(&o, "denied", c->denied, DENIAL_COUNT, reason_at);
    json_pair_int(&o, "redactions", (int64_t)c->redactions);
    if (c->took.count)
        write_latency(&o, c);
    json_end(&o);
}

static bool is_named(const struct namespace_counts *n, int tool)
{
    for (int i = 0; i < ERROR_CODES; i++)
        if (n->ended[tool][i])
            return true;
    return false;
}

static void write_name(struct json_object *list, const struct namespace_counts *n, int tool)
{
    struct json_object o = json_item_open(list, '{');
    json_pair(&o, "namespace", n->name);
    json_pair(&o, "tool_name", memory_tool_name((enum memory_tool)tool));
    write_counts(&o, "ended", n->ended[tool], ERROR_CODES, status_at);
    json_end(&o);
}

static void write_names(struct json_object *o, const struct metrics *m,
                        const struct guard_rules *rules)
{
    struct json_object list = json_open(o, "namespaces", '[');
    for (size_t i = 0; i < m->name_count; i++)
        for (int tool = 0; tool < MEMORY_TOOL_COUNT && is_visible(m, rules, i); tool++)
            if (is_named(m->names[i], tool))
                write_name(&list, m->names[i], tool);
    json_end(&list);
}

void metrics_write_json(const struct metrics *m, const struct guard_rules *rules,
                        struct strbuf *out)
{
    struct json_object o = json_begin(out, '{');
    json_pair_int_if(&o, "process", m->process);
    json_pair_int_if(&o, "started_at", m->started_at);
    json_pair_int(&o, "sessions", m->sessions);
    json_pair_int(&o, "connections", m->connections);
    struct json_object list = json_open(&o, "calls", '[');
    for (size_t i = 0; i < m->call_count; i++) {
        json_item(&list);
        write_call(out, m->calls[i]);
    }
    json_end(&list);
    write_names(&o, m, rules);
    struct json_object http = json_open(&o, "http", '{');
    for (int i = 0; i < HTTP_CODES; i++) {
        char code[16];
        snprintf(code, sizeof(code), "%d", 100 + i);
        if (m->http[i])
            json_pair_int(&http, code, (int64_t)m->http[i]);
    }
    json_end(&http);
    json_end(&o);
}

/* ---- log ---- */

#define PAGE 512 /* rows read at once */

static void add_row(struct metrics *m, const struct call_row *row)
{
    bool is_tool = row->tool && row->tool[0] != '(' && !protocol_is_method(row->tool);
    int tool = is_tool ? memory_tool_from_name(row->tool) : -1;
    for (size_t i = 0; i < row->count; i++) {
        bool refused = row->outcome[i] == ERROR_REFUSED;
        struct metrics_call call = {
            .name = row->tool ? row->tool : "",
            .is_tool = is_tool,
            .outcome = row->outcome[i],
            .namespace_ = row->guard.namespace_,
            .denied = refused ? denial_of(tool, &row->guard.spans, DENIAL_NONE) : DENIAL_NONE,
            .redactions = i == 0 ? row->guard.redactions : 0, /* the row's total */
            .took_us = -1,
            .times = 1,
        };
        metrics_add(m, &call);
    }
}

static int add_rows(struct metrics *m, struct reader *r, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct call_row *rows;
    size_t count = PAGE;
    int64_t after = 0;
    int result = 0;
    while (result == 0 && count == PAGE) {
        result = call_list(r, &arena, after, PAGE, &rows, &count, e);
        for (size_t i = 0; result == 0 && i < count; i++)
            add_row(m, &rows[i]);
        if (result == 0 && count)
            after = rows[count - 1].id;
        arena_release(&arena);
    }
    return result;
}

static int add_sessions(struct metrics_totals *totals, struct reader *r, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct session_row *rows;
    size_t count = PAGE;
    int64_t before = INT64_MAX;
    int result = 0;
    while (result == 0 && count == PAGE) {
        result = session_list(r, &arena, SESSIONS_BY_ROW, before, PAGE, &rows, &count, e);
        for (size_t i = 0; result == 0 && i < count; i++) {
            totals->sessions++;
            totals->living += rows[i].lives;
            totals->calls += rows[i].calls;
            totals->failures += rows[i].errors;
            latency_merge(&totals->latency, &rows[i].latency);
        }
        if (result == 0 && count)
            before = rows[count - 1].id;
        arena_release(&arena);
    }
    return result;
}

struct metrics *metrics_of_log(struct reader *r, struct metrics_totals *totals, struct error *e)
{
    struct metrics *m = metrics_new(0, 0);
    *totals = (struct metrics_totals){.sessions = 0};
    if (add_sessions(totals, r, e) || add_rows(m, r, e)) {
        metrics_free(m);
        return NULL;
    }
    m->sessions = totals->living;
    return m;
}
