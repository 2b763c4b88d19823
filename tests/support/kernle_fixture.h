/* Imports with their reports, and exports. */
#ifndef STEMMA_TESTS_KERNLE_FIXTURE_H
#define STEMMA_TESTS_KERNLE_FIXTURE_H

#include <sqlite3.h>
#include <stdbool.h>
#include "model/base/strbuf.h"
#include "store/import/import.h"

/* Opens or creates a store whose clock is after all times in the test data. */
#define KERNLE_NOW INT64_C(1796083200000) /* 2026-12-01 */
struct store *kernle_target(const char *path);

/* Runs SQL on a file, on a connection of its own. */
void kernle_sql(const char *path, const char *sql);
/* The first column of the first row. */
int64_t kernle_count(const char *path, const char *sql);

struct imported {
    struct import_options options; /* `report` is set, and `arg` to this structure */
    struct import_summary summary;
    struct strbuf lines; /* the reports, a line each */
    struct error error;
    int result;
};

/* Imports into the store. Release `out` with imported_release. Fails the test if the import
 * fails, unless options->progress stops it. */
void import_kernle_from(struct imported *out, struct store *s, const char *path,
                        const struct import_options *options);
void import_lines_from(struct imported *out, struct store *s, const char *path,
                       const struct import_options *options);
/* Imports a string of JSON lines. */
void import_lines(struct imported *out, struct store *s, const char *lines,
                  const struct import_options *options);
void imported_release(struct imported *out);
/* The number of reported lines that contain the text. */
size_t imported_count(const struct imported *out, const char *text);

/* The whole export as JSON lines, or in a format that is a stream, which must succeed; free() it. */
char *exported(struct store *s);
char *exported_as(struct store *s, const char *format);
/* Imports a file in that format, which must succeed and report nothing that was not understood. */
void import_as(struct store *s, const char *format, const char *path);
#endif
