/* Layout, cursor and mouse of the chain view. The layout does not depend on the cursor, so nothing moves when the
 * cursor does. */
#include "tui/view/chain/chain_view.h"

#define FAR                1000000000L /* beyond any row or column */
#define SIDE_BY_SIDE_WIDTH 140         /* width from which the last pane is next to the sources */
#define QUESTION           16 /* columns of the question for which other columns are dropped */
#define QUESTION_ENOUGH    26 /* columns of the question that suffice if all cells then fit */

/* ---- panes ---- */

/* Rows of each part; 0 if it is hidden. */
struct rows {
    int header, matrix, sources, cell;
};

static int most(int a, int b)
{
    return a > b ? a : b;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int whole_matrix(const struct chain_view *c)
{
    size_t steps = chain_shown(c)->step_count;
    return 4 + (steps < 4000 ? (int)steps : 4000);
}

static int whole_sources(const struct chain_view *c)
{
    size_t documents = chain_shown(c)->document_count;
    return 1 + (documents == 0 ? 1 : documents < 4000 ? (int)documents : 4000);
}

/* Only the focused pane, if there is no room for two. */
static struct rows only(const struct chain_view *c, int height)
{
    struct rows rows = {0};
    *(c->focus == FOCUS_MATRIX    ? &rows.matrix
      : c->focus == FOCUS_SOURCES ? &rows.sources
                                  : &rows.cell) = height;
    return rows;
}

/* Half for the matrix and a quarter for the sources, as far as they need it. They also get what the last pane does
 * not need. */
static struct rows stacked(const struct chain_view *c, int height)
{
    int matrix = whole_matrix(c), sources = whole_sources(c), cell = most(6, height * 3 / 10);
    struct rows rows = {0, least(matrix, most(6, height / 2)), least(sources, most(3, height / 4)),
                        0};
    if (height < 12)
        return only(c, height);
    int spare = most(0, height - rows.matrix - rows.sources - cell);
    int more = least(spare, matrix - rows.matrix);
    rows.matrix += more;
    rows.sources += least(spare - more, sources - rows.sources);
    rows.cell = height - rows.matrix - rows.sources;
    return rows;
}

/* The matrix above, the sources and the last pane side by side below it. */
static struct rows side_by_side(const struct chain_view *c, int height)
{
    int want = whole_matrix(c), below = most(whole_sources(c), most(8, height * 3 / 10));
    int matrix = least(want, most(height - below, height * 3 / 5));
    if (height < 12)
        return only(c, height);
    below = height - matrix;
    return (struct rows){0, matrix, below, below};
}

static void place(struct chain_view *c, const struct pane *p, const struct rows *rows,
                  bool side_by_side)
{
    struct chain_layout *to = &c->at;
    int at = 0, half = side_by_side && rows->sources && rows->cell ? p->width * 11 / 20 : p->width;
    to->header = pane_part(p, at, 0, rows->header, p->width);
    at += rows->header;
    to->matrix = pane_part(p, at, 0, rows->matrix, p->width);
    at += rows->matrix;
    to->sources = pane_part(p, at, 0, rows->sources, half);
    if (half < p->width) {
        to->cell = pane_part(p, at, half + 1, rows->cell, p->width - half - 1);
        return;
    }
    at += rows->sources;
    to->cell = pane_part(p, at, 0, rows->cell, p->width);
}

static void fit_panes(struct chain_view *c, const struct pane *p)
{
    bool wide = p->width >= SIDE_BY_SIDE_WIDTH;
    struct rows rows;
    if (c->page.view.ui->zoom) {
        rows = only(c, p->height);
        place(c, p, &rows, false);
        return;
    }
    chain_view_lay_header(c, p->width, p->height);
    int header = (int)c->header.count + (p->height >= 22);
    if (header > p->height / 3)
        header = p->height < 12 ? 0 : p->height / 3;
    rows = wide ? side_by_side(c, p->height - header) : stacked(c, p->height - header);
    rows.header = header;
    place(c, p, &rows, wide);
}

/* ---- the columns of the matrix ---- */

/* Width of a cell: its number with its sign, a person's judgement, and the count of uses. */
static int cell_pitch(const struct chain_view *c)
{
    size_t uses = chain_matrix(c)->most_uses;
    int pitch = 6 + (c->by_confidence ? 6 : 0);
    if (uses > 1)
        pitch += snprintf(NULL, 0, "%zu", uses) + !c->page.view.ui->screen.utf8;
    return pitch;
}

/* Columns besides question and cells; 0 if there is no room. */
struct extra_columns {
    int conf, time, used;
};

static int taken(const struct extra_columns *b)
{
    return (b->conf ? b->conf + 2 : 0) + (b->time ? b->time + 2 : 0) + (b->used ? b->used + 1 : 0);
}

static void fit_columns(struct chain_view *c, int width)
{
    const struct chain *chain = chain_shown(c);
    const struct chain_reading *reading = chain_reading_of(c);
    struct chain_layout *to = &c->at;
    struct extra_columns extra = {4, reading->time_width, 4};
    int *const gives[] = {&extra.time, &extra.used, &extra.conf};
    to->number = width < 24 ? 2 : 5; /* only the cursor and the number */
    to->number_width = reading->number_width;
    to->pitch = cell_pitch(c);
    to->word = to->number + to->number_width;
    to->question = to->word + 2;
    size_t documents = chain->document_count;
    int all = documents < 1000 ? (int)documents * to->pitch : 100000;
    int three = least(all, 3 * to->pitch), longest = most(QUESTION, reading->question_width);
    for (int i = 0; i < 3; i++)
        if (width - to->question - taken(&extra) - 1 - QUESTION < three)
            *gives[i] = 0;
    int room = width - to->question - taken(&extra) - 1;
    /* Shows all documents if enough of the question remains. */
    int question = least(longest, room - all > QUESTION_ENOUGH ? room - all - 1 : room * 2 / 5);
    question = least(question, room - least(all, to->pitch) - 1);
    to->question_width = question < 6 ? 0 : question;
    int at = to->question + (to->question_width ? to->question_width : -1);
    to->confidence = extra.conf ? at + 2 : 0;
    at += extra.conf ? extra.conf + 2 : 0;
    to->time = extra.time ? at + 2 : 0;
    to->time_width = extra.time;
    at += extra.time ? extra.time + 2 : 0;
    to->cells = at + 1;
    int shown = most(0, width - to->cells - (extra.used ? extra.used + 1 : 0) - 1) / to->pitch;
    c->at.matrix_columns = least(shown, documents < 100000 ? (int)documents : 100000);
    to->used = extra.used ? to->cells + c->at.matrix_columns * to->pitch + 1 : 0;
}

/* Reserves rows for the rule, the letters and the totals. */
static void fit_rows(struct chain_view *c)
{
    int height = c->at.matrix.height;
    bool whole = height >= whole_matrix(c);
    c->at.has_letters = height >= 4;
    c->at.has_best = whole || height >= 9;
    c->at.has_primary = whole || height >= 11;
    c->at.matrix_rows =
        most(0, height - 1 - c->at.has_letters - c->at.has_best - c->at.has_primary);
}

void chain_view_fit(struct chain_view *c, const struct pane *p)
{
    fit_panes(c, p);
    fit_columns(c, c->at.matrix.width > 0 ? c->at.matrix.width : p->width);
    fit_rows(c);
}

/* ---- the cursor ---- */

size_t chain_view_step(const struct chain_view *c)
{
    return c->row < chain_steps(c) ? chain_matrix(c)->step[c->row] : SIZE_MAX;
}

size_t chain_view_document(const struct chain_view *c)
{
    return c->column < chain_documents(c) ? chain_matrix(c)->document[c->column] : SIZE_MAX;
}

const struct chain_source *chain_view_source(const struct chain_view *c)
{
    size_t document = chain_view_document(c);
    return document == SIZE_MAX ? NULL
                                : matrix_at(chain_matrix(c), chain_view_step(c), document, NULL);
}

size_t chain_view_line(const struct chain_view *c)
{
    return chain_steps(c) + chain_documents(c);
}

static size_t line_of_cursor(const struct chain_view *c)
{
    if (c->focus == FOCUS_CELL && c->cell_line < c->page.shown.page.count)
        return chain_view_line(c) + 1 + c->cell_line;
    if (c->row != CHAIN_HEADING && c->focus != FOCUS_SOURCES)
        return c->row;
    return c->column != CHAIN_HEADING ? chain_steps(c) + c->column : chain_view_line(c);
}

void chain_view_update_selected(struct chain_view *c)
{
    size_t steps = chain_steps(c), documents = chain_documents(c);
    int64_t step_was = c->step, document_was = c->document;
    if (!c->page.shown.facts)
        return;
    if (c->row != CHAIN_HEADING && c->row >= steps)
        c->row = steps ? steps - 1 : CHAIN_HEADING;
    if (c->column != CHAIN_HEADING && c->column >= documents)
        c->column = documents ? documents - 1 : CHAIN_HEADING;
    size_t step = chain_view_step(c), document = chain_view_document(c);
    c->step = step == SIZE_MAX ? 0 : chain_shown(c)->step[step].node;
    c->document = document == SIZE_MAX ? 0 : chain_shown(c)->document[document].node;
    if (c->step != step_was || c->document != document_was)
        c->cell_top = 0;
    if (c->cell_line >= c->page.shown.page.count)
        c->cell_line = LINE_NONE;
    c->page.view.count = chain_view_line(c) + 1 + c->page.shown.page.count;
    c->page.view.cursor = line_of_cursor(c);
}

/* The first visible place such that `at` is among `shown`. */
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
    return c->at.sources.height - 1;
}

void chain_view_reveal(struct chain_view *c)
{
    if (!c->page.shown.facts || c->at.matrix.screen == NULL)
        return; /* not on the screen yet; the first frame calls this again */
    c->top = scrolled(c->top, c->row, chain_steps(c), c->at.matrix_rows);
    c->left = scrolled(c->left, c->column, chain_documents(c), c->at.matrix_columns);
    if (c->column != CHAIN_HEADING)
        c->source_top = scrolled(c->source_top, c->column, chain_documents(c), source_rows(c));
    if (c->source_top > chain_documents(c))
        c->source_top = 0;
}

static void chain_view_moved(struct chain_view *c)
{
    size_t steps = chain_steps(c);
    chain_view_update_selected(c);
    chain_view_reveal(c);
    if (c->top + (size_t)(c->at.matrix_rows > 0 ? c->at.matrix_rows : 0) >= steps)
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
    /* The heading comes before place 0. */
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

/* The place that is `by` rows or columns from `at`, within the list; with `heading` also the heading above it. */
static size_t place_after(size_t at, long by, size_t count, bool heading)
{
    if (count == 0)
        return CHAIN_HEADING;
    long place = at == CHAIN_HEADING ? -1 : (long)at;
    long to = place + by, least = heading ? -1 : 0;
    to = to < least ? least : to >= (long)count ? (long)count - 1 : to;
    return to < 0 ? CHAIN_HEADING : (size_t)to;
}

/* In the last pane, goes to the next line that opens if it is visible, else scrolls. */
static void move_cell(struct chain_view *c, long by)
{
    const struct page *s = &c->page.shown.page;
    long rows = c->at.cell.height - 1, top = (long)c->cell_top, direction = by > 0 ? 1 : -1;
    long to = c->cell_line != LINE_NONE ? (long)c->cell_line : by > 0 ? top - 1 : top + rows;
    do
        to += direction;
    while (to >= 0 && to < (long)s->count && !s->line[to].opens);
    if (by == direction && to >= most(0, (int)top - 1) && to < (long)s->count && to <= top + rows) {
        c->cell_line = (size_t)to;
        top = to < top ? to : to >= top + rows ? to - rows + 1 : top;
    } else {
        top = (long)page_scrolled(s, c->cell_top, by);
        top = top + rows > (long)s->count ? most(0, (int)((long)s->count - rows)) : top;
        if ((long)c->cell_line < top || (long)c->cell_line >= top + rows)
            c->cell_line = LINE_NONE;
    }
    c->cell_top = (size_t)top;
    chain_view_moved(c);
}

static void move_rows(struct chain_view *c, long by)
{
    if (c->focus == FOCUS_CELL) {
        move_cell(c, by);
        return;
    }
    if (c->focus == FOCUS_SOURCES)
        c->column = place_after(c->column, by, chain_documents(c), false);
    else
        c->row = place_after(c->row, by, chain_steps(c), by == -1);
    chain_view_moved(c);
}

/* In the list of sources, left and right change the step. */
static void move_columns(struct chain_view *c, long by)
{
    if (c->focus == FOCUS_CELL)
        return;
    if (c->focus == FOCUS_SOURCES)
        c->row = place_after(c->row, by, chain_steps(c), false);
    else
        c->column = place_after(c->column, by, chain_documents(c), by == -1);
    chain_view_moved(c);
}

static long page_of(const struct chain_view *c)
{
    int rows = c->focus == FOCUS_MATRIX    ? c->at.matrix_rows
               : c->focus == FOCUS_SOURCES ? source_rows(c)
                                           : c->at.cell.height - 1;
    return rows > 2 ? rows - 1 : 1;
}

static void move_pages(struct chain_view *c, long halves)
{
    long by = page_of(c) * halves / 2;
    move_rows(c, by ? by : halves);
}

static void move_column_pages(struct chain_view *c, long pages)
{
    long by = c->at.matrix_columns > 2 ? c->at.matrix_columns - 1 : 1;
    c->focus = c->focus == FOCUS_CELL ? FOCUS_MATRIX : c->focus;
    move_columns(c, by * pages);
}

static void move_section(struct chain_view *c, long direction)
{
    int focus = ((int)c->focus + (int)direction + FOCUS_COUNT) % FOCUS_COUNT;
    chain_view_set_focus(c, (enum chain_focus)focus);
}

/* Removes the last overlay. */
static bool clear_last(struct chain_view *c)
{
    if (c->focus != FOCUS_MATRIX)
        chain_view_set_focus(c, FOCUS_MATRIX);
    else if (c->by_confidence)
        c->by_confidence = false;
    else
        return false;
    return true;
}

bool chain_view_request(struct view *v, enum view_request request)
{
    static const struct {
        void (*run)(struct chain_view *c, long argument);
        long argument;
    } asked[] = {
        [REQUEST_OPEN] = {chain_view_open, 0},
        [REQUEST_NEXT_SECTION] = {move_section, 1},
        [REQUEST_PREVIOUS_SECTION] = {move_section, -1},
        [REQUEST_UP] = {move_rows, -1},
        [REQUEST_DOWN] = {move_rows, 1},
        [REQUEST_LEFT] = {move_columns, -1},
        [REQUEST_RIGHT] = {move_columns, 1},
        [REQUEST_FIRST] = {move_rows, -FAR},
        [REQUEST_LAST] = {move_rows, FAR},
        [REQUEST_HALF_UP] = {move_pages, -1},
        [REQUEST_HALF_DOWN] = {move_pages, 1},
        [REQUEST_PAGE_UP] = {move_pages, -2},
        [REQUEST_PAGE_DOWN] = {move_pages, 2},
        [REQUEST_PAN_LEFT] = {move_column_pages, -1},
        [REQUEST_PAN_RIGHT] = {move_column_pages, 1},
    };
    if (request == REQUEST_CLEAR)
        return clear_last(chain_of(v));
    if ((size_t)request >= sizeof(asked) / sizeof(asked[0]) || !asked[request].run)
        return false;
    asked[request].run(chain_of(v), asked[request].argument);
    return true;
}

/* ---- the mouse ---- */

static bool hit(const struct pane *p, int y, int x)
{
    return y >= p->y && y < p->y + p->height && x >= p->x && x < p->x + p->width;
}

/* The cell at that position: a place or a heading for each axis. Returns false if there is none. */
static bool cell_there(const struct chain_view *c, int row, int column, size_t *step,
                       size_t *document)
{
    const struct chain_layout *to = &c->at;
    int first = 1 + to->has_letters;
    int place = (column - to->cells) / to->pitch;
    *step = *document = CHAIN_HEADING;
    if (row >= first && row - first < to->matrix_rows)
        *step = c->top + (size_t)(row - first);
    if (column >= to->cells && place < to->matrix_columns)
        *document = c->left + (size_t)place;
    return row >= 1 && (*step == CHAIN_HEADING ? row < first : *step < chain_steps(c)) &&
           (*document == CHAIN_HEADING || *document < chain_documents(c));
}

/* A click moves the cursor; a click on the cursor opens the item. */
static void click(struct chain_view *c, int y, int x)
{
    const struct chain_layout *p = &c->at;
    enum chain_focus focus = c->focus;
    size_t line = c->page.view.cursor, was = c->column, top = c->cell_top, row, column;
    size_t source = c->source_top + (size_t)(y - p->sources.y - 1);
    if (hit(&p->matrix, y, x) && cell_there(c, y - p->matrix.y, x - p->matrix.x, &row, &column)) {
        c->row = row;
        c->column = column;
        chain_view_set_focus(c, FOCUS_MATRIX);
    } else if (hit(&p->sources, y, x) && y > p->sources.y && source < chain_documents(c)) {
        c->column = source;
        chain_view_set_focus(c, FOCUS_SOURCES);
    } else if (hit(&p->cell, y, x)) {
        size_t at = top + (size_t)(y - p->cell.y) - 1;
        chain_view_set_focus(c, FOCUS_CELL);
        c->cell_top = top;
        /* Focusing the pane changed its layout, so the line may have moved. */
        if (focus == FOCUS_CELL && y > p->cell.y && page_view_selectable(&c->page.view, at))
            c->cell_line = at;
        chain_view_moved(c);
        if (c->cell_line == LINE_NONE)
            return;
    } else {
        return;
    }
    if (focus == c->focus && line == c->page.view.cursor && was == c->column)
        chain_view_open(c, 0);
}

/* Scrolls the pane under the mouse. The cursor stays visible. */
static void scroll_pane(struct chain_view *c, int y, int x, long by)
{
    enum chain_focus focus = c->focus;
    if (hit(&c->at.cell, y, x)) {
        c->cell_top = page_scrolled(&c->page.shown.page, c->cell_top, by);
        return;
    }
    c->focus = hit(&c->at.sources, y, x) ? FOCUS_SOURCES : FOCUS_MATRIX;
    if (c->focus == FOCUS_MATRIX && c->row == CHAIN_HEADING && chain_steps(c))
        c->row = 0;
    move_rows(c, by);
    c->focus = focus;
    chain_view_moved(c);
}

void chain_view_point(struct view *v, int row, int column, int button)
{
    struct chain_view *c = chain_of(v);
    int y = row + v->ui->list_pane.y, x = column + v->ui->list_pane.x;
    if (!c->page.shown.facts)
        return;
    if (button == 1)
        click(c, y, x);
    else
        scroll_pane(c, y, x, button == 4 ? -3 : 3);
}

/* Outside all panes the wheel scrolls the focused one. */
void chain_view_wheel(struct view *v, long rows)
{
    if (chain_of(v)->page.shown.facts)
        move_rows(chain_of(v), rows);
}
