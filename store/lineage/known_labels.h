/*
 * The labels of all rows, a byte each, once they were computed (all_labels.h). They belong to kept_links, under whose lock
 * they are used, and are those of its moment.
 *
 * An event on a row takes its label away, and those of all that rests on it, directly or not: nobody else's can have
 * changed. A row that was added since has none. So whatever rests on a row without a label has none either, and nothing
 * is looked for behind such a row: what an event costs is what still had a label.
 */
#ifndef STEMMA_KNOWN_LABELS_H
#define STEMMA_KNOWN_LABELS_H

#include "model/graph/graph.h"
#include "store/db/db.h"

#define KNOWN_LOST_MAX 1024 /* rows that may lose theirs at once; beyond that all do */

/* All 0: nothing is known. */
struct known_labels {
    uint8_t *label; /* [rows] enum label, LABEL_COUNT where it is lost; NULL: none is known */
    int64_t rows;   /* of the moment at which they were computed */
};

/* -1: it is not known. */
static inline int known_label(const struct known_labels *k, int64_t row)
{
    bool known = row >= 1 && row <= k->rows && k->label[row - 1] != LABEL_COUNT;
    return known ? k->label[row - 1] : -1;
}

/* Takes the labels of the rows 1 to `rows` over, in place of what was known. */
void known_labels_take(struct known_labels *k, uint8_t *label, int64_t rows);
/* Gives all of them up. */
void known_labels_release(struct known_labels *k);

/*
 * Rows that lose theirs, as the events' subjects do first, then what rests on them at the moment of the connection's
 * transaction. Whatever hinders that, an error too, gives all of them up.
 */
struct losing_labels {
    size_t count;
    int64_t row[KNOWN_LOST_MAX];
};
void known_labels_lose(struct known_labels *k, struct losing_labels *l, int64_t row);
void known_labels_lose_behind(struct known_labels *k, struct losing_labels *l, struct db *db);

#endif
