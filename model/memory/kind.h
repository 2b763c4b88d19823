/*
 * The kinds of memory, and what each is called. A new kind is a line in kind.c and one here. The
 * numbers are stored: never renumber them.
 */
#ifndef STEMMA_KIND_H
#define STEMMA_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum kind {
    KIND_RAW = 0,
    KIND_EPISODE,
    KIND_BELIEF,
    KIND_NOTE,
    KIND_VALUE,
    KIND_GOAL,
    KIND_DRIVE,
    KIND_RELATIONSHIP,
    KIND_SUGGESTION,
    KIND_ATTRIBUTION,
    KIND_DOCUMENT,
    KIND_CHAIN,
    KIND_STEP,
    KIND_CITATION,
    KIND_ENTRY,
    KIND_COUNT
};

#define KIND_BIT(kind) (1u << (kind))
#define KINDS_ALL      ((1u << KIND_COUNT) - 1)

struct kind_spec {
    const char *name;   /* "belief": the scheme of a ref */
    const char *plural; /* "beliefs": a view's name */
    const char *text;   /* what its text is called: "statement" */
    const char *about;  /* one line of help */
    double confidence;  /* of a memory that states none */
    char letter;        /* one column wide; told apart from all others */
    bool is_source;     /* stands without a justification and is not unsourced: raw, attribution,
                           document, entry */
};

/* Never NULL for a kind below KIND_COUNT. */
const struct kind_spec *kind_spec(enum kind kind);
const char *kind_name(enum kind kind);
/* By its name, exact, as in a ref; -1 where there is no such kind. */
int kind_from_name(const char *name, size_t len);
/* By its name or plural, as a person types it; -1 likewise. */
int kind_from_word(const char *word);

#endif
