/*
 * Opens and closes a store. It is the only file that includes all rooms of the store.
 * store/db/store.h has the functions on an open store.
 */
#ifndef STEMMA_OPEN_H
#define STEMMA_OPEN_H

#include "model/memory/confidence.h"

struct store_options {
    bool read_only;
    bool create;             /* create an empty store if there is no file */
    bool large;              /* a new store gets large pages; for imports */
    const char *hmac_key;    /* path of a 0600 key file, or NULL */
    const char *runtime_dir; /* the directory for its socket; NULL for the usual ones */
    /* How effective confidence is computed; what it points to must outlive the store. */
    struct confidence_rules confidence;
    int64_t (*now)(void);          /* NULL for the system's clock; tests freeze it */
    void (*make_id)(char out[37]); /* NULL for random UUIDv4; tests number them */
};

/*
 * Opens a store of stemma; the caller closes it. Returns NULL with ERROR_NOT_FOUND if there is no
 * file and `create` is false, or ERROR_INVALID if it is another program's database (the hint says
 * how to import it).
 *
 * A store of a newer version opens read-only. One of an older version is upgraded. If it cannot be
 * written, or `read_only` is set, it opens read-only through an upgraded private copy, which
 * store_close removes. `warning` (may be NULL) is filled for a store of a newer version, and with
 * `create` for one that has triggers.
 */
struct store *store_open(const char *path, const struct store_options *options,
                         struct error *warning, struct error *e);
/* Copies the store at `path` into a new file, which only its owner can read. The store does not change. */
int store_copy(const char *path, const char *to, struct error *e);
/* Finishes all submitted jobs, writes the head file and ends the writer. NULL is allowed. */
void store_close(struct store *s);

#endif
