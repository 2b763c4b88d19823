#include "tui/view/chain/strategies_laying.h"

#include "model/base/strbuf.h"
#include "tui/text/score.h"

#define CELL        6 /* columns of a chain in the table of sources */
#define TITLE_LEAST 24

/* ---- sources ---- */

/* The columns of a document's id, and of what stands at the edge. */
static int id_width(const struct laying *l)
{
    return l->look->width >= 110 ? l->look->width / 4 : 0;
}

static int edge_width(const struct laying *l)
{
    return l->changed ? 16 : 1; /* a column of its own where one of them changed */
}

/* Which of the chains have a column in the table: as many as leave room for a title. */
static void table_window(const struct laying *l, size_t *from, size_t *shown)
{
    int room = (l->look->width - 4 - TITLE_LEAST - id_width(l) - edge_width(l)) / CELL;
    *shown = room < 1 ? 1 : (size_t)room < l->all->count ? (size_t)room : l->all->count;
    *from = l->focus < *shown ? 0 : l->focus - *shown + 1;
}

static void put_cell(struct laying *l, const struct chain_document *used, int column)
{
    struct strbuf score = STRBUF_INIT;
    if (!used) {
        sheet_put_right(l->sheet, column, SCORE_WIDTH, STYLE_DIM, l->dot);
        return;
    }
    score_add(&score, used->best, used->origin);
    sheet_put_right(l->sheet, column, SCORE_WIDTH, score_style(used->best, used->origin),
                    score.buf);
    strbuf_release(&score);
}

static void put_source(struct laying *l, const struct shared_source *source, size_t from,
                       size_t shown)
{
    const struct chain_document *d = source->document;
    int at = 4, width = l->look->width, id = id_width(l), edge = edge_width(l);
    if (!sheet_line(l->sheet))
        return;
    for (size_t i = from; i < from + shown; i++, at += CELL)
        put_cell(l, source->used[i], at);
    int end = width - id - edge;
    if (end > at)
        sheet_put(l->sheet, at, end - at - 1, STYLE_TEXT, d->title ? d->title : d->id);
    if (id)
        sheet_put(l->sheet, -id - edge, id - 1, STYLE_REF, d->id);
    if (source->changed)
        sheet_put_right(l->sheet, -15, 14, STYLE_CHIP, "changed since");
    laying_opens(l, d->node, 0);
}

static void put_sharing(struct laying *l, const struct shared_source *source)
{
    const struct strategies *all = l->all;
    if (!sheet_line(l->sheet))
        return;
    if (source->users == all->count)
        sheet_put(l->sheet, 3, 0, STYLE_FIELD, all->count == 2 ? "used by both" : "used by all");
    else if (source->users > 1)
        sheet_format(l->sheet, 3, 0, STYLE_FIELD, "used by %zu of %zu", source->users, all->count);
    else
        sheet_format(l->sheet, 3, 0, STYLE_FIELD, "only %zu used", source->first + 1);
}

static bool begins_group(const struct strategies *all, size_t i)
{
    const struct shared_source *a = &all->source[i];
    return i == 0 || a->users != a[-1].users || (a->users == 1 && a->first != a[-1].first);
}

static void put_table_head(struct laying *l, size_t from, size_t shown)
{
    if (!sheet_line(l->sheet))
        return;
    for (size_t i = from; i < from + shown; i++) {
        char number[24];
        bool focus = i == l->focus;
        snprintf(number, sizeof(number), focus ? "[%zu]" : "%zu", i + 1);
        sheet_put_right(l->sheet, 4 + (int)(i - from) * CELL, SCORE_WIDTH + focus,
                        focus ? STYLE_RULE_TITLE : STYLE_HEADER, number);
    }
}

void strategies_put_sources(struct laying *l)
{
    const struct strategies *all = l->all;
    struct strbuf right = STRBUF_INIT;
    size_t from, shown;
    for (size_t i = 0; i < all->source_count; i++)
        l->changed = l->changed || all->source[i].changed;
    table_window(l, &from, &shown);
    if (all->source_count > 0)
        strbuf_addf(&right, "%zu document%s %s %zu by %s %s %zu by one", all->source_count,
                    all->source_count == 1 ? "" : "s", l->dot, all->by_all,
                    all->count == 2 ? "both" : "all", l->dot, all->by_one);
    laying_section(l, "sources", right.buf);
    strbuf_release(&right);
    if (all->source_count == 0) {
        sheet_line(l->sheet);
        sheet_put(l->sheet, 3, 0, STYLE_DIM, "none of them names a source");
        return;
    }
    put_table_head(l, from, shown);
    for (size_t i = 0; i < all->source_count; i++) {
        if (begins_group(all, i))
            put_sharing(l, &all->source[i]);
        put_source(l, &all->source[i], from, shown);
    }
}

/* ---- steps ---- */

static void put_step(struct laying *l, const struct chain_step *step, int column, int width)
{
    struct strbuf number = STRBUF_INIT;
    sheet_format(l->sheet, column, 3, STYLE_NUMBER, "%2lld", (long long)step->number);
    if (width > 10)
        sheet_put(l->sheet, column + 3, width - 8, STYLE_TEXT,
                  step->question ? step->question : "");
    if (step->confidence == step->confidence)
        strbuf_addf(&number, "%.2f", step->confidence);
    sheet_put_right(l->sheet, column + width - 4, 4, STYLE_NUMBER, number.buf);
    strbuf_release(&number);
}

static void put_steps_beside(struct laying *l)
{
    size_t most = 0;
    for (size_t i = 0; i < l->all->count; i++)
        most = l->all->chain[i].chain.step_count > most ? l->all->chain[i].chain.step_count : most;
    for (size_t k = 0; k < most && sheet_line(l->sheet); k++) {
        const struct chain *focused = &l->all->chain[l->focus].chain;
        for (size_t i = l->from; i < l->from + l->shown; i++)
            if (k < l->all->chain[i].chain.step_count)
                put_step(l, &l->all->chain[i].chain.step[k], laying_column(l, i),
                         laying_column_width(l));
        if (k < focused->step_count)
            laying_opens(l, focused->step[k].node, l->focus + 1);
    }
}

/* One chain after the other: what each went through. */
static void put_steps_below(struct laying *l)
{
    for (size_t i = 0; i < l->all->count; i++) {
        const struct chain *c = &l->all->chain[i].chain;
        for (size_t k = 0; k < c->step_count && sheet_line(l->sheet); k++) {
            if (k == 0)
                sheet_format(l->sheet, 3, 4, STYLE_HEADER, "%zu", i + 1);
            put_step(l, &c->step[k], 6, l->look->width - 8);
            laying_opens(l, c->step[k].node, i + 1);
        }
    }
}

void strategies_put_steps(struct laying *l)
{
    laying_section(l, "steps", "");
    if (l->shown > 1)
        put_steps_beside(l);
    else
        put_steps_below(l);
}
