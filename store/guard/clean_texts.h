/*
 * Texts that were looked through and hold no personal data: remembered by a hash under a random key, so that what
 * is asked for again is not looked through again. What is remembered depends on the bytes alone, and on the rules
 * that it belongs to; so it never gets old.
 */
#ifndef STEMMA_CLEAN_TEXTS_H
#define STEMMA_CLEAN_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a text was read. */
enum reading_of {
    READ_AS_TEXT = 1,
    READ_AS_JSON,
};

/* For any thread. A fixed size; what falls on the place of another takes it. */
struct clean_texts;
/* NULL: the system gives no random bytes. */
struct clean_texts *clean_texts_new(void);
void clean_texts_free(struct clean_texts *c); /* NULL is allowed */

/* Of a text: made once, to ask and to remember. All zero: it is not remembered. */
struct clean_mark {
    uint64_t a, b;
};
struct clean_mark clean_mark_of(const struct clean_texts *c, enum reading_of as, const char *text,
                                size_t len);
bool clean_texts_has(const struct clean_texts *c, struct clean_mark mark);
void clean_texts_add(struct clean_texts *c, struct clean_mark mark);

#endif
