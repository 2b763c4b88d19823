#include "store/fsck/fsck_link.h"

bool fsck_take_digest(struct digest *out, sqlite3_stmt *stmt, int column)
{
    if (sqlite3_column_bytes(stmt, column) != DIGEST_SIZE)
        return false;
    memcpy(out->bytes, sqlite3_column_blob(stmt, column), DIGEST_SIZE);
    return true;
}

bool fsck_same_digest(const struct digest *a, const struct digest *b)
{
    return memcmp(a->bytes, b->bytes, DIGEST_SIZE) == 0;
}

void fsck_take_hash(struct link_hash *l, sqlite3_stmt *stmt, int column)
{
    l->has_hash = fsck_take_digest(&l->stored, stmt, column);
}

const char *fsck_check_hash(const struct chain_walk *w, struct link_hash *l, const void *text,
                            size_t len)
{
    bool first = w->number == 0;
    digest_chain(&l->computed, first ? NULL : &w->last.stored, text, len);
    if (!l->has_hash)
        return "its hash is not one";
    if (fsck_same_digest(&l->computed, &l->stored))
        return NULL;
    if (!first && !w->sound) {
        struct digest other;
        digest_chain(&other, &w->last.computed, text, len);
        if (fsck_same_digest(&other, &l->stored)) {
            l->computed = other; /* the hash column before it was altered, not this one */
            return NULL;
        }
    }
    return "its text and its hash do not fit";
}

const char *fsck_check_hmac(struct fsck *f, struct chain_walk *w, const struct link_hash *l,
                            sqlite3_stmt *stmt, int column, int64_t *count)
{
    const struct store *s = reader_store(f->reader);
    bool has = sqlite3_column_type(stmt, column) != SQLITE_NULL;
    struct digest stored, expected;
    if (!has)
        return s->key && w->keyed ? "its signature (HMAC) is gone" : NULL;
    w->keyed = true;
    ++*count;
    if (!s->key)
        return sqlite3_column_bytes(stmt, column) == DIGEST_SIZE
                   ? NULL
                   : "its signature (HMAC) is not one";
    digest_hmac(&expected, s->key, s->key_len, &l->stored);
    return fsck_take_digest(&stored, stmt, column) && fsck_same_digest(&stored, &expected)
               ? NULL
               : "its signature (HMAC) is not of this key";
}

void fsck_walk_on(struct chain_walk *w, const struct link_hash *l, int64_t number)
{
    w->number = number;
    w->last = *l;
    w->sound = l->has_hash && fsck_same_digest(&l->stored, &l->computed);
}
