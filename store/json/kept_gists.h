/*
 * What a lineage says of each memory in it, its ref, text and status, as it was read before, for who asks about the same
 * few again and again: exact at the moment of the reader's transaction.
 *
 * Not kept are entries, which say less of themselves from one moment to the next, long texts, and those that may name an
 * entry.
 */
#ifndef STEMMA_KEPT_GISTS_H
#define STEMMA_KEPT_GISTS_H

#include "model/base/arena.h"
#include "model/memory/memory.h"
#include "model/base/strbuf.h"
#include "store/db/store.h"

/* Begins as {.json = STRBUF_INIT}, and is read anew for one memory after another. */
struct gist {
    struct strbuf json; /* the ref, then the text where `text` is NULL; "" where there is none */
    size_t ref_len;     /* bytes of it that the ref takes */
    const char *text;   /* in the arena: one that is not kept */
    enum kind kind;
    enum status status;
    bool clean; /* of personal data, by the rules for the reader's caller; false: it is not known */
};
#define GIST_TEXT_MAX 1000

struct kept_gists;
struct kept_gists *kept_gists_new(void);
void kept_gists_free(struct kept_gists *k); /* NULL is allowed */

/* Of the memory in that row, within a transaction of the reader's. ERROR_NOT_FOUND: there is none. */
int gist_read(struct reader *r, struct arena *arena, int64_t row, struct gist *out,
              struct error *e);

#endif
