/* What differs between two states of a memory, laid out for a width: long texts by their words. */
#ifndef STEMMA_DIFFERENCE_SHEET_H
#define STEMMA_DIFFERENCE_SHEET_H

#include <stdbool.h>
#include <stdint.h>
#include "model/base/error.h"
#include "model/format/difference.h"
#include "model/memory/memory.h"
#include "tui/render/sheet.h"

/*
 * Adds lines:
 *
 *   confidence        0.7 → 0.713
 *   text            - It cost 40 minutes of downtime, and the rollback failed because …
 *                   + It cost 41 minutes of downtime, and the rollback failed because …
 *   tags            + deploy
 *
 * The words of a text that went or came are in STYLE_MATCH, what is the same far from them is left out for
 * an ellipsis. A member of the detail goes by its own name. What is longer than DIFFERENCE_LINES is cut, and that is
 * said.
 */
#define DIFFERENCE_LINES 400
void difference_sheet(struct sheet *s, const struct difference *list, size_t count, bool ascii);

/* Writes what differs between two states of a memory, so far in: how many fields did. */
struct output;
size_t difference_print(struct output *out, const struct memory *before, const struct memory *after,
                        size_t indent);

/* Goes on with the last line from `column` on: the text that came of the runs, what is new in it in STYLE_MATCH. */
void difference_put_after(struct sheet *s, int column, const struct text_run *run, size_t count);

/* A state by itself, as the difference from nothing has it: each field with its value, no signs. */
void state_sheet(struct sheet *s, const struct difference *list, size_t count);

/* Both sides as people read numbers: three digits of a confidence where those tell them apart, a time as a
 * date. In the arena. */
void difference_readable(struct difference *d, struct arena *arena);

/* What an event changed, in the few words that a column has. */

struct event;
struct strbuf;

/*
 * "conf 0.713 to 0.813, +deploy", "text", "was active": appended from the undo patch alone, raw text of the
 * store; nothing of an addition or of what was purged. Of a list at most three elements are named, the rest
 * counted. O(patch).
 */
void change_words(const struct event *event, struct strbuf *out);

/* What an event's operation did: "added", "forgot". An unknown one as it is. */
const char *news_said(const char *operation);
/* Who did it: the agent that was acted for, else the actor. */
const char *news_who(const struct event *event);

/* Did stemma do it by itself, nobody having asked: was what expired swept? */
bool news_is_nobodys(const struct event *event);

/* Is it the end of a response, which is about no memory? */
bool news_is_answer(const struct event *event);
/* What the response rests on: "3 sources"; 0 or less: "no sources". After a colon where something stands there. */
void news_add_answer(int64_t sources, struct strbuf *out);

#endif
