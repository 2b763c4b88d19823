#include "tui/action/actions.h"

#include "tui/explorer/app.h"
#include "tui/action/view_help.h"
#include "tui/view/view_list.h"

/* Keys that move scroll the preview where that has the focus. */
static bool moves_preview(struct app *x, long lines)
{
    if (!x->ui.preview_focus)
        return false;
    if (x->nav.top->ops->scroll_preview)
        x->nav.top->ops->scroll_preview(x->nav.top, lines);
    else
        preview_scroll(x, lines);
    return true;
}

void act_down(struct app *x, const char *argument)
{
    (void)argument;
    if (!moves_preview(x, 1))
        view_move(x->nav.top, 1);
}

void act_up(struct app *x, const char *argument)
{
    (void)argument;
    if (!moves_preview(x, -1))
        view_move(x->nav.top, -1);
}

void act_half_down(struct app *x, const char *argument)
{
    (void)argument;
    if (!moves_preview(x, x->ui.preview_pane.height / 2))
        view_page(x->nav.top, 1);
}

void act_half_up(struct app *x, const char *argument)
{
    (void)argument;
    if (!moves_preview(x, -x->ui.preview_pane.height / 2))
        view_page(x->nav.top, -1);
}

void act_page_down(struct app *x, const char *argument)
{
    (void)argument;
    if (!moves_preview(x, x->ui.preview_pane.height))
        view_page(x->nav.top, 2);
}

void act_page_up(struct app *x, const char *argument)
{
    (void)argument;
    if (!moves_preview(x, -x->ui.preview_pane.height))
        view_page(x->nav.top, -2);
}

void act_first(struct app *x, const char *argument)
{
    (void)argument;
    if (!moves_preview(x, -1000000))
        view_first(x->nav.top);
}

void act_last(struct app *x, const char *argument)
{
    (void)argument;
    if (!moves_preview(x, 1000000))
        view_last(x->nav.top);
}

void act_left(struct app *x, const char *argument)
{
    (void)argument;
    view_request(x->nav.top, REQUEST_FOLD);
}

void act_right(struct app *x, const char *argument)
{
    (void)argument;
    view_request(x->nav.top, REQUEST_UNFOLD);
}

#define PAN_STEP 16
#define PAN_MOST 600 /* a row's text has so many bytes at most */

void act_pan_left(struct app *x, const char *argument)
{
    (void)argument;
    x->nav.top->pan -= x->nav.top->pan < PAN_STEP ? x->nav.top->pan : PAN_STEP;
}

void act_pan_right(struct app *x, const char *argument)
{
    (void)argument;
    x->nav.top->pan += x->nav.top->pan < PAN_MOST ? PAN_STEP : 0;
}

const char *blocked_not_panned(struct app *x)
{
    return x->nav.top->pan == 0 ? "the lines are at their beginning" : NULL;
}

void act_open(struct app *x, const char *argument)
{
    if (*argument)
        palette_open_memory(x, argument);
    else
        view_request(x->nav.top, REQUEST_OPEN);
}

const char *blocked_open(struct app *x)
{
    if (x->nav.top->ops->at_large && x->nav.top->selected == LINE_NONE)
        return "the cursor is on no other memory; j or Tab goes to one";
    return blocked_no_lines(x);
}

static bool leave_preview(struct app *x)
{
    if (!x->ui.preview_focus && !x->ui.zoom)
        return false;
    x->ui.preview_focus = x->ui.zoom = false;
    x->preview.sheet_width = 0;
    return true;
}

void act_back(struct app *x, const char *argument)
{
    (void)argument;
    if (!leave_preview(x) && !app_pop(x))
        act_quit(x, "");
}

void act_escape(struct app *x, const char *argument)
{
    struct view *v = x->nav.top;
    (void)argument;
    if (leave_preview(x))
        return;
    if (x->ui.marks.range) {
        x->ui.marks.range = 0;
        app_say(x, "no range");
    } else if (*v->search.pattern) {
        view_search(v, "");
    } else if (view_request(v, REQUEST_CLEAR)) {
        return;
    } else if (v->ops->filter && *v->ops->filter(v)) {
        v->ops->set_filter(v, "");
    } else if (v->only_new) {
        act_only_new(x, "");
    } else if (!app_pop(x)) {
        app_say(x, "this is the first view; q quits");
    }
}

static void leave_chosen(struct app *x, const struct popup_item *item)
{
    if (item->key == 'y')
        x->ui.quit = true;
}

/* What was typed and is not saved is lost with the explorer: that is asked first. */
void act_quit(struct app *x, const char *argument)
{
    (void)argument;
    if (!x->acting.unsaved) {
        x->ui.quit = true;
        return;
    }
    popup_open(&x->ui.popup, "what you typed is not all saved", leave_chosen);
    popup_add(&x->ui.popup, 'n', "stay", ":unsaved shows it");
    popup_add(&x->ui.popup, 'y', "leave", "and drop it");
}

static void next_pane(struct app *x)
{
    if (x->ui.preview_pane.height < 2 && !x->ui.preview_focus) {
        app_say(x, "there is no room for a preview");
        return;
    }
    x->ui.preview_focus = !x->ui.preview_focus;
    x->preview.sheet_width = 0;
}

void act_next_section(struct app *x, const char *argument)
{
    (void)argument;
    if (!view_request(x->nav.top, REQUEST_NEXT_SECTION))
        next_pane(x);
}

void act_previous_section(struct app *x, const char *argument)
{
    (void)argument;
    if (!view_request(x->nav.top, REQUEST_PREVIOUS_SECTION))
        next_pane(x);
}

static void step_history(struct app *x, int direction)
{
    struct view *v = trail_step(&x->nav.trail, direction);
    if (v)
        app_show(x, view_hold(v));
}

void act_history_back(struct app *x, const char *argument)
{
    (void)argument;
    step_history(x, -1);
}

void act_history_forward(struct app *x, const char *argument)
{
    (void)argument;
    step_history(x, 1);
}

const char *blocked_no_history_back(struct app *x)
{
    return x->nav.trail.at == 0 ? "no view was shown before this one" : NULL;
}

const char *blocked_no_history_forward(struct app *x)
{
    return x->nav.trail.at + 1 >= x->nav.trail.count ? "no view was shown after this one" : NULL;
}

/* ---- places ---- */

static void keep_chosen(struct app *x, const struct popup_item *item)
{
    trail_keep(x, item ? item->key : x->ui.popup.letter);
}

static void return_chosen(struct app *x, const struct popup_item *item)
{
    trail_return(x, item ? item->key : x->ui.popup.letter);
}

static void offer_letters(struct app *x, const char *title,
                          void (*chosen)(struct app *, const struct popup_item *))
{
    popup_open(&x->ui.popup, title, chosen);
    for (size_t i = 0; i < TRAIL_PLACES; i++) {
        const struct place_kept *kept = &x->nav.trail.place[i];
        const struct memory_row *row = kept->letter ? details_row(x, kept->node) : NULL;
        if (kept->letter)
            popup_add(&x->ui.popup, kept->letter, kept->view->ops->name,
                      row && row->text ? row->text : "");
    }
    x->ui.popup.any_key = true;
}

void act_place_keep(struct app *x, const char *argument)
{
    if (*argument)
        trail_keep(x, (unsigned char)*argument);
    else
        offer_letters(x, "keep this place under which letter?", keep_chosen);
}

void act_place_return(struct app *x, const char *argument)
{
    if (*argument)
        trail_return(x, (unsigned char)*argument);
    else
        offer_letters(x, "return to the place of which letter?", return_chosen);
}
