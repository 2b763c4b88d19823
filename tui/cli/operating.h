/*
 * Commands that carry out an operation. The changes are shown first if the operation or the person asks for it;
 * exactly what was shown is then done.
 */
#ifndef STEMMA_OPERATING_H
#define STEMMA_OPERATING_H

#include "model/base/error.h"
#include "model/base/strbuf.h"
#include "store/ops/operation.h"
#include "store/record/get.h"
#include "tui/cli/command.h"

/* Texts for the help of commands whose operation asks for confirmation, and for its JSON output. */
#define OPERATING_CONFIRMED                                                                        \
    "On a terminal you are asked for confirmation; elsewhere nothing is done without --yes (exit " \
    "status 4). --dry-run only shows the changes. Only what was shown is done: if a memory "       \
    "changed meanwhile, nothing is done and the new changes are shown.\n\n"
#define OPERATING_SHOWS "The changes are shown first. " OPERATING_CONFIRMED
#define OPERATING_ASKS                                                                             \
    "The changes are shown first: which memories would lose all support, be weakened, or lose an " \
    "ancestor only. " OPERATING_CONFIRMED
#define OPERATING_JSON                                                                             \
    "--json: {operation, done, changes: [{ref, operation, event, version, reason, before, "        \
    "after}], loses_all_support, weakened, descends, left, remarks}; before and after are what "   \
    "differs."

/*
 * Carries out an operation as the person who types, with its parameters taken from words and options. Writes the
 * result to i->out. Returns the exit status, or -1 and sets `e`.
 */
int operating_run(struct invocation *i, enum operation op, struct error *e);
/* The same for the command's own operation. */
int operating_command(struct invocation *i, struct error *e);

/* Asks the person to confirm what was written to `out`: "Shall it be DONE?". Returns -1 and sets ERROR_REFUSED if the
 * answer is not yes, or nobody can be asked. */
int operating_confirm(struct output *out, const char *done, struct error *e);

/* True if the parameter takes all remaining words ("REF…"). */
bool param_takes_all(const struct param *p);
/* The command's own options, then those of its operation. Valid for the life of the program. */
const struct option_spec *operating_options(const struct command *command);

/* Checks the name of an agent; NULL (not given) is valid. Returns -1 and sets ERROR_USAGE. */
int check_agent_name(const char *name, struct error *e);

/* Appends the word, or for `-` standard input without its final line end. */
int typed_text(const char *word, struct strbuf *text, struct error *e);
/* Appends the whole file; `-` is standard input. At most 64 MiB. */
int typed_file(const char *path, struct strbuf *text, struct error *e);

#endif
