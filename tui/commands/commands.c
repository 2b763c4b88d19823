/* The table of all commands, and `stemma help`, which prints from it. */
#include "tui/commands/commands.h"
#include "tui/cli/words.h"

#include <stdio.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "store/query/known_names.h"
#include "store/query/ref.h"
#include "tui/cli/opening.h"
#include "tui/text/embedded.h"
#include "tui/text/match.h"
#include "tui/text/style.h"
#include "tui/text/text.h"

/* clang-format off */
static const struct command *const commands[] = {
    &cmd_open, &cmd_demo, &cmd_list, &cmd_search, &cmd_show,
    &cmd_graph, &cmd_whatif, &cmd_history, &cmd_diff, &cmd_trust,
    &cmd_sources, &cmd_cite, &cmd_responses, &cmd_retrievals,
    &cmd_why, &cmd_blame, &cmd_roots, &cmd_confidence, &cmd_keystones,
    &cmd_taint, &cmd_duplicates, &cmd_conflicts, &cmd_stale, &cmd_resolve,
    &cmd_suspects, &cmd_forensics, &cmd_effects, &cmd_replaced, &cmd_why_not,
    &cmd_review, &cmd_add, &cmd_edit,
    &cmd_flag, &cmd_approve, &cmd_lock, &cmd_unlock, &cmd_promote,
    &cmd_reinforce, &cmd_replace, &cmd_revise, &cmd_consolidate, &cmd_seed,
    &cmd_merge, &cmd_cap_confidence, &cmd_repair_origins, &cmd_retract, &cmd_quarantine, &cmd_release,
    &cmd_restore, &cmd_forget, &cmd_purge, &cmd_undo, &cmd_redo,
    &cmd_mcp, &cmd_serve, &cmd_sessions, &cmd_log, &cmd_metrics,
    &cmd_namespaces, &cmd_permissions,
    &cmd_check, &cmd_import, &cmd_apply, &cmd_export, &cmd_team, &cmd_push, &cmd_pull, &cmd_replay,
    &cmd_help,
    &cmd_chain, &cmd_document, &cmd_orphans, &cmd_fsck,
};
/* clang-format on */

/* The headings of `stemma --help`, with the first command under each. */
static const struct command_group groups[] = {
    {"Look", &cmd_open},  {"Ask", &cmd_why},         {"Change", &cmd_review},
    {"Agents", &cmd_mcp}, {"The store", &cmd_check}, {NULL, NULL},
};

/* What a person completes becomes part of a command line, so a name with a character that a shell reads otherwise, or
 * that a terminal does, is not offered. */
static bool is_plain(const char *name)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:/@+-";
    AUTO_STRBUF clean = STRBUF_INIT;
    text_add(&clean, name, TEXT_EXACT);
    if (strcmp(clean.buf ? clean.buf : "", name) != 0)
        return false;
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c < 0x80 ? !strchr(plain, *c) : utf8_space(c, strnlen(c, 4)) > 0)
            return false;
    return *name != '\0';
}

/* Of the store, the refs that begin as typed, newest first, with the beginning of their texts. */
static int offer_known(struct reader *r, const char *prefix, name_offer *offer, void *arg,
                       struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct ref found[KNOWN_NAMES_MAX];
    struct memory_row row;
    const char *colon = strchr(prefix, ':');
    size_t typed = colon ? (size_t)(colon - prefix) : strlen(prefix), count;
    unsigned kinds = 0;
    int64_t total;
    for (int kind = 0; kind < KIND_COUNT; kind++)
        if (strncmp(kind_name((enum kind)kind), prefix, typed) == 0)
            kinds |= KIND_BIT(kind);
    const char *id = colon ? colon + 1 : kinds ? "" : prefix;
    if (known_ids(r, kinds ? kinds : KINDS_ALL, id, &arena, found, &count, &total, e))
        return -1;
    for (size_t n = 0; n < count; n++) {
        AUTO_STRBUF text = STRBUF_INIT;
        const char *ref = ref_short(r, &arena, found[n]);
        int64_t node = ref_resolve(r, ref, e);
        if (node < 0 || memory_row_read(r, &arena, node, &row, e))
            return -1;
        text_fit(&text, row.text, strlen(row.text), 60, 0);
        if (is_plain(ref))
            offer(arg, kinds ? ref : strchr(ref, ':') + 1, text.buf);
    }
    return 0;
}

static int offer_agent_names(struct reader *r, const char *prefix, name_offer *offer, void *arg,
                             struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    const char *found[KNOWN_NAMES_MAX];
    size_t count;
    int64_t total;
    if (known_agents(r, prefix, &arena, found, &count, &total, e))
        return -1;
    for (size_t n = 0; n < count; n++)
        if (is_plain(found[n]))
            offer(arg, found[n], NULL);
    return 0;
}

static void offer_of(const char *store, const char *prefix, name_offer *offer, void *arg,
                     int (*names)(struct reader *r, const char *prefix, name_offer *offer,
                                  void *arg, struct error *e))
{
    struct invocation i = {.command = &cmd_help};
    struct opened o = {0};
    struct error ignored;
    if (!config_load(&i.config, NULL, &ignored) && !opening_open(&i, store, false, &o, &ignored))
        (void)names(o.reader, prefix, offer, arg, &ignored);
    opening_close(&o);
    command_release(&i);
}

static void offer_refs(const char *store, const char *prefix, name_offer *offer, void *arg)
{
    offer_of(store, prefix, offer, arg, offer_known);
}

static void offer_agents(const char *store, const char *prefix, name_offer *offer, void *arg)
{
    offer_of(store, prefix, offer, arg, offer_agent_names);
}

const struct command_table command_table = {
    commands, sizeof(commands) / sizeof(commands[0]), groups, offer_refs, offer_agents,
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
    else if (strcmp(topic, "man-tutorial") == 0)
        command_manual_tutorial(&i->out, embedded_find("docs/tutorial.txt")->text);
    else if (strcmp(topic, "tutorial") == 0)
        strbuf_addstr(&i->out.text, embedded_find("docs/tutorial.txt")->text);
    else if (!command_completion(&i->out, topic) &&
             !command_help_word(&i->out, &command_table, topic))
        return no_such_topic(topic, e);
    return 0;
}

const struct command cmd_help = {
    .name = "help",
    .words = "[COMMAND|WORD|tutorial|query|config|signs|man|man-config|man-tutorial|bash|zsh|fish]",
    .about = "explain a command, a word, queries, every setting, or the signs; a tutorial",
    .examples = "stemma help tutorial\n"
                "stemma help show\n"
                "stemma help cursor\n"
                "stemma help query\n"
                "stemma help config\n"
                "stemma help signs\n"
                "stemma help bash",
    .details = "`man`, `man-config` and `man-tutorial` are the manual pages in roff; `bash`, `zsh` "
               "and `fish` the script with which that shell completes commands, options and their "
               "values. `make install` puts them where they belong.",
    .max_words = -1,
    .pages = true,
    .run = run_help,
};
