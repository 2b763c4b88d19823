/* stemma check: the hash that a logged retrieval recorded, beside a file's or the kept content's. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include "model/base/digest.h"
#include "model/json/json.h"
#include "tests/support/program.h"
#include "tests/support/store_fixture.h"

static struct fixture f;
static struct program p;
static char path[400]; /* of a file that is compared */

#define HELLO "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
#define UPPER "2CF24DBA5FB0A30E26E83B2AC5B9E29E1B161E5C1FA7425E73043362938B9824"
#define KEPT(ref, hash, content)                                                                   \
    "{\"ref\":\"attribution:" ref                                                                  \
    "\",\"text\":\"t\",\"detail\":{\"source_type\":\"web\",\"full_content_hash\":" hash            \
    ",\"full_content_json\":" content "}}"

static int setup(void **state)
{
    (void)state;
    fixture_open(&f);
    snprintf(path, sizeof(path), "%s/file", f.directory);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    unlink(path);
    program_release(&p);
    p = (struct program){0};
    fixture_close(&f);
    return 0;
}

static void write_file(const void *bytes, size_t len)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

static void check(const char *ref, const char *file, int status, const char *says)
{
    if (file)
        PROGRAM_WITH(&p, "hello", "check", ref, file, "--store", f.path);
    else
        PROGRAM(&p, "check", ref, "--store", f.path);
    if (p.status != status || !strstr(status > 1 ? p.err : p.out, says))
        fail_msg("%s: %d %s%s", ref, p.status, p.out, p.err);
}

static void a_file_is_compared(void **state)
{
    (void)state;
    fixture_put(&f, KEPT("lower", "\"" HELLO "\"", "null"), KEPT("upper", "\"" UPPER "\"", "null"),
                NULL);
    write_file("hello", 5);
    check("attribution:lower", path, 0, "equal: ");
    check("attribution:upper", path, 0, "equal: ");
    check("upper", path, 0, "  found     " HELLO "\n");
    check("attribution:lower", "-", 0, "equal: standard input");
    write_file("hello\n", 6);
    check("attribution:lower", path, 1, "differs: ");
    write_file("", 0);
    check("attribution:lower", path, 1, "differs: ");
}

static void without_a_file_the_kept_content_is(void **state)
{
    (void)state;
    fixture_put(&f, KEPT("text", "\"" HELLO "\"", "\"hel\\u006co\""),
                KEPT("other", "\"" HELLO "\"", "{\"a\":1}"), KEPT("none", "\"" HELLO "\"", "null"),
                KEPT("nohash", "null", "\"hello\""), KEPT("nonsense", "\"12\"", "\"hello\""),
                KEPT("json", "\"015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862\"",
                     "{\"a\":1}"),
                NULL);
    check("attribution:text", NULL, 0, "equal: the stored content");
    check("attribution:other", NULL, 1, "differs: ");
    check("attribution:json", NULL, 0, "equal: ");
    check("attribution:none", NULL, 1, "no content: ");
    check("attribution:nohash", NULL, 1, "no hash: ");
    check("attribution:nonsense", NULL, 1, "no hash: ");
    write_file("hello", 5);
    check("attribution:nohash", path, 1, "no hash: ");
}

static void what_cannot_be_checked_says_why(void **state)
{
    (void)state;
    fixture_put(&f, KEPT("a", "\"" HELLO "\"", "null"), "{\"ref\":\"note:n\",\"text\":\"n\"}",
                "{\"ref\":\"belief:b\",\"text\":\"b\",\"derived_from\":[\"attribution:gone\"]}",
                NULL);
    check("attribution:a", "/no/such\x1b[2Jfile", 3, "cannot be read: No such file");
    assert_null(strchr(p.err, '\x1b'));
    check("attribution:a", f.directory, 3, "Is a directory");
    check("note:n", NULL, 3, "is no attribution");
    check("attribution:gone", NULL, 1, "");
    assert_non_null(strstr(p.err, "never written"));
    PROGRAM(&p, "check", "--store", f.path);
    assert_int_equal(p.status, 2);
    PROGRAM(&p, "check", "attribution:a", "b", "c", "--store", f.path);
    assert_int_equal(p.status, 2);
    if (getuid() != 0) {
        write_file("hello", 5);
        assert_int_equal(chmod(path, 0), 0);
        check("attribution:a", path, 3, "Permission denied");
    }
}

static void as_json_it_is_one_object(void **state)
{
    (void)state;
    struct error e;
    fixture_put(&f, KEPT("a", "\"" UPPER "\"", "null"), NULL);
    write_file("hello", 5);
    PROGRAM(&p, "check", "attribution:a", path, "--store", f.path, "--json");
    assert_int_equal(p.status, 0);
    assert_int_equal(json_check(p.out, p.out_len, 4, &e), 0);
    assert_non_null(strstr(p.out, "{\"ref\":\"attribution:a\",\"result\":\"equal\",\"equal\":true,"
                                  "\"recorded\":\"" HELLO "\",\"found\":\"" HELLO "\",\"file\":"));
    assert_non_null(strstr(p.out, "\"bytes\":5}"));
    PROGRAM(&p, "check", "attribution:a", "--store", f.path, "--json");
    assert_int_equal(p.status, 1);
    assert_non_null(strstr(p.out, "\"result\":\"no-content\",\"equal\":false"));
    assert_non_null(strstr(p.out, "\"found\":null,\"file\":null}"));
}

/* Longer than any piece that is read at once, and not a multiple of one. */
static void a_long_file_is_read_in_pieces(void **state)
{
    (void)state;
    size_t len = (3 << 20) + 17;
    char *bytes = malloc(len), line[400], hex[65];
    struct digest d;
    assert_non_null(bytes);
    for (size_t i = 0; i < len; i++)
        bytes[i] = (char)(i * 31 + (i >> 9));
    digest_bytes(&d, bytes, len);
    digest_hex(hex, &d);
    snprintf(line, sizeof(line), KEPT("a", "\"%s\"", "null"), hex);
    fixture_put(&f, line, NULL);
    write_file(bytes, len);
    check("attribution:a", path, 0, "equal: ");
    bytes[len - 1] ^= 1;
    write_file(bytes, len);
    check("attribution:a", path, 1, "differs: ");
    free(bytes);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_file_is_compared),
        TEST(without_a_file_the_kept_content_is),
        TEST(what_cannot_be_checked_says_why),
        TEST(as_json_it_is_one_object),
        TEST(a_long_file_is_read_in_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
