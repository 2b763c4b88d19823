/* What can be done with drawn lineage. */
#include "tui/action/actions.h"

#include "model/base/strbuf.h"
#include "tui/view/graph/graph_view.h"
#include "tui/view/graph/lineage_view.h"

void act_walk_left(struct app *x, const char *argument)
{
    (void)argument;
    view_request(x->nav.top, REQUEST_LEFT);
}

void act_walk_right(struct app *x, const char *argument)
{
    (void)argument;
    view_request(x->nav.top, REQUEST_RIGHT);
}

void act_look_left(struct app *x, const char *argument)
{
    (void)argument;
    view_request(x->nav.top, REQUEST_PAN_LEFT);
}

void act_look_right(struct app *x, const char *argument)
{
    (void)argument;
    view_request(x->nav.top, REQUEST_PAN_RIGHT);
}

void act_centre(struct app *x, const char *argument)
{
    (void)argument;
    graph_view_centre(graph_of(x->nav.top));
}

void act_expand(struct app *x, const char *argument)
{
    (void)argument;
    graph_view_expand(graph_of(x->nav.top));
}

void act_expand_before(struct app *x, const char *argument)
{
    (void)argument;
    graph_view_expand_side(graph_of(x->nav.top), DESCENDANTS);
}

void act_expand_after(struct app *x, const char *argument)
{
    (void)argument;
    graph_view_expand_side(graph_of(x->nav.top), ANCESTORS);
}

void act_collapse(struct app *x, const char *argument)
{
    (void)argument;
    graph_view_collapse(graph_of(x->nav.top));
}

void act_list_group(struct app *x, const char *argument)
{
    (void)argument;
    graph_view_list_group(graph_of(x->nav.top));
}

void act_tidy(struct app *x, const char *argument)
{
    (void)argument;
    graph_view_load(graph_of(x->nav.top), ARRIVE_IN_PLACE, NULL);
    app_say(x, "laid out afresh");
}

void act_dots(struct app *x, const char *argument)
{
    struct graph_view *g = graph_of(x->nav.top);
    (void)argument;
    graph_view_set_dots(g, !g->dots);
}

void act_legend(struct app *x, const char *argument)
{
    struct graph_view *g = graph_of(x->nav.top);
    (void)argument;
    g->legend = (enum graph_legend)((g->legend + 1) % (LEGEND_NONE + 1));
}

void act_shade(struct app *x, const char *argument)
{
    struct graph_view *g = graph_of(x->nav.top);
    int64_t row = view_node(x->nav.top);
    (void)argument;
    if (row == 0 || row == g->shade.row)
        app_say(x, "nothing is shaded any more");
    graph_view_shade_ask(g, row == g->shade.row ? 0 : row);
}

const char *blocked_shade(struct app *x)
{
    return view_node(x->nav.top) > 0 || graph_of(x->nav.top)->shade.row ? NULL
                                                                        : "there is no memory here";
}

const char *blocked_no_drawing(struct app *x)
{
    return x->nav.top->count == 0 ? "nothing is drawn yet" : NULL;
}

/* ---- drawing or outline ---- */

void act_outline(struct app *x, const char *argument)
{
    (void)argument;
    lineage_exchange(x);
}

static void style_chosen(struct app *x, const struct popup_item *item)
{
    lineage_draw_as(x, (enum chart_style)item->value);
}

void act_draw_as(struct app *x, const char *argument)
{
    static const struct {
        uint32_t key;
        const char *help;
    } styles[CHART_STYLES] = {
        [CHART_AUTO] = {'a', "whatever fits"},
        [CHART_LR] = {'l', "from left to right"},
        [CHART_LR_BOX] = {'L', "from left to right, in boxes"},
        [CHART_TB] = {'t', "from top to bottom"},
        [CHART_TB_BOX] = {'T', "from top to bottom, in boxes"},
        [CHART_OUTLINE] = {'o', "a list of lines"},
    };
    int style = chart_style_from_name(argument);
    if (style >= 0) {
        lineage_draw_as(x, (enum chart_style)style);
        return;
    }
    if (*argument) {
        app_say(x, "there is no way to draw called \"%s\": auto, lr, lr-box, tb, tb-box, outline",
                argument);
        return;
    }
    popup_open(&x->ui.popup, "how lineage is drawn", style_chosen);
    for (int i = 0; i < CHART_STYLES; i++) {
        struct popup_item *item = popup_add(&x->ui.popup, styles[i].key,
                                            chart_style_name((enum chart_style)i), styles[i].help);
        item->value = i;
        if (i == x->prefs.graph_style)
            x->ui.popup.selected = (size_t)i;
    }
}
