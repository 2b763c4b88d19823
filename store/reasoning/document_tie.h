/* Tying a document to a logged retrieval. For the files document_*.c alone. */
#ifndef STEMMA_DOCUMENT_TIE_H
#define STEMMA_DOCUMENT_TIE_H

#include "store/txn/txn.h"

struct tie {
    struct ref ref;      /* of the retrieval; id NULL: there is none */
    int64_t node;        /* its row; 0: it was never written */
    const char *version; /* of the content, in small hex digits; NULL: not known */
    enum recorded recorded;
};

/*
 * The document rests on the retrieval from here on, unless it does already. Of one version one retrieval is
 * tied, and of all versions so many as a memory can well carry; where others are recorded, the
 * retrieval itself says that it is a copy of the document. What policy_leaves_alone names is left as it is.
 */
int tie_put(struct txn *t, const struct actor *actor, int64_t document, const struct tie *tie,
            struct arena *arena, struct error *e);

/* Whose it is, or who acts. */
const char *tie_agent(const struct actor *actor, const char *agent_id);

#endif
