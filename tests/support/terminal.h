/*
 * The built program ($STEMMA, or ./stemma) in a real pseudo-terminal, and what its screen shows. Nothing
 * is timed: it is waited for what must come, and a minute without it fails the test.
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
    struct strbuf bytes; /* all that came */
    VTerm *vterm;
    VTermScreen *screen;
    int rows, columns;
    bool ended;
    int shell; /* whose job the program is; -1: it is none */
};

/* In the locale that TERMINAL_LOCALE names in the environment, else C.UTF-8; TERM is TERMINAL_NAME, else
 * xterm-256color. */
void terminal_start(struct terminal *t, const char *store, int rows, int columns);
void terminal_resize(struct terminal *t, int rows, int columns);

/* What a shell does with a job: `fg` gives it the terminal, `bg` does not, `kill` ends it; all three continue it. */
enum job_order {
    JOB_FG,
    JOB_BG,
    JOB_KILL,
};
/* The same as a job of a shell, begun in the foreground or in the background. The shell ends as the job does: 128 +
 * the signal that ended it. */
void terminal_start_job(struct terminal *t, const char *store, int rows, int columns,
                        enum job_order begun);
/* Until the job stopped, and the shell has the terminal. */
void terminal_wait_stopped(struct terminal *t);
void terminal_order(struct terminal *t, enum job_order order);

/* A row of the screen as text, with its end; trimmed: without the blanks before that. */
void terminal_row(struct terminal *t, int row, struct strbuf *out);
void terminal_row_trimmed(struct terminal *t, int row, struct strbuf *out);
bool terminal_shows(struct terminal *t, const char *text);
/* Within a synchronized update what the terminal holds is neither the old frame nor the new one. */
bool terminal_is_whole(const struct terminal *t);
/* Takes what comes next; false where nothing more does. */
bool terminal_read(struct terminal *t);
void terminal_wait_shows(struct terminal *t, const char *text);
/* Did these bytes come, from the one counted so? */
bool terminal_holds(const struct terminal *t, size_t from, const char *bytes);
void terminal_wait_got(struct terminal *t, size_t from, const char *bytes);

void terminal_type(struct terminal *t, const char *keys);
/* Types, and waits for what the screen shows then. */
void terminal_see(struct terminal *t, const char *keys, const char *text);
/* Types, and waits for the frame that follows. */
void terminal_type_and_see(struct terminal *t, const char *keys);

/* Reads to the end, and how it ended. */
int terminal_finish(struct terminal *t);
/* Leaves the explorer by Q: it ends well and has restored the terminal. */
void terminal_leave(struct terminal *t);
void terminal_release(struct terminal *t);

/* What modes the terminal is left in, and how many synchronized updates there were. */
struct terminal_modes {
    bool alternate, hidden, paste, mouse, keypad, updating;
    size_t updates, ended_twice;
};

/* Fails where anything reached the terminal that must not, or an update began within another. */
struct terminal_modes terminal_check(const struct terminal *t);
/* It is as it was before. `crashed`: right behind an end of an update, perhaps. */
void terminal_assert_restored(struct terminal *t);
void terminal_assert_restored_after(struct terminal *t, bool crashed);

#endif
