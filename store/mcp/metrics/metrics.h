/*
 * What is counted of calls: how many of each tool there were, in which namespace, how they ended, how long they
 * took, why they were denied, and what was masked in their answers. Names and numbers, never content.
 *
 * Counting takes O(1), and memory that nobody who calls can make grow: of the namespaces the first
 * METRICS_NAMES have a name of their own and the rest is `other`.
 *
 * Agents come to what is told, so that a name is told only while the rules let everybody list and get there by the
 * general grants and find no personal data in it. What is called while they do not counts as `other`, for good; what
 * counted under the name before is left out until they do again. So no count ever falls. One thread.
 */
#ifndef STEMMA_METRICS_H
#define STEMMA_METRICS_H

#include "model/base/latency.h"
#include "store/mcp/protocol/service.h"

#define METRICS_NAMES 100
#define METRICS_CALLS 128 /* tools and methods; those beyond are counted as one, `other` */
#define HTTP_CODES    500

/* Of a tool, or of a method that is none. */
struct call_counts {
    char *name;
    bool is_tool;
    uint64_t ended[ERROR_CODES]; /* of outcomes that have the same name the first counts */
    uint64_t denied[DENIAL_COUNT];
    uint64_t redactions;
    struct latency took;
    uint64_t took_us; /* of those in `took`, together */
};

struct namespace_counts {
    char name[NAMESPACE_MAX + 1];
    uint64_t ended[MEMORY_TOOL_COUNT][ERROR_CODES];
};

struct metrics {
    int64_t
        started_at;  /* ms since the epoch: nothing from before it is in here; 0: everything is */
    int64_t process; /* that counted; 0: what a store says */
    int64_t sessions, connections; /* that there are at the moment */
    struct call_counts *calls[METRICS_CALLS];
    size_t call_count;
    struct namespace_counts *names[METRICS_NAMES + 2]; /* the first two: none that is one, others */
    size_t name_count;
    uint64_t http[HTTP_CODES]; /* answers of HTTP by their code, from 100 */
};
enum {
    NAMES_NONE = 0,
    NAMES_OTHER,
    NAMES_FIRST
};

struct metrics *metrics_new(int64_t process, int64_t started_at);
void metrics_free(struct metrics *m); /* NULL is allowed */

/* Calls that are alike. */
struct metrics_call {
    const char *name;
    bool is_tool;
    const char *namespace_; /* NULL: it has none */
    enum error_code outcome;
    enum denial denied;
    int64_t redactions;
    int64_t took_us; /* -1: not known */
    uint64_t times;
    const struct guard_rules *rules; /* that held for them; NULL: each name may be told */
};
/* The counts of that name, made where there is room. */
struct call_counts *metrics_row(struct metrics *m, const char *name, bool is_tool);
void metrics_add(struct metrics *m, const struct metrics_call *call);
/* One that is answered. */
void metrics_count(struct metrics *m, const struct mcp_call *call, const char *name,
                   int64_t took_us);

void metrics_http(struct metrics *m, unsigned code);

/* "success", "cancelled", "PERMISSION_DENIED", …; "namespace", "memory", …: constants. */
const char *metrics_status(enum error_code outcome);
/* Of a tool or a method, however they ended. */
uint64_t metrics_calls(const struct call_counts *c);

/* Appends all of it as Prometheus reads it (text, version 0.0.4), as `rules` let it be told now; NULL: to a person. */
#define METRICS_TYPE "text/plain; version=0.0.4; charset=utf-8"
void metrics_write(const struct metrics *m, const struct guard_rules *rules, struct strbuf *out);
/* The same as one object of JSON. */
void metrics_write_json(const struct metrics *m, const struct guard_rules *rules,
                        struct strbuf *out);

/* What the store's log of calls says of those that were counted. */

/* Of all sessions that there ever were, whatever process served them. */
struct metrics_totals {
    int64_t sessions, living;
    int64_t calls, failures;
    struct latency latency;
};

/*
 * What the log of calls says: reads, refusals, and all calls of entries; what other tools wrote is in the journal
 * and in the totals alone. How long each tool took is not in it. NULL with `e`. O(calls).
 */
struct metrics *metrics_of_log(struct reader *r, struct metrics_totals *totals, struct error *e);

#endif
