#include "tui/chart/drawing_text.h"

#include <string.h>
#include "model/layout/raster.h"

#define CELLS_AT_ONCE (1 << 18) /* of a wide drawing one row, whatever it takes */

struct printing {
    struct output *out;
    const struct layout *layout;
    const struct drawing_label *label;
    enum tone tone; /* in force */
    size_t blanks;  /* that stand before what comes next */
};

/* Only where it changes, so that a line of one tone has one code. */
static void take_tone(struct printing *p, enum tone tone)
{
    strbuf_addchars(&p->out->text, ' ', p->blanks);
    p->blanks = 0;
    if (tone == p->tone)
        return;
    if (p->tone != TONE_PLAIN)
        output_tone(p->out, TONE_PLAIN);
    if (tone != TONE_PLAIN)
        output_tone(p->out, tone);
    p->tone = tone;
}

static void print_label(struct printing *p, const struct drawing_label *label)
{
    take_tone(p, label->tone);
    if (!label->mark_length) {
        strbuf_addstr(&p->out->text, label->text);
        return;
    }
    strbuf_add(&p->out->text, label->text, label->mark);
    take_tone(p, label->mark_tone);
    strbuf_add(&p->out->text, label->text + label->mark, label->mark_length);
    take_tone(p, label->tone);
    strbuf_addstr(&p->out->text, label->text + label->mark + label->mark_length);
}

static enum tone tone_of_stroke(uint8_t stroke)
{
    if (stroke == STROKE_SUPERSEDES)
        return TONE_STRONG;
    return stroke == STROKE_GUESSED || stroke == STROKE_EVIDENCE ? TONE_DIM : TONE_PLAIN;
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
            take_tone(p, cell->sort == RASTER_LINE ? tone_of_stroke(cell->stroke) : TONE_DIM);
            strbuf_addstr(&p->out->text, raster_glyph(cell, p->out->ascii));
        } else {
            p->blanks++;
        }
    }
    p->blanks = 0;
    take_tone(p, TONE_PLAIN);
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
