#include "tui/render/table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "tui/text/text.h"

#define GAP        2
#define KEEPS_MOST 20

struct table_row {
    struct {
        const char *text;
        enum style style;
    } cell[TABLE_COLUMNS], rest;
    const char *lead;
};

struct table table_open(struct output *out, const struct table_column *columns, size_t count,
                        const char *rest_name, size_t rest_least)
{
    return (struct table){.out = out,
                          .column = columns,
                          .count = count,
                          .rest_name = rest_name,
                          .rest_least = rest_least,
                          .arena = ARENA_INIT};
}

void table_close(struct table *t)
{
    arena_release(&t->arena);
    free(t->row);
}

void table_put(struct table *t, enum style style, const char *text)
{
    if (t->next == 0)
        *ARRAY_ADD(t->row, t->rows, t->alloc) = (struct table_row){.lead = NULL};
    struct table_row *row = &t->row[t->rows - 1];
    row->cell[t->next].text = arena_strdup(&t->arena, text ? text : "");
    row->cell[t->next++].style = style;
}

void table_format(struct table *t, enum style style, const char *format, ...)
{
    struct strbuf text = STRBUF_INIT;
    va_list args;
    va_start(args, format);
    strbuf_vaddf(&text, format, args);
    va_end(args);
    table_put(t, style, text.buf);
    strbuf_release(&text);
}

void table_end(struct table *t, const char *lead, enum style style, const char *rest)
{
    struct table_row *row = &t->row[t->rows - 1];
    row->lead = arena_strdup(&t->arena, lead ? lead : "");
    row->rest.text = arena_strdup(&t->arena, rest ? rest : "");
    row->rest.style = style;
    t->rest |= !t->fitted && *row->rest.text;
    t->next = 0;
}

/* ---- widths ---- */

static void measure(struct table *t)
{
    for (size_t i = 0; i < t->count; i++) {
        const struct table_column *c = &t->column[i];
        size_t most = c->most ? c->most : SIZE_MAX - 1;
        t->width[i] = c->name ? strlen(c->name) : 0;
        for (size_t n = 0; n < t->rows; n++) {
            const char *text = t->row[n].cell[i].text;
            size_t own = text_width(text, strlen(text), most, c->flags | t->out->flags);
            own = own < most ? own : most;
            t->width[i] = own > t->width[i] ? own : t->width[i];
        }
    }
}

/* Columns of the line: a gap stands behind each but the last. */
static size_t line_width(const struct table *t)
{
    size_t taken = t->indent + (t->rest ? t->rest_least + GAP : 0);
    for (size_t i = 0; i < t->count; i++)
        taken += t->width[i] ? t->width[i] + GAP : 0;
    return taken > GAP ? taken - GAP : 0;
}

/* Columns that keep less than `keeps` go until the line has room. */
static void leave_out(struct table *t, int keeps)
{
    for (int least = 1; least < keeps; least++)
        for (size_t i = 0; i < t->count && line_width(t) > t->out->columns; i++)
            if (t->column[i].keeps == least)
                t->width[i] = 0;
}

/* All that may be is cut, and what is left of the line then is theirs again: those first that are never left out. */
static void cut(struct table *t)
{
    size_t whole[TABLE_COLUMNS];
    memcpy(whole, t->width, sizeof(whole));
    for (size_t i = 0; i < t->count; i++)
        if (t->column[i].least && t->column[i].least < t->width[i])
            t->width[i] = t->column[i].least;
    leave_out(t, t->rest_keeps);
    t->rest = t->rest && line_width(t) <= t->out->columns;
    leave_out(t, KEEPS_MOST);
    for (int keeps = KEEPS_MOST; keeps > 0; keeps--)
        for (size_t i = 0; i < t->count; i++) {
            size_t taken = line_width(t), lacks = whole[i] - t->width[i];
            size_t left = t->out->columns > taken ? t->out->columns - taken : 0;
            if (t->column[i].keeps == keeps % KEEPS_MOST && t->width[i])
                t->width[i] += lacks < left ? lacks : left;
        }
}

/* ---- printing ---- */

static void print_head(struct table *t)
{
    size_t used = 0;
    for (size_t i = 0; i < t->count; i++)
        used +=
            output_column(t->out, STYLE_STRONG, t->column[i].name, t->width[i], t->column[i].flags);
    output_rest(t->out, STYLE_STRONG, t->rest ? t->rest_name : "", used);
}

static void print_row(struct table *t, const struct table_row *row)
{
    size_t used = t->indent;
    strbuf_addchars(&t->out->text, ' ', t->indent);
    for (size_t i = 0; i < t->count; i++)
        used += output_column(t->out, row->cell[i].style, row->cell[i].text, t->width[i],
                              t->column[i].flags);
    if (*row->lead)
        output_printf(t->out, STYLE_DIM, "%s", row->lead);
    output_rest(t->out, row->rest.style, t->rest || !t->rest_least ? row->rest.text : "",
                used + strlen(row->lead));
}

static void forget_rows(struct table *t)
{
    arena_clear(&t->arena);
    t->rows = 0;
}

static void fit(struct table *t)
{
    measure(t);
    leave_out(t, TABLE_CUTS);
    if (line_width(t) > t->out->columns)
        cut(t);
    t->fitted = true;
}

void table_fit(struct table *t)
{
    fit(t);
    forget_rows(t);
}

int table_print(struct table *t, struct error *e)
{
    int result = 0;
    if (!t->fitted && t->rows) {
        fit(t);
        if (t->column[0].name)
            print_head(t);
    }
    for (size_t i = 0; i < t->rows && !t->out->closed && !result; i++) {
        print_row(t, &t->row[i]);
        if (t->below)
            t->below(t->arg, i);
        result = e ? output_row(t->out, e) : 0;
    }
    forget_rows(t);
    return result;
}
