/*
 * Formats that are SQLite databases, each described by a table of SELECTs: one reader imports all of them. A row of a
 * SELECT becomes a memory; the aliases of its columns say which members of the memory they are (docs/formats/map.md
 * lists them). Users write such a table for a store of their own as a file (map_file.c).
 */
#ifndef STEMMA_TABLES_H
#define STEMMA_TABLES_H

#include <stddef.h>
#include "store/import/import.h"

struct arena;
struct db;
struct table_reading;

struct table_select {
    const char *table; /* whose rows it reads; the SELECT is skipped in a database without it */
    /* One SELECT. `{…}` around an expression: it is NULL if the database lacks what the expression names. */
    const char *sql;
};

struct table_map {
    const char *version; /* a SELECT of the version of its schema; NULL if it has none */
    const char *
        ignored; /* tables with nothing to import: GLOB patterns with spaces between; may be NULL */
    const struct table_select *selects;
    size_t count;
    const char *const
        *remarks; /* SELECTs of a remark for people each, or of NULL; ends with NULL; may be NULL */
    /* Checks what the format signs; reports with table_report. May be NULL. Returns -1 if the import cannot go on. */
    int (*verify)(struct table_reading *r, struct db *db, struct error *e);
    const char
        *path; /* the user's file, and the line of each SELECT in it; NULL for a format of ours */
    const size_t *lines;
};

/* Returns 1 if the database has a table of format->tables and, unless `agent` is NULL, a row of that agent; -1 with
 * ERROR_INVALID otherwise, or if a SELECT of a user's file is wrong: the error names file and line. */
import_check_fn import_tables_check;

/* Imports the database. options->agent selects the memories of an agent; rows that name none belong to one that is
 * called as the format. A row that cannot be a memory, and a value that a member cannot have, are reported and counted
 * in not_understood; the others are imported. */
import_fn import_tables;

/* Reads a user's file into the arena, as a format. ERROR_INVALID names the line; ERROR_STORE if it cannot be read. */
int table_map_read(struct import_format *format, struct arena *arena, const char *path,
                   struct error *e);
/* The same, from text; `path` is for errors. */
int table_map_parse(struct import_format *format, struct arena *arena, const char *path,
                    const char *text, size_t len, struct error *e);

/* What all formats of tables have; the other members follow. */
#define TABLE_FORMAT(map, ...)                                                                     \
    {                                                                                              \
        .tables = map, .check = import_tables_check, .run = import_tables, .known_by_ref = true,   \
        .agent = "only this agent's", .agent_is_filter = true, .counts_memories = true,            \
        __VA_ARGS__                                                                                \
    }

extern const struct import_format claude_mem_format, mcp_memory_service_format, mem0_format,
    openmemory_format, cognee_format, langgraph_format, memori_format;

#endif
