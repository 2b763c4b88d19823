/*
 * Matching what a person types: patterns of filters and searches, and the names that options accept.
 *
 * A pattern is plain text. It ignores case unless it contains a capital letter (smart-case). Filters, search and
 * highlighting all use it.
 */
#ifndef STEMMA_MATCH_H
#define STEMMA_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include "model/base/error.h"
#include "model/query/query.h"
#include "model/base/strbuf.h"

struct error;

struct match_place {
    size_t from, to; /* bytes */
};
/* Finds the first match in `text` (`len` bytes) at or after `start`. False if there is none, or if the pattern is
 * empty. O(len · pattern). */
bool match_find(const char *text, size_t len, size_t start, const char *pattern,
                struct match_place *found);
bool match_text(const char *text, const char *pattern); /* false if `text` is NULL */

/* The names that an option accepts, besides those of fields of queries: one per index, then NULL. */
const char *choice_order(int i);

/*
 * Parses the name of a kind. Returns KIND_COUNT for the word `other` ("all"; NULL if no such word is accepted).
 * Returns -1 and sets ERROR_USAGE, with the nearest name or all names, for any other word.
 */
int choice_kind_typed(const char *word, const char *other, struct error *e);

/*
 * Links in a text: URIs of the web and of files, and a path that is a whole text. They become hyperlinks of a terminal
 * (OSC 8), or are opened by a program.
 */

#define LINK_BYTES 2000 /* bytes of a target; terminals ignore longer ones */

/* Bytes of a text. */
struct link {
    size_t from, to;
};

/* Finds the first link that ends after byte `at`: a URI with the scheme http, https or file, or a path that begins the
 * text or stands in brackets. A URI ends before a blank, a quote or a bracket <>, and before the punctuation of a
 * sentence. */
bool link_find(const char *s, size_t len, size_t at, struct link *out);
/* Appends its target: bytes that may not stand in a URI are percent-encoded, so only visible ASCII is left. A path gets
 * the name of this machine. Returns false and appends nothing if it is too long. */
bool link_add_target(struct strbuf *out, const char *s, const struct link *l);

#endif
