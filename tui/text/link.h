/*
 * Links in a text: URIs of the web and of files, and a path that is a whole text. They become hyperlinks of a terminal
 * (OSC 8), or are opened by a program.
 */
#ifndef STEMMA_LINK_H
#define STEMMA_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include "model/base/strbuf.h"

#define LINK_MAX 2000 /* bytes of a target; terminals ignore longer ones */

/* Bytes of a text. */
struct link {
    size_t from, to;
};

/* Finds the first link that ends after byte `at`: a URI with the scheme http, https or file, or a path that begins the
 * text or stands in brackets. A URI ends before a blank, a quote or a bracket <>, and before the punctuation of a
 * sentence. */
bool link_find(const char *s, size_t len, size_t at, struct link *out);
/* Appends its target: bytes that may not stand in a URI are percent-encoded, so only visible ASCII is left. A path gets
 * the name of this machine. Returns false and appends nothing if it is too long. */
bool link_add_target(struct strbuf *out, const char *s, const struct link *l);

#endif
