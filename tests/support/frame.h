/* What is read of a frame of the explorer. A failure in here fails the test that called it, and shows the frame. */
#ifndef STEMMA_TESTS_FRAME_H
#define STEMMA_TESTS_FRAME_H

#include "tests/support/script.h"

/* A small terminal, a usual one and a large one. */
#define FRAME_SIZES 3
extern const struct frame_size {
    int rows, columns;
} frame_sizes[FRAME_SIZES];
/* From here on the script runs at the size of that number. */
void frame_resize(struct script *s, size_t size);

/* The first of the texts that stands there; NULL: none does. */
const char *frame_finds(const char *frame, const char *const *texts, size_t count);

/* Runs the keys; the last frame, which shows the text. As long as script_run's. */
const char *frame_after(struct script *s, const char *keys, const char *text);

#endif
