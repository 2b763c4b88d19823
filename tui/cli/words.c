/* Reads what is typed: queries, --field NAME=VALUE, and files of statements. */
#include "tui/cli/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/arena.h"
#include "model/base/array.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/ops/add.h"
#include "tui/cli/operating.h"
#include "tui/render/kind_fields.h"
#include "tui/text/times.h"

static bool is_of_entry(enum kind kind, const char *name, const char *field)
{
    return (kind == KIND_ENTRY || kind == KIND_COUNT) && strcmp(name, field) == 0;
}

/* A field that takes text has digits as text, too. */
static void add_words(struct strbuf *out, bool is_text, const char *value)
{
    struct error not_json;
    size_t len = strlen(value);
    if (len == 0 || strcmp(value, "null") == 0)
        strbuf_addstr(out, "null");
    else if (!(is_text && *value != '"') && json_check(value, len, JSON_DEPTH_MAX, &not_json) == 0)
        json_minify(out, value, len);
    else
        json_add_string(out, value);
}

/* Text that is not the start of a JSON object, list or string need not be quoted. */
static bool is_plain(const char *value)
{
    return *value && !strchr("{[\"", *value);
}

static int add_value(struct strbuf *out, enum kind kind, const char *name, const char *value,
                     int64_t now, struct error *e)
{
    struct error not_json;
    enum value_type type = VALUE_JSON;
    if (is_of_entry(kind, name, "expires_at"))
        type = VALUE_TIME;
    else if (is_of_entry(kind, name, "namespace") || is_of_entry(kind, name, "key"))
        type = VALUE_TEXT;
    else if (kind == KIND_ATTRIBUTION && strcmp(name, "retrieval_timestamp") == 0 &&
             json_check(value, strlen(value), 1, &not_json)) /* not milliseconds */
        type = VALUE_WHEN;
    else if (!is_of_entry(kind, name, "value") || is_plain(value)) {
        add_words(out, kind != KIND_COUNT && detail_is_text(kind, name), value);
        return 0;
    }
    if (value_read(out, type, value, now, e) == 0)
        return 0;
    error_prefix(e, "the field %s", name);
    e->code = e->code == ERROR_INVALID ? ERROR_USAGE : e->code;
    return -1;
}

static int add_field(struct invocation *i, enum kind kind, const char *field, struct json_object *o,
                     struct error *e)
{
    const char *sign = strchr(field, '=');
    if (!sign || sign == field)
        return error_set(e, ERROR_USAGE, "Write --field NAME=VALUE.",
                         "'%.60s' is not a field and its value", field);
    if (!utf8_valid(field, strlen(field)))
        return error_set(e, ERROR_USAGE, "Write it in UTF-8.", "a field is not valid UTF-8");
    const char *name = arena_strndup(&i->arena, field, (size_t)(sign - field));
    json_key(o, name);
    return add_value(o->out, kind, name, sign + 1, i->out.now, e);
}

int field_words(struct invocation *i, enum kind kind, const char **json, struct error *e)
{
    size_t count;
    const char **given = option_list(i, "field", &count);
    AUTO_STRBUF all = STRBUF_INIT;
    struct json_object o = json_begin(&all, '{');
    int result = 0;
    for (size_t n = 0; n < count && !result; n++)
        result = add_field(i, kind, given[n], &o, e);
    json_end(&o);
    *json = count ? arena_strndup(&i->arena, all.buf, all.len) : NULL;
    return result;
}

struct statements {
    struct arena *arena;
    struct seed *seeds;
    size_t count, alloc;
};

/* Copies a JSON string, unescaped. */
static int take_string(struct statements *s, struct json_slice value, const char *name,
                       const char **text, size_t *len, struct error *e)
{
    *text = json_text(s->arena, value, len);
    if (!*text)
        return error_set(e, ERROR_INVALID, "", "%s is not a string", name);
    return strlen(*text) == *len ? 0
                                 : error_set(e, ERROR_INVALID, "", "%s has a NUL character", name);
}

static int take_tags(struct statements *s, struct json_slice value, struct seed *seed,
                     struct error *e)
{
    size_t len;
    if (value.ptr[0] != '[')
        return error_set(e, ERROR_INVALID, "", "tags is not a list");
    seed->tags = arena_array(s->arena, json_count(value) + 1, sizeof(*seed->tags));
    for (struct json_each it = json_each(value); json_next(&it);)
        if (take_string(s, it.value, "a tag", &seed->tags[seed->tag_count++], &len, e))
            return -1;
    return 0;
}

static int take_member(struct statements *s, const struct json_each *it, struct seed *seed,
                       struct error *e)
{
    if (json_key_is(it->key, "statement"))
        return take_string(s, it->value, "statement", &seed->text, &seed->len, e);
    if (json_key_is(it->key, "tags"))
        return take_tags(s, it->value, seed, e);
    if (!json_key_is(it->key, "confidence"))
        return error_set(e, ERROR_INVALID, "The members are statement, confidence and tags.",
                         "there is no member '%.*s'", (int)(it->key.len < 60 ? it->key.len : 60),
                         it->key.ptr);
    if (json_double(it->value, &seed->confidence) || seed->confidence < 0 || seed->confidence > 1)
        return error_set(e, ERROR_INVALID, "", "confidence is not a number from 0 to 1");
    return 0;
}

static int take_object(struct statements *s, struct json_slice line, struct seed *seed,
                       struct error *e)
{
    if (json_check(line.ptr, line.len, JSON_DEPTH_MAX, e))
        return -1;
    for (struct json_each it = json_each(line); json_next(&it);)
        if (!(it.value.ptr[0] == 'n') && take_member(s, &it, seed, e))
            return -1;
    return seed->len ? 0 : error_set(e, ERROR_INVALID, "", "it has no statement");
}

static int take_words(struct statements *s, struct json_slice line, struct seed *seed,
                      struct error *e)
{
    if (memchr(line.ptr, '\0', line.len) || !utf8_valid(line.ptr, line.len))
        return error_set(e, ERROR_INVALID, "Save it as UTF-8.", "it is not valid UTF-8");
    seed->text = arena_strndup(s->arena, line.ptr, line.len);
    seed->len = line.len;
    return 0;
}

static int take_line(struct statements *s, const char *start, size_t len, struct error *e)
{
    struct json_slice line = json_trim(start, len);
    if (line.len == 0)
        return 0;
    struct seed *seed = ARRAY_ADD(s->seeds, s->count, s->alloc);
    *seed = (struct seed){.confidence = NAN};
    return line.ptr[0] == '{' ? take_object(s, line, seed, e) : take_words(s, line, seed, e);
}

static int take_lines(struct statements *s, const char *path, const struct strbuf *text,
                      struct error *e)
{
    const char *at = text->buf, *end = text->buf + text->len;
    if (text->len >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    for (size_t number = 1; at < end; number++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        if (take_line(s, at, (size_t)(stop - at), e))
            return error_prefix(e, "%s line %zu", path, number);
        at = stop + 1;
    }
    return 0;
}

int statements_read(const char *path, struct arena *arena, struct seed **out, size_t *count,
                    struct error *e)
{
    AUTO_STRBUF text = STRBUF_INIT;
    struct statements s = {.arena = arena};
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    int result = typed_file(path, &text, e) || take_lines(&s, name, &text, e) ? -1 : 0;
    *out = arena_memdup(arena, s.seeds, s.count * sizeof(*s.seeds));
    free(s.seeds);
    *count = s.count;
    if (result == 0 && s.count == 0)
        return error_set(e, ERROR_INVALID, "Write one statement a line.", "%s has no statement",
                         name);
    return result;
}

/* ---- queries ---- */

const char *joined_words(struct invocation *i, size_t first)
{
    AUTO_STRBUF all = STRBUF_INIT;
    for (size_t w = first; w < i->word_count; w++)
        strbuf_addf(&all, "%s%s", w > first ? " " : "", i->words[w]);
    return arena_strdup(&i->arena, all.buf);
}

int query_words_read(struct invocation *i, const char *query, enum query_on on,
                     struct query_terms *out, struct error *e)
{
    if (!query_parse(query, on, times_clock(i->out.now), &i->arena, out, e))
        return 0;
    if (i->word_count)
        output_point(query, out->bad_from, out->bad_to);
    e->code = ERROR_USAGE;
    return -1;
}

void query_words_unmatched(const char *query, enum query_on on)
{
    AUTO_STRBUF fields = STRBUF_INIT;
    const struct query_spec *s;
    size_t from, to;
    if (!query_unknown_field(query, &from, &to))
        return;
    for (int n = 0; (s = query_spec(n)); n++)
        if (s->on & on)
            strbuf_addf(&fields, "%s%s", fields.len ? ", " : "", s->name);
    output_point(query, from, to);
    output_note("there is no field '%.*s', so this is a text to look for. The fields are %s.",
                (int)(to - from), query + from, fields.buf);
}

static void help_fields(struct strbuf *out, const char *title, enum query_on on)
{
    const struct query_spec *s;
    strbuf_addf(out, "\nFields of %s:\n", title);
    for (int n = 0; (s = query_spec(n)); n++) {
        AUTO_STRBUF term = STRBUF_INIT;
        strbuf_addf(&term, "%s:%s", s->name, s->value);
        if (s->on & on)
            strbuf_addf(out, "  %-21s %s%s%s%s\n", term.buf, s->about, s->also ? " (also " : "",
                        s->also ? s->also : "", s->also ? ")" : "");
    }
}

void query_words_help(struct strbuf *out)
{
    strbuf_addstr(
        out,
        "A query is terms, and all must match:\n"
        "  word           anywhere in a text, a name or a ref; case does not matter\n"
        "  \"exact words\"  these words, one after the other\n"
        "  /regex/        a regular expression (PCRE2); with case if it has a capital letter\n"
        "  FIELD:VALUE    a value with spaces is in quotes; choices may be several: "
        "kind:belief,note\n"
        "  FIELD:<VALUE   numbers and times: also <=, >, >=, and a range 0.3..0.7\n"
        "  -TERM          not that\n"
        "Put a query in quotes for the shell: stemma list 'agent:ash confidence:<0.7 -kind:raw'\n");
    help_fields(out, "memories: stemma list and search, \\ in a list, memory_list", QUERY_MEMORIES);
    help_fields(out, "events: stemma log, \\ in the live view, the audit and a history",
                QUERY_EVENTS);
    help_fields(out, "sessions: \\ in the list of sessions", QUERY_SESSIONS);
}
