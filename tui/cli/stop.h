/*
 * Ctrl-C while a command works: the first asks it to stop where that does no harm, the second ends
 * the program. A query that runs is interrupted.
 */
#ifndef STEMMA_STOP_H
#define STEMMA_STOP_H

#include <stdbool.h>
#include <stdint.h>

struct reader;

/* From here on SIGINT, SIGTERM and SIGHUP ask to stop; `r` (may be NULL) is interrupted. Called
 * again with another reader, it takes that one's place; with NULL before the reader is closed. */
void stop_watch(struct reader *r);
bool stop_wanted(void);
/* -1 where one asked to: ERROR_INTERRUPTED, "the log was interrupted". */
struct error;
int stop_check(const char *what, struct error *e);

/* poll(2) that a signal asking to stop always ends, however late or early it comes: -1 with EINTR. */
struct pollfd;
int stop_poll(struct pollfd *fds, unsigned long count, int timeout);

/* How far long work has come, on stderr where that is a terminal, and whether it is to stop. */

struct progress {
    const char *doing; /* "import" */
    bool shown;        /* stderr is a terminal */
    int64_t next;      /* ms: when the line is written again */
    bool written;
};

void progress_begin(struct progress *p, const char *doing);
/* Non-zero where a signal asks to stop. `total` 0: not known. */
int progress_tick(struct progress *p, int64_t done, int64_t total);
/* Wipes the line. */
void progress_end(struct progress *p);

#endif
