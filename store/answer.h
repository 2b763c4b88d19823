/*
 * Answers as JSON: what the commands print with --json and what MCP's tools answer, one implementation
 * for both. Each appends one object (or what is said) to `out`. A read transaction is held for no longer
 * than some rows where they are many.
 */
#ifndef STEMMA_ANSWER_H
#define STEMMA_ANSWER_H

#include "../model/lineage.h"
#include "orphans.h"
#include "store.h"

/* Appends the memory in the exchange form, with its label. */
int answer_memory(struct reader *r, struct arena *arena, int64_t node, struct strbuf *out,
                  struct error *e);
/* The same of several, their labels found together: [count] objects, a comma between (`separator`). */
int answer_memories(struct reader *r, struct arena *arena, const int64_t *nodes, size_t count,
                    char separator, struct strbuf *out, struct error *e);
/* `show --trace`: {"nodes","links","cut","cycles"}. */
int answer_lineage(struct reader *r, int64_t node, enum direction direction, uint32_t depth,
                   struct strbuf *out, struct error *e);
/* {"falls","weakened","descends"} of these rows, each once. `progress` may be NULL; non-zero stops it. */
int answer_whatif(struct reader *r, const int64_t *rows, size_t count,
                  int (*progress)(void *arg, double done, double total), void *arg,
                  struct strbuf *out, struct error *e);
/* One problem: {"ref","problem","field","target"}. */
void answer_orphan(struct strbuf *out, const struct orphan *orphan);

#endif
