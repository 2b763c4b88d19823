/* Unit tests of small parts: matching, signs, themes, keys, the clipboard's sequence. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "tests/support/test.h"
#include "tui/term/input.h"
#include "tui/widget/ui.h"
#include "tui/text/match.h"
#include "tui/text/times.h"
#include "tui/term/theme.h"
#include "tui/term/screen.h"
#include "model/base/strbuf.h"
#include "tests/support/scratch.h"

static void assert_match(const char *text, const char *pattern, const char *found)
{
    struct match_place m;
    bool any = match_find(text, strlen(text), 0, pattern, &m);
    if (!found) {
        assert_false(any);
        return;
    }
    assert_true(any);
    assert_int_equal(m.to - m.from, strlen(found));
    assert_memory_equal(text + m.from, found, m.to - m.from);
}

TEST(test_match)
{
    assert_match("Never skip Staging", "staging", "Staging");
    assert_match("Never skip Staging", "STAGING",
                 NULL); /* a capital letter makes the match case-sensitive */
    assert_match("Never skip Staging", "Staging", "Staging");
    assert_match("ÜBER alles", "über", "ÜBER");
    assert_match("ステージングで確認", "ング", "ング");
    assert_match("aaab", "aab", "aab");
    assert_match("text", "", NULL);
    assert_match("", "x", NULL);
    assert_match("a\xff\x62", "b", "b");
    assert_match("a\xff\x62", "\xff", "\xff");
    assert_false(match_text(NULL, "x"));
}

TEST(test_match_every_place)
{
    const char *text = "abcabcabc";
    struct match_place m;
    size_t at = 0, count = 0;
    while (match_find(text, strlen(text), at, "bc", &m)) {
        assert_memory_equal(text + m.from, "bc", 2);
        at = m.to;
        count++;
    }
    assert_int_equal(count, 3);
}

TEST(test_selection)
{
    static const int64_t nodes[] = {1, 63, 64, 65, 1000, 1000000};
    struct selection m = {0};
    for (size_t i = 0; i < 6; i++) {
        selection_set(&m, nodes[i], true);
        selection_set(&m, nodes[i], true);
    }
    assert_int_equal(m.count, 6);
    int64_t at = 0;
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(at = selection_next(&m, at), nodes[i]);
    assert_int_equal(selection_next(&m, at), 0);
    selection_set(&m, 64, false);
    assert_false(selection_has(&m, 64));
    assert_int_equal(selection_next(&m, 63), 65);
    selection_set(&m, 0, true);
    selection_set(&m, -5, true);
    assert_int_equal(m.count, 5);
    selection_clear(&m);
    assert_int_equal(selection_next(&m, 0), 0);
    selection_release(&m);
}

static int parse(struct theme *theme, const char *text, struct error *e)
{
    return theme_parse(theme, "test", text, strlen(text), e);
}

TEST(test_theme)
{
    struct theme theme;
    struct error e = {0};
    assert_int_equal(parse(&theme, "title: {fg: red, bg: default, attr: [bold, italic]}\n", &e), 0);
    assert_int_equal(theme.look[STYLE_TITLE].fg, 1);
    assert_int_equal(theme.look[STYLE_TITLE].bg, COLOUR_DEFAULT);
    assert_int_equal(theme.look[STYLE_TITLE].attributes, THEME_BOLD | THEME_ITALIC);
    assert_int_equal(theme.look[STYLE_TEXT].fg, COLOUR_UNSET);
    assert_int_equal(parse(&theme, "title: {fg: '#2aA198'}\n", &e), 0);
    assert_int_equal(theme.look[STYLE_TITLE].fg, COLOUR_RGB | 0x2aa198);
    assert_int_equal(colour_nearest(0x2aa198, 256), 36);
    assert_int_equal(colour_nearest(0xdc322f, 16), 1);
    assert_int_equal(colour_nearest(0x00fff0, 8), 6);
    assert_int_equal(colour_nearest(0x93a1a1, 16), 7);
    assert_int_equal(parse(&theme, "title: {fg: '#2aa19'}\n", &e), -1);
    assert_int_equal(parse(&theme, "", &e), 0);
    assert_int_equal(parse(&theme, "title: {}\nnothing: {fg: red}\n", &e), -1);
    assert_non_null(strstr(e.what, "line 2"));
    assert_int_equal(parse(&theme, "title:\n  fg: purple\n", &e), -1);
    assert_non_null(strstr(e.what, "purple"));
    assert_int_equal(parse(&theme, "title: {attr: loud}", &e), -1);
    assert_int_equal(parse(&theme, "title: bold", &e), -1);
    assert_int_equal(parse(&theme, "- title", &e), -1);
    assert_int_equal(parse(&theme, "title: {", &e), -1);
}

TEST(test_shipped_themes)
{
    struct theme theme;
    struct error e = {0};
    char name[64];
    size_t count = 0;
    for (; theme_shipped(count, name, sizeof(name)); count++)
        if (theme_load(&theme, name, &e))
            fail_msg("%s", e.what);
    assert_int_equal(count, 5);
    assert_int_equal(theme_load(&theme, "neutral", &e), 0);
    assert_int_equal(theme_load(&theme, "mono", &e), 0);
    for (int i = 0; i < STYLE_COUNT; i++)
        assert_true(theme.look[i].fg == COLOUR_UNSET && theme.look[i].bg == COLOUR_UNSET);
    /* Yellow, cyan, white and the bright colours are pale on a light ground. */
    assert_int_equal(theme_load(&theme, "light", &e), 0);
    for (int i = 0; i < STYLE_COUNT; i++) {
        int fg = theme.look[i].fg;
        if (fg == 3 || fg == 6 || (fg >= 7 && fg < COLOUR_GREY))
            fail_msg("style %d has the pale colour %d", i, fg);
    }
    assert_int_equal(theme_load(&theme, "no-such-theme", &e), -1);
}

TEST(test_key_names)
{
    static const char *const names[] = {"j",  "G",    "C-d",  "Enter", "Esc",   "Tab", "S-Tab",
                                        "BS", "PgUp", "Home", "F1",    "Space", "F12", "語"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char name[16];
        uint32_t key = key_from_name(names[i], strlen(names[i]));
        assert_true(key != KEY_NONE);
        key_text(key, name, sizeof(name));
        assert_string_equal(name, names[i]);
    }
    assert_int_equal(key_from_name("Hyper", 5), KEY_NONE);
    assert_int_equal(key_from_name("", 0), KEY_NONE);
}

TEST(test_clipboard)
{
    AUTO_STRBUF out = STRBUF_INIT;
    clipboard_sequence(&out, "hello", 5, 0);
    assert_string_equal(out.buf, "\033]52;c;aGVsbG8=\a");
    strbuf_clear(&out);
    clipboard_sequence(&out, "hi", 2, 1);
    assert_string_equal(out.buf, "\033]52;c;aGk=\a\033Ptmux;\033\033]52;c;aGk=\a\033\\");
}

static void put_program(const char *path, const char *body)
{
    AUTO_STRBUF script = STRBUF_INIT;
    strbuf_addf(&script, "#!/bin/sh\n%s\n", body);
    scratch_write(path, script.buf, script.len);
    chmod(path, 0755);
}

/* The only program is the one that sets the clipboard, since macOS has no timeout(1). A program that hangs is ended. */
TEST(test_clipboard_program)
{
    static const char *const unset[] = {"SSH_CONNECTION", "SSH_TTY", "WAYLAND_DISPLAY", "DISPLAY"};
    struct screen s = {.fd = open("/dev/null", O_WRONLY)};
    AUTO_FREE char *path = scratch_path("pbcopy"), *before = strdup(getenv("PATH"));
    for (size_t i = 0; i < sizeof(unset) / sizeof(unset[0]); i++)
        unsetenv(unset[i]);
    put_program(path, "read line; test \"$line\" = hello");
    *strrchr(path, '/') = '\0';
    setenv("PATH", path, 1);
    assert_string_equal(clipboard_set(&s, true, "hello\n", 6), "by pbcopy");
    path[strlen(path)] = '/';
    put_program(path, "read line; exec /bin/sleep 600");
    assert_string_not_equal(clipboard_set(&s, true, "hello\n", 6), "by pbcopy");
    setenv("PATH", before, 1);
    close(s.fd);
}

/* ---- progress ---- */

static void assert_progress(int64_t done, int64_t total, bool is_bytes, int64_t ms,
                            const char *words)
{
    AUTO_STRBUF out = STRBUF_INIT;
    progress_add(&out, done, total, is_bytes, ms);
    assert_string_equal(out.buf, words);
}

TEST(test_progress)
{
    const int64_t mib = 1 << 20;
    assert_progress(60 * mib, 200 * mib, true, 2000, "60 of 200 MiB, 30 %, 30 MiB/s, 4 s left");
    assert_progress(190 * mib, 200 * mib, true, 2000,
                    "190 of 200 MiB, 95 %, 95 MiB/s, a few seconds left");
    assert_progress(mib, 4 * mib, true, 1000, "1024 of 4096 KiB, 25 %, 1024 KiB/s, 3 s left");
    assert_progress(mib, 4096 * mib, true, 1000, "1 of 4096 MiB, 0 %, 1024 KiB/s, 68 min left");
    assert_progress(0, 4 * mib, true, 500, "0 of 4096 KiB, 0 %");
    assert_progress(30 * mib, 0, true, 1000, "30 MiB, 30 MiB/s");
    assert_progress(50, 200, false, 10000, "50 of 200, 25 %, 30 s left");
    assert_progress(200, 200, false, 10000, "200 of 200, 100 %, a few seconds left");
    assert_progress(7, 0, false, 1000, "7");
    assert_progress(INT64_MAX / 2, INT64_MAX, false, 1,
                    "4611686018427387903 of 9223372036854775807, 50 %, a few seconds left");
}
