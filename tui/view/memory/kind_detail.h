/*
 * What a row of a list shows of a memory beyond what every kind has: of a chain its state and how many
 * steps and sources, of a document its uses, of a citation where in which document, of an attribution
 * its URI and when it was retrieved.
 */
#ifndef STEMMA_KIND_DETAIL_H
#define STEMMA_KIND_DETAIL_H

#include "model/memory/memory.h"
#include "store/reasoning/chain.h"

#define KIND_TEXT  200  /* bytes of `text`, with its NUL */
#define KIND_PLACE 64   /* and of `place` */
#define USES_MOST  1000 /* uses of a document that a row counts to */

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
