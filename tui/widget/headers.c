#include "tui/widget/headers.h"

#include <limits.h>
#include <string.h>
#include "model/base/array.h"
#include "tui/text/text.h"
#include "tui/widget/rows_view.h"
#include "tui/widget/ui.h"
#include "tui/widget/view.h"

/* ---- choices ---- */

const char *columns_list(struct view *v)
{
    return v->ops->columns ? v->ops->columns(v) : v->ops->name;
}

const struct column_choice *column_choice(struct view *v, const char *column)
{
    const struct prefs *prefs = v->ui->prefs;
    const char *list = columns_list(v);
    for (size_t i = 0; i < prefs->column_count; i++)
        if (!strcmp(prefs->columns[i].column, column) && !strcmp(prefs->columns[i].list, list))
            return &prefs->columns[i];
    return NULL;
}

struct column_choice *column_choose(struct view *v, const char *column)
{
    struct prefs *prefs = v->ui->prefs;
    const struct column_choice *known = column_choice(v, column);
    if (known)
        return &prefs->columns[known - prefs->columns];
    struct column_choice *added =
        ARRAY_ADD(prefs->columns, prefs->column_count, prefs->column_alloc);
    *added = (struct column_choice){.width = 0};
    snprintf(added->list, sizeof(added->list), "%s", columns_list(v));
    snprintf(added->column, sizeof(added->column), "%s", column);
    return added;
}

int column_width(struct view *v, const char *column, int width)
{
    const struct column_choice *c = column ? column_choice(v, column) : NULL;
    return !c || width <= 0 ? width : c->hidden ? 0 : c->width ? c->width : width;
}

/* ---- where a column is ---- */

bool columns_move(const struct view *v)
{
    return v->ops->has & HAS_MEMORY_LIST || rows_view_columns(v) != NULL;
}

int column_shift(const struct view *v, const char *name)
{
    const struct headers *h = headers_of(v);
    for (size_t i = 0; name && i < h->shifts; i++)
        if (!strcmp(h->shift[i].name, name))
            return h->shift[i].by;
    return 0;
}

/* A place from 1: that of the list, or the one that was chosen. */
static int place_of(struct view *v, size_t index)
{
    const struct header *one = &v->ui->headers.at[index];
    const struct column_choice *c = one->fixed ? NULL : column_choice(v, one->name);
    return c && c->place ? c->place : (int)index + 1;
}

static bool sort_headers(struct view *v)
{
    struct headers *h = &v->ui->headers;
    int place[HEADERS_MAX];
    bool moved = false;
    for (size_t i = 0; i < h->count; i++) {
        const struct header one = h->at[i];
        int of = place_of(v, i);
        size_t k = i;
        for (; k > 0 && place[k - 1] > of; k--) {
            place[k] = place[k - 1];
            h->at[k] = h->at[k - 1];
        }
        place[k] = of;
        h->at[k] = one;
        moved |= k < i;
    }
    return moved;
}

/* The columns from the beginning of one to that of the next. */
static int stride_of(const struct headers *own, const struct header *one)
{
    int next = INT_MAX;
    for (size_t i = 0; i < own->count; i++)
        if (own->at[i].to > own->at[i].from && own->at[i].from > one->from &&
            own->at[i].from < next)
            next = own->at[i].from;
    return next < INT_MAX ? next - one->from : one->to - one->from + 2;
}

bool headers_arrange(struct view *v)
{
    struct headers *h = &v->ui->headers;
    const struct headers own = *h;
    int at = INT_MAX;
    if (!columns_move(v) || v->ops->has & HAS_MEMORY_LIST || !sort_headers(v) || own.shifts)
        return false;
    for (size_t i = 0; i < own.count; i++)
        if (!own.at[i].fixed && own.at[i].to > own.at[i].from && own.at[i].from < at)
            at = own.at[i].from;
    for (size_t i = 0; i < h->count; i++) {
        const struct header *one = &h->at[i];
        if (one->fixed || one->to == one->from)
            continue;
        struct header_shift *s = &h->shift[h->shifts++];
        snprintf(s->name, sizeof(s->name), "%s", one->name);
        s->by = at - one->from;
        at += stride_of(&own, one);
    }
    h->count = 0;
    return true;
}

/* ---- the header ---- */

static void record(struct view *v, const struct pane *p, const char *name, int at, int width,
                   bool fixed)
{
    struct headers *h = &v->ui->headers;
    if (h->count == HEADERS_MAX || !*name)
        return;
    struct header *one = &h->at[h->count++];
    at += column_shift(v, name);
    int end = at + width < p->width ? at + width : p->width;
    *one = (struct header){.from = p->x + at, .to = p->x + (end > at ? end : at), .fixed = fixed};
    snprintf(one->name, sizeof(one->name), "%s", name);
}

/* The arrow stands after the name, in the gap between two columns if there is no other room. */
static void draw_arrow(struct view *v, const struct pane *p, const char *name, int at)
{
    bool up = false;
    const char *sorted = heading_sorted(v, &up);
    if (sorted && !strcmp(sorted, name))
        paint_text(p, 0, at, 1, STYLE_CHIP, glyph_text(p->screen, up ? GLYPH_UP : GLYPH_DOWN));
}

void heading_draw(struct view *v, const struct pane *p, const char *name, const char *shown, int at,
                  int width, bool right)
{
    record(v, p, name, at, width, false);
    if (width <= 0)
        return;
    at += column_shift(v, name);
    shown = shown ? shown : name;
    int taken = (int)text_width(shown, strlen(shown), (size_t)width, 0);
    taken = taken < width ? taken : width;
    if (right)
        paint_right(p, 0, at, width, STYLE_HEADER, shown);
    else
        paint_text(p, 0, at, width, STYLE_HEADER, shown);
    draw_arrow(v, p, name, at + (right ? width : taken));
}

void heading_draw_last(struct view *v, const struct pane *p, const char *name, int at, int width)
{
    heading_draw(v, p, name, NULL, at, width, false);
    if (v->ui->headers.count)
        v->ui->headers.at[v->ui->headers.count - 1].fixed = true;
}

const char *heading_sorted(struct view *v, bool *up)
{
    return v->ops->sorted ? v->ops->sorted(v, up) : NULL;
}

const struct headers *headers_of(const struct view *v)
{
    static const struct headers none;
    return v->ui->headers.of == v ? &v->ui->headers : &none;
}

const char *heading_at(const struct headers *h, int x)
{
    for (size_t i = 0; i < h->count; i++)
        if (x >= h->at[i].from && x < h->at[i].to)
            return h->at[i].name;
    return NULL;
}
