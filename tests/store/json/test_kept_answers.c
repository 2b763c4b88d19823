/* An answer that was given before is given again, until something is written or its time is over; and never another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "store/json/kept_answers.h"
#include "store/db/reader.h"
#include "tests/support/entries.h"
#include "tests/support/random.h"
#include "tests/support/store_fixture.h"

#define LONG_US 10000000 /* so much was worth keeping at once */

static struct strbuf question_of(const char *text)
{
    struct strbuf question = STRBUF_INIT;
    strbuf_addstr(&question, text);
    return question;
}

/* Within a transaction. */
static void keep(struct reader *r, const char *asked, const char *said, int64_t subject,
                 int64_t took_us)
{
    struct error e;
    struct strbuf question = question_of(asked), answer = question_of(said);
    assert_int_equal(kept_answer_keep(r, &question, &answer, subject, took_us, &e), 0);
    strbuf_release(&question);
    strbuf_release(&answer);
}

/* Within a transaction: is it that answer that is kept? Else none may be. */
static bool is_kept(struct reader *r, const char *asked, const char *said, int64_t subject)
{
    struct error e;
    int64_t about = -1;
    struct strbuf question = question_of(asked), answer = STRBUF_INIT;
    int found = kept_answer_find(r, &question, &answer, &about, &e);
    assert_in_range(found, 0, 1);
    assert_string_equal(answer.buf, found ? said : "");
    assert_int_equal(about, found ? subject : -1);
    strbuf_release(&question);
    strbuf_release(&answer);
    return found;
}

static void begin(struct reader *r)
{
    struct error e;
    assert_int_equal(reader_begin(r, &e), 0);
}

static void what_is_asked_twice_is_kept(void **state)
{
    (void)state;
    struct fixture f;
    fixture_open(&f);
    fixture_put(&f, "{\"ref\":\"note:one\",\"text\":\"a\"}", NULL);
    begin(f.reader);
    assert_false(is_kept(f.reader, "get one", "{\"a\":1}", 1));
    keep(f.reader, "get one", "{\"a\":1}", 1, 0);
    assert_false(is_kept(f.reader, "get one", "{\"a\":1}", 1));
    keep(f.reader, "get one", "{\"a\":1}", 1, 0);
    assert_true(is_kept(f.reader, "get one", "{\"a\":1}", 1));
    assert_false(is_kept(f.reader, "get on", "", 0));
    assert_false(is_kept(f.reader, "get one ", "", 0));
    keep(f.reader, "what took long", "[]", 0, LONG_US);
    assert_true(is_kept(f.reader, "what took long", "[]", 0));
    reader_end(f.reader);
    begin(f.reader);
    assert_true(is_kept(f.reader, "get one", "{\"a\":1}", 1));
    reader_end(f.reader);
    fixture_close(&f);
}

/* A question has zeros, and so may an answer; neither is too long, or it is not kept. */
static void it_is_kept_to_the_byte(void **state)
{
    (void)state;
    struct fixture f;
    struct random random = {7};
    struct strbuf question = STRBUF_INIT, answer = STRBUF_INIT, got = STRBUF_INIT;
    struct error e;
    int64_t about;
    size_t kept = 0;
    fixture_open(&f);
    begin(f.reader);
    for (int i = 0; i < 200; i++) {
        strbuf_clear(&question);
        strbuf_clear(&answer);
        strbuf_clear(&got);
        strbuf_addf(&question, "%d", i);
        random_bytes(&random, &question, 3000);
        random_bytes(&random, &answer, 3000);
        strbuf_addchars(&answer, 'x', random_below(&random, 300000));
        strbuf_addstr(&got, "before");
        assert_int_equal(kept_answer_keep(f.reader, &question, &answer, i, LONG_US, &e), 0);
        int found = kept_answer_find(f.reader, &question, &got, &about, &e);
        kept += found;
        assert_int_equal(got.len, found ? 6 + answer.len : 6);
        assert_memory_equal(got.buf, "before", 6);
        assert_memory_equal(got.buf + 6, answer.buf, found ? answer.len : 0);
    }
    assert_in_range(kept, 20, 199);
    reader_end(f.reader);
    strbuf_release(&question);
    strbuf_release(&answer);
    strbuf_release(&got);
    fixture_close(&f);
}

static void an_event_ends_all(void **state)
{
    (void)state;
    struct fixture f;
    fixture_open(&f);
    begin(f.reader);
    keep(f.reader, "one", "1", 1, LONG_US);
    keep(f.reader, "two", "2", 2, 0);
    reader_end(f.reader);
    fixture_put(&f, "{\"ref\":\"note:one\",\"text\":\"a\"}", NULL);
    begin(f.reader);
    assert_false(is_kept(f.reader, "one", "1", 1));
    keep(f.reader, "two", "3", 2, 0); /* which was asked once before, of another moment */
    assert_false(is_kept(f.reader, "two", "3", 2));
    reader_end(f.reader);
    fixture_close(&f);
}

/* A reader that stands where it was is told nothing newer, and puts nothing older in its place. */
static void an_older_moment_is_left_alone(void **state)
{
    (void)state;
    struct fixture f;
    struct error e;
    fixture_open(&f);
    struct reader *older = reader_open(f.store, &e);
    assert_non_null(older);
    fixture_put(&f, "{\"ref\":\"note:one\",\"text\":\"a\"}", NULL);
    begin(older);
    keep(older, "one", "before", 1, LONG_US);
    fixture_put(&f, "{\"ref\":\"note:one\",\"text\":\"b\"}", NULL);
    assert_true(is_kept(older, "one", "before", 1));
    begin(f.reader);
    keep(f.reader, "one", "after", 1, LONG_US);
    assert_false(is_kept(older, "one", "after", 1));
    keep(older, "one", "before", 1, LONG_US);
    assert_true(is_kept(f.reader, "one", "after", 1));
    reader_end(f.reader);
    reader_end(older);
    reader_close(older);
    fixture_close(&f);
}

/* More than there is room for: what is told is right, and the last is mostly there. */
static void much_gives_way(void **state)
{
    (void)state;
    struct fixture f;
    struct random random = {9};
    struct strbuf said = STRBUF_INIT;
    char asked[20];
    size_t kept = 0;
    fixture_open(&f);
    begin(f.reader);
    for (uint64_t i = 0; i < 4000; i++) {
        uint64_t number = i % 2000;
        snprintf(asked, sizeof(asked), "%llu", (unsigned long long)number);
        random.state = number;
        strbuf_clear(&said);
        while (said.len < 4000)
            strbuf_addf(&said, "%llx", (unsigned long long)random_next(&random));
        kept += is_kept(f.reader, asked, said.buf, (int64_t)number);
        keep(f.reader, asked, said.buf, (int64_t)number, LONG_US);
        assert_true(is_kept(f.reader, asked, said.buf, (int64_t)number));
    }
    assert_in_range(kept, 20, 1900); /* of 2,000 that were kept before */
    reader_end(f.reader);
    strbuf_release(&said);
    fixture_close(&f);
}

/* An entry that expires changes what is read without an event. */
static void it_ends_when_an_entry_expires(void **state)
{
    (void)state;
    assert_int_equal(entries_put("notes", "short", "\"v\"", 60, NULL, NULL), ERROR_NONE);
    begin(entries_reader);
    keep(entries_reader, "all", "with it", 0, LONG_US);
    assert_true(is_kept(entries_reader, "all", "with it", 0));
    reader_end(entries_reader);
    entries_now += 59999;
    begin(entries_reader);
    assert_true(is_kept(entries_reader, "all", "with it", 0));
    entries_now += 1;
    assert_false(is_kept(entries_reader, "all", "with it", 0));
    keep(entries_reader, "all", "without it", 0, LONG_US); /* it is not swept so far */
    assert_false(is_kept(entries_reader, "all", "without it", 0));
    reader_end(entries_reader);
    entries_sweep();
    begin(entries_reader);
    keep(entries_reader, "all", "without it", 0, LONG_US);
    assert_true(is_kept(entries_reader, "all", "without it", 0));
    reader_end(entries_reader);
}

/* Who reads says what else ends by itself, and says it of that transaction alone. */
static void it_ends_when_it_was_said_to(void **state)
{
    (void)state;
    begin(entries_reader);
    reader_holds_until(entries_reader, entries_now + 2000);
    reader_holds_until(entries_reader, entries_now + 1000);
    reader_holds_until(entries_reader, entries_now + 3000);
    keep(entries_reader, "times", "ahead", 0, LONG_US);
    reader_end(entries_reader);
    begin(entries_reader);
    keep(entries_reader, "others", "all", 0, LONG_US);
    entries_now += 999;
    assert_true(is_kept(entries_reader, "times", "ahead", 0));
    entries_now += 1;
    assert_false(is_kept(entries_reader, "times", "ahead", 0));
    assert_true(is_kept(entries_reader, "others", "all", 0));
    reader_end(entries_reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_asked_twice_is_kept),
        cmocka_unit_test(it_is_kept_to_the_byte),
        cmocka_unit_test(an_event_ends_all),
        cmocka_unit_test(an_older_moment_is_left_alone),
        cmocka_unit_test(much_gives_way),
        cmocka_unit_test_setup_teardown(it_ends_when_an_entry_expires, entries_set_up,
                                        entries_tear_down),
        cmocka_unit_test_setup_teardown(it_ends_when_it_was_said_to, entries_set_up,
                                        entries_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
