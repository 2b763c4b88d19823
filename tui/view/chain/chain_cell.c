/*
 * The last pane of a chain view: the use of a document by a step, and more about the document. On a row heading it is
 * about the step, on a column heading about the document, in the corner about the chain.
 */

#include <string.h>
#include "model/base/strbuf.h"
#include "model/reasoning/citation.h"
#include "tui/render/document.h"
#include "tui/text/style.h"
#include "tui/view/chain/chain_view.h"
#include "tui/widget/page_view.h"

#define VALUE 11 /* column of values, after their names */

/* State of the layout. */
struct laying {
    struct chain_view *c;
    struct page *s;
    const struct screen *screen;
    int width;
    struct page_options options;
};

/* Adds a line with a name; `node` is what Enter opens. */
static void put_name(struct laying *l, const char *name, int64_t node)
{
    struct page_line *line = page_line(l->s);
    line->node = node;
    line->opens = node > 0;
    page_put(l->s, 1, VALUE - 2, STYLE_FIELD, name);
}

/* Adds a text after its name: all of it, or a few lines with a note that there is more. */
static void put_text(struct laying *l, const char *name, enum style style, const char *text,
                     size_t lines)
{
    if (!text || !*text)
        return;
    put_name(l, name, 0);
    size_t shown = page_wrap(l->s, VALUE, l->width - VALUE - 3, style, text, lines, true);
    if (shown < strlen(text))
        page_put(l->s, l->width - 2, 1, STYLE_DIM, glyph_text(l->screen, GLYPH_ELLIPSIS));
}

/* ---- the document ---- */

/* `guessed`: how the link was guessed, or NULL. */
static void put_fact(struct laying *l, const char *name, int64_t node, const char *text, int64_t at,
                     const char *guessed)
{
    char when[32];
    put_name(l, name, node);
    int end = l->width - VALUE - 1;
    if (at > 0 && l->width > 60) {
        facts_when(when, sizeof(when), at, &l->options);
        page_put_right(l->s, l->width - 21, 20, STYLE_AGE, when);
        end -= l->options.exact_times ? 21 : 8;
    }
    if (guessed && l->width > 60) {
        page_put(l->s, VALUE + end - 10, 11, STYLE_GUESSED, guessed);
        end -= 13;
    }
    page_put(l->s, VALUE, end, guessed ? STYLE_GUESSED : STYLE_TEXT, text);
}

/* "belief:7d10e6a2  Canary first" */
static void put_row(struct laying *l, const char *name, const struct fact_row *row,
                    const char *guessed)
{
    AUTO_STRBUF text = STRBUF_INIT;
    facts_ref(&row->row, row->short_length, &text);
    if (row->row.status != STATUS_ACTIVE)
        strbuf_addf(&text, "  [%s]", status_word(row->row.status));
    if (row->row.text && *row->row.text)
        strbuf_addf(&text, "  %s", row->row.text);
    put_fact(l, name, row->row.node, text.buf, row->row.created_at, guessed);
}

/* Adds steps of other chains: "chain:19ab44f0 step 1" with the question. Returns their number. */
static size_t put_others(struct laying *l, const struct document_facts *f)
{
    size_t count = 0;
    for (size_t i = 0; i < f->steps.count; i++) {
        const struct document_use *u = &f->steps.use[i];
        const struct fact_row *chain = &f->chain[f->chain_of[i]];
        AUTO_STRBUF text = STRBUF_INIT;
        if (u->chain == l->c->node || count++ >= CELL_FACTS_MAX)
            continue;
        const struct fact_row *row = u->chain ? chain : &f->steps.row[i];
        facts_ref(&row->row, row->short_length, &text);
        if (u->chain)
            strbuf_addf(&text, " step %lld", (long long)u->step_number);
        strbuf_addf(&text, "  %s", u->text ? u->text : "");
        put_fact(l, count > 1 ? "" : "used by", u->node, text.buf, u->created_at,
                 u->passage->guessed ? "guessed" : NULL);
    }
    return count;
}

/* "(Worker supervisor, Drain)"; a replaced one has ", replaced". */
static void put_citation(struct laying *l, const char *name, const struct chain_document *d,
                         const struct document_use *u)
{
    AUTO_STRBUF text = STRBUF_INIT;
    const struct use *use = &u->passage->use;
    citation_format(&text,
                    use->title ? use->title
                    : d->title ? d->title
                               : d->id,
                    use->page, use->section);
    if (u->status != STATUS_ACTIVE)
        strbuf_addf(&text, ", %s", status_word(u->status));
    put_fact(l, name, u->node, text.buf, u->created_at, u->passage->guessed ? "guessed" : NULL);
}

/* NULL if it was recorded. */
static const char *matched_by(enum retrieval_match match)
{
    return match == MATCH_RECORDED ? NULL
           : match == MATCH_HASH   ? "by its hash"
           : match == MATCH_URI    ? "by its URI"
                                   : "guessed";
}

/* Whether the step used the passage that is cited: one of the two texts has the other. */
static bool step_quotes(const struct chain_step *step, size_t document,
                        const struct document_use *citation)
{
    const char *cited = citation->text; /* the passage */
    for (size_t i = 0; i < step->source_count; i++) {
        const struct source *s = &step->source[i].source;
        const char *used = s->whole ? s->whole : s->excerpt;
        if (step->source[i].column == document && cited && used && *cited && *used &&
            (text_has_passage(used, cited) || text_has_passage(cited, used)))
            return true;
    }
    return false;
}

/* `step`: only what it quoted; NULL for all of the document. */
static void put_facts(struct laying *l, size_t document, const struct chain_step *step)
{
    const char *name = "quoted as";
    const struct document_facts *f = l->c->facts.facts;
    const struct chain_document *d = &chain_shown(l->c)->document[document];
    if (!f || f->node != d->node)
        return;
    for (size_t i = 0; i < f->retrieval_count; i++)
        put_row(l, i ? "" : "logged", &f->retrieval_row[i], matched_by(f->retrieval[i].match));
    size_t others = put_others(l, f);
    for (size_t i = 0; i < f->belief_count; i++)
        put_row(l, i ? "" : "beliefs", &f->belief[i], NULL);
    for (size_t i = 0; i < f->citations.count; i++) {
        if (step && !step_quotes(step, document, &f->citations.use[i]))
            continue;
        put_citation(l, name, d, &f->citations.use[i]);
        name = "";
    }
    if (f->retrieval_more || f->steps.more || others > CELL_FACTS_MAX || f->citations.more ||
        f->reach.beliefs > f->belief_count) {
        put_name(l, "", d->node);
        page_put(l->s, VALUE, 0, STYLE_DIM, "and more uses; Enter opens the document");
    }
}

/* ---- a use ---- */

static void put_words(struct laying *l, const struct judgement judgements[JUDGES])
{
    for (int judge = 0; judge < JUDGES; judge++) {
        const struct judgement *j = &judgements[judge];
        if (!j->word)
            continue;
        put_name(l, "judged", 0);
        page_format(l->s, VALUE, 0, STYLE_MARK, "%s%s%s%s%s%s", j->word, j->by ? ", " : "",
                    j->by ? judge_title((enum judge)judge) : "", j->by ? j->by : "",
                    j->reason && *j->reason ? ": " : "", j->reason ? j->reason : "");
    }
}

static void put_by_confidence(struct laying *l, const struct chain_step *step, double relevance)
{
    double by = relevance * step->confidence;
    if (by != by)
        return;
    put_name(l, "by conf", 0);
    page_format(l->s, VALUE, 0, STYLE_GUESSED,
                "%.2f %s %.2f = %.2f, relevance by the step's confidence", relevance,
                glyph_text(l->screen, GLYPH_TIMES), step->confidence, by);
}

static void put_excerpt(struct laying *l, const struct source *s, size_t lines)
{
    AUTO_STRBUF quoted = STRBUF_INIT;
    if (!s->excerpt || !*s->excerpt) {
        page_line(l->s);
        page_put(l->s, 1, 0, STYLE_DIM,
                 s->excerpt ? "the passage was empty" : "no excerpt was kept");
        return;
    }
    strbuf_addf(&quoted, l->screen->utf8 ? "“%s”" : "\"%s\"",
                lines == SIZE_MAX && s->whole ? s->whole : s->excerpt);
    size_t shown = page_wrap(l->s, 1, l->width - 4, STYLE_TEXT, quoted.buf, lines, false);
    if (shown < quoted.len)
        page_put(l->s, l->width - 2, 1, STYLE_DIM, glyph_text(l->screen, GLYPH_ELLIPSIS));
}

/* The title of one of several uses: "chunk 14 · rank 2 · ~.60 heuristic · changed since". */
static void put_use_title(struct laying *l, const struct chain_source *s)
{
    AUTO_STRBUF text = STRBUF_INIT;
    step_add_use(&text, !l->screen->utf8, s, true);
    page_line(l->s);
    page_put(l->s, 1, 0, STYLE_DIM, text.buf);
}

static void put_uses(struct laying *l, size_t row, size_t document, bool whole)
{
    const struct chain_step *step = &chain_shown(l->c)->step[row];
    size_t uses;
    const struct chain_source *best = matrix_at(chain_matrix(l->c), row, document, &uses);
    for (size_t i = 0; i < step->source_count; i++) {
        const struct chain_source *s = &step->source[i];
        if (s->column != document)
            continue;
        if (uses > 1)
            put_use_title(l, s);
        put_excerpt(l, &s->source, whole ? SIZE_MAX : 3);
        if (s == best)
            put_words(l, s->rating);
    }
    if (l->c->by_confidence || whole)
        put_by_confidence(l, step, best->source.relevance);
}

/* Lists the steps that used the document, with its relevance there. */
static void put_steps(struct laying *l, size_t document)
{
    const struct chain *chain = chain_shown(l->c);
    bool first = true;
    for (size_t i = 0; i < chain->step_count; i++) {
        const struct chain_source *s = matrix_at(chain_matrix(l->c), i, document, NULL);
        AUTO_STRBUF text = STRBUF_INIT;
        if (!s)
            continue;
        put_name(l, first ? "used in" : "", chain->step[i].node);
        first = false;
        score_add(&text, s->source.relevance, s->source.origin);
        strbuf_addf(&text, "  step %lld  %s", (long long)chain->step[i].number,
                    chain->step[i].question ? chain->step[i].question : "");
        page_put(l->s, VALUE, 0, STYLE_TEXT, text.buf);
    }
}

/* The judgements of the step, with their reasons. */
static void put_supported(struct laying *l, const struct chain_step *step)
{
    for (int judge = 0; judge < JUDGES; judge++) {
        AUTO_STRBUF text = STRBUF_INIT;
        step_add_faithful(&text, step, (enum judge)judge);
        put_text(l, "judged", STYLE_MARK, text.buf, SIZE_MAX);
    }
}

/* ---- contents ---- */

static void lay_cell(struct laying *l, size_t row, size_t document, bool whole)
{
    const struct chain *chain = chain_shown(l->c);
    put_text(l, "answer", STYLE_TEXT, chain->step[row].answer, whole ? SIZE_MAX : 2);
    if (matrix_at(chain_matrix(l->c), row, document, NULL)) {
        put_uses(l, row, document, whole);
        put_supported(l, &chain->step[row]);
    } else {
        AUTO_STRBUF text = STRBUF_INIT;
        char letter[16];
        matrix_letter(letter, document);
        strbuf_addf(&text, "step %lld did not use %s", (long long)chain->step[row].number, letter);
        page_line(l->s);
        page_put(l->s, 1, 0, STYLE_DIM, text.buf);
        put_steps(l, document);
    }
    put_facts(l, document, &chain->step[row]);
}

static void lay_step(struct laying *l, size_t row, bool whole)
{
    const struct chain_step *step = &chain_shown(l->c)->step[row];
    AUTO_STRBUF text = STRBUF_INIT;
    put_text(l, "question", STYLE_TEXT, step->question, whole ? SIZE_MAX : 2);
    put_text(l, "answer", STYLE_TEXT, step->answer, whole ? SIZE_MAX : 3);
    put_text(l, "trace", STYLE_DIM, step->trace, whole ? SIZE_MAX : 3);
    step_add_earlier(&text, step);
    put_text(l, "given", STYLE_TEXT, text.buf, SIZE_MAX);
    put_supported(l, step);
}

static void lay_document(struct laying *l, size_t document)
{
    const struct chain_document *d = &chain_shown(l->c)->document[document];
    put_text(l, "title", STYLE_TEXT, d->title, 2);
    put_name(l, "document", d->node);
    page_put(l->s, VALUE, 0, STYLE_REF, d->id);
    put_steps(l, document);
    put_facts(l, document, NULL);
}

static void lay_chain(struct laying *l)
{
    const struct chain *chain = chain_shown(l->c);
    put_text(l, "question", STYLE_TEXT, chain->question, SIZE_MAX);
    put_text(l, "answer", STYLE_TEXT, chain->answer, SIZE_MAX);
    put_text(l, "strategy", STYLE_TEXT, chain->strategy, SIZE_MAX);
}

void chain_view_lay_cell(struct chain_view *c)
{
    struct ui *ui = c->page.view.ui;
    struct page *s = &c->page.shown.page;
    size_t row = chain_view_step(c), column = chain_view_document(c);
    bool whole = c->focus == FOCUS_CELL;
    struct laying l = {.c = c,
                       .s = s,
                       .screen = &ui->screen,
                       .width = c->at.cell.width,
                       .options = ages_options(ui)};
    page_clear(s, l.width);
    if (row != SIZE_MAX && column != SIZE_MAX)
        lay_cell(&l, row, column, whole);
    else if (row != SIZE_MAX)
        lay_step(&l, row, whole);
    else if (column != SIZE_MAX)
        lay_document(&l, column);
    else
        lay_chain(&l);
    c->cell_top = page_scrolled(s, c->cell_top, 0);
    chain_view_update_selected(c);
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
        strbuf_addf(out, " %s %s", glyph_text(&c->page.view.ui->screen, GLYPH_TIMES), letter);
    else if (column != SIZE_MAX)
        strbuf_addf(out, "source %s", letter);
    else if (row == SIZE_MAX)
        strbuf_addstr(out, "the chain");
}

static void add_state(const struct chain_view *c, struct strbuf *out)
{
    const struct screen *screen = &c->page.view.ui->screen;
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

static void draw_rule(struct chain_view *c, const struct pane *p)
{
    AUTO_STRBUF title = STRBUF_INIT, right = STRBUF_INIT;
    size_t shown = p->height > 1 ? (size_t)p->height - 1 : 0;
    size_t below = c->page.shown.page.count - c->cell_top;
    below -= below < shown ? below : shown;
    add_title(c, &title);
    add_state(c, &right);
    chain_view_add_more(c, c->cell_top, glyph_text(p->screen, GLYPH_UP), &right);
    chain_view_add_more(c, below, glyph_text(p->screen, GLYPH_DOWN), &right);
    paint_rule(p, 0, title.buf, right.buf);
}

void chain_view_draw_cell(struct chain_view *c)
{
    struct ui *ui = c->page.view.ui;
    const struct pane *p = &c->at.cell;
    bool has_keys = c->focus == FOCUS_CELL;
    if (p->height < 1)
        return;
    draw_rule(c, p);
    if (has_keys) {
        ui->screen.cursor_y = p->y;
        ui->screen.cursor_x = p->x;
    }
    for (int i = 1; i < p->height; i++) {
        struct pane line = pane_row(p, i);
        size_t at = c->cell_top + (size_t)i - 1;
        bool selected = has_keys && at == c->cell_line;
        if (selected) {
            line.over = STYLE_SELECTION;
            paint_clear(&line);
            ui->screen.cursor_y = line.y;
            ui->screen.cursor_x = line.x;
        }
        page_draw_line(&c->page.shown.page, &line, at, c->page.view.search.pattern);
        if (at < c->page.shown.page.count)
            ui_draw_mark(ui, &line, 0, VALUE - 1, c->page.shown.page.line[at].node);
        if (selected)
            paint_text(&line, 0, 0, 1, STYLE_CURSOR, ">");
    }
}
