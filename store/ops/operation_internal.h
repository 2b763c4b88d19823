/* Shared by the files op_*.c: helpers, and the functions that the table of operations names. */
#ifndef STEMMA_OPERATION_INTERNAL_H
#define STEMMA_OPERATION_INTERNAL_H

#include "store/ops/operation.h"

/*
 * Returns the rows that the request names, each once and in the order given. The array is in the
 * arena and has *count elements. Fails with ERROR_INVALID if there are fewer than `needs`, with
 * ERROR_NOT_FOUND naming an unknown ref, with ERROR_CONFLICT if a memory does not have the expected
 * version. Returns NULL on error.
 */
int64_t *operation_rows(struct plan *p, const struct request *q, size_t needs, size_t *count,
                        struct error *e);

/* Returns ERROR_INVALID if the request has a confidence outside 0 to 1. */
int operation_check_confidence(const struct request *q, struct error *e);

/* Sets *by to the row of a memory that supersedes `node` and lives when the plan is done, or to 0. Returns -1 on
 * error. */
int operation_superseding(struct plan *p, int64_t node, int64_t *by, struct error *e);
/* Return ERROR_REFUSED with a hint if the memory is not living, or if it is locked. */
int operation_check_living(const struct memory *m, struct error *e);
int operation_check_unprotected(const struct memory *m, struct error *e);
/* Returns true if its source type, context or annotations say that it is a seed. */
bool operation_marked_as_seed(const struct memory *m);

/* op_edit.c, op_flag.c, op_decide.c */
int op_edit_check(struct plan *p, const struct request *q, size_t count, struct error *e);
int op_edit(struct plan *p, int64_t node, const struct request *q, struct error *e);
int op_flag_check(struct plan *p, const struct request *q, size_t count, struct error *e);
int op_unflag_check(struct plan *p, const struct request *q, size_t count, struct error *e);
int op_flag(struct plan *p, int64_t node, const struct request *q, struct error *e);
int op_unflag(struct plan *p, int64_t node, const struct request *q, struct error *e);
/* A person who decides about a memory answers every request for its review. */
void operation_answer_review(struct plan *p, struct memory *m);
/* Takes the flags of approvals away: what was approved is not there any more. */
void operation_end_approval(struct plan *p, struct memory *m);
int op_approve(struct plan *p, int64_t node, const struct request *q, struct error *e);
int op_lock(struct plan *p, int64_t node, const struct request *q, struct error *e);
int op_unlock(struct plan *p, int64_t node, const struct request *q, struct error *e);
int op_retract(struct plan *p, int64_t node, const struct request *q, struct error *e);
/* Sends to review what is based directly on the rows, which get this status and with it loses support; or retracts or
 * quarantines it if the plan's dependants say so. */
int operation_treat_dependants(struct plan *p, enum status status, const int64_t *rows,
                               size_t count, struct error *e);
int op_retract_check(struct plan *p, const struct request *q, size_t count, struct error *e);
int op_retract_then(struct plan *p, const struct request *q, const int64_t *rows, size_t count,
                    struct error *e);
int op_restore(struct plan *p, int64_t node, const struct request *q, struct error *e);
/* The same by another operation: "release". */
int operation_bring_back(struct plan *p, int64_t node, const char *operation,
                         const struct request *q, struct error *e);
int op_restore_followed(struct plan *p, const struct request *q, const int64_t *rows, size_t count,
                        struct error *e);
int op_forget(struct plan *p, int64_t node, const struct request *q, struct error *e);
int op_forget_then(struct plan *p, const struct request *q, const int64_t *rows, size_t count,
                   struct error *e);
/* op_quarantine.c */
int op_quarantine(struct plan *p, const struct request *q, struct error *e);
int op_release(struct plan *p, int64_t node, const struct request *q, struct error *e);
/* op_purge.c */
int op_purge(struct plan *p, int64_t node, const struct request *q, struct error *e);
int op_purge_then(struct plan *p, const struct request *q, const int64_t *rows, size_t count,
                  struct error *e);
/* op_belief.c */
#define PROMOTED_SOURCE "raw-processing" /* the source of what an agent promotes */
int op_promote_check(struct plan *p, const struct request *q, size_t count, struct error *e);
int op_promote(struct plan *p, int64_t node, const struct request *q, struct error *e);
int op_reinforce(struct plan *p, const struct request *q, struct error *e);
int op_resolve(struct plan *p, const struct request *q, struct error *e);
int op_merge(struct plan *p, const struct request *q, struct error *e);
int op_replace(struct plan *p, const struct request *q, struct error *e);
int op_revise(struct plan *p, const struct request *q, struct error *e);
int op_consolidate(struct plan *p, const struct request *q, struct error *e);
int op_seed(struct plan *p, const struct request *q, struct error *e);
/* op_lineage.c, op_undo.c */
int op_cap_confidence(struct plan *p, const struct request *q, struct error *e);
int op_repair_origins(struct plan *p, const struct request *q, struct error *e);
int op_undo(struct plan *p, const struct request *q, struct error *e);
int op_redo(struct plan *p, const struct request *q, struct error *e);

#endif
