#include "tui/loop/loop.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/open.h"
#include "store/record/waiting.h"
#include "store/team/team.h"
#include "tui/action/action.h"
#include "tui/config/config_rules.h"
#include "tui/explorer/stores.h"
#include "tui/explorer/changes.h"
#include "tui/explorer/shown_state.h"
#include "tui/explorer/rules.h"
#include "tui/explorer/saved_views.h"
#include "tui/term/signals.h"
#include "tui/text/times.h"
#include "tui/view/chain/chain_view.h"
#include "tui/view/chain/chain_views.h"
#include "tui/view/views.h"
#include "tui/view/events/event_views.h"
#include "tui/view/memory/memory_views.h"

/* ---- struct explorer_above ---- */

static void add_key(const struct app *x, const char *action, struct strbuf *out)
{
    keymap_name(x->keymap, action_find(action, strlen(action)), out);
}

static void take_keys(struct app *x)
{
    struct error e;
    keymap_open(x->keymap, x->config, &e); /* was checked */
}

static const struct explorer_above above = {
    .list = list_view_new,
    .neighbours = list_view_neighbours,
    .live = live_view_new,
    .review = review_view_new,
    .health = health_view_new,
    .memory = memory_view_new,
    .chain = chain_view_new,
    .step = step_view_new,
    .document = document_view_new,
    .confirm = confirm_view_new,
    .add_key = add_key,
    .check = config_check,
    .take_keys = take_keys,
};

/* ---- beginning and end ---- */

static int open_screen(struct app *x, struct error *e)
{
    const struct explorer_options *o = x->options;
    struct screen_options options = {
        .theme = x->config->theme,
        .no_colour = o->no_colour,
        .mouse = x->config->mouse,
        .speaks = x->config->screen_reader,
        .ascii = x->config->ascii,
        .links = x->config->links,
        .escape_delay = x->config->escape_delay,
        .headless = o->script != NULL && !o->watched,
        .rows = o->rows,
        .columns = o->columns,
    };
    return screen_open(&x->ui.screen, &options, e);
}

static int first_root(struct data *data)
{
    struct error e;
    bool any;
    /* If there are no beliefs, start with all memories. */
    struct list_query beliefs = {.kinds = KIND_BIT(KIND_BELIEF)};
    return list_any(data->reader, &beliefs, &any, &e) || any ? KIND_BELIEF : ROOT_ALL;
}

char *explorer_visit_path(const char *store)
{
    return visit_path("visits", store);
}

char *explorer_place_path(const char *store)
{
    return visit_path("places", store);
}

/* On a first visit only changes during the visit are new. */
static void begin_visit(struct app *x)
{
    struct visit visit;
    struct error e;
    x->unread.before = visit_read(x->data.reader, x->options->visit, &visit);
    x->ui.nothing_new =
        x->unread.before ? "nothing is new since your last visit; Esc shows everything"
                         : "nothing has changed since you opened the store; Esc shows everything";
    if (!x->unread.before) {
        visit.seq = x->data.feed ? feed_seq(x->data.feed) : INT64_MAX;
        visit.at = visit.left_at = store_now(x->data.store);
        visit.call = call_last(x->data.reader, &e);
    }
    x->unread.seq = visit.seq;
    x->unread.at = visit.at;
    x->unread.left_at = visit.left_at;
    x->unread.call = visit.call == VISIT_CALL_UNKNOWN ? INT64_MAX : visit.call;
}

/* Whether something waits that was written after the last visit. What the person left waiting is no reason not to show
 * where they were. */
static bool waits_anew(struct app *x)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct waiting *all = NULL;
    struct memory_row row;
    struct error e;
    size_t count = 0;
    bool anew = false;
    if (x->waiting && !waiting_list(x->asof.present, NULL, WAITING_MAX, &all, &count, &e))
        for (size_t i = 0; i < count && !anew; i++)
            anew = !memory_row_read(x->asof.present, &arena, all[i].node, &row, &e) &&
                   row.event > x->unread.seq;
    free(all);
    return anew;
}

static int open_parts(struct app *x, struct error *e)
{
    details_open(&x->details);
    memory_preview_init(x);
    session_preview_init(x);
    if (asof_open(x, e) || worker_open(&x->data.worker, x->data.store, e) ||
        pending_open(&x->pending, e))
        return -1;
    stores_set_worker(x->home, &x->data.worker);
    stores_take_name(x);
    stores_note_recent(x);
    struct error none;
    x->data.feed = feed_open(x->data.reader, &none);
    begin_visit(x);
    if (x->options->follow)
        x->follow = follow_open(x->data.store, x->options->format, x->options->follow,
                                x->options->person, e);
    if (x->options->follow && !x->follow)
        return -1;
    x->prefs.agent = x->options->agent ? xstrdup(x->options->agent) : NULL;
    x->prefs.order = (enum list_order)x->config->order;
    x->prefs.graph_style = x->config->graph_style;
    x->prefs.preview = x->config->preview;
    x->prefs.preview_size = x->config->preview_size;
    times_set_local(x->config->times);
    x->ui.now = store_now(x->data.store);
    changes_count_agents(x);
    int root = first_root(&x->data);
    x->nav.first = root;
    x->nav.root[root] = list_view_new(&x->ui, root);
    x->nav.top = view_hold(x->nav.root[root]);
    back_list_visit(&x->nav.back_list, x->nav.top);
    changes_count_waiting(x);
    if (!x->options->script) /* nothing changes by itself while a script runs */
        x->team.follower = team_follow(x->data.store);
    struct error unread;
    if (column_choices_read(&x->prefs, &unread))
        ui_error(&x->ui, &unread);
    bool back = !x->options->as_of && !x->options->anew && last_place_open(x);
    if (x->options->inbox_first && !x->options->as_of && (back ? waits_anew(x) : x->waiting > 0))
        app_open_root(x, ROOT_REVIEW);
    recording_begin(x);
    if (x->options->record && recording_start(&x->recording, x->options->record, e))
        return -1;
    live_open(x);
    alerts_open(x);
    if (x->options->tour)
        tour_begin(x);
    if (x->options->notice)
        ui_message(&x->ui, "%s", x->options->notice);
    if (x->options->as_of)
        act_asof(x, x->options->as_of);
    return 0;
}

/* Returns -1 and sets *e if the last changes could not be saved. */
static int close_parts(struct app *x, struct error *e)
{
    if (x->nav.top)
        last_place_write(x);
    follow_close(x->follow);
    team_follow_end(x->team.follower);
    stores_set_worker(x->home, NULL);
    view_drop(x->nav.top);
    for (int i = 0; i < ROOT_COUNT; i++)
        view_drop(x->nav.root[i]);
    back_list_release(&x->nav.back_list);
    if (x->data.worker.store)
        worker_close(&x->data.worker);
    rules_release(x);
    disbelieve_release(x);
    int failed = pending_close(x, e); /* releasing views may add pending operations */
    if (x->data.feed) {
        struct error none;
        visit_write(x->asof.present, x->options->visit, feed_seq(x->data.feed),
                    call_last(x->asof.present, &none));
        feed_close(x->data.feed);
    }
    asof_close(x);
    live_release(&x->live);
    alerts_release(&x->alerts);
    popup_release(&x->ui.popup);
    prompt_release(&x->ui.prompt);
    selection_release(&x->ui.selection);
    details_release(&x->details);
    panel_release(&x->preview);
    panel_release(&x->session_preview);
    recording_release(&x->recording);
    free(x->prefs.agent);
    free(x->prefs.columns);
    free(x->stores.name);
    free(x->export_argument);
    return failed;
}

/* ---- one store after another ---- */

/* Sets the state for a store. Of the one before, only what belongs to the run stays: screen, keys and home. */
static void begin_store(struct app *x, struct store *s, const struct explorer_options *options)
{
    struct app *before = xcalloc(1, sizeof(*before));
    *before = *x;
    *x = (struct app){.config = before->config,
                      .options = options,
                      .above = &above,
                      .keymap = before->keymap,
                      .home = before->home,
                      .recording = before->recording};
    x->ui.screen = before->ui.screen;
    x->ui.input = before->ui.input;
    x->ui.wait_mask = before->ui.wait_mask;
    free(before);
    x->ui.app = x;
    x->ui.data = &x->data;
    x->ui.script = options->script != NULL;
    x->ui.prefs = &x->prefs;
    x->ui.permissions = &x->config->permissions;
    x->ui.popup.ui = &x->ui;
    x->ui.doing = "starting";
    x->data.store = s;
    x->data.read_only = store_is_read_only(s);
    x->rules.fd = -1;
}

static void release_store(struct opened_store *o)
{
    if (!o)
        return;
    store_close(o->store);
    arena_release(&o->arena);
    free(o);
}

/* Shows the store that was asked for, or the home. Returns -1 and sets *e if the home cannot be shown. */
static int change_store(struct app *x, struct error *e)
{
    struct opened_store *to = x->stores.next, *from = x->stores.shown;
    struct error unsaved;
    int failed = close_parts(x, &unsaved);
    release_store(from);
    begin_store(x, to ? to->store : x->home->store, to ? &to->options : &x->home->options);
    x->stores.shown = to;
    int result = open_parts(x, e);
    if (result && to) {
        struct error why = *e;
        close_parts(x, e);
        release_store(to);
        begin_store(x, x->home->store, &x->home->options);
        result = open_parts(x, e);
        ui_error(&x->ui, &why);
    } else if (failed) {
        ui_error(&x->ui, &unsaved);
    }
    return result;
}

/* Coming back shows neither the first message nor the tour again, but where the person was. */
static void home_open(struct home *home, struct store *s, const struct explorer_options *options)
{
    *home = (struct home){.store = s, .options = *options};
    home->options.notice = home->options.as_of = NULL;
    home->options.tour = home->options.anew = home->options.inbox_first = false;
    pthread_mutex_init(&home->lock, NULL);
}

static void home_close(struct home *home)
{
    config_rules_close(home->rules);
    if (home->config)
        config_release(home->config);
    free(home->config);
    free(home->name);
    pthread_mutex_destroy(&home->lock);
}

static int run_parts(struct app *x, struct error *e)
{
    if (open_screen(x, e))
        return signals_end() ? signals_end() : -1;
    int result = open_parts(x, e);
    input_open(&x->ui.input, &x->ui.screen, x->options->script);
    if (!result)
        result = x->options->script ? app_script(x) : app_loop(x);
    while (!result && x->stores.leaves && !x->ui.ended_by)
        if (!(result = change_store(x, e)))
            result = x->options->script ? app_script(x) : app_loop(x);
    input_release(&x->ui.input);
    /* Restore the terminal before steps that may take a while. */
    screen_close(&x->ui.screen);
    /* Agents end before the visit does, so that it has their last calls. */
    mcp_listener_stop(x->home->listener);
    x->home->listener = NULL;
    struct error unsaved;
    if (close_parts(x, &unsaved) && result == 0) {
        *e = unsaved;
        result = -1;
    }
    release_store(x->stores.shown);
    release_store(x->stores.next);
    return result;
}

/* Install signal handlers first: curses keeps existing handlers; with its own it would discard a C-z that comes while
 * it draws. */
static int run_seen(struct app *x, struct error *e)
{
    if (signals_open(&x->ui.wait_mask))
        return error_set(e, ERROR_STORE, "", "no pipe could be made for signals");
    signals_guard(&x->ui.doing);
    int result = run_parts(x, e);
    signals_unguard();
    signals_close();
    return result;
}

int explorer_run(struct store *s, const struct config *config,
                 const struct explorer_options *options, struct error *e)
{
    struct app *x = xcalloc(1, sizeof(*x));
    struct home home;
    int result = -1;
    x->keymap = xcalloc(1, sizeof(*x->keymap));
    x->config = config;
    x->home = &home;
    x->recording.fd = -1;
    home_open(&home, s, options);
    begin_store(x, s, options);
    if (!keymap_open(x->keymap, config, e))
        result = options->script && !options->watched ? run_parts(x, e) : run_seen(x, e);
    home_close(&home);
    free(x->keymap);
    free(x);
    return result;
}
