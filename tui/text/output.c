/* Output of commands, and messages on stderr. */
#include "tui/text/output.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "model/json/json.h"
#include "store/json/answer.h"
#include "tui/text/text.h"

#define FLUSH_AT       (64 * 1024)
#define TERMINAL_WIDTH 80

/* Set by output_locale if the environment names a character set other than UTF-8. */
static bool locale_is_ascii;
/* text_flags of messages on stderr: from the locale, then from the configuration. */
static unsigned stderr_flags;

/* Whether the environment names a character set other than UTF-8, even in a locale that is not installed. */
static bool environment_names_another(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *value = NULL;
    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]) && !(value && *value); i++)
        value = getenv(variables[i]);
    const char *charset = value ? strchr(value, '.') : NULL;
    return charset && strncasecmp(charset, ".utf-8", 6) != 0 &&
           strncasecmp(charset, ".utf8", 5) != 0;
}

void output_locale(void)
{
    setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") == 0)
        return;
    locale_is_ascii = environment_names_another();
    if (!setlocale(LC_CTYPE, "C.UTF-8"))
        locale_is_ascii = true;
    stderr_flags = locale_is_ascii ? TEXT_ASCII : 0;
}

bool output_wants_ascii(int ascii)
{
    return ascii == ASCII_AUTO ? locale_is_ascii : ascii == ASCII_YES;
}

void output_set_stderr_ascii(int ascii)
{
    stderr_flags = output_wants_ascii(ascii) ? TEXT_ASCII : 0;
}

/* Whether to use colour on that descriptor. COLOR_AUTO respects NO_COLOR and TERM=dumb. */
static bool output_wants_color(int color, int descriptor)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    if (color != COLOR_AUTO)
        return color == COLOR_ALWAYS;
    return isatty(descriptor) && !(no_color && *no_color) && !(term && strcmp(term, "dumb") == 0);
}

/* COLUMNS if it is set, else the width of the terminal. SIZE_MAX if neither is known. */
static size_t width_of_output(bool tty)
{
    const char *columns = getenv("COLUMNS");
    char *end;
    long n = columns ? strtol(columns, &end, 10) : 0;
    if (n > 0 && n < 100000 && !*end)
        return (size_t)n;
    struct winsize size;
    if (!tty)
        return SIZE_MAX;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return TERMINAL_WIDTH;
}

void output_init(struct output *out, int color, int ascii, bool json, int64_t now)
{
    *out = (struct output){.text = STRBUF_INIT, .json = json, .now = now};
    out->tty = isatty(STDOUT_FILENO);
    out->color = output_wants_color(color, STDOUT_FILENO);
    out->ascii = output_wants_ascii(ascii);
    out->flags = out->ascii ? TEXT_ASCII : 0;
    output_set_stderr_ascii(ascii);
    output_measure(out);
}

void output_measure(struct output *out)
{
    out->columns = width_of_output(out->tty);
}

void output_release(struct output *out)
{
    strbuf_release(&out->text);
}

/* Whether the text has more lines than the terminal, of which the shell's prompt takes one. */
static bool is_long(const struct strbuf *text)
{
    struct winsize size;
    size_t lines = 0, rows = 24;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0)
        rows = size.ws_row;
    for (size_t i = 0; i < text->len && lines < rows; i++)
        lines += text->buf[i] == '\n';
    return lines >= rows;
}

int output_flush(struct output *out, struct error *e)
{
    size_t done = 0;
    if (out->json)
        json_show(&out->text);
    if (out->pager && is_long(&out->text) && out->pager())
        out->pager = NULL;
    while (done < out->text.len && !out->closed && !out->failed) {
        ssize_t n = write(STDOUT_FILENO, out->text.buf + done, out->text.len - done);
        if (n >= 0)
            done += (size_t)n;
        else if (errno == EPIPE)
            out->closed = true;
        else if (errno != EINTR)
            out->failed = errno;
    }
    strbuf_clear(&out->text);
    if (out->failed)
        return error_set(e, ERROR_STORE, error_write_hint(out->failed),
                         "cannot write to standard output: %s", strerror(out->failed));
    return 0;
}

int output_row(struct output *out, struct error *e)
{
    return out->text.len < FLUSH_AT ? 0 : output_flush(out, e);
}

static int flush_row(void *arg, struct error *e)
{
    return output_row(arg, e);
}

struct answer output_answer(struct output *out)
{
    return (struct answer){.out = &out->text, .flush = flush_row, .arg = out};
}

void output_style(struct output *out, enum style style)
{
    static const char *const codes[STYLE_COUNT] = {
        [STYLE_TEXT] = "\033[0m",         [STYLE_STRONG] = "\033[1m",
        [STYLE_DIM] = "\033[2m",          [STYLE_TITLE] = "\033[1m",
        [STYLE_RULE_TITLE] = "\033[1m",   [STYLE_HEADER] = "\033[2m",
        [STYLE_RULE] = "\033[2m",         [STYLE_FIELD] = "\033[2m",
        [STYLE_REF] = "\033[2m",          [STYLE_AGE] = "\033[2m",
        [STYLE_SOURCE] = "\033[2m",       [STYLE_STAND_IN] = "\033[2m",
        [STYLE_GUESSED] = "\033[2m",      [STYLE_ERROR] = "\033[31m",
        [STYLE_SUPPORTED] = "\033[32m",   [STYLE_WEAKENED] = "\033[33m",
        [STYLE_UNSUPPORTED] = "\033[31m", [STYLE_CIRCULAR] = "\033[35m",
        [STYLE_UNSOURCED] = "\033[2m",    [STYLE_ENDED] = "\033[2m",
        [STYLE_GHOST] = "\033[2m",        [STYLE_LOSES_SUPPORT] = "\033[31m",
    };
    if (out->color && codes[style])
        strbuf_addstr(&out->text, codes[style]);
}

/* Plain text gets no codes, so that text without colour is the same bytes everywhere. */
static void begin(struct output *out, enum style style)
{
    if (style != STYLE_TEXT)
        output_style(out, style);
}

static void end(struct output *out, enum style style)
{
    if (style != STYLE_TEXT)
        output_style(out, STYLE_TEXT);
}

void output_printf(struct output *out, enum style style, const char *format, ...)
{
    va_list args;
    begin(out, style);
    va_start(args, format);
    strbuf_vaddf(&out->text, format, args);
    va_end(args);
    end(out, style);
}

void output_cell(struct output *out, enum style style, const char *s, size_t columns,
                 unsigned flags)
{
    begin(out, style);
    text_fit(&out->text, s, strlen(s), columns,
             flags | out->flags | (flags & TEXT_RIGHT ? 0 : TEXT_PAD));
    end(out, style);
    strbuf_addstr(&out->text, "  ");
}

size_t output_column(struct output *out, enum style style, const char *s, size_t columns,
                     unsigned flags)
{
    if (columns == 0)
        return 0;
    if (out->columns == SIZE_MAX) {
        size_t own = text_width(s, strlen(s), SIZE_MAX - 1, flags | out->flags);
        columns = own > columns ? own : columns;
    }
    output_cell(out, style, s, columns, flags);
    return columns + 2;
}

void output_rest(struct output *out, enum style style, const char *s, size_t used)
{
    size_t left = out->columns > used ? out->columns - used : 1;
    if (*s) {
        begin(out, style);
        text_fit(&out->text, s, strlen(s), left, out->flags);
        end(out, style);
    } else { /* drop the gap before an empty cell */
        while (out->text.len && out->text.buf[out->text.len - 1] == ' ')
            strbuf_cut(&out->text, out->text.len - 1);
    }
    strbuf_addch(&out->text, '\n');
}

void output_text(struct output *out, enum style style, const char *s)
{
    begin(out, style);
    text_add(&out->text, s, out->flags);
    end(out, style);
}

/* `hang`: the first line continues a line that is already partly written. */
static void add_lines(struct output *out, const char *s, size_t indent, size_t columns, bool hang)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct text_line *lines;
    columns = columns > indent + 10 ? columns - indent : 10;
    size_t count = text_wrap(&arena, s, strlen(s), columns, SIZE_MAX, out->flags, &lines);
    for (size_t i = 0; i < count; i++) {
        if (lines[i].len > 0 && !(hang && i == 0))
            strbuf_addchars(&out->text, ' ', indent);
        strbuf_add(&out->text, lines[i].text, lines[i].len);
        strbuf_addch(&out->text, '\n');
    }
    if (hang && count == 0)
        strbuf_addch(&out->text, '\n');
}

/* Line breaks become spaces before the text is wrapped. */
void output_flow(struct output *out, const char *s, size_t indent)
{
    output_flow_after(out, STYLE_TEXT, "", s, indent);
}

void output_flow_after(struct output *out, enum style style, const char *lead, const char *s,
                       size_t indent)
{
    AUTO_STRBUF line = STRBUF_INIT;
    size_t start = out->text.len, len = strlen(lead);
    strbuf_addstr(&line, lead);
    text_add(&line, s, out->flags);
    if (out->columns == SIZE_MAX) {
        strbuf_addf(&out->text, "%s\n", line.buf);
    } else {
        output_hanging(out, line.buf, indent, out->columns);
    }
    /* Colour the lead only if wrapping did not break it. */
    if (out->color && len && out->text.len - start > len &&
        memcmp(out->text.buf + start, lead, len) == 0) {
        strbuf_clear(&line);
        strbuf_addstr(&line, out->text.buf + start + len);
        strbuf_cut(&out->text, start);
        output_printf(out, style, "%s", lead);
        strbuf_addstr(&out->text, line.buf);
    }
}

void output_paragraph(struct output *out, const char *s, size_t indent, size_t columns)
{
    add_lines(out, s, indent, columns, false);
}

void output_hanging(struct output *out, const char *s, size_t indent, size_t columns)
{
    add_lines(out, s, indent, columns, true);
}

/* An error while an error is printed is ignored. */
static void write_stderr(const struct strbuf *line)
{
    size_t done = 0;
    while (done < line->len) {
        ssize_t n = write(STDERR_FILENO, line->buf + done, line->len - done);
        if (n < 0 && errno != EINTR)
            return;
        done += n > 0 ? (size_t)n : 0;
    }
}

/* Appends a sentence, with a full stop if it has none. */
static void add_sentence(struct strbuf *out, const char *s)
{
    text_add(out, s, stderr_flags | TEXT_EXACT); /* it may contain a name */
    if (out->len > 0 && !strchr(".?!", out->buf[out->len - 1]))
        strbuf_addch(out, '.');
}

void output_error(const struct error *e)
{
    AUTO_STRBUF line = STRBUF_INIT;
    strbuf_addstr(&line, "stemma: ");
    add_sentence(&line, e->what);
    if (*e->hint) {
        strbuf_addch(&line, ' ');
        add_sentence(&line, e->hint);
    }
    strbuf_addch(&line, '\n');
    write_stderr(&line);
}

void output_point(const char *text, size_t from, size_t to)
{
    AUTO_STRBUF line = STRBUF_INIT;
    unsigned flags = stderr_flags | TEXT_EXACT;
    size_t before = text_width(text, from, SIZE_MAX, flags);
    size_t width = text_width(text + from, to - from, SIZE_MAX, flags);
    strbuf_addstr(&line, "  ");
    text_clean(&line, text, strlen(text), flags);
    strbuf_addf(&line, "\n  %*s", (int)before, "");
    for (size_t i = 0; i < (width ? width : 1); i++)
        strbuf_addch(&line, '^');
    strbuf_addch(&line, '\n');
    write_stderr(&line);
}

void output_note(const char *format, ...)
{
    AUTO_STRBUF message = STRBUF_INIT, line = STRBUF_INIT;
    va_list args;
    va_start(args, format);
    strbuf_vaddf(&message, format, args);
    va_end(args);
    strbuf_addstr(&line, "stemma: ");
    text_clean(&line, message.buf, message.len, stderr_flags | TEXT_EXACT);
    strbuf_addch(&line, '\n');
    write_stderr(&line);
}
