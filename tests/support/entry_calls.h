/*
 * Calls of the tools of shared memory on a server whose store has a clock that tests set. Any error
 * fails the calling test.
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

/* Serves a store whose clock is at FIXTURE_NOW. With `p` NULL the default rules apply. `agent`
 * is the value of --agent, or NULL. */
void calls_begin(struct permissions *p, const char *agent);
void calls_end(void);
/* Advances the clock. */
void calls_advance(int64_t ms);
/* Rules that allow all tools everything in all namespaces, without expiry. */
void calls_grant_all(struct permissions *p);

/* The answer of a tool, valid until calls_end. In `format` ' stands for ". */
const char *calls_ask(const char *tool, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The error code of an answer, or "" if it succeeded. */
const char *calls_code(const char *answer);
/* Checks the error code of the answer; "" for success. */
void calls_expect(const char *code, const char *tool, const char *arguments);
struct expected_call {
    const char *code, *tool, *arguments;
};

void calls_put(const char *name, const char *key, const char *value);
const char *calls_get(const char *name, const char *key);
const char *calls_list(const char *name);
/* The keys of a namespace, separated by blanks. */
const char *calls_keys(const char *name);
/* A string of `count` times the character. */
const char *calls_chars(char c, size_t count);

#endif
