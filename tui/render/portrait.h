/* A memory in full, for people: what `stemma show` prints. */
#ifndef STEMMA_PORTRAIT_H
#define STEMMA_PORTRAIT_H

#include "store/db/store.h"
#include "tui/text/output.h"

/* Reads what surrounds `m` as well: what it rests on, and what rests on it. */
int portrait_print(struct output *out, struct reader *r, const struct memory *m, struct error *e);

/* "kind         belief": a name of at most 11 columns, and a value from anywhere. */
void portrait_field(struct output *out, const char *name, const char *value);
/* The same of a name, which shows what it hides. */
void portrait_name(struct output *out, const char *name, const char *value);
void portrait_fieldf(struct output *out, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* An empty line, then a section's title with what stands beside it. */
void portrait_heading(struct output *out, const char *title, const char *rest);

/* "2026-02-01 00:55:39Z (3w)" */
void add_time(struct strbuf *out, int64_t ms, int64_t now);
/* A confidence with two or three decimals: 0.82, 0.713. */
void add_confidence(struct strbuf *out, double confidence);

#endif
