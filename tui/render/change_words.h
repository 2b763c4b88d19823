/* What an event changed, in the few words that a column has. */
#ifndef STEMMA_CHANGE_WORDS_H
#define STEMMA_CHANGE_WORDS_H

#include <stdbool.h>
#include <stdint.h>

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
