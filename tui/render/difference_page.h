/* The difference between two states of a memory, laid out for a width. Long texts are compared by words. */
#ifndef STEMMA_DIFFERENCE_PAGE_H
#define STEMMA_DIFFERENCE_PAGE_H

#include <stdbool.h>
#include <stdint.h>
#include "model/format/difference.h"
#include "model/memory/memory.h"
#include "tui/render/page.h"

struct output;

/*
 * Adds lines:
 *
 *   confidence        0.7 → 0.713
 *   text            - It cost 40 minutes of downtime, and the rollback failed because …
 *                   + It cost 41 minutes of downtime, and the rollback failed because …
 *   tags            + deploy
 *
 * Changed words are in STYLE_MATCH. Unchanged text far from them is replaced by an ellipsis. A member of the detail
 * is shown by its own name. Values longer than DIFFERENCE_LINES are cut, with a note.
 */
#define DIFFERENCE_LINES 400
void difference_page(struct page *s, const struct difference *list, size_t count, bool ascii);

/* Prints the difference between two states, indented. Returns the number of fields that differ. */
size_t difference_print(struct output *out, const struct memory *before, const struct memory *after,
                        size_t indent);

/* Continues the last line at `column` with the new text, its new words in STYLE_MATCH. */
void difference_put_after(struct page *s, int column, const struct text_run *run, size_t count);

/* Adds the fields of one state with their values, without signs. */
void state_page(struct page *s, const struct difference *list, size_t count);

/* Rewrites both sides for people: three decimals of a confidence if two are not enough to tell them apart, dates for
 * times. In the arena. */
void difference_readable(struct difference *d, struct arena *arena);

/* ---- events in a few words ---- */

struct event;
struct strbuf;

/*
 * Appends a summary of an event's changes: "conf 0.713 to 0.813, +deploy", "text", "was active". Uses only the undo
 * patch. The text is raw text of the store. Appends nothing for an addition or for purged data. Names at most three
 * elements of a list and counts the rest. O(patch).
 */
void change_words(const struct event *event, struct strbuf *out);

/* An operation in the past tense: "added", "forgot". An unknown operation is returned unchanged. */
const char *event_verb(const char *operation);

/* Whether it ends the citations of a response. Such an event is about no memory. */
bool event_is_response(const struct event *event);
/* Appends the sources of a response: "3 sources", or "no sources" for 0 or less; after ": " if `out` is not empty. */
void event_add_sources(int64_t sources, struct strbuf *out);

#endif
