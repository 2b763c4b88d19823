/* Writes a row of a SELECT as the JSON of a memory, by the aliases of its columns. */
#include <string.h>
#include "model/base/utf8.h"
#include "store/import/builder.h"
#include "store/import/tables/tables_internal.h"

/* ---- aliases ---- */

static const struct {
    const char *name;
    enum column_type type;
} members[] = {
    {"ref", COLUMN_TEXT},           {"agent_id", COLUMN_TEXT},
    {"text", COLUMN_TEXT},          {"created_at", COLUMN_TIME},
    {"updated_at", COLUMN_TIME},    {"confidence", COLUMN_CONFIDENCE},
    {"source_type", COLUMN_TEXT},   {"source", COLUMN_TEXT},
    {"source_entity", COLUMN_TEXT}, {"status", COLUMN_STATUS},
    {"protected", COLUMN_FLAG},     {"tags", COLUMN_TAGS},
    {"context", COLUMN_TEXT},       {"annotations", COLUMN_ANNOTATIONS},
    {"premise", COLUMN_PREMISE},    {"version", COLUMN_WHOLE},
    {"detail", COLUMN_DETAIL},      {"history", COLUMN_LIST},
    {"marks", COLUMN_LIST},
};

static const struct {
    const char *word;
    enum recorded recorded;
} origins[] = {
    {"", RECORDED},
    {":migrated", RECORDED_MIGRATED},
    {":guessed", RECORDED_HEURISTIC},
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define DETAIL_PREFIX   "detail."

/* "detail.NAME", "detail.NAME:json", "detail.NAME:time" */
static bool read_detail_alias(struct column *c, const char *alias, struct arena *arena)
{
    size_t skip = strlen(DETAIL_PREFIX), len;
    if (strncmp(alias, DETAIL_PREFIX, skip) != 0)
        return false;
    alias += skip;
    len = strcspn(alias, ":");
    c->name = arena_strndup(arena, alias, len);
    c->type = strcmp(alias + len, ":json") == 0   ? COLUMN_DETAIL_JSON
              : strcmp(alias + len, ":time") == 0 ? COLUMN_DETAIL_TIME
                                                  : COLUMN_DETAIL_MEMBER;
    return len > 0 && (!alias[len] || c->type != COLUMN_DETAIL_MEMBER);
}

/* "derived_from", "derived_from:guessed", "supersedes" */
static bool read_link_alias(struct column *c, const char *alias, struct arena *arena)
{
    size_t len = strcspn(alias, ":");
    c->name = arena_strndup(arena, alias, len);
    int role = role_from_name(c->name);
    if (role < 0)
        return false;
    c->role = (enum role)role;
    c->type = ROLE_IS_SUPPORT(role) ? COLUMN_SUPPORT : COLUMN_RELATION;
    for (size_t i = 0; i < COUNT_OF(origins); i++) {
        c->recorded = origins[i].recorded;
        if (strcmp(alias + len, origins[i].word) == 0)
            return c->type == COLUMN_SUPPORT || i == 0;
    }
    return false;
}

static bool read_alias(struct column *c, const char *alias, struct arena *arena)
{
    *c = (struct column){.role = ROLE_DERIVED_FROM};
    for (size_t i = 0; i < COUNT_OF(members); i++)
        if (strcmp(members[i].name, alias) == 0) {
            c->type = members[i].type;
            c->name = members[i].name;
            return true;
        }
    return read_detail_alias(c, alias, arena) || read_link_alias(c, alias, arena);
}

static bool is_repeated(const struct columns *c, const struct column *new)
{
    for (size_t i = 0; i < c->count; i++) {
        bool details =
            c->column[i].type >= COLUMN_DETAIL_MEMBER && new->type >= COLUMN_DETAIL_MEMBER;
        if (new->type < COLUMN_SUPPORT && strcmp(c->column[i].name, new->name) == 0 &&
            (details || c->column[i].type == new->type))
            return true;
    }
    return false;
}

int columns_read(struct columns *c, sqlite3_stmt *stmt, struct arena *arena, struct error *e)
{
    int count = sqlite3_column_count(stmt);
    size_t details = 0;
    *c = (struct columns){.ref = -1, .agent = -1};
    if (count > COLUMNS_MAX)
        return error_set(e, ERROR_INVALID, "Select fewer.", "it has more than %d columns",
                         COLUMNS_MAX);
    for (int i = 0; i < count; i++) {
        struct column *new = &c->column[i];
        const char *alias = sqlite3_column_name(stmt, i);
        if (!alias || !read_alias(new, alias, arena))
            return error_set(e, ERROR_INVALID,
                             "Name each column as a member: `body AS text`; docs/formats/map.md "
                             "lists them.",
                             "the column '%.80s' is no member of a memory", alias ? alias : "");
        if (is_repeated(c, new))
            return error_set(e, ERROR_INVALID, "Give one of them.", "two columns are named '%.80s'",
                             alias);
        if (new->type >= COLUMN_DETAIL_MEMBER &&new->type < COLUMN_SUPPORT)
            c->detail[details++] = new->name;
        if (strcmp(alias, "ref") == 0)
            c->ref = i;
        if (strcmp(alias, "agent_id") == 0)
            c->agent = i;
        c->count++;
    }
    c->detail[details] = "confidence_default";
    return c->ref >= 0 ? 0
                       : error_set(e, ERROR_INVALID, "Select a ref: `'note:' || id AS ref`.",
                                   "no column is named 'ref'");
}

/* ---- values ---- */

struct row {
    struct table_reading *reading;
    const struct columns *columns;
    sqlite3_stmt *stmt;
    struct builder b;
    const char **annotation; /* what is no ref of a memory, and annotations as such */
    size_t annotation_count, annotation_alloc;
    struct arena arena;
    bool has_confidence;
};

static struct json_slice bytes_of(const struct row *row, size_t i)
{
    const char *bytes = sqlite3_column_blob(row->stmt, (int)i);
    return (struct json_slice){bytes, bytes ? (size_t)sqlite3_column_bytes(row->stmt, (int)i) : 0};
}

static const char *text_of(struct row *row, size_t i)
{
    struct json_slice bytes = bytes_of(row, i);
    return utf8_repaired(&row->arena, bytes.ptr ? bytes.ptr : "", bytes.len);
}

static void complain(struct row *row, size_t i, const char *why)
{
    table_report(row->reading, "%.200s: %s “%.80s” %s; left out",
                 row->columns->ref >= 0 ? text_of(row, (size_t)row->columns->ref) : "",
                 row->columns->column[i].name, text_of(row, i), why);
}

/* The value as checked JSON that begins with `open`; ptr is NULL if it is none, which is reported. */
static struct json_slice json_of(struct row *row, size_t i, char open)
{
    struct error ignored;
    const char *text = text_of(row, i);
    struct json_slice json = json_trim(text, strlen(text));
    if (json.len && *json.ptr == open &&
        json_check(json.ptr, json.len, JSON_DEPTH_MAX - 1, &ignored) == 0)
        return json;
    if (json.len)
        complain(row, i, open == '{' ? "is not a JSON object" : "is not a JSON list");
    return (struct json_slice){NULL, 0};
}

static void add_text(struct row *row, size_t i)
{
    const char *name = row->columns->column[i].name;
    struct json_slice bytes = bytes_of(row, i);
    if (strcmp(name, "text") == 0)
        build_bytes(&row->b, bytes.ptr, bytes.len);
    else
        json_pair(build_member(&row->b), name, text_of(row, i));
}

static bool time_of(struct row *row, size_t i, int64_t *ms)
{
    if (sqlite3_column_type(row->stmt, (int)i) == SQLITE_FLOAT &&
        table_time_of_number(sqlite3_column_double(row->stmt, (int)i), ms))
        return true;
    const char *text = text_of(row, i);
    bool is_time = table_time_of_text(text, strlen(text), ms);
    if (!is_time && *text)
        complain(row, i, "is not a time");
    return is_time;
}

static bool is_number(const struct row *row, size_t i)
{
    int type = sqlite3_column_type(row->stmt, (int)i);
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

static void add_confidence(struct row *row, size_t i)
{
    double value = sqlite3_column_double(row->stmt, (int)i);
    row->has_confidence = is_number(row, i) && value >= 0 && value <= 1;
    if (row->has_confidence)
        json_pair_double(build_member(&row->b), "confidence", value);
    else
        complain(row, i, "is not between 0 and 1");
}

static void add_status(struct row *row, size_t i)
{
    const char *text = text_of(row, i);
    int status = status_from_name(text);
    if (status >= 0 && status != STATUS_MISSING)
        json_pair(build_member(&row->b), "status", text);
    else
        complain(row, i, "is not a status");
}

/* ---- lists ---- */

/* The elements of a JSON list of texts, or the parts of a text between commas. */
static void add_tags(struct row *row, size_t i)
{
    const char *text = text_of(row, i);
    struct error ignored;
    if (*text == '[' && json_check(text, strlen(text), 2, &ignored) == 0) {
        struct json_slice list = {text, strlen(text)};
        for (struct json_each it = json_each(list); json_next(&it);)
            build_text(&row->b, "tags", json_text_repaired(&row->arena, it.value));
        return;
    }
    for (size_t len; *text; text += len + (text[len] == ',')) {
        len = strcspn(text, ",");
        struct json_slice tag = json_trim(text, len);
        build_text(&row->b, "tags", arena_strndup(&row->arena, tag.ptr, tag.len));
    }
}

static void add_annotation(struct row *row, const char *text)
{
    *ARENA_ADD(&row->arena, row->annotation, row->annotation_count, row->annotation_alloc) = text;
}

/* Adds a source of the group, or a relation, with the members of `object`. What is no ref of a memory becomes an
 * annotation. */
static void add_link(struct row *row, const struct column *c, const char *text,
                     struct json_slice object)
{
    struct ref ref;
    static const char *const but[] = {"ref", "type", "to", NULL};
    if (!text || ref_parse(text, &ref) != REF_MEMORY) {
        if (text && *text)
            add_annotation(row, text);
        return;
    }
    json_add_others(c->type == COLUMN_SUPPORT ? build_source(&row->b, text)
                                              : build_relation(&row->b, c->name, text, NULL),
                    object, but);
}

/* The refs of a column: one text, or a JSON list of texts and of objects with a member `ref`. Each column of support is
 * a justification. */
static void add_links(struct row *row, size_t i)
{
    const struct column *c = &row->columns->column[i];
    const char *text = text_of(row, i);
    build_group(&row->b, &(struct build_group){.role = role_name(c->role),
                                               .recorded = recorded_name(c->recorded)});
    if (*text != '[') {
        add_link(row, c, text, (struct json_slice){NULL, 0});
        return;
    }
    for (struct json_each it = json_each(json_of(row, i, '[')); json_next(&it);) {
        struct json_slice ref = *it.value.ptr == '{' ? json_get(it.value, "ref") : it.value;
        add_link(row, c, json_text_repaired(&row->arena, ref), it.value);
    }
}

/* ---- the detail ---- */

static void add_detail_member(struct row *row, size_t i, struct json_object *detail)
{
    const struct column *c = &row->columns->column[i];
    int type = sqlite3_column_type(row->stmt, (int)i);
    int64_t ms;
    struct error ignored;
    if (c->type == COLUMN_DETAIL_TIME) {
        if (time_of(row, i, &ms))
            json_pair_int(detail, c->name, ms);
        return;
    }
    if (type == SQLITE_INTEGER) {
        json_pair_int(detail, c->name, sqlite3_column_int64(row->stmt, (int)i));
        return;
    }
    if (type == SQLITE_FLOAT) {
        json_pair_double(detail, c->name, sqlite3_column_double(row->stmt, (int)i));
        return;
    }
    const char *text = text_of(row, i);
    if (c->type == COLUMN_DETAIL_JSON &&
        json_check(text, strlen(text), JSON_DEPTH_MAX - 1, &ignored) == 0) {
        json_key(detail, c->name);
        json_minify(detail->out, text, strlen(text));
    } else {
        json_pair(detail, c->name, text);
    }
}

static bool has_value(const struct row *row, size_t i)
{
    return sqlite3_column_type(row->stmt, (int)i) != SQLITE_NULL;
}

static bool needs_confidence(struct row *row)
{
    struct ref ref;
    const char *text = text_of(row, (size_t)row->columns->ref);
    return !row->has_confidence && ref_parse(text, &ref) == REF_MEMORY &&
           !kind_spec(ref.kind)->is_source;
}

static void add_detail(struct row *row)
{
    const struct columns *c = row->columns;
    struct json_object *detail = build_detail(&row->b);
    for (size_t i = 0; i < c->count; i++)
        if (c->column[i].type == COLUMN_DETAIL && has_value(row, i))
            json_add_others(detail, json_of(row, i, '{'), c->detail);
    for (size_t i = 0; i < c->count; i++)
        if (c->column[i].type >= COLUMN_DETAIL_MEMBER && c->column[i].type < COLUMN_SUPPORT &&
            has_value(row, i))
            add_detail_member(row, i, detail);
    json_pair_true_if(detail, "confidence_default", needs_confidence(row));
}

/* ---- a row ---- */

static void add_column(struct row *row, size_t i)
{
    const struct column *c = &row->columns->column[i];
    int64_t ms;
    struct json_slice list;
    switch (c->type) {
    case COLUMN_TEXT:
        add_text(row, i);
        break;
    case COLUMN_TIME:
        if (time_of(row, i, &ms))
            json_pair_int(build_member(&row->b), c->name, ms);
        break;
    case COLUMN_CONFIDENCE:
        add_confidence(row, i);
        break;
    case COLUMN_WHOLE:
        if (sqlite3_column_int64(row->stmt, (int)i) > 0)
            json_pair_int(build_member(&row->b), c->name, sqlite3_column_int64(row->stmt, (int)i));
        break;
    case COLUMN_FLAG:
        json_pair_bool(build_member(&row->b), c->name, sqlite3_column_int(row->stmt, (int)i) != 0);
        break;
    case COLUMN_STATUS:
        add_status(row, i);
        break;
    case COLUMN_TAGS:
        add_tags(row, i);
        break;
    case COLUMN_LIST:
        list = json_of(row, i, '[');
        if (list.ptr)
            json_pair_value(build_member(&row->b), c->name, list);
        break;
    default:
        break;
    }
}

static void add_lists(struct row *row)
{
    static const enum column_type types[] = {COLUMN_SUPPORT, COLUMN_RELATION};
    const struct columns *c = row->columns;
    for (size_t t = 0; t < COUNT_OF(types); t++)
        for (size_t i = 0; i < c->count; i++) {
            if (c->column[i].type == types[t] && has_value(row, i))
                add_links(row, i);
            if (c->column[i].type == COLUMN_PREMISE && t == 0 &&
                sqlite3_column_int(row->stmt, (int)i) != 0)
                build_premise(&row->b, NULL);
        }
    for (size_t i = 0; i < c->count; i++)
        if (c->column[i].type == COLUMN_ANNOTATIONS && has_value(row, i))
            for (struct json_each it = json_each(json_of(row, i, '[')); json_next(&it);)
                if (*it.value.ptr == '"')
                    add_annotation(row, json_text_repaired(&row->arena, it.value));
    for (size_t i = 0; i < row->annotation_count; i++)
        build_text(&row->b, "annotations", row->annotation[i]);
}

void row_write(struct table_reading *r, const struct columns *c, sqlite3_stmt *stmt,
               struct strbuf *json)
{
    struct row row = {.reading = r,
                      .columns = c,
                      .stmt = stmt,
                      .b = build_begin(json, &(struct build_head){.kind = NULL})};
    for (size_t i = 0; i < c->count; i++)
        if (has_value(&row, i))
            add_column(&row, i);
    add_detail(&row);
    add_lists(&row);
    build_end(&row.b);
    arena_release(&row.arena);
}
