/* A store that operations are done to, with what was done last. A failure in here fails the test that called it. */
#ifndef STEMMA_TESTS_OPERATED_H
#define STEMMA_TESTS_OPERATED_H

#include "store/ops/operation.h"
#include "store/db/store.h"

extern struct operated {
    char *path;
    struct store *store;
    struct reader *reader;
    struct arena arena; /* of all that is answered */
    struct plan done;   /* what was done last */
} operated;

/* A new store of that name. */
void operated_open(const char *name);
/* A tear-down. */
int operated_close(void **state);
/* Closes the store, and opens it again. */
void operated_end(void);
void operated_begin(void);

/* As scratch_put. */
int64_t operated_put(const char *line);

int operated_try(const struct actor *actor, enum operation op, const struct request *q,
                 struct error *e);
void operated_must(const struct actor *actor, enum operation op, const struct request *q);
/* A request about so many refs, up to NULL, which stay the caller's. */
struct request operated_about(const char **refs);
#define ABOUT(...) operated_about((const char *[]){__VA_ARGS__, NULL})

int64_t operated_row(const char *ref);
struct memory operated_read(const char *ref);
/* The last event. */
int64_t operated_last(void);

#endif
