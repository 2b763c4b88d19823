/* The tables of commands. tests/cli has what commands print. */
#include "tests/support/test.h"
#include "tui/commands/commands.h"
#include "tests/support/story.h"

GROUP(story_open, story_close);

TEST(help_names_every_option)
{
    const struct command *const *table = command_table.commands;
    for (size_t i = 1; i < command_table.count; i++) {
        PROGRAM(&story.p, table[i]->name, "--help");
        assert_int_equal(story.p.status, 0);
        assert_int_equal(story.p.err_len, 0);
        STORY_OUT_HAS(table[i]->about);
        for (const struct option_spec *o = command_options(table[i]); o && o->name; o++) {
            char option[64];
            if (!o->about) /* taken, and of no use: --yes where nothing is asked */
                continue;
            snprintf(option, sizeof(option), "--%s", o->name);
            STORY_OUT_HAS(option);
        }
    }
}

/* An alias keeps working and has its own help, but only the command that it stands for is listed. */
TEST(help_lists_every_command_but_aliases)
{
    const struct command *const *table = command_table.commands;
    PROGRAM(&story.p, "--help");
    for (size_t i = 1; i < command_table.count; i++) {
        char line[64];
        snprintf(line, sizeof(line), "\n  stemma %s", table[i]->name);
        const char *at = strstr(story.p.out, line);
        while (at && !strchr(" \n", at[strlen(line)])) /* not `why-not` for `why` */
            at = strstr(at + 1, line);
        if ((at == NULL) != table[i]->is_alias)
            fail_msg("%s is %slisted", table[i]->name, at ? "" : "not ");
    }
    for (const struct command_group *g = command_table.groups; g->title; g++)
        STORY_OUT_HAS(g->title);
}

/* An option takes an argument in every command or in none, since options may come before the command. */
TEST(options_agree_among_commands)
{
    const struct command *const *table = command_table.commands;
    for (size_t a = 0; a < command_table.count; a++)
        for (const struct option_spec *x = command_options(table[a]); x && x->name; x++)
            for (size_t b = 0; b < command_table.count; b++)
                for (const struct option_spec *y = command_options(table[b]); y && y->name; y++)
                    if (strcmp(x->name, y->name) == 0)
                        assert_int_equal(x->type == OPTION_FLAG, y->type == OPTION_FLAG);
}

/* Returns the next word of the line, which may be quoted, and changes the line. */
static int split(char *line, char **words, int most)
{
    int count = 0;
    while (*line && count < most) {
        bool quoted = *line == '"';
        words[count++] = line += quoted;
        line += strcspn(line, quoted ? "\"" : " ");
        if (*line)
            *line++ = '\0';
        line += strspn(line, " ");
    }
    return count;
}

/* Checks "stemma show REF --trace": its command takes these words and options. */
static void check_example(const struct command *of, const char *text, size_t len)
{
    char line[200], *words[20];
    struct invocation i = {.command = NULL};
    struct error e = {0};
    assert_true(len > 0 && len < sizeof(line));
    snprintf(line, sizeof(line), "%.*s", (int)len, text);
    char *input = strstr(line, " < "); /* for the shell */
    if (input)
        *input = '\0';
    int count = split(line, words, 20);
    assert_string_equal(words[0], "stemma");
    if (command_parse(&i, &command_table, count, words, &e))
        fail_msg("%.*s: %s", (int)len, text, e.what);
    if (i.command != of)
        fail_msg("%.*s is of %s", (int)len, text, i.command->name);
    command_release(&i);
}

TEST(each_example_of_a_command_is_valid)
{
    const struct command *const *table = command_table.commands;
    for (size_t i = 0; i < command_table.count; i++) {
        const char *line = table[i]->examples;
        assert_non_null(line);
        for (size_t len; *line; line += len + (line[len] == '\n')) {
            len = strcspn(line, "\n");
            check_example(table[i], line, len);
        }
    }
}
