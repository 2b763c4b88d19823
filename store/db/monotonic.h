/* The clock that nobody sets: for how long something took and when something is due, never for when. */
#ifndef STEMMA_MONOTONIC_H
#define STEMMA_MONOTONIC_H

#include <stdint.h>

int64_t monotonic_us(void);
int64_t monotonic_ms(void);

#endif
