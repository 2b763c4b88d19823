#include "tui/cli/cmd.h"

#include <stdio.h>
#include <string.h>
#include "tui/text/embedded.h"
#include "tui/text/suggest.h"

/* The documentation of the settings is the default configuration itself. */
static void print_config(struct output *out)
{
    strbuf_addstr(&out->text, embedded_find("config.yaml")->text);
}

static int no_such_topic(const char *word, struct error *e)
{
    struct suggestion near = SUGGESTION_INIT(word);
    size_t count;
    const struct command *const *table = command_table(&count);
    char todo[100] = "`stemma help` lists the commands.";
    for (size_t n = 0; n < count; n++)
        suggest_consider(&near, table[n]->name);
    if (near.name)
        snprintf(todo, sizeof(todo), "Did you mean `stemma help %s`?", near.name);
    return error_set(e, ERROR_USAGE, todo, "there is no help on '%.80s'", word);
}

static int run_help(struct invocation *i, struct error *e)
{
    const struct command *command = i->word_count ? command_find(i->words[0]) : NULL;
    if (i->word_count == 0)
        command_help_all(&i->out);
    else if (command)
        command_help(&i->out, command);
    else if (strcmp(i->words[0], "config") == 0)
        print_config(&i->out);
    else
        return no_such_topic(i->words[0], e);
    return 0;
}

const struct command cmd_help = {
    .name = "help",
    .words = "[COMMAND|config]",
    .about = "what a command does and takes; config: every setting",
    .max_words = 1,
    .run = run_help,
};
