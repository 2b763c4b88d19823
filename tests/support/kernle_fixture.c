#include "model/base/alloc.h"
#include "tests/support/kernle_fixture.h"

#include <unistd.h>
#include "store/import/kernle/kernle_map.h"
#include "store/export/export.h"
#include "store/formats/formats.h"
#include "store/open.h"
#include "tests/support/scratch.h"

static int64_t standing(void)
{
    return KERNLE_NOW;
}

struct store *kernle_target(const char *path)
{
    return scratch_store_with(path, &(struct store_options){.create = true, .now = standing});
}

void kernle_sql(const char *path, const char *sql)
{
    sqlite3 *db;
    char *message = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_exec(db, "PRAGMA synchronous = OFF", NULL, NULL, NULL);
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s", message);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

int64_t kernle_count(const char *path, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    struct strbuf uri = STRBUF_INIT; /* immutable, so that SQLite leaves no files next to it */
    strbuf_addf(&uri, "file:%s?immutable=1", path);
    assert_int_equal(sqlite3_open_v2(uri.buf, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL),
                     SQLITE_OK);
    strbuf_release(&uri);
    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sqlite3_errmsg(db), sql);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    int64_t count = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return count;
}

/* ---- importing ---- */

static void keep_line(void *arg, const char *line)
{
    struct imported *out = arg;
    strbuf_addstr(&out->lines, line);
    strbuf_addch(&out->lines, '\n');
}

static void run(struct imported *out, const struct import_format *format, struct store *s,
                const char *path, const struct import_options *options)
{
    *out = (struct imported){.options = options ? *options : (struct import_options){0},
                             .lines = STRBUF_INIT};
    out->options.report = keep_line;
    out->options.arg = out;
    out->result = import_source_run(format, s, path, &out->options, &out->summary, &out->error);
    if (out->result && !out->options.progress)
        fail_msg("%s %s", out->error.what, out->error.hint);
}

void import_kernle_from(struct imported *out, struct store *s, const char *path,
                        const struct import_options *options)
{
    run(out, &kernle_format, s, path, options);
}

void import_lines_from(struct imported *out, struct store *s, const char *path,
                       const struct import_options *options)
{
    run(out, &jsonl_format, s, path, options);
}

void import_lines(struct imported *out, struct store *s, const char *lines,
                  const struct import_options *options)
{
    AUTO_FREE char *path = scratch_path("lines.jsonl");
    scratch_write(path, lines, strlen(lines));
    import_lines_from(out, s, path, options);
}

void imported_release(struct imported *out)
{
    strbuf_release(&out->lines);
}

size_t imported_count(const struct imported *out, const char *text)
{
    size_t count = 0;
    for (const char *line = out->lines.buf; *line; line = strchr(line, '\n') + 1) {
        const char *found = strstr(line, text);
        count += found && found < strchr(line, '\n');
    }
    return count;
}

/* ---- exporting ---- */

static int append(void *arg, const char *line, size_t len)
{
    strbuf_add(arg, line, len);
    return 0;
}

char *exported_as(struct store *s, const char *format)
{
    struct strbuf out = STRBUF_INIT;
    struct export_request request = {
        .format = export_format_find(format), .write = append, .arg = &out};
    struct export_result result;
    struct error e = {0};
    struct reader *r = reader_open(s, &e);
    assert_non_null(r);
    assert_non_null(request.format);
    if (export_run(r, &request, &result, &e))
        fail_msg("%s", e.what);
    reader_close(r);
    strbuf_grow(&out, 1);
    return strbuf_detach(&out, NULL);
}

char *exported(struct store *s)
{
    return exported_as(s, "jsonl");
}

void import_as(struct store *s, const char *format, const char *path)
{
    struct imported out;
    struct error e = {0};
    const struct import_format *found = format_find(format, &e);
    assert_non_null(found);
    run(&out, found, s, path, NULL);
    assert_int_equal(out.summary.not_understood, 0);
    imported_release(&out);
}
