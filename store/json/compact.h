/*
 * Compact answers for agents, who pay for each byte: a memory as a row, and as its text, state and what it is based on.
 * Each stays within a number of bytes, whatever the script, unless names alone take more.
 */
#ifndef STEMMA_COMPACT_H
#define STEMMA_COMPACT_H

#include "model/base/strbuf.h"
#include "store/lineage/subgraph.h"

#define COMPACT_TEXT   160  /* code points of a text in a row */
#define COMPACT_MEMORY 2000 /* bytes of a memory besides its text */

struct compact {
    struct reader *reader;
    struct arena *arena;
    int64_t now;  /* Unix ms, for ages */
    size_t texts; /* bytes of the texts that were read, for an estimate of the full form */
    size_t links; /* links that were read */
};

/* Bytes of the memories that were read in the exchange form, twice as in an answer: their texts, and what else a memory
 * and a link have on average in the demo store. */
size_t compact_full_bytes(const struct compact *c, size_t memories);

/*
 * Appends {"ref","text","effective","label","age","agent_id"?,"why"?} in at most `most` bytes, or {"ref","agent_id",
 * "withheld"}. `agent_id` if it is another agent's; `why` if it does not stand. A `snippet`, if not NULL, takes the
 * place of the text.
 */
int compact_row(struct compact *c, int64_t node, const struct row_label *label, const char *snippet,
                size_t most, struct strbuf *out, struct error *e);
/*
 * Appends {"ref","text","characters"?,"next"?,"effective","label","age","status"?,"version","protected"?,"flags"?,"source"?,
 * "agent_id"?,"why"?,"based_on":[{"ref","text"?,"role"?,"all"?,"status"?,"withheld"?}],"based_on_more"?} in `most`
 * bytes. A text that is too long is begun: it has so many `characters`, and goes on at `next`. `role` is not named where it
 * is derived_from.
 */
int compact_memory(struct compact *c, int64_t node, const struct row_label *label, size_t most,
                   struct strbuf *out, struct error *e);

/* The most bytes at the start of `s` that a JSON string of `most` bytes holds, at a code point. */
size_t compact_fit(const char *s, size_t len, size_t most);
/* Appends a text on one line: at most `characters` code points and, inside a JSON string, `most` bytes; "…" ends one that
 * is cut. The text must be masked. */
void compact_add_text(struct strbuf *out, const char *text, size_t characters, size_t most);

#endif
