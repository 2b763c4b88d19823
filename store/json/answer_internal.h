/* Shared within this room: answers about a lineage that stay within a number of bytes. */
#ifndef STEMMA_ANSWER_INTERNAL_H
#define STEMMA_ANSWER_INTERNAL_H

#include "store/json/answer.h"

/* Bytes of a text that has more: the fewest where the whole lineage has room so, and those of a lineage that comes in
 * several answers. */
#define TEXT_FEWEST 12
#define TEXT_LEAST  30
#define CLOSING     260 /* bytes of what is said of what is left out */
#define INSIDE_MORE 8   /* bytes of line ends and quotes of a line inside a JSON string */

/* The bytes of a text inside a JSON string. */
size_t inside_json(const char *text, size_t len);
/* Estimates the bytes of a lineage in full form. `full` may be NULL. */
void lineage_full_bytes(size_t nodes, size_t links, size_t *full);
#define LINEAGE_SMALL 50 /* nodes; a lineage of fewer may have as many bytes */
/* The bytes that so many nodes may have, of `most`: OUTLINE_LINE for each. */
size_t lineage_room(size_t most, size_t nodes);

#endif
