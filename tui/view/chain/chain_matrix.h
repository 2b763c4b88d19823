/*
 * The steps of a chain and its documents as a matrix, of which most cells are empty. Rows and columns have an order of their own; what a step or a
 * document is called is its number in the chain, and its place is where it stands now.
 */
#ifndef STEMMA_CHAIN_CHAIN_MATRIX_H
#define STEMMA_CHAIN_CHAIN_MATRIX_H

#include "store/reasoning/chain.h"
#include "tui/widget/page.h"

enum step_order {
    STEPS_BY_NUMBER = 0,
    STEPS_BY_CONFIDENCE, /* the surest first; those that say nothing last */
    STEPS_BY_TIME,       /* the longest first */
    STEP_ORDERS
};

enum document_order {
    DOCUMENTS_BY_RELEVANCE = 0,
    DOCUMENTS_BY_FIRST_USE,
    DOCUMENTS_BY_TITLE,
    DOCUMENTS_BY_STEPS, /* those that most steps used first */
    DOCUMENT_ORDERS
};

const char *step_order_name(enum step_order order);         /* "number" */
const char *document_order_name(enum document_order order); /* "relevance" */

struct matrix {
    const struct chain *chain;
    size_t *step;      /* [steps] by place */
    size_t *document;  /* [documents] likewise */
    size_t most_uses;  /* of one document in one step */
    double confidence; /* the mean of the steps'; NAN */
    unsigned origins;  /* a bit for each enum score that occurs */
};

/* Of a chain that outlives it; everything in the arena. O(sources). */
void matrix_make(struct matrix *m, struct arena *arena, const struct chain *chain);
/* O(n log n); what is the same keeps the order of the chain. */
void matrix_order(struct matrix *m, enum step_order steps, bool steps_reversed,
                  enum document_order documents, bool documents_reversed);
/* By number, not by place: the most relevant use of the document by the step, the first of equals; NULL: it did not
 * use it. `uses`, unless NULL: how often it did. O(sources of the step). */
const struct chain_source *matrix_at(const struct matrix *m, size_t step, size_t document,
                                     size_t *uses);
/* A chain of thought as it was read, with its matrix: shared by the views of it and of its steps. */

struct chain_reading {
    struct arena arena;
    struct chain chain;
    struct matrix matrix;
    /* Columns of the widest of its steps' numbers, questions (to CHAIN_QUESTION_MOST) and times. */
    int number_width, question_width, time_width;
    int letter_width; /* of its documents' letters */
    size_t primary;   /* documents that are */
    bool changed;     /* one of them is */
};

/* Of a chain's row, or of a step's. NULL with `e`. */
void *chain_reading_make(const struct page_key *key, struct reader *r, struct error *e);
void chain_reading_free(void *reading);
/* The numbers of a step's and a document's row; SIZE_MAX: it is none of the chain's. */
size_t chain_step_of(const struct chain *c, int64_t node);
size_t chain_document_of(const struct chain *c, int64_t node);

#endif
