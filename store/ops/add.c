#include "store/ops/add.h"

#include "model/base/map.h"
#include "model/base/utf8.h"
#include "store/db/store_state.h"
#include "store/record/entry_check.h"
#include "store/guard/guard.h"
#include "store/ops/add_detail.h"
#include "store/ops/plan.h"
#include "store/ops/entry_expire.h"
#include "store/record/entry_row.h"
#include "store/txn/txn.h"

/* ---- the refs that are given ---- */

#define CANDIDATES_SHOWN 4 /* an error has room for no more */
#define UUID_LENGTH      36

/* What a ref may mean: the first, and all of them as a sentence. What was only named gives way to what is written. */
struct candidates {
    struct ref first;
    size_t count;
    bool known; /* they are written, not only named */
    struct strbuf names;
};

/* Where it is looked for: a write transaction remembers rows, a reader's connection does not. */
struct index_of_refs {
    struct db *db;
    struct txn *t;    /* NULL: none */
    struct reader *r; /* for whose caller it is looked for; NULL: a person */
};

static void add_name(struct candidates *c, struct ref ref)
{
    strbuf_addf(&c->names, "%s%s:%s", c->names.len ? ", " : "", kind_name(ref.kind), ref.id);
}

/* Names are only asked for where there are several. */
static void add_candidate(struct candidates *c, struct arena *arena, struct ref ref,
                          enum status status)
{
    bool known = status != STATUS_MISSING;
    if (c->count && c->known && !known)
        return;
    if (c->count && !c->known && known) {
        strbuf_clear(&c->names);
        c->count = 0;
    }
    if (c->count == 0) {
        c->first = (struct ref){ref.kind, arena_strdup(arena, ref.id)};
        c->known = known;
    }
    if (c->count == 1)
        add_name(c, c->first);
    if (c->count > 0 && c->count < CANDIDATES_SHOWN)
        add_name(c, ref);
    c->count++;
}

static int64_t look_up(const struct index_of_refs *in, struct ref ref, enum status *status,
                       struct error *e)
{
    if (in->t)
        return txn_look_up(in->t, ref, status, e);
    return ref_look_up(in->db, ref, status, e);
}

static int find_exact(const struct index_of_refs *in, struct arena *arena, struct candidates *c,
                      enum kind kind, const char *id, struct error *e)
{
    struct ref ref = {kind, id};
    enum status status;
    enum sight sight = SIGHT_WHOLE;
    int64_t node = look_up(in, ref, &status, e);
    if (node > 0 && in->r && guard_sight(in->r, node, &sight, e))
        return -1;
    if (node <= 0 || sight == SIGHT_NONE)
        return node < 0 ? -1 : 0;
    add_candidate(c, arena, ref, status);
    return 0;
}

/* Only whole UUIDs: `abc` never matches `abcdef`. '~' comes after every digit and the dash. */
static int find_uuid(const struct index_of_refs *in, struct arena *arena, struct candidates *c,
                     enum kind kind, const char *prefix, struct error *e)
{
#define FIND_UUID                                                                                  \
    "SELECT name, status FROM memory WHERE kind = ? AND name >= ? AND name < ?"                    \
    " AND length(name) = 36"
    bool hides = in->r && guard_hides(in->r);
    char end[UUID_LENGTH + 2];
    snprintf(end, sizeof(end), "%s~", prefix);
    struct query rows = db_query(
        in->db, e, hides ? FIND_UUID GUARD_SQL " ORDER BY name" : FIND_UUID " ORDER BY name", "iss",
        (int64_t)kind, prefix, end);
    while (db_next(&rows)) {
        struct ref ref = {kind, (const char *)sqlite3_column_text(rows.stmt, 0)};
        enum status status = (enum status)sqlite3_column_int(rows.stmt, 1);
        add_candidate(c, arena, ref, status);
    }
    return db_end(&rows);
}

/* What an agent is shown of an id names it as the id does. */
static int find_shown(const struct index_of_refs *in, struct arena *arena, struct candidates *c,
                      enum kind kind, const char *id, struct error *e)
{
    struct ref ref;
    const struct guard_rules *rules = in->r ? guard_rules_of(in->r) : NULL;
    int meant = guard_ref_meant(in->db, rules, arena, id, &ref, e);
    if (meant <= 0 || (kind != KIND_COUNT && kind != ref.kind))
        return meant < 0 ? -1 : 0;
    return find_exact(in, arena, c, ref.kind, ref.id, e);
}

/* Does it name nothing, or what was only ever named so, by a name in which something was masked? */
static bool names_masked(const struct candidates *c, const char *id)
{
    return c->count == 0 ? guard_looks_masked(id)
                         : c->count == 1 && !c->known && guard_looks_masked(c->first.id);
}

/* A link to it would be one to whatever else is masked so. */
static int no_masked(const char *text, struct error *e)
{
    return error_set(e, ERROR_NOT_FOUND, "Give its ref as it is answered now, or leave it out.",
                     "something in %.100s was masked, and no memory is called so", text);
}

typedef int (*finder)(const struct index_of_refs *, struct arena *, struct candidates *, enum kind,
                      const char *, struct error *);

/* In that kind, or for KIND_COUNT in all. */
static int find_in(const struct index_of_refs *in, struct arena *arena, struct candidates *c,
                   enum kind kind, finder look, const char *id, struct error *e)
{
    if (kind != KIND_COUNT)
        return look(in, arena, c, kind, id, e);
    for (int k = 0; k < KIND_COUNT; k++)
        if (look(in, arena, c, (enum kind)k, id, e))
            return -1;
    return 0;
}

static enum ref_class ambiguous(const struct candidates *c, const char *text, struct error *e)
{
    struct strbuf todo = STRBUF_INIT;
    strbuf_addf(&todo, "Say which: %s%s.", c->names.buf, c->count > CANDIDATES_SHOWN ? ", …" : "");
    error_set(e, ERROR_INVALID, todo.buf, "%s may be any of %zu memories", text, c->count);
    e->todo_quotes = true;
    strbuf_release(&todo);
    return REF_BAD;
}

static enum ref_class settle(const struct candidates *c, struct arena *arena, const char *text,
                             struct ref given, struct ref *out, bool *known, struct error *e)
{
    if (c->count > 1)
        return ambiguous(c, text, e);
    *known = c->count == 1 && c->known;
    if (c->count == 1) {
        *out = c->first;
        return REF_MEMORY;
    }
    if (given.kind == KIND_COUNT) {
        error_set(e, ERROR_INVALID, "Write kind:id, such as raw:…, or the whole id.",
                  "no memory is called %s", text);
        return REF_BAD;
    }
    *out = (struct ref){given.kind, arena_strdup(arena, given.id)};
    return REF_MEMORY;
}

/* What rests on an entry that was never named would be told from what rests on one that is not to be seen. */
static int no_entry(const char *id, struct error *e)
{
    return error_set(e, ERROR_NOT_FOUND, "Leave it out, or name one that is there.",
                     "no memory is called entry:%.100s", id);
}

/* A UUID that begins so. One that was never written and is called just so gives way where only one is meant. */
static int find_begun(const struct index_of_refs *in, struct arena *arena, struct candidates *c,
                      struct ref given, struct error *e)
{
    struct candidates begun = {.names = STRBUF_INIT};
    int found = find_in(in, arena, &begun, given.kind, find_uuid, given.id, e);
    if (c->count == 0 || (begun.count == 1 && begun.known)) {
        struct candidates stub = *c;
        *c = begun;
        begun = stub;
    }
    strbuf_release(&begun.names);
    return found;
}

static enum ref_class find_ref(const struct index_of_refs *in, struct arena *arena,
                               const char *text, enum kind bare, struct ref *out, bool *known,
                               struct error *e)
{
    struct ref given;
    enum ref_class class = utf8_valid(text, strlen(text)) ? ref_parse(text, &given) : REF_BAD;
    if (class == REF_ANNOTATION)
        return class;
    if (class == REF_BAD || (class == REF_BARE && strlen(text) > REF_ID_MAX)) {
        if (strlen(text) > REF_ID_MAX)
            error_set(e, ERROR_INVALID, "Write kind:id.",
                      "%.80s… is no ref: an id has at most %d bytes", text, REF_ID_MAX);
        else
            error_set(e, ERROR_INVALID, "Write kind:id.", "%.80s is not a ref", text);
        return REF_BAD;
    }
    if (class == REF_BARE)
        given = (struct ref){bare, text};
    struct candidates c = {.names = STRBUF_INIT};
    int found = find_in(in, arena, &c, given.kind, find_exact, given.id, e);
    if (found == 0 && !(c.count && c.known) && ref_is_uuid_prefix(given.id, REF_LINK_PREFIX))
        found = find_begun(in, arena, &c, given, e);
    if (found == 0 && c.count == 0)
        found = find_shown(in, arena, &c, given.kind, given.id, e);
    if (found == 0 && names_masked(&c, given.id))
        found = no_masked(text, e);
    if (found == 0 && c.count == 0 && given.kind == KIND_ENTRY && in->r && reader_guarded(in->r))
        found = no_entry(given.id, e);
    class = found ? REF_BAD : settle(&c, arena, text, given, out, known, e);
    strbuf_release(&c.names);
    return class;
}

enum ref_class add_find_ref(struct txn *t, struct arena *arena, const char *text, enum kind bare,
                            struct ref *out, bool *known, struct error *e)
{
    return find_ref(&(struct index_of_refs){t->db, t, t->reader}, arena, text, bare, out, known, e);
}

enum ref_class plan_ref(struct plan *p, const char *text, enum kind bare, struct ref *out,
                        bool *known, struct error *e)
{
    return find_ref(&(struct index_of_refs){reader_db(p->reader), NULL, p->reader}, p->arena, text,
                    bare, out, known, e);
}

/* ---- adding ---- */

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
        enum ref_class class = add_find_ref(t, a->arena, texts[i], bare, &one.ref, &one.known, e);
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
