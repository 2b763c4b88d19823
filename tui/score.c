#include "score.h"

#include <stdio.h>
#include <string.h>
#include "../model/reasoning.h"
#include "../model/strbuf.h"
#include "screen.h"

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

/* What was measured has a body, with eighths of a column at its end where they can be drawn. */
static void add_measured(struct strbuf *out, int eighths, int width)
{
    static const char *const part[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    int taken = 0;
    for (; eighths >= 8 && taken < width; eighths -= 8, taken++)
        strbuf_addstr(out, "█");
    if (taken < width && eighths > 0) {
        strbuf_addstr(out, part[eighths]);
        taken++;
    }
    strbuf_addchars(out, ' ', (size_t)(width - taken));
}

static const char *filling(bool utf8, enum score origin)
{
    static const char *const text[][2] = {[SCORE_NONE] = {"╌", "?"},
                                          [SCORE_MEASURED] = {"█", "#"},
                                          [SCORE_HEURISTIC] = {"▒", "~"},
                                          [SCORE_DEFAULT] = {"░", "="},
                                          [SCORE_ASSERTED] = {"╌", "?"}};
    if (origin < SCORE_NONE || origin > SCORE_ASSERTED)
        origin = SCORE_NONE;
    return text[origin][utf8 ? 0 : 1];
}

void score_bar(struct strbuf *out, bool utf8, double relevance, enum score origin, int width)
{
    if (width <= 0)
        return;
    if (!(relevance >= 0 && relevance <= 1))
        relevance = 0;
    if (utf8 && origin == SCORE_MEASURED) {
        add_measured(out, (int)(relevance * width * 8 + 0.5), width);
        return;
    }
    int full = (int)(relevance * width + 0.5);
    for (int i = 0; i < full; i++)
        strbuf_addstr(out, filling(utf8, origin));
    strbuf_addchars(out, ' ', (size_t)(width - full));
}

void score_add_bar(struct strbuf *out, const struct screen *screen, double relevance,
                   enum score origin, int width)
{
    score_bar(out, screen->utf8, relevance, origin, width);
}
