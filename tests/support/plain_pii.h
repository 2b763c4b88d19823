/*
 * What is personal data, said once more, by hand and slowly: for each place of an ASCII text what begins there, with
 * what a URI encodes read as what it means. Without quotes and backslashes.
 */
#ifndef STEMMA_TESTS_PLAIN_PII_H
#define STEMMA_TESTS_PLAIN_PII_H

#include "model/pii/pii.h"

/* The first find at or after `from`. */
bool plain_pii_find(const char *text, size_t len, size_t from, struct pii_span *out);

#endif
