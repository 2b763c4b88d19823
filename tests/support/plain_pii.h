/*
 * A second implementation of the rules for personal data, by hand and slow: tests each place of an
 * ASCII text, with %XX decoded. Does not support quotes and backslashes.
 */
#ifndef STEMMA_TESTS_PLAIN_PII_H
#define STEMMA_TESTS_PLAIN_PII_H

#include "model/pii/pii.h"

/* Finds the first match at or after `from`. */
bool plain_pii_find(const char *text, size_t len, size_t from, struct pii_span *out);

#endif
