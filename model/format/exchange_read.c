/* Reading the exchange form: values, refs, lists, and a line as a whole. */
#include "model/base/alloc.h"
#include "model/base/utf8.h"
#include "model/format/exchange_internal.h"

/* ---- values ---- */

int exchange_wrong(struct exchange_reader *r, const char *name, const char *how)
{
    return error_set(r->e, ERROR_INVALID, "Mend that member and read the line again.", "%s %s",
                     name, how);
}

/* The escapes are resolved in the copy: what they mean is never longer than how they are written. */
int exchange_text(struct exchange_reader *r, struct json_slice value, const char *name,
                  const char **out)
{
    if (!value.ptr)
        return 0;
    if (*value.ptr != '"')
        return exchange_wrong(r, name, "is not a string");
    char *text = arena_strndup(r->arena, value.ptr + 1, value.len - 2);
    size_t len = json_unescape(text, value.ptr + 1, value.len - 2);
    text[len] = '\0';
    if (!utf8_valid(text, len))
        return exchange_wrong(r, name,
                              memchr(text, '\0', len) ? "holds a NUL" : "is not valid UTF-8");
    *out = text;
    return 0;
}

int exchange_whole(struct exchange_reader *r, struct json_slice value, const char *name,
                   int64_t least, int64_t *out)
{
    int64_t number;
    if (!value.ptr)
        return 0;
    if (json_integer(value, &number))
        return exchange_wrong(r, name, "is not a whole number of 64 bits");
    if (number < least)
        return exchange_wrong(r, name, "is less than it can be");
    *out = number;
    return 0;
}

int exchange_number(struct exchange_reader *r, struct json_slice value, const char *name,
                    double *out)
{
    if (!value.ptr)
        return 0;
    if (json_double(value, out))
        return exchange_wrong(r, name, "is not a number");
    return 0;
}

int exchange_share(struct exchange_reader *r, struct json_slice value, const char *name,
                   double *out)
{
    if (exchange_number(r, value, name, out))
        return -1;
    if (value.ptr && (*out < 0 || *out > 1))
        return exchange_wrong(r, name, "is not between 0 and 1");
    return 0;
}

int exchange_word(struct exchange_reader *r, struct json_slice value, const char *name,
                  int (*from_name)(const char *), int *out)
{
    const char *word = NULL;
    if (exchange_text(r, value, name, &word))
        return -1;
    if (!word)
        return 0;
    int found = from_name(word);
    if (found < 0)
        return error_set(r->e, ERROR_INVALID, "Give one of the words that the format has for it.",
                         "%s is “%s”, which is none of its words", name, word);
    *out = found;
    return 0;
}

/* Adds a name to the list of those that were not understood, once: a list of a thousand marks may repeat
 * the same one a thousand times. */
static void add_unknown(struct exchange_reader *r, const char *within, struct json_slice key)
{
    if (!r->unknown)
        return;
    struct strbuf name = STRBUF_INIT;
    strbuf_addf(&name, "%s%s", within, *within ? "." : "");
    strbuf_grow(&name, key.len);
    name.len += json_unescape(name.buf + name.len, key.ptr, key.len);
    name.buf[name.len] = '\0';
    size_t len = strlen(name.buf); /* one that holds a NUL is cut there */
    for (const char *at = r->unknown->buf; *at && (at = strstr(at, name.buf)); at++)
        if ((at == r->unknown->buf || at[-1] == ' ') && (at[len] == ',' || !at[len]))
            goto out;
    if (r->unknown->len)
        strbuf_addstr(r->unknown, ", ");
    strbuf_add(r->unknown, name.buf, len);
out:
    strbuf_release(&name);
}

int exchange_members(struct exchange_reader *r, struct json_slice object, const char *within,
                     const char *const *names, size_t count, struct json_slice *out)
{
    if (*object.ptr != '{')
        return exchange_wrong(r, *within ? "it" : "the line", "is not an object");
    size_t guess = 0; /* members mostly come in the order of their names */
    for (struct json_each it = json_each(object); json_next(&it);) {
        size_t tried = 0;
        while (tried < count && !json_key_is(it.key, names[guess])) {
            guess = guess + 1 == count ? 0 : guess + 1;
            tried++;
        }
        if (tried == count)
            add_unknown(r, within, it.key);
        else if (*it.value.ptr != 'n')
            out[guess] = it.value;
    }
    return 0;
}

int exchange_count(struct exchange_reader *r, struct json_slice list, const char *name,
                   size_t *count)
{
    *count = 0;
    if (!list.ptr)
        return 0;
    if (*list.ptr != '[')
        return exchange_wrong(r, name, "is not a list");
    for (struct json_each it = json_each(list); json_next(&it);)
        ++*count;
    return 0;
}

int exchange_texts(struct exchange_reader *r, struct json_slice list, const char *name,
                   const char ***out, size_t *count)
{
    size_t total, i = 0;
    if (exchange_count(r, list, name, &total))
        return -1;
    *count = total;
    if (total == 0)
        return 0;
    *out = arena_array(r->arena, total, sizeof(**out));
    for (struct json_each it = json_each(list); json_next(&it); i++) {
        if (exchange_text(r, it.value, "the element", &(*out)[i]))
            return error_prefix(r->e, "%s[%zu]", name, i);
    }
    return 0;
}

/* ---- refs ---- */

/* What an entry of a list of refs turned out to be. */
struct named {
    struct ref ref;         /* id NULL: it is an annotation */
    const char *annotation; /* NULL: it is a ref */
};

/* `bare` is the kind of a word without a colon; -1: such a word is refused. */
static int read_named(struct exchange_reader *r, struct json_slice value, int bare,
                      struct named *out)
{
    const char *text = NULL;
    if (exchange_text(r, value, "a ref", &text))
        return -1;
    *out = (struct named){.annotation = NULL};
    enum ref_class class = text ? ref_parse(text, &out->ref) : REF_BAD;
    if (class == REF_BARE && bare >= 0) {
        out->ref = (struct ref){(enum kind)bare, text};
        class = REF_MEMORY;
    }
    if (class == REF_ANNOTATION)
        out->annotation = text;
    if (class == REF_MEMORY || class == REF_ANNOTATION)
        return 0;
    return error_set(r->e, ERROR_INVALID, "Write it as kind:id.", "“%.100s” is not a ref",
                     text ? text : "null");
}

int exchange_ref(struct exchange_reader *r, struct json_slice value, const char *name,
                 struct ref *out)
{
    struct named named;
    if (!value.ptr)
        return exchange_wrong(r, name, "is missing");
    if (read_named(r, value, -1, &named))
        return -1;
    if (named.annotation)
        return error_set(r->e, ERROR_INVALID, "Write it as kind:id, or among the annotations.",
                         "“%.100s” names no kind of memory", named.annotation);
    *out = named.ref;
    return 0;
}

static int compare_antecedents(const void *a, const void *b)
{
    const struct antecedent *x = *(struct antecedent *const *)a;
    const struct antecedent *y = *(struct antecedent *const *)b;
    int order = ref_compare(x->ref, y->ref);
    return order ? order : (x > y) - (x < y);
}

/* Takes the id from all but the first of each ref. Sorts where there are many, which no choice of ids
 * makes slow. */
static void blank_repeated(struct antecedent *list, size_t count)
{
    if (count <= 16) {
        for (size_t i = 1; i < count; i++)
            for (size_t k = 0; k < i && list[i].ref.id; k++)
                if (list[k].ref.id && ref_equal(list[k].ref, list[i].ref))
                    list[i].ref.id = NULL;
        return;
    }
    struct antecedent **order = xmalloc(count * sizeof(struct antecedent *));
    for (size_t i = 0; i < count; i++)
        order[i] = &list[i];
    qsort(order, count, sizeof(struct antecedent *), compare_antecedents);
    size_t first = 0;
    for (size_t i = 1; i < count; i++) {
        if (ref_equal(order[first]->ref, order[i]->ref))
            order[i]->ref.id = NULL;
        else
            first = i;
    }
    free(order);
}

static void drop_repeated(struct antecedent *list, size_t *count)
{
    size_t kept = 0;
    blank_repeated(list, *count);
    for (size_t i = 0; i < *count; i++)
        if (list[i].ref.id)
            list[kept++] = list[i];
    *count = kept;
}

static int take_named(struct exchange_reader *r, struct json_slice value, int bare,
                      struct exchange_refs *out)
{
    struct named named;
    if (read_named(r, value, bare, &named))
        return -1;
    if (named.annotation)
        out->annotations[out->annotation_count++] = named.annotation;
    else
        out->list[out->count++].ref = named.ref;
    return 0;
}

int exchange_read_refs(struct exchange_reader *r, struct json_slice value, const char *name,
                       int bare, struct exchange_refs *out)
{
    size_t total = 1, i = 0;
    *out = (struct exchange_refs){.count = 0};
    if (!value.ptr)
        return 0;
    bool single = *value.ptr == '"';
    if (!single && exchange_count(r, value, name, &total))
        return -1;
    out->list = arena_array(r->arena, total, sizeof(*out->list));
    out->annotations = arena_array(r->arena, total, sizeof(*out->annotations));
    if (single && take_named(r, value, bare, out))
        return error_prefix(r->e, "%s", name);
    for (struct json_each it = json_each(value); json_next(&it); i++)
        if (take_named(r, it.value, bare, out))
            return error_prefix(r->e, "%s[%zu]", name, i);
    drop_repeated(out->list, &out->count);
    return 0;
}

/* ---- lists ---- */

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
    for (struct json_each it = json_each(list); list.ptr && json_next(&it); i++)
        if (read_antecedent(r, it.value, &j->antecedents[i]))
            return error_prefix(r->e, "antecedents[%zu]", i);
    drop_repeated(j->antecedents, &j->count);
    return 0;
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
    for (struct json_each it = json_each(list); list.ptr && json_next(&it); i++)
        if (exchange_read_mark(r, it.value, &m->marks[i]))
            return error_prefix(r->e, "marks[%zu]", i);
    return 0;
}

/* ---- the links, by whatever names ---- */

static void add_annotations(struct exchange_reader *r, const struct exchange_refs *refs)
{
    struct memory *m = r->m;
    if (refs->annotation_count == 0)
        return;
    size_t total = m->annotation_count + refs->annotation_count;
    const char **all = arena_array(r->arena, total, sizeof(*all));
    for (size_t i = 0; i < m->annotation_count; i++)
        all[i] = m->annotations[i];
    for (size_t i = 0; i < refs->annotation_count; i++)
        all[m->annotation_count + i] = refs->annotations[i];
    m->annotations = all;
    m->annotation_count = total;
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
        exchange_read_refs(r, links->source_episodes, "source_episodes", KIND_EPISODE, &episodes))
        return -1;
    add_annotations(r, &derived);
    add_annotations(r, &episodes);
    struct justification *all =
        arena_array(r->arena, total + (derived.count > 0) + episodes.count, sizeof(*all));
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
        exchange_read_refs(r, links->processed_into, "processed_into", -1, &processed))
        return -1;
    add_annotations(r, &supersedes);
    add_annotations(r, &processed);
    m->relations =
        arena_array(r->arena, total + supersedes.count + processed.count, sizeof(*m->relations));
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

/* ---- a line ---- */

enum member {
    MEMBER_REF,
    MEMBER_AGENT_ID,
    MEMBER_TEXT,
    MEMBER_CREATED_AT,
    MEMBER_UPDATED_AT,
    MEMBER_CONFIDENCE,
    MEMBER_SOURCE_TYPE,
    MEMBER_SOURCE,
    MEMBER_SOURCE_ENTITY,
    MEMBER_STATUS,
    MEMBER_PROTECTED,
    MEMBER_TAGS,
    MEMBER_CONTEXT,
    MEMBER_ANNOTATIONS,
    MEMBER_VERSION,
    MEMBER_DETAIL,
    MEMBER_JUSTIFICATIONS,
    MEMBER_HISTORY,
    MEMBER_RELATIONS,
    MEMBER_MARKS,
    MEMBER_DERIVED_FROM,
    MEMBER_DERIVATION,
    MEMBER_SOURCE_EPISODES,
    MEMBER_SUPERSEDES,
    MEMBER_PROCESSED_INTO,
    MEMBER_LABEL,
    MEMBER_COUNT
};

static const char *const names[MEMBER_COUNT] = {
    [MEMBER_REF] = "ref",
    [MEMBER_AGENT_ID] = "agent_id",
    [MEMBER_TEXT] = "text",
    [MEMBER_CREATED_AT] = "created_at",
    [MEMBER_UPDATED_AT] = "updated_at",
    [MEMBER_CONFIDENCE] = "confidence",
    [MEMBER_SOURCE_TYPE] = "source_type",
    [MEMBER_SOURCE] = "source",
    [MEMBER_SOURCE_ENTITY] = "source_entity",
    [MEMBER_STATUS] = "status",
    [MEMBER_PROTECTED] = "protected",
    [MEMBER_TAGS] = "tags",
    [MEMBER_CONTEXT] = "context",
    [MEMBER_ANNOTATIONS] = "annotations",
    [MEMBER_VERSION] = "version",
    [MEMBER_DETAIL] = "detail",
    [MEMBER_JUSTIFICATIONS] = "justifications",
    [MEMBER_HISTORY] = "history",
    [MEMBER_RELATIONS] = "relations",
    [MEMBER_MARKS] = "marks",
    [MEMBER_DERIVED_FROM] = "derived_from",
    [MEMBER_DERIVATION] = "derivation",
    [MEMBER_SOURCE_EPISODES] = "source_episodes",
    [MEMBER_SUPERSEDES] = "supersedes",
    [MEMBER_PROCESSED_INTO] = "processed_into",
    [MEMBER_LABEL] = "label",
};

static int read_own_ref(struct exchange_reader *r, struct json_slice value)
{
    const char *text = NULL;
    struct ref ref;
    if (!value.ptr)
        return exchange_wrong(r, "ref", "is missing");
    if (exchange_text(r, value, "ref", &text))
        return -1;
    if (ref_parse(text, &ref) != REF_MEMORY)
        return error_set(r->e, ERROR_INVALID, "Write it as kind:id.",
                         "ref is “%.100s”, which is no kind:id", text);
    memory_init(r->m, ref);
    return 0;
}

/* A stub is what a link makes; nobody writes one. */
static int written_status(const char *name)
{
    int status = status_from_name(name);
    return status == STATUS_MISSING ? -1 : status;
}

static int read_protected(struct exchange_reader *r, struct json_slice value)
{
    if (!value.ptr)
        return 0;
    if (*value.ptr != 't' && *value.ptr != 'f')
        return exchange_wrong(r, "protected", "is neither true nor false");
    r->m->is_protected = *value.ptr == 't';
    return 0;
}

/* `strict`: the whole line has passed json_check already. */
static int read_detail(struct exchange_reader *r, struct json_slice value, bool strict)
{
    if (!value.ptr)
        return 0;
    if (*value.ptr != '{')
        return exchange_wrong(r, "detail", "is not an object");
    if (!strict && json_check(value.ptr, value.len, JSON_DEPTH_MAX, r->e))
        return error_prefix(r->e, "detail");
    struct strbuf detail = STRBUF_INIT;
    json_minify(&detail, value.ptr, value.len);
    r->m->detail = arena_strndup(r->arena, detail.buf, detail.len);
    strbuf_release(&detail);
    return 0;
}

/* After the detail, which keeps the original of a text that had to be repaired. */
static int read_text(struct exchange_reader *r, struct json_slice value)
{
    r->m->text = "";
    if (!value.ptr)
        return 0;
    if (*value.ptr != '"')
        return exchange_wrong(r, "text", "is not a string");
    char *bytes = xmalloc(value.len);
    size_t len = json_unescape(bytes, value.ptr + 1, value.len - 2);
    memory_set_text(r->m, r->arena, bytes, len);
    free(bytes);
    return 0;
}

static int read_source(struct exchange_reader *r, const struct json_slice *member)
{
    struct memory *m = r->m;
    if (exchange_text(r, member[MEMBER_SOURCE], "source", &m->source) ||
        exchange_text(r, member[MEMBER_SOURCE_ENTITY], "source_entity", &m->source_entity) ||
        exchange_text(r, member[MEMBER_SOURCE_TYPE], "source_type", &m->source_type))
        return -1;
    if (!m->source_type)
        m->source_type = source_type_name(m->ref.kind == KIND_ATTRIBUTION
                                              ? SOURCE_OBSERVATION
                                              : source_type_infer(m->source, m->source_entity));
    return *m->source_type ? 0 : exchange_wrong(r, "source_type", "is empty");
}

static int read_fields(struct exchange_reader *r, const struct json_slice *member,
                       const char *agent, int64_t now)
{
    struct memory *m = r->m;
    int status = STATUS_ACTIVE;
    m->agent_id = agent;
    m->created_at = now;
    if (exchange_text(r, member[MEMBER_AGENT_ID], "agent_id", &m->agent_id) ||
        exchange_whole(r, member[MEMBER_CREATED_AT], "created_at", INT64_MIN, &m->created_at))
        return -1;
    m->updated_at = m->created_at;
    if (exchange_whole(r, member[MEMBER_UPDATED_AT], "updated_at", INT64_MIN, &m->updated_at) ||
        exchange_share(r, member[MEMBER_CONFIDENCE], "confidence", &m->confidence) ||
        read_source(r, member) ||
        exchange_word(r, member[MEMBER_STATUS], "status", written_status, &status) ||
        read_protected(r, member[MEMBER_PROTECTED]) ||
        exchange_texts(r, member[MEMBER_TAGS], "tags", &m->tags, &m->tag_count) ||
        exchange_text(r, member[MEMBER_CONTEXT], "context", &m->context) ||
        exchange_texts(r, member[MEMBER_ANNOTATIONS], "annotations", &m->annotations,
                       &m->annotation_count) ||
        exchange_whole(r, member[MEMBER_VERSION], "version", 1, &m->version))
        return -1;
    m->status = (enum status)status;
    if (!m->agent_id || !*m->agent_id)
        return error_set(r->e, ERROR_INVALID, "Write it in the line, or name the agent.",
                         "agent_id is missing");
    return 0;
}

/* created_at comes before the lists, which take it for the times they lack, and the detail before the text,
 * which may add its original to it. */
static int read_members(struct exchange_reader *r, const struct json_slice *member,
                        const char *agent, int64_t now, bool strict)
{
    const struct exchange_links links = {
        .justifications = member[MEMBER_JUSTIFICATIONS],
        .relations = member[MEMBER_RELATIONS],
        .derived_from = member[MEMBER_DERIVED_FROM],
        .derivation = member[MEMBER_DERIVATION],
        .source_episodes = member[MEMBER_SOURCE_EPISODES],
        .supersedes = member[MEMBER_SUPERSEDES],
        .processed_into = member[MEMBER_PROCESSED_INTO],
    };
    if (read_own_ref(r, member[MEMBER_REF]) || read_fields(r, member, agent, now) ||
        read_detail(r, member[MEMBER_DETAIL], strict) || read_text(r, member[MEMBER_TEXT]) ||
        exchange_read_links(r, &links) || exchange_read_history(r, member[MEMBER_HISTORY]) ||
        exchange_read_marks(r, member[MEMBER_MARKS]))
        return -1;
    return 0;
}

int exchange_read(struct memory *m, struct arena *arena, const char *line, size_t len,
                  const char *agent, int64_t now, struct strbuf *unknown, struct error *e)
{
    if (len >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0) {
        line += 3; /* a byte order mark, which some editors begin a file with */
        len -= 3;
    }
    /* One level for the line itself around a detail of JSON_DEPTH_MAX. */
    bool strict = json_check(line, len, JSON_DEPTH_MAX + 1, e) == 0;
    struct error lax;
    if (!strict && json_check_lax(line, len, JSON_DEPTH_MAX + 1, &lax))
        return -1; /* with what the strict check found first */
    e->code = ERROR_NONE;
    struct exchange_reader r = {.m = m, .arena = arena, .unknown = unknown, .e = e};
    struct json_slice member[MEMBER_COUNT] = {{NULL, 0}};
    if (exchange_members(&r, json_trim(line, len), "", names, MEMBER_COUNT, member))
        return -1;
    return read_members(&r, member, agent, now, strict);
}
