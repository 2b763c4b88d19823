/* The front door: a store is opened and closed here, where all rooms of it are known. What an open one is asked for says
 * store/db/store.h. */
#ifndef STEMMA_OPEN_H
#define STEMMA_OPEN_H

#include "store/db/store.h"

struct store_options {
    bool read_only;
    bool create;                   /* make an empty store where there is no file */
    bool large;                    /* one that is made is to hold much: an import makes it */
    const char *hmac_key;          /* path of a 0600 key file, or NULL */
    int64_t (*now)(void);          /* NULL: the system's clock. Tests freeze it. */
    void (*make_id)(char out[37]); /* NULL: random UUIDv4. Tests make them in order. */
};

/*
 * Opens a store of stemma's own. ERROR_NOT_FOUND where there is no file and `create` is false;
 * ERROR_INVALID where it is another program's database (`todo` says how to import it). A store of a
 * newer version opens read-only with `warning` filled (may be NULL). One of an older version is brought forward; with
 * `read_only`, or where it cannot be written, it opens read-only and a private copy of it is, which is removed by
 * store_close. The caller closes it.
 */
struct store *store_open(const char *path, const struct store_options *options,
                         struct error *warning, struct error *e);
/* Waits for what was submitted, writes the head, joins the writer. NULL is allowed. */
void store_close(struct store *s);

#endif
