/* A page for what would be written back into a source. The explorer shows it, a command prints it. */
#ifndef STEMMA_APPLY_PAGE_H
#define STEMMA_APPLY_PAGE_H

#include "store/apply/apply.h"
#include "tui/render/page.h"

/* Adds each change with who decided it and why, in the form of the source, then what the format cannot say. */
void apply_page(struct page *s, const struct apply *a);
/* "2 changes to memory.jsonl", or that nothing differs; in the page's arena. */
const char *apply_summary(struct arena *arena, const struct apply *a);

#endif
