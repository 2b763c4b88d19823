/* Personal data in random texts, compared with the oracle plain_pii, and the same in JSON. */
#include "model/json/json.h"
#include "model/pii/pii_internal.h"
#include "tests/support/plain_pii.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

static unsigned seed;

static unsigned draw(unsigned below)
{
    seed = seed * 1103515245u + 12345u;
    return (seed >> 16) % below;
}

static const char *const pieces[] = {
    "jane@example.com",
    "@",
    "a.b",
    "x@y.co-z",
    ".com",
    "xn--p1ai",
    "555-123-4567",
    "(555) ",
    "123-4567",
    "+1 ",
    "+44 20 7946 0958",
    "+",
    "(",
    ")",
    "0044 20",
    "020 7946 0958",
    "01.23.45.67.89",
    "555",
    "1234",
    "123-45-6789",
    "123 45 6789",
    "-45-",
    "978-",
    "4111 1111 1111 1111",
    "4111111111111111",
    "378282246310005",
    "3782 822463 10005",
    "4111",
    "4",
    "1",
    "0",
    "12",
    " ",
    "-",
    "--",
    ".",
    "/",
    ",",
    ":",
    "_",
    "a",
    "f",
    "x",
    "Z",
    "%",
    "2024-01-15",
    "T10:30:00Z",
    "1678886400000",
    "123e4567-e89b-12d3-a456-",
    "426614174000",
    "41111111-1111-1111-4111-111111111111",
    "d41d8cd98f00",
    "192.168.1.1",
    "\n",
    "\t",
    "\r\n",
    "++",
    "555\n123",
    "jane@exam\tple.com",
    "a@b\n",
    "c.c\nom",
    "x.org",
    "123\n-45",
    "=",
};

static size_t make_text(char *text, size_t room)
{
    static const char signs[] = "0123456789012345-- ..()+@abfxZ/:_,\n\t";
    size_t len = 0;
    for (unsigned parts = 1 + draw(7); parts > 0; parts--) {
        const char *piece = pieces[draw(sizeof(pieces) / sizeof(*pieces))];
        if (draw(3) == 0 && len + 4 < room) {
            for (unsigned n = 1 + draw(4); n > 0; n--)
                text[len++] = signs[draw(sizeof(signs) - 1)];
        } else if (len + strlen(piece) < room) {
            memcpy(text + len, piece, strlen(piece));
            len += strlen(piece);
        }
    }
    text[len] = '\0';
    return len;
}

/* Repeats one of those before a text, so that a window of the matcher ends within the text. */
static size_t make_long_text(char *text, size_t room)
{
    static const char *const before[] = {" ", "a", "x.", "(", "-b"};
    const char *unit = before[draw(sizeof(before) / sizeof(*before))];
    size_t len = 0;
    for (size_t most = 1900 + draw(200); len + strlen(unit) < most; len += strlen(unit))
        memcpy(text + len, unit, strlen(unit));
    return len + make_text(text + len, room - len);
}

static bool same(const struct pii_span *a, const struct pii_span *b)
{
    return a->start == b->start && a->end == b->end && a->kind == b->kind;
}

static void check_slowly(int rounds, size_t (*make)(char *text, size_t room), size_t least)
{
    struct error e;
    struct pii *p = pii_new(NULL, 0, &e);
    char text[2400];
    size_t finds = 0;
    for (int round = 0; round < rounds; round++) {
        size_t len = make(text, sizeof(text) - 1), from = 0;
        struct pii_span quick = {0, 0, 0}, slow = {0, 0, 0};
        for (bool more = true; more; from = slow.end) {
            more = plain_pii_find(text, len, from, &slow);
            bool found = pii_find(p, text, len, from, &quick);
            if (found != more || (more && !same(&quick, &slow)))
                fail_msg("in '%s' from %zu: %d [%zu, %zu) of %d, slowly %d [%zu, %zu) of %d", text,
                         from, found, quick.start, quick.end, quick.kind, more, slow.start,
                         slow.end, slow.kind);
            finds += more;
        }
    }
    assert_true(finds > least);
    pii_free(p);
}

TEST(finds_match_the_oracle)
{
    seed = 11;
    check_slowly(15000, make_text, 3000);
}

TEST(finds_in_long_texts_match_the_oracle)
{
    seed = 13;
    check_slowly(300, make_long_text, 60);
}

/* Any of several equivalent escapes. */
static void add_escaped(struct strbuf *json, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (draw(8) == 0)
            strbuf_addf(json, "\\u%04X", (unsigned)(unsigned char)text[i]);
        else if (text[i] == '/' && draw(2))
            strbuf_addstr(json, "\\/");
        else if (strchr("\n\r\t", text[i]))
            strbuf_addf(json, "\\%c", text[i] == '\n' ? 'n' : text[i] == '\r' ? 'r' : 't');
        else
            strbuf_addch(json, text[i]);
        if (draw(30) == 0)
            strbuf_addstr(json, draw(2) ? "\\u200b" : "\xe2\x81\xa0");
    }
}

/* At any depth: in the value of a member, an element of an array, JSON in a string. */
static void wrap(struct strbuf *json, struct strbuf *inner)
{
    strbuf_clear(json);
    for (unsigned depth = draw(4); depth > 0; depth--) {
        strbuf_clear(json);
        strbuf_addstr(json, "{\"n\": 4111111111111111, \"a\": [");
        strbuf_add(json, inner->buf, inner->len);
        strbuf_addstr(json, ", \"\"]}");
        strbuf_clear(inner);
        json_add_string_len(inner, json->buf, json->len);
    }
    strbuf_clear(json);
    strbuf_add(json, inner->buf, inner->len);
}

static void unwrapped(struct strbuf *json, struct strbuf *text)
{
    struct error e;
    for (;;) {
        assert_int_equal(json_check(json->buf, json->len, JSON_DEPTH_MAX, &e), 0);
        struct json_slice s = json_trim(json->buf, json->len);
        strbuf_clear(text);
        strbuf_grow(text, s.len);
        text->len = json_unescape(text->buf, s.ptr + 1, s.len - 2);
        text->buf[text->len] = '\0';
        struct json_slice list = json_member(text->buf, text->len, "a");
        if (text->buf[0] != '{' || !list.ptr)
            return;
        struct json_each it = json_each(list);
        assert_true(json_next(&it));
        strbuf_clear(json);
        strbuf_add(json, it.value.ptr, it.value.len);
    }
}

static void without_what_has_no_width(struct strbuf *text)
{
    size_t len = 0;
    for (size_t i = 0; i < text->len; i++) {
        if (text->buf[i] == '\xe2')
            i += 2;
        else
            text->buf[len++] = text->buf[i];
    }
    strbuf_cut(text, len);
}

TEST(masking_json_matches_masking_text)
{
    struct error e;
    struct pii *p = pii_new(NULL, 0, &e);
    char text[256];
    AUTO_STRBUF json = STRBUF_INIT, inner = STRBUF_INIT, out = STRBUF_INIT, masked = STRBUF_INIT;
    seed = 12;
    for (int round = 0; round < RANDOM_ROUNDS(15000); round++) {
        struct pii_seen of_text = {0, 0}, of_json = {0, 0};
        size_t len = make_text(text, sizeof(text) - 1);
        strbuf_clear(&inner);
        strbuf_clear(&out);
        strbuf_clear(&masked);
        strbuf_addch(&inner, '"');
        add_escaped(&inner, text, len);
        strbuf_addch(&inner, '"');
        wrap(&json, &inner);
        bool any = pii_mask_text(p, text, len, &masked, &of_text);
        if (pii_mask_json(p, json.buf, json.len, &out, &of_json) != any)
            fail_msg("'%s' as '%s'", text, json.buf);
        assert_int_equal(of_text.kinds, of_json.kinds);
        assert_int_equal(of_text.count, of_json.count);
        unwrapped(&out, &inner);
        without_what_has_no_width(&inner);
        assert_string_equal(inner.buf, masked.buf);
    }
    pii_free(p);
}

/* Compares the quick pass with the rules. */
TEST(the_quick_pass_misses_nothing)
{
    static const char *const more[] = {
        "\"",
        "\\",
        "\\\"",
        "token",
        "\"password\":",
        "\\\"secret\\\": \\\"x\\\"",
        "\"Ssn\"",
        "\"\\ssn\":", /* a fuzzer's: an escape that is none, in a key */
        "\\u0040",
        "\\u0031",
        "\\\\u0040",
        "\\n",
        "\\/",
        "%40",
        "%4",
        "%",
        "\xc3\xa9",
        "\xe2\x80\x94",
        "\xe2\x80\x8b",
        "\xd9\xa3",
        "\xef\xbc\x91",
        "\xef\xbc\xa0",
        "\xc2\xa0",
        "\xe4\xb8\xad",
        "\xff",
        "+",
        "+(",
        "555",
        "123",
        "4567",
        "12345678-1234-1234-1234-123456789012",
    };
    char text[400];
    size_t passed = 0, finds = 0;
    seed = 14;
    for (int round = 0; round < RANDOM_ROUNDS(60000); round++) {
        size_t len = 0;
        for (unsigned parts = 1 + draw(4); parts > 0; parts--) {
            const char *piece = more[draw(sizeof(more) / sizeof(*more))];
            if (draw(2))
                len += make_text(text + len, 40);
            memcpy(text + len, piece, strlen(piece));
            len += strlen(piece);
            if (draw(4) == 0)
                text[len++] = " -./()"[draw(6)];
        }
        for (int escaped = 0; escaped < 2; escaped++) {
            struct pii_view v;
            pii_view_open(&v, text, len, escaped);
            bool any = pii_mask_view(pii_built_in(), &v, NULL, NULL);
            bool may = pii_may_find(text, len, escaped);
            pii_view_close(&v);
            if (any && !may)
                fail_msg("nothing may be found in '%.*s'%s", (int)len, text,
                         escaped ? ", escaped" : "");
            passed += !may;
            finds += any;
        }
    }
    assert_true(passed > RANDOM_ROUNDS(10000) && finds > RANDOM_ROUNDS(10000));
}

/* Found by a fuzzer: an escape that is none, in a key. */
TEST(both_searches_agree_on_escapes_in_keys)
{
    static const char *const texts[] = {"\"\\ssn\":", "{\"\\ssn\":1}", "{\"\\ssn\":\"1\"}",
                                        "\"\\\\ssn\\\\\":1"};
    static const struct pii_pattern never[] = {{"never", "(*FAIL)"}};
    struct error e;
    struct pii *careful = pii_new(never, 1, &e);
    assert_non_null(careful);
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        AUTO_STRBUF quick = STRBUF_INIT, slow = STRBUF_INIT;
        struct pii_seen seen = {0, 0}, same = {0, 0};
        size_t len = strlen(texts[i]);
        assert_int_equal(pii_mask_json(pii_built_in(), texts[i], len, &quick, &seen),
                         pii_mask_json(careful, texts[i], len, &slow, &same));
        assert_string_equal(quick.buf, slow.buf);
        assert_int_equal(seen.count, same.count);
    }
    pii_free(careful);
}
