/* Shared by the files of this room. */
#ifndef STEMMA_SIMILAR_INTERNAL_H
#define STEMMA_SIMILAR_INTERNAL_H

#include "model/base/map.h"
#include "model/memory/memory.h"
#include "model/similarity/texts.h"
#include "store/db/reader.h"
#include "store/lineage/loaded.h"
#include "store/similar/similar.h"

struct finder {
    struct reader *r;
    struct arena *arena; /* of the answer */
    enum similar_question question;
    struct similar_sets *out;
    struct error *e;
    struct texts texts;        /* of all, or of the rows asked for */
    struct loaded_texts *kept; /* where `texts` came from; NULL: they are this question's own */
    struct row_index paired;   /* pairs of groups that were found: keys of pair_key */
    struct arena each;         /* of one memory */
    int64_t done;              /* memories read, for progress */
};

/* A memory as the caller sees it. */
struct seen {
    int64_t row, created_at;
    enum kind kind;
    bool compared;    /* it is one that is compared at all, and the caller may see it */
    const char *text; /* valid until the next one is read */
};
/* The text is read only if it is of `kinds` (KIND_BIT), else it is not `compared`. */
int read_seen(struct finder *f, int64_t row, unsigned kinds, struct seen *out);
/* Whether memories of this kind are compared. */
bool is_compared(const struct finder *f, enum kind kind);

/* Adds a candidate: `a` and `b` are parsed. `similarity` and what differs are those of statements_conflict. */
void add_candidate(struct finder *f, const struct seen *a, const struct seen *b, double similarity,
                   enum difference how, struct span a_at, struct span b_at);

/* Parses a text of `texts`; `arg` is the finder. For struct text_reader. */
int read_text(void *arg, size_t text, struct statement *out);

/* Of one row, by the texts that are kept, or else by the search index. */
int find_near(struct finder *f, int64_t row);

/*
 * Makes `texts` those that are kept for all readers, with their groups, as of the reader's event. False if there are
 * none. Call texts_give. Between the two no other thread has them, and it need not wait: it asks the search index.
 */
bool texts_take(struct finder *f);
void texts_give(struct finder *f);
/* Keeps `texts`, which are of all memories and grouped, unless there are later ones. */
void texts_put(struct finder *f);

#endif
