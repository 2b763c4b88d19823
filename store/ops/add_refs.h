/* Refs as someone gives them to a new memory, made whole. For store/ alone. */
#ifndef STEMMA_ADD_REFS_H
#define STEMMA_ADD_REFS_H

#include "store/txn/txn.h"

/*
 * What `text` names as an antecedent: exactly that, else the only UUID that begins so (8 characters
 * or more), else what is given, which may be written later. What was only named so far gives way to
 * the one UUID that is written. A bare id is one of `bare`, or for KIND_COUNT of whichever kind has
 * it. *known is false where nothing written has that ref. REF_MEMORY with `out` in the arena;
 * REF_ANNOTATION; REF_BAD with ERROR_INVALID (the candidates, where it is ambiguous) or another error.
 */
enum ref_class add_ref(struct txn *t, struct arena *arena, const char *text, enum kind bare,
                       struct ref *out, bool *known, struct error *e);

#endif
