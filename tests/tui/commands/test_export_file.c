/* Where an export may be written, and what is never written over. */
#include <fcntl.h>
#include <locale.h>
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
#include "model/base/strbuf.h"
#include "tests/support/scratch.h"
#include "tests/support/story.h"

/* A store of one memory that a test may try to destroy. */
static char victim[300];

static void make_victim(const char *name)
{
    story_store(victim, sizeof(victim), name, "{\"ref\":\"raw:one\",\"text\":\"kept\"}\n");
}

/* Refused with 4, and nothing of the store was changed. */
static void refused(const char *target)
{
    PROGRAM(&story.p, "export", "-o", target, "--store", victim);
    assert_int_equal(story.p.status, 4);
    assert_int_equal(story.p.out_len, 0);
    PROGRAM(&story.p, "fsck", "--store", victim);
    assert_int_equal(story.p.status, 0);
    PROGRAM(&story.p, "show", "raw:one", "--store", victim);
    STORY_SAYS("kept");
}

static void a_store_is_never_written_over(void **state)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    char target[400], link_path[300], dotted[500];
    (void)state;
    make_victim("victim.db");
    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
        snprintf(target, sizeof(target), "%s%s", victim, suffixes[i]);
        bool there = access(target, F_OK) == 0;
        refused(target);
        if (!there && strcmp(suffixes[i], "-journal") == 0)
            assert_int_not_equal(access(target, F_OK), 0);
    }
    snprintf(dotted, sizeof(dotted), "%s/./victim.db-journal", story.directory);
    refused(dotted);
    story_path(link_path, sizeof(link_path), "hard");
    assert_int_equal(link(victim, link_path), 0);
    refused(link_path);
    unlink(link_path);
    story_path(link_path, sizeof(link_path), "soft");
    assert_int_equal(symlink("victim.db", link_path), 0);
    refused(link_path);
    /* The store is named by the link, and its own name is the target. */
    snprintf(target, sizeof(target), "%s", victim);
    snprintf(victim, sizeof(victim), "%s", link_path);
    refused(target);
    unlink(link_path);
}

static void standard_output_is_no_way_round(void **state)
{
    (void)state;
    make_victim("appended.db");
    program_run_to(&story.p, open(victim, O_WRONLY | O_APPEND | O_CLOEXEC),
                   (const char *const[]){"export", "--store", victim, NULL});
    assert_int_equal(story.p.status, 4);
    PROGRAM(&story.p, "fsck", "--store", victim);
    assert_int_equal(story.p.status, 0);
}

static void another_database_is_not_written_over(void **state)
{
    char other[300];
    size_t before, after;
    (void)state;
    story_store(other, sizeof(other), "other.db", "{\"ref\":\"raw:two\",\"text\":\"its own\"}\n");
    char *bytes = scratch_read(other, &before);
    STORY("export", "-o", other);
    assert_int_equal(story.p.status, 4);
    STORY_TELLS("is a database");
    char *again = scratch_read(other, &after);
    assert_int_equal(before, after);
    assert_memory_equal(bytes, again, before);
    free(bytes);
    free(again);
}

/* Its log, its journal, and one whose content is all in its log. */
static void a_part_of_a_database_is_one(void **state)
{
    static const struct {
        const char *name, *bytes;
    } parts[] = {
        {"a.db-wal", "\x37\x7f\x06\x82 and so on"},
        {"a.db-journal", "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7 and so on"},
        {"b.db-wal", "anything"},
    };
    char path[300];
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        story_path(path, sizeof(path), parts[i].name);
        story_write(path, parts[i].bytes);
        if (i == 2)
            story_path(path, sizeof(path), "b.db");
        if (i == 2)
            story_write(path, "");
        STORY("export", "-o", path);
        assert_int_equal(story.p.status, 4);
        STORY_TELLS("is a database");
    }
}

static unsigned mode_of(const char *path)
{
    struct stat st;
    assert_int_equal(lstat(path, &st), 0);
    return st.st_mode & 0777;
}

static void a_full_disk_is_said_to_be_full(void **state)
{
    static const int counts[] = {1, 2000}; /* told at the end, and on the way */
    char full[300];
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct strbuf lines = STRBUF_INIT;
        for (int n = 0; n < counts[i]; n++)
            strbuf_addf(&lines, "{\"ref\":\"raw:%d\",\"text\":\"kept, and long enough\"}\n", n);
        story_store(full, sizeof(full), i ? "full-many.db" : "full-one.db", lines.buf);
        PROGRAM(&story.p, "export", "-o", "/dev/full", "--store", full);
        assert_int_not_equal(story.p.status, 0);
        STORY_TELLS("/dev/full cannot be written: No space left on device. Make room there");
        program_run_to(&story.p, open("/dev/full", O_WRONLY | O_CLOEXEC),
                       (const char *const[]){"export", "--store", full, NULL});
        assert_int_not_equal(story.p.status, 0);
        STORY_TELLS("standard output cannot be written: No space left on device");
        strbuf_release(&lines);
    }
}

static void a_link_is_written_through_and_a_mode_is_kept(void **state)
{
    char file[300], soft[300], fresh[300];
    struct stat st;
    (void)state;
    story_path(file, sizeof(file), "lines.jsonl");
    story_path(soft, sizeof(soft), "lines-link");
    story_path(fresh, sizeof(fresh), "fresh.jsonl");
    story_write(file, "old\n");
    assert_int_equal(chmod(file, 0644), 0);
    assert_int_equal(symlink("lines.jsonl", soft), 0);
    STORY("export", "-o", soft);
    assert_int_equal(story.p.status, 0);
    assert_int_equal(lstat(soft, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(mode_of(file), 0644);
    char *text = scratch_read(file, NULL);
    assert_non_null(text);
    assert_ptr_equal(strstr(text, "{\"ref\":\"attribution:"), text);
    free(text);
    /* A new one is the owner's alone, also behind a link that leads to nothing yet. */
    unlink(soft);
    assert_int_equal(symlink("fresh.jsonl", soft), 0);
    STORY("export", "-o", soft);
    assert_int_equal(story.p.status, 0);
    assert_int_equal(mode_of(fresh), 0600);
    /* A link to itself leads nowhere. */
    unlink(soft);
    assert_int_equal(symlink("lines-link", soft), 0);
    STORY("export", "-o", soft);
    assert_int_equal(story.p.status, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_store_is_never_written_over),
        cmocka_unit_test(standard_output_is_no_way_round),
        cmocka_unit_test(another_database_is_not_written_over),
        cmocka_unit_test(a_part_of_a_database_is_one),
        cmocka_unit_test(a_full_disk_is_said_to_be_full),
        cmocka_unit_test(a_link_is_written_through_and_a_mode_is_kept),
    };
    setlocale(LC_CTYPE, "C.UTF-8");
    return cmocka_run_group_tests(tests, story_open, story_close);
}
