/* A small validator of JSON Schema, for what our schemas use: type, properties, required,
 * additionalProperties, items, enum, and bounds. A keyword that it does not know fails. */
#ifndef STEMMA_TEST_SCHEMA_H
#define STEMMA_TEST_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include "model/json/json.h"

/* Does the value fit the schema? Otherwise `why` says where and how. */
bool schema_fits(struct json_slice schema, struct json_slice value, char *why, size_t size);

#endif
