#include "tui/action/action.h"

#include "model/base/strbuf.h"
#include "tui/action/actions.h"
#include "tui/explorer/app.h"
#include "tui/explorer/rules.h"
#include "tui/text/suggest.h"

/*
 * The registry. Later rows of a group come lower in help; `rank` orders the key bar, where `back` and
 * `help` stand at the end by themselves.
 */
static const struct action actions[] = {
    {"down", "to the next line", "j Down", GROUP_MOVE, IN_ALL, NULL, 0, ARGUMENT_NONE, act_down,
     NULL},
    {"up", "to the line before", "k Up", GROUP_MOVE, IN_ALL, NULL, 0, ARGUMENT_NONE, act_up, NULL},
    {"page-down", "a page down", "PgDn", GROUP_MOVE, IN_ALL, NULL, 0, ARGUMENT_NONE, act_page_down,
     NULL},
    {"page-up", "a page up", "PgUp", GROUP_MOVE, IN_ALL, NULL, 0, ARGUMENT_NONE, act_page_up, NULL},
    {"half-down", "half a page down", "C-d", GROUP_MOVE, IN_ALL, NULL, 0, ARGUMENT_NONE,
     act_half_down, NULL},
    {"half-up", "half a page up", "C-u", GROUP_MOVE, IN_ALL, NULL, 0, ARGUMENT_NONE, act_half_up,
     NULL},
    {"first", "to the first line", "g Home", GROUP_MOVE, IN_ALL, NULL, 0, ARGUMENT_NONE, act_first,
     NULL},
    {"last", "to the last line", "G End", GROUP_MOVE, IN_ALL, NULL, 0, ARGUMENT_NONE, act_last,
     NULL},
    {"open", "the memory under the cursor, or that of a ref, in full; what a session did", "Enter",
     GROUP_MOVE, IN_ALL, "open", 1, ARGUMENT_REF, act_open, blocked_open},
    {"fold", "folds the line, or goes to the one it hangs from", "h Left", GROUP_MOVE,
     IN_OUTLINE | IN_RETRIEVALS, "fold", 12, ARGUMENT_NONE, act_left, NULL},
    {"unfold", "unfolds the line, or goes into it", "l Right", GROUP_MOVE,
     IN_OUTLINE | IN_RETRIEVALS, "unfold", 13, ARGUMENT_NONE, act_right, NULL},
    {"chain-before", "looks at the chain before; h and l go from one to the other", "h Left",
     GROUP_MOVE, IN_STRATEGIES, "chain", 3, ARGUMENT_NONE, act_left, NULL},
    {"chain-after", "looks at the chain after", "l Right", GROUP_MOVE, IN_STRATEGIES, NULL, 0,
     ARGUMENT_NONE, act_right, NULL},
    {"pan-left", "scrolls the lines' text back", "H h Left", GROUP_MOVE, IN_ROWS, NULL, 0,
     ARGUMENT_NONE, act_pan_left, blocked_not_panned},
    {"pan-right", "scrolls the lines' text to what does not fit", "L l Right", GROUP_MOVE, IN_ROWS,
     NULL, 0, ARGUMENT_NONE, act_pan_right, blocked_no_lines},
    {"walk-left", "along the edge to the left, back the way you came", "h Left", GROUP_MOVE,
     IN_GRAPH, NULL, 0, ARGUMENT_NONE, act_walk_left, blocked_no_drawing},
    {"walk-right", "along the edge to the right, back the way you came", "l Right", GROUP_MOVE,
     IN_GRAPH, NULL, 0, ARGUMENT_NONE, act_walk_right, blocked_no_drawing},
    {"look-left", "half a screen to the left", "H", GROUP_MOVE, IN_GRAPH, NULL, 0, ARGUMENT_NONE,
     act_look_left, blocked_no_drawing},
    {"look-right", "half a screen to the right", "L", GROUP_MOVE, IN_GRAPH, NULL, 0, ARGUMENT_NONE,
     act_look_right, blocked_no_drawing},
    {"cell-left", "to the source before, and at last to the step itself", "h Left", GROUP_MOVE,
     IN_CHAIN, NULL, 0, ARGUMENT_NONE, act_cell_left, NULL},
    {"cell-right", "to the next source", "l Right", GROUP_MOVE, IN_CHAIN, NULL, 0, ARGUMENT_NONE,
     act_cell_right, NULL},
    {"columns-left", "back by the sources that are in view", "H", GROUP_MOVE, IN_CHAIN, NULL, 0,
     ARGUMENT_NONE, act_columns_left, NULL},
    {"columns-right", "on by the sources that are in view", "L", GROUP_MOVE, IN_CHAIN, NULL, 0,
     ARGUMENT_NONE, act_columns_right, NULL},
    {"next-use", "to the next source that this step used", ">", GROUP_MOVE, IN_CHAIN, NULL, 0,
     ARGUMENT_NONE, act_next_use, NULL},
    {"previous-use", "to the source before that this step used", "<", GROUP_MOVE, IN_CHAIN, NULL, 0,
     ARGUMENT_NONE, act_previous_use, NULL},
    {"next-user", "to the next step that used this source", "}", GROUP_MOVE, IN_CHAIN, NULL, 0,
     ARGUMENT_NONE, act_next_user, NULL},
    {"previous-user", "to the step before that used this source", "{", GROUP_MOVE, IN_CHAIN, NULL,
     0, ARGUMENT_NONE, act_previous_user, NULL},
    {"first-column", "to the first source", "^", GROUP_MOVE, IN_CHAIN, NULL, 0, ARGUMENT_NONE,
     act_first_column, NULL},
    {"last-column", "to the last source", "$", GROUP_MOVE, IN_CHAIN, NULL, 0, ARGUMENT_NONE,
     act_last_column, NULL},
    {"centre", "puts the memory under the cursor in the middle", ".", GROUP_MOVE, IN_GRAPH, NULL, 0,
     ARGUMENT_NONE, act_centre, blocked_no_drawing},
    {"next-section", "to the next section, pane, problem, sibling or edge", "Tab", GROUP_MOVE,
     IN_ALL, "section", 14, ARGUMENT_NONE, act_next_section, NULL},
    {"previous-section", "to the section before", "S-Tab", GROUP_MOVE, IN_ALL, NULL, 0,
     ARGUMENT_NONE, act_previous_section, NULL},
    {"back", "to the view below; on the first one it quits", "q BS", GROUP_MOVE, IN_ALL, NULL, 0,
     ARGUMENT_NONE, act_back, NULL},
    {"escape", "clears the filter or the search, else goes back", "Esc", GROUP_MOVE, IN_ALL, NULL,
     0, ARGUMENT_NONE, act_escape, NULL},
    {"history-back", "to the view that was shown before", "[", GROUP_MOVE, IN_ALL, NULL, 0,
     ARGUMENT_NONE, act_history_back, blocked_no_history_back},
    {"history-forward", "to the one after it again", "]", GROUP_MOVE, IN_ALL, NULL, 0,
     ARGUMENT_NONE, act_history_forward, blocked_no_history_forward},
    {"keep-place", "keeps this place under a letter", "m", GROUP_MOVE, IN_ALL & ~IN_VERSUS, NULL, 0,
     ARGUMENT_LETTER, act_place_keep, NULL},
    {"go-to-place", "returns to the place of a letter", "'", GROUP_MOVE, IN_ALL, NULL, 0,
     ARGUMENT_LETTER, act_place_return, NULL},
    {"quit", "ends stemma", "Q", GROUP_MOVE, IN_ALL, NULL, 0, ARGUMENT_NONE, act_quit, NULL},

    {"rests-on", "what this rests on, down to its sources", "f", GROUP_LINEAGE, IN_STORE,
     "rests on", 2, ARGUMENT_REF, act_rests_on, blocked_no_memory},
    {"carries", "what rests on this", "r", GROUP_LINEAGE, IN_STORE, "carries", 3, ARGUMENT_REF,
     act_carries, blocked_no_memory},
    {"both", "what this rests on and what rests on it", "b", GROUP_LINEAGE, IN_STORE, NULL, 0,
     ARGUMENT_REF, act_both, blocked_no_memory},
    {"what-if", "what would fall if this, or what is marked, were retracted", "w", GROUP_LINEAGE,
     IN_STORE, "what if", 4, ARGUMENT_REF, act_what_if, blocked_no_memory},
    {"reasoning", "the chain of thought that led to this, or the chains that used it", "c",
     GROUP_LINEAGE, IN_STORE, NULL, 0, ARGUMENT_REF, act_reasoning, blocked_reasoning},
    {"sources", "the documents and other sources that this goes back to", "s", GROUP_LINEAGE,
     IN_STORE, NULL, 0, ARGUMENT_REF, act_sources, blocked_sources},
    {"history", "each change of it, by whom and why, and its other versions", "I", GROUP_LINEAGE,
     IN_STORE, "history", 7, ARGUMENT_REF, act_history, blocked_no_memory},
    {"health", "what is wrong with the store's lineage", "!", GROUP_LINEAGE, IN_ALL, NULL, 0,
     ARGUMENT_NONE, act_health, NULL},

    {"facts", "all that is stored of it, as of any memory", ".", GROUP_LINEAGE,
     IN_STORE & ~IN_GRAPH & ~IN_MEMORY, NULL, 0, ARGUMENT_REF, act_facts, blocked_no_memory},
    {"strategies", "chains on the same question side by side; or those that are marked", "=",
     GROUP_LINEAGE, IN_STORE & ~IN_EVENTS & ~IN_LIVE & ~IN_STRATEGIES, "compare", 4, ARGUMENT_NONE,
     act_strategies, blocked_strategies},
    {"by-confidence", "relevance times the step's confidence, beside what was recorded", "x",
     GROUP_LINEAGE, IN_CHAIN | IN_STEP, "by confidence", 6, ARGUMENT_NONE, act_by_confidence, NULL},
    {"matrix-order", "the order of steps and of sources", "o", GROUP_LINEAGE, IN_CHAIN, "order", 6,
     ARGUMENT_NONE, act_matrix_order, NULL},

    {"check", "is its content, or a file (:check FILE), what the retrieval recorded?", "#",
     GROUP_LINEAGE, IN_MEMORY, NULL, 0, ARGUMENT_WORDS, act_check, blocked_check},

    {"expand", "shows ten more of what hangs on it, or what stands as one apart", "+",
     GROUP_LINEAGE, IN_GRAPH, "more", 5, ARGUMENT_NONE, act_expand, blocked_no_drawing},
    {"expand-carried", "shows ten more of what it carries", "<", GROUP_LINEAGE, IN_GRAPH, NULL, 0,
     ARGUMENT_NONE, act_expand_before, blocked_no_drawing},
    {"expand-sources", "shows ten more of what it rests on", ">", GROUP_LINEAGE, IN_GRAPH, NULL, 0,
     ARGUMENT_NONE, act_expand_after, blocked_no_drawing},
    {"collapse", "takes that back, or hides what lies beyond", "-", GROUP_LINEAGE, IN_GRAPH, "less",
     5, ARGUMENT_NONE, act_collapse, blocked_no_drawing},
    {"list-group", "lists the memories that stand here as one", "#", GROUP_LINEAGE, IN_GRAPH, NULL,
     0, ARGUMENT_NONE, act_list_group, blocked_no_drawing},
    {"tidy", "lays the drawing out afresh", "t", GROUP_LINEAGE, IN_GRAPH, "tidy", 7, ARGUMENT_NONE,
     act_tidy, blocked_no_drawing},
    {"shade", "shades what would lose its support without this, or nothing any more", "W",
     GROUP_LINEAGE, IN_GRAPH, "without it", 5, ARGUMENT_NONE, act_shade, blocked_shade},
    {"dots", "every memory as a dot, to see the whole; or in full again", "Z", GROUP_LINEAGE,
     IN_GRAPH, "dots", 8, ARGUMENT_NONE, act_dots, blocked_no_drawing},
    {"legend", "what lines and signs mean: in a line, all of it, not at all", "K", GROUP_LINEAGE,
     IN_GRAPH, NULL, 0, ARGUMENT_NONE, act_legend, blocked_no_drawing},
    {"outline", "the outline in place of the drawing, or the drawing again", ",", GROUP_LINEAGE,
     IN_GRAPH | IN_OUTLINE, "outline", 11, ARGUMENT_NONE, act_outline, NULL},
    {"draw-as", "how lineage is drawn: left to right, top to bottom, in boxes, as an outline", "o",
     GROUP_LINEAGE, IN_GRAPH | IN_OUTLINE, "draw as", 11, ARGUMENT_STYLE, act_draw_as, NULL},

    {"export", "writes what is seen into a file: export text|dot|json FILE", "", GROUP_LINEAGE,
     IN_GRAPH, NULL, 0, ARGUMENT_WORDS, act_export, blocked_no_drawing},

    {"search", "finds in this view, as you type", "/", GROUP_FIND, IN_ALL, "search", 6,
     ARGUMENT_WORDS, act_search, NULL},
    {"search-next", "to the next match", "n", GROUP_FIND, IN_ALL, NULL, 0, ARGUMENT_NONE,
     act_search_next, blocked_no_search},
    {"search-previous", "to the match before", "N", GROUP_FIND, IN_ALL, NULL, 0, ARGUMENT_NONE,
     act_search_previous, blocked_no_search},
    {"filter", "shows only lines with this in them, as you type", "\\", GROUP_FIND, IN_FILTER,
     "filter", 6, ARGUMENT_WORDS, act_filter, NULL},
    {"same", "only what has the same actor, operation, memory, correlation or session", "=",
     GROUP_FIND, IN_EVENTS | IN_LIVE, "same", 6, ARGUMENT_NONE, act_same, blocked_no_event},
    {"search-store", "finds words in every memory of the store", "S", GROUP_FIND, IN_ALL, NULL, 0,
     ARGUMENT_WORDS, act_search_store, NULL},
    {"goto", "opens the memory of a ref, whole or its beginning", "", GROUP_FIND, IN_ALL, NULL, 0,
     ARGUMENT_REF, act_go, NULL},
    {"command", "an action by name, a ref, or a line's number", ": C-p", GROUP_FIND, IN_ALL,
     "command", 7, ARGUMENT_NONE, act_command, NULL},
    {"help", "every action, found by typing; Enter does it", "? F1", GROUP_FIND, IN_ALL, NULL, 0,
     ARGUMENT_NONE, act_help, NULL},

    {"beliefs", "all beliefs", "1", GROUP_VIEWS, IN_ALL, NULL, 0, ARGUMENT_NONE, act_beliefs, NULL},
    {"episodes", "all episodes", "2", GROUP_VIEWS, IN_ALL, NULL, 0, ARGUMENT_NONE, act_episodes,
     NULL},
    {"raw", "all raw entries", "3", GROUP_VIEWS, IN_ALL, NULL, 0, ARGUMENT_NONE, act_raw, NULL},
    {"notes", "all notes", "4", GROUP_VIEWS, IN_ALL, NULL, 0, ARGUMENT_NONE, act_notes, NULL},
    {"attributions", "all logged retrievals", "5", GROUP_VIEWS, IN_ALL, NULL, 0, ARGUMENT_NONE,
     act_attributions, NULL},
    {"chains", "all chains of thought", "6", GROUP_VIEWS, IN_ALL, NULL, 0, ARGUMENT_NONE,
     act_chains, NULL},
    {"documents", "all documents", "7", GROUP_VIEWS, IN_ALL, NULL, 0, ARGUMENT_NONE, act_documents,
     NULL},
    {"review", "what waits for a review, by whom and why", "8", GROUP_VIEWS, IN_ALL, NULL, 0,
     ARGUMENT_NONE, act_review, NULL},
    {"live", "who is connected, and what happens as it happens", "9", GROUP_VIEWS, IN_ALL, NULL, 0,
     ARGUMENT_NONE, act_live, NULL},
    {"sessions", "the sessions of agents, those that live first", "", GROUP_VIEWS, IN_ALL, NULL, 0,
     ARGUMENT_NONE, act_sessions, NULL},
    {"audit", "all that was done and asked, by whom, filtered by what you say", "@", GROUP_VIEWS,
     IN_ALL, NULL, 0, ARGUMENT_WORDS, act_audit, NULL},
    {"everything", "memories of every kind", "0", GROUP_VIEWS, IN_ALL, NULL, 0, ARGUMENT_NONE,
     act_everything, NULL},
    {"values", "all values", "", GROUP_VIEWS, IN_ALL, NULL, 0, ARGUMENT_NONE, act_values, NULL},
    {"goals", "all goals", "", GROUP_VIEWS, IN_ALL, NULL, 0, ARGUMENT_NONE, act_goals, NULL},
    {"drives", "all drives", "", GROUP_VIEWS, IN_ALL, NULL, 0, ARGUMENT_NONE, act_drives, NULL},
    {"relationships", "all relationships", "", GROUP_VIEWS, IN_ALL, NULL, 0, ARGUMENT_NONE,
     act_relationships, NULL},
    {"suggestions", "all suggestions", "", GROUP_VIEWS, IN_ALL, NULL, 0, ARGUMENT_NONE,
     act_suggestions, NULL},
    {"steps", "all steps of chains", "", GROUP_VIEWS, IN_ALL, NULL, 0, ARGUMENT_NONE, act_steps,
     NULL},
    {"citations", "all citations", "", GROUP_VIEWS, IN_ALL, NULL, 0, ARGUMENT_NONE, act_citations,
     NULL},
    {"entries", "all entries", "", GROUP_VIEWS, IN_ALL, NULL, 0, ARGUMENT_NONE, act_entries, NULL},
    {"namespaces", "shared memory: its namespaces, how full each is, and its entries", "O",
     GROUP_VIEWS, IN_ALL, NULL, 0, ARGUMENT_WORDS, act_namespaces, NULL},
    {"permissions", "what an agent may do in each namespace, and which rule says so", "",
     GROUP_VIEWS, IN_ALL, NULL, 0, ARGUMENT_AGENT, act_permissions, NULL},
    {"may-do", "what an agent may do in each namespace, and which rule says so", "#", GROUP_VIEWS,
     IN_NAMESPACES | IN_ENTRIES, "may do", 2, ARGUMENT_AGENT, act_permissions, NULL},
    {"retrievals", "logged retrievals by type, URI or agent, with when they were", "", GROUP_VIEWS,
     IN_ALL, NULL, 0, ARGUMENT_WORDS, act_retrievals, NULL},
    {"group", "groups the logged retrievals: by type, by URI, by agent", "#", GROUP_VIEWS,
     IN_LIST | IN_RETRIEVALS, "group by", 4, ARGUMENT_WORDS, act_group, blocked_group},
    {"order", "the order of lists", "o", GROUP_VIEWS, IN_LIST | IN_NAMESPACES, "order", 9,
     ARGUMENT_ORDER, act_order, NULL},
    {"agent", "shows one agent's memories, or all", "A", GROUP_VIEWS, IN_ALL, NULL, 0,
     ARGUMENT_AGENT, act_agent, NULL},
    {"gone", "shows forgotten and deleted ones in lists too, or hides them", "X", GROUP_VIEWS,
     IN_LIST, NULL, 0, ARGUMENT_NONE, act_gone, NULL},
    {"new", "shows only what is new (+) or changed (~) since your last visit, or all", "+",
     GROUP_VIEWS, IN_SINCE, NULL, 0, ARGUMENT_NONE, act_only_new, NULL},

    {"asof", "the store as it was at a time (:asof 2 days ago, :asof @123); :asof now returns", "",
     GROUP_VIEWS, IN_ALL, NULL, 0, ARGUMENT_WORDS, act_asof, NULL},
    {"diff", "what changed between two times (:diff yesterday now, :diff @120 @123)", "",
     GROUP_VIEWS, IN_ALL, NULL, 0, ARGUMENT_WORDS, act_diff, NULL},

    {"confirm", "does what is shown", "y", GROUP_ACT, IN_CONFIRM, "do it", 1, ARGUMENT_NONE,
     act_confirm, blocked_confirm},
    {"edit", "changes its text, confidence, tags and fields", "e", GROUP_ACT, IN_STORE, "edit", 5,
     ARGUMENT_REF, act_edit, blocked_edit},
    {"act", "what can be done with this, or with what is marked", "a", GROUP_ACT, IN_STORE, "act",
     5, ARGUMENT_NONE, act_act, NULL},
    {"edit-outside", "changes its text in your editor", "E", GROUP_ACT, IN_STORE, NULL, 0,
     ARGUMENT_REF, act_edit_outside, blocked_edit_outside},
    {"mine", "saves what you typed over what is stored by now", "m", GROUP_ACT, IN_VERSUS, "mine",
     1, ARGUMENT_NONE, act_mine, blocked_mine},
    {"theirs", "leaves what is stored by now, and drops what you typed", "t", GROUP_ACT, IN_VERSUS,
     "theirs", 2, ARGUMENT_NONE, act_theirs, blocked_theirs},
    {"edit-again", "goes on with what you typed, over what is stored by now", "e", GROUP_ACT,
     IN_VERSUS, "edit again", 3, ARGUMENT_NONE, act_edit_again, NULL},
    {"mend", "what would mend the problem, of one or of all that are marked", "x", GROUP_ACT,
     IN_HEALTH, "mend", 1, ARGUMENT_NONE, act_mend, blocked_act},
    {"reviewed", "it was looked over: it leaves the review queue", "x", GROUP_ACT,
     IN_STORE & ~IN_HEALTH & ~IN_CHAIN & ~IN_STEP, NULL, 0, ARGUMENT_REF, act_reviewed,
     blocked_act},
    {"undo-event", "takes back what the event under the cursor did, whoever did it", "u", GROUP_ACT,
     IN_EVENTS | IN_LIVE | IN_DIFF, "undo it", 4, ARGUMENT_NONE, act_undo_event,
     blocked_undo_event},
    {"undo", "takes back what you did last", "u", GROUP_ACT,
     IN_ALL & ~IN_EVENTS & ~IN_LIVE & ~IN_DIFF, "undo", 18, ARGUMENT_WORDS, act_undo, blocked_back},
    {"redo", "does again what you undid last", "C-r", GROUP_ACT, IN_ALL, NULL, 0, ARGUMENT_NONE,
     act_redo, blocked_back},
    {"retract", "it is wrong: what rests on it alone falls", "d", GROUP_ACT, IN_STORE, NULL, 0,
     ARGUMENT_REF, act_retract, blocked_retract},
    {"restore", "it holds again after all", "", GROUP_ACT, IN_STORE, NULL, 0, ARGUMENT_REF,
     act_restore, blocked_restore},
    {"verify", "it was looked into, and holds: confidence + 0.1", "C", GROUP_ACT, IN_STORE, NULL, 0,
     ARGUMENT_REF, act_verify, blocked_living},
    {"reinforce", "something bears it out: a ref, or words", "B", GROUP_ACT, IN_STORE, NULL, 0,
     ARGUMENT_WORDS, act_reinforce, blocked_living},
    {"supersede", "puts a better statement in its place", "", GROUP_ACT, IN_STORE, NULL, 0,
     ARGUMENT_WORDS, act_supersede, blocked_supersede},
    {"process", "makes an episode, a belief or a note of a raw", "P", GROUP_ACT, IN_STORE, NULL, 0,
     ARGUMENT_WORDS, act_process, blocked_process},
    {"revise", "what this episode confirms and contradicts", "", GROUP_ACT, IN_STORE, NULL, 0,
     ARGUMENT_NONE, act_revise, blocked_revise},
    {"consolidate", "reinforces it by what was looked over together", "", GROUP_ACT, IN_STORE, NULL,
     0, ARGUMENT_WORDS, act_consolidate, blocked_consolidate},
    {"relevant", "the source under the cursor is relevant to its step; why is asked", "+",
     GROUP_ACT, IN_CHAIN | IN_STEP, "relevant", 7, ARGUMENT_WORDS, act_relevant, blocked_rate},
    {"irrelevant", "the source under the cursor is not relevant to its step; why is asked", "-",
     GROUP_ACT, IN_CHAIN | IN_STEP, "not", 7, ARGUMENT_WORDS, act_irrelevant, blocked_rate},
    {"supported", "whether the step is true to its sources: yes or no; why is asked", "t",
     GROUP_ACT, IN_CHAIN | IN_STEP, "supported?", 7, ARGUMENT_WORDS, act_supported,
     blocked_supported},
    {"mark-as", "says a word on it: reviewed, poisoned, a rating", "J", GROUP_ACT, IN_STORE, NULL,
     0, ARGUMENT_WORDS, act_mark_as, blocked_act},
    {"unmark", "takes such a word away", "", GROUP_ACT, IN_STORE, NULL, 0, ARGUMENT_WORDS,
     act_unmark, blocked_act},
    {"protect", "keeps it from being changed by agents", "", GROUP_ACT, IN_STORE, NULL, 0,
     ARGUMENT_REF, act_protect, blocked_protect},
    {"unprotect", "lets agents change it again", "", GROUP_ACT, IN_STORE, NULL, 0, ARGUMENT_REF,
     act_unprotect, blocked_unprotect},
    {"forget", "takes it out of the lists, and keeps its lineage", "D", GROUP_ACT, IN_STORE, NULL,
     0, ARGUMENT_REF, act_forget, blocked_forget},
    {"purge", "erases what it says, for good", "", GROUP_ACT, IN_STORE, NULL, 0, ARGUMENT_REF,
     act_purge, blocked_purge},
    {"propagate", "lowers the confidence of what rests on it to what it can bear", "", GROUP_ACT,
     IN_STORE, NULL, 0, ARGUMENT_REF, act_propagate, blocked_one},
    {"fix-provenance", "says of seeds and processed raws where they came from", "", GROUP_ACT,
     IN_ALL, NULL, 0, ARGUMENT_NONE, act_fix_provenance, blocked_acting},
    {"add", "adds a memory of any kind", "i", GROUP_ACT, IN_ALL, NULL, 0, ARGUMENT_WORDS, act_add,
     blocked_acting},
    {"seed", "adds a belief that is there from the start", "", GROUP_ACT, IN_ALL, NULL, 0,
     ARGUMENT_WORDS, act_seed, blocked_acting},
    {"unsaved", "what you typed and could not be saved, to try again", "", GROUP_ACT, IN_ALL, NULL,
     0, ARGUMENT_NONE, act_unsaved, blocked_nothing_unsaved},

    {"mark", "marks the memory, or unmarks it", "Space", GROUP_MARK, IN_STORE, "mark", 8,
     ARGUMENT_WORDS, act_mark, blocked_no_memory},
    {"mark-range", "begins a range, and again: marks all of it", "v", GROUP_MARK,
     IN_STORE & ~IN_GRAPH & ~IN_CHAIN, NULL, 0, ARGUMENT_NONE, act_mark_range, blocked_no_memory},
    {"mark-invert", "marks what is not marked in this view, and the reverse", "V", GROUP_MARK,
     IN_STORE, NULL, 0, ARGUMENT_NONE, act_mark_invert, blocked_no_lines},
    {"unmark-all", "unmarks everything", "U", GROUP_MARK, IN_STORE, NULL, 0, ARGUMENT_NONE,
     act_mark_none, blocked_no_marks},
    {"yank", "copies text, ref, JSON or path of the memory, or of all marked ones", "y", GROUP_MARK,
     IN_STORE & ~IN_CONFIRM, "yank", 10, ARGUMENT_COPY, act_yank, blocked_no_yank},
    {"yank-original", "copies the text as it was written, after saying what it holds", "Y",
     GROUP_MARK, IN_STORE, NULL, 0, ARGUMENT_NONE, act_yank_original, blocked_no_memory},

    {"follow", "the cursor goes to what is new, or stays", "F", GROUP_LIVE,
     IN_LIST | IN_LIVE | IN_AUDIT | IN_CHAIN, "follow", 16, ARGUMENT_NONE, act_follow,
     blocked_no_feed},
    {"end-session", "ends the session under the cursor, after asking", "K", GROUP_LIVE,
     IN_LIVE | IN_SESSIONS, "end session", 5, ARGUMENT_NONE, act_end_session, blocked_no_session},
    {"session-writes", "makes the session under the cursor read-only, or lets it write again", "W",
     GROUP_LIVE, IN_LIVE | IN_SESSIONS, "read-only", 5, ARGUMENT_NONE, act_session_writes,
     blocked_no_writer},
    {"pause", "holds back what others write, or lets it come; sessions go on", "p", GROUP_LIVE,
     IN_ALL, "pause", 17, ARGUMENT_NONE, act_pause, blocked_no_feed},
    {"refresh", "reads this view again", "R", GROUP_LIVE,
     IN_STORE | IN_SESSIONS | IN_NAMESPACES | IN_PERMISSIONS, NULL, 0, ARGUMENT_NONE, act_refresh,
     NULL},
    {"cancel", "stops what is running", "C-c", GROUP_LIVE, IN_ALL, NULL, 0, ARGUMENT_NONE,
     act_cancel, NULL},

    {"zoom", "gives the pane the whole screen, or takes it back", "z", GROUP_SCREEN, IN_STORE,
     "zoom", 15, ARGUMENT_NONE, act_zoom, blocked_no_preview},
    {"exact-times", "times as dates, or as ages", "T", GROUP_SCREEN, IN_ALL, NULL, 0, ARGUMENT_NONE,
     act_times, NULL},
    {"mask", "masks personal data as agents see it, or shows it as it is", "", GROUP_SCREEN, IN_ALL,
     NULL, 0, ARGUMENT_NONE, act_mask, NULL},
    {"theme", "other colours", "", GROUP_SCREEN, IN_ALL, NULL, 0, ARGUMENT_THEME, act_theme, NULL},
    {"mouse", "takes the mouse, or gives it back to the terminal", "M", GROUP_SCREEN, IN_ALL, NULL,
     0, ARGUMENT_NONE, act_mouse, NULL},
    {"redraw", "draws the screen again", "C-l", GROUP_SCREEN, IN_ALL, NULL, 0, ARGUMENT_NONE,
     act_redraw, NULL},
};
#define ACTIONS (sizeof(actions) / sizeof(actions[0]))
_Static_assert(ACTIONS <= ACTIONS_MAX, "a keymap has room for every action");

/* Where a view has other words first in the key bar than others have, in their order; NULL: it does not stand
 * there, for what it does is nothing of that view. */
static const struct {
    enum place place;
    const char *action, *word;
} first_words[] = {
    {IN_CONFIRM, "confirm", "do it"},
    {IN_LIVE, "open", "open"},
    {IN_LIVE, "filter", "filter"},
    {IN_LIVE, "follow", "follow"},
    {IN_LIVE, "pause", "pause"},
    {IN_LIVE, "end-session", "end"},
    {IN_LIVE, "session-writes", "read-only"},
    {IN_LIVE, "next-section", "sessions"},
    {IN_LIVE, "undo-event", "undo it"},
    {IN_AUDIT, "open", "open"},
    {IN_AUDIT, "filter", "filter"},
    {IN_AUDIT, "same", "same"},
    {IN_AUDIT, "undo-event", "undo it"},
    {IN_AUDIT, "follow", "follow"},
    {IN_AUDIT, "yank", "yank"},
    {IN_HISTORY, "open", "as it was then"},
    {IN_HISTORY, "undo-event", "undo it"},
    {IN_HISTORY, "same", "same"},
    {IN_HISTORY, "next-section", "versions"},
    {IN_HISTORY, "yank", "yank"},
    {IN_DIFF, "open", "open"},
    {IN_DIFF, "rests-on", "rests on"},
    {IN_DIFF, "carries", "carries"},
    {IN_DIFF, "what-if", "what if"},
    {IN_DIFF, "edit", "edit"},
    {IN_DIFF, "act", "act"},
    {IN_GRAPH, "open", "open"},
    {IN_GRAPH, "rests-on", "rests on"},
    {IN_GRAPH, "carries", "carries"},
    {IN_GRAPH, "both", "both"},
    {IN_GRAPH, "expand", "more"},
    {IN_GRAPH, "collapse", "less"},
    {IN_GRAPH, "shade", "without it"},
    {IN_CHAIN, "open", "open"},
    {IN_CHAIN, "next-section", "pane"},
    {IN_CHAIN, "matrix-order", "order"},
    {IN_CHAIN, "by-confidence", "by confidence"},
    {IN_CHAIN, "relevant", "relevant"},
    {IN_CHAIN, "irrelevant", "not"},
    {IN_CHAIN, "supported", "supported?"},
    {IN_CHAIN, "rests-on", "rests on"},
    {IN_DOCUMENT, "open", "open"},
    {IN_DOCUMENT, "next-section", "section"},
    {IN_DOCUMENT, "carries", "carries"},
    {IN_DOCUMENT, "rests-on", "rests on"},
    {IN_DOCUMENT, "what-if", "what if"},
    {IN_DOCUMENT, "facts", "facts"},
    {IN_RETRIEVALS, "open", "open"},
    {IN_RETRIEVALS, "group", "group by"},
    {IN_RETRIEVALS, "next-section", "next group"},
    {IN_RETRIEVALS, "search", "search"},
    {IN_NAMESPACES, "open", "entries"},
    {IN_NAMESPACES, "may-do", "may do"},
    {IN_NAMESPACES, "filter", "filter"},
    {IN_NAMESPACES, "order", "order"},
    {IN_NAMESPACES, "search", "search"},
    {IN_ENTRIES, "open", "open"},
    {IN_ENTRIES, "edit", "edit"},
    {IN_ENTRIES, "history", "history"},
    {IN_ENTRIES, "carries", "carries"},
    {IN_ENTRIES, "may-do", "may do"},
    {IN_ENTRIES, "filter", "filter"},
    {IN_PERMISSIONS, "open", "entries"},
    {IN_PERMISSIONS, "agent", "agent"},
    {IN_PERMISSIONS, "search", "search"},
    {IN_STRATEGIES, "open", "open"},
    {IN_STRATEGIES, "chain-after", "chain"},
    {IN_STRATEGIES, "next-section", "section"},
    {IN_STRATEGIES, "rests-on", "rests on"},
    {IN_STRATEGIES, "facts", "facts"},
    {IN_STEP, "open", "open"},
    {IN_STEP, "by-confidence", "by confidence"},
    {IN_STEP, "relevant", "relevant"},
    {IN_STEP, "irrelevant", "not"},
    {IN_STEP, "supported", "supported?"},
    {IN_OUTLINE, "open", "open"},
    {IN_OUTLINE, "rests-on", "rests on"},
    {IN_OUTLINE, "carries", "carries"},
    {IN_OUTLINE, "what-if", "what if"},
    {IN_OUTLINE, "edit", "edit"},
    {IN_OUTLINE, "act", "act"},
    {IN_OUTLINE, "outline", "drawing"},
    {IN_HEALTH, "open", "open"},
    {IN_HEALTH, "mend", "mend"},
    {IN_HEALTH, "mark", "mark"},
    {IN_REVIEW, "open", "open"},
    {IN_REVIEW, "reviewed", "reviewed"},
    {IN_REVIEW, "rests-on", "rests on"},
    {IN_REVIEW, "carries", "carries"},
    {IN_REVIEW, "mark", "mark"},
    {IN_SESSIONS, "open", "open"},
    {IN_SESSIONS, "filter", "filter"},
    {IN_SESSIONS, "end-session", "end session"},
    {IN_SESSIONS, "session-writes", "read-only"},
    {IN_SESSIONS, "next-section", "events"},
    {IN_SESSIONS, "undo", NULL},
};
#define FIRST_WORDS (sizeof(first_words) / sizeof(first_words[0]))

/* Words that say what a key would do now. */
static const struct {
    const char *action;
    const char *(*word)(struct app *x);
} words_now[] = {
    {"session-writes", word_session_writes},
};

const char *action_word(const struct action *action, struct app *x, const char *word)
{
    for (size_t i = 0; i < sizeof(words_now) / sizeof(words_now[0]); i++)
        if (strcmp(words_now[i].action, action->name) == 0)
            return words_now[i].word(x);
    return word;
}

const char *action_bar(const struct action *action, enum place place, int *rank)
{
    *rank = action->rank;
    for (size_t i = 0; i < FIRST_WORDS; i++) {
        if (first_words[i].place != place || strcmp(first_words[i].action, action->name) != 0)
            continue;
        *rank = (int)i - (int)FIRST_WORDS;
        return first_words[i].word;
    }
    return action->bar;
}

static const char *const group_names[GROUP_COUNT] = {
    [GROUP_MOVE] = "moving", [GROUP_LINEAGE] = "lineage", [GROUP_FIND] = "finding",
    [GROUP_VIEWS] = "views", [GROUP_ACT] = "acting",      [GROUP_MARK] = "marking and copying",
    [GROUP_LIVE] = "live",   [GROUP_SCREEN] = "screen",
};

const char *group_name(enum action_group group)
{
    return group_names[group];
}

size_t action_count(void)
{
    return ACTIONS;
}

const struct action *action_at(size_t index)
{
    return &actions[index];
}

const struct action *action_find(const char *name, size_t len)
{
    if (len == 5 && !memcmp(name, "as-of", 5)) { /* as the option is called */
        name = "asof";
        len = 4;
    }
    for (size_t i = 0; i < ACTIONS; i++)
        if (strlen(actions[i].name) == len && !memcmp(actions[i].name, name, len))
            return &actions[i];
    return NULL;
}

/* ---- keys ---- */

static int add_key(struct keymap *map, size_t action, uint32_t key)
{
    for (size_t i = 0; i < KEYS_OF_ACTION; i++) {
        if (map->keys[action][i] == key)
            return 0;
        if (map->keys[action][i] == KEY_NONE) {
            map->keys[action][i] = key;
            return 0;
        }
    }
    return -1;
}

static void take_defaults(struct keymap *map)
{
    *map = (struct keymap){0};
    for (size_t i = 0; i < ACTIONS; i++) {
        const char *keys = actions[i].keys;
        while (*keys) {
            size_t len = strcspn(keys, " ");
            add_key(map, i, key_from_name(keys, len));
            keys += len + strspn(keys + len, " ");
        }
    }
}

static bool bound_to(const struct keymap *map, size_t action, uint32_t key)
{
    for (size_t i = 0; i < KEYS_OF_ACTION && map->keys[action][i] != KEY_NONE; i++)
        if (map->keys[action][i] == key)
            return true;
    return false;
}

static int add_configured(struct keymap *map, size_t index, const struct config_binding *b,
                          const char *name, struct error *e)
{
    uint32_t key = key_from_name(name, strlen(name));
    if (key == KEY_NONE)
        return error_set(e, ERROR_INVALID, "Keys are written as in j, C-d, Enter, PgDn, F1.",
                         "there is no key `%.80s`", name);
    if (bound_to(map, index, key))
        return error_set(e, ERROR_INVALID, "Write it once.", "the key %.80s stands twice for `%s`",
                         name, b->action);
    if (add_key(map, index, key))
        return error_set(e, ERROR_INVALID, "Leave some out.",
                         "there are more than %d keys for `%s`", KEYS_OF_ACTION, b->action);
    return 0;
}

/* An empty list takes the action's keys away. */
static int take_binding(struct keymap *map, const struct config_binding *b, struct error *e)
{
    const struct action *action = action_find(b->action, strlen(b->action));
    if (!action)
        return error_set(e, ERROR_INVALID, "? in the explorer lists what actions are called.",
                         "there is no action `%.80s`", b->action);
    size_t index = (size_t)(action - actions);
    memset(map->keys[index], 0, sizeof(map->keys[index]));
    for (size_t i = 0; i < b->count; i++)
        if (add_configured(map, index, b, b->keys[i], e))
            return -1;
    return 0;
}

/* Where the configuration binds it; 0: nowhere. */
static int line_of(const struct config *config, size_t action)
{
    for (size_t i = 0; i < config->key_count; i++)
        if (!strcmp(config->keys[i].action, actions[action].name))
            return config->keys[i].line;
    return 0;
}

static void remove_key(struct keymap *map, size_t action, uint32_t key)
{
    size_t to = 0;
    for (size_t i = 0; i < KEYS_OF_ACTION; i++)
        if (map->keys[action][i] != key)
            map->keys[action][to++] = map->keys[action][i];
    while (to < KEYS_OF_ACTION)
        map->keys[action][to++] = KEY_NONE;
}

static int wrong_line(const struct config *config, int line, struct error *e)
{
    return error_prefix(e, "%s line %d", config->path ? config->path : "config.yaml", line);
}

/* A key that the configuration gives to one action is taken from the others; it cannot give one key
 * to two. */
static int settle_key(struct keymap *map, const struct config *config, size_t action, uint32_t key,
                      struct error *e)
{
    for (size_t other = 0; other < ACTIONS; other++) {
        if (other == action || !(actions[other].where & actions[action].where) ||
            !bound_to(map, other, key))
            continue;
        int mine = line_of(config, action), its = line_of(config, other);
        if (its) {
            char name[16];
            key_text(key, name, sizeof(name));
            error_set(e, ERROR_INVALID, "Give one of them another key.",
                      "the key %s is bound to both `%s` and `%s`", name, actions[action].name,
                      actions[other].name);
            return wrong_line(config, mine > its ? mine : its, e);
        }
        remove_key(map, other, key);
    }
    return 0;
}

int keymap_open(struct keymap *map, const struct config *config, struct error *e)
{
    take_defaults(map);
    for (size_t i = 0; config && i < config->key_count; i++)
        if (take_binding(map, &config->keys[i], e))
            return wrong_line(config, config->keys[i].line, e);
    for (size_t i = 0; config && i < ACTIONS; i++)
        for (size_t k = 0; line_of(config, i) && k < KEYS_OF_ACTION && map->keys[i][k] != KEY_NONE;
             k++)
            if (settle_key(map, config, i, map->keys[i][k], e))
                return -1;
    return 0;
}

const struct action *keymap_find(const struct keymap *map, uint32_t key, enum place place)
{
    for (size_t i = 0; i < ACTIONS; i++)
        if ((actions[i].where & place) && bound_to(map, i, key))
            return &actions[i];
    return NULL;
}

size_t keymap_elsewhere(const struct keymap *map, uint32_t key, struct strbuf *names)
{
    const struct action *last = NULL;
    size_t count = 0;
    for (size_t i = 0; i < ACTIONS; i++) {
        if (!bound_to(map, i, key))
            continue;
        if (last)
            strbuf_addf(names, "%s%s", count > 1 ? ", " : "", last->name);
        last = &actions[i];
        count++;
    }
    if (last)
        strbuf_addf(names, "%s%s", count > 1 ? " or " : "", last->name);
    return count;
}

void keymap_keys(const struct keymap *map, const struct action *action, size_t most,
                 struct strbuf *out)
{
    const uint32_t *keys = map->keys[action - actions];
    for (size_t i = 0; i < most && i < KEYS_OF_ACTION && keys[i] != KEY_NONE; i++) {
        char name[16];
        key_text(keys[i], name, sizeof(name));
        strbuf_addf(out, "%s%s", i ? " " : "", name);
    }
}

void action_run(struct app *x, const struct action *action, const char *argument)
{
    const char *why = NULL;
    x->ui.doing = action->name;
    if (!(action->where & x->nav.top->ops->place)) {
        app_say(x, "%s does not apply in this view", action->name);
        return;
    }
    /* A ref or words that are given do what the cursor would have been asked for. */
    if (action->group == GROUP_ACT)
        why = asof_blocked(x) ? asof_blocked(x) : rules_mask_blocks(x);
    if (!why && action->blocked && !*argument)
        why = action->blocked(x);
    if (why)
        app_say(x, "%s", why);
    else
        action->run(x, argument);
}
