/* Links in a text: where they end, what they open, and that no byte of a text can end the sequence of a terminal. */
#include "tests/support/random.h"
#include "tests/support/test.h"
#include "tui/text/match.h"

/* The targets of all links in the text, each with a line end. */
static void targets(const char *text, struct strbuf *out)
{
    struct link l;
    size_t len = strlen(text);
    for (size_t at = 0; link_find(text, len, at, &l); at = l.to) {
        assert_true(l.from < l.to && l.to <= len && l.to > at);
        link_add_target(out, text, &l);
        strbuf_addch(out, '\n');
    }
}

TEST(links_are_found)
{
    static const char *const cases[][2] = {
        {"see https://example.org/a.", "https://example.org/a\n"},
        {"(https://example.org/a), and", "https://example.org/a\n"},
        {"https://example.org/a_(b)!", "https://example.org/a_(b)\n"},
        {"HTTP://EXAMPLE.ORG", "HTTP://EXAMPLE.ORG\n"},
        {"<https://a.example>https://b.example", "https://a.example\nhttps://b.example\n"},
        {"file:///etc/hosts", "file:///etc/hosts\n"},
        {"https://example.org/?q=a%20b&c=\xc3\xa9#d", "https://example.org/?q=a%20b&c=%C3%A9#d\n"},
        {"https://example.org/\\|^{}", "https://example.org/%5C%7C%5E%7B%7D\n"},
        {"https://example.org/\xe2\x80\xae"
         "gpj.exe",
         "https://example.org/%E2%80%AEgpj.exe\n"},
        {"https://example.org/a\033]8;;https://b.example\a",
         "https://example.org/a\nhttps://b.example\n"},
        {"https://example.org/a\xef\xbf\xbd]8;;file:///b", "https://example.org/a\nfile:///b\n"},
        {"javascript:alert(1) data:text/html,x ssh://host/ ftp://host/", ""},
        {"https:// http://", ""},
        {"nothing", ""},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        AUTO_STRBUF out = STRBUF_INIT;
        targets(cases[i][0], &out);
        assert_string_equal(out.buf, cases[i][1]);
    }
}

/* A path links to this machine, and only if it is the text or its beginning. */
TEST(a_path_names_the_machine)
{
    AUTO_STRBUF out = STRBUF_INIT;
    targets("/home/ash/notes \xc3\xa9.md", &out);
    assert_memory_equal(out.buf, "file://", 7);
    assert_string_equal(strchr(out.buf + 7, '/'), "/home/ash/notes\n");
    strbuf_clear(&out);
    targets("/home/%41.jsonl, bytes 1 to 2", &out);
    assert_string_equal(strchr(out.buf + 7, '/'), "/home/%2541.jsonl\n");
    strbuf_clear(&out);
    targets("direct (/home/ash/a.md), of https://example.org/a", &out);
    assert_string_equal(strchr(out.buf + 7, '/'), "/home/ash/a.md\nhttps://example.org/a\n");
    strbuf_clear(&out);
    targets("https://example.org/a (/home/ash/a.md)", &out);
    assert_memory_equal(out.buf, "https://example.org/a\nfile://", 29);
    strbuf_clear(&out);
    targets("either /home/ash or", &out);
    targets("/", &out);
    targets("/5 of them", &out);
    assert_string_equal(out.buf, "");
}

TEST(a_long_link_is_none)
{
    AUTO_STRBUF text = STRBUF_INIT, out = STRBUF_INIT;
    struct link l;
    strbuf_addstr(&text, "https://");
    strbuf_addchars(&text, 'a', LINK_BYTES + 1);
    assert_true(link_find(text.buf, text.len, 0, &l));
    assert_false(link_add_target(&out, text.buf, &l));
    assert_int_equal(out.len, 0);
}

/* Whatever the text, a target has visible ASCII alone and one of three schemes. */
TEST(targets_are_harmless)
{
    struct random r = {7};
    AUTO_ARENA arena = ARENA_INIT;
    for (int i = 0; i < 2000; i++) {
        AUTO_STRBUF text = STRBUF_INIT, out = STRBUF_INIT;
        strbuf_addf(&text, "%s%s",
                    i % 3   ? "https://"
                    : i % 2 ? "/a/"
                            : "file://",
                    random_text(&r, &arena, 60));
        targets(text.buf, &out);
        for (size_t c = 0; c < out.len; c++)
            assert_true(out.buf[c] == '\n' || (out.buf[c] > ' ' && out.buf[c] < 0x7f));
        for (const char *line = out.buf; *line; line += strcspn(line, "\n") + 1)
            assert_true(!strncmp(line, "http", 4) || !strncmp(line, "file://", 7) || *line == '\n');
        arena_clear(&arena);
    }
}
