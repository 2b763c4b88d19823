/* Two states of a memory, by the members of the exchange form that differ. */
#ifndef STEMMA_EXCHANGE_DIFF_H
#define STEMMA_EXCHANGE_DIFF_H

#include "model/memory/memory.h"
#include "model/base/strbuf.h"

/*
 * Appends two JSON objects: the members that differ, as they are in `a` and as they are in `b`, in
 * the order of the exchange form; null in one that the other has alone. So laying `after` over the
 * form of `a` (a null takes the member away) gives that of `b`, and `before` the other way. Where
 * one of them is NULL, null is appended for it, and the whole form of the other. A strbuf's
 * `failed` says that memory ran out.
 */
void exchange_diff(struct strbuf *before, struct strbuf *after, const struct memory *a,
                   const struct memory *b);

#endif
