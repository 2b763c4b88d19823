/*
 * How a command carries out an operation: what it would change is shown where the operation asks or the
 * person does, and what was shown is what is done.
 */
#ifndef STEMMA_OPERATING_H
#define STEMMA_OPERATING_H

#include "model/base/error.h"
#include "model/base/strbuf.h"
#include "store/db/store.h"
#include "store/ops/operation.h"
#include "store/record/get.h"
#include "tui/cli/command.h"
#include "tui/cli/opening.h"

/* What a command's help says of an operation that asks, and of what it answers. */
#define OPERATING_ASKS                                                                             \
    "What would change is shown first: what falls, what is weakened, what only descends. On a "    \
    "terminal you are asked then; elsewhere nothing is done without --yes (exit status 4), and "   \
    "--dry-run only shows it. What was shown is what is done: if the memory changed meanwhile, "   \
    "nothing is, and what it would be now is shown.\n\n"
#define OPERATING_JSON                                                                             \
    "--json: {operation, done, changes: [{ref, operation, event, version, reason, before, "        \
    "after}], falls, weakened, descends, left, remarks}; before and after are what differs."

/*
 * Carries out an operation with the words and options that were given for its parameters, as the person who types;
 * what it did is written to i->out. The exit status, or -1 with `e`.
 */
int operating_run(struct invocation *i, enum operation op, struct error *e);
/* The same, of the command's own operation. */
int operating_command(struct invocation *i, struct error *e);

/* Does the parameter take all words that are left? */
bool param_takes_all(const struct param *p);
/* The command's own options, then those of its operation. */
const struct option_spec *operating_options(const struct command *command);

/* Has the agent a name that can be read? `name` may be NULL: it was not given. */
int check_agent_name(const char *name, struct error *e);

/* Text that is given as a word, or on standard input, or in a file. */

/* The word; `-` is standard input, without the line end that closes it. */
int typed_text(const char *word, struct strbuf *text, struct error *e);
/* The whole file; `-` is standard input. */
int typed_file(const char *path, struct strbuf *text, struct error *e);

/* Which chain is meant by what was typed. */

/*
 * The row of a chain, or of a step that is part of one, as its ref was typed. -1: ERROR_NOT_FOUND where there
 * is none, it was never written, or the step is part of no chain; ERROR_USAGE where it is ambiguous, or
 * another kind of memory.
 */
int64_t chain_typed(struct reader *r, const char *word, struct error *e);

/* ERROR_NOT_FOUND for a stub: what was typed is named by others only, or was not there yet. */
int check_written(struct reader *r, const struct memory_row *row, const char *word,
                  struct error *e);

#endif
