/*
 * The preview of what reasons and of what it rests on: of a chain its answer, steps and best sources, of a
 * step its sources, of a document who used it, of a citation where it is from, of an attribution when it
 * was retrieved and whether its content is what was hashed.
 */
#ifndef STEMMA_MEMORY_KIND_BRIEF_H
#define STEMMA_MEMORY_KIND_BRIEF_H

#include "model/memory/memory.h"
#include "model/reasoning/citation.h"
#include "store/reasoning/chain.h"
#include "store/reasoning/retrievals.h"
#include "tui/render/document.h"
#include "tui/render/facts.h"

struct kind_brief {
    struct arena arena;
    enum kind kind;
    struct chain chain;            /* of a chain, or the one that a step is part of */
    const struct chain_step *step; /* NULL: of none of its chain */
    struct document_facts *document;
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
/* What stands in the rule above it next to the memory's state: "finished · 4 steps"; nothing for others. */
void kind_brief_state(const struct kind_brief *b, bool ascii, struct strbuf *out);

/*
 * What a row of a list shows of a memory beyond what every kind has: of a chain its state and how many
 * steps and sources, of a document its uses, of a citation where in which document, of an attribution
 * its URI and when it was retrieved.
 */

#define KIND_TEXT  200 /* bytes of `text`, with its NUL */
#define KIND_PLACE 64  /* and of `place` */

struct kind_detail {
    bool known; /* else nothing below holds */
    union {
        struct {
            enum chain_state state;
            size_t steps, sources;
            double confidence; /* of one that is not finished: of its steps so far; NAN */
            double time;       /* seconds; NAN */
        } chain;
        struct {
            int64_t number; /* 0: none */
            int64_t chain;  /* its row; 0: none */
            size_t sources;
        } step;
        struct {
            size_t uses;
            bool bounded; /* there are more */
            bool changed; /* a passage came with another hash */
        } document;
        struct {
            double relevance; /* NAN */
            enum score origin;
        } citation;
        struct {
            int64_t at; /* retrieved, ms */
        } attribution;
    };
    /* A chain's or step's answer, what a citation cites, an attribution's URI; as it is stored, cut
     * between characters. "": none. */
    char text[KIND_TEXT];
    char place[KIND_PLACE]; /* of a citation: "page 12, Executive Summary" */
};

/* Of a memory that was read whole. O(what it names); of a document O(USES_MOST). */
int kind_detail_read(struct reader *r, struct arena *arena, const struct memory *m,
                     struct kind_detail *out, struct error *e);

#endif
