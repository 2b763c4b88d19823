/* Chains of thought that agents write, for tests of what shows them: small ones that read well, large ones, running
 * ones. */
#ifndef STEMMA_TESTS_CHAINS_H
#define STEMMA_TESTS_CHAINS_H

#include "store/session/session.h"

/* A source as a step gives it. */
struct made_source {
    const char *id, *title, *content;
    double score;       /* NAN: none */
    const char *origin; /* NULL: from a result, so measured; else of attributions */
    int chunk;          /* -1: none */
};

struct made_step {
    int number;
    const char *question, *answer, *trace;
    double confidence, seconds; /* NAN: not said */
    const struct made_source *source;
    size_t count;
    const char *const *context; /* NULL ends it; NULL: none */
};

/* Each in a transaction of its own, in that session (NULL: in none), by that agent. The row. */
int64_t chains_begin(struct store *s, struct session *session, const char *agent,
                     const char *question, const char *strategy);
int64_t chains_step(struct store *s, struct session *session, const char *agent, int64_t chain,
                    const struct made_step *step);
void chains_finish(struct store *s, struct session *session, const char *agent, int64_t chain,
                   const char *answer);

/* Why the deploy stopped the queue: four steps, eight sources of every origin, one that changed since. */
int64_t chains_deploy(struct store *s, struct session *session);
/* What rests on it, quotes it and was used for it elsewhere. */
void chains_around_deploy(struct store *s, struct session *session, int64_t chain);
/* So many steps over so many documents, of which each step uses a few. */
int64_t chains_large(struct store *s, struct session *session, int steps, int documents);

#endif
