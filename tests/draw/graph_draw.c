/*
 * graph-draw: draws the graph on standard input, for tests of drawings.
 *
 *     graph-draw [--style lr|lr-box|tb|tb-box|outline] [--width N] [--bundle|--no-bundle]
 *                [--ascii] [--lit ID] [--rects] [--moves] [--stats]
 *     graph-draw --batch
 *
 * --lit draws only the edges from and to that node. --batch: a line `draw OPTIONS` follows each
 * graph, and a line `-- end` each drawing.
 */
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "tests/draw/drawn.h"

#define LARGEST_WIDTH 1000000

struct settings {
    struct drawn_options drawn;
    bool batch;
};

static int set_style(struct settings *s, const char *value, struct error *e)
{
    int style = drawn_style_from_name(value);
    if (style < 0)
        return error_set(e, ERROR_USAGE, "", "there is no style “%s”", value);
    s->drawn.style = (enum drawn_style)style;
    return 0;
}

static int set_width(struct settings *s, const char *value, struct error *e)
{
    size_t digits = strspn(value, "0123456789");
    unsigned long width = strtoul(value, NULL, 10);
    if (digits == 0 || value[digits] || digits > 9 || width == 0 || width > LARGEST_WIDTH)
        return error_set(e, ERROR_USAGE, "", "a width is a number from 1 to %d, and not “%s”",
                         LARGEST_WIDTH, value);
    s->drawn.width = width;
    return 0;
}

static int set_lit(struct settings *s, const char *value, struct error *e)
{
    s->drawn.lit = value;
    return 0;
}

static int set_flag(struct settings *s, const char *name)
{
    if (strcmp(name, "--bundle") == 0)
        s->drawn.bundle = BUNDLE_YES;
    else if (strcmp(name, "--no-bundle") == 0)
        s->drawn.bundle = BUNDLE_NO;
    else if (strcmp(name, "--ascii") == 0)
        s->drawn.ascii = true;
    else if (strcmp(name, "--rects") == 0)
        s->drawn.rects = true;
    else if (strcmp(name, "--moves") == 0)
        s->drawn.moves = true;
    else if (strcmp(name, "--stats") == 0)
        s->drawn.stats = true;
    else if (strcmp(name, "--batch") == 0)
        s->batch = true;
    else
        return -1;
    return 0;
}

static const struct {
    const char *name;
    int (*set)(struct settings *s, const char *value, struct error *e);
} valued[] = {{"--style", set_style}, {"--width", set_width}, {"--lit", set_lit}};

/*
 * Reads an option, `--name VALUE` or `--name=VALUE`; `next` is the next word, or NULL. Returns the
 * number of words used, or -1.
 */
static int take_option(struct settings *s, const char *word, const char *next, struct error *e)
{
    for (size_t i = 0; i < sizeof(valued) / sizeof(valued[0]); i++) {
        size_t len = strlen(valued[i].name);
        if (strncmp(word, valued[i].name, len) != 0 || (word[len] && word[len] != '='))
            continue;
        const char *value = word[len] ? word + len + 1 : next;
        if (!value)
            return error_set(e, ERROR_USAGE, "", "%s needs a value", word);
        if (valued[i].set(s, value, e))
            return -1;
        return word[len] ? 1 : 2;
    }
    if (set_flag(s, word))
        return error_set(e, ERROR_USAGE, "", "there is no option “%s”", word);
    return 1;
}

static int take_arguments(struct settings *s, char **words, struct error *e)
{
    while (*words) {
        int taken = take_option(s, words[0], words[1], e);
        if (taken < 0)
            return -1;
        words += taken;
    }
    return 0;
}

/* The words of a `draw` line. */
static int take_line(struct settings *s, char *line, struct error *e)
{
    char *words[32];
    size_t count = 0;
    while ((words[count] = next_word(&line)))
        if (++count == sizeof(words) / sizeof(words[0]))
            return error_set(e, ERROR_USAGE, "", "there are too many options");
    return take_arguments(s, words, e);
}

static int read_all(struct strbuf *text, struct error *e)
{
    char chunk[65536];
    size_t len;
    while ((len = fread(chunk, 1, sizeof(chunk), stdin)) > 0)
        strbuf_add(text, chunk, len);
    if (ferror(stdin))
        return error_set(e, ERROR_STORE, "", "standard input cannot be read");
    return 0;
}

static int draw_one(const struct settings *s, struct text_lines *lines, struct error *e)
{
    struct graph_text g;
    char *draw;
    int result = graph_text_read(&g, lines, &draw, e);
    if (!result && draw)
        result = error_set(e, ERROR_USAGE, "", "line %zu begins with neither node nor edge",
                           lines->number);
    if (!result)
        result = drawn_write(stdout, &g, &s->drawn, e);
    graph_text_release(&g);
    return result;
}

static int draw_each(const struct settings *given, struct text_lines *lines, struct error *e)
{
    int result = 0;
    while (!result && lines->at < lines->end) {
        struct settings s = *given;
        struct graph_text g;
        char *draw;
        result = graph_text_read(&g, lines, &draw, e);
        if (!result && !draw && g.nodes > 0)
            result = error_set(e, ERROR_USAGE, "", "no line `draw` follows the last graph");
        if (!result && draw)
            result = take_line(&s, draw, e);
        if (!result && draw)
            result = drawn_write(stdout, &g, &s.drawn, e);
        if (!result && draw)
            puts("-- end");
        graph_text_release(&g);
    }
    return result;
}

int main(int argc, char **argv)
{
    struct settings s = {.batch = false};
    struct strbuf text = STRBUF_INIT;
    struct error e = {.code = ERROR_NONE};
    setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
        setlocale(LC_CTYPE, "C.UTF-8");
    int result = take_arguments(&s, argv + 1, &e);
    if (!result)
        result = read_all(&text, &e);
    if (!result) {
        struct text_lines lines = {.at = text.buf, .end = text.buf + text.len};
        result = s.batch ? draw_each(&s, &lines, &e) : draw_one(&s, &lines, &e);
    }
    if (!result && (fflush(stdout) || ferror(stdout)))
        result = error_set(&e, ERROR_STORE, "", "standard output cannot be written");
    if (result)
        fprintf(stderr, "graph-draw: %s\n", e.what);
    strbuf_release(&text);
    return error_exit_status(&e);
}
