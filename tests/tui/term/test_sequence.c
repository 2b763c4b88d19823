/* Escape sequences: bytes of a sequence are never keys, and arrows work in every form. */
#include "tests/support/test.h"
#include "tui/term/input.h"
#include "tests/support/random.h"
#include "tests/support/scratch.h"

/* The key of the bytes after an Esc. *rest is the number of unused bytes. */
static uint32_t take(const char *bytes, struct input_event *event, size_t *rest)
{
    struct sequence s;
    size_t len = strlen(bytes);
    *event = (struct input_event){0};
    assert_true(sequence_begin(&s, (unsigned char)bytes[0]));
    for (size_t i = 1; i < len; i++) {
        enum sequence_step step = sequence_take(&s, (unsigned char)bytes[i], event);
        if (step != SEQUENCE_INCOMPLETE) {
            *rest = len - i - (step == SEQUENCE_DONE);
            return event->key;
        }
    }
    fail_msg("the sequence %s does not end", bytes);
    return KEY_NONE;
}

TEST(test_sequences_are_keys)
{
    static const struct {
        const char *bytes;
        uint32_t key;
    } cases[] = {
        {"[A", KEY_ARROW_UP},       {"[B", KEY_ARROW_DOWN},  {"[C", KEY_ARROW_RIGHT},
        {"[D", KEY_ARROW_LEFT},     {"[H", KEY_FIRST},       {"[F", KEY_LAST},
        {"OA", KEY_ARROW_UP},       {"OH", KEY_FIRST},       {"OM", KEY_RETURN},
        {"[1;5C", KEY_ARROW_RIGHT}, {"[1;2A", KEY_ARROW_UP}, {"[1;5H", KEY_FIRST},
        {"[5;5~", KEY_PAGE_UP},     {"[3;2~", KEY_DELETE},   {"[24~", KEY_F_1 + 11},
        {"[1;5P", KEY_F_1},         {"[Z", KEY_BACK_TAB},    {"[99~", KEY_UNKNOWN},
        {"[27;5;9~", KEY_UNKNOWN},  {"[113u", KEY_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct input_event event;
        size_t rest;
        assert_int_equal(take(cases[i].bytes, &event, &rest), cases[i].key);
        assert_int_equal(rest, 0);
    }
}

TEST(test_answers_of_the_terminal_are_no_keys)
{
    static const char *const cases[] = {
        "[5;5R",         "[?1;2c",       "[I",         "[O",       "]10;rgb:0/Q/q\a",
        "]11;q\033\\",   "P1$r0q\033\\", "_Gq\033\\",  "^q\033\\", "Xq\033\\",
        "[?2026;2$y",    "[<35;10;10M",  "[<0;10;10m", "[0n",      "[4;480;640t",
        "]2;\302\255\a", "[M#!!",
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct input_event event;
        size_t rest;
        assert_int_equal(take(cases[i], &event, &rest), KEY_NONE);
        assert_int_equal(rest, 0);
    }
    struct input_event event;
    size_t rest;
    assert_int_equal(take("]11;rgb:0/0/0\a", &event, &rest), KEY_BACKGROUND);
}

TEST(test_pointer_sequences)
{
    static const struct {
        const char *bytes;
        int button, x, y;
    } cases[] = {
        {"[<0;10;5M", 1, 9, 4}, {"[<64;1;1M", 4, 0, 0}, {"[<65;300;200M", 5, 299, 199},
        {"[<16;3;4M", 1, 2, 3}, {"[M !!", 1, 0, 0},     {"[M`*%", 4, 9, 4},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct input_event event;
        size_t rest;
        assert_int_equal(take(cases[i].bytes, &event, &rest), KEY_POINTER);
        assert_int_equal(event.button, cases[i].button);
        assert_int_equal(event.x, cases[i].x);
        assert_int_equal(event.y, cases[i].y);
    }
}

/* A character that breaks a sequence is a key. */
TEST(test_a_broken_sequence_ends)
{
    struct input_event event;
    size_t rest;
    take("[1;\033", &event, &rest);
    assert_int_equal(rest, 1);
    take("[\003", &event, &rest);
    assert_int_equal(rest, 1);
    take("]0;text\033q", &event, &rest);
    assert_int_equal(rest, 1);
}

/* No sequence is endless, and none accesses memory out of bounds. */
TEST(test_random_bytes_end)
{
    struct random r = {7};
    for (int run = 0; run < 2000; run++) {
        static const char begins[] = "[O]P_^X";
        struct sequence s;
        struct input_event event = {0};
        size_t taken = 0;
        assert_true(sequence_begin(&s, (uint32_t)begins[random_below(&r, 7)]));
        while (sequence_take(&s, (uint32_t)(' ' + random_below(&r, 31)), &event) ==
               SEQUENCE_INCOMPLETE)
            assert_true(++taken < 100000);
        assert_int_equal(s.state, SEQUENCE_NONE);
    }
}
