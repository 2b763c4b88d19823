/* A table of fields as schema and as check: both must agree. */
#include <math.h>
#include "store/mcp/tools/service.h"
#include "tests/support/golden.h"
#include "tests/support/test.h"
#include "tests/support/tool_call.h"

static const char *colours(int i)
{
    static const char *const names[] = {"red", "green", NULL};
    return names[i];
}

static const struct field point_fields[] = {
    {.name = "x", .type = FIELD_NUMBER, .flags = FIELD_REQUIRED, .min = -1, .max = 1},
    {.name = "label", .type = FIELD_STRING},
    FIELD_END,
};

static const struct field loose_fields[] = {
    {.name = "x", .type = FIELD_NUMBER, .flags = FIELD_NULLABLE, .min = -1, .max = 1},
    {.name = "points",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_OPEN | FIELD_NULLABLE,
     .fields = point_fields},
    FIELD_END,
};

static const struct field fields[] = {
    {.name = "name",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY,
     .about = "Its \"name\"."},
    {.name = "text", .type = FIELD_STRING, .flags = FIELD_TEXT},
    {.name = "colour", .type = FIELD_STRING, .choice = colours, .fallback = "\"red\""},
    {.name = "maybe", .type = FIELD_STRING, .flags = FIELD_NULLABLE},
    {.name = "count", .type = FIELD_INTEGER, .min = 0, .max = 10},
    {.name = "many", .type = FIELD_INTEGER, .min = 1, .max = INFINITY},
    {.name = "yes", .type = FIELD_BOOLEAN},
    {.name = "list", .type = FIELD_ARRAY, .of = FIELD_STRING, .min = 1, .max = 2},
    {.name = "refs",
     .type = FIELD_ARRAY,
     .of = FIELD_STRING,
     .flags = FIELD_NONE_EMPTY,
     .longest = 3,
     .max = 4},
    {.name = "short", .type = FIELD_STRING, .longest = 3},
    {.name = "points", .type = FIELD_ARRAY, .of = FIELD_OBJECT, .fields = point_fields},
    {.name = "point", .type = FIELD_OBJECT, .fields = point_fields},
    {.name = "open", .type = FIELD_OBJECT, .flags = FIELD_OPEN, .fields = point_fields},
    {.name = "any", .type = FIELD_ANY},
    {.name = "taught",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_CHECKED_BY_TOOL | FIELD_OPEN | FIELD_NULLABLE,
     .max = 3,
     .fields = loose_fields},
    {.name = "words", .type = FIELD_ARRAY, .of = FIELD_STRING, .flags = FIELD_CHECKED_BY_TOOL},
    {.name = "free", .type = FIELD_OBJECT},
    FIELD_END,
};

static int take(const struct field *asked, const char *arguments, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct given given;
    struct json_slice none = {NULL, 0};
    return field_take(asked, arguments ? json_trim(arguments, strlen(arguments)) : none, &arena,
                      &given, e);
}

TEST(valid_arguments_pass)
{
    static const char *const right[] = {
        "{\"name\":\"n\"}",
        " { \"name\" : \"n\" , \"maybe\" : null } ",
        "{\"n\\u0061me\":\"n\",\"colour\":\"gr\\u0065en\"}",
        "{\"name\":\"\\ud83c\\udf0d\",\"text\":\"\\u0000 \\ud800\"}",
        "{\"name\":\"n\",\"count\":10.0,\"many\":9007199254740993,\"yes\":false}",
        "{\"name\":\"n\",\"list\":[\"a\",\"b\"],\"refs\":[\"one\"]}",
        "{\"name\":\"n\",\"short\":\"\\u00e9\\ud83c\\udf0d\\n\"}",
        "{\"name\":\"n\",\"short\":\"é🌍é\",\"refs\":[\"🌍🌍🌍\",\"\\\\\\\"\\/\"]}",
        "{\"name\":\"n\",\"refs\":[]}",
        "{\"name\":\"n\",\"points\":[{\"x\":1},{\"x\":-0.5,\"label\":\"l\"}],\"point\":{\"x\":0}}",
        "{\"name\":\"n\",\"open\":{\"x\":0,\"more\":1},\"free\":{\"a\":[]},\"any\":[1,\"2\"]}",
        "{\"name\":\"n\",\"taught\":[{\"x\":7,\"more\":\"\\ud800\"},1,\"2\"],\"words\":[{},null]}",
        "{\"name\":\"n\",\"taught\":null,\"words\":[]}",
    };
    for (size_t i = 0; i < sizeof(right) / sizeof(*right); i++) {
        struct error e;
        if (take(fields, right[i], &e))
            fail_msg("%s: %s", right[i], e.what);
    }
}

/* The error names the argument, the problem and what is valid. */
TEST(errors_name_the_argument)
{
    static const struct {
        const char *arguments, *what, *hint;
    } wrong[] = {
        {"{}", "name is missing", "Its \"name\"."},
        {"[]", "the arguments are a list", "Give an object."},
        {"{\"name\":\"\"}", "name is empty", ""},
        {"{\"name\":7}", "name is a number", "Give a string."},
        {"{\"name\":\"a\\u0000\"}", "name contains NUL", ""},
        {"{\"name\":\"\\udc00\"}", "name contains NUL or half", ""},
        {"{\"name\":\"\\ud800\\ud800\"}", "name contains NUL or half", ""},
        {"{\"name\":\"n\",\"maybe\":1}", "maybe is a number", "Give a string."},
        {"{\"name\":\"n\",\"text\":null}", "text is null", "Give a string."},
        {"{\"name\":\"n\",\"colour\":\"blue\"}", "colour is not an allowed value",
         "Give one of: red, green."},
        {"{\"name\":\"n\",\"colour\":\"Red\"}", "colour is not an allowed value", "red"},
        {"{\"name\":\"n\",\"count\":11}", "count is out of range", "Give a number from 0 to 10."},
        {"{\"name\":\"n\",\"count\":-1}", "count is out of range", ""},
        {"{\"name\":\"n\",\"count\":1.5}", "count is not a whole number", "Give a whole number."},
        {"{\"name\":\"n\",\"count\":true}", "count is true or false", ""},
        {"{\"name\":\"n\",\"many\":0}", "many is out of range", "Give a number not below 1."},
        {"{\"name\":\"n\",\"yes\":\"true\"}", "yes is a string", "Give true or false."},
        {"{\"name\":\"n\",\"list\":[]}", "list has too few or too many", "Give from 1 to 2 of"},
        {"{\"name\":\"n\",\"list\":[\"a\",\"b\",\"c\"]}", "list has too few or too many", ""},
        {"{\"name\":\"n\",\"list\":\"a\"}", "list is a string", "Give a list."},
        {"{\"name\":\"n\",\"list\":[1]}", "list[0] is a number", "Give a string."},
        {"{\"name\":\"n\",\"refs\":{}}", "refs is an object", "Give a list."},
        {"{\"name\":\"n\",\"refs\":\"one\"}", "refs is a string", "Give a list."},
        {"{\"name\":\"n\",\"refs\":[\"a\",\"\"]}", "refs[1] is empty", ""},
        {"{\"name\":\"n\",\"refs\":[\"a\",\"four\"]}", "refs[1] is too long",
         "Give at most 3 characters."},
        {"{\"name\":\"n\",\"refs\":[1,2,3,4,5]}", "refs has too few or too many", "0 to 4 of them"},
        {"{\"name\":\"n\",\"taught\":{}}", "taught is an object", "Give a list."},
        {"{\"name\":\"n\",\"taught\":[1,2,3,4]}", "taught has too few or too many", ""},
        {"{\"name\":\"n\",\"words\":null}", "words is null", "Give a list."},
        {"{\"name\":\"n\",\"short\":\"é🌍é\\n\"}", "short is too long", "at most 3 characters"},
        {"{\"name\":\"n\",\"short\":\"\\ud83c\\udf0d\\u0041aa\"}", "short is too long", ""},
        {"{\"name\":\"n\",\"points\":[{\"x\":0},{}]}", "points[1].x is missing", ""},
        {"{\"name\":\"n\",\"points\":[{\"x\":2}]}", "points[0].x is out of range", ""},
        {"{\"name\":\"n\",\"point\":{\"x\":0,\"y\":0}}", "there is no argument 'y' in point",
         "Known are x, label."},
        {"{\"name\":\"n\",\"nme\":1}", "there is no argument 'nme'",
         "Known are name, text, colour"},
        {"{\"name\":\"n\",\"Name\":\"x\"}", "there is no argument 'Name'", ""},
    };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        struct error e;
        if (!take(fields, wrong[i].arguments, &e))
            fail_msg("%s passes", wrong[i].arguments);
        assert_int_equal(e.code, ERROR_INVALID);
        if (!strstr(e.what, wrong[i].what) || !strstr(e.hint, wrong[i].hint))
            fail_msg("%s: %s. %s", wrong[i].arguments, e.what, e.hint);
    }
}

TEST(absent_arguments_are_an_empty_object)
{
    static const struct field none[] = {FIELD_END};
    struct error e;
    assert_int_equal(take(none, NULL, &e), 0);
    assert_int_equal(take(fields, NULL, &e), -1);
    assert_string_equal(e.what, "name is missing");
    AUTO_STRBUF schema = STRBUF_INIT;
    field_schema(&schema, none, true);
    assert_string_equal(schema.buf, "{\"type\":\"object\",\"additionalProperties\":false}");
}

TEST(schema_matches_the_check)
{
    AUTO_STRBUF schema = STRBUF_INIT;
    field_schema(&schema, fields, true);
    struct error e;
    assert_int_equal(json_check(schema.buf, schema.len, JSON_DEPTH_MAX, &e), 0);
    assert_non_null(strstr(schema.buf, "\"name\":{\"type\":\"string\",\"description\":"
                                       "\"Its \\\"name\\\".\"}"));
    assert_non_null(strstr(schema.buf, "\"colour\":{\"type\":\"string\",\"enum\":[\"red\","
                                       "\"green\"],\"default\":\"red\"}"));
    assert_non_null(strstr(schema.buf, "\"maybe\":{\"type\":\"string\",\"nullable\":true}"));
    /* Bounds are left to the check. */
    assert_non_null(strstr(schema.buf, "\"count\":{\"type\":\"integer\"}"));
    assert_non_null(
        strstr(schema.buf, "\"refs\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}"));
    assert_non_null(strstr(schema.buf, "\"short\":{\"type\":\"string\"}"));
    assert_non_null(strstr(schema.buf, "\"required\":[\"name\"]}"));
    /* An argument checked by its tool is marked as nullable like any other. */
    assert_non_null(strstr(schema.buf,
                           "\"taught\":{\"type\":\"array\",\"nullable\":true,"
                           "\"items\":{\"type\":\"object\",\"properties\":{\"x\":{"
                           "\"type\":\"number\",\"nullable\":true},"
                           "\"points\":{\"type\":\"array\",\"nullable\":true,\"items\":{"
                           "\"type\":\"object\",\"properties\":{"));
    assert_non_null(strstr(schema.buf, "\"required\":[\"x\"]}}}}}"));
    strbuf_clear(&schema);
    field_schema(&schema, fields, false);
    assert_non_null(strstr(schema.buf, "\"maybe\":{\"type\":[\"string\",\"null\"]}"));
    assert_null(strstr(schema.buf, "additionalProperties"));
}

TEST(arguments_are_read)
{
    static const char text[] =
        "{\"name\":\"n\",\"text\":\"a\\u0000\\u00e9\",\"maybe\":null,\"list\":"
        "[\"a\",\"\\\"\"],\"count\":5.0,\"point\":{\"x\":0.25},"
        "\"yes\":true,\"colour\":\"green\"}";
    AUTO_ARENA arena = ARENA_INIT;
    struct given given, point;
    struct error e;
    size_t len, count;
    assert_int_equal(field_take(fields, json_trim(text, strlen(text)), &arena, &given, &e), 0);
    assert_memory_equal(given_text(&given, "text", &len), "a\0é", 5);
    assert_int_equal(len, 4);
    assert_null(given_text(&given, "maybe", &len));
    assert_null(given_text(&given, "short", NULL));
    assert_string_equal(given_list(&given, "list", &count)[1], "\"");
    assert_int_equal(count, 2);
    assert_null(given_list(&given, "refs", &count));
    assert_int_equal(count, 0);
    assert_int_equal(given_integer(&given, "count", 7), 5);
    assert_int_equal(given_integer(&given, "many", 7), 7);
    assert_int_equal(given_choice(&given, "colour", -1), 1);
    assert_true(given_bool(&given, "yes", false));
    assert_int_equal(field_take(point_fields, given_value(&given, "point"), &arena, &point, &e), 0);
    assert_true(given_number(&point, "x") == 0.25);
}

/* ---- the tools ---- */

static const char *what_is_wrong(const struct mcp_tool *t)
{
    size_t described = strlen(t->description);
    if (strlen(t->name) > 40)
        return "the name has more than 40 characters";
    if (!t->title || !*t->title)
        return "there is no title";
    if (described <= 40 || described > 2048)
        return "the description must have 41 to 2,048 characters";
    if (!t->arguments || (!t->answer && !t->full))
        return ".arguments, or .answer and .full, are missing";
    if ((t->work == WORK_WRITE) != (t->write != NULL))
        return "WORK_WRITE and .write belong together";
    if ((t->work == WORK_WRITE) == !!(t->hints & HINT_READ_ONLY))
        return "a tool has HINT_READ_ONLY unless it is WORK_WRITE";
    return NULL;
}

/* Hosts cut or drop tools that break these rules. */
TEST(every_tool_keeps_the_limits_of_hosts)
{
    const struct mcp_service *s = service_of_all();
    AUTO_STRBUF instructions = STRBUF_INIT;
    size_t entries = 0;
    s->instructions(&(struct mcp_offer){.sets = TOOLSETS_ALL}, &instructions);
    assert_true(instructions.len + MCP_OWN_NAME_MAX <= 2000);
    for (size_t i = 0; i < s->tool_count; i++) {
        const struct mcp_tool *t = s->tools[i];
        bool is_entry = memory_tool_from_name(t->name) >= 0; /* named by another specification */
        entries += is_entry;
        assert_true(is_entry || strspn(t->name, "abcdefghijklmnopqrstuvwxyz_") == strlen(t->name));
        assert_int_equal(is_entry, t->permit && t->rate);
        const char *wrong = what_is_wrong(t);
        if (wrong)
            fail_msg("%s: %s", t->name, wrong);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(t->name, s->tools[k]->name);
        AUTO_STRBUF schema = STRBUF_INIT;
        struct error e;
        field_schema(&schema, t->arguments, true);
        assert_int_equal(json_check(schema.buf, schema.len, JSON_DEPTH_MAX, &e), 0);
        assert_null(strstr(schema.buf, "Of\":"));
        assert_memory_equal(schema.buf, "{\"type\":\"object\",", 17);
        strbuf_clear(&schema);
        field_schema(&schema, t->answer ? t->answer : t->full, false);
        assert_int_equal(json_check(schema.buf, schema.len, JSON_DEPTH_MAX, &e), 0);
        assert_memory_equal(schema.buf, "{\"type\":\"object\",", 17);
    }
    assert_int_equal(entries, MEMORY_TOOL_COUNT);
}

/* What an agent pays for before its first call: name, description and input schema. */
static size_t bytes_of(const struct mcp_tool *t)
{
    AUTO_STRBUF schema = STRBUF_INIT;
    field_schema(&schema, t->arguments, true);
    return strlen(t->name) + strlen(t->description) + schema.len;
}

/* The schema of each tool, as a client sees it, is compared with a file, so that no change goes unseen. */
TEST(tools_cost_few_bytes)
{
    const struct mcp_service *s = service_of_all();
    size_t all = 0, memory = 0, count = 0;
    AUTO_STRBUF seen = STRBUF_INIT;
    for (size_t i = 0; i < s->tool_count; i++) {
        const struct mcp_tool *t = s->tools[i];
        bool in_memory = t->sets & TOOLSET_BIT(TOOLSET_MEMORY);
        size_t bytes = bytes_of(t);
        if (in_memory && bytes > 900)
            fail_msg("%s has %zu bytes", t->name, bytes);
        if (!t->sets || t->sets & ~TOOLSETS_ALL)
            fail_msg("%s is in no set of tools: see .sets", t->name);
        strbuf_addf(&seen, "%s: %zu bytes\n%s\n", t->name, bytes, t->description);
        field_schema(&seen, t->arguments, true);
        strbuf_addstr(&seen, "\n\n");
        all += bytes;
        memory += in_memory ? bytes : 0;
        count += in_memory;
    }
    golden_compare("tests/store/mcp/tools/tools.txt", seen.buf);
    if (count > 10 || memory > 8000)
        fail_msg("the set memory has %zu tools of 10, %zu bytes of 8,000", count, memory);
    if (all > 30000)
        fail_msg("all tools have %zu bytes of 30,000", all);
}
