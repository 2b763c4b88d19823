/* What the program said last (story.p), as JSON and as lines. Whatever is not there fails the test. */
#ifndef STEMMA_TESTS_SAID_H
#define STEMMA_TESTS_SAID_H

#include <stddef.h>
#include "model/json/json.h"

/* The line of that index, from 0: a valid JSON value with its line feed. */
struct json_slice said_line(size_t index);
/* All of it: one line of JSON. */
struct json_slice said_answer(void);

struct json_slice said_member(struct json_slice of, const char *name);
struct json_slice said_element(struct json_slice list, size_t index);
size_t said_length(struct json_slice list);
/* The value is written just like that. */
void said_is(struct json_slice value, const char *text);

/* How often that stands in what was said. */
size_t said_count(const char *text);

#endif
