#include "tui/action/actions.h"

#include "tui/explorer/app.h"
#include "tui/explorer/news.h"
#include "tui/view/chain/chain_view.h"
#include "tui/view/view_list.h"

const char *blocked_no_preview(struct app *x)
{
    return x->nav.top->ops->preview || x->nav.top->ops->zooms ? NULL
                                                              : "this view has no pane to zoom";
}

void act_mask(struct app *x, const char *argument)
{
    (void)argument;
    rules_toggle_mask(x);
}

void act_unsaved(struct app *x, const char *argument)
{
    (void)argument;
    acting_ask_unsaved(x);
}

const char *blocked_nothing_unsaved(struct app *x)
{
    return x->acting.unsaved ? NULL : "all that was typed is saved";
}

void act_zoom(struct app *x, const char *argument)
{
    (void)argument;
    x->ui.zoom = !x->ui.zoom;
    x->preview.sheet_width = 0;
}

void act_times(struct app *x, const char *argument)
{
    (void)argument;
    x->prefs.exact_times = !x->prefs.exact_times;
    app_say(x, x->prefs.exact_times ? "times as dates, in UTC" : "times as ages");
}

void act_refresh(struct app *x, const char *argument)
{
    (void)argument;
    details_changed(&x->details);
    x->preview.stale = true;
    /* Of a store that is lost it is what was there before, and that stays said. */
    if (view_request(x->nav.top, REQUEST_REFRESH) && x->remote.lost.code == ERROR_NONE)
        app_say(x, "read again");
}

const char *blocked_no_feed(struct app *x)
{
    return x->data.feed ? NULL : "changes to this store cannot be followed";
}

/* Does what is new land above all else? */
static bool newest_is_first(const struct app *x)
{
    if (view_is_list(x->nav.top))
        return !list_view_own_order(x->nav.top) && x->prefs.order == ORDER_RECORDED &&
               !x->prefs.reverse;
    return x->nav.top->ops->place & (IN_LIVE | IN_AUDIT);
}

void act_follow(struct app *x, const char *argument)
{
    (void)argument;
    if (x->remote.follows != x->nav.top && chain_view_is_finished(x->nav.top)) {
        app_say(x, "the chain is finished: no step comes that could be followed");
        return;
    }
    x->remote.follows = x->remote.follows == x->nav.top ? NULL : x->nav.top;
    app_say(x,
            x->remote.follows ? "the cursor goes to what is new" : "the cursor stays where it is");
    if (x->remote.follows && newest_is_first(x))
        view_first(x->nav.top);
}

void act_pause(struct app *x, const char *argument)
{
    size_t held = news_held_from(x, x->nav.top);
    bool of_now = x->nav.top->ops->of_now;
    (void)argument;
    x->remote.paused = !x->remote.paused;
    if (x->remote.paused) {
        app_say(x, "paused: what others write waits%s", of_now ? "; sessions go on" : "");
        return;
    }
    if (of_now)
        app_say(x, "going on: what others wrote comes");
    else
        app_say(x, "going on: %zu came meanwhile", held);
    app_news(x);
}

void act_mouse(struct app *x, const char *argument)
{
    (void)argument;
    screen_set_mouse(&x->ui.screen, !x->ui.screen.mouse);
    app_say(x, x->ui.screen.mouse ? "the mouse selects and scrolls; M gives it back to the terminal"
                                  : "the mouse is the terminal's");
}

void act_redraw(struct app *x, const char *argument)
{
    (void)argument;
    screen_repaint(&x->ui.screen);
}

void act_cancel(struct app *x, const char *argument)
{
    const char *name = worker_cancel_all(&x->data.worker);
    bool saving = acting_cancel(x);
    (void)argument;
    if (saving)
        app_say(x, "giving up what waits to be saved");
    else if (name)
        app_say(x, "cancelled: %s", name);
    else
        app_say(x, "nothing is running; q goes back, Q quits");
    if (name)
        view_reads_not(x->nav.top);
}

void act_theme(struct app *x, const char *argument)
{
    struct error e;
    if (!*argument)
        app_say(x, "the theme is %s; :theme NAME takes another", x->ui.screen.theme.name);
    else if (screen_set_theme(&x->ui.screen, argument, &e))
        app_fail(x, &e);
    else
        app_say(x, "the theme is %s", argument);
}
