/*
 * A lineage as lines of text: `stemma show --trace` and `--reverse` (trace_print), and the outline of a picture for
 * narrow terminals, screen readers, pipes and files (struct outline_text).
 *
 *     9 ├─ reinforced by e2 planning  ↑6 (2 below)
 *
 * A line has a number, the tree, the word of the edge, and the label. After that: ×3 if three edges lead to the node
 * and this is its first line; ↑6 if line 6 shows the node with everything below it; ↻ cycle if it is an ancestor of
 * itself on this path. In ASCII:
 *
 *     9 |- reinforced by e2 planning  ^6 (2 below)          x3, C cycle
 *
 * Below the drawn levels a number replaces the tree, since deep lines would be mostly blanks: "… 41 › label".
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
    bool down;                             /* the value with which the outline was made */
    bool ascii;
    /* levels that are drawn; a deeper line shows its level as a number. 0 for no limit */
    uint32_t levels;
    /*
     * Width of a line; labels are cut to it. 0 for no limit. Other parts are never cut, and a label keeps
     * OUTLINE_LABEL columns.
     */
    size_t columns;
    /* Appends the cleaned label of a node of the picture in at most `columns`. Returns the columns used. */
    size_t (*label)(void *of, uint32_t node, size_t columns, struct strbuf *out);
    void *of;
};
#define OUTLINE_LABEL 8

/* The position of the label in a line. */
struct outline_place {
    size_t column, columns;
};

/* Appends line number `line` (from 0) of the outline, without a line end. `place` may be NULL. */
void outline_text_add(struct strbuf *out, const struct outline_text *t, size_t line,
                      struct outline_place *place);

/* Prints the page of the memory and an outline. A memory that several lines share is expanded once. */
int trace_print(struct output *out, struct reader *r, const struct trace *t, struct error *e);

#endif
