/*
 * News: what others write while the explorer runs. It is told to the views and said in the status
 * line, and never moves what a person looks at.
 *
 * However much is written, a round of it costs little: so many events are told one by one, and where
 * there are more the views read themselves again. The loop spaces the rounds (loop.c).
 */
#ifndef STEMMA_NEWS_H
#define STEMMA_NEWS_H

#include <stddef.h>
#include <stdint.h>

struct app;
struct event;
struct strbuf;

#define NEWS_MOST 256 /* events of a round that are told one by one */

/* What an event's operation did: "added", "forgot". An unknown one as it is. */
const char *news_said(const char *operation);
/* Who did it: the agent that was acted for, else the actor. */
const char *news_who(const struct event *event);

/* How a memory stands to the last visit, for the mark of its row: ' ', '+' new, '~' changed since, or
 * '!' changed just now, under the cursor. */
struct memory_row;
char news_mark(const struct app *x, const struct memory_row *row);

#endif
