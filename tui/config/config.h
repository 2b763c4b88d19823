/*
 * The configuration (config.yaml). One table of settings defines the reader and the defaults. config.yaml in the
 * source tree is the documentation; a test compares its names and values with the table.
 *
 * To add a setting, add a member to `struct config`, a line to the table in config_settings.c and a paragraph to
 * config.yaml.
 */
#ifndef STEMMA_CONFIG_H
#define STEMMA_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/base/strbuf.h"
#include "model/memory/confidence.h"
#include "model/policy/permission.h"
#include "model/pii/pii.h"
#include "store/platform/file_state.h"
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

/* An action and the keys that replace its default keys; no key leaves the action without keys. config_check validates
 * action and keys, and reports `line`. */
struct config_binding {
    const char *action;
    const char **keys;
    size_t count;
    int line;
};

enum links_mode {
    LINKS_AUTO = 0,
    LINKS_YES,
    LINKS_NO
};

/* A store that the person named. */
struct config_store {
    const char *name;
    const char *path; /* with `~/` expanded */
    int colour;       /* of its name in the header: 1 to 7 as in a terminal; 0 for none */
};

/* All settings. Strings are in `arena`, which config_release frees; an absent string is NULL, never "". */
struct config {
    const char *actor; /* NULL for the login name */
    const char *store; /* a path with `~/` expanded; NULL for the default */
    const char *theme; /* a name, or a path if it contains '/' */
    int theme_line;    /* its line in the file; 0 if not in the file */
    int color;         /* enum color_mode */
    int ascii;         /* enum ascii_mode */
    int order;         /* enum list_order */
    int preview;       /* enum preview_place */
    int preview_size;  /* percent of the view's rows or columns; 0: as its place needs */
    int times;         /* 1: local time; 0: UTC */
    int graph_style;   /* enum chart_style */
    int clipboard;     /* enum clipboard_mode */
    int links;         /* enum links_mode */
    bool mouse;
    bool screen_reader;       /* words for signs, rows from left to right, no drawings */
    bool destructive_tools;   /* agents may retract, restore, forget and lock */
    unsigned toolsets;        /* names of sets of tools that are listed (toolsets_of) */
    bool strict;              /* tools that are not listed are refused */
    bool listen;              /* the explorer answers agents at the store's socket */
    int http_port;            /* port for HTTP on the loopback; 0 for none */
    int escape_delay;         /* ms to wait after Esc for the rest of a key sequence */
    const char *hmac_key;     /* a path with `~/` expanded, or NULL */
    const char *runtime_dir;  /* the directory for sockets, or NULL */
    bool decay;               /* confidence falls with time */
    struct trust_rules trust; /* how far sources are trusted */
    int64_t
        stale[KIND_COUNT]; /* days without confirmation after which a memory is stale; 0: never */
    struct config_binding *keys;
    size_t key_count;
    struct config_store *stores;
    size_t store_count;
    struct permissions permissions;  /* permissions of agents; has its own arena */
    int pattern_line[PII_KINDS_MAX]; /* line of each pattern of personal data */
    const char *path;  /* the file it was read from; NULL if all settings are defaults */
    const char *place; /* where the file is expected, whether it exists or not; NULL if not known */
    struct file_state file; /* state of the file when it was read */
    struct arena arena;
};

enum setting_type {
    SETTING_TEXT, /* const char * */
    SETTING_PATH,
    SETTING_CHOICE, /* an enum: the index of the word */
    SETTING_BOOL,   /* bool: true if the index is odd */
    SETTING_INT,    /* int */
    SETTING_WHOLE,  /* int64_t */
    SETTING_REAL,   /* double, above 0 */
    SETTING_UNIT,   /* double, 0 to 1 */
    /* Parts: settings with more than one value. */
    SETTING_BITS,  /* a list of the words: unsigned, with a bit for each */
    SETTING_LIST,  /* a list of strings: an array of const char * and its count */
    SETTING_MAP,   /* `members` by name; their offsets are relative to this one */
    SETTING_TOOLS, /* `members` is the setting of a memory tool: an array by memory_tool */
    /* `members` is the setting of each name: an array whose elements begin with the name */
    SETTING_TABLE,
};
/* When a program that runs takes a changed setting. */
enum setting_taken {
    TAKEN_BY_EXPLORER = 0, /* by the explorer at once, by a server at its next start */
    TAKEN_BY_ALL,          /* at once: what agents may do */
    TAKEN_AT_START,        /* `why` says why the explorer does not take it either */
};
#define SETTING_IS_PART(type) ((type) >= SETTING_BITS)

struct config_reading;
/* One setting: its place in the document, its type, and the member that it sets. */
struct setting {
    const char *name;
    enum setting_type type;
    bool may_be_empty;          /* for parts: may be empty or null */
    bool or_one;                /* SETTING_LIST: a single value is accepted */
    size_t offset;              /* offset of its member */
    size_t count;               /* SETTING_LIST, SETTING_TABLE: offset of the number of elements */
    size_t size;                /* SETTING_TOOLS, SETTING_TABLE: size of an element */
    size_t line;                /* offset of the int that gets its line in the file; 0 for none */
    const char *const *choices; /* words, ended by NULL; NULL for SETTING_BOOL means no and yes */
    double min, max;            /* range of a number */
    const struct setting *members;
    size_t member_count; /* SETTING_TOOLS: the number of tools */
    unsigned tools;      /* bits of the memory tools whose grants have it; 0 for all */
    const char *what;    /* SETTING_MAP: what a member is called in errors: "part of a grant" */
    const char *takes;   /* for parts: what is valid, for errors */
    /* Checks the name of an element or a string of a list. `so_far` is the number of elements before it. */
    int (*item)(struct config_reading *r, const char *of, const char *value, size_t so_far);
    /* SETTING_TOOLS: called before the setting of a tool is read. `base` is the array. */
    int (*begin)(struct config_reading *r, void *base, int tool);
    /* Called after the setting was read to `base`. */
    int (*check)(struct config_reading *r, const char *name, size_t line, void *base);
    /* default of a single value, as written in the file; "" is an absent string */
    const char *fallback;
    /* Of a setting or a member of a SETTING_MAP at the top, whose own says nothing then. */
    enum setting_taken taken;
    const char *why;
};
/* All settings in the order of config.yaml. */
const struct setting *config_settings(size_t *count);

/* Sets every setting to its default. Release it with config_release. */
void config_init(struct config *c);

/*
 * Loads the defaults, then the file `path`, or if that is NULL $XDG_CONFIG_HOME/stemma/config.yaml or
 * ~/.config/stemma/config.yaml if it exists. Returns -1 and sets ERROR_INVALID, which names file, line, problem and
 * fix, or ERROR_STORE if the file cannot be read. Release `c` in any case.
 */
int config_load(struct config *c, const char *path, struct error *e);

/* The same from text; errors name the file `name`. Call config_init first. */
int config_parse(struct config *c, const char *name, const char *text, size_t len, struct error *e);
void config_release(struct config *c);
/* Appends a line "set NAME: VALUE" for each choice that is not the default, and for the keys. */
void config_add_changed(const struct config *c, struct strbuf *out);

/* Compiles all patterns of personal data. Returns -1 and sets ERROR_INVALID with file and line. config_check
 * (action.h) calls it too. */
int config_check_patterns(const struct config *c, struct error *e);

#endif
