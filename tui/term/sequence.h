/*
 * Escape sequences that curses has no name for: keys with modifiers, mouse reports, and late answers
 * of the terminal, whose bytes must never be taken for keys (ECMA-48, and xterm's ctlseqs).
 */
#ifndef STEMMA_SEQUENCE_H
#define STEMMA_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct input_event;

enum sequence_state {
    SEQUENCE_NONE = 0,
    SEQUENCE_CSI,    /* Esc [ parameters, intermediates, a final character */
    SEQUENCE_SS3,    /* Esc O and a character */
    SEQUENCE_STRING, /* Esc ] P _ ^ X and text up to BEL or ST */
    SEQUENCE_STRING_ST /* in such text, after an Esc */,
    SEQUENCE_X10 /* Esc [ M and three characters: a mouse report of the old kind */
};

struct sequence {
    enum sequence_state state;
    char bytes[32]; /* parameters and intermediates; more are dropped, and the sequence with them */
    size_t count;   /* characters taken, dropped ones too */
};

/* `c` came right behind an Esc: does a sequence begin? */
bool sequence_begin(struct sequence *s, uint32_t c);

enum sequence_step {
    SEQUENCE_GOES_ON = 0,
    SEQUENCE_OVER,  /* `event` has the key that it is, or KEY_NONE */
    SEQUENCE_BROKEN /* it is over, and the character is none of it */
};
/* The next character of one that began. `event` is written where it is over. */
enum sequence_step sequence_take(struct sequence *s, uint32_t c, struct input_event *event);

#endif
