/* The table of all commands, and `stemma help`, which prints from it. */
#include "tui/commands/commands.h"
#include "tui/cli/query_words.h"

#include <stdio.h>
#include <string.h>
#include "tui/text/embedded.h"
#include "tui/text/match.h"
#include "tui/text/style.h"

/* clang-format off */
static const struct command *const commands[] = {
    &cmd_open, &cmd_demo, &cmd_list, &cmd_show, &cmd_search,
    &cmd_graph, &cmd_whatif, &cmd_history, &cmd_diff, &cmd_orphans,
    &cmd_why, &cmd_blame, &cmd_roots, &cmd_confidence, &cmd_keystones,
    &cmd_taint, &cmd_duplicates, &cmd_conflicts, &cmd_stale, &cmd_resolve,
    &cmd_suspects, &cmd_forensics, &cmd_effects, &cmd_replaced, &cmd_why_not,
    &cmd_check, &cmd_trust, &cmd_add, &cmd_edit,
    &cmd_flag, &cmd_approve, &cmd_lock, &cmd_unlock, &cmd_promote,
    &cmd_reinforce, &cmd_replace, &cmd_revise, &cmd_consolidate, &cmd_seed,
    &cmd_cap_confidence, &cmd_repair_origins, &cmd_retract, &cmd_quarantine, &cmd_release,
    &cmd_restore, &cmd_forget, &cmd_purge, &cmd_undo, &cmd_redo,
    &cmd_chain, &cmd_sources, &cmd_cite, &cmd_responses, &cmd_document,
    &cmd_retrievals, &cmd_namespaces, &cmd_permissions, &cmd_serve, &cmd_mcp,
    &cmd_sessions, &cmd_log, &cmd_metrics, &cmd_import, &cmd_apply,
    &cmd_export, &cmd_fsck, &cmd_help,
};
/* clang-format on */

/* The headings of `stemma --help`, with the first command under each. */
static const struct command_group groups[] = {
    {"Explore", &cmd_open},
    {"Read", &cmd_list},
    {"Ask", &cmd_why},
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
    const char *topic = i->word_count ? i->words[0] : "";
    const struct command *command = command_find(&command_table, topic);
    if (i->word_count && strcmp(topic, "complete") == 0)
        command_complete(&i->out, &command_table, i->words + 1, i->word_count - 1);
    else if (i->word_count > 1)
        return error_set(e, ERROR_USAGE, "Usage: `stemma help COMMAND`.",
                         "'help' does not know what to do with '%.80s'", i->words[1]);
    else if (i->word_count == 0)
        command_help_all(&i->out, &command_table);
    else if (command)
        command_help(&i->out, command);
    else if (strcmp(topic, "config") == 0)
        print_config(&i->out);
    else if (strcmp(topic, "signs") == 0)
        command_help_signs(&i->out, SIGN_COUNT);
    else if (strcmp(topic, "query") == 0)
        query_words_help(&i->out.text);
    else if (strcmp(topic, "man") == 0)
        command_manual(&i->out, &command_table);
    else if (strcmp(topic, "man-config") == 0)
        command_manual_config(&i->out, embedded_find("config.yaml")->text);
    else if (!command_completion(&i->out, topic) &&
             !command_help_word(&i->out, &command_table, topic))
        return no_such_topic(topic, e);
    return 0;
}

const struct command cmd_help = {
    .name = "help",
    .words = "[COMMAND|WORD|query|config|signs|man|man-config|bash|zsh|fish]",
    .about = "explain a command, a word, queries, every setting, or the signs",
    .examples = "stemma help show\n"
                "stemma help cursor\n"
                "stemma help query\n"
                "stemma help config\n"
                "stemma help signs\n"
                "stemma help bash",
    .details = "`man` and `man-config` are the manual pages in roff; `bash`, `zsh` and `fish` the "
               "script with which that shell completes commands, options and their values. `make "
               "install` puts them where they belong.",
    .max_words = -1,
    .run = run_help,
};
