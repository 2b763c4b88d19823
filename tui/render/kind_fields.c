#include "tui/render/kind_fields.h"

#include <string.h>
#include "model/base/arena.h"
#include "model/json/json.h"
#include "tui/text/times.h"

const char *const value_yes_no[] = {"yes", "no", NULL};

static const char *const outcomes[] = {"success", "partial", "failure", "neutral", NULL};
static const char *const beliefs[] = {"fact",        "rule",         "preference", "constraint",
                                      "learned",     "causal",       "pattern",    "procedural",
                                      "observation", "foundational", NULL};
static const char *const notes[] = {"note", "decision", "insight", "quote", "observation", NULL};

/* Computed members (hashes, logged content) are not edited by people. */
static const struct kind_field raw[] = {
    {"source", "where it was captured", VALUE_TEXT, NULL, "captured_at"},
    {"captured_by", "who captured it", VALUE_TEXT, NULL, NULL},
};
static const struct kind_field episode[] = {
    {"outcome", "what came of it", VALUE_TEXT, NULL, NULL},
    {"outcome_type", "in one word", VALUE_TEXT, outcomes, NULL},
    {"lessons", "what to do differently next time, separated by commas", VALUE_TEXTS, NULL, NULL},
};
static const struct kind_field belief[] = {
    {"belief_type", "what kind of statement it is", VALUE_TEXT, beliefs, NULL},
    {"foundational", "is it one of the agent's basic beliefs?", VALUE_BOOLEAN, value_yes_no, NULL},
};
static const struct kind_field note[] = {
    {"note_type", "what kind of note it is", VALUE_TEXT, notes, NULL},
    {"speaker", "who said it", VALUE_TEXT, NULL, NULL},
    {"reason", "why it was noted", VALUE_TEXT, NULL, NULL},
};
static const struct kind_field attribution[] = {
    {"source_type", "what it was retrieved from", VALUE_TEXT, NULL, NULL},
    {"source_uri", "where it is found", VALUE_TEXT, NULL, NULL},
    {"retrieval_timestamp", "as now, 2h ago, or 2026-02-01 10:00Z", VALUE_WHEN, NULL, NULL},
};
static const struct kind_field document[] = {
    {"document_id", "its name at its source", VALUE_TEXT, NULL, NULL},
    {"version_hash", "of the version that was read", VALUE_TEXT, NULL, NULL},
    {"uri", "where it is found", VALUE_TEXT, NULL, NULL},
};
static const struct kind_field chain[] = {
    {"final_answer", "its conclusion", VALUE_TEXT, NULL, NULL},
    {"strategy", "how it reasoned", VALUE_TEXT, NULL, NULL},
};
static const struct kind_field step[] = {
    {"step_number", "counted from 1", VALUE_WHOLE, NULL, NULL},
    {"intermediate_answer", "the conclusion of the step", VALUE_TEXT, NULL, NULL},
    {"reasoning_trace", "how", VALUE_TEXT, NULL, NULL},
};
static const struct kind_field citation[] = {
    {"document_id", "the document that is cited", VALUE_TEXT, NULL, NULL},
    {"page", "a number", VALUE_WHOLE, NULL, NULL},
    {"section", "its name", VALUE_TEXT, NULL, NULL},
    {"conversation_id", "where it was cited", VALUE_TEXT, NULL, NULL},
    {"message_id", "in which message", VALUE_TEXT, NULL, NULL},
};
static const struct kind_field entry[] = {
    {"namespace", "whose key it is", VALUE_TEXT, NULL, NULL},
    {"key", "its name there", VALUE_TEXT, NULL, NULL},
    {"value", "any JSON; text in quotes", VALUE_JSON, NULL, NULL},
    {"expires_at", "as 10m, in 3 days, or 2026-02-01 10:00Z; nothing: never", VALUE_TIME, NULL,
     NULL},
};

#define FIELDS_OF(list)                                                                            \
    {                                                                                              \
        list, sizeof(list) / sizeof(list[0])                                                       \
    }
static const struct {
    const struct kind_field *list;
    size_t count;
} fields[KIND_COUNT] = {
    [KIND_RAW] = FIELDS_OF(raw),
    [KIND_EPISODE] = FIELDS_OF(episode),
    [KIND_BELIEF] = FIELDS_OF(belief),
    [KIND_NOTE] = FIELDS_OF(note),
    [KIND_ATTRIBUTION] = FIELDS_OF(attribution),
    [KIND_DOCUMENT] = FIELDS_OF(document),
    [KIND_CHAIN] = FIELDS_OF(chain),
    [KIND_STEP] = FIELDS_OF(step),
    [KIND_CITATION] = FIELDS_OF(citation),
    [KIND_ENTRY] = FIELDS_OF(entry),
};

const struct kind_field *kind_fields(enum kind kind, size_t *count)
{
    *count = fields[kind].count;
    return fields[kind].list;
}

/* ---- lists ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* Copies the part that begins at `at`. Sets *end to the comma of the next part, or to the end. */
static char *take_part(struct arena *arena, const char *at, const char **end)
{
    char *part = arena_alloc(arena, strlen(at) + 1);
    size_t len = 0;
    bool quoted = *at == '"';
    at += quoted;
    for (; *at && (quoted ? *at != '"' || at[1] == '"' : *at != ','); at++) {
        at += quoted && *at == '"'; /* "" inside quotes is a quote */
        part[len++] = *at;
    }
    while (*at && *at != ',')
        at++;
    while (!quoted && len > 0 && is_blank(part[len - 1]))
        len--;
    part[len] = '\0';
    *end = at;
    return part;
}

const char **value_parts(struct arena *arena, const char *text, size_t *count)
{
    size_t most = 1;
    *count = 0;
    for (const char *c = text; *c; c++)
        most += *c == ',';
    const char **parts = arena_array(arena, most, sizeof(*parts));
    while (*text) {
        while (is_blank(*text))
            text++;
        char *part = take_part(arena, text, &text);
        if (*part)
            parts[(*count)++] = part;
        text += *text == ',';
    }
    return parts;
}

static void add_part(struct strbuf *out, const char *part)
{
    size_t len = strlen(part);
    if (!strpbrk(part, ",\"") && len > 0 && !is_blank(part[0]) && !is_blank(part[len - 1])) {
        strbuf_addstr(out, part);
        return;
    }
    strbuf_addch(out, '"');
    for (; *part; part++)
        strbuf_addf(out, *part == '"' ? "\"\"" : "%c", *part);
    strbuf_addch(out, '"');
}

void value_join(struct strbuf *out, const char *const *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i)
            strbuf_addstr(out, ", ");
        add_part(out, parts[i]);
    }
}

/* ---- values ---- */

void field_add_title(struct strbuf *out, const char *name)
{
    size_t before = out->len;
    if (!strncmp(name, "detail.", 7))
        name += 7;
    if (!strcmp(name, "retrieval_timestamp"))
        name = "retrieved";
    if (!strcmp(name, "marks"))
        name = "flags";
    strbuf_addstr(out, display_name(name));
    size_t len = out->len - before;
    if (len > 3 &&
        (!strcmp(out->buf + out->len - 3, "_at") || !strcmp(out->buf + out->len - 3, "_id")))
        strbuf_cut(out, out->len - 3);
    for (char *at = out->buf + before; (at = strchr(at, '_'));)
        *at = ' ';
}

bool field_is_name(const char *name)
{
    return !strcmp(name, "agent_id") || !strcmp(name, "source_entity");
}

bool field_is_time(const char *name, size_t len)
{
    return len > 3 && !memcmp(name + len - 3, "_at", 3);
}

/* A number that is no valid time is written as a number. */
static void add_time(struct strbuf *out, struct json_slice value)
{
    char text[64];
    int64_t ms;
    if (json_integer(value, &ms)) {
        json_add_plain(out, value);
        return;
    }
    times_format_iso(text, sizeof(text), ms);
    strbuf_addstr(out, text);
}

void value_write(struct strbuf *out, enum value_type type, struct json_slice value)
{
    bool any = false;
    if (!value.ptr || (value.len == 4 && memcmp(value.ptr, "null", 4) == 0))
        return;
    if (type == VALUE_BOOLEAN && (value.ptr[0] == 't' || value.ptr[0] == 'f')) {
        strbuf_addstr(out, value.ptr[0] == 't' ? "yes" : "no");
    } else if (type == VALUE_TIME || type == VALUE_WHEN) {
        add_time(out, value);
    } else if (type == VALUE_JSON) {
        json_tidy(out, value.ptr, value.len);
    } else if (type == VALUE_TEXTS && value.ptr[0] == '[') {
        for (struct json_each it = json_each(value); json_next(&it); any = true) {
            AUTO_STRBUF part = STRBUF_INIT;
            json_add_plain(&part, it.value);
            strbuf_addstr(out, any ? ", " : "");
            add_part(out, part.buf);
        }
    } else {
        json_add_plain(out, value);
    }
}

static void write_texts(struct strbuf *json, const char *text)
{
    AUTO_ARENA arena = ARENA_INIT;
    size_t count;
    const char **parts = value_parts(&arena, text, &count);
    struct json_object list = json_begin(json, '[');
    for (size_t i = 0; i < count; i++) {
        json_item(&list);
        json_add_string(json, parts[i]);
    }
    json_end(&list);
}

static int read_number(struct strbuf *json, const char *text, bool whole, struct error *e)
{
    int64_t integer;
    struct json_slice value = json_trim(text, strlen(text));
    if (json_check(text, strlen(text), 1, e) ||
        (value.ptr[0] != '-' && (value.ptr[0] < '0' || value.ptr[0] > '9')))
        return error_set(e, ERROR_INVALID, "", "\"%.60s\" is not a number", text);
    if (whole && json_integer(value, &integer))
        return error_set(e, ERROR_INVALID, "", "\"%.60s\" is not a whole number", text);
    strbuf_add(json, value.ptr, value.len);
    return 0;
}

static int read_time(struct strbuf *json, const char *text, bool future, int64_t now,
                     struct error *e)
{
    int64_t ms;
    if (future && strcmp(text, "never") == 0) {
        strbuf_addstr(json, "null");
        return 0;
    }
    if (future ? times_parse_future(text, now, &ms) : times_parse(text, now, &ms))
        return error_set(e, ERROR_INVALID,
                         future ? "Write it as 10m, 2h, in 3 days, 2026-02-01 10:00Z or never."
                                : "Write it as now, 2h ago, 2026-02-01 10:00Z, or in ms.",
                         "\"%.60s\" is not a time", text);
    json_add_int(json, ms);
    return 0;
}

static int read_truth(struct strbuf *json, const char *text, struct error *e)
{
    bool yes = !strcmp(text, "yes") || !strcmp(text, "true");
    if (!yes && strcmp(text, "no") != 0 && strcmp(text, "false") != 0)
        return error_set(e, ERROR_INVALID, "", "\"%.60s\" is neither yes nor no", text);
    strbuf_addstr(json, yes ? "true" : "false");
    return 0;
}

static int read_json(struct strbuf *json, const char *text, struct error *e)
{
    if (!text[strspn(text, " \t\r\n")])
        return error_set(e, ERROR_INVALID, "Give JSON; null for no value.", "there is no value");
    /* the value is nested in the detail */
    if (json_check(text, strlen(text), JSON_DEPTH_MAX - 1, e))
        return -1;
    json_minify(json, text, strlen(text));
    return 0;
}

int value_read(struct strbuf *json, enum value_type type, const char *text, int64_t now,
               struct error *e)
{
    if (!*text && type != VALUE_JSON) {
        strbuf_addstr(json, "null");
        return 0;
    }
    switch (type) {
    case VALUE_TEXTS:
    case VALUE_REFS:
        write_texts(json, text);
        return 0;
    case VALUE_WHOLE:
    case VALUE_NUMBER:
        return read_number(json, text, type == VALUE_WHOLE, e);
    case VALUE_TIME:
    case VALUE_WHEN:
        return read_time(json, text, type == VALUE_TIME, now, e);
    case VALUE_BOOLEAN:
        return read_truth(json, text, e);
    case VALUE_JSON:
        return read_json(json, text, e);
    default:
        json_add_string(json, text);
        return 0;
    }
}

struct json_slice member_of(const struct memory *m, const char *key)
{
    return m->detail ? json_member(m->detail, strlen(m->detail), key) : (struct json_slice){0};
}

const char *member_text(const struct memory *m, const char *key, struct arena *arena)
{
    const char *text = json_text(arena, member_of(m, key), NULL);
    return text && *text ? text : NULL;
}

int64_t member_int(const struct memory *m, const char *key, int64_t otherwise)
{
    int64_t number;
    struct json_slice value = member_of(m, key);
    return value.ptr && json_integer(value, &number) == 0 ? number : otherwise;
}
