#include "tui/render/source_lines.h"

#include <stdio.h>
#include <string.h>
#include "model/reasoning/reasoning.h"
#include "tui/text/score.h"
#include "tui/text/text.h"

#define BAR         8
#define RANK_WIDTH  4  /* "#99 " */
#define ID_LEAST    16 /* of a long id so much is worth showing */
#define BESIDE_ID   28 /* and so much of the title has to stay beside it */
#define TITLE_LEAST 12 /* beside a warning */

static size_t width_of(const struct output *out, const char *s, unsigned flags)
{
    return s ? text_width(s, strlen(s), SOURCE_WIDEST, flags | out->flags) : 0;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

void source_widths_take(struct source_widths *w, const struct output *out,
                        const struct source_line *line)
{
    size_t id = width_of(out, line->id, TEXT_EXACT);
    w->note = larger(w->note, width_of(out, line->note, 0));
    w->title = larger(w->title, line->title ? width_of(out, line->title, 0) : id);
    if (line->title)
        w->id = larger(w->id, id);
}

/* What stands before the title: the rank, the bar, the number and the star, with their gaps. */
static size_t before_title(const struct source_columns *c)
{
    return c->indent + (c->ranks ? RANK_WIDTH : 0) + BAR + 1 + SCORE_WIDTH + 1 + 2;
}

/* Where a warning would stand. */
static size_t after_note(const struct source_columns *c)
{
    return before_title(c) + c->title + 2 + (c->id ? c->id + 2 : 0) + (c->note ? c->note + 2 : 0);
}

void source_columns_fit(struct source_columns *c, const struct output *out,
                        const struct source_widths *widest)
{
    size_t taken = before_title(c) + (widest->note ? widest->note + 2 : 0);
    size_t room = out->columns > taken + 10 ? out->columns - taken : 10;
    size_t id = smaller(widest->id, SOURCE_WIDEST), title = smaller(widest->title, SOURCE_WIDEST);
    size_t least = smaller(id, ID_LEAST);
    c->note = widest->note;
    if (id && room >= least + 2 + smaller(title, BESIDE_ID)) {
        /* The title gives way to the id as far as it may, and the id to the title for the rest. */
        size_t kept = smaller(title, larger(BESIDE_ID, room > id + 2 ? room - id - 2 : 0));
        c->id = smaller(id, room - kept - 2);
        c->title = kept;
    } else {
        c->id = 0;
        c->title = smaller(title, room);
    }
}

/* What was measured stands out the more relevant it is; anything else recedes. */
static enum style tone_of_score(double relevance, enum score origin)
{
    if (origin != SCORE_MEASURED)
        return STYLE_DIM;
    return relevance > PRIMARY_ABOVE ? STYLE_STRONG : STYLE_TEXT;
}

static void print_rank(struct output *out, int64_t rank)
{
    char text[16] = "";
    if (rank > 99)
        snprintf(text, sizeof(text), "99+");
    else if (rank > 0)
        snprintf(text, sizeof(text), "#%d", (int)rank);
    output_printf(out, STYLE_DIM, "%*s", RANK_WIDTH - 1, text);
    strbuf_addch(&out->text, ' ');
}

static void print_score(struct output *out, const struct source_line *line)
{
    enum style style = tone_of_score(line->relevance, line->origin);
    struct strbuf digits = STRBUF_INIT;
    score_add(&digits, line->relevance, line->origin);
    score_bar(&out->text, !out->ascii, line->relevance, line->origin, BAR);
    strbuf_addch(&out->text, ' ');
    output_printf(out, style, "%s", digits.buf);
    if (line->primary)
        output_printf(out, STYLE_STRONG, "%s", out->ascii ? "*" : "★");
    strbuf_addstr(&out->text, line->primary ? "  " : "   ");
    out->text.failed |= digits.failed;
    strbuf_release(&digits);
}

/* What stands behind the number, each in a column. */
struct cell {
    enum style style;
    const char *text;
    size_t columns;
    unsigned flags;
};

/* The last that says something ends the line, without blanks behind it. */
static void print_cells(struct output *out, const struct cell *cells, size_t count, size_t used)
{
    size_t last = count - 1;
    while (last > 0 && (cells[last].columns == 0 || !*cells[last].text))
        last--;
    for (size_t i = 0; i < last; i++) {
        size_t room = out->columns > used + 2 ? out->columns - used - 2 : 0;
        used += output_column(out, cells[i].style, cells[i].text, smaller(cells[i].columns, room),
                              cells[i].flags);
    }
    size_t left = out->columns > used ? out->columns - used : 1;
    size_t columns = out->columns == SIZE_MAX ? SIZE_MAX : smaller(left, cells[last].columns);
    if (cells[last].style != STYLE_TEXT)
        output_style(out, cells[last].style);
    text_fit(&out->text, cells[last].text, strlen(cells[last].text), columns,
             cells[last].flags | out->flags);
    if (cells[last].style != STYLE_TEXT)
        output_style(out, STYLE_TEXT);
    strbuf_addch(&out->text, '\n');
}

void source_line_print(struct output *out, const struct source_columns *c,
                       const struct source_line *line)
{
    size_t warning = width_of(out, line->warning, 0), title = c->title, id = c->id;
    size_t end = after_note(c) + warning;
    size_t lacks =
        warning && out->columns != SIZE_MAX && end > out->columns ? end - out->columns : 0;
    if (lacks && id) { /* the id goes first */
        title += id + 2;
        id = 0;
    }
    title -= smaller(lacks, title > TITLE_LEAST ? title - TITLE_LEAST : 0);
    const struct cell cells[] = {
        {STYLE_TEXT, line->title ? line->title : line->id, title, line->title ? 0 : TEXT_EXACT},
        {STYLE_DIM, line->title ? line->id : "", id, TEXT_EXACT},
        {STYLE_DIM, line->note, c->note, 0},
        {STYLE_WEAKENED, line->warning, warning, 0},
    };
    strbuf_addchars(&out->text, ' ', c->indent);
    if (c->ranks)
        print_rank(out, line->rank);
    print_score(out, line);
    print_cells(out, cells, sizeof(cells) / sizeof(cells[0]), before_title(c));
}

void source_legend_print(struct output *out)
{
    strbuf_addch(&out->text, '\n');
    output_style(out, STYLE_DIM);
    output_flow(out, "scores: measured plain, ~ heuristic, = default, ? asserted", 0);
    output_style(out, STYLE_TEXT);
}
