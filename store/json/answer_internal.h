/* Shared within this room: answers about a lineage that stay within a number of bytes. */
#ifndef STEMMA_ANSWER_INTERNAL_H
#define STEMMA_ANSWER_INTERNAL_H

#include "store/json/answer.h"

struct lineage;

#define TEXT_LEAST  30  /* bytes of a text that has more, however many there are */
#define CLOSING     260 /* bytes of what is said of what is left out */
#define INSIDE_MORE 8   /* bytes of line ends and quotes of a line inside a JSON string */

/* The bytes of a text inside a JSON string. */
size_t inside_json(const char *text, size_t len);
/* Estimates the bytes of a lineage in full form. `full` may be NULL. */
void lineage_full_bytes(const struct lineage *walk, size_t links, size_t *full);

#endif
