/* Arrays, maps, and running out of memory. */
#include <sys/wait.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

TEST(an_array_keeps_its_elements)
{
    int *item = NULL;
    size_t count = 0, alloc = 0;
    for (int i = 0; i < 1000; i++)
        *ARRAY_ADD(item, count, alloc) = i;
    ARRAY_ROOM(item, count, alloc, 5000);
    assert_true(count == 1000 && alloc >= 6000);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(item[i], i);
    free(item);
}

/* Compares with an array that is searched linearly. */
TEST(rows_are_numbered)
{
    struct random r = {7};
    struct row_index x = ROW_INDEX_INIT;
    int64_t row[700];
    size_t count = 0;
    assert_true(row_index_find(&x, 0) == ROW_NONE);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 3000; i++) {
            int64_t any = (int64_t)random_below(&r, 600) * (i % 2 ? 1 : INT64_C(-0x100000000));
            size_t at = 0;
            while (at < count && row[at] != any)
                at++;
            assert_true(row_index_find(&x, any) == (at < count ? at : ROW_NONE));
            assert_true(row_index_add(&x, any) == at);
            if (at == count && count < 700)
                row[count++] = any;
            if (count == 700)
                break;
        }
        assert_true(x.count == count);
        row_index_clear(&x);
        count = 0;
    }
    row_index_release(&x);
}

TEST(values_are_found_by_keys)
{
    struct map m = MAP_INIT;
    assert_null(map_find(&m, 1));
    for (int64_t key = INT64_MIN, i = 0; i < 5000; i++, key += INT64_C(1) << 48)
        *map_at(&m, key) += i;
    assert_int_equal(*map_find(&m, INT64_MIN), 0);
    assert_int_equal(*map_find(&m, INT64_MIN + (INT64_C(77) << 48)), 77);
    map_clear(&m);
    assert_null(map_find(&m, INT64_MIN));
    assert_int_equal(*map_at(&m, 3), 0);
    map_release(&m);
}

TEST(texts_are_numbered)
{
    struct key_index x = KEY_INDEX_INIT;
    char text[32];
    assert_true(key_index_find(&x, "", 0) == ROW_NONE);
    assert_true(key_index_add(&x, "", 0) == 0);
    assert_true(key_index_add(&x, "a\0b", 3) == 1);
    assert_true(key_index_find(&x, "a\0c", 3) == ROW_NONE);
    for (size_t i = 0; i < 4000; i++) {
        int len = snprintf(text, sizeof(text), "%.*s%zu", (int)(i % 9), "xxxxxxxxx", i);
        assert_true(key_index_add(&x, text, (size_t)len) == i + 2);
    }
    assert_true(key_index_add(&x, "a\0b", 3) == 1);
    assert_string_equal(x.key[2].text, "0");
    assert_true(key_index_find(&x, "x1", 2) == 3);
    key_index_clear(&x);
    assert_true(key_index_find(&x, "x1", 2) == ROW_NONE);
    key_index_release(&x);
}

/* ---- out of memory ---- */

static void restore(void)
{
    ssize_t written = write(STDERR_FILENO, "restored", 8);
    (void)written;
}

static bool refuse(void)
{
    return true;
}

static void too_large(int what)
{
    struct strbuf sb = STRBUF_INIT;
    struct arena arena = ARENA_INIT;
    AUTO_FREE char *item = NULL;
    size_t alloc = 0;
    alloc_on_failure = restore;
    alloc_should_fail = what == 0 ? refuse : NULL;
    if (what == 0)
        free(xmalloc(1));
    else if (what == 1)
        strbuf_grow(&sb, SIZE_MAX - 3);
    else if (what == 2)
        arena_array(&arena, SIZE_MAX / 2, 3);
    else
        ARRAY_ROOM(item, SIZE_MAX / 4 * 3, alloc, 1);
    _exit(0);
}

TEST(out_of_memory_ends_the_program)
{
    for (int what = 0; what < 4; what++) {
        int out[2], status;
        char said[64] = "";
        assert_int_equal(pipe(out), 0);
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0) {
            dup2(out[1], STDERR_FILENO);
            too_large(what);
        }
        close(out[1]);
        assert_true(read(out[0], said, sizeof(said) - 1) >= 0);
        for (ssize_t n;
             (n = read(out[0], said + strlen(said), sizeof(said) - 1 - strlen(said))) > 0;)
            ;
        close(out[0]);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), EXIT_OUT_OF_MEMORY);
        assert_string_equal(said, "restored");
    }
}

/* From the authors' test suite (test_fnv.c of the reference code). */
TEST(the_hash_is_fnv_1a)
{
    static const struct {
        const char *text;
        uint64_t hash;
    } known[] = {
        {"", UINT64_C(0xcbf29ce484222325)},
        {"a", UINT64_C(0xaf63dc4c8601ec8c)},
        {"foobar", UINT64_C(0x85944171f73967e8)},
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        assert_true(fnv_add(FNV_BASIS, known[i].text, strlen(known[i].text)) == known[i].hash);
    assert_true(fnv_add(fnv_add(FNV_BASIS, "foo", 3), "bar", 3) == known[2].hash);
}

TEST(later_duplicates_are_marked)
{
    struct unique_key keys[] = {{.text = "b"},  {.text = "a"}, {.text = "b", .group = 1},
                                {.text = "b"},  {.text = ""},  {.text = "a"},
                                {.text = "ba"}, {.text = ""}};
    static const bool again[] = {false, false, false, true, false, true, false, true};
    unique_find(keys, 8);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(keys[i].again, again[i]);
    assert_string_equal(keys[6].text, "ba");
    unique_find(keys, 0);
    unique_find(NULL, 0);
    unique_find(keys + 3, 1);
    assert_false(keys[3].again);
}

/* Compares all pairs. */
TEST(duplicates_match_a_pairwise_comparison)
{
    static const char *const words[] = {"", "a", "aa", "b", "\xff", "a\xc3\xa9"};
    struct unique_key keys[64];
    unsigned seed = 7;
    for (int round = 0; round < 200; round++) {
        for (size_t i = 0; i < 64; i++) {
            seed = seed * 1103515245u + 12345u;
            keys[i] =
                (struct unique_key){.text = words[(seed >> 16) % 6], .group = (seed >> 24) % 4};
        }
        unique_find(keys, 64);
        for (size_t i = 0; i < 64; i++) {
            bool before = false;
            for (size_t k = 0; k < i; k++)
                before |= keys[k].group == keys[i].group && !strcmp(keys[k].text, keys[i].text);
            assert_int_equal(keys[i].again, before);
        }
    }
}
