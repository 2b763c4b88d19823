/*
 * The view of a chain of thought: question and answer, steps, the matrix of steps and sources, the sources by
 * relevance, and the cell under the cursor. Used by chain_*.c and act_lineage.c.
 *
 * The view shows which document each step used. The cursor is a step and a document at the same time, whichever pane
 * has the focus: a cell in the matrix, a row in the list of sources, and details in the last pane. Row and column
 * headings stand for a document or a step alone.
 *
 * The lines of the view, which `cursor`, the selection and searches refer to, are the steps in their order, the
 * documents in theirs, the chain, and the lines of the last pane.
 */
#ifndef STEMMA_CHAIN_CHAIN_VIEW_H
#define STEMMA_CHAIN_CHAIN_VIEW_H

#include "tui/explorer/app.h"
#include "tui/render/page.h"
#include "tui/term/paint.h"
#include "tui/view/chain/chain_matrix.h"
#include "tui/widget/panel.h"
#include "tui/widget/page_view.h"
#include "tui/render/chain_page.h"
#include "tui/render/facts.h"

/* `node` is the row of a chain, or of a step, where the cursor then starts. */
struct view *chain_view_new(struct ui *ui, int64_t node);
bool view_is_chain(const struct view *v);
/* Whether it shows a chain that is read and has its final answer. */
bool chain_view_is_finished(const struct view *v);
/* Whether the line is in the focused pane. True for other kinds of views. */
bool view_chain_has_keys(const struct view *v, size_t line);

#define CELL_FACTS_MAX 12       /* rows of each kind about the document under the cursor */
#define CHAIN_HEADING  SIZE_MAX /* a row or a column that is the heading's */

enum chain_focus {
    FOCUS_MATRIX = 0,
    FOCUS_SOURCES,
    FOCUS_CELL,
    FOCUS_COUNT
};

/* The orders of the matrix. */
struct chain_orders {
    enum step_order steps;
    enum document_order documents;
    bool steps_reversed, documents_reversed;
};

/* Positions in a frame. */
struct chain_layout {
    struct pane header, matrix, sources, cell;
    int matrix_rows, matrix_columns;         /* visible steps and documents */
    bool has_letters, has_best, has_primary; /* whether these rows are shown */
    int number, number_width, word, question, question_width;
    int confidence, time, time_width; /* 0 if hidden */
    int cells, pitch;                 /* column of the first cell, and width of a cell */
    int used;                         /* 0 if hidden */
};

struct chain_view {
    struct page_view page;  /* data: struct chain_reading; the page is the last pane's */
    int64_t node;           /* the chain's row; until it is read, the requested row */
    int64_t step, document; /* rows of the step and document under the cursor; 0 on a heading */
    size_t steps;           /* number of steps at the last read */
    size_t landed;          /* new steps that were not looked at yet */
    struct chain_orders orders;
    bool by_confidence;
    enum chain_focus focus;
    size_t row, column; /* place of the cursor, or CHAIN_HEADING */
    size_t top, left;   /* first visible place */
    size_t source_top;  /* first visible line of the list of sources */
    size_t cell_line;   /* line of the cursor in the last pane; LINE_NONE if it has no focus */
    size_t cell_top;
    struct page header; /* question and answer */
    struct panel facts; /* data: struct document_facts of the document under the cursor */
    struct chain_layout at;
};

static inline struct chain_view *chain_of(struct view *v)
{
    return (struct chain_view *)v;
}
/* NULL before the first read. */
static inline struct chain_reading *chain_reading_of(const struct chain_view *c)
{
    return c->page.shown.facts;
}
static inline const struct matrix *chain_matrix(const struct chain_view *c)
{
    return &chain_reading_of(c)->matrix;
}
static inline const struct chain *chain_shown(const struct chain_view *c)
{
    return &chain_reading_of(c)->chain;
}
static inline size_t chain_steps(const struct chain_view *c)
{
    return c->page.shown.facts ? chain_shown(c)->step_count : 0;
}
static inline size_t chain_documents(const struct chain_view *c)
{
    return c->page.shown.facts ? chain_shown(c)->document_count : 0;
}
/* Opens the item under the cursor. `argument` is not used. */
void chain_view_open(struct chain_view *c, long argument);
/* The number of the step or document under the cursor; SIZE_MAX on a heading, or if there is none. */
size_t chain_view_step(const struct chain_view *c);
size_t chain_view_document(const struct chain_view *c);
/* The use under the cursor; NULL if the step did not use the document. */
const struct chain_source *chain_view_source(const struct chain_view *c);
/* The line that stands for the chain itself: after steps and documents, before the last pane. */
size_t chain_view_line(const struct chain_view *c);
/* Updates view.cursor after the cursor or the lines changed. */
void chain_view_update_selected(struct chain_view *c);
/* Scrolls just enough to show the cursor's cell and row. */
void chain_view_reveal(struct chain_view *c);

/* view_ops->request. */
bool chain_view_request(struct view *v, enum view_request request);
void chain_view_set_focus(struct chain_view *c, enum chain_focus focus);

/* Goes to the next (1) or previous (-1) used cell along the cursor's step or document. Returns false if there is
 * none. */
bool chain_view_go_to_use(struct chain_view *c, int direction, bool along_step);
/* Goes to the source at that place, or to the last one. */
void chain_view_go_to_column(struct chain_view *c, size_t place);
/* Sorts the matrix after c->orders changed. The cursor stays on its step and document. */
void chain_view_reorder(struct chain_view *c);
void chain_view_fit(struct chain_view *c, const struct pane *p);
void chain_view_point(struct view *v, int row, int column, int button);
void chain_view_wheel(struct view *v, long rows);
/* Appends " · 3 more ↓"; nothing for 0. */
void chain_view_add_more(const struct chain_view *c, size_t count, const char *arrow,
                         struct strbuf *out);
void chain_view_draw_matrix(struct chain_view *c);  /* chain_paint.c */
void chain_view_draw_sources(struct chain_view *c); /* chain_paint.c */
void chain_view_draw_cell(struct chain_view *c);    /* chain_cell.c */
void chain_view_lay_cell(struct chain_view *c);
/* Lays out question, answer, agent and time above the matrix, for a view of `lines`. */
void chain_view_lay_header(struct chain_view *c, int width, int lines); /* chain_paint.c */

/* ---- texts about a step and its uses of documents: view_step.c ---- */

/* Appends "rank 2 · chunk 14 · .83 measured · changed since". With `signs` the score has its sign. */
void step_add_use(struct strbuf *out, bool ascii, const struct chain_source *s, bool signs);
/* Appends "step 2 of 3", or "step 7, 3rd of 3" if its number is not its place (from 0). */
void step_add_place(struct strbuf *out, const struct chain *chain, size_t step, size_t place);

#endif
