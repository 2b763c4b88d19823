/* chain_record with ids of the caller's making. For store/ alone. */
#ifndef STEMMA_REASONING_RECORD_H
#define STEMMA_REASONING_RECORD_H

#include "store/reasoning/reasoning_given.h"

struct record_as {
    const char *operation;
    const char *agent_id; /* NULL: who acts */
    const char *id;       /* of the chain; NULL: one is made */
    /* Makes the id of the step of that number; false, or NULL: one is made. */
    bool (*step_id)(void *arg, int64_t number, char out[37]);
    void *arg;
};
/* ERROR_CONFLICT: an id is taken. After an error nothing of it may be kept. */
int chain_record_as(struct txn *t, const struct actor *actor, const struct chain_given *given,
                    const struct record_as *as, struct arena *arena, struct chain_recorded *out,
                    struct error *e);

#endif
