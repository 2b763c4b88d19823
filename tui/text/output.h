/*
 * Output of a command: lines for people, fitted to the terminal, or JSON.
 *
 * Text is collected in `text` and written by output_flush. Anything that comes from a store is cleaned by text.h
 * first. Lines are cut to the width of a terminal. Nothing is cut in a pipe or a file (unless COLUMNS is set), so
 * that a program that reads it gets all of it.
 */
#ifndef STEMMA_OUTPUT_H
#define STEMMA_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/error.h"
#include "model/base/strbuf.h"
#include "tui/text/style.h"

struct answer;

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
    size_t columns; /* the width; SIZE_MAX to cut nothing */
    unsigned flags; /* for text.h: TEXT_ASCII or 0 */
    int64_t now;    /* Unix ms, for ages ("3h ago") */
    bool (*pager)(
        void);   /* starts a pager for what is longer than the terminal; NULL: none, or it runs */
    bool closed; /* the reader closed the pipe; further output is dropped */
    int failed;  /* errno of a failed write */
};

/* `color` is an enum color_mode, `ascii` an enum ascii_mode. */
void output_init(struct output *out, int color, int ascii, bool json, int64_t now);
void output_release(struct output *out);
/* Updates `columns`, for a long-running command whose terminal may be resized. */
void output_measure(struct output *out);
/*
 * Sets LC_CTYPE from the environment; call it before any output. If the environment names no character set (C,
 * POSIX), or its locale is not installed, C.UTF-8 is used, so that widths are known. If it names another character set
 * than UTF-8, output is ASCII only. LC_NUMERIC stays C.
 */
void output_locale(void);
/* Whether output must be ASCII only. `ascii` is an enum ascii_mode. Call output_locale first. */
bool output_wants_ascii(int ascii);

/*
 * Writes the collected text. A closed pipe is no error; it sets output->closed, so that the caller can stop. Returns
 * -1 and sets ERROR_STORE if a write fails.
 */
int output_flush(struct output *out, struct error *e);
/* Flushes if enough text has been collected. Call it after each row. */
int output_row(struct output *out, struct error *e);
/* The target of a JSON answer of the store. A large answer is written while it is made. */
struct answer output_answer(struct output *out);

/* Begins a style, or ends it with STYLE_TEXT. Writes nothing if colours are off. */
void output_style(struct output *out, enum style style);
void output_printf(struct output *out, enum style style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A cell of a row: cleans `s`, pads or cuts it to `columns`, then writes a gap of two columns. */
void output_cell(struct output *out, enum style style, const char *s, size_t columns,
                 unsigned flags);
/* As output_cell, but a longer text is not cut if the output has no width. Returns the columns used, including the
 * gap. A column of width 0 is not written. */
size_t output_column(struct output *out, enum style style, const char *s, size_t columns,
                     unsigned flags);
/* The last cell of a row: cuts the text to the rest of the line after `used` columns, and ends the line. */
void output_rest(struct output *out, enum style style, const char *s, size_t used);
/* Writes text in one line, cleaned, not cut. */
void output_text(struct output *out, enum style style, const char *s);
/* Writes text wrapped to `columns`, of which `indent` are spaces before each line. With SIZE_MAX lines break only at
 * line feeds. */
void output_paragraph(struct output *out, const char *s, size_t indent, size_t columns);
/* As output_paragraph, if `indent` columns of the first line are already used. Ends at least one line. */
void output_hanging(struct output *out, const char *s, size_t indent, size_t columns);

/* As output_paragraph, but line breaks in the text become spaces. */
void output_flow(struct output *out, const char *s, size_t indent);
/* As output_flow, after the word `lead` in the given style. */
void output_flow_after(struct output *out, enum style style, const char *lead, const char *s,
                       size_t indent);
/* Sets whether messages on stderr are ASCII only: an enum ascii_mode. output_init sets it, too. */
void output_set_stderr_ascii(int ascii);
/* Prints "stemma: what. hint" on stderr, cleaned. */
void output_error(const struct error *e);
/* Prints a text on stderr, cleaned, and under it carets at its bytes from `from` to `to`. */
void output_point(const char *text, size_t from, size_t to);
/* Prints a cleaned line on stderr, with the prefix "stemma: ". */
void output_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
