/*
 * The screen: curses, started and ended in one place.
 *
 * A frame is drawn into curses' standard screen and sent by screen_flush, all of it inside one
 * synchronized update, so that nobody ever sees half of one. The terminal is restored when the
 * explorer ends, stops, is ended by a signal, or crashes. There is one screen in a process.
 */
#ifndef STEMMA_SCREEN_H
#define STEMMA_SCREEN_H

#include <curses.h>
#include <stdbool.h>
#include <stdint.h>
#include "model/base/error.h"
#include "model/base/strbuf.h"
#include "tui/term/theme.h"

enum cell_half {
    CELL_WHOLE = 0,
    CELL_LEFT_HALF,
    CELL_RIGHT_HALF
};

struct screen {
    SCREEN *curses;
    WINDOW *keys;  /* a pad: reading from it repaints nothing */
    FILE *nowhere; /* of a screen without a terminal */
    int fd;        /* of the terminal; -1: a screen that nobody sees */
    int rows, columns;
    bool utf8;    /* what is drawn may leave ASCII */
    bool colours; /* the terminal has them and may use them */
    bool mouse;
    int escape_delay; /* ms in which what follows an Esc belongs to it */
    int cursor_y, cursor_x;
    uint8_t *half; /* [rows * columns] enum cell_half: which cells are halves of a wide character */
    struct theme theme;
    short pairs; /* colour pairs made so far */
    struct {
        short fg, bg;
    } pair[256];
};

struct screen_options {
    const char *theme; /* its name */
    bool no_colour;
    bool mouse;
    int ascii;        /* enum ascii_mode */
    int escape_delay; /* ms */
    bool unseen;      /* no terminal: rows and columns say its size */
    int rows, columns;
};

/* -1 with an error where there is no terminal, or one that cannot move its cursor. */
int screen_open(struct screen *s, const struct screen_options *options, struct error *e);
/* Restores the terminal, where that was not given away, and frees curses. Safe to call twice. */
void screen_close(struct screen *s);

int screen_set_theme(struct screen *s, const char *name, struct error *e);
void screen_set_mouse(struct screen *s, bool on);

/* Has the terminal another size than was drawn for? Takes it over; true where it had. */
bool screen_measure(struct screen *s);
void screen_resize(struct screen *s, int rows, int columns);
/* Gives the terminal to another program, until screen_repaint. */
void screen_leave(struct screen *s);
/* Stops, as C-z asks, and leaves that in the terminal ("": nothing); returns when continued, with the terminal set up
 * again. */
void screen_suspend(struct screen *s, const char *said);
/* After someone else used the terminal: sets its modes again and repaints all of it. In the background both wait
 * until it is given back, or until a signal asks to end (signals_end): then it is left alone. */
void screen_repaint(struct screen *s);

void screen_erase(struct screen *s);
/* Sends what was drawn, with the cursor at cursor_y, cursor_x. */
void screen_flush(struct screen *s);

/* The attributes of a style, with another laid over it (STYLE_NONE: none). */
attr_t screen_attributes(struct screen *s, enum style style, enum style over, short *pair);

/* The frame as text: a line for each row, trailing blanks cut. */
void screen_text(const struct screen *s, struct strbuf *out);

/*
 * A terminal's description without what not every terminal and recorder that goes by its name can do:
 * scrolling by several lines at once, repeating a character. Within a synchronized update nobody sees
 * the difference.
 */

/* The clipboard: of the screen that this runs on by a program that sets it, else the terminal's (OSC 52). */

#define CLIPBOARD_MOST (74 * 1024) /* what terminals take at least, before base64 makes it longer */

/* Sets it, by such a program only if `programs`. How: "by xclip", "through the terminal"; NULL: it is too much. */
const char *clipboard_set(struct screen *s, bool programs, const char *bytes, size_t len);

/* The sequence that sets a terminal's clipboard, appended; doubled for tmux's passthrough where `tmux`. */
void clipboard_sequence(struct strbuf *out, const char *bytes, size_t len, int tmux);

#endif
