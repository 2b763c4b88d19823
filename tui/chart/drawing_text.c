#include "tui/chart/drawing_text.h"

#include <string.h>
#include "model/layout/raster.h"

#define CELLS_AT_ONCE (1 << 18) /* of a wide drawing one row, whatever it takes */

struct printing {
    struct output *out;
    const struct layout *layout;
    const struct drawing_label *label;
    enum style style; /* in force */
    size_t blanks;    /* that stand before what comes next */
};

/* Only where it changes, so that a line of one tone has one code. */
static void take_tone(struct printing *p, enum style style)
{
    strbuf_addchars(&p->out->text, ' ', p->blanks);
    p->blanks = 0;
    if (style == p->style)
        return;
    if (p->style != STYLE_TEXT)
        output_style(p->out, STYLE_TEXT);
    if (style != STYLE_TEXT)
        output_style(p->out, style);
    p->style = style;
}

static void print_label(struct printing *p, const struct drawing_label *label)
{
    take_tone(p, label->style);
    if (!label->mark_length) {
        strbuf_addstr(&p->out->text, label->text);
        return;
    }
    strbuf_add(&p->out->text, label->text, label->mark);
    take_tone(p, label->mark_tone);
    strbuf_add(&p->out->text, label->text + label->mark, label->mark_length);
    take_tone(p, label->style);
    strbuf_addstr(&p->out->text, label->text + label->mark + label->mark_length);
}

static enum style tone_of_stroke(uint8_t stroke)
{
    if (stroke == STROKE_SUPERSEDES)
        return STYLE_STRONG;
    return stroke == STROKE_GUESSED || stroke == STROKE_EVIDENCE ? STYLE_DIM : STYLE_TEXT;
}

static void print_row(struct printing *p, const struct raster *r, int32_t row)
{
    const struct raster_cell *cells = &r->cell[(size_t)row * (size_t)r->columns];
    for (int32_t column = 0; column < r->columns; column++) {
        const struct raster_cell *cell = &cells[column];
        const struct layout_node *n =
            cell->sort == RASTER_INSIDE ? &p->layout->node[cell->node] : NULL;
        if (n && n->label_row == r->row + row && n->label_column == column) {
            print_label(p, &p->label[cell->node]);
            column += n->label_columns > 0 ? n->label_columns - 1 : 0;
        } else if (cell->sort == RASTER_LINE || cell->sort == RASTER_BORDER) {
            take_tone(p, cell->sort == RASTER_LINE ? tone_of_stroke(cell->stroke) : STYLE_DIM);
            strbuf_addstr(&p->out->text, raster_glyph(cell, p->out->ascii));
        } else {
            p->blanks++;
        }
    }
    p->blanks = 0;
    take_tone(p, STYLE_TEXT);
    strbuf_addch(&p->out->text, '\n');
}

int drawing_print(struct output *out, const struct layout *l, const struct drawing_label *label,
                  struct error *e)
{
    struct printing p = {.out = out, .layout = l, .label = label};
    int32_t most = l->width < CELLS_AT_ONCE ? CELLS_AT_ONCE / (l->width + 1) + 1 : 1;
    for (int32_t top = 0; top < l->height; top += most) {
        struct raster r;
        int32_t rows = l->height - top < most ? l->height - top : most;
        int result = raster_make(&r, l, 0, top, l->width, rows, NULL);
        if (result)
            error_set(e, ERROR_MEMORY, "Ask for less, or free some memory.",
                      "there is no memory for the drawing");
        for (int32_t row = 0; row < rows && !result; row++)
            print_row(&p, &r, row);
        raster_release(&r);
        if (result)
            return -1;
    }
    return 0;
}
