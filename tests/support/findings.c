#include "findings.h"

#include "scratch.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void findings_note(void *arg, const struct fsck_finding *finding)
{
    struct findings *f = arg;
    size_t len = strlen(f->text), refs = strlen(f->refs);
    f->count[finding->fault]++;
    f->total++;
    if (!f->seq)
        f->seq = finding->seq;
    assert_true(finding->todo && *finding->todo);
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

struct findings findings_of(const char *path)
{
    struct findings found = {.total = 0};
    size_t before_len, after_len;
    char *before = scratch_read(path, &before_len);
    check(path, &found);
    char *after = scratch_read(path, &after_len);
    assert_int_equal(before_len, after_len);
    assert_memory_equal(before, after, before_len);
    free(before);
    free(after);
    return found;
}

char *altered_copy(const char *original, const char *sql)
{
    char *path = scratch_path("altered.db"), *why = NULL;
    sqlite3 *db;
    scratch_copy(original, path);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_exec(db, "PRAGMA synchronous = OFF", NULL, NULL, NULL);
    if (sqlite3_exec(db, sql, NULL, NULL, &why))
        fail_msg("%s: %s", sql, why);
    sqlite3_close(db);
    return path;
}
