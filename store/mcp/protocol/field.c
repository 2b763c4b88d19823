/* Tables of fields: writing their JSON Schema, checking arguments by them, reading the values. */
#include "store/mcp/protocol/field.h"

#include <math.h>
#include <string.h>
#include "model/memory/memory.h"
#include "model/base/utf8.h"

static const char *const type_names[] = {
    [FIELD_STRING] = "string",   [FIELD_NUMBER] = "number", [FIELD_INTEGER] = "integer",
    [FIELD_BOOLEAN] = "boolean", [FIELD_OBJECT] = "object", [FIELD_ARRAY] = "array",
    [FIELD_NUMBERS] = NULL,      [FIELD_ANY] = NULL,
};

/* ---- the schema ---- */

/*
 * Nullable fields: answers list two types, as JSON Schema has it; arguments use the keyword "nullable", which hosts
 * with single-type dialects know and others ignore.
 */
static void add_type(struct json_object *o, enum field_type type, bool nullable, bool given)
{
    if (type == FIELD_NUMBERS) {
        json_pair_raw(o, "type", "[\"number\",\"object\"]");
        json_pair_raw(o, "additionalProperties", "{\"type\":\"number\"}");
        if (nullable)
            json_pair_raw(o, "nullable", "true");
    }
    if (!type_names[type])
        return;
    json_key(o, "type");
    if (nullable && !given) {
        strbuf_addf(o->out, "[\"%s\",\"null\"]", type_names[type]);
        return;
    }
    json_add_string(o->out, type_names[type]);
    if (nullable)
        json_pair_raw(o, "nullable", "true");
}

static void add_choices(struct json_object *o, const struct field *f, bool given)
{
    struct json_object list = json_open(o, "enum", '[');
    for (int i = 0; f->choice(i); i++)
        json_item_string(&list, f->choice(i));
    if (f->flags & FIELD_NULLABLE && !given) {
        json_item(&list);
        strbuf_addstr(o->out, "null");
    }
    json_end(&list);
}

/* `given` is true for arguments. */
static void add_members(struct json_object *o, const struct field *fields, bool given);

static void add_items(struct json_object *o, const struct field *f, bool given)
{
    struct json_object items = json_open(o, "items", '{');
    add_type(&items, f->of, false, given);
    if (f->of == FIELD_OBJECT && f->fields)
        add_members(&items, f->fields, given);
    if (f->of == FIELD_ARRAY) {
        json_pair_raw(&items, "items", "{\"type\":\"string\"}");
    }
    if (f->of == FIELD_STRING && f->choice)
        add_choices(&items, f, true);
    json_end(&items);
}

static void add_field(struct strbuf *out, const struct field *f, bool given)
{
    struct json_object o = json_begin(out, '{');
    add_type(&o, f->type, f->flags & FIELD_NULLABLE, given);
    if (f->about)
        json_pair(&o, "description", f->about);
    if (f->choice && f->type == FIELD_STRING && !(f->flags & FIELD_UNTOLD))
        add_choices(&o, f, given);
    if (f->type == FIELD_ARRAY && f->of != FIELD_ANY)
        add_items(&o, f, given);
    if (f->type == FIELD_OBJECT && f->fields)
        add_members(&o, f->fields, given);
    if (f->fallback)
        json_pair_raw(&o, "default", f->fallback);
    json_end(&o);
}

static bool any_required(const struct field *fields)
{
    bool any = false;
    for (const struct field *f = fields; f->name; f++)
        any |= f->flags & FIELD_REQUIRED;
    return any;
}

static void add_required(struct json_object *o, const struct field *fields)
{
    if (!any_required(fields))
        return;
    struct json_object list = json_open(o, "required", '[');
    for (const struct field *f = fields; f->name; f++)
        if (f->flags & FIELD_REQUIRED)
            json_item_string(&list, f->name);
    json_end(&list);
}

static void add_properties(struct json_object *o, const struct field *fields, bool given)
{
    if (!fields->name)
        return;
    struct json_object properties = json_open(o, "properties", '{');
    for (const struct field *f = fields; f->name; f++) {
        if (f->flags & FIELD_UNLISTED)
            continue;
        json_key(&properties, f->name);
        add_field(o->out, f, given);
    }
    json_end(&properties);
}

/* Tables are constants nested a few levels, so this recursion ends. */
static void add_members(struct json_object *o, const struct field *fields, bool given)
{
    add_properties(o, fields, given);
    add_required(o, fields);
    if (given && !fields->name)
        json_pair_raw(o, "additionalProperties", "false");
}

/*
 * Clients validate structuredContent even if it reports a failure, so members are required only if there is no
 * `error`.
 */
static void add_answer(struct json_object *o, const struct field *fields)
{
    add_properties(o, fields, false);
    if (!any_required(fields))
        return;
    json_pair_raw(o, "if", "{\"required\":[\"error\"]}");
    json_pair_raw(o, "then",
                  "{\"properties\":{\"error\":{\"type\":\"object\","
                  "\"required\":[\"code\",\"message\"]}}}");
    struct json_object otherwise = json_open(o, "else", '{');
    add_required(&otherwise, fields);
    json_end(&otherwise);
}

void field_schema(struct strbuf *out, const struct field *fields, bool given)
{
    struct json_object o = json_begin(out, '{');
    json_pair(&o, "type", "object");
    if (given)
        add_members(&o, fields, true);
    else
        add_answer(&o, fields);
    json_end(&o);
}

/* ---- the check ---- */

/* The path of a value in the arguments: "citation.page", "derived_from[2]". */
struct place {
    const struct place *within;
    const struct field *field; /* NULL for an element of an array */
    size_t index;
};

static void add_place(struct strbuf *out, const struct place *p)
{
    const struct place *path[8];
    size_t depth = 0;
    for (; p && depth < 8; p = p->within)
        path[depth++] = p;
    for (const char *dot = ""; depth-- > 0; dot = ".") {
        if (path[depth]->field)
            strbuf_addf(out, "%s%s", dot, path[depth]->field->name);
        else
            strbuf_addf(out, "[%zu]", path[depth]->index);
    }
}

static int refuse(const struct place *p, struct error *e, const char *how, const char *hint, ...)
    __attribute__((format(printf, 4, 5)));
static int refuse(const struct place *p, struct error *e, const char *how, const char *hint, ...)
{
    AUTO_STRBUF name = STRBUF_INIT, right = STRBUF_INIT;
    STRBUF_VADD(&right, hint);
    add_place(&name, p);
    error_set(e, ERROR_INVALID, right.buf, "%s %s", name.buf, how);
    return error_quote_none(e);
}

static int refuse_range(const struct place *p, const struct field *f, struct error *e)
{
    bool list = f->type == FIELD_ARRAY;
    const char *how = list ? "has too few or too many" : "is out of range";
    const char *what = list ? "" : "a number ", *ends = list ? " of them." : ".";
    if (isfinite(f->max))
        return refuse(p, e, how, "Give %sfrom %.17g to %.17g%s", what, f->min, f->max, ends);
    return refuse(p, e, how, "Give %snot below %.17g%s", what, f->min, ends);
}

static int refuse_choice(const struct place *p, const struct field *f, const char *how,
                         struct error *e)
{
    AUTO_STRBUF all = STRBUF_INIT;
    for (int i = 0; f->choice(i); i++)
        strbuf_addf(&all, "%s%s", i ? ", " : "", f->choice(i));
    return refuse(p, e, how, "Give one of: %s.", all.buf);
}

/* JSON types by the first character of a value, and the hint for a value of another type. */
static const struct {
    const char *begins, *name, *give;
} json_types[] = {
    [FIELD_STRING] = {"\"", "a string", "Give a string."},
    [FIELD_NUMBER] = {"-0123456789", "a number", "Give a number."},
    [FIELD_INTEGER] = {"-0123456789", "a number", "Give a whole number."},
    [FIELD_BOOLEAN] = {"tf", "true or false", "Give true or false."},
    [FIELD_OBJECT] = {"{", "an object", "Give an object."},
    [FIELD_ARRAY] = {"[", "a list", "Give a list."},
    [FIELD_NUMBERS] = {"", "", "Give a number from 0 on, or an object of such numbers."},
    [FIELD_ANY] = {"n", "null", ""},
};

static const char *kind_of(struct json_slice value)
{
    size_t i = 0;
    while (i < FIELD_ANY && !strchr(json_types[i].begins, value.ptr[0]))
        i++;
    return json_types[i].name;
}

static int refuse_type(const struct place *p, enum field_type type, struct json_slice value,
                       struct error *e)
{
    char how[64];
    double number;
    bool is_number = (type == FIELD_NUMBER || type == FIELD_INTEGER || type == FIELD_NUMBERS) &&
                     strchr(json_types[FIELD_NUMBER].begins, value.ptr[0]);
    bool fraction = type == FIELD_INTEGER && json_double(value, &number) == 0;
    snprintf(how, sizeof(how), "is %s",
             fraction                                       ? "not a whole number in range"
             : type == FIELD_NUMBERS && *value.ptr == '{'   ? "an object with other values"
             : is_number && json_double(value, &number) < 0 ? "a number that is too large"
             : type == FIELD_NUMBERS && is_number           ? "below 0"
                                                            : kind_of(value));
    return refuse(p, e, how, "%s", json_types[type].give);
}

static bool is_of(enum field_type type, struct json_slice value)
{
    int64_t whole;
    double number;
    if (type == FIELD_NUMBER)
        return json_double(value, &number) == 0;
    if (type == FIELD_INTEGER)
        return json_integer(value, &whole) == 0;
    if (type == FIELD_NUMBERS)
        return json_is_amounts(value);
    return type == FIELD_ANY || strchr(json_types[type].begins, value.ptr[0]);
}

/* Context of parsing arguments; strings are copied to the arena. */
struct take_context {
    struct arena *arena;
    struct error *e;
};

static int take_string(const struct take_context *k, const struct place *p, const struct field *f,
                       struct json_slice value, const char **text, size_t *len, int *choice)
{
    unsigned not_empty = p->field ? FIELD_NOT_EMPTY : FIELD_NONE_EMPTY;
    const char *s = *text = json_text(k->arena, value, len);
    if (f->flags & not_empty && *len == 0)
        return refuse(p, k->e, "is empty", "Give a text that is not empty.");
    if (f->longest && *len > f->longest && utf8_count_in(s, *len) > f->longest)
        return refuse(p, k->e, "is too long", "Give at most %zu characters.", f->longest);
    if (!(f->flags & FIELD_TEXT) && !utf8_valid(s, *len))
        return refuse(p, k->e, "contains NUL or half a surrogate pair, which cannot be stored",
                      "Remove it.");
    if (f->flags & FIELD_VISIBLE && utf8_is_blank(s))
        return refuse(p, k->e, "is blank", "Give a name that can be read.");
    for (*choice = 0; f->choice && f->choice(*choice); ++*choice)
        if (is_display_name(s, f->choice(*choice)))
            return 0;
    return f->choice ? refuse_choice(p, f, "is not an allowed value", k->e) : 0;
}

static int take_number(const struct take_context *k, const struct place *p, const struct field *f,
                       struct given_value *out)
{
    json_double(out->json, &out->number);
    json_integer(out->json, &out->integer);
    if (f->min != f->max && !(out->number >= f->min && out->number <= f->max))
        return refuse_range(p, f, k->e);
    return 0;
}

static int take_members(const struct take_context *k, const struct place *p,
                        const struct field *fields, bool open, struct json_slice object,
                        struct given_value *out);

/* Checks the members of a nested object. The tool reads them itself. */
static int check_object(const struct take_context *k, const struct place *p, const struct field *f,
                        struct json_slice object)
{
    return f->fields ? take_members(k, p, f->fields, f->flags & FIELD_OPEN, object, NULL) : 0;
}

static int take_element(const struct take_context *k, const struct place *p, const struct field *f,
                        struct json_slice value, const char **text)
{
    size_t len;
    int choice;
    if (!is_of(f->of, value))
        return refuse_type(p, f->of, value, k->e);
    if (f->of == FIELD_STRING)
        return take_string(k, p, f, value, text, &len, &choice);
    return f->of == FIELD_OBJECT ? check_object(k, p, f, value) : 0;
}

static int take_array(const struct take_context *k, const struct place *p, const struct field *f,
                      struct given_value *out)
{
    size_t count = json_count(out->json);
    if (f->min != f->max && !((double)count >= f->min && (double)count <= f->max))
        return refuse_range(p, f, k->e);
    if (f->flags & FIELD_NOT_EMPTY && count == 0)
        return refuse(p, k->e, "is empty", "Give at least one.");
    if (f->flags & FIELD_CHECKED_BY_TOOL)
        return 0;
    out->list = arena_array(k->arena, count + 1, sizeof(*out->list));
    for (struct json_each it = json_each(out->json); json_next(&it); out->count++)
        if (take_element(k, &(struct place){p, NULL, out->count}, f, it.value,
                         &out->list[out->count]))
            return -1;
    return 0;
}

/* out->json is the value to read. */
static int take_value(const struct take_context *k, const struct place *p, const struct field *f,
                      struct given_value *out)
{
    if (!is_of(f->type, out->json))
        return refuse_type(p, f->type, out->json, k->e);
    switch (f->type) {
    case FIELD_STRING:
        return take_string(k, p, f, out->json, &out->text, &out->len, &out->choice);
    case FIELD_NUMBER:
    case FIELD_INTEGER:
        return take_number(k, p, f, out);
    case FIELD_ARRAY:
        return take_array(k, p, f, out);
    case FIELD_OBJECT:
        return check_object(k, p, f, out->json);
    default:
        return 0;
    }
}

static int refuse_unknown(const struct place *p, const struct field *fields, struct json_slice key,
                          struct error *e)
{
    AUTO_STRBUF hint = STRBUF_INIT, where = STRBUF_INIT;
    for (const struct field *f = fields; f->name; f++)
        strbuf_addf(&hint, "%s%s", f == fields ? "Known are " : ", ", f->name);
    strbuf_addstr(&hint, fields->name ? "." : "It takes no arguments.");
    strbuf_addstr(&where, p ? " in " : "");
    add_place(&where, p);
    size_t shown = utf8_fit(key.ptr, key.len, 80);
    error_set(e, ERROR_INVALID, hint.buf, "there is no argument '%.*s%s'%s", (int)shown, key.ptr,
              shown < key.len ? "…" : "", where.buf);
    return -1;
}

static int check_required(const struct place *p, const struct field *fields,
                          struct json_slice object, struct error *e)
{
    for (const struct field *f = fields; f->name; f++)
        if (f->flags & FIELD_REQUIRED && !json_member(object.ptr, object.len, f->name).ptr) {
            const struct place at = {p, f, 0};
            return f->choice && !f->about ? refuse_choice(&at, f, "is missing", e)
                                          : refuse(&at, e, "is missing", "%s",
                                                   f->about ? f->about : json_types[f->type].give);
        }
    return 0;
}

static int take_members(const struct take_context *k, const struct place *p,
                        const struct field *fields, bool open, struct json_slice object,
                        struct given_value *out)
{
    for (struct json_each it = json_each(object); json_next(&it);) {
        const struct field *f = fields;
        while (f->name && !json_key_is(it.key, f->name))
            f++;
        if (!f->name && open)
            continue;
        if (!f->name)
            return refuse_unknown(p, fields, it.key, k->e);
        struct given_value value = {.json = it.value};
        bool is_null =
            it.value.ptr[0] == 'n' && (f->flags & FIELD_NULLABLE || f->type == FIELD_ANY);
        if (!is_null && take_value(k, &(struct place){p, f, 0}, f, &value))
            return -1;
        if (out && !is_null)
            out[f - fields] = value;
    }
    return check_required(p, fields, object, k->e);
}

int field_take(const struct field *fields, struct json_slice object, struct arena *arena,
               struct given *out, struct error *e)
{
    static const struct field none[] = {FIELD_END};
    size_t count = 0;
    fields = fields ? fields : none;
    while (fields[count].name)
        count++;
    out->fields = fields;
    out->value = arena_array(arena, count + 1, sizeof(*out->value));
    if (!object.ptr)
        object = (struct json_slice){"{}", 2};
    if (object.ptr[0] != '{')
        return error_set(e, ERROR_INVALID, "Give an object.", "the arguments are %s",
                         kind_of(object));
    return take_members(&(struct take_context){arena, e}, NULL, fields, false, object, out->value);
}

/* ---- reading ---- */

/* The value of that name; an empty one if it is absent. */
static const struct given_value *value_of(const struct given *t, const char *name)
{
    static const struct given_value absent = {.json = {NULL, 0}};
    for (const struct field *f = t->fields; f && f->name; f++)
        if (strcmp(f->name, name) == 0)
            return &t->value[f - t->fields];
    return &absent;
}

struct json_slice given_value(const struct given *t, const char *name)
{
    return value_of(t, name)->json;
}

const char *given_text(const struct given *t, const char *name, size_t *len)
{
    const struct given_value *v = value_of(t, name);
    if (len)
        *len = v->len;
    return v->text;
}

const char **given_list(const struct given *t, const char *name, size_t *count)
{
    const struct given_value *v = value_of(t, name);
    *count = v->count;
    return v->list;
}

int given_choice(const struct given *t, const char *name, int otherwise)
{
    const struct given_value *v = value_of(t, name);
    return v->json.ptr ? v->choice : otherwise;
}

double given_number(const struct given *t, const char *name)
{
    const struct given_value *v = value_of(t, name);
    return v->json.ptr ? v->number : NAN;
}

int64_t given_integer(const struct given *t, const char *name, int64_t otherwise)
{
    const struct given_value *v = value_of(t, name);
    return v->json.ptr ? v->integer : otherwise;
}

bool given_bool(const struct given *t, const char *name, bool otherwise)
{
    const struct given_value *v = value_of(t, name);
    return v->json.ptr ? v->json.ptr[0] == 't' : otherwise;
}
