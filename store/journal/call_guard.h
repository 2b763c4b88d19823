/*
 * What a row of the log of calls says beside who asked for what: the namespace, the trace, for whom, what was
 * masked, what its parts took. Kept in the row as one small object of JSON, which the chain covers by its
 * digest; a row of which there is nothing to say has none, as have all rows of before version 5.
 */
#ifndef STEMMA_CALL_GUARD_H
#define STEMMA_CALL_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What calls of tools of entries took in each of their parts, in microseconds. */
struct call_spans {
    int64_t permission_us, pii_us, store_us;
};

/* Strings may be NULL: there is none. */
struct call_guard {
    const char *namespace_;
    const char *agent; /* in whose name, where that is not the session's */
    const char *task;  /* that the requests said themselves */
    const char *traceparent;
    int64_t redactions; /* in all the answers together; the same of spans */
    struct call_spans spans;
};

/* Nothing is to be said. */
bool call_guard_is_empty(const struct call_guard *g);
/* Do both name the same? What is summed is left aside. */
bool call_guard_is_like(const struct call_guard *a, const struct call_guard *b);
/* Of what call_guard_is_like compares. */
uint64_t call_guard_hash(const struct call_guard *g);
/* Adds what `more` counted. */
void call_guard_sum(struct call_guard *g, const struct call_guard *more);
/* A copy of it and its strings in one piece, for free(), and its size; NULL: memory ran out. */
struct call_guard *call_guard_copy(const struct call_guard *g, size_t *size);

#endif
