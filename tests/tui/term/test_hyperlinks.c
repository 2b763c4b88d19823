/* Hyperlinks (OSC 8) as a terminal gets them, and when. tests/support/terminal.c checks each sequence. */
#include <sys/stat.h>
#include "model/base/alloc.h"
#include "store/open.h"
#include "tests/support/scratch.h"
#include "tests/support/script.h"
#include "tests/support/story.h"
#include "tests/support/terminal.h"
#include "tests/support/test.h"
#include "tui/term/screen.h"

#define OPEN(uri) ";" uri "\033\\"
#define CLOSE     "\033]8;;\033\\"

static void configure(const char *text)
{
    char path[300];
    story_path(path, sizeof(path), ".config");
    mkdir(path, 0700);
    story_path(path, sizeof(path), ".config/stemma");
    mkdir(path, 0700);
    story_path(path, sizeof(path), ".config/stemma/config.yaml");
    story_write(path, text);
}

static void make_store(char *path, size_t size)
{
    story_store(
        path, size, "links.db",
        "{\"ref\":\"note:a\",\"text\":\"see https://example.org/a, and more\","
        "\"source\":\"/home/ash/a.md\"}\n"
        "{\"ref\":\"note:b\",\"text\":\"see https://example.org/b, and more\"}\n"
        "{\"ref\":\"note:c\",\"text\":\"see what is no link ..., and more\"}\n"
        "{\"ref\":\"note:long\",\"text\":\"https://example.org/"
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb/end or so\"}\n");
}

/* How often the bytes arrived at offset `from` or later. */
static size_t arrived(const struct terminal *t, size_t from, const char *bytes)
{
    size_t count = 0;
    for (const char *at = t->bytes.buf + from; (at = strstr(at, bytes)); at++)
        count++;
    return count;
}

GROUP(story_open_empty, story_close);

TEST(a_uri_on_a_page_is_a_link)
{
    struct terminal t;
    char store[300];
    configure("links: yes\n");
    make_store(store, sizeof(store));
    terminal_start(&t, store, 24, 80);
    terminal_wait_shows(&t, "recorded ↓");
    terminal_see(&t, ":note:a\r", "note:a");
    terminal_wait_got(&t, 0, OPEN("https://example.org/a") "https://example.org/a" CLOSE);
    terminal_wait_got(&t, 0, "/home/ash/a.md\033\\/home/ash/a.md" CLOSE);
    terminal_leave(&t);
}

/* What is not drawn anew is not sent anew; where the text changes, the link does. */
TEST(links_follow_the_text)
{
    struct terminal t;
    char store[300];
    configure("links: yes\npreview: below\n");
    make_store(store, sizeof(store));
    terminal_start(&t, store, 24, 120);
    terminal_wait_shows(&t, "recorded ↓");
    terminal_see(&t, "4/see https://example.org/a\r", "see https://example.org/a, and more");
    terminal_wait_got(&t, 0, OPEN("https://example.org/a") "https://example.org/a" CLOSE);
    size_t from = t.bytes.len;
    terminal_see(&t, "/example.org/b\r", "note:b");
    terminal_wait_got(&t, from, OPEN("https://example.org/b") "https://example.org/b" CLOSE);
    terminal_see(&t, "M", "mouse");
    from = t.bytes.len;
    terminal_type_and_see(&t, "M");
    terminal_type_and_see(&t, "M");
    assert_int_equal(arrived(&t, from, "\033]8;"), 0);
    from = t.bytes.len;
    terminal_see(&t, "/no link\r", "note:c");
    terminal_type_and_see(&t, "M");
    assert_int_equal(arrived(&t, from, OPEN("https://example.org/b")), 0);
    terminal_leave(&t);
}

/* Each part of a link that is wrapped opens the whole. */
TEST(a_wrapped_link_is_whole)
{
    struct terminal t;
    char store[300];
    configure("links: yes\npreview: off\n");
    make_store(store, sizeof(store));
    terminal_start(&t, store, 24, 80);
    terminal_wait_shows(&t, "recorded ↓");
    terminal_see(&t, ":note:long\r", "bbb/end or so");
    size_t from = 0;
    terminal_wait_got(&t, from, "bbb/end" CLOSE);
    assert_true(arrived(&t, 0, "bbb/end\033\\") >= 2);
    terminal_leave(&t);
}

TEST(no_link_is_sent_where_none_is_wanted)
{
    struct terminal t;
    char store[300];
    for (int i = 0; i < 2; i++) {
        configure(i ? "links: no\n" : "links: auto\n");
        make_store(store, sizeof(store));
        terminal_start(&t, store, 24, 80);
        terminal_wait_shows(&t, "recorded ↓");
        terminal_see(&t, ":note:a\r", "nothing was recorded");
        terminal_see(&t, "1", "recorded ↓");
        assert_int_equal(arrived(&t, 0, "\033]8;"), 0);
        terminal_leave(&t);
    }
}

/* terminal_leave checks every byte. */
TEST(hostile_texts_stay_texts)
{
    struct terminal t;
    char path[300];
    configure("links: yes\n");
    AUTO_FREE char *hostile = scratch_path("hostile.db");
    struct store *s = scratch_store(hostile);
    script_put_hostile(s, 5);
    scratch_put(s, "{\"ref\":\"note:x\",\"text\":\"https://a.example/\\u001b]8;;file:///b\\u0007c "
                   "https://\\u202ea.example/\\u009b1m\",\"source\":\"https://a;b\\u001b\\\\\"}");
    store_close(s);
    snprintf(path, sizeof(path), "%s", hostile);
    terminal_start(&t, path, 24, 80);
    terminal_wait_shows(&t, "recorded ↓");
    terminal_see(&t, ":note:x\r", "note:x");
    terminal_wait_got(&t, 0, OPEN("https://a.example/"));
    for (int i = 0; i < 10; i++)
        terminal_type_and_see(&t, i % 2 ? "q" : "0jj\r");
    terminal_leave(&t);
}

/* ---- which terminals ---- */

TEST(known_terminals_get_links)
{
    static const struct {
        const char *set;
        bool knows;
    } cases[] = {
        {"TERM=xterm-256color", false},
        {"TERM=linux", false},
        {"TERM=xterm-kitty", true},
        {"TERM=foot", true},
        {"TERM=foo", false},
        {"VTE_VERSION=7600", true},
        {"VTE_VERSION=4800", false},
        {"KONSOLE_VERSION=200400", false},
        {"KONSOLE_VERSION=230800", true},
        {"TERM_PROGRAM=WezTerm", true},
        {"TERM_PROGRAM=Apple_Terminal", false},
        {"WT_SESSION=1", true},
        {"VTE_VERSION=7600 STY=1.pts", false},
        {"VTE_VERSION=7600 TERM=screen-256color", false},
        {"VTE_VERSION=7600 ZELLIJ=0", false},
        {"VTE_VERSION=7600 TMUX=/tmp/t", false},
        {"TMUX=/tmp/t TERM_PROGRAM=tmux TERM_PROGRAM_VERSION=3.3a", false},
        {"TMUX=/tmp/t TERM_PROGRAM=tmux TERM_PROGRAM_VERSION=3.4", true},
        {"TMUX=/tmp/t TERM_PROGRAM=tmux TERM_PROGRAM_VERSION=next-3.6", true},
        {"TERM=tmux-256color TERM_PROGRAM=tmux TERM_PROGRAM_VERSION=4.0", true},
    };
    static const char *const all[] = {"TERM",
                                      "TMUX",
                                      "STY",
                                      "ZELLIJ",
                                      "VTE_VERSION",
                                      "KONSOLE_VERSION",
                                      "KITTY_WINDOW_ID",
                                      "ALACRITTY_WINDOW_ID",
                                      "WT_SESSION",
                                      "DOMTERM",
                                      "TERM_PROGRAM",
                                      "TERM_PROGRAM_VERSION"};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[120], *rest = text;
        snprintf(text, sizeof(text), "%s", cases[i].set);
        for (size_t v = 0; v < sizeof(all) / sizeof(all[0]); v++)
            unsetenv(all[v]);
        for (char *one; (one = strsep(&rest, " "));) {
            char *value = strchr(one, '=');
            *value++ = '\0';
            setenv(one, value, 1);
        }
        if (screen_knows_links() != cases[i].knows)
            fail_msg("%s", cases[i].set);
    }
}
