/* A chain is read, and read again as others write it: the cursor stays on its step and its document. */
#include "tui/view/chain/chain_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/record/get.h"
#include "tui/render/document.h"
#include "tui/text/style.h"
#include "tui/view/chain/view_step.h"
#include "tui/view/memory/memory_views.h"
#include "tui/view/chain/chain_views.h"
#include "tui/widget/sheet_view.h"

static void chain_view_take(struct chain_view *c, struct chain_reading *reading);

/* ---- reading ---- */

struct reading_job {
    struct job job;
    struct chain_view *view;
    int64_t node, moment;
    struct chain_reading *reading;
};

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct reading_job *j = (struct reading_job *)job;
    j->reading = chain_reading_make(r, j->node, e);
    return j->reading ? JOB_DONE : JOB_FAILED;
}

static void done(struct job *job, const struct error *e)
{
    struct reading_job *j = (struct reading_job *)job;
    struct chain_view *c = j->view;
    calm_rest(&c->view.calm, job->begun);
    if (e->code != ERROR_NONE) {
        snprintf(c->failed, sizeof(c->failed), "%s", e->what);
        app_fail(c->view.app, e);
        return;
    }
    c->moment = j->moment;
    chain_view_take(c, j->reading);
    j->reading = NULL;
}

static void release(struct job *job)
{
    chain_reading_drop(((struct reading_job *)job)->reading);
    free(job);
}

static const struct job_ops job_ops = {
    .name = "reading the chain", .run = run, .done = done, .release = release};

static void load(struct view *v)
{
    struct chain_view *c = chain_of(v);
    struct app *x = v->app;
    struct reading_job *j = xcalloc(1, sizeof(*j));
    j->view = c;
    j->node = c->node;
    j->moment = x->asof.moment.seq;
    c->facts.stale = true; /* what else the documents are used for may have changed */
    worker_submit(&x->data.worker, &j->job, &job_ops, c, 0);
}

/* ---- taking over ---- */

/* What the cursor is on, and how far from the edge, so that it is found again in another reading. */
struct anchor {
    int64_t step, document; /* rows; 0: a heading, or none */
    bool heads_row, heads_column;
    size_t from_top, from_left;
};

static struct anchor anchor_of(const struct chain_view *c)
{
    size_t step = chain_view_step(c), document = chain_view_document(c);
    struct anchor a = {.heads_row = c->row == CHAIN_HEADING,
                       .heads_column = c->column == CHAIN_HEADING};
    if (step != SIZE_MAX) {
        a.step = chain_shown(c)->step[step].node;
        a.from_top = c->row > c->top ? c->row - c->top : 0;
    }
    if (document != SIZE_MAX) {
        a.document = chain_shown(c)->document[document].node;
        a.from_left = c->column > c->left ? c->column - c->left : 0;
    }
    return a;
}

static size_t place_of(const size_t *place, size_t number)
{
    return number == SIZE_MAX ? 0 : place[number];
}

static void return_to(struct chain_view *c, const struct anchor *a)
{
    const struct matrix *m = &c->reading->matrix;
    size_t step = a->step ? chain_step_of(m->chain, a->step) : SIZE_MAX;
    size_t document = a->document ? chain_document_of(m->chain, a->document) : SIZE_MAX;
    c->row =
        m->chain->step_count == 0 || a->heads_row ? CHAIN_HEADING : place_of(m->step_place, step);
    c->column = m->chain->document_count == 0 || a->heads_column ? CHAIN_HEADING
                                                                 : place_of(m->doc_place, document);
    if (c->row != CHAIN_HEADING)
        c->top = c->row > a->from_top ? c->row - a->from_top : 0;
    if (c->column != CHAIN_HEADING)
        c->left = c->column > a->from_left ? c->column - a->from_left : 0;
}

static void order(struct chain_view *c)
{
    const struct chain_orders *o = &c->orders;
    matrix_order(&c->reading->matrix, o->steps, o->steps_reversed, o->documents,
                 o->documents_reversed);
}

void chain_view_reorder(struct chain_view *c)
{
    struct anchor a = anchor_of(c);
    order(c);
    return_to(c, &a);
    chain_view_settle(c);
    chain_view_reveal(c);
    view_search_again(&c->view);
}

/* How many of the steps were not there before. Most stand where they stood. */
static size_t count_landed(const struct chain *before, const struct chain *now)
{
    size_t landed = 0;
    for (size_t i = 0; i < now->step_count; i++) {
        bool stands = i < before->step_count && before->step[i].node == now->step[i].node;
        landed += !stands && chain_step_of(before, now->step[i].node) == SIZE_MAX;
    }
    return landed;
}

/* The best of what the step used, by number; SIZE_MAX: it used nothing. */
static size_t best_of(const struct matrix *m, size_t step)
{
    const struct chain_source *source = m->chain->step[step].source;
    const struct matrix_cell *best = NULL;
    for (size_t i = m->begin[step]; i < m->begin[step + 1]; i++) {
        const struct matrix_cell *cell = &m->cell[i];
        double now = source[cell->source].source.relevance;
        double before = best ? source[best->source].source.relevance : NAN;
        if (!best || now > before || (before != before && now == now))
            best = cell;
    }
    return best ? best->document : SIZE_MAX;
}

static void go_to_last(struct chain_view *c)
{
    const struct matrix *m = &c->reading->matrix;
    size_t last = m->chain->step_count - 1, best = best_of(m, last);
    c->row = m->step_place[last];
    if (best != SIZE_MAX)
        c->column = m->doc_place[best];
    c->landed = 0;
}

/* The first time: on the step that was asked for, else on the first use of all. */
static void arrive(struct chain_view *c)
{
    const struct matrix *m = &c->reading->matrix;
    size_t step = chain_step_of(m->chain, c->wanted);
    size_t document = chain_document_of(m->chain, c->wanted_source);
    c->node = m->chain->node;
    c->row = m->chain->step_count == 0 ? CHAIN_HEADING : place_of(m->step_place, step);
    c->column = m->chain->document_count == 0 ? CHAIN_HEADING : place_of(m->doc_place, document);
    c->landed = 0;
    c->arrived = step == SIZE_MAX && document == SIZE_MAX;
    size_t row = chain_view_step(c);
    if (document == SIZE_MAX && row != SIZE_MAX && m->begin[row] < m->begin[row + 1])
        c->column = m->doc_place[m->cell[m->begin[row]].document];
    c->wanted = c->wanted_source = 0;
}

/* Puts the reading in the place of the one before, whose reference it takes over; the cursor stays. */
static void chain_view_take(struct chain_view *c, struct chain_reading *reading)
{
    struct chain_reading *before = c->reading;
    struct anchor a = {0};
    if (before)
        a = anchor_of(c);
    c->reading = reading;
    c->failed[0] = '\0';
    c->cell_look.width = 0;
    order(c);
    if (before) {
        size_t landed = count_landed(&before->chain, &reading->chain);
        return_to(c, &a);
        c->landed += landed;
        if (landed && c->view.app->remote.follows == &c->view)
            go_to_last(c);
        else if (before->chain.step_count == 0 && landed)
            arrive(c);
    } else {
        arrive(c);
    }
    chain_reading_drop(before);
    chain_view_settle(c);
    chain_view_reveal(c);
    view_search_again(&c->view);
}

/* ---- news ---- */

static bool state_is_another(struct chain_view *c)
{
    struct arena arena = ARENA_INIT;
    struct chain_brief brief;
    struct error e;
    bool read = !chain_brief_read(c->view.app->data.reader, &arena, c->node, &brief, &e);
    arena_release(&arena);
    return read && brief.state != chain_shown(c)->state;
}

/* Who wrote it may have left, and then it runs no more: no event says so. They may have gone before it was looked
 * who is there. */
static void chain_view_stirred(struct view *v)
{
    struct chain_view *c = chain_of(v);
    uint64_t now = v->app->live.came_and_went;
    bool may_be_another = c->reading && chain_shown(c)->state != CHAIN_FINISHED;
    if (may_be_another && (now != c->came_and_went || state_is_another(c)))
        view_news(v, NULL, 0, true);
    c->came_and_went = now;
}

/* ---- what is known of the document under the cursor ---- */

static void *read_facts(struct preview_key key, struct reader *r, struct error *e)
{
    const size_t limits[DOCUMENT_SECTIONS] = {[DOCUMENT_STEPS] =
                                                  (size_t)key.other + CELL_FACTS_MOST,
                                              [DOCUMENT_CITATIONS] = CELL_FACTS_MOST,
                                              [DOCUMENT_RETRIEVALS] = CELL_FACTS_MOST,
                                              [DOCUMENT_BELIEFS] = CELL_FACTS_MOST};
    return document_facts_read(r, key.id, limits, DOCUMENT_COUNTED, e);
}

static void free_facts(void *facts)
{
    document_facts_free(facts);
}

static const struct preview_ops facts_ops = {
    .job = "who else used the document", .read = read_facts, .free = free_facts};

/* Facts of the document under the cursor that are not known yet are asked for, beside its uses in this chain. */
static void chain_view_want_facts(struct chain_view *c)
{
    struct preview_key key = {0};
    size_t at = chain_view_document(c);
    if (at != SIZE_MAX) {
        key.id = chain_shown(c)->document[at].node;
        key.other = (int64_t)chain_shown(c)->document[at].steps;
    }
    preview_follow(&c->facts, key);
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

static void chain_release(struct view *v)
{
    struct chain_view *c = chain_of(v);
    chain_reading_drop(c->reading);
    preview_release(&c->facts);
    sheet_release(&c->header);
    sheet_release(&c->cell);
}

static const struct view_ops chain_ops = {
    .name = "chain",
    .place = IN_CHAIN,
    .bar =
        "open,next-section=pane,matrix-order,by-confidence,relevant,irrelevant,supported,rests-on",
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
    .load = load,
    .stirred = chain_view_stirred,
    .release = chain_release,
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
    view_init(&c->view, &chain_ops, &x->ui);
    sheet_init(&c->header);
    sheet_init(&c->cell);
    preview_init(&c->facts, &facts_ops, &x->ui);
    c->node = c->wanted = node;
    c->cell_line = LINE_NONE;
    if (reading) {
        c->moment = x->asof.moment.seq;
        chain_view_take(c, reading);
    } else {
        view_load(&c->view);
    }
    return &c->view;
}
