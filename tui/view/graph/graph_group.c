/* What stands as one node for several memories: which they are. */
#include "tui/view/graph/graph_view.h"

#include "model/base/strbuf.h"
#include "tui/view/memory/beside.h"
#include "tui/view/view_list.h"

static void add_heading(const struct scene_node *n, struct strbuf *out)
{
    const char *kind = kind_spec(n->kind)->plural;
    if (n->sort == SCENE_MORE)
        strbuf_addf(out, "%zu%s more %s", n->total, n->total_bounded ? "+" : "", kind);
    else if (n->sort == SCENE_TWINS)
        strbuf_addf(out, "%zu %s with the same before and after them", n->total, kind);
    else
        strbuf_addf(out, "%zu in a row, each with one before and one after", n->total);
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
    add_heading(n, &heading);
    paint_rule(p, row++, heading.buf, "");
    strbuf_release(&heading);
    for (size_t i = 0; i < n->members && row < p->height; i++)
        draw_member(g->view.app, p, row++, n->member[i]);
    if (n->total > n->members && row < p->height)
        paint_format(p, row, 3, p->width - 4, STYLE_DIM, "%zu more; Enter shows the next %d",
                     n->total - n->members, SCENE_MEMBERS);
}

/* ---- as a list ---- */

static void title_beside(struct app *x, struct beside *b)
{
    const struct memory_row *row = details_row(x, b->of);
    struct strbuf ref = STRBUF_INIT;
    if (row)
        details_ref(x, row, &ref);
    snprintf(b->title, sizeof(b->title), "%.60s %s %s", ref.buf,
             b->side == ANCESTORS ? "rests on" : "carries", kind_spec(b->kind)->plural);
    strbuf_release(&ref);
}

void graph_view_list_group(struct graph_view *g)
{
    struct app *x = g->view.app;
    uint32_t node = graph_view_cursor(g);
    if (node == PICTURE_NONE)
        return;
    const struct scene_node *n = drawing_scene(g->drawing, node);
    struct beside b = {.kind = n->kind, .side = n->side};
    if (n->sort == SCENE_MEMORY || n->sort == SCENE_GHOST) {
        app_say(x, "this is one memory; # lists those that stand as one");
        return;
    }
    if (n->sort == SCENE_MORE) {
        b.of = n->row;
        title_beside(x, &b);
    } else {
        b.row = (int64_t *)(uintptr_t)n->member; /* only to be copied */
        b.count = n->members;
        snprintf(b.title, sizeof(b.title), "%zu %s", n->members, kind_spec(n->kind)->plural);
    }
    struct view *v = list_view_beside(x, &b);
    if (v)
        app_push(x, v);
    else
        app_say(x, "there is no memory left for a list this long");
}
