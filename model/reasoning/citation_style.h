/*
 * Citation styles: how a list of citations is written for a reader, a document or another program.
 */
#ifndef STEMMA_CITATION_STYLE_H
#define STEMMA_CITATION_STYLE_H

#include "model/reasoning/citation.h"

/* A citation, and what is known of its document. Texts may be NULL. */
struct cited_work {
    struct citation citation;
    const char *author, *uri;
    int64_t year; /* of publication; 0 if unknown */
};

/* One row for each style, ended by a NULL name. */
struct citation_style {
    const char *name;
    const char *before, *between, *after; /* around the citations of a list, and between two */
    /* Appends one citation; `number` counts from 1. */
    void (*write)(struct strbuf *out, const struct cited_work *work, size_t number);
};
extern const struct citation_style citation_styles[];

/* Appends the list, each citation on lines of its own. */
void citation_style_write(struct strbuf *out, const struct citation_style *style,
                          const struct cited_work *works, size_t count);

#endif
