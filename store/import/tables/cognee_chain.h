/* The chain of checksums in the ledger of cognee. Only for cognee.c. */
#ifndef STEMMA_COGNEE_CHAIN_H
#define STEMMA_COGNEE_CHAIN_H

#include "model/base/error.h"

struct db;
struct table_reading;

/* Reports each entry whose checksum does not fit its content, and each that does not follow the one before. Returns
 * -1 if the ledger cannot be read. O(n log n). */
int cognee_chain_verify(struct table_reading *r, struct db *db, struct error *e);

#endif
