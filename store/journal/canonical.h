/*
 * The canonical text of an event or a call: the bytes that the chain hashes. It has refs and
 * commitments, never content. Only for store/.
 */
#ifndef STEMMA_CANONICAL_H
#define STEMMA_CANONICAL_H

#include <stdint.h>
#include "model/base/arena.h"
#include "model/base/strbuf.h"
#include "store/journal/call_chain.h"

/* Strings are NULL and numbers 0 if absent. */
struct canonical {
    const char *actor;
    const char *after; /* commitments, in hex */
    const char *agent;
    const char *claimed;
    int64_t at;
    const char *before;
    const char *class_name;
    const char *correlation;
    int64_t erases; /* it erased the patches up to this event; see fsck_chain.c */
    const char *operation;
    const char *origin;
    const char *patch;
    const char *ref;
    int64_t seq, session;
    int64_t undoes; /* the event that it reverts */
};

/*
 * Appends the text: keys in code point order, no spaces, ASCII, integers only, absent members left
 * out. `patch` must be set even without a patch: it then commits to the salt, so that no column of
 * an event can be altered unnoticed.
 */
void canonical_write(struct strbuf *out, const struct canonical *c);

/* The last event of its memory that the event erases the contents of; 0 if it erases nothing. */
int64_t canonical_erases(const struct canonical *c);

/* Parses a text; strings are in the arena. Returns -1 if it is malformed. */
int canonical_read(struct canonical *out, struct arena *arena, const char *text, size_t len);

/*
 * The canonical text of a row of the log of calls. `about` is call_about in hex, `at` the time of
 * the first call, `guard` the digest of the column `guard`, `ref` the memory, `times` the digest of
 * the times.
 */
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

/* The text of the column `guard`, in the same format. */
void canonical_guard_write(struct strbuf *out, const struct call_guard *g);
int canonical_guard_read(struct call_guard *out, struct arena *arena, const char *text, size_t len);

#endif
