/* The matrix of steps and documents, drawn. */
#include "tui/view/chain/chain_view.h"

#include <string.h>
#include "model/memory/rating.h"
#include "model/base/strbuf.h"
#include "tui/text/score.h"
#include "tui/text/seconds.h"
#include "tui/text/text.h"

/* ---- the rule above it ---- */

/* "← 3 more, 12 more →": what lies beyond two edges; nothing where all is seen. */
static void add_edges(const struct screen *s, const char *before, size_t passed, size_t left,
                      enum glyph after, struct strbuf *out)
{
    if (out->len && (passed || left))
        strbuf_addf(out, " %s ", glyph_text(s, GLYPH_DOT));
    if (passed)
        strbuf_addf(out, "%s %zu more", before, passed);
    if (left)
        strbuf_addf(out, "%s%zu more %s", passed ? ", " : "", left, glyph_text(s, after));
}

static size_t beyond(size_t count, size_t from, int shown)
{
    size_t left = count > from ? count - from : 0;
    return left > (size_t)shown ? left - (size_t)shown : 0;
}

static void add_beyond(const struct chain_view *c, struct strbuf *out)
{
    const struct screen *s = &c->view.app->ui.screen;
    const struct chain *chain = chain_shown(c);
    add_edges(s, s->utf8 ? "←" : "<-", c->left,
              beyond(chain->document_count, c->left, c->matrix_columns), GLYPH_ARROW, out);
    add_edges(s, glyph_text(s, GLYPH_UP), c->top, beyond(chain->step_count, c->top, c->matrix_rows),
              GLYPH_DOWN, out);
}

/* "D  Worker supervisor, drain logic": the column under the cursor, in full. */
static void add_column(const struct chain_view *c, struct strbuf *out)
{
    const struct screen *s = &c->view.app->ui.screen;
    size_t at = chain_view_document(c);
    char letter[16];
    if (at == SIZE_MAX) {
        strbuf_addf(out, "steps %s sources", glyph_text(s, GLYPH_TIMES));
        return;
    }
    const struct chain_document *d = &chain_shown(c)->document[at];
    matrix_letter(letter, at);
    strbuf_addf(out, "%s  %s", letter, d->title ? d->title : d->id);
    if (d->status != STATUS_ACTIVE)
        strbuf_addf(out, " %s %s", glyph_text(s, GLYPH_DOT), status_name(d->status));
    if (d->changed)
        strbuf_addf(out, " %s changed since", glyph_text(s, GLYPH_DOT));
}

static void draw_rule(struct chain_view *c, const struct pane *p)
{
    unsigned flags = c->view.app->ui.screen.utf8 ? TEXT_EXACT : TEXT_EXACT | TEXT_ASCII;
    struct strbuf title = STRBUF_INIT, fitted = STRBUF_INIT, right = STRBUF_INIT;
    add_column(c, &title);
    add_beyond(c, &right);
    int room = p->width - 11 - (int)text_width(right.buf, right.len, 4096, flags);
    text_fit(&fitted, title.buf, title.len, room > 8 ? (size_t)room : 8, flags);
    paint_rule(p, 0, fitted.buf, right.buf);
    strbuf_release(&title);
    strbuf_release(&fitted);
    strbuf_release(&right);
}

/* ---- the letters ---- */

static int cell_column(const struct chain_view *c, size_t place)
{
    return c->columns.cells + (int)(place - c->left) * c->columns.pitch;
}

static bool in_view(const struct chain_view *c, size_t place)
{
    return place >= c->left && place - c->left < (size_t)c->matrix_columns;
}

static void draw_brackets(struct chain_view *c, const struct pane *p, int row, int column, int end)
{
    enum style style = c->focus == FOCUS_MATRIX ? STYLE_CURSOR : STYLE_DIM;
    paint_text(p, row, column, 1, style, "[");
    paint_text(p, row, end, 1, style, "]");
    if (c->focus != FOCUS_MATRIX)
        return;
    c->view.app->ui.screen.cursor_y = p->y + row;
    c->view.app->ui.screen.cursor_x = p->x + column;
}

static void draw_letters(struct chain_view *c, const struct pane *p, int row)
{
    const struct chain_columns *to = &c->columns;
    const struct matrix *m = &c->reading->matrix;
    paint_text(p, row, to->question, to->question_width, STYLE_HEADER, "step");
    if (to->confidence)
        paint_right(p, row, to->confidence, 4, STYLE_HEADER, "conf");
    if (to->time)
        paint_right(p, row, to->time, to->time_width, STYLE_HEADER, "time");
    for (size_t i = c->left; i < m->chain->document_count && in_view(c, i); i++) {
        char letter[16];
        int at = cell_column(c, i);
        matrix_letter(letter, m->document[i]);
        paint_right(p, row, at, 5, i == c->column ? STYLE_TITLE : STYLE_HEADER, letter);
        if (c->by_confidence)
            paint_right(p, row, at + to->pitch - 6, 5, STYLE_HEADER,
                        p->screen->utf8 ? "×conf" : "xconf");
        if (c->row == CHAIN_HEADING && i == c->column)
            draw_brackets(c, p, row, at + 4 - (int)strlen(letter), at + 5);
    }
    if (to->used)
        paint_right(p, row, to->used, 4, STYLE_HEADER, "used");
    if (c->row == CHAIN_HEADING && c->column == CHAIN_HEADING && to->question_width > 5)
        draw_brackets(c, p, row, to->question - 1, to->question + 4);
}

/* ---- a cell ---- */

/* How often a document was used: "³", "/3". */
static void add_uses(const struct screen *s, size_t uses, struct strbuf *out)
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char digits[24];
    snprintf(digits, sizeof(digits), "%zu", uses);
    if (!s->utf8)
        strbuf_addf(out, "/%s", digits);
    for (const char *d = digits; s->utf8 && *d; d++)
        strbuf_addstr(out, raised[*d - '0']);
}

/* A person's word stands beside the number, never in its place. */
static const char *word_sign(const char *word)
{
    return !word ? " " : !strcmp(word, RATING_RELEVANT) || !strcmp(word, "yes") ? "+" : "-";
}

/* The columns that it took: from the first that is no blank to behind the last. */
struct taken {
    int from, end;
};

static struct taken draw_cell(struct chain_view *c, const struct pane *p, int row, size_t step,
                              size_t place)
{
    const struct matrix *m = &c->reading->matrix;
    const struct matrix_cell *cell = matrix_at(m, step, m->document[place]);
    int at = cell_column(c, place) + 1;
    if (!cell) {
        paint_text(p, row, at + 3, 1, STYLE_DIM, glyph_text(p->screen, GLYPH_DOT));
        return (struct taken){at + 3, at + 4};
    }
    const struct chain_source *s = &m->chain->step[step].source[cell->source];
    struct strbuf text = STRBUF_INIT;
    double relevance = s->source.relevance;
    score_add(&text, relevance, s->source.origin);
    enum style style =
        STATUS_LIVES(s->status) ? score_style(relevance, s->source.origin) : STYLE_DIM;
    struct taken taken = {at + (text.buf[0] == ' '), at + SCORE_WIDTH};
    paint_text(p, row, at, SCORE_WIDTH, style, text.buf);
    if (s->rating)
        taken.end += paint_text(p, row, taken.end, 1, STYLE_MARK, word_sign(s->rating));
    strbuf_clear(&text);
    if (cell->uses > 1)
        add_uses(p->screen, cell->uses, &text);
    taken.end += paint_text(p, row, taken.end, c->columns.pitch, STYLE_DIM, text.buf);
    strbuf_release(&text);
    if (c->by_confidence) {
        char digits[8];
        int end = cell_column(c, place) + c->columns.pitch - 1;
        score_digits(digits, source_by_confidence(relevance, m->chain->step[step].confidence));
        paint_text(p, row, end - 3, 3, STYLE_GUESSED, digits);
        taken.end = end;
    }
    return taken;
}

/* ---- a step ---- */

static void draw_question(struct chain_view *c, const struct pane *p, int row,
                          const struct chain_step *s)
{
    int at = c->columns.question, room = c->columns.question_width;
    if (s->status != STATUS_ACTIVE) {
        int taken = paint_format(p, row, at, room, STYLE_DIM, "%s %s ", status_name(s->status),
                                 glyph_text(p->screen, GLYPH_DOT));
        at += taken;
        room -= taken;
    }
    const char *text = s->question && *s->question ? s->question : "no question";
    paint_matched(p, row, at, room, STATUS_LIVES(s->status) ? STYLE_TEXT : STYLE_DIM, text,
                  strlen(text), c->view.search.pattern);
}

static void draw_signs(struct chain_view *c, const struct pane *p, int row,
                       const struct chain_step *s)
{
    struct app *x = c->view.app;
    const struct detail *d = c->columns.number > 4 ? details_of(x, s->node) : NULL;
    if (marks_has(&x->ui.marks, s->node))
        paint_text(p, row, 2, 1, STYLE_MARK, "*");
    if (!STATUS_LIVES(s->status) && c->columns.number > 4)
        paint_label(p, row, 3, LABEL_GONE);
    else if (d && d->label.label < LABEL_COUNT)
        paint_label(p, row, 3, d->label.label);
    if (s->faithful)
        paint_text(p, row, c->columns.word, 1, STYLE_MARK, word_sign(s->faithful));
}

static void draw_numbers(struct chain_view *c, const struct pane *p, int row,
                         const struct chain_step *s)
{
    const struct chain_columns *to = &c->columns;
    char text[24];
    snprintf(text, sizeof(text), "%lld", (long long)s->number);
    paint_right(p, row, to->number, to->number_width, STYLE_NUMBER,
                s->number > 0 ? text : glyph_text(p->screen, GLYPH_DOT));
    snprintf(text, sizeof(text), "%.2f", s->confidence);
    if (to->confidence && s->confidence == s->confidence)
        paint_right(p, row, to->confidence, 4, STYLE_NUMBER, text);
    seconds_text(text, s->execution_time);
    if (to->time)
        paint_right(p, row, to->time, to->time_width, STYLE_AGE, text);
    snprintf(text, sizeof(text), "%zu", s->source_count);
    if (to->used)
        paint_right(p, row, to->used, 4, STYLE_DIM, text);
}

static void draw_step(struct chain_view *c, const struct pane *p, int row, size_t place)
{
    const struct matrix *m = &c->reading->matrix;
    size_t step = m->step[place];
    const struct chain_step *s = &m->chain->step[step];
    struct pane line = pane_row(p, row);
    bool selected = place == c->row;
    if (selected && c->focus == FOCUS_MATRIX) {
        line.over = STYLE_SELECTION;
        paint_clear(&line);
    }
    if (selected)
        paint_text(&line, 0, c->columns.number > 4 ? 1 : 0, 1, STYLE_CURSOR, ">");
    draw_signs(c, &line, 0, s);
    draw_numbers(c, &line, 0, s);
    draw_question(c, &line, 0, s);
    for (size_t i = c->left; i < m->chain->document_count && in_view(c, i); i++) {
        struct taken cell = draw_cell(c, &line, 0, step, i);
        if (selected && i == c->column)
            draw_brackets(c, &line, 0, cell.from - 1, cell.end);
    }
    if (selected && c->column == CHAIN_HEADING && c->focus == FOCUS_MATRIX) {
        c->view.app->ui.screen.cursor_y = line.y;
        c->view.app->ui.screen.cursor_x = line.x + (c->columns.number > 4);
    }
}

/* ---- what all steps come to ---- */

static void draw_best(struct chain_view *c, const struct pane *p, int row)
{
    const struct chain_columns *to = &c->columns;
    const struct matrix *m = &c->reading->matrix;
    struct strbuf text = STRBUF_INIT;
    char number[24];
    paint_right(p, row, to->cells - 7, 6, STYLE_HEADER, "best");
    for (size_t i = c->left; i < m->chain->document_count && in_view(c, i); i++) {
        const struct chain_document *d = &m->chain->document[m->document[i]];
        strbuf_clear(&text);
        score_add(&text, d->best, d->origin);
        paint_text(p, row, cell_column(c, i) + 1, SCORE_WIDTH, score_style(d->best, d->origin),
                   text.buf);
    }
    strbuf_release(&text);
    if (!to->confidence)
        return;
    snprintf(number, sizeof(number), "%.2f", m->confidence);
    if (m->confidence == m->confidence)
        paint_right(p, row, to->confidence, 4, STYLE_NUMBER, number);
    if (to->question_width > 4)
        paint_right(p, row, to->question, to->question_width, STYLE_HEADER, "mean");
}

/* Which signs occur here, in words. */
static void add_legend(const struct chain_view *c, struct strbuf *out)
{
    static const enum score signs[] = {SCORE_HEURISTIC, SCORE_DEFAULT, SCORE_ASSERTED};
    for (size_t i = 0; i < 3; i++)
        if (c->reading->matrix.origins & (1u << signs[i]))
            strbuf_addf(out, "%s%c %s", out->len ? "  " : "", score_sign(signs[i]),
                        score_word(signs[i]));
}

static void draw_primary(struct chain_view *c, const struct pane *p, int row)
{
    const struct matrix *m = &c->reading->matrix;
    struct strbuf legend = STRBUF_INIT;
    int room = c->columns.cells - 10;
    add_legend(c, &legend);
    paint_right(p, row, c->columns.cells - 9, 8, STYLE_HEADER, "primary");
    if (room - 5 >= (int)legend.len)
        paint_text(p, row, 5, room - 5, STYLE_DIM, legend.buf);
    for (size_t i = c->left; i < m->chain->document_count && in_view(c, i); i++)
        if (m->chain->document[m->document[i]].primary)
            paint_text(p, row, cell_column(c, i) + 3, 1, STYLE_MARK, p->screen->utf8 ? "★" : "*");
    strbuf_release(&legend);
}

/* ---- all of it ---- */

static const char *no_steps(const struct chain_view *c)
{
    return chain_shown(c)->state == CHAIN_RUNNING ? "no step yet: it has just begun"
                                                  : "it has no steps";
}

void chain_view_draw_matrix(struct chain_view *c)
{
    const struct pane *p = &c->panes.matrix;
    const struct chain *chain = chain_shown(c);
    int row = 1, left = c->matrix_rows;
    if (p->height < 1)
        return;
    draw_rule(c, p);
    if (c->has_letters)
        draw_letters(c, p, row++);
    if (chain->step_count == 0)
        paint_text(p, row++, 5, p->width - 6, STYLE_DIM, no_steps(c));
    for (size_t i = c->top; i < chain->step_count && left > 0; i++, left--)
        draw_step(c, p, row++, i);
    if (c->has_best)
        draw_best(c, p, row++);
    if (c->has_primary)
        draw_primary(c, p, row);
}
