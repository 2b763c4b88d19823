/* A ref as somebody types it: which memory it means, and how much of it must be said. */
#ifndef STEMMA_REF_H
#define STEMMA_REF_H

#include "store/db/store.h"

/*
 * A ref as a person or a tool gives it: exactly, else as a unique prefix of at least REF_PREFIX_MIN;
 * a bare id is looked for among all kinds. The row, or -1: ERROR_NOT_FOUND, or ERROR_INVALID for an
 * ambiguous one, whose `todo` lists the candidates. A stub is found where nothing that is written is meant: it makes no
 * prefix ambiguous, and where it is called as the first REF_SHORT characters or more of just one that is written, that
 * one is meant.
 */
int64_t ref_resolve(struct reader *r, const char *text, struct error *e);
/* The shortest prefix of its id that ref_resolve() takes for it among that kind, at least REF_SHORT characters, as a
 * length in bytes. */
size_t ref_short_length(struct reader *r, struct ref ref);

#endif
