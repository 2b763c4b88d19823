/*
 * What was found out of entries for a reader's caller, for as long as the store stays as it is: lists, searches and
 * forms ask the same of the same entries again and again.
 */
#ifndef STEMMA_GUARD_ENTRIES_H
#define STEMMA_GUARD_ENTRIES_H

#include "store/guard/guard.h"

struct known_entry {
    int64_t node; /* 0: none */
    int64_t seq;  /* the event as of which it holds */
    uint64_t caller;
    enum sight sight; /* by its ref */
    bool is_listed;   /* it is also met in lists */
    bool is_masked;   /* its personal data is */
    bool is_open;     /* its key is known to be shown as it is */
    bool is_other;    /* it is known to be no entry; the rest says nothing */
};

/* That entry, as the guarded reader's caller sees it; NULL where it is not known, or nothing is kept. Until the next
 * call of these functions. */
struct known_entry *guard_entry_known(struct reader *r, int64_t node);
/* From here on it is, where anything is kept: `what` says its sight, and whether it is listed and masked. */
void guard_entry_learn(struct reader *r, int64_t node, const struct known_entry *what);
/* It is no entry. */
void guard_entry_learn_other(struct reader *r, int64_t node);
/* May any entry be listed to the guarded reader's caller, by the namespaces that there are? What cannot be read is taken
 * for one that may, and is asked about by itself. */
bool guard_lists_entries(struct reader *r);
void guard_entries_free(struct known_entry *all); /* NULL is allowed */

#endif
