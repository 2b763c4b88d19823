/*
 * The screen: the only owner of curses.
 *
 * A frame is drawn into curses' standard screen. screen_flush sends it inside one synchronized update, so that no
 * partial frame is visible. The terminal is restored when the explorer ends, is suspended or killed by a signal, or
 * crashes. A process has at most one screen.
 */
#ifndef STEMMA_SCREEN_H
#define STEMMA_SCREEN_H

#include <curses.h>
#include <stdbool.h>
#include <stdint.h>
#include "model/base/error.h"
#include "model/base/strbuf.h"
#include "tui/term/theme.h"

#define DIRECT_COLOURS (1 << 24) /* of a terminal with true colour */
#ifndef NCURSES_EXT_COLORS
#define NCURSES_EXT_COLORS 0 /* before ncurses 6.1 a colour is a short number */
#endif

enum cell_half {
    CELL_WHOLE = 0,
    CELL_LEFT_HALF,
    CELL_RIGHT_HALF
};

struct screen {
    SCREEN *curses;
    WINDOW *keys;    /* a pad, because reading from the standard screen would repaint it */
    FILE *null_file; /* output of a headless screen */
    int fd;          /* the terminal; -1 for a headless screen */
    int rows, columns;
    bool utf8;    /* whether anything but ASCII may be drawn */
    bool colours; /* whether the terminal has colours and the person wants them */
    bool mouse;
    int escape_delay; /* ms: a character within this time after an Esc belongs to it */
    int cursor_y, cursor_x;
    uint64_t sent; /* a hash of the frame on the terminal */
    uint8_t *half; /* [rows * columns] enum cell_half: which cells are halves of a wide character */
    bool speaks;   /* for a screen reader (style.h): rows are read from left to right */
    struct spoken *spoken; /* words that stand in place of cells of this frame (speech.c) */
    /* Hyperlinks of this frame. What lies under a link is written again after it, since curses knows nothing of links.
     */
    uint16_t *link;                /* [rows * columns] of a cell: 1 and up as in `target`, or 0 */
    uint16_t link_now, link_found; /* of the cells that are drawn; of the text that is drawn */
    struct strbuf *target;         /* [targets] */
    size_t targets;
    uint64_t *row_sum; /* [rows] of a row with links, as it was sent; 0 for none */
    bool *had_row;     /* [rows] whether it had some in the frame before */
    struct theme theme;
    char *chosen;     /* the name of the theme, as the person gave it: "auto", "light" */
    bool tried;       /* another theme is shown for the moment */
    bool light;       /* the background of the terminal is light */
    bool links;       /* URIs are sent as hyperlinks (OSC 8) */
    bool had_links;   /* the frame before had some */
    int store_colour; /* of STYLE_STORE: 1 to 7; 0 for none */
    short pairs;      /* colour pairs made so far */
    struct {
        int fg, bg;
    } pair[256];
};

struct screen_options {
    const char *theme; /* the name of a theme; "auto" takes light or dark by the background */
    bool no_colour;
    bool mouse;
    bool speaks;      /* for a screen reader */
    int ascii;        /* enum ascii_mode */
    int links;        /* enum links_mode */
    int escape_delay; /* ms */
    bool headless;    /* no terminal; `rows` and `columns` give the size */
    int rows, columns;
};

/* Returns -1 and sets *e if there is no terminal, or if it cannot move its cursor. */
int screen_open(struct screen *s, const struct screen_options *options, struct error *e);
/* Restores the terminal, unless screen_leave did so, and frees curses. Safe to call twice. */
void screen_close(struct screen *s);

int screen_set_theme(struct screen *s, const char *name, struct error *e);
/* Shows a theme for the moment; NULL shows the chosen one again. A theme that cannot be read changes nothing. */
void screen_try_theme(struct screen *s, const char *name);
/* Takes the answer to the question for the background: "11;rgb:ffff/ffff/ffff". */
void screen_take_background(struct screen *s, const char *answer);
void screen_set_mouse(struct screen *s, bool on);
void screen_set_ascii(struct screen *s, int mode);
/* `mode` is enum links_mode; auto asks what screen_knows_links does. */
void screen_set_links(struct screen *s, int mode);
/* Whether the terminal is known to show hyperlinks, by the variables that it and tmux set. */
bool screen_knows_links(void);
/* The colour of the store's name: 1 to 7 as in a terminal; 0 for that of the theme. */
void screen_set_store(struct screen *s, int colour);

/* Reads the size of the terminal. Returns true if it changed; the screen then has the new size. */
bool screen_measure(struct screen *s);
void screen_resize(struct screen *s, int rows, int columns);
/* Restores the terminal for another program, until screen_repaint. */
void screen_leave(struct screen *s);
/* Suspends the process (C-z) and leaves `message` in the terminal ("" for none). Returns after SIGCONT, with the
 * terminal set up again. */
void screen_suspend(struct screen *s, const char *message);
/* Sets the modes of the terminal again and repaints all of it, after another program used it. In the background, this
 * and screen_suspend wait until the process is in the foreground again. If a signal asks to end meanwhile
 * (signals_end), they leave the terminal as it is. */
void screen_repaint(struct screen *s);

void screen_erase(struct screen *s);
/* Sends the frame, with the cursor at cursor_y, cursor_x. */
void screen_flush(struct screen *s);

/* Adds a link to this frame, and returns its number for `link_now`; 0 if there are too many. `target` is a URI of
 * visible ASCII (link_add_target). */
uint16_t screen_add_link(struct screen *s, const char *target);

/* The attributes of `style` combined with `over` (or STYLE_NONE). Sets *pair to its colour pair. */
attr_t screen_attributes(struct screen *s, enum style style, enum style over, short *pair);

/* Sets TERMINFO for the newterm that follows (terminal.c). Returns false if there is nothing to change. */
bool terminfo_plain(const char *term);

/* Appends the frame as text: a line for each row, without trailing blanks. */
void screen_text(const struct screen *s, struct strbuf *out);

/* ---- for a screen reader (speech.c) ---- */

/*
 * A frame for a screen reader, which speaks the characters of a row from left to right. Signs are words, which take
 * more columns than they were given, so each row is arranged anew before it is sent: with its words, and without the
 * blanks that align columns.
 */

/* Forgets all words, at the start of a frame. */
void speech_begin(struct screen *s);
void speech_release(struct screen *s);
/* The cell is spoken as this clean text. It is forgotten if something is drawn over it. */
void speech_add(struct screen *s, int y, int x, const char *text, size_t len);
void speech_forget(struct screen *s, int y, int x, int width);
/* Arranges all rows, and moves the cursor along. */
void speech_arrange(struct screen *s);

/* The clipboard is set by a program such as xclip on a local display, else through the terminal (OSC 52). */

#define CLIPBOARD_MAX (74 * 1024) /* bytes, before base64; all common terminals accept this much */

/* Sets the clipboard; uses a program only if `programs`. Returns how ("by xclip", "through the terminal"), or NULL if
 * `len` is too large for the terminal. */
const char *clipboard_set(struct screen *s, bool programs, const char *bytes, size_t len);

/* Rings the bell and asks the terminal for a notification (OSC 9). The text is cleaned. */
void screen_notify(struct screen *s, const char *text);

/* Appends the sequence that sets the clipboard of a terminal, and with `tmux` also the one for tmux's passthrough. */
void clipboard_sequence(struct strbuf *out, const char *bytes, size_t len, int tmux);

#endif
