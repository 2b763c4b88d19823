/* Pseudo-random numbers and texts, the same in every run. */
#ifndef STEMMA_TEST_RANDOM_H
#define STEMMA_TEST_RANDOM_H

#include <stdbool.h>
#include <stdint.h>
#include "model/base/arena.h"
#include "model/base/strbuf.h"

struct random {
    uint64_t state; /* any seed */
};

uint64_t random_next(struct random *r);
uint32_t random_below(struct random *r, uint32_t count); /* 0..count-1; count > 0 */
bool random_chance(struct random *r, uint32_t percent);

/*
 * Valid UTF-8 without NUL, of up to `most` parts: words, quotes, escapes, control characters, bidi
 * controls, combining marks, CJK, emoji, text that looks like JSON. In the arena.
 */
const char *random_text(struct random *r, struct arena *arena, uint32_t most);
/* Appends arbitrary bytes, including invalid UTF-8 and NULs. */
void random_bytes(struct random *r, struct strbuf *out, uint32_t most);

/* How often to try something at random. With a sanitizer, where each try takes many times as long, a
 * quarter is tried: the first ones, which find what uses memory wrongly. `make quick` tries all. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RANDOM_ROUNDS(n) (((n) + 3) / 4)
#else
#define RANDOM_ROUNDS(n) (n)
#endif

#endif
