/*
 * Compact answers for agents, who pay for each byte: a memory as a row, and as its text, state and what it is based on.
 * Each stays within a number of bytes, whatever the script, unless names alone take more.
 */
#ifndef STEMMA_COMPACT_H
#define STEMMA_COMPACT_H

#include "model/base/strbuf.h"
#include "model/json/json.h"
#include "store/lineage/subgraph.h"

#define COMPACT_TEXT   160  /* code points of a text in a row */
#define COMPACT_MEMORY 2000 /* bytes of a memory besides its text */

/* Bytes. A text is cut to no less than this; a row with no room for it goes to the next page. */
#define COMPACT_LEAST 60

struct compact {
    struct reader *reader;
    struct arena *arena;
    int64_t now; /* Unix ms, for ages */
    /* Estimated bytes of the same memories in full form: `full` as structured content, `again` as the text copy. */
    double full, again;
    bool full_ended; /* an answer in full form would end before this memory */
};

/* Estimated bytes of the answer in full form, with both copies. */
size_t compact_full_bytes(const struct compact *c);

/* A row before it is cut. Strings are in the arena. */
struct compact_row {
    const char *head, *tail; /* the JSON before and after the text */
    const char *text;        /* on one line, masked; NULL if it is not shown */
    size_t at, match;        /* the bytes in it that a cut keeps */
    size_t least, bytes;     /* with the text cut as far as it may be, and whole */
    bool holds;              /* not replaced, expired or ended, and supported (memory_holds) */
};
struct snippet_match;
/*
 * Reads
 * {"ref","text","effective"?,"confidence"?,"trust"?,"class"?,"label","age","agent_id"?,"flags"?,"why"?},
 * or {"ref","agent_id","withheld"}. `confidence` is the stored one if it differs; `trust` if it is
 * known; `class` if it is web; `agent_id` if it is another agent's; `flags`, if they warn; `why` if
 * it does not hold. A `snippet`, if not NULL, takes the place of the text.
 */
int compact_row_read(struct compact *c, int64_t node, const struct row_label *label,
                     const char *snippet, const struct snippet_match *match,
                     struct compact_row *out, struct error *e);
/* Appends it in at most `most` bytes: the text is cut around its match. */
void compact_row_add(const struct compact_row *row, size_t most, struct strbuf *out);
/*
 * Appends {"ref","text","characters"?,"next"?,"effective"?,"confidence"?,"label","age","status"?,"version",
 * "protected"?,"flags"?,"flags_more"?,"source"?,"detail"?,"tags"?,"tags_more"?,"agent_id"?,"why"?,"based_on":[{"ref",
 * "text"?,"role"?,"all"?,"status"?,"agent_id"?,"withheld"?}],"based_on_more"?,"more"?,"todo"?} in `most` bytes. A text
 * that is too long is cut: `characters` is its whole length, `next` the offset of the rest. `detail` has the main
 * members of its kind; `more` names the members of the full form that have more than is shown. `role` is left out where
 * it is derived_from, `effective` and `confidence` where nobody stated one.
 */
int compact_memory(struct compact *c, int64_t node, const struct row_label *label, size_t most,
                   struct strbuf *out, struct error *e);

/* Adds `effective` and, if it differs, `confidence`, to three decimals. */
void compact_pair_effective(struct json_object *o, const struct row_label *label);
/* The most bytes at the start of `s` that a JSON string of `most` bytes holds, at a code point. */
size_t compact_fit(const char *s, size_t len, size_t most);
/* Appends a text on one line: at most `characters` code points and, inside a JSON string, `most` bytes; "…" ends one
 * that is cut. The text must be masked. */
void compact_add_text(struct strbuf *out, const char *text, size_t characters, size_t most);

#endif
