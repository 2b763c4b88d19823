/*
 * The preview of what reasons and of what it rests on: of a chain its answer, steps and best sources, of a
 * step its sources, of a document who used it, of a citation where it is from, of an attribution when it
 * was retrieved and whether its content is what was hashed.
 */
#ifndef STEMMA_KIND_BRIEF_H
#define STEMMA_KIND_BRIEF_H

#include "model/reasoning/citation.h"
#include "store/reasoning/chain.h"
#include "store/reasoning/retrievals.h"
#include "tui/render/document_facts.h"
#include "tui/view/memory/facts_sheet.h"

struct kind_brief {
    struct arena arena;
    enum kind kind;
    struct chain chain;            /* of a chain, or the one that a step is part of */
    const struct chain_step *step; /* NULL: of none of its chain */
    struct document_facts *document;
    struct document_reach *reach; /* as far as it was read */
    struct citation citation;
    const char *conversation, *message;
    const char *type, *uri;
    int64_t retrieved_at;
    enum hash_check check;
};

/* NULL where a memory of that kind has no preview of its own, or where it cannot be read: then what any
 * memory has is shown. */
struct kind_brief *kind_brief_read(struct reader *r, const struct memory *m);
void kind_brief_free(struct kind_brief *b); /* NULL is allowed */

/* From an empty sheet of look->width. */
void kind_brief_sheet(struct sheet *s, const struct facts *f, const struct kind_brief *b,
                      const struct facts_look *look);
/* What stands in the rule above it beside the memory's state: "finished · 4 steps"; nothing for others. */
void kind_brief_state(const struct kind_brief *b, const struct screen *screen, struct strbuf *out);

#endif
