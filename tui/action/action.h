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
#include "tui/widget/ui.h"
#include "tui/widget/view.h"

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
    unsigned where;  /* enum capability, of which a view has one; 0: every view does */
    unsigned lacks;  /* and none of these */
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
    /* What stands in the key bar where that depends on what the cursor is on. May be NULL. */
    const char *(*word)(struct app *x);
};

size_t action_count(void);
const struct action *action_at(size_t index);
const struct action *action_find(const char *name, size_t len); /* NULL: none */

/* Its word in the key bar of a view and where it stands there, the least rank first, by view_ops->bar; NULL: it does
 * not stand there. */
const char *action_bar(const struct action *action, const char *bar, char word[BAR_WORD],
                       int *rank);

#define ACTIONS_MAX  192
#define BINDINGS_MAX 512

/* Which keys do what: those of the configuration, then the defaults that it leaves. No view has two actions of a key. */
struct keymap {
    struct binding {
        uint32_t key;
        const struct action *action;
    } binding[BINDINGS_MAX];
    size_t count, configured; /* the first so many are of the configuration */
};
/* ERROR_INVALID for an action or a key that does not exist, and for a key that two actions of one
 * place would share. */
int keymap_open(struct keymap *map, const struct config *config, struct error *e);
/* Is it for a view that has that? */
bool action_applies(const struct action *action, unsigned has);
/* What that key does in such a view; NULL: nothing. */
const struct action *keymap_find(const struct keymap *map, uint32_t key, unsigned has);
/* How many actions have the key in any place; appends their names: "expand, new or relevant". */
size_t keymap_elsewhere(const struct keymap *map, uint32_t key, struct strbuf *names);
/* Appends "j Down"; nothing for an action without keys. `most` keys at most. */
void keymap_keys(const struct keymap *map, const struct action *action, size_t most,
                 struct strbuf *out);

/* Why it cannot be done now, with that argument, or NULL. */
const char *action_missing(struct app *x, const struct action *action, const char *argument);
/* Runs it, or says in the status line why it cannot be. */
void action_run(struct app *x, const struct action *action, const char *argument);

/* What the actions do: the functions that the registry's table in action.c names. */

enum cursor_move {
    GO_DOWN,
    GO_UP,
    GO_HALF_DOWN,
    GO_HALF_UP,
    GO_PAGE_DOWN,
    GO_PAGE_UP,
    GO_FIRST,
    GO_LAST,
};

enum use_way {
    NEXT_USE,
    PREVIOUS_USE,
    NEXT_USER,
    PREVIOUS_USER,
};

/* For several actions, by their value: enum cursor_move, enum view_request, a root (app.h), enum operation. */
typedef void act_with_fn(struct app *x, const char *argument, int value);
act_with_fn act_move, act_request, act_root, act_operation;
/* A direction: 1 or -1; enum direction; the last column or the first; the others say it by the name of the enum. */
act_with_fn act_search_step, act_history_step, act_expand_side, act_column;
act_with_fn act_section;   /* enum view_request */
act_with_fn act_lineage;   /* enum subgraph_show */
act_with_fn act_go_to_use; /* enum use_way */
act_with_fn act_rate;      /* 1: relevant */

typedef void act_fn(struct app *x);
act_fn act_theirs, act_edit_again, act_act, act_back, act_by_confidence, act_cancel, act_centre,
    act_collapse, act_confirm, act_dots, act_end_session, act_escape, act_expand,
    act_fix_provenance, act_follow, act_gone, act_health, act_help, act_legend, act_list_group,
    act_mark_invert, act_mark_none, act_mark_range, act_matrix_order, act_fix, act_mouse,
    act_only_new, act_pan_left, act_pan_right, act_pause, act_quit, act_redo, act_redraw,
    act_refresh, act_revise, act_same, act_session_writes, act_sessions, act_shade, act_strategies,
    act_tidy, act_times, act_undo_event, act_yank_original, act_zoom;

typedef void act_run_fn(struct app *x, const char *argument);
act_run_fn act_add, act_agent, act_asof, act_audit, act_check, act_consolidate, act_diff,
    act_draw_as, act_edit, act_edit_outside, act_export, act_facts, act_filter, act_go, act_group,
    act_history, act_mark, act_mark_as, act_namespaces, act_open, act_order, act_permissions,
    act_place_keep, act_place_return, act_process, act_reasoning, act_reinforce, act_retrievals,
    act_reviewed, act_search, act_search_store, act_seed, act_sources, act_supersede, act_supported,
    act_theme, act_undo, act_unmark, act_what_if, act_yank;

/* Why one cannot be done now; NULL: it can. */
typedef const char *blocked_fn(struct app *x);
blocked_fn blocked_check, blocked_choice, blocked_confirm, blocked_group, blocked_no_event,
    blocked_no_session, blocked_no_writer, blocked_no_yank, blocked_rate, blocked_reasoning,
    blocked_shade, blocked_sources, blocked_strategies, blocked_supported, blocked_undo_event;

/* What its key does, for the key bar. */
const char *word_session_writes(struct app *x);

/* ---- what actions share ---- */

void palette_open(struct app *x);
/* A ref that is typed in the open field, or begun, becomes whole; else it is said why not. */
void palette_complete_ref(struct app *x);
/* Opens the memory that `text` names, exactly or by its beginning, or says which it may be. */
void palette_open_memory(struct app *x, const char *text);
/* The memory that an action is about: the one that is named, else the one here; 0: it was said why there is none. */
int64_t palette_subject(struct app *x, const char *argument);

/*
 * Copies the bytes and says in the status line what went where; `what` is "the text of belief:54c5".
 * Empty text is said to be so.
 */
void yank_copy(struct app *x, const char *what, const char *bytes, size_t len);

enum graph_format {
    GRAPH_TEXT = 0,
    GRAPH_DOT,
    GRAPH_JSON,
    GRAPH_FORMATS
};
/* Of a view that draws lineage: copies what is seen. */
void lineage_yank(struct app *x, enum graph_format format);

/* Is JSON here that of events? Not where memories are marked. */
bool yanks_events(const struct app *x);
/* The one under the cursor, or all lines that are read so far: JSON lines as `stemma log --json` has them. */
void yank_events(struct app *x, bool all);

/* Is the cursor on a use of a source by a step? */
bool yanks_use(struct app *x);
/* Copies its excerpt; `quoted`: in quotes, with the source as a citation behind it. */
void yank_use(struct app *x, bool quoted);

/* ---- the configuration ---- */

/*
 * Is there such a theme, are there such actions and keys, and is every pattern one? Every command asks after config_load, so
 * that a mistake is not first found by the explorer. ERROR_INVALID with file and line.
 */
int config_check(const struct config *c, struct error *e);

#endif
