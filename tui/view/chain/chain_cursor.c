/* Where the cursor of a chain stands, and how it moves: on a step and a document, or on the heading of either. */
#include "tui/view/chain/chain_view.h"

size_t chain_view_step(const struct chain_view *c)
{
    return c->row < chain_steps(c) ? c->reading->matrix.step[c->row] : SIZE_MAX;
}

size_t chain_view_document(const struct chain_view *c)
{
    return c->column < chain_documents(c) ? c->reading->matrix.document[c->column] : SIZE_MAX;
}

const struct chain_source *chain_view_source(const struct chain_view *c)
{
    size_t step = chain_view_step(c), document = chain_view_document(c);
    if (step == SIZE_MAX || document == SIZE_MAX)
        return NULL;
    return matrix_source(&c->reading->matrix, step, document);
}

size_t chain_view_line(const struct chain_view *c)
{
    return chain_steps(c) + chain_documents(c);
}

static size_t line_of_cursor(const struct chain_view *c)
{
    bool in_cell = c->focus == FOCUS_CELL && c->cell_line < c->cell.count;
    if (in_cell)
        return chain_view_line(c) + 1 + c->cell_line;
    if (c->row != CHAIN_HEADING && c->focus != FOCUS_SOURCES)
        return c->row;
    return c->column != CHAIN_HEADING ? chain_steps(c) + c->column : chain_view_line(c);
}

void chain_view_settle(struct chain_view *c)
{
    size_t steps = chain_steps(c), documents = chain_documents(c);
    if (!c->reading)
        return;
    if (c->row != CHAIN_HEADING && c->row >= steps)
        c->row = steps ? steps - 1 : CHAIN_HEADING;
    if (c->column != CHAIN_HEADING && c->column >= documents)
        c->column = documents ? documents - 1 : CHAIN_HEADING;
    if (c->cell_line >= c->cell.count)
        c->cell_line = LINE_NONE;
    c->view.count = chain_view_line(c) + 1 + c->cell.count;
    c->view.selected = line_of_cursor(c);
}

/* The first that is shown, so that `at` is among `shown` of them. */
static size_t scrolled(size_t first, size_t at, size_t count, int shown)
{
    size_t room = shown > 0 ? (size_t)shown : 1;
    if (at != CHAIN_HEADING && at < first)
        first = at;
    if (at != CHAIN_HEADING && at >= first + room)
        first = at - room + 1;
    if (at == CHAIN_HEADING)
        first = 0;
    return first + room > count ? (count > room ? count - room : 0) : first;
}

static int source_rows(const struct chain_view *c)
{
    return c->panes.sources.height - 1;
}

void chain_view_reveal(struct chain_view *c)
{
    if (!c->reading || c->panes.matrix.screen == NULL)
        return; /* not on a screen yet: the first frame asks again */
    c->top = scrolled(c->top, c->row, chain_steps(c), c->matrix_rows);
    c->left = scrolled(c->left, c->column, chain_documents(c), c->matrix_columns);
    if (c->column != CHAIN_HEADING)
        c->source_top = scrolled(c->source_top, c->column, chain_documents(c), source_rows(c));
    if (c->source_top > chain_documents(c))
        c->source_top = 0;
}

void chain_view_moved(struct chain_view *c)
{
    size_t steps = chain_steps(c);
    c->arrived = false;
    chain_view_settle(c);
    chain_view_reveal(c);
    if (c->top + (size_t)(c->matrix_rows > 0 ? c->matrix_rows : 0) >= steps)
        c->landed = 0;
}

void chain_view_set_focus(struct chain_view *c, enum chain_focus focus)
{
    c->focus = focus;
    c->cell_line = LINE_NONE;
    c->cell_top = 0;
    if (focus == FOCUS_SOURCES && c->column == CHAIN_HEADING && chain_documents(c))
        c->column = 0;
    chain_view_moved(c);
}

bool chain_view_go_to_use(struct chain_view *c, int direction, bool along_step)
{
    size_t *at = along_step ? &c->column : &c->row;
    size_t count = along_step ? chain_documents(c) : chain_steps(c), before = *at;
    /* A heading stands before the first: one further is place 0. */
    for (*at += (size_t)direction; *at < count; *at += (size_t)direction)
        if (chain_view_source(c)) {
            c->focus = c->focus == FOCUS_CELL ? FOCUS_MATRIX : c->focus;
            chain_view_moved(c);
            return true;
        }
    *at = before;
    return false;
}

void chain_view_go_to_column(struct chain_view *c, size_t place)
{
    size_t documents = chain_documents(c);
    if (documents == 0)
        return;
    c->column = place < documents ? place : documents - 1;
    c->focus = c->focus == FOCUS_CELL ? FOCUS_MATRIX : c->focus;
    chain_view_moved(c);
}

/* ---- moving ---- */

static size_t stepped(size_t at, long by, size_t count, bool heading)
{
    if (count == 0)
        return CHAIN_HEADING;
    long place = at == CHAIN_HEADING ? -1 : (long)at;
    long to = place + by, least = heading ? -1 : 0;
    to = to < least ? least : to >= (long)count ? (long)count - 1 : to;
    return to < 0 ? CHAIN_HEADING : (size_t)to;
}

/* In the last pane: to the next line that opens where that is near, else the text is scrolled. */
static void move_cell(struct chain_view *c, long by)
{
    long rows = c->panes.cell.height - 1, count = (long)c->cell.count;
    long from = c->cell_line == LINE_NONE
                    ? (by > 0 ? (long)c->cell_top - 1 : (long)c->cell_top + rows)
                    : (long)c->cell_line;
    long direction = by > 0 ? 1 : -1, to = from + direction;
    while (to >= 0 && to < count && !c->cell.line[to].opens)
        to += direction;
    bool seen = to >= 0 && to < count && to >= (long)c->cell_top - 1 &&
                to <= (long)c->cell_top + rows && (by == 1 || by == -1);
    if (seen) {
        c->cell_line = (size_t)to;
        if (to < (long)c->cell_top)
            c->cell_top = (size_t)to;
        if (to >= (long)c->cell_top + rows)
            c->cell_top = (size_t)(to - rows + 1);
    } else {
        long most = count > rows ? count - rows : 0, top = (long)c->cell_top + by;
        c->cell_top = (size_t)(top < 0 ? 0 : top > most ? most : top);
        if (c->cell_line != LINE_NONE && ((long)c->cell_line < (long)c->cell_top ||
                                          (long)c->cell_line >= (long)c->cell_top + rows))
            c->cell_line = LINE_NONE;
    }
    chain_view_moved(c);
}

void chain_view_rows(struct chain_view *c, long by)
{
    if (c->focus == FOCUS_CELL) {
        move_cell(c, by);
        return;
    }
    if (c->focus == FOCUS_SOURCES)
        c->column = stepped(c->column, by, chain_documents(c), false);
    else
        c->row = stepped(c->row, by, chain_steps(c), by == -1);
    chain_view_moved(c);
}

/* Among the sources the keys to the sides go from step to step. */
void chain_view_columns(struct chain_view *c, long by)
{
    if (c->focus == FOCUS_CELL)
        return;
    if (c->focus == FOCUS_SOURCES)
        c->row = stepped(c->row, by, chain_steps(c), false);
    else
        c->column = stepped(c->column, by, chain_documents(c), by == -1);
    chain_view_moved(c);
}

static long page_of(const struct chain_view *c)
{
    int rows = c->focus == FOCUS_MATRIX    ? c->matrix_rows
               : c->focus == FOCUS_SOURCES ? source_rows(c)
                                           : c->panes.cell.height - 1;
    return rows > 2 ? rows - 1 : 1;
}

void chain_view_pages(struct chain_view *c, long halves)
{
    long by = page_of(c) * halves / 2;
    chain_view_rows(c, by ? by : halves);
}

void chain_view_column_pages(struct chain_view *c, long pages)
{
    long by = c->matrix_columns > 2 ? c->matrix_columns - 1 : 1;
    c->focus = c->focus == FOCUS_CELL ? FOCUS_MATRIX : c->focus;
    chain_view_columns(c, by * pages);
}

void chain_view_end(struct chain_view *c, long direction)
{
    chain_view_rows(c, direction < 0 ? -(long)c->view.count : (long)c->view.count);
}

void chain_view_section(struct chain_view *c, long direction)
{
    int focus = ((int)c->focus + (int)direction + FOCUS_COUNT) % FOCUS_COUNT;
    chain_view_set_focus(c, (enum chain_focus)focus);
}
