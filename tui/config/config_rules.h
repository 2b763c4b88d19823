/* The rules that a configuration sets for agents, reloaded when its file changes (struct config_rules). */
#ifndef STEMMA_CONFIG_RULES_H
#define STEMMA_CONFIG_RULES_H

#include "store/guard/guard.h"
#include "tui/config/config.h"

/* Appends the whole file. `state` is taken before the first byte is read. Returns 0, 1 if the file does not exist, or
 * -1 and sets `e`. */
int config_file_read(const char *path, struct strbuf *out, struct file_state *state,
                     struct error *e);

struct config_rules;
/*
 * Makes rules from a loaded configuration, which must outlive the rules and all references to them. Remembers the
 * path of its file. Returns NULL and sets `e` if a pattern is invalid. The caller closes it, after all users of
 * config_rules_now have ended.
 */
struct config_rules *config_rules_open(const struct config *c, struct error *e);
void config_rules_close(struct config_rules *rules); /* `rules` may be NULL */
/*
 * For a program that takes the whole configuration, not only the rules: `check` checks it before anything is taken
 * (config_check), and config_rules_take hands it over. Notes name what is taken, and what only the next start takes.
 * They are no longer written to standard error, since the program has the terminal: config_rules_take_note returns
 * them. Call it before config_rules_now.
 */
void config_rules_whole(struct config_rules *rules,
                        int (*check)(const struct config *c, struct error *e));
/* The newest configuration that was accepted since the last call, without its permissions. The caller releases and
 * frees it. NULL if there is none. */
struct config *config_rules_take(struct config_rules *rules);
/* Reads the file, whether it seems changed or not. */
void config_rules_reload(struct config_rules *rules);
/* The newest note since the last call, which the caller frees; NULL if none. May be called from any thread. */
char *config_rules_take_note(struct config_rules *rules);

/*
 * Returns the current rules with a reference for the caller; for mcp_server_options.rules. May be called from any
 * thread. Checks the file's times and size each time, so that no call is answered with rules from before a change. If
 * the file is invalid, missing, or was just emptied to be rewritten, the previous rules stay in force; a note reports
 * each reason once. A note also reports changes of settings that are read only at the start.
 */
struct guard_rules *config_rules_now(void *rules);
/* Returns true and sets `why` if the file, when last checked, was not accepted. May be called from any thread. */
bool config_rules_wrong(struct config_rules *rules, struct error *why);

#endif
