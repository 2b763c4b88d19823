#include "store/ops/add_detail.h"

#include <string.h>
#include "model/json/json.h"
#include "model/base/utf8.h"

enum type {
    END,
    TEXT,
    TEXTS,
    WHOLE,
    COUNT, /* a place, or how often */
    SECONDS,
    TRUTH,
    ANY
};

static const char *const type_names[] = {
    [TEXT] = "a text",
    [TEXTS] = "a list of texts",
    [WHOLE] = "a whole number",
    [COUNT] = "a whole number from 0 on",
    [SECONDS] = "a number of seconds from 0 on",
    [TRUTH] = "true or false",
};

#define FIELDS_MAX 12
struct field {
    const char *name;
    enum type type;
};

/* Kinds that are not here take what they are given: other programs made them. */
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
                          {"content_summary", ANY},
                          {"full_content_hash", TEXT},
                          {"full_content_json", ANY},
                          {"citation", ANY}},
    [KIND_DOCUMENT] = {{"document_id", TEXT},
                       {"version_hash", TEXT},
                       {"uri", TEXT},
                       {"untitled", TRUTH}},
    [KIND_CHAIN] = {{"question", TEXT},
                    {"final_answer", TEXT},
                    {"strategy", TEXT},
                    {"total_time", SECONDS},
                    {"confidence_unstated", TRUTH},
                    {"token_usage", ANY}},
    [KIND_STEP] = {{"step_number", COUNT},
                   {"question", TEXT},
                   {"intermediate_answer", TEXT},
                   {"reasoning_trace", TEXT},
                   {"execution_time", SECONDS},
                   {"confidence_unstated", TRUTH},
                   {"token_usage", ANY},
                   {"context_used", TEXTS}},
    [KIND_CITATION] = {{"document_id", TEXT},
                       {"document_name", TEXT},
                       {"page", COUNT},
                       {"section", TEXT},
                       {"paragraph", ANY},
                       {"conversation_id", TEXT},
                       {"message_id", TEXT},
                       {"retrieved_at", WHOLE},
                       {"rank", COUNT},
                       {"snippet", ANY}},
    [KIND_ENTRY] = {{"namespace", TEXT}, {"key", TEXT}, {"value", ANY}, {"expires_at", WHOLE}},
};

static bool is_of(struct json_slice value, enum type type)
{
    int64_t whole;
    switch (type) {
    case TEXT:
        return value.ptr[0] == '"';
    case WHOLE:
        return json_integer(value, &whole) == 0;
    case COUNT:
        return json_integer(value, &whole) == 0 && whole >= 0;
    case SECONDS:
        return value.ptr[0] >= '0' && value.ptr[0] <= '9';
    case TRUTH:
        return value.ptr[0] == 't' || value.ptr[0] == 'f';
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
    struct strbuf known = STRBUF_INIT;
    for (const struct field *f = fields[kind]; f < fields[kind] + FIELDS_MAX && f->type; f++)
        strbuf_addf(&known, "%s%s", known.len ? ", " : "Known are ", f->name);
    strbuf_addch(&known, '.');
    size_t shown = utf8_fit(key.ptr, key.len, 60);
    error_set(e, ERROR_INVALID, known.buf, "no field %.*s%s in a detail of the kind %s", (int)shown,
              key.ptr, shown < key.len ? "…" : "", kind_name(kind));
    strbuf_release(&known);
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
    /* An entry that says so never expires. */
    bool never = f->type == WHOLE && kind == KIND_ENTRY && value.ptr[0] == 'n';
    if (never || is_of(value, f->type))
        return 0;
    return error_set(e, ERROR_INVALID, "", "the detail's %s is not %s", f->name,
                     type_names[f->type]);
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
    struct strbuf compact = STRBUF_INIT;
    json_tidy(&compact, object.ptr, object.len);
    if (compact.len > 2)
        *out = arena_strndup(arena, compact.buf, compact.len);
    strbuf_release(&compact);
    return 0;
}

int add_detail_check_place(enum kind kind, const char *detail, struct error *e)
{
    const char *name = kind == KIND_STEP ? "step_number" : kind == KIND_CITATION ? "page" : NULL;
    struct json_slice value = {NULL, 0};
    int64_t whole;
    if (name && detail)
        value = json_member(detail, strlen(detail), name);
    if (!value.ptr || value.ptr[0] == 'n' || (json_integer(value, &whole) == 0 && whole >= 0))
        return 0;
    size_t shown = utf8_fit(value.ptr, value.len, 40);
    return error_set(e, ERROR_INVALID, "", "detail: %s is %.*s%s; give a whole number from 0 on",
                     name, (int)shown, value.ptr, shown < value.len ? "…" : "");
}

/* A string more, which is not among its members. -1: memory ran out. */
static int add_member(const char **detail, struct arena *arena, const char *name, const char *text)
{
    const char *given = *detail ? *detail : "{}";
    struct strbuf out = STRBUF_INIT;
    strbuf_add(&out, given, strlen(given) - 1); /* without its closing brace */
    strbuf_addf(&out, "%s\"%s\":", out.len > 1 ? "," : "", name);
    json_add_string(&out, text);
    strbuf_addch(&out, '}');
    *detail = arena_strndup(arena, out.buf, out.len);
    strbuf_release(&out);
    return *detail ? 0 : -1;
}

/* What a belief or a note is where nobody says. */
int add_detail_type(const char **detail, struct arena *arena, enum kind kind)
{
    const char *name = kind == KIND_BELIEF ? "belief_type" : kind == KIND_NOTE ? "note_type" : NULL;
    const char *type = kind == KIND_BELIEF ? "fact" : "note";
    const char *given = *detail ? *detail : "{}";
    if (!name || json_member(given, strlen(given), name).ptr)
        return 0;
    return add_member(detail, arena, name, type);
}

int add_detail_key(const char **detail, struct arena *arena, enum kind kind, const char *text)
{
    const char *given = *detail ? *detail : "{}";
    if (kind != KIND_ENTRY || json_member(given, strlen(given), "key").ptr)
        return 0;
    return add_member(detail, arena, "key", text);
}
