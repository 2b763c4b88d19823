#include "store/lineage/known_labels.h"

#include <stdlib.h>

void known_labels_take(struct known_labels *k, uint8_t *label, int64_t rows)
{
    known_labels_release(k);
    *k = (struct known_labels){.label = label, .rows = rows};
}

void known_labels_release(struct known_labels *k)
{
    free(k->label);
    k->label = NULL;
    k->rows = 0;
}

void known_labels_lose(struct known_labels *k, struct losing_labels *l, int64_t row)
{
    if (known_label(k, row) < 0)
        return;
    if (l->count == KNOWN_LOST_MAX) {
        known_labels_release(k);
        return;
    }
    k->label[row - 1] = LABEL_COUNT;
    l->row[l->count++] = row;
}

static int lose_users(struct known_labels *k, struct losing_labels *l, struct db *db, int64_t row)
{
    struct error ignored;
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT memory FROM link INDEXED BY link_target WHERE target = ? AND shape & 31 < 6",
        &ignored);
    int more = stmt ? db_bind(db, stmt, &ignored, "i", row) : -1;
    for (; more > 0; more = db_step(db, stmt, &ignored))
        known_labels_lose(k, l, sqlite3_column_int64(stmt, 0));
    return more;
}

void known_labels_lose_behind(struct known_labels *k, struct losing_labels *l, struct db *db)
{
    for (size_t i = 0; i < l->count && k->label; i++)
        if (lose_users(k, l, db, l->row[i]))
            known_labels_release(k);
}
