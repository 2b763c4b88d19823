/* The tables of commands; what commands print is in tests/cli. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "tui/cli/command.h"
#include "tests/support/story.h"

static void help_names_every_option(void **state)
{
    size_t count;
    const struct command *const *table = command_table(&count);
    (void)state;
    for (size_t i = 1; i < count; i++) {
        PROGRAM(&story.p, table[i]->name, "--help");
        assert_int_equal(story.p.status, 0);
        assert_int_equal(story.p.err_len, 0);
        STORY_SAYS(table[i]->about);
        for (const struct option_spec *o = command_options(table[i]); o && o->name; o++) {
            char option[64];
            snprintf(option, sizeof(option), "--%s", o->name);
            STORY_SAYS(option);
        }
    }
    PROGRAM(&story.p, "--help");
    for (size_t i = 1; i < count; i++)
        STORY_SAYS(table[i]->about);
}

/* The same option takes an argument in each command that has it, or in none: options may stand
 * before the command, where it is not known yet. */
static void options_agree_among_commands(void **state)
{
    size_t count;
    const struct command *const *table = command_table(&count);
    (void)state;
    for (size_t a = 0; a < count; a++)
        for (const struct option_spec *x = command_options(table[a]); x && x->name; x++)
            for (size_t b = 0; b < count; b++)
                for (const struct option_spec *y = command_options(table[b]); y && y->name; y++)
                    if (strcmp(x->name, y->name) == 0)
                        assert_int_equal(x->type == OPTION_FLAG, y->type == OPTION_FLAG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help_names_every_option),
        cmocka_unit_test(options_agree_among_commands),
    };
    return cmocka_run_group_tests(tests, story_open, story_close);
}
