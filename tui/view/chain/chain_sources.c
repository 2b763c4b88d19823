/* The sources of a chain, each document once, in the order of the matrix's columns. */
#include "tui/view/chain/chain_view.h"

#include <string.h>
#include "model/base/strbuf.h"
#include "tui/text/score.h"

#define BAR 10

/* Where each column of the list begins; 0: it is not shown. */
struct source_columns {
    int letter, letter_width, primary, title, title_width, id, id_width;
    int steps, bar, score, origin, changed;
};

static bool any_changed(const struct chain *chain)
{
    for (size_t i = 0; i < chain->document_count; i++)
        if (chain->document[i].changed)
            return true;
    return false;
}

static int longest_letter(const struct chain *chain)
{
    char letter[16];
    matrix_letter(letter, chain->document_count ? chain->document_count - 1 : 0);
    return (int)strlen(letter);
}

/* What is least telling gives way first; the title keeps at least 24 columns, and 34 beside an id. */
static struct source_columns fit(const struct chain_view *c, int width)
{
    const struct chain *chain = chain_shown(c);
    struct source_columns to = {.letter = 3, .letter_width = longest_letter(chain)};
    struct {
        int *at, width;
    } behind[] = {{&to.id, 20},   {&to.steps, 10}, {&to.bar, BAR},
                  {&to.score, 4}, {&to.origin, 9}, {&to.changed, any_changed(chain) ? 13 : 0}};
    static const int drop[] = {0, 2, 4, 1, 5};
    to.primary = to.letter + to.letter_width + 1;
    to.title = to.primary + 2;
    int taken = 1;
    for (size_t i = 0; i < 6; i++)
        taken += behind[i].width ? behind[i].width + 2 : 0;
    for (size_t i = 0; i < 5 && width - to.title - taken < (i == 0 ? 34 : 24); i++) {
        taken -= behind[drop[i]].width ? behind[drop[i]].width + 2 : 0;
        behind[drop[i]].width = 0;
    }
    to.title_width = width - to.title - taken;
    int at = to.title + to.title_width;
    for (size_t i = 0; i < 6; i++) {
        if (behind[i].width == 0)
            continue;
        *behind[i].at = at + 2;
        at += behind[i].width + 2;
    }
    to.id_width = behind[0].width;
    return to;
}

static void draw_title(struct chain_view *c, const struct source_columns *to,
                       const struct pane *line, const struct chain_document *d)
{
    int at = to->title, room = to->title_width;
    if (d->status != STATUS_ACTIVE) {
        int taken = paint_format(line, 0, at, room, STYLE_DIM, "%s %s ", status_name(d->status),
                                 glyph_text(line->screen, GLYPH_DOT));
        at += taken;
        room -= taken;
    }
    const char *text = d->title ? d->title : d->id;
    paint_matched(line, 0, at, room, STATUS_LIVES(d->status) ? STYLE_TEXT : STYLE_DIM, text,
                  strlen(text), c->view.search.pattern);
    if (to->id && d->title)
        paint_name(line, 0, to->id, to->id_width, STYLE_REF, d->id, c->view.search.pattern);
}

static void draw_score(const struct source_columns *to, const struct pane *line,
                       const struct chain_document *d)
{
    struct strbuf text = STRBUF_INIT;
    if (to->steps)
        paint_format(line, 0, to->steps, 10, STYLE_DIM, "%4zu step%s", d->steps,
                     d->steps == 1 ? "" : "s");
    if (to->bar) {
        score_bar(&text, line->screen->utf8, d->best, d->origin, BAR);
        paint_text(line, 0, to->bar, BAR, score_style(d->best, d->origin), text.buf);
    }
    strbuf_clear(&text);
    score_add(&text, d->best, d->origin);
    paint_text(line, 0, to->score, SCORE_WIDTH, score_style(d->best, d->origin), text.buf);
    if (to->origin)
        paint_text(line, 0, to->origin, 9, STYLE_DIM, score_word(d->origin));
    if (to->changed && d->changed)
        paint_text(line, 0, to->changed, 13, STYLE_CHIP, "changed since");
    strbuf_release(&text);
}

static void draw_document(struct chain_view *c, const struct source_columns *to,
                          const struct pane *p, int row, size_t place)
{
    struct app *x = c->view.app;
    const struct matrix *m = &c->reading->matrix;
    const struct chain_document *d = &m->chain->document[m->document[place]];
    struct pane line = pane_row(p, row);
    bool selected = place == c->column;
    char letter[16];
    if (selected && c->focus == FOCUS_SOURCES) {
        line.over = STYLE_SELECTION;
        paint_clear(&line);
        x->ui.screen.cursor_y = line.y;
        x->ui.screen.cursor_x = line.x + 1;
    }
    if (selected)
        paint_text(&line, 0, 1, 1, STYLE_CURSOR, ">");
    if (marks_has(&x->ui.marks, d->node))
        paint_text(&line, 0, 2, 1, STYLE_MARK, "*");
    matrix_letter(letter, m->document[place]);
    paint_text(&line, 0, to->letter, to->letter_width, STYLE_NUMBER, letter);
    if (d->primary)
        paint_text(&line, 0, to->primary, 1, STYLE_MARK, line.screen->utf8 ? "★" : "*");
    draw_title(c, to, &line, d);
    draw_score(to, &line, d);
}

static size_t count_primary(const struct chain *chain)
{
    size_t count = 0;
    for (size_t i = 0; i < chain->document_count; i++)
        count += chain->document[i].primary;
    return count;
}

static void draw_rule(struct chain_view *c, const struct pane *p, size_t shown)
{
    const struct screen *s = p->screen;
    const struct chain *chain = chain_shown(c);
    struct strbuf right = STRBUF_INIT, title = STRBUF_INIT;
    const char *dot = glyph_text(s, GLYPH_DOT);
    size_t below = chain->document_count - c->source_top - shown;
    strbuf_addf(&title, "sources by %s", document_order_name(c->orders.documents));
    strbuf_addf(&right, "%zu document%s %s %zu primary", chain->document_count,
                chain->document_count == 1 ? "" : "s", dot, count_primary(chain));
    if (c->source_top)
        strbuf_addf(&right, " %s %zu more %s", dot, c->source_top, glyph_text(s, GLYPH_UP));
    if (below)
        strbuf_addf(&right, " %s %zu more %s", dot, below, glyph_text(s, GLYPH_DOWN));
    paint_rule(p, 0, title.buf, right.buf);
    strbuf_release(&right);
    strbuf_release(&title);
}

void chain_view_draw_sources(struct chain_view *c)
{
    const struct pane *p = &c->panes.sources;
    const struct chain *chain = chain_shown(c);
    if (p->height < 1)
        return;
    size_t rows = (size_t)p->height - 1, left = chain->document_count - c->source_top;
    size_t shown = left < rows ? left : rows;
    struct source_columns to = fit(c, p->width);
    draw_rule(c, p, shown);
    if (chain->document_count == 0)
        paint_text(p, 1, 3, p->width - 4, STYLE_DIM, "no step used a source");
    for (size_t i = 0; i < shown; i++)
        draw_document(c, &to, p, (int)i + 1, c->source_top + i);
}
