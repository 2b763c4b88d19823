/*
 * The tables of a Kernle store and what their columns mean to us.
 *
 * Columns vary from version to version and within one, so a table is resolved against the columns
 * that a file really has: what is known takes its place in a memory, and everything else that is set
 * goes into the memory's detail under its own name.
 */
#ifndef STEMMA_KERNLE_TABLE_H
#define STEMMA_KERNLE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include "model/base/arena.h"
#include "model/memory/memory.h"

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

#endif
