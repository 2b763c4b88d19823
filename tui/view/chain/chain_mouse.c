/* The mouse in a chain: what is pointed at is a cell, a source or a line of the last pane. */
#include "tui/view/chain/chain_view.h"

static bool hit(const struct pane *p, int y, int x)
{
    return y >= p->y && y < p->y + p->height && x >= p->x && x < p->x + p->width;
}

/* The cell there: a place or a heading of each; false where it is neither. */
static bool cell_there(const struct chain_view *c, int row, int column, size_t *step,
                       size_t *document)
{
    const struct chain_columns *to = &c->columns;
    int first = 1 + c->has_letters;
    int place = (column - to->cells) / to->pitch;
    *step = *document = CHAIN_HEADING;
    if (row >= first && row - first < c->matrix_rows)
        *step = c->top + (size_t)(row - first);
    if (column >= to->cells && place < c->matrix_columns)
        *document = c->left + (size_t)place;
    return row >= 1 && (*step == CHAIN_HEADING ? row < first : *step < chain_steps(c)) &&
           (*document == CHAIN_HEADING || *document < chain_documents(c));
}

/* A click puts the cursor there; where it stands already it opens what is there. */
static void click(struct chain_view *c, int y, int x)
{
    struct chain_panes *p = &c->panes;
    size_t step, document;
    if (hit(&p->matrix, y, x) &&
        cell_there(c, y - p->matrix.y, x - p->matrix.x, &step, &document)) {
        bool again = c->focus == FOCUS_MATRIX && step == c->row && document == c->column;
        c->row = step;
        c->column = document;
        chain_view_set_focus(c, FOCUS_MATRIX);
        if (again)
            chain_view_open(c, 0);
    } else if (hit(&p->sources, y, x) && y > p->sources.y) {
        size_t place = c->source_top + (size_t)(y - p->sources.y - 1);
        bool again = c->focus == FOCUS_SOURCES && place == c->column;
        if (place >= chain_documents(c))
            return;
        c->column = place;
        chain_view_set_focus(c, FOCUS_SOURCES);
        if (again)
            chain_view_open(c, 0);
    } else if (hit(&p->cell, y, x)) {
        size_t line = c->cell_top + (size_t)(y - p->cell.y) - 1, top = c->cell_top;
        bool opens = y > p->cell.y && line < c->cell.count && c->cell.line[line].opens;
        bool again = c->focus == FOCUS_CELL && opens && c->cell_line == line;
        if (c->focus != FOCUS_CELL) {
            chain_view_set_focus(c, FOCUS_CELL);
            c->cell_top = top;
            return; /* all of it is laid out now: what stood there may stand elsewhere */
        }
        c->cell_line = opens ? line : LINE_NONE;
        chain_view_moved(c);
        if (again)
            chain_view_open(c, 0);
    }
}

/* The wheel scrolls the pane that it is over; the cursor stays in view. */
static void scroll_pane(struct chain_view *c, int y, int x, long by)
{
    struct chain_panes *p = &c->panes;
    enum chain_focus focus = c->focus;
    if (hit(&p->cell, y, x)) {
        long most = (long)c->cell.count - (p->cell.height - 1), top = (long)c->cell_top + by;
        c->cell_top = (size_t)(top > most ? (most > 0 ? most : 0) : top < 0 ? 0 : top);
        return;
    }
    c->focus = hit(&p->sources, y, x) ? FOCUS_SOURCES : FOCUS_MATRIX;
    if (c->focus == FOCUS_MATRIX && c->row == CHAIN_HEADING && chain_steps(c))
        c->row = 0;
    chain_view_rows(c, by);
    c->focus = focus;
    chain_view_moved(c);
}

void chain_view_point(struct view *v, int row, int column, int button)
{
    struct chain_view *c = chain_of(v);
    int y = row + v->app->ui.list_pane.y, x = column + v->app->ui.list_pane.x;
    if (!c->reading)
        return;
    if (button == 1)
        click(c, y, x);
    else
        scroll_pane(c, y, x, button == 4 ? -3 : 3);
}

/* Over none of the panes it is about the one that has the keys. */
void chain_view_wheel(struct view *v, long rows)
{
    if (chain_of(v)->reading)
        chain_view_rows(chain_of(v), rows);
}
