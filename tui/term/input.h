/*
 * Keys: what a person pressed, as one number, with a name that help, the configuration and scripts
 * share.
 *
 * A printable character is its code point, a control character its byte (Tab, Enter, Esc among
 * them), every other key one of `enum key`.
 */
#ifndef STEMMA_INPUT_H
#define STEMMA_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tui/term/screen.h"

enum key {
    KEY_NONE = 0,
    KEY_TABULATOR = '\t',
    KEY_RETURN = '\r',
    KEY_ESCAPE = 033,
    KEY_RUBOUT = 0x7f,
    KEY_NAMED = 0x200000, /* beyond Unicode */
    KEY_ARROW_UP = KEY_NAMED,
    KEY_ARROW_DOWN,
    KEY_ARROW_LEFT,
    KEY_ARROW_RIGHT,
    KEY_FIRST, /* Home */
    KEY_LAST,  /* End */
    KEY_PAGE_UP,
    KEY_PAGE_DOWN,
    KEY_DELETE,
    KEY_INSERT,
    KEY_BACK_TAB,
    KEY_F_1, /* and 11 more */
    KEY_NAMED_END = KEY_F_1 + 12,
    KEY_POINTER,       /* the mouse: `x`, `y` and `button` */
    KEY_RESIZED,       /* of a script: `x` columns, `y` rows */
    KEY_SHOT,          /* of a script: a picture called `name` */
    KEY_PASTED,        /* text, in `paste` */
    KEY_PASTING,       /* such text begins; input_next keeps it */
    KEY_UNKNOWN,       /* a key that has no name here */
    KEY_ALT = 0x400000 /* added to a character that followed Esc at once */
};

struct input_event {
    uint32_t key;
    int x, y;
    int button; /* 1 pressed, 4 wheel up, 5 wheel down */
    const char *name;
};

/*
 * Escape sequences: keys, pastes, mouse reports, and late answers of the terminal, whose bytes must never be taken for
 * keys (ECMA-48, and xterm's ctlseqs). Curses only reads characters.
 */

enum sequence_state {
    SEQUENCE_NONE = 0,
    SEQUENCE_CSI,       /* Esc [ parameters, intermediates, a final character */
    SEQUENCE_SS3,       /* Esc O and a character */
    SEQUENCE_STRING,    /* Esc ] P _ ^ X and text up to BEL or ST */
    SEQUENCE_STRING_ST, /* in such text, after an Esc */
    SEQUENCE_X10        /* Esc [ M and three characters: a mouse report of the old kind */
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

/* Where keys come from: the terminal, or a script. */
struct input {
    struct screen *screen;
    const char *script; /* what is left of it; NULL: a terminal */
    bool pasting;
    char *paste; /* the text of KEY_PASTED, valid until the next input_next */
    size_t paste_len, paste_alloc;
    int empty_reads;          /* in a row, though the terminal said there was something */
    uint32_t held;            /* read ahead; KEY_NONE: nothing */
    struct sequence sequence; /* that has begun */
    int64_t sequence_at;      /* when its last character came, in ms */
    char shot[64];
};
void input_open(struct input *in, struct screen *s, const char *script);
void input_release(struct input *in);
/* The next event there is without waiting; false where there is none (in a script: at its end). */
bool input_next(struct input *in, struct input_event *event);

/* "C-d", "Enter", "g", "PgDn", "Space". `size` at least 16. */
void key_text(uint32_t key, char *name, size_t size);
/* KEY_NONE where it names none. Exact: names are as key_text writes them, and <lt> is "lt". */
uint32_t key_from_name(const char *name, size_t len);

#endif
