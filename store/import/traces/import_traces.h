/* Importing traces of OpenTelemetry and Langfuse. */
#ifndef STEMMA_IMPORT_TRACES_H
#define STEMMA_IMPORT_TRACES_H

#include "store/import/import.h"

extern const struct import_format traces_format;

#endif
