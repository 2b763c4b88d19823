/*
 * The configuration: one table of what may stand where, from which come the reader and the defaults. config.yaml in the
 * source tree is the documentation; a test compares its names and values with the table.
 *
 * A new setting is a member of `struct config`, a line of the table in config.c and one of
 * config.yaml.
 */
#ifndef STEMMA_CONFIG_H
#define STEMMA_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/policy/permission.h"
#include "model/pii/pii.h"
#include "tui/text/output.h"

enum preview_place {
    PREVIEW_AUTO = 0,
    PREVIEW_RIGHT,
    PREVIEW_BELOW,
    PREVIEW_OFF
};
enum clipboard_mode {
    CLIPBOARD_AUTO = 0,
    CLIPBOARD_OSC52,
    CLIPBOARD_OFF
};

/* An action and the keys that replace its own; no key at all takes its keys away. Whether there is
 * such an action and such a key is for config_check to say, with `line`. */
struct config_binding {
    const char *action;
    const char **keys;
    size_t count;
    int line;
};

/* What tells a file from what it was before. */
struct config_stamp {
    bool there, regular;
    uint64_t device, inode;
    int64_t size, written_ns, changed_ns; /* its content, anything about it */
};

/* Strings are in `arena`, which config_release frees; an absent one is NULL, never "". */
struct config {
    const char *actor; /* NULL: the login name */
    const char *store; /* a path, `~/` expanded; NULL: the default one */
    const char *theme; /* a name, or a path where it has a '/' */
    int theme_line;    /* where the file says so; 0: nowhere */
    int color;         /* enum color_mode */
    int ascii;         /* enum ascii_mode */
    int order;         /* enum list_order */
    int preview;       /* enum preview_place */
    int graph_style;   /* enum chart_style */
    int clipboard;     /* enum clipboard_mode */
    bool mouse;
    bool destructive_tools; /* agents may verify, retract, restore, forget and protect */
    bool listen;            /* the explorer answers agents at the store's socket */
    int http_port;          /* and on the loopback over HTTP; 0: not */
    int escape_delay;       /* ms that an Esc waits for the rest of a key */
    const char *hmac_key;   /* a path, `~/` expanded, or NULL */
    struct config_binding *keys;
    size_t key_count;
    struct permissions permissions;  /* of agents; holds an arena of its own */
    int pattern_line[PII_KINDS_MAX]; /* of each of its patterns */
    const char *path;                /* the file it was read from; NULL: none, all is default */
    const char *place;         /* where it is looked for, be there one or not; NULL: nowhere */
    struct config_stamp stamp; /* of the file as it was read */
    struct arena arena;
};

enum setting_type {
    SETTING_TEXT, /* const char * */
    SETTING_PATH,
    SETTING_CHOICE, /* an enum: the index of the word */
    SETTING_BOOL,   /* bool: is that index odd? */
    SETTING_INT,    /* int */
    SETTING_WHOLE,  /* int64_t */
    SETTING_REAL,   /* double, above 0 */
    /* Parts: what is said of them is more than one value. */
    SETTING_BITS,  /* a list of the words: unsigned, a bit for each */
    SETTING_LIST,  /* a list of strings: an array of const char * and its count */
    SETTING_MAP,   /* `members` by their names; their offsets are from this one's */
    SETTING_TOOLS, /* `members` is what is said of a memory tool: an array of MEMORY_TOOL_COUNT */
    SETTING_TABLE, /* `members` is what is said of each name: an array whose elements begin with that */
};
#define SETTING_IS_PART(type) ((type) >= SETTING_BITS)

struct config_reading;
/* What may stand at one place of the document, and where it goes. */
struct setting {
    const char *name;
    enum setting_type type;
    bool may_be_empty;          /* a part: nothing is said then */
    bool or_one;                /* SETTING_LIST: a single value will do */
    size_t offset;              /* of its member */
    size_t count;               /* SETTING_LIST, SETTING_TABLE: offset of the number of elements */
    size_t size;                /* SETTING_TOOLS, SETTING_TABLE: of an element */
    const char *const *choices; /* end with NULL; SETTING_BOOL, NULL: no or yes */
    double min, max;            /* of a number */
    const struct setting *members;
    size_t member_count;
    unsigned tools;    /* bits: the memory tools whose grant has it; 0: all */
    const char *what;  /* SETTING_MAP: "part of a grant" */
    const char *takes; /* a part: what would be right */
    /* Is the name of an element, or a string of a list, one? `so_far`: elements that are there. */
    int (*item)(struct config_reading *r, const char *of, const char *value, size_t so_far);
    /* SETTING_TOOLS: before what is said of one is read. `base`: what holds the array. */
    int (*begin)(struct config_reading *r, void *base, int tool);
    /* After it was read to `base`. */
    int (*check)(struct config_reading *r, const char *name, size_t line, void *base);
    const char *
        fallback; /* of a single value: the default as it would be written; "" is an absent string */
};
/* All of them, in the order of config.yaml. */
const struct setting *config_settings(size_t *count);

/* Every setting at its default. It takes no memory; release it as a loaded one. */
void config_init(struct config *c);

/*
 * Defaults, then the file `path`; NULL: $XDG_CONFIG_HOME/stemma/config.yaml or
 * ~/.config/stemma/config.yaml, if it is there. ERROR_INVALID names the file, the line, what is
 * wrong and what would be right; ERROR_STORE where it cannot be read. `c` is to be released either way.
 */
int config_load(struct config *c, const char *path, struct error *e);

/* The same from text; `name` stands for the file in an error. */
int config_parse(struct config *c, const char *name, const char *text, size_t len, struct error *e);
void config_release(struct config *c);

/* Is every pattern of personal data one? ERROR_INVALID with file and line. config_check (action.h) asks it too. */
int config_check_patterns(const struct config *c, struct error *e);

#endif
