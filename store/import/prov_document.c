/* Reads PROV-JSON: its sections, prefixes and bundles. */
#include "store/import/prov_document.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"

/* ---- sections ---- */

/* What stands in a section, and the members of its statements that name two things. */
static const struct section {
    const char *name, *subject, *object;
    enum prov_section section;
    enum prov_section is, of; /* what subject and object are; PROV_SECTIONS for what is not told */
} sections[] = {
    {"entity", NULL, NULL, PROV_ENTITY, PROV_ENTITY, PROV_SECTIONS},
    {"activity", NULL, NULL, PROV_ACTIVITY, PROV_ACTIVITY, PROV_SECTIONS},
    {"agent", NULL, NULL, PROV_AGENT, PROV_AGENT, PROV_SECTIONS},
    {"wasGeneratedBy", "prov:entity", "prov:activity", PROV_GENERATION, PROV_ENTITY, PROV_ACTIVITY},
    {"wasInvalidatedBy", "prov:entity", "prov:activity", PROV_INVALIDATION, PROV_ENTITY,
     PROV_ACTIVITY},
    {"used", "prov:activity", "prov:entity", PROV_USAGE, PROV_ACTIVITY, PROV_ENTITY},
    {"wasInformedBy", "prov:informed", "prov:informant", PROV_COMMUNICATION, PROV_ACTIVITY,
     PROV_ACTIVITY},
    {"wasAttributedTo", "prov:entity", "prov:agent", PROV_ATTRIBUTION, PROV_ENTITY, PROV_AGENT},
    {"wasAssociatedWith", "prov:activity", "prov:agent", PROV_ASSOCIATION, PROV_ACTIVITY,
     PROV_AGENT},
    {"wasDerivedFrom", "prov:generatedEntity", "prov:usedEntity", PROV_DERIVATION, PROV_ENTITY,
     PROV_ENTITY},
    /* Older serialisations have sections for these; now they are derivations with a type. */
    {"wasRevisionOf", "prov:generatedEntity", "prov:usedEntity", PROV_REVISION, PROV_ENTITY,
     PROV_ENTITY},
    {"wasQuotedFrom", "prov:generatedEntity", "prov:usedEntity", PROV_DERIVATION, PROV_ENTITY,
     PROV_ENTITY},
    {"hadPrimarySource", "prov:generatedEntity", "prov:usedEntity", PROV_DERIVATION, PROV_ENTITY,
     PROV_ENTITY},
    {"wasInfluencedBy", "prov:influencee", "prov:influencer", PROV_INFLUENCE, PROV_SECTIONS,
     PROV_SECTIONS},
    {"hadMember", "prov:entity", "prov:collection", PROV_MEMBERSHIP, PROV_ENTITY, PROV_ENTITY},
};

static const struct section *section_of(struct json_slice key)
{
    for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++)
        if (json_key_is(key, sections[i].name))
            return &sections[i];
    return NULL;
}

static bool is_object(struct json_slice value)
{
    return value.ptr && *value.ptr == '{';
}

bool prov_document_is_one(struct json_slice text)
{
    struct json_each it = json_each(text);
    while (json_next(&it))
        if (is_object(it.value) && section_of(it.key))
            return true;
    return false;
}

/* ---- names ---- */

static const char *uri_of(const struct prov_scope *scope, const char *prefix, size_t len)
{
    for (; scope; scope = scope->outer) {
        size_t at = key_index_find(&scope->prefix, prefix, len);
        if (at != ROW_NONE)
            return scope->uri[at];
    }
    return len == 4 && memcmp(prefix, "prov", 4) == 0 ? "http://www.w3.org/ns/prov#" : NULL;
}

bool prov_is_own(const char *uri)
{
    return strncmp(uri, PROV_OWN, strlen(PROV_OWN)) == 0;
}

const char *prov_name(struct arena *arena, struct json_slice name)
{
    char *text = arena_strndup(arena, name.ptr, name.len);
    text[json_unescape(text, text, name.len)] = '\0';
    return text;
}

const char *prov_resolve(const struct prov_scope *scope, struct arena *arena,
                         struct json_slice name)
{
    const char *text = prov_name(arena, name), *colon = strchr(text, ':');
    const char *uri = colon ? uri_of(scope, text, (size_t)(colon - text))
                            : uri_of(scope, "default", strlen("default"));
    return uri ? arena_format(arena, "%s%s", uri, colon ? colon + 1 : text) : text;
}

const char *prov_local(const char *uri)
{
    const char *local = uri;
    for (const char *at = uri; *at; at++)
        if (strchr("/#:", *at) && at[1])
            local = at + 1;
    return local;
}

/* The text between the quotes of a string, or of {"$": NAME, "type": …}; other values name nothing. */
static struct json_slice name_of(struct json_slice value)
{
    if (is_object(value))
        value = json_get(value, "$");
    return value.ptr && *value.ptr == '"' && value.len > 2
               ? (struct json_slice){value.ptr + 1, value.len - 2}
               : (struct json_slice){NULL, 0};
}

/* ---- statements ---- */

static struct prov_statement *add(struct prov_document *d, const struct prov_scope *scope,
                                  enum prov_section section, struct json_slice name,
                                  struct json_slice body)
{
    struct prov_statement *s = ARRAY_ADD(d->list, d->count, d->alloc);
    *s = (struct prov_statement){.subject = prov_resolve(scope, &d->arena, name),
                                 .name = name,
                                 .body = body,
                                 .scope = scope,
                                 .order = d->count,
                                 .section = section};
    return s;
}

/* What a statement names exists, even without a record of its own. Ours has one, or is a memory that is missing. */
static void mention(struct prov_document *d, const struct prov_scope *scope, enum prov_section is,
                    const char *uri, struct json_slice name)
{
    if ((is == PROV_ENTITY || is == PROV_ACTIVITY) && !prov_is_own(uri))
        add(d, scope, is, name, (struct json_slice){NULL, 0});
}

static bool is_revision(const struct prov_scope *scope, struct json_slice type)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct json_slice name = name_of(type);
    for (struct json_each it = json_each(type); *type.ptr == '[' && json_next(&it);)
        if (is_revision(scope, it.value))
            return true;
    return name.ptr &&
           strcmp(prov_resolve(scope, &arena, name), "http://www.w3.org/ns/prov#Revision") == 0;
}

static void add_statement(struct prov_document *d, const struct prov_scope *scope,
                          const struct section *section, struct json_slice body)
{
    struct json_slice subject = name_of(json_get(body, section->subject)),
                      object = name_of(json_get(body, section->object));
    enum prov_section kind = section->section;
    bool may_lack = kind == PROV_GENERATION || kind == PROV_INVALIDATION;
    if (!subject.ptr || (!object.ptr && !may_lack)) {
        d->odd++;
        return;
    }
    struct json_slice type = json_get(body, "prov:type");
    if (kind == PROV_DERIVATION && type.ptr && is_revision(scope, type))
        kind = PROV_REVISION;
    struct prov_statement *s = add(d, scope, kind, subject, body);
    if (object.ptr)
        s->object = prov_resolve(scope, &d->arena, object);
    const char *about = s->subject, *of = s->object;
    mention(d, scope, section->is, about, subject);
    if (of)
        mention(d, scope, section->of, of, object);
}

static void add_one(struct prov_document *d, const struct prov_scope *scope,
                    const struct section *section, struct json_slice key, struct json_slice body)
{
    if (!is_object(body))
        d->odd++;
    else if (section->subject)
        add_statement(d, scope, section, body);
    else
        add(d, scope, section->section, key, body);
}

/* Several records of one name are a list. */
static void add_section(struct prov_document *d, const struct prov_scope *scope,
                        const struct section *section, struct json_slice members)
{
    for (struct json_each it = json_each(members); json_next(&it);) {
        if (*it.value.ptr != '[') {
            add_one(d, scope, section, it.key, it.value);
            continue;
        }
        for (struct json_each each = json_each(it.value); json_next(&each);)
            add_one(d, scope, section, it.key, each.value);
    }
}

static void count_unknown(struct prov_document *d, struct json_slice key, struct json_slice members)
{
    const char *name = prov_name(&d->arena, key);
    size_t before = d->unknown.count, at = key_index_add(&d->unknown, name, strlen(name));
    if (at == before)
        *ARRAY_ADD(d->unknown_count, before, d->unknown_alloc) = 0;
    d->unknown_count[at] += is_object(members) ? (int64_t)json_count(members) : 1;
}

/* ---- the document ---- */

static struct prov_scope *add_scope(struct prov_document *d, const struct prov_scope *outer,
                                    struct json_slice text)
{
    struct prov_scope *scope = arena_alloc(&d->arena, sizeof(*scope));
    scope->outer = outer;
    *ARRAY_ADD(d->scopes, d->scope_count, d->scope_alloc) = scope;
    for (struct json_each it = json_each(json_get(text, "prefix")); json_next(&it);) {
        const char *uri = json_text(&d->arena, it.value, NULL), *key = prov_name(&d->arena, it.key);
        size_t count = scope->prefix.count;
        if (uri && key_index_add(&scope->prefix, key, strlen(key)) == count)
            *ARRAY_ADD(scope->uri, count, scope->alloc) = uri;
    }
    return scope;
}

/* Bundles do not nest. */
static void add_document(struct prov_document *d, struct json_slice text,
                         const struct prov_scope *outer)
{
    const struct prov_scope *scope = add_scope(d, outer, text);
    for (struct json_each it = json_each(text); json_next(&it);) {
        const struct section *section = section_of(it.key);
        if (json_key_is(it.key, "prefix"))
            continue;
        if (section && is_object(it.value)) {
            add_section(d, scope, section, it.value);
        } else if (!outer && json_key_is(it.key, "bundle") && is_object(it.value)) {
            for (struct json_each each = json_each(it.value); json_next(&each);)
                add_document(d, each.value, scope);
        } else {
            count_unknown(d, it.key, it.value);
        }
    }
}

static int compare(const void *a, const void *b)
{
    const struct prov_statement *x = a, *y = b;
    int order = strcmp(x->subject, y->subject);
    if (order == 0)
        order = COMPARE(x->section, y->section);
    return order ? order : COMPARE(x->order, y->order);
}

void prov_document_read(struct prov_document *d, struct json_slice text)
{
    *d = (struct prov_document){.arena = ARENA_INIT};
    add_document(d, text, NULL);
    SORT(d->list, d->count, compare);
}

void prov_document_release(struct prov_document *d)
{
    for (size_t i = 0; i < d->scope_count; i++) {
        key_index_release(&d->scopes[i]->prefix);
        free(d->scopes[i]->uri);
    }
    FREE_ALL(d->scopes, d->list, d->unknown_count);
    key_index_release(&d->unknown);
    arena_release(&d->arena);
}

const struct prov_statement *prov_find(const struct prov_document *d, const char *uri,
                                       enum prov_section section)
{
    const struct prov_statement wanted = {.subject = uri, .section = section};
    size_t low = 0, high = d->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(&d->list[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const struct prov_statement *found = &d->list[low];
    return low < d->count && found->section == section && strcmp(found->subject, uri) == 0 ? found
                                                                                           : NULL;
}
