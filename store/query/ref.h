/* A ref as somebody types it: which memory it means, and how much of it must be said. */
#ifndef STEMMA_REF_H
#define STEMMA_REF_H

#include "store/db/store.h"
#include "store/guard/guard.h"

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

/*
 * What a link names: exactly that, else the only UUID that begins so (REF_LINK_PREFIX characters or more), else what is
 * given, which may be written later. What was only named so far gives way to the one UUID that is written. A bare id
 * is one of `bare`, or for KIND_COUNT of whichever kind has it. *known is false where nothing written has that ref.
 * REF_MEMORY with `out` in the arena; REF_ANNOTATION; REF_BAD with ERROR_INVALID (the candidates, where it is
 * ambiguous) or another error.
 */
enum ref_class ref_link(struct reader *r, struct arena *arena, const char *text, enum kind bare,
                        struct ref *out, bool *known, struct error *e);

#endif
