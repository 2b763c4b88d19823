/* Events as a script has them: what is written is read as the same events, whatever they are. */
#include "tests/support/random.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "tui/loop/script_file.h"
#include "tui/term/input.h"

/* A key that a terminal can give. */
static uint32_t random_key(struct random *r)
{
    static const uint32_t others[] = {0xe9, 0x8a9e, 0x1f600, 0x241b, 0x2421, '<', '>', '\\', '+'};
    switch (random_below(r, 5)) {
    case 0:
        return 1 + (uint32_t)random_below(r, 0x7f);
    case 1:
        return KEY_NAMED + (uint32_t)random_below(r, KEY_NAMED_END - KEY_NAMED);
    case 2:
        return others[random_below(r, sizeof(others) / sizeof(others[0]))];
    case 3:
        return KEY_ALT | ('a' + (uint32_t)random_below(r, 26));
    default:
        return ' ' + (uint32_t)random_below(r, 0x5f);
    }
}

static struct input_event random_event(struct random *r)
{
    struct input_event e = {.key = random_key(r)};
    static const int buttons[] = {1, 4, 5};
    switch (random_below(r, 6)) {
    case 0:
        return (struct input_event){.key = KEY_POINTER,
                                    .x = (int)random_below(r, 500),
                                    .y = (int)random_below(r, 500),
                                    .button = buttons[random_below(r, 3)]};
    case 1:
        return (struct input_event){.key = KEY_RESIZED,
                                    .x = 1 + (int)random_below(r, 500),
                                    .y = 1 + (int)random_below(r, 500)};
    case 2:
        return (struct input_event){.key = KEY_PASTED};
    default:
        return e;
    }
}

/* A paste as a terminal gives it: valid UTF-8 without NUL. */
static void random_paste(struct random *r, struct strbuf *out)
{
    static const char *const parts[] = {"a", " ",  ">", "<", "\\", "\n",  "\t",    "\033", "\x7f",
                                        "é", "語", "␊", "␛", "␡",  "\\>", "<Esc>", "␀",    "\\"};
    strbuf_clear(out);
    for (uint64_t n = 1 + random_below(r, 12); n > 0; n--)
        strbuf_addstr(out, parts[random_below(r, sizeof(parts) / sizeof(parts[0]))]);
}

TEST(test_what_is_written_is_read)
{
    struct random r = {20261201};
    AUTO_STRBUF paste = STRBUF_INIT;
    for (int round = 0; round < 20000; round++) {
        AUTO_STRBUF script = STRBUF_INIT;
        struct input_event wrote = random_event(&r), got;
        struct input in;
        struct error e;
        random_paste(&r, &paste);
        input_add_script(&script, &wrote, paste.buf);
        assert_null(strpbrk(script.buf, "\n\t\033"));
        if (input_check_script(script.buf, &e))
            fail_msg("%s: %s", script.buf, e.what);
        input_open(&in, NULL, script.buf);
        assert_true(input_next(&in, &got));
        if (wrote.key != got.key)
            fail_msg("%s is %x, not %x", script.buf, got.key, wrote.key);
        assert_int_equal(wrote.x, got.x);
        assert_int_equal(wrote.y, got.y);
        if (wrote.key == KEY_POINTER)
            assert_int_equal(wrote.button, got.button);
        if (wrote.key == KEY_PASTED)
            assert_string_equal(in.paste, paste.buf);
        assert_false(input_next(&in, &got));
        input_release(&in);
    }
}

TEST(test_wrong_names_are_found)
{
    static const struct {
        const char *script, *wrong;
    } of[] = {{"jj<Foo>k", "there is no key `<Foo>`"},
              {"<size:80>", "there is no key `<size:80>`"},
              {"a<paste:b\\>c", "`<paste:b\\>c` has no `>` at its end"},
              {"<click:a,b>", "there is no key `<click:a,b>`"}};
    static const char *const good[] = {"", "j<lt><Enter><C-d><M-x><F12>é<paste:>",
                                       "<ahead>a<wait:10>q"};
    struct error e;
    for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
        assert_int_equal(script_check_keys(of[i].script, &e), -1);
        assert_string_equal(e.what, of[i].wrong);
    }
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        if (script_check_keys(good[i], &e))
            fail_msg("%s: %s", good[i], e.what);
}
