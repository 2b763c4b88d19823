/* Imports whose reports are kept, and what an export then says. */
#ifndef STEMMA_TESTS_KERNLE_FIXTURE_H
#define STEMMA_TESTS_KERNLE_FIXTURE_H

#include <sqlite3.h>
#include <stdbool.h>
#include "model/base/strbuf.h"
#include "store/import/import.h"

/* A store of ours, made where there is none, whose clock stands after all times in the test data. */
#define KERNLE_NOW INT64_C(1796083200000) /* 2026-12-01 */
struct store *kernle_target(const char *path);

/* Runs SQL on a file, on a connection of its own. */
void kernle_sql(const char *path, const char *sql);
/* The first column of the first row. */
int64_t kernle_count(const char *path, const char *sql);

struct imported {
    struct import_options options; /* report is filled, and arg, which is this structure */
    struct import_summary summary;
    struct strbuf lines; /* what was reported, a line each */
    struct error error;
    int result;
};

/* Imports into the store; release what was filled with imported_release. Fails the test where the
 * import fails, unless options->progress stops it. */
void import_kernle_from(struct imported *out, struct store *s, const char *path,
                        const struct import_options *options);
void import_lines_from(struct imported *out, struct store *s, const char *path,
                       const struct import_options *options);
/* Exchange lines, as a string. */
void import_lines(struct imported *out, struct store *s, const char *lines,
                  const struct import_options *options);
void imported_release(struct imported *out);
/* How many reported lines contain that text. */
size_t imported_count(const struct imported *out, const char *text);

/* The whole export; free() it. */
char *exported(struct store *s);
#endif
