/*
 * Keyboard and mouse input, from the terminal or from a script.
 *
 * A key is one number: the code point of a printable character, the byte of a control character (Tab, Enter, Esc), or
 * a value of `enum key`. Help, the configuration and scripts use the same key names (key_text).
 */
#ifndef STEMMA_INPUT_H
#define STEMMA_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tui/term/screen.h"

/* The names differ from the KEY_… macros of curses. */
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
    KEY_RESIZED,       /* only from a script: `x` columns, `y` rows */
    KEY_SHOT,          /* only from a script: take a screenshot called `name` */
    KEY_WAIT,          /* only from a script: nothing was typed for `x` ms */
    KEY_PASTED,        /* pasted text, in input.paste */
    KEY_PASTING,       /* a paste begins; internal to input_next */
    KEY_BACKGROUND,    /* the terminal tells its background; internal to input_next */
    KEY_UNKNOWN,       /* a key without a name */
    KEY_ALT = 0x400000 /* added to a character that came directly after Esc */
};

struct input_event {
    uint32_t key;
    int x, y;
    int button; /* 1 pressed, 2 moved while pressed, 4 wheel up, 5 wheel down */
    const char *name;
};

/*
 * Parser of escape sequences (ECMA-48, xterm's ctlseqs): keys, pastes, mouse reports, and late answers of the terminal,
 * whose bytes must never be read as keys. Curses only reads characters.
 */
enum sequence_state {
    SEQUENCE_NONE = 0,
    SEQUENCE_CSI,       /* Esc [ parameters, intermediates, a final character */
    SEQUENCE_SS3,       /* Esc O and a character */
    SEQUENCE_STRING,    /* Esc ] P _ ^ X and text up to BEL or ST */
    SEQUENCE_STRING_ST, /* in such a text, after an Esc */
    SEQUENCE_X10        /* Esc [ M and three characters: an X10 mouse report */
};

struct sequence {
    enum sequence_state state;
    char bytes
        [40]; /* parameters and intermediates, or the start of a text; a longer sequence is ignored */
    size_t count; /* characters read, including those that did not fit */
};

/* Starts a sequence if `c`, which came directly after an Esc, begins one. Returns whether it does. */
bool sequence_begin(struct sequence *s, uint32_t c);

enum sequence_step {
    SEQUENCE_INCOMPLETE = 0,
    SEQUENCE_DONE,  /* `event` has its key, or KEY_NONE */
    SEQUENCE_BROKEN /* it ended early; the character does not belong to it */
};
/* Feeds the next character of a sequence. Sets `event` when the sequence is done. */
enum sequence_step sequence_take(struct sequence *s, uint32_t c, struct input_event *event);

/* The source of input: a terminal or a script. */
struct input {
    struct screen *screen;
    const char *script; /* the rest of the script; NULL to read the terminal */
    bool pasting;
    char *paste; /* the text of KEY_PASTED, valid until the next input_next */
    size_t paste_len, paste_alloc;
    int empty_reads;          /* consecutive reads that gave nothing although poll reported input */
    uint32_t unread;          /* a character that was read ahead; KEY_NONE if there is none */
    struct sequence sequence; /* the incomplete sequence, if any */
    int64_t sequence_at;      /* when its last character came: monotonic ms */
    char shot[64];
};
void input_open(struct input *in, struct screen *s, const char *script);
void input_release(struct input *in);
/* Returns the next event without waiting. False if there is none yet, or at the end of a script. */
bool input_next(struct input *in, struct input_event *event);
/* Appends an event as a script has it: "j", "<Enter>", "<paste:TEXT>", "<click:X,Y>", "<size:COLUMNSxROWS>". `text` is
 * that of a paste, in which "\" stands before >, \ and the pictures of control characters, such as ␊. */
void input_add_script(struct strbuf *out, const struct input_event *event, const char *text);
/* Checks the names in a script. Returns -1 and sets ERROR_INVALID with the one that is wrong. */
int input_check_script(const char *script, struct error *e);
/* Whether the script has "<ahead>" next, and passes over it: the next key was typed before the rows that moved were
 * drawn. */
bool input_ahead(struct input *in);

/* Writes the name of a key: "C-d", "Enter", "g", "PgDn", "Space". `size` is at least 16. */
void key_text(uint32_t key, char *name, size_t size);
/* The key with that name, spelled as key_text writes it ("lt" for <). Returns KEY_NONE for any other name. */
uint32_t key_from_name(const char *name, size_t len);

#endif
