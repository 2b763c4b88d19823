/*
 * One row of a Kernle store becomes a memory. Pure: no SQL and no clock, so that each oddity of a
 * row can be tested by itself.
 *
 * What is known takes its place in the memory; what is set and not known goes into its detail under
 * its own name; what cannot be understood is reported, its original kept in detail as text, and
 * taken as absent.
 */
#ifndef STEMMA_KERNLE_ROW_H
#define STEMMA_KERNLE_ROW_H

#include <stdint.h>
#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/memory/memory.h"
#include "store/import/kernle/kernle_table.h"

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
 * usable id), reported; -1: ERROR_MEMORY.
 *
 * Status: deleted, else forgotten (strength 0 or is_forgotten), else superseded (is_active 0 or
 * superseded_by), else active. Times: the row's own, else its nearest other one, else 0.
 */
int kernle_map(const struct kernle_row *row, int64_t now, struct arena *arena, struct memory *m,
               struct kernle_report *report, struct error *e);

/* The `id` cell as a memory's id, in `arena`; NULL where it is none. */
const char *kernle_id(const struct cell *cell, struct arena *arena);

#endif
