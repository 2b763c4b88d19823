/* The rules for a logged retrieval, which every way to add or change one applies. */
#ifndef STEMMA_ATTRIBUTION_H
#define STEMMA_ATTRIBUTION_H

#include "model/base/error.h"
#include "model/memory/memory.h"

/*
 * An attribution has an agent, a source_type, a whole retrieval_timestamp within ±(2^53 - 1), and
 * if it has a full_content_hash, that is 64 hex digits. Other kinds always pass.
 * ERROR_INVALID names the field and what to give.
 */
int attribution_check(const struct memory *m, struct error *e);

#endif
