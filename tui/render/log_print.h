/*
 * What `stemma log` shows, line by line: events of the journal and, where they are wanted, calls of the log
 * of calls, merged by time. It remembers how far it came, so that asking again after its end gives what
 * came since.
 */
#ifndef STEMMA_LOG_PRINT_H
#define STEMMA_LOG_PRINT_H

#include <limits.h>
#include "store/journal/journal.h"
#include "store/session/session.h"
#include "tui/text/output.h"

/* An event, or calls of one row that came out alike. Valid until the next is asked for. */
struct log_line {
    int64_t at, until;          /* of the first and the last */
    const struct event *event;  /* NULL: calls */
    const struct call_row *row; /* NULL: an event */
    enum error_code outcome;
    size_t count;
};

/* What is read at once, in its own arena. */
struct log_batch {
    struct arena arena;
    struct log_line *lines;
    size_t count, next;
    int64_t last; /* of what was read: seq or id */
};

/*
 * How far a log goes: its last event, and the last line of calls, in the order in which they come: by
 * blocks of LOG_BLOCK rows, within those by time, row and outcome. Both are append-only, so that what
 * lies before a place is the same whenever it is asked for.
 */
struct log_place {
    int64_t event;    /* 0: none */
    int64_t call, at; /* 0: none */
    int outcome;
};
#define LOG_BLOCK 256
#define LOG_END                                                                                    \
    {                                                                                              \
        INT64_MAX, INT64_MAX, INT64_MAX, INT_MAX                                                   \
    }

#define LOG_SESSIONS 16

struct log_session {
    struct session_row row; /* id 0: none */
    struct arena arena;
};

struct log_lines {
    struct reader *reader;
    const struct event_filter *filter;
    bool calls_wanted;
    struct log_place end; /* what comes behind it is left out */
    struct log_batch events, calls;
    struct log_session
        session[LOG_SESSIONS]; /* that were looked at last, each at its id modulo these */
};

/* `filter` must live as long; its `last` is that of `end`. */
void log_lines_open(struct log_lines *l, struct reader *r, const struct event_filter *filter,
                    bool calls_wanted, const struct log_place *end);
/* Begins after `from`, whose call is the end of a block. */
void log_lines_begin(struct log_lines *l, const struct log_place *from);
void log_lines_close(struct log_lines *l);
/* 1; 0: there is no more by now. */
int log_lines_next(struct log_lines *l, struct log_line *out, struct error *e);
/* Where the line is: the place moves on to it. */
void log_place_pass(struct log_place *p, const struct log_line *line);

/* A line of `stemma log`, for people or as JSON. */

/* `arena` is cleared. What it wrote is flushed by the caller. */
int log_print(struct output *out, struct log_lines *l, const struct log_line *line,
              struct arena *arena, struct error *e);

#endif
