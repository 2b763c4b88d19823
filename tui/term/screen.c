#include "tui/term/screen.h"

#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/config/config.h"
#include "tui/term/signals.h"
#include "tui/text/output.h"

#define ROWS_MOST   1024
#define COLUMNS_MAX 4096
#define SYNC_BEGIN  "\033[?2026h"
#define SYNC_END    "\033[?2026l"
#define PASTE_ON    "\033[?2004h"
#define PASTE_OFF   "\033[?2004l"
/* Report button presses, in the SGR form, which has no limit of columns. input.c reads both forms. */
#define MOUSE_ON  "\033[?1002h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1002l"
/* Asks for the background colour. Nobody waits for the answer: it comes as input, or never. */
#define ASK_BACKGROUND "\033]11;?\a"

/* wcwidth needs a UTF-8 locale, whatever the locale of the person is. */
static bool choose_locale(void)
{
    if (setlocale(LC_CTYPE, "") && !strcmp(nl_langinfo(CODESET), "UTF-8"))
        return true;
    return setlocale(LC_CTYPE, "C.UTF-8") || setlocale(LC_CTYPE, "en_US.UTF-8");
}

static int open_headless(struct screen *s, struct error *e)
{
    s->fd = -1;
    s->null_file = fopen("/dev/null", "r+");
    s->curses = s->null_file ? newterm("xterm-256color", s->null_file, s->null_file) : NULL;
    if (!s->curses)
        return error_set(e, ERROR_STORE, "Install ncurses' terminfo.",
                         "curses knows no terminal called xterm-256color");
    resizeterm(s->rows, s->columns);
    return 0;
}

/*
 * While the process is in the background, stop it, so that it does not disturb the program that has the terminal.
 * Returns false if a signal asks the process to end.
 */
static bool wait_for_terminal(void)
{
    while (restore_in_background() && !signals_end())
        if (!suspend_now(SIGTTOU) && !signals_end())
            return true; /* an orphaned process group cannot be stopped; its terminal calls fail instead */
    return !restore_in_background();
}

static int open_terminal(struct screen *s, struct error *e)
{
    const char *term = getenv("TERM");
    s->fd = STDOUT_FILENO;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return error_set(e, ERROR_STORE,
                         "`stemma list all` and `stemma graph REF` print what it shows.",
                         "the explorer needs a terminal");
    if (restore_remember(s->fd))
        return error_set(e, ERROR_STORE, "", "cannot read the terminal's modes");
    if (!wait_for_terminal())
        return error_set(e, ERROR_STORE, "", "it was ended before it started");
    restore_remember(s->fd); /* the modes may have changed since the start */
    use_tioctl(TRUE);
    bool plain = terminfo_plain(term);
    s->curses = newterm(NULL, stdout, stdin);
    if (plain)
        unsetenv("TERMINFO");
    if (plain && !s->curses)
        s->curses = newterm(NULL, stdout, stdin);
    if (!s->curses && (!term || !*term))
        return error_set(e, ERROR_STORE, "Set it to the type of your terminal.", "TERM is not set");
    if (!s->curses)
        return error_set(e, ERROR_STORE, "Set TERM to the type of your terminal.",
                         "curses knows no terminal called `%s`", term ? term : "");
    if (!restore_arm()) {
        endwin();
        return error_set(e, ERROR_STORE,
                         "`stemma list all` and `stemma graph REF` print what it shows.",
                         "the terminal `%s` cannot move its cursor", term ? term : "");
    }
    return 0;
}

static void set_modes(struct screen *s, int escape_delay)
{
    cbreak();
    noecho();
    nonl();
    intrflush(stdscr, FALSE);
    typeahead(-1);
    s->escape_delay = escape_delay;
    leaveok(stdscr, FALSE);
    scrollok(stdscr, FALSE);
    nodelay(s->keys, TRUE);
}

/* A terminal may report any size. The part beyond ROWS_MOST and COLUMNS_MAX stays empty. */
static void make_halves(struct screen *s)
{
    s->rows = s->rows < ROWS_MOST ? s->rows : ROWS_MOST;
    s->columns = s->columns < COLUMNS_MAX ? s->columns : COLUMNS_MAX;
    size_t cells = (size_t)s->rows * (size_t)s->columns;
    free(s->half);
    free(s->link);
    free(s->row_sum);
    free(s->had_row);
    s->half = xcalloc(cells, 1);
    s->link = xcalloc(cells, sizeof(*s->link));
    s->row_sum = xcalloc((size_t)s->rows, sizeof(*s->row_sum));
    s->had_row = xcalloc((size_t)s->rows, sizeof(*s->had_row));
    if (s->speaks)
        speech_begin(s);
}

/* rxvt, Konsole and others set COLORFGBG, "0;15" or "0;default;15", to the colours of text and background. */
static bool light_by_environment(void)
{
    const char *colours = getenv("COLORFGBG"), *last = colours ? strrchr(colours, ';') : NULL;
    long ground = last && last[1] ? strtol(last + 1, NULL, 10) : 0;
    return ground == 7 || (ground > 8 && ground < 16);
}

int screen_open(struct screen *s, const struct screen_options *options, struct error *e)
{
    *s = (struct screen){.fd = -1, .rows = options->rows, .columns = options->columns};
    screen_set_ascii(s, options->ascii);
    screen_set_links(s, options->links);
    s->speaks = options->speaks;
    style_speak(s->speaks);
    if (options->headless ? open_headless(s, e) : open_terminal(s, e)) {
        screen_close(s);
        return -1;
    }
    s->keys = newpad(1, 1);
    if (!s->keys)
        alloc_fail();
    set_modes(s, options->escape_delay);
    s->colours = !options->no_colour && has_colors();
    if (s->colours) {
        start_color();
        use_default_colors();
    }
    /* Without this ncurses flushes at every cursor movement. */
    def_prog_mode();
    endwin();
    refresh();
    getmaxyx(stdscr, s->rows, s->columns);
    make_halves(s);
    s->light = light_by_environment();
    if (screen_set_theme(s, s->colours ? options->theme : "mono", e)) {
        screen_close(s);
        return -1;
    }
    if (s->fd >= 0 && !strcmp(s->chosen, "auto"))
        restore_write(s->fd, ASK_BACKGROUND, sizeof(ASK_BACKGROUND) - 1);
    screen_set_mouse(s, options->mouse);
    if (s->fd >= 0)
        restore_write(s->fd, PASTE_ON, sizeof(PASTE_ON) - 1);
    return 0;
}

static void forget_links(struct screen *s)
{
    for (size_t i = 0; i < s->targets; i++)
        strbuf_release(&s->target[i]);
    s->targets = 0;
}

void screen_close(struct screen *s)
{
    if (s->curses) {
        screen_leave(s);
        if (s->keys)
            delwin(s->keys);
        delscreen(s->curses);
    }
    if (s->null_file)
        fclose(s->null_file);
    forget_links(s);
    free(s->target);
    free(s->half);
    speech_release(s);
    free(s->link);
    free(s->row_sum);
    free(s->had_row);
    free(s->chosen);
    *s = (struct screen){.fd = -1};
}

static int show_theme(struct screen *s, const char *name, struct error *e)
{
    struct theme theme;
    if (theme_load(&theme, s->light && !strcmp(name, "auto") ? "light" : name, e))
        return -1;
    s->theme = theme;
    screen_set_store(s, s->store_colour);
    s->pairs = 0; /* the next frame makes those of this theme */
    return 0;
}

int screen_set_theme(struct screen *s, const char *name, struct error *e)
{
    if (show_theme(s, name, e))
        return -1;
    char *chosen = xstrdup(name);
    free(s->chosen);
    s->chosen = chosen;
    return 0;
}

void screen_try_theme(struct screen *s, const char *name)
{
    struct error e;
    if (name || s->tried)
        show_theme(s, name ? name : s->chosen, &e);
    s->tried = name != NULL;
}

void screen_take_background(struct screen *s, const char *answer)
{
    static const double weight[3] = {0.299, 0.587, 0.114}; /* luma, ITU-R BT.601 */
    const char *at = strstr(answer, "rgb");
    double light = 0;
    at = at ? at + strcspn(at, ":") : NULL;
    for (int i = 0; i < 3 && at; i++) { /* each has one to four digits */
        char *end;
        unsigned long value = *at ? strtoul(at + 1, &end, 16) : 0;
        int digits = *at ? (int)(end - at) - 1 : 0;
        if (digits < 1 || digits > 4)
            return;
        light += weight[i] * (double)value / (double)((1 << 4 * digits) - 1);
        at = end;
    }
    if (!at)
        return;
    s->light = light > 0.5;
    struct error e;
    if (!s->tried && !strcmp(s->chosen, "auto"))
        show_theme(s, "auto", &e);
}

void screen_set_mouse(struct screen *s, bool on)
{
    if (s->fd >= 0 && on)
        restore_write(s->fd, MOUSE_ON, sizeof(MOUSE_ON) - 1);
    else if (s->fd >= 0 && s->mouse)
        restore_write(s->fd, MOUSE_OFF, sizeof(MOUSE_OFF) - 1);
    s->mouse = on;
}

void screen_set_ascii(struct screen *s, int mode)
{
    s->utf8 = choose_locale() && !output_wants_ascii(mode);
}

void screen_set_links(struct screen *s, int mode)
{
    s->links = mode == LINKS_YES || (mode == LINKS_AUTO && screen_knows_links());
}

void screen_set_store(struct screen *s, int colour)
{
    s->store_colour = colour;
    if (colour)
        s->theme.look[STYLE_STORE].fg = colour;
}

void screen_resize(struct screen *s, int rows, int columns)
{
    s->rows = rows < 1 ? 1 : rows;
    s->columns = columns < 1 ? 1 : columns;
    make_halves(s);
    resizeterm(s->rows, s->columns);
    clearok(curscr, TRUE);
}

bool screen_measure(struct screen *s)
{
    struct winsize size;
    if (s->fd < 0 || ioctl(s->fd, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col ||
        (size.ws_row == s->rows && size.ws_col == s->columns))
        return false;
    screen_resize(s, size.ws_row, size.ws_col);
    return true;
}

void screen_leave(struct screen *s)
{
    if (s->fd < 0 || !restore_is_armed())
        return;
    if (restore_in_background()) { /* it was stopped while it drew */
        restore_now();
        return;
    }
    bool mouse = s->mouse;
    screen_set_mouse(s, false);
    s->mouse = mouse;
    restore_write(s->fd, PASTE_OFF, sizeof(PASTE_OFF) - 1);
    endwin();
    restore_disarm();
}

static void set_up_again(struct screen *s)
{
    reset_prog_mode();
    restore_arm();
    screen_measure(s);
    clearok(curscr, TRUE);
    memset(s->row_sum, 0, (size_t)s->rows * sizeof(*s->row_sum));
    restore_write(s->fd, PASTE_ON, sizeof(PASTE_ON) - 1);
    screen_set_mouse(s, s->mouse);
}

void screen_repaint(struct screen *s)
{
    if (s->fd >= 0 && wait_for_terminal())
        set_up_again(s);
}

void screen_suspend(struct screen *s, const char *message)
{
    if (s->fd < 0)
        return;
    screen_leave(s);
    if (!restore_in_background())
        restore_write(s->fd, message, strlen(message));
    suspend_now(SIGTSTP);
    if (!wait_for_terminal())
        return;
    restore_remember(s->fd);
    set_up_again(s);
}

static int ground(const struct screen *s, short pair)
{
    return pair > 0 && pair <= s->pairs ? s->pair[pair - 1].bg : COLOUR_DEFAULT;
}

void screen_erase(struct screen *s)
{
    cchar_t blank;
    short pair;
    screen_attributes(s, STYLE_TEXT, STYLE_NONE, &pair);
    if (ground(s, pair) == COLOUR_DEFAULT)
        pair = 0; /* as curses believes a line to be that was scrolled in or cleared */
    if (setcchar(&blank, L" ", A_NORMAL, pair, NULL) == OK)
        bkgrndset(&blank);
    werase(stdscr);
    size_t cells = (size_t)s->rows * (size_t)s->columns;
    memset(s->half, CELL_WHOLE, cells);
    memset(s->link, 0, cells * sizeof(*s->link));
    forget_links(s);
    if (s->speaks)
        speech_begin(s);
}

#define GAP_MOST 8 /* a wider gap is cheaper as a movement of the cursor */
/* Of these a blank shows nothing. */
#define UNSEEN (A_BOLD | A_DIM | A_ITALIC)

/* A cell of the frame. */
struct seen {
    wchar_t text[CCHARW_MAX + 1];
    attr_t attributes;
    short pair;
};

static bool see(int y, int x, struct seen *cell)
{
    cchar_t c;
    *cell = (struct seen){0};
    return mvin_wch(y, x, &c) != ERR &&
           getcchar(&c, cell->text, &cell->attributes, &cell->pair, NULL) != ERR;
}

/* Gives the blanks between two texts the look of the first, where nobody sees that: each change of colour is up to 23
 * bytes. Returns a hash of the row. */
static uint64_t join_gaps(const struct screen *s, int y, uint64_t hash)
{
    struct seen last = {0};
    int gap = 0;
    for (int x = 0; x < s->columns; x++) {
        struct seen cell;
        if (!see(y, x, &cell))
            break;
        attr_t attributes = cell.attributes & A_ATTRIBUTES & ~(attr_t)A_COLOR;
        hash = (hash ^ (uint64_t)cell.text[0] ^ (uint64_t)cell.text[1] << 24 ^
                (uint64_t)attributes << 11 ^ (uint64_t)(unsigned short)cell.pair << 48) *
               UINT64_C(1099511628211);
        bool plain = !(attributes & ~(attr_t)(UNSEEN | A_ALTCHARSET));
        if (plain && cell.text[0] == L' ' && !cell.text[1] && last.text[0] &&
            ground(s, cell.pair) == ground(s, last.pair)) {
            gap++;
            continue;
        }
        cchar_t blank;
        bool joins = gap > 0 && gap <= GAP_MOST && cell.text[0] != L' ' &&
                     setcchar(&blank, L" ", last.attributes & UNSEEN, last.pair, NULL) == OK;
        for (int i = 1; joins && i <= gap; i++)
            mvadd_wch(y, x - i, &blank);
        gap = 0;
        last = plain ? cell : (struct seen){0};
    }
    return hash;
}

/* ---- hyperlinks ---- */

#define LINKS_MAX 500

uint16_t screen_add_link(struct screen *s, const char *target)
{
    if (s->targets == LINKS_MAX)
        return 0;
    if (!s->target)
        s->target = xcalloc(LINKS_MAX, sizeof(*s->target));
    struct strbuf *t = &s->target[s->targets++];
    strbuf_init(t);
    strbuf_addstr(t, target);
    return (uint16_t)s->targets;
}

/* A cell of the frame as it was sent. Returns its columns, 0 for the second one of a wide character. */
static int read_cell(const struct screen *s, int y, int x, cchar_t *cell, wchar_t *text,
                     attr_t *attributes, short *pair)
{
    if (s->half[y * s->columns + x] == CELL_RIGHT_HALF || mvin_wch(y, x, cell) == ERR ||
        getcchar(cell, text, attributes, pair, NULL) == ERR)
        return 0;
    return s->half[y * s->columns + x] == CELL_LEFT_HALF ? 2 : 1;
}

static uint64_t add_sum(uint64_t sum, const void *bytes, size_t len)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < len; i++)
        sum = (sum ^ at[i]) * UINT64_C(1099511628211); /* FNV-1a */
    return sum;
}

/* A sum of what the row shows and links to; 0 if it has no link. */
static uint64_t sum_row(const struct screen *s, int y)
{
    uint64_t sum = UINT64_C(14695981039346656037);
    bool any = false;
    for (int x = 0; x < s->columns; x++) {
        cchar_t cell;
        wchar_t text[CCHARW_MAX + 1] = {0};
        attr_t attributes = 0;
        short pair = 0;
        uint16_t link = s->link[y * s->columns + x];
        if (!read_cell(s, y, x, &cell, text, &attributes, &pair))
            continue;
        sum = add_sum(sum, text, wcslen(text) * sizeof(*text));
        sum = add_sum(sum, &attributes, sizeof(attributes));
        sum = add_sum(sum, &pair, sizeof(pair));
        if (link)
            sum = add_sum(sum, s->target[link - 1].buf, s->target[link - 1].len);
        any |= link > 0;
    }
    return any ? sum | 1 : 0;
}

static struct strbuf *sequences; /* where put_byte puts them */

static int put_byte(int c)
{
    strbuf_addch(sequences, (char)c);
    return c;
}

static void add_cell(const struct screen *s, int y, int x, struct strbuf *out)
{
    cchar_t cell;
    wchar_t text[CCHARW_MAX + 1] = {0};
    attr_t attributes;
    short pair;
    char bytes[MB_LEN_MAX * (CCHARW_MAX + 1)];
    if (!read_cell(s, y, x, &cell, text, &attributes, &pair))
        return;
    size_t len = wcstombs(bytes, text, sizeof(bytes));
    sequences = out;
    vid_puts(attributes, pair, NULL, put_byte);
    strbuf_add(out, bytes, len == (size_t)-1 ? 0 : len);
}

/* Writes the cells of the row that have a link, with it. */
static void add_row(const struct screen *s, int y, struct strbuf *out)
{
    const uint16_t *link = s->link + y * s->columns;
    for (int x = 0; x < s->columns;) {
        uint16_t one = link[x];
        if (!one) {
            x++;
            continue;
        }
        const struct strbuf *t = &s->target[one - 1];
        /* Parts in several lines are one link. */
        uint32_t id = (uint32_t)add_sum(0, t->buf, t->len);
        strbuf_addf(out, "\033[%d;%dH\033]8;id=%x;%s\033\\", y + 1, x + 1, (unsigned)id, t->buf);
        for (; x < s->columns && link[x] == one; x++)
            add_cell(s, y, x, out);
        strbuf_addstr(out, "\033]8;;\033\\");
    }
}

/*
 * Returns whether the links of this frame are to be sent: a row that has some, or had some, has changed. Curses may
 * then scroll, and leave cells as they are that have a link in the terminal. So it draws the rows that had one anew,
 * wherever it moves them.
 */
static bool links_changed(struct screen *s)
{
    bool changed = false;
    for (int row = 0; row < s->rows && (s->targets || s->had_links); row++) {
        uint64_t sum = s->targets ? sum_row(s, row) : 0;
        changed |= sum != s->row_sum[row];
        s->had_row[row] = s->row_sum[row] != 0;
        s->row_sum[row] = sum;
    }
    for (int row = 0; row < s->rows && changed; row++)
        if (s->had_row[row])
            wredrawln(stdscr, row, 1);
    s->had_links = s->targets > 0;
    return changed;
}

/* `y` and `x` are where the cursor stays. */
static void send_links(struct screen *s, int y, int x)
{
    AUTO_STRBUF out = STRBUF_INIT;
    for (int row = 0; row < s->rows; row++)
        if (s->row_sum[row])
            add_row(s, row, &out);
    if (!out.len)
        return;
    sequences = &out;
    vid_puts(A_NORMAL, 0, NULL, put_byte); /* what curses believes to be set */
    strbuf_addf(&out, "\033[%d;%dH", y + 1, x + 1);
    restore_write(s->fd, out.buf, out.len);
}

void screen_flush(struct screen *s)
{
    if (s->speaks)
        speech_arrange(s);
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int i = 0; i < s->rows; i++)
        hash = join_gaps(s, i, hash);
    int y = s->cursor_y < s->rows ? s->cursor_y : s->rows - 1;
    int x = s->cursor_x < s->columns ? s->cursor_x : s->columns - 1;
    y = y < 0 ? 0 : y;
    x = x < 0 ? 0 : x;
    bool links = s->fd >= 0 && links_changed(s);
    move(y, x);
    hash ^= (uint64_t)y << 32 ^ (uint64_t)x;
    if (s->fd >= 0 && !links && hash == s->sent && !is_cleared(curscr))
        return; /* it is on the terminal */
    s->sent = hash;
    wnoutrefresh(stdscr);
    if (s->fd < 0) {
        doupdate();
        return;
    }
    restore_updating(true);
    restore_write(s->fd, SYNC_BEGIN, sizeof(SYNC_BEGIN) - 1);
    doupdate(); /* one write for the whole frame */
    if (links)
        send_links(s, y, x);
    restore_write(s->fd, SYNC_END, sizeof(SYNC_END) - 1);
    restore_updating(false);
}

/*
 * Maps a colour to what the terminal has. With fewer colours grey becomes bright black; with eight, bright black
 * becomes the default colour with "dim", and the other bright colours become their dark variant with "bold".
 */
static int fit_colour(int colour, attr_t *attributes)
{
    int rgb = colour - COLOUR_RGB;
    if (colour == COLOUR_GREY)
        colour = COLORS >= 256 ? 243 : 8;
    else if (rgb >= 0 && COLORS >= DIRECT_COLOURS)
        colour = rgb < 256 ? 256 : rgb; /* the first 256 are the palette's */
    else if (rgb >= 0)
        colour = colour_nearest(rgb, COLORS >= 256 ? 256 : COLORS >= 16 ? 16 : 8);
    if (colour < 8 || COLORS >= 16)
        return colour;
    if (colour == 8) {
        *attributes |= A_DIM;
        return COLOUR_DEFAULT;
    }
    *attributes |= A_BOLD;
    return colour - 8;
}

static short pair_of(struct screen *s, int fg, int bg)
{
    /* Not pair 0 for the default colours: curses resets all attributes, in 13 bytes, for that one. */
    for (short i = 0; i < s->pairs; i++)
        if (s->pair[i].fg == fg && s->pair[i].bg == bg)
            return (short)(i + 1);
    if (s->pairs >= 255 || s->pairs + 1 >= COLOR_PAIRS)
        return 0;
    s->pair[s->pairs].fg = fg;
    s->pair[s->pairs].bg = bg;
    s->pairs++;
#if NCURSES_EXT_COLORS
    init_extended_pair(s->pairs, fg, bg);
#else
    init_pair(s->pairs, (short)fg, (short)bg);
#endif
    return s->pairs;
}

attr_t screen_attributes(struct screen *s, enum style style, enum style over, short *pair)
{
    static const struct {
        unsigned bit;
        attr_t attribute;
    } map[] = {{THEME_BOLD, A_BOLD},
               {THEME_DIM, A_DIM},
               {THEME_UNDERLINE, A_UNDERLINE},
               {THEME_REVERSE, A_REVERSE},
               {THEME_ITALIC, A_ITALIC}};
    struct theme_look look = s->theme.look[style];
    const struct theme_look *text = &s->theme.look[STYLE_TEXT];
    attr_t attributes = A_NORMAL;
    if (over < STYLE_COUNT)
        look = theme_over(look, s->theme.look[over]);
    /* A reversed selection needs one background: the colours of the parts would give several. */
    if (over == STYLE_SELECTION && (look.attributes & THEME_REVERSE)) {
        look.fg = look.bg = COLOUR_DEFAULT;
        look.attributes &= ~(unsigned)(THEME_DIM | THEME_BOLD);
    }
    for (size_t i = 0; i < sizeof(map) / sizeof(map[0]); i++)
        if (look.attributes & map[i].bit)
            attributes |= map[i].attribute;
    *pair = 0;
    if (s->colours) {
        int fg = look.fg < 0 ? text->fg : look.fg, bg = look.bg < 0 ? text->bg : look.bg;
        fg = fg < 0 ? COLOUR_DEFAULT : fit_colour(fg, &attributes);
        bg = bg < 0 ? COLOUR_DEFAULT : fit_colour(bg, &attributes);
        *pair = pair_of(s, fg, bg);
    }
    return attributes;
}

static void row_text(int y, int columns, struct strbuf *out)
{
    size_t end = out->len;
    for (int x = 0; x < columns; x++) {
        cchar_t cell;
        wchar_t text[CCHARW_MAX + 1] = {0};
        attr_t attributes;
        short pair;
        if (mvin_wch(y, x, &cell) == ERR || getcchar(&cell, text, &attributes, &pair, NULL) == ERR)
            break;
        char bytes[MB_LEN_MAX * (CCHARW_MAX + 1)];
        size_t len = wcstombs(bytes, text, sizeof(bytes));
        if (len == (size_t)-1)
            len = 0;
        strbuf_add(out, bytes, len);
        if (len != 1 || bytes[0] != ' ')
            end = out->len;
        int width = wcwidth(text[0]);
        x += width > 1 ? width - 1 : 0;
    }
    strbuf_cut(out, end);
    strbuf_addch(out, '\n');
}

void screen_text(const struct screen *s, struct strbuf *out)
{
    for (int y = 0; y < s->rows; y++)
        row_text(y, s->columns, out);
}
