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

/* A paragraph, a heading, or the first paragraph of an item of a list. */
struct block {
    struct markdown *m;
    struct arena *arena;
    size_t link_alloc, observation_alloc;
    size_t line; /* in which it begins */
    bool in_item, quoted;
};

/* Adds its links, relations and observations to k->m. */
void block_read(struct block *k, struct bytes b);

/* Finds the YAML of a frontmatter: text[*begin] to text[*end]. Returns the length with both lines of dashes; 0 if
 * there is none. */
size_t frontmatter_find(const char *text, size_t len, size_t *begin, size_t *end);
/* Sets fields, json or fault. Returns false if the text is to be read as one without a frontmatter. */
bool frontmatter_read(struct markdown *m, struct arena *arena, const char *yaml, size_t len);

#endif
