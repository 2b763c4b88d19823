/* A configuration that is wrong is an error wherever it is read, and stands in nobody's way to help. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "tests/support/story.h"

static char config[300];

static void configure(const char *text)
{
    story_path(config, sizeof(config), "config.yaml");
    story_write(config, text);
}

static void every_command_refuses_what_is_wrong(void **state)
{
    static const struct {
        const char *text, *tells;
    } wrong[] = {
        {"color: auto\ntheme: nosuch\n", "config.yaml line 2: there is no theme `nosuch`"},
        {"theme: /dev/null/none\n", "config.yaml line 1: there is no theme"},
        {"theme: {a: b}\n", "config.yaml line 1: theme takes a single value"},
        {"mouse: 3\n", "config.yaml line 1: 'mouse' takes "},
        {"escape_delay: 1.5\n", "config.yaml line 1: 'escape_delay' takes a whole number"},
        {"keys:\n  fly: x\n", "config.yaml line 2: there is no action `fly`"},
        {"keys:\n  quit: Hyper\n", "config.yaml line 2: there is no key `Hyper`"},
        {"keys:\n  mark: m\n  quit: [x, C-x, x]\n",
         "config.yaml line 3: the key x stands twice for `quit`"},
        {"keys:\n  quit: x\n  mark: z\n  help: x\n",
         "config.yaml line 4: the key x is bound to both"},
        {"keys:\n  help: x\n  mark: z\n  quit: x\n",
         "config.yaml line 4: the key x is bound to both"},
        {"keys:\n  quit: ['']\n", "config.yaml line 2: a key of 'quit' is empty"},
        {"tool_permissions:\n  putMemory: {operation: [write]}\n",
         "config.yaml line 2: there is no part of a grant 'operation'; did you mean 'operations'?"},
        {"pii:\n  patterns:\n    a: x\n    b: '(y'\n", "config.yaml line 4: "},
    };
    static const char *const commands[][2] = {{"list", "all"}, {"orphans"}, {"export"}};
    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        configure(wrong[i].text);
        for (size_t n = 0; n < 3; n++) {
            STORY("--config", config, commands[n][0], commands[n][1]);
            assert_int_equal(story.p.status, 3);
            assert_int_equal(story.p.out_len, 0);
            STORY_TELLS(wrong[i].tells);
        }
    }
}

static void what_is_right_is_taken(void **state)
{
    static const char *const right[] = {"", "theme: mono\nkeys: {quit: [x, C-x], mouse: []}\n",
                                        "keys:\n", "theme:\n"};
    (void)state;
    for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++) {
        configure(right[i]);
        STORY("--config", config, "list", "values");
        assert_int_equal(story.p.status, 0);
        assert_int_equal(story.p.err_len, 0);
    }
}

static void a_broken_one_does_not_stand_in_the_way_of_help(void **state)
{
    static const char *const asked[][2] = {
        {"--version"}, {"--help"}, {"list", "--help"}, {"help", "config"}};
    (void)state;
    configure("{[");
    for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
        STORY("--config", config, asked[i][0], asked[i][1]);
        assert_int_equal(story.p.status, 0);
        assert_int_equal(story.p.err_len, 0);
        assert_true(story.p.out_len > 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_refuses_what_is_wrong),
        cmocka_unit_test(what_is_right_is_taken),
        cmocka_unit_test(a_broken_one_does_not_stand_in_the_way_of_help),
    };
    setlocale(LC_CTYPE, "C.UTF-8");
    return cmocka_run_group_tests(tests, story_open, story_close);
}
