/* A line of text that a person edits, with a cursor. Used by the prompt and by the rows of a form. */
#ifndef STEMMA_TEXT_EDIT_H
#define STEMMA_TEXT_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tui/term/paint.h"

struct text_edit {
    char *text; /* valid UTF-8, ends with a NUL; not NULL after text_edit_open */
    size_t len, cursor, alloc;
    size_t most;                 /* capacity in bytes */
    size_t wrong_from, wrong_to; /* bytes that are drawn as wrong; equal for none */
};

/* Opens an empty field, or empties it. */
void text_edit_open(struct text_edit *f, size_t most);
void text_edit_release(struct text_edit *f);
/* Replaces the text, cut between characters if it is too long. The cursor goes to the end. */
void text_edit_set(struct text_edit *f, const char *text);

/* Inserts pasted text: line breaks become spaces, controls are dropped. Returns how many characters were dropped. */
size_t text_edit_paste(struct text_edit *f, const char *text, size_t len);

enum text_edit_did {
    EDIT_NOTHING, /* not a key of a field */
    EDIT_MOVED,
    EDIT_CHANGED,
    EDIT_FULL,
};
/* Handles a key that moves, deletes or types. */
enum text_edit_did text_edit_key(struct text_edit *f, uint32_t key);

/* Draws the field so that the cursor is visible, and sets the screen's cursor if `cursor`. O(len). */
void text_edit_draw(const struct text_edit *f, const struct pane *row, int column, int width,
                    bool cursor);

#endif
