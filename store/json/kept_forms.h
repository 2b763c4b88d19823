/*
 * Memories in the exchange form as they were read before, for who asks about the same few again and
 * again: exact at the moment of the reader's transaction.
 *
 * What a memory's form says changes only by an event on that memory: what it names has a ref that never
 * changes, and its label is not kept here. So an event gives up what is kept of its subject, and nothing else.
 */
#ifndef STEMMA_KEPT_FORMS_H
#define STEMMA_KEPT_FORMS_H

#include "model/graph/graph.h"
#include "model/base/strbuf.h"
#include "store/db/store.h"

struct kept_forms;
struct kept_forms *kept_forms_new(void);
void kept_forms_free(struct kept_forms *k); /* NULL is allowed */

/* Appends the memory in the exchange form with its label, kept or read; within a transaction of the
 * reader's. `arena` is for reading it. ERROR_NOT_FOUND: a stub. */
int kept_form_add(struct reader *r, struct arena *arena, int64_t node, enum label label,
                  struct strbuf *out, struct error *e);

/* An object was added for the reader's caller, `len` bytes without its last brace, that holds no personal data by the rules
 * for him, and is not written over. */
void kept_forms_note_clean(struct reader *r, size_t at, size_t len);

/* Into the form that was added last, and which ended at `from`, members were added that end at `to` and hold none either. */
void kept_forms_note_more(struct reader *r, size_t from, size_t to);

/*
 * Appends the answer without the forms that were added for the reader's caller, stand in it as they are kept, and hold
 * no personal data by those rules, nor their labels: in place of each, or of several in a row, stands {"":0. There is
 * personal data in the answer only where there is in what is left. Forms are known by the places where they were added
 * and by how they begin there. So are objects of which that was noted. Nothing is appended where none is left out.
 */
struct guard_rules;
void kept_forms_leave_out(struct reader *r, const struct guard_rules *g, const char *json,
                          size_t len, struct strbuf *rest);

#endif
