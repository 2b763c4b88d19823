/* What happens: keys, the mouse, changes by others, answers of the worker, signals. */
#include "tui/loop/loop.h"

#include <errno.h>
#include <poll.h>
#include <time.h>
#include "model/base/strbuf.h"
#include "store/platform/platform.h"
#include "tui/explorer/follow.h"
#include "tui/explorer/rules.h"
#include "tui/term/signals.h"
#include "tui/action/view_help.h"

#define FRAME_MS         33
#define THROTTLE_MOST_MS 500

/* ---- keys ---- */

static void say_unbound(struct app *x, uint32_t key)
{
    char name[16];
    struct strbuf help = STRBUF_INIT, others = STRBUF_INIT;
    key_text(key, name, sizeof(name));
    keymap_keys(x->keymap, action_find("help", 4), 1, &help);
    if (keymap_elsewhere(x->keymap, key, &others) > 0)
        app_message(x, "%s does not apply in this view: elsewhere it is %s", name, others.buf);
    else
        app_message(x, "%s does nothing; %s lists what does", name, help.buf);
    strbuf_release(&help);
    strbuf_release(&others);
}

static bool in_pane(const struct pane *p, const struct input_event *event)
{
    return event->x >= p->x && event->x < p->x + p->width && event->y >= p->y &&
           event->y < p->y + p->height;
}

static void click_line(struct app *x, const struct input_event *event)
{
    struct view *v = x->nav.top;
    int header = v->ops->draw ? 0 : x->ui.list_pane.height - v->height;
    long row = event->y - x->ui.list_pane.y - header;
    size_t line = v->top + (size_t)(row < 0 ? 0 : row);
    if (v->ops->line_at)
        line = v->ops->line_at(v, (int)row, event->x - x->ui.list_pane.x);
    x->ui.preview_focus = false;
    if (row < 0 || line >= v->count || !view_selectable(v, line))
        return;
    if (line == v->selected)
        app_open_line(x);
    else
        view_select(v, line);
}

static void pointer(struct app *x, const struct input_event *event)
{
    long lines = event->button == 4 ? -3 : 3;
    if (x->nav.top->ops->point && in_pane(&x->ui.list_pane, event))
        x->nav.top->ops->point(x->nav.top, event->y - x->ui.list_pane.y,
                               event->x - x->ui.list_pane.x, event->button);
    else if (event->button == 1 && in_pane(&x->ui.list_pane, event))
        click_line(x, event);
    else if (event->button == 1 && in_pane(&x->ui.preview_pane, event))
        x->ui.preview_focus = true;
    else if (event->button != 1 && in_pane(&x->ui.preview_pane, event))
        page_scroll(&x->ui, lines);
    else if (event->button != 1)
        view_scroll(x->nav.top, lines);
}

static void command_key(struct app *x, uint32_t key)
{
    const struct action *action = keymap_find(x->keymap, key, x->nav.top->ops->has);
    if (action)
        action_run(x, action, "");
    else
        say_unbound(x, key);
}

/* A click on a word of the key bar is its key. */
static struct input_event from_bar(struct app *x, const struct input_event *event)
{
    struct input_event key = *event;
    if (event->key != KEY_POINTER || event->button != 1 || !in_pane(&x->ui.bar_pane, event))
        return key;
    for (size_t i = 0; i < x->ui.bar_hits; i++)
        if (event->x >= x->ui.bar_hit[i].from && event->x < x->ui.bar_hit[i].to)
            key.key = key_from_name(x->ui.bar_hit[i].key, strlen(x->ui.bar_hit[i].key));
    return key;
}

static void take_key(struct app *x, const struct input_event *event)
{
    if (event->key == KEY_RESIZED)
        screen_resize(&x->ui.screen, event->y, event->x);
    else if (event->key == KEY_NONE || event->key == KEY_SHOT)
        return;
    else if (x->ui.modal)
        x->ui.modal->ops->key(&x->ui, event);
    else if (event->key == KEY_POINTER)
        pointer(x, event);
    else if (event->key == KEY_PASTED)
        app_message(x, "a paste goes only into a text field: open one with / \\ or : first");
    else
        command_key(x, event->key);
}

/* To or from no line: there were none, by a filter. */
static bool moved(const struct view *v, size_t selected, size_t first)
{
    bool both = selected != LINE_NONE && v->selected != LINE_NONE;
    return both && (v->selected != selected || v->top != first);
}

static void app_key(struct app *x, const struct input_event *pressed)
{
    struct input_event event = from_bar(x, pressed);
    const struct view *top = x->nav.top;
    size_t selected = top->selected, first = top->top;
    bool followed = x->remote.follows == top;
    bool key = event.key != KEY_NONE && event.key != KEY_SHOT && event.key != KEY_RESIZED;
    /* A new size or an unknown sequence takes no message away; a picture is of what stays. */
    if (key || event.key == KEY_SHOT)
        app_show_resting_status(x);
    /* What is typed into a search is what is looked for. */
    x->remote.told = key ? 0 : x->remote.told;
    if (key && !x->ui.prompt.ops)
        view_cancel_wait(x->nav.top);
    take_key(x, &event);
    /* Who moves goes a way of their own, and no longer follows; the key that begins it may move there. */
    if (followed && x->remote.follows == top && x->nav.top == top &&
        (moved(top, selected, first) || view_waits_for_line(top)))
        x->remote.follows = NULL;
    if (x->remote.touched && view_line_id(x->nav.top, x->nav.top->selected) != x->remote.touched)
        x->remote.touched = 0;
}

/* ---- the loop ---- */

static int fd_of_worker(const struct app *x)
{
    return worker_fd(&x->data.worker);
}

/* The listener's thread wakes the worker's descriptor, too. */
static bool take_worker(struct app *x)
{
    bool drawn = worker_deliver(&x->data.worker) > 0;
    return live_take_messages(x) || drawn;
}

static int fd_of_follow(const struct app *x)
{
    return follow_fd(x->follow);
}

static bool take_follow(struct app *x)
{
    for (char *text; (text = follow_take(x->follow)); free(text))
        app_message(x, "%s", text);
    return true;
}

/*
 * What happens next to keys, signals and changes of the store. `ready` is called when the descriptor can be read, `due`
 * when a time that was asked for by app_wake has come; each returns whether anything may look different. Any may be
 * NULL.
 */
static const struct event_source {
    int (*fd)(const struct app *x); /* -1: none at present */
    bool (*ready)(struct app *x);
    bool (*due)(struct app *x);
} sources[] = {
    {fd_of_worker, take_worker, live_due},
    {pending_fd, pending_deliver, NULL},
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

/* It may be asked to end wherever it is stopped: then nothing is read and drawn any more, for the terminal may be
 * another's. */
static bool goes_on(struct app *x)
{
    return !app_is_ended(x) && !x->ui.quit;
}

/* All keys that are there, also one that came since the wait ended; false when the terminal is gone. `key`: the
 * terminal was readable; then, or where a key was taken, a frame is waited for. */
static bool take_keys(struct app *x, bool *key)
{
    struct input_event event;
    size_t taken = 0;
    while (goes_on(x) && taken < 10000 && input_next(&x->ui.input, &event)) {
        app_key(x, &event);
        taken++;
    }
    if (*key && taken == 0)
        x->ui.input.empty_reads++;
    *key |= taken > 0;
    return x->ui.input.empty_reads < 50;
}

/* Whom this process answers waits until it goes on, and may give up: that is told where one sees it meanwhile. */
static void suspend(struct app *x)
{
    struct strbuf said = STRBUF_INIT;
    live_add_waiting(x, &said);
    screen_suspend(&x->ui.screen, said.buf);
    strbuf_release(&said);
}

static void take_signals(struct app *x)
{
    unsigned bits = signals_take();
    if (bits & SIGNAL_BIT_STOP && !signals_end())
        suspend(x);
    if (bits & SIGNAL_BIT_CONTINUE && !signals_end())
        screen_repaint(&x->ui.screen);
    if (app_is_ended(x))
        return;
    if (bits & SIGNAL_BIT_RESIZE)
        screen_measure(&x->ui.screen);
    if (bits & SIGNAL_BIT_CANCEL) {
        struct input_event event = {.key = 3};
        app_key(x, &event);
    }
}

/* In how many ms the next turn is due, whatever happens until then; -1: it is not. */
static int64_t next_turn(struct app *x, int64_t now)
{
    int64_t throttle = x->ui.throttled_until > now ? x->ui.throttled_until - now : 0;
    int64_t next = x->data.feed ? feed_timeout(x->data.feed) : -1;
    if (next >= 0 && next < throttle)
        next = throttle;
    if ((throttle > 0 || x->ui.undrawn) && (next < 0 || next > throttle))
        next = throttle; /* and the feed is listened to again */
    if (x->ui.wake_at && (next < 0 || x->ui.wake_at - now < next))
        next = x->ui.wake_at > now ? x->ui.wake_at - now : 0;
    return next;
}

/* While it is throttled the feed is not listened to: what it has waits there. */
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

/* What others wrote; true where something may look different. */
static bool take_news(struct app *x, bool store_changed)
{
    if (!x->data.feed || !(store_changed || feed_timeout(x->data.feed) == 0))
        return false;
    int64_t seq = feed_seq(x->data.feed);
    uint64_t changes = feed_changes(x->data.feed);
    enum error_code lost = x->remote.lost.code;
    app_news(x);
    return feed_seq(x->data.feed) != seq || feed_changes(x->data.feed) != changes ||
           x->remote.lost.code != lost;
}

enum turn {
    TURN_QUIET, /* nothing is to be drawn, or not yet */
    TURN_KEY,   /* a frame is waited for */
    TURN_NEWS,  /* one is due */
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
    /* A key's frame does not wait for news: that has the next turn. */
    if (listens && !key && take_news(x, fds[FD_FEED].revents != 0))
        drawn = true;
    x->ui.undrawn |= drawn;
    return key || signal ? TURN_KEY : listens && x->ui.undrawn ? TURN_NEWS : TURN_QUIET;
}

/*
 * Keys are answered at once. What comes of itself (news, answers of the worker) gets at most one frame
 * in FRAME_MS, and at most a tenth of the time.
 */
static void draw_turn(struct app *x, enum turn turn, int64_t began)
{
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
    live_listen(x); /* the first frame waits for nothing */
    rules_watch(x);
    while (goes_on(x)) {
        enum turn turn = take_turn(x, &began);
        if (goes_on(x) && turn != TURN_QUIET)
            draw_turn(x, turn, began);
    }
    return x->ui.ended_by;
}

/* ---- a script ---- */

/* What was asked of the worker and of the writer; false where nothing was. */
static bool await(struct app *x)
{
    if (worker_idle(&x->data.worker) && !x->pending.count[PENDING_COMMITTED])
        return false;
    if (worker_idle(&x->data.worker))
        pending_wait(x);
    else
        worker_wait(&x->data.worker);
    worker_deliver(&x->data.worker);
    if (pending_deliver(x))
        app_news(x);
    app_draw(x);
    return true;
}

/* Draws until nothing more comes of what was asked. */
static void settle(struct app *x)
{
    app_news(x);
    rules_due(x);
    app_draw(x);
    while (await(x))
        ;
}

static void show_frame(struct app *x, const char *name)
{
    struct strbuf text = STRBUF_INIT;
    if (!x->options->frame)
        return;
    screen_text(&x->ui.screen, &text);
    strbuf_addf(&text, "-- cursor %d,%d\n", x->ui.screen.cursor_x + 1, x->ui.screen.cursor_y + 1);
    x->options->frame(x->options->arg, name, text.buf);
    strbuf_release(&text);
}

int app_script(struct app *x)
{
    struct input_event event;
    rules_watch(x);
    settle(x);
    while (!x->ui.quit && input_next(&x->ui.input, &event)) {
        app_key(x, &event);
        settle(x);
        if (event.key == KEY_SHOT)
            show_frame(x, event.name);
    }
    show_frame(x, "end");
    return 0;
}
