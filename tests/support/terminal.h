/*
 * Runs the built program ($STEMMA, or ./stemma) in a pseudo-terminal and reads its screen.
 * Functions wait for what must appear; the test fails after a minute without output, or after five minutes.
 */
#ifndef STEMMA_TESTS_TERMINAL_H
#define STEMMA_TESTS_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>
#include <vterm.h>
#include "model/base/strbuf.h"

struct terminal {
    pid_t pid;
    int fd;
    struct termios before;
    struct strbuf bytes; /* all output so far */
    VTerm *vterm;
    VTermScreen *screen;
    int rows, columns;
    bool ended;
    int shell; /* the shell whose job the program is; -1 if none */
};

/* Uses the locale TERMINAL_LOCALE of the environment, or C.UTF-8. TERM is TERMINAL_NAME, or
 * xterm-256color; COLORTERM is TERMINAL_COLOURS, or unset. */
void terminal_start(struct terminal *t, const char *store, int rows, int columns);
void terminal_resize(struct terminal *t, int rows, int columns);

/* Job control by the shell: `fg` gives the job the terminal, `bg` does not, `kill` ends it. All
 * three continue it. */
enum job_order {
    JOB_FG,
    JOB_BG,
    JOB_KILL,
};
/* Starts the program as a job of a shell, in the foreground or background. The shell exits like
 * the job, with 128 + the signal if one ended it. */
void terminal_start_job(struct terminal *t, const char *store, int rows, int columns,
                        enum job_order begun);
/* Waits until the job has stopped and the shell has the terminal. */
void terminal_wait_stopped(struct terminal *t);
void terminal_order(struct terminal *t, enum job_order order);

/* Appends a row of the screen and a line end; the second one without trailing blanks. */
void terminal_row(struct terminal *t, int row, struct strbuf *out);
void terminal_row_trimmed(struct terminal *t, int row, struct strbuf *out);
bool terminal_shows(struct terminal *t, const char *text);
/* False within a synchronized update, when the screen is between two frames. */
bool terminal_is_whole(const struct terminal *t);
/* Reads the next output. Returns false at the end. */
bool terminal_read(struct terminal *t);
void terminal_wait_shows(struct terminal *t, const char *text);
/* Did these bytes arrive, at offset `from` or later? */
bool terminal_holds(const struct terminal *t, size_t from, const char *bytes);
void terminal_wait_got(struct terminal *t, size_t from, const char *bytes);

void terminal_type(struct terminal *t, const char *keys);
/* Types keys and waits until the screen shows the text. */
void terminal_see(struct terminal *t, const char *keys, const char *text);
/* Types keys and waits for the next frame, or until it is clear that they changed nothing. */
void terminal_type_and_see(struct terminal *t, const char *keys);

/* Reads to the end. Returns the status of waitpid. */
int terminal_finish(struct terminal *t);
/* Quits the explorer with Q. Checks its exit status and that it restored the terminal. */
void terminal_leave(struct terminal *t);
void terminal_release(struct terminal *t);

/* The final modes of the terminal, and the number of synchronized updates. */
struct terminal_modes {
    bool alternate, hidden, paste, mouse, keypad, updating;
    size_t updates, ended_twice;
};

/* Fails the test if forbidden bytes reached the terminal, or if updates were nested. */
struct terminal_modes terminal_check(const struct terminal *t);
/* Checks that the terminal is as before. `crashed` allows an extra end of an update. */
void terminal_assert_restored(struct terminal *t);
void terminal_assert_restored_after(struct terminal *t, bool crashed);

#endif
