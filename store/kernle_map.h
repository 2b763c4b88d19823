/* What the parts of kernle_map share. For store/kernle_*.c alone. */
#ifndef STEMMA_KERNLE_MAP_H
#define STEMMA_KERNLE_MAP_H

#include <cJSON.h>
#include "../model/strbuf.h"
#include "kernle_row.h"

/* What of a column that has a place of its own must stand in detail as well. */
enum keep {
    KEEP_NOTHING = 0,
    KEEP_CELL,  /* as it is: it was not understood, or only in part */
    KEEP_BYTES, /* as base64: it was text that is not valid UTF-8, or holds a NUL */
};

struct kernle_mapping {
    const struct kernle_row *row;
    struct arena *arena;
    struct memory *m;
    enum keep *keep; /* one for each column */
    int64_t now;
    struct kernle_report *report;
    bool failed; /* memory ran out; what is in `m` is not to be used */
};

/* ---- kernle_cell.c: what a cell says ---- */

/* The cell of a field; NULL where there is no such column, or it is NULL. */
const struct cell *mapping_cell(const struct kernle_mapping *map, enum kernle_field field);
const char *mapping_column(const struct kernle_mapping *map, enum kernle_field field);
void mapping_keep(struct kernle_mapping *map, enum kernle_field field, enum keep keep);
/* "belief:ID: COLUMN what", a line of the report. */
void mapping_report(struct kernle_mapping *map, enum kernle_field field, const char *what, ...)
    __attribute__((format(printf, 3, 4)));
/* In the arena; NULL where that failed, which `map` remembers. */
void *mapping_alloc(struct kernle_mapping *map, size_t count, size_t size);
const char *mapping_copy(struct kernle_mapping *map, const char *s, size_t len);

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

/* The JSON in a cell, NULL where there is none ("", null and an empty list are none; what is
 * malformed is reported and kept). The caller deletes it. */
cJSON *mapping_json(struct kernle_mapping *map, enum kernle_field field);

/* The strings of a JSON list; what is not one is reported and kept. */
struct kernle_list {
    const char **items;
    size_t count;
};
struct kernle_list mapping_list(struct kernle_mapping *map, enum kernle_field field);
/* Leaves the first of each; O(n log n). */
void kernle_list_unique(struct kernle_mapping *map, struct kernle_list *list);

/*
 * The JSON text as cJSON may have it: checked, and each \u0000, at which cJSON would cut a string,
 * replaced by U+FFFD (*replaced, may be NULL). In the arena; NULL where it is malformed.
 */
const char *kernle_json_text(struct kernle_mapping *map, const char *text, size_t len,
                             bool *replaced);

/* ---- the others ---- */

/* kernle_support.c: derived_from, source_episodes and reinforcements become justifications. Needs
 * the history. */
void mapping_support(struct kernle_mapping *map);
/* kernle_history.c: confidence_history and memory_audit. */
void mapping_history(struct kernle_mapping *map);
/* kernle_relation.c: supersedes, processed_into, promoted_to. */
void mapping_relations(struct kernle_mapping *map);
/* kernle_detail.c: everything else. Comes last. */
void mapping_detail(struct kernle_mapping *map);

/* Leftover members of a JSON object, as text in the arena: " {"k":1}"; "" where none is left. The
 * `known` names end with NULL. */
const char *mapping_leftover(struct kernle_mapping *map, const cJSON *object,
                             const char *const *known);

#endif
