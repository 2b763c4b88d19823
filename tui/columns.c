#include "columns.h"

#include "../model/clock.h"
#include "../model/strbuf.h"
#include "app.h"
#include "facts_sheet.h"
#include "news.h"
#include "text.h"

#define TEXT_LEAST 40

/* A column and what it takes, the most telling first. */
struct wanted {
    int *start;
    int width;
    bool on;
};

static void place(struct columns *c, struct wanted *wanted, size_t count, int width)
{
    int at = c->label + 3;
    for (size_t i = 0; i < count; i++) {
        if (!wanted[i].on)
            continue;
        *wanted[i].start = at;
        at += wanted[i].width + 2;
    }
    c->text = at;
    c->width = width;
}

struct columns columns_fit(const struct app *x, int width, bool many_kinds, bool sources_only,
                           const char *aspect)
{
    struct columns c = {.mark = 2, .label = 3};
    c.age_width = x->exact_times ? 19 : 4;
    /* In the order of the screen; `drop` in the order in which they give way. */
    struct wanted wanted[] = {
        {&c.confidence, 4, !sources_only},
        {&c.history, 7, !sources_only},
        {&c.holds, 5, !sources_only},
        {&c.kind, 12, many_kinds},
        {&c.aspect, 12, aspect != NULL},
        {&c.source, 13, true},
        {&c.agent, 10, !x->agent && x->agents > 1},
        {&c.age, c.age_width, true},
    };
    static const int drop[] = {4, 1, 6, 5, 2, 7, 3, 0};
    size_t count = sizeof(wanted) / sizeof(wanted[0]);
    for (size_t i = 0; i <= sizeof(drop) / sizeof(drop[0]); i++) {
        int taken = 6;
        for (size_t k = 0; k < count; k++)
            taken += wanted[k].on ? wanted[k].width + 2 : 0;
        if (width - taken >= TEXT_LEAST || i == sizeof(drop) / sizeof(drop[0]))
            break;
        wanted[drop[i]].on = false;
    }
    place(&c, wanted, count, width);
    return c;
}

void columns_draw_header(const struct app *x, const struct columns *c, const struct pane *p,
                         const char *text_name, const char *aspect)
{
    const struct {
        int at, width;
        const char *name;
        bool right;
    } names[] = {
        {c->confidence, 4, "conf", true},
        {c->history, 7, "history", false},
        {c->holds, 5, "holds", true},
        {c->kind, 12, "kind", false},
        {c->aspect, 12, aspect, false},
        {c->source, 13, "source", false},
        {c->agent, 10, "agent", false},
        {c->age, c->age_width, x->exact_times ? "created" : "age", true},
        {c->text, c->width - c->text, text_name, false},
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (!names[i].at || !names[i].name)
            continue;
        if (names[i].right)
            paint_right(p, 0, names[i].at, names[i].width, STYLE_HEADER, names[i].name);
        else
            paint_text(p, 0, names[i].at, names[i].width + 1, STYLE_HEADER, names[i].name);
    }
}

static void draw_history(struct app *x, const struct columns *c, const struct pane *row,
                         const struct detail *d)
{
    char levels[DETAIL_LEVELS * 4 + 1] = "";
    size_t len = 0;
    if (!d || d->level_count == 0)
        return; /* it never changed */
    for (int i = 0; i < DETAIL_LEVELS; i++) {
        int from_end = DETAIL_LEVELS - 1 - i;
        int at = from_end < d->level_count ? d->level_count - 1 - from_end : 0;
        len += (size_t)snprintf(levels + len, sizeof(levels) - len, "%s",
                                level_glyph(&x->screen, (double)d->level[at]));
    }
    paint_text(row, 0, c->history, 6, STYLE_NUMBER, levels);
}

static void draw_holds(const struct columns *c, const struct pane *row, const struct detail *d)
{
    char holds[32];
    if (!d || d->label.label >= LABEL_COUNT)
        return;
    if (d->label.justs == 0)
        snprintf(holds, sizeof(holds), "%s", row->screen->utf8 ? "–" : "-");
    else
        snprintf(holds, sizeof(holds), "%u/%u", d->label.holds, d->label.justs);
    paint_right(row, 0, c->holds, 5, STYLE_NUMBER, holds);
}

static void draw_label(const struct columns *c, const struct pane *row, const struct memory_row *m,
                       const struct detail *d)
{
    if (!STATUS_LIVES(m->status))
        paint_label(row, 0, c->label, LABEL_GONE);
    else if (d && d->label.label < LABEL_COUNT)
        paint_label(row, 0, c->label, d->label.label);
}

static void draw_text(struct app *x, const struct columns *c, const struct pane *row,
                      const struct memory_row *m, const char *pattern, int pan)
{
    int at = c->text, room = c->width - c->text - 1;
    if (m->status == STATUS_MISSING) {
        struct strbuf ref = STRBUF_INIT;
        details_ref(x, m, &ref);
        strbuf_addstr(&ref, " is not in this store");
        paint_text(row, 0, at, room, STYLE_DIM, ref.buf);
        strbuf_release(&ref);
        return;
    }
    if (m->status != STATUS_ACTIVE) {
        int taken = paint_format(row, 0, at, room, STYLE_DIM, "%s %s", status_name(m->status),
                                 glyph_text(&x->screen, GLYPH_DOT));
        at += taken + 1;
        room -= taken + 1;
    }
    if (!m->text)
        return;
    size_t len = strlen(m->text), from = paint_skip(row, m->text, len, pan);
    int taken = paint_matched(row, 0, at, room, STATUS_LIVES(m->status) ? STYLE_TEXT : STYLE_DIM,
                              m->text + from, len - from, pattern);
    if (m->text_cut && taken < room) /* few columns for many bytes, and there are more */
        paint_text(row, 0, at + taken, 1, STYLE_TEXT, glyph_text(&x->screen, GLYPH_ELLIPSIS));
}

void columns_draw_row(struct app *x, const struct columns *c, const struct pane *row, int64_t node,
                      const char *pattern, int pan)
{
    const struct memory_row *m = details_row(x, node);
    const struct detail *d = details_of(x, node);
    char number[32];
    if (marks_has(&x->marks, node))
        paint_text(row, 0, c->mark, 1, STYLE_MARK, "*");
    if (m && news_mark(x, m) != ' ')
        paint_format(row, 0, c->label + 1, 1, STYLE_CHIP, "%c", news_mark(x, m));
    if (!m) {
        paint_text(row, 0, c->text, c->width - c->text, STYLE_ERROR, "cannot be read");
        return;
    }
    draw_label(c, row, m, d);
    snprintf(number, sizeof(number), "%.2f", m->confidence);
    if (c->confidence && m->status != STATUS_MISSING)
        paint_right(row, 0, c->confidence, 4, STYLE_NUMBER, number);
    if (c->history)
        draw_history(x, c, row, d);
    if (c->holds)
        draw_holds(c, row, d);
    if (c->kind)
        paint_text(row, 0, c->kind, 12, STYLE_SOURCE, kind_name(m->ref.kind));
    if (c->aspect && d)
        paint_text(row, 0, c->aspect, 12, STYLE_SOURCE, d->aspect);
    if (c->source && m->source_type)
        paint_text(row, 0, c->source, 13, STYLE_SOURCE, source_type_label(m->source_type));
    if (c->agent)
        paint_text(row, 0, c->agent, 10, STYLE_SOURCE, m->agent_id);
    struct facts_look look = {.now = x->now, .exact_times = x->exact_times};
    int64_t at = x->order == ORDER_UPDATED ? m->updated_at : m->created_at;
    facts_when(number, sizeof(number), at, &look);
    if (c->age && at > 0)
        paint_right(row, 0, c->age, c->age_width, STYLE_AGE, number);
    draw_text(x, c, row, m, pattern, pan);
}
