/*
 * Calls of the tools of shared memory over a server whose store has a clock that tests set. Whatever goes wrong fails
 * the test that called.
 */
#ifndef STEMMA_TESTS_ENTRY_CALLS_H
#define STEMMA_TESTS_ENTRY_CALLS_H

#include "tests/support/guarded.h"
#include "tests/support/tool_call.h"

#define ROWS(list) (sizeof(list) / sizeof(*(list)))
#define DENIED     "PERMISSION_DENIED"
#define INVALID    "INVALID_REQUEST"
#define MISSING    "NOT_FOUND"

extern struct guarded calls_served;

/* A served store whose clock stands at FIXTURE_NOW; `p` NULL: by the default rules. `agent`: --agent, or NULL. */
void calls_begin(struct permissions *p, const char *agent);
void calls_end(void);
/* So much later. */
void calls_advance(int64_t ms);
/* Rules by which all tools may do everything in all namespaces, for good. */
void calls_grant_all(struct permissions *p);

/* The answer of a tool, kept until the end; ' stands for " in `format`. */
const char *calls_ask(const char *tool, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Of an answer; "": it is no failure. */
const char *calls_code(const char *answer);
/* It is answered with that code; "": without a failure. */
void calls_expect(const char *code, const char *tool, const char *arguments);
struct expected_call {
    const char *code, *tool, *arguments;
};

void calls_put(const char *name, const char *key, const char *value);
const char *calls_get(const char *name, const char *key);
const char *calls_list(const char *name);
/* The keys of a namespace, with a blank between them. */
const char *calls_keys(const char *name);
/* So many of the character. */
const char *calls_chars(char c, size_t count);

#endif
