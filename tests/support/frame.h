/* Reading a frame of the explorer. A failure here fails the calling test and shows the frame. */
#ifndef STEMMA_TESTS_FRAME_H
#define STEMMA_TESTS_FRAME_H

#include "tests/support/script.h"

/* A small, a usual and a large terminal. */
#define FRAME_SIZES 3
extern const struct frame_size {
    int rows, columns;
} frame_sizes[FRAME_SIZES];
/* Sets the size of later runs to frame_sizes[size]. */
void frame_resize(struct script *s, size_t size);

/* The first of the texts that the frame contains, or NULL. */
const char *frame_finds(const char *frame, const char *const *texts, size_t count);

/* Runs the keys and returns the last frame, which must show the text. Valid like the result of
 * script_run. */
const char *frame_after(struct script *s, const char *keys, const char *text);

#endif
