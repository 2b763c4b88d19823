/*
 * A view whose lines are what happened, the newest first: the worker reads them back from the end of the
 * logs, a page at a time, and what is new lands on top without moving the cursor from its happening. The
 * live view and the audit begin with one.
 */
#ifndef STEMMA_HAPPENING_LIST_H
#define STEMMA_HAPPENING_LIST_H

#include "tui/view/events/happening.h"
#include "tui/view/events/happening_count.h"
#include "tui/view/events/happening_held.h"
#include "tui/view/events/happening_return.h"
#include "tui/widget/prompt.h"
#include "tui/widget/view.h"

struct happening_list {
    struct view view;
    struct happenings all; /* those that pass the filter */
    struct happening_filter filter;
    char typed[PROMPT_MAX]; /* the same as it was typed */
    int64_t session;        /* of which alone all of it is; 0: of every one */
    int64_t newest_seq, newest_call, oldest_seq, oldest_call; /* as far as was read */
    bool begun;                                               /* the four are known */
    bool complete;                                            /* back to the beginning */
    bool asked; /* another filter: its first answer replaces what is there */
    bool newer_wanted;
    struct happening_held held; /* while it is paused */
    struct happening_return back;
    struct happening_count count;
    bool reads_far;   /* what is under way reads on to what is waited for, else a page */
    double rate;      /* a second, of late */
    int64_t rated_at; /* monotonic */
};

/* Its filter, and whether it shows what is new alone. */
struct happening_filter happening_list_wanted(const struct happening_list *l);
/* After view_init and once the filter is set: begins to read. */
void happening_list_begin(struct happening_list *l);
/* All of it from the newest on, after the filter was changed. The lines stay until the first answer comes. */
void happening_list_read_anew(struct happening_list *l);
/* The same for another filter: the cursor is where it belongs by happening_return.h. */
void happening_list_refilter(struct happening_list *l, bool was, bool is);
/* For the view_ops: what is new alone, or all. */
void happening_list_only_new(struct view *v);
/* Before each frame, for that many rows of lines: reads on where the cursor nears the end. */
void happening_list_layout(struct happening_list *l, int height);
struct happening *happening_list_at(struct happening_list *l, size_t line); /* NULL: none */
struct happening *happening_list_cursor(struct happening_list *l);
/* "412", or "400…" where more are to come. */
void happening_list_add_total(const struct happening_list *l, struct strbuf *out);

/* For the view_ops of whatever begins with one. */
bool happening_list_open(struct view *v);
void happening_list_stirred(struct view *v);
void happening_list_news(struct view *v, const struct event *events, size_t count, bool whole);
bool happening_list_partial(struct view *v);
void happening_list_position(struct view *v, struct strbuf *out);
void happening_list_text(struct view *v, size_t line, struct strbuf *out);
int64_t happening_list_node(struct view *v, size_t line);
void happening_list_release(struct view *v);

#endif
