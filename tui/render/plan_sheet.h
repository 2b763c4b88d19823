/* What an operation would change, or changed, as a page: the explorer shows it, a command writes it. */
#ifndef STEMMA_PLAN_SHEET_H
#define STEMMA_PLAN_SHEET_H

#include "store/lineage/orphans.h"
#include "store/ops/operation.h"
#include "tui/render/facts.h"
#include "tui/text/output.h"

enum plan_stage {
    PLAN_SHOWN, /* it would be so */
    PLAN_DONE,
};

/* A plan with the memories that it names, as they are now. */
struct plan_page {
    enum operation op;
    enum plan_stage stage;
    const struct plan *plan;
    const char *reason;                                      /* that was given; NULL: none */
    struct fact_row *change, *falls, *weakened, *descending; /* as the plan's lists */
};

/* Reads the rows of a page whose other members are set; in the arena. O(memories of the plan). */
int plan_page_read(struct reader *r, struct arena *arena, struct plan_page *p, struct error *e);

/*
 * Each memory that changes with what differs, what changes with it, what falls, is weakened and merely
 * descends, what was left and why, and what a person should know of it. Adds lines.
 */
void plan_sheet(struct sheet *s, const struct plan_page *p, const struct facts_look *look);
/* The same, read and written. */
int plan_print(struct output *out, struct reader *r, enum operation op, const struct plan *p,
               enum plan_stage stage, struct error *e);

/* "stemma: raw:x names nothing here yet" on stderr for each ref that does not. */
void plan_tell_unresolved(const struct plan *p);

/* What a problem of the lineage means, in the words of the explorer and of `stemma orphans` alike: "names something
 * that is not in this store". */
const char *problem_explained(enum problem problem);

#endif
