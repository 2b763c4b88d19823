/*
 * What a command writes: lines for people in the shape of the terminal, or JSON.
 *
 * Text is gathered in `text` and written by output_flush; whatever comes from a store goes through
 * text.h first. On a terminal lines are cut to its width; into a pipe or a file nothing is cut
 * (unless COLUMNS is set), so that a program that reads it loses nothing.
 */
#ifndef STEMMA_OUTPUT_H
#define STEMMA_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/error.h"
#include "model/base/strbuf.h"
#include "tui/text/style.h"

enum color_mode {
    COLOR_AUTO = 0,
    COLOR_ALWAYS,
    COLOR_NEVER
};
enum ascii_mode {
    ASCII_AUTO = 0,
    ASCII_YES,
    ASCII_NO
};

struct output {
    struct strbuf text;
    bool json, color, ascii;
    bool tty;       /* standard output is a terminal */
    size_t columns; /* SIZE_MAX: nothing is cut */
    unsigned flags; /* for text.h: TEXT_ASCII or 0 */
    int64_t now;    /* for ages */
    bool closed;    /* the reader went away: what is written is dropped */
    int failed;     /* errno of a write that failed */
};

/* `color` is an enum color_mode, `ascii` an enum ascii_mode. */
void output_init(struct output *out, int color, int ascii, bool json, int64_t now);
void output_release(struct output *out);
/* Its columns as they are by now, for who stays: a person may have made the terminal wider or narrower. */
void output_measure(struct output *out);
/*
 * Sets LC_CTYPE from the environment, before anything is shown; C.UTF-8 where that is not UTF-8, so
 * that widths are known. LC_NUMERIC stays C. A locale that names another character set is taken at
 * its word, and only ASCII is shown; C and POSIX name none, and UTF-8 is taken for granted.
 */
void output_locale(void);
/* Can the terminal show more than ASCII? `ascii` is an enum ascii_mode; the locale is set. */
bool output_wants_ascii(int ascii);

/*
 * Writes what was gathered. A reader that went away is no error, and output->closed says so: nothing
 * more needs to be made. ERROR_STORE where it cannot be written.
 */
int output_flush(struct output *out, struct error *e);
/* The same once a good deal has been gathered; call it after each row. */
int output_row(struct output *out, struct error *e);
/* Where the store's answers in JSON are to go: a large one is written as it is made. */
struct answer;
struct answer output_answer(struct output *out);

/* Begins and ends a tone; nothing where there is no colour. */
void output_style(struct output *out, enum style style);
void output_printf(struct output *out, enum style style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A cell of a row: text from anywhere, clean, in that tone, exactly `columns` wide, then a gap of
 * two. */
void output_cell(struct output *out, enum style style, const char *s, size_t columns,
                 unsigned flags);
/* The same, but wider where it is and nothing is to be cut. Returns the columns it took, gap and all; of
 * a column of no width nothing is written. */
size_t output_column(struct output *out, enum style style, const char *s, size_t columns,
                     unsigned flags);
/* The last cell of a row: cut to what is left of the line after `used` columns; ends the line. */
void output_rest(struct output *out, enum style style, const char *s, size_t used);
/* Text from anywhere, clean, in one line, not cut. */
void output_text(struct output *out, enum style style, const char *s);
/* Wrapped to lines of `columns` (SIZE_MAX: broken at its line feeds alone), `indent` spaces of them
 * before each. */
void output_paragraph(struct output *out, const char *s, size_t indent, size_t columns);
/* The same where `indent` columns of the first line are taken already; at least one line end. */
void output_hanging(struct output *out, const char *s, size_t indent, size_t columns);

/* The same as one flow: a line break in it is a space. */
void output_flow(struct output *out, const char *s, size_t indent);
/* The same after `lead`, a word of the program's own in that tone. */
void output_led(struct output *out, enum style style, const char *lead, const char *s,
                size_t indent);
/* Whether what is said on stderr keeps to ASCII: an enum ascii_mode; output_init says it too. */
void output_say_ascii(int ascii);
/* "stemma: what. todo" on stderr, clean. */
void output_error(const struct error *e);
/* A line on stderr, clean, with "stemma: " before it. */
void output_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
