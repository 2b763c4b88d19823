/* What a configuration permits agents to do with the entries of shared memory. Anything that is
 * not granted is denied. */
#ifndef STEMMA_PERMISSION_H
#define STEMMA_PERMISSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/arena.h"
#include "model/memory/memory.h"

/* The one name of all callers to whom their channel grants none. */
#define AGENT_UNNAMED "unnamed"
/* How lists show an agent: `?claire` for an unnamed one that claims to be claire. The sign is in
 * front, where a narrow column does not cut it off. `agent` and `claimed` may be NULL. A new string
 * is in the arena. */
const char *agent_label(struct arena *arena, const char *agent, const char *claimed);

/* The tools for entries. Their names are those in a configuration. */
enum memory_tool {
    MEMORY_TOOL_LIST = 0, /* listMemory */
    MEMORY_TOOL_CONTEXT,  /* getContext */
    MEMORY_TOOL_PUT,      /* putMemory */
    MEMORY_TOOL_GET,      /* getMemory */
    MEMORY_TOOL_DELETE,   /* deleteMemory */
    MEMORY_TOOL_COUNT,
    MEMORY_TOOL_SEARCH = MEMORY_TOOL_COUNT, /* memory_search: it has a rate and no grant */
    MEMORY_RATES
};
const char *memory_tool_name(enum memory_tool tool);
int memory_tool_from_name(const char *name); /* Returns -1 if there is no such tool */

enum access {
    ACCESS_READ = 1,
    ACCESS_WRITE = 2,
};
const char *access_name(enum access access); /* "read", "write" */
/* The access that a tool needs. */
enum access memory_tool_access(enum memory_tool tool);
enum context_part {
    CONTEXT_SESSION = 1,
    CONTEXT_AGENT = 2,
    CONTEXT_TASK = 4,
};

/* What an agent may do with one tool. All that it does not list is denied. */
struct grant {
    bool given; /* set if the configuration names the tool; otherwise see permission_grant */
    /* Patterns: `*` matches any run of characters, also an empty one; `{self}` the name of the
     * calling agent, if that can be a part of a namespace; all others match themselves. */
    const char *const *namespaces;
    size_t namespace_count;
    unsigned contexts;       /* context_part bits; for getContext only */
    unsigned operations;     /* access bits */
    int64_t max_ttl_seconds; /* -1 for no limit; for putMemory only */
};

/* A limit that applies to each pair of tool and namespace separately. Calls that are refused
 * count. */
struct rate_limit {
    double window_seconds; /* the sliding window */
    int64_t window_calls;  /* the most calls in the window; 0 for no window */
    double per_second;     /* the refill of the token bucket */
    int64_t burst;         /* the size of the bucket; 0 for no bucket */
};

enum pii_policy {
    PII_MASK = 0, /* masked in all output */
    PII_REFUSE,   /* masked, and rejected in input */
    PII_OFF,
};
const char *pii_policy_name(enum pii_policy policy);

/* The policy for each namespace that a pattern matches. */
struct namespace_policy {
    const char *pattern;
    enum pii_policy pii;
    int64_t max_items, max_bytes; /* limits of values; 0 for no limit */
    bool evict_oldest;            /* otherwise a value that does not fit is rejected */
    bool strong;                  /* consistency; a store handles both alike */
    struct rate_limit rate[MEMORY_RATES];
    bool has_rate[MEMORY_RATES]; /* `rate` replaces the general one */
};

/* What is an agent's own, and who is granted its name. */
struct agent_grants {
    const char *agent;
    struct grant grant[MEMORY_TOOL_COUNT]; /* a given one replaces the general one */
    const char *socket;     /* who connects to this socket is the agent; NULL for none */
    const char *token_file; /* who sends its token over HTTP is the agent; NULL for none */
    /* a process of this user that connects to `socket` (or the store's own, if NULL) is the agent */
    int64_t uid;
    bool by_uid;
};

/* What of an agent's writing waits for a person's approval (store/ops/policy.h). */
enum gate_tier {
    GATE_NO = 0,
    GATE_RISKY, /* what a rule of the gate calls risky */
    GATE_YES,
};
#define GATE_OTHERS                                                                                \
    "all" /* the agents without a line of their own; the kinds without a tier of their own */
struct gate {
    const char *agent;    /* or GATE_OTHERS */
    int tier[KIND_COUNT]; /* enum gate_tier, of the kinds that are `given` */
    unsigned given;
    int others; /* of all other kinds */
    bool ask;   /* what the person answers through the client is the person's decision */
};

/* What lists may leave out for agents: labels, then statuses, each in the order of their enum. */
enum hidden {
    HIDDEN_WEAKENED = 0,
    HIDDEN_UNSUPPORTED,
    HIDDEN_CIRCULAR,
    HIDDEN_UNSOURCED,
    HIDDEN_SUPERSEDED,
    HIDDEN_EXPIRED,
    HIDDEN_RETRACTED,
    HIDDEN_FORGOTTEN,
    HIDDEN_DELETED,
    HIDDEN_COUNT
};
extern const char *const hidden_names[HIDDEN_COUNT + 1]; /* ended by NULL */

struct pii_pattern {
    const char *name;    /* its matches are masked as [redacted-NAME] */
    const char *pattern; /* PCRE2, UTF-8 */
};

/* All permissions. Immutable once read, so any thread may use them. Strings are in `arena`. */
struct permissions {
    struct grant grant[MEMORY_TOOL_COUNT];
    struct agent_grants *agents;
    size_t agent_count;
    struct gate *gates;
    size_t gate_count;
    struct namespace_policy *namespaces;
    size_t namespace_count;
    struct rate_limit rate[MEMORY_RATES];
    struct pii_pattern *patterns;
    size_t pattern_count;
    bool mask;     /* mask personal data of memories other than entries over MCP */
    bool share;    /* agents see the memories of other agents; otherwise only their ref and owner */
    unsigned hide; /* what lists leave out for agents: bits of enum hidden */
    struct arena arena;
};

/* Sets the defaults: session.*, agent.{self}, agent.{self}.* and public.* are readable, all but
 * public.* writable with at most an hour to live, a context has all parts, personal data is masked.
 * Allocates nothing. */
void permissions_init(struct permissions *p);
/* Frees everything. `p` grants nothing afterwards. */
void permissions_release(struct permissions *p);

/* Does the pattern match the namespace, for the agent `self` (NULL: {self} matches nothing)?
 * O(pattern × namespace). */
bool namespace_matches(const char *pattern, const char *name, const char *self);
/* Writes the pattern with {self} replaced by that name; false if it matches nothing for it. */
#define NAMESPACE_FULL_MAX 4096
bool namespace_pattern_expand(const char *pattern, const char *self, char out[NAMESPACE_FULL_MAX]);
#define PATTERN_SELF "{self}"

/* `[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*`, at most NAMESPACE_MAX bytes. */
#define NAMESPACE_MAX 100
bool namespace_is_valid(const char *name, size_t len);
/* `[A-Za-z0-9_.:/@-]+`, at most ENTRY_KEY_MAX bytes. */
#define ENTRY_KEY_MAX 200
bool entry_key_is_valid(const char *key, size_t len);
/* The bytes of a namespace, `*` and `{self}`, 1 to NAMESPACE_PATTERN_MAX of them. A dot must not be
 * first, last or next to another. */
#define NAMESPACE_PATTERN_MAX 200
bool namespace_pattern_is_valid(const char *pattern, size_t len);
/* The agent to which the store's own socket grants its name by the user of the process; NULL if
 * none. */
const char *permission_agent_of_uid(const struct permissions *p, int64_t uid);

/*
 * The grant of a tool to an agent, which is NULL if it has no name: the agent's own, or else the
 * general one. If neither is given, getMemory has the grant of listMemory, and deleteMemory that of
 * putMemory. Returns NULL if there is no grant.
 */
const struct grant *permission_grant(const struct permissions *p, const char *agent,
                                     enum memory_tool tool);
/* Does the agent have this access to the namespace `name` with this tool? Always false for
 * getContext, whose grant has no namespaces. */
bool permission_allows(const struct permissions *p, const char *agent, enum memory_tool tool,
                       const char *name, enum access access);
/* How an agent gets an entry: by its ref, also through a memory based on it, or in a list of
 * others. */
enum entry_access {
    ENTRY_BY_REF = 0,
    ENTRY_IN_LIST
};
/* May the agent read entries of that namespace in this way? Entries in a list need permission to
 * read and to list. */
bool permission_reads(const struct permissions *p, const char *agent, const char *name,
                      enum entry_access how);
/* The parts of a context that the agent may get, as context_part bits. */
unsigned permission_contexts(const struct permissions *p, const char *agent);

/* The agent's gate, or else that of the others; NULL if there is none. */
const struct gate *permission_gate(const struct permissions *p, const char *agent);
enum gate_tier gate_tier(const struct gate *gate, enum kind kind);

/*
 * The policy of a namespace: that of the pattern equal to its name, or else of the longest that
 * matches (the first of equal length), or else the default (mask, no limits). Never NULL. `name`
 * may be NULL for a call without a namespace. O(patterns).
 */
const struct namespace_policy *permission_policy(const struct permissions *p, const char *name);
/* The rate limit of a tool in a namespace: that of its policy, or else the general one. Never NULL. */
const struct rate_limit *permission_rate(const struct permissions *p, enum memory_tool tool,
                                         const char *name);

/*
 * Rate limits: a sliding window for the sustained rate and a token bucket for bursts, for each tool
 * and namespace. A call is counted in both if both permit it. A window counts the calls in [now -
 * window, now]. Not for several threads. Counters that have expired are removed.
 */
struct rates;
struct rates *rates_new(void);    /* free with rates_free */
void rates_free(struct rates *r); /* NULL is allowed */
/* The number of counters, for tests. */
size_t rates_count(const struct rates *r);

/*
 * Asks for a call at `now_us` (monotonic, never decreasing). Returns 0 if it is permitted, and
 * counts it; otherwise the milliseconds to wait, at least 1. `name` may be NULL for a tool without
 * namespaces. The limit may differ between calls; earlier calls still count.
 */
int64_t rates_take(struct rates *r, enum memory_tool tool, const char *name,
                   const struct rate_limit *limit, int64_t now_us);

#endif
