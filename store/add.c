#include "add.h"

#include "../model/utf8.h"
#include "add_detail.h"
#include "add_refs.h"
#include "store_state.h"
#include "txn.h"

struct addition {
    const struct actor *actor;
    const struct add_request *request;
    struct memory m;
    struct arena *arena;
    struct added *out;
};

static int out_of_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "", "memory ran out");
}

/* ---- what needs no store ---- */

static int keep(struct addition *a, const char **field, const char *name, const char *given,
                struct error *e)
{
    if (!given || !*given)
        return 0;
    if (!utf8_valid(given, strlen(given)))
        return error_set(e, ERROR_INVALID, "", "the %s is not valid UTF-8", name);
    *field = arena_strdup(a->arena, given);
    return *field ? 0 : out_of_memory(e);
}

static int choose_source_type(struct addition *a, struct error *e)
{
    const struct add_request *r = a->request;
    if (r->source_type && *r->source_type) {
        if (source_type_from_name(r->source_type) < 0)
            return error_set(e, ERROR_INVALID,
                             "Known are direct_experience, inference, consolidation, processing,"
                             " seed, told_by_agent, told_by_human, observation, external, unknown.",
                             "no source type is called %s", r->source_type);
        a->m.source_type =
            source_type_name((enum source_type)source_type_from_name(r->source_type));
    } else {
        a->m.source_type = source_type_name(
            r->kind == KIND_ATTRIBUTION ? SOURCE_OBSERVATION
                                        : source_type_infer(a->m.source, a->m.source_entity));
    }
    return 0;
}

static int choose_confidence(struct addition *a, struct error *e)
{
    double confidence = a->request->confidence;
    if (isnan(confidence))
        return 0;
    if (!(confidence >= 0 && confidence <= 1))
        return error_set(e, ERROR_INVALID, "Give a number from 0 to 1.",
                         "a confidence of %g is out of range", confidence);
    a->m.confidence = confidence;
    return 0;
}

static int keep_tags(struct addition *a, struct error *e)
{
    const struct add_request *r = a->request;
    a->m.tags = arena_array(a->arena, r->tag_count + 1, sizeof(*a->m.tags));
    if (!a->m.tags)
        return out_of_memory(e);
    for (size_t i = 0; i < r->tag_count; i++) {
        const char *tag = NULL;
        bool again = false;
        if (keep(a, &tag, "tag", r->tags[i], e))
            return -1;
        for (size_t k = 0; tag && k < a->m.tag_count; k++)
            again |= strcmp(a->m.tags[k], tag) == 0;
        if (tag && !again)
            a->m.tags[a->m.tag_count++] = tag;
    }
    return 0;
}

static int keep_text(struct addition *a, size_t len, struct error *e)
{
    const char *text = a->request->text;
    size_t blank = 0;
    while (blank < len && strchr(" \t\r\n", text[blank]) && text[blank])
        blank++;
    if (blank == len)
        return error_set(e, ERROR_INVALID, "Say what it is to remember.", "the text is empty");
    return memory_set_text(&a->m, a->arena, text, len) ? out_of_memory(e) : 0;
}

static int fill_fields(struct addition *a, size_t text_len, struct error *e)
{
    const struct add_request *r = a->request;
    const char *agent = r->agent_id && *r->agent_id           ? r->agent_id
                        : a->actor->agent && *a->actor->agent ? a->actor->agent
                                                              : a->actor->name;
    memory_init(&a->m, (struct ref){r->kind, NULL});
    if (keep(a, &a->m.agent_id, "agent", agent, e) ||
        keep(a, &a->m.source, "source", r->source, e) ||
        keep(a, &a->m.source_entity, "source entity", r->source_entity, e) ||
        keep(a, &a->m.context, "context", r->context, e) || keep_tags(a, e) ||
        choose_source_type(a, e) || choose_confidence(a, e) ||
        add_detail(&a->m.detail, a->arena, r->kind, r->detail, e))
        return -1;
    return keep_text(a, text_len, e);
}

/* ---- what it rests on ---- */

static int add_unresolved(struct addition *a, struct ref ref, struct error *e)
{
    struct strbuf text = STRBUF_INIT;
    ref_add(&text, ref);
    const char *copy = text.failed ? NULL : arena_strndup(a->arena, text.buf, text.len);
    strbuf_release(&text);
    if (!copy)
        return out_of_memory(e);
    for (size_t i = 0; i < a->out->unresolved_count; i++)
        if (strcmp(a->out->unresolved[i], copy) == 0)
            return 0;
    a->out->unresolved[a->out->unresolved_count++] = copy;
    return 0;
}

static bool has_antecedent(const struct justification *j, struct ref ref)
{
    for (size_t i = 0; i < j->count; i++)
        if (ref_equal(j->antecedents[i].ref, ref))
            return true;
    return false;
}

static int add_annotation(struct addition *a, const char *text, struct error *e)
{
    for (size_t i = 0; i < a->m.annotation_count; i++)
        if (strcmp(a->m.annotations[i], text) == 0)
            return 0;
    const char *copy = arena_strdup(a->arena, text);
    if (!copy)
        return out_of_memory(e);
    a->m.annotations[a->m.annotation_count++] = copy;
    return 0;
}

/* Adds one of a list to `group` once, or what is no ref to the annotations. */
static int add_antecedent(struct addition *a, struct txn *t, struct justification *group,
                          const char *text, enum kind bare, struct error *e)
{
    struct ref ref;
    bool known = false;
    enum ref_class class = add_ref(t, a->arena, text, bare, &ref, &known, e);
    if (class == REF_ANNOTATION)
        return add_annotation(a, text, e);
    if (class != REF_MEMORY)
        return -1;
    if (has_antecedent(group, ref))
        return 0;
    group->antecedents[group->count++] = (struct antecedent){.ref = ref};
    return known ? 0 : add_unresolved(a, ref, e);
}

/* derived_from is one group in the order it was given; each of relates_to is one of its own. */
static int fill_support(struct addition *a, struct txn *t, struct error *e)
{
    const struct add_request *r = a->request;
    struct memory *m = &a->m;
    size_t all = r->derived_count + r->relates_count;
    struct antecedent *room = arena_array(a->arena, all + 1, sizeof(*room));
    m->justifications = arena_array(a->arena, r->relates_count + 1, sizeof(*m->justifications));
    m->annotations = arena_array(a->arena, all + 1, sizeof(*m->annotations));
    a->out->unresolved = arena_array(a->arena, all + 1, sizeof(*a->out->unresolved));
    if (!room || !m->justifications || !m->annotations || !a->out->unresolved)
        return out_of_memory(e);

    struct justification *j = m->justifications;
    *j = (struct justification){ROLE_DERIVED_FROM, r->derivation, RECORDED, t->now, NULL, room, 0};
    for (size_t i = 0; i < r->derived_count; i++)
        if (add_antecedent(a, t, j, r->derived_from[i], KIND_COUNT, e))
            return -1;
    room += j->count;
    j += j->count > 0;
    struct justification seen = {.antecedents = room};
    for (size_t i = 0; i < r->relates_count; i++) {
        size_t had = seen.count;
        if (add_antecedent(a, t, &seen, r->relates_to[i], KIND_EPISODE, e))
            return -1;
        if (seen.count > had)
            *j++ = (struct justification){ROLE_EVIDENCE, READING_ANY, RECORDED, t->now,
                                          NULL,          &room[had],  1};
    }
    m->justification_count = (size_t)(j - m->justifications);
    return 0;
}

/* What is filled is put under a new id. */
static int put(struct addition *a, struct txn *t, struct error *e)
{
    char id[37];
    store_make_id(txn_store(t), id);
    a->m.ref.id = arena_strdup(a->arena, id);
    a->m.created_at = a->m.updated_at = txn_now(t);
    if (!a->m.ref.id)
        return out_of_memory(e);
    if (fill_support(a, t, e) || txn_put(t, a->actor, "add", NULL, &a->m, NULL, e))
        return -1;
    a->out->node = a->m.node;
    a->out->ref = a->m.ref;
    a->out->version = a->m.version;
    return 0;
}

int add_memory(struct txn *t, const struct actor *actor, const struct add_request *request,
               size_t text_len, struct arena *arena, struct added *out, struct error *e)
{
    struct addition a = {.actor = actor, .request = request, .arena = arena, .out = out};
    *out = (struct added){0};
    return fill_fields(&a, text_len, e) || put(&a, t, e) ? -1 : 0;
}

static int run_put(struct txn *t, void *arg, struct error *e)
{
    return put(arg, t, e);
}

int store_add(struct store *s, const struct actor *actor, const struct add_request *request,
              size_t text_len, struct arena *arena, struct added *out, struct error *e)
{
    struct addition a = {.actor = actor, .request = request, .arena = arena, .out = out};
    *out = (struct added){0};
    return fill_fields(&a, text_len, e) || store_run(s, run_put, &a, e) ? -1 : 0;
}
