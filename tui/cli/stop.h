/*
 * Ctrl-C while a command runs: the first interrupts running queries and asks the command to stop at a safe place; the
 * second ends the program. Also the progress line.
 */
#ifndef STEMMA_STOP_H
#define STEMMA_STOP_H

#include <stdbool.h>
#include <stdint.h>

struct error;
struct pollfd;
struct reader;

/* From now on SIGINT, SIGTERM and SIGHUP ask to stop and interrupt `r` (may be NULL). A later call replaces the
 * reader; call it with NULL before the reader is closed. */
void stop_watch(struct reader *r);
bool stop_wanted(void);
/* If a signal asked to stop, returns -1 and sets ERROR_INTERRUPTED: "the `what` was interrupted". */
int stop_check(const char *what, struct error *e);

/* poll(2) that returns -1 with EINTR if a signal asks to stop, even if the signal arrived before the call. */
int stop_poll(struct pollfd *fds, unsigned long count, int timeout);

/* A progress line for long work, on standard error if that is a terminal. */
struct progress {
    const char *doing; /* name of the work, such as "import" */
    bool is_bytes;     /* it counts bytes; set after progress_begin */
    int64_t began;     /* ms */
    bool shown;        /* standard error is a terminal */
    int64_t next;      /* ms: when to update the line */
    bool written;
};

void progress_begin(struct progress *p, const char *doing);
/* Updates the line. Returns non-zero if a signal asks to stop. `total` is 0 if not known. */
int progress_tick(struct progress *p, int64_t done, int64_t total);
/* Erases the line. */
void progress_end(struct progress *p);

#endif
