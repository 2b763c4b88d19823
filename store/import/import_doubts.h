/*
 * What a line says that can hardly be meant: it is kept as it is, for an import loses nothing, and
 * told. For store/ alone.
 */
#ifndef STEMMA_IMPORT_DOUBTS_H
#define STEMMA_IMPORT_DOUBTS_H

#include "model/memory/memory.h"

/* Calls `say` for each; returns how many there were. What `say` gets lives until it returns. */
size_t import_doubts(const struct memory *m, void (*say)(void *arg, const char *what), void *arg);

#endif
