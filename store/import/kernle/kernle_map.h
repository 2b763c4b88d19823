/* What the files of this room share: the tables of Kernle, the values of a row, and how they become a memory. */
#ifndef STEMMA_KERNLE_MAP_H
#define STEMMA_KERNLE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/base/strbuf.h"
#include "model/json/json.h"
#include "model/memory/memory.h"
#include "store/db/db.h"

/*
 * The tables of a Kernle store and what their columns mean to us.
 *
 * Columns vary from version to version and within one, so a table is resolved against the columns
 * that a file really has: what is known takes its place in a memory, and everything else that is set
 * goes into the memory's detail under its own name.
 */

/* A place in a memory that a column fills. */
enum kernle_field {
    FIELD_ID = 0,
    FIELD_AGENT,
    FIELD_TEXT,
    FIELD_TEXT_BEFORE, /* what an older version called it */
    FIELD_CREATED,
    FIELD_CREATED_BEFORE,
    FIELD_UPDATED,
    FIELD_UPDATED_BEFORE,
    FIELD_VERSION,
    FIELD_CONFIDENCE,
    FIELD_SOURCE_TYPE,
    FIELD_SOURCE_ENTITY,
    FIELD_CONTEXT,
    FIELD_TAGS,
    FIELD_PROTECTED,
    FIELD_STRENGTH,
    FIELD_FORGOTTEN,
    FIELD_DELETED,
    FIELD_IS_ACTIVE,
    FIELD_SUPERSEDES,
    FIELD_SUPERSEDED_BY,
    FIELD_DERIVED_FROM,
    FIELD_SOURCE_EPISODES,
    FIELD_SOURCE_RAWS,
    FIELD_HISTORY,
    FIELD_PROCESSED_INTO,
    FIELD_PROMOTED_TO,
    FIELD_WORDS,      /* what joins the text: a drive's focus areas, a relationship's notes */
    FIELD_WORDS_ELSE, /* where those are empty: a relationship's type */
    FIELD_COUNT,
    FIELD_NONE = FIELD_COUNT
};

struct kernle_column {
    const char *name;
    const char *fallback; /* the declared default as SQL text; NULL: none */
    enum kernle_field field;
    bool in_detail; /* FIELD_NONE, or a field that detail holds as well */
    bool always;    /* in detail even where it has its default */
    bool list;      /* holds a JSON list */
    bool json;      /* holds any JSON */
};

struct kernle_table {
    enum kind kind;
    const char *name;
    struct kernle_column *columns;
    size_t count;
    int place[FIELD_COUNT]; /* the column of a field; -1: there is none */
};

/* The tables whose rows are memories, in the order in which they are read. */
#define KERNLE_TABLES 9
const char *kernle_table_name(size_t index);

/*
 * What memory_audit and a few others call a kind: its name, its plural, its table's name, in any
 * case. -1: none of ours.
 */
int kernle_kind(const char *name);

/*
 * Takes the `count` columns that the file has (name and fallback are filled; they must live as long
 * as the table does) and says what each means. The table keeps `columns`.
 */
void kernle_table_resolve(struct kernle_table *table, size_t index, struct kernle_column *columns,
                          size_t count);

/*
 * One row of a Kernle store becomes a memory. Pure: no SQL and no clock, so that each oddity of a
 * row can be tested by itself.
 *
 * What is known takes its place in the memory; what is set and not known goes into its detail under
 * its own name; what cannot be understood is reported, its original kept in detail as text, and
 * taken as absent.
 */

/* A value as SQLite has it, whatever the column's declared type. */
enum cell_type {
    CELL_NULL = 0,
    CELL_INTEGER,
    CELL_REAL,
    CELL_TEXT,
    CELL_BLOB
};
struct cell {
    enum cell_type type;
    const char *bytes; /* of a text or blob; need not be valid UTF-8 nor end with a NUL */
    size_t len;
    int64_t integer;
    double real;
};

/* A row of memory_audit about this memory. Strings are valid UTF-8, or NULL. */
struct kernle_audit_row {
    const char *operation;
    const char *actor;
    const char *details; /* JSON as it stands, or NULL */
    const char *created_at;
    const char *correlation;
};

struct kernle_row {
    const struct kernle_table *table;
    const struct cell *cells; /* table->count of them */
    int64_t number;           /* of the row in its table, from 1: names one that has no id */
    const struct kernle_audit_row *audit;
    size_t audit_count;
    const char **replaced; /* ids of beliefs that say this one replaced them */
    size_t replaced_count;
};

/* Where what is not understood is told, a line each: "belief:ID: derived_from is not a list". */
struct kernle_report {
    void (*line)(void *arg, const char *line); /* NULL: only counted */
    void *arg;
    int64_t lines;
};

/*
 * Fills `m` in `arena`. `now` only tells which times are suspect. 1: mapped; 0: it is no memory (no
 * usable id), reported.
 *
 * Status: deleted, else forgotten (strength 0 or is_forgotten), else superseded (is_active 0 or
 * superseded_by), else active. Times: the row's own, else its nearest other one, else 0.
 */
int kernle_map(const struct kernle_row *row, int64_t now, struct arena *arena, struct memory *m,
               struct kernle_report *report);

/* The `id` cell as a memory's id, in `arena`; NULL where it is none. */
const char *kernle_id(const struct cell *cell, struct arena *arena);

/* A Kernle store as a file of tables: which there are, with what columns, and what else is in it. */

#define KERNLE_NEWEST 27 /* the newest schema that is known */

/*
 * A column's or table's name quoted for SQL, appended. Names come from the file, so they are never
 * used otherwise.
 */
void kernle_quote(struct strbuf *sql, const char *name);

/* Is there a real table of that name, no view and no virtual table? -1 on error. */
int kernle_has_table(struct db *db, const char *name, struct error *e);
/* Is there a column of that name in it? -1 on error. */
int kernle_has_column(struct db *db, const char *table, const char *column, struct error *e);

/* The schema version, or 0 where the file does not say. */
int kernle_version(struct db *db, int64_t *version, struct error *e);

/* 1 with the table's columns in `arena`; 0: there is none of that name, or it has no id. */
int kernle_open_table(struct db *db, struct arena *arena, size_t index, struct kernle_table *table,
                      struct error *e);
/* Is there a column of that name? In any case of letters. */
bool kernle_has_name(const struct kernle_table *table, const char *name);
int kernle_count_rows(struct db *db, const char *table, int64_t *count, struct error *e);
/* A name for the row's number that no column has taken; NULL where the table has no such number. */
const char *kernle_rowid(struct db *db, const struct kernle_table *table);

/* A column of the row that a statement stands on; its bytes live as long. */
struct cell kernle_read_cell(sqlite3_stmt *stmt, int column);

/* "sync_queue 21, embedding_meta 19": the tables that are neither read nor SQLite's own, with what
 * is in them, into `out` of `size` bytes. */
int kernle_other_tables(struct db *db, struct arena *arena, char *out, size_t size,
                        struct error *e);

/* What of a column that has a place of its own must stand in detail as well. */
enum keep {
    KEEP_NOTHING = 0,
    KEEP_CELL,  /* as it is: it was not understood, or only in part */
    KEEP_BYTES, /* in base64: it was text that is not valid UTF-8, or holds a NUL */
};

struct kernle_mapping {
    const struct kernle_row *row;
    struct arena *arena;
    struct memory *m;
    enum keep *keep;                /* one for each column */
    const struct cell *broken_text; /* the text as it was, where it is no valid UTF-8 */
    int64_t now;
    struct kernle_report *report;
};

/* ---- kernle_cell.c: what a cell says ---- */

static inline bool cell_is_bytes(const struct cell *cell)
{
    return cell->type == CELL_TEXT || cell->type == CELL_BLOB;
}
/* The cell of a field; NULL where there is no such column, or it is NULL. */
const struct cell *mapping_cell(const struct kernle_mapping *map, enum kernle_field field);
void mapping_keep(struct kernle_mapping *map, enum kernle_field field, enum keep keep);
/* "belief:ID: COLUMN what", a line of the report; FIELD_NONE: without a column. */
void mapping_report(struct kernle_mapping *map, enum kernle_field field, const char *what, ...)
    __attribute__((format(printf, 3, 4)));

/* A cell as valid UTF-8 without NUL, NULL for none. What had to change is reported and kept. */
const char *mapping_text(struct kernle_mapping *map, enum kernle_field field);
/* NAN where there is none, or where it is no number (reported and kept). */
double mapping_number(struct kernle_mapping *map, enum kernle_field field);
bool mapping_flag(struct kernle_mapping *map, enum kernle_field field);
/* *ms from ISO 8601 (1), or from a number of seconds or milliseconds since 1970 (2); 0: there is
 * none; -1: it is not one. */
int kernle_cell_time(const struct cell *cell, int64_t *ms);
/* 1 with *ms, 0, or -1, as above. What is not ISO 8601, or suspect, is reported. */
int mapping_time(struct kernle_mapping *map, enum kernle_field field, int64_t *ms);

/* ---- JSON in a cell ---- */

/* The value, trimmed; ptr NULL where there is none ("", null) or where it is no JSON, which is
 * reported and kept. It lives as long as the row. */
struct json_slice mapping_json(struct kernle_mapping *map, enum kernle_field field);
/* The same of a JSON array; anything else is reported, kept, and none. */
struct json_slice mapping_array(struct kernle_mapping *map, enum kernle_field field);
static inline bool slice_is(struct json_slice slice, char first)
{
    return slice.ptr && *slice.ptr == first;
}
/* That member where it is a string and not empty; else NULL. */
const char *mapping_member(struct kernle_mapping *map, struct json_slice object, const char *name);
/* The members but the `known` ones (which end with NULL) and nulls, as JSON; NULL where none is
 * left. */
const char *mapping_leftover(struct kernle_mapping *map, struct json_slice object,
                             const char *const *known);

/* The strings of a JSON list; what is not one is reported and kept. */
struct kernle_list {
    const char **items;
    size_t count;
};
struct kernle_list mapping_list(struct kernle_mapping *map, enum kernle_field field);
/* Leaves the first of each; O(n log n). */
void kernle_list_unique(struct kernle_mapping *map, struct kernle_list *list);

/* ---- the parts of a memory ---- */

/* The detail: everything else. Comes last. */
void mapping_detail(struct kernle_mapping *map);

#endif
