/*
 * What the journal and the imports keep of a memory that is erased, or of what it was. The chain hashes commitments
 * alone, so it stays whole; without its salt a commitment tells nothing of what it was made of, and fsck knows from
 * the event that erased them that they are to be gone. An older patch leads from a newer one's state to an older: where
 * one goes those before it go as well, as nothing could be told from them any more.
 */
#include "model/format/exchange.h"
#include "store/journal/journal_write.h"
#include "store/record/put.h"

int put_erase(struct txn *t, int64_t node, int64_t last, struct error *e)
{
    if (db_run(t->db, e,
               "UPDATE event SET patch = NULL, salt = NULL, expires = NULL WHERE subject = ?"
               " AND seq <= ?",
               "ii", node, last))
        return -1;
    /* The hash of what its source said has no salt. All zeroes: it is not known any more. */
    return db_run(t->db, e,
                  "UPDATE imported SET hash = zeroblob(32) WHERE memory = ? AND event < ?", "ii",
                  node, last);
}

/* Its last event is the one that sweeps, and what its source said is what it is as before. */
static int name_event(struct txn *t, const struct memory *m, struct error *e)
{
    int64_t event = t->last_seq + 1;
    if (db_run(t->db, e, "UPDATE memory SET event = ? WHERE id = ? AND event = ?", "iii", event,
               m->node, m->event))
        return -1;
    if (sqlite3_changes(db_handle(t->db)) == 0)
        return error_set(e, ERROR_CONFLICT, "Read it again, then repeat the change.",
                         "%s:%s was changed since it was read", kind_name(m->ref.kind), m->ref.id);
    return db_run(t->db, e, "UPDATE entry SET event = ? WHERE memory = ?", "ii", event, m->node) ||
                   db_run(t->db, e, "UPDATE imported SET event = ? WHERE memory = ? AND event = ?",
                          "iii", event, m->node, m->event)
               ? -1
               : 0;
}

static int record(struct txn *t, const struct actor *actor, const struct memory *m,
                  const char *commitment, int64_t last, struct error *e)
{
    strbuf_clear(&t->bytes);
    if (commitment)
        exchange_write(&t->bytes, m, NULL);
    return journal_append(t, actor,
                          &(struct change){.operation = "sweep",
                                           .ref = m->ref,
                                           .node = m->node,
                                           .before = commitment,
                                           .after = commitment ? t->bytes.buf : NULL,
                                           .after_len = t->bytes.len,
                                           .patch = "{}",
                                           .erases = last},
                          e);
}

int txn_sweep(struct txn *t, const struct actor *actor, const struct memory *m, int64_t last,
              struct error *e)
{
    char commitment[2 * DIGEST_SIZE + 1];
    bool is = m->status != STATUS_MISSING;
    if (is && put_last_commitment(t, m, commitment, e))
        return -1;
    t->erased = true;
    if (put_erase(t, m->node, last, e) || name_event(t, m, e) ||
        record(t, actor, m, is ? commitment : NULL, last, e)) {
        t->failed = true;
        return -1;
    }
    return 0;
}
