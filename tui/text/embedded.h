/* Files that are compiled into the program: the default configuration, the themes, the demo. */
#ifndef STEMMA_EMBEDDED_H
#define STEMMA_EMBEDDED_H

#include <stddef.h>

struct embedded_file {
    const char *path; /* path in the source tree: "themes/dark.yaml" */
    const char *text;
    size_t len;
};
/* The last entry has a NULL path. Each text ends with a NUL. */
extern const struct embedded_file embedded_files[];
/* Returns NULL if no embedded file has that path. */
const struct embedded_file *embedded_find(const char *path);

#endif
