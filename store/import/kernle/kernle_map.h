/* What the parts of kernle_map share. For store/kernle_*.c alone. */
#ifndef STEMMA_KERNLE_MAP_H
#define STEMMA_KERNLE_MAP_H

#include "model/json/json.h"
#include "model/base/strbuf.h"
#include "store/import/kernle/kernle_row.h"

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
    bool failed; /* memory ran out; what is in `m` is not to be used */
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
/* In the arena; NULL where that failed, which `map` remembers. */
void *mapping_alloc(struct kernle_mapping *map, size_t count, size_t size);
const char *mapping_copy(struct kernle_mapping *map, const char *s, size_t len);
/* What was written, as a string in the arena; releases `sb`. */
const char *mapping_take(struct kernle_mapping *map, struct strbuf *sb);

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

/* ---- kernle_json.c: JSON in a cell ---- */

/* The value, trimmed; ptr NULL where there is none ("", null) or where it is no JSON, which is
 * reported and kept. It lives as long as the row. */
struct json_slice mapping_json(struct kernle_mapping *map, enum kernle_field field);
/* The same of a JSON array; anything else is reported, kept, and none. */
struct json_slice mapping_array(struct kernle_mapping *map, enum kernle_field field);
static inline bool slice_is(struct json_slice slice, char first)
{
    return slice.ptr && *slice.ptr == first;
}
/* A JSON string as text in the arena, repaired where it must be; NULL for any other value. */
const char *mapping_string(struct kernle_mapping *map, struct json_slice value);
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

/* kernle_history.c: confidence_history and memory_audit. */
void mapping_history(struct kernle_mapping *map);
/* kernle_support.c: derived_from, source_episodes and reinforcements become justifications. Needs
 * the history. */
void mapping_support(struct kernle_mapping *map);
/* kernle_relation.c: supersedes, processed_into, promoted_to. */
void mapping_relations(struct kernle_mapping *map);
/* kernle_detail.c: everything else. Comes last. */
void mapping_detail(struct kernle_mapping *map);

#endif
