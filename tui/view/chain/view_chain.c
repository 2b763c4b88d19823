#include "tui/view/chain/chain_view.h"

#include <string.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/text/seconds.h"
#include "tui/view/memory/step_sheet.h"
#include "tui/view/memory/view_memory.h"
#include "tui/view/memory/view_step.h"
#include "tui/widget/sheet_view.h"

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
        strbuf_addf(out, " %s ", glyph_text(&c->view.app->ui.screen, GLYPH_DOT));
    strbuf_addstr(out, part);
}

static void counts(struct view *v, struct strbuf *out)
{
    struct chain_view *c = chain_of(v);
    char text[64], time[24];
    if (!c->reading)
        return;
    const struct chain *chain = chain_shown(c);
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

static void notice(struct view *v, struct strbuf *out)
{
    const struct chain_view *c = chain_of(v);
    if (c->reading && c->landed)
        strbuf_addf(out, "%zu new step%s", c->landed, c->landed == 1 ? "" : "s");
}

static void position(struct view *v, struct strbuf *out)
{
    struct chain_view *c = chain_of(v);
    char letter[16];
    if (c->row != CHAIN_HEADING && chain_steps(c))
        step_add_place(out, chain_shown(c), chain_view_step(c), c->row);
    if (c->column == CHAIN_HEADING || !chain_documents(c))
        return;
    matrix_letter(letter, chain_view_document(c));
    add_part(c, out, letter);
    strbuf_addf(out, " of %zu", chain_documents(c));
}

static int64_t node_at(struct view *v, size_t line)
{
    struct chain_view *c = chain_of(v);
    if (!c->reading)
        return 0;
    const struct matrix *m = &c->reading->matrix;
    size_t steps = chain_steps(c), documents = chain_documents(c);
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

bool view_chain_has_keys(const struct view *v, size_t line)
{
    const struct chain_view *c = (const struct chain_view *)v;
    if (v->ops->node != node_at || !c->reading)
        return true;
    if (line < chain_steps(c))
        return c->focus == FOCUS_MATRIX;
    line -= chain_steps(c);
    if (line < chain_documents(c))
        return c->focus == FOCUS_SOURCES;
    return line > chain_documents(c) && c->focus == FOCUS_CELL;
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
    size_t steps = chain_steps(c);
    if (line < steps) {
        const struct chain_step *s = &m->chain->step[m->step[line]];
        add_text(out, s->question);
        add_text(out, s->answer);
        add_text(out, s->trace);
    } else if (line - steps < chain_documents(c)) {
        size_t document = m->document[line - steps];
        add_text(out, m->chain->document[document].title);
        add_text(out, m->chain->document[document].id);
        add_excerpts(c, document, out);
    } else if (line == chain_view_line(c)) {
        add_text(out, m->chain->question);
        add_text(out, m->chain->answer);
    }
}

/* Something else than its own keys put the cursor on a line: a search, a range, a number. */
static void selected(struct view *v)
{
    struct chain_view *c = chain_of(v);
    size_t steps = chain_steps(c), line = v->selected;
    if (line == LINE_NONE || !c->reading)
        return;
    if (line < steps) {
        c->focus = FOCUS_MATRIX;
        c->row = line;
    } else if (line - steps < chain_documents(c)) {
        if (c->focus != FOCUS_MATRIX || c->row != CHAIN_HEADING)
            c->focus = FOCUS_SOURCES;
        c->column = line - steps;
    } else if (line == chain_view_line(c)) {
        c->focus = FOCUS_MATRIX;
        c->row = c->column = CHAIN_HEADING;
    } else {
        c->focus = FOCUS_CELL;
        c->cell_line = line - chain_view_line(c) - 1;
    }
    chain_view_reveal(c);
}

/* Of the last pane only lines that open are stood on. */
static bool selectable(struct view *v, size_t line)
{
    struct chain_view *c = chain_of(v);
    size_t first = chain_view_line(c) + 1;
    return line < first || (line - first < c->cell.count && c->cell.line[line - first].opens);
}

/* ---- drawing ---- */

static void draw_instead(struct chain_view *c, const struct pane *p)
{
    const char *more = glyph_text(&c->view.app->ui.screen, GLYPH_ELLIPSIS);
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

/* A first use far to the right would begin with columns that say little: then the best sources are shown. */
static void begin_in_view(struct chain_view *c)
{
    if (c->arrived && c->column != CHAIN_HEADING && c->column >= (size_t)c->matrix_columns) {
        c->column = 0;
        chain_view_settle(c);
    }
    c->arrived = false;
}

static void draw(struct view *v, const struct pane *p)
{
    struct chain_view *c = chain_of(v);
    v->width = p->width;
    v->height = p->height;
    v->app->ui.screen.cursor_y = p->y;
    v->app->ui.screen.cursor_x = p->x;
    if (!c->reading) {
        draw_instead(c, p);
        return;
    }
    chain_view_fit(c, p);
    begin_in_view(c);
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

void chain_view_open(struct chain_view *c, long argument)
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
        [REQUEST_OPEN] = {chain_view_open, 0},
        [REQUEST_NEXT_SECTION] = {chain_view_section, 1},
        [REQUEST_PREVIOUS_SECTION] = {chain_view_section, -1},
        [REQUEST_REFRESH] = {ask_refresh, 0},
        [REQUEST_UP] = {chain_view_rows, -1},
        [REQUEST_DOWN] = {chain_view_rows, 1},
        [REQUEST_LEFT] = {chain_view_columns, -1},
        [REQUEST_RIGHT] = {chain_view_columns, 1},
        [REQUEST_FIRST] = {chain_view_end, -1},
        [REQUEST_LAST] = {chain_view_end, 1},
        [REQUEST_HALF_UP] = {chain_view_pages, -1},
        [REQUEST_HALF_DOWN] = {chain_view_pages, 1},
        [REQUEST_PAGE_UP] = {chain_view_pages, -2},
        [REQUEST_PAGE_DOWN] = {chain_view_pages, 2},
        [REQUEST_PAN_LEFT] = {chain_view_column_pages, -1},
        [REQUEST_PAN_RIGHT] = {chain_view_column_pages, 1},
    };
    if (request == REQUEST_CLEAR)
        return clear_last(chain_of(v));
    if ((size_t)request >= sizeof(asked) / sizeof(asked[0]) || !asked[request].run)
        return false;
    asked[request].run(chain_of(v), asked[request].argument);
    return true;
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
    .notice = notice,
    .counts = counts,
    .draw = draw,
    .point = chain_view_point,
    .wheel = chain_view_wheel,
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

bool chain_view_is_finished(const struct view *v)
{
    const struct chain_view *c = (const struct chain_view *)v;
    return view_is_chain(v) && c->reading && chain_shown(c)->state == CHAIN_FINISHED;
}

struct view *chain_view_new(struct app *x, int64_t node)
{
    struct chain_view *c = xcalloc(1, sizeof(*c));
    struct chain_reading *reading = chain_reading_at_once(x->data.reader, node);
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
