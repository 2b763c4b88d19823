#include "tui/text/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "tui/text/style.h"

/* The ends of the axis. */
static void ends_of(const struct plot *p, double *low, double *high)
{
    *low = p->low, *high = p->high;
    for (size_t i = 0; i < p->count && p->low == 0 && p->high == 0; i++)
        *high = p->value[i] > *high ? p->value[i] : *high;
    if (*high <= *low)
        *high = *low + 1;
}

int plot_axis_width(const struct plot *p)
{
    return p->write ? PLOT_VALUE + 2 : 0;
}

int plot_height(const struct plot *p)
{
    return p->rows + (p->left || p->right);
}

/* "   0.90 ┤" in the highest, the lowest and, of five or more, the middle row; else the axis alone. */
void plot_add_axis(const struct plot *p, int row, struct strbuf *out)
{
    char text[40] = "";
    double low, high;
    int last = p->rows - 1;
    bool named = row == 0 || row == last || (p->rows >= 5 && p->rows % 2 && row == last / 2);
    if (!p->write)
        return;
    ends_of(p, &low, &high);
    /* Bars end at the top of a row, a line is in its middle. A single row has the highest value. */
    double at = last > 0 ? high - (high - low) * row / last : high;
    if (named && row < p->rows)
        p->write(text, sizeof(text), at);
    strbuf_addf(out, "%*s ", PLOT_VALUE, text);
    strbuf_addstr(out, row >= p->rows ? " " : p->ascii ? "|" : named ? "┤" : "│");
}

/* ---- bars ---- */

/* How many of `steps` a value fills. What is above the low end fills at least one. */
static int level_of(const struct plot *p, double value, int steps)
{
    double low, high;
    ends_of(p, &low, &high);
    int level = (int)ceil((value - low) / (high - low) * steps - 1e-9);
    return !(value > low) ? 0 : level < 1 ? 1 : level > steps ? steps : level;
}

/* The part of a bar that is in a row. A chart of one row has digits without UTF-8. */
static const char *bar_in(const struct plot *p, double value, int row)
{
    int each = !p->ascii ? 8 : p->rows > 1 ? 2 : 9;
    int level = level_of(p, value, p->rows * each) - (p->rows - 1 - row) * each;
    if (value != value)
        return " ";
    if (level <= 0)
        return row < p->rows - 1 || level_of(p, value, 1) ? " " : glyph_of(GLYPH_DOT, p->ascii);
    if (!p->ascii)
        return level_mark((level - 0.5) / 8, false);
    return p->rows == 1 ? level_mark((level + 0.5) / 10, true) : level == 1 ? ":" : "#";
}

/* ---- a line ---- */

static int row_of(const struct plot *p, double value)
{
    double low, high;
    ends_of(p, &low, &high);
    double part = (value - low) / (high - low);
    return (int)lround((1 - (part < 0 ? 0 : part > 1 ? 1 : part)) * (p->rows - 1));
}

/* The line goes from the row of the value before to that of this one, in this column. */
static const char *line_in(const struct plot *p, size_t column, int row)
{
    static const char *const signs[][2] = {{"─", "-"}, {"│", "|"}, {"╯", "+"},
                                           {"╭", "+"}, {"╮", "+"}, {"╰", "+"}};
    double value = p->value[column], before = column ? p->value[column - 1] : NAN;
    if (value != value)
        return " ";
    int to = row_of(p, value), from = before == before ? row_of(p, before) : to;
    bool up = to < from;
    int sign = from == to && row == to                                ? 0
               : row == from                                          ? (up ? 2 : 4)
               : row == to                                            ? (up ? 3 : 5)
               : (row < from && row > to) || (row > from && row < to) ? 1
                                                                      : -1;
    return sign < 0 ? " " : signs[sign][p->ascii];
}

static void add_below(const struct plot *p, struct strbuf *out)
{
    int left = p->left ? (int)strlen(p->left) : 0, right = p->right ? (int)strlen(p->right) : 0;
    int between = (int)p->count - left - right;
    strbuf_addstr(out, p->left ? p->left : "");
    if (between > 0)
        strbuf_addf(out, "%*s%s", between, "", p->right ? p->right : "");
}

void plot_add_row(const struct plot *p, int row, struct strbuf *out)
{
    if (row >= p->rows)
        add_below(p, out);
    for (size_t i = 0; row < p->rows && i < p->count; i++)
        strbuf_addstr(out, p->line ? line_in(p, i, row) : bar_in(p, p->value[i], row));
}

void plot_add_words(const struct plot *p, struct strbuf *out)
{
    double least = INFINITY, most = -INFINITY, last = NAN;
    for (size_t i = 0; i < p->count; i++) {
        least = fmin(least, p->value[i]); /* not of those that are not known */
        most = fmax(most, p->value[i]);
        last = isnan(p->value[i]) ? last : p->value[i];
    }
    if (most >= least)
        strbuf_addf(out, "%zu values, the least %.4g, the greatest %.4g, the last %.4g", p->count,
                    least, most, last);
}
