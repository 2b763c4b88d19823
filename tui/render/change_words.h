/* What an event changed, in the few words that a column has. */
#ifndef STEMMA_CHANGE_WORDS_H
#define STEMMA_CHANGE_WORDS_H

struct event;
struct strbuf;

/*
 * "conf 0.713 to 0.813, +deploy", "text", "was active": appended from the undo patch alone, raw text of the
 * store; nothing of an addition or of what was purged. Of a list at most three elements are named, the rest
 * counted. O(patch).
 */
void change_words(const struct event *event, struct strbuf *out);

#endif
