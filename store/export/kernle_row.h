/* A memory on its way into a row of a store of Kernle. Only for store/export. */
#ifndef STEMMA_KERNLE_ROW_H
#define STEMMA_KERNLE_ROW_H

#include "store/export/export_internal.h"
#include "store/import/kernle/kernle_map.h"

/* A memory on its way into a row. */
struct row {
    struct export *x;
    const struct memory *m;
    const struct kernle_table *table;
    struct json_slice detail;
    struct strbuf bytes; /* the original of a text that was repaired */
    bool native;         /* it did not come from Kernle */
};

/* The value of a column; its bytes are in x->arena or belong to the row. */
struct cell kernle_column_cell(const struct row *row, const struct kernle_column *column);

/* Has Kernle a table for that kind? */
bool kernle_has_kind(enum kind kind);
/* The column of a link. FIELD_HISTORY: a change of confidence names it, which says the same. */
enum kernle_field kernle_field_of_link(const struct row *row, const struct justification *j,
                                       struct ref ref);
/* Does Kernle's audit say that this belief revised the other one? Then an import reads it there. */
bool kernle_in_audit(const struct memory *m, struct ref old);

#endif
