/*
 * An error: what happened and what to do next.
 *
 * Whatever can fail takes a `struct error *` (never NULL), fills it and returns -1 or NULL. `what`
 * and `todo` are one sentence each, without a line break, and are clean text: control characters of
 * what they quote are replaced. The same error reads well in the status line, on stderr and in an
 * MCP result.
 */
#ifndef STEMMA_ERROR_H
#define STEMMA_ERROR_H

#include <stdbool.h>
#include <stddef.h>

enum error_code {
    ERROR_NONE = 0,
    ERROR_NOT_FOUND,   /* nothing matched; exit status 1 */
    ERROR_USAGE,       /* a wrong word on the command line; exit status 2 */
    ERROR_INVALID,     /* an input that breaks its rules; exit status 3 */
    ERROR_STORE,       /* the store or an input cannot be read or written; exit status 3 */
    ERROR_BUSY,        /* another process holds the store; exit status 3 */
    ERROR_REFUSED,     /* protected, not permitted, read-only, needs --yes; exit status 4 */
    ERROR_CONFLICT,    /* a stale edit or another origin's content; exit status 4 */
    ERROR_INTERRUPTED, /* cancelled by the person; exit status 1 */
    ERROR_PII,         /* personal data where it is not accepted; exit status 4 */
    ERROR_QUOTA,       /* a namespace is full; exit status 4 */
    ERROR_RATE,        /* too often; exit status 4 */
    ERROR_CODES
};

struct error {
    enum error_code code;
    char what[512];
    char todo[256];
    unsigned char
        quoted[512 / 8]; /* a bit for each byte of `what` that is no word of the program's own */
    bool todo_quotes;    /* so is `todo`, or a part of it */
};

/*
 * Fills `e` and returns -1, so that a caller can `return error_set(...)`. `todo` may be "" where
 * there is nothing to do; whoever quotes in it sets todo_quotes. Text that does not fit is cut at a code point.
 * What the format itself says are the program's own words, what it puts in is quoted.
 */
int error_set(struct error *e, enum error_code code, const char *todo, const char *what, ...)
    __attribute__((format(printf, 4, 5)));

/* Is that byte of `what` one that the error quotes: an argument, a name, a number? */
static inline bool error_quotes(const struct error *e, size_t at)
{
    return at < sizeof(e->what) && (e->quoted[at / 8] >> at % 8 & 1);
}
/* What to do follows what happened, "what. todo", and is no more by itself. */
void error_join(struct error *e);
/* From here on all of `what` counts as quoted, as what was written into it by other means. */
void error_quote_all(struct error *e);
/* None of it does: what was put in are the program's own words too, as the name of an argument. Returns -1. */
int error_own_all(struct error *e);

/* Puts "prefix: " before what `e` says already; for a line number or a file's name. Returns -1. */
int error_prefix(struct error *e, const char *prefix, ...) __attribute__((format(printf, 2, 3)));

/* The exit status of a command that ends with this error (0 for ERROR_NONE). */
int error_exit_status(const struct error *e);

/* The code of the MCP envelope: "NOT_FOUND", "INVALID_REQUEST", "CONFLICT", … A constant. */
const char *error_name(enum error_code code);

#endif
