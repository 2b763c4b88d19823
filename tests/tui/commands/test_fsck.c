/* stemma fsck as a person runs it: what it says, once, and with which status it ends. */
#include "tests/support/scratch.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/json/json.h"
#include "tests/support/kernle_fixture.h"
#include "tests/support/program.h"

static struct program p;

#define SAYS(text)  assert_says(p.out, text)
#define TELLS(text) assert_says(p.err, text)

static void assert_says(const char *said, const char *text)
{
    if (!strstr(said, text))
        fail_msg("\"%s\" is not in\n%s", text, said);
}

static size_t count_of(const char *said, const char *text)
{
    size_t count = 0;
    for (; (said = strstr(said, text)); said += strlen(text))
        count++;
    return count;
}

static void fill(struct store *s)
{
    scratch_put(s, "{\"ref\":\"raw:first\",\"agent_id\":\"ash\",\"text\":\"the pump was loud\"}");
    scratch_put(s, "{\"ref\":\"belief:second\",\"agent_id\":\"ash\",\"text\":\"pumps wear out\","
                   "\"derived_from\":[\"raw:first\"]}");
    scratch_put(s, "{\"ref\":\"note:third\",\"agent_id\":\"ash\",\"text\":\"oil it\","
                   "\"derived_from\":[\"belief:second\"]}");
}

/* A small store that `sql` (may be NULL) was done to; free() it. */
static char *made(const char *sql)
{
    char *path = scratch_path("store.db");
    struct store *s = scratch_store(path);
    fill(s);
    store_close(s);
    if (sql)
        kernle_sql(path, sql);
    return path;
}

static void all_is_well(void **state)
{
    (void)state;
    char *path = made(NULL);
    PROGRAM(&p, "fsck", "--store", path);
    assert_int_equal(p.status, 0);
    assert_string_equal(p.out, "3 events, 3 memories and 2 links checked: all is well\n");
    free(path);
}

static void a_finding_says_the_ref_once_and_what_to_do(void **state)
{
    (void)state;
    static const struct {
        const char *sql, *line;
    } cases[] = {
        {"UPDATE memory SET text = 'x' WHERE name = 'second'",
         "row-altered: belief:second was altered: it is not what its last event, 2, left. Compare "
         "what stemma show says of it with a backup.\n"},
        {"UPDATE event SET actor = 'eve' WHERE seq = 2",
         "event-altered: event 2 on belief:second was altered: a column does not say what its text "
         "says. Compare it with a backup.\n"},
        {"INSERT INTO memory_fts(memory_fts) VALUES ('delete-all')",
         "search: the search index is empty: searches find little or nothing. "
         "stemma fsck --rebuild-search makes it anew.\n"},
        {"DROP INDEX memory_created",
         "database: the index memory_created is missing. The next change to the store makes it "
         "anew.\n"},
        {"INSERT INTO memory_fts(rowid, text) VALUES (2, 'ghost')",
         "search: the search index has words that are not there of belief:second. stemma fsck "
         "--rebuild-search makes it anew.\n"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *path = made(cases[i].sql);
        PROGRAM(&p, "fsck", "--store", path);
        assert_int_equal(p.status, 1);
        SAYS(cases[i].line);
        SAYS("checked: 1 fault\n");
        PROGRAM(&p, "fsck", "--json", "--store", path);
        assert_int_equal(p.status, 1);
        SAYS("\"todo\":\"");
        SAYS("\"findings\":1");
        assert_int_equal(count_of(p.out, "\n"), 2);
        free(path);
    }
}

/* What rests on a row that is gone was not altered: it names it. */
static void a_row_that_is_gone_is_named_by_what_rests_on_it(void **state)
{
    (void)state;
    char *path = made("DELETE FROM memory WHERE name = 'first'");
    PROGRAM(&p, "fsck", "--store", path);
    assert_int_equal(p.status, 1);
    SAYS("row-unrecorded: raw:first is gone (row 1), and event 1 is about it. Restore it from a "
         "backup.\n");
    SAYS("link-broken: belief:second names row 1 (raw:first), which is gone, and cannot be checked "
         "without it. Restore that row from a backup.\n");
    SAYS("checked: 2 faults\n");
    assert_null(strstr(p.out, "altered"));
    free(path);
}

static void an_event_that_is_gone_leaves_a_memory_unchecked(void **state)
{
    (void)state;
    char *path = made("DELETE FROM event WHERE seq = 2");
    PROGRAM(&p, "fsck", "--store", path);
    SAYS("chain-broken: event 2 is missing.");
    SAYS("row-unrecorded: belief:second cannot be checked: its last event, 2, is gone.");
    assert_null(strstr(p.out, "put in past"));
    free(path);
}

static void a_head_that_is_broken_is_not_a_missing_one(void **state)
{
    (void)state;
    char *path = made(NULL), head[4096];
    scratch_head(head, sizeof(head), path);
    scratch_write(head, "nonsense", 8);
    PROGRAM(&p, "fsck", "--store", path);
    assert_int_equal(p.status, 1);
    SAYS("head: ");
    SAYS(
        " is not a journal's head, so a cut tail would not show. The next change to the store "
        "writes it anew.\n");
    assert_null(strstr(p.out, "tail-cut"));
    assert_null(strstr(p.out, "There is no head"));
    PROGRAM(&p, "add", "raw", "more", "--store", path);
    assert_int_equal(p.status, 0);
    PROGRAM(&p, "fsck", "--store", path);
    assert_int_equal(p.status, 0);
    unlink(head);
    PROGRAM(&p, "fsck", "--store", path);
    assert_int_equal(p.status, 0);
    SAYS("There is no head file, so a cut tail would not show.\n");
    free(path);
}

/* ---- signatures ---- */

static void write_private(const char *path, const char *text)
{
    scratch_write(path, text, strlen(text));
    assert_int_equal(chmod(path, 0600), 0);
}

static void signatures_are_checked_with_the_key_alone(void **state)
{
    (void)state;
    char *path = scratch_path("store.db"), *key = scratch_path("key"), *wrong = scratch_path("key");
    char *config = scratch_path("config.yaml"), text[4200];
    write_private(key, "a secret");
    write_private(wrong, "another secret");
    struct store *s =
        scratch_store_with(path, &(struct store_options){.create = true, .hmac_key = key});
    fill(s);
    store_close(s);

    PROGRAM(&p, "fsck", "--store", path);
    assert_int_equal(p.status, 0);
    SAYS(
        "all is well\n3 events are signed (HMAC), and their signatures were not checked: no key is "
        "configured (hmac_key).\n");
    PROGRAM(&p, "fsck", "--json", "--store", path);
    SAYS("\"signed\":3,\"signatures_checked\":false");

    snprintf(text, sizeof(text), "hmac_key: %s\n", key);
    scratch_write(config, text, strlen(text));
    PROGRAM(&p, "fsck", "--store", path, "--config", config);
    assert_int_equal(p.status, 0);
    SAYS("all is well\nThe signatures (HMAC) of 3 events were checked.\n");
    PROGRAM(&p, "fsck", "--json", "--store", path, "--config", config);
    SAYS("\"signed\":3,\"signatures_checked\":true");

    snprintf(text, sizeof(text), "hmac_key: %s\n", wrong);
    scratch_write(config, text, strlen(text));
    PROGRAM(&p, "fsck", "--store", path, "--config", config);
    assert_int_equal(p.status, 1);
    assert_int_equal(count_of(p.out, "its signature (HMAC) is not of this key"), 3);

    kernle_sql(path, "UPDATE event SET hmac = NULL");
    PROGRAM(&p, "fsck", "--store", path, "--config", config);
    SAYS("3 of 3 events carry no signature (HMAC), so the key says nothing of them.\n");
    free(path);
    free(key);
    free(wrong);
    free(config);
}

/* ---- the search index ---- */

static void the_search_index_is_made_anew(void **state)
{
    (void)state;
    char *path = made("INSERT INTO memory_fts(memory_fts) VALUES ('delete-all')");
    PROGRAM(&p, "search", "pump", "--store", path);
    assert_int_equal(p.status, 1);
    PROGRAM(&p, "fsck", "--rebuild-search", "--read-only", "--store", path);
    assert_int_equal(p.status, 4);
    PROGRAM(&p, "fsck", "--rebuild-search", "--store", path);
    assert_int_equal(p.status, 0);
    TELLS("the search index was made anew from 3 memories");
    SAYS("3 events, 3 memories and 2 links checked: all is well\n");
    PROGRAM(&p, "search", "pump", "--store", path);
    assert_int_equal(p.status, 0);
    SAYS("the pump was loud");
    PROGRAM(&p, "fsck", "--help");
    SAYS("--rebuild-search");
    free(path);
}

/* ---- what is no store ---- */

/* The file with `len` bytes from `at` on written over. */
static void wreck(const char *path, size_t at, size_t len)
{
    size_t size;
    char *bytes = scratch_read(path, &size);
    assert_non_null(bytes);
    assert_true(size > at);
    memset(bytes + at, 0xff, len < size - at ? len : size - at);
    scratch_write(path, bytes, size);
    free(bytes);
}

static void assert_cannot_check(const char *path, const char *says)
{
    PROGRAM(&p, "fsck", "--store", path);
    if (p.status != 3)
        fail_msg("%s: %d\n%s%s", says, p.status, p.out, p.err);
    TELLS(says);
    assert_null(strstr(p.err, "stemma fsck"));
    assert_int_equal(count_of(p.err, "\n"), 1);
}

static void what_is_no_store_is_named(void **state)
{
    (void)state;
    char *kernle = scratch_path("kernle.db"), *foreign = scratch_path("foreign.db");
    kernle_make(kernle, 26, NULL);
    kernle_sql(foreign, "CREATE TABLE t(x); INSERT INTO t VALUES (1)");
    assert_cannot_check(kernle, "is a store of Kernle. Run stemma import kernle on it.");
    assert_cannot_check(foreign, "is a database of another program.");
    wreck(kernle, 100, 300);
    wreck(foreign, 100, 300);
    assert_cannot_check(kernle, "looks like a store of Kernle, and is damaged.");
    assert_cannot_check(foreign, "is a damaged database, and not one of stemma's.");
    wreck(foreign, 0, 100);
    assert_cannot_check(foreign, "is no database, or its beginning was written over.");
    char *path = made("PRAGMA wal_checkpoint(TRUNCATE)");
    wreck(path, 100, 300);
    assert_cannot_check(path,
                        "is a store of stemma, so damaged that it cannot be checked. Restore a "
                        "backup.");
    free(path);
    free(kernle);
    free(foreign);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_is_well),
        cmocka_unit_test(a_finding_says_the_ref_once_and_what_to_do),
        cmocka_unit_test(a_row_that_is_gone_is_named_by_what_rests_on_it),
        cmocka_unit_test(an_event_that_is_gone_leaves_a_memory_unchecked),
        cmocka_unit_test(a_head_that_is_broken_is_not_a_missing_one),
        cmocka_unit_test(signatures_are_checked_with_the_key_alone),
        cmocka_unit_test(the_search_index_is_made_anew),
        cmocka_unit_test(what_is_no_store_is_named),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    program_release(&p);
    return failed;
}
