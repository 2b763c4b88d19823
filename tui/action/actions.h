/* What the actions do: the functions that the registry's table in action.c names. */
#ifndef STEMMA_ACTIONS_H
#define STEMMA_ACTIONS_H

#include "tui/action/action.h"
#include <stddef.h>

struct strbuf;

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
act_with_fn act_lineage;   /* enum scene_show */
act_with_fn act_go_to_use; /* enum use_way */
act_with_fn act_rate;      /* 1: relevant */
act_with_fn act_choose;    /* enum versus_choice */

typedef void act_fn(struct app *x);
act_fn act_act, act_back, act_by_confidence, act_cancel, act_centre, act_collapse, act_command,
    act_confirm, act_dots, act_end_session, act_escape, act_expand, act_fix_provenance, act_follow,
    act_gone, act_health, act_help, act_legend, act_list_group, act_live, act_mark_invert,
    act_mark_none, act_mark_range, act_mask, act_matrix_order, act_mend, act_mouse, act_only_new,
    act_outline, act_pan_left, act_pan_right, act_pause, act_quit, act_redo, act_redraw,
    act_refresh, act_revise, act_same, act_session_writes, act_sessions, act_shade, act_strategies,
    act_tidy, act_times, act_undo_event, act_unsaved, act_yank_original, act_zoom;

typedef void act_run_fn(struct app *x, const char *argument);
act_run_fn act_add, act_agent, act_asof, act_audit, act_check, act_consolidate, act_diff,
    act_draw_as, act_edit, act_edit_outside, act_export, act_facts, act_filter, act_go, act_group,
    act_history, act_mark, act_mark_as, act_namespaces, act_open, act_order, act_permissions,
    act_place_keep, act_place_return, act_process, act_reasoning, act_reinforce, act_retrievals,
    act_reviewed, act_search, act_search_store, act_seed, act_sources, act_supersede, act_supported,
    act_theme, act_undo, act_unmark, act_what_if, act_yank;

/* Why one cannot be done now; NULL: it can. */
typedef const char *blocked_fn(struct app *x);
blocked_fn blocked_check, blocked_confirm, blocked_group, blocked_mine, blocked_no_event,
    blocked_no_session, blocked_no_writer, blocked_no_yank, blocked_rate, blocked_reasoning,
    blocked_shade, blocked_sources, blocked_strategies, blocked_supported, blocked_theirs,
    blocked_undo_event;

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
/* The same, or goes to the line whose number `text` is. */
void palette_goto(struct app *x, const char *text);

/*
 * Copies the bytes and says in the status line what went where; `what` is "the text of belief:54c5".
 * Empty text is said to be so.
 */
void yank_copy(struct app *x, const char *what, const char *bytes, size_t len);

/* Is JSON here that of events? Not where memories are marked. */
bool yanks_events(const struct app *x);
/* The one under the cursor, or all lines that are read so far: JSON lines as `stemma log --json` has them. */
void yank_events(struct app *x, bool all);

/* Is the cursor on a use of a source by a step? */
bool yanks_use(struct app *x);
/* Copies its excerpt; `quoted`: in quotes, with the source as a citation behind it. */
void yank_use(struct app *x, bool quoted);

#endif
