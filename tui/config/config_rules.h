/* The rules that a configuration sets for agents, read again when its file changes (struct config_rules). */
#ifndef STEMMA_CONFIG_RULES_H
#define STEMMA_CONFIG_RULES_H

#include "store/guard/guard.h"
#include "tui/config/config.h"

/* Appends the whole file; `stamp` is what it was before the first byte was read. 1 where there is none. */
int config_file_read(const char *path, struct strbuf *out, struct config_stamp *stamp,
                     struct error *e);

struct config_rules;
/*
 * From a configuration that was loaded, whose place is remembered, and which must outlive the rules and whoever holds
 * any. NULL with `e` where a pattern is wrong. The caller's; whoever asks it must have ended before it is closed.
 */
struct config_rules *config_rules_open(const struct config *c, struct error *e);
void config_rules_close(struct config_rules *rules); /* NULL is allowed */
/* From here on nothing is said on standard error, which is the screen: config_rules_take_note has it. */
void config_rules_hush(struct config_rules *rules);
/* What would have been said there since the last call, the newest of it; free() it. NULL: nothing. From any thread. */
char *config_rules_take_note(struct config_rules *rules);

/*
 * The rules that hold by now, held for the caller: mcp_server_options.rules. From any thread. One look at the
 * file's times and size, so that no call is answered from before a change. Where the file is wrong by now, or
 * gone, or has just been emptied to be written, what it said before goes on to hold, and a note on standard
 * error says why, once for each reason. So it does where the file now has another value for a setting that is read at
 * the start alone.
 */
struct guard_rules *config_rules_now(void *rules);
/* Why what is in the file does not hold, as it was when last looked at; false: it does. From any thread. */
bool config_rules_wrong(struct config_rules *rules, struct error *why);

#endif
