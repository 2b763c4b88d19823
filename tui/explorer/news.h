/*
 * News: what others write while the explorer runs. It is told to the views and said in the status
 * line, and never moves what a person looks at.
 *
 * However much is written, a round of it costs little: so many events are told one by one, and where
 * there are more the views read themselves again. The loop spaces the rounds (loop.c).
 */
#ifndef STEMMA_NEWS_H
#define STEMMA_NEWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tui/render/difference_sheet.h"

struct app;
struct event;
struct strbuf;

#define NEWS_MOST 256 /* events of a round that are told one by one */

/* An agent may go by any name, a person's as well: what it was is said with it. Appends "you",
 * "claire (person)", "ash (agent, via claude-code)", the client of its session, or "stemma itself". */
void news_add_who(struct app *x, const struct event *event, struct strbuf *out);
/* Is that the name of who sits before this explorer? */
bool news_is_own(const struct app *x, const char *person);

/* How many changes are held back from that view: what it was read with while it is paused, it has. Of one whose lines
 * are what happened, how many lines. */
struct view;
size_t news_held_from(const struct app *x, const struct view *v);

/* Are memories listed of several agents? Lists then have a column for them. */
void news_count_agents(struct app *x);

/* How a memory stands to the last visit, for the mark of its row: ' ', '+' new, '~' changed since, or
 * '!' changed just now, under the cursor. */
struct memory_row;
struct pane;
char news_mark(const struct app *x, const struct memory_row *row);
/* That mark in that column of the pane's row. */
void news_draw(const struct app *x, const struct pane *row, int column, const struct memory_row *m);

#endif
