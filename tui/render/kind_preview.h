/*
 * Previews that depend on the kind: for a chain its answer, steps and best sources; for a step its sources; for a
 * document its users; for a citation its source; for an attribution the time of retrieval, and whether the content
 * still has the recorded hash.
 */
#ifndef STEMMA_MEMORY_KIND_PREVIEW_H
#define STEMMA_MEMORY_KIND_PREVIEW_H

#include "model/memory/memory.h"
#include "model/reasoning/citation.h"
#include "store/reasoning/chain.h"
#include "store/reasoning/retrievals.h"
#include "tui/render/document.h"
#include "tui/render/facts.h"

struct kind_preview {
    struct arena arena;
    enum kind kind;
    struct chain chain;            /* the chain, or the chain of the step */
    const struct chain_step *step; /* NULL if it is not found in its chain */
    struct document_facts *document;
    struct citation citation;
    const char *conversation, *message;
    const char *type, *uri;
    int64_t retrieved_at;
    enum hash_check check;
};

/* Returns NULL if that kind has no preview of its own, or if reading fails: then the common preview is shown. */
struct kind_preview *kind_preview_read(struct reader *r, const struct memory *m);
void kind_preview_free(struct kind_preview *b); /* accepts NULL */
/* Lays out the preview on an empty page of options->width. */
void kind_preview_page(struct page *s, const struct facts *f, const struct kind_preview *b,
                       const struct page_options *options);
/* Appends the text of the rule above, after the memory's state: "finished · 4 steps"; nothing for other kinds. */
void kind_preview_state(const struct kind_preview *b, bool ascii, struct strbuf *out);

/*
 * Details in list rows that depend on the kind: for a chain its state and numbers of steps and sources; for a
 * document its uses; for a citation the place in its document; for an attribution its URI and time of retrieval; for an
 * entry its value.
 */

#define KIND_TEXT  200 /* bytes of `text`, including the NUL */
#define KIND_PLACE 64  /* bytes of `place` */

struct kind_detail {
    bool known; /* false if nothing below is set */
    union {
        struct {
            enum chain_state state;
            size_t steps, sources;
            double confidence; /* of an unfinished chain that of its steps so far; NAN if unknown */
            double time;       /* seconds; NAN if unknown */
        } chain;
        struct {
            int64_t number; /* 0 for none */
            int64_t chain;  /* its row; 0 for none */
            size_t sources;
        } step;
        struct {
            size_t uses;
            bool bounded; /* there are more */
            bool changed; /* a passage was recorded with another hash */
        } document;
        struct {
            double relevance; /* NAN if unknown */
            enum score origin;
        } citation;
        struct {
            int64_t at; /* time of retrieval, Unix ms */
        } attribution;
        struct {
            int64_t expires_at; /* 0 for never */
        } entry;
    };
    /* The answer of a chain or step, the passage of a citation, the URI of an attribution, or the value of an entry; as
     * stored, cut between characters. "" if there is none. */
    char text[KIND_TEXT];
    char place[KIND_PLACE]; /* for a citation: "page 12, Executive Summary" */
};

/* Reads the details of a memory that was read in full. O(its links); O(USES_MAX) for a document. */
int kind_detail_read(struct reader *r, struct arena *arena, const struct memory *m,
                     struct kind_detail *out, struct error *e);
/* The confidence that a list shows: the effective one, but a default is no statement, so NAN for it. `d` is of a memory
 * of this kind. */
double kind_confidence(const struct kind_detail *d, enum kind kind, const struct row_label *label);

#endif
