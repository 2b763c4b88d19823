#include "tui/view/retrievals_view.h"

#include "model/base/strbuf.h"
#include "tui/view/memory/facts_sheet.h"
#include "tui/text/text.h"

/* ---- where things stand ---- */

/* "count  first  ▁▂▅  last  name": each group's timeline stands between its ends. */
struct group_columns retrievals_fit(const struct app *x, int width)
{
    struct group_columns c = {.when_width = x->prefs.exact_times ? 19 : 4};
    int at = 5, ends = 2 * c.when_width + 3;
    c.count = at;
    at += 9;
    c.times_width = width / 3 < TIMES_BUCKETS ? width / 3 : TIMES_BUCKETS;
    if (width - at - ends - c.times_width < 22)
        c.times_width = 0;
    if (width - at - ends >= 18) {
        c.first = at;
        c.times = c.times_width ? c.first + c.when_width + 1 : 0;
        c.last = c.first + c.when_width + 1 + (c.times ? c.times_width + 1 : 0);
        at = c.last + c.when_width + 2;
    } else if (width - at - c.when_width >= 18) {
        c.last = at;
        at += c.when_width + 2;
    }
    c.name = at;
    return c;
}

const char *retrievals_group_said(const struct retrievals *group)
{
    return group->shown && *group->shown ? group->shown : "(none)";
}

/* ---- drawing ---- */

void retrievals_draw_header(struct view *v, const struct pane *p)
{
    struct retrievals_view *l = retrievals_of_view(v);
    const struct group_columns *c = &l->columns;
    paint_right(p, 0, c->count, 7, STYLE_HEADER, "count");
    if (c->first)
        paint_right(p, 0, c->first, c->when_width, STYLE_HEADER,
                    c->when_width > 5 ? "first" : "from");
    if (c->times)
        paint_text(p, 0, c->times, c->times_width, STYLE_HEADER, "when");
    if (c->last)
        paint_text(p, 0, c->last, c->when_width, STYLE_HEADER, "last");
    paint_text(p, 0, c->name, p->width - c->name, STYLE_HEADER, retrieval_group_name(l->by));
}

static void draw_when(struct retrievals_view *l, const struct pane *row, int column, int64_t at,
                      bool suspect, bool right)
{
    struct app *x = l->view.app;
    struct facts_look look = ages_look(x);
    enum style style = suspect ? STYLE_UNGROUNDED : STYLE_AGE;
    int width = l->columns.when_width;
    char when[32];
    facts_when(when, sizeof(when), at, &look);
    if (suspect && !x->prefs.exact_times)
        snprintf(when, sizeof(when), "?");
    if (right)
        paint_right(row, 0, column, width, style, when);
    else
        paint_text(row, 0, column, width, style, when);
}

static void draw_group(struct retrievals_view *l, const struct pane *row, size_t index)
{
    const struct group_columns *c = &l->columns;
    const struct retrievals *g = &l->set->group[index];
    bool suspect = g->suspect == g->count;
    struct timeline t;
    int room = row->width - c->name - 1;
    paint_text(row, 0, 3, 1, STYLE_DIM,
               glyph_text(row->screen, l->set->rows[index].row ? GLYPH_OPEN : GLYPH_FOLDED));
    if (view_name_id(g->name) == l->view.app->remote.touched)
        paint_text(row, 0, 2, 1, STYLE_CHIP, "!");
    char number[32];
    snprintf(number, sizeof(number), "%lld", (long long)g->count);
    paint_right(row, 0, c->count, 7, STYLE_NUMBER, number);
    if (c->first)
        draw_when(l, row, c->first, g->first, suspect, true);
    if (c->last)
        draw_when(l, row, c->last, g->last, suspect, !c->times);
    if (c->times && !suspect && group_times_row(&l->times, index, &t))
        timeline_draw(row, 0, c->times, &t);
    if (g->suspect > 0 && room > 24) {
        snprintf(number, sizeof(number), "%lld suspect", (long long)g->suspect);
        paint_right(row, 0, row->width - 17, 16, STYLE_UNGROUNDED, number);
        room -= 17;
    }
    paint_name(row, 0, c->name, room, g->name && *g->name ? STYLE_TEXT : STYLE_DIM,
               retrievals_group_said(g), l->view.search.pattern);
}

static void draw_retrieval(struct retrievals_view *l, const struct pane *row,
                           const struct retrieval *r)
{
    struct app *x = l->view.app;
    const struct memory_row *m = details_row(x, r->node);
    const struct detail *d = details_of(x, r->node);
    struct strbuf ref = STRBUF_INIT;
    int at = 7, when = x->prefs.exact_times ? 19 : 7;
    if (marks_has(&x->ui.marks, r->node))
        paint_text(row, 0, 2, 1, STYLE_MARK, "*");
    else if (r->node == x->remote.touched)
        paint_text(row, 0, 2, 1, STYLE_CHIP, "!");
    if (!m) {
        paint_text(row, 0, at, row->width - at, STYLE_ERROR, "cannot be read");
        return;
    }
    if (d && d->label.label < LABEL_COUNT)
        paint_label(row, 0, 5, d->label.label);
    details_ref(x, m, &ref);
    at += paint_bytes(row, 0, at, 24, STYLE_REF, ref.buf, ref.len) + 2;
    at = at < 29 ? 29 : at;
    strbuf_release(&ref);
    struct facts_look look = ages_look(x);
    char age[32];
    bool suspect = facts_when_retrieved(age, sizeof(age), r->at, &look);
    paint_right(row, 0, at, when, suspect ? STYLE_UNGROUNDED : STYLE_AGE, age);
    at += when + 2;
    if (row->width - at >= 70 && l->by != RETRIEVALS_BY_URI && d && d->more.known) {
        int uri = (row->width - at) * 2 / 5;
        paint_matched(row, 0, at, uri, STYLE_SOURCE, d->more.text, strlen(d->more.text), NULL);
        at += uri + 2;
    }
    if (m->text)
        paint_matched(row, 0, at, row->width - at - 1,
                      STATUS_LIVES(m->status) ? STYLE_TEXT : STYLE_DIM, m->text, strlen(m->text),
                      l->view.search.pattern);
}

void retrievals_draw_line(struct view *v, const struct pane *row, size_t line)
{
    struct retrievals_view *l = retrievals_of_view(v);
    const struct group_line *at = &l->line[line];
    const struct retrieval_rows *rows = &l->set->rows[at->group];
    if (at->row == ROW_HEAD)
        draw_group(l, row, at->group);
    else if (at->row == ROW_MORE)
        paint_format(row, 0, 7, row->width - 7, STYLE_DIM, "%lld more; Enter reads on",
                     (long long)(l->set->group[at->group].count - (int64_t)rows->count));
    else
        draw_retrieval(l, row, &rows->row[at->row]);
}

/* ---- the preview of a group ---- */

static void draw_fact(const struct pane *p, int *row, const char *name, const char *value)
{
    if (!*value || *row >= p->height)
        return;
    paint_text(p, *row, 1, 12, STYLE_FIELD, name);
    paint_text(p, (*row)++, 14, p->width - 15, STYLE_TEXT, value);
}

static void draw_group_facts(const struct pane *p, int *row, const struct retrievals *g)
{
    struct facts_look exact = {.exact_times = true};
    char text[64];
    struct strbuf name = STRBUF_INIT;
    text_add(&name, retrievals_group_said(g), TEXT_EXACT);
    paint_text(p, (*row)++, 1, p->width - 2, STYLE_TEXT, name.buf);
    strbuf_release(&name);
    ++*row;
    snprintf(text, sizeof(text), "%lld", (long long)g->count);
    draw_fact(p, row, "retrievals", text);
    facts_when(text, sizeof(text), g->first, &exact);
    draw_fact(p, row, "first", text);
    facts_when(text, sizeof(text), g->last, &exact);
    draw_fact(p, row, "last", text);
    snprintf(text, sizeof(text), "%lld of them, left out of the timeline", (long long)g->suspect);
    draw_fact(p, row, "suspect time", g->suspect > 0 ? text : "");
}

void retrievals_draw_preview(struct view *v, const struct pane *p)
{
    struct retrievals_view *l = retrievals_of_view(v);
    const struct group_line *line = retrievals_line(l, v->selected);
    struct timeline t;
    int row = 1;
    if (!line || p->height < 1) {
        paint_rule(p, 0, "", "");
        return;
    }
    paint_rule(p, 0, retrieval_group_name(l->by), "");
    draw_group_facts(p, &row, &l->set->group[line->group]);
    int rows = p->height - row - 2 < 9 ? p->height - row - 2 : 9;
    if (rows < 2 || p->width < 12)
        return;
    struct pane chart =
        pane_part(p, row + 1, 1, rows, p->width - 2 < CHART_BUCKETS ? p->width - 2 : CHART_BUCKETS);
    if (l->set->group[line->group].suspect == l->set->group[line->group].count)
        return;
    group_times_want_chart(&l->times, line->group, (size_t)chart.width);
    if (group_times_chart(&l->times, line->group, &t))
        timeline_draw_chart(&chart, &t);
}
