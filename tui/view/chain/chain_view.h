/*
 * The view of a chain of thought: its question and answer, its steps, the matrix of steps and sources, the sources by
 * relevance, and the cell under the cursor. For chain_*.c and act_lineage.c.
 *
 * It is one picture of one thing: which document each step used. The cursor is a step and a document at
 * once, in whichever pane the keys are: the matrix has it as a cell, the list of sources as a row, and
 * the last pane tells of it. Beyond the first column and the first row are headings, which stand for
 * the step or the document alone.
 *
 * The lines of the view, which `selected`, marks and a search count, are the steps in their order, the
 * documents in theirs, the chain, and the lines of the last pane.
 */
#ifndef STEMMA_CHAIN_CHAIN_VIEW_H
#define STEMMA_CHAIN_CHAIN_VIEW_H

#include "tui/explorer/app.h"
#include "tui/render/sheet.h"
#include "tui/term/paint.h"
#include "tui/view/chain/chain_matrix.h"
#include "tui/widget/page.h"
#include "tui/widget/sheet_view.h"

/* Of a chain's row, or of a step's: then the cursor stands on that step. */
struct view *chain_view_new(struct app *x, int64_t node);
bool view_is_chain(const struct view *v);
/* It is a chain's, which is read and has its final answer. */
bool chain_view_is_finished(const struct view *v);
/* Does that line stand in the pane that has the keys? In a view of another sort all do. */
bool view_chain_has_keys(const struct view *v, size_t line);

#define CELL_FACTS_MOST 12       /* of each sort, of the document under the cursor */
#define CHAIN_HEADING   SIZE_MAX /* a row or a column that is the heading's */

enum chain_focus {
    FOCUS_MATRIX = 0,
    FOCUS_SOURCES,
    FOCUS_CELL,
    FOCUS_COUNT
};

/* Which orders the matrix has. */
struct chain_orders {
    enum step_order steps;
    enum document_order documents;
    bool steps_reversed, documents_reversed;
};

/* What goes where in a frame. */
struct chain_layout {
    struct pane header, matrix, sources, cell;
    int matrix_rows, matrix_columns;         /* of steps and documents that it shows */
    bool has_letters, has_best, has_primary; /* rows next to those */
    int number, number_width, word, question, question_width;
    int confidence, time, time_width; /* 0: it is not shown */
    int cells, pitch;                 /* where the first begins, and how wide each is */
    int used;                         /* 0: it is not shown */
};

struct chain_view {
    struct sheet_view page; /* struct chain_reading; the sheet is the last pane's */
    int64_t node;           /* the chain's row; until it is read, what was asked for */
    int64_t step, document; /* the rows that the cursor is on; 0: a heading */
    size_t steps;           /* that the last reading had */
    size_t landed;          /* that came and were not looked at */
    struct chain_orders orders;
    bool by_confidence;
    enum chain_focus focus;
    size_t row, column; /* places; CHAIN_HEADING */
    size_t top, left;   /* the first that is shown of each */
    size_t source_top;  /* of the list of sources */
    size_t cell_line;   /* of the last pane, where it has the keys; LINE_NONE: on none */
    size_t cell_top;
    struct sheet header; /* question and answer */
    struct page facts;   /* struct document_facts: of the document under the cursor */
    struct chain_layout at;
};

static inline struct chain_view *chain_of(struct view *v)
{
    return (struct chain_view *)v;
}
/* NULL: not read yet. */
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
/* Opens what the cursor is on. `argument` is not used. */
void chain_view_open(struct chain_view *c, long argument);
/* By number, of the step and the document under the cursor; SIZE_MAX: it is on a heading, or there is none. */
size_t chain_view_step(const struct chain_view *c);
size_t chain_view_document(const struct chain_view *c);
/* The use under the cursor; NULL: the step did not use it. */
const struct chain_source *chain_view_source(const struct chain_view *c);
/* The line of the view that is the chain itself: behind the steps and the documents, before those of the last pane. */
size_t chain_view_line(const struct chain_view *c);
/* The line of the view that the cursor is on, after it or the lines changed. */
void chain_view_settle(struct chain_view *c);
/* Scrolls as little as brings the cursor's cell and row in. */
void chain_view_reveal(struct chain_view *c);

/* What is asked by its keys. */
bool chain_view_request(struct view *v, enum view_request request);
void chain_view_set_focus(struct chain_view *c, enum chain_focus focus);

/* To the next cell (1), or the one before (-1), in which something was used: along the cursor's step, or along its
 * document. False where there is none. */
bool chain_view_go_to_use(struct chain_view *c, int direction, bool along_step);
/* To the source in that place, or the last. */
void chain_view_go_to_column(struct chain_view *c, size_t place);
/* The orders of the matrix are others: the cursor stays on its step and its document. */
void chain_view_reorder(struct chain_view *c);
void chain_view_fit(struct chain_view *c, const struct pane *p);
void chain_view_point(struct view *v, int row, int column, int button);
void chain_view_wheel(struct view *v, long rows);
/* "3 more ↓" appended behind a dot; nothing of 0. */
void chain_view_add_more(const struct chain_view *c, size_t count, const char *arrow,
                         struct strbuf *out);
void chain_view_draw_matrix(struct chain_view *c);  /* chain_paint.c */
void chain_view_draw_sources(struct chain_view *c); /* chain_paint.c */
void chain_view_draw_cell(struct chain_view *c);    /* chain_cell.c */
void chain_view_lay_cell(struct chain_view *c);
/* Question, answer, who thought so and when, above the matrix of a view of so many lines. */
void chain_view_lay_header(struct chain_view *c, int width, int lines); /* chain_paint.c */

#endif
