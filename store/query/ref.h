/* A ref as somebody types it: which memory it means, and how much of it must be said. */
#ifndef STEMMA_REF_H
#define STEMMA_REF_H

#include "store/db/store.h"
#include "store/guard/guard.h"

/*
 * A ref as a person or a tool gives it: exactly, else as a unique prefix of at least REF_PREFIX_MIN;
 * a bare id is looked for among all kinds. The row, or -1: ERROR_NOT_FOUND, or ERROR_INVALID for an
 * ambiguous one, whose `todo` lists the candidates. A stub is found where nothing that is written is meant: it makes no
 * prefix ambiguous, and where it is called as the first REF_SHORT characters or more of just one that is written, that
 * one is meant.
 */
int64_t ref_resolve(struct reader *r, const char *text, struct error *e);
/* The shortest prefix of its id that ref_resolve() takes for it among that kind, at least REF_SHORT characters, as a
 * length in bytes. */
size_t ref_short_length(struct reader *r, struct ref ref);

/* ---- what a word may mean: for store/ alone ---- */

#define CANDIDATES_SHOWN   5
#define CANDIDATES_COUNTED 1000

/* The first few are kept for the error that names them. Whoever names a memory that is not there makes a stub of any id
 * he likes, so stubs give way: what others see by a word is never changed by them. */
struct candidates {
    int64_t node; /* the first one's */
    size_t count;
    bool more;  /* there are more than are counted */
    bool stubs; /* none of them was ever written */
    enum kind kind[CANDIDATES_SHOWN];
    char *id[CANDIDATES_SHOWN];
};
void candidates_add(struct candidates *c, int64_t node, struct ref ref, bool is_stub);
void candidates_clear(struct candidates *c);
/* The row that has exactly that ref, `node` where it is known by now (-1 is an error that was told), if the reader's
 * caller sees that it is there. `r` NULL: a person. */
int candidates_exact(struct candidates *c, struct reader *r, int64_t node, struct ref ref,
                     enum status status, struct error *e);
/* ERROR_INVALID that names them; returns -1. `r` NULL: whole. */
int candidates_refuse(const struct candidates *c, struct reader *r, const char *text,
                      struct error *e);

#endif
