#include "cmd.h"

#include <string.h>
#include "embedded.h"

/* The documentation of the settings is the default configuration itself. */
static void print_config(struct output *out)
{
    for (const struct embedded_file *f = embedded_files; f->path; f++)
        if (strcmp(f->path, "config.yaml") == 0)
            strbuf_add(&out->text, f->text, f->len);
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
        return error_set(e, ERROR_USAGE, "`stemma help` lists the commands.",
                         "there is no help on '%.80s'", i->words[0]);
    return 0;
}

const struct command cmd_help = {
    .name = "help",
    .words = "[COMMAND|config]",
    .about = "what a command does and takes; config: every setting",
    .max_words = 1,
    .run = run_help,
};
