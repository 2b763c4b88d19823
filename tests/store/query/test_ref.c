/* Refs as people type them: exact, or a prefix that only one memory has. */

#include "model/base/strbuf.h"
#include "store/query/ref.h"
#include "tests/support/store_fixture.h"
#include "tests/support/test.h"

static void put(struct fixture *f, const char *ref)
{
    char line[1200];
    snprintf(line, sizeof(line), "{\"ref\":\"%s\",\"text\":\"t\"}", ref);
    fixture_put(f, line, NULL);
}

static void finds(struct fixture *f, const char *typed, const char *ref)
{
    struct error e = {0};
    int64_t row = ref_resolve(f->reader, typed, &e);
    if (row < 0)
        fail_msg("%s: %s", typed, e.what);
    assert_string_equal(fixture_ref(f, row), ref);
}

static struct error refuses(struct fixture *f, const char *typed, enum error_code code)
{
    struct error e = {0};
    assert_int_equal(ref_resolve(f->reader, typed, &e), -1);
    assert_int_equal(e.code, code);
    return e;
}

/* Puts a link to a memory that does not exist. */
static void name(struct fixture *f, const char *ref)
{
    static int named;
    char line[1200];
    snprintf(line, sizeof(line),
             "{\"ref\":\"belief:names-%d\",\"text\":\"t\",\"derived_from\":[\"%s\"]}", named++,
             ref);
    fixture_put(f, line, NULL);
}

#define WRITTEN "raw:47d1fa63-0000-4000-8000-000000000001"

FIXTURE(fixture_set_up, fixture_tear_down);

TEST(test_written_memories_precede_stubs)
{
    struct fixture *f = *state;
    put(f, WRITTEN);
    name(f, "raw:47d1fa63");
    name(f, "raw:47d1fa63-0000-4000-8000-000000000002");
    name(f, "raw:47d1fa63-and-more");
    name(f, "belief:47d1fa63");
    name(f, "belief:47d1fa63-0000-4000-8000-000000000001");
    finds(f, "raw:47d1fa63", WRITTEN);
    finds(f, "47d1fa63", WRITTEN);
    finds(f, "raw:47d1", WRITTEN);
    finds(f, "47d1fa63-0000-4000-8000-000000000001", WRITTEN);
    finds(f, "raw:47d1fa63-0000-4000-8000-000000000002",
          "raw:47d1fa63-0000-4000-8000-000000000002");
    finds(f, "raw:47d1fa63-a", "raw:47d1fa63-and-more");
    finds(f, "belief:47d1fa63", "belief:47d1fa63");
    put(f, "raw:47d1fa63"); /* once written, its own name finds it */
    finds(f, "raw:47d1fa63", "raw:47d1fa63");
}

TEST(test_a_stub_is_found_if_nothing_else_matches)
{
    struct fixture *f = *state;
    put(f, "note:47d1fa6-too-few");
    put(f, "note:shared-prefix-1");
    put(f, "note:shared-prefix-2");
    name(f, "note:47d1fa6");
    name(f, "note:shared-prefix");
    finds(f, "note:47d1fa6", "note:47d1fa6");
    finds(f, "note:shared-prefix", "note:shared-prefix"); /* no list shows them this way */
    struct error e = refuses(f, "note:shared-p", ERROR_INVALID);
    assert_non_null(strstr(e.what, "any of 2 memories"));
}

TEST(test_candidates_are_named)
{
    struct fixture *f = *state;
    put(f, "note:shared-prefix-1");
    put(f, "belief:shared-prefix-2");
    struct error e = refuses(f, "shared-p", ERROR_INVALID);
    assert_string_equal(e.hint, "Say which: belief:shared-p, note:shared-p");
    put(f, "note:shared-prefix-3");
    e = refuses(f, "note:shared", ERROR_INVALID);
    assert_string_equal(e.hint, "Say which: note:shared-prefix-1, note:shared-prefix-3");
    for (int i = 4; i < 20; i++) {
        char ref[40];
        snprintf(ref, sizeof(ref), "raw:shared-%02d", i);
        put(f, ref);
    }
    e = refuses(f, "shared", ERROR_INVALID);
    assert_non_null(strstr(e.what, "any of 19 memories"));
    assert_non_null(strstr(e.hint, "and 14 more"));
}

/* ---- the shortest prefix ---- */

static void shortens(struct fixture *f, const char *ref, size_t wanted)
{
    struct ref parsed;
    assert_int_equal(ref_parse(ref, &parsed), REF_MEMORY);
    assert_int_equal(ref_short_length(f->reader, parsed), wanted);
}

TEST(test_the_shortest_unique_prefix)
{
    struct fixture *f = *state;
    put(f, "belief:54c5507f-0000-4000-8000-000000000001");
    shortens(f, "belief:54c5507f-0000-4000-8000-000000000001", 8);
    put(f, "belief:54c5507f-0000-4000-8000-000000000002");
    shortens(f, "belief:54c5507f-0000-4000-8000-000000000001", 36);
    put(f, "belief:54c5507f-0001-4000-8000-000000000002");
    shortens(f, "belief:54c5507f-0001-4000-8000-000000000002", 13);
    put(f, "raw:54c5507f-0001-4000-8000-000000000002"); /* a memory of another kind */
    shortens(f, "belief:54c5507f-0001-4000-8000-000000000002", 13);
    put(f, "note:abc");
    put(f, "note:abcdefghij");
    put(f, "note:abcdefghijkl");
    shortens(f, "note:abc", 3);
    shortens(f, "note:abcdefghij", 10);
    shortens(f, "note:abcdefghijkl", 11);
    put(f, "note:日本語日本語日本語あ");
    put(f, "note:日本語日本語日本語い");
    shortens(f, "note:日本語日本語日本語い", 30); /* the prefix ends at a code point */
    put(f, "note:日本語日本語日本語");
    shortens(f, "note:日本語日本語日本語", 27);
}

/* The shortened form of an id names that memory, for random ids with any neighbours. */
TEST(test_shortened_ids_resolve)
{
    struct fixture *f = *state;
    uint32_t seed = 7;
    char refs[150][40];
    const char *lines[150];
    char text[150][80];
    for (int i = 0; i < 150; i++) {
        int len = snprintf(refs[i], sizeof(refs[i]), "goal:");
        for (int k = 0; k < 12; k++) {
            seed = seed * 1664525u + 1013904223u;
            len += snprintf(refs[i] + len, sizeof(refs[i]) - (size_t)len, "%c",
                            (seed >> 16) % 8 ? 'a' : 'b');
        }
        snprintf(text[i], sizeof(text[i]), "{\"ref\":\"%s\",\"text\":\"t\"}", refs[i]);
        lines[i] = text[i];
    }
    fixture_put_lines(f, lines, 150);
    for (int i = 0; i < 150; i++) {
        struct ref ref;
        char typed[60];
        ref_parse(refs[i], &ref);
        snprintf(typed, sizeof(typed), "goal:%.*s", (int)ref_short_length(f->reader, ref), ref.id);
        finds(f, typed, refs[i]);
    }
}
