/*
 * The one registry of actions: what a person can do, what it is called, which keys do it, where it
 * applies and why it cannot be done now. From it come the key map, the key bar, `?`, the `:` palette
 * and the key settings of the configuration.
 */
#ifndef STEMMA_ACTION_H
#define STEMMA_ACTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/error.h"
#include "tui/config/config.h"
#include "tui/widget/view.h"

struct app;
struct strbuf;

enum action_group {
    GROUP_MOVE = 0,
    GROUP_LINEAGE,
    GROUP_FIND,
    GROUP_VIEWS,
    GROUP_ACT,
    GROUP_MARK,
    GROUP_LIVE,
    GROUP_SCREEN,
    GROUP_COUNT
};
const char *group_name(enum action_group group);

/* What an action may take after its name on the `:` line. */
enum argument {
    ARGUMENT_NONE = 0,
    ARGUMENT_REF,
    ARGUMENT_WORDS,
    ARGUMENT_AGENT,
    ARGUMENT_ORDER,
    ARGUMENT_THEME,
    ARGUMENT_LETTER,
    ARGUMENT_COPY,
    ARGUMENT_STYLE,
};

/* What must be so for an action (needs.c). All of GROUP_ACT need a store that can be changed as well. */
enum need {
    NEED_NO_QUESTION = 1 << 0, /* the view asks nothing */
    NEED_MEMORY = 1 << 1,      /* the cursor is on one, or the view is about one */
    NEED_SUBJECT = 1 << 2,     /* or some are marked */
    NEED_LINE = 1 << 3,        /* the cursor is on a line */
    NEED_LINES = 1 << 4,
    NEED_DRAWING = 1 << 5,
    NEED_PANNED = 1 << 6,
    NEED_BEFORE = 1 << 7,
    NEED_AFTER = 1 << 8,
    NEED_PATTERN = 1 << 9, /* something was searched for */
    NEED_FEED = 1 << 10,
    NEED_PREVIEW = 1 << 11,
    NEED_MARKS = 1 << 12,
    NEED_UNSAVED = 1 << 13,
    NEED_ONE = 1 << 14,     /* at most one is marked */
    NEED_KEPT = 1 << 15,    /* the one is not purged */
    NEED_WRITTEN = 1 << 16, /* and not only named */
    NEED_UNPROTECTED = 1 << 17,
    NEED_PROTECTED = 1 << 18,
    NEED_RAW = 1 << 19,
    NEED_BELIEF = 1 << 20,
    NEED_LIVING = 1 << 21,
    NEED_GONE = 1 << 22,       /* it does not live */
    NEED_REMEMBERED = 1 << 23, /* not forgotten */
    NEED_CURRENT = 1 << 24,
    NEED_EPISODE = 1 << 25,     /* the cursor is on one */
    NEED_LIVING_HERE = 1 << 26, /* what the cursor is on lives */
    NEED_END = 1 << 27,
};

struct action {
    const char *name; /* "rests-on" */
    const char *help; /* "what this rests on, as an outline" */
    const char *keys; /* "f", "j Down"; "" where only the palette has it */
    enum action_group group;
    unsigned where;  /* enum place */
    const char *bar; /* its word in the key bar; NULL: not there */
    int rank;        /* in the key bar, the least first */
    enum argument argument;
    /* One of the three. `argument`: what was typed after the name; "" where it came by a key. */
    void (*act)(struct app *x);
    void (*run)(struct app *x, const char *argument);
    void (*with)(struct app *x, const char *argument, int value);
    int value;
    unsigned needs; /* enum need */
    /* Why it cannot be done now, or NULL, where that is not among what it needs. May be NULL itself. */
    const char *(*blocked)(struct app *x);
};

size_t action_count(void);
const struct action *action_at(size_t index);
const struct action *action_find(const char *name, size_t len); /* NULL: none */

/* Its word in the key bar of that place and where it stands there, the least rank first; NULL: it does
 * not. */
const char *action_bar(const struct action *action, enum place place, int *rank);
/* That word, or what stands there where it depends on what the cursor is on. */
const char *action_word(const struct action *action, struct app *x, const char *word);

#define KEYS_OF_ACTION 6
#define ACTIONS_MAX    192

/* Which keys do what: the registry's, as the configuration changes them. */
struct keymap {
    uint32_t keys[ACTIONS_MAX][KEYS_OF_ACTION]; /* KEY_NONE ends them */
};
/* ERROR_INVALID for an action or a key that does not exist, and for a key that two actions of one
 * place would share. */
int keymap_open(struct keymap *map, const struct config *config, struct error *e);
/* What that key does in that place; NULL: nothing. */
const struct action *keymap_find(const struct keymap *map, uint32_t key, enum place place);
/* How many actions have the key in any place; appends their names: "expand, new or relevant". */
size_t keymap_elsewhere(const struct keymap *map, uint32_t key, struct strbuf *names);
/* Appends "j Down"; nothing for an action without keys. `most` keys at most. */
void keymap_keys(const struct keymap *map, const struct action *action, size_t most,
                 struct strbuf *out);

/* Why it cannot be done now, with that argument, or NULL. */
const char *action_missing(struct app *x, const struct action *action, const char *argument);
/* Runs it, or says in the status line why it cannot be. */
void action_run(struct app *x, const struct action *action, const char *argument);

#endif
