/* Actions: moving, back, history, places; panes, mouse, theme, pause, follow. */
#include "tui/action/action.h"

#include "store/record/get.h"
#include "tui/explorer/app.h"
#include "tui/explorer/changes.h"
#include "tui/explorer/shown_state.h"
#include "tui/text/times.h"
#include "tui/view/chain/chain_view.h"
#include "tui/widget/page_view.h"
#include "tui/view/graph/graph_view.h"
#include "tui/view/views.h"

static const struct {
    int halves; /* half pages; 0 for a line, or all */
    long lines;
} moves[] = {
    [GO_DOWN] = {0, 1},         [GO_UP] = {0, -1},        [GO_HALF_DOWN] = {1, 0},
    [GO_HALF_UP] = {-1, 0},     [GO_PAGE_DOWN] = {2, 0},  [GO_PAGE_UP] = {-2, 0},
    [GO_FIRST] = {0, -1000000}, [GO_LAST] = {0, 1000000},
};

void act_move(struct app *x, const char *argument, int move)
{
    int halves = moves[move].halves;
    (void)argument;
    if (x->ui.preview_focus)
        panel_scroll(&x->ui, halves ? halves * x->ui.preview_pane.height / 2 : moves[move].lines);
    else if (move == GO_FIRST)
        view_first(x->nav.top);
    else if (move == GO_LAST)
        view_last(x->nav.top);
    else if (halves)
        view_page(x->nav.top, halves);
    else
        view_move(x->nav.top, moves[move].lines);
}

#define PAN_STEP 16
#define PAN_MAX  600 /* most bytes of a row's text */

/* What the view does, else its text is scrolled. */
void act_sideways(struct app *x, const char *argument, int request)
{
    struct view *top = x->nav.top;
    (void)argument;
    if (view_request(top, (enum view_request)request) || !(top->ops->has & HAS_TEXT))
        return;
    if (request == REQUEST_RIGHT || request == REQUEST_PAN_RIGHT)
        top->pan += top->pan < PAN_MAX ? PAN_STEP : 0;
    else if (top->pan == 0)
        ui_message(&x->ui, "the text is already at its beginning");
    else
        top->pan -= top->pan < PAN_STEP ? top->pan : PAN_STEP;
}

const char *blocked_open(struct app *x)
{
    return x->nav.top->ops->has & HAS_WRITING ? apply_view_blocked(x->nav.top) : NULL;
}

void act_open(struct app *x, const char *argument)
{
    if (*argument)
        palette_open_memory(x, argument);
    else
        app_open_line(x);
}

static bool leave_preview(struct ui *ui)
{
    if (!ui->preview_focus && !ui->zoom)
        return false;
    ui->preview_focus = ui->zoom = false;
    return true;
}

/* Returns false on the first view. From another root view it leads to the first one. */
static bool go_back(struct app *x)
{
    if (app_pop(x))
        return true;
    if (x->nav.top == x->nav.root[x->nav.first])
        return false;
    app_open_root(x, x->nav.first);
    return true;
}

bool back_quits(const struct app *x)
{
    return x->nav.top == x->nav.root[x->nav.first] && !x->nav.top->only_new;
}

void act_back(struct app *x)
{
    if (leave_preview(&x->ui))
        return;
    if (!x->nav.top->below && x->nav.top->only_new)
        act_only_new(x);
    else if (!go_back(x))
        act_quit(x);
}

void act_escape(struct app *x)
{
    struct view *v = x->nav.top;
    if (leave_preview(&x->ui))
        return;
    if (x->pending.with_reason) {
        act_with_reason(x);
    } else if (x->ui.selection.range) {
        x->ui.selection.range = 0;
        ui_message(&x->ui, "the range was given up");
    } else if (*v->search.pattern) {
        view_search(v, "");
    } else if (view_request(v, REQUEST_CLEAR)) {
        return;
    } else if (*v->filter) {
        view_filter(v, "");
    } else if (v->only_new) {
        act_only_new(x);
    } else if (x->ui.disbelieved.count > 0) {
        disbelieve_end(x);
    } else if (!v->below && x->ui.selection.count > 0) {
        act_unselect_all(v);
    } else if (go_back(x)) {
        return;
    } else {
        ui_message(&x->ui, asof_is_past(&x->asof)
                               ? "this is the first view; :asof now returns to the present"
                               : "this is the first view; q quits");
    }
}

static void leave_chosen(struct app *x, const struct popup_item *item)
{
    if (item->key == 'y')
        x->ui.quit = true;
}

/* Asks first if there is unsaved text, which would be lost. */
void act_quit(struct app *x)
{
    if (!x->pending.count[PENDING_UNSAVED]) {
        x->ui.quit = true;
        return;
    }
    popup_open(&x->ui.popup, "some of what you typed is not saved", leave_chosen);
    popup_add(&x->ui.popup, 'n', "stay", ":unsaved shows it");
    popup_add(&x->ui.popup, 'y', "quit", "and discard it");
}

static void next_pane(struct ui *ui)
{
    if (ui->preview_pane.height < 2 && !ui->preview_focus) {
        ui_message(ui, "there is no room for a preview");
        return;
    }
    ui->preview_focus = !ui->preview_focus;
}

void act_section(struct app *x, const char *argument, int request)
{
    (void)argument;
    if (!view_request(x->nav.top, (enum view_request)request))
        next_pane(&x->ui);
}

void act_history_step(struct app *x, const char *argument, int direction)
{
    (void)argument;
    struct view *v = back_list_step(&x->nav.back_list, direction);
    if (v)
        app_show(x, view_hold(v));
}

/* ---- bookmarks ---- */

static void keep_chosen(struct app *x, const struct popup_item *item)
{
    bookmark_set(x, item ? item->key : x->ui.popup.letter);
}

static void return_chosen(struct app *x, const struct popup_item *item)
{
    bookmark_jump(x, item ? item->key : x->ui.popup.letter);
}

static void offer_letters(struct app *x, const char *title,
                          void (*chosen)(struct app *, const struct popup_item *))
{
    popup_open(&x->ui.popup, title, chosen);
    x->ui.drop_typed = false; /* its letter may be typed ahead: it changes no store */
    for (size_t i = 0; i < BOOKMARKS; i++) {
        const struct bookmark *kept = &x->nav.back_list.bookmark[i];
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
        bookmark_set(x, (unsigned char)*argument);
    else
        offer_letters(x, "bookmark: which letter?", keep_chosen);
}

void act_place_return(struct app *x, const char *argument)
{
    if (*argument)
        bookmark_jump(x, (unsigned char)*argument);
    else
        offer_letters(x, "go to which bookmark?", return_chosen);
}

void act_zoom(struct view *top)
{
    top->ui->zoom = !top->ui->zoom;
}

void act_times(struct view *top)
{
    top->ui->prefs->exact_times = !top->ui->prefs->exact_times;
    if (top->ui->prefs->exact_times)
        ui_message(top->ui, "times as dates, in %s", times_zone_name());
    else
        ui_message(top->ui, "times as ages");
}

void act_refresh(struct app *x)
{
    app_changed(x);
    /* A lost store shows its old data, and the error message stays. */
    if (view_request(x->nav.top, REQUEST_REFRESH) && x->remote.lost.code == ERROR_NONE)
        ui_message(&x->ui, "reloaded");
}

/* Whether new lines are added at the top. */
static bool newest_is_first(const struct app *x)
{
    if (x->nav.top->ops->has & HAS_MEMORY_LIST)
        return !list_view_own_order(x->nav.top) && x->prefs.order == ORDER_RECORDED &&
               !x->prefs.by_column && !x->prefs.reverse;
    return x->nav.top->ops->has & HAS_EVENTS;
}

void act_follow(struct app *x)
{
    if (x->remote.follows != x->nav.top && chain_view_is_finished(x->nav.top)) {
        ui_message(&x->ui, "the chain is finished: there will be no new steps to follow");
        return;
    }
    x->remote.follows = x->remote.follows == x->nav.top ? NULL : x->nav.top;
    ui_message(&x->ui,
               x->remote.follows ? "the cursor follows new lines" : "the cursor stays where it is");
    if (x->remote.follows && newest_is_first(x))
        view_first(x->nav.top);
    else if (x->remote.follows && view_is(x->nav.top, "session conversation"))
        page_view_end(x->nav.top);
}

void act_pause(struct app *x)
{
    size_t held = changes_held_from(x, x->nav.top);
    bool of_now = x->nav.top->ops->of_now;
    x->remote.paused = !x->remote.paused;
    if (x->remote.paused) {
        ui_message(&x->ui, "paused: changes by others are held back%s",
                   of_now ? "; sessions go on" : "");
        return;
    }
    if (of_now)
        ui_message(&x->ui, "no longer paused");
    else
        ui_message(&x->ui, "no longer paused: %zu change%s meanwhile", held, held == 1 ? "" : "s");
    app_notify_changes(x);
}

void act_mouse(struct view *top)
{
    screen_set_mouse(&top->ui->screen, !top->ui->screen.mouse);
    ui_message(
        top->ui,
        top->ui->screen.mouse
            ? "the mouse works here, and selects text with Shift; M leaves it to the terminal"
            : "the terminal has the mouse; M takes it");
}

void act_redraw(struct view *top)
{
    screen_repaint(&top->ui->screen);
    if (view_is_graph(top))
        graph_view_centre(top);
}

void act_cancel(struct app *x)
{
    const char *name = worker_cancel_all(&x->data.worker);
    bool saving = pending_cancel(&x->pending);
    if (saving)
        ui_message(&x->ui, "giving up changes that wait to be saved");
    else if (name)
        ui_message(&x->ui, "cancelled: %s", name);
    else
        ui_message(&x->ui, "nothing is running; q goes back, Q quits");
    if (name)
        view_read_cancel(x->nav.top);
}

void act_theme(struct app *x, const char *argument)
{
    struct error e;
    if (!*argument)
        palette_ask(x, "theme ", "Down and Up show a theme, Enter takes it, Esc leaves it");
    else if (screen_set_theme(&x->ui.screen, argument, &e))
        ui_error(&x->ui, &e);
    else
        ui_message(&x->ui, "the theme is %s", argument);
}
