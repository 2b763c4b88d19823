/* The parts of txn_put. For store/ alone. */
#ifndef STEMMA_PUT_H
#define STEMMA_PUT_H

#include "store/txn/txn.h"

/*
 * Could this memory be stored and read back as it is? Every string valid UTF-8, numbers in range, no
 * ref twice in a group, `detail` a minified object. ERROR_INVALID names the memory and the field.
 */
int put_check(const struct memory *m, struct strbuf *scratch, struct error *e);

/* A row of the table of links. */
struct link_row {
    int64_t memory, target; /* target 0: none */
    int64_t at;             /* this and the reason stand on position 0 alone */
    const char *reason;
    uint32_t number, position;
    uint32_t shape;
};
int put_link_row(struct txn *t, const struct link_row *link, struct error *e);

/* Writes what `after` has and `before` (NULL: nothing) had not; fills the nodes in `after`. */
int put_links(struct txn *t, const struct memory *before, struct memory *after, struct error *e);
int put_history(struct txn *t, const struct memory *before, const struct memory *after,
                struct error *e);
int put_marks(struct txn *t, const struct memory *before, const struct memory *after,
              struct error *e);

/* Takes away all of these that `before` has. */
int put_nothing(struct txn *t, const struct memory *before, struct error *e);
/* Erases the patches and salts of the events on it up to `last`, and what is kept of its source where one of them
 * replaced that. */
int put_erase(struct txn *t, int64_t node, int64_t last, struct error *e);

/*
 * Sweeps what `m` was before its event `last`, that one's patch included, and nothing of what it is, which may be a
 * stub: an event that says so. Neither its version nor its time changes.
 */
int txn_sweep(struct txn *t, const struct actor *actor, const struct memory *m, int64_t last,
              struct error *e);

/* What the last event on `before` committed to, in hex: it must be what is stored, else ERROR_CONFLICT. */
int put_last_commitment(struct txn *t, const struct memory *before, char hex[2 * DIGEST_SIZE + 1],
                        struct error *e);

/* Appends the strings as a JSON array; nothing where there are none. The form of the columns. */
void put_strings(struct strbuf *out, const char *const *strings, size_t count);
/* "" or "{}" are no detail. */
const char *put_detail(const struct memory *m);

#endif
