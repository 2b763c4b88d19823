/* The formats of markdown: any folder or file, and MemFS of Letta. */
#ifndef STEMMA_IMPORT_MARKDOWN_H
#define STEMMA_IMPORT_MARKDOWN_H

#include "store/import/import.h"

extern const struct import_format markdown_format, memfs_format;

#endif
