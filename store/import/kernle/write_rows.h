/* Rows of a Kernle store to write. Shared by write_kernle.c, which plans them, and write_rows.c. */
#ifndef STEMMA_WRITE_ROWS_H
#define STEMMA_WRITE_ROWS_H

#include "store/import/kernle/kernle_map.h"
#include "store/import/write_back.h"

struct write_cell {
    const char *column;
    struct cell old, fresh;
};

/* A row to update, to insert or to delete. */
struct write_row {
    const char *table;
    struct cell id;
    bool insert, remove;
    struct write_cell *cell;
    size_t count, alloc;
};

struct cell cell_of_text(const char *text); /* NULL for NULL */
double cell_number_or(const struct cell *cell, double otherwise);
/* As it is shown, in the arena; NULL for NULL. */
const char *cell_shown(struct arena *arena, const struct cell *cell);
/* A column of the statement's row, in the arena. */
struct cell cell_kept(struct arena *arena, sqlite3_stmt *stmt, int column);

/* The functions of kernle_write_back: see write_back.h. */
int kernle_write_rows(struct write_back *w, const char *backup, struct error *e);
void kernle_note_rows(const struct write_back *w, struct json_object *list);
int kernle_undo_rows(struct write_back *w, const char *backup, struct json_slice noted,
                     struct error *e);

#endif
