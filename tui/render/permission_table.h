/*
 * What an agent may do with entries, as a table: a row for each namespace that is there and each pattern
 * that the configuration names, a column for each tool, and the rule that decides it. Worked out from the
 * rules alone, as permission_allows decides.
 */
#ifndef STEMMA_PERMISSION_TABLE_H
#define STEMMA_PERMISSION_TABLE_H

#include "model/policy/permission.h"
#include "model/base/strbuf.h"
#include "store/entries/entry.h"

/* The tools that have a column, in their order: all but getContext. */
#define PERMISSION_TOOLS 4
extern const enum memory_tool permission_tool[PERMISSION_TOOLS];

/* Why it is allowed, or is not. */
struct permission_rule {
    bool allowed;
    bool operation;            /* the grant has what the tool asks for: reading, or writing */
    const struct grant *grant; /* that decides; NULL: the tool is granted to nobody */
    const char *pattern;       /* the first one that stands for it; NULL: none does */
    const char *agent;         /* whose own grant it is; NULL: that of all agents */
    enum memory_tool of;       /* which tool's it is: getMemory may go by listMemory's */
};
/* `name` may be a pattern: is all that it stands for allowed? Points into `p`. */
struct permission_rule permission_explain(const struct permissions *p, const char *agent,
                                          enum memory_tool tool, const char *name);
/* "session.*, granted to all agents", "none of session.*, agent.* stands for it" appended. */
void permission_rule_say(const struct permission_rule *rule, struct strbuf *out);
/* "session, task": the parts of a context that the agent may have; "none". */
void permission_contexts_say(const struct permissions *p, const char *agent, struct strbuf *out);
/* The same, and how often it may be asked for: "session, task; 10 calls in 60 s". */
void permission_context_say(const struct permissions *p, const char *agent, struct strbuf *out);
/* "personal data refused, 1000 items, 1.0 MB, the oldest gives way" appended. */
void namespace_policy_say(const struct namespace_policy *policy, struct strbuf *out);
/* "100 calls in 60 s, 5 a second, 10 at once"; nothing where there is no limit. */
void rate_limit_say(const struct rate_limit *limit, struct strbuf *out);
/* "512 B", "3.4 KB", "1.0 MB". `size` at least 16. */
void bytes_say(char *out, size_t size, int64_t bytes);
/* "45s", "59m", "3h", "2d": rounded down; "0s" for what is over. `size` at least 16. */
void seconds_say(char *out, size_t size, int64_t seconds);

struct permission_row {
    const char *name;
    bool pattern;              /* else a namespace that is there */
    struct namespace_row held; /* of a namespace */
    struct permission_rule rule[PERMISSION_TOOLS];
};
/* The policy of that namespace, or of all that the pattern stands for, the longest time to live that the agent may give
 * there, and how often each tool of the table may be called: "personal data masked, 5 items; ttl_seconds 5400 at
 * most (90m); listMemory 2 calls in 60 s" appended. */
void namespace_held_to_say(const struct permissions *p, const struct permission_row *row,
                           struct strbuf *out);
/* What stands in the cell of a tool: "denied", "read", "write 90m", with the longest time to live where it has a
 * limit. */
void permission_cell_say(const struct permission_row *row, size_t tool, struct strbuf *out);
/*
 * Namespaces first, then patterns, each by name; in the arena, pointing into `p` and `names`.
 * O(rows x patterns).
 */
void permission_table(const struct permissions *p, const char *agent,
                      const struct namespace_row *names, size_t count, struct arena *arena,
                      struct permission_row **out, size_t *rows);

#endif
