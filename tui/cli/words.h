/* What is typed: fields of memories (--field NAME=VALUE), files of statements, and queries. */
#ifndef STEMMA_WORDS_H
#define STEMMA_WORDS_H

#include "model/query/query.h"
#include "store/ops/operation.h"
#include "tui/cli/command.h"

/*
 * Reads all --field options into the JSON object of a request, in the invocation's arena. Sets *json to NULL if none
 * is given. A value is JSON if it can be parsed as JSON, otherwise a string; an empty value is null, which removes
 * the field. For entries, and if `kind` is KIND_COUNT (not known), `value` must be JSON unless it cannot be the start
 * of an object, list or string, and `expires_at` is a time. Returns -1 and sets ERROR_USAGE for an invalid field.
 */
int field_words(struct invocation *i, enum kind kind, const char **json, struct error *e);

/*
 * Reads a file of statements (`-` is standard input) into the arena, for `stemma seed` and `stemma fix-provenance
 * --seeds`. Each line is a statement, or a JSON object {"statement": …, "confidence"?: …, "tags"?: […]}. Blank lines,
 * and white space around a statement, are ignored. Returns -1 and sets ERROR_INVALID, which names the line, or
 * ERROR_STORE if the file cannot be read. A file without statements is an error.
 */
int statements_read(const char *path, struct arena *arena, struct seed **out, size_t *count,
                    struct error *e);

/* ---- queries (model/query/query.h): the words of a command, joined by spaces ---- */

/* Joins the words from `first` on, in the arena. */
const char *joined_words(struct invocation *i, size_t first);
/* Parses a query in the invocation's arena. A mistake is pointed at on stderr; returns -1 and sets ERROR_USAGE. */
int query_words_read(struct invocation *i, const char *query, enum query_on on,
                     struct query_terms *out, struct error *e);
/* Nothing matched a query: points at a word whose name before the colon is no field, and lists the fields. */
void query_words_unmatched(const char *query, enum query_on on);
/* Appends how a query is written, and the table of fields. */
void query_words_help(struct strbuf *out);

#endif
