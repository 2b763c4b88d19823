/*
 * What the journal and the imports keep of a memory that is erased. The chain hashes commitments alone, so
 * it stays whole; without its salt a commitment tells nothing of what it was made of, and fsck knows from
 * the event that erased them that they are to be gone.
 */
#include "put.h"

int put_erase(struct txn *t, int64_t node, struct error *e)
{
    if (db_run(t->db, e, "UPDATE event SET patch = NULL, salt = NULL WHERE subject = ?", "i", node))
        return -1;
    /* The hash of what its source said has no salt. All zeroes: it is not known any more. */
    return db_run(t->db, e, "UPDATE imported SET hash = zeroblob(32) WHERE memory = ?", "i", node);
}
