/* What the files of the reader share. */
#ifndef STEMMA_TABLES_INTERNAL_H
#define STEMMA_TABLES_INTERNAL_H

#include <sqlite3.h>
#include "model/base/arena.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "model/memory/memory.h"
#include "store/import/tables/tables.h"

/* ---- the reader (import_tables.c) ---- */

struct table_reading {
    const struct import_format *format;
    const struct table_map *map; /* its tables */
    struct db *db;
    struct import_run *run; /* NULL while only the source is checked */
    const struct import_options *options;
    struct import_summary *summary;
    struct key_index read;    /* tables that the SELECTs read */
    struct key_index *agents; /* collects the names of agents, in place of importing; else NULL */
    struct arena arena;       /* of the aliases */
    struct strbuf json;
    int64_t rows, faults; /* read in all, and reported of the present SELECT */
};

/* Reports a line about the source, and counts it in not_understood. Does nothing while the source is only checked. */
void table_report(struct table_reading *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- rows (table_row.c) ---- */

#define COLUMNS_MAX 64 /* of a SELECT */

enum column_type {
    COLUMN_TEXT,
    COLUMN_TIME,
    COLUMN_CONFIDENCE,
    COLUMN_WHOLE,
    COLUMN_FLAG,
    COLUMN_STATUS,
    COLUMN_LIST, /* a JSON list that the JSON of a memory has as it is */
    COLUMN_TAGS,
    COLUMN_ANNOTATIONS,
    COLUMN_PREMISE,       /* not 0: a justification without antecedents */
    COLUMN_DETAIL,        /* members of the detail */
    COLUMN_DETAIL_MEMBER, /* one: detail.NAME */
    COLUMN_DETAIL_JSON,   /* detail.NAME:json */
    COLUMN_DETAIL_TIME,   /* detail.NAME:time */
    COLUMN_SUPPORT,       /* derived_from, evidence, …: refs of a justification */
    COLUMN_RELATION,      /* supersedes, contradicts, … */
};

struct column {
    enum column_type type;
    const char *name; /* of the member; for a detail, its own */
    enum role role;
    enum recorded recorded;
};

struct columns {
    struct column column[COLUMNS_MAX];
    size_t count;
    const char *detail[COLUMNS_MAX + 2]; /* names of members of the detail; ends with NULL */
    int ref, agent;                      /* their places; agent -1 if there is none */
};

/* Resolves the aliases of a prepared SELECT; names are in the arena. ERROR_INVALID names one that is wrong. */
int columns_read(struct columns *c, sqlite3_stmt *stmt, struct arena *arena, struct error *e);
/* Writes the JSON of a memory from the row of the statement to `json`, which is cleared. Values that a member cannot
 * have are reported and left out. */
void row_write(struct table_reading *r, const struct columns *c, sqlite3_stmt *stmt,
               struct strbuf *json);

/* ---- SQL functions (table_functions.c) ---- */

/* Registers the functions that SELECTs may use; README.md lists them. */
int table_functions_register(sqlite3 *handle, const char *path, struct error *e);

/* Reads a time as ms: ISO text, or a number of seconds, ms, µs or ns, told apart by its size. False if it is none. */
bool table_time_of_text(const char *text, size_t len, int64_t *ms);
bool table_time_of_number(double number, int64_t *ms);

#endif
