/*
 * A line of text that is being typed: its bytes, and a cursor between its characters. What the status
 * line's field and the rows of a form are made of.
 */
#ifndef STEMMA_TEXT_EDIT_H
#define STEMMA_TEXT_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tui/term/paint.h"

struct text_edit {
    char *text; /* valid UTF-8, ends with a NUL; never NULL once it is open */
    size_t len, cursor, alloc;
    size_t most; /* bytes that it may hold */
};

/* Empty, or empty again. */
void text_edit_open(struct text_edit *f, size_t most);
void text_edit_release(struct text_edit *f);
/* Replaces the text, cut at a character where it is too long; the cursor stands at its end. */
void text_edit_set(struct text_edit *f, const char *text);

/*
 * A paste is text and never keys: line breaks become spaces, controls are dropped. Returns how many characters
 * were left out.
 */
size_t text_edit_paste(struct text_edit *f, const char *text, size_t len);

enum text_edit_did {
    EDIT_NOTHING, /* it is no key of a field */
    EDIT_MOVED,
    EDIT_CHANGED,
    EDIT_FULL,
};
/* Moves, deletes, types. */
enum text_edit_did text_edit_key(struct text_edit *f, uint32_t key);

/* Draws it so that the cursor is seen, and puts the screen's cursor there where it is wanted. O(len). */
void text_edit_draw(const struct text_edit *f, const struct pane *row, int column, int width,
                    enum style style, bool cursor);

#endif
