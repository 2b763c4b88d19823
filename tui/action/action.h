/*
 * The registry of actions: what a person can do, with name, keys, the views it applies to, and what it needs. The key
 * map, the key bar, `?`, the `:` palette and the key settings of the configuration come from it.
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
    GROUP_SELECT,
    GROUP_LIVE,
    GROUP_SCREEN,
    GROUP_COUNT
};
const char *group_name(enum action_group group);

/* The argument of an action on the `:` line. */
enum argument {
    ARGUMENT_NONE = 0,
    ARGUMENT_REF,
    ARGUMENT_WORDS,
    ARGUMENT_AGENT,
    ARGUMENT_ORDER,
    ARGUMENT_COLUMN,
    ARGUMENT_THEME,
    ARGUMENT_LETTER,
    ARGUMENT_COPY,
    ARGUMENT_STYLE,
    ARGUMENT_PREVIEW,
    ARGUMENT_STORE,
};

/* Preconditions of actions (dispatch.c). All of GROUP_ACT also need a store that can be changed. */
enum need {
    NEED_NO_QUESTION = 1 << 0, /* the view is no question */
    NEED_MEMORY = 1 << 1,      /* a memory under the cursor, or the view is about one */
    NEED_SUBJECT = 1 << 2,     /* NEED_MEMORY, or selected memories */
    NEED_LINE = 1 << 3,        /* the cursor is on a line */
    NEED_LINES = 1 << 4,
    NEED_DRAWING = 1 << 5,
    NEED_BEFORE = 1 << 6,
    NEED_AFTER = 1 << 7,
    NEED_PATTERN = 1 << 8, /* a search pattern */
    NEED_FEED = 1 << 9,
    NEED_PREVIEW = 1 << 10,
    NEED_SELECTION = 1 << 11,
    NEED_UNSAVED = 1 << 12,
    NEED_ONE = 1 << 13,     /* at most one selected memory */
    NEED_KEPT = 1 << 14,    /* the memory is not purged */
    NEED_WRITTEN = 1 << 15, /* NEED_KEPT, and it is more than a ref */
    NEED_UNLOCKED = 1 << 16,
    NEED_LOCKED = 1 << 17,
    NEED_RAW = 1 << 18,
    NEED_BELIEF = 1 << 19,
    NEED_LIVING = 1 << 20,
    NEED_INACTIVE = 1 << 21,   /* it is inactive */
    NEED_REMEMBERED = 1 << 22, /* not forgotten */
    NEED_CURRENT = 1 << 23,
    NEED_EPISODE = 1 << 24,     /* an episode under the cursor */
    NEED_LIVING_HERE = 1 << 25, /* the memory under the cursor is active */
    NEED_QUARANTINED = 1 << 26,
    NEED_END = 1 << 27,
};

struct action {
    const char *name; /* "based-on" */
    const char *help; /* "what this is based on, as an outline" */
    const char *keys; /* "f", "j Down"; "" for an action without keys */
    enum action_group group;
    unsigned where;  /* enum capability: a view needs one of them; 0 for every view */
    unsigned lacks;  /* and it must have none of these */
    const char *bar; /* its word in the key bar; NULL to leave it out */
    int rank;        /* position in the key bar, ascending */
    enum argument argument;
    const char *also; /* other words that find it in the help and on the `:` line; may be NULL */
    /* Exactly one of these is set. `argument` is the text after the name; "" for a key. */
    void (*act)(struct app *x);
    void (*on)(struct view *top); /* for those that concern only the view */
    void (*run)(struct app *x, const char *argument);
    void (*with)(struct app *x, const char *argument, int value);
    struct view *(*view)(struct ui *ui); /* opens this view, which has the action's name */
    int value;
    const char *command; /* the command that does the same: "retract REF"; NULL for none */
    bool
        ahead; /* may be typed before the lines are on the screen: it changes and selects nothing */
    bool menu; /* in the menu of changes (act_act), with its own key if it has one */
    unsigned needs; /* enum need */
    /* Returns the reason why it is blocked, beyond `needs`, or NULL. May be NULL itself. */
    const char *(*blocked)(struct app *x);
};

size_t action_count(void);
const struct action *action_at(size_t index);
/* In `name` a space stands for "-", too. NULL if unknown. */
const struct action *action_find(const char *name, size_t len);
/* Whether its name, its word in the key bar, its help or its other words have these words. */
bool action_matches(const struct action *action, const char *words);

/* The order in which actions are listed: those of the key bar, then others, then movement (ascending). */
int action_order(const struct action *action, const char *bar);
/* The word in the key bar of a view with that view_ops->bar, and its rank (ascending); NULL if it is not in the bar. */
const char *action_bar(const struct action *action, const char *bar, char word[BAR_WORD],
                       int *rank);

#define ACTIONS_MAX  192
#define BINDINGS_MAX 512

/* The key map: keys of the configuration, then the defaults of the other actions. No key has two actions. */
struct keymap {
    struct binding {
        uint32_t key;
        const struct action *action;
        int line; /* of the configuration; 0: a default */
    } binding[BINDINGS_MAX];
    size_t count, configured; /* the first `configured` are from the configuration */
};
/* Returns -1 and sets ERROR_INVALID for an unknown action or key, and if two actions share a key. */
int keymap_open(struct keymap *map, const struct config *config, struct error *e);
/* Whether the action is available in a view with these features. */
bool action_applies(const struct action *action, unsigned has);
/* Where an action is that a view with these features lacks: "a drawing". */
const char *action_place(const struct action *action, unsigned has);
/* The action of a key, or NULL. */
const struct action *keymap_find(const struct keymap *map, uint32_t key);
/* Appends at most `most` keys: "j Down"; nothing for an action without keys. */
void keymap_keys(const struct keymap *map, const struct action *action, size_t most,
                 struct strbuf *out);

/* Appends how a person runs it: its first key, or ":name". */
void keymap_name(const struct keymap *map, const struct action *action, struct strbuf *out);

/* Appends a word of a shell, quoted if it must be: the id of a memory may be anything. */
void action_add_word(struct strbuf *out, const char *word);
/* Appends the refs of the selected memories, else of the one under the cursor; nothing without any. */
void action_refs(struct app *x, struct strbuf *out);
/* The command line that does the same on these refs, in `out`; NULL for none. */
const char *action_command(const struct action *action, const char *refs, struct strbuf *out);

/* The first key of an action, or KEY_NONE. */
uint32_t keymap_key(const struct keymap *map, const struct action *action);

/* Whether it acts on lines, so that it waits while they are read. */
bool action_acts_on_lines(const struct action *action);
/* The reason why it cannot be done now with that argument, or NULL. */
const char *action_missing(struct app *x, const struct action *action, const char *argument);
/* Whether `back` ends the explorer: the first view is shown, with all its lines. */
bool back_quits(const struct app *x);
/* Runs it, or shows in the status line why that is not possible. */
void action_run(struct app *x, const struct action *action, const char *argument);

/* ---- the functions of the actions, which the table in action.c names ---- */
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

/* Functions of several actions, by value: enum cursor_move, enum view_request, a root (app.h), enum operation. */
typedef void act_with_fn(struct app *x, const char *argument, int value);
act_with_fn act_move, act_root, act_operation;
act_with_fn act_sideways; /* enum view_request */
/* `value` is a direction (1 or -1), an enum direction, the last or the first column, or the enum named below. */
act_with_fn act_sort_step, act_search_step, act_history_step, act_expand_side, act_column, act_more;
act_with_fn act_section;   /* enum view_request */
act_with_fn act_lineage;   /* enum subgraph_show */
act_with_fn act_question;  /* place in `questions` */
act_with_fn act_go_to_use; /* enum use_way */
act_with_fn act_rate;      /* 1: relevant */

typedef void act_fn(struct app *x);
act_fn act_views, act_alerts, act_open_uri, act_with_reason, act_act, act_back, act_cancel,
    act_session, act_escape, act_repair_origins, act_follow, act_help, act_only_new, act_pause,
    act_quit, act_redo, act_refresh, act_revise, act_same, act_strategies, act_tools,
    act_undo_event, act_yank_original;

typedef void act_on_fn(struct view *top);
act_on_fn act_by_confidence, act_confirm, act_dots, act_legend, act_matrix_order, act_mouse,
    act_redraw, act_select, act_select_invert, act_select_range, act_highlight, act_tidy, act_times,
    act_errors, act_unselect_all, act_zoom, act_select_alike;

typedef void act_run_fn(struct app *x, const char *argument);
act_run_fn act_activity, act_merge, act_resolve, act_add, act_agent, act_apply, act_asof, act_audit,
    act_check, act_consolidate, act_diff, act_draw_as, act_edit, act_edit_outside, act_export,
    act_conversation, act_facts, act_filter, act_go, act_history, act_flag, act_namespaces,
    act_open, act_order, act_permissions, act_place_keep, act_place_return, act_promote,
    act_reasoning, act_reinforce, act_responses, act_retrievals, act_reviewed, act_search,
    act_search_store, act_seed, act_sources, act_replace, act_supported, act_theme, act_undo,
    act_unflag, act_what_if, act_yank, act_disbelieve, act_facets, act_list, act_save, act_unsave,
    act_watch, act_unwatch, act_pipe, act_columns, act_preview, act_compare, act_record, act_run,
    act_open_store;
/* "auto", "right", "below" or "off", as the setting has it; -1 for another word. */
const char *preview_name(int place);
int preview_named(const char *word, size_t len);
/* Sorts the list by the column whose heading is there on the screen; again: the other way round. */
void act_sort_by_heading(struct app *x, int column);

/* Return the reason why an action cannot be done now, or NULL. */
typedef const char *blocked_fn(struct app *x);
blocked_fn blocked_check, blocked_confirm, blocked_open, blocked_no_event, blocked_no_session,
    blocked_no_yank, blocked_rate, blocked_conversation, blocked_reasoning, blocked_highlight,
    blocked_sources, blocked_strategies, blocked_supported, blocked_what_if, blocked_undo,
    blocked_undo_event, blocked_facets, blocked_columns, blocked_errors, blocked_preview;

/* ---- shared by actions ---- */

/* The agent, the order or the set of statuses changed. The other views notice when they are shown. */
void lists_changed(struct view *top);

/* Copies a command line of action_command, with the store. */
void copy_command(struct app *x, const char *command);

/* The help view: all actions with their keys. `/` filters them, Enter runs one on the view below. */
struct view *help_view_new(struct ui *ui);
/* Filters it by these words; without any it asks for them. It must be the top. */
void help_view_filter(struct app *x, const char *words);
/* Copies the command of the action under the cursor. */
void help_view_copy(struct app *x);

void palette_open(struct app *x);
/* The action that opens the view; NULL if none opens it as it is. */
const struct action *view_opener(const struct app *x, const struct view *v);
/* Writes the view, its row, filter and order, and the selected memories to options->place; not while a past state is
 * shown. Errors are ignored. */
void last_place_write(struct app *x);
/* Goes there. Returns false if there is no such file, or with a message if it is damaged. */
bool last_place_open(struct app *x);
/* Opens the saved view of that name. Returns false if there is none. */
bool saved_view_open(struct app *x, const char *name);
/* Offers the saved views whose name contains the text. */
void saved_views_offer(struct app *x, const char *typed);
/* Opens it with the beginning of a line, and says what is missing there. */
void palette_ask(struct app *x, const char *text, const char *message);
/* Completes a ref in the open prompt, or shows why it cannot. */
void palette_complete_ref(struct app *x);
/* Opens the memory named by `text`, a ref or its start, or offers the candidates. */
void palette_open_memory(struct app *x, const char *text);
struct point_in_time;
/* Parses two times, or one and now. Returns false if the text is something else. */
bool two_times_read(struct app *x, const char *text, struct point_in_time *from,
                    struct point_in_time *to);
/* The memory of an action: the one named by the argument, else the current one. Returns 0 after a message if there is
 * none. */
int64_t palette_subject(struct app *x, const char *argument);

/*
 * Copies bytes to the clipboard and reports it in the status line. `what` is "the text of belief:54c5". Reports empty
 * text.
 */
void yank_copy(struct app *x, const char *what, const char *bytes, size_t len);

enum graph_format {
    GRAPH_TEXT = 0,
    GRAPH_DOT,
    GRAPH_JSON,
    GRAPH_FORMATS
};
const char *graph_format_name(int i);  /* NULL at the end */
const char *graph_format_about(int i); /* "the drawing for Graphviz" */
/* Appends the visible drawing of a lineage view. */
int lineage_make(struct app *x, enum graph_format format, struct strbuf *out, struct error *e);
/* Copies it. */
void lineage_yank(struct app *x, enum graph_format format);

/* Whether JSON is copied as events here. Not if memories are selected. */
bool yanks_events(const struct app *x);
/* Copies the event under the cursor, or all lines that are loaded, as JSON lines like `stemma log --json`. */
void yank_events(struct app *x, bool all);

/* Whether the cursor is on a use of a source by a step. */
bool yanks_use(struct app *x);
/* Copies its excerpt; with `quoted` in quotes with a citation. */
void yank_use(struct app *x, bool quoted);

/* ---- the configuration ---- */

/*
 * Checks that themes, actions, keys and patterns of the configuration exist. Every command calls it after
 * config_load, so that an error is found at once. Returns -1 and sets ERROR_INVALID with file and line.
 */
int config_check(const struct config *c, struct error *e);

#endif
