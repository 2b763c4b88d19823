/*
 * FNV-1a of 64 bits (Fowler, Noll, Vo; http://www.isthe.com/chongo/tech/comp/fnv/): a hash for tables and marks, against
 * nobody who looks for collisions. The last bytes reach its high bits hardly: who takes few bits mixes them first.
 */
#ifndef STEMMA_FNV_H
#define STEMMA_FNV_H

#include <stddef.h>
#include <stdint.h>

#define FNV_BASIS UINT64_C(14695981039346656037) /* of nothing yet */
#define FNV_PRIME UINT64_C(1099511628211)

/* The hash of what `hash` is of, and these bytes behind it. */
static inline uint64_t fnv_add(uint64_t hash, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * FNV_PRIME;
    return hash;
}

#endif
