/* Draws the matrix of steps and documents, the list of sources, and the header of a chain. */
#include <string.h>
#include "model/base/strbuf.h"
#include "model/memory/memory.h"
#include "tui/text/style.h"
#include "tui/text/text.h"
#include "tui/view/chain/chain_view.h"
#include "tui/render/chain_page.h"
#include "tui/render/facts.h"

/* ---- the rule above it ---- */

void chain_view_add_more(const struct chain_view *c, size_t count, const char *arrow,
                         struct strbuf *out)
{
    const char *dot = glyph_text(&c->page.view.ui->screen, GLYPH_DOT);
    if (count && out->len)
        strbuf_addf(out, " %s ", dot);
    if (count)
        strbuf_addf(out, "%zu more %s", count, arrow);
}

static size_t beyond(size_t count, size_t from, int shown)
{
    size_t left = count > from ? count - from : 0;
    return left > (size_t)shown ? left - (size_t)shown : 0;
}

/* The full name of the column under the cursor: "D  Worker supervisor, drain logic". */
static void add_column(const struct chain_view *c, struct strbuf *out)
{
    const struct screen *s = &c->page.view.ui->screen;
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
        strbuf_addf(out, " %s %s", glyph_text(s, GLYPH_DOT), status_word(d->status));
    if (d->changed)
        strbuf_addf(out, " %s changed since", glyph_text(s, GLYPH_DOT));
    if (d->retrieval != STATUS_ACTIVE)
        strbuf_addf(out, " %s retrieval %s", glyph_text(s, GLYPH_DOT), status_word(d->retrieval));
}

static void draw_rule(struct chain_view *c, const struct pane *p)
{
    bool utf8 = p->screen->utf8;
    unsigned flags = utf8 ? TEXT_EXACT : TEXT_EXACT | TEXT_ASCII;
    AUTO_STRBUF title = STRBUF_INIT, fitted = STRBUF_INIT, right = STRBUF_INIT;
    add_column(c, &title);
    chain_view_add_more(c, c->left, utf8 ? "←" : "<-", &right);
    chain_view_add_more(c, beyond(chain_documents(c), c->left, c->at.matrix_columns),
                        glyph_text(p->screen, GLYPH_ARROW), &right);
    chain_view_add_more(c, c->top, glyph_text(p->screen, GLYPH_UP), &right);
    chain_view_add_more(c, beyond(chain_steps(c), c->top, c->at.matrix_rows),
                        glyph_text(p->screen, GLYPH_DOWN), &right);
    int room = p->width - 11 - (int)text_width(right.buf, right.len, 4096, flags);
    text_fit(&fitted, title.buf, title.len, room > 8 ? (size_t)room : 8, flags);
    paint_rule(p, 0, fitted.buf, right.buf);
}

static const char *primary_sign(const struct screen *s)
{
    return s->speaks ? "primary" : s->utf8 ? "★" : "*";
}

/* ---- the letters ---- */

static int cell_column(const struct chain_view *c, size_t place)
{
    return c->at.cells + (int)(place - c->left) * c->at.pitch;
}

static bool in_view(const struct chain_view *c, size_t place)
{
    return place >= c->left && place - c->left < (size_t)c->at.matrix_columns;
}

static void draw_brackets(struct chain_view *c, const struct pane *p, int row, int column, int end)
{
    enum style style = c->focus == FOCUS_MATRIX ? STYLE_CURSOR : STYLE_DIM;
    if (!p->screen->speaks) {
        paint_text(p, row, column, 1, style, "[");
        paint_text(p, row, end, 1, style, "]");
    }
    if (c->focus != FOCUS_MATRIX)
        return;
    c->page.view.ui->screen.cursor_y = p->y + row;
    c->page.view.ui->screen.cursor_x = p->x + column;
}

static void draw_letters(struct chain_view *c, const struct pane *p, int row)
{
    const struct chain_layout *to = &c->at;
    const struct matrix *m = chain_matrix(c);
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

/* Appends the number of uses: "³", "/3". */
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

/* A judgement is shown next to the number, never instead of it: a person's, or else another's, dim.
 * Returns the columns that it takes. */
static int paint_sign(const struct pane *p, int row, int at, const struct judgement j[JUDGES])
{
    const char *word = NULL;
    for (int judge = 0; judge < JUDGES && !word; judge++)
        word = j[judge].word;
    if (!word)
        return 0;
    bool good = !strcmp(word, RATING_RELEVANT) || !strcmp(word, "yes");
    const char *sign = p->screen->speaks ? word : good ? "+" : "-";
    return paint_text(p, row, at, 1, j[JUDGE_PERSON].word ? STYLE_MARK : STYLE_DIM, sign);
}

/* The columns with ink, from the first to after the last. */
struct taken {
    int from, end;
};

/* "B .95": a screen reader does not see under which letter a number stands. */
static void speak_cell(const struct pane *p, int row, int at, size_t document, const char *what)
{
    char letter[16], text[40];
    matrix_letter(letter, document);
    snprintf(text, sizeof(text), "%s %s", letter, what + (*what == ' '));
    paint_spoken_as(p, row, at, SCORE_WIDTH, STYLE_NUMBER, text);
}

static struct taken draw_cell(struct chain_view *c, const struct pane *p, int row, size_t step,
                              size_t place)
{
    const struct matrix *m = chain_matrix(c);
    size_t uses;
    const struct chain_source *s = matrix_at(m, step, m->document[place], &uses);
    int at = cell_column(c, place) + 1;
    if (!s) {
        if (!p->screen->speaks)
            paint_text(p, row, at + 3, 1, STYLE_DIM, glyph_text(p->screen, GLYPH_DOT));
        else if (c->row < chain_steps(c) && m->step[c->row] == step && c->column == place)
            speak_cell(p, row, at, m->document[place], "not used");
        return (struct taken){at + 3, at + 4};
    }
    AUTO_STRBUF text = STRBUF_INIT;
    double relevance = s->source.relevance;
    score_add(&text, relevance, s->source.origin);
    enum style style =
        STATUS_LIVES(s->status) ? score_style(relevance, s->source.origin) : STYLE_DIM;
    struct taken taken = {at + (text.buf[0] == ' '), at + SCORE_WIDTH};
    if (p->screen->speaks)
        speak_cell(p, row, at, m->document[place], text.buf);
    else
        paint_text(p, row, at, SCORE_WIDTH, style, text.buf);
    taken.end += paint_sign(p, row, taken.end, s->rating);
    strbuf_clear(&text);
    if (uses > 1)
        add_uses(p->screen, uses, &text);
    taken.end += paint_text(p, row, taken.end, c->at.pitch, STYLE_DIM, text.buf);
    if (c->by_confidence) {
        char digits[8];
        int end = cell_column(c, place) + c->at.pitch - 1;
        score_digits(digits, relevance * m->chain->step[step].confidence);
        paint_text(p, row, end - 3, 3, STYLE_GUESSED, digits);
        taken.end = end;
    }
    return taken;
}

/* ---- a step ---- */

/* Draws the text of a step or document, after its status. */
static void draw_words(struct chain_view *c, const struct pane *line, int at, int room,
                       enum status status, bool stands, const char *text)
{
    if (status != STATUS_ACTIVE) {
        int taken = paint_format(line, 0, at, room, STYLE_DIM, "%s %s ", status_word(status),
                                 glyph_text(line->screen, GLYPH_DOT));
        at += taken;
        room -= taken;
    }
    paint_matched(line, 0, at, room, stands ? STYLE_TEXT : STYLE_DIM, text, strlen(text),
                  c->page.view.search.pattern);
}

static void draw_signs(struct chain_view *c, const struct pane *p, int row,
                       const struct chain_step *s)
{
    struct app *x = c->page.view.app;
    const struct detail *d = c->at.number > 4 ? details_of(&x->details, s->node) : NULL;
    ui_draw_mark(&x->ui, p, row, 2, s->node);
    if (!STATUS_LIVES(s->status) && c->at.number > 4)
        paint_label(p, row, 3, LABEL_ENDED);
    else if (d && d->label.label < LABEL_COUNT)
        paint_label(p, row, 3, d->label.label);
    paint_sign(p, row, c->at.word, s->faithful);
}

static void draw_numbers(struct chain_view *c, const struct pane *p, int row,
                         const struct chain_step *s)
{
    const struct chain_layout *to = &c->at;
    char text[24];
    snprintf(text, sizeof(text), "%lld", (long long)s->number);
    paint_right(p, row, to->number, to->number_width, STYLE_NUMBER,
                s->number > 0 ? text : glyph_text(p->screen, GLYPH_DOT));
    snprintf(text, sizeof(text), "%.2f", s->effective);
    if (to->confidence && s->effective == s->effective)
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
    const struct matrix *m = chain_matrix(c);
    size_t step = m->step[place];
    const struct chain_step *s = &m->chain->step[step];
    struct pane line = pane_row(p, row);
    bool selected = place == c->row;
    if (selected && c->focus == FOCUS_MATRIX) {
        line.over = STYLE_SELECTION;
        paint_clear(&line);
    }
    if (selected)
        paint_text(&line, 0, c->at.number > 4 ? 1 : 0, 1, STYLE_CURSOR, ">");
    draw_signs(c, &line, 0, s);
    draw_numbers(c, &line, 0, s);
    draw_words(c, &line, c->at.question, c->at.question_width, s->status, label_stands(s->label),
               s->question && *s->question ? s->question : "no question");
    for (size_t i = c->left; i < m->chain->document_count && in_view(c, i); i++) {
        struct taken cell = draw_cell(c, &line, 0, step, i);
        if (selected && i == c->column)
            draw_brackets(c, &line, 0, cell.from - 1, cell.end);
    }
    if (selected && c->column == CHAIN_HEADING && c->focus == FOCUS_MATRIX) {
        c->page.view.ui->screen.cursor_y = line.y;
        c->page.view.ui->screen.cursor_x = line.x + (c->at.number > 4);
    }
}

/* ---- totals ---- */

/* The signs next to numbers that occur. */
static void add_number_signs(const struct chain_view *c, const struct screen *s, struct strbuf *out)
{
    const struct matrix *m = chain_matrix(c);
    if (m->rated)
        strbuf_addstr(out, "+ - rated");
    if (m->most_uses > 1) {
        strbuf_addstr(out, out->len ? "  " : "");
        add_uses(s, 2, out);
        strbuf_addstr(out, " two passages");
    }
}

static void draw_number_signs(const struct chain_view *c, const struct pane *p, int row)
{
    AUTO_STRBUF signs = STRBUF_INIT;
    int room = c->at.question + c->at.question_width - 6 - 5;
    add_number_signs(c, p->screen, &signs);
    if (signs.len && room >= (int)text_width(signs.buf, signs.len, 100, 0))
        paint_text(p, row, 5, room, STYLE_DIM, signs.buf);
}

static void draw_best(struct chain_view *c, const struct pane *p, int row)
{
    const struct chain_layout *to = &c->at;
    const struct matrix *m = chain_matrix(c);
    AUTO_STRBUF text = STRBUF_INIT;
    char number[24];
    paint_right(p, row, to->cells - 7, 6, STYLE_HEADER, "best");
    for (size_t i = c->left; i < m->chain->document_count && in_view(c, i); i++) {
        const struct chain_document *d = &m->chain->document[m->document[i]];
        strbuf_clear(&text);
        score_add(&text, d->best, d->origin);
        paint_text(p, row, cell_column(c, i) + 1, SCORE_WIDTH, score_style(d->best, d->origin),
                   text.buf);
    }
    draw_number_signs(c, p, row);
    if (!to->confidence)
        return;
    snprintf(number, sizeof(number), "%.2f", m->confidence);
    if (m->confidence == m->confidence)
        paint_right(p, row, to->confidence, 4, STYLE_NUMBER, number);
    if (to->question_width > 4)
        paint_right(p, row, to->question, to->question_width, STYLE_HEADER, "mean");
}

/* A legend of the signs that occur. */
static void add_legend(const struct chain_view *c, struct strbuf *out)
{
    static const enum score signs[] = {SCORE_HEURISTIC, SCORE_DEFAULT, SCORE_ASSERTED};
    for (size_t i = 0; i < 3; i++)
        if (chain_matrix(c)->origins & (1u << signs[i]))
            strbuf_addf(out, "%s%c %s", out->len ? "  " : "", score_sign(signs[i]),
                        score_word(signs[i]));
}

static void draw_primary(struct chain_view *c, const struct pane *p, int row)
{
    const struct matrix *m = chain_matrix(c);
    AUTO_STRBUF legend = STRBUF_INIT;
    int room = c->at.cells - 10;
    add_legend(c, &legend);
    paint_right(p, row, c->at.cells - 9, 8, STYLE_HEADER, "primary");
    if (room - 5 >= (int)legend.len)
        paint_text(p, row, 5, room - 5, STYLE_DIM, legend.buf);
    for (size_t i = c->left; i < m->chain->document_count && in_view(c, i); i++)
        if (m->chain->document[m->document[i]].primary)
            paint_text(p, row, cell_column(c, i) + 3, 1, STYLE_MARK, primary_sign(p->screen));
}

/* ---- the matrix ---- */

void chain_view_draw_matrix(struct chain_view *c)
{
    const struct pane *p = &c->at.matrix;
    const struct chain *chain = chain_shown(c);
    int row = 1, left = c->at.matrix_rows;
    if (p->height < 1)
        return;
    draw_rule(c, p);
    if (c->at.has_letters)
        draw_letters(c, p, row++);
    if (chain->step_count == 0)
        paint_text(p, row++, 5, p->width - 6, STYLE_DIM,
                   chain_shown(c)->state == CHAIN_RUNNING ? "no step yet: it has just started"
                                                          : "it has no steps");
    for (size_t i = c->top; i < chain->step_count && left > 0; i++, left--)
        draw_step(c, p, row++, i);
    if (c->at.has_best)
        draw_best(c, p, row++);
    if (c->at.has_primary)
        draw_primary(c, p, row);
}

/* The list of sources: each document once, in the order of the matrix's columns. */

#define BAR 10

/* Draws facts at the right of a source, as many as fit. Returns the column where they begin. */
static int draw_facts(struct chain_view *c, const struct pane *line, const struct chain_document *d)
{
    AUTO_STRBUF score = STRBUF_INIT, bar = STRBUF_INIT, steps = STRBUF_INIT;
    enum style style = score_style(d->best, d->origin);
    score_add(&score, d->best, d->origin);
    score_bar(&bar, line->screen->utf8, d->best, d->origin, BAR);
    strbuf_addf(&steps, "%4zu step%s", d->steps, d->steps == 1 ? "" : "s");
    const struct {
        int width, from;
        enum style style;
        const char *text;
    } columns[] = {
        {chain_reading_of(c)->changed ? 13 : 0, 48, STYLE_CHIP, d->changed ? "changed since" : ""},
        {9, 58, STYLE_DIM, score_word(d->origin)},
        {SCORE_WIDTH, 0, style, score.buf},
        {BAR, 100, style, bar.buf},
        {10, 52, STYLE_DIM, steps.buf},
        {20, 118, STYLE_REF, d->title ? d->id : ""}};
    int end = line->width - 1;
    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
        if (!columns[i].width || line->width < columns[i].from)
            continue;
        end -= columns[i].width + 2;
        if (columns[i].style == STYLE_REF)
            paint_name(line, end + 2, columns[i].width, STYLE_REF, columns[i].text,
                       c->page.view.search.pattern);
        else
            paint_text(line, 0, end + 2, columns[i].width, columns[i].style, columns[i].text);
    }
    return end;
}

static void draw_document(struct chain_view *c, const struct pane *p, int row, size_t place)
{
    struct ui *ui = c->page.view.ui;
    size_t number = chain_matrix(c)->document[place];
    const struct chain_document *d = &chain_shown(c)->document[number];
    struct pane line = pane_row(p, row);
    bool selected = place == c->column;
    int width = chain_reading_of(c)->letter_width;
    char letter[16];
    if (selected && c->focus == FOCUS_SOURCES) {
        line.over = STYLE_SELECTION;
        paint_clear(&line);
        ui->screen.cursor_y = line.y;
        ui->screen.cursor_x = line.x + 1;
    }
    if (selected)
        paint_text(&line, 0, 1, 1, STYLE_CURSOR, ">");
    ui_draw_mark(ui, &line, 0, 2, d->node);
    matrix_letter(letter, number);
    paint_text(&line, 0, 3, width, STYLE_NUMBER, letter);
    if (d->primary)
        paint_text(&line, 0, width + 4, 1, STYLE_MARK, primary_sign(line.screen));
    draw_words(c, &line, width + 6, draw_facts(c, &line, d) - width - 6, d->status,
               STATUS_LIVES(d->status), d->title ? d->title : d->id);
}

static void chain_sources_draw_rule(struct chain_view *c, const struct pane *p, size_t shown)
{
    const struct screen *s = p->screen;
    const struct chain *chain = chain_shown(c);
    AUTO_STRBUF right = STRBUF_INIT, title = STRBUF_INIT;
    const char *dot = glyph_text(s, GLYPH_DOT);
    strbuf_addf(&title, "sources by %s", document_order_name(c->orders.documents));
    strbuf_addf(&right, "%zu document%s %s %zu primary", chain->document_count,
                chain->document_count == 1 ? "" : "s", dot, chain_reading_of(c)->primary);
    chain_view_add_more(c, c->source_top, glyph_text(s, GLYPH_UP), &right);
    chain_view_add_more(c, chain->document_count - c->source_top - shown, glyph_text(s, GLYPH_DOWN),
                        &right);
    paint_rule(p, 0, title.buf, right.buf);
}

void chain_view_draw_sources(struct chain_view *c)
{
    const struct pane *p = &c->at.sources;
    const struct chain *chain = chain_shown(c);
    if (p->height < 1)
        return;
    size_t rows = (size_t)p->height - 1, left = chain->document_count - c->source_top;
    size_t shown = left < rows ? left : rows;
    chain_sources_draw_rule(c, p, shown);
    if (chain->document_count == 0)
        paint_text(p, 1, 3, p->width - 4, STYLE_DIM, "no step used a source");
    for (size_t i = 0; i < shown; i++)
        draw_document(c, p, (int)i + 1, c->source_top + i);
}

/* The header above the matrix: question, answer, agent and time. */

#define PROSE 120 /* most columns; longer lines are hard to read */

/* Adds at most `lines` lines; the last one tells if there is more. */
static void put_text(struct page *s, const struct screen *screen, enum style style,
                     const char *text, int width, int lines)
{
    size_t shown = page_wrap(s, 1, width, style, text, (size_t)lines, false);
    if (shown < strlen(text) && s->count > 0)
        page_format(s, width + 1, 2, STYLE_DIM, "%s", glyph_text(screen, GLYPH_ELLIPSIS));
}

/* The last write of the chain or its steps. Adding a step does not change the chain itself. */
static int64_t last_written(const struct chain *chain)
{
    int64_t last = chain->updated_at;
    for (size_t i = 0; i < chain->step_count; i++)
        if (chain->step[i].created_at > last)
            last = chain->step[i].created_at;
    return last;
}

/* "by ash, 3w ago · decomposition" */
static void add_origin(const struct chain_view *c, struct strbuf *out)
{
    const struct chain *chain = chain_shown(c);
    struct app *x = c->page.view.app;
    const char *dot = glyph_text(&x->ui.screen, GLYPH_DOT);
    struct page_options options = ages_options(&x->ui);
    char when[32];
    AUTO_ARENA arena = ARENA_INIT;
    const char *agent = agent_label(&arena, chain->agent_id, chain->claimed);
    strbuf_addstr(out, "by ");
    text_add(out, agent ? agent : "unknown", TEXT_EXACT);
    if (chain->created_at > 0) {
        facts_when(when, sizeof(when), chain->created_at, &options);
        strbuf_addf(out, ", %s%s", when,
                    x->prefs.exact_times || !strcmp(when, "now") ? "" : " ago");
    }
    if (chain->strategy && *chain->strategy)
        strbuf_addf(out, " %s strategy %s", dot, chain->strategy);
    if (chain->status != STATUS_ACTIVE)
        strbuf_addf(out, " %s %s", dot, status_word(chain->status));
    if (chain->state == CHAIN_RUNNING && last_written(chain) > 0) {
        facts_when(when, sizeof(when), last_written(chain), &options);
        strbuf_addf(out, " %s last written %s%s", dot, when,
                    x->prefs.exact_times || !strcmp(when, "now") ? "" : " ago");
    }
}

void chain_view_lay_header(struct chain_view *c, int width, int lines)
{
    const struct chain *chain = chain_shown(c);
    const struct screen *screen = &c->page.view.ui->screen;
    struct page *s = &c->header;
    int room = width - 12 < PROSE ? width - 12 : PROSE;
    int most = lines < 16 ? 1 : lines < 40 ? 2 : 3;
    const char *question = chain->question && *chain->question ? chain->question : "no question";
    room = room < 8 ? width - 2 : room;
    page_clear(s, width);
    put_text(s, screen, STYLE_TITLE, question, room, most);
    if (chain->effective == chain->effective && width >= 20 && s->count > 0) {
        char number[16];
        snprintf(number, sizeof(number), "%.2f", chain->effective);
        struct span span = {
            .text = number, .column = -6, .width = 5, .style = STYLE_NUMBER, .right = true};
        page_put_at(s, 0, &span);
    }
    if (chain->answer && *chain->answer)
        put_text(s, screen, STYLE_TEXT, chain->answer, room, most);
    else if (page_line(s))
        page_put(s, 1, 0, STYLE_DIM,
                 chain->state == CHAIN_RUNNING     ? "no answer yet: it is still running"
                 : chain->state == CHAIN_ABANDONED ? "no answer: it was abandoned"
                                                   : "the answer is empty");
    if (lines < 16)
        return;
    page_line(s);
    AUTO_STRBUF origin = STRBUF_INIT;
    add_origin(c, &origin);
    page_put(s, 1, 0, STYLE_DIM, origin.buf);
}
