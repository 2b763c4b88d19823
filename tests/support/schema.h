/* A small validator of JSON Schema, for the keywords that our schemas use: type, properties,
 * required, additionalProperties, items, enum, and bounds. An unknown keyword is an error. */
#ifndef STEMMA_TEST_SCHEMA_H
#define STEMMA_TEST_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include "model/json/json.h"

/* Does the value match the schema? Otherwise `why` says where and why not. */
bool schema_fits(struct json_slice schema, struct json_slice value, char *why, size_t size);

#endif
