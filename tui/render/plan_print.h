/* What an operation would change, or changed, for people: the same lines for every command. */
#ifndef STEMMA_PLAN_PRINT_H
#define STEMMA_PLAN_PRINT_H

#include "store/lineage/orphans.h"
#include "store/ops/operation.h"
#include "tui/cli/command.h"
#include "tui/text/output.h"

enum plan_stage {
    PLAN_SHOWN, /* it would be so */
    PLAN_DONE,
};

/*
 * Each memory that changes with what differs, what changes with it, what falls, is weakened and merely
 * descends, what was left and why, and what a person should know of it. `r` reads the texts: as they
 * are now.
 */
int plan_print(struct output *out, struct reader *r, enum operation op, const struct plan *p,
               enum plan_stage stage, struct error *e);

/* "stemma: raw:x names nothing here yet" on stderr for each ref that does not. */
void plan_tell_unresolved(const struct plan *p);

/* An edit that was refused because it read another version: what both say. */

/* Writes what differs between the version that was expected and the present one, as far as that is known. `e`
 * is the refusal, and stays. */
void stale_print(struct invocation *i, const char *ref, int64_t expected, const struct error *e);

/* The same of an undo that was refused: what changed since those events (`count` 0: those that undo, or redo, would
 * take back) on the memories that they changed. */
void stale_undo_print(struct invocation *i, const int64_t *seqs, size_t count, bool redo);

/* What a problem of the lineage means, in the words of the explorer and of `stemma orphans` alike. */

/* "names something that is not in this store": the memory is its subject. A constant. */
const char *problem_explained(enum problem problem);

#endif
