/* What terminals differ in: their description, links, the clipboard and notifications. */
#include "tui/term/screen.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/base/digest.h"
#include "store/platform/platform.h"
#include "tui/term/signals.h"
#include "tui/text/text.h"

/* tmux shows links from 3.4 on, and drops them itself if the terminal around it cannot; earlier ones tell nothing. */
static bool tmux_knows_links(void)
{
    const char *program = getenv("TERM_PROGRAM"), *version = getenv("TERM_PROGRAM_VERSION");
    int major = 0, minor = 0;
    if (!program || strcmp(program, "tmux") != 0 || !version)
        return false;
    version += strcspn(version, "0123456789"); /* "next-3.6" */
    return sscanf(version, "%d.%d", &major, &minor) == 2 &&
           (major > 3 || (major == 3 && minor >= 4));
}

bool screen_knows_links(void)
{
    /* A variable, and its least number or one of its words; NULL: that it is set is enough. */
    static const struct {
        const char *name, *words;
        long least;
    } signs[] = {
        {"VTE_VERSION", NULL, 5000},
        {"KONSOLE_VERSION", NULL, 201200},
        {"KITTY_WINDOW_ID", NULL, 0},
        {"ALACRITTY_WINDOW_ID", NULL, 0},
        {"WT_SESSION", NULL, 0},
        {"DOMTERM", NULL, 0},
        {"TERM_PROGRAM", " iTerm.app WezTerm vscode ghostty rio contour mintty Hyper Tabby ", 0},
        {"TERM", " xterm-kitty xterm-ghostty alacritty foot foot-extra wezterm contour rio mintty ",
         0},
    };
    const char *term = getenv("TERM");
    term = term ? term : "";
    if (getenv("TMUX") || !strncmp(term, "tmux", 4))
        return tmux_knows_links();
    if (getenv("STY") || getenv("ZELLIJ") || !strncmp(term, "screen", 6))
        return false;
    for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
        const char *value = getenv(signs[i].name);
        AUTO_STRBUF word = STRBUF_INIT;
        if (!value || !*value)
            continue;
        strbuf_addf(&word, " %s ", value);
        if (signs[i].words ? strstr(signs[i].words, word.buf) != NULL
                           : !signs[i].least || strtol(value, NULL, 10) >= signs[i].least)
            return true;
    }
    return false;
}

/* ---- the description of a terminal ---- */

#define ENTRY_MAX 32768 /* ncurses' own bound on a description */

/* The compiled form of a terminal's description, term(5): six short numbers, then names, flags, numbers, offsets of
 * strings, strings, and what is not standard. */
enum {
    HEADER_MAGIC = 0,
    HEADER_NAMES,
    HEADER_FLAGS,
    HEADER_NUMBERS,
    HEADER_STRINGS,
    HEADER_TABLE,
    HEADER_SIZE = 12
};
#define MAGIC_16 0x011a
#define MAGIC_32 0x021e

/* Indexes fixed by term(5). Terminals and recorders often lack parm_index, parm_rindex and repeat_char although their
 * terminfo entry claims them. */
static const unsigned unwanted[] = {109, 113, 121};
/* The change to a line-drawing character set, which is never used: signs are UTF-8, or ASCII. Curses resets it with
 * each change of attributes, so these begin after it. */
static const unsigned lines[] = {25, 38}; /* enter_, exit_alt_charset_mode */
static const struct {
    unsigned index;
    const char *begin;
} shorter[] = {{39, "\033(B"},
               {131, "%?%p9%t\033(0%e\033(B%;"}}; /* exit_attribute_mode, set_attributes */
#define NUMBER_COLOURS    13
#define STRING_FOREGROUND 359
#define STRING_BACKGROUND 360

static unsigned read_short(const unsigned char *bytes, unsigned index)
{
    return bytes[2 * index] | (unsigned)bytes[2 * index + 1] << 8;
}

static size_t read_entry(const char *directory, const char *term, unsigned char *bytes)
{
    char path[4096];
    size_t len = 0;
    for (int hex = 0; hex < 2 && len == 0; hex++) {
        const char *format = hex ? "%s/%02x/%s" : "%s/%c/%s";
        snprintf(path, sizeof(path), format, directory, (unsigned char)*term, term);
        FILE *f = fopen(path, "r");
        if (!f)
            continue;
        len = fread(bytes, 1, ENTRY_MAX, f);
        fclose(f);
    }
    return len;
}

static size_t find_entry(const char *term, unsigned char *bytes)
{
    static const char *const directories[] = {"/etc/terminfo", "/lib/terminfo",
                                              "/usr/share/terminfo", "/usr/lib/terminfo"};
    char own[4096];
    const char *home = getenv("HOME");
    snprintf(own, sizeof(own), "%s/.terminfo", home ? home : "");
    size_t len = home ? read_entry(own, term, bytes) : 0;
    for (size_t i = 0; i < 4 && len == 0; i++)
        len = read_entry(directories[i], term, bytes);
    return len;
}

static void add_number(struct strbuf *out, unsigned number, size_t bytes)
{
    for (; bytes-- > 0; number >>= 8)
        strbuf_addch(out, (char)(number & 255));
}

/* Sets a colour: sixteen and 256 as everywhere, and a number above as 0xrrggbb. */
#define SET_COLOUR(eight, bright)                                                                  \
    "\033[%?%p1%{8}%<%t" eight "%p1%d%e%p1%{16}%<%t" bright "%p1%{8}%-%d%e" eight                  \
    "8;%p1%{256}%<%t5;%p1%d%e2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m"

/*
 * Appends the description without the unwanted strings; with `direct`, if it has 256 colours, with the 24 bits of a
 * colour and the flag RGB, which tells curses so. Returns false if `in` is not a description.
 */
static bool make_entry(const unsigned char *in, size_t len, bool direct, struct strbuf *out)
{
    static const char sets[2][256] = {SET_COLOUR("3", "9"), SET_COLOUR("4", "10")};
    static const char extended[] =
        "\1\0\0\0\0\0\1\0\4\0\1\0\0\0RGB"; /* one flag, on, and its name */
    if (len < HEADER_SIZE || len == ENTRY_MAX)
        return false;
    unsigned magic = read_short(in, HEADER_MAGIC), numbers = read_short(in, HEADER_NUMBERS);
    unsigned strings = read_short(in, HEADER_STRINGS), table = read_short(in, HEADER_TABLE);
    size_t width = magic == MAGIC_32 ? 4 : 2;
    size_t at = HEADER_SIZE + read_short(in, HEADER_NAMES) + read_short(in, HEADER_FLAGS);
    at += at % 2; /* numbers begin on an even byte */
    size_t offsets = at + width * numbers, end = offsets + 2 * strings + table;
    if ((magic != MAGIC_16 && magic != MAGIC_32) || end > len)
        return false;
    direct = direct && numbers > NUMBER_COLOURS && strings > STRING_BACKGROUND &&
             read_short(in + at + width * NUMBER_COLOURS, 0) % 256 == 0;
    size_t added = direct ? strlen(sets[0]) + strlen(sets[1]) + 2 : 0;
    add_number(out, direct ? MAGIC_32 : magic, 2);
    strbuf_add(out, (const char *)in + 2, HEADER_TABLE * 2 - 2);
    add_number(out, table + (unsigned)added, 2);
    strbuf_add(out, (const char *)in + HEADER_SIZE, at - HEADER_SIZE);
    for (unsigned i = 0; i < numbers; i++) {
        unsigned low = read_short(in + at + width * i, 0);
        unsigned high = width == 4 ? read_short(in + at + width * i, 1) : low >> 15 ? 0xffff : 0;
        unsigned number = direct && i == NUMBER_COLOURS ? DIRECT_COLOURS : high << 16 | low;
        add_number(out, number, direct ? 4 : width);
    }
    for (unsigned i = 0; i < strings; i++) {
        unsigned offset = read_short(in + offsets, i);
        for (size_t j = 0; j < sizeof(unwanted) / sizeof(unwanted[0]); j++)
            offset = i == unwanted[j] ? 0xffff : offset;
        for (size_t j = 0; j < 2; j++) {
            offset = i == lines[j] ? 0xffff : offset;
            size_t cut = strlen(shorter[j].begin);
            if (i == shorter[j].index && offset + cut < table &&
                !memcmp(in + end - table + offset, shorter[j].begin, cut))
                offset += (unsigned)cut;
        }
        if (direct && i >= STRING_FOREGROUND && i <= STRING_BACKGROUND)
            offset = table + (i == STRING_BACKGROUND ? (unsigned)strlen(sets[0]) + 1 : 0);
        add_number(out, offset, 2);
    }
    strbuf_add(out, (const char *)in + end - table, direct ? table : len - end + table);
    for (size_t i = 0; i < 2 && direct; i++)
        strbuf_add(out, sets[i], strlen(sets[i]) + 1);
    if (direct && out->len % 2)
        strbuf_addch(out, '\0');
    if (direct)
        strbuf_add(out, extended, sizeof(extended));
    return true;
}

/*
 * Sets TERMINFO to the description of `term` as make_entry makes it, for the newterm that follows. (ncurses accepts a
 * whole description in that variable.) Terminals with true colour say so in COLORTERM. Returns false, and changes
 * nothing, if there is no description or the person has set TERMINFO.
 */
bool terminfo_plain(const char *term)
{
    unsigned char bytes[ENTRY_MAX];
    AUTO_STRBUF entry = STRBUF_INIT, text = STRBUF_INIT;
    const char *colour = getenv("COLORTERM");
    bool direct = colour && (!strcmp(colour, "truecolor") || !strcmp(colour, "24bit"));
    if (!term || !*term || strchr(term, '/') || getenv("TERMINFO") || getenv("TERMINFO_DIRS"))
        return false;
    size_t len = find_entry(term, bytes);
    if (!make_entry(bytes, len, direct && NCURSES_EXT_COLORS, &entry))
        return false;
    strbuf_addstr(&text, "hex:");
    for (size_t i = 0; i < entry.len; i++)
        strbuf_addf(&text, "%02X", (unsigned char)entry.buf[i]);
    return setenv("TERMINFO", text.buf, 1) == 0;
}

/* ---- clipboard and notifications ---- */

/* Writes bytes to the terminal between two frames. */
static void screen_send(struct screen *s, const char *bytes, size_t len)
{
    if (s->fd >= 0)
        restore_write(s->fd, bytes, len);
}

void clipboard_sequence(struct strbuf *out, const char *bytes, size_t len, int tmux)
{
    /* tmux stores it in its own buffer and passes it to the terminal that it runs in. */
    strbuf_addstr(out, "\033]52;c;");
    base64_add(out, bytes, len);
    strbuf_addstr(out, "\a");
    if (!tmux)
        return;
    strbuf_addstr(out, "\033Ptmux;\033\033]52;c;");
    base64_add(out, bytes, len);
    strbuf_addstr(out, "\a\033\\");
}

/* The program that sets the clipboard of the local display, or NULL. */
static const char *find_program(void)
{
    if (getenv("SSH_CONNECTION") || getenv("SSH_TTY"))
        return NULL;
    return getenv("WAYLAND_DISPLAY") ? "wl-copy"
           : getenv("DISPLAY")       ? "xclip -selection clipboard"
                                     : "pbcopy";
}

/* The alarm survives exec, but not fork: the process that xclip leaves running to serve the clipboard has none. */
static void exec_command(const char *command, int input)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGALRM, SIG_DFL);
    alarm(1);
    dup2(input, STDIN_FILENO);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

/* Returns false if the program does not exist or fails. An alarm ends it if it hangs, since macOS has no timeout(1). */
static bool run_program(const char *program, const char *bytes, size_t len)
{
    char command[100];
    int ends[2], status = -1;
    snprintf(command, sizeof(command), "exec %s >/dev/null 2>&1", program);
    if (platform_pipe(ends, false))
        return false;
    pid_t pid = fork();
    if (pid == 0)
        exec_command(command, ends[0]);
    close(ends[0]);
    FILE *to = fdopen(ends[1], "w");
    bool fed = to && pid > 0 && fwrite(bytes, 1, len, to) == len;
    fed = to && fclose(to) == 0 && fed;
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return fed && status == 0;
}

const char *clipboard_set(struct screen *s, bool programs, const char *bytes, size_t len)
{
    static char by[64];
    AUTO_STRBUF sequence = STRBUF_INIT;
    const char *program = programs && s->fd >= 0 ? find_program() : NULL;
    if (program && run_program(program, bytes, len)) {
        snprintf(by, sizeof(by), "by %.*s", (int)strcspn(program, " "), program);
        return by;
    }
    if (len > CLIPBOARD_MAX)
        return NULL;
    clipboard_sequence(&sequence, bytes, len, getenv("TMUX") != NULL);
    screen_send(s, sequence.buf, sequence.len);
    return getenv("TMUX") ? "through tmux and the terminal" : "through the terminal";
}

void screen_notify(struct screen *s, const char *text)
{
    AUTO_STRBUF out = STRBUF_INIT;
    strbuf_addstr(&out, "\a\033]9;stemma: ");
    text_fit(&out, text, strlen(text), 200, TEXT_ASCII | TEXT_EXACT);
    strbuf_addch(&out, '\a');
    screen_send(s, out.buf, out.len);
}
