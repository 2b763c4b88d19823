/* The chain view: view_ops and reading. When others write, it is read again, and the cursor stays on its step and
 * document. */
#include "tui/view/chain/chain_view.h"
#include "tui/render/chain_page.h"

#include "model/base/strbuf.h"
#include "store/record/get.h"
#include "tui/render/document.h"
#include "tui/text/style.h"
#include "tui/view/memory/memory_views.h"
#include "tui/view/chain/chain_views.h"
#include "tui/widget/page_view.h"

/* ---- reading ---- */

static void load(struct view *v)
{
    chain_of(v)->page.shown.key.id = chain_of(v)->node;
    chain_of(v)->facts.stale = true; /* other uses of the documents may have changed */
    page_view_load(v);
}

static size_t place_of(const size_t *at, size_t count, size_t number)
{
    for (size_t i = 0; i < count; i++)
        if (at[i] == number)
            return i;
    return 0;
}

/* Documents are sorted by relevance, so the first used one is the best. CHAIN_HEADING if the step used none. */
static size_t first_use(const struct chain_view *c, size_t step)
{
    const struct chain_step *s = &chain_shown(c)->step[step];
    size_t first = SIZE_MAX;
    for (size_t i = 0; i < s->source_count; i++)
        first = s->source[i].column < first ? s->source[i].column : first;
    return first == SIZE_MAX ? CHAIN_HEADING
                             : place_of(chain_matrix(c)->document, chain_documents(c), first);
}

static void go_to_step(struct chain_view *c, size_t step)
{
    size_t column = first_use(c, step);
    c->row = place_of(chain_matrix(c)->step, chain_steps(c), step);
    if (column != CHAIN_HEADING)
        c->column = column;
}

#define SEEN_FIRST 5 /* columns that fit on 80x24 */

/* After the first read, puts the cursor on the requested step, else on the first use of the first step. A use further
 * right must not scroll the best sources away. */
static void place_cursor_first(struct chain_view *c)
{
    size_t step = chain_step_of(chain_shown(c), c->step);
    c->row = chain_steps(c) ? 0 : CHAIN_HEADING;
    c->column = chain_documents(c) ? 0 : CHAIN_HEADING;
    if (chain_steps(c))
        go_to_step(c, step == SIZE_MAX ? chain_matrix(c)->step[0] : step);
    if (step == SIZE_MAX && c->column != CHAIN_HEADING && c->column >= SEEN_FIRST)
        c->column = 0;
}

/* Keeps the cursor on its step and document. */
static void keep_cursor_place(struct chain_view *c)
{
    const struct matrix *m = chain_matrix(c);
    const struct chain_orders *o = &c->orders;
    matrix_order(&chain_reading_of(c)->matrix, o->steps, o->steps_reversed, o->documents,
                 o->documents_reversed);
    c->row = !c->step ? CHAIN_HEADING
                      : place_of(m->step, chain_steps(c), chain_step_of(m->chain, c->step));
    c->column = !c->document ? CHAIN_HEADING
                             : place_of(m->document, chain_documents(c),
                                        chain_document_of(m->chain, c->document));
}

static void show_again(struct chain_view *c)
{
    chain_view_update_selected(c);
    chain_view_reveal(c);
    view_search_again(&c->page.view);
}

void chain_view_reorder(struct chain_view *c)
{
    if (!c->page.shown.facts)
        return;
    keep_cursor_place(c);
    show_again(c);
}

/* The data was replaced by a new read. */
static void taken(struct panel *p)
{
    struct view *v = p->view;
    struct chain_view *c = chain_of(v);
    size_t landed = chain_steps(c) > c->steps ? chain_steps(c) - c->steps : 0;
    c->node = chain_shown(c)->node;
    keep_cursor_place(c);
    if (c->steps == 0) {
        place_cursor_first(c);
    } else if (landed && v->app->remote.follows == v) {
        go_to_step(c, chain_steps(c) - 1);
        c->landed = 0;
    } else {
        c->landed += landed;
    }
    c->steps = chain_steps(c);
    show_again(c);
}

/* Its session may have ended, which changes its state without an event. */
static void store_changed(struct view *v)
{
    struct chain_view *c = chain_of(v);
    if (c->page.shown.facts && chain_shown(c)->state == CHAIN_RUNNING)
        view_notify(v, NULL, 0, true);
}

/* ---- facts about the document under the cursor ---- */

static void *read_facts(const struct panel_key *key, struct reader *r, struct error *e)
{
    const size_t limits[DOCUMENT_SECTIONS] = {[DOCUMENT_STEPS] =
                                                  (size_t)key->other + CELL_FACTS_MAX,
                                              [DOCUMENT_CITATIONS] = CELL_FACTS_MAX,
                                              [DOCUMENT_RETRIEVALS] = CELL_FACTS_MAX,
                                              [DOCUMENT_BELIEFS] = CELL_FACTS_MAX};
    return document_facts_read(r, key->id, limits, DOCUMENT_COUNTED, e);
}

static const struct panel_ops facts_ops = {
    .job = "other uses of the document", .read = read_facts, .free = document_facts_free};

/* Requests facts about the document under the cursor if they are not known. */
static void chain_view_want_facts(struct chain_view *c)
{
    struct panel_key key = {0};
    size_t at = chain_view_document(c);
    if (at != SIZE_MAX) {
        key.id = chain_shown(c)->document[at].node;
        key.other = (int64_t)chain_shown(c)->document[at].steps;
    }
    panel_set_subject(&c->facts, key);
}

/* ---- header texts ---- */

static void title(struct view *v, struct strbuf *out)
{
    const struct memory_row *row = details_row(v->app, chain_of(v)->node);
    if (row)
        details_ref(v->app, row, out);
}

static void add_part(const struct chain_view *c, struct strbuf *out, const char *part)
{
    if (out->len > 0)
        strbuf_addf(out, " %s ", glyph_text(&c->page.view.ui->screen, GLYPH_DOT));
    strbuf_addstr(out, part);
}

static void counts(struct view *v, struct strbuf *out)
{
    struct chain_view *c = chain_of(v);
    char text[64], time[24];
    if (!c->page.shown.facts)
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
    AUTO_STRBUF tokens = STRBUF_INIT;
    chain_add_tokens(&tokens, chain);
    if (tokens.len)
        add_part(c, out, tokens.buf);
}

static void notice(struct view *v, struct strbuf *out)
{
    const struct chain_view *c = chain_of(v);
    if (c->landed)
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

static struct line_subject subject_at(struct view *v, size_t line)
{
    struct chain_view *c = chain_of(v);
    size_t steps = chain_steps(c), chain = chain_view_line(c);
    struct line_subject s = {.node = line == LINE_NONE ? c->node : 0};
    if (!c->page.shown.facts || line == LINE_NONE)
        return s;
    s.node = line < steps   ? chain_shown(c)->step[chain_matrix(c)->step[line]].node
             : line < chain ? chain_shown(c)->document[chain_matrix(c)->document[line - steps]].node
             : line > chain ? page_view_subject(v, line - chain - 1).node
                            : c->node;
    return s;
}

bool view_chain_has_keys(const struct view *v, size_t line)
{
    const struct chain_view *c = (const struct chain_view *)v;
    if (v->ops->subject != subject_at || !c->page.shown.facts)
        return true;
    return line < chain_steps(c)       ? c->focus == FOCUS_MATRIX
           : line < chain_view_line(c) ? c->focus == FOCUS_SOURCES
                                       : line > chain_view_line(c) && c->focus == FOCUS_CELL;
}

static void add_text(struct strbuf *out, const char *text)
{
    if (text)
        strbuf_addf(out, "%s\n", text);
}

static void text(struct view *v, size_t line, struct strbuf *out)
{
    struct chain_view *c = chain_of(v);
    size_t steps = chain_steps(c);
    if (!c->page.shown.facts)
        return;
    const struct chain *chain = chain_shown(c);
    if (line < steps) {
        const struct chain_step *s = &chain->step[chain_matrix(c)->step[line]];
        add_text(out, s->question);
        add_text(out, s->answer);
        add_text(out, s->trace);
    } else if (line < chain_view_line(c)) {
        size_t document = chain_matrix(c)->document[line - steps];
        add_text(out, chain->document[document].title);
        add_text(out, chain->document[document].id);
        for (size_t i = 0; i < steps; i++)
            for (size_t k = 0; k < chain->step[i].source_count; k++)
                if (chain->step[i].source[k].column == document)
                    add_text(out, chain->step[i].source[k].source.excerpt);
    } else if (line == chain_view_line(c)) {
        add_text(out, chain->question);
        add_text(out, chain->answer);
    }
}

/* A search, a range or a line number moved the cursor. */
static void moved(struct view *v)
{
    struct chain_view *c = chain_of(v);
    size_t steps = chain_steps(c), line = v->cursor;
    if (line == LINE_NONE || !c->page.shown.facts)
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

/* In the last pane only lines that open can be selected. */
static bool selectable(struct view *v, size_t line)
{
    struct chain_view *c = chain_of(v);
    size_t first = chain_view_line(c) + 1;
    return line < first || page_view_selectable(v, line - first);
}

/* ---- drawing ---- */

static void draw_header(struct chain_view *c)
{
    const struct pane *p = &c->at.header;
    for (int i = 0; i < p->height && (size_t)i < c->header.count; i++) {
        struct pane line = pane_row(p, i);
        page_draw_line(&c->header, &line, (size_t)i, c->page.view.search.pattern);
    }
}

static void draw(struct view *v, const struct pane *p)
{
    struct chain_view *c = chain_of(v);
    v->width = p->width;
    v->height = p->height;
    v->ui->screen.cursor_y = p->y;
    v->ui->screen.cursor_x = p->x;
    if (!c->page.shown.facts) {
        paint_format(p, p->height > 2 ? 1 : 0, 3, p->width - 3, STYLE_DIM, "reading the chain%s",
                     glyph_text(p->screen, GLYPH_ELLIPSIS));
        return;
    }
    chain_view_fit(c, p);
    chain_view_reveal(c);
    chain_view_want_facts(c);
    chain_view_lay_cell(c);
    draw_header(c);
    if (c->at.sources.width < p->width && c->at.cell.height > 0)
        for (int i = 0; i < c->at.cell.height; i++)
            paint_text(p, c->at.cell.y - p->y + i, c->at.sources.width, 1, STYLE_RULE,
                       glyph_text(p->screen, GLYPH_BAR));
    chain_view_draw_matrix(c);
    chain_view_draw_sources(c);
    chain_view_draw_cell(c);
}

/* ---- requests ---- */

static void open_source(struct chain_view *c)
{
    size_t step = chain_view_step(c), document = chain_view_document(c);
    struct app *x = c->page.view.app;
    if (step != SIZE_MAX) {
        const struct chain_step *at = &chain_shown(c)->step[step];
        const struct chain_source *use = chain_view_source(c);
        app_push(x, step_view_at(x, at->node, use ? (size_t)(use - at->source) : SIZE_MAX));
    } else if (document != SIZE_MAX) {
        app_open_memory(x, chain_shown(c)->document[document].node);
    } else {
        app_push(x, memory_view_new(x, c->node));
    }
}

void chain_view_open(struct chain_view *c, long argument)
{
    (void)argument;
    int64_t node = view_node(&c->page.view);
    if (!c->page.shown.facts)
        return;
    if (c->focus == FOCUS_SOURCES && c->column != CHAIN_HEADING)
        app_open_memory(c->page.view.app, node);
    else if (c->focus == FOCUS_CELL && c->cell_line != LINE_NONE)
        app_open_memory(c->page.view.app, node);
    else
        open_source(c);
}

/* ---- the rest ---- */

static void chain_release(struct view *v)
{
    struct chain_view *c = chain_of(v);
    panel_release(&c->facts);
    page_release(&c->header);
    page_view_release(v);
}

static const struct view_ops chain_ops = {
    .name = "chain",
    .has = HAS_MEMORIES | HAS_MATRIX | HAS_USES | HAS_FOLLOWING,
    .bar = "show,next-section=pane,order,by-confidence,flag=rate,based-on",
    .zooms = true,
    .title = title,
    .notice = notice,
    .counts = counts,
    .draw = draw,
    .point = chain_view_point,
    .wheel = chain_view_wheel,
    .selectable = selectable,
    .subject = subject_at,
    .text = text,
    .request = chain_view_request,
    .position = position,
    .moved = moved,
    .load = load,
    .store_changed = store_changed,
    .release = chain_release,
};

bool view_is_chain(const struct view *v)
{
    return v->ops == &chain_ops;
}

bool chain_view_is_finished(const struct view *v)
{
    const struct chain_view *c = (const struct chain_view *)v;
    return view_is_chain(v) && c->page.shown.facts && chain_shown(c)->state == CHAIN_FINISHED;
}

struct view *chain_view_new(struct ui *ui, int64_t node)
{
    static const struct panel_ops chain_panel = {.job = "reading the chain",
                                                 .read = chain_reading_make,
                                                 .free = chain_reading_free,
                                                 .taken = taken};
    struct chain_view *c = page_view_new(sizeof(*c), &chain_ops, ui, &chain_panel, node);
    page_init(&c->header);
    panel_init(&c->facts, &facts_ops, ui);
    c->node = c->step = node;
    c->cell_line = LINE_NONE;
    view_load(&c->page.view);
    return &c->page.view;
}
