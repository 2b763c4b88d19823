/* Importing a store of Kernle. */
#ifndef STEMMA_IMPORT_KERNLE_H
#define STEMMA_IMPORT_KERNLE_H

#include "store/import/import.h"

extern const struct import_format kernle_format;

#endif
