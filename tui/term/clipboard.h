/* The clipboard: of the screen that this runs on by a program that sets it, else the terminal's (OSC 52). */
#ifndef STEMMA_CLIPBOARD_H
#define STEMMA_CLIPBOARD_H

#include <stdbool.h>
#include "model/base/strbuf.h"
#include "tui/term/screen.h"

#define CLIPBOARD_MOST (74 * 1024) /* what terminals take at least, before base64 makes it longer */

/* Sets it, by such a program only if `programs`. How: "by xclip", "through the terminal"; NULL: it is too much. */
const char *clipboard_set(struct screen *s, bool programs, const char *bytes, size_t len);

/* The sequence that sets a terminal's clipboard, appended; doubled for tmux's passthrough where `tmux`. */
void clipboard_sequence(struct strbuf *out, const char *bytes, size_t len, int tmux);

#endif
