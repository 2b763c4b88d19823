/* A memory as it was at one of its versions, for who meets another than the one that was read; as the reader's caller sees
 * it. */
#ifndef STEMMA_VERSION_H
#define STEMMA_VERSION_H

#include "model/base/strbuf.h"
#include "store/db/store.h"

/*
 * Appends the exchange form of the memory at that version. 1; 0: no event left it so, or nothing of it is
 * kept; -1. O(events on it since).
 */
int version_form(struct reader *r, int64_t node, int64_t version, struct strbuf *out,
                 struct error *e);
/*
 * The two versions of a stale change, as members of an object: "expected":{…} (null: it is not known) and
 * "present":{…}, in the exchange form.
 */
int version_both(struct reader *r, struct arena *arena, int64_t node, int64_t expected,
                 struct strbuf *out, struct error *e);

#endif
