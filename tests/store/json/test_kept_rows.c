/* What is kept by rows: the last that was kept of a row, until something happens to it, and no more than there is room
 * for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "store/json/kept_rows.h"
#include "store/db/reader.h"
#include "tests/support/random.h"
#include "tests/support/store_fixture.h"

#define ROWS  60
#define SLOTS 64

struct thing {
    struct kept_row kept;
    int64_t row, version;
    char bytes[];
};

static int64_t now(struct reader *r)
{
    struct error e;
    int64_t seq;
    assert_int_equal(reader_moment(r, &seq, &e), 0);
    return seq;
}

static void put(struct fixture *f, int64_t row, int version)
{
    char line[100];
    snprintf(line, sizeof(line), "{\"ref\":\"note:n%d\",\"text\":\"%d\"}", (int)row, version);
    fixture_put(f, line, NULL);
}

/* Was it found? What is found is of that version. */
static bool look_up(struct kept_rows *k, struct reader *r, int64_t row, int64_t version)
{
    struct kept_row *kept;
    struct error e;
    int found = kept_rows_find(k, r, now(r), row, &kept, &e);
    assert_true(found >= 0);
    if (found) {
        assert_int_equal(((struct thing *)kept)->row, row);
        assert_int_equal(((struct thing *)kept)->version, version);
    }
    return found;
}

static bool add(struct kept_rows *k, int64_t seq, int64_t row, int64_t version, size_t more)
{
    struct thing *thing = (struct thing *)kept_rows_add(k, seq, row, sizeof(*thing) + more);
    if (!thing)
        return false;
    thing->row = row;
    thing->version = version;
    memset(thing->bytes, 'x', more);
    return true;
}

static void what_is_kept_is_of_now(void **state)
{
    (void)state;
    struct fixture f;
    struct random random = {3};
    struct kept_rows k;
    struct error e;
    int64_t version[ROWS + 1] = {0};
    size_t found = 0;
    fixture_open(&f);
    for (int row = 1; row <= ROWS; row++)
        put(&f, row, 0);
    kept_rows_init(&k, SLOTS, 40000);
    for (int step = 0; step < 4000; step++) {
        int64_t row = 1 + random_below(&random, ROWS);
        if (step % 40 == 0)
            put(&f, row, (int)++version[row]);
        assert_int_equal(reader_begin(f.reader, &e), 0);
        if (look_up(&k, f.reader, row, version[row]))
            found++;
        else
            add(&k, now(f.reader), row, version[row], random_below(&random, 300));
        reader_end(f.reader);
        assert_true(k.bytes <= 40000);
    }
    assert_true(found > 3000);
    kept_rows_release(&k);
    fixture_close(&f);
}

static void what_is_asked_for_once_is_not_kept(void **state)
{
    (void)state;
    struct fixture f;
    struct kept_rows k;
    struct error e;
    fixture_open(&f);
    put(&f, 1, 0);
    kept_rows_init(&k, SLOTS, 40000);
    assert_int_equal(reader_begin(f.reader, &e), 0);
    assert_false(look_up(&k, f.reader, 1, 0));
    assert_false(add(&k, now(f.reader), 1, 0, 10));
    assert_true(add(&k, now(f.reader), 1, 0, 10));
    assert_true(look_up(&k, f.reader, 1, 0));
    assert_false(add(&k, now(f.reader) - 1, 1, 0, 10)); /* of another moment */
    reader_end(f.reader);
    kept_rows_release(&k);
    fixture_close(&f);
}

/* Of more rows in turn than there is room for, some are found still. */
static void there_is_room_for_so_much(void **state)
{
    (void)state;
    struct fixture f;
    struct kept_rows k;
    struct error e;
    size_t found = 0;
    fixture_open(&f);
    put(&f, 1, 0);
    kept_rows_init(&k, SLOTS, 4000);
    assert_int_equal(reader_begin(f.reader, &e), 0);
    for (int i = 0; i < 100 * ROWS; i++) {
        if (look_up(&k, f.reader, 1 + i % ROWS, 0))
            found++;
        else
            add(&k, now(f.reader), 1 + i % ROWS, 0, 100);
        assert_true(k.bytes <= 4000);
    }
    assert_true(found > 0);
    reader_end(f.reader);
    kept_rows_release(&k);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_is_of_now),
        cmocka_unit_test(what_is_asked_for_once_is_not_kept),
        cmocka_unit_test(there_is_room_for_so_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
