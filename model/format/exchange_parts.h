/*
 * The parts of the exchange form that both a line and a patch are made of: each appends one element of
 * a list.
 */
#ifndef STEMMA_EXCHANGE_PARTS_H
#define STEMMA_EXCHANGE_PARTS_H

#include "model/json/json.h"
#include "model/memory/memory.h"
#include "model/base/strbuf.h"

/* "kind:id" as a JSON string. */
void exchange_add_ref(struct strbuf *out, struct ref ref);
void exchange_pair_ref(struct json_object *o, const char *key, struct ref ref);
void exchange_add_justification(struct strbuf *out, const struct justification *j);
void exchange_add_history(struct strbuf *out, const struct history_entry *h);
void exchange_add_relation(struct strbuf *out, const struct relation *r);
void exchange_add_mark(struct strbuf *out, const struct mark *mark);

#endif
