/* The main loop: keys, mouse, changes by others, results of the worker, signals. */
#include "tui/loop/loop.h"

#include <poll.h>
#include "model/base/strbuf.h"
#include "store/platform/platform.h"
#include "tui/action/action.h"
#include "tui/explorer/stores.h"
#include "tui/explorer/rules.h"
#include "tui/term/signals.h"

#define FRAME_MS         33
#define THROTTLE_MOST_MS 500

/* ---- keys ---- */

static void report_unbound_key(struct app *x, uint32_t key)
{
    char name[16];
    AUTO_STRBUF help = STRBUF_INIT;
    key_text(key, name, sizeof(name));
    keymap_keys(x->keymap, action_find("help", 4), 1, &help);
    ui_message(&x->ui, "%s is not bound; %s lists all keys", name, help.buf);
}

static bool in_pane(const struct pane *p, const struct input_event *event)
{
    return event->x >= p->x && event->x < p->x + p->width && event->y >= p->y &&
           event->y < p->y + p->height;
}

/* A click on a view in the breadcrumb goes back to it. Returns false elsewhere. */
static bool click_crumb(struct app *x, const struct input_event *event)
{
    for (size_t i = 0; i < x->ui.crumb_hits && event->y == 0; i++) {
        if (event->x < x->ui.crumb_hit[i].from || event->x >= x->ui.crumb_hit[i].to)
            continue;
        while (app_pop(x) && i-- > 0)
            ;
        return true;
    }
    return false;
}

static void click_line(struct app *x, const struct input_event *event)
{
    struct view *v = x->nav.top;
    int header = v->ops->draw ? 0 : x->ui.list_pane.height - v->height;
    long row = event->y - x->ui.list_pane.y - header;
    if (row == -1 && headers_of(v)->count) {
        act_sort_by_heading(x, event->x);
        return;
    }
    size_t line = v->top + (size_t)(row < 0 ? 0 : row);
    if (v->ops->line_at)
        line = v->ops->line_at(v, (int)row, event->x - x->ui.list_pane.x);
    x->ui.preview_focus = false;
    if (row < 0 || line >= v->count || !view_selectable(v, line))
        return;
    if (line == v->cursor)
        app_open_line(x);
    else
        view_select(v, line);
}

/* The border of the preview follows the mouse from where it was pressed. Returns false for anything else; a movement
 * does nothing more. */
static bool drag(struct app *x, const struct input_event *event)
{
    if (event->button == 1)
        x->ui.dragging = app_preview_border(x, event->x, event->y);
    else if (event->button == 2 && x->ui.dragging)
        app_preview_drag(x, event->x, event->y);
    return x->ui.dragging || event->button == 2;
}

static void pointer(struct app *x, const struct input_event *event)
{
    long lines = event->button == 4 ? -3 : 3;
    if (drag(x, event))
        return;
    if (x->nav.top->ops->point && in_pane(&x->ui.list_pane, event))
        x->nav.top->ops->point(x->nav.top, event->y - x->ui.list_pane.y,
                               event->x - x->ui.list_pane.x, event->button);
    else if (event->button == 1 && in_pane(&x->ui.list_pane, event))
        click_line(x, event);
    else if (event->button == 1 && click_crumb(x, event))
        return;
    else if (event->button == 1 && in_pane(&x->ui.preview_pane, event))
        x->ui.preview_focus = true;
    else if (event->button != 1 && in_pane(&x->ui.preview_pane, event))
        panel_scroll(&x->ui, lines);
    else if (event->button != 1)
        view_scroll(x->nav.top, lines);
}

/* ---- the tour ---- */

/* The text of a step is `before`, the first key of the action, and `after`. */
static const struct step {
    int number;
    const char *action;
    const char *view;  /* view_ops->name after the action; NULL: it makes a change */
    const char *about; /* how the id of the memory that it is run on begins; NULL for any */
    const char *before, *after;
    const char *asked; /* the view that asks: closed by `back`, the step before comes again */
} steps[] = {
    {1, "show", "memory", "c2992c46",
     "The belief under the cursor is wrong. Ten notes support it, but the 1 next to 10/10 says "
     "that "
     "they have one root. ",
     .after = " opens it."},
    {2, "why", "question", "c2992c46", "Why is it believed? ",
     .after =
         " shows its derivations, the strongest first, and the one page that all of them hang on."},
    {3, "what-if", "confirm", "03b3f0bb", "j goes to that page, attribution:03b3f0bb. ",
     .after =
         " shows what would lose its support if the page were wrong. Nothing changes by that."},
    {4, "back", "question", NULL, "", .after = " goes back to the page."},
    {4, "retract", "confirm", "03b3f0bb", "",
     .after = " retracts the page: it shows the consequences once more, and asks."},
    {4, "show", NULL, NULL, "",
     .after = " on the first line does it: the belief loses its support.", .asked = "confirm"},
    {4, "undo", NULL, NULL, "",
     .after = " takes it back. Every change is an event that can be undone."},
    {5, "inbox", "inbox", NULL, "Last: ",
     .after =
         " is the inbox. It has what agents wrote and nobody decided about, the riskiest first."},
};
#define STEPS (int)(sizeof(steps) / sizeof(steps[0]))

void tour_begin(struct app *x)
{
    x->tour = 1;
}

/* Ends the tour if the key is Esc. Returns false if the key is not for the tour. */
static bool tour_take_key(struct app *x, uint32_t key)
{
    if (!x->tour || key != key_from_name("Esc", 3))
        return false;
    x->tour = 0;
    ui_message(&x->ui, "`stemma demo --tour` begins the tour again");
    return true;
}

/* Whether the tour waits for this action, here. */
static bool tour_waits(struct app *x, const struct action *action)
{
    const struct step *step = &steps[x->tour - 1];
    const struct memory_row *on = details_row(x, pending_subject(x));
    return !strcmp(action->name, step->action) && action_applies(action, x->nav.top->ops->has) &&
           !action_missing(x, action, "") &&
           !(step->about && on && strncmp(on->ref.id, step->about, strlen(step->about)) != 0);
}

/* An action has been run by its key: goes on to the next step if it did what the tour waited for. */
static void tour_advance(struct app *x, const struct action *done, bool waited)
{
    const struct step *step = &steps[x->tour - 1];
    const char *view = x->nav.top->ops->name;
    if (step->asked && !strcmp(done->name, "back") && strcmp(view, step->asked) != 0)
        x->tour--;
    if (!waited ||
        !(step->view ? !strcmp(view, step->view) : x->pending.count[PENDING_COMMITTED] > 0))
        return;
    if (++x->tour <= STEPS)
        return;
    x->tour = 0;
    ui_message(&x->ui,
               "That was the tour. ? lists the keys of a view; `stemma help tutorial` goes on");
}

void tour_add_text(const struct app *x, struct strbuf *out)
{
    if (!x->tour)
        return;
    const struct step *step = &steps[x->tour - 1];
    strbuf_addf(out, "tour %d/%d, Esc ends it: %s", step->number, steps[STEPS - 1].number,
                step->before);
    keymap_name(x->keymap, action_find(step->action, strlen(step->action)), out);
    strbuf_addstr(out, step->after);
}

/* ---- keys ---- */

static void command_key(struct app *x, uint32_t key)
{
    const struct action *action = keymap_find(x->keymap, key);
    if (tour_take_key(x, key))
        return;
    if (!action) {
        report_unbound_key(x, key);
        return;
    }
    bool waited = x->tour && tour_waits(x, action);
    action_run(x, action, "");
    if (x->tour)
        tour_advance(x, action, waited);
}

/* Turns a click on the key bar into its key. */
static struct input_event from_bar(struct ui *ui, const struct input_event *event)
{
    struct input_event key = *event;
    if (event->key != KEY_POINTER || event->button != 1 || !in_pane(&ui->bar_pane, event))
        return key;
    for (size_t i = 0; i < ui->bar_hits; i++)
        if (event->x >= ui->bar_hit[i].from && event->x < ui->bar_hit[i].to)
            key.key = key_from_name(ui->bar_hit[i].key, strlen(ui->bar_hit[i].key));
    return key;
}

/* Resizing, unknown sequences and what only scripts have. */
static bool is_no_key(uint32_t key)
{
    return key == KEY_NONE || key == KEY_SHOT || key == KEY_WAIT || key == KEY_RESIZED;
}

static void take_key(struct app *x, const struct input_event *event)
{
    if (event->key == KEY_RESIZED && x->ui.screen.fd < 0)
        screen_resize(&x->ui.screen, event->y, event->x);
    else if (is_no_key(event->key) ||
             (event->key == KEY_POINTER && event->button == 2 && x->ui.modal))
        return;
    else if (x->ui.modal)
        x->ui.modal->ops->key(&x->ui, event);
    else if (event->key == KEY_POINTER)
        pointer(x, event);
    else if (event->key == KEY_PASTED)
        ui_message(&x->ui, "you can paste only into a text field: open one with / \\ or : first");
    else
        command_key(x, event->key);
}

/* Whether the cursor or the window moved. A change to or from no line does not count, since a filter caused it. */
static bool moved(const struct view *v, size_t selected, size_t first)
{
    bool both = selected != LINE_NONE && v->cursor != LINE_NONE;
    return both && (v->cursor != selected || v->top != first);
}

/* Clears the status line, or shows a lasting message. */
static void show_resting_status(struct app *x)
{
    x->ui.status.text[0] = '\0';
    x->ui.status.style = STYLE_STATUS;
    if (x->remote.lost.code != ERROR_NONE)
        ui_error(&x->ui, &x->remote.lost);
    else if (!x->ui.prompt.ops)
        pending_report_waiting(x);
    x->ui.status.fresh = false;
}

static void app_key(struct app *x, const struct input_event *pressed)
{
    struct input_event event = from_bar(&x->ui, pressed);
    const struct view *top = x->nav.top;
    size_t selected = top->cursor, first = top->top;
    bool followed = x->remote.follows == top;
    bool key = !is_no_key(event.key);
    recording_take(x, pressed);
    /* What is no key does not clear the message; a screenshot shows what stays. */
    if (key || event.key == KEY_SHOT)
        show_resting_status(x);
    x->remote.reported = key ? 0 : x->remote.reported;
    if (key && !x->ui.prompt.ops)
        view_cancel_wait(x->nav.top);
    take_key(x, &event);
    if (key && !x->ui.status.fresh && !x->ui.modal)
        alerts_tell(x);
    /* A movement of the cursor ends following. The key that starts following may itself move it. */
    if (followed && x->remote.follows == top && x->nav.top == top &&
        (moved(top, selected, first) || view_waits_for_line(top)))
        x->remote.follows = NULL;
    if (x->remote.touched && view_line_id(x->nav.top, x->nav.top->cursor) != x->remote.touched)
        x->remote.touched = 0;
}

/* Whether to continue. After a request to end, nothing is read or drawn, since another job may have the terminal. */
static bool should_continue(struct ui *ui)
{
    return !ui_is_ended(ui) && !ui->quit;
}

/* ---- keys that are typed ahead ---- */

/* Whether the key must wait for the lines that it is meant for. What leaves the view, or opens another one, does not,
 * unless it comes after a key that waits. */
static bool must_wait(struct app *x, const struct input_event *event)
{
    if (x->ui.modal || is_no_key(event->key) || event->key == KEY_POINTER ||
        event->key == KEY_PASTED || !view_awaits_lines(x->nav.top))
        return false;
    const struct action *action = keymap_find(x->keymap, event->key);
    return x->held.count > 0 || (action && action_acts_on_lines(action));
}

static void forget_held(struct app *x)
{
    x->held.count = 0;
    x->held.dropped = false;
}

static void report_dropped(struct app *x)
{
    ui_message(&x->ui,
               "what was typed after the first %d keys, before the lines were shown, is dropped",
               HELD_MAX);
}

/* Handles a key or keeps it. Esc, C-c and the mouse act at once; what is kept was then meant for what is gone. */
static void take_or_hold(struct app *x, const struct input_event *event)
{
    const struct view *top = x->nav.top;
    bool stops = event->key == key_from_name("Esc", 3) || event->key == 3;
    if (stops)
        forget_held(x);
    if (!must_wait(x, event)) {
        app_key(x, event);
    } else if (x->held.count < HELD_MAX) {
        x->held.key[x->held.count++] = *event;
    } else {
        x->held.dropped = true;
        report_dropped(x);
    }
    if (top != x->nav.top)
        forget_held(x);
}

/* Handles the keys that waited, as far as their lines are there now. Nobody has seen these, so nothing is decided. */
static bool take_held(struct app *x)
{
    bool any = false;
    while (should_continue(&x->ui) && x->held.count > 0 && !x->ui.drop_typed &&
           !must_wait(x, &x->held.key[0])) {
        struct input_event event = x->held.key[0];
        memmove(x->held.key, x->held.key + 1, --x->held.count * sizeof(event));
        x->ui.rows_moved = any = true;
        app_key(x, &event);
    }
    if (x->held.dropped && x->held.count == 0) { /* again: each of the keys cleared the message */
        report_dropped(x);
        x->held.dropped = false;
    }
    return any;
}

/* Delivers what the worker has read. Lines that a key may have waited for are not on the screen yet. */
static bool deliver(struct app *x)
{
    bool waited = view_awaits_lines(x->nav.top);
    bool drawn = worker_deliver(&x->data.worker) > 0;
    x->ui.rows_moved |= waited && !view_awaits_lines(x->nav.top);
    return drawn;
}

/* ---- the loop ---- */

static int fd_of_worker(const struct app *x)
{
    return worker_fd(&x->data.worker);
}

/* The listener's thread uses the worker's descriptor, too. */
static bool take_worker(struct app *x)
{
    bool drawn = deliver(x);
    return live_take_messages(x) || drawn;
}

static int fd_of_follow(const struct app *x)
{
    return follow_fd(x->follow);
}

static bool take_follow(struct app *x)
{
    for (char *text; (text = follow_take(x->follow)); free(text))
        ui_message(&x->ui, "%s", text);
    return true;
}

/*
 * Event sources besides keys, signals and changes of the store. `ready` is called when the descriptor is readable,
 * `due` when a time requested with ui_wake has come. Both return whether anything may have to be drawn. Any member
 * may be NULL.
 */
static const struct event_source {
    int (*fd)(const struct app *x); /* -1 if there is none now */
    bool (*ready)(struct app *x);
    bool (*due)(struct app *x);
} sources[] = {
    {fd_of_worker, take_worker, live_due},
    {pending_fd, pending_deliver, alerts_due},
    {fd_of_follow, take_follow, NULL},
    {rules_fd, rules_ready, rules_due},
};
#define SOURCES (sizeof(sources) / sizeof(sources[0]))

enum {
    FD_TERMINAL = 0,
    FD_SIGNAL,
    FD_FEED,
    FD_SOURCES,
    FD_COUNT = FD_SOURCES + SOURCES
};

/* Handles the available keys, up to one that opens a question. Returns false if the terminal was closed. Sets *key if
 * the terminal was readable or a key was handled: then a frame is due at once. */
static bool take_keys(struct app *x, bool *key)
{
    struct input_event event;
    size_t taken = take_held(x);
    while (should_continue(&x->ui) && !x->ui.drop_typed && taken < 10000 &&
           input_next(&x->ui.input, &event)) {
        take_or_hold(x, &event);
        taken++;
    }
    if (*key && taken == 0 && !x->ui.drop_typed)
        x->ui.input.empty_reads++;
    *key |= taken > 0;
    return x->ui.input.empty_reads < 50;
}

/* Suspends. Clients of this process have to wait and may give up, so a message in the terminal tells how many. */
static void suspend(struct app *x)
{
    AUTO_STRBUF message = STRBUF_INIT;
    live_add_waiting(&x->live, &message);
    screen_suspend(&x->ui.screen, message.buf);
}

static void take_signals(struct app *x)
{
    unsigned bits = signals_take();
    if (bits & SIGNAL_BIT_STOP && !signals_end())
        suspend(x);
    if (bits & SIGNAL_BIT_CONTINUE && !signals_end())
        screen_repaint(&x->ui.screen);
    if (ui_is_ended(&x->ui))
        return;
    if (bits & SIGNAL_BIT_RESIZE && screen_measure(&x->ui.screen))
        recording_take(x, &(struct input_event){.key = KEY_RESIZED,
                                                .x = x->ui.screen.columns,
                                                .y = x->ui.screen.rows});
    if (bits & SIGNAL_BIT_CANCEL) {
        struct input_event event = {.key = 3};
        take_or_hold(x, &event);
    }
}

/* Time until the next turn in ms, without other events; -1 for no limit. */
static int64_t next_turn(struct app *x, int64_t now)
{
    int64_t throttle = x->ui.throttled_until > now ? x->ui.throttled_until - now : 0;
    int64_t next = x->data.feed ? feed_timeout(x->data.feed) : -1;
    if (next >= 0 && next < throttle)
        next = throttle;
    if ((throttle > 0 || x->ui.undrawn) && (next < 0 || next > throttle))
        next = throttle; /* then the feed is read again */
    if (x->ui.wake_at && (next < 0 || x->ui.wake_at - now < next))
        next = x->ui.wake_at > now ? x->ui.wake_at - now : 0;
    return next;
}

/* While throttled, the feed is not polled; its changes wait there. */
static void wait_for(struct app *x, struct pollfd fds[FD_COUNT])
{
    int64_t now = monotonic_ms(), timeout = next_turn(x, now);
    bool listens = x->data.feed && now >= x->ui.throttled_until;
    fds[FD_TERMINAL] = (struct pollfd){.fd = 0, .events = POLLIN};
    fds[FD_SIGNAL] = (struct pollfd){.fd = signals_fd(), .events = POLLIN};
    fds[FD_FEED] = (struct pollfd){.fd = listens ? feed_fd(x->data.feed) : -1, .events = POLLIN};
    for (size_t i = 0; i < SOURCES; i++)
        fds[FD_SOURCES + i] = (struct pollfd){.fd = sources[i].fd(x), .events = POLLIN};
    platform_poll(fds, FD_COUNT, timeout, &x->ui.wait_mask);
}

/* Handles changes by others. Returns true if something may have to be drawn. */
static bool handle_changes(struct app *x, bool store_changed)
{
    if (!x->data.feed || !(store_changed || feed_timeout(x->data.feed) == 0))
        return false;
    int64_t seq = feed_seq(x->data.feed);
    uint64_t changes = feed_changes(x->data.feed);
    enum error_code lost = x->remote.lost.code;
    app_notify_changes(x);
    return feed_seq(x->data.feed) != seq || feed_changes(x->data.feed) != changes ||
           x->remote.lost.code != lost;
}

enum turn {
    TURN_QUIET,   /* no frame needed yet */
    TURN_KEY,     /* frame needed at once */
    TURN_CHANGES, /* frame needed soon */
};

static enum turn take_turn(struct app *x, int64_t *began)
{
    struct pollfd fds[FD_COUNT] = {0};
    wait_for(x, fds);
    bool key = fds[FD_TERMINAL].revents != 0, signal = fds[FD_SIGNAL].revents != 0;
    if (signal)
        take_signals(x);
    if (!take_keys(x, &key) || (fds[FD_TERMINAL].revents & (POLLERR | POLLNVAL)) ||
        ((fds[FD_TERMINAL].revents & POLLHUP) && !(fds[FD_TERMINAL].revents & POLLIN))) {
        x->ui.quit = true;
        x->ui.ended_by = SIGHUP;
        return TURN_QUIET;
    }
    *began = monotonic_ms();
    bool listens = *began >= x->ui.throttled_until;
    bool due = x->ui.wake_at && *began >= x->ui.wake_at;
    if (due)
        x->ui.wake_at = 0;
    bool drawn = due;
    for (size_t i = 0; i < SOURCES; i++) {
        if (fds[FD_SOURCES + i].revents)
            drawn |= sources[i].ready(x);
        if (due && sources[i].due)
            drawn |= sources[i].due(x);
    }
    /* Changes wait for the next turn, so that they do not delay the frame of a key. */
    if (listens && !key && handle_changes(x, fds[FD_FEED].revents != 0))
        drawn = true;
    x->ui.undrawn |= drawn;
    return key || signal ? TURN_KEY : listens && x->ui.undrawn ? TURN_CHANGES : TURN_QUIET;
}

/* Keys that were meant for what is on the screen are no answer to a question that is not drawn yet. */
static void drop_typed(struct app *x)
{
    struct input_event event;
    size_t dropped = 0;
    while (x->ui.drop_typed && dropped < 10000 && input_next(&x->ui.input, &event))
        dropped++;
    if (x->ui.drop_typed) {
        dropped += x->held.count;
        forget_held(x);
    }
    if (dropped && !x->ui.prompt.ops)
        ui_message(&x->ui, "what was typed before this question was shown is no answer to it");
    x->ui.drop_typed = false;
}

/*
 * A key gets a frame at once. Other events (changes, results of the worker) get at most one frame per FRAME_MS, and
 * at most a tenth of the time.
 */
static void draw_turn(struct app *x, enum turn turn, int64_t began)
{
    bool key = false;
    if (x->ui.rows_moved)
        take_keys(x, &key); /* what was typed so far was meant for other rows */
    if (!should_continue(&x->ui))
        return;
    drop_typed(x);
    app_draw(x);
    x->ui.undrawn = false;
    if (turn == TURN_KEY)
        return;
    int64_t now = monotonic_ms(), throttle = (now - began) * 10;
    throttle = throttle < FRAME_MS           ? FRAME_MS
               : throttle > THROTTLE_MOST_MS ? THROTTLE_MOST_MS
                                             : throttle;
    x->ui.throttled_until = now + throttle;
}

int app_loop(struct app *x)
{
    int64_t began = 0;
    app_draw(x);
    live_listen(x); /* after the first frame, so that this does not delay it */
    rules_watch(x);
    while (should_continue(&x->ui)) {
        enum turn turn = take_turn(x, &began);
        if (should_continue(&x->ui) && turn != TURN_QUIET)
            draw_turn(x, turn, began);
    }
    return x->ui.ended_by;
}

/* ---- a script ---- */

/* Waits for the worker or the writer. Returns false if nothing was running. */
static bool wait_for_jobs(struct app *x)
{
    if (worker_idle(&x->data.worker) && !x->pending.count[PENDING_COMMITTED])
        return false;
    if (worker_idle(&x->data.worker))
        pending_wait(x);
    else
        worker_wait(&x->data.worker);
    deliver(x);
    if (pending_deliver(x))
        app_notify_changes(x);
    struct input_event event;
    while (x->ui.rows_moved && input_ahead(&x->ui.input) && input_next(&x->ui.input, &event))
        app_key(x, &event);
    app_draw(x);
    return true;
}

/* Draws until everything that was started has finished. */
static void draw_until_idle(struct app *x)
{
    app_notify_changes(x);
    rules_due(x);
    app_draw(x);
    while (wait_for_jobs(x))
        ;
}

static void show_frame(struct app *x, const char *name)
{
    AUTO_STRBUF text = STRBUF_INIT;
    if (!x->options->frame)
        return;
    screen_text(&x->ui.screen, &text);
    strbuf_addf(&text, "-- cursor %d,%d\n", x->ui.screen.cursor_x + 1, x->ui.screen.cursor_y + 1);
    x->options->frame(x->options->arg, name, text.buf);
}

#define WATCHED_KEY_MS  150 /* between two keys */
#define WATCHED_WAIT_MS 2000

/* Gives the person time to see the frame. A key of the person ends the script. */
static void let_watch(struct app *x, int ms)
{
    struct pollfd fds[] = {{.fd = 0, .events = POLLIN}, {.fd = signals_fd(), .events = POLLIN}};
    if (platform_poll(fds, 2, ms, &x->ui.wait_mask) <= 0)
        return;
    if (fds[1].revents)
        take_signals(x);
    if (fds[0].revents)
        x->ui.input.script = "";
}

/* The session goes on with the keys of the person. */
static int go_on(struct app *x)
{
    x->ui.input.script = NULL;
    x->ui.script = false;
    ui_message(&x->ui, "the keys of the file end here: go on, on a copy of the store");
    return app_loop(x);
}

int app_script(struct app *x)
{
    struct input_event event;
    if (!x->options->watched)
        rules_watch(x);
    draw_until_idle(x);
    while (input_ahead(&x->ui.input), should_continue(&x->ui) && input_next(&x->ui.input, &event)) {
        AUTO_STRBUF key = STRBUF_INIT;
        strbuf_addstr(&key, "key ");
        input_add_script(&key, &event, x->ui.input.paste);
        if (x->options->watched)
            let_watch(x, event.key != KEY_WAIT       ? WATCHED_KEY_MS
                         : event.x < WATCHED_WAIT_MS ? event.x
                                                     : WATCHED_WAIT_MS);
        app_key(x, &event);
        draw_until_idle(x);
        if (event.key == KEY_SHOT)
            show_frame(x, event.name);
        else if (x->options->each_key && event.key != KEY_WAIT)
            show_frame(x, key.buf);
    }
    if (!x->stores.leaves)
        show_frame(x, "end");
    return x->options->watched && should_continue(&x->ui) ? go_on(x) : x->ui.ended_by;
}
