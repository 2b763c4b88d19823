/*
 * Reading YAML for the configuration: libyaml's events, with the line of each, as mappings whose names are
 * told apart, lists and single values. Nothing here recurses, and what is not expected is refused at once,
 * however deep it goes on; aliases are, too, as nothing in a configuration need be said twice.
 *
 * All return -1 with an error that begins with file and line. A value's first event is the current one
 * when its reader is called, and its last one when that returns.
 */
#ifndef STEMMA_CONFIG_READ_H
#define STEMMA_CONFIG_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <yaml.h>
#include "tui/config/config.h"

struct config_reading {
    yaml_parser_t parser;
    yaml_event_t event;
    struct config *c;
    const char *name; /* of the file */
    struct error *e;
};

/* Every line of a document that is a mapping, or of none at all. */
typedef int config_entry(struct config_reading *r, const char *name, void *into);
int config_read_document(struct config_reading *r, config_entry *entry);

/* There is none called `name` among `count` names, `stride` bytes apart; perhaps another was meant. */
int config_unknown(struct config_reading *r, const char *what, const char *name,
                   const char *const *names, size_t count, size_t stride);
size_t config_line(const struct config_reading *r);
int config_advance(struct config_reading *r);

/* A single value's text, without a NUL inside, until the next event; "" where it is empty. NULL: refused. */
const char *config_scalar(struct config_reading *r, const char *of);

/* The index of a word whatever its case (YAML writes Yes, yes and YES); -1: it is none of them. */
int config_word(const char *const *words, const char *word);
/* "a, b or c" */
void config_add_words(struct strbuf *out, const char *const *words);
/* no, yes, false, true, off, on: an odd index is yes. */
extern const char *const config_bools[];

/* A zeroed place at the end of an array of the configuration's arenas; NULL: refused. */
struct config_array {
    void **elements;
    size_t *count, room, size;
};

#endif
