/* A layout as lines of text: its lines and borders, with the labels written over them. */
#ifndef STEMMA_DRAWING_TEXT_H
#define STEMMA_DRAWING_TEXT_H

#include "model/layout/layout.h"
#include "tui/text/output.h"

struct drawing_label {
    const char *text;   /* clean, and as many columns wide as the picture has it */
    enum style style;   /* of the text */
    size_t mark;        /* the byte at which a sign of a tone of its own begins, … */
    size_t mark_length; /* … and its bytes; 0: there is none */
    enum style mark_tone;
};

/*
 * Appends the whole drawing, a line each row, without blanks at its end. `label`: of each of the picture's nodes, by its
 * numbers. out->ascii says what it is drawn with, and should be what it was laid out for. Nothing is cut, and nothing is
 * flushed. -1 with an error.
 */
int drawing_print(struct output *out, const struct layout *l, const struct drawing_label *label,
                  struct error *e);

#endif
