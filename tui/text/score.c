#include "tui/text/score.h"

#include <stdio.h>
#include <string.h>
#include "model/reasoning/reasoning.h"
#include "model/base/strbuf.h"

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

void score_add(struct strbuf *out, double relevance, enum score origin)
{
    char digits[8];
    score_digits(digits, relevance);
    strbuf_addf(out, "%c%s", relevance == relevance ? score_sign(origin) : ' ', digits);
}

/* What was measured has the strongest line, and none is the other's. */
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
    if (width <= 0)
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
