/* Adds a memory: checks its detail, resolves its refs, and puts it with its provenance. */
#include "store/ops/add.h"

#include <string.h>
#include "model/base/map.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "model/memory/memory.h"
#include "store/db/reader.h"
#include "store/lineage/subgraph.h"
#include "store/ops/policy.h"
#include "store/ops/plan.h"
#include "store/query/list.h"
#include "store/query/ref.h"
#include "store/record/get.h"
#include "store/record/index_tables.h"
#include "store/record/put.h"
#include "store/txn/txn.h"

enum type {
    END,
    TEXT,
    TEXTS,
    WHOLE,
    COUNT,  /* a position from 0, or how often */
    NUMBER, /* of a step, from 1 */
    SECONDS,
    TRUTH,
    NUMBERS,
    ANY
};

static const char *const type_names[] = {
    [TEXT] = "a text",
    [TEXTS] = "a list of texts",
    [WHOLE] = "a whole number",
    [COUNT] = "a whole number from 0 on",
    [NUMBER] = "a whole number from 1 on",
    [SECONDS] = "a number of seconds from 0 on",
    [TRUTH] = "true or false",
    [NUMBERS] = "a number from 0 on, or an object of such numbers",
};

#define FIELDS_MAX 12
struct field {
    const char *name;
    enum type type;
};

/* The known fields of each kind. Kinds without known fields accept any detail, because other
 * programs make them. */
static const struct field fields[KIND_COUNT][FIELDS_MAX] = {
    [KIND_RAW] = {{"source", TEXT}, {"captured_by", TEXT}},
    [KIND_EPISODE] = {{"objective", TEXT},
                      {"outcome", TEXT},
                      {"outcome_type", TEXT},
                      {"lessons", TEXTS}},
    [KIND_BELIEF] = {{"belief_type", TEXT}, {"foundational", TRUTH}, {"times_reinforced", COUNT}},
    [KIND_NOTE] = {{"note_type", TEXT}, {"speaker", TEXT}, {"reason", TEXT}},
    [KIND_ATTRIBUTION] = {{"source_type", TEXT},
                          {"source_uri", TEXT},
                          {"retrieval_timestamp", WHOLE},
                          {"content_summary", TEXT},
                          {"full_content_hash", TEXT},
                          {"full_content_json", ANY},
                          {"citation", ANY}},
    [KIND_DOCUMENT] = {{"document_id", TEXT},
                       {"version_hash", TEXT},
                       {"uri", TEXT},
                       {"untitled", TRUTH},
                       {"author", TEXT},
                       {"year", WHOLE}},
    [KIND_CHAIN] = {{"question", TEXT},
                    {"final_answer", TEXT},
                    {"strategy", TEXT},
                    {"total_time", SECONDS},
                    {"confidence_unstated", TRUTH},
                    {"token_usage", NUMBERS},
                    {"model", TEXT},
                    {"source_summary", ANY}},
    [KIND_STEP] = {{"step_number", NUMBER},
                   {"question", TEXT},
                   {"intermediate_answer", TEXT},
                   {"reasoning_trace", TEXT},
                   {"execution_time", SECONDS},
                   {"model", TEXT},
                   {"confidence_unstated", TRUTH},
                   {"token_usage", NUMBERS},
                   {"context_used", TEXTS},
                   {"passages", ANY}},
    [KIND_CITATION] = {{"document_id", TEXT},
                       {"document_name", TEXT},
                       {"page", COUNT},
                       {"section", TEXT},
                       {"paragraph", ANY},
                       {"conversation_id", TEXT},
                       {"message_id", TEXT},
                       {"retrieved_at", WHOLE},
                       {"rank", COUNT},
                       {"snippet", ANY},
                       {"response_text", TEXT}},
    [KIND_ENTRY] = {{"namespace", TEXT}, {"key", TEXT}, {"value", ANY}, {"expires_at", WHOLE}},
};

static bool is_of(struct json_slice value, enum type type)
{
    int64_t whole;
    double number;
    switch (type) {
    case TEXT:
        return value.ptr[0] == '"';
    case WHOLE:
        return json_integer(value, &whole) == 0;
    case COUNT:
        return json_integer(value, &whole) == 0 && whole >= 0;
    case NUMBER:
        return json_integer(value, &whole) == 0 && whole >= 1;
    case SECONDS:
        return json_double(value, &number) == 0 && number >= 0;
    case TRUTH:
        return value.ptr[0] == 't' || value.ptr[0] == 'f';
    case NUMBERS:
        return json_is_amounts(value);
    case TEXTS:
        if (value.ptr[0] != '[')
            return false;
        for (struct json_each it = json_each(value); json_next(&it);)
            if (it.value.ptr[0] != '"')
                return false;
        return true;
    default:
        return true;
    }
}

static int refuse_unknown(enum kind kind, struct json_slice key, struct error *e)
{
    AUTO_STRBUF known = STRBUF_INIT;
    for (const struct field *f = fields[kind]; f < fields[kind] + FIELDS_MAX && f->type; f++)
        strbuf_addf(&known, "%s%s", known.len ? ", " : "Known are ", f->name);
    strbuf_addch(&known, '.');
    size_t shown = utf8_fit(key.ptr, key.len, 60);
    error_set(e, ERROR_INVALID, known.buf, "no field %.*s%s in a detail of the kind %s", (int)shown,
              key.ptr, shown < key.len ? "…" : "", kind_name(kind));
    return -1;
}

static int check_field(enum kind kind, struct json_slice key, struct json_slice value,
                       struct error *e)
{
    const struct field *f = fields[kind];
    for (; f < fields[kind] + FIELDS_MAX && f->type; f++)
        if (json_key_is(key, f->name))
            break;
    if (f == fields[kind] + FIELDS_MAX || !f->type)
        return f == fields[kind] ? 0 : refuse_unknown(kind, key, e);
    /* An entry may never expire, and a retrieval may have no summary. */
    bool nullable = kind == KIND_ENTRY ? f->type == WHOLE : strcmp(f->name, "content_summary") == 0;
    if ((nullable && value.ptr[0] == 'n') || is_of(value, f->type))
        return 0;
    return error_set(e, ERROR_INVALID, "Correct that field and try again.",
                     "the detail's %s is not %s", f->name, type_names[f->type]);
}

bool detail_is_text(enum kind kind, const char *name)
{
    for (const struct field *f = fields[kind]; f < fields[kind] + FIELDS_MAX && f->type; f++)
        if (strcmp(f->name, name) == 0)
            return f->type == TEXT;
    return false;
}

int add_detail(const char **out, struct arena *arena, enum kind kind, const char *json,
               struct error *e)
{
    *out = NULL;
    if (!json)
        return 0;
    size_t len = strlen(json);
    if (json_check(json, len, JSON_DEPTH_MAX, e))
        return error_prefix(e, "detail");
    struct json_slice object = json_trim(json, len);
    if (object.ptr[0] != '{')
        return error_set(e, ERROR_INVALID, "Give a JSON object.", "detail is not an object");
    for (struct json_each it = json_each(object); json_next(&it);)
        if (check_field(kind, it.key, it.value, e))
            return -1;
    AUTO_STRBUF compact = STRBUF_INIT;
    json_tidy(&compact, object.ptr, object.len);
    if (compact.len > 2)
        *out = arena_strndup(arena, compact.buf, compact.len);
    return 0;
}

int add_detail_check_imported(enum kind kind, const char *detail, struct error *e)
{
    static const char *const checked[] = {
        "step_number", "page", "execution_time", "total_time", "token_usage", "model", NULL};
    for (const struct field *f = fields[kind]; f < fields[kind] + FIELDS_MAX && f->type; f++) {
        struct json_slice name = {f->name, strlen(f->name)}, value = {NULL, 0};
        if (detail && json_key_is_any(name, checked))
            value = json_member(detail, strlen(detail), f->name);
        if (!value.ptr || value.ptr[0] == 'n' || is_of(value, f->type))
            continue;
        size_t shown = utf8_fit(value.ptr, value.len, 40);
        return error_set(e, ERROR_INVALID, "", "detail: %s is %.*s%s; give %s", f->name, (int)shown,
                         value.ptr, shown < value.len ? "…" : "", type_names[f->type]);
    }
    return 0;
}

void plan_add_type(struct plan *p, struct memory *m)
{
    const char *name = m->ref.kind == KIND_BELIEF ? "belief_type"
                       : m->ref.kind == KIND_NOTE ? "note_type"
                                                  : NULL;
    if (name && !detail_member(m, name).ptr)
        detail_set_text(&m->detail, p->arena, name, m->ref.kind == KIND_BELIEF ? "fact" : "note");
}

/* Sets the key of an entry without one to its text. */
static void add_detail_key(struct memory *m, struct arena *arena)
{
    if (m->ref.kind == KIND_ENTRY && !detail_member(m, "key").ptr)
        detail_set_text(&m->detail, arena, "key", m->text);
}

/* ---- provenance that needs no store ---- */

static int copy_text(struct plan *p, const char **field, const char *name, const char *given,
                     struct error *e)
{
    if (!given || !*given)
        return 0;
    if (!utf8_valid(given, strlen(given)))
        return error_set(e, ERROR_INVALID, "Write it in UTF-8.", "the %s is not valid UTF-8", name);
    *field = arena_strdup(p->arena, given);
    return 0;
}

static int set_source_type(struct memory *m, const struct add_request *r, struct error *e)
{
    bool given = r->source_type && *r->source_type;
    int type = given ? source_type_from_name(r->source_type)
               : m->ref.kind == KIND_ATTRIBUTION
                   ? (int)SOURCE_OBSERVATION
                   : (int)source_type_infer(m->source, m->source_entity);
    if (type < 0)
        return error_set(e, ERROR_INVALID,
                         "Known are direct_experience, inference, consolidation, processing,"
                         " seed, told_by_agent, told_by_human, observation, external, unknown.",
                         "no source type is called %s", r->source_type);
    m->source_type = source_type_name((enum source_type)type);
    return 0;
}

/* Concatenates two lists and drops repeated texts. *count is the length of the result. */
static const char **join(struct plan *p, const char **one, size_t ones, const char **other,
                         size_t others, size_t *count)
{
    struct unique_key *keys = arena_array(p->arena, ones + others + 1, sizeof(*keys));
    const char **texts = arena_array(p->arena, ones + others + 1, sizeof(*texts));
    for (size_t i = 0; i < ones + others; i++)
        keys[i].text = i < ones ? one[i] : other[i - ones];
    unique_find(keys, ones + others);
    *count = 0;
    for (size_t i = 0; i < ones + others; i++)
        if (!keys[i].again)
            texts[(*count)++] = keys[i].text;
    return texts;
}

static int set_tags(struct plan *p, struct memory *m, const struct add_request *r, struct error *e)
{
    size_t count, kept = 0;
    const char **tags = join(p, m->tags, m->tag_count, r->tags, r->tag_count, &count);
    for (size_t i = 0; i < count; i++) {
        const char *tag = NULL;
        if (copy_text(p, &tag, "tag", tags[i], e))
            return -1;
        if (tag)
            tags[kept++] = tag;
    }
    m->tags = tags;
    m->tag_count = kept;
    return 0;
}

static int set_origin(struct plan *p, struct memory *m, const struct add_request *r,
                      struct error *e)
{
    return failed_if(copy_text(p, &m->source, "source", r->source, e) ||
                     copy_text(p, &m->source_entity, "source entity", r->source_entity, e) ||
                     copy_text(p, &m->context, "context", r->context, e) || set_tags(p, m, r, e) ||
                     set_source_type(m, r, e));
}

int add_agent_check(const char *agent, struct error *e)
{
    if (!agent || !utf8_valid(agent, strlen(agent)) || utf8_count(agent) <= AGENT_NAME_MAX)
        return 0;
    return error_set(e, ERROR_INVALID, "Call the agent by a shorter name.",
                     "the agent's name has more than %d characters", AGENT_NAME_MAX);
}

/* ---- support ---- */

/* The memory that an element of a list names. */
struct found {
    struct antecedent antecedent;
    bool known;
};

/* Different texts may name the same memory: a full ref and a prefix. */
static void drop_repeated(struct plan *p, struct found *found, size_t *count)
{
    struct unique_key *keys = arena_array(p->arena, *count + 1, sizeof(*keys));
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++)
        keys[i] = (struct unique_key){.group = found[i].antecedent.ref.kind,
                                      .text = found[i].antecedent.ref.id};
    unique_find(keys, *count);
    for (size_t i = 0; i < *count; i++)
        if (!keys[i].again)
            found[kept++] = found[i];
    *count = kept;
}

/* Resolves the refs in `texts` and adds them to `found`, each memory once. Other texts go to the
 * memory's annotations, which must have room for them. */
static int find_named(struct plan *p, struct memory *m, const char **texts, size_t count,
                      enum kind bare, struct found *found, size_t *found_count, struct error *e)
{
    texts = join(p, texts, count, NULL, 0, &count);
    for (size_t i = 0; i < count; i++) {
        struct found one = {.known = false};
        enum ref_class class =
            ref_link(p->reader, p->arena, texts[i], bare, &one.antecedent.ref, &one.known, e);
        if (class == REF_MEMORY)
            found[(*found_count)++] = one;
        else if (class == REF_ANNOTATION)
            m->annotations[m->annotation_count++] = arena_strdup(p->arena, texts[i]);
        else
            return -1;
    }
    drop_repeated(p, found, found_count);
    return 0;
}

static void add_unresolved(struct plan *p, struct found *found, size_t count)
{
    size_t unknown = 0;
    AUTO_STRBUF text = STRBUF_INIT;
    for (size_t i = 0; i < count; i++)
        if (!found[i].known)
            found[unknown++] = found[i];
    drop_repeated(p, found, &unknown);
    const char **refs = arena_array(p->arena, unknown + 1, sizeof(*refs));
    for (size_t i = 0; i < unknown; i++) {
        strbuf_clear(&text);
        ref_add(&text, found[i].antecedent.ref);
        refs[i] = arena_strndup(p->arena, text.buf, text.len);
    }
    p->unresolved =
        join(p, p->unresolved, p->unresolved_count, refs, unknown, &p->unresolved_count);
    p->unresolved_alloc = p->unresolved_count;
}

static bool is_backed_by(const struct memory *m, struct ref ref)
{
    for (size_t i = 0; i < m->justification_count; i++)
        if (m->justifications[i].role == ROLE_EVIDENCE && m->justifications[i].count == 1 &&
            ref_equal(m->justifications[i].antecedents[0].ref, ref))
            return true;
    return false;
}

/*
 * derived_from becomes one justification in the order given; each of relates_to becomes one of its
 * own. Existing justifications stay. The first one says what the memory was made from, so
 * derived_from joins it.
 */
static void make_groups(struct plan *p, struct memory *m, const struct add_request *r,
                        const struct found *found, size_t derived, size_t relates)
{
    size_t had = m->justification_count;
    struct antecedent *room = arena_array(p->arena, derived + relates + 1, sizeof(*room));
    struct justification *all = arena_array(p->arena, had + relates + 1, sizeof(*all)), *j = all;
    for (size_t i = 0; i < derived + relates; i++)
        room[i] = found[i].antecedent;
    if (derived)
        *j++ = (struct justification){
            ROLE_DERIVED_FROM, r->derivation, RECORDED, p->now, NULL, room, derived};
    for (size_t i = derived > 0; i < had; i++)
        *j++ = m->justifications[i];
    for (size_t i = derived; i < derived + relates; i++)
        if (!is_backed_by(m, room[i].ref))
            *j++ = (struct justification){ROLE_EVIDENCE, READING_ANY, RECORDED, p->now,
                                          NULL,          &room[i],    1};
    m->justifications = all;
    m->justification_count = (size_t)(j - all);
}

static int fill_support(struct plan *p, struct memory *m, const struct add_request *r,
                        struct error *e)
{
    const struct justification *had = m->justification_count ? m->justifications : NULL;
    size_t derived = had ? had->count : 0, relates = 0;
    size_t all = derived + r->derived_count + r->relates_count;
    struct found *found = arena_array(p->arena, all + 1, sizeof(*found));
    const char **annotations = m->annotations;
    m->annotations = arena_array(p->arena, m->annotation_count + all + 1, sizeof(*annotations));
    for (size_t i = 0; i < m->annotation_count; i++)
        m->annotations[i] = annotations[i];
    for (size_t i = 0; i < derived; i++)
        found[i] = (struct found){had->antecedents[i], true};
    if (find_named(p, m, r->derived_from, r->derived_count, KIND_COUNT, found, &derived, e) ||
        find_named(p, m, r->relates_to, r->relates_count, KIND_EPISODE, found + derived, &relates,
                   e))
        return -1;
    make_groups(p, m, r, found, derived, relates);
    add_unresolved(p, found, derived + relates);
    m->annotations = join(p, m->annotations, m->annotation_count, NULL, 0, &m->annotation_count);
    return 0;
}

int plan_provenance(struct plan *p, struct memory *m, const struct add_request *r, struct error *e)
{
    return set_origin(p, m, r, e) || fill_support(p, m, r, e) ? -1 : 0;
}

/* The first justification that says what the memory was made from, or NULL. */
static const struct justification *first_derivation(const struct memory *m)
{
    for (size_t i = 0; i < m->justification_count; i++)
        if (m->justifications[i].role == ROLE_DERIVED_FROM)
            return &m->justifications[i];
    return NULL;
}

/* Copies the antecedent that the memory was made from already, with how it was used. */
static struct antecedent *known_antecedent(const struct memory *m, struct ref ref)
{
    for (size_t i = 0; i < m->justification_count; i++) {
        const struct justification *j = &m->justifications[i];
        for (size_t k = 0; j->role == ROLE_DERIVED_FROM && k < j->count; k++)
            if (ref_equal(j->antecedents[k].ref, ref))
                return &j->antecedents[k];
    }
    return NULL;
}

static void replace_derivation(struct plan *p, struct memory *m, const struct found *found,
                               size_t count)
{
    const struct justification *was = first_derivation(m);
    struct antecedent *room = arena_array(p->arena, count + 1, sizeof(*room));
    struct justification *all = arena_array(p->arena, m->justification_count + 1, sizeof(*all));
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const struct antecedent *known = known_antecedent(m, found[i].antecedent.ref);
        room[i] = known ? *known : found[i].antecedent;
    }
    if (count)
        all[kept++] = (struct justification){.role = ROLE_DERIVED_FROM,
                                             .reading = was ? was->reading : READING_ANY,
                                             .recorded = RECORDED,
                                             .at = p->now,
                                             .reason = was ? was->reason : NULL,
                                             .antecedents = room,
                                             .count = count};
    for (size_t i = 0; i < m->justification_count; i++)
        if (m->justifications[i].role != ROLE_DERIVED_FROM)
            all[kept++] = m->justifications[i];
    m->justifications = all;
    m->justification_count = kept;
}

int plan_derive(struct plan *p, struct memory *m, const char **refs, size_t count, struct error *e)
{
    size_t derived = 0;
    struct found *found = arena_array(p->arena, count + 1, sizeof(*found));
    const char **annotations =
        arena_array(p->arena, m->annotation_count + count + 1, sizeof(*annotations));
    for (size_t i = 0; i < m->annotation_count; i++)
        annotations[i] = m->annotations[i];
    m->annotations = annotations;
    if (find_named(p, m, refs, count, KIND_COUNT, found, &derived, e))
        return -1;
    for (size_t i = 0; i < derived; i++)
        if (ref_equal(found[i].antecedent.ref, m->ref))
            return error_set(e, ERROR_INVALID, "Name what it was made from.",
                             "a memory is not made from itself");
    replace_derivation(p, m, found, derived);
    add_unresolved(p, found, derived);
    m->annotations = join(p, m->annotations, m->annotation_count, NULL, 0, &m->annotation_count);
    return 0;
}

/* ---- adding ---- */

/* Fills the added memory from the request. */
static int fill(struct plan *p, struct memory *m, const struct add_request *r, size_t text_len,
                struct error *e)
{
    if (set_origin(p, m, r, e) || add_detail(&m->detail, p->arena, r->kind, r->detail, e))
        return -1;
    if (!isnan(r->confidence)) {
        if (!(r->confidence >= 0 && r->confidence <= 1))
            return error_set(e, ERROR_INVALID, "Give a number from 0 to 1.",
                             "a confidence of %g is out of range", r->confidence);
        m->confidence = r->confidence;
    }
    plan_add_type(p, m);
    /* Adds the original of a repaired text to the detail. */
    if (plan_set_text(p, m, r->text, text_len, e))
        return -1;
    add_detail_key(m, p->arena);
    return entry_check(m, p->now, e) || attribution_check(m, e) || fill_support(p, m, r, e) ? -1
                                                                                            : 0;
}

/* Says so if the new memory is based on one that has ended: it is accepted, but may have no support. */
static int find_ended(struct txn *t, struct arena *arena, const struct memory *m, const char **why,
                      struct error *e)
{
    struct reader *r = txn_reader(t, e);
    struct memory_row row;
    struct row_label label;
    int64_t ended = 0;
    if (!r ||
        db_int(reader_db(r), &ended, 0, e,
               "SELECT m.id FROM link l CROSS JOIN memory m ON m.id = l.target WHERE l.memory = ?"
               " AND l.shape & 31 < ? AND m.status > ? AND m.status <> ?"
               " AND guard_sees(m.kind, m.agent, m.status, m.id) ORDER BY l.number, l.position "
               "LIMIT 1",
               "iiii", m->node, (int64_t)ROLE_SUPPORT_COUNT, (int64_t)STATUS_EXPIRED,
               (int64_t)STATUS_MISSING))
        return -1;
    if (!ended)
        return 0;
    if (memory_row_read(r, arena, ended, &row, e) || labels_of_rows(r, &m->node, 1, &label, e))
        return -1;
    bool stands = label.label == LABEL_SUPPORTED || label.label == LABEL_ENDED;
    *why =
        arena_format(arena, "%s%sbased on %s, which %s %s", stands ? "" : label_name(label.label),
                     stands ? "" : ": ", ref_short(r, arena, row.ref),
                     row.status == STATUS_PENDING ? "is" : "was", status_word(row.status));
    return 0;
}

int add_memory(struct txn *t, const struct actor *actor, const struct add_request *request,
               size_t text_len, struct arena *arena, struct added *out, struct error *e)
{
    struct plan p = plan_in(t, actor, arena, e);
    *out = (struct added){0};
    struct memory *m = p.reader ? plan_add(&p, request->kind, request->agent_id, request->text,
                                           text_len, "add", NULL, e)
                                : NULL;
    if (!m || fill(&p, m, request, text_len, e) || gate_plan(&p, e) || plan_carry_out(&p, t, e))
        return -1;
    *out = (struct added){.node = m->node,
                          .ref = m->ref,
                          .version = m->version,
                          .text = m->text,
                          .waits = p.waits,
                          .unresolved = p.unresolved,
                          .unresolved_count = p.unresolved_count,
                          .annotations = m->annotations,
                          .annotation_count = m->annotation_count};
    return m->justification_count ? find_ended(t, arena, m, &out->why, e) : 0;
}

struct addition {
    const struct actor *actor;
    const struct add_request *request;
    size_t text_len;
    struct arena *arena;
    struct added *out;
};

static int run(struct txn *t, void *arg, struct error *e)
{
    struct addition *a = arg;
    return add_memory(t, a->actor, a->request, a->text_len, a->arena, a->out, e);
}

int store_add(struct store *s, const struct actor *actor, const struct add_request *request,
              size_t text_len, struct arena *arena, struct added *out, struct error *e)
{
    return store_run_again(s, run, &(struct addition){actor, request, text_len, arena, out}, e);
}

/* ---- storing a memory as it is ---- */

struct putting {
    const struct actor *actor;
    struct memory *memory;
    struct arena *arena;
};

static int put(struct txn *t, void *arg, struct error *e)
{
    const struct putting *p = arg;
    struct memory before;
    enum status status;
    int64_t row = ref_find_status(txn_db(t), p->memory->ref, &status, e);
    bool replaces = row > 0 && status != STATUS_MISSING;
    if (row < 0 || (replaces && memory_read_db(txn_db(t), p->arena, row, &before, e)))
        return -1;
    return txn_put(t, p->actor, replaces ? "edit" : "add", replaces ? &before : NULL, p->memory,
                   NULL, e);
}

int store_put(struct store *s, const struct actor *actor, struct memory *m, struct arena *arena,
              struct error *e)
{
    return store_run_again(s, put, &(struct putting){actor, m, arena}, e);
}
