/*
 * The table of the fields of a memory, and how each type of field is compared, written and read.
 * Lines, patches, differences and restores all use this table.
 */
#include <stddef.h>
#include "model/base/alloc.h"
#include "model/base/map.h"
#include "model/base/utf8.h"
#include "model/format/memory_json_internal.h"

/* ---- the table ---- */

#define NAME(name)      name, ",\"" name "\":", sizeof(name) + 3
#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))
#define FIELD(of, name, member, type, flags)                                                       \
    {                                                                                              \
        NAME(name), type, flags, offsetof(of, member), 0, NULL                                     \
    }
#define LIST(of, name, items, length, item)                                                        \
    {                                                                                              \
        NAME(name), FIELD_LIST, 0, offsetof(of, items), offsetof(of, length), item                 \
    }

/* The first field of a record is always written. */
static const struct field antecedent_fields[] = {
    FIELD(struct antecedent, "ref", ref, FIELD_REF, ALWAYS),
    /* The other fields are members of struct use. */
    FIELD(struct use, "relevance", relevance, FIELD_SHARE, 0),
    FIELD(struct use, "score", score, FIELD_SCORE, 0),
    FIELD(struct use, "excerpt", excerpt, FIELD_TEXT, 0),
    FIELD(struct use, "chunk", chunk, FIELD_CHUNK, 0),
    FIELD(struct use, "rank", rank, FIELD_PLACE, 0),
    FIELD(struct use, "page", page, FIELD_PLACE, 0),
    FIELD(struct use, "section", section, FIELD_TEXT, 0),
    FIELD(struct use, "version_hash", version_hash, FIELD_TEXT, 0),
    FIELD(struct use, "label", label, FIELD_TEXT, 0),
    FIELD(struct use, "title", title, FIELD_TEXT, 0),
};

static const struct record antecedent = {"justifications.antecedents", sizeof(struct antecedent),
                                         antecedent_fields, COUNT_OF(antecedent_fields)};

static const struct field justification_fields[] = {
    FIELD(struct justification, "role", role, FIELD_ROLE, ALWAYS),
    FIELD(struct justification, "reading", reading, FIELD_READING, ALWAYS),
    FIELD(struct justification, "recorded", recorded, FIELD_RECORDED, ALWAYS),
    FIELD(struct justification, "at", at, FIELD_TIME, ALWAYS),
    FIELD(struct justification, "reason", reason, FIELD_TEXT, 0),
    LIST(struct justification, "antecedents", antecedents, count, &antecedent),
};

static const struct field history_fields[] = {
    FIELD(struct history_entry, "at", at, FIELD_TIME, ALWAYS),
    FIELD(struct history_entry, "old", old, FIELD_NUMBER, 0),
    FIELD(struct history_entry, "new", new_, FIELD_NUMBER, 0),
    FIELD(struct history_entry, "reason", reason, FIELD_TEXT, 0),
    FIELD(struct history_entry, "evidence_source", evidence_source, FIELD_TEXT, 0),
    FIELD(struct history_entry, "operation", operation, FIELD_TEXT, 0),
    FIELD(struct history_entry, "actor", actor, FIELD_TEXT, 0),
    FIELD(struct history_entry, "origin", origin, FIELD_TEXT, 0),
    FIELD(struct history_entry, "before", before, FIELD_TEXT, 0),
    FIELD(struct history_entry, "after", after, FIELD_TEXT, 0),
};

static const struct field relation_fields[] = {
    FIELD(struct relation, "type", type, FIELD_RELATION, ALWAYS),
    FIELD(struct relation, "to", to, FIELD_REF, ALWAYS),
    FIELD(struct relation, "at", at, FIELD_TIME, ALWAYS),
    FIELD(struct relation, "reason", reason, FIELD_TEXT, 0),
};

static const struct field flag_fields[] = {
    FIELD(struct flag, "mark", name, FIELD_TEXT, ALWAYS | NEEDED),
    FIELD(struct flag, "at", at, FIELD_TIME, ALWAYS),
    FIELD(struct flag, "actor", actor, FIELD_TEXT, 0),
    FIELD(struct flag, "value", value, FIELD_TEXT, 0),
    FIELD(struct flag, "reason", reason, FIELD_TEXT, 0),
    FIELD(struct flag, "by_agent", by_agent, FIELD_FLAG, 0),
};

static const struct record string = {NULL, sizeof(const char *), NULL, 0},
                           justification = {"justifications", sizeof(struct justification),
                                            justification_fields, COUNT_OF(justification_fields)},
                           history = {"history", sizeof(struct history_entry), history_fields,
                                      COUNT_OF(history_fields)},
                           relation = {"relations", sizeof(struct relation), relation_fields,
                                       COUNT_OF(relation_fields)},
                           flag = {"marks", sizeof(struct flag), flag_fields,
                                   COUNT_OF(flag_fields)};

#define MEMBER(name, member, type, flags)  FIELD(struct memory, name, member, type, flags)
#define MEMBERS(name, items, length, item) LIST(struct memory, name, items, length, item)
#define LINKS(name)                                                                                \
    {                                                                                              \
        NAME(name), FIELD_LINKS, 0, 0, 0, NULL                                                     \
    }

const struct field memory_json_fields[MEMBER_COUNT] = {
    [MEMBER_REF] = MEMBER("ref", ref, FIELD_REF, ALWAYS),
    [MEMBER_AGENT_ID] = MEMBER("agent_id", agent_id, FIELD_TEXT, ALWAYS),
    [MEMBER_TEXT] = MEMBER("text", text, FIELD_TEXT, ALWAYS | EMPTY),
    [MEMBER_CREATED_AT] = MEMBER("created_at", created_at, FIELD_TIME, ALWAYS),
    [MEMBER_UPDATED_AT] = MEMBER("updated_at", updated_at, FIELD_TIME, ALWAYS),
    [MEMBER_CONFIDENCE] = MEMBER("confidence", confidence, FIELD_SHARE, ALWAYS),
    [MEMBER_SOURCE_TYPE] = MEMBER("source_type", source_type, FIELD_TEXT, ALWAYS),
    [MEMBER_SOURCE] = MEMBER("source", source, FIELD_TEXT, 0),
    [MEMBER_SOURCE_ENTITY] = MEMBER("source_entity", source_entity, FIELD_TEXT, 0),
    [MEMBER_STATUS] = MEMBER("status", status, FIELD_STATUS, ALWAYS),
    [MEMBER_PROTECTED] = MEMBER("protected", is_protected, FIELD_FLAG, 0),
    [MEMBER_TAGS] = MEMBERS("tags", tags, tag_count, &string),
    [MEMBER_CONTEXT] = MEMBER("context", context, FIELD_TEXT, 0),
    [MEMBER_ANNOTATIONS] = MEMBERS("annotations", annotations, annotation_count, &string),
    [MEMBER_VERSION] = MEMBER("version", version, FIELD_VERSION, ALWAYS),
    [MEMBER_DETAIL] = MEMBER("detail", detail, FIELD_DETAIL, 0),
    [MEMBER_JUSTIFICATIONS] =
        MEMBERS("justifications", justifications, justification_count, &justification),
    [MEMBER_HISTORY] = MEMBERS("history", history, history_count, &history),
    [MEMBER_RELATIONS] = MEMBERS("relations", relations, relation_count, &relation),
    [MEMBER_FLAGS] = MEMBERS("marks", flags, flag_count, &flag),
    [MEMBER_DERIVED_FROM] = LINKS("derived_from"),
    [MEMBER_DERIVATION] = {NAME("derivation"), FIELD_READING, 0, 0, 0, NULL},
    [MEMBER_SOURCE_EPISODES] = LINKS("source_episodes"),
    [MEMBER_SUPERSEDES] = LINKS("supersedes"),
    [MEMBER_PROCESSED_INTO] = LINKS("processed_into"),
    [MEMBER_LABEL] = LINKS("label"),
    [MEMBER_EFFECTIVE] = LINKS("effective"),
    [MEMBER_TRUST] = LINKS("trust"),
    [MEMBER_WHY] = LINKS("why"),
};

/* The value of a field, as its C type. */
#define AT(type, f, record)  ((type *)(void *)((char *)(record) + (f)->offset))
#define GET(type, f, record) (*(type const *)(const void *)((const char *)(record) + (f)->offset))

/* memcpy, since arrays of lists have different pointer types. */
const void *items_at(const struct field *list, const void *record, size_t i)
{
    const char *items;
    memcpy(&items, (const char *)record + list->offset, sizeof(items));
    return items ? items + i * list->item->size : NULL; /* an empty list has no array */
}

size_t items_count(const struct field *list, const void *record)
{
    size_t count;
    memcpy(&count, (const char *)record + list->count, sizeof(count));
    return count;
}

void items_set(const struct field *list, void *record, const void *items, size_t count)
{
    memcpy((char *)record + list->offset, &items, sizeof(items));
    memcpy((char *)record + list->count, &count, sizeof(count));
}

static const char *word_of(enum field_type type, int value)
{
    switch (type) {
    case FIELD_READING:
        return reading_name((enum reading)value);
    case FIELD_RECORDED:
        return recorded_name((enum recorded)value);
    case FIELD_SCORE:
        return score_name((enum score)value);
    case FIELD_STATUS:
        return status_name((enum status)value);
    default:
        return role_name((enum role)value);
    }
}

/* Roles and relations share a table of names, but each is valid in one field only. "missing" is
 * rejected as a status: only links make stubs. */
static int word_from_name(enum field_type type, const char *name)
{
    int found;
    switch (type) {
    case FIELD_READING:
        return reading_from_name(name);
    case FIELD_RECORDED:
        return recorded_from_name(name);
    case FIELD_SCORE:
        return score_from_name(name);
    case FIELD_STATUS:
        found = status_from_name(name);
        return found == STATUS_MISSING ? -1 : found;
    default:
        found = role_from_name(name);
        return found >= 0 && ROLE_IS_SUPPORT(found) == (type == FIELD_ROLE) ? found : -1;
    }
}

/* ---- comparing and writing ---- */

/* The size of a scalar in its record, in bytes. */
static size_t size_of(enum field_type type)
{
    switch (type) {
    case FIELD_TEXT:
    case FIELD_DETAIL:
        return sizeof(const char *);
    case FIELD_TIME:
    case FIELD_VERSION:
    case FIELD_PLACE:
    case FIELD_CHUNK:
        return sizeof(int64_t);
    case FIELD_NUMBER:
    case FIELD_SHARE:
        return sizeof(double);
    case FIELD_FLAG:
        return sizeof(bool);
    default:
        return sizeof(int);
    }
}

bool field_equal(const struct field *f, const void *a, const void *b)
{
    if (f->type == FIELD_NUMBER || f->type == FIELD_SHARE) /* 0 equals -0 */
        return GET(double, f, a) == GET(double, f, b);
    if (f->type != FIELD_TEXT && f->type != FIELD_DETAIL)
        return !memcmp((const char *)a + f->offset, (const char *)b + f->offset, size_of(f->type));
    const char *x = GET(const char *, f, a), *y = GET(const char *, f, b);
    return x == y || (x && y && strcmp(x, y) == 0);
}

void field_copy(const struct field *f, void *to, const void *from)
{
    memcpy((char *)to + f->offset, (const char *)from + f->offset, size_of(f->type));
}

void memory_json_add_ref(struct strbuf *out, struct ref ref)
{
    strbuf_addch(out, '"');
    strbuf_addstr(out, kind_name(ref.kind));
    strbuf_addch(out, ':');
    json_add_inside(out, ref.id);
    strbuf_addch(out, '"');
}

void memory_json_pair_ref(struct json_object *o, const char *key, struct ref ref)
{
    json_key(o, key);
    memory_json_add_ref(o->out, ref);
}

bool field_is_absent(const struct field *f, const void *record)
{
    switch (f->type) {
    case FIELD_TEXT:
        return !field_text(f, record);
    case FIELD_PLACE:
        return GET(int64_t, f, record) < 0;
    case FIELD_CHUNK:
        return GET(int64_t, f, record) == CHUNK_NONE;
    case FIELD_NUMBER:
    case FIELD_SHARE:
        return isnan(GET(double, f, record));
    case FIELD_FLAG:
        return !GET(bool, f, record);
    case FIELD_SCORE:
        return GET(int, f, record) == SCORE_NONE;
    default:
        return false;
    }
}

const char *field_text(const struct field *f, const void *record)
{
    const char *text = GET(const char *, f, record);
    return !text && f->flags & EMPTY ? "" : text;
}

void field_write_value(struct strbuf *out, const struct field *f, const void *record)
{
    switch (f->type) {
    case FIELD_REF:
        memory_json_add_ref(out, GET(struct ref, f, record));
        break;
    case FIELD_TEXT:
        json_add_string(out, field_text(f, record));
        break;
    case FIELD_TIME:
    case FIELD_VERSION:
    case FIELD_PLACE:
    case FIELD_CHUNK:
        json_add_int(out, GET(int64_t, f, record));
        break;
    case FIELD_NUMBER:
    case FIELD_SHARE:
        /* Writes -0 as 0, as the store does, since commitments must match what is stored. */
        json_add_double(out, GET(double, f, record) == 0 ? 0 : GET(double, f, record));
        break;
    case FIELD_FLAG:
        strbuf_addstr(out, GET(bool, f, record) ? "true" : "false");
        break;
    default:
        strbuf_addch(out, '"');
        strbuf_addstr(out, word_of(f->type, GET(int, f, record)));
        strbuf_addch(out, '"');
    }
}

static void write_antecedent(struct strbuf *out, const struct antecedent *a)
{
    strbuf_addstr(out, "{\"ref\":");
    memory_json_add_ref(out, a->ref);
    for (size_t i = 1; a->use && i < COUNT_OF(antecedent_fields); i++)
        field_write(out, &antecedent_fields[i], a->use);
    strbuf_addch(out, '}');
}

void item_write(const struct field *list, const void *item, struct strbuf *out)
{
    const struct record *record = list->item;
    if (record == &string) {
        json_add_string(out, *(const char *const *)item);
        return;
    }
    if (record == &antecedent) {
        write_antecedent(out, item);
        return;
    }
    size_t start = out->len;
    for (size_t i = 0; i < record->count; i++)
        field_write(out, &record->fields[i], item);
    out->buf[start] = '{'; /* replaces the first comma */
    strbuf_addch(out, '}');
}

static void write_list(struct strbuf *out, const struct field *f, const void *record)
{
    size_t count = items_count(f, record);
    if (count == 0 && f->item != &antecedent)
        return;
    strbuf_add(out, f->key, f->key_len);
    strbuf_addch(out, '[');
    for (size_t i = 0; i < count; i++) {
        if (i)
            strbuf_addch(out, ',');
        item_write(f, items_at(f, record, i), out);
    }
    strbuf_addch(out, ']');
}

void field_write(struct strbuf *out, const struct field *f, const void *record)
{
    if (f->type == FIELD_LIST) {
        write_list(out, f, record);
    } else if (f->type == FIELD_DETAIL) {
        const char *detail = GET(const char *, f, record);
        if (!detail || strcmp(detail, "{}") == 0)
            return;
        strbuf_add(out, f->key, f->key_len);
        json_add_value(out, detail, strlen(detail));
    } else if (f->flags & ALWAYS || !field_is_absent(f, record)) {
        strbuf_add(out, f->key, f->key_len);
        field_write_value(out, f, record);
    }
}

/* ---- reading ---- */

int memory_json_wrong(struct memory_json_reader *r, const char *name, const char *how)
{
    return error_set(r->e, ERROR_INVALID, "Fix that member and try again.", "%s %s", name, how);
}

int memory_json_text(struct memory_json_reader *r, struct json_slice value, const char *name,
                     const char **out)
{
    if (!value.ptr)
        return 0;
    if (*value.ptr != '"')
        return memory_json_wrong(r, name, "is not a string");
    size_t len;
    const char *text = json_text(r->arena, value, &len);
    if (!utf8_valid(text, len))
        return memory_json_wrong(r, name,
                                 memchr(text, '\0', len) ? "holds a NUL" : "is not valid UTF-8");
    *out = text;
    return 0;
}

static int read_text(struct memory_json_reader *r, const struct field *f, struct json_slice value,
                     const char **out)
{
    *out = f->flags & EMPTY ? "" : NULL;
    if (memory_json_text(r, value, f->name, out))
        return -1;
    return f->flags & NEEDED && (!*out || !**out) ? memory_json_wrong(r, f->name, "is missing") : 0;
}

static int read_whole(struct memory_json_reader *r, const struct field *f, struct json_slice value,
                      int64_t least, int64_t *out)
{
    int64_t number;
    if (!value.ptr)
        return 0;
    if (json_integer(value, &number))
        return memory_json_wrong(r, f->name, "is not a whole number of 64 bits");
    if (number < least)
        return memory_json_wrong(r, f->name, "is less than it can be");
    *out = number;
    return 0;
}

static int read_double(struct memory_json_reader *r, const struct field *f, struct json_slice value,
                       double *out)
{
    if (!value.ptr)
        return 0;
    if (json_double(value, out))
        return memory_json_wrong(r, f->name, "is not a number");
    return f->type == FIELD_SHARE && (*out < 0 || *out > 1)
               ? memory_json_wrong(r, f->name, "is not between 0 and 1")
               : 0;
}

static int read_flag(struct memory_json_reader *r, const struct field *f, struct json_slice value,
                     bool *out)
{
    if (value.ptr && *value.ptr != 't' && *value.ptr != 'f')
        return memory_json_wrong(r, f->name, "is neither true nor false");
    *out = value.ptr && *value.ptr == 't';
    return 0;
}

static int read_word(struct memory_json_reader *r, const struct field *f, struct json_slice value,
                     int *out)
{
    const char *word = NULL;
    if (memory_json_text(r, value, f->name, &word))
        return -1;
    if (!word && f->type == FIELD_RELATION)
        return memory_json_wrong(r, f->name, "is missing");
    int found = word ? word_from_name(f->type, word) : 0;
    if (found < 0)
        return error_set(r->e, ERROR_INVALID, "Use one of the values that the format defines.",
                         "%s is “%s”, which is not one of its values", f->name, word);
    *out = found;
    return 0;
}

static int read_ref(struct memory_json_reader *r, struct json_slice value, const char *name,
                    struct ref *out);

int field_read(struct memory_json_reader *r, const struct field *f, struct json_slice value,
               void *record)
{
    switch (f->type) {
    case FIELD_REF:
        return read_ref(r, value, f->name, AT(struct ref, f, record));
    case FIELD_TEXT:
        return read_text(r, f, value, AT(const char *, f, record));
    case FIELD_TIME:
        *AT(int64_t, f, record) = r->m->created_at;
        return read_whole(r, f, value, INT64_MIN, AT(int64_t, f, record));
    case FIELD_VERSION:
        return read_whole(r, f, value, 1, AT(int64_t, f, record));
    case FIELD_PLACE:
        *AT(int64_t, f, record) = -1;
        return read_whole(r, f, value, 0, AT(int64_t, f, record));
    case FIELD_CHUNK:
        *AT(int64_t, f, record) = CHUNK_NONE;
        return read_whole(r, f, value, CHUNK_NONE + 1, AT(int64_t, f, record));
    case FIELD_NUMBER:
        *AT(double, f, record) = NAN;
        return read_double(r, f, value, AT(double, f, record));
    case FIELD_SHARE:
        return read_double(r, f, value, AT(double, f, record));
    case FIELD_FLAG:
        return read_flag(r, f, value, AT(bool, f, record));
    default:
        return read_word(r, f, value, AT(int, f, record));
    }
}

/* Adds an unknown name to the list, once: a list of a thousand marks may repeat it a thousand
 * times. */
static void add_unknown(struct memory_json_reader *r, const char *path, struct json_slice key)
{
    if (!r->unknown)
        return;
    AUTO_STRBUF name = STRBUF_INIT;
    strbuf_addf(&name, "%s%s", path, *path ? "." : "");
    strbuf_grow(&name, key.len);
    name.len += json_unescape(name.buf + name.len, key.ptr, key.len);
    name.buf[name.len] = '\0';
    size_t len = strlen(name.buf); /* a name with a NUL is cut there */
    for (const char *at = r->unknown->buf; *at && (at = strstr(at, name.buf)); at++)
        if ((at == r->unknown->buf || at[-1] == ' ') && (at[len] == ',' || !at[len]))
            return;
    if (r->unknown->len)
        strbuf_addstr(r->unknown, ", ");
    strbuf_add(r->unknown, name.buf, len);
}

int memory_json_members(struct memory_json_reader *r, struct json_slice object, const char *path,
                        const struct field *fields, size_t count, struct json_slice *out)
{
    if (*object.ptr != '{')
        return memory_json_wrong(r, *path ? "it" : "the line", "is not an object");
    size_t guess = 0; /* members are usually in the order of the table */
    for (struct json_each it = json_each(object); json_next(&it);) {
        size_t tried = 0;
        while (tried < count && !json_key_is(it.key, fields[guess].name)) {
            guess = guess + 1 == count ? 0 : guess + 1;
            tried++;
        }
        if (tried == count)
            add_unknown(r, path, it.key);
        else if (*it.value.ptr != 'n')
            out[guess] = it.value;
    }
    return 0;
}

int memory_json_count(struct memory_json_reader *r, struct json_slice list, const char *name,
                      size_t *count)
{
    *count = 0;
    if (!list.ptr)
        return 0;
    if (*list.ptr != '[')
        return memory_json_wrong(r, name, "is not a list");
    for (struct json_each it = json_each(list); json_next(&it);)
        ++*count;
    return 0;
}

/* ---- refs ---- */

/* Reads a ref or an annotation. `bare` is the kind of a word without a colon, or -1 to reject
 * it. An annotation is returned in *annotation, and the ref has no id. */
static int read_named(struct memory_json_reader *r, struct json_slice value, int bare,
                      struct ref *ref, const char **annotation)
{
    const char *text = NULL;
    if (memory_json_text(r, value, "a ref", &text))
        return -1;
    *ref = (struct ref){.id = NULL};
    *annotation = NULL;
    enum ref_class class = text ? ref_parse(text, ref) : REF_BAD;
    if (class == REF_BARE && bare >= 0) {
        *ref = (struct ref){(enum kind)bare, text};
        class = REF_MEMORY;
    }
    if (class == REF_ANNOTATION)
        *annotation = text;
    if (class == REF_MEMORY || class == REF_ANNOTATION)
        return 0;
    return error_set(r->e, ERROR_INVALID, "Write it as kind:id.", "“%.100s” is not a ref",
                     text ? text : "null");
}

/* Reads a ref that must be present and name a memory. */
static int read_ref(struct memory_json_reader *r, struct json_slice value, const char *name,
                    struct ref *out)
{
    const char *annotation;
    if (!value.ptr)
        return memory_json_wrong(r, name, "is missing");
    if (read_named(r, value, -1, out, &annotation))
        return -1;
    if (annotation)
        return error_set(r->e, ERROR_INVALID, "Write it as kind:id, or among the annotations.",
                         "“%.100s” names no kind of memory", annotation);
    return 0;
}

/* Removes duplicate refs. Sorts, so hostile ids cannot make it slow. */
static void drop_repeated(struct antecedent *list, size_t *count)
{
    size_t kept = 0;
    if (*count < 2)
        return;
    AUTO_FREE struct unique_key *keys = xmalloc(*count * sizeof(*keys));
    for (size_t i = 0; i < *count; i++)
        keys[i] = (struct unique_key){.group = (int)list[i].ref.kind, .text = list[i].ref.id};
    unique_find(keys, *count);
    for (size_t i = 0; i < *count; i++)
        if (!keys[i].again)
            list[kept++] = list[i];
    *count = kept;
}

static int add_ref(struct memory_json_reader *r, struct json_slice value, int bare,
                   struct memory_json_refs *out)
{
    struct ref ref;
    const char *annotation;
    if (read_named(r, value, bare, &ref, &annotation))
        return -1;
    if (annotation)
        out->annotations[out->annotation_count++] = annotation;
    else
        out->list[out->count++].ref = ref;
    return 0;
}

int memory_json_read_refs(struct memory_json_reader *r, struct json_slice value, const char *name,
                          int bare, struct memory_json_refs *out)
{
    size_t total = 1, i = 0;
    *out = (struct memory_json_refs){.count = 0};
    if (!value.ptr)
        return 0;
    bool single = *value.ptr == '"';
    if (!single && memory_json_count(r, value, name, &total))
        return -1;
    out->list = arena_array(r->arena, total, sizeof(*out->list));
    out->annotations = arena_array(r->arena, total, sizeof(*out->annotations));
    if (single && add_ref(r, value, bare, out))
        return error_prefix(r->e, "%s", name);
    for (struct json_each it = json_each(value); json_next(&it); i++)
        if (add_ref(r, it.value, bare, out))
            return error_prefix(r->e, "%s[%zu]", name, i);
    drop_repeated(out->list, &out->count);
    return 0;
}

/* ---- lists ---- */

/* Leaves `use` NULL if nothing is given, so that a plain ref and {"ref":…} give the same memory. */
static int read_antecedent(struct memory_json_reader *r, struct json_slice value,
                           struct antecedent *out)
{
    struct json_slice member[COUNT_OF(antecedent_fields)] = {{NULL, 0}};
    struct use *use = NULL;
    if (*value.ptr == '"')
        return read_ref(r, value, "ref", &out->ref);
    if (memory_json_members(r, value, antecedent.path, antecedent_fields, antecedent.count,
                            member) ||
        read_ref(r, member[0], "ref", &out->ref))
        return -1;
    for (size_t i = 1; i < antecedent.count; i++) {
        if (!member[i].ptr)
            continue;
        if (!use) {
            use = arena_alloc(r->arena, sizeof(*use));
            *use = (struct use)USE_NONE;
            out->use = use;
        }
        if (field_read(r, &antecedent_fields[i], member[i], use))
            return -1;
    }
    return 0;
}

int items_read(const struct field *list, struct memory_json_reader *r, struct json_slice value,
               size_t more, void *record)
{
    size_t i = 0, size = list->item->size, count;
    if (memory_json_count(r, value, list->name, &count))
        return -1;
    char *items = count || more ? arena_array(r->arena, count + more, size) : NULL;
    items_set(list, record, items, count);
    for (struct json_each it = json_each(value); count && json_next(&it); i++)
        if (item_read(list, r, it.value, items + i * size))
            return error_prefix(r->e, "%s[%zu]", list->name, i);
    return 0;
}

int item_read(const struct field *list, struct memory_json_reader *r, struct json_slice value,
              void *item)
{
    struct json_slice member[COUNT_OF(history_fields)] = {
        {NULL, 0}}; /* the most fields of a record */
    const struct record *record = list->item;
    if (record == &string)
        return memory_json_text(r, value, "the element", item);
    if (record == &antecedent)
        return read_antecedent(r, value, item);
    if (memory_json_members(r, value, record->path, record->fields, record->count, member))
        return -1;
    for (size_t i = 0; i < record->count; i++) {
        const struct field *f = &record->fields[i];
        if (f->type == FIELD_LIST ? items_read(f, r, member[i], 0, item)
                                  : field_read(r, f, member[i], item))
            return -1;
    }
    if (record == &justification) {
        struct justification *j = item;
        drop_repeated(j->antecedents, &j->count);
    }
    return 0;
}
