/*
 * The command line: a command is a const table entry. Its option table drives the parser and `--help`; arguments are
 * checked against it before the command runs.
 *
 * To add a command, define a `struct command` in a file tui/commands/cmd_*.c and add it to commands.h and commands.c
 * there. A command that carries out an operation needs no options of its own: they are made from the operation's
 * parameters (store/ops/operation.h).
 */
#ifndef STEMMA_COMMAND_H
#define STEMMA_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include "model/base/arena.h"
#include "model/base/error.h"
#include "store/ops/operation.h"
#include "tui/config/config.h"
#include "tui/text/output.h"

enum option_type {
    OPTION_FLAG = 0,
    OPTION_TEXT,
    OPTION_LIST,   /* may be given several times */
    OPTION_INT,    /* from `min` to `max` */
    OPTION_NUMBER, /* from `min` to `max` */
    OPTION_CHOICE, /* one of `choice(0)`, `choice(1)`, … until NULL, or of `kinds` */
};

struct option_spec {
    const char *name; /* "limit" for --limit */
    const char *also; /* other names, separated by blanks, not in the help; may be NULL */
    char letter;      /* 'o' for -o; 0 if none */
    enum option_type type;
    const char *argument; /* "N"; NULL for a flag */
    const char *about;    /* NULL: accepted, but not in the help */
    double min, max;
    const char *(*choice)(int i);
    unsigned kinds; /* KIND_BIT()s; 0 to use `choice` */
    bool words;     /* OPTION_LIST: all words up to the next option belong to it */
    bool input;     /* OPTION_TEXT: "-" means standard input */
};
/* clang-format off */
#define OPTION_END {0}
#define OPT_FLAG(name_, about_) {.name = name_, .about = about_}
#define OPT_TEXT(name_, argument_, about_) \
    {.name = name_, .type = OPTION_TEXT, .argument = argument_, .about = about_}
#define OPT_LIST(name_, argument_, about_) \
    {.name = name_, .type = OPTION_LIST, .argument = argument_, .about = about_}
#define OPT_INT(name_, argument_, min_, max_, about_) \
    {.name = name_, .type = OPTION_INT, .argument = argument_, .min = min_, .max = max_, .about = about_}
#define OPT_CHOICE(name_, argument_, choice_, about_) \
    {.name = name_, .type = OPTION_CHOICE, .argument = argument_, .choice = choice_, .about = about_}
/* clang-format on */

/* For every command that reads: opens the store as of a time. */
#define OPT_AS_OF                                                                                  \
    OPT_TEXT("as-of", "TIME",                                                                      \
             "the store as it was then: a date (its first moment, UTC), ISO 8601, \"2 days "       \
             "ago\", \"last week\", or an event as @123")
/* Only OPT_AS_OF. */
extern const struct option_spec as_of_options[];
#define OPT_AGENT         OPT_TEXT("agent", "A", "only this agent's memories")
#define OPT_CLAIMS        OPT_TEXT("claims", "A", "only those whose author claims to be A")
#define OPT_LIMIT(about_) OPT_INT("limit", "N", 1, 1e9, about_)

struct invocation;
struct reader;
struct command {
    const char *name;
    /* As shown in the usage, which says how many it takes: "REF [FILE]"; "…" and QUERY are any number. */
    const char *words;
    const char *about;    /* one line */
    const char *examples; /* command lines separated by line feeds */
    const char *details;  /* paragraphs of its help; may be NULL */
    void (*add_details)(
        struct strbuf *out); /* appends more paragraphs, made from a table; may be NULL */
    bool pages;    /* on a terminal a long output goes through the pager, as always with `read` */
    bool is_alias; /* another command does what it does; it keeps working, and is not listed */
    bool signs;    /* its help explains the signs of labels */
    const struct option_spec *options; /* ends with OPTION_END; NULL for only the common options */
    int max_words;                     /* max_words -1: any number, whatever `words` shows */
    /* It carries out `op`. The operation's parameters become words and options, in addition to its own. */
    bool operates;
    enum operation op;
    /* Checks the command line before the store is opened. Returns -1 and sets `e`. May be NULL. */
    int (*check)(const struct invocation *i, struct error *e);
    /* Returns the exit status, or -1 and sets `e`. The caller flushes the output. */
    int (*run)(struct invocation *i, struct error *e);
    /* The same with the store open for reading; used instead of `run`. */
    int (*read)(struct invocation *i, struct reader *r, struct error *e);
};
/* The command's own options and those of its operation, ended by OPTION_END. */
const struct option_spec *command_options(const struct command *command);

struct option_value {
    const struct option_spec *spec;
    const char *text;
    double number; /* the value of OPTION_INT and OPTION_NUMBER, the index of OPTION_CHOICE */
};

/* One run of a command: its checked arguments. command_release frees everything. */
struct invocation {
    const struct command *command;
    const char *program; /* argv[0] */
    struct option_value *values;
    size_t value_count;
    const char **words;
    size_t word_count;
    struct config config;
    struct output out;
    struct arena arena;
    int ended_by; /* signal that ended the explorer and then ends the program; 0 if none */
};

struct command_group {
    const char *title;
    const struct command *first;
};

typedef void name_offer(void *arg, const char *name, const char *about);
/* Calls `offer` for names that begin with `prefix`, in the store at `store` (NULL: the usual one). Silent if the store
 * cannot be read. */
typedef void names_offer(const char *store, const char *prefix, name_offer *offer, void *arg);

/* All commands in the order of `stemma --help`. The first is the explorer, whose name is "". */
struct command_table {
    const struct command *const *commands;
    size_t count;
    /* The headings of `stemma --help`, with the first command under each, ended by NULLs. */
    const struct command_group *groups;
    names_offer *refs, *agents; /* refs with their texts */
};
/* Returns NULL if there is no command of that name. */
const struct command *command_find(const struct command_table *t, const char *name);

/*
 * Parses the arguments. Options may be anywhere; `--` ends them. The first word is a command or,
 * if there is no such command, the path of a store (it contains '/' or exists). Returns -1 and sets ERROR_USAGE, with
 * a hint.
 */
int command_parse(struct invocation *i, const struct command_table *t, int argc, char **argv,
                  struct error *e);
void command_release(struct invocation *i);

/* Values of options. `name` must be an option of the command or a common one. */
bool option_given(const struct invocation *i, const char *name);
/* The last value; NULL if not given. */
const char *option_text(const struct invocation *i, const char *name);
double option_number(const struct invocation *i, const char *name, double otherwise);
int option_choice(const struct invocation *i, const char *name, int otherwise);
/* All values of an OPTION_LIST in order, in the arena. Sets *count. */
const char **option_list(struct invocation *i, const char *name, size_t *count);

/* Appends the help of one command, and of the program. */
void command_help(struct output *out, const struct command *command);
void command_help_all(struct output *out, const struct command_table *t);
/* Lists the commands that speak of a word: on their line, or else anywhere in their help. Returns false if none
 * does. */
bool command_help_word(struct output *out, const struct command_table *t, const char *word);
/* Explains the first `count` signs: those of labels, or all. */
void command_help_signs(struct output *out, int count);
/* Append the manual page stemma(1), and stemma-config(5) with the text of the default configuration, in roff. */
void command_manual(struct output *out, const struct command_table *t);
void command_manual_config(struct output *out, const char *config);
/* The same for stemma-tutorial(7), from docs/tutorial.txt. */
void command_manual_tutorial(struct output *out, const char *tutorial);

/* Appends what the last of the words after "stemma" may become: lines of a candidate, a tab and what it is. */
void command_complete(struct output *out, const struct command_table *t, const char *const *words,
                      size_t count);
/* Appends the completion script of bash, zsh or fish. False if `shell` is another word. */
bool command_completion(struct output *out, const char *shell);

/* ---- what the parser, help and completion share ---- */

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
