#include "tui/view/graph/lineage_view.h"

#include "tui/view/graph/graph_view.h"

static bool no_room(const struct app *x)
{
    const char *terminal = getenv("TERM");
    return x->ui.screen.columns < CHART_NARROW || (terminal && !strcmp(terminal, "dumb"));
}

struct view *lineage_view_new(struct app *x, int64_t node, enum scene_show show)
{
    if (x->prefs.graph_style == CHART_OUTLINE || no_room(x))
        return outline_view_new(x, node, show, NULL, x->prefs.graph_style != CHART_OUTLINE);
    return graph_view_new(x, node, show, (enum chart_style)x->prefs.graph_style);
}

bool lineage_is_shown(struct app *x, int64_t node, enum scene_show show)
{
    int64_t focus;
    if (view_is_graph(x->nav.top))
        return graph_of(x->nav.top)->focus == node && graph_of(x->nav.top)->show == show;
    return outline_view_about(x->nav.top, &focus) == show && focus == node;
}

/* ---- a drawing for an outline, and the other way round ---- */

static void take_outline(struct app *x, bool for_room)
{
    struct graph_view *g = graph_of(x->nav.top);
    int64_t cursor = g->wanted ? g->wanted : view_node(x->nav.top);
    bool too_much = g->wants_outline && g->drawing->chart.large;
    struct view *v = outline_view_new(x, g->focus, g->show, x->nav.top, for_room);
    outline_view_find(v, cursor);
    app_exchange(x, v);
    if (too_much)
        app_say(x, "more than %d in view: an outline; , draws it all the same", CHART_LARGE);
}

/* The drawing that the outline stands for, or a new one. `style`: how it is to be drawn. */
static void take_drawing(struct app *x, enum chart_style style)
{
    int64_t cursor = view_node(x->nav.top), focus;
    enum scene_show show = outline_view_about(x->nav.top, &focus);
    struct view *drawn = outline_view_drawing(x->nav.top);
    struct view *v = drawn ? view_hold(drawn) : graph_view_new(x, focus, show, style);
    struct graph_view *g = graph_of(v);
    bool other = drawn && style != g->style;
    g->style = style;
    g->wants_outline = false;
    app_exchange(x, v);
    /* An outline that has not got what was under the cursor stands at its root: not where the drawing was left. */
    bool left = cursor == focus && drawn && view_node(v) == 0;
    if (!drawing_is_drawn(g->drawing))
        g->wanted = left && g->wanted ? g->wanted : cursor;
    else if (!left && cursor && drawing_find_row(g->drawing, cursor) != PICTURE_NONE)
        graph_view_select(g, drawing_find_row(g->drawing, cursor));
    if (other)
        graph_view_load(g, ARRIVE_AT_FOCUS, NULL);
}

void lineage_fit(struct app *x)
{
    bool busy = x->ui.modal, room = !no_room(x);
    if (busy)
        return;
    if (view_is_graph(x->nav.top)) {
        struct graph_view *g = graph_of(x->nav.top);
        if (g->wants_outline || (!room && !g->outline_refused))
            take_outline(x, !room);
    } else if (room && outline_view_is_for_room(x->nav.top)) {
        take_drawing(x, (enum chart_style)x->prefs.graph_style);
    }
}

void lineage_exchange(struct app *x)
{
    if (view_is_graph(x->nav.top)) {
        take_outline(x, false);
        return;
    }
    /* Whoever asks for it where it does not suit gets what suits most. */
    bool suits = !no_room(x);
    struct view *drawn = outline_view_drawing(x->nav.top);
    suits = suits && !(drawn && graph_of(drawn)->wants_outline);
    enum chart_style style = (enum chart_style)x->prefs.graph_style;
    if (drawn && drawing_is_drawn(graph_of(drawn)->drawing))
        style = graph_of(drawn)->style; /* as it is drawn already, be it large */
    else if (style == CHART_OUTLINE || (style == CHART_AUTO && !suits))
        style = suits ? CHART_AUTO : CHART_LR;
    take_drawing(x, style);
    graph_of(x->nav.top)->outline_refused = no_room(x);
}

void lineage_draw_as(struct app *x, enum chart_style style)
{
    x->prefs.graph_style = (int)style;
    if (style == CHART_OUTLINE) {
        if (view_is_graph(x->nav.top))
            take_outline(x, false);
        outline_view_stay(x->nav.top);
        return;
    }
    if (!view_is_graph(x->nav.top)) {
        take_drawing(x, style);
        graph_of(x->nav.top)->outline_refused = no_room(x);
        return;
    }
    graph_of(x->nav.top)->style = style;
    graph_view_load(graph_of(x->nav.top), ARRIVE_AT_FOCUS, NULL);
}
