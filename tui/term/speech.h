/*
 * A frame for a screen reader, which speaks the characters of a row from left to right. Signs are words, which take
 * more columns than they were given, so each row is arranged anew before it is sent: with its words, and without the
 * blanks that align columns.
 */
#ifndef STEMMA_SPEECH_H
#define STEMMA_SPEECH_H

#include <stddef.h>
#include "tui/term/screen.h"

/* Forgets all words, at the start of a frame. */
void speech_begin(struct screen *s);
void speech_release(struct screen *s);
/* The cell is spoken as this clean text. It is forgotten if something is drawn over it. */
void speech_add(struct screen *s, int y, int x, const char *text, size_t len);
void speech_forget(struct screen *s, int y, int x, int width);
/* Arranges all rows, and moves the cursor along. */
void speech_arrange(struct screen *s);

#endif
