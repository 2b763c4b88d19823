/*
 * A list view: rows that the worker reads in one job. A kind of list is a table (struct rows_ops): how large a row is,
 * how they are read, what tells one from the others, which are shown and in which order. What is the same for all
 * stands here: the job, the rows that take the place of those before, and the cursor, which stays on its row.
 *
 * The rows that are shown are replaced as a whole, so that a `read` never touches what the main thread draws.
 */
#ifndef STEMMA_ROWS_VIEW_H
#define STEMMA_ROWS_VIEW_H

#include <stdatomic.h>
#include "model/base/arena.h"
#include "tui/widget/view.h"
#include "tui/widget/worker.h"

struct rows_view;

/* What one reading found. */
struct rows {
    struct arena arena; /* of what the rows point to */
    void *row;          /* [count] of rows_ops->size bytes */
    size_t count, alloc, size;
    void *question;    /* rows_ops->question bytes, as `ask` filled them */
    const char *agent; /* whose memories are listed, as prefs.agent was; NULL: all */
    bool parts;        /* what was found so far is shown: rows that point to nothing */
    bool partial;      /* they are the first ones alone, for the first frame */
    const atomic_bool *cancelled;
};
/* A row more, zeroed. Valid until the next one is added. */
void *rows_add(struct rows *rows);

struct rows_ops {
    const char *job; /* what it is called: "reading the review queue" */
    bool quiet;      /* it is not said that it runs */
    size_t size;     /* bytes of a row */
    size_t question; /* and of what `read` has to know; 0: nothing */
    /* In the main thread, before the job begins. May be NULL. */
    void (*ask)(struct rows_view *v, struct rows *rows);
    /* In the worker's thread. 1: it is called once more when others had their turn. */
    int (*read)(struct rows *rows, struct reader *r, struct error *e);
    /* What the row is about. The cursor stays on its `id`; 0: a heading. */
    struct line_subject (*subject)(const void *row);
    /* Is it shown? NULL: each is. */
    bool (*passes)(struct rows_view *v, const void *row);
    /* Another order than that of the reading, of indexes in v->rows. NULL: it is that. */
    void (*sort)(struct rows_view *v, size_t *index, size_t count);
    /* In the main thread: it ended, with an error or without. False: all is done already. NULL: nothing. */
    bool (*ended)(struct rows_view *v, struct rows *rows, const struct error *e);
    /* They were read; in the main thread, before lines are made of them; those before are still there. NULL:
     * nothing. */
    void (*taken)(struct rows_view *v);
    /* Lines were made of all of them. NULL: nothing. */
    void (*laid)(struct rows_view *v);
    /* What the question holds next to the arena. NULL: nothing. */
    void (*release)(struct rows *rows);
    /* Draws a row; NULL: the names of the columns, in views that have a header of them. */
    void (*draw)(struct view *v, const struct pane *pane, const void *row);
    bool sections; /* of subject.section */
    /* The text of an empty view while it is read (NULL: "reading…"), and where there is nothing. */
    const char *reading, *nothing;
};

/* The first member of such a view. */
struct rows_view {
    struct view view;
    const struct rows_ops *rows_ops;
    struct rows *rows;    /* NULL: not read yet */
    struct rows *reading; /* of the job that is under way; NULL: none is */
    size_t *line;         /* [view.count] indexes in rows; NULL: all of them, in their order */
    int64_t took;         /* ms that the last reading took */
};

/* Makes such a view, of `size` bytes, which begin with a struct rows_view. */
void *rows_view_new(size_t size, const struct view_ops *ops, const struct rows_ops *rows_ops,
                    struct ui *ui);

/* What a list has in its view_ops below the names of its columns, and what one has whose rows stand in sections. */
#define ROWS_VIEW_OPS                                                                              \
    .preview = true, .header_rows = 1, .draw_header = rows_view_draw_header,                       \
    .draw_line = rows_view_draw_line, .subject = rows_view_subject, .empty = rows_view_empty,      \
    .load = rows_view_load, .narrow = rows_view_narrow, .release = rows_view_release
#define ROWS_SECTIONS_OPS                                                                          \
    .preview = true, .draw_line = rows_view_draw_line, .selectable = rows_view_selectable,         \
    .subject = rows_view_subject, .position = rows_view_position, .empty = rows_view_empty,        \
    .request = rows_view_request, .release = rows_view_release

/* The first rows at once, so that the first frame waits for nothing; `first` is as rows_ops->read. */
void rows_view_first(struct rows_view *l,
                     int (*first)(struct rows *rows, struct reader *r, struct error *e));
/* The question of the reading that is under way, else of what is shown; NULL: there is none, as where the only one
 * was given up. */
void *rows_view_asked(const struct rows_view *l);
/* For the view_ops: reads all of it again. */
void rows_view_load(struct view *v);
/* For the view_ops: what is shown changed, as the filter, and not what was read. The cursor stays on its row. */
void rows_view_lay(struct view *v);
/* For the view_ops; whoever has more to release calls it. */
void rows_view_release(struct view *v);
/* For the view_ops: what rows_ops->draw draws. */
void rows_view_draw_header(struct view *v, const struct pane *p);
void rows_view_draw_line(struct view *v, const struct pane *row, size_t line);
/* For the view_ops of one that lists what one agent has: reads it again where that is another one, or where the only
 * reading was given up. */
void rows_view_shown(struct view *v);
/* For the view_ops: `passes`, or where that is NULL `ask` and `read`, look at the filter and at what is new alone. */
void rows_view_narrow(struct view *v);
struct line_subject rows_view_subject(struct view *v, size_t line);
/* A heading cannot be selected, and is not counted: "3/41". */
bool rows_view_selectable(struct view *v, size_t line);
void rows_view_position(struct view *v, struct strbuf *out);
/* Tab and its like: to the first row of the next section that has one. To refresh: reads it again. */
bool rows_view_request(struct view *v, enum view_request request);
const char *rows_view_empty(struct view *v);
/* NULL: there is no such line. */
void *rows_view_at(const struct view *v, size_t line);
/* The question, with what `read` answered in it; NULL: it is not read yet. */
void *rows_view_answer(const struct view *v);
bool rows_view_known(const struct view *v);
bool rows_view_partial(struct view *v);

#endif
