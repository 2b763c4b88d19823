/* Where the view and its preview stand on the screen. */
#include "tui/explorer/app.h"

#define SPLIT_WIDTH  140 /* from here on the preview stands beside the list */
#define BELOW_HEIGHT 12  /* a body this high has room for a preview below */
#define LIST_LEAST   70
#define EVENTS_LEAST 150 /* what happened, and who is connected, with every column */
#define BESIDE_LEAST 60  /* of a preview beside those */

/* A drawing has two thirds; of what happened no column gives way, or a wider terminal would show less. */
static int list_width(const struct view_ops *ops, int place, int width)
{
    int list = width * (ops->place == IN_GRAPH ? 67 : 56) / 100, least = LIST_LEAST;
    if (place == PREVIEW_AUTO && (ops->place & (IN_LIVE | IN_SESSIONS | IN_AUDIT)))
        least = width >= EVENTS_LEAST + BESIDE_LEAST ? EVENTS_LEAST : width;
    return list < least ? least : list;
}

static int beside_width(const struct app *x, const struct view_ops *ops, const struct pane *body)
{
    int place = x->config->preview;
    if (place == PREVIEW_OFF || place == PREVIEW_BELOW)
        return 0;
    if (body->width < (place == PREVIEW_RIGHT ? 100 : SPLIT_WIDTH) || body->height < 6)
        return 0;
    return body->width - list_width(ops, place, body->width);
}

static int below_height(const struct app *x, const struct view_ops *ops, const struct pane *body)
{
    if (x->config->preview == PREVIEW_OFF || body->height < BELOW_HEIGHT)
        return 0;
    /* Of what happens, and of a drawing, as much as can be seen is wanted. */
    bool small = ops->place & (IN_LIVE | IN_GRAPH);
    int height = small ? body->height / 3 : body->height * 9 / 20;
    return height > 22 ? 22 : height;
}

void app_place_panes(struct app *x, const struct pane *body)
{
    x->ui.list_pane = *body;
    x->ui.preview_pane = pane_part(body, 0, 0, 0, 0);
    if (!x->nav.top->ops->preview || (x->ui.zoom && !x->ui.preview_focus))
        return;
    if (x->ui.zoom) {
        x->ui.list_pane = pane_part(body, 0, 0, 0, 0);
        x->ui.preview_pane = *body;
        return;
    }
    int beside = beside_width(x, x->nav.top->ops, body),
        below = beside ? 0 : below_height(x, x->nav.top->ops, body);
    if (beside) {
        x->ui.list_pane = pane_part(body, 0, 0, body->height, body->width - beside);
        x->ui.preview_pane = pane_part(body, 0, body->width - beside + 1, body->height, beside - 1);
        paint_divider(body, body->width - beside);
    } else if (below) {
        x->ui.list_pane = pane_part(body, 0, 0, body->height - below, body->width);
        x->ui.preview_pane = pane_part(body, body->height - below, 0, below, body->width);
    }
}

void app_room(const struct app *x, const struct view_ops *ops, int *rows, int *columns)
{
    int whole = x->ui.screen.rows;
    int taken = (whole >= 3) + (whole >= 4) + (whole >= 2) + (whole >= RULE_HEIGHT);
    struct pane body = {.height = whole - taken, .width = x->ui.screen.columns};
    int beside = ops->preview ? beside_width(x, ops, &body) : 0;
    int below = ops->preview && !beside ? below_height(x, ops, &body) : 0;
    *rows = body.height - below;
    *columns = body.width - beside;
}
