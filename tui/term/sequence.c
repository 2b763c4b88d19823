#include "tui/term/sequence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tui/term/input.h"

#define LENGTH_MOST 65536 /* of a sequence that never ends */

bool sequence_begin(struct sequence *s, uint32_t c)
{
    *s = (struct sequence){0};
    if (c == '[')
        s->state = SEQUENCE_CSI;
    else if (c == 'O')
        s->state = SEQUENCE_SS3;
    else if (c > 0 && c < 0x80 && strchr("]P_^X", (int)c))
        s->state = SEQUENCE_STRING;
    return s->state != SEQUENCE_NONE;
}

/* Arrows and their neighbours have the same letter in both kinds of sequence. */
static uint32_t lettered_key(char final)
{
    static const char letters[] = "ABCDHFPQRS";
    static const uint32_t keys[] = {KEY_ARROW_UP, KEY_ARROW_DOWN, KEY_ARROW_RIGHT, KEY_ARROW_LEFT,
                                    KEY_FIRST,    KEY_LAST,       KEY_F_1,         KEY_F_1 + 1,
                                    KEY_F_1 + 2,  KEY_F_1 + 3};
    const char *at = final ? strchr(letters, final) : NULL;
    return at ? keys[at - letters] : (uint32_t)KEY_UNKNOWN;
}

static uint32_t numbered_key(long number)
{
    static const struct {
        long number;
        uint32_t key;
    } map[] = {
        {1, KEY_FIRST},    {2, KEY_INSERT},    {3, KEY_DELETE},    {4, KEY_LAST},
        {5, KEY_PAGE_UP},  {6, KEY_PAGE_DOWN}, {7, KEY_FIRST},     {8, KEY_LAST},
        {11, KEY_F_1},     {12, KEY_F_1 + 1},  {13, KEY_F_1 + 2},  {14, KEY_F_1 + 3},
        {15, KEY_F_1 + 4}, {17, KEY_F_1 + 5},  {18, KEY_F_1 + 6},  {19, KEY_F_1 + 7},
        {20, KEY_F_1 + 8}, {21, KEY_F_1 + 9},  {23, KEY_F_1 + 10}, {24, KEY_F_1 + 11},
    };
    for (size_t i = 0; i < sizeof(map) / sizeof(map[0]); i++)
        if (map[i].number == number)
            return map[i].key;
    return KEY_UNKNOWN;
}

/* `button` as reports have it: two bits of number, 32 for a movement, 64 for the wheel. */
static void take_pointer(struct input_event *event, int button, int x, int y)
{
    bool wheel = button & 64, first = !(button & ~(4 | 8 | 16));
    event->key = wheel || first ? KEY_POINTER : KEY_NONE;
    event->button = !wheel ? 1 : button & 1 ? 5 : 4;
    event->x = x - 1;
    event->y = y - 1;
}

static void csi_over(const struct sequence *s, char final, struct input_event *event)
{
    int button, x, y;
    if (s->count > sizeof(s->bytes))
        return;
    if (final == 'M' && sscanf(s->bytes, "<%6d;%6d;%6d", &button, &x, &y) == 3)
        take_pointer(event, button, x, y);
    else if (strspn(s->bytes, "0123456789;:") != strlen(s->bytes) || final == 'R')
        return; /* answers: which terminal it is, where the cursor stands */
    else if (final == '~')
        event->key = numbered_key(strtol(s->bytes, NULL, 10));
    else if (final == 'Z')
        event->key = KEY_BACK_TAB;
    else if (final == 'u' || lettered_key(final) != KEY_UNKNOWN)
        event->key = lettered_key(final);
}

static enum sequence_step take_csi(struct sequence *s, uint32_t c, struct input_event *event)
{
    if (c == 'M' && s->count == 1) {
        s->state = SEQUENCE_X10;
        s->count = 0;
        return SEQUENCE_GOES_ON;
    }
    if (c < 0x20 || c > 0x7e)
        return SEQUENCE_BROKEN;
    if (c < 0x40) {
        if (s->count < sizeof(s->bytes))
            s->bytes[s->count - 1] = (char)c;
        return SEQUENCE_GOES_ON;
    }
    csi_over(s, (char)c, event);
    return SEQUENCE_OVER;
}

static enum sequence_step take_ss3(uint32_t c, struct input_event *event)
{
    if (c < 0x20 || c > 0x7e)
        return SEQUENCE_BROKEN;
    if (c < 0x40) /* a modifier */
        return SEQUENCE_GOES_ON;
    event->key = c == 'M' ? (uint32_t)KEY_RETURN : lettered_key((char)c);
    return SEQUENCE_OVER;
}

static enum sequence_step take_string(struct sequence *s, uint32_t c)
{
    if (s->state == SEQUENCE_STRING_ST)
        return c == '\\' ? SEQUENCE_OVER : SEQUENCE_BROKEN;
    if (c == KEY_ESCAPE)
        s->state = SEQUENCE_STRING_ST;
    return c == '\a' || c == 0x18 || c == 0x1a || c == 0x9c ? SEQUENCE_OVER : SEQUENCE_GOES_ON;
}

static enum sequence_step take_x10(struct sequence *s, uint32_t c, struct input_event *event)
{
    s->bytes[s->count - 1] = (char)(c < 0x100 ? c : 0xff);
    if (s->count < 3)
        return SEQUENCE_GOES_ON;
    int button = (unsigned char)s->bytes[0] - 32;
    take_pointer(event, button, (unsigned char)s->bytes[1] - 32, (unsigned char)s->bytes[2] - 32);
    return SEQUENCE_OVER;
}

enum sequence_step sequence_take(struct sequence *s, uint32_t c, struct input_event *event)
{
    enum sequence_step step = SEQUENCE_OVER;
    event->key = KEY_NONE;
    if (++s->count > LENGTH_MOST)
        step = SEQUENCE_OVER;
    else if (s->state == SEQUENCE_CSI)
        step = take_csi(s, c, event);
    else if (s->state == SEQUENCE_SS3)
        step = take_ss3(c, event);
    else if (s->state == SEQUENCE_X10)
        step = take_x10(s, c, event);
    else if (s->state != SEQUENCE_NONE)
        step = take_string(s, c);
    if (step != SEQUENCE_GOES_ON)
        s->state = SEQUENCE_NONE;
    return step;
}
