/*
 * A ref names a memory: `kind:id`. Any other scheme is an annotation (`context:free text`), which
 * is shown and never walked. A bare word without a colon is neither: what it means depends on where
 * it stands (in source_episodes an episode; on the command line a prefix of any id).
 */
#ifndef STEMMA_REF_H
#define STEMMA_REF_H

#include <stdbool.h>
#include <stddef.h>
#include "model/memory/kind.h"

/* `id` is not empty, is valid UTF-8 without NUL and is at most REF_ID_MAX bytes. */
struct ref {
    enum kind kind;
    const char *id;
};

#define REF_ID_MAX      512
#define REF_SHORT       8 /* the least that is shown of an id */
#define REF_PREFIX_MIN  4 /* the least that a person may type of an id */
#define REF_LINK_PREFIX 8 /* the least of a UUID that a link may give */

enum ref_class {
    REF_MEMORY,     /* `out` is filled; out->id points into `text` */
    REF_ANNOTATION, /* another scheme: `context:told by Claire` */
    REF_BARE,       /* no colon */
    REF_BAD,        /* empty, too long, an empty id */
};

/* `text` need not outlive the call unless `out` is used. Kind names are exact and case matters. */
enum ref_class ref_parse(const char *text, struct ref *out);

/* "belief:54c5…" appended whole. */
struct strbuf;
void ref_add(struct strbuf *sb, struct ref ref);
bool ref_equal(struct ref a, struct ref b);
/* By kind, then by the bytes of the id. This is the order of an export ("sorted by ref": by the
 * bytes of `kind:id`). */
int ref_compare(struct ref a, struct ref b);

/* Is it the beginning of a UUID (hex digits with dashes in their places), of at least `min` and at
 * most 36 characters? */
bool ref_is_uuid_prefix(const char *id, size_t min);

#endif
