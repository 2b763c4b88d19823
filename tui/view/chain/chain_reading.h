/* A chain of thought as it was read, with its matrix: shared by the views of it and of its steps. */
#ifndef STEMMA_CHAIN_READING_H
#define STEMMA_CHAIN_READING_H

#include "tui/view/chain/chain_matrix.h"

/* Steps and documents of a chain that is read while a person waits for its first frame. */
#define CHAIN_STEPS_AT_ONCE   64
#define CHAIN_SOURCES_AT_ONCE 400

#define CHAIN_QUESTION_MOST 72

struct chain_reading {
    struct arena arena;
    struct chain chain;
    struct matrix matrix;
    /* Columns of the widest of its steps' numbers, questions (to CHAIN_QUESTION_MOST) and times. */
    int number_width, question_width, time_width;
    int references;
};

/* Of a chain's row, or of a step's. The reference is the caller's; NULL with `e`. */
struct chain_reading *chain_reading_make(struct reader *r, int64_t node, struct error *e);
/* The same where that takes no time; NULL where it may, or where it cannot be read: the worker will say. */
struct chain_reading *chain_reading_at_once(struct reader *r, int64_t node);
struct chain_reading *chain_reading_hold(struct chain_reading *c);
void chain_reading_drop(struct chain_reading *c); /* NULL is allowed */

/* May one of the events be about a step of it, or about what a step used? Else it reads the same. Looks at the kinds of so
 * many memories at most; with more events it may be. */
#define CHAIN_EVENTS_LOOKED_AT 64
struct event;
bool chain_concerned(const struct chain *c, struct reader *r, const struct event *events,
                     size_t count);

/* The numbers of a step's and a document's row; SIZE_MAX: it is none of the chain's. */
size_t chain_step_of(const struct chain *c, int64_t node);
size_t chain_document_of(const struct chain *c, int64_t node);

#endif
