/*
 * Chains compared: each of them, the documents that they used with who used which, and how each answer
 * differs from the first. Gathered by the worker, owned by whoever asked.
 */
#ifndef STEMMA_STRATEGIES_H
#define STEMMA_STRATEGIES_H

#include "model/format/difference.h"
#include "store/reasoning/chain.h"

/* A document that at least one of them used. */
struct shared_source {
    const struct chain_document *document; /* as the first that used it has it */
    const struct chain_document **used;    /* [count of chains]; NULL: that one did not */
    size_t users;
    size_t first; /* chain that used it */
    double best;
    bool changed;
};

struct compared_chain {
    struct chain chain;
    size_t short_length; /* of its id */
    struct text_run
        *run; /* from the first chain's answer to this one's; of the first chain from the
                             second's answer to its own; NULL: they have too little in common */
    size_t run_count;
    size_t same_as; /* the chain before with this very answer, counted from 1; 0: none */
};

struct strategies {
    struct arena arena;
    struct compared_chain *chain;
    size_t count;
    bool one_question; /* all were asked the same */
    bool by_strategy;  /* they were, and each went about it in another way */
    /* The most widely shared first; those of one chain alone last, chain by chain; else by relevance. */
    struct shared_source *source;
    size_t source_count;
    size_t by_all, by_one; /* of them */
    size_t answers;        /* different ones; 0: nobody answered yet */
};

/* NULL with `e` set. O(steps + sources) of all of them. */
struct strategies *strategies_read(struct reader *r, const int64_t *nodes, size_t count,
                                   struct error *e);
void strategies_free(struct strategies *s); /* NULL is allowed */

#endif
