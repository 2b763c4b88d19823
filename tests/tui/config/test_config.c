#include "store/query/list.h"
#include "tests/support/test.h"
#include "tui/chart/chart.h"
#include "tui/config/config.h"
#include "tui/text/embedded.h"

static const struct embedded_file *shipped(void)
{
    return embedded_find("config.yaml");
}

static int parse(struct config *c, const char *text, struct error *e)
{
    config_init(c);
    *e = (struct error){0};
    return config_parse(c, "test.yaml", text, strlen(text), e);
}

/* ---- the table and config.yaml ---- */

/* Each setting is in config.yaml once, in the order of the table, with a description. */
TEST(config_yaml_has_each_setting)
{
    size_t count;
    const struct setting *settings = config_settings(&count);
    const char *at = shipped()->text;
    for (size_t i = 0; i < count; i++) {
        char name[64];
        snprintf(name, sizeof(name), "\n%s:", settings[i].name);
        const char *found = strstr(at, name);
        if (!found)
            fail_msg("config.yaml has no %s behind the one before", settings[i].name);
        const char *line = found;
        while (line > at && line[-1] != '\n')
            line--;
        assert_int_equal(*line, '#');
        at = found + 1;
    }
}

static void assert_same_grant(const struct grant *a, const struct grant *b)
{
    assert_int_equal(a->given, b->given);
    assert_int_equal(a->namespace_count, b->namespace_count);
    for (size_t i = 0; i < a->namespace_count; i++)
        assert_string_equal(a->namespaces[i], b->namespaces[i]);
    assert_int_equal(a->contexts, b->contexts);
    assert_int_equal(a->operations, b->operations);
    assert_int_equal(a->max_ttl_seconds, b->max_ttl_seconds);
}

static void assert_same_permissions(const struct permissions *a, const struct permissions *b)
{
    for (int t = 0; t < MEMORY_TOOL_COUNT; t++)
        assert_same_grant(&a->grant[t], &b->grant[t]);
    assert_memory_equal(a->rate, b->rate, sizeof(a->rate));
    assert_int_equal(a->agent_count, b->agent_count);
    assert_int_equal(a->namespace_count, b->namespace_count);
    assert_int_equal(a->pattern_count, b->pattern_count);
    assert_int_equal(a->mask, b->mask);
    assert_int_equal(a->share, b->share);
}

static void assert_same(const struct config *a, const struct config *b)
{
    size_t count;
    const struct setting *settings = config_settings(&count);
    for (size_t i = 0; i < count; i++) {
        const char *x = (const char *)a + settings[i].offset;
        const char *y = (const char *)b + settings[i].offset;
        const char *s, *t;
        switch (settings[i].type) {
        case SETTING_TEXT:
        case SETTING_PATH:
            memcpy(&s, x, sizeof(s));
            memcpy(&t, y, sizeof(t));
            assert_true(!s == !t && (!s || strcmp(s, t) == 0));
            break;
        case SETTING_BOOL:
            assert_int_equal(*x, *y);
            break;
        case SETTING_CHOICE:
        case SETTING_INT:
            assert_memory_equal(x, y, sizeof(int));
            break;
        default:
            break;
        }
    }
    assert_int_equal(a->key_count, b->key_count);
    assert_same_permissions(&a->permissions, &b->permissions);
}

TEST(config_yaml_changes_nothing)
{
    struct config defaults, read;
    struct error e;
    config_init(&defaults);
    assert_int_equal(parse(&read, shipped()->text, &e), 0);
    assert_same(&defaults, &read);
    config_release(&defaults);
    config_release(&read);
}

TEST(styles_have_the_numbers_of_charts)
{
    size_t count;
    const struct setting *settings = config_settings(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(settings[i].name, "graph_style") != 0)
            continue;
        for (int s = 0; s < CHART_STYLES; s++)
            assert_string_equal(settings[i].choices[s], chart_style_name((enum chart_style)s));
        assert_null(settings[i].choices[CHART_STYLES]);
        return;
    }
    fail();
}

TEST(orders_have_the_numbers_of_lists)
{
    size_t count;
    const struct setting *settings = config_settings(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(settings[i].name, "order") != 0)
            continue;
        for (int o = 0; o < ORDER_COUNT; o++)
            assert_string_equal(settings[i].choices[o], order_name((enum list_order)o));
        assert_null(settings[i].choices[ORDER_COUNT]);
        return;
    }
    fail();
}

/* ---- values ---- */

TEST(every_setting_can_be_set)
{
    struct config c;
    struct error e;
    setenv("HOME", "/home/someone", 1);
    assert_int_equal(parse(&c,
                           "actor: sean\nstore: ~/mine.db\ntheme: mono\ncolor: never\nascii: yes\n"
                           "order: text\npreview: below\nmouse: on\nclipboard: osc52\n"
                           "escape_delay: 200\nhmac_key: /k\nruntime_dir: ~/run\n"
                           "keys: {quit: [q, 'C-x'], open: Enter, select: []}\n",
                           &e),
                     0);
    assert_string_equal(c.actor, "sean");
    assert_string_equal(c.store, "/home/someone/mine.db");
    assert_string_equal(c.theme, "mono");
    assert_int_equal(c.color, COLOR_NEVER);
    assert_int_equal(c.ascii, ASCII_YES);
    assert_int_equal(c.order, ORDER_TEXT);
    assert_int_equal(c.preview, PREVIEW_BELOW);
    assert_true(c.mouse);
    assert_int_equal(c.clipboard, CLIPBOARD_OSC52);
    assert_int_equal(c.escape_delay, 200);
    assert_string_equal(c.hmac_key, "/k");
    assert_string_equal(c.runtime_dir, "/home/someone/run");
    assert_int_equal(c.key_count, 3);
    assert_string_equal(c.keys[0].action, "quit");
    assert_int_equal(c.keys[0].count, 2);
    assert_string_equal(c.keys[0].keys[1], "C-x");
    assert_int_equal(c.keys[0].line, 13);
    assert_string_equal(c.keys[1].keys[0], "Enter");
    assert_int_equal(c.keys[2].count, 0);
    config_release(&c);
}

TEST(an_empty_value_is_the_default)
{
    struct config c;
    struct error e;
    assert_int_equal(parse(&c, "theme:\nactor: ~\nstore: ''\n# a comment\nkeys:\n", &e), 0);
    assert_string_equal(c.theme, "auto");
    assert_null(c.actor);
    assert_null(c.store);
    config_release(&c);
    assert_int_equal(parse(&c, "", &e), 0);
    config_release(&c);
    assert_int_equal(parse(&c, "# only a comment\n", &e), 0);
    config_release(&c);
}

/* ---- errors (tests/cli/config.t has their texts) ---- */

TEST(random_input_is_read_or_refused)
{
    static const char letters[] = "ab:[]{}-#'\"\n\n  ,&*!|>%@\\\tcolor: auto\0\xff\xc3";
    uint32_t seed = 7;
    for (int round = 0; round < 5000; round++) {
        char text[64];
        struct config c;
        struct error e = {0};
        size_t len = 0;
        while (len < sizeof(text)) {
            seed = seed * 1664525u + 1013904223u;
            if (seed >> 27 == 0)
                break;
            text[len++] = letters[(seed >> 8) % (sizeof(letters) - 1)];
        }
        config_init(&c);
        if (config_parse(&c, "test.yaml", text, len, &e))
            assert_true(strncmp(e.what, "test.yaml line ", 15) == 0);
        config_release(&c);
    }
}

/* A valid file with a byte changed, left out, doubled or cut off is read, or refused with an existing line number. */
TEST(a_damaged_file_is_read_or_refused)
{
    static const char right[] =
        "tool_permissions:\n"
        "  putMemory: {allowed_namespaces: [\"a.*\"], operations: [write], max_ttl_seconds: 9}\n"
        "  getContext: {allowed_context_types: [task], operations: [read]}\n"
        "agents: {ash: {tool_permissions: {putMemory: {}}}}\n"
        "gate: {ash: {belief: risky, all: no, ask: yes}}\n"
        "namespaces: {\"a.*\": {pii: off, max_items: 1, rate_limits: {getMemory: {burst: 1,\n"
        "  per_second: 2.5}}}}\n"
        "pii: {mask: no, patterns: {p: 'x+'}}\nshare: no\n";
    static const char bytes[] = "{}[]:,-*&'\"\n a1\xff#!|>%@\t";
    int read = 0, refused = 0;
    for (size_t at = 0; at < sizeof(right) - 1; at++)
        for (size_t how = 0; how < sizeof(bytes) + 2; how++) {
            char text[sizeof(right) + 1];
            struct config c;
            struct error e = {0};
            size_t len = sizeof(right) - 1;
            memcpy(text, right, sizeof(right));
            if (how < sizeof(bytes))
                text[at] = bytes[how];
            else if (how == sizeof(bytes))
                memmove(text + at, right + at + 1, --len - at);
            else
                len = at;
            config_init(&c);
            int failed = config_parse(&c, "test.yaml", text, len, &e);
            if (failed)
                assert_true(strncmp(e.what, "test.yaml line ", 15) == 0);
            read += !failed;
            refused += failed != 0;
            config_release(&c);
        }
    assert_true(read > 300 && refused > 2000);
}
