/* Fields and statements as they are given on a command line and in files. */
#ifndef STEMMA_FIELD_WORDS_H
#define STEMMA_FIELD_WORDS_H

#include "store/ops/operation.h"
#include "tui/cli/command.h"

/* Fields of a memory given as words: NAME=VALUE. */

/*
 * What --field gives, as the JSON object of a request, in the invocation's arena; *json NULL: it is not given. A
 * value is JSON where it can be read as such, else a string of these words; none at all is null, which takes the
 * field away. Of an entry (and where `kind`, KIND_COUNT, is not said) the value is JSON alone, and its expiry a
 * time to come. ERROR_USAGE tells of a word that is none.
 */
int field_words(struct invocation *i, enum kind kind, const char **json, struct error *e);

/*
 * A file of statements, for `stemma seed` and `stemma fix-provenance --seeds`: one a line, or lines of JSON
 * ({"statement": …, "confidence"?: …, "tags"?: […]}). Blank lines are nothing; white space around a
 * statement is not part of it.
 */

/*
 * Reads the file (`-` is standard input) into the arena. ERROR_INVALID names the line and what is wrong with
 * it; ERROR_STORE where it cannot be read. A file without a statement is wrong.
 */
int statements_read(const char *path, struct arena *arena, struct seed **out, size_t *count,
                    struct error *e);

#endif
