/*
 * A view of activity, newest first. The worker reads pages back from the end of the logs. New activity is added on
 * top without moving the cursor from its line. The live view, the audit view and the history of a memory are such
 * views, with other columns and headers.
 */
#ifndef STEMMA_EVENTS_ACTIVITY_LIST_H
#define STEMMA_EVENTS_ACTIVITY_LIST_H

#include "tui/term/paint.h"
#include "tui/render/activity.h"
#include "tui/widget/modal.h"
#include "tui/widget/panel.h"
#include "tui/widget/view.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The columns of a line. */
enum activity_mode {
    ACTIVITY_LIVE = 0, /* the memory and its sources */
    ACTIVITY_AUDIT,    /* what an event changed, why, and whether it was undone */
    ACTIVITY_HISTORY,  /* the same for one memory, which is not named */
};

/* First column of each part; 0 if it is hidden. The text ends at `width`. */
struct activity_columns {
    int label, age, class, who, client, action, ref, from, text;
    int age_width, who_width, client_width, action_width, ref_width, from_width, width;
    bool clients; /* show clients: the list has several sessions */
    enum activity_mode mode;
};

/* `clients`: the list has several sessions. */
struct activity_columns activity_columns_fit(struct view *v, int width, bool clients,
                                             enum activity_mode mode);
void activity_columns_draw_header(struct view *v, const struct activity_columns *c,
                                  const struct pane *row);
void activity_columns_draw(struct app *x, const struct activity_columns *c, const struct pane *row,
                           const struct activity *a, const char *pattern, int pan);

/* The preview of activity views (event_facts.c): the event under the cursor in full. */
struct event_preview {
    struct panel panel;
    const struct activity *activity; /* valid only while a frame is drawn */
};
void event_preview_init(struct event_preview *p, struct ui *ui);
/* `a` is NULL if nothing is under the cursor. */
void event_preview_draw(struct event_preview *p, const struct pane *pane, const struct activity *a);

struct activity_list {
    struct view view;
    struct activity **line; /* [view.count] activities that match the filter, newest first */
    size_t alloc;
    struct activity_filter filter;
    int64_t session; /* show only this session; 0 for all */
    int64_t newest_seq, newest_call, oldest_seq, oldest_call; /* range of the logs that was read */
    bool begun;                                               /* the range is set */
    bool complete;                                            /* read back to the beginning */
    bool asked; /* the filter changed: the next result replaces all lines */
    bool newer_wanted;
    size_t held;    /* lines that came during a pause: counted, not shown */
    bool reads_far; /* the running job reads to a line that is waited for, not just a page */
    enum activity_mode mode;
    struct activity_columns columns;
    struct event_preview preview; /* unused by the live view */
};

/* Initializes the common part. The caller then sets the filter and calls activity_list_begin to read. */
void activity_list_init(struct activity_list *l, const struct view_ops *ops, struct ui *ui,
                        enum activity_mode mode);
void activity_list_begin(struct activity_list *l);
/* Returns NULL if there is no such line. */
struct activity *activity_list_at(const struct activity_list *l, size_t line);
struct activity *activity_list_cursor(struct activity_list *l);
/* Appends "412 events", or "400… events" if there are more. */
void activity_list_counts(struct view *v, struct strbuf *out);

/* For view_ops. */
void activity_list_layout(struct view *v, int height, int width);
/* Draws the column headers in the last row of the pane. */
void activity_list_draw_header(struct view *v, const struct pane *p);
void activity_list_draw_line(struct view *v, const struct pane *row, size_t line);
void activity_list_draw_preview(struct view *v, const struct pane *p);
const char *activity_list_empty(struct view *v);
const char *activity_list_sort(struct view *v, const char *column); /* tells why not */
bool activity_list_request(struct view *v, enum view_request request);
void activity_list_narrow(struct view *v);
int activity_list_read_filter(struct view *v, struct query_terms *terms, struct error *e);
void activity_list_store_changed(struct view *v);
void activity_list_notify(struct view *v, const struct event *events, size_t count, bool whole);
bool activity_list_partial(struct view *v);
size_t activity_list_held(const struct view *v);
void activity_list_order(struct view *v, struct strbuf *out);
void activity_list_text(struct view *v, size_t line, struct strbuf *out);
struct line_subject activity_list_subject(struct view *v, size_t line);
void activity_list_release(struct view *v);

#define ACTIVITY_SIGNS                                                                             \
    (SIGN_BIT(SIGN_NEW) | SIGN_BIT(SIGN_CHANGED) | SIGN_BIT(SIGN_FAILED) | SIGN_BIT(SIGN_PERSON) | \
     SIGNS_OF_LABELS)

/* The common view_ops of such views. */
#define ACTIVITY_LIST_OPS                                                                          \
    .preview = true, .own_preview = true, .counts = activity_list_counts,                          \
    .order = activity_list_order, .layout = activity_list_layout, .header_rows = 1,                \
    .draw_header = activity_list_draw_header, .draw_line = activity_list_draw_line,                \
    .subject = activity_list_subject, .text = activity_list_text,                                  \
    .partial = activity_list_partial, .empty = activity_list_empty,                                \
    .request = activity_list_request, .sort = activity_list_sort,                                  \
    .shown = activity_list_store_changed, .store_changed = activity_list_store_changed,            \
    .held = activity_list_held, .narrow = activity_list_narrow, .notify = activity_list_notify,    \
    .legend = ACTIVITY_SIGNS, .draw_preview = activity_list_draw_preview,                          \
    .release = activity_list_release

#endif
