/*
 * A list view: its rows are read by one job of the worker. A kind of list is a table (struct rows_ops): the size of a
 * row, how to read rows, what identifies a row, which rows are shown and in which order. This module has the common
 * part: the job, replacing the rows, and keeping the cursor on its row.
 *
 * Rows are replaced as a whole, so `read` never touches what the main thread draws.
 */
#ifndef STEMMA_ROWS_VIEW_H
#define STEMMA_ROWS_VIEW_H

#include <stdatomic.h>
#include "model/base/arena.h"
#include "store/query/matcher.h"
#include "tui/widget/view.h"
#include "tui/widget/worker.h"

struct rows_view;

/* The result of one read. */
struct rows {
    struct arena arena; /* holds what the rows point to */
    void *row;          /* [count] of rows_ops->size bytes */
    size_t count, alloc, size;
    void *context; /* rows_ops->context bytes: filled by `ask` for `read`, which may add to it */
    const char *filter;       /* of rows_ops->matches; "" for none */
    struct query_terms terms; /* the same, if it is a query */
    struct matcher matcher;   /* of `terms`, while rows_ops->matches is called */
    const char *agent;        /* only memories of this agent (prefs.agent); NULL for all */
    bool parts;   /* show rows while reading goes on; such rows must not contain pointers */
    bool partial; /* only the first rows, for the first frame */
    const atomic_bool *cancelled;
};
/* Adds a zeroed row. The pointer is valid until the next call. */
void *rows_add(struct rows *rows);
/* For rows_ops->matches: whether a memory matches the query; words are also searched in `also` (may be NULL). */
int rows_match(struct rows *rows, struct reader *r, int64_t node, const char *also,
               struct error *e);

/* A column that sorts rows: by a member of the row, or by what a function makes of the row. */
enum row_key {
    BY_TEXT, /* const char *; NULL is last */
    BY_INT64,
    BY_TIME, /* the same, ms */
    BY_SIZE,
    BY_DOUBLE, /* NAN is last */
    BY_FLAG    /* bool */
};
struct rows_column {
    const char *name; /* in the header; NULL after the last column */
    enum row_key type;
    size_t at;                                                         /* offset of the member */
    double (*number)(struct view *v, const void *row);                 /* in its place; or NULL */
    void (*text)(struct view *v, const void *row, struct strbuf *out); /* the same for BY_TEXT */
};
#define ROWS_COLUMN(name, type, of, member)                                                        \
    {                                                                                              \
        name, type, offsetof(struct of, member), NULL, NULL                                        \
    }
#define ROWS_NUMBER(name, number)                                                                  \
    {                                                                                              \
        name, BY_DOUBLE, 0, number, NULL                                                           \
    }
#define ROWS_TEXT(name, text)                                                                      \
    {                                                                                              \
        name, BY_TEXT, 0, NULL, text                                                               \
    }

struct rows_ops {
    const char *job; /* description of the job: "reading the review queue" */
    bool quiet;      /* do not show that the job runs */
    size_t size;     /* bytes of a row */
    size_t context;  /* bytes of rows->context; 0 for none */
    /* Main thread, before the job begins. May be NULL. */
    void (*ask)(struct rows_view *v, struct rows *rows);
    /* Worker thread. Returns 1 to be called again after other jobs had their turn. */
    int (*read)(struct rows *rows, struct reader *r, struct error *e);
    /* What a row is about. The cursor stays on its `id`; 0 for a heading. */
    struct line_subject (*subject)(const void *row);
    /* Whether a row is shown. NULL to show all. */
    bool (*passes)(struct rows_view *v, const void *row);
    /*
     * Worker thread, in a transaction, after `read`: whether row `index` matches rows->filter: 1 or 0, -1 on error. The
     * heading of a section is shown if a row of it matches, and so is all of it with whole_sections. NULL without a
     * filter, or if `read` or `passes` applies it.
     */
    int (*matches)(struct rows *rows, size_t index, struct reader *r, struct error *e);
    /* The columns that sort rows: texts from A to Z, numbers from the largest. NULL: rows keep the order of reading,
     * because of `fixed`. */
    const struct rows_column *columns;
    const char *fixed;
    /* Main thread: the job ended, with or without an error. Returns false if it handled the result itself. May be
     * NULL. */
    bool (*ended)(struct rows_view *v, struct rows *rows, const struct error *e);
    /* Main thread: rows were read; called before their lines are made, while the old rows still exist. May be NULL. */
    void (*taken)(struct rows_view *v);
    /* All lines were made. May be NULL. */
    void (*laid)(struct rows_view *v);
    /* Releases what the context owns outside of the arena. May be NULL. */
    void (*release)(struct rows *rows);
    /* Draws a row; with `row` NULL the column headers, in views that have them. */
    void (*draw)(struct view *v, const struct pane *pane, const void *row);
    bool sections;       /* rows are grouped by subject.section */
    bool whole_sections; /* a filter shows or hides a section as a whole */
    /* Text of an empty view while it is read (NULL for "reading…"), and when it has no rows. */
    const char *while_reading, *nothing;
};

/* The first member of a list view. */
struct rows_view {
    struct view view;
    const struct rows_ops *rows_ops;
    struct rows *rows; /* NULL before the first read */
    struct rows *next; /* of the running job; NULL if none runs */
    size_t *line;      /* [view.count] indexes into rows; NULL to show all in their order */
    int64_t took;      /* ms that the last read took */
    const struct rows_column *by; /* sorts the rows; NULL for the order of reading */
    bool reverse;
};

/* Creates a view of `size` bytes, which begins with a struct rows_view. */
void *rows_view_new(size_t size, const struct view_ops *ops, const struct rows_ops *rows_ops,
                    struct ui *ui);

/* Common view_ops of lists with column headers, and of lists with sections. */
#define ROWS_VIEW_OPS                                                                              \
    .preview = true, .header_rows = 1, .draw_header = rows_view_draw_header,                       \
    .draw_line = rows_view_draw_line, .subject = rows_view_subject, .empty = rows_view_empty,      \
    .load = rows_view_load, .narrow = rows_view_narrow, .release = rows_view_release,              \
    .sort = rows_view_sort, .sorted = rows_view_sorted
#define ROWS_SECTIONS_OPS                                                                          \
    .preview = true, .draw_line = rows_view_draw_line, .selectable = rows_view_selectable,         \
    .subject = rows_view_subject, .position = view_add_position, .empty = rows_view_empty,         \
    .request = rows_view_request, .release = rows_view_release

/* Reads the first rows at once, so that the first frame is not empty. `first` works like rows_ops->read. */
void rows_view_first(struct rows_view *l,
                     int (*first)(struct rows *rows, struct reader *r, struct error *e));
/* The context of the running job, else of the rows shown. NULL if the only read was cancelled. */
void *rows_view_asked(const struct rows_view *l);
/* view_ops->load: reads all rows again. */
void rows_view_load(struct view *v);
/* For view_ops: makes the lines again after a filter or another display option changed. The cursor stays on its row. */
void rows_view_make_lines(struct view *v);
/* view_ops->release. A view with more to release calls it at the end. */
void rows_view_release(struct view *v);
/* For view_ops: draw with rows_ops->draw. */
void rows_view_draw_header(struct view *v, const struct pane *p);
void rows_view_draw_line(struct view *v, const struct pane *row, size_t line);
/* view_ops->shown of a list for one agent: reads again if the agent changed or if the only read was cancelled. */
void rows_view_shown(struct view *v);
/* view_ops->narrow: makes the lines again if there is a `passes`, else reads again, since `ask` and `read` then apply
 * the filter. */
void rows_view_narrow(struct view *v);
struct line_subject rows_view_subject(struct view *v, size_t line);
/* Headings cannot be selected and are not counted in "3/41". */
bool rows_view_selectable(struct view *v, size_t line);
/* Tab goes to the first row of the next section that has rows. Refresh reads again. */
bool rows_view_request(struct view *v, enum view_request request);
const char *rows_view_empty(struct view *v);
/* The columns that sort the rows of such a view; NULL for another one. */
const struct rows_column *rows_view_columns(const struct view *v);
/* view_ops->sort and ->sorted, by rows_ops->columns. */
const char *rows_view_sort(struct view *v, const char *column);
const char *rows_view_sorted(struct view *v, bool *up);
/* The row of a line, or NULL if there is no such line. */
void *rows_view_at(const struct view *v, size_t line);
/* The context as the last `read` left it; NULL before the first read. */
void *rows_view_answer(const struct view *v);
bool rows_view_known(const struct view *v);
/* Whether it has all of its rows: none are shown while others are still read. */
bool rows_view_is_whole(const struct view *v);
bool rows_view_partial(struct view *v);

#endif
