#include "store/ops/add.h"

#include "model/base/map.h"
#include "model/base/utf8.h"
#include "store/ops/add_detail.h"
#include "store/ops/add_refs.h"
#include "store/entries/entry_check.h"
#include "store/record/entry_claim.h"
#include "store/db/store_state.h"
#include "store/txn/txn.h"

struct addition {
    const struct actor *actor;
    const struct add_request *request;
    struct memory m;
    struct arena *arena;
    struct added *out;
    const char **derived, **relates; /* what is given, each once */
    size_t derived_count, relates_count;
};

/* ---- what needs no store ---- */

static int keep(struct addition *a, const char **field, const char *name, const char *given,
                struct error *e)
{
    if (!given || !*given)
        return 0;
    if (!utf8_valid(given, strlen(given)))
        return error_set(e, ERROR_INVALID, "", "the %s is not valid UTF-8", name);
    *field = arena_strdup(a->arena, given);
    return 0;
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

/* The texts that are not empty, each once in the order given; those of the caller, not copies. */
static void keep_each_once(struct addition *a, const char **given, size_t given_count,
                           const char ***out, size_t *count)
{
    const char **texts = arena_array(a->arena, given_count + 1, sizeof(*texts));
    struct unique_key *keys = arena_array(a->arena, given_count + 1, sizeof(*keys));
    size_t n = 0;
    for (size_t i = 0; i < given_count; i++)
        keys[i].text = given[i];
    unique_find(keys, given_count);
    for (size_t i = 0; i < given_count; i++)
        if (!keys[i].again)
            texts[n++] = given[i];
    *out = texts;
    *count = n;
}

static int keep_tags(struct addition *a, struct error *e)
{
    const struct add_request *r = a->request;
    size_t count = 0;
    keep_each_once(a, r->tags, r->tag_count, &a->m.tags, &count);
    for (size_t i = 0; i < count; i++) {
        const char *tag = NULL;
        if (keep(a, &tag, "tag", a->m.tags[i], e))
            return -1;
        if (tag)
            a->m.tags[a->m.tag_count++] = tag;
    }
    return 0;
}

static void keep_refs(struct addition *a)
{
    const struct add_request *r = a->request;
    keep_each_once(a, r->derived_from, r->derived_count, &a->derived, &a->derived_count);
    keep_each_once(a, r->relates_to, r->relates_count, &a->relates, &a->relates_count);
}

int add_agent_check(const char *agent, struct error *e)
{
    if (!agent || !utf8_valid(agent, strlen(agent)) || utf8_count(agent) <= AGENT_NAME_MAX)
        return 0;
    return error_set(e, ERROR_INVALID, "Call the agent by a shorter name.",
                     "the agent's name has more than %d characters", AGENT_NAME_MAX);
}

static int keep_text(struct addition *a, size_t len, struct error *e)
{
    const char *text = a->request->text;
    size_t blank = 0;
    while (blank < len && strchr(" \t\r\n", text[blank]) && text[blank])
        blank++;
    if (blank == len)
        return error_set(e, ERROR_INVALID, "Say what it is to remember.", "the text is empty");
    memory_set_text(&a->m, a->arena, text, len);
    return 0;
}

static int fill_fields(struct addition *a, size_t text_len, struct error *e)
{
    const struct add_request *r = a->request;
    const char *agent = !utf8_is_blank(r->agent_id)       ? r->agent_id
                        : !utf8_is_blank(a->actor->agent) ? a->actor->agent
                                                          : a->actor->name;
    memory_init(&a->m, (struct ref){r->kind, NULL});
    if (add_agent_check(agent, e) || keep(a, &a->m.agent_id, "agent", agent, e) ||
        keep(a, &a->m.source, "source", r->source, e) ||
        keep(a, &a->m.source_entity, "source entity", r->source_entity, e) ||
        keep(a, &a->m.context, "context", r->context, e) || keep_tags(a, e))
        return -1;
    keep_refs(a);
    if (choose_source_type(a, e) || choose_confidence(a, e) ||
        add_detail(&a->m.detail, a->arena, r->kind, r->detail, e))
        return -1;
    add_detail_type(&a->m.detail, a->arena, r->kind);
    if (keep_text(a, text_len, e))
        return -1;
    add_detail_key(&a->m.detail, a->arena, r->kind, a->m.text);
    return 0;
}

/* An entry is one that agents find, and takes no other's place. */
static int check_entry(struct addition *a, struct txn *t, struct error *e)
{
    return entry_check(&a->m, txn_now(t), e) || entry_claim_take(t, NULL, &a->m, e) ? -1 : 0;
}

/* ---- what it rests on ---- */

/* What one of a list names. */
struct found {
    struct ref ref;
    bool known;
};

static void add_annotation(struct addition *a, const char *text)
{
    const char *copy = arena_strdup(a->arena, text);
    a->m.annotations[a->m.annotation_count++] = copy;
}

/* Different texts may name the same: a ref and its beginning. */
static void drop_repeated(struct addition *a, struct found *found, size_t *count)
{
    struct unique_key *keys = arena_array(a->arena, *count + 1, sizeof(*keys));
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++)
        keys[i] = (struct unique_key){.group = found[i].ref.kind, .text = found[i].ref.id};
    unique_find(keys, *count);
    for (size_t i = 0; i < *count; i++)
        if (!keys[i].again)
            found[kept++] = found[i];
    *count = kept;
}

/* Finds what a list names, each once; what is no ref goes to the annotations. */
static int find_named(struct addition *a, struct txn *t, const char **texts, size_t count,
                      enum kind bare, struct found *found, size_t *found_count, struct error *e)
{
    *found_count = 0;
    for (size_t i = 0; i < count; i++) {
        struct found one = {.known = false};
        enum ref_class class = add_ref(t, a->arena, texts[i], bare, &one.ref, &one.known, e);
        if (class == REF_ANNOTATION) {
            add_annotation(a, texts[i]);
            continue;
        }
        if (class != REF_MEMORY)
            return -1;
        found[(*found_count)++] = one;
    }
    drop_repeated(a, found, found_count);
    return 0;
}

static void tell_unresolved(struct addition *a, struct found *found, size_t count)
{
    size_t unknown = 0;
    for (size_t i = 0; i < count; i++)
        if (!found[i].known)
            found[unknown++] = found[i];
    a->out->unresolved = arena_array(a->arena, unknown + 1, sizeof(*a->out->unresolved));
    drop_repeated(a, found, &unknown);
    for (size_t i = 0; i < unknown; i++) {
        struct strbuf text = STRBUF_INIT;
        ref_add(&text, found[i].ref);
        const char *copy = arena_strndup(a->arena, text.buf, text.len);
        strbuf_release(&text);
        a->out->unresolved[a->out->unresolved_count++] = copy;
    }
}

/* Named in both lists, it is one remark. */
static void tell_annotations(struct addition *a)
{
    struct memory *m = &a->m;
    keep_each_once(a, m->annotations, m->annotation_count, &m->annotations, &m->annotation_count);
    a->out->annotations = m->annotations;
    a->out->annotation_count = m->annotation_count;
}

/* derived_from is one group in the order it was given; each of relates_to is one of its own. */
static void make_groups(struct addition *a, struct txn *t, const struct found *found,
                        size_t derived, size_t relates)
{
    struct memory *m = &a->m;
    struct antecedent *room = arena_array(a->arena, derived + relates + 1, sizeof(*room));
    struct justification *j = arena_array(a->arena, relates + 1, sizeof(*j));
    for (size_t i = 0; i < derived + relates; i++)
        room[i].ref = found[i].ref;
    m->justifications = j;
    if (derived)
        *j++ = (struct justification){
            ROLE_DERIVED_FROM, a->request->derivation, RECORDED, t->now, NULL, room, derived};
    for (size_t i = 0; i < relates; i++)
        *j++ = (struct justification){ROLE_EVIDENCE, READING_ANY,        RECORDED, t->now,
                                      NULL,          &room[derived + i], 1};
    m->justification_count = (size_t)(j - m->justifications);
}

static int fill_support(struct addition *a, struct txn *t, struct error *e)
{
    size_t all = a->derived_count + a->relates_count, derived = 0, relates = 0;
    a->m.annotation_count = a->out->unresolved_count = 0;
    struct found *found = arena_array(a->arena, all + 1, sizeof(*found));
    a->m.annotations = arena_array(a->arena, all + 1, sizeof(*a->m.annotations));
    if (find_named(a, t, a->derived, a->derived_count, KIND_COUNT, found, &derived, e) ||
        find_named(a, t, a->relates, a->relates_count, KIND_EPISODE, found + derived, &relates, e))
        return -1;
    make_groups(a, t, found, derived, relates);
    tell_unresolved(a, found, derived + relates);
    tell_annotations(a);
    return 0;
}

/* What is filled is put under a new id. */
static int put(struct addition *a, struct txn *t, struct error *e)
{
    char id[37];
    if (txn_make_id(t, id, e))
        return -1;
    a->m.ref.id = arena_strdup(a->arena, id);
    a->m.created_at = a->m.updated_at = txn_now(t);
    if (check_entry(a, t, e) || fill_support(a, t, e) ||
        txn_put(t, a->actor, "add", NULL, &a->m, NULL, e))
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
