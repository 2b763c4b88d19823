/*
 * A PROV-JSON document as statements, sorted by what they are about. Names are resolved by the document's prefixes to
 * URIs, so that two prefixes of one namespace make no difference. Only for store/import.
 */
#ifndef STEMMA_PROV_DOCUMENT_H
#define STEMMA_PROV_DOCUMENT_H

#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/base/map.h"
#include "model/json/json.h"

#define PROV_OWN "urn:stemma:" /* the namespace of what `stemma export prov-json` writes */

enum prov_section {
    PROV_ENTITY,
    PROV_ACTIVITY,
    PROV_AGENT,
    PROV_GENERATION,
    PROV_INVALIDATION,
    PROV_USAGE,
    PROV_COMMUNICATION,
    PROV_ATTRIBUTION,
    PROV_ASSOCIATION,
    PROV_DERIVATION,
    PROV_REVISION, /* a derivation of that type */
    PROV_INFLUENCE,
    PROV_MEMBERSHIP, /* its subject is the member */
    PROV_SECTIONS
};

/* The prefixes of a document or a bundle. */
struct prov_scope {
    struct key_index prefix;
    const char **uri; /* [prefix.count] */
    size_t alloc;
    const struct prov_scope *outer; /* NULL for the document */
};

/* A record of an entity, an activity or an agent, or a statement about one. */
struct prov_statement {
    const char *subject;    /* a URI; the name as it is if no prefix resolves it */
    const char *object;     /* NULL for a record, or if there is none */
    struct json_slice name; /* the subject as it is written, between quotes */
    struct json_slice body; /* an object; ptr is NULL if it is only mentioned by others */
    const struct prov_scope *scope;
    size_t order; /* in the document */
    enum prov_section section;
};

struct prov_document {
    struct arena arena;
    struct prov_statement *list; /* sorted by subject, section and order */
    size_t count, alloc;
    struct prov_scope **scopes;
    size_t scope_count, scope_alloc;
    struct key_index unknown; /* names of sections that are not read */
    int64_t *unknown_count;   /* statements in them */
    size_t unknown_alloc;
    int64_t
        odd; /* statements without a subject or an object where one is needed, and records that are no objects */
};

/* Does the checked object have a section of PROV? */
bool prov_document_is_one(struct json_slice text);
/* Reads the checked text, which must outlive the document. O(n log n). */
void prov_document_read(struct prov_document *d, struct json_slice text);
void prov_document_release(struct prov_document *d);

/* Returns the first statement of that section about it, which precedes the others; NULL if there is none. O(log n). */
const struct prov_statement *prov_find(const struct prov_document *d, const char *uri,
                                       enum prov_section section);
/* A name as a URI, in the arena, and as it is written. `name` is the text between the quotes of a JSON string. */
const char *prov_resolve(const struct prov_scope *scope, struct arena *arena,
                         struct json_slice name);
const char *prov_name(struct arena *arena, struct json_slice name);
bool prov_is_own(const char *uri); /* in our namespace */
/* The name of a URI's last part: "article1" of "http://example.org/article1". Points into it. */
const char *prov_local(const char *uri);

#endif
