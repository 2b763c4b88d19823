/* Expected texts, such as the frames in tests/tui/golden. GENERATE=1 writes them anew. */
#ifndef STEMMA_TESTS_GOLDEN_H
#define STEMMA_TESTS_GOLDEN_H

#include "tests/support/script.h"

/* Compares a file with the text that it should have, and fails with the lines that differ and their
 * sections. GENERATE=1 writes the file and prints which lines and sections change; tests/run shows that. */
void golden_compare(const char *path, const char *made);
/* Compares with NAME-COLUMNSxROWS.txt. */
void golden_check(const struct script *s, const char *name, const char *frame);

struct golden_view {
    const char *name, *keys;
};
/* Is there an expected frame of that name at the script's size? There always is at 120x36. */
bool golden_is_kept(const struct script *s, const char *name);
/* Draws each view at 80x24, 120x36 and 200x50, and compares the last frame if there is an
 * expected one. */
void golden_check_views(struct script *s, const struct golden_view *views, size_t count);

#endif
