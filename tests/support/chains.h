/* Chains of thought for tests of views and commands: small ones with readable texts, large ones,
 * unfinished ones. */
#ifndef STEMMA_TESTS_CHAINS_H
#define STEMMA_TESTS_CHAINS_H

#include "store/session/session.h"

/* A source of a step. */
struct made_source {
    const char *id, *title, *content;
    double score;       /* NAN if none */
    const char *origin; /* NULL for a result, which is "measured"; otherwise of attributions */
    int chunk;          /* -1: none */
};

struct made_step {
    int number;
    const char *question, *answer, *trace;
    double confidence, seconds; /* NAN if not given */
    const struct made_source *source;
    size_t count;
    const char *const *context; /* ends with NULL; or NULL for none */
};

/* Each of these writes in a transaction of its own, as that agent, in that session or without
 * one (NULL). Returns the row. */
int64_t chains_begin(struct store *s, struct session *session, const char *agent,
                     const char *question, const char *strategy);
int64_t chains_step(struct store *s, struct session *session, const char *agent, int64_t chain,
                    const struct made_step *step);
void chains_finish(struct store *s, struct session *session, const char *agent, int64_t chain,
                   const char *answer);

/* "Why the deploy stopped the queue": four steps, eight sources of every origin, one of them
 * changed since. */
int64_t chains_deploy(struct store *s, struct session *session);
/* Adds memories that are based on that chain, cite it, or share its sources. */
void chains_around_deploy(struct store *s, struct session *session, int64_t chain);
/* A chain with many steps. Each uses a few of the documents. */
int64_t chains_large(struct store *s, struct session *session, int steps, int documents);

#endif
