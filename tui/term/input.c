#include "tui/term/input.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include "model/base/alloc.h"
#include "model/base/utf8.h"
#include "store/db/thread.h"

#define PASTE_MAX (1024 * 1024)
/* A sequence whose next character does not come within this many ms is given up. */
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
        sscanf(copy, "drag:%4d,%4d", &event->x, &event->y) == 2 ||
        sscanf(copy, "wheelup:%4d,%4d", &event->x, &event->y) == 2 ||
        sscanf(copy, "wheeldown:%4d,%4d", &event->x, &event->y) == 2) {
        event->x--;
        event->y--;
        if (copy[0] == 'w')
            event->button = copy[5] == 'u' ? 4 : 5;
        else if (copy[0] == 'd')
            event->button = 2;
    } else {
        event->key = KEY_NONE;
    }
}

/* U+2400 to U+2421 are pictures of the control characters. */
#define PICTURES 0x2400

static uint32_t pictured(uint32_t c)
{
    return c < 0x20 ? PICTURES + c : c == KEY_RUBOUT ? PICTURES + 0x21 : c;
}

static void paste_take(struct input *in, const char *text, size_t len)
{
    in->paste = xrealloc(in->paste, len + 1);
    in->paste_alloc = len + 1;
    in->paste_len = 0;
    for (size_t at = 0; at < len;) {
        uint32_t c;
        bool quoted = text[at] == '\\' && at + 1 < len;
        at += quoted;
        int n = utf8_decode(text + at, len - at, &c);
        if (!quoted && n > 0 && c > PICTURES && c <= PICTURES + 0x21) {
            in->paste[in->paste_len++] = c == PICTURES + 0x21 ? 0x7f : (char)(c - PICTURES);
        } else {
            n = n > 0 ? n : 1;
            memcpy(in->paste + in->paste_len, text + at, (size_t)n);
            in->paste_len += (size_t)n;
        }
        at += n > 0 ? (size_t)n : 1;
    }
    in->paste[in->paste_len] = '\0';
}

/* The `>` that closes the name after a `<`; NULL if none does. */
static const char *script_close(const char *text)
{
    if (strncmp(text, "<paste:", 7) != 0)
        return strchr(text, '>');
    for (text += 7; *text && *text != '>'; text++)
        text += *text == '\\' && text[1];
    return *text ? text : NULL;
}

/* `text` is a name without its brackets: a key, "size:COLUMNSxROWS" or "shot:NAME". */
static void script_named(struct input *in, const char *text, size_t len, struct input_event *event)
{
    if (len > 5 && !memcmp(text, "size:", 5)) {
        script_resize(text, len, event);
    } else if (len > 6 && (!memcmp(text, "click:", 6) || !memcmp(text, "drag:", 5) ||
                           !memcmp(text, "wheel", 5))) {
        script_pointer(text, len, event);
    } else if (len > 5 && !memcmp(text, "shot:", 5)) {
        snprintf(in->shot, sizeof(in->shot), "%.*s", (int)(len - 5), text + 5);
        event->key = KEY_SHOT;
        event->name = in->shot;
    } else if (len > 5 && !memcmp(text, "wait:", 5)) {
        event->key = KEY_WAIT;
        event->x = (int)strtol(text + 5, NULL, 10);
    } else if (len >= 6 && !memcmp(text, "paste:", 6)) {
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
    const char *close = *in->script == '<' ? script_close(in->script) : NULL;
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

void input_add_script(struct strbuf *out, const struct input_event *event, const char *text)
{
    char name[16], bytes[5];
    if (event->key == KEY_POINTER)
        strbuf_addf(out, "<%s:%d,%d>",
                    event->button == 4   ? "wheelup"
                    : event->button == 5 ? "wheeldown"
                                         : "click",
                    event->x + 1, event->y + 1);
    else if (event->key == KEY_RESIZED)
        strbuf_addf(out, "<size:%dx%d>", event->x, event->y);
    else if (event->key == KEY_WAIT)
        strbuf_addf(out, "<wait:%d>", event->x);
    else if (event->key == KEY_PASTED) {
        strbuf_addstr(out, "<paste:");
        for (uint32_t c; *text;) {
            int n = utf8_decode(text, strlen(text), &c);
            if (n > 0 && (c == '>' || c == '\\' || (c >= PICTURES && c <= PICTURES + 0x21)))
                strbuf_addch(out, '\\');
            if (n > 0)
                strbuf_add(out, bytes, (size_t)utf8_encode(pictured(c), bytes));
            text += n > 0 ? n : 1;
        }
        strbuf_addch(out, '>');
    } else if (event->key >= ' ' && event->key < KEY_RUBOUT && event->key != '<') {
        strbuf_addch(out, (char)event->key);
    } else if (event->key == '<') {
        strbuf_addstr(out, "<lt>");
    } else if (event->key != KEY_NONE && event->key != KEY_UNKNOWN && event->key != KEY_SHOT) {
        key_text(event->key, name, sizeof(name));
        bool plain = event->key >= 0x80 && event->key < KEY_NAMED && !strchr(name, ' ');
        strbuf_addf(out, plain ? "%s" : "<%s>", name);
    }
}

int input_check_script(const char *script, struct error *e)
{
    struct input in = {.script = script};
    struct input_event event;
    int failed = 0;
    while (!failed && *in.script) {
        const char *from = in.script;
        if (input_ahead(&in))
            continue;
        script_next(&in, &event);
        if (*from == '<' && in.script == from + 1)
            failed = error_set(e, ERROR_INVALID, "Write <lt> for the key `<`.",
                               "`%.40s` has no `>` at its end", from);
        else if (*from == '<' && event.key == KEY_NONE)
            failed = error_set(e, ERROR_INVALID,
                               "Write keys as in j, <C-d>, <Enter>, <PgDn>, <click:3,4>.",
                               "there is no key `%.*s`", (int)(in.script - from), from);
    }
    input_release(&in);
    return failed;
}

bool input_ahead(struct input *in)
{
    static const char ahead[] = "<ahead>";
    if (!in->script || strncmp(in->script, ahead, sizeof(ahead) - 1) != 0)
        return false;
    in->script += sizeof(ahead) - 1;
    return true;
}

/* ---- a terminal ---- */

static void paste_add(struct input *in, uint32_t c)
{
    char bytes[4];
    size_t len = (size_t)utf8_encode(c == '\r' ? '\n' : c, bytes);
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

/* Handles a finished sequence. Returns true if it gives an event. Within a paste only the end marker counts. */
static bool take_sequence(struct input *in, struct input_event *event)
{
    bool pasting = in->pasting;
    if (event->key == KEY_PASTING) {
        in->pasting = true;
        in->paste_len = 0;
    } else if (event->key == KEY_PASTED) {
        in->pasting = false;
        return pasting && in->paste_len > 0;
    }
    if (pasting || event->key == KEY_PASTING)
        return false;
    if (event->key == KEY_BACKGROUND) {
        screen_take_background(in->screen, in->sequence.bytes);
        return false;
    }
    return event->key != KEY_NONE && (event->key != KEY_POINTER || in->screen->mouse);
}

static bool read_key(struct input *in, uint32_t *c)
{
    wint_t code;
    int kind = wget_wch(in->screen->keys, &code);
    *c = kind == OK ? (uint32_t)code : 0;
    if (kind != ERR)
        in->empty_reads = 0;
    return kind != ERR;
}

/* Reads the character directly after an Esc. Over a network it may arrive in another packet, so wait escape_delay. */
static bool read_after_escape(struct input *in, uint32_t *c)
{
    struct pollfd ready = {.fd = in->screen->fd, .events = POLLIN};
    return read_key(in, c) || (poll(&ready, 1, in->screen->escape_delay) > 0 && read_key(in, c));
}

/* An Esc followed directly by a character begins a sequence, or is that character with Alt. Returns false if there is
 * no key yet. */
static bool take_escape(struct input *in, struct input_event *event)
{
    uint32_t c;
    event->key = KEY_ESCAPE;
    if (!read_after_escape(in, &c))
        return !in->pasting;
    if ((!in->pasting || c == '[') && sequence_begin(&in->sequence, c)) {
        in->sequence_at = monotonic_ms();
        return false;
    }
    if (c == KEY_ESCAPE || c == 0)
        in->unread = c;
    else if (in->pasting)
        paste_add(in, c);
    else
        event->key = c | KEY_ALT;
    return !in->pasting;
}

/* A character belongs to the incomplete sequence, to a paste, or is a key. Returns false if there is no key yet. */
static bool take_character(struct input *in, uint32_t c, struct input_event *event)
{
    struct sequence *s = &in->sequence;
    bool text = s->state == SEQUENCE_STRING_ST;
    if (s->state != SEQUENCE_NONE) {
        in->sequence_at = monotonic_ms();
        enum sequence_step step = sequence_take(s, c, event);
        if (step != SEQUENCE_BROKEN)
            return step == SEQUENCE_DONE && take_sequence(in, event);
        /* The Esc did not end the text: it begins the next sequence. */
        if (text && sequence_begin(s, c))
            return false;
    }
    if (c == KEY_ESCAPE)
        return take_escape(in, event);
    if (in->pasting)
        paste_add(in, c);
    event->key = c == '\n' ? KEY_RETURN : c == '\b' ? KEY_RUBOUT : text ? c | KEY_ALT : c;
    return c != 0 && !in->pasting;
}

bool input_next(struct input *in, struct input_event *event)
{
    uint32_t c = in->unread;
    if (in->script)
        return script_next(in, event);
    if (in->sequence.state != SEQUENCE_NONE && monotonic_ms() - in->sequence_at > SEQUENCE_PATIENCE)
        in->sequence.state = SEQUENCE_NONE;
    in->unread = KEY_NONE;
    do {
        *event = (struct input_event){0};
        if (c == 0 && !read_key(in, &c))
            return false;
        bool key = take_character(in, c, event);
        c = in->unread;
        in->unread = KEY_NONE;
        if (key) {
            in->unread = c;
            return true;
        }
    } while (true);
}

#define LENGTH_MAX 65536 /* a longer sequence is broken */

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

/* Arrows, Home, End and F1-F4 have the same final letter in CSI and SS3 sequences. */
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
        {1, KEY_FIRST},     {2, KEY_INSERT},    {3, KEY_DELETE},    {4, KEY_LAST},
        {5, KEY_PAGE_UP},   {6, KEY_PAGE_DOWN}, {7, KEY_FIRST},     {8, KEY_LAST},
        {11, KEY_F_1},      {12, KEY_F_1 + 1},  {13, KEY_F_1 + 2},  {14, KEY_F_1 + 3},
        {15, KEY_F_1 + 4},  {17, KEY_F_1 + 5},  {18, KEY_F_1 + 6},  {19, KEY_F_1 + 7},
        {20, KEY_F_1 + 8},  {21, KEY_F_1 + 9},  {23, KEY_F_1 + 10}, {24, KEY_F_1 + 11},
        {200, KEY_PASTING}, {201, KEY_PASTED},
    };
    for (size_t i = 0; i < sizeof(map) / sizeof(map[0]); i++)
        if (map[i].number == number)
            return map[i].key;
    return KEY_UNKNOWN;
}

/* `button` is encoded as in mouse reports: two bits of number, 32 for a movement, 64 for the wheel. */
static void take_pointer(struct input_event *event, int button, int x, int y)
{
    bool wheel = button & 64, first = !(button & ~(4 | 8 | 16 | 32));
    event->key = wheel || first ? KEY_POINTER : KEY_NONE;
    event->button = wheel ? (button & 1 ? 5 : 4) : button & 32 ? 2 : 1;
    event->x = x - 1;
    event->y = y - 1;
}

static void csi_over(const struct sequence *s, char final, struct input_event *event)
{
    int button, x, y;
    if (s->count > sizeof(s->bytes))
        return;
    if (s->bytes[0] == '[') /* Linux console: Esc [ [ A is F1 */
        event->key = final >= 'A' && final <= 'E' ? KEY_F_1 + (uint32_t)(final - 'A') : KEY_UNKNOWN;
    else if (final == 'M' && sscanf(s->bytes, "<%6d;%6d;%6d", &button, &x, &y) == 3)
        take_pointer(event, button, x, y);
    else if (strspn(s->bytes, "0123456789;:") != strlen(s->bytes) || final == 'R')
        return; /* answers of the terminal: its type, the cursor position */
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
        return SEQUENCE_INCOMPLETE;
    }
    if (c < 0x20 || c > 0x7e)
        return SEQUENCE_BROKEN;
    if (c < 0x40 || (c == '[' && s->count == 1)) {
        if (s->count < sizeof(s->bytes))
            s->bytes[s->count - 1] = (char)c;
        return SEQUENCE_INCOMPLETE;
    }
    csi_over(s, (char)c, event);
    return SEQUENCE_DONE;
}

static enum sequence_step take_ss3(uint32_t c, struct input_event *event)
{
    if (c < 0x20 || c > 0x7e)
        return SEQUENCE_BROKEN;
    if (c < 0x40) /* the number of a modifier */
        return SEQUENCE_INCOMPLETE;
    event->key = c == 'M' ? (uint32_t)KEY_RETURN : lettered_key((char)c);
    return SEQUENCE_DONE;
}

static enum sequence_step take_string(struct sequence *s, uint32_t c, struct input_event *event)
{
    enum sequence_step step = SEQUENCE_INCOMPLETE;
    if (s->state == SEQUENCE_STRING_ST)
        step = c == '\\' ? SEQUENCE_DONE : SEQUENCE_BROKEN;
    else if (c == KEY_ESCAPE)
        s->state = SEQUENCE_STRING_ST;
    else if (c == '\a' || c == 0x18 || c == 0x1a || c == 0x9c)
        step = SEQUENCE_DONE;
    else if (s->count < sizeof(s->bytes))
        s->bytes[s->count - 1] = (char)(c < 0x80 ? c : '?');
    if (step == SEQUENCE_DONE && !strncmp(s->bytes, "11;rgb", 6))
        event->key = KEY_BACKGROUND;
    return step;
}

static enum sequence_step take_x10(struct sequence *s, uint32_t c, struct input_event *event)
{
    s->bytes[s->count - 1] = (char)(c < 0x100 ? c : 0xff);
    if (s->count < 3)
        return SEQUENCE_INCOMPLETE;
    int button = (unsigned char)s->bytes[0] - 32;
    take_pointer(event, button, (unsigned char)s->bytes[1] - 32, (unsigned char)s->bytes[2] - 32);
    return SEQUENCE_DONE;
}

enum sequence_step sequence_take(struct sequence *s, uint32_t c, struct input_event *event)
{
    enum sequence_step step = SEQUENCE_DONE;
    event->key = KEY_NONE;
    if (++s->count > LENGTH_MAX)
        step = SEQUENCE_DONE;
    else if (s->state == SEQUENCE_CSI)
        step = take_csi(s, c, event);
    else if (s->state == SEQUENCE_SS3)
        step = take_ss3(c, event);
    else if (s->state == SEQUENCE_X10)
        step = take_x10(s, c, event);
    else if (s->state != SEQUENCE_NONE)
        step = take_string(s, c, event);
    if (step != SEQUENCE_INCOMPLETE)
        s->state = SEQUENCE_NONE;
    return step;
}
