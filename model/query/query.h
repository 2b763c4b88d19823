/*
 * The query language of lists, searches, the live view, the audit, the command line and MCP:
 *
 * agent:ash kind:belief confidence:<0.7 tag:retry after:2026-01-01 "exact words" /regex/ -kind:raw
 *
 * A query is terms; all must match. A term is a word, words in quotes, a /regular expression/, or FIELD:VALUE. A minus
 * in
 * front negates it. A value with spaces stands in quotes, where \" and \\ are escapes. Values from a list of choices
 * may
 * be several, separated by commas: any of them matches. Numbers and times take <, <=, >, >= or a range 0.3..0.7,
 * without its end 0.3..<0.7.
 *
 * The fields are one table, from which help, completion and errors follow. This room parses; it knows no store.
 * store/query/matcher.h finds the memories that match, tui/render/activity.h the events.
 */
#ifndef STEMMA_MODEL_QUERY_H
#define STEMMA_MODEL_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/arena.h"
#include "model/base/error.h"

/* What a query selects; bits, since a field may be of several. */
enum query_on {
    QUERY_MEMORIES = 1,
    QUERY_EVENTS = 2, /* events of the journal and calls */
    QUERY_SESSIONS = 4,
};

enum query_field {
    QUERY_TEXT = 0, /* words */
    QUERY_REGEX,
    QUERY_KIND,
    QUERY_AGENT, /* of a memory; who did it, of an event; of a session */
    QUERY_LABEL,
    QUERY_STATUS,
    QUERY_CONFIDENCE,
    QUERY_TAG,
    QUERY_SOURCE,
    QUERY_TOLD,
    QUERY_CLAIMS,
    QUERY_FLAG,
    QUERY_ROOTS,
    QUERY_USES,
    QUERY_CREATED, /* the time of an event; a session was open then */
    QUERY_UPDATED,
    QUERY_MEMORY,
    QUERY_OPERATION,
    QUERY_SESSION,
    QUERY_CORRELATION,
    QUERY_ONLY,
    QUERY_FIELDS
};
#define QUERY_NONE "none" /* flag:none, tag:none */

enum query_type {
    QUERY_IS_TEXT,   /* a part of a text, or a name */
    QUERY_IS_CHOICE, /* one of query_spec.choice, or several with commas */
    QUERY_IS_NUMBER,
    QUERY_IS_TIME,
};

/* A name of a field in a query. A field may have several, of which one may imply a comparison: after, before. */
struct query_spec {
    const char *name;
    const char *also; /* other names, separated by spaces; or NULL */
    enum query_field field;
    enum query_type type;
    unsigned on;       /* enum query_on */
    const char *value; /* an example: "<0.7" */
    const char *about; /* one line of help */
    const char *(*choice)(
        int i);   /* its values, NULL after the last; NULL if there is no such list */
    char implied; /* '>' or '<' if the name says it; or 0 */
};
/* The rows of the table in the order of the help; NULL after the last. */
const struct query_spec *query_spec(int i);
/* The row with that name, also among the other names; NULL if there is none. */
const struct query_spec *query_spec_named(const char *name, size_t len);

/* The choices of fields: NULL after the last. */
const char *choice_kind(int i);
const char *choice_status(int i); /* the statuses of stored memories, then "all" */
const char *choice_label(int i);
const char *choice_activity(
    int i); /* "changes", "reads", "refusals", "cancellations": enum activity_type */

struct query_pattern;
struct query_offering;
struct strbuf;

struct query_term {
    const struct query_spec *spec; /* NULL for QUERY_TEXT and QUERY_REGEX without a field */
    enum query_field field;
    bool negated;
    const char *text;   /* the value without quotes */
    const char *folded; /* the same as fold_text writes it, for comparing without case */
    unsigned bits; /* of a choice: 1 << its number; statuses as STATUS_BIT, kinds as KIND_BIT */
    double low,
        high; /* of a number or a time (ms): inclusive unless open; ±INFINITY for no bound */
    bool low_open, high_open;
    const struct query_pattern *pattern; /* of QUERY_REGEX */
    size_t from, to;                     /* its bytes in the query */
};

struct query_terms {
    const char *query; /* as it was written; in the arena */
    struct query_term *term;
    size_t count, alloc;
    size_t bad_from, bad_to; /* after an error: the bytes of the query that it is about */
};

#define QUERY_BYTES 65536 /* of a query */

/* How times are read: relative ones count back from `now`. */
struct query_clock {
    int64_t now;
    int (*read)(const char *text, int64_t now, int64_t *ms); /* as clock_parse_when, in UTC */
};

/*
 * Parses a query on `on`. Everything is in the arena, also the patterns. Returns -1 and sets ERROR_INVALID with the
 * nearest name, and bad_from and bad_to.
 */
int query_parse(const char *query, enum query_on on, struct query_clock clock, struct arena *arena,
                struct query_terms *out, struct error *e);
/* A query of one text, whatever is in it. */
void query_plain(const char *text, struct arena *arena, struct query_terms *out);
/* The first term of a field that is not negated; NULL if there is none. */
const struct query_term *query_term(const struct query_terms *t, enum query_field field);
/* Appends the words that must occur: those of QUERY_TEXT that are not negated, with spaces. */
void query_words(const struct query_terms *t, struct strbuf *out);
/* Whether a number or time is in the range of the term. Negation is the caller's. */
bool term_has(const struct query_term *t, double value);
/* Whether a name contains the value, without case. NULL contains nothing. Negation is the caller's. */
bool term_in(const struct query_term *t, const char *name);

/* A text that words and patterns are searched in. `folded` is fold_text of `raw`; both end with a NUL. */
struct query_text {
    const char *raw, *folded;
    size_t len; /* of `raw` */
};
/*
 * Whether all words and patterns, negation included, match the text: 1 or 0; other terms do not count. -1 and
 * ERROR_INVALID if a pattern needs too many steps. May be called from several threads.
 */
int query_matches_text(const struct query_terms *t, const struct query_text *text, struct error *e);

/* ---- queries that are typed ---- */

/* Appends the query with NAME:VALUE in place of the terms of that name. */
void query_put(struct strbuf *out, const char *query, const char *name, const char *value);
/* The length of the query without a last term that is still being typed: a field or an open quote or pattern. */
size_t query_whole(const char *query);

/* Finds the first word with a colon whose name is no field, so that the whole is text, and where it is in the query. */
bool query_unknown_field(const char *query, size_t *from, size_t *to);
/* Appends what may be wrong with a query that nothing matches: a field that does not exist, a word that a field has. */
void query_hint(const char *query, enum query_on on, struct strbuf *out);

/* Receives candidates for the last term. */
struct query_offers {
    /* A word to replace the last term, what it is, and its rank: the lowest is the best. */
    void (*offer)(void *arg, const char *word, const char *about, int score);
    /* Calls query_offer_value for the names that the store knows. May be NULL. */
    void (*names)(void *arg, struct query_offering *to, enum query_field field, const char *typed);
    void *arg;
};
/* Offers what the last term of a query may become. Returns the byte where that term begins. */
size_t query_complete(const char *query, enum query_on on, const struct query_offers *offers);
void query_offer_value(struct query_offering *to, const char *value, const char *about);

/* Tokens of a query, for its parser and for completion. */
struct token {
    const char *from, *to; /* in the query, with the minus, the name and quotes */
    const char *name;      /* before a colon; NULL if it has none, or a kind: belief:54c5 */
    size_t name_len;
    const struct query_spec
        *spec;         /* of that name; NULL if there is no such field: the whole is text */
    const char *value; /* with its quotes or slashes, up to `to` */
    bool negated, quoted, pattern;
    bool open; /* its quote is not closed */
};
/* Reads the next token. Returns false at the end of the query. */
bool query_token(const char **at, struct token *t);

#endif
