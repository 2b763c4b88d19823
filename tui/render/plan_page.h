/* Pages for the changes of an operation, planned or done, and for what would be written back into a source. The
 * explorer shows them, a command prints them. */
#ifndef STEMMA_PLAN_PAGE_H
#define STEMMA_PLAN_PAGE_H

#include "store/apply/apply.h"
#include "store/lineage/orphans.h"
#include "store/ops/operation.h"
#include "tui/render/facts.h"
#include "tui/text/output.h"

enum plan_stage {
    PLAN_SHOWN, /* a preview */
    PLAN_DONE,
};

/* A plan with the current rows of its memories. */
struct plan_facts {
    enum operation op;
    enum plan_stage stage;
    const struct plan *plan;
    const char *reason; /* the reason that was given; NULL if none */
    struct fact_row *change, *unsupported, *weakened,
        *descending; /* in the order of the plan's lists */
};

/* Reads the rows of a page whose other members are set, into the arena. O(memories of the plan). */
int plan_facts_read(struct reader *r, struct arena *arena, struct plan_facts *p, struct error *e);

#define PLAN_DEPENDANTS                                                                            \
    1 /* value of the line that says what becomes of those that lose all support */

/*
 * Adds lines: each memory that changes with its difference, what changes as a consequence, what loses support or is
 * weakened, other descendants, what was left unchanged and why, and warnings.
 */
void plan_page(struct page *s, const struct plan_facts *p, const struct page_options *options);
/* Reads the rows and prints the facts. */
int plan_print(struct output *out, struct reader *r, enum operation op, const struct plan *p,
               enum plan_stage stage, struct error *e);

/* The meaning of a lineage problem, for the explorer and `stemma orphans`: "names something that is not in this
 * store". */
const char *problem_explained(enum problem problem);

/* ---- what would be written back into a source ---- */

/* Adds each change with who decided it and why, in the form of the source, then what the format cannot say. */
void apply_page(struct page *s, const struct apply *a);
/* "2 changes to memory.jsonl", or that nothing differs; in the page's arena. */
const char *apply_summary(struct arena *arena, const struct apply *a);

#endif
