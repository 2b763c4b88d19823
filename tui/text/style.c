#include "tui/text/style.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "model/reasoning/reasoning.h"

static bool speaks;

void style_speak(bool on)
{
    speaks = on;
}

bool style_speaks(void)
{
    return speaks;
}

const char *glyph_of(enum glyph glyph, bool ascii)
{
    static const char *const text[GLYPH_COUNT][3] = {
        [GLYPH_CRUMB] = {"›", ">", ","},
        [GLYPH_ELLIPSIS] = {"…", "~", "..."},
        [GLYPH_ARROW] = {"→", "->", "to"},
        [GLYPH_DOWN] = {"↓", "v", "below"},
        [GLYPH_UP] = {"↑", "^", "above"},
        [GLYPH_DOT] = {"·", ".", ";"},
        [GLYPH_TEE] = {"├─", "|-", ""},
        [GLYPH_CORNER] = {"└─", "`-", ""},
        [GLYPH_BAR] = {"│", "|", ""},
        [GLYPH_DASH] = {"─", "-", ""},
        [GLYPH_FOLDED] = {"▸", "+", "folded"},
        [GLYPH_OPEN] = {"▾", "-", "open"},
        [GLYPH_AGAIN] = {"↑", "^", "again"},
        [GLYPH_SIDE] = {"│", "|", ""},
        [GLYPH_TOP_LEFT] = {"┌", "+", ""},
        [GLYPH_TOP_RIGHT] = {"┐", "+", ""},
        [GLYPH_BOTTOM_LEFT] = {"└", "+", ""},
        [GLYPH_BOTTOM_RIGHT] = {"┘", "+", ""},
        [GLYPH_LIVES] = {"●", "o", "connected"},
        [GLYPH_ENDED] = {"×", "x", "ended"},
        [GLYPH_TIMES] = {"×", "x", "times"},
        [GLYPH_REFUSED] = {"⊘", "R", "failed"},
    };
    return text[glyph][speaks ? 2 : ascii];
}

const struct legend_row legend_rows[SIGN_COUNT] = {
    [LABEL_SUPPORTED] = {"●", "S", NULL, "not ended, and every justification is valid"},
    [LABEL_WEAKENED] = {"◐", "W", NULL, "not ended, though a justification is no longer valid"},
    [LABEL_UNSUPPORTED] = {"○", "U", NULL, "no justification is valid"},
    [LABEL_CIRCULAR] = {"↺", "C", NULL,
                        "supported only by a circle of memories that support each other"},
    [LABEL_UNSOURCED] = {"–", "-", NULL, "nobody said what it is based on"},
    [LABEL_ENDED] = {"×", "x", NULL,
                     "retracted, rejected, quarantined, forgotten, deleted, purged or missing; on "
                     "the screen expired, too"},
    [SIGN_SUPPORT] = {"3/4", "3/4", "support",
                      "three of its four justifications, 1. to 4., are valid; →1: they are one "
                      "independent derivation"},
    [SIGN_ANY_OF] = {" ", " ", "any of", "each of these sources alone is enough"},
    [SIGN_ALL_OF] = {" ", " ", "all of", "all of these sources are needed"},
    [SIGN_PENDING] = {"◌", "?", "pending",
                      "waits for a person's approval; only the agent that wrote it sees it"},
    [SIGN_APPROVED] = {"✓", "A", "approved", "by a person"},
    [SIGN_REVIEW] = {"⚑", "F", "review", "flagged for review"},
    [SIGN_LOCKED] = {"⊘", "L", "locked", "no agent changes it"},
    [SIGN_CONTRADICTED] = {"≠", "D", "contradicted", "by a memory that has not ended"},
    [SIGN_SELECTED] = {"*", "*", "selected", "by you, with Space or v"},
    [SIGN_DISBELIEVED] = {"¬", "-", "disbelieved", "by you, with ~, for the moment"},
    [SIGN_FALLEN] = {"↓", "v", "loses all support", "by what you disbelieve for the moment"},
    [SIGN_NEW] = {"+", "+", "new", "written since your last visit"},
    [SIGN_CHANGED] = {"~", "~", "changed",
                      "since your last visit; in the live view since that event"},
    [SIGN_CHANGED_NOW] = {"!", "!", "changed now", "by someone else, while the cursor is on it"},
    [SIGN_FAILED] = {"⊘", "R", "failed", "a call of an agent, in the live view"},
    [SIGN_PERSON] =
        {"P", "P", "person",
         "a person did it, in the live view; other lines are by an agent or by stemma itself"},
};

const char *legend_word(int sign)
{
    return sign < LABEL_COUNT ? label_name((enum label)sign) : legend_rows[sign].word;
}

/* An expired entry still supports others, but nothing of it is left. */
int sign_of_memory(enum status status, enum label label)
{
    return status == STATUS_PENDING                            ? SIGN_PENDING
           : !STATUS_LIVES(status) || status == STATUS_EXPIRED ? LABEL_ENDED
                                                               : (int)label;
}

const char *mark_of_label(int sign, bool ascii)
{
    return speaks ? legend_word(sign) : ascii ? legend_rows[sign].ascii : legend_rows[sign].sign;
}

enum style style_of_sign(int sign)
{
    static const enum style of[SIGN_COUNT] = {
        [SIGN_APPROVED] = STYLE_SUPPORTED, [SIGN_REVIEW] = STYLE_WEAKENED,
        [SIGN_LOCKED] = STYLE_TITLE,       [SIGN_CONTRADICTED] = STYLE_UNSUPPORTED,
        [SIGN_FAILED] = STYLE_UNSUPPORTED, [SIGN_PERSON] = STYLE_TITLE};
    return sign < LABEL_COUNT ? STYLE_OF_LABEL(sign) : of[sign] ? of[sign] : STYLE_CHIP;
}

const char *level_mark(double level, bool ascii)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const digits[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    if (!(level >= 0) || speaks)
        return " ";
    if (!ascii)
        return blocks[level >= 1 ? 7 : (int)(level * 8)];
    return digits[level >= 1 ? 9 : (int)(level * 10)];
}

char score_sign(enum score origin)
{
    static const char signs[] = {[SCORE_NONE] = '?',
                                 [SCORE_MEASURED] = ' ',
                                 [SCORE_HEURISTIC] = '~',
                                 [SCORE_DEFAULT] = '=',
                                 [SCORE_ASSERTED] = '?'};
    return (size_t)origin < sizeof(signs) ? signs[origin] : '?';
}

const char *score_word(enum score origin)
{
    return origin > SCORE_NONE && origin <= SCORE_ASSERTED ? score_name(origin) : "origin unknown";
}

enum style score_style(double relevance, enum score origin)
{
    if (origin != SCORE_MEASURED)
        return STYLE_GUESSED;
    return relevance > PRIMARY_ABOVE ? STYLE_STRONG : STYLE_NUMBER;
}

void score_digits(char out[8], double relevance)
{
    char digits[16];
    if (!(relevance >= 0 && relevance <= 1)) {
        snprintf(out, 8, " - ");
        return;
    }
    snprintf(digits, sizeof(digits), "%.2f", relevance);
    if (digits[0] == '0')
        snprintf(out, 8, "%.3s", digits + 1);
    else
        snprintf(out, 8, "1.0");
}

void add_dot(struct strbuf *out, bool ascii)
{
    if (out->len > 0)
        strbuf_addf(out, " %s ", glyph_of(GLYPH_DOT, ascii));
}

void score_add(struct strbuf *out, double relevance, enum score origin)
{
    char digits[8];
    score_digits(digits, relevance);
    strbuf_addf(out, "%c%s", relevance == relevance ? score_sign(origin) : ' ', digits);
}

/* The line that a bar is drawn with. Measured scores have the strongest line. */
static const char *line_of(bool utf8, enum score origin)
{
    static const char *const text[][2] = {[SCORE_NONE] = {"┈", "?"},
                                          [SCORE_MEASURED] = {"━", "#"},
                                          [SCORE_HEURISTIC] = {"╍", "~"},
                                          [SCORE_DEFAULT] = {"─", "="},
                                          [SCORE_ASSERTED] = {"┈", "?"}};
    if (origin > SCORE_ASSERTED)
        origin = SCORE_NONE;
    return text[origin][utf8 ? 0 : 1];
}

void score_bar(struct strbuf *out, bool utf8, double relevance, enum score origin, int width)
{
    if (width <= 0 || speaks)
        return;
    int halves = relevance >= 0 && relevance <= 1 ? (int)(relevance * width * 2 + 0.5) : 0;
    bool half = utf8 && origin == SCORE_MEASURED && halves % 2;
    int full = half ? halves / 2 : (halves + 1) / 2;
    for (int i = 0; i < full; i++)
        strbuf_addstr(out, line_of(utf8, origin));
    if (half)
        strbuf_addstr(out, "╸");
    strbuf_addchars(out, ' ', (size_t)(width - full - half));
}

void seconds_text(char out[24], double seconds)
{
    out[0] = '\0';
    if (!(seconds >= 0 && seconds < 1e12))
        return;
    int64_t whole = (int64_t)seconds;
    if (seconds < 9.95)
        snprintf(out, 24, "%.*f s", seconds > 0 && seconds < 0.05 ? 2 : 1, seconds);
    else if (seconds < 120)
        snprintf(out, 24, "%.0f s", seconds);
    else if (whole < 7200)
        snprintf(out, 24, "%dm %02ds", (int)(whole / 60), (int)(whole % 60));
    else
        snprintf(out, 24, "%lldh %02dm", (long long)(whole / 3600), (int)(whole / 60 % 60));
}

/* ---- charts ---- */

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
