#include "tui/view/chain/chain_cell.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/guard/guard.h"
#include "store/query/list.h"
#include "store/query/ref.h"
#include "store/reasoning/cite.h"
#include "store/record/get.h"
#include "tui/render/facts.h"
#include "tui/text/style.h"
#include "tui/text/text.h"
#include "tui/view/chain/chain_view.h"
#include "tui/view/chain/view_step.h"
#include "tui/widget/sheet_view.h"

#define TEXT_MOST 200 /* columns of another's text */

struct gathering {
    struct reader *r;
    struct cell_facts *f;
    int64_t chain; /* whose own steps are left out */
    struct error *e;
};

static void add(struct gathering *g, enum cell_fact_sort sort, int64_t node, const char *text,
                int64_t at, bool guessed)
{
    char *copy = arena_strdup(&g->f->arena, text);
    struct cell_fact *fact = g->f->of[sort].fact;
    if (!fact)
        fact = arena_array(&g->f->arena, CELL_FACTS_MOST, sizeof(*fact));
    g->f->of[sort].fact = fact;
    if (g->f->of[sort].count == CELL_FACTS_MOST)
        g->f->of[sort].more = true;
    else
        fact[g->f->of[sort].count++] = (struct cell_fact){node, copy, at, guessed};
}

/* "belief:7d10e6a2", as short as it may be. */
static void add_ref(struct gathering *g, struct ref ref, struct strbuf *out)
{
    size_t len = ref_short_length(g->r, ref);
    strbuf_addf(out, "%s:", kind_name(ref.kind));
    text_clean(out, ref.id, len, TEXT_EXACT);
}

/* The ref and the text of a row; false where it cannot be read. */
static bool describe(struct gathering *g, int64_t node, struct memory_row *row, struct strbuf *out)
{
    struct error e;
    if (memory_row_read(g->r, &g->f->arena, node, row, &e))
        return false;
    add_ref(g, row->ref, out);
    if (row->text && *row->text) {
        strbuf_addstr(out, "  ");
        text_fit(out, row->text, strlen(row->text), TEXT_MOST, 0);
    }
    return true;
}

static int gather_retrievals(struct gathering *g)
{
    struct document_retrieval *found;
    struct memory_row row;
    size_t count;
    bool more;
    if (document_retrievals(g->r, &g->f->arena, g->f->document, CELL_FACTS_MOST, &found, &count,
                            &more, g->e))
        return -1;
    for (size_t i = 0; i < count; i++) {
        struct strbuf text = STRBUF_INIT;
        if (describe(g, found[i].attribution, &row, &text))
            add(g, FACT_LOGGED, found[i].attribution, text.buf, row.created_at, !found[i].recorded);
        strbuf_release(&text);
    }
    g->f->of[FACT_LOGGED].more = g->f->of[FACT_LOGGED].more || more;
    return 0;
}

/* "chain:19ab44f0 step 1", and what it asked. */
static void add_use(struct gathering *g, const struct document_use *use)
{
    struct strbuf text = STRBUF_INIT;
    struct memory_row row;
    struct error e;
    if (use->chain && !memory_row_read(g->r, &g->f->arena, use->chain, &row, &e)) {
        add_ref(g, row.ref, &text);
        strbuf_addf(&text, " step %lld", (long long)use->step_number);
    } else {
        add_ref(g, use->ref, &text);
    }
    if (use->text && *use->text) {
        strbuf_addstr(&text, "  ");
        text_fit(&text, use->text, strlen(use->text), TEXT_MOST, 0);
    }
    add(g, FACT_USED, use->node, text.buf, use->created_at, use->guessed);
    strbuf_release(&text);
}

static int gather_uses(struct gathering *g, size_t own)
{
    struct document_use *found;
    size_t count;
    bool more;
    if (document_uses(g->r, &g->f->arena, g->f->document, KIND_BIT(KIND_STEP), INT64_MAX,
                      own + CELL_FACTS_MOST, &found, &count, &more, g->e))
        return -1;
    for (size_t i = 0; i < count; i++)
        if (found[i].chain != g->chain || g->chain == 0)
            add_use(g, &found[i]);
    g->f->of[FACT_USED].more = g->f->of[FACT_USED].more || more;
    return 0;
}

static int gather_beliefs(struct gathering *g)
{
    int64_t *found;
    struct memory_row row;
    size_t count;
    bool more;
    if (document_beliefs(g->r, &g->f->arena, g->f->document, CELL_FACTS_MOST, &found, &count, &more,
                         g->e))
        return -1;
    for (size_t i = 0; i < count; i++) {
        struct strbuf text = STRBUF_INIT;
        if (describe(g, found[i], &row, &text))
            add(g, FACT_BELIEVED, found[i], text.buf, row.created_at, false);
        strbuf_release(&text);
    }
    g->f->of[FACT_BELIEVED].more = g->f->of[FACT_BELIEVED].more || more;
    return 0;
}

/* "(Worker supervisor, Drain)"; ", superseded" behind one that another took the place of. */
static void add_citation(struct gathering *g, const struct document_use *use)
{
    struct strbuf text = STRBUF_INIT, clean = STRBUF_INIT;
    struct memory m;
    struct citation c;
    struct error e;
    if (!memory_read(g->r, &g->f->arena, use->node, &m, &e)) {
        citation_from_memory(&m, &g->f->arena, &c);
        citation_format(&text, c.name, c.page, c.section);
        text_fit(&clean, text.buf, text.len, TEXT_MOST, 0);
        if (use->status != STATUS_ACTIVE)
            strbuf_addf(&clean, ", %s", status_name(use->status));
        add(g, FACT_QUOTED, use->node, clean.buf, use->created_at, use->guessed);
    }
    strbuf_release(&text);
    strbuf_release(&clean);
}

static int gather_citations(struct gathering *g)
{
    struct document_use *found;
    size_t count;
    bool more;
    if (document_uses(g->r, &g->f->arena, g->f->document, KIND_BIT(KIND_CITATION), INT64_MAX,
                      CELL_FACTS_MOST, &found, &count, &more, g->e))
        return -1;
    for (size_t i = 0; i < count; i++)
        add_citation(g, &found[i]);
    g->f->of[FACT_QUOTED].more = g->f->of[FACT_QUOTED].more || more;
    return 0;
}

struct cell_facts *cell_facts_read(struct reader *r, int64_t document, int64_t chain, size_t own,
                                   struct error *e)
{
    struct cell_facts *f = xcalloc(1, sizeof(*f));
    struct gathering g = {r, f, chain, e};
    f->arena = (struct arena)ARENA_INIT;
    f->document = document;
    if (reader_begin(r, e)) {
        cell_facts_free(f);
        return NULL;
    }
    int failed =
        gather_retrievals(&g) || gather_uses(&g, own) || gather_beliefs(&g) || gather_citations(&g);
    reader_end(r);
    if (!failed)
        return f;
    cell_facts_free(f);
    return NULL;
}

void cell_facts_free(void *facts)
{
    struct cell_facts *f = facts;
    if (!f)
        return;
    arena_release(&f->arena);
    free(f);
}

/*
 * The last pane of a chain: what a step took from a document, and what else is known of that document. On
 * the heading of a row it tells of the step, on that of a column of the document, in the corner of the chain.
 */

#define VALUE 11 /* where values begin, behind the names of facts */

/* What is laid out. */
struct laying {
    struct chain_view *c;
    struct sheet *s;
    const struct screen *screen;
    int width;
    struct facts_look look;
};

/* A line with a name in front; `node`: what Enter opens there. */
static void put_name(struct laying *l, const char *name, int64_t node)
{
    struct sheet_line *line = sheet_line(l->s);
    line->node = node;
    line->opens = node > 0;
    sheet_put(l->s, 1, VALUE - 2, STYLE_FIELD, name);
}

/* A text behind its name, all of it, or so many lines: then it says that there is more. */
static void put_text(struct laying *l, const char *name, enum style style, const char *text,
                     size_t lines)
{
    if (!text || !*text)
        return;
    put_name(l, name, 0);
    size_t shown = sheet_wrap(l->s, VALUE, l->width - VALUE - 3, style, text, lines, true);
    if (shown < strlen(text))
        sheet_put(l->s, l->width - 2, 1, STYLE_DIM, glyph_text(l->screen, GLYPH_ELLIPSIS));
}

/* ---- what is known of the document ---- */

static void put_fact(struct laying *l, const char *name, const struct cell_fact *fact)
{
    char when[32];
    put_name(l, name, fact->node);
    int end = l->width - VALUE - 1;
    if (fact->at > 0 && l->width > 60) {
        facts_when(when, sizeof(when), fact->at, &l->look);
        sheet_put_right(l->s, l->width - 21, 20, STYLE_AGE, when);
        end -= l->look.exact_times ? 21 : 8;
    }
    if (fact->guessed && l->width > 60) {
        sheet_put(l->s, VALUE + end - 10, 11, STYLE_GUESSED, "by its hash");
        end -= 13;
    }
    sheet_put(l->s, VALUE, end, fact->guessed ? STYLE_GUESSED : STYLE_TEXT, fact->text);
}

static void put_facts(struct laying *l, size_t document)
{
    static const char *const names[FACT_SORTS] = {"logged", "used by", "carries", "quoted as"};
    const struct cell_facts *f = l->c->facts.facts;
    const struct chain_document *d = &chain_shown(l->c)->document[document];
    if (!f || f->document != d->node)
        return;
    for (int sort = 0; sort < FACT_SORTS; sort++) {
        for (size_t i = 0; i < f->of[sort].count; i++)
            put_fact(l, i ? "" : names[sort], &f->of[sort].fact[i]);
        if (!f->of[sort].more)
            continue;
        put_name(l, "", d->node);
        sheet_put(l->s, VALUE, 0, STYLE_DIM, "and more; Enter opens the document");
    }
}

/* ---- a use ---- */

static void put_word(struct laying *l, const char *word, const char *who, const char *why)
{
    if (!word)
        return;
    put_name(l, "judged", 0);
    sheet_format(l->s, VALUE, 0, STYLE_MARK, "%s%s%s%s%s", word, who ? ", " : "", who ? who : "",
                 why && *why ? ": " : "", why && *why ? why : "");
}

static void put_by_confidence(struct laying *l, const struct chain_step *step, double relevance)
{
    double by = source_by_confidence(relevance, step->confidence);
    if (by != by)
        return;
    put_name(l, "by conf", 0);
    sheet_format(l->s, VALUE, 0, STYLE_GUESSED,
                 "%.2f %s %.2f = %.2f, relevance by the step's confidence", relevance,
                 glyph_text(l->screen, GLYPH_TIMES), step->confidence, by);
}

static void put_excerpt(struct laying *l, const struct source *s, size_t lines)
{
    struct strbuf quoted = STRBUF_INIT;
    if (!s->excerpt || !*s->excerpt) {
        sheet_line(l->s);
        sheet_put(l->s, 1, 0, STYLE_DIM,
                  s->excerpt ? "the passage was empty" : "no excerpt was kept");
        return;
    }
    strbuf_addf(&quoted, l->screen->utf8 ? "“%s”" : "\"%s\"", s->excerpt);
    size_t shown = sheet_wrap(l->s, 1, l->width - 4, STYLE_TEXT, quoted.buf, lines, false);
    if (shown < quoted.len)
        sheet_put(l->s, l->width - 2, 1, STYLE_DIM, glyph_text(l->screen, GLYPH_ELLIPSIS));
    strbuf_release(&quoted);
}

/* "chunk 14 · rank 2 · ~.60 heuristic · changed since": one of several uses. */
static void put_use_title(struct laying *l, const struct chain_source *s)
{
    struct strbuf text = STRBUF_INIT;
    step_add_use(&text, !l->screen->utf8, s, true);
    sheet_line(l->s);
    sheet_put(l->s, 1, 0, STYLE_DIM, text.buf);
    strbuf_release(&text);
}

static void put_uses(struct laying *l, size_t row, size_t document, bool whole)
{
    const struct chain_step *step = &chain_shown(l->c)->step[row];
    const struct matrix_cell *cell = matrix_at(&l->c->reading->matrix, row, document);
    for (size_t i = 0; i < step->source_count; i++) {
        const struct chain_source *s = &step->source[i];
        if (s->column != document)
            continue;
        if (cell->uses > 1)
            put_use_title(l, s);
        put_excerpt(l, &s->source, whole ? SIZE_MAX : 3);
        if (s->rating && cell->source == i)
            put_word(l, s->rating, s->rated_by, s->rating_reason);
    }
    if (l->c->by_confidence || whole)
        put_by_confidence(l, step, step->source[cell->source].source.relevance);
}

/* Which steps used the document, each with how relevant it was there. */
static void put_steps(struct laying *l, size_t document)
{
    const struct chain *chain = chain_shown(l->c);
    bool first = true;
    for (size_t i = 0; i < chain->step_count; i++) {
        const struct chain_source *s = matrix_source(&l->c->reading->matrix, i, document);
        struct strbuf text = STRBUF_INIT;
        if (!s)
            continue;
        put_name(l, first ? "used in" : "", chain->step[i].node);
        first = false;
        score_add(&text, s->source.relevance, s->source.origin);
        strbuf_addf(&text, "  step %lld  %s", (long long)chain->step[i].number,
                    chain->step[i].question ? chain->step[i].question : "");
        sheet_put(l->s, VALUE, 0, STYLE_TEXT, text.buf);
        strbuf_release(&text);
    }
}

/* A person's word on the whole step, and why. */
static void put_supported(struct laying *l, const struct chain_step *step)
{
    struct strbuf text = STRBUF_INIT;
    step_add_faithful(&text, step);
    put_text(l, "judged", STYLE_MARK, text.buf, SIZE_MAX);
    strbuf_release(&text);
}

/* ---- what the cursor is on ---- */

static void lay_cell(struct laying *l, size_t row, size_t document, bool whole)
{
    const struct chain *chain = chain_shown(l->c);
    put_text(l, "answer", STYLE_TEXT, chain->step[row].answer, whole ? SIZE_MAX : 2);
    if (matrix_at(&l->c->reading->matrix, row, document)) {
        put_uses(l, row, document, whole);
        put_supported(l, &chain->step[row]);
    } else {
        struct strbuf text = STRBUF_INIT;
        char letter[16];
        matrix_letter(letter, document);
        strbuf_addf(&text, "step %lld did not use %s", (long long)chain->step[row].number, letter);
        sheet_line(l->s);
        sheet_put(l->s, 1, 0, STYLE_DIM, text.buf);
        put_steps(l, document);
        strbuf_release(&text);
    }
    put_facts(l, document);
}

static void lay_step(struct laying *l, size_t row, bool whole)
{
    const struct chain_step *step = &chain_shown(l->c)->step[row];
    struct strbuf text = STRBUF_INIT;
    put_text(l, "question", STYLE_TEXT, step->question, whole ? SIZE_MAX : 2);
    put_text(l, "answer", STYLE_TEXT, step->answer, whole ? SIZE_MAX : 3);
    put_text(l, "trace", STYLE_DIM, step->trace, whole ? SIZE_MAX : 3);
    step_add_earlier(&text, step);
    put_text(l, "given", STYLE_TEXT, text.buf, SIZE_MAX);
    put_supported(l, step);
    strbuf_release(&text);
}

static void lay_document(struct laying *l, size_t document)
{
    const struct chain_document *d = &chain_shown(l->c)->document[document];
    put_text(l, "title", STYLE_TEXT, d->title, 2);
    put_name(l, "document", d->node);
    sheet_put(l->s, VALUE, 0, STYLE_REF, d->id);
    put_steps(l, document);
    put_facts(l, document);
}

static void lay_chain(struct laying *l)
{
    const struct chain *chain = chain_shown(l->c);
    put_text(l, "question", STYLE_TEXT, chain->question, SIZE_MAX);
    put_text(l, "answer", STYLE_TEXT, chain->answer, SIZE_MAX);
    put_text(l, "strategy", STYLE_TEXT, chain->strategy, SIZE_MAX);
}

static bool same_look(const struct cell_look *a, const struct cell_look *b)
{
    return a->row == b->row && a->column == b->column && a->width == b->width &&
           a->by_confidence == b->by_confidence && a->times == b->times && a->whole == b->whole;
}

void chain_view_lay_cell(struct chain_view *c)
{
    struct app *x = c->view.app;
    size_t row = chain_view_step(c), column = chain_view_document(c);
    struct cell_look look = {.row = row,
                             .column = column,
                             .width = c->panes.cell.width,
                             .by_confidence = c->by_confidence,
                             .times = ages_shown(&x->ui),
                             .whole = c->focus == FOCUS_CELL};
    if (same_look(&look, &c->cell_look) && c->facts.width)
        return;
    struct laying l = {.c = c,
                       .s = &c->cell,
                       .screen = &x->ui.screen,
                       .width = c->panes.cell.width,
                       .look = ages_look(&x->ui)};
    sheet_clear(&c->cell, l.width);
    if (row != SIZE_MAX && column != SIZE_MAX)
        lay_cell(&l, row, column, look.whole);
    else if (row != SIZE_MAX)
        lay_step(&l, row, look.whole);
    else if (column != SIZE_MAX)
        lay_document(&l, column);
    else
        lay_chain(&l);
    if (row != c->cell_look.row || column != c->cell_look.column)
        c->cell_top = 0;
    c->cell_look = look;
    c->facts.width = l.width;
    if (c->cell_top >= c->cell.count)
        c->cell_top = c->cell.count ? c->cell.count - 1 : 0;
    chain_view_settle(c);
}

/* ---- drawing ---- */

/* "step 3 × D" */
static void add_title(const struct chain_view *c, struct strbuf *out)
{
    const struct chain *chain = chain_shown(c);
    size_t row = chain_view_step(c), column = chain_view_document(c);
    char letter[16];
    if (column != SIZE_MAX)
        matrix_letter(letter, column);
    if (row != SIZE_MAX)
        strbuf_addf(out, "step %lld", (long long)chain->step[row].number);
    if (row != SIZE_MAX && column != SIZE_MAX)
        strbuf_addf(out, " %s %s", glyph_text(&c->view.app->ui.screen, GLYPH_TIMES), letter);
    else if (column != SIZE_MAX)
        strbuf_addf(out, "source %s", letter);
    else if (row == SIZE_MAX)
        strbuf_addstr(out, "the chain");
}

static void add_state(const struct chain_view *c, struct strbuf *out)
{
    const struct screen *screen = &c->view.app->ui.screen;
    const struct chain *chain = chain_shown(c);
    size_t row = chain_view_step(c), column = chain_view_document(c);
    const struct chain_source *s = chain_view_source(c);
    if (s)
        step_add_use(out, !screen->utf8, s, false);
    else if (row != SIZE_MAX && column == SIZE_MAX)
        step_add_state(out, !screen->utf8, &chain->step[row]);
    else if (row == SIZE_MAX && column != SIZE_MAX)
        strbuf_addf(out, "%zu step%s used it", chain->document[column].steps,
                    chain->document[column].steps == 1 ? "" : "s");
}

static void add_more(const struct screen *screen, size_t lines, enum glyph where,
                     struct strbuf *out)
{
    if (lines && out->len)
        strbuf_addf(out, " %s ", glyph_text(screen, GLYPH_DOT));
    if (lines)
        strbuf_addf(out, "%zu more %s", lines, glyph_text(screen, where));
}

static void draw_rule(struct chain_view *c, const struct pane *p)
{
    const struct screen *screen = p->screen;
    struct strbuf title = STRBUF_INIT, right = STRBUF_INIT;
    size_t shown = p->height > 1 ? (size_t)p->height - 1 : 0;
    size_t below = c->cell.count - c->cell_top;
    below -= below < shown ? below : shown;
    add_title(c, &title);
    add_state(c, &right);
    add_more(screen, c->cell_top, GLYPH_UP, &right);
    add_more(screen, below, GLYPH_DOWN, &right);
    paint_rule(p, 0, title.buf, right.buf);
    strbuf_release(&title);
    strbuf_release(&right);
}

void chain_view_draw_cell(struct chain_view *c)
{
    struct app *x = c->view.app;
    const struct pane *p = &c->panes.cell;
    bool has_keys = c->focus == FOCUS_CELL;
    if (p->height < 1)
        return;
    draw_rule(c, p);
    if (has_keys) {
        x->ui.screen.cursor_y = p->y;
        x->ui.screen.cursor_x = p->x;
    }
    for (int i = 1; i < p->height; i++) {
        struct pane line = pane_row(p, i);
        size_t at = c->cell_top + (size_t)i - 1;
        bool selected = has_keys && at == c->cell_line;
        if (selected) {
            line.over = STYLE_SELECTION;
            paint_clear(&line);
            x->ui.screen.cursor_y = line.y;
            x->ui.screen.cursor_x = line.x;
        }
        sheet_draw_line(&c->cell, &line, at, c->view.search.pattern);
        if (at < c->cell.count && marks_has(&x->ui.marks, c->cell.line[at].node))
            paint_text(&line, 0, VALUE - 1, 1, STYLE_MARK, "*");
        if (selected)
            paint_text(&line, 0, 0, 1, STYLE_CURSOR, ">");
    }
}
