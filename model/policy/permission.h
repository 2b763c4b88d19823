/* What agents may do with entries of shared memory, as a configuration says. Whatever is not granted is denied. */
#ifndef STEMMA_PERMISSION_H
#define STEMMA_PERMISSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/arena.h"

/* The tools of entries, in the order of their names in a configuration. */
enum memory_tool {
    MEMORY_TOOL_LIST = 0, /* listMemory */
    MEMORY_TOOL_CONTEXT,  /* getContext */
    MEMORY_TOOL_PUT,      /* putMemory */
    MEMORY_TOOL_GET,      /* getMemory */
    MEMORY_TOOL_DELETE,   /* deleteMemory */
    MEMORY_TOOL_COUNT
};
const char *memory_tool_name(enum memory_tool tool);
int memory_tool_from_name(const char *name); /* -1: none is called so */

enum access {
    ACCESS_READ = 1,
    ACCESS_WRITE = 2,
};
const char *access_name(enum access access); /* "read", "write" */
/* What a tool asks for by itself. */
enum access memory_tool_access(enum memory_tool tool);
enum context_part {
    CONTEXT_SESSION = 1,
    CONTEXT_AGENT = 2,
    CONTEXT_TASK = 4,
};

/* What a tool may do. What it does not name is not granted. */
struct grant {
    bool given; /* the configuration names the tool; else see permission_grant */
    /* Patterns: `*` stands for any run of characters, also for none; the rest for itself. */
    const char *const *namespaces;
    size_t namespace_count;
    unsigned contexts;       /* context_part bits; of getContext alone */
    unsigned operations;     /* access bits */
    int64_t max_ttl_seconds; /* -1: no limit; of putMemory alone */
};

/* Of each tool and namespace by itself. */
struct rate_limit {
    double window_seconds; /* the sliding window, and how many calls it holds; 0 calls: none */
    int64_t window_calls;
    double per_second; /* the bucket: what it gains in a second and holds at most; 0 burst: none */
    int64_t burst;
};

enum pii_policy {
    PII_MASK = 0, /* masked wherever it leaves */
    PII_REFUSE,   /* masked, and not accepted */
    PII_OFF,
};
const char *pii_policy_name(enum pii_policy policy);

/* Of all namespaces that a pattern matches, each by itself. */
struct namespace_policy {
    const char *pattern;
    enum pii_policy pii;
    int64_t max_items, max_bytes; /* of values; 0: no limit */
    bool evict_oldest;            /* else what does not fit is refused */
    bool strong;                  /* consistency; one store serves both alike */
    struct rate_limit rate[MEMORY_TOOL_COUNT];
    bool has_rate[MEMORY_TOOL_COUNT]; /* in place of the general one */
};

struct agent_grants {
    const char *agent;
    struct grant
        grant[MEMORY_TOOL_COUNT]; /* one that is given stands in place of the general one */
};

struct pii_pattern {
    const char *name;    /* of what it finds: [redacted-NAME] */
    const char *pattern; /* PCRE2, UTF-8 */
};

/* All of it; immutable once it is read, so that any thread may ask. Strings are in `arena`. */
struct permissions {
    struct grant grant[MEMORY_TOOL_COUNT];
    struct agent_grants *agents;
    size_t agent_count;
    struct namespace_policy *namespaces;
    size_t namespace_count;
    struct rate_limit rate[MEMORY_TOOL_COUNT];
    struct pii_pattern *patterns;
    size_t pattern_count;
    bool mask;  /* personal data of memories that are no entries is masked over MCP */
    bool share; /* agents see one another's memories; else of another's its ref and owner alone */
    struct arena arena;
};

/* What holds where nothing is configured: session.*, agent.* and public.* are read, session.* and agent.* written for an
 * hour at most, a context has all its parts, personal data is masked. Takes no memory. */
void permissions_init(struct permissions *p);
/* Frees what it holds; it grants nothing from then on. */
void permissions_release(struct permissions *p);

/* Does the pattern stand for that namespace? O(pattern x namespace). */
bool namespace_matches(const char *pattern, const char *name);

/* `[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*`, at most NAMESPACE_MAX bytes. */
#define NAMESPACE_MAX 100
bool namespace_is_valid(const char *name, size_t len);
/* `[A-Za-z0-9_.:/@-]+`, at most ENTRY_KEY_MAX bytes. */
#define ENTRY_KEY_MAX 200
bool entry_key_is_valid(const char *key, size_t len);
/* A namespace's bytes and `*`, one to NAMESPACE_PATTERN_MAX of them, no dot first, last or next to another. */
#define NAMESPACE_PATTERN_MAX 200
bool namespace_pattern_is_valid(const char *pattern, size_t len);

/*
 * The grant of a tool to an agent (NULL: one without a name): the agent's own, else the general one. Where
 * neither is given getMemory has listMemory's and deleteMemory putMemory's. NULL: none.
 */
const struct grant *permission_grant(const struct permissions *p, const char *agent,
                                     enum memory_tool tool);
/* Never for getContext, whose grant has no namespaces. */
bool permission_allows(const struct permissions *p, const char *agent, enum memory_tool tool,
                       const char *name, enum access access);
/* How an agent comes by an entry: it names it, or what is based on it; or it meets it among others. */
enum meeting {
    MET_BY_REF = 0,
    MET_IN_LIST
};
/* May the agent read the entries of that namespace that it comes by so? What it meets in a list is read and listed. */
bool permission_reads(const struct permissions *p, const char *agent, const char *name,
                      enum meeting met);
/* The parts of a context that the agent may have, as context_part bits. */
unsigned permission_contexts(const struct permissions *p, const char *agent);

/*
 * The policy of a namespace: of the pattern that is its very name, else of the longest that matches, else the
 * default (mask, no limits). Never NULL; of equally long patterns the first. `name` may be NULL: of a call that
 * names none. O(patterns).
 */
const struct namespace_policy *permission_policy(const struct permissions *p, const char *name);
const struct rate_limit *permission_rate(const struct permissions *p, enum memory_tool tool,
                                         const char *name);

#endif
