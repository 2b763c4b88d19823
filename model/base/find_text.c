#include "model/base/find_text.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>

/* Of sixteen places from `at` on those where the first and the last byte are right: a bit each. The generic search of
 * Mula, "SIMD-friendly algorithms for substring searching" (2016). */
static unsigned places(const char *at, size_t count, __m128i first, __m128i last)
{
    __m128i begins = _mm_loadu_si128((const __m128i *)(const void *)at);
    __m128i ends = _mm_loadu_si128((const __m128i *)(const void *)(at + count - 1));
    return (unsigned)_mm_movemask_epi8(
        _mm_and_si128(_mm_cmpeq_epi8(begins, first), _mm_cmpeq_epi8(ends, last)));
}

const char *find_text(const char *text, size_t len, const char *what, size_t count)
{
    const __m128i first = _mm_set1_epi8(what[0]), last = _mm_set1_epi8(what[count - 1]);
    size_t at = 0, taken = count + 15; /* bytes that are looked at for sixteen places */
    for (; len >= taken && at <= len - taken; at += 16)
        for (unsigned bits = places(text + at, count, first, last); bits; bits &= bits - 1) {
            const char *place = text + at + __builtin_ctz(bits);
            if (memcmp(place, what, count) == 0)
                return place;
        }
    return memmem(text + at, len - at, what, count);
}

#else

const char *find_text(const char *text, size_t len, const char *what, size_t count)
{
    return memmem(text, len, what, count);
}

#endif
