/* Files compiled in: the default configuration, the themes, the demo. Each ends with a NUL. */
#ifndef STEMMA_EMBEDDED_H
#define STEMMA_EMBEDDED_H

#include <stddef.h>

struct embedded_file {
    const char *path; /* as in the source tree: "themes/neutral.yaml" */
    const char *text;
    size_t len;
};
/* Ends with a NULL path. */
extern const struct embedded_file embedded_files[];
/* NULL: there is none at that path. */
const struct embedded_file *embedded_find(const char *path);

#endif
