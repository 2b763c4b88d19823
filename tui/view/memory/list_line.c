#include "tui/view/memory/list_line.h"

#include <string.h>
#include "model/base/strbuf.h"
#include "store/record/get.h"
#include "tui/explorer/app.h"
#include "tui/explorer/changes.h"
#include "tui/render/facts.h"

struct list_line line_begin(struct view *v, const struct pane *pane, bool names, int at,
                            const char *pattern)
{
    bool own = v->search.pattern[0] || !pattern;
    return (struct list_line){v, pane, names, at, pane->width, own ? v->search.pattern : pattern};
}

const struct memory_row *line_memory(const struct list_line *l, int64_t node, int label)
{
    struct app *x = l->view->app;
    const struct memory_row *m = details_row(x, node);
    const struct detail *d = details_of(&x->details, node);
    ui_draw_mark(&x->ui, l->pane, 0, 2, node);
    if (m && label)
        line_label(l->pane, label, m, d);
    return m;
}

void line_label(const struct pane *pane, int column, const struct memory_row *m,
                const struct detail *d)
{
    int sign = sign_of_memory(m ? m->status : STATUS_ACTIVE, d ? d->label.label : LABEL_COUNT);
    if (sign != LABEL_COUNT)
        paint_label(pane, 0, column, sign);
}

int paint_flags(const struct pane *pane, int row, int column, unsigned flags)
{
    int at = column;
    for (int i = 0; i < ROW_FLAGS; i++)
        if (flags >> i & 1)
            paint_label(pane, row, at++, SIGN_APPROVED + i);
    return at - column;
}

void line_change_sign(const struct list_line *l, int column, const struct memory_row *m)
{
    changes_draw_sign(l->view->app, l->pane, column, m);
}

void line_cell(struct list_line *l, int width, const char *name, enum style style, const char *text)
{
    bool last = width >= l->end - l->at - 1;
    if (l->names && last && width > 0)
        heading_draw_last(l->view, l->pane, name, l->at, l->end - l->at);
    width = last ? width : column_width(l->view, name, width);
    if (l->names && !last)
        heading_draw(l->view, l->pane, name, NULL, l->at, width, false);
    if (width <= 0)
        return;
    int at = l->at + column_shift(l->view, name), room = width < l->end - at ? width : l->end - at;
    if (!l->names && text && room > 0)
        paint_name(l->pane, at, room, style, text, l->pattern);
    l->at += width + 2;
}

void line_sign(const struct list_line *l)
{
    if (l->names)
        heading_draw_last(l->view, l->pane, "sign", l->at - 5, 4);
}

static void line_shown(struct list_line *l, int width, const char *name, const char *shown,
                       enum style style, const char *text)
{
    width = column_width(l->view, name, width);
    if (l->names)
        heading_draw(l->view, l->pane, name, shown, l->at, width, true);
    if (width <= 0)
        return;
    if (!l->names && text)
        paint_right(l->pane, 0, l->at + column_shift(l->view, name), width, style, text);
    l->at += width + 2;
}

void line_right(struct list_line *l, int width, const char *name, enum style style,
                const char *text)
{
    line_shown(l, width, name, name, style, text);
}

void line_number(struct list_line *l, int width, const char *name, enum style style, int64_t n)
{
    char text[24];
    snprintf(text, sizeof(text), "%lld", (long long)n);
    line_right(l, width, name, style, text);
}

int line_when_width(const struct list_line *l)
{
    return l->view->ui->prefs->exact_times ? 19 : 4;
}

void line_when(struct list_line *l, const char *name, const char *exact, int64_t at)
{
    struct page_options options = ages_options(l->view->ui);
    char when[40];
    facts_when(when, sizeof(when), at, &options);
    line_shown(l, line_when_width(l), name, l->view->ui->prefs->exact_times ? exact : name,
               STYLE_AGE, at > 0 ? when : NULL);
}

void line_ref(struct list_line *l, int width, const char *name, const struct memory_row *m)
{
    AUTO_STRBUF ref = STRBUF_INIT;
    const char *pattern = l->pattern;
    if (m)
        details_ref(l->view->app, m, &ref);
    l->pattern = NULL;
    line_cell(l, width, name, STYLE_REF, m ? ref.buf : NULL);
    l->pattern = pattern;
}

void line_text(const struct list_line *l, const char *name, enum style style, const char *text)
{
    size_t len = text ? strlen(text) : 0;
    if (l->names) {
        heading_draw_last(l->view, l->pane, name, l->at, l->end - l->at);
        return;
    }
    size_t from = len ? paint_skip(l->pane, text, len, l->view->pan) : 0;
    if (from < len && l->at < l->end - 1)
        paint_matched(l->pane, 0, l->at, l->end - l->at - 1, style, text + from, len - from,
                      l->pattern);
}

void line_heading(const struct pane *row, const char *name, size_t count, const char *about)
{
    int at = 3 + paint_text(row, 0, 3, 30, STYLE_RULE_TITLE, name) + 1;
    at += paint_format(row, 0, at, 12, STYLE_NUMBER, "%zu", count) + 2;
    paint_text(row, 0, at, row->width - at - 1, STYLE_DIM, about);
}
