/*
 * An error: what happened and what to do next.
 *
 * A function that can fail takes a `struct error *` (never NULL), fills it and returns -1 or NULL.
 * `what` and `hint` are one sentence each, without a line break. Control characters in quoted text
 * are replaced, so both are safe to print. The same error is shown in the status line, on stderr
 * and in an MCP result.
 */
#ifndef STEMMA_ERROR_H
#define STEMMA_ERROR_H

#include <stdbool.h>
#include <stddef.h>

enum error_code {
    ERROR_NONE = 0,
    ERROR_NOT_FOUND,   /* nothing matched; exit status 1 */
    ERROR_USAGE,       /* wrong usage of the command line; exit status 2 */
    ERROR_INVALID,     /* invalid input; exit status 3 */
    ERROR_STORE,       /* the store or an input cannot be read or written; exit status 3 */
    ERROR_BUSY,        /* another process holds the store; exit status 3 */
    ERROR_REFUSED,     /* locked, not permitted, read-only, needs --yes; exit status 4 */
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
    char hint[256];
    /* a bit for each byte of `what`: set if the byte is quoted, clear if it is the program's own
     * text */
    unsigned char quoted[512 / 8];
    bool hint_quotes; /* `hint` contains quoted text */
};

/*
 * Fills `e` and returns -1, so that a caller can `return error_set(...)`. `hint` may be "" if there
 * is nothing to do. A caller that quotes something in `hint` sets hint_quotes afterwards. Text that
 * does not fit is cut at a code point. The format string of `what` counts as the program's own
 * text, the arguments count as quoted.
 */
int error_set(struct error *e, enum error_code code, const char *hint, const char *what, ...)
    __attribute__((format(printf, 4, 5)));

/* -1 if any of it failed, else 0: return failed_if(begin(…) || write(…)); */
static inline int failed_if(bool failed)
{
    return failed ? -1 : 0;
}

/* Is byte `at` of `what` quoted: part of an argument, a name or a number? */
static inline bool error_quotes(const struct error *e, size_t at)
{
    return at < sizeof(e->what) && (e->quoted[at / 8] >> at % 8 & 1);
}
/* Joins both into `what` as "what. hint" and empties `hint`. */
void error_join(struct error *e);
/* Marks all of `what` as quoted, for a text that was written into it by other means. */
void error_quote_all(struct error *e);
/* Marks all of `what` as the program's own text, for arguments such as the name of a parameter.
 * Returns -1. */
int error_quote_none(struct error *e);

/* Takes `count` bytes out of `what`. */
void error_cut(struct error *e, size_t at, size_t count);

/* Puts "prefix: " before `what`, such as a line number or a file name. Returns -1. */
int error_prefix(struct error *e, const char *prefix, ...) __attribute__((format(printf, 2, 3)));

/* What to do after writing a file failed with this errno. */
const char *error_write_hint(int number);

/* The exit status of a command that ends with this error (0 for ERROR_NONE). */
int error_exit_status(const struct error *e);

/* The code of the MCP envelope: "NOT_FOUND", "INVALID_REQUEST", "CONFLICT", … A constant. */
const char *error_name(enum error_code code);

/*
 * Hints for a person that name a command or a key of the explorer. An agent has neither, so
 * store/mcp/tools/service.c replaces these hints by others. A hint that needs no replacement has no
 * name here.
 */
#define HINT_APPROVE    "Approve it, or unlock it to end an approval."
#define HINT_LOCK       "Lock it instead."
#define HINT_RETRACT    "Retract, forget or purge it instead."
#define HINT_QUARANTINE "Quarantine it instead."
#define HINT_REPLACE    "Replace it by a better statement instead."
#define HINT_PENDING    "Approve it first."
#define HINT_ENTRY      "putMemory and deleteMemory (set namespaces) change entries: call them by name."
#define HINT_CHAINS     "stemma list chain lists them."
#define HINT_SHOW       "stemma show " /* followed by the ref and what it shows */
#define HINT_NAMED      "Its lineage tells who names it: stemma show --reverse."
#define HINT_UNLOCK     "Unlock it first."
#define HINT_RESTORE    "Restore it first."
#define HINT_UNDO       "Undo that to have it again."
#define HINT_WRITABLE   "Open it without --read-only, and where you may write."
#define HINT_NEWER      "Use the newest stemma to change it."

/* ---- did you mean ---- */

/*
 * Keeps the name nearest to a mistyped word. The distance counts insertions, deletions, substitutions
 * and exchanges of adjacent characters (Damerau 1964, optimal string alignment) and ignores case. A name that starts
 * with the word always counts as near.
 */
struct suggestion {
    const char *word;
    const char *name; /* the nearest, owned by the caller; NULL if none is near enough */
    size_t distance;
};
#define SUGGESTION_INIT(word)                                                                      \
    {                                                                                              \
        (word), NULL, (size_t)-1                                                                   \
    }
void suggest_consider(struct suggestion *s, const char *name);

#endif
