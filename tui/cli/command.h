/*
 * The commands: a table entry for each. Its option table makes the parser and `--help`; what is
 * typed is checked against it before the command runs.
 *
 * A new command is a `struct command` in a file tui/commands/cmd_*.c, and a line in cmd.h. One that carries out an
 * operation needs no options of its own: they are made from the operation's parameters (store/ops/operation.h).
 */
#ifndef STEMMA_COMMAND_H
#define STEMMA_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/arena.h"
#include "model/base/error.h"
#include "store/ops/operation.h"
#include "tui/config/config.h"
#include "tui/text/output.h"

enum option_type {
    OPTION_FLAG = 0,
    OPTION_TEXT,
    OPTION_LIST,   /* may stand several times */
    OPTION_INT,    /* from `min` to `max` */
    OPTION_NUMBER, /* from `min` to `max` */
    OPTION_CHOICE, /* one of `choice(0)`, `choice(1)`, … until NULL, or of `kinds` */
};

struct option_spec {
    const char *name; /* "limit" for --limit */
    char letter;      /* 'o' for -o as well; 0: none */
    enum option_type type;
    const char *argument; /* "N"; NULL for a flag */
    const char *about;
    double min, max;
    const char *(*choice)(int i);
    unsigned kinds; /* KIND_BIT()s; 0: `choice` says them */
    bool words;     /* OPTION_LIST: the words behind it, up to the next option, are more of them */
    bool input;     /* OPTION_TEXT: - is standard input */
};
#define OPTION_END                                                                                 \
    {                                                                                              \
        0                                                                                          \
    }

#define OPT_FLAG(name_, about_)                                                                    \
    {                                                                                              \
        .name = name_, .about = about_                                                             \
    }
#define OPT_TEXT(name_, argument_, about_)                                                         \
    {                                                                                              \
        .name = name_, .type = OPTION_TEXT, .argument = argument_, .about = about_                 \
    }
#define OPT_LIST(name_, argument_, about_)                                                         \
    {                                                                                              \
        .name = name_, .type = OPTION_LIST, .argument = argument_, .about = about_                 \
    }
#define OPT_INT(name_, argument_, min_, max_, about_)                                              \
    {                                                                                              \
        .name = name_, .type = OPTION_INT, .argument = argument_, .min = min_, .max = max_,        \
        .about = about_                                                                            \
    }
#define OPT_CHOICE(name_, argument_, choice_, about_)                                              \
    {                                                                                              \
        .name = name_, .type = OPTION_CHOICE, .argument = argument_, .choice = choice_,            \
        .about = about_                                                                            \
    }

/* For every command that reads: the store is then opened as it was. */
#define OPT_AS_OF                                                                                  \
    OPT_TEXT("as-of", "TIME",                                                                      \
             "the store as it was then: a date (its first moment, UTC), ISO 8601, \"2 days "       \
             "ago\", or an event as @123")
/* That one alone. */
extern const struct option_spec as_of_options[];
#define OPT_AGENT         OPT_TEXT("agent", "A", "only this agent's memories")
#define OPT_LIMIT(about_) OPT_INT("limit", "N", 1, 1e9, about_)

struct invocation;
struct reader;
struct command {
    const char *name;
    const char *words;                 /* as usage shows them: "KIND|all" */
    const char *about;                 /* one line */
    const char *examples;              /* command lines, with line feeds between them */
    const char *details;               /* paragraphs for its help, or NULL */
    bool signs;                        /* its help explains the signs of labels */
    const struct option_spec *options; /* ends with OPTION_END; NULL: only the common ones */
    int min_words, max_words;          /* max -1: no limit */
    /* It carries out `op`, whose parameters are its words, and options next to its own. */
    bool operates;
    enum operation op;
    /* What is wrong with the command line, before the store is opened; NULL: nothing. */
    int (*check)(const struct invocation *i, struct error *e);
    /* The exit status, or -1 with `e`. What it wrote is flushed by the caller. */
    int (*run)(struct invocation *i, struct error *e);
    /* The same with the store open for reading, in place of `run`. */
    int (*read)(struct invocation *i, struct reader *r, struct error *e);
};
/* Its own options and those of its operation; ends with OPTION_END. */
const struct option_spec *command_options(const struct command *command);

/* What was typed, checked. Everything lives in its arena. */
struct invocation {
    const struct command *command;
    struct option_value {
        const struct option_spec *spec;
        const char *text;
        double number; /* OPTION_INT and OPTION_NUMBER; OPTION_CHOICE: its index */
    } * values;
    size_t value_count;
    const char **words;
    size_t word_count;
    struct config config;
    struct output out;
    struct arena arena;
    int ended_by; /* the signal that ended the explorer: the program ends by it as well; 0: none */
};

/* All commands, in the order of `stemma --help`; the first is the explorer, whose name is "". */
const struct command *const *command_table(size_t *count);

/*
 * Reads the arguments, argv[0] left out. Options may stand anywhere, `--` ends them, the first word
 * is a command or, where there is no such command, the path of a store (it has a '/' or exists).
 * ERROR_USAGE says what would be right.
 */
int command_parse(struct invocation *i, int argc, char **argv, struct error *e);
void command_release(struct invocation *i);

/* What was given; the option must be one of the command's or a common one. */
bool option_given(const struct invocation *i, const char *name);
const char *option_text(const struct invocation *i,
                        const char *name); /* the last; NULL: not given */
double option_number(const struct invocation *i, const char *name, double otherwise);
int option_choice(const struct invocation *i, const char *name, int otherwise);
/* Each `text` of an OPTION_LIST in order; *count of them, in the arena. */
const char **option_list(struct invocation *i, const char *name, size_t *count);

/* Appends the help of one command, or of the program. */
void command_help(struct output *out, const struct command *command);
void command_help_all(struct output *out);

#endif
