#include "chain_view.h"

#include <string.h>
#include "../model/alloc.h"
#include "../model/strbuf.h"
#include "seconds.h"
#include "view_memory.h"
#include "view_step.h"

/* ---- the cursor ---- */

static size_t steps_of(const struct chain_view *c)
{
    return c->reading ? chain_shown(c)->step_count : 0;
}

static size_t documents_of(const struct chain_view *c)
{
    return c->reading ? chain_shown(c)->document_count : 0;
}

size_t chain_view_step(const struct chain_view *c)
{
    return c->row < steps_of(c) ? c->reading->matrix.step[c->row] : SIZE_MAX;
}

size_t chain_view_document(const struct chain_view *c)
{
    return c->column < documents_of(c) ? c->reading->matrix.document[c->column] : SIZE_MAX;
}

const struct chain_source *chain_view_source(const struct chain_view *c)
{
    size_t step = chain_view_step(c), document = chain_view_document(c);
    if (step == SIZE_MAX || document == SIZE_MAX)
        return NULL;
    return matrix_source(&c->reading->matrix, step, document);
}

static size_t chain_line(const struct chain_view *c)
{
    return steps_of(c) + documents_of(c);
}

static size_t line_of_cursor(const struct chain_view *c)
{
    bool in_cell = c->focus == FOCUS_CELL && c->cell_line < c->cell.count;
    if (in_cell)
        return chain_line(c) + 1 + c->cell_line;
    if (c->row != CHAIN_HEADING && c->focus != FOCUS_SOURCES)
        return c->row;
    return c->column != CHAIN_HEADING ? steps_of(c) + c->column : chain_line(c);
}

void chain_view_settle(struct chain_view *c)
{
    size_t steps = steps_of(c), documents = documents_of(c);
    if (!c->reading)
        return;
    if (c->row != CHAIN_HEADING && c->row >= steps)
        c->row = steps ? steps - 1 : CHAIN_HEADING;
    if (c->column != CHAIN_HEADING && c->column >= documents)
        c->column = documents ? documents - 1 : CHAIN_HEADING;
    if (c->cell_line >= c->cell.count)
        c->cell_line = LINE_NONE;
    c->view.count = chain_line(c) + 1 + c->cell.count;
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
    c->top = scrolled(c->top, c->row, steps_of(c), c->matrix_rows);
    c->left = scrolled(c->left, c->column, documents_of(c), c->matrix_columns);
    if (c->column != CHAIN_HEADING)
        c->source_top = scrolled(c->source_top, c->column, documents_of(c), source_rows(c));
    if (c->source_top > documents_of(c))
        c->source_top = 0;
}

static void moved(struct chain_view *c)
{
    size_t steps = steps_of(c);
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
    if (focus == FOCUS_SOURCES && c->column == CHAIN_HEADING && documents_of(c))
        c->column = 0;
    moved(c);
}

bool chain_view_go_to_use(struct chain_view *c, int direction, bool along_step)
{
    size_t *at = along_step ? &c->column : &c->row;
    size_t count = along_step ? documents_of(c) : steps_of(c), before = *at;
    /* A heading stands before the first: one further is place 0. */
    for (*at += (size_t)direction; *at < count; *at += (size_t)direction)
        if (chain_view_source(c)) {
            c->focus = c->focus == FOCUS_CELL ? FOCUS_MATRIX : c->focus;
            moved(c);
            return true;
        }
    *at = before;
    return false;
}

void chain_view_go_to_column(struct chain_view *c, size_t place)
{
    size_t documents = documents_of(c);
    if (documents == 0)
        return;
    c->column = place < documents ? place : documents - 1;
    c->focus = c->focus == FOCUS_CELL ? FOCUS_MATRIX : c->focus;
    moved(c);
}

/* ---- what the view says of itself ---- */

static void title(struct view *v, struct strbuf *out)
{
    const struct memory_row *row = details_row(v->app, chain_of(v)->node);
    if (row)
        details_ref(v->app, row, out);
}

static void add_part(const struct chain_view *c, struct strbuf *out, const char *part)
{
    if (out->len > 0)
        strbuf_addf(out, " %s ", glyph_text(&c->view.app->screen, GLYPH_DOT));
    strbuf_addstr(out, part);
}

static void counts(struct view *v, struct strbuf *out)
{
    struct chain_view *c = chain_of(v);
    char text[64], time[24];
    if (!c->reading)
        return;
    const struct chain *chain = chain_shown(c);
    if (c->landed) {
        snprintf(text, sizeof(text), "%zu new step%s", c->landed, c->landed == 1 ? "" : "s");
        add_part(c, out, text);
    }
    add_part(c, out, chain_state_name(chain->state));
    if (c->by_confidence)
        add_part(c, out, "by confidence");
    snprintf(text, sizeof(text), "%zu step%s", chain->step_count,
             chain->step_count == 1 ? "" : "s");
    add_part(c, out, text);
    snprintf(text, sizeof(text), "%zu source%s", chain->document_count,
             chain->document_count == 1 ? "" : "s");
    add_part(c, out, text);
    seconds_text(time, chain->total_time);
    if (*time)
        add_part(c, out, time);
}

static void position(struct view *v, struct strbuf *out)
{
    struct chain_view *c = chain_of(v);
    char letter[16];
    if (c->row != CHAIN_HEADING && steps_of(c))
        strbuf_addf(out, "step %zu of %zu", c->row + 1, steps_of(c));
    if (c->column == CHAIN_HEADING || !documents_of(c))
        return;
    matrix_letter(letter, chain_view_document(c));
    add_part(c, out, letter);
    strbuf_addf(out, " of %zu", documents_of(c));
}

static int64_t node_at(struct view *v, size_t line)
{
    struct chain_view *c = chain_of(v);
    if (!c->reading)
        return 0;
    const struct matrix *m = &c->reading->matrix;
    size_t steps = steps_of(c), documents = documents_of(c);
    if (line < steps)
        return m->chain->step[m->step[line]].node;
    line -= steps;
    if (line < documents)
        return m->chain->document[m->document[line]].node;
    line -= documents;
    if (line == 0)
        return m->chain->node;
    return line - 1 < c->cell.count ? c->cell.line[line - 1].node : 0;
}

static int64_t about(const struct view *v)
{
    return ((const struct chain_view *)v)->node;
}

static void add_text(struct strbuf *out, const char *text)
{
    if (text)
        strbuf_addf(out, "%s\n", text);
}

/* What the document's uses quote of it. */
static void add_excerpts(const struct chain_view *c, size_t document, struct strbuf *out)
{
    const struct matrix *m = &c->reading->matrix;
    for (size_t i = 0; i < m->chain->step_count; i++) {
        const struct matrix_cell *cell = matrix_at(m, i, document);
        const struct chain_step *step = &m->chain->step[i];
        if (cell && cell->uses == 1)
            add_text(out, step->source[cell->source].source.excerpt);
        for (size_t k = 0; cell && cell->uses > 1 && k < step->source_count; k++)
            if (step->source[k].column == document)
                add_text(out, step->source[k].source.excerpt);
    }
}

static void text(struct view *v, size_t line, struct strbuf *out)
{
    struct chain_view *c = chain_of(v);
    if (!c->reading)
        return;
    const struct matrix *m = &c->reading->matrix;
    size_t steps = steps_of(c);
    if (line < steps) {
        const struct chain_step *s = &m->chain->step[m->step[line]];
        add_text(out, s->question);
        add_text(out, s->answer);
        add_text(out, s->trace);
    } else if (line - steps < documents_of(c)) {
        size_t document = m->document[line - steps];
        add_text(out, m->chain->document[document].title);
        add_text(out, m->chain->document[document].id);
        add_excerpts(c, document, out);
    } else if (line == chain_line(c)) {
        add_text(out, m->chain->question);
        add_text(out, m->chain->answer);
    }
}

/* Something else than its own keys put the cursor on a line: a search, a range, a number. */
static void selected(struct view *v)
{
    struct chain_view *c = chain_of(v);
    size_t steps = steps_of(c), line = v->selected;
    if (line == LINE_NONE || !c->reading)
        return;
    if (line < steps) {
        c->focus = FOCUS_MATRIX;
        c->row = line;
    } else if (line - steps < documents_of(c)) {
        if (c->focus != FOCUS_MATRIX || c->row != CHAIN_HEADING)
            c->focus = FOCUS_SOURCES;
        c->column = line - steps;
    } else if (line == chain_line(c)) {
        c->focus = FOCUS_MATRIX;
        c->row = c->column = CHAIN_HEADING;
    } else {
        c->focus = FOCUS_CELL;
        c->cell_line = line - chain_line(c) - 1;
    }
    chain_view_reveal(c);
}

/* Of the last pane only lines that open are stood on. */
static bool selectable(struct view *v, size_t line)
{
    struct chain_view *c = chain_of(v);
    size_t first = chain_line(c) + 1;
    return line < first || (line - first < c->cell.count && c->cell.line[line - first].opens);
}

/* ---- drawing ---- */

static void draw_instead(struct chain_view *c, const struct pane *p)
{
    const char *more = glyph_text(&c->view.app->screen, GLYPH_ELLIPSIS);
    if (c->failed[0])
        paint_text(p, p->height > 2 ? 1 : 0, 3, p->width - 3, STYLE_DIM, c->failed);
    else
        paint_format(p, p->height > 2 ? 1 : 0, 3, p->width - 3, STYLE_DIM, "reading the chain%s",
                     more);
}

static void draw_header(struct chain_view *c)
{
    const struct pane *p = &c->panes.header;
    for (int i = 0; i < p->height && (size_t)i < c->header.count; i++) {
        struct pane line = pane_row(p, i);
        sheet_draw_line(&c->header, &line, (size_t)i, c->view.search.pattern);
    }
}

static void draw(struct view *v, const struct pane *p)
{
    struct chain_view *c = chain_of(v);
    v->width = p->width;
    v->height = p->height;
    v->app->screen.cursor_y = p->y;
    v->app->screen.cursor_x = p->x;
    if (!c->reading) {
        draw_instead(c, p);
        return;
    }
    chain_view_fit(c, p);
    chain_view_reveal(c);
    chain_view_want_facts(c);
    chain_view_lay_cell(c);
    draw_header(c);
    if (c->panes.sources.width < p->width && c->panes.cell.height > 0)
        for (int i = 0; i < c->panes.cell.height; i++)
            paint_text(p, c->panes.cell.y - p->y + i, c->panes.sources.width, 1, STYLE_RULE,
                       glyph_text(p->screen, GLYPH_BAR));
    chain_view_draw_matrix(c);
    chain_view_draw_sources(c);
    chain_view_draw_cell(c);
}

/* ---- what is asked ---- */

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
    moved(c);
}

static void ask_rows(struct chain_view *c, long by)
{
    if (c->focus == FOCUS_CELL) {
        move_cell(c, by);
        return;
    }
    if (c->focus == FOCUS_SOURCES)
        c->column = stepped(c->column, by, documents_of(c), false);
    else
        c->row = stepped(c->row, by, steps_of(c), by == -1);
    moved(c);
}

/* Among the sources the keys to the sides go from step to step. */
static void ask_columns(struct chain_view *c, long by)
{
    if (c->focus == FOCUS_CELL)
        return;
    if (c->focus == FOCUS_SOURCES)
        c->row = stepped(c->row, by, steps_of(c), false);
    else
        c->column = stepped(c->column, by, documents_of(c), by == -1);
    moved(c);
}

static long page_of(const struct chain_view *c)
{
    int rows = c->focus == FOCUS_MATRIX    ? c->matrix_rows
               : c->focus == FOCUS_SOURCES ? source_rows(c)
                                           : c->panes.cell.height - 1;
    return rows > 2 ? rows - 1 : 1;
}

static void ask_pages(struct chain_view *c, long halves)
{
    long by = page_of(c) * halves / 2;
    ask_rows(c, by ? by : halves);
}

static void ask_column_pages(struct chain_view *c, long pages)
{
    long by = c->matrix_columns > 2 ? c->matrix_columns - 1 : 1;
    c->focus = c->focus == FOCUS_CELL ? FOCUS_MATRIX : c->focus;
    ask_columns(c, by * pages);
}

static void ask_end(struct chain_view *c, long direction)
{
    ask_rows(c, direction < 0 ? -(long)c->view.count : (long)c->view.count);
}

static void ask_section(struct chain_view *c, long direction)
{
    int focus = ((int)c->focus + (int)direction + FOCUS_COUNT) % FOCUS_COUNT;
    chain_view_set_focus(c, (enum chain_focus)focus);
}

static void open_source(struct chain_view *c)
{
    size_t step = chain_view_step(c), document = chain_view_document(c);
    struct app *x = c->view.app;
    if (step != SIZE_MAX) {
        const struct matrix_cell *cell =
            document == SIZE_MAX ? NULL : matrix_at(&c->reading->matrix, step, document);
        app_push(x, step_view_of(x, c->reading, step, cell ? cell->source : SIZE_MAX));
    } else if (document != SIZE_MAX) {
        app_open_memory(x, chain_shown(c)->document[document].node);
    } else {
        app_push(x, memory_view_new(x, c->node));
    }
}

static void ask_open(struct chain_view *c, long argument)
{
    (void)argument;
    int64_t node = view_node(&c->view);
    if (!c->reading)
        return;
    if (c->focus == FOCUS_SOURCES && c->column != CHAIN_HEADING)
        app_open_memory(c->view.app, node);
    else if (c->focus == FOCUS_CELL && c->cell_line != LINE_NONE)
        app_open_memory(c->view.app, node);
    else
        open_source(c);
}

static void ask_refresh(struct chain_view *c, long argument)
{
    (void)argument;
    c->facts_stale = true;
    chain_view_load(c);
}

/* What is laid over it, the last first. */
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

static bool request(struct view *v, enum view_request request)
{
    static const struct {
        void (*run)(struct chain_view *c, long argument);
        long argument;
    } asked[] = {
        [REQUEST_OPEN] = {ask_open, 0},
        [REQUEST_NEXT_SECTION] = {ask_section, 1},
        [REQUEST_PREVIOUS_SECTION] = {ask_section, -1},
        [REQUEST_REFRESH] = {ask_refresh, 0},
        [REQUEST_UP] = {ask_rows, -1},
        [REQUEST_DOWN] = {ask_rows, 1},
        [REQUEST_LEFT] = {ask_columns, -1},
        [REQUEST_RIGHT] = {ask_columns, 1},
        [REQUEST_FIRST] = {ask_end, -1},
        [REQUEST_LAST] = {ask_end, 1},
        [REQUEST_HALF_UP] = {ask_pages, -1},
        [REQUEST_HALF_DOWN] = {ask_pages, 1},
        [REQUEST_PAGE_UP] = {ask_pages, -2},
        [REQUEST_PAGE_DOWN] = {ask_pages, 2},
        [REQUEST_PAN_LEFT] = {ask_column_pages, -1},
        [REQUEST_PAN_RIGHT] = {ask_column_pages, 1},
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
    return row >= 1 && (*step == CHAIN_HEADING ? row < first : *step < steps_of(c)) &&
           (*document == CHAIN_HEADING || *document < documents_of(c));
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
            ask_open(c, 0);
    } else if (hit(&p->sources, y, x) && y > p->sources.y) {
        size_t place = c->source_top + (size_t)(y - p->sources.y - 1);
        bool again = c->focus == FOCUS_SOURCES && place == c->column;
        if (place >= documents_of(c))
            return;
        c->column = place;
        chain_view_set_focus(c, FOCUS_SOURCES);
        if (again)
            ask_open(c, 0);
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
        moved(c);
        if (again)
            ask_open(c, 0);
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
    if (c->focus == FOCUS_MATRIX && c->row == CHAIN_HEADING && steps_of(c))
        c->row = 0;
    ask_rows(c, by);
    c->focus = focus;
    moved(c);
}

static void point(struct view *v, int row, int column, int button)
{
    struct chain_view *c = chain_of(v);
    int y = row + v->app->list_pane.y, x = column + v->app->list_pane.x;
    if (!c->reading)
        return;
    if (button == 1)
        click(c, y, x);
    else
        scroll_pane(c, y, x, button == 4 ? -3 : 3);
}

/* Over none of the panes it is about the one that has the keys. */
static void wheel(struct view *v, long rows)
{
    if (chain_of(v)->reading)
        ask_rows(chain_of(v), rows);
}

/* ---- the rest ---- */

/* What was on the stack of another while the moment changed. */
static void shown(struct view *v)
{
    struct chain_view *c = chain_of(v);
    if (c->reading && c->moment != v->app->asof.moment.seq)
        v->moved = true;
}

static void release(struct view *v)
{
    struct chain_view *c = chain_of(v);
    chain_reading_drop(c->reading);
    cell_facts_free(c->facts);
    sheet_release(&c->header);
    sheet_release(&c->cell);
}

static const struct view_ops chain_ops = {
    .name = "chain",
    .place = IN_CHAIN,
    .zooms = true,
    .title = title,
    .counts = counts,
    .draw = draw,
    .point = point,
    .wheel = wheel,
    .selectable = selectable,
    .node = node_at,
    .about = about,
    .text = text,
    .request = request,
    .position = position,
    .selected = selected,
    .shown = shown,
    .news = chain_view_news,
    .stirred = chain_view_stirred,
    .release = release,
};

bool view_is_chain(const struct view *v)
{
    return v->ops == &chain_ops;
}

struct view *chain_view_new(struct app *x, int64_t node)
{
    struct chain_view *c = xcalloc(1, sizeof(*c));
    struct chain_reading *reading = chain_reading_at_once(x->reader, node);
    view_init(&c->view, &chain_ops, x);
    sheet_init(&c->header);
    sheet_init(&c->cell);
    c->node = c->wanted = node;
    c->cell_line = LINE_NONE;
    if (reading) {
        c->moment = x->asof.moment.seq;
        chain_view_take(c, reading);
    } else {
        chain_view_load(c);
    }
    return &c->view;
}
