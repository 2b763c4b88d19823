/*
 * The permissions of an agent for entries as a table: a row for each existing namespace and each pattern of the
 * configuration, a column for each tool, and the rule that decides. Computed from the rules alone, in the same way as
 * permission_allows.
 */
#ifndef STEMMA_PERMISSION_TABLE_H
#define STEMMA_PERMISSION_TABLE_H

#include "model/policy/permission.h"
#include "model/base/strbuf.h"
#include "store/entries/entry.h"

/* The tools that have a column, in their order: all except getContext. */
#define PERMISSION_TOOLS 4
extern const enum memory_tool permission_tool[PERMISSION_TOOLS];

/* The rule that allows or denies a tool. */
struct permission_rule {
    bool allowed;
    bool operation; /* the grant includes the operation (read or write) that the tool needs */
    const struct grant *grant; /* the grant that decides; NULL if the tool is granted to nobody */
    const char *pattern;       /* the first pattern that matches; NULL if none does */
    const char *agent;         /* the agent of the grant; NULL if it is for all agents */
    enum memory_tool of;       /* the tool of the grant: listMemory may also allow getMemory */
};
/* Finds the rule for `name`. If `name` is a pattern, it is allowed only if everything that matches it is. The result
 * points into `p`. */
struct permission_rule permission_explain(const struct permissions *p, const char *agent,
                                          enum memory_tool tool, const char *name);
/* Appends "session.*, granted to all agents" or "none of session.*, agent.* stands for it". */
void permission_rule_describe(const struct permission_rule *rule, struct strbuf *out);
/* Appends which agents may use the tool on entries of that namespace: "any agent", "any agent but ash", "only ash",
 * "no agent". */
void permission_agents_describe(const struct permissions *p, enum memory_tool tool,
                                const char *name, struct strbuf *out);
/* Appends the parts of a context that the agent may read: "session, task", or "none". */
void permission_contexts_describe(const struct permissions *p, const char *agent,
                                  struct strbuf *out);
/* As permission_contexts_describe, with the rate limit: "session, task; 10 calls in 60 s". */
void permission_context_describe(const struct permissions *p, const char *agent,
                                 struct strbuf *out);
/* Appends "personal data refused, 1000 items, 1.0 MB, the oldest gives way". */
void namespace_policy_describe(const struct namespace_policy *policy, struct strbuf *out);
/* Appends "100 calls in 60 s, 5 a second, 10 at once"; nothing if there is no limit. */
void rate_limit_describe(const struct rate_limit *limit, struct strbuf *out);
/* Writes "512 B", "3.4 KB", "1.0 MB". `size` is at least 16. */
void format_bytes(char *out, size_t size, int64_t bytes);
/* Writes "45s", "59m", "3h", "2d", rounded down; "0s" for a time in the past. `size` is at least 16. */
void format_seconds(char *out, size_t size, int64_t seconds);

struct permission_row {
    const char *name;
    bool pattern; /* false for an existing namespace */
    struct permission_rule rule[PERMISSION_TOOLS];
};
/* Appends the policy of that namespace or pattern, the longest time to live that the agent may set there, and the
 * rate limit of each tool: "personal data masked, 5 items; ttl_seconds 5400 at most (90m); listMemory 2 calls in 60
 * s". */
void namespace_limits_describe(const struct permissions *p, const struct permission_row *row,
                               struct strbuf *out);
/* Appends the cell of a tool: "denied", "read", "write 90m", with the longest time to live if it is limited. */
void permission_cell_describe(const struct permission_row *row, size_t tool, struct strbuf *out);
/*
 * Builds the table: namespaces first, then patterns, each sorted by name. The rows are in the arena and point into
 * `p` and `names`. O(rows x patterns).
 */
void permission_table(const struct permissions *p, const char *agent,
                      const struct namespace_row *names, size_t count, struct arena *arena,
                      struct permission_row **out, size_t *rows);

#endif
