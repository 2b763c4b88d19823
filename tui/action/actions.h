/* What the actions do: the functions that the registry's table in action.c names. */
#ifndef STEMMA_ACTIONS_H
#define STEMMA_ACTIONS_H

#include "tui/action/action.h"
#include "tui/action/palette.h"

struct app;

#define ACTION_DECLARE(name) void act_##name(struct app *x, const char *argument)
/* act_move.c */
ACTION_DECLARE(down);
ACTION_DECLARE(up);
ACTION_DECLARE(half_down);
ACTION_DECLARE(half_up);
ACTION_DECLARE(page_down);
ACTION_DECLARE(page_up);
ACTION_DECLARE(first);
ACTION_DECLARE(last);
ACTION_DECLARE(left);
ACTION_DECLARE(right);
ACTION_DECLARE(pan_left);
ACTION_DECLARE(pan_right);
ACTION_DECLARE(open);
ACTION_DECLARE(back);
ACTION_DECLARE(escape);
ACTION_DECLARE(quit);
ACTION_DECLARE(next_section);
ACTION_DECLARE(previous_section);
ACTION_DECLARE(history_back);
ACTION_DECLARE(history_forward);
ACTION_DECLARE(place_keep);
ACTION_DECLARE(place_return);
/* act_find.c */
ACTION_DECLARE(search);
ACTION_DECLARE(search_next);
ACTION_DECLARE(search_previous);
ACTION_DECLARE(search_store);
ACTION_DECLARE(filter);
ACTION_DECLARE(command);
ACTION_DECLARE(go);
ACTION_DECLARE(help);
/* act_view.c */
ACTION_DECLARE(rests_on);
ACTION_DECLARE(carries);
ACTION_DECLARE(both);
ACTION_DECLARE(what_if);
ACTION_DECLARE(history);
ACTION_DECLARE(health);
ACTION_DECLARE(mend);
ACTION_DECLARE(order);
ACTION_DECLARE(agent);
ACTION_DECLARE(gone);
ACTION_DECLARE(only_new);
ACTION_DECLARE(beliefs);
ACTION_DECLARE(episodes);
ACTION_DECLARE(raw);
ACTION_DECLARE(notes);
ACTION_DECLARE(attributions);
ACTION_DECLARE(chains);
ACTION_DECLARE(documents);
ACTION_DECLARE(review);
ACTION_DECLARE(everything);
ACTION_DECLARE(values);
ACTION_DECLARE(goals);
ACTION_DECLARE(drives);
ACTION_DECLARE(relationships);
ACTION_DECLARE(suggestions);
ACTION_DECLARE(steps);
ACTION_DECLARE(citations);
ACTION_DECLARE(entries);
/* act_sources.c */
ACTION_DECLARE(facts);
ACTION_DECLARE(retrievals);
ACTION_DECLARE(group);
ACTION_DECLARE(strategies);
/* act_entry.c */
ACTION_DECLARE(namespaces);
ACTION_DECLARE(permissions);
/* rules.c */
ACTION_DECLARE(mask);
/* act_check.c */
ACTION_DECLARE(check);
/* act_graph.c */
ACTION_DECLARE(walk_left);
ACTION_DECLARE(walk_right);
ACTION_DECLARE(look_left);
ACTION_DECLARE(look_right);
ACTION_DECLARE(centre);
ACTION_DECLARE(expand);
ACTION_DECLARE(expand_before);
ACTION_DECLARE(expand_after);
ACTION_DECLARE(collapse);
ACTION_DECLARE(list_group);
ACTION_DECLARE(tidy);
ACTION_DECLARE(dots);
ACTION_DECLARE(legend);
ACTION_DECLARE(shade);
ACTION_DECLARE(outline);
ACTION_DECLARE(draw_as);
/* act_chain.c */
ACTION_DECLARE(cell_left);
ACTION_DECLARE(cell_right);
ACTION_DECLARE(columns_left);
ACTION_DECLARE(columns_right);
ACTION_DECLARE(next_use);
ACTION_DECLARE(previous_use);
ACTION_DECLARE(next_user);
ACTION_DECLARE(previous_user);
ACTION_DECLARE(first_column);
ACTION_DECLARE(last_column);
ACTION_DECLARE(by_confidence);
ACTION_DECLARE(matrix_order);
ACTION_DECLARE(relevant);
ACTION_DECLARE(irrelevant);
ACTION_DECLARE(supported);
ACTION_DECLARE(reasoning);
ACTION_DECLARE(sources);
/* graph_export.c */
ACTION_DECLARE(export);
/* act_past.c */
ACTION_DECLARE(asof);
ACTION_DECLARE(diff);
/* act_live.c */
ACTION_DECLARE(live);
ACTION_DECLARE(sessions);
ACTION_DECLARE(end_session);
ACTION_DECLARE(session_writes);
/* act_audit.c */
ACTION_DECLARE(audit);
ACTION_DECLARE(same);
ACTION_DECLARE(undo_event);
/* act_mark.c */
ACTION_DECLARE(mark);
ACTION_DECLARE(mark_range);
ACTION_DECLARE(mark_invert);
ACTION_DECLARE(mark_none);
/* act_memory.c */
ACTION_DECLARE(verify);
ACTION_DECLARE(protect);
ACTION_DECLARE(unprotect);
ACTION_DECLARE(retract);
ACTION_DECLARE(restore);
ACTION_DECLARE(forget);
ACTION_DECLARE(purge);
ACTION_DECLARE(propagate);
ACTION_DECLARE(fix_provenance);
ACTION_DECLARE(confirm);
ACTION_DECLARE(mine);
ACTION_DECLARE(theirs);
ACTION_DECLARE(edit_again);
ACTION_DECLARE(reviewed);
ACTION_DECLARE(undo);
ACTION_DECLARE(redo);
/* act_menu.c */
ACTION_DECLARE(act);
/* act_edit.c */
ACTION_DECLARE(edit);
ACTION_DECLARE(edit_outside);
/* act_judge.c */
ACTION_DECLARE(reinforce);
ACTION_DECLARE(process);
ACTION_DECLARE(mark_as);
ACTION_DECLARE(unmark);
ACTION_DECLARE(supersede);
/* act_gather.c */
ACTION_DECLARE(revise);
ACTION_DECLARE(consolidate);
/* act_add.c */
ACTION_DECLARE(add);
ACTION_DECLARE(seed);
/* unsaved.c */
ACTION_DECLARE(unsaved);
/* yank.c */
ACTION_DECLARE(yank);
ACTION_DECLARE(yank_original);
/* act_screen.c */
ACTION_DECLARE(zoom);
ACTION_DECLARE(times);
ACTION_DECLARE(refresh);
ACTION_DECLARE(follow);
ACTION_DECLARE(pause);
ACTION_DECLARE(mouse);
ACTION_DECLARE(redraw);
ACTION_DECLARE(cancel);
ACTION_DECLARE(theme);

/* Why one cannot be done now; NULL: it can. */
const char *blocked_act(struct app *x);
const char *blocked_acting(struct app *x);
const char *blocked_back(struct app *x);
const char *blocked_one(struct app *x);
const char *blocked_living(struct app *x);
const char *blocked_retract(struct app *x);
const char *blocked_restore(struct app *x);
const char *blocked_forget(struct app *x);
const char *blocked_purge(struct app *x);
const char *blocked_protect(struct app *x);
const char *blocked_unprotect(struct app *x);
const char *blocked_edit(struct app *x);
const char *blocked_edit_outside(struct app *x);
const char *blocked_process(struct app *x);
const char *blocked_supersede(struct app *x);
const char *blocked_revise(struct app *x);
const char *blocked_consolidate(struct app *x);
const char *blocked_confirm(struct app *x);
const char *blocked_mine(struct app *x);
const char *blocked_theirs(struct app *x);
const char *blocked_nothing_unsaved(struct app *x);
const char *blocked_no_memory(struct app *x);
const char *blocked_no_event(struct app *x);
const char *blocked_no_yank(struct app *x);
const char *blocked_undo_event(struct app *x);
const char *blocked_no_search(struct app *x);
const char *blocked_no_history_back(struct app *x);
const char *blocked_no_history_forward(struct app *x);
const char *blocked_no_marks(struct app *x);
const char *blocked_no_preview(struct app *x);
const char *blocked_no_session(struct app *x);
const char *blocked_no_writer(struct app *x);
/* What its key does, for the key bar. */
const char *word_session_writes(struct app *x);
const char *blocked_no_feed(struct app *x);
const char *blocked_no_lines(struct app *x);
const char *blocked_open(struct app *x);
const char *blocked_check(struct app *x);
const char *blocked_group(struct app *x);
const char *blocked_strategies(struct app *x);
const char *blocked_no_drawing(struct app *x);
const char *blocked_rate(struct app *x);
const char *blocked_supported(struct app *x);
const char *blocked_reasoning(struct app *x);
const char *blocked_sources(struct app *x);
const char *blocked_shade(struct app *x);
const char *blocked_not_panned(struct app *x);

#endif
