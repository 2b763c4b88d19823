/* What the files of the reader share. Only for store/import/markdown. */
#ifndef STEMMA_MARKDOWN_INTERNAL_H
#define STEMMA_MARKDOWN_INTERNAL_H

#include "store/import/markdown/markdown.h"

/* A part of the text. */
struct bytes {
    const char *at;
    size_t len;
};

bool byte_is_blank(char c); /* ASCII white space */
struct bytes bytes_trim(struct bytes b);
struct bytes bytes_part(struct bytes b, size_t from, size_t to);
bool bytes_start(struct bytes b, const char *with);
/* Where it is found from `at` on; b.len if nowhere. */
size_t bytes_find(struct bytes b, size_t at, const char *text);

/* Finds the YAML of a frontmatter: text[*begin] to text[*end]. Returns the length with both lines of dashes; 0 if
 * there is none. */
size_t frontmatter_find(const char *text, size_t len, size_t *begin, size_t *end);
/* Sets fields, json or fault. Returns false if the text is to be read as one without a frontmatter. */
bool frontmatter_read(struct markdown *m, struct arena *arena, const char *yaml, size_t len);

#endif
