/* Appending to the journal, in the transaction of the change. For store/ alone. */
#ifndef STEMMA_JOURNAL_WRITE_H
#define STEMMA_JOURNAL_WRITE_H

#include "store/txn/txn.h"

struct change {
    const char *operation;
    struct ref ref;     /* id NULL: it is about no memory */
    int64_t node;       /* 0 then */
    const char *before; /* the commitment of the last event on it, in hex; NULL: none */
    const char *after;  /* the bytes it is now; NULL: it is no more */
    size_t after_len;
    const char *patch; /* what undoes it, a JSON object; NULL: nothing to restore */
    int64_t expires; /* when what the patch keeps of an entry is over (entry_leaving.h); 0: never */
    const char *reason; /* NULL: none given */
    int64_t undoes;     /* the event that it takes back; 0: none */
    int64_t erases; /* the patches up to that event are erased, and this one's is not; 0: none is */
};

/* A person did it, and did not have it read from elsewhere: what `undo` is for, and what agents respect. */
bool journal_is_by_hand(const char *class_name, const char *origin);

/* Appends the event t->last_seq + 1. */
int journal_append(struct txn *t, const struct actor *actor, const struct change *change,
                   struct error *e);

#endif
