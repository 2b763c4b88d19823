/* What the table of settings and the reader share. */
#ifndef STEMMA_CONFIG_INTERNAL_H
#define STEMMA_CONFIG_INTERNAL_H

#include <yaml.h>
#include "tui/config/config.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/*
 * Reads the events of libyaml. The recursion is no deeper than the schema: unexpected events are refused at once.
 * Aliases are refused too, because a configuration does not need them.
 *
 * All functions return -1 with an error that begins with file and line. The current event is the first event of a
 * value when its reader is called, and its last event when that returns.
 */
struct config_reading {
    yaml_parser_t parser;
    yaml_event_t event;
    struct config *c;
    struct arena *arena; /* for the strings that are read */
    int tool;            /* the tool whose grant is read */
    const char *name;    /* name of the file */
    struct error *e;
};

/* The line of the current event. */
size_t config_line(const struct config_reading *r);
/* Sets the error, in that line. Returns -1. */
int config_refuse(struct config_reading *r, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The index of a word, ignoring case (YAML accepts Yes, yes and YES). -1 if there is none. */
int config_find_word(const char *const *words, const char *word);

/* The document: a map of all settings. */
extern const struct setting config_document;

#endif
