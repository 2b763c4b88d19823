/*
 * Where the cursor of a list of what happened goes when its filter is gone: it stays on the happening that was found
 * by it, for what is around that is looked at next. Where the filter was only typed and left again, or left nothing,
 * it goes back to where it was before. Who follows what is new does so through every filter, and on when it is gone,
 * unless what it found is not the newest.
 */
#ifndef STEMMA_HAPPENING_RETURN_H
#define STEMMA_HAPPENING_RETURN_H

#include <stdbool.h>
#include <stdint.h>

struct happening_list;

struct happening_place {
    bool known;
    int64_t id, at; /* as those of a happening */
    uint8_t sort, outcome;
};

struct happening_return {
    struct happening_place
        before; /* where it was when the filter began; unknown: it followed what is new */
    struct happening_place sought; /* while the view's line_sought */
    bool taken;                    /* the filter was typed to its end */
};

/* The filter is another one; before the list is read anew. `was`, `is`: is there one? */
void happening_return_filter(struct happening_list *l, bool was, bool is);
/* It was given once more as it is: typed to its end, unless it is typed still. */
void happening_return_taken(struct happening_list *l);
/* Lines were appended, from that one on: is the one that is sought among them, or can none be it any more? */
void happening_return_seek(struct happening_list *l, size_t from);

#endif
