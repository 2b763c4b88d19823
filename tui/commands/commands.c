/* The table of all commands, and `stemma help`, which prints from it. */
#include "tui/commands/commands.h"

#include <stdio.h>
#include <string.h>
#include "tui/text/embedded.h"
#include "tui/text/match.h"
#include "tui/text/style.h"

static const struct command *const commands[] = {
    &cmd_open,           &cmd_demo,     &cmd_list,        &cmd_show,       &cmd_search,
    &cmd_graph,          &cmd_whatif,   &cmd_history,     &cmd_diff,       &cmd_orphans,
    &cmd_check,          &cmd_trust,    &cmd_add,         &cmd_edit,       &cmd_flag,
    &cmd_approve,        &cmd_lock,     &cmd_unlock,      &cmd_promote,    &cmd_reinforce,
    &cmd_replace,        &cmd_revise,   &cmd_consolidate, &cmd_seed,       &cmd_cap_confidence,
    &cmd_repair_origins, &cmd_retract,  &cmd_restore,     &cmd_forget,     &cmd_purge,
    &cmd_undo,           &cmd_redo,     &cmd_chain,       &cmd_sources,    &cmd_cite,
    &cmd_responses,      &cmd_document, &cmd_retrievals,  &cmd_namespaces, &cmd_permissions,
    &cmd_serve,          &cmd_mcp,      &cmd_sessions,    &cmd_log,        &cmd_metrics,
    &cmd_import,         &cmd_export,   &cmd_fsck,        &cmd_help,
};

/* The headings of `stemma --help`, with the first command under each. */
static const struct command_group groups[] = {
    {"Explore", &cmd_open},
    {"Read", &cmd_list},
    {"Change", &cmd_add},
    {"Undo", &cmd_retract},
    {"Chains of thought and their sources", &cmd_chain},
    {"Entries that agents share", &cmd_namespaces},
    {"Agents", &cmd_serve},
    {"The store", &cmd_import},
    {"Help", &cmd_help},
    {NULL, NULL},
};

const struct command_table command_table = {
    commands,
    sizeof(commands) / sizeof(commands[0]),
    groups,
};

/* The default configuration is the documentation of the settings. */
static void print_config(struct output *out)
{
    strbuf_addstr(&out->text, embedded_find("config.yaml")->text);
}

static int no_such_topic(const char *word, struct error *e)
{
    struct suggestion near = SUGGESTION_INIT(word);
    char hint[100] = "`stemma help` lists the commands.";
    for (size_t n = 0; n < command_table.count; n++)
        suggest_consider(&near, command_table.commands[n]->name);
    if (near.name)
        snprintf(hint, sizeof(hint), "Did you mean `stemma help %s`?", near.name);
    return error_set(e, ERROR_USAGE, hint, "there is no help for '%.80s'", word);
}

static int run_help(struct invocation *i, struct error *e)
{
    const struct command *command =
        i->word_count ? command_find(&command_table, i->words[0]) : NULL;
    if (i->word_count == 0)
        command_help_all(&i->out, &command_table);
    else if (command)
        command_help(&i->out, command);
    else if (strcmp(i->words[0], "config") == 0)
        print_config(&i->out);
    else if (strcmp(i->words[0], "signs") == 0)
        command_help_signs(&i->out, SIGN_COUNT);
    else if (!command_help_word(&i->out, &command_table, i->words[0]))
        return no_such_topic(i->words[0], e);
    return 0;
}

const struct command cmd_help = {
    .name = "help",
    .words = "[COMMAND|WORD|config|signs]",
    .about = "explain a command, a word, every setting, or the signs",
    .examples = "stemma help show\n"
                "stemma help cursor\n"
                "stemma help config\n"
                "stemma help signs",
    .max_words = 1,
    .run = run_help,
};
