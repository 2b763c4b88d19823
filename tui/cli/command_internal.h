/* What the parser of the command line, help and completion share. */
#ifndef STEMMA_COMMAND_INTERNAL_H
#define STEMMA_COMMAND_INTERNAL_H

#include "tui/cli/command.h"

/* The options of every command, ended by OPTION_END. */
extern const struct option_spec common_options[];

/* The i-th value that the option takes; NULL after the last. */
const char *choice_of(const struct option_spec *o, int i);
/* Finds an option of the command by a name or its letter. Returns NULL if there is none. */
const struct option_spec *find_option(const struct command *command, const char *name, size_t len);
/* Appends "stemma list KIND|all". */
void command_term(struct strbuf *term, const struct command *c);

/* An argument that is an option: `--name`, `--name=value`, `-n`, `-nvalue`. */
struct option_word {
    const char *name;
    size_t len;
    const char *value; /* value in the same argument, or NULL */
};
/* True if the argument is an option. `-` alone is a word. */
bool read_option_word(const char *arg, struct option_word *w);

#endif
