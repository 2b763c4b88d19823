/*
 * Reads a text in markdown: its frontmatter, its links, and the observations that basic-memory writes in it. No I/O.
 * The text is hostile: whatever it is, reading it takes bounded memory and depth, and never fails.
 *
 *   struct markdown m;
 *   markdown_read(&m, arena, text, len);
 *   if (m.fault) … report it; without fields, `body` is all of the text
 *   const char *type = markdown_field(&m, "metadata.type");
 */
#ifndef STEMMA_MARKDOWN_H
#define STEMMA_MARKDOWN_H

#include <stdbool.h>
#include <stddef.h>
#include "model/base/arena.h"

#define MARKDOWN_YAML_MAX (64u << 10) /* bytes of a frontmatter */
#define MARKDOWN_JSON_MAX                                                                          \
    (256u << 10) /* bytes of a frontmatter as JSON, with each use of an alias in full */
#define MARKDOWN_DEPTH_MAX 16    /* levels within a frontmatter */
#define MARKDOWN_ITEMS_MAX 10000 /* links, and observations, of a text */

/* A value of the frontmatter that is not a mapping; the members of a mapping are fields of their own. */
struct markdown_field {
    const char *key;  /* "title", "metadata.type" */
    const char *text; /* a scalar as it is written, "" for null; a list as JSON: ["a","b"] */
    bool is_list;
};

struct markdown_link {
    const char *
        type; /* "links_to", or what a list item `- type [[target]]` or `- "a type" [[target]]` says */
    const char *
        target; /* [[target]], [[target|title]] or [title](path/to/file.md#part), without "#part"; not "" */
    const char *title; /* NULL if there is none */
    const char *
        context; /* - type [[target]] (context), or - [title](file.md) — context; NULL if there is none */
    bool is_path; /* written as [title](file.md): a path from the folder of this file, decoded */
    size_t line;  /* in the text, from 1: where its paragraph or list item begins */
};

/* - [category] text #tag (context) */
struct markdown_observation {
    const char *category; /* NULL if a tag alone makes it one */
    const char *text;     /* with its tags, without category and context; not "" */
    const char *context;  /* NULL if there is none */
    const char **tags;    /* without "#" */
    size_t tag_count;
    size_t line;
};

struct markdown {
    const char
        *body; /* behind the frontmatter, without blank lines around it: a part of the text given */
    size_t body_len;
    const char *
        json; /* the whole frontmatter as a JSON object, nested as it is written; NULL if there is none */
    struct markdown_field *fields;
    size_t field_count;
    struct markdown_link *links; /* in the order of the text */
    size_t link_count;
    struct markdown_observation *observations;
    size_t observation_count;
    /* What cannot be read, or only in another way: "line 3 of its frontmatter: …"; NULL if there is nothing to say. */
    const char *fault;
};

/*
 * Reads `len` bytes, which need not be UTF-8; a NUL counts as a blank. All that it makes is in
 * the arena, except `body`. Observations and relations are found by the rules of basic-memory, in the blocks of
 * CommonMark: not in code blocks and comments, observations not in quotations either. O(len).
 */
void markdown_read(struct markdown *m, struct arena *arena, const char *text, size_t len);

struct write_back;
struct decision;
struct write_file;

/*
 * Plans that the file becomes the decision about it: its body becomes the text of the memory or of what
 * replaced it, or the file goes. `place` is its name, as people read it. Returns true if it does.
 */
bool markdown_write(struct write_back *w, struct decision *d, struct write_file *f,
                    const char *place);

/* The text of a field; NULL if it is absent or empty. Of a key that is given twice, the last one counts. */
const char *markdown_field(const struct markdown *m, const char *key);

/* The elements of a list of scalars, or of "a, b" between commas, each without "#" before it: what basic-memory takes
 * for tags. *out is in the arena; returns their number. */
size_t markdown_field_list(const struct markdown *m, const char *key, struct arena *arena,
                           const char ***out);

/* What the files of the reader share. Only for store/import/markdown. */
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
