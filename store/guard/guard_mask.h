/*
 * A reader that shows memories as agents would be given them: whole, with their personal data masked. For
 * a person who wants to see what leaves; nothing is hidden and no rule but those of personal data is asked.
 */
#ifndef STEMMA_GUARD_MASK_H
#define STEMMA_GUARD_MASK_H

#include "store/guard/guard.h"

/* From here on memory_read, memory_row_read and what a search shows and finds are masked by these rules, which
 * must live so long; NULL: as it is. */
void reader_mask(struct reader *r, const struct guard_rules *rules);
const struct guard_rules *reader_masked(const struct reader *r);

/* In the arena, where anything is masked; -1 with ERROR_MEMORY. A row's text is guard_text's. */
int guard_mask_row(struct reader *r, struct arena *arena, struct memory_row *row, struct error *e);
int guard_mask_memory(struct reader *r, struct arena *arena, struct memory *m, struct error *e);
/* Text, and text that is JSON; NULL stays, and is what comes back where memory ran out. */
const char *guard_mask_text(const struct guard_rules *rules, struct arena *arena, const char *text);
/* With the id as an agent is shown it (guard_ref_id), in the arena where that is another; "" where memory ran out. */
struct ref guard_mask_ref(struct reader *r, struct arena *arena, struct ref ref);

/* memory_read without a mask, to look up what the memory names; never to show it. */
int guard_read_bare(struct reader *r, struct arena *arena, int64_t node, struct memory *out,
                    struct error *e);
/* What was read past memory_read: each of these texts, and what is said of a use, as the reader is shown them; untouched
 * where it is not masked. What becomes another is in the arena. -1 with ERROR_MEMORY. */
int guard_mask_texts(const struct reader *r, struct arena *arena, const char **const *texts,
                     size_t count, struct error *e);
int guard_mask_use(const struct reader *r, struct arena *arena, struct use *use, struct error *e);

#endif
