#include "model/format/exchange_reader.h"

/* ---- antecedents ---- */

enum use_member {
    USE_REF,
    USE_RELEVANCE,
    USE_SCORE,
    USE_EXCERPT,
    USE_CHUNK,
    USE_RANK,
    USE_PAGE,
    USE_SECTION,
    USE_VERSION_HASH,
    USE_LABEL,
    USE_TITLE,
    USE_COUNT
};

/* NULL where nothing is said of the use, so that a plain ref and {"ref":…} are the same memory. */
static int read_use(struct exchange_reader *r, const struct json_slice *member,
                    const struct use **out)
{
    bool any = false;
    for (int i = USE_RELEVANCE; i < USE_COUNT; i++)
        any |= member[i].ptr != NULL;
    if (!any)
        return 0;
    struct use *use = arena_alloc(r->arena, sizeof(*use));
    if (!use)
        return exchange_no_memory(r);
    *use = (struct use)USE_NONE;
    int score = SCORE_NONE;
    if (exchange_share(r, member[USE_RELEVANCE], "relevance", &use->relevance) ||
        exchange_word(r, member[USE_SCORE], "score", score_from_name, &score) ||
        exchange_text(r, member[USE_EXCERPT], "excerpt", &use->excerpt) ||
        exchange_whole(r, member[USE_CHUNK], "chunk", 0, &use->chunk) ||
        exchange_whole(r, member[USE_RANK], "rank", 0, &use->rank) ||
        exchange_whole(r, member[USE_PAGE], "page", 0, &use->page) ||
        exchange_text(r, member[USE_SECTION], "section", &use->section) ||
        exchange_text(r, member[USE_VERSION_HASH], "version_hash", &use->version_hash) ||
        exchange_text(r, member[USE_LABEL], "label", &use->label) ||
        exchange_text(r, member[USE_TITLE], "title", &use->title))
        return -1;
    use->score = (enum score)score;
    *out = use;
    return 0;
}

static int read_antecedent(struct exchange_reader *r, struct json_slice value,
                           struct antecedent *out)
{
    static const char *const names[USE_COUNT] = {"ref",          "relevance", "score", "excerpt",
                                                 "chunk",        "rank",      "page",  "section",
                                                 "version_hash", "label",     "title"};
    struct json_slice member[USE_COUNT] = {{NULL, 0}};
    if (*value.ptr == '"')
        return exchange_ref(r, value, "ref", &out->ref);
    if (exchange_members(r, value, "justifications.antecedents", names, USE_COUNT, member) ||
        exchange_ref(r, member[USE_REF], "ref", &out->ref))
        return -1;
    return read_use(r, member, &out->use);
}

static int read_antecedents(struct exchange_reader *r, struct json_slice list,
                            struct justification *j)
{
    size_t i = 0;
    if (exchange_count(r, list, "antecedents", &j->count))
        return -1;
    j->antecedents = arena_array(r->arena, j->count, sizeof(*j->antecedents));
    if (!j->antecedents)
        return exchange_no_memory(r);
    for (struct json_each it = json_each(list); list.ptr && json_next(&it); i++)
        if (read_antecedent(r, it.value, &j->antecedents[i]))
            return error_prefix(r->e, "antecedents[%zu]", i);
    return exchange_drop_repeated(r, j->antecedents, &j->count);
}

/* ---- elements ---- */

/* Roles and relations share a table of names; each has its own place in a line. */
static int role_of_support(const char *name)
{
    int role = role_from_name(name);
    return role >= 0 && ROLE_IS_SUPPORT(role) ? role : -1;
}

static int role_of_relation(const char *name)
{
    int role = role_from_name(name);
    return role >= 0 && !ROLE_IS_SUPPORT(role) ? role : -1;
}

/* A time that is not given is the memory's own, never the present: reading the same line twice must give
 * the same memory. */
int exchange_read_justification(struct exchange_reader *r, struct json_slice value,
                                struct justification *out)
{
    static const char *const names[] = {"role", "reading", "recorded",
                                        "at",   "reason",  "antecedents"};
    struct json_slice member[6] = {{NULL, 0}};
    int role = ROLE_DERIVED_FROM, reading = READING_ANY, recorded = RECORDED;
    out->at = r->m->created_at;
    if (exchange_members(r, value, "justifications", names, 6, member) ||
        exchange_word(r, member[0], "role", role_of_support, &role) ||
        exchange_word(r, member[1], "reading", reading_from_name, &reading) ||
        exchange_word(r, member[2], "recorded", recorded_from_name, &recorded) ||
        exchange_whole(r, member[3], "at", INT64_MIN, &out->at) ||
        exchange_text(r, member[4], "reason", &out->reason) || read_antecedents(r, member[5], out))
        return -1;
    out->role = (enum role)role;
    out->reading = (enum reading)reading;
    out->recorded = (enum recorded)recorded;
    return 0;
}

int exchange_read_relation(struct exchange_reader *r, struct json_slice value, struct relation *out)
{
    static const char *const names[] = {"type", "to", "at", "reason"};
    struct json_slice member[4] = {{NULL, 0}};
    int type = -1;
    out->at = r->m->created_at;
    if (exchange_members(r, value, "relations", names, 4, member) ||
        exchange_word(r, member[0], "type", role_of_relation, &type) ||
        exchange_ref(r, member[1], "to", &out->to) ||
        exchange_whole(r, member[2], "at", INT64_MIN, &out->at) ||
        exchange_text(r, member[3], "reason", &out->reason))
        return -1;
    if (type < 0)
        return exchange_wrong(r, "type", "is missing");
    out->type = (enum role)type;
    return 0;
}

int exchange_read_entry(struct exchange_reader *r, struct json_slice value,
                        struct history_entry *out)
{
    static const char *const names[] = {"at",        "old",   "new",   "reason", "evidence_source",
                                        "operation", "actor", "origin"};
    struct json_slice member[8] = {{NULL, 0}};
    *out = (struct history_entry){.at = r->m->created_at, .old = NAN, .new_ = NAN};
    if (exchange_members(r, value, "history", names, 8, member) ||
        exchange_whole(r, member[0], "at", INT64_MIN, &out->at) ||
        exchange_number(r, member[1], "old", &out->old) ||
        exchange_number(r, member[2], "new", &out->new_) ||
        exchange_text(r, member[3], "reason", &out->reason) ||
        exchange_text(r, member[4], "evidence_source", &out->evidence_source) ||
        exchange_text(r, member[5], "operation", &out->operation) ||
        exchange_text(r, member[6], "actor", &out->actor) ||
        exchange_text(r, member[7], "origin", &out->origin))
        return -1;
    return 0;
}

int exchange_read_mark(struct exchange_reader *r, struct json_slice value, struct mark *out)
{
    static const char *const names[] = {"mark", "at", "actor", "value", "reason"};
    struct json_slice member[5] = {{NULL, 0}};
    out->at = r->m->created_at;
    if (exchange_members(r, value, "marks", names, 5, member) ||
        exchange_text(r, member[0], "mark", &out->mark) ||
        exchange_whole(r, member[1], "at", INT64_MIN, &out->at) ||
        exchange_text(r, member[2], "actor", &out->actor) ||
        exchange_text(r, member[3], "value", &out->value) ||
        exchange_text(r, member[4], "reason", &out->reason))
        return -1;
    if (!out->mark || !*out->mark)
        return exchange_wrong(r, "mark", "is missing");
    return 0;
}

int exchange_read_history(struct exchange_reader *r, struct json_slice list)
{
    struct memory *m = r->m;
    size_t i = 0;
    if (exchange_count(r, list, "history", &m->history_count))
        return -1;
    m->history = arena_array(r->arena, m->history_count, sizeof(*m->history));
    if (!m->history)
        return exchange_no_memory(r);
    for (struct json_each it = json_each(list); list.ptr && json_next(&it); i++)
        if (exchange_read_entry(r, it.value, &m->history[i]))
            return error_prefix(r->e, "history[%zu]", i);
    return 0;
}

int exchange_read_marks(struct exchange_reader *r, struct json_slice list)
{
    struct memory *m = r->m;
    size_t i = 0;
    if (exchange_count(r, list, "marks", &m->mark_count))
        return -1;
    m->marks = arena_array(r->arena, m->mark_count, sizeof(*m->marks));
    if (!m->marks)
        return exchange_no_memory(r);
    for (struct json_each it = json_each(list); list.ptr && json_next(&it); i++)
        if (exchange_read_mark(r, it.value, &m->marks[i]))
            return error_prefix(r->e, "marks[%zu]", i);
    return 0;
}

/* ---- the links, by whatever names ---- */

static int add_annotations(struct exchange_reader *r, const struct exchange_refs *refs)
{
    struct memory *m = r->m;
    if (refs->annotation_count == 0)
        return 0;
    size_t total = m->annotation_count + refs->annotation_count;
    const char **all = arena_array(r->arena, total, sizeof(*all));
    if (!all)
        return exchange_no_memory(r);
    for (size_t i = 0; i < m->annotation_count; i++)
        all[i] = m->annotations[i];
    for (size_t i = 0; i < refs->annotation_count; i++)
        all[m->annotation_count + i] = refs->annotations[i];
    m->annotations = all;
    m->annotation_count = total;
    return 0;
}

/* As written in full, then derived_from as one group, then each source episode as one. */
static int read_justifications(struct exchange_reader *r, const struct exchange_links *links)
{
    struct memory *m = r->m;
    struct exchange_refs derived, episodes;
    int reading = READING_ANY;
    size_t total, i = 0;
    if (exchange_count(r, links->justifications, "justifications", &total) ||
        exchange_word(r, links->derivation, "derivation", reading_from_name, &reading) ||
        exchange_read_refs(r, links->derived_from, "derived_from", -1, &derived) ||
        exchange_read_refs(r, links->source_episodes, "source_episodes", KIND_EPISODE, &episodes) ||
        add_annotations(r, &derived) || add_annotations(r, &episodes))
        return -1;
    struct justification *all =
        arena_array(r->arena, total + (derived.count > 0) + episodes.count, sizeof(*all));
    if (!all)
        return exchange_no_memory(r);
    for (struct json_each it = json_each(links->justifications); total && json_next(&it); i++)
        if (exchange_read_justification(r, it.value, &all[i]))
            return error_prefix(r->e, "justifications[%zu]", i);
    if (derived.count > 0)
        all[i++] = (struct justification){
            ROLE_DERIVED_FROM, (enum reading)reading, RECORDED, m->created_at, NULL,
            derived.list,      derived.count};
    for (size_t k = 0; k < episodes.count; k++)
        all[i++] = (struct justification){ROLE_EVIDENCE, READING_ANY,       RECORDED, m->created_at,
                                          NULL,          &episodes.list[k], 1};
    m->justifications = all;
    m->justification_count = i;
    return 0;
}

static void add_relations(struct memory *m, enum role type, const struct exchange_refs *refs)
{
    for (size_t i = 0; i < refs->count; i++)
        m->relations[m->relation_count++] =
            (struct relation){.type = type, .to = refs->list[i].ref, .at = m->created_at};
}

static int read_relations(struct exchange_reader *r, const struct exchange_links *links)
{
    struct memory *m = r->m;
    struct exchange_refs supersedes, processed;
    size_t total;
    if (exchange_count(r, links->relations, "relations", &total) ||
        exchange_read_refs(r, links->supersedes, "supersedes", (int)m->ref.kind, &supersedes) ||
        exchange_read_refs(r, links->processed_into, "processed_into", -1, &processed) ||
        add_annotations(r, &supersedes) || add_annotations(r, &processed))
        return -1;
    m->relations =
        arena_array(r->arena, total + supersedes.count + processed.count, sizeof(*m->relations));
    if (!m->relations)
        return exchange_no_memory(r);
    for (struct json_each it = json_each(links->relations); total && json_next(&it);) {
        if (exchange_read_relation(r, it.value, &m->relations[m->relation_count]))
            return error_prefix(r->e, "relations[%zu]", m->relation_count);
        m->relation_count++;
    }
    add_relations(m, RELATION_SUPERSEDES, &supersedes);
    add_relations(m, RELATION_PROCESSED_INTO, &processed);
    return 0;
}

int exchange_read_links(struct exchange_reader *r, const struct exchange_links *links)
{
    return read_justifications(r, links) || read_relations(r, links) ? -1 : 0;
}
