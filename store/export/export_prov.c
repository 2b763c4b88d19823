/*
 * PROV-JSON (W3C submission of 2013): a memory is an entity, an agent an agent; an episode and a step are also the
 * activity that generated them. What PROV has no word for stands in attributes of the namespace `stemma`, so that
 * store/import/import_prov.c makes the same memory again.
 *
 * A ref is a qualified name as it is: each kind is a prefix. Sections follow each other, one walk for each.
 */
#include "model/base/clock.h"
#include "model/format/memory_json.h"
#include "store/export/export_internal.h"

enum section {
    SECTION_ENTITY,
    SECTION_ACTIVITY,
    SECTION_GENERATION,
    SECTION_USAGE,
    SECTION_ATTRIBUTION,
    SECTION_DERIVATION,
    SECTION_INFLUENCE,
    SECTION_INVALIDATION,
    SECTION_COUNT
};

static const struct {
    const char *name;
    char letter; /* of the ids of its statements; they are blank nodes: "_:d1" */
} sections[SECTION_COUNT] = {
    [SECTION_ENTITY] = {"entity", 0},
    [SECTION_ACTIVITY] = {"activity", 0},
    [SECTION_GENERATION] = {"wasGeneratedBy", 'g'},
    [SECTION_USAGE] = {"used", 'u'},
    [SECTION_ATTRIBUTION] = {"wasAttributedTo", 'a'},
    [SECTION_DERIVATION] = {"wasDerivedFrom", 'd'},
    [SECTION_INFLUENCE] = {"wasInfluencedBy", 'i'},
    [SECTION_INVALIDATION] = {"wasInvalidatedBy", 'x'},
};

struct prov {
    struct key_index agents;
    int64_t number; /* of the last statement in the section */
};

/* ---- names ---- */

/* Letters, digits, "_" and within the name "-" and "." stand in the local part of a qualified name; any other byte is
 * percent-encoded. */
static void add_local(struct strbuf *out, const char *name)
{
    for (const char *at = name; *at; at++) {
        char c = *at;
        bool word =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        if (word || (at > name && (c == '-' || (c == '.' && at[1]))))
            strbuf_addch(out, c);
        else
            strbuf_addf(out, "%%%02X", (unsigned char)c);
    }
}

static void add_name(struct strbuf *out, const char *prefix, const char *name)
{
    strbuf_addf(out, "\"%s:", prefix);
    add_local(out, name);
    strbuf_addch(out, '"');
}

static void pair_name(struct json_object *o, const char *key, const char *prefix, const char *name)
{
    json_key(o, key);
    add_name(o->out, prefix, name);
}

static void pair_ref(struct json_object *o, const char *key, struct ref ref)
{
    pair_name(o, key, kind_name(ref.kind), ref.id);
}

static bool is_activity(const struct memory *m)
{
    return m->ref.kind == KIND_EPISODE || m->ref.kind == KIND_STEP;
}

/* The prefix of the name of its activity. */
static const char *activity_prefix(const struct memory *m)
{
    return m->ref.kind == KIND_STEP ? "step_activity" : "episode_activity";
}

/* PROV writes times as xsd:dateTime, which has four digits for the year here. */
static void pair_time(struct json_object *o, const char *key, int64_t ms)
{
    char text[32];
    int64_t back;
    clock_format_iso(text, sizeof(text), ms);
    if (clock_parse_iso(text, &back) == 0)
        json_pair(o, key, text);
}

static void pair_type(struct json_object *o, const char *type)
{
    struct json_object value = json_open(o, "prov:type", '{');
    json_pair(&value, "$", type);
    json_pair(&value, "type", "prov:QUALIFIED_NAME");
    json_end(&value);
}

/* A value that is no text and no number becomes a text that has its JSON. */
static void add_typed(struct strbuf *out, struct json_slice json)
{
    strbuf_addstr(out, "{\"$\":\"");
    json_add_text(out, json.ptr, json.len);
    strbuf_addstr(out, "\",\"type\":\"stemma:json\"}");
}

/* ---- records and statements ---- */

/* Begins a record of that name, on a line of its own. */
static struct json_object begin_record(struct export *x, const char *prefix, const char *name)
{
    strbuf_addstr(&x->out, x->any ? ",\n" : "\n");
    x->any = true;
    add_name(&x->out, prefix, name);
    strbuf_addch(&x->out, ':');
    return json_begin(&x->out, '{');
}

/* Begins the next statement of the section; its name is a blank node. */
static struct json_object begin_statement(struct export *x)
{
    struct prov *p = x->state;
    char name[32];
    snprintf(name, sizeof(name), "%c%lld", sections[x->walk].letter, (long long)++p->number);
    return begin_record(x, "_", name);
}

/* Copies members as attributes of our namespace. */
static void add_attributes(struct json_object *o, struct json_slice from, const char *const *but)
{
    AUTO_STRBUF key = STRBUF_INIT;
    for (struct json_each it = json_each(from); json_next(&it);) {
        if (json_key_is_any(it.key, but))
            continue;
        strbuf_clear(&key);
        strbuf_addstr(&key, "stemma:");
        strbuf_add(&key, it.key.ptr, it.key.len);
        json_key(o, key.buf);
        bool texts = *it.value.ptr == '[' && it.value.ptr[1] == '"';
        if (texts || !strchr("[{", *it.value.ptr))
            strbuf_add(o->out, it.value.ptr, it.value.len);
        else
            add_typed(o->out, it.value);
    }
}

/* ---- entities ---- */

/* Groups without sources, which no statement can have. */
static void add_empty_groups(struct json_object *o, const struct memory *m,
                             struct json_slice groups)
{
    static const char *const but[] = {"antecedents", NULL};
    AUTO_STRBUF text = STRBUF_INIT;
    struct json_object list = json_begin(&text, '[');
    struct json_each it = json_each(groups);
    for (size_t i = 0; json_next(&it); i++) {
        if (m->justifications[i].count)
            continue;
        struct json_object group = json_item_open(&list, '{');
        json_pair_int(&group, "group", (int64_t)i);
        json_add_others(&group, it.value, but);
        json_end(&group);
    }
    json_end(&list);
    if (!list.any)
        return;
    json_key(o, "stemma:empty_groups");
    add_typed(o->out, (struct json_slice){text.buf, text.len});
}

static void add_entity(struct export *x, const struct memory *m)
{
    static const char *const but[] = {"ref",       "agent_id", "text", "justifications",
                                      "relations", NULL};
    struct prov *p = x->state;
    AUTO_STRBUF form = STRBUF_INIT, type = STRBUF_INIT;
    key_index_add(&p->agents, m->agent_id, strlen(m->agent_id));
    memory_json_write(&form, m, NULL);
    struct json_object o = begin_record(x, kind_name(m->ref.kind), m->ref.id);
    strbuf_addf(&type, "stemma:%s", kind_name(m->ref.kind));
    pair_type(&o, type.buf);
    json_pair_value(&o, "prov:value", json_member(form.buf, form.len, "text"));
    add_attributes(&o, (struct json_slice){form.buf, form.len}, but);
    add_empty_groups(&o, m, json_member(form.buf, form.len, "justifications"));
    json_end(&o);
}

/* ---- statements ---- */

static void add_activity(struct export *x, const struct memory *m)
{
    AUTO_STRBUF type = STRBUF_INIT;
    if (!is_activity(m))
        return;
    struct json_object o = begin_record(x, activity_prefix(m), m->ref.id);
    strbuf_addf(&type, "stemma:%s", kind_name(m->ref.kind));
    pair_type(&o, type.buf);
    json_end(&o);
}

static void add_generation(struct export *x, const struct memory *m)
{
    struct json_object o = begin_statement(x);
    pair_ref(&o, "prov:entity", m->ref);
    if (is_activity(m))
        pair_name(&o, "prov:activity", activity_prefix(m), m->ref.id);
    pair_time(&o, "prov:time", m->created_at);
    json_end(&o);
}

static void add_usages(struct export *x, const struct memory *m)
{
    for (size_t i = 0; is_activity(m) && i < m->justification_count; i++)
        for (size_t k = 0; k < m->justifications[i].count; k++) {
            struct json_object o = begin_statement(x);
            pair_name(&o, "prov:activity", activity_prefix(m), m->ref.id);
            pair_ref(&o, "prov:entity", m->justifications[i].antecedents[k].ref);
            json_end(&o);
        }
}

static void add_attribution(struct export *x, const struct memory *m)
{
    struct json_object o = begin_statement(x);
    pair_ref(&o, "prov:entity", m->ref);
    pair_name(&o, "prov:agent", "agent", m->agent_id);
    json_end(&o);
}

/* A group of sources becomes a derivation for each source, with the number of the group. */
static void add_group(struct export *x, const struct memory *m, size_t at, struct json_slice group)
{
    static const char *const but[] = {"antecedents", NULL}, *const ref[] = {"ref", NULL};
    struct json_each it = json_each(json_get(group, "antecedents"));
    for (size_t k = 0; json_next(&it); k++) {
        struct json_object o = begin_statement(x);
        pair_ref(&o, "prov:generatedEntity", m->ref);
        pair_ref(&o, "prov:usedEntity", m->justifications[at].antecedents[k].ref);
        json_pair_int(&o, "stemma:group", (int64_t)at);
        add_attributes(&o, group, but);
        add_attributes(&o, it.value, ref);
        json_end(&o);
    }
}

static void add_relations(struct export *x, const struct memory *m, struct json_slice list)
{
    static const char *const but[] = {"type", "to", NULL};
    bool revisions = x->walk == SECTION_DERIVATION;
    struct json_each it = json_each(list);
    for (size_t i = 0; json_next(&it); i++) {
        const struct relation *r = &m->relations[i];
        if ((r->type == RELATION_SUPERSEDES) != revisions)
            continue;
        struct json_object o = begin_statement(x);
        pair_ref(&o, revisions ? "prov:generatedEntity" : "prov:influencee", m->ref);
        pair_ref(&o, revisions ? "prov:usedEntity" : "prov:influencer", r->to);
        if (revisions)
            pair_type(&o, "prov:Revision");
        else
            json_pair(&o, "stemma:type", role_name(r->type));
        json_pair_int(&o, "stemma:relation", (int64_t)i);
        add_attributes(&o, it.value, but);
        json_end(&o);
    }
}

static void add_links(struct export *x, const struct memory *m)
{
    AUTO_STRBUF form = STRBUF_INIT;
    memory_json_write(&form, m, NULL);
    struct json_each groups = json_each(json_member(form.buf, form.len, "justifications"));
    for (size_t i = 0; x->walk == SECTION_DERIVATION && json_next(&groups); i++)
        add_group(x, m, i, groups.value);
    add_relations(x, m, json_member(form.buf, form.len, "relations"));
}

static void add_invalidation(struct export *x, const struct memory *m)
{
    if (m->status <= STATUS_SUPERSEDED) /* a revision says that it was superseded */
        return;
    struct json_object o = begin_statement(x);
    pair_ref(&o, "prov:entity", m->ref);
    pair_time(&o, "prov:time", m->updated_at);
    json_end(&o);
}

static int write_memory(struct export *x, const struct memory *m, struct error *e)
{
    static void (*const add[SECTION_COUNT])(struct export *, const struct memory *) = {
        [SECTION_ENTITY] = add_entity,           [SECTION_ACTIVITY] = add_activity,
        [SECTION_GENERATION] = add_generation,   [SECTION_USAGE] = add_usages,
        [SECTION_ATTRIBUTION] = add_attribution, [SECTION_DERIVATION] = add_links,
        [SECTION_INFLUENCE] = add_links,         [SECTION_INVALIDATION] = add_invalidation,
    };
    (void)e;
    add[x->walk](x, m);
    json_show(&x->out);
    return 0;
}

/* ---- the document ---- */

static void add_prefixes(struct export *x)
{
    AUTO_STRBUF uri = STRBUF_INIT;
    struct json_object o = json_begin(&x->out, '{');
    struct json_object prefixes = json_open(&o, "prefix", '{');
    json_pair(&prefixes, "stemma", "urn:stemma:");
    json_pair(&prefixes, "agent", "urn:stemma:agent:");
    json_pair(&prefixes, "episode_activity", "urn:stemma:episode_activity:");
    json_pair(&prefixes, "step_activity", "urn:stemma:step_activity:");
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        strbuf_clear(&uri);
        strbuf_addf(&uri, "urn:stemma:%s:", kind_name((enum kind)kind));
        json_pair(&prefixes, kind_name((enum kind)kind), uri.buf);
    }
    json_end(&prefixes);
}

static void add_agents(struct export *x)
{
    struct prov *p = x->state;
    strbuf_addstr(&x->out, ",\n\"agent\":{");
    for (size_t i = 0; i < p->agents.count; i++) {
        struct json_object o = begin_record(x, "agent", p->agents.key[i].text);
        json_pair(&o, "prov:label", p->agents.key[i].text);
        json_end(&o);
    }
    strbuf_addstr(&x->out, "}");
    x->any = false;
}

static int begin_section(struct export *x, struct error *e)
{
    (void)e;
    if (!x->state)
        x->state = arena_alloc(&x->kept, sizeof(struct prov));
    struct prov *p = x->state;
    p->number = 0;
    if (x->walk == SECTION_ENTITY)
        add_prefixes(x);
    if (x->walk == SECTION_ACTIVITY)
        add_agents(x);
    strbuf_addf(&x->out, ",\n\"%s\":{", sections[x->walk].name);
    return 0;
}

static int end_section(struct export *x, struct error *e)
{
    (void)e;
    strbuf_addstr(&x->out, x->walk == SECTION_COUNT - 1 ? "}}\n" : "}");
    return 0;
}

static void release(struct export *x)
{
    struct prov *p = x->state;
    if (p)
        key_index_release(&p->agents);
}

const struct export_format export_as_prov = {
    .name = "prov-json",
    .about =
        "PROV-JSON of the W3C; everything, for `stemma import prov` and for tools of provenance",
    .parts = PARTS_ALL,
    .kinds = KINDS_ALL,
    .statuses = STATUSES_ALL,
    .walks = SECTION_COUNT,
    .begin = begin_section,
    .memory = write_memory,
    .end = end_section,
    .close = release,
};
