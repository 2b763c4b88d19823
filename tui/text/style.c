#include "tui/text/style.h"

const char *glyph_of(enum glyph glyph, bool ascii)
{
    static const char *const text[GLYPH_COUNT][2] = {
        [GLYPH_CRUMB] = {"›", ">"},        [GLYPH_ELLIPSIS] = {"…", "~"},
        [GLYPH_ARROW] = {"→", "->"},       [GLYPH_DOWN] = {"↓", "v"},
        [GLYPH_UP] = {"↑", "^"},           [GLYPH_DOT] = {"·", "."},
        [GLYPH_TEE] = {"├─", "|-"},        [GLYPH_CORNER] = {"└─", "`-"},
        [GLYPH_BAR] = {"│", "|"},          [GLYPH_DASH] = {"─", "-"},
        [GLYPH_FOLDED] = {"▸", "+"},       [GLYPH_OPEN] = {"▾", "-"},
        [GLYPH_CIRCLE] = {"↺", "C"},       [GLYPH_AGAIN] = {"↑", "^"},
        [GLYPH_SIDE] = {"│", "|"},         [GLYPH_TOP_LEFT] = {"┌", "+"},
        [GLYPH_TOP_RIGHT] = {"┐", "+"},    [GLYPH_BOTTOM_LEFT] = {"└", "+"},
        [GLYPH_BOTTOM_RIGHT] = {"┘", "+"}, [GLYPH_LIVES] = {"●", "o"},
        [GLYPH_ENDED] = {"×", "x"},        [GLYPH_TIMES] = {"×", "x"},
        [GLYPH_REFUSED] = {"⊘", "R"},
    };
    return text[glyph][ascii];
}

const char *mark_of_label(enum label label, bool ascii)
{
    static const char *const marks[LABEL_COUNT][2] = {
        [LABEL_GROUNDED] = {"●", "G"},   [LABEL_WEAKENED] = {"◐", "W"},
        [LABEL_UNGROUNDED] = {"○", "U"}, [LABEL_CIRCULAR] = {"↺", "C"},
        [LABEL_UNSOURCED] = {"–", "-"},  [LABEL_GONE] = {"×", "x"},
    };
    return marks[label][ascii];
}

const char *level_mark(double level, bool ascii)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const digits[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    if (!(level >= 0))
        return " ";
    if (!ascii)
        return blocks[level >= 1 ? 7 : (int)(level * 8)];
    return digits[level >= 1 ? 9 : (int)(level * 10)];
}
