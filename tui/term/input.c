#include "tui/term/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>
#include "model/base/alloc.h"
#include "model/base/utf8.h"
#include "store/db/thread.h"

#define PASTE_BEGIN (KEY_MAX + 1)
#define PASTE_END   (KEY_MAX + 2)
#define PASTE_MAX   (1024 * 1024)
/* After so long without its next character a sequence was none, or is lost, in ms. */
#define SEQUENCE_PATIENCE 500

static const struct {
    const char *name;
    uint32_t key;
} names[] = {
    {"Enter", KEY_RETURN},
    {"Esc", KEY_ESCAPE},
    {"Tab", KEY_TABULATOR},
    {"S-Tab", KEY_BACK_TAB},
    {"BS", KEY_RUBOUT},
    {"Space", ' '},
    {"Up", KEY_ARROW_UP},
    {"Down", KEY_ARROW_DOWN},
    {"Left", KEY_ARROW_LEFT},
    {"Right", KEY_ARROW_RIGHT},
    {"Home", KEY_FIRST},
    {"End", KEY_LAST},
    {"PgUp", KEY_PAGE_UP},
    {"PgDn", KEY_PAGE_DOWN},
    {"Del", KEY_DELETE},
    {"Ins", KEY_INSERT},
    {"F1", KEY_F_1},
    {"F2", KEY_F_1 + 1},
    {"F3", KEY_F_1 + 2},
    {"F4", KEY_F_1 + 3},
    {"F5", KEY_F_1 + 4},
    {"F6", KEY_F_1 + 5},
    {"F7", KEY_F_1 + 6},
    {"F8", KEY_F_1 + 7},
    {"F9", KEY_F_1 + 8},
    {"F10", KEY_F_1 + 9},
    {"F11", KEY_F_1 + 10},
    {"F12", KEY_F_1 + 11},
    {"lt", '<'},
    {"C-Space", 0x80000000u},
};
#define NAMES (sizeof(names) / sizeof(names[0]))

void key_text(uint32_t key, char *name, size_t size)
{
    char bytes[5] = "";
    if (key == KEY_UNKNOWN) {
        snprintf(name, size, "that key");
        return;
    }
    if (key & KEY_ALT) {
        char rest[16];
        key_text(key & ~(uint32_t)KEY_ALT, rest, sizeof(rest));
        snprintf(name, size, "M-%s", rest);
        return;
    }
    for (size_t i = 0; i < NAMES; i++) {
        if (names[i].key == key && key != '<') {
            snprintf(name, size, "%s", names[i].name);
            return;
        }
    }
    if (key < 0x20)
        snprintf(name, size, "C-%c", (char)(key < 27 && key > 0 ? key + 'a' - 1 : key + '@'));
    else if (key < KEY_NAMED && !utf8_is_control(key) && !utf8_is_bidi(key))
        snprintf(name, size, "%.*s", utf8_encode(key, bytes), bytes);
    else
        snprintf(name, size, "key %x", (unsigned)key);
}

uint32_t key_from_name(const char *name, size_t len)
{
    uint32_t code;
    for (size_t i = 0; i < NAMES; i++)
        if (strlen(names[i].name) == len && !memcmp(names[i].name, name, len))
            return names[i].key;
    if (len == 3 && name[0] == 'C' && name[1] == '-' && name[2] >= '@' && name[2] <= '~')
        return (uint32_t)name[2] & 31;
    if (len > 2 && name[0] == 'M' && name[1] == '-') {
        uint32_t rest = key_from_name(name + 2, len - 2);
        return rest == KEY_NONE ? KEY_NONE : rest | KEY_ALT;
    }
    if (len > 0 && (size_t)utf8_decode(name, len, &code) == len && code >= 0x20)
        return code;
    return KEY_NONE;
}

void input_open(struct input *in, struct screen *s, const char *script)
{
    *in = (struct input){.screen = s, .script = script};
}

void input_release(struct input *in)
{
    free(in->paste);
    *in = (struct input){0};
}

/* ---- a script ---- */

static void script_resize(const char *text, size_t len, struct input_event *event)
{
    char copy[32];
    snprintf(copy, sizeof(copy), "%.*s", (int)len, text);
    event->key = KEY_RESIZED;
    if (sscanf(copy, "size:%4dx%4d", &event->x, &event->y) != 2)
        event->key = KEY_NONE;
}

static void script_pointer(const char *text, size_t len, struct input_event *event)
{
    char copy[32];
    snprintf(copy, sizeof(copy), "%.*s", (int)len, text);
    event->key = KEY_POINTER;
    event->button = 1;
    if (sscanf(copy, "click:%4d,%4d", &event->x, &event->y) == 2 ||
        sscanf(copy, "wheelup:%4d,%4d", &event->x, &event->y) == 2 ||
        sscanf(copy, "wheeldown:%4d,%4d", &event->x, &event->y) == 2) {
        event->x--;
        event->y--;
        if (copy[0] == 'w')
            event->button = copy[5] == 'u' ? 4 : 5;
    } else {
        event->key = KEY_NONE;
    }
}

static void paste_take(struct input *in, const char *text, size_t len)
{
    free(in->paste);
    in->paste = xmalloc(len + 1);
    memcpy(in->paste, text, len);
    in->paste[len] = '\0';
    in->paste_len = len;
    in->paste_alloc = len + 1;
}

/* `<text>`, without the brackets. */
static void script_named(struct input *in, const char *text, size_t len, struct input_event *event)
{
    if (len > 5 && !memcmp(text, "size:", 5)) {
        script_resize(text, len, event);
    } else if (len > 6 && (!memcmp(text, "click:", 6) || !memcmp(text, "wheel", 5))) {
        script_pointer(text, len, event);
    } else if (len > 5 && !memcmp(text, "shot:", 5)) {
        snprintf(in->shot, sizeof(in->shot), "%.*s", (int)(len - 5), text + 5);
        event->key = KEY_SHOT;
        event->name = in->shot;
    } else if (len > 6 && !memcmp(text, "paste:", 6)) {
        paste_take(in, text + 6, len - 6);
        event->key = KEY_PASTED;
    } else {
        event->key = key_from_name(text, len);
    }
}

static bool script_next(struct input *in, struct input_event *event)
{
    *event = (struct input_event){0};
    if (!*in->script)
        return false;
    const char *close = *in->script == '<' ? strchr(in->script, '>') : NULL;
    if (close) {
        const char *text = in->script + 1;
        in->script = close + 1;
        script_named(in, text, (size_t)(close - text), event);
        return true;
    }
    int n = utf8_decode(in->script, strlen(in->script), &event->key);
    in->script += n > 0 ? n : 1;
    return true;
}

/* ---- a terminal ---- */

/* With modifiers: terminfo's names for them end in a digit that says which. They are the plain keys. */
static uint32_t from_modified(wint_t c)
{
    static const struct {
        const char *name;
        uint32_t key;
    } map[] = {
        {"kUP", KEY_ARROW_UP},     {"kDN", KEY_ARROW_DOWN}, {"kLFT", KEY_ARROW_LEFT},
        {"kRIT", KEY_ARROW_RIGHT}, {"kHOM", KEY_FIRST},     {"kEND", KEY_LAST},
        {"kPRV", KEY_PAGE_UP},     {"kNXT", KEY_PAGE_DOWN}, {"kDC", KEY_DELETE},
        {"kIC", KEY_INSERT},
    };
    const char *name = keyname((int)c);
    for (size_t i = 0; name && i < sizeof(map) / sizeof(map[0]); i++)
        if (!strncmp(name, map[i].name, strlen(map[i].name)))
            return map[i].key;
    return KEY_UNKNOWN;
}

static uint32_t from_curses(wint_t c)
{
    static const struct {
        int curses;
        uint32_t key;
    } map[] = {
        {KEY_UP, KEY_ARROW_UP},        {KEY_DOWN, KEY_ARROW_DOWN}, {KEY_LEFT, KEY_ARROW_LEFT},
        {KEY_RIGHT, KEY_ARROW_RIGHT},  {KEY_HOME, KEY_FIRST},      {KEY_END, KEY_LAST},
        {KEY_PPAGE, KEY_PAGE_UP},      {KEY_NPAGE, KEY_PAGE_DOWN}, {KEY_DC, KEY_DELETE},
        {KEY_IC, KEY_INSERT},          {KEY_BTAB, KEY_BACK_TAB},   {KEY_BACKSPACE, KEY_RUBOUT},
        {KEY_ENTER, KEY_RETURN},       {KEY_FIND, KEY_FIRST},      {KEY_SELECT, KEY_LAST},
        {KEY_SR, KEY_ARROW_UP},        {KEY_SF, KEY_ARROW_DOWN},   {KEY_SLEFT, KEY_ARROW_LEFT},
        {KEY_SRIGHT, KEY_ARROW_RIGHT}, {KEY_SHOME, KEY_FIRST},     {KEY_SEND, KEY_LAST},
        {KEY_SPREVIOUS, KEY_PAGE_UP},  {KEY_SNEXT, KEY_PAGE_DOWN}, {KEY_SDC, KEY_DELETE},
        {KEY_SIC, KEY_INSERT},
    };
    for (size_t i = 0; i < sizeof(map) / sizeof(map[0]); i++)
        if ((wint_t)map[i].curses == c)
            return map[i].key;
    if (c >= (wint_t)KEY_F(1) && c <= (wint_t)KEY_F(12))
        return KEY_F_1 + (uint32_t)(c - KEY_F(1));
    return from_modified(c);
}

static void paste_add(struct input *in, wint_t c)
{
    char bytes[4];
    size_t len = (size_t)utf8_encode((uint32_t)c, bytes);
    if (in->paste_len + len + 1 > PASTE_MAX)
        return;
    if (in->paste_len + len + 1 > in->paste_alloc) {
        size_t alloc = in->paste_alloc ? in->paste_alloc * 2 : 256;
        in->paste = xrealloc(in->paste, alloc);
        in->paste_alloc = alloc;
    }
    memcpy(in->paste + in->paste_len, bytes, len);
    in->paste_len += len;
    in->paste[in->paste_len] = '\0';
}

/* What get_wch gave becomes an event, or nothing yet. */
static bool take_code(struct input *in, int kind, wint_t c, struct input_event *event)
{
    if (kind == KEY_CODE_YES) {
        if (c == PASTE_BEGIN) {
            in->pasting = true;
            in->paste_len = 0;
            return false;
        }
        if (c == PASTE_END && in->pasting) {
            in->pasting = false;
            event->key = in->paste_len ? KEY_PASTED : KEY_NONE;
            return in->paste_len > 0;
        }
        if (in->pasting)
            return false;
        in->sequence.state = SEQUENCE_NONE;
        event->key = from_curses(c);
        return c != KEY_RESIZE;
    }
    if (in->pasting) {
        paste_add(in, c == '\r' ? '\n' : c);
        return false;
    }
    event->key = c == '\n' ? KEY_RETURN : c == '\b' ? KEY_RUBOUT : (uint32_t)c;
    return c != 0;
}

/* A character: of a sequence that has begun, or a key. False where it is no key yet, or none. */
static bool take_character(struct input *in, struct input_event *event)
{
    struct sequence *s = &in->sequence;
    uint32_t c = event->key;
    bool text = s->state == SEQUENCE_STRING_ST;
    if (s->state == SEQUENCE_NONE || c >= KEY_NAMED)
        return true;
    in->sequence_at = monotonic_ms();
    switch (sequence_take(s, c, event)) {
    case SEQUENCE_GOES_ON:
        return false;
    case SEQUENCE_OVER:
        return event->key != KEY_NONE && (event->key != KEY_POINTER || in->screen->mouse);
    case SEQUENCE_BROKEN:
        break;
    }
    /* The Esc that could have ended a text belongs to what follows. */
    if (text && sequence_begin(s, c))
        return false;
    event->key = text && c != KEY_ESCAPE ? c | KEY_ALT : c;
    return true;
}

static int read_key(struct input *in, wint_t *c)
{
    int kind = wget_wch(in->screen->keys, c);
    if (kind != ERR)
        in->empty_reads = 0;
    return kind;
}

/*
 * An Esc with a character right behind it begins a sequence, or is that character with Alt. False
 * where a sequence began.
 */
static bool take_alt(struct input *in, struct input_event *event)
{
    wint_t c;
    int kind = read_key(in, &c);
    if (kind == ERR)
        return true;
    if (kind == OK && sequence_begin(&in->sequence, (uint32_t)c)) {
        in->sequence_at = monotonic_ms();
        return false;
    }
    if (kind == OK && c != KEY_ESCAPE && c != 0)
        event->key = (uint32_t)c | KEY_ALT;
    else if (kind == OK)
        in->held = (uint32_t)c;
    else
        in->held = from_curses(c);
    return true;
}

bool input_next(struct input *in, struct input_event *event)
{
    wint_t c;
    if (in->script)
        return script_next(in, event);
    *event = (struct input_event){0};
    if (in->held != KEY_NONE) {
        event->key = in->held;
        in->held = KEY_NONE;
        return true;
    }
    if (in->sequence.state != SEQUENCE_NONE && monotonic_ms() - in->sequence_at > SEQUENCE_PATIENCE)
        in->sequence.state = SEQUENCE_NONE;
    for (;;) {
        int kind = read_key(in, &c);
        if (kind == ERR)
            return false;
        if (!take_code(in, kind, c, event) || !take_character(in, event))
            continue;
        if (event->key == KEY_ESCAPE && !take_alt(in, event))
            continue;
        return true;
    }
}

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
