/*
 * The texts of all memories with their groups of duplicates, computed over all of it as the graph is, and kept next to
 * it. store/similar fills it when somebody asks for all duplicates, and brings it to the reader's event.
 */
#ifndef STEMMA_LOADED_TEXTS_H
#define STEMMA_LOADED_TEXTS_H

#include "model/similarity/texts.h"
#include "store/db/store.h"

struct loaded_texts {
    struct texts texts;
    int64_t seq;  /* it is as of this event; 0: there is none */
    int64_t last; /* the greatest row then */
};
/* Locks it for the caller, who calls loaded_texts_give. NULL if this reader may not share it, or another has it. */
struct loaded_texts *loaded_texts_take(struct reader *r);
void loaded_texts_give(struct reader *r);

#endif
