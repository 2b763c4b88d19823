/*
 * A file of statements, for `stemma seed` and `stemma fix-provenance --seeds`: one a line, or lines of JSON
 * ({"statement": …, "confidence"?: …, "tags"?: […]}). Blank lines are nothing; white space around a
 * statement is not part of it.
 */
#ifndef STEMMA_STATEMENTS_H
#define STEMMA_STATEMENTS_H

#include "store/ops/operation.h"

/*
 * Reads the file (`-` is standard input) into the arena. ERROR_INVALID names the line and what is wrong with
 * it; ERROR_STORE where it cannot be read. A file without a statement is wrong.
 */
int statements_read(const char *path, struct arena *arena, struct seed **out, size_t *count,
                    struct error *e);

#endif
