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
    /* Why it cannot be done now, or NULL. May be NULL itself: always. */
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

/* Runs it, or says in the status line why it cannot be. */
void action_run(struct app *x, const struct action *action, const char *argument);

#endif
