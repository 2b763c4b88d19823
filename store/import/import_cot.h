/*
 * The parts of import_cot: chains that were read and are written by one job. For store/ alone.
 *
 * A chain in the specification's shape has no id. Its own is made of what it says and whose it is,
 * and its steps' of that and their number: so it is known again wherever it is read, and a chain
 * that says something else is another chain.
 */
#ifndef STEMMA_IMPORT_COT_H
#define STEMMA_IMPORT_COT_H

#include "model/base/strbuf.h"
#include "store/import/import.h"
#include "store/import/import_merge.h"
#include "store/reasoning/reasoning_given.h"

struct cot_entry {
    struct import_item item; /* of its memory the ref; the hash of what is said */
    struct chain_given given;
    int64_t number; /* in the source, from 1 */
    size_t refused; /* sources that only writing it refused */
    bool same;      /* it is there already, or was taken back */
    bool cannot;    /* the store does not take it, for a reason that was told */
};

struct cot_slice {
    struct store *store;
    const struct import_options *options;
    struct actor actor;
    char correlation[13];
    struct arena arena; /* of the entries, and what is made of them */
    struct cot_entry *entry;
    size_t count, alloc, bytes;
    struct import_origin *origin;
    struct strbuf lines; /* what is to be told, each with its NUL */
    size_t at;           /* the entry that the job came to */
    size_t written;
};

void cot_slice_init(struct cot_slice *s, struct store *store, const struct import_options *options,
                    struct import_origin *origin);
void cot_slice_release(struct cot_slice *s);
void cot_slice_clear(struct cot_slice *s);
/* "chain 3 (line 17): what", to be told; cot_slice_tell tells it. */
void cot_slice_say(struct cot_slice *s, const struct cot_entry *entry, const char *what);
void cot_slice_tell(struct cot_slice *s);

/*
 * The chain that the checked JSON says, in s->arena: *out is not among the entries yet. ERROR_INVALID:
 * it is none.
 */
int cot_entry_read(struct cot_slice *s, struct json_slice text, struct cot_entry *out,
                   struct error *e);
void cot_slice_add(struct cot_slice *s, const struct cot_entry *entry);
/* Is it here, or was it taken back? */
int cot_entry_find(struct cot_slice *s, struct db *db, struct cot_entry *entry, struct error *e);
/* Writes them, in a transaction of their own, and waits. Each then is `same`, `cannot`, or was added. */
int cot_slice_write(struct cot_slice *s, struct error *e);

#endif
