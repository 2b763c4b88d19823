/* Statements that the views of the past (past_overlay.h) would answer slowly. For store/ alone. */
#ifndef STEMMA_PAST_SQL_H
#define STEMMA_PAST_SQL_H

#include "store/db/db.h"

/* From here on the connection is asked them in another way, which gives the same rows in the same
 * order. */
void past_sql_vary(struct db *db);

#endif
