/* An entry of shared memory, laid out: where it stands, how long it lives, and its value as JSON over lines. */
#ifndef STEMMA_FACTS_ENTRY_H
#define STEMMA_FACTS_ENTRY_H

#include "tui/view/memory/facts_sheet.h"

/* Appended to the sheet; at most so many lines of the value. */
void facts_put_entry(struct sheet *s, const struct facts *f, const struct facts_look *look,
                     size_t most);
/* JSON that was checked and has no white space around its parts, a member or element on each line. Not deeper to
 * the right than twenty levels. */
void json_indent(struct strbuf *out, const char *json, size_t len);

#endif
