/* What stands as one node for several memories: which they are. */
#include "graph_view.h"

#include "../model/strbuf.h"

static void add_heading(const struct graph_view *g, const struct scene_node *n, struct strbuf *out)
{
    const char *kind = kind_spec(n->kind)->plural;
    if (n->sort == SCENE_MORE)
        strbuf_addf(out, "%zu%s more %s", n->total, n->total_bounded ? "+" : "", kind);
    else if (n->sort == SCENE_TWINS)
        strbuf_addf(out, "%zu %s with the same before and after them", n->total, kind);
    else
        strbuf_addf(out, "%zu in a row, each with one before and one after", n->total);
    (void)g;
}

static void draw_member(struct app *x, const struct pane *p, int row, int64_t node)
{
    const struct memory_row *m = details_row(x, node);
    const struct detail *d = details_of(x, node);
    struct strbuf ref = STRBUF_INIT;
    if (!m)
        return;
    details_ref(x, m, &ref);
    if (d)
        paint_label(p, row, 1, d->label.label);
    paint_bytes(p, row, 3, 22, STYLE_REF, ref.buf, ref.len);
    if (m->text)
        paint_text(p, row, 26, p->width - 27, STATUS_LIVES(m->status) ? STYLE_TEXT : STYLE_DIM,
                   m->text);
    strbuf_release(&ref);
}

void graph_view_group_preview(struct graph_view *g, const struct pane *p)
{
    uint32_t node = graph_view_cursor(g);
    struct strbuf heading = STRBUF_INIT;
    int row = 0;
    if (node == PICTURE_NONE)
        return;
    const struct scene_node *n = drawing_scene(g->drawing, node);
    add_heading(g, n, &heading);
    paint_rule(p, row++, heading.buf, "");
    strbuf_release(&heading);
    for (size_t i = 0; i < n->members && row < p->height; i++)
        draw_member(g->view.app, p, row++, n->member[i]);
    if (n->total > n->members && row < p->height)
        paint_format(p, row, 3, p->width - 4, STYLE_DIM, "%zu more; Enter shows the next %d",
                     n->total - n->members, SCENE_MEMBERS);
}
