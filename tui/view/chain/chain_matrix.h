/*
 * A chain's steps and documents as a sparse matrix. Rows and columns are sorted independently. The number of a step
 * or document is its index in the chain; its place is its position in the current order.
 */
#ifndef STEMMA_CHAIN_CHAIN_MATRIX_H
#define STEMMA_CHAIN_CHAIN_MATRIX_H

#include "store/reasoning/chain.h"
#include "tui/widget/panel.h"

enum step_order {
    STEPS_BY_NUMBER = 0,
    STEPS_BY_CONFIDENCE, /* highest first; unknown last */
    STEPS_BY_TIME,       /* longest first */
    STEP_ORDERS
};

enum document_order {
    DOCUMENTS_BY_RELEVANCE = 0,
    DOCUMENTS_BY_FIRST_USE,
    DOCUMENTS_BY_TITLE,
    DOCUMENTS_BY_STEPS, /* used by most steps first */
    DOCUMENT_ORDERS
};

const char *step_order_name(enum step_order order);         /* "number" */
const char *document_order_name(enum document_order order); /* "relevance" */

struct matrix {
    const struct chain *chain;
    size_t *step;      /* [steps] number by place */
    size_t *document;  /* [documents] number by place */
    size_t most_uses;  /* the most uses of one document in one step */
    double confidence; /* mean of the steps; NAN if unknown */
    unsigned origins;  /* a bit for each enum score that occurs */
    bool rated;        /* a person rated a source, or whether a step is supported */
};

/* `chain` must outlive the matrix. Everything is in the arena. O(sources). */
void matrix_make(struct matrix *m, struct arena *arena, const struct chain *chain);
/* Sorts rows and columns. Equal ones keep the order of the chain. O(n log n). */
void matrix_order(struct matrix *m, enum step_order steps, bool steps_reversed,
                  enum document_order documents, bool documents_reversed);
/* `step` and `document` are numbers, not places. Returns the most relevant use of the document by the step, the
 * first of equal ones; NULL if there is none. Sets *uses, unless it is NULL, to the number of uses. O(sources of the
 * step). */
const struct chain_source *matrix_at(const struct matrix *m, size_t step, size_t document,
                                     size_t *uses);
/* A chain with its matrix, as read by the worker; used by the views of the chain and of its steps. */
struct chain_reading {
    struct arena arena;
    struct chain chain;
    struct matrix matrix;
    /* Widths of the longest step number, question (at most CHAIN_QUESTION_MAX) and time. */
    int number_width, question_width, time_width;
    int letter_width; /* width of the longest document letter */
    size_t primary;   /* number of primary documents */
    bool changed;     /* one of the documents changed since */
};

/* `key` has the row of a chain or of a step. Returns NULL and sets *e on failure. */
void *chain_reading_make(const struct panel_key *key, struct reader *r, struct error *e);
void chain_reading_free(void *reading);
/* The number of a step or document, by its row; SIZE_MAX if it is not part of the chain. */
size_t chain_step_of(const struct chain *c, int64_t node);
size_t chain_document_of(const struct chain *c, int64_t node);

#endif
