/*
 * A lineage as lines of text: `stemma show --trace` and `--reverse` (trace_print), and a picture's outline for narrow
 * terminals, screen readers, pipes and files (struct outline_text).
 *
 *     9 ├─ reinforced by e2 planning  ↑6 (2 below)
 *
 * A number, the tree, the edge's word, the label; then ×3 where three edges lead to the node and
 * this is its first line, ↑6 where line 6 shows it with what is below, ↻ cycle where that is on its
 * own path. In ASCII:
 *
 *     9 |- reinforced by e2 planning  ^6 (2 below)          x3, C cycle
 *
 * Below the levels that are drawn the tree is a number, or a line of 5,000 would be a picture of
 * blanks: "… 41 › label".
 */
#ifndef STEMMA_TRACE_H
#define STEMMA_TRACE_H

#include "model/base/strbuf.h"
#include "model/layout/picture.h"
#include "store/lineage/orphans.h"
#include "tui/text/output.h"

struct outline_text {
    const struct picture *picture;
    const struct picture_outline *outline; /* of that picture */
    bool down;                             /* as the outline was made */
    bool ascii;
    uint32_t levels; /* that are drawn; a line that is deeper says how deep it is. 0: no bound */
    /*
     * What a line may take up, so that labels are cut; 0: no bound. What is no label is never cut,
     * and a label keeps OUTLINE_LABEL columns.
     */
    size_t columns;
    /*
     * Appends the label of a node of the picture, clean, in at most `columns`; returns how many it
     * takes up.
     */
    size_t (*label)(void *of, uint32_t node, size_t columns, struct strbuf *out);
    void *of;
};
#define OUTLINE_LABEL 8

/* Where in a line its label stands. */
struct outline_place {
    size_t column, columns;
};

/*
 * Appends line number `line` (from 0) of the outline, without an end of line. `place` may be NULL.
 */
void outline_text_add(struct strbuf *out, const struct outline_text *t, size_t line,
                      struct outline_place *place);

/* For people: the page of the memory, and an outline in which a shared memory stands once. */
int trace_print(struct output *out, struct reader *r, const struct trace *t, struct error *e);

#endif
