/* Copying to the clipboard: through the terminal (OSC 52), which reaches over SSH, or a program. */
#ifndef STEMMA_YANK_H
#define STEMMA_YANK_H

#include <stddef.h>

struct app;

/*
 * Copies the bytes and says in the status line what went where; `what` is "the text of belief:54c5".
 * Empty text is said to be so.
 */
void yank_copy(struct app *x, const char *what, const char *bytes, size_t len);

/* The sequence that sets a terminal's clipboard, appended; doubled for tmux's passthrough where
 * `tmux`. */
struct strbuf;
void yank_sequence(struct strbuf *out, const char *bytes, size_t len, int tmux);

#endif
