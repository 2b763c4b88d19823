/*
 * Counters of calls: how many of each tool, in which namespace, their outcome and duration, why they were denied, and
 * how much was masked. They contain names and numbers, never content.
 *
 * Counting takes O(1) time, and callers cannot make the memory grow: only the first METRICS_NAMES namespaces have
 * their own row; the rest is counted as `other`.
 *
 * Agents can read the metrics. A namespace is therefore named only while the rules let everybody list it and its name
 * contains no personal data. Calls made while that is not so count as `other` for ever; the named row is hidden
 * meanwhile. So no counter ever decreases. For one thread.
 */
#ifndef STEMMA_METRICS_H
#define STEMMA_METRICS_H

#include "model/base/latency.h"
#include "store/mcp/protocol/service.h"

#define METRICS_NAMES 100
#define METRICS_CALLS 128 /* tools and methods; further ones are counted as `other` */
#define HTTP_CODES    500

/* Counters of a tool, or of a method other than tools/call. */
struct call_counts {
    char *name;
    bool is_tool;
    uint64_t ended[ERROR_CODES]; /* outcomes with the same name are counted under the first */
    uint64_t denied[DENIAL_COUNT];
    uint64_t redactions;
    struct latency took;
    uint64_t took_us; /* sum over `took` */
};

struct namespace_counts {
    char name[NAMESPACE_MAX + 1];
    uint64_t ended[MEMORY_TOOL_COUNT][ERROR_CODES];
};

struct metrics {
    int64_t started_at; /* ms since the epoch: start of counting; 0 if there is no limit */
    int64_t process;    /* pid of the process that counted; 0 for metrics from a store's log */
    int64_t sessions, connections; /* current number */
    struct call_counts *calls[METRICS_CALLS];
    size_t call_count;
    struct namespace_counts *names[METRICS_NAMES + 2]; /* the first two: no namespace, others */
    size_t name_count;
    uint64_t http[HTTP_CODES]; /* HTTP responses by status, from 100 */
};
enum {
    NAMES_NONE = 0,
    NAMES_OTHER,
    NAMES_FIRST
};

struct metrics *metrics_new(int64_t process, int64_t started_at);
void metrics_free(struct metrics *m); /* NULL is allowed */

/* A number of equal calls. */
struct metrics_call {
    const char *name;
    bool is_tool;
    const char *namespace_; /* NULL if none */
    enum error_code outcome;
    enum denial denied;
    int64_t redactions;
    int64_t took_us; /* -1 if not known */
    uint64_t times;
    const struct guard_rules *rules; /* rules for the namespace's name; NULL allows all names */
};
/* The row of that name, made if there is room; else the row `other`. */
struct call_counts *metrics_row(struct metrics *m, const char *name, bool is_tool);
void metrics_add(struct metrics *m, const struct metrics_call *call);
/* Counts an answered call. */
void metrics_count(struct metrics *m, const struct mcp_call *call, const char *name,
                   int64_t took_us);

void metrics_http(struct metrics *m, unsigned code);

/* Number of calls with any outcome. */
uint64_t metrics_calls(const struct call_counts *c);

/* Appends all counters as Prometheus text (version 0.0.4). `rules` decide which namespaces are named; NULL names all,
 * for a person. */
#define METRICS_TYPE "text/plain; version=0.0.4; charset=utf-8"
void metrics_write(const struct metrics *m, const struct guard_rules *rules, struct strbuf *out);
/* The same as a JSON object. */
void metrics_write_json(const struct metrics *m, const struct guard_rules *rules,
                        struct strbuf *out);

/* Totals over all sessions that any process has served. */
struct metrics_totals {
    int64_t sessions, living;
    int64_t calls, failures;
    struct latency latency;
};

/*
 * Counts the calls in the store's log: reads, refusals, and all calls of memory tools (putMemory …). Writes by other
 * tools are only in the journal and in the totals. The log has no duration of each tool. Returns NULL and sets `e` on
 * failure. Takes O(calls).
 */
struct metrics *metrics_of_log(struct reader *r, struct metrics_totals *totals, struct error *e);

#endif
