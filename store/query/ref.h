/* Resolves refs that people and agents type, and computes the shortest unique prefix of an id. */
#ifndef STEMMA_REF_H
#define STEMMA_REF_H

#include "model/base/strbuf.h"
#include "store/guard/guard.h"

/*
 * Resolves a ref: an exact one, else a unique prefix of at least REF_PREFIX_MIN characters; a bare
 * id is searched in all kinds. Returns the row, or -1 with ERROR_NOT_FOUND, or ERROR_INVALID for an
 * ambiguous one, whose `hint` lists the candidates. Stubs are only found if no written memory
 * matches. If a stub's id is also a prefix (REF_SHORT or more characters) of exactly one written
 * memory, that one is meant.
 */
int64_t ref_resolve(struct reader *r, const char *text, struct error *e);
/*
 * The length in bytes of the shortest prefix of the id that ref_resolve() accepts within its kind,
 * at least REF_SHORT characters.
 */
size_t ref_short_length(struct reader *r, struct ref ref);
/* `kind:id` in the arena as answers name a memory: a UUID is cut to the shortest prefix that is unique for the
 * caller, other ids are whole, masked ones as guard_ref_id shows them. Two lookups in an index, four where memories of
 * the kind may be hidden. */
const char *ref_short(struct reader *r, struct arena *arena, struct ref ref);
/* Appends a ref to a text for reading: as a JSON string, which ref_resolve takes, if it has characters that cannot be
 * seen. */
void ref_add_visible(struct strbuf *out, const char *ref);
/* The text with the ref of every memory with a UUID as ref_short names it. */
const char *refs_shorten(struct reader *r, struct arena *arena, const char *text);
/* Does this to the texts of an error. */
void refs_shorten_error(struct reader *r, struct arena *arena, struct error *e);

/*
 * Resolves a ref in a link: an exact one, else the only UUID with that prefix (at least
 * REF_LINK_PREFIX characters), else the ref as given, which may be written later. A written memory
 * with that UUID prefix is preferred to a stub. A bare id is of kind `bare`, or of any kind for
 * KIND_COUNT. *known is false if no written memory has that ref. Returns REF_MEMORY with `out` in
 * the arena; REF_ANNOTATION; or REF_BAD with ERROR_INVALID (with candidates if it is ambiguous) or
 * another error.
 */
enum ref_class ref_link(struct reader *r, struct arena *arena, const char *text, enum kind bare,
                        struct ref *out, bool *known, struct error *e);

#endif
