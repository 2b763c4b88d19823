#include "tui/text/style.h"

#include <stdint.h>
#include <stdio.h>
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
