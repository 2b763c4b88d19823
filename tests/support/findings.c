#include "model/base/alloc.h"
#include "store/fsck/fsck.h"
#include "store/open.h"
#include "tests/support/findings.h"

#include "tests/support/scratch.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void findings_note(void *arg, const struct fsck_finding *finding)
{
    struct findings *f = arg;
    size_t len = strlen(f->text), refs = strlen(f->refs);
    f->count[finding->fault]++;
    f->total++;
    if (!f->seq)
        f->seq = finding->seq;
    assert_true(finding->hint && *finding->hint);
    snprintf(f->text + len, sizeof(f->text) - len, "  %d: %s\n", finding->fault, finding->what);
    if (finding->ref.id)
        snprintf(f->refs + refs, sizeof(f->refs) - refs, "%s:%s\n", kind_name(finding->ref.kind),
                 finding->ref.id);
}

static void check(const char *path, struct findings *found)
{
    struct fsck_summary summary;
    struct error e = {0};
    struct store *s = scratch_store_with(path, &(struct store_options){.read_only = true});
    struct reader *r = reader_open(s, &e);
    assert_non_null(r);
    if (store_fsck(r, findings_note, NULL, found, &summary, &e))
        fail_msg("%s: %d %s", path, e.code, e.what);
    assert_int_equal(summary.findings, found->total);
    reader_close(r);
    store_close(s);
}

/* The content of the file before; the buffer is reused. */
static char *seen;
static size_t seen_len;

static void look_at(const char *path)
{
    static size_t room;
    struct stat about;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &about), 0);
    if ((size_t)about.st_size > room) {
        free(seen);
        room = (size_t)about.st_size;
        seen = malloc(room);
        assert_non_null(seen);
    }
    seen_len = fread(seen, 1, (size_t)about.st_size, file);
    fclose(file);
}

static void check_same(const char *path)
{
    static char bytes[65536];
    size_t at = 0, got;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    for (; (got = fread(bytes, 1, sizeof(bytes), file)) > 0; at += got) {
        assert_true(at + got <= seen_len);
        assert_memory_equal(bytes, seen + at, got);
    }
    fclose(file);
    assert_int_equal(at, seen_len);
}

struct findings findings_of(const char *path)
{
    struct findings found = {.total = 0};
    look_at(path);
    check(path, &found);
    check_same(path);
    return found;
}

struct fsck_summary expect_sound(struct reader *r)
{
    struct findings found = {.total = 0};
    struct fsck_summary summary;
    struct error e;
    if (store_fsck(r, findings_note, NULL, &found, &summary, &e))
        fail_msg("%s", e.what);
    if (found.total)
        fail_msg("%s", found.text);
    assert_int_equal(summary.findings, 0);
    return summary;
}

void expect_sound_store(struct store *s)
{
    struct error e;
    struct reader *r = reader_open(s, &e);
    assert_non_null(r);
    expect_sound(r);
    reader_close(r);
}

void expect_sound_file(const char *path)
{
    struct findings found = findings_of(path);
    if (found.total)
        fail_msg("%s", found.text);
}

char *original;

int original_set_up(void (*fill)(struct store *s))
{
    original = scratch_filled("original.db", fill);
    return 0;
}

int original_tear_down(void **state)
{
    free(original);
    return 0;
}

char *altered_copy(const char *from, const char *sql)
{
    char *path = scratch_path("altered.db"), *why = NULL;
    sqlite3 *db;
    scratch_copy(from, path);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_exec(db, "PRAGMA synchronous = OFF", NULL, NULL, NULL);
    if (sqlite3_exec(db, sql, NULL, NULL, &why))
        fail_msg("%s: %s", sql, why);
    sqlite3_close(db);
    return path;
}

struct findings findings_after(const char *sql)
{
    AUTO_FREE char *path = altered_copy(original, sql);
    return findings_of(path);
}
