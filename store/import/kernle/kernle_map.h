/* Shared by the files of this room: Kernle's tables, the values of a row, and mapping a row to a
 * memory. */
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

struct import_format;
struct write_back_rules;

/*
 * The tables of a Kernle store and the meaning of their columns.
 *
 * Columns vary between versions and within one, so a table is resolved against the columns of the
 * file. Known columns fill fields of a memory; all other values go into the memory's detail under
 * the name of the column.
 */

/* A field of a memory that a column fills. */
enum kernle_field {
    FIELD_ID = 0,
    FIELD_AGENT,
    FIELD_TEXT,
    FIELD_TEXT_BEFORE, /* the column's name in an older version */
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
    FIELD_WORDS,      /* added to the text: focus areas of a drive, notes of a relationship */
    FIELD_WORDS_ELSE, /* if those are empty: type of a relationship */
    FIELD_COUNT,
    FIELD_NONE = FIELD_COUNT
};

struct kernle_column {
    const char *name;
    const char *fallback; /* declared default as SQL text; NULL if none */
    enum kernle_field field;
    bool in_detail; /* FIELD_NONE, or a field that is in the detail as well */
    bool always;    /* in the detail even if it has its default */
    bool list;      /* contains a JSON list */
    bool json;      /* contains any JSON */
};

struct kernle_table {
    enum kind kind;
    const char *name;
    struct kernle_column *columns;
    size_t count;
    int place[FIELD_COUNT]; /* column of each field; -1 if none */
};

/* The tables whose rows are memories, in reading order. */
#define KERNLE_TABLES 9
const char *kernle_table_name(size_t index);

/* Returns the kind for a name in memory_audit and elsewhere: singular, plural or table name, in any
 * case. -1 if unknown. */
int kernle_kind(const char *name);

/* Resolves the `count` columns of the file (name and fallback are set and must outlive the table).
 * The table keeps `columns`. */
void kernle_table_resolve(struct kernle_table *table, size_t index, struct kernle_column *columns,
                          size_t count);

/*
 * Maps one row of a Kernle store to a memory. A pure function, without SQL and clock, so that every
 * oddity of a row can be tested.
 *
 * Known values fill the fields of the memory; other values go into its detail under their own
 * names. A value that cannot be understood is reported, kept in the detail as text, and otherwise
 * treated as absent.
 */

/* A value as SQLite stores it, whatever the declared type of the column. */
enum cell_type {
    CELL_NULL = 0,
    CELL_INTEGER,
    CELL_REAL,
    CELL_TEXT,
    CELL_BLOB
};
struct cell {
    enum cell_type type;
    const char *bytes; /* of a text or blob; may be invalid UTF-8 and without a NUL at the end */
    size_t len;
    int64_t integer;
    double real;
};

/* A row of memory_audit about the memory. Strings are valid UTF-8 or NULL. */
struct kernle_audit_row {
    const char *operation;
    const char *actor;
    const char *details; /* JSON as stored, or NULL */
    const char *created_at;
    const char *correlation;
};

struct kernle_row {
    const struct kernle_table *table;
    const struct cell *cells; /* table->count values */
    int64_t number;           /* position in its table, from 1: names a row without an id */
    const struct kernle_audit_row *audit;
    size_t audit_count;
    const char **replaced; /* ids of beliefs that say this one replaced them */
    size_t replaced_count;
};

/* Receives reports, one line each: "belief:ID: derived_from is not a list". */
struct kernle_report {
    void (*line)(void *arg, const char *line); /* may be NULL to count only */
    void *arg;
    int64_t lines;
};

/*
 * Fills `m` in `arena`. `now` is used only to recognise suspect times. Returns 1, or 0 with a
 * report if the row has no usable id.
 *
 * Status: deleted, else forgotten (strength 0 or is_forgotten), else superseded (is_active 0 or
 * superseded_by), else active. Times: the row's own, else its nearest other time, else 0.
 */
int kernle_map(const struct kernle_row *row, int64_t now, struct arena *arena, struct memory *m,
               struct kernle_report *report);

/* Returns the `id` cell as a memory's id, in `arena`; NULL if it is not usable. */
const char *kernle_id(const struct cell *cell, struct arena *arena);

/* Opening a Kernle store: its tables, their columns, and other contents. */

#define KERNLE_NEWEST 27 /* newest schema supported */

/* Appends a column's or table's name, quoted for SQL. Names come from the file, so always quote
 * them. */
void kernle_quote(struct strbuf *sql, const char *name);

/* Returns 1 if there is a real table with that name (no view, no virtual table), 0 if not, -1 on
 * error. */
int kernle_has_table(struct db *db, const char *name, struct error *e);
/* Returns 1 if the table has that column, 0 if not, -1 on error. */
int kernle_has_column(struct db *db, const char *table, const char *column, struct error *e);

/* Sets *version to the schema version, or to 0 if the file does not say. */
int kernle_version(struct db *db, int64_t *version, struct error *e);

/* Returns 1 with the table's columns in `arena`; 0 if there is no such table or it has no id; -1 on
 * error. */
int kernle_open_table(struct db *db, struct arena *arena, size_t index, struct kernle_table *table,
                      struct error *e);
/* Returns true if there is a column of that name, in any case. */
bool kernle_has_name(const struct kernle_table *table, const char *name);
int kernle_count_rows(struct db *db, const char *table, int64_t *count, struct error *e);
/* Returns a name of the rowid that no column uses; NULL if the table has no rowid. */
const char *kernle_rowid(struct db *db, const struct kernle_table *table);

/* Reads a column of the statement's row; the bytes are valid as long as the row. */
struct cell kernle_read_cell(sqlite3_stmt *stmt, int column);

/* Writes "sync_queue 21, embedding_meta 19" to `out` (`size` bytes): the tables that are not
 * imported, except SQLite's own, with their row counts. */
int kernle_other_tables(struct db *db, char *out, size_t size, struct error *e);

/* What of a column with a field of its own must be kept in the detail too. */
enum keep {
    KEEP_NOTHING = 0,
    KEEP_CELL,  /* the value as it is: it was not understood, or only in part */
    KEEP_BYTES, /* base64: the text is invalid UTF-8 or contains a NUL */
};

struct kernle_mapping {
    const struct kernle_row *row;
    struct arena *arena;
    struct memory *m;
    enum keep *keep;                /* one for each column */
    const struct cell *broken_text; /* the original text, if it is not valid UTF-8 */
    int64_t now;
    struct kernle_report *report;
};

/* ---- kernle_cell.c: reading cells ---- */

static inline bool cell_is_bytes(const struct cell *cell)
{
    return cell->type == CELL_TEXT || cell->type == CELL_BLOB;
}
/* Returns the cell of a field; NULL if there is no such column or it is NULL. */
const struct cell *mapping_cell(const struct kernle_mapping *map, enum kernle_field field);
void mapping_keep(struct kernle_mapping *map, enum kernle_field field, enum keep keep);
/* Reports a line, "belief:ID: COLUMN what"; FIELD_NONE for no column. */
void mapping_report(struct kernle_mapping *map, enum kernle_field field, const char *what, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns a cell as valid UTF-8 without NUL, or NULL. Changes are reported and the original is
 * kept. */
const char *mapping_text(struct kernle_mapping *map, enum kernle_field field);
/* Returns NAN if absent or not a number (which is reported and kept). */
double mapping_number(struct kernle_mapping *map, enum kernle_field field);
bool mapping_flag(struct kernle_mapping *map, enum kernle_field field);
/* Parses a time. Returns 1 for ISO 8601, 2 for a number of seconds or milliseconds since 1970, 0 if
 * absent, -1 if it is no time. */
int kernle_cell_time(const struct cell *cell, int64_t *ms);
/* Returns 1 with *ms, 0 or -1, as kernle_cell_time. Reports times that are not ISO 8601, or
 * suspect. */
int mapping_time(struct kernle_mapping *map, enum kernle_field field, int64_t *ms);

/* ---- JSON in a cell ---- */

/* Returns the trimmed value; ptr is NULL if absent ("", null) or if it is no JSON, which is
 * reported and kept. Valid as long as the row. */
struct json_slice mapping_json(struct kernle_mapping *map, enum kernle_field field);
/* As mapping_json for a JSON array; other values are reported, kept, and treated as absent. */
struct json_slice mapping_array(struct kernle_mapping *map, enum kernle_field field);
static inline bool slice_is(struct json_slice slice, char first)
{
    return slice.ptr && *slice.ptr == first;
}
/* Returns the member if it is a non-empty string, else NULL. */
const char *mapping_member(struct kernle_mapping *map, struct json_slice object, const char *name);
/* Returns the members other than the `known` ones (NULL-terminated) and nulls, as JSON; NULL if
 * there are none. */
const char *mapping_leftover(struct kernle_mapping *map, struct json_slice object,
                             const char *const *known);

/* The strings of a JSON list; other elements are reported and kept. */
struct kernle_list {
    const char **items;
    size_t count;
};
struct kernle_list mapping_list(struct kernle_mapping *map, enum kernle_field field);
/* Removes duplicates and keeps the order; O(n log n). */
void kernle_list_unique(struct kernle_mapping *map, struct kernle_list *list);

extern const struct write_back_rules kernle_write_back; /* write_kernle.c */
extern const struct import_format kernle_format;

/* ---- parts of a memory ---- */

/* Builds the detail from everything else. Call it last. */
void mapping_detail(struct kernle_mapping *map);

/* The format of the room (store/import/import.h). */
extern const struct import_format kernle_format;

#endif
