/* Equality of values that may be absent: NULL equals NULL, NAN equals NAN. */
#ifndef STEMMA_SAME_H
#define STEMMA_SAME_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

static inline bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static inline bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

#endif
