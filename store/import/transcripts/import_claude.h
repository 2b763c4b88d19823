/* Importing what agents keep in transcripts and memory files. */
#ifndef STEMMA_IMPORT_CLAUDE_H
#define STEMMA_IMPORT_CLAUDE_H

#include "store/import/import.h"

extern const struct import_format claude_format, codex_format;

#endif
