/*
 * Imports PROV-JSON (W3C submission of 2013).
 *
 * An entity that `stemma export prov-json` wrote has attributes of our namespace and becomes the same memory again. Any
 * other entity becomes a note and any other activity an episode. A note is derived from the activity that generated it
 * and from what PROV says it was derived from, an episode from what it used. A name is the same memory in each file.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/clock.h"
#include "model/base/utf8.h"
#include "store/import/builder.h"
#include "store/import/import.h"
#include "store/import/import_run.h"
#include "store/import/prov_document.h"

#define DOCUMENT_MAX_BYTES (1u << 30)
#define PROGRESS_EVERY     1000 /* statements */

/* The statements about one memory, and the JSON that is made of them. */
struct making {
    struct record_import *r;
    const struct prov_document *d;
    struct arena *arena;
    const struct prov_statement *first;
    size_t count;
    const char *uri;
    bool own, activity;
    struct builder b;
};

/* What of other programs' statements has no room in a memory. */
struct left_out {
    int64_t influences, agents;
};

/* ---- values ---- */

static bool is_string(struct json_slice value)
{
    return value.ptr && *value.ptr == '"';
}

/* The text of a value: of a string, or of {"$": text, "type": …}, or {"$": text, "lang": …}. NULL for others. */
static const char *text_of(struct arena *arena, struct json_slice value)
{
    if (value.ptr && *value.ptr == '[') { /* the first of several */
        struct json_each it = json_each(value);
        value = json_next(&it) ? it.value : (struct json_slice){NULL, 0};
    }
    return json_text_repaired(arena, value.ptr && *value.ptr == '{' ? json_get(value, "$") : value);
}

/* Adds the value as the JSON of a memory has it: JSON that stands in a text, and numbers that other tools wrote as
 * texts. */
static void pair_value(struct making *k, struct json_object *o, const char *key,
                       struct json_slice value)
{
    static const char *const bare[] = {"stemma:json", "xsd:double", "xsd:int",     "xsd:integer",
                                       "xsd:long",    "xsd:float",  "xsd:decimal", "xsd:boolean"};
    const char *type = json_get_text(k->arena, value, "type");
    bool unquoted = false;
    if (value.ptr && *value.ptr == '{')
        value = json_get(value, "$");
    for (size_t i = 0; type && i < sizeof(bare) / sizeof(*bare); i++)
        unquoted |= strcmp(type, bare[i]) == 0;
    json_key(o, key);
    if (!value.ptr)
        strbuf_addstr(o->out, "null");
    else if (unquoted && is_string(value))
        strbuf_addstr(o->out, json_text_repaired(k->arena, value));
    else
        strbuf_add(o->out, value.ptr, value.len);
}

/* The name of a key in our namespace, such as "status" of "stemma:status"; NULL for others. */
static const char *own_key(struct making *k, const struct prov_statement *s, struct json_slice key)
{
    const char *uri = prov_resolve(s->scope, k->arena, key);
    return prov_is_own(uri) ? uri + strlen(PROV_OWN) : NULL;
}

static struct json_slice own_member(struct making *k, const struct prov_statement *s,
                                    const char *name)
{
    size_t len = strlen(name);
    for (struct json_each it = json_each(s->body); json_next(&it);) {
        bool ends = it.key.len > len && memcmp(it.key.ptr + it.key.len - len, name, len) == 0;
        const char *own = ends ? own_key(k, s, it.key) : NULL;
        if (own && strcmp(own, name) == 0)
            return it.value;
    }
    return (struct json_slice){NULL, 0};
}

static struct json_slice member(const struct prov_statement *s, const char *name)
{
    return json_get(s->body, name);
}

static bool time_of(struct making *k, const struct prov_statement *s, const char *name, int64_t *ms)
{
    const char *text = text_of(k->arena, member(s, name));
    return text && clock_parse_iso(text, ms) == 0;
}

/* ---- refs ---- */

/* "belief:8a27" of urn:stemma:belief:8a27, in which bytes may be percent-encoded. -1 if it names no memory. */
static int own_ref(struct arena *arena, const char *uri, struct ref *out)
{
    char *text = arena_strdup(arena, uri + strlen(PROV_OWN));
    return percent_decode(text) && utf8_valid(text, strlen(text)) &&
                   ref_parse(text, out) == REF_MEMORY
               ? 0
               : -1;
}

/* The memory of a URI: ours, or a note or an episode. */
static int ref_of(struct making *k, const char *uri, bool activity, struct ref *out)
{
    if (prov_is_own(uri))
        return own_ref(k->arena, uri, out);
    *out = (struct ref){activity ? KIND_EPISODE : KIND_NOTE,
                        import_make_id(k->arena, "prov", uri, (char *)NULL)};
    return 0;
}

/* ---- agents ---- */

/* What people call an agent: its label or name, else the last part of its URI. */
static const char *agent_name(struct making *k, const char *uri)
{
    static const char agents[] = PROV_OWN "agent:";
    static const char *const names[] = {"prov:label", "foaf:name", "foaf:givenName", "name"};
    const struct prov_statement *s = prov_find(k->d, uri, PROV_AGENT);
    struct ref ref;
    for (size_t i = 0; s && i < sizeof(names) / sizeof(*names); i++) {
        const char *text = text_of(k->arena, member(s, names[i]));
        if (text && *text)
            return text;
    }
    if (strncmp(uri, agents, strlen(agents)) != 0)
        return prov_local(uri);
    /* The name is escaped as an id is. */
    const char *as_ref = arena_format(k->arena, PROV_OWN "raw:%s", uri + strlen(agents));
    return own_ref(k->arena, as_ref, &ref) ? prov_local(uri) : ref.id;
}

static const struct prov_statement *statement(const struct making *k, enum prov_section section)
{
    for (size_t i = 0; i < k->count; i++)
        if (k->first[i].section == section)
            return &k->first[i];
    return NULL;
}

/* Whom it is attributed to, else who was associated with the activity that generated it. */
static void add_agent(struct making *k)
{
    const struct prov_statement *by =
        statement(k, k->activity ? PROV_ASSOCIATION : PROV_ATTRIBUTION);
    const struct prov_statement *made = statement(k, PROV_GENERATION);
    if (!by && made && made->object)
        by = prov_find(k->d, made->object, PROV_ASSOCIATION);
    if (by && by->object)
        json_pair(build_member(&k->b), "agent_id", agent_name(k, by->object));
}

/* ---- links ---- */

/* A link of a memory: a source in a group, or a relation. */
struct link {
    int64_t place; /* of its group, or among the relations; INT64_MAX if it is not told */
    size_t order;
    const struct prov_statement *s; /* NULL for a group without sources */
    struct json_slice empty;        /* the members of such a group */
};

struct links {
    struct link *list;
    size_t count, alloc;
};

static int compare_links(const void *a, const void *b)
{
    const struct link *x = a, *y = b;
    return x->place != y->place ? COMPARE(x->place, y->place) : COMPARE(x->order, y->order);
}

static void add_link(struct links *l, struct making *k, const struct prov_statement *s,
                     const char *place_member)
{
    struct link *link = ARENA_ADD(k->arena, l->list, l->count, l->alloc);
    struct json_slice place = own_member(k, s, place_member);
    *link = (struct link){.place = INT64_MAX, .order = s->order, .s = s};
    if (place.ptr && json_integer(place, &link->place))
        link->place = INT64_MAX;
}

static void sort_links(struct links *l)
{
    SORT(l->list, l->count, compare_links);
}

/* Copies those of the members of our namespace. */
static void add_members(struct making *k, struct json_object *o, const struct prov_statement *s,
                        const char *const *names)
{
    for (; *names; names++) {
        struct json_slice value = own_member(k, s, *names);
        if (value.ptr)
            pair_value(k, o, *names, value);
    }
}

/* The ref of what the statement names; what is none is reported when it is read. */
static const char *ref_text(struct making *k, const struct prov_statement *s)
{
    struct ref ref;
    bool activity = s->section == PROV_GENERATION || s->section == PROV_COMMUNICATION;
    return ref_of(k, s->object, activity, &ref) == 0
               ? arena_format(k->arena, "%s:%s", REF_ARGS(ref))
               : s->object;
}

/* The groups without sources that an export keeps in an attribute. */
static void add_empty_groups(struct links *l, struct making *k, const struct prov_statement *s)
{
    const char *text = text_of(k->arena, own_member(k, s, "empty_groups"));
    struct error wrong;
    if (!text || json_check(text, strlen(text), JSON_DEPTH_MAX, &wrong))
        return;
    for (struct json_each it = json_each(json_trim(text, strlen(text))); json_next(&it);) {
        struct json_slice place = json_get(it.value, "group");
        struct link *link = ARENA_ADD(k->arena, l->list, l->count, l->alloc);
        *link = (struct link){.place = INT64_MAX, .empty = it.value};
        if (place.ptr && json_integer(place, &link->place))
            link->place = INT64_MAX;
    }
}

static void gather_sources(struct links *l, struct making *k)
{
    for (size_t i = 0; i < k->count; i++) {
        const struct prov_statement *s = &k->first[i];
        bool source = s->section == PROV_DERIVATION || s->section == PROV_USAGE ||
                      s->section == PROV_COMMUNICATION || s->section == PROV_GENERATION;
        if (s->section == PROV_ENTITY && s->body.ptr)
            add_empty_groups(l, k, s);
        else if (source && s->object && !(k->own && s->section != PROV_DERIVATION))
            add_link(l, k, s, "group");
    }
    sort_links(l);
}

/* Adds the group that begins at `i` and returns where the next one begins. Sources without a number are one group, of
 * which any suffices. */
static size_t add_group(struct making *k, const struct links *l, size_t i)
{
    static const char *const group[] = {"role", "reading", "recorded", "at", "reason", NULL},
                             *const use[] = {"relevance", "score", "excerpt", "chunk",
                                             "rank",      "page",  "section", "version_hash",
                                             "label",     "title", NULL},
                             *const but[] = {"group", NULL};
    const struct link *link = &l->list[i];
    struct json_object *o = build_item(&k->b, "justifications");
    if (!link->s) {
        json_add_others(o, link->empty, but);
        return i + 1;
    }
    if (link->place == INT64_MAX)
        json_pair(o, "reading", "any");
    else
        add_members(k, o, link->s, group);
    for (; i < l->count && l->list[i].place == link->place && l->list[i].s; i++)
        add_members(k, build_source(&k->b, ref_text(k, l->list[i].s)), l->list[i].s, use);
    return i;
}

static void add_sources(struct making *k)
{
    struct links l = {NULL, 0, 0};
    gather_sources(&l, k);
    for (size_t i = 0; i < l.count;)
        i = add_group(k, &l, i);
}

static void add_relations(struct making *k)
{
    static const char *const members[] = {"at", "reason", NULL};
    struct links l = {NULL, 0, 0};
    for (size_t i = 0; i < k->count; i++) {
        enum prov_section section = k->first[i].section;
        bool influence = section == PROV_INFLUENCE && own_member(k, &k->first[i], "type").ptr;
        if (section == PROV_REVISION || section == PROV_MEMBERSHIP || influence)
            add_link(&l, k, &k->first[i], "relation");
    }
    sort_links(&l);
    for (size_t i = 0; i < l.count; i++) {
        const struct prov_statement *s = l.list[i].s;
        struct json_object *o = build_item(&k->b, "relations");
        if (s->section == PROV_INFLUENCE)
            pair_value(k, o, "type", own_member(k, s, "type"));
        else
            json_pair(o, "type", s->section == PROV_REVISION ? "supersedes" : "part_of");
        json_pair(o, "to", ref_text(k, s));
        add_members(k, o, s, members);
    }
}

/* ---- a memory that stemma exported ---- */

static void add_own_attributes(struct making *k, const struct prov_statement *s)
{
    for (struct json_each it = json_each(s->body); json_next(&it);) {
        const char *own = own_key(k, s, it.key);
        bool text = json_key_is(it.key, "prov:value");
        if (!text && (!own || strcmp(own, "empty_groups") == 0))
            continue;
        struct json_object *o = build_member(&k->b);
        if (own && is_string(it.value) &&
            (strcmp(own, "tags") == 0 || strcmp(own, "annotations") == 0))
            build_text(&k->b, own, json_text_repaired(k->arena, it.value)); /* a list of one */
        else
            pair_value(k, o, text ? "text" : own, it.value);
    }
}

/* ---- a memory of another program ---- */

static void add_foreign_text(struct making *k)
{
    static const char *const names[] = {"prov:value", "prov:label", "dcterms:title", "dct:title",
                                        "rdfs:label"};
    for (size_t n = 0; n < sizeof(names) / sizeof(*names); n++)
        for (size_t i = 0; i < k->count && k->first[i].section <= PROV_ACTIVITY; i++) {
            const char *text = text_of(k->arena, member(&k->first[i], names[n]));
            if (text && *text) {
                json_pair(build_member(&k->b), "text", text);
                return;
            }
        }
    json_pair(build_member(&k->b), "text", prov_name(k->arena, k->first->name));
}

/* Types are tags; all attributes stand in the detail as they are. */
static void add_foreign_attributes(struct making *k)
{
    for (size_t i = 0; i < k->count && k->first[i].section <= PROV_ACTIVITY; i++) {
        const char *type = text_of(k->arena, member(&k->first[i], "prov:type"));
        if (!type)
            continue;
        build_text(&k->b, "tags", prov_local(type));
        break;
    }
    struct json_object *detail = build_detail(&k->b);
    json_pair(detail, "prov_id", prov_name(k->arena, k->first->name));
    json_pair(detail, "uri", k->uri);
    struct json_object list = json_open(detail, "attributes", '[');
    for (size_t i = 0; i < k->count && k->first[i].section <= PROV_ACTIVITY; i++)
        if (k->first[i].body.ptr && json_count(k->first[i].body)) {
            json_item(&list);
            json_minify(list.out, k->first[i].body.ptr, k->first[i].body.len);
        }
    json_end(&list);
    json_pair_bool(detail, "confidence_default", true);
}

static void add_times(struct making *k)
{
    const struct prov_statement *made = statement(k, PROV_GENERATION),
                                *record = statement(k, PROV_ACTIVITY);
    int64_t ms;
    if ((made && time_of(k, made, "prov:time", &ms)) ||
        (record && time_of(k, record, "prov:startTime", &ms)) ||
        (made && made->object && (record = prov_find(k->d, made->object, PROV_ACTIVITY)) &&
         (time_of(k, record, "prov:endTime", &ms) || time_of(k, record, "prov:startTime", &ms))))
        json_pair_int(build_member(&k->b), "created_at", ms);
}

/* What was invalidated is retracted; its history says when and by what. */
static void add_invalidation(struct making *k)
{
    const struct prov_statement *s = statement(k, PROV_INVALIDATION);
    int64_t ms;
    if (!s)
        return;
    bool timed = time_of(k, s, "prov:time", &ms);
    json_pair(build_member(&k->b), "status", "retracted");
    if (timed)
        json_pair_int(build_member(&k->b), "updated_at", ms);
    struct json_object *o = build_item(&k->b, "history");
    if (timed)
        json_pair_int(o, "at", ms);
    const char *reason = text_of(k->arena, member(s, "prov:label"));
    json_pair_if(o, "reason", reason ? reason : s->object);
    json_pair(o, "operation", "retract");
    json_pair(o, "origin", "prov");
}

static void add_foreign(struct making *k)
{
    add_foreign_text(k);
    json_pair(build_member(&k->b), "source_type", "external");
    add_foreign_attributes(k);
    add_times(k);
    add_invalidation(k);
}

/* ---- taking a memory ---- */

/* Returns 1 with its ref, or 0. An activity that belongs to a memory of ours is no memory of its own. */
static int find_ref(struct making *k, struct ref *ref)
{
    const struct prov_statement *record = statement(k, PROV_ENTITY);
    k->activity = !record;
    if (!record)
        record = statement(k, PROV_ACTIVITY);
    if (!record || (k->own && (k->activity || !record->body.ptr)))
        return 0;
    if (ref_of(k, k->uri, k->activity, ref) == 0)
        return 1;
    import_fault_at(k->r, 0, "%.100s names no memory", k->uri);
    return 0;
}

static int take_memory(struct record_import *r, const struct prov_document *d, size_t at,
                       size_t count, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct making k = {.r = r,
                       .d = d,
                       .arena = &arena,
                       .first = &d->list[at],
                       .count = count,
                       .uri = d->list[at].subject};
    struct ref ref;
    k.own = prov_is_own(k.uri);
    if (!find_ref(&k, &ref))
        return 0;
    k.b = build_begin(&r->scratch, &(struct build_head){.kind = kind_name(ref.kind), .id = ref.id});
    add_agent(&k);
    for (size_t i = 0; k.own && i < count && k.first[i].section == PROV_ENTITY; i++)
        add_own_attributes(&k, &k.first[i]);
    if (!k.own)
        add_foreign(&k);
    add_sources(&k);
    add_relations(&k);
    return build_take(&k.b, r->run, 0, e);
}

/* ---- what has no room ---- */

/* Influences that are not ours say nothing that a memory has; other agents than the first have no field. */
static void count_left_out(const struct prov_document *d, struct left_out *out, size_t at,
                           size_t count)
{
    int64_t agents = 0;
    for (size_t i = at; i < at + count; i++) {
        const struct prov_statement *s = &d->list[i];
        agents += s->section == PROV_ATTRIBUTION || s->section == PROV_ASSOCIATION;
        out->influences += s->section == PROV_INFLUENCE && !prov_is_own(s->subject);
    }
    out->agents += agents > 1 ? agents - 1 : 0;
}

static void add_remark(struct record_import *r, int64_t count, const char *what)
{
    char *remarks = r->summary->remarks;
    size_t len = strlen(remarks), size = sizeof(r->summary->remarks);
    if (count)
        snprintf(remarks + len, size - len, "%s%" PRId64 " %s", len ? ", " : "left out: ", count,
                 what);
}

static void report_left_out(struct record_import *r, const struct prov_document *d,
                            const struct left_out *out)
{
    add_remark(r, out->agents, out->agents == 1 ? "further agent" : "further agents");
    add_remark(r, out->influences, "wasInfluencedBy");
    add_remark(r, d->odd, d->odd == 1 ? "that is no statement" : "that are no statements");
    for (size_t i = 0; i < d->unknown.count; i++)
        add_remark(r, d->unknown_count[i], d->unknown.key[i].text);
}

/* ---- the format ---- */

static int take_all(struct record_import *r, const struct prov_document *d, struct error *e)
{
    struct left_out out = {0};
    size_t count;
    for (size_t at = 0; at < d->count; at += count) {
        for (count = 1; at + count < d->count &&
                        strcmp(d->list[at].subject, d->list[at + count].subject) == 0;)
            count++;
        count_left_out(d, &out, at, count);
        if (take_memory(r, d, at, count, e) ||
            (at / PROGRESS_EVERY != (at + count) / PROGRESS_EVERY &&
             import_run_progress(r->run, (int64_t)at, (int64_t)d->count, e)))
            return -1;
    }
    report_left_out(r, d, &out);
    return 0;
}

static bool is_document(const struct record *record, struct arena *arena)
{
    (void)arena;
    return prov_document_is_one((struct json_slice){record->ptr, record->len});
}

static int take_document(struct record_import *r, const struct record *record,
                         struct import_item *item, struct error *e)
{
    struct prov_document d;
    (void)item;
    if (!is_document(record, NULL))
        return 1;
    prov_document_read(&d, (struct json_slice){record->ptr, record->len});
    int result = take_all(r, &d, e);
    prov_document_release(&d);
    return result;
}

static const struct record_format format = {
    .record_max = DOCUMENT_MAX_BYTES,
    .check = json_check,
    .depth = JSON_DEPTH_LIMIT,
    .not_one = "is no PROV-JSON",
    .take = take_document,
    .is_one = is_document,
};

const struct import_format prov_format = {
    .name = "prov",
    .title = "PROV-JSON of the W3C, as `stemma export prov-json` and tools of provenance write it",
    .about = "An entity becomes a note, an activity an episode. PATH - is standard input",
    .agent = "the agent of what is attributed to none",
    .file = "json:prefix json:entity|json:prefix json:activity|json:entity json:wasDerivedFrom|"
            "json:entity json:activity|json:entity json:wasAttributedTo",
    .counts_memories = true,
    .may_be_part = true,
    .records = &format,
};
