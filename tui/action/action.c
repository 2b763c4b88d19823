#include "tui/action/action.h"

#include <ctype.h>
#include <string.h>
#include "model/memory/memory.h"
#include "model/base/strbuf.h"
#include "store/questions/questions.h"
#include "tui/config/config.h"
#include "tui/explorer/app.h"
#include "tui/explorer/rules.h"
#include "tui/term/theme.h"
#include "tui/text/match.h"
#include "tui/view/graph/graph_view.h"
#include "tui/view/graph/lineage_view.h"
#include "tui/view/events/event_views.h"
#include "tui/view/views.h"

#define EVERYWHERE       0
#define SIDEWAYS         (HAS_TEXT | HAS_FOLDS | HAS_DRAWING | HAS_MATRIX | HAS_CHAINS)
#define LISTS            (HAS_FILTER | HAS_ORDER)
#define BAR(word, place) .bar = word, .rank = place
#define IN_MENU          .menu = true
#define AHEAD            .ahead = true
#define CLI(line)        .command = line
#define MOVE(how)        .with = act_move, .value = how
#define ROOT(root)       .with = act_root, .value = root
#define QUESTION(name)   .with = act_question, .value = QUESTION_##name, .needs = NEED_MEMORY
#define OPERATE(op)      .with = act_operation, .value = op

/*
 * The registry. Help shows a group in this order. `rank` orders the key bar, where `back` and `help` are always at
 * the end.
 */
static const struct action actions[] = {
    {"down", "to the next line", "j Down", GROUP_MOVE, EVERYWHERE, MOVE(GO_DOWN)},
    {"up", "to the previous line", "k Up", GROUP_MOVE, EVERYWHERE, MOVE(GO_UP)},
    {"page-down", "a page down", "PgDn", GROUP_MOVE, EVERYWHERE, MOVE(GO_PAGE_DOWN)},
    {"page-up", "a page up", "PgUp", GROUP_MOVE, EVERYWHERE, MOVE(GO_PAGE_UP)},
    {"half-down", "half a page down", "C-d", GROUP_MOVE, EVERYWHERE, MOVE(GO_HALF_DOWN)},
    {"half-up", "half a page up", "C-u", GROUP_MOVE, EVERYWHERE, MOVE(GO_HALF_UP)},
    {"first", "to the first line", "g Home", GROUP_MOVE, EVERYWHERE, MOVE(GO_FIRST)},
    {"last", "to the last line", "G End", GROUP_MOVE, EVERYWHERE, MOVE(GO_LAST)},
    {"show", "opens what is under the cursor, or a ref", "Enter", GROUP_MOVE, EVERYWHERE,
     BAR("open", 1), .argument = ARGUMENT_REF, .run = act_open, .needs = NEED_LINE | NEED_LINES,
     .blocked = blocked_open, CLI("show REF")},
    {"left", "folds, walks or scrolls to the left", "h Left", GROUP_MOVE, SIDEWAYS,
     .with = act_sideways, .value = REQUEST_LEFT, .needs = NEED_LINES,
     .also = "fold, parent, previous chain, source or cell"},
    {"right", "unfolds, walks or scrolls to the right", "l Right", GROUP_MOVE, SIDEWAYS,
     .with = act_sideways, .value = REQUEST_RIGHT, .needs = NEED_LINES,
     .also = "unfold, child, next chain, source or cell"},
    {"pan-left", "scrolls a screen or a part of the text to the left", "H", GROUP_MOVE,
     HAS_TEXT | HAS_DRAWING | HAS_MATRIX, .with = act_sideways, .value = REQUEST_PAN_LEFT,
     .needs = NEED_LINES},
    {"pan-right", "scrolls a screen or a part of the text to the right", "L", GROUP_MOVE,
     HAS_TEXT | HAS_DRAWING | HAS_MATRIX, .with = act_sideways, .value = REQUEST_PAN_RIGHT,
     .needs = NEED_LINES},
    {"next-use", "to the next source that this step used", ")", GROUP_MOVE, HAS_MATRIX,
     .with = act_go_to_use, .value = NEXT_USE},
    {"previous-use", "to the previous source that this step used", "(", GROUP_MOVE, HAS_MATRIX,
     .with = act_go_to_use, .value = PREVIOUS_USE},
    {"next-user", "to the next step that used this source", "}", GROUP_MOVE, HAS_MATRIX,
     .with = act_go_to_use, .value = NEXT_USER},
    {"previous-user", "to the previous step that used this source", "{", GROUP_MOVE, HAS_MATRIX,
     .with = act_go_to_use, .value = PREVIOUS_USER},
    {"first-column", "to the first source", "", GROUP_MOVE, HAS_MATRIX, .with = act_column,
     .value = 0},
    {"last-column", "to the last source", "", GROUP_MOVE, HAS_MATRIX, .with = act_column,
     .value = 1},
    {"centre", "centres the memory under the cursor; so does redraw", "", GROUP_MOVE, HAS_DRAWING,
     .on = graph_view_centre, .needs = NEED_DRAWING},
    {"next-section", "to the next section, pane, problem, sibling or edge", "Tab", GROUP_MOVE,
     EVERYWHERE, BAR("section", 14), .with = act_section, .value = REQUEST_NEXT_SECTION,
     .also = "preview, scroll"},
    {"previous-section", "to the previous section", "S-Tab", GROUP_MOVE, EVERYWHERE,
     .with = act_section, .value = REQUEST_PREVIOUS_SECTION},
    {"back", "closes this view, back to the first one, which quits", "q BS", GROUP_MOVE, EVERYWHERE,
     .act = act_back, .also = "close, leave, return"},
    {"escape", "clears the search, the filter, or in a list the selection; else goes back", "Esc",
     GROUP_MOVE, EVERYWHERE, .act = act_escape},
    {"history-back", "back to the view that was shown before", "[", GROUP_MOVE, EVERYWHERE,
     .with = act_history_step, .value = -1, .needs = NEED_BEFORE},
    {"history-forward", "forward again", "]", GROUP_MOVE, EVERYWHERE, .with = act_history_step,
     .value = 1, .needs = NEED_AFTER},
    {"set-bookmark", "sets a bookmark here, under a letter", "\"", GROUP_MOVE, EVERYWHERE,
     .lacks = HAS_NO_PLACE, .argument = ARGUMENT_LETTER, .run = act_place_keep},
    {"go-to-bookmark", "goes to the bookmark of a letter", "'", GROUP_MOVE, EVERYWHERE,
     .argument = ARGUMENT_LETTER, .run = act_place_return},
    {"open", "opens another store: a name of config.yaml or a path; without one, choose", "",
     GROUP_MOVE, EVERYWHERE, .argument = ARGUMENT_STORE, .run = act_open_store,
     .also = "switch database file"},
    {"quit", "quits stemma", "Q", GROUP_MOVE, EVERYWHERE, .act = act_quit,
     .also = "exit, leave, close"},
    {"based-on", "what this is based on, down to its sources", "f", GROUP_LINEAGE, HAS_MEMORIES,
     BAR("based on", 2), .argument = ARGUMENT_REF, .with = act_lineage, .value = SHOW_ANCESTORS,
     .needs = NEED_MEMORY, .also = "why, reason, evidence", CLI("graph REF")},
    {"used-by", "what is based on this", "r", GROUP_LINEAGE, HAS_MEMORIES, BAR("used by", 3),
     .argument = ARGUMENT_REF, .with = act_lineage, .value = SHOW_DESCENDANTS, .needs = NEED_MEMORY,
     CLI("graph REF --reverse")},
    {"both", "what this is based on and what is based on it", "b", GROUP_LINEAGE, HAS_MEMORIES,
     .argument = ARGUMENT_REF, .with = act_lineage, .value = SHOW_BOTH, .needs = NEED_MEMORY,
     CLI("graph REF --both")},
    {"what-if", "what would lose support if it were retracted", "w", GROUP_LINEAGE, HAS_MEMORIES,
     BAR("what if", 4), .argument = ARGUMENT_REF, .run = act_what_if, .needs = NEED_MEMORY,
     .blocked = blocked_what_if, .also = "consequences, depends on it", CLI("whatif REF")},
    {"disbelieve", "shows everything as if it were wrong, for the moment; Esc ends that", "~",
     GROUP_LINEAGE, HAS_MEMORIES, .lacks = HAS_QUESTION, .argument = ARGUMENT_REF,
     .run = act_disbelieve, .needs = NEED_SUBJECT | NEED_LIVING,
     .also = "toggle, try without, combinations, suppose"},
    {"reasoning",
     "the chain of thought that led to this, or those that used it; of a chain, others like it",
     "c", GROUP_LINEAGE, HAS_MEMORIES, .argument = ARGUMENT_REF, .run = act_reasoning,
     .needs = NEED_MEMORY, .blocked = blocked_reasoning, .also = "compare chains, strategies"},
    {"conversation",
     "what a person and the agent said when this came about; of a session, its calls as they come",
     "&", GROUP_LINEAGE, HAS_MEMORIES | HAS_SESSIONS, BAR("conversation", 4),
     .argument = ARGUMENT_REF, .run = act_conversation, .blocked = blocked_conversation,
     .also = "transcript, origin, session, what the agent saw, context, tail, follow"},
    {"sources", "the documents and other sources that this goes back to", "s", GROUP_LINEAGE,
     HAS_MEMORIES, .argument = ARGUMENT_REF, .run = act_sources, .needs = NEED_MEMORY,
     .blocked = blocked_sources},
    {"history", "each change of it, by whom and why, and its other versions", "I", GROUP_LINEAGE,
     HAS_MEMORIES, BAR("history", 7), .argument = ARGUMENT_REF, .run = act_history,
     .needs = NEED_MEMORY, .also = "versions, blame, author, who wrote it and when",
     CLI("history REF")},
    {"health", "problems of the lineage: unsourced, unsupported, circular, missing", "!",
     GROUP_LINEAGE, EVERYWHERE, ROOT(ROOT_HEALTH),
     .also = "check, orphans, wrong, no source, without a source", CLI("check")},
    {"why", "why it is believed: its derivations, the strongest first", "*", GROUP_LINEAGE,
     HAS_MEMORIES, .argument = ARGUMENT_REF, QUESTION(WHY), .also = "reason, because, explain",
     CLI("why REF")},
    {"blame", "the smallest sets of sources that its support hangs on", "", GROUP_LINEAGE,
     HAS_MEMORIES, .argument = ARGUMENT_REF, QUESTION(BLAME), .also = "culprit, responsible",
     CLI("blame REF")},
    {"compare",
     "side by side: two selected memories, this and its source, this and one that is named, or as "
     "of one or two times (:compare yesterday, :compare @120 @123)",
     "C-e", GROUP_LINEAGE, HAS_MEMORIES, .argument = ARGUMENT_WORDS, .run = act_compare,
     .also = "difference, next to each other, two panes, versus, bookmarks"},
    {"roots", "its roots, and derivations that share no memory", "", GROUP_LINEAGE, HAS_MEMORIES,
     .argument = ARGUMENT_REF, QUESTION(ROOTS), .also = "independent, echo, copies",
     CLI("roots REF")},
    {"confidence", "what its sources warrant, as an interval", "", GROUP_LINEAGE, HAS_MEMORIES,
     .argument = ARGUMENT_REF, QUESTION(CONFIDENCE), .also = "probability, how sure",
     CLI("confidence REF")},
    {"taint", "what it touched, and what is based on it alone", "", GROUP_LINEAGE, HAS_MEMORIES,
     .argument = ARGUMENT_REF, QUESTION(TAINT), .also = "poisoned, infected, spread",
     CLI("taint REF")},
    {"forensics", "which events changed its label, and along which path", "", GROUP_LINEAGE,
     HAS_MEMORIES, .argument = ARGUMENT_REF, QUESTION(FORENSICS),
     .also = "when did it lose its support, who did it", CLI("forensics REF")},
    {"duplicates", "memories that say the same, in groups", "", GROUP_VIEWS, EVERYWHERE,
     .with = act_question, .value = QUESTION_DUPLICATES, .also = "similar, repeated, merge",
     CLI("duplicates")},
    {"conflicts", "memories that contradict each other, known or as candidates", "", GROUP_VIEWS,
     EVERYWHERE, .with = act_question, .value = QUESTION_CONFLICTS, .also = "contradictions",
     CLI("conflicts")},
    {"resolve",
     "weighs it against what contradicts it, or two selected memories; again: replaces one", "",
     GROUP_LINEAGE, HAS_MEMORIES, .argument = ARGUMENT_REF, .run = act_resolve,
     .needs = NEED_NO_QUESTION, .also = "contradiction, conflict, which is right",
     CLI("resolve REF")},
    {"stale", "what should be looked at again: its source changed, or nobody confirmed it", "",
     GROUP_VIEWS, EVERYWHERE, .with = act_question, .value = QUESTION_STALE,
     .also = "old, outdated, expired sources", CLI("stale")},
    {"replaced", "what replaced what, the largest batches first", "", GROUP_VIEWS, EVERYWHERE,
     .with = act_question, .value = QUESTION_REPLACED, .also = "overwritten, superseded",
     CLI("replaced")},
    {"effects",
     "whose label an event changed (:effects @137), also between two times (:effects @137 "
     "yesterday now)",
     "", GROUP_VIEWS, EVERYWHERE, .argument = ARGUMENT_WORDS, .with = act_question,
     .value = QUESTION_EFFECTS, .also = "event, consequence"},
    {"suspects", "sources, agents and sessions, by how much of theirs was rejected", "",
     GROUP_VIEWS, EVERYWHERE, .with = act_question, .value = QUESTION_SUSPECTS,
     .also = "whom to trust least, fault", CLI("suspects")},
    {"why-not", "why something is not believed (:why-not retries are safe)", "", GROUP_VIEWS,
     EVERYWHERE, .argument = ARGUMENT_WORDS, .with = act_question, .value = QUESTION_WHY_NOT,
     .also = "missing, absent"},
    {"keystones", "memories whose loss alone takes the support of others away", "", GROUP_VIEWS,
     EVERYWHERE, .with = act_question, .value = QUESTION_KEYSTONES,
     .also = "most important, depends on it", CLI("keystones")},
    {"facts", "everything that is stored about it", ".", GROUP_LINEAGE, HAS_MEMORIES,
     .lacks = HAS_PAGE, .argument = ARGUMENT_REF, .run = act_facts, .needs = NEED_MEMORY,
     .also = "details, show in full", CLI("show REF")},
    {"strategies", "compares chains on the same question, or the selected ones", "", GROUP_LINEAGE,
     HAS_MEMORIES, .lacks = HAS_CHAINS | HAS_FORMER, .act = act_strategies,
     .blocked = blocked_strategies},
    {"by-confidence", "relevance times the step's confidence, next to what was recorded", "%",
     GROUP_LINEAGE, HAS_USES, BAR("by confidence", 6), .on = act_by_confidence},
    {"check", "compares its content, or a file (:check FILE), with the recorded hash", "",
     GROUP_LINEAGE, HAS_PAGE, .argument = ARGUMENT_WORDS, .run = act_check,
     .blocked = blocked_check, CLI("check REF")},
    {"more", "shows ten more memories next to it, or more of a list", "+", GROUP_LINEAGE,
     HAS_DRAWING | HAS_NEW, .with = act_more, .value = 1,
     .also = "expand, retracted, forgotten, everything"},
    {"less", "undoes that, or hides the memories beyond it; of a list, down to what is new", "-",
     GROUP_LINEAGE, HAS_DRAWING | HAS_NEW, .with = act_more, .value = -1,
     .also = "collapse, hide, only new"},
    {"expand-used-by", "shows ten more of what is based on it", "", GROUP_LINEAGE, HAS_DRAWING,
     .with = act_expand_side, .value = DESCENDANTS, .needs = NEED_DRAWING},
    {"expand-sources", "shows ten more of what it is based on", "", GROUP_LINEAGE, HAS_DRAWING,
     .with = act_expand_side, .value = ANCESTORS, .needs = NEED_DRAWING},
    {"list-group", "lists the memories of a group", "#", GROUP_LINEAGE, HAS_DRAWING,
     .on = graph_view_list_group, .needs = NEED_DRAWING},
    {"tidy", "lays the drawing out again", "t", GROUP_LINEAGE, HAS_DRAWING, BAR("tidy", 7),
     .on = act_tidy, .needs = NEED_DRAWING},
    {"highlight", "highlights what loses support without it, its derivations, keystones, nothing",
     "W", GROUP_LINEAGE, HAS_DRAWING, BAR("highlight", 5), .on = act_highlight,
     .blocked = blocked_highlight},
    {"dots", "draws every memory as a dot, or in full again", "Z", GROUP_LINEAGE, HAS_DRAWING,
     BAR("dots", 8), .on = act_dots, .needs = NEED_DRAWING},
    {"legend", "what lines and signs mean: one line, all of it, nothing", "_", GROUP_LINEAGE,
     HAS_DRAWING, .on = act_legend, .needs = NEED_DRAWING},
    {"outline", "switches between the drawing and the outline", ",", GROUP_LINEAGE, HAS_LINEAGE,
     BAR("outline", 11), .act = lineage_exchange},
    {"draw-as", "how lineage is drawn: left to right, top to bottom, in boxes, outline", "",
     GROUP_LINEAGE, HAS_LINEAGE, .argument = ARGUMENT_STYLE, .run = act_draw_as},
    {"search", "searches this view as you type", "/", GROUP_FIND, EVERYWHERE, BAR("search", 6),
     .argument = ARGUMENT_WORDS, .run = act_search, .also = "find"},
    {"search-next", "to the next match", "n", GROUP_FIND, EVERYWHERE, .with = act_search_step,
     .value = 1, .needs = NEED_PATTERN},
    {"search-previous", "to the previous match", "N", GROUP_FIND, EVERYWHERE,
     .with = act_search_step, .value = -1, .needs = NEED_PATTERN},
    {"filter", "shows only lines that contain the words; in lists also label:unsourced, agent:NAME",
     "\\", GROUP_FIND, HAS_FILTER, BAR("filter", 6), .argument = ARGUMENT_WORDS, .run = act_filter,
     .also = "limit, narrow, as you type, no source, without a source"},
    {"same", "shows only events with the same actor, operation, memory, or session", "=",
     GROUP_FIND, HAS_EVENTS, BAR("same", 6), .act = act_same, .blocked = blocked_no_event},
    {"errors", "shows only calls that failed or were refused, or all lines again", "`", GROUP_FIND,
     HAS_EVENTS, BAR("errors", 6), .on = act_errors, .blocked = blocked_errors,
     .also = "failed, refused, failures, denied", CLI("log --calls only:errors")},
    {"search-store", "searches the texts of all memories", "S", GROUP_FIND, EVERYWHERE,
     .argument = ARGUMENT_WORDS, .run = act_search_store, .also = "find, told by"},
    {"list", "the memories of every kind that match a query: list agent:ash confidence:<0.7", "",
     GROUP_FIND, EVERYWHERE, .argument = ARGUMENT_WORDS, .run = act_list, .also = "query, where"},
    {"facets", "the values of a column in this list, and how many have each; Enter filters by one",
     "F", GROUP_FIND, HAS_MEMORY_LIST, .argument = ARGUMENT_WORDS, .run = act_facets,
     .blocked = blocked_facets, .also = "count, group by, histogram, statistics, unique values"},
    {"save", "keeps this view with its filter under a name, which opens it: save NAME", "",
     GROUP_FIND, EVERYWHERE, .argument = ARGUMENT_WORDS, .run = act_save,
     .also = "named view, bookmark, favourite"},
    {"unsave", "removes a saved view: unsave NAME", "", GROUP_FIND, EVERYWHERE,
     .argument = ARGUMENT_WORDS, .run = act_unsave},
    {"views", "the saved views", "", GROUP_FIND, EVERYWHERE, .act = act_views,
     .also = "named, saved"},
    {"watch",
     "alerts you when a memory begins to match a query (:watch label:unsupported); lists them", "",
     GROUP_FIND, EVERYWHERE, .argument = ARGUMENT_WORDS, .run = act_watch,
     .also = "alert, notify, bell"},
    {"unwatch", "ends a watch: unwatch QUERY, or choose one", "", GROUP_FIND, EVERYWHERE,
     .argument = ARGUMENT_WORDS, .run = act_unwatch},
    {"alerts", "the memories that began to match a watched query", "", GROUP_FIND, EVERYWHERE,
     .act = act_alerts, .also = "watch, notifications"},
    {"goto", "opens a memory by its ref or the beginning of one", "", GROUP_FIND, EVERYWHERE,
     .argument = ARGUMENT_REF, .run = act_go},
    {"command", "runs an action by name, opens a ref, or goes to a line number", ": C-p",
     GROUP_FIND, EVERYWHERE, BAR("command", 7), .act = palette_open},
    {"help", "lists all actions, those of this view first; / filters, Enter runs one", "? F1",
     GROUP_FIND, EVERYWHERE, .act = act_help},
    {"beliefs", "all beliefs", "1", GROUP_VIEWS, EVERYWHERE, ROOT(KIND_BELIEF),
     CLI("list beliefs")},
    {"episodes", "all episodes", "2", GROUP_VIEWS, EVERYWHERE, ROOT(KIND_EPISODE),
     CLI("list episodes")},
    {"raw", "all raw entries", "3", GROUP_VIEWS, EVERYWHERE, ROOT(KIND_RAW), CLI("list raw")},
    {"notes", "all notes", "4", GROUP_VIEWS, EVERYWHERE, ROOT(KIND_NOTE), CLI("list notes")},
    {"attributions", "all logged retrievals", "5", GROUP_VIEWS, EVERYWHERE, ROOT(KIND_ATTRIBUTION),
     CLI("list attributions")},
    {"chains", "all chains of thought", "6", GROUP_VIEWS, EVERYWHERE, ROOT(KIND_CHAIN),
     CLI("list chains")},
    {"documents", "all documents", "7", GROUP_VIEWS, EVERYWHERE, ROOT(KIND_DOCUMENT),
     CLI("list documents")},
    {"inbox", "what waits for your decision, the riskiest first", "8", GROUP_VIEWS, EVERYWHERE,
     ROOT(ROOT_REVIEW), .also = "review, queue, waiting, new memories, pending", CLI("review")},
    {"live", "connected agents, and events as they happen", "9", GROUP_VIEWS, EVERYWHERE,
     ROOT(ROOT_LIVE), .also = "watch, monitor", CLI("log --calls --follow")},
    {"sessions", "all sessions of agents, connected ones first", "", GROUP_VIEWS, EVERYWHERE,
     .view = sessions_view_new, CLI("sessions")},
    {"audit", "the audit: all changes and calls, with a filter", "@", GROUP_VIEWS, EVERYWHERE,
     .argument = ARGUMENT_WORDS, .run = act_audit, .also = "log, journal, who did what",
     CLI("log")},
    {"activity",
     "the changes of each day, of the session under the cursor, the agent shown, or all", "",
     GROUP_VIEWS, EVERYWHERE, .argument = ARGUMENT_AGENT, .run = act_activity,
     .also = "calendar, heat map, by day, per day, when, histogram, busy"},
    {"everything", "memories of every kind", "0", GROUP_VIEWS, EVERYWHERE, ROOT(ROOT_ALL),
     CLI("list all")},
    {"values", "all values", "", GROUP_VIEWS, EVERYWHERE, ROOT(KIND_VALUE), CLI("list values")},
    {"goals", "all goals", "", GROUP_VIEWS, EVERYWHERE, ROOT(KIND_GOAL), CLI("list goals")},
    {"drives", "all drives", "", GROUP_VIEWS, EVERYWHERE, ROOT(KIND_DRIVE), CLI("list drives")},
    {"relationships", "all relationships", "", GROUP_VIEWS, EVERYWHERE, ROOT(KIND_RELATIONSHIP),
     CLI("list relationships")},
    {"suggestions", "all suggestions", "", GROUP_VIEWS, EVERYWHERE, ROOT(KIND_SUGGESTION),
     CLI("list suggestions")},
    {"steps", "all steps of chains", "", GROUP_VIEWS, EVERYWHERE, ROOT(KIND_STEP),
     CLI("list steps")},
    {"citations", "all citations", "", GROUP_VIEWS, EVERYWHERE, ROOT(KIND_CITATION),
     CLI("list citations")},
    {"responses", "what each response cited, and checks of it; on a citation its response", "",
     GROUP_VIEWS, EVERYWHERE, .argument = ARGUMENT_WORDS, .run = act_responses,
     .also = "uncited sentences", CLI("responses")},
    {"entries", "all entries", "", GROUP_VIEWS, EVERYWHERE, ROOT(KIND_ENTRY), CLI("list entries")},
    {"namespaces", "shared memory: its namespaces, how full each is, and its entries", "",
     GROUP_VIEWS, EVERYWHERE, .argument = ARGUMENT_WORDS, .run = act_namespaces,
     .also = "quota, limit, space left", CLI("namespaces")},
    {"permissions", "what an agent may do in each namespace, and which rule says so", "",
     GROUP_VIEWS, EVERYWHERE, .argument = ARGUMENT_AGENT, .run = act_permissions,
     .also = "may do, access, who can read, who can write, who can see, shared entries",
     CLI("permissions")},
    {"trust", "people, agents and pages that told something, whom to trust least first", "",
     GROUP_VIEWS, EVERYWHERE, .view = trust_view_new,
     .also = "whom should I trust least, confirmed, contradicted, calibrated, sources",
     CLI("trust")},
    {"retrievals", "logged retrievals by type, URI or agent, with a timeline", "", GROUP_VIEWS,
     EVERYWHERE, .argument = ARGUMENT_WORDS, .run = act_retrievals, CLI("retrievals")},
    {"order", "the order of what is listed; of logged retrievals, their groups", "o", GROUP_VIEWS,
     HAS_ORDER | HAS_MATRIX | HAS_GROUPS, BAR("order", 9), .argument = ARGUMENT_ORDER,
     .run = act_order, .also = "sort, trust, group by type, URI or agent"},
    {"sort-left", "sorts by a column further to the left; a click on its header does, too", "<",
     GROUP_VIEWS, LISTS, .with = act_sort_step, .value = -1, .also = "order, column"},
    {"sort-right", "sorts by a column further to the right", ">", GROUP_VIEWS, LISTS,
     .with = act_sort_step, .value = 1, .also = "order, column"},
    {"agent", "shows one agent's memories, or all", "A", GROUP_VIEWS, EVERYWHERE,
     .argument = ARGUMENT_AGENT, .run = act_agent},
    {"new", "shows only what is new (+) or changed (~) since your last visit, or everything", "",
     GROUP_VIEWS, HAS_NEW, .act = act_only_new},
    {"asof", "the store as it was at a time (:asof 2 days ago, :asof @123); :asof now returns", "",
     GROUP_VIEWS, EVERYWHERE, .argument = ARGUMENT_WORDS, .run = act_asof,
     .also = "last week, yesterday, in the past, time travel"},
    {"diff", "what changed between two times (:diff yesterday now, :diff @120 @123)", "",
     GROUP_VIEWS, EVERYWHERE, .argument = ARGUMENT_WORDS, .run = act_diff,
     .also = "since last week, yesterday, compare two states"},
    {"with-reason", "the next change, or the one that is shown, asks for a reason", ";", GROUP_ACT,
     EVERYWHERE, .act = act_with_reason, AHEAD},
    {"confirm", "carries out what is shown, as Enter on its first line does", "", GROUP_ACT,
     HAS_QUESTION | HAS_WRITING, .on = act_confirm, .blocked = blocked_confirm, .also = "yes"},
    {"apply",
     "writes what was decided here back into the source, after asking; also over what changed "
     "there "
     "(:apply --overwrite); what was there comes back with :apply --undo",
     "", GROUP_ACT, EVERYWHERE, .argument = ARGUMENT_WORDS, .run = act_apply,
     .needs = NEED_NO_QUESTION, .also = "write back, save, source, original", CLI("apply")},
    {"fix", "offers a fix for this problem, or for all selected ones", "X", GROUP_ACT, HAS_PROBLEMS,
     BAR("fix", 1), .on = health_view_fix, .needs = NEED_SUBJECT},
    {"approve", "marks it as right: agents cannot change it", "a", GROUP_ACT, HAS_MEMORIES,
     BAR("approve", 5), .argument = ARGUMENT_REF, OPERATE(OPERATION_APPROVE),
     .needs = NEED_SUBJECT | NEED_LIVING, IN_MENU, CLI("approve REF")},
    {"edit", "changes its text, confidence, tags and fields", "e", GROUP_ACT, HAS_MEMORIES,
     BAR("edit", 5), .argument = ARGUMENT_REF, .run = act_edit,
     .needs = NEED_SUBJECT | NEED_KEPT | NEED_WRITTEN, IN_MENU,
     .also = "change its text, correct, rename, modify"},
    {"edit-outside", "changes its text in your editor", "E", GROUP_ACT, HAS_MEMORIES,
     .argument = ARGUMENT_REF, .run = act_edit_outside,
     .needs = NEED_SUBJECT | NEED_ONE | NEED_KEPT | NEED_WRITTEN, IN_MENU},
    {"reinforce", "adds evidence that confirms it: a ref, or words", "B", GROUP_ACT, HAS_MEMORIES,
     .argument = ARGUMENT_WORDS, .run = act_reinforce, .needs = NEED_SUBJECT | NEED_LIVING, IN_MENU,
     .also = "raise confidence, confirm", CLI("reinforce REF")},
    {"replace", "replaces it by a better statement", "", GROUP_ACT, HAS_MEMORIES,
     .argument = ARGUMENT_WORDS, .run = act_replace,
     .needs = NEED_SUBJECT | NEED_ONE | NEED_BELIEF | NEED_LIVING | NEED_CURRENT, IN_MENU,
     .also = "supersede, merge"},
    {"promote", "makes an episode, a belief or a note from a raw entry", "P", GROUP_ACT,
     HAS_MEMORIES, .argument = ARGUMENT_WORDS, .run = act_promote,
     .needs = NEED_SUBJECT | NEED_LIVING | NEED_RAW, IN_MENU},
    {"revise", "records what this episode confirms and contradicts", "", GROUP_ACT, HAS_MEMORIES,
     .act = act_revise, .needs = NEED_MEMORY | NEED_EPISODE | NEED_LIVING_HERE, IN_MENU},
    {"consolidate", "reinforces it by several memories at once", "", GROUP_ACT, HAS_MEMORIES,
     .argument = ARGUMENT_WORDS, .run = act_consolidate, .needs = NEED_MEMORY | NEED_LIVING_HERE,
     IN_MENU, .also = "merge, join, combine"},
    {"reviewed", "marks it as reviewed: it leaves the review queue", "x", GROUP_ACT, HAS_MEMORIES,
     .argument = ARGUMENT_REF, .run = act_reviewed, .needs = NEED_SUBJECT, IN_MENU,
     CLI("flag reviewed REF")},
    /* Before flag: `mark` was the name of both. */
    {"select", "selects the memory, or unselects it", "Space", GROUP_SELECT, HAS_MEMORIES,
     BAR("select", 8), .on = act_select, .needs = NEED_SUBJECT},
    {"flag", "flags it: reviewed, poisoned, a rating; a step's source: relevant or not", "J",
     GROUP_ACT, HAS_MEMORIES, .argument = ARGUMENT_WORDS, .run = act_flag, .needs = NEED_SUBJECT,
     IN_MENU},
    {"unflag", "removes a flag", "", GROUP_ACT, HAS_MEMORIES, .argument = ARGUMENT_WORDS,
     .run = act_unflag, .needs = NEED_SUBJECT, IN_MENU},
    {"lock", "locks it: agents cannot change it", "", GROUP_ACT, HAS_MEMORIES,
     .argument = ARGUMENT_REF, OPERATE(OPERATION_LOCK), .needs = NEED_SUBJECT | NEED_UNLOCKED,
     IN_MENU, CLI("lock REF")},
    {"unlock", "unlocks it: agents can change it again", "", GROUP_ACT, HAS_MEMORIES,
     .argument = ARGUMENT_REF, OPERATE(OPERATION_UNLOCK), .needs = NEED_SUBJECT | NEED_LOCKED,
     IN_MENU, CLI("unlock REF")},
    {"retract", "wrong: memories based only on it lose support", "d", GROUP_ACT, HAS_MEMORIES,
     BAR("retract", 4), .argument = ARGUMENT_REF, OPERATE(OPERATION_RETRACT),
     .needs = NEED_SUBJECT | NEED_LIVING, IN_MENU, .also = "take back, remove, delete, false",
     CLI("retract REF")},
    {"merge", "keeps one that says the same, with all sources", "m", GROUP_ACT, HAS_MEMORIES,
     .argument = ARGUMENT_REF, .run = act_merge, .needs = NEED_SUBJECT | NEED_LIVING, IN_MENU,
     .also = "duplicate, join, combine"},
    {"quarantine", "takes it and all that is based on it alone away from agents", "", GROUP_ACT,
     HAS_MEMORIES, .argument = ARGUMENT_REF, OPERATE(OPERATION_QUARANTINE),
     .needs = NEED_SUBJECT | NEED_LIVING, IN_MENU, .also = "poisoned, taint, contain, hide",
     CLI("quarantine REF")},
    {"release", "takes a quarantine back", "", GROUP_ACT, HAS_MEMORIES, .argument = ARGUMENT_REF,
     OPERATE(OPERATION_RELEASE), .needs = NEED_SUBJECT | NEED_QUARANTINED, IN_MENU,
     CLI("release REF")},
    {"restore", "brings a retracted, forgotten or removed memory back", "", GROUP_ACT, HAS_MEMORIES,
     .argument = ARGUMENT_REF, OPERATE(OPERATION_RESTORE),
     .needs = NEED_SUBJECT | NEED_KEPT | NEED_INACTIVE, IN_MENU,
     .also = "undelete, recover, get back", CLI("restore REF")},
    {"forget", "hides it from lists; deletes no text or lineage", "D", GROUP_ACT, HAS_MEMORIES,
     .argument = ARGUMENT_REF, OPERATE(OPERATION_FORGET),
     .needs = NEED_SUBJECT | NEED_UNLOCKED | NEED_REMEMBERED, IN_MENU, .also = "remove, hide",
     CLI("forget REF")},
    {"purge", "deletes its text for good", "", GROUP_ACT, HAS_MEMORIES, .argument = ARGUMENT_REF,
     OPERATE(OPERATION_PURGE), .needs = NEED_SUBJECT | NEED_KEPT, IN_MENU, .also = "erase, remove",
     CLI("purge REF")},
    {"cap-confidence", "lowers the confidence of memories based on it to what their support allows",
     "", GROUP_ACT, HAS_MEMORIES, .argument = ARGUMENT_REF, OPERATE(OPERATION_CAP_CONFIDENCE),
     .needs = NEED_SUBJECT | NEED_ONE, IN_MENU, CLI("cap-confidence REF")},
    {"repair-origins", "records where seeds and promoted raw entries came from", "", GROUP_ACT,
     EVERYWHERE, .act = act_repair_origins, IN_MENU, CLI("repair-origins")},
    {"add", "adds a memory of any kind", "i", GROUP_ACT, EVERYWHERE, .argument = ARGUMENT_WORDS,
     .run = act_add, IN_MENU, AHEAD, .also = "new, write, create"},
    {"seed", "adds a belief that the agent starts with", "", GROUP_ACT, EVERYWHERE,
     .argument = ARGUMENT_WORDS, .run = act_seed, IN_MENU, AHEAD},
    {"change", "a menu of all changes to this, or to the selected ones", "C", GROUP_ACT,
     HAS_MEMORIES, .lacks = HAS_QUESTION, BAR("change", 5), .act = act_act, AHEAD},
    {"undo", "undoes your last change, or in a list of events the one under the cursor", "u",
     GROUP_ACT, EVERYWHERE, BAR("undo", 18), .argument = ARGUMENT_WORDS, .run = act_undo,
     .needs = NEED_NO_QUESTION, IN_MENU, .blocked = blocked_undo, .also = "take back, revert",
     CLI("undo")},
    {"redo", "redoes what you undid last", "C-r", GROUP_ACT, EVERYWHERE, .act = act_redo,
     .needs = NEED_NO_QUESTION, CLI("redo")},
    {"unsaved", "typed text that could not be saved, to try again", "", GROUP_ACT, EVERYWHERE,
     .act = pending_ask_unsaved, .needs = NEED_UNSAVED, AHEAD},
    {"relevant", "rates the source under the cursor as relevant to its step", "", GROUP_ACT,
     HAS_USES, .argument = ARGUMENT_WORDS, .with = act_rate, .value = 1, .blocked = blocked_rate},
    {"irrelevant", "rates the source under the cursor as not relevant to its step", "", GROUP_ACT,
     HAS_USES, .argument = ARGUMENT_WORDS, .with = act_rate, .value = 0, .blocked = blocked_rate},
    {"supported", "rates whether the sources support the step: yes or no", "", GROUP_ACT, HAS_USES,
     .argument = ARGUMENT_WORDS, .run = act_supported, .blocked = blocked_supported},
    {"select-range", "starts a range, which an action takes; again: selects it", "v", GROUP_SELECT,
     HAS_MEMORIES, .lacks = HAS_DRAWING | HAS_MATRIX, .on = act_select_range, .needs = NEED_MEMORY},
    {"select-invert", "inverts the selection in this view", "V", GROUP_SELECT, HAS_MEMORIES,
     .on = act_select_invert, .needs = NEED_LINES},
    {"select-alike", "selects what says the same; again: all of its session, then all that waits",
     "^", GROUP_SELECT, HAS_INBOX, BAR("select alike", 6), .on = act_select_alike,
     .needs = NEED_LINES, .also = "group, session, everything"},
    {"unselect-all", "unselects everything", "U", GROUP_SELECT, HAS_MEMORIES,
     .on = act_unselect_all, .needs = NEED_SELECTION},
    {"yank", "copies the text, ref, JSON or path of the memory, or of all selected ones", "y",
     GROUP_SELECT, HAS_MEMORIES | HAS_COMMANDS, .lacks = HAS_QUESTION, BAR("yank", 10),
     .argument = ARGUMENT_COPY, .run = act_yank, .blocked = blocked_no_yank, AHEAD,
     .also = "copy, clipboard, paste"},
    {"yank-original", "copies the original text, after a warning about what it contains", "Y",
     GROUP_SELECT, HAS_MEMORIES, .act = act_yank_original, .needs = NEED_MEMORY, AHEAD},
    {"pipe",
     "gives it, or the selected ones, to a command, a line of JSON each, and shows its output", "|",
     GROUP_SELECT, HAS_MEMORIES, .lacks = HAS_QUESTION, .argument = ARGUMENT_WORDS, .run = act_pipe,
     .needs = NEED_SUBJECT, .also = "shell, command, program, jq"},
    {"export",
     "writes the memories of this list, or the selected ones, to a file: export FILE csv; or a "
     "drawing: export FILE dot",
     "", GROUP_SELECT, LISTS | HAS_DRAWING, .argument = ARGUMENT_WORDS, .run = act_export,
     .also = "save, write, download, csv, jsonl, markdown, mermaid, text, dot, json",
     CLI("export")},
    {"run", "runs a command of the shell: run CMD, or :!CMD", "", GROUP_SELECT, EVERYWHERE,
     .argument = ARGUMENT_WORDS, .run = act_run, .also = "shell !"},
    {"open-uri", "opens a URI of it with xdg-open: http, https or file", "O", GROUP_SELECT,
     HAS_MEMORIES, .lacks = HAS_QUESTION, .act = act_open_uri, .needs = NEED_MEMORY,
     .also = "browser, link, url, web page"},
    {"follow", "the cursor follows new lines, or stays", "C-f", GROUP_LIVE, HAS_FOLLOWING,
     BAR("follow", 16), .act = act_follow, .needs = NEED_FEED},
    {"end-session", "ends the session under the cursor, or makes it read-only, after asking", "K",
     GROUP_LIVE, HAS_SESSIONS, BAR("end session", 5), .act = act_session,
     .blocked = blocked_no_session, .also = "session writes, read-only, kill"},
    {"tools",
     "calls, errors, times, bytes and tokens of each tool, for the session under the cursor, or "
     "all",
     "$", GROUP_LIVE, EVERYWHERE, .act = act_tools,
     .also = "usage, cost, price, in full, latency, slow, percentile, statistics"},
    {"pause", "holds back changes by others, or shows them again; sessions go on", "p", GROUP_LIVE,
     EVERYWHERE, BAR("pause", 17), .act = act_pause, .needs = NEED_FEED},
    {"refresh", "reloads this view", "R", GROUP_LIVE, EVERYWHERE, .act = act_refresh},
    {"reload", "reads config.yaml again, all of it", "", GROUP_SCREEN, EVERYWHERE,
     .act = rules_reload, .also = "configuration settings"},
    {"cancel", "stops what is running", "C-c", GROUP_LIVE, EVERYWHERE, .act = act_cancel},
    {"preview",
     "hides, moves or resizes the preview: preview off, right, below, auto, + or -, or percent",
     "C-x", GROUP_SCREEN, EVERYWHERE, .argument = ARGUMENT_PREVIEW, .run = act_preview,
     .blocked = blocked_preview, .also = "pane, split, layout, bigger, smaller"},
    {"zoom", "the pane with the cursor on the whole screen, or both again", "z", GROUP_SCREEN,
     HAS_MEMORIES, BAR("zoom", 15), .on = act_zoom, .needs = NEED_PREVIEW,
     .also = "preview, full screen"},
    {"exact-times", "shows times as dates, or as ages", "T", GROUP_SCREEN, EVERYWHERE,
     .on = act_times, .also = "clock, timestamps"},
    {"columns",
     "which columns this list shows, and how wide: columns agent, columns agent 20, columns "
     "default",
     "", GROUP_SCREEN, LISTS, .argument = ARGUMENT_COLUMN, .run = act_columns,
     .blocked = blocked_columns, .also = "width, hide, wider, narrower, costs, tokens, opened"},
    {"mask", "masks personal data as agents see it, or shows it as it is", "", GROUP_SCREEN,
     EVERYWHERE, .act = rules_toggle_mask},
    {"theme", "changes the colours", "", GROUP_SCREEN, EVERYWHERE, .argument = ARGUMENT_THEME,
     .run = act_theme, .also = "dark, light, color"},
    {"mouse", "uses the mouse, or leaves it to the terminal", "M", GROUP_SCREEN, EVERYWHERE,
     .on = act_mouse},
    {"record",
     "writes all keys since the start to a new file, for a bug report (:record FILE); ends it", "",
     GROUP_SCREEN, EVERYWHERE, .argument = ARGUMENT_WORDS, .run = act_record,
     .also = "macro, replay, keystrokes", CLI("--record FILE")},
    {"redraw", "redraws the screen", "C-l", GROUP_SCREEN, EVERYWHERE, .on = act_redraw},
};
#define ACTIONS (sizeof(actions) / sizeof(actions[0]))
_Static_assert(ACTIONS <= ACTIONS_MAX, "a keymap has room for every action");

const char *action_bar(const struct action *action, const char *bar, char word[BAR_WORD], int *rank)
{
    size_t len = strlen(action->name);
    *rank = action->rank;
    snprintf(word, BAR_WORD, "%s", action->bar ? action->bar : "");
    for (int place = 0; bar && *bar; place++) {
        size_t item = strcspn(bar, ","), name = strcspn(bar, ",=");
        bool hidden = *bar == '!';
        if (name - hidden == len && !memcmp(bar + hidden, action->name, len)) {
            *rank = place - ACTIONS_MAX;
            if (name < item)
                snprintf(word, BAR_WORD, "%.*s", (int)(item - name - 1), bar + name + 1);
            return hidden ? NULL : word;
        }
        bar += item + (bar[item] == ',');
    }
    return action->bar ? word : NULL;
}

int action_order(const struct action *action, const char *bar)
{
    char word[BAR_WORD];
    int rank;
    if (action_bar(action, bar, word, &rank))
        return rank;
    return ACTIONS_MAX + (action->group == GROUP_MOVE);
}

static const char *const group_names[GROUP_COUNT] = {
    [GROUP_MOVE] = "moving", [GROUP_LINEAGE] = "lineage", [GROUP_FIND] = "finding",
    [GROUP_VIEWS] = "views", [GROUP_ACT] = "acting",      [GROUP_SELECT] = "selecting and copying",
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
    if (len == 5 && !memcmp(name, "as-of", 5)) { /* the name of the option */
        name = "asof";
        len = 4;
    }
    if (len == 6 && !memcmp(name, "review", 6)) { /* the name of the command */
        name = "inbox";
        len = 5;
    }
    char typed[32];
    snprintf(typed, sizeof(typed), "%.*s", len < sizeof(typed) ? (int)len : 0, name);
    for (char *space = typed; (space = strchr(space, ' '));)
        *space = '-';
    for (size_t i = 0; i < ACTIONS; i++)
        if (is_display_name(typed, actions[i].name))
            return &actions[i];
    return NULL;
}

bool action_matches(const struct action *a, const char *words)
{
    char spaced[32];
    snprintf(spaced, sizeof(spaced), "%s", a->name);
    for (char *dash = spaced; (dash = strchr(dash, '-'));)
        *dash = ' ';
    return match_text(a->name, words) || match_text(spaced, words) || match_text(a->bar, words) ||
           match_text(a->help, words) || match_text(a->also, words);
}

void action_add_word(struct strbuf *out, const char *word)
{
    bool plain = *word != '\0';
    for (const char *c = word; *c; c++)
        plain = plain && (isalnum((unsigned char)*c) || strchr(":/._-", *c));
    strbuf_addstr(out, plain ? "" : "'");
    for (const char *c = word; *c; c++)
        if (*c == '\'')
            strbuf_addstr(out, "'\\''");
        else
            strbuf_addch(out, iscntrl((unsigned char)*c) ? '?' : *c);
    strbuf_addstr(out, plain ? "" : "'");
}

void action_refs(struct app *x, struct strbuf *out)
{
    AUTO_ARENA arena = ARENA_INIT;
    bool selected;
    size_t count;
    if (view_memory(x->nav.top) <= 0 && x->ui.selection.count == 0)
        return;
    const int64_t *nodes = pending_subjects(x, &arena, &count, &selected);
    for (size_t i = 0; nodes && i < count; i++) {
        const struct memory_row *row = details_row(x, nodes[i]);
        AUTO_STRBUF ref = STRBUF_INIT;
        if (!row)
            continue;
        details_ref(x, row, &ref);
        strbuf_addstr(out, out->len ? " " : "");
        action_add_word(out, ref.buf);
    }
}

const char *action_command(const struct action *a, const char *refs, struct strbuf *out)
{
    const char *ref = a->command ? strstr(a->command, "REF") : NULL;
    strbuf_clear(out);
    if (a->command && ref)
        strbuf_addf(out, "stemma %.*s%s%s", (int)(ref - a->command), a->command,
                    *refs ? refs : "REF", ref + 3);
    else if (a->command)
        strbuf_addf(out, "stemma %s", a->command);
    return out->len ? out->buf : NULL;
}
