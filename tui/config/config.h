/*
 * The configuration: one table of settings, from which come the reader, the defaults and the
 * documentation; config.yaml in the source tree says the same to people, and a test compares them.
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

/* What tells a file from what it was before: config_file.h. */
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
    SETTING_TEXT,
    SETTING_PATH,
    SETTING_CHOICE,
    SETTING_BOOL,
    SETTING_INT,
    SETTING_PART
};
struct config_reading;
struct setting {
    const char *name;
    enum setting_type type;
    size_t offset;                         /* of its member */
    int (*read)(struct config_reading *r); /* SETTING_PART */
    const char *const *choices; /* SETTING_CHOICE: ends with NULL; the index is the value */
    int min, max;               /* SETTING_INT */
    const char
        *fallback;     /* the default, as it would be written; "" is an absent string. Of a part for
                                 * people alone: config_init knows it */
    const char *about; /* one line; a part has more of them */
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

/*
 * Is there such a theme, are there such actions and keys, and is every pattern one? Every command asks after config_load, so
 * that a mistake is not first found by the explorer. ERROR_INVALID with file and line.
 */
int config_check(const struct config *c, struct error *e);
/* Of that the patterns of personal data alone: ERROR_INVALID with file and line. */
int config_check_patterns(const struct config *c, struct error *e);

#endif
