/*
 * The canonical text of an event: the bytes that the chain hashes. It holds refs and commitments,
 * never content. For store/ alone.
 */
#ifndef STEMMA_CANONICAL_H
#define STEMMA_CANONICAL_H

#include <stdint.h>
#include "model/base/arena.h"
#include "model/base/strbuf.h"
#include "store/journal/call_chain.h"

/* Strings may be NULL: absent. `session` 0: none. */
struct canonical {
    const char *actor;
    const char *after; /* commitments, in hex */
    const char *agent;
    int64_t at;
    const char *before;
    const char *class_name;
    const char *correlation;
    int64_t
        erases; /* the event up to which it erased what those before it kept; 0: see fsck_chain.c */
    const char *operation;
    const char *origin;
    const char *patch;
    const char *ref;
    int64_t seq, session;
    int64_t undoes; /* the event that it takes back; 0: none */
};

/*
 * Appends it: keys by code point, no spaces, ASCII, integers only; what is absent is left out. `patch` stands even
 * where there is no patch: it then commits to the salt alone, so that no column of an event can change unseen.
 */
void canonical_write(struct strbuf *out, const struct canonical *c);

/* Its parts, in the arena. -1: it is not such a text. */
int canonical_read(struct canonical *out, struct arena *arena, const char *text, size_t len);

/* The same of a row of the log of calls: what it says of its session (see call_chain.h), when the first
 * of the calls was, how many there are, the digest of what its column `guard` says, its number, the memory
 * they were about, their times' digest. */
struct canonical_call {
    const char *about;
    int64_t at, count;
    const char *guard;
    int64_t id;
    const char *ref;
    int64_t session;
    const char *times, *tool;
};
void canonical_call_write(struct strbuf *out, const struct canonical_call *c);
int canonical_call_read(struct canonical_call *out, struct arena *arena, const char *text,
                        size_t len);

/* The column itself: the same kind of text. */
void canonical_guard_write(struct strbuf *out, const struct call_guard *g);
int canonical_guard_read(struct call_guard *out, struct arena *arena, const char *text, size_t len);

#endif
