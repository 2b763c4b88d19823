/*
 * A view whose lines are activity (struct activity_list), the newest first: the worker reads them back from the end
 * of the logs, a page at a time, and new ones land on top without moving the cursor from its line. The live view,
 * the audit and the history of a memory are such views, with other columns and another header.
 */
#ifndef STEMMA_EVENTS_ACTIVITY_LIST_H
#define STEMMA_EVENTS_ACTIVITY_LIST_H

#include "tui/term/paint.h"
#include "tui/render/activity.h"
#include "tui/view/events/event_facts.h"
#include "tui/widget/modal.h"
#include "tui/widget/view.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What happened, as a line: its columns. */

enum activity_look {
    LOOK_LIVE = 0, /* which memory, and what it was made from */
    LOOK_AUDIT,    /* what an event changed and why, and whether it was taken back */
    LOOK_HISTORY,  /* the same of one memory, which is not named */
};

/* Where each begins; 0: it is not shown. The text ends at `width`. */
struct activity_columns {
    int label, age, class, who, client, said, ref, from, text;
    int age_width, who_width, said_width, from_width, width;
    bool clients; /* of several sessions */
    enum activity_look look;
};

/* `clients`: of several sessions. */
struct activity_columns activity_columns_fit(const struct app *x, int width, bool clients,
                                             enum activity_look look);
/* `h` NULL: the names of the columns. */
void activity_columns_draw(struct app *x, const struct activity_columns *c, const struct pane *row,
                           const struct activity *h, const char *pattern, int pan);

struct activity_list {
    struct view view;
    struct activity **line; /* [view.count] that pass the filter, the newest first */
    size_t alloc;
    struct activity_filter filter;
    int64_t session; /* of which alone all of it is; 0: of every one */
    int64_t newest_seq, newest_call, oldest_seq, oldest_call; /* as far as was read */
    bool begun;                                               /* the four are known */
    bool complete;                                            /* back to the beginning */
    bool asked; /* another filter: its first answer replaces what is there */
    bool newer_wanted;
    bool reads_far; /* what is under way reads on to what is waited for, else a page */
    enum activity_look look;
    struct activity_columns columns;
    struct event_preview preview; /* of the live view, nothing */
};

/* Makes the common part, as view_init does; then the filter is set, and it begins to read. */
void activity_list_init(struct activity_list *l, const struct view_ops *ops, struct app *x,
                        enum activity_look look);
void activity_list_begin(struct activity_list *l);
/* NULL: there is no such line. */
struct activity *activity_list_at(const struct activity_list *l, size_t line);
struct activity *activity_list_cursor(struct activity_list *l);
/* "412 events", or "400… events" where more are to come. */
void activity_list_counts(struct view *v, struct strbuf *out);

/* For the view_ops. */
void activity_list_layout(struct view *v, int height, int width);
/* The names of the columns, in the last row of the pane. */
void activity_list_draw_header(struct view *v, const struct pane *p);
void activity_list_draw_line(struct view *v, const struct pane *row, size_t line);
void activity_list_draw_preview(struct view *v, const struct pane *p);
const char *activity_list_empty(struct view *v);
bool activity_list_request(struct view *v, enum view_request request);
void activity_list_narrow(struct view *v);
bool activity_list_read_filter(struct view *v, const char *text);
void activity_list_store_changed(struct view *v);
void activity_list_news(struct view *v, const struct event *events, size_t count, bool whole);
bool activity_list_partial(struct view *v);
void activity_list_text(struct view *v, size_t line, struct strbuf *out);
struct line_subject activity_list_subject(struct view *v, size_t line);
void activity_list_release(struct view *v);

/* What every such view has in its view_ops. */
#define ACTIVITY_LIST_OPS                                                                          \
    .preview = true, .own_preview = true, .counts = activity_list_counts,                          \
    .layout = activity_list_layout, .header_rows = 1, .draw_header = activity_list_draw_header,    \
    .draw_line = activity_list_draw_line, .subject = activity_list_subject,                        \
    .text = activity_list_text, .partial = activity_list_partial, .empty = activity_list_empty,    \
    .request = activity_list_request, .shown = activity_list_store_changed,                        \
    .store_changed = activity_list_store_changed, .narrow = activity_list_narrow,                  \
    .news = activity_list_news, .draw_preview = activity_list_draw_preview,                        \
    .release = activity_list_release

#endif
