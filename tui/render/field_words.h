/* Fields of a memory given as words: NAME=VALUE. */
#ifndef STEMMA_FIELD_WORDS_H
#define STEMMA_FIELD_WORDS_H

#include "model/memory/memory.h"
#include "tui/cli/command.h"

/*
 * What --field gives, as the JSON object of a request, in the invocation's arena; *json NULL: it is not given. A
 * value is JSON where it can be read as such, else a string of these words; none at all is null, which takes the
 * field away. Of an entry (and where `kind`, KIND_COUNT, is not said) the value is JSON alone, and its expiry a
 * time to come. ERROR_USAGE tells of a word that is none.
 */
int field_words(struct invocation *i, enum kind kind, const char **json, struct error *e);

#endif
