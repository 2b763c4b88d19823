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
    const char *name;    /* of the format, and of the agent of rows that name none */
    const char *title;   /* "a claude-mem database", for errors */
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

/* As import_source_check: 1 if the database has a table of the format's map and, unless `agent` is NULL, a row of that
 * agent; -1 with ERROR_INVALID otherwise, or if a SELECT of a user's file is wrong: the error names file and line. */
int import_tables_check(const struct import_format *format, const char *path, const char *agent,
                        struct import_summary *found, struct error *e);

/* Imports the database. options->agent selects the memories of an agent. A row that cannot be a memory, and a value
 * that a member cannot have, are reported and counted in not_understood; the others are imported. */
import_fn import_tables;

/* Reads a user's file, which is a format of its own, into the arena. ERROR_INVALID names the line; ERROR_STORE if it
 * cannot be read; then NULL. */
const struct import_format *table_format_read(struct arena *arena, const char *path,
                                              struct error *e);
/* Reads its map from text; `path` is for errors. */
int table_map_parse(struct table_map *map, struct arena *arena, const char *path, const char *text,
                    size_t len, struct error *e);

/* The format of a map; the other members follow as initialisers. */
#define TABLE_FORMAT(of, ...)                                                                      \
    {                                                                                              \
        .map = (of), .check = import_tables_check, .run = import_tables,                           \
        .agent = "only this agent's", .agent_is_filter = true, .counts_memories = true,            \
        __VA_ARGS__                                                                                \
    }

extern const struct import_format claude_mem_format, mcp_memory_service_format, mem0_format,
    openmemory_format, cognee_format, langgraph_format, memori_format;

#endif
