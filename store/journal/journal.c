#include "store/journal/journal_write.h"

#include "model/json/json.h"
#include "store/journal/canonical.h"
#include "store/db/same.h"
#include "store/db/store_state.h"

/* The patch column: the fields to restore and the reason, each where there is one. */
static const char *write_patch(struct txn *t, const struct change *change)
{
    strbuf_clear(&t->patch);
    if (!change->patch && !change->reason)
        return NULL;
    struct json_object o = json_begin(&t->patch, '{');
    if (change->patch) {
        json_key(&o, "fields");
        strbuf_addstr(&t->patch, change->patch);
    }
    if (change->reason) {
        json_key(&o, "reason");
        json_add_string(&t->patch, change->reason);
    }
    json_end(&o);
    return t->patch.buf;
}

static void commit_hex(char out[2 * DIGEST_SIZE + 1], const unsigned char *salt, const void *bytes,
                       size_t len)
{
    struct digest d;
    digest_commit(&d, salt, bytes, len);
    digest_hex(out, &d);
}

/* The columns repeat what queries ask for; fsck holds them against the text. */
static int insert_event(struct txn *t, const struct actor *actor, const struct change *change,
                        const unsigned char *salt, const char *patch, struct error *e)
{
    struct digest hash, hmac;
    digest_chain(&hash, t->last_seq ? &t->last_hash : NULL, t->canonical.buf, t->canonical.len);
    const unsigned char *key = t->store->key;
    if (key)
        digest_hmac(&hmac, key, t->store->key_len, &hash);
    if (db_run(t->db, e,
               "INSERT INTO event(seq, at, session, actor, operation, subject, correlation,"
               " canonical, salt, patch, hash, hmac, person, undoes, expires)"
               " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
               "iirssrssbsbbrrr", t->last_seq + 1, t->now, actor->session, actor->name,
               change->operation, change->node, actor->correlation, t->canonical.buf, salt,
               (size_t)SALT_SIZE, patch, hash.bytes, (size_t)DIGEST_SIZE, key ? hmac.bytes : NULL,
               key ? (size_t)DIGEST_SIZE : 0,
               (int64_t)journal_is_by_hand(actor->class == ACTOR_AGENT ? "agent" : "person",
                                           actor->origin),
               change->undoes, change->expires))
        return -1;
    t->last_seq++;
    t->last_at = t->now;
    t->last_hash = hash;
    return 0;
}

bool journal_is_by_hand(const char *class_name, const char *origin)
{
    static const char channel[] = "import ";
    return same_text(class_name, "person") &&
           !(origin && strncmp(origin, channel, sizeof(channel) - 1) == 0);
}

int journal_append(struct txn *t, const struct actor *actor, const struct change *change,
                   struct error *e)
{
    unsigned char salt[SALT_SIZE];
    char after[2 * DIGEST_SIZE + 1], patch_commitment[2 * DIGEST_SIZE + 1];
    if (txn_random(t, salt, SALT_SIZE, e))
        return -1;
    if (change->after)
        commit_hex(after, salt, change->after, change->after_len);
    const char *patch = write_patch(t, change);
    commit_hex(patch_commitment, salt, t->patch.buf, t->patch.len);

    char ref[REF_ID_MAX + 32];
    if (change->ref.id)
        snprintf(ref, sizeof(ref), "%s:%s", kind_name(change->ref.kind), change->ref.id);
    strbuf_clear(&t->canonical);
    canonical_write(&t->canonical,
                    &(struct canonical){
                        .at = t->now,
                        .seq = t->last_seq + 1,
                        .session = actor->session,
                        .actor = actor->name,
                        .agent = actor->agent,
                        .class_name = actor->class == ACTOR_AGENT ? "agent" : "person",
                        .correlation = actor->correlation,
                        .erases = change->erases,
                        .operation = change->operation,
                        .origin = actor->origin,
                        .ref = change->ref.id ? ref : NULL,
                        .before = change->before,
                        .after = change->after ? after : NULL,
                        .patch = patch_commitment,
                        .undoes = change->undoes,
                    });
    return insert_event(t, actor, change, salt, patch, e);
}
