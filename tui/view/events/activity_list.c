#include "tui/view/events/activity_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/text/match.h"
#include "tui/view/events/event_views.h"

enum slot {
    SLOT_NEWER = 0,
    SLOT_OLDER,
};
#define SLICE_MS  20
#define PAGE      400    /* lines of a page */
#define LINES_MAX 100000 /* beyond this, a list with its cursor near the top is read again */
#define FIRST_MS  10

struct list_job {
    struct job job;
    struct activity_list *list;
    struct activity_walk walk;
};

static struct activity_list *list_of(struct view *v)
{
    return (struct activity_list *)v;
}

struct activity *activity_list_at(const struct activity_list *l, size_t line)
{
    return line < l->view.count ? l->line[line] : NULL;
}

struct activity *activity_list_cursor(struct activity_list *l)
{
    return activity_list_at(l, l->view.cursor);
}

static bool follows(const struct activity_list *l)
{
    return l->view.app->remote.follows == &l->view;
}

static void forget(struct activity_list *l)
{
    for (size_t i = 0; i < l->view.count; i++)
        free(l->line[i]);
}

/* The filter, limited to new lines if only those are shown. */
static struct activity_filter wanted(const struct activity_list *l)
{
    struct activity_filter wanted = l->filter;
    if (l->view.only_new) {
        wanted.after_seq = l->view.app->unread.seq;
        wanted.after_call = l->view.app->unread.call;
    }
    return wanted;
}

/* ---- inserting lines ---- */

/* Inserts what was found before line `at`. */
static void put_found(struct activity_list *l, size_t at, struct activity_walk *w)
{
    size_t count = l->view.count;
    if (w->count == 0)
        return;
    ARRAY_ROOM(l->line, count, l->alloc, w->count);
    memmove(l->line + at + w->count, l->line + at, (count - at) * sizeof(*l->line));
    memcpy(l->line + at, w->found, w->count * sizeof(*l->line));
}

/* Moves a line down to its place in time, since a call is logged after later events. Returns its index. */
static size_t move_to_place(struct activity_list *l, size_t at, size_t count)
{
    for (; at + 1 < count; at++) {
        struct activity **line = &l->line[at], *one = line[0];
        if (line[1]->at <= one->at || (!line[1]->type && !one->type))
            break;
        line[0] = line[1];
        line[1] = one;
    }
    return at;
}

/* Inserts new lines at the top. The cursor stays on its line, at the same row of the screen. */
static void take_newer(struct activity_list *l, struct activity_walk *w)
{
    struct view *v = &l->view;
    size_t count = w->count, all = v->count + count, top = v->top, end = 0;
    if (count == 0)
        return;
    put_found(l, 0, w);
    w->count = 0;
    for (size_t i = count; i-- > 0;) {
        size_t at = move_to_place(l, i, all);
        end = at >= end ? at + 1 : end;
    }
    if (v->cursor != LINE_NONE) {
        v->cursor += count;
        v->top += count;
    }
    view_set_count(v, all);
    if (follows(l))
        view_select(v, 0);
    else
        view_reveal(v);
    v->above += v->top > top ? v->top - top : 0;
    view_search_above(v, count, end);
    if (v->count > LINES_MAX && v->cursor < PAGE && !view_wants_more(v)) {
        v->sought = v->cursor > 0 ? view_subject(v).id : 0;
        activity_list_narrow(v);
    }
}

/* ---- the cursor after a filter is removed ---- */

/* After a filter was removed, searches v->sought. A view that follows changes goes on to follow if the filter was
 * never confirmed or matched nothing. */
static void choose_sought_line(struct activity_list *l)
{
    struct view *v = &l->view;
    bool filtered = *v->filter || v->only_new, typing = !v->filter_taken || v->ui->prompt.ops;
    v->line_sought = v->sought && !filtered && !(follows(l) && (typing || v->count == 0));
}

/* Lines were appended from `from` on: is v->sought among them, or can it not come any more? */
static void find_sought_line(struct activity_list *l, size_t from)
{
    struct view *v = &l->view;
    size_t half = v->height > 0 ? (size_t)v->height / 2 : 0;
    for (size_t line = from; v->line_sought && line < v->count; line++) {
        if (activity_id(activity_list_at(l, line)) != v->sought)
            continue;
        v->line_sought = false;
        view_select(v, line);
        v->top = line > half ? line - half : 0;
        view_reveal(v);
        if (line == 0 || !follows(l))
            return;
        v->app->remote.follows = NULL;
        ui_message(v->ui, "the cursor stays on the match and no longer follows");
    }
    if (l->complete || (v->sought & 1 ? l->oldest_seq : l->oldest_call) <= v->sought >> 9)
        v->line_sought = false;
}

/* ---- reading ---- */

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    int more = activity_walk_next(&((struct list_job *)job)->walk, r, SLICE_MS, e);
    return more < 0 ? JOB_FAILED : more ? JOB_AGAIN : JOB_DONE;
}

/* Moves what was found so far to the list. Lines of another filter stay until the first result. */
static void deliver_older(struct list_job *j)
{
    struct activity_list *l = j->list;
    struct activity_walk *w = &j->walk;
    if (l->asked) {
        l->asked = false;
        l->held = 0;
        forget(l);
        view_set_count(&l->view, 0);
        view_search_again(&l->view);
    }
    if (!l->begun && w->first_seq > 0) {
        l->newest_seq = w->first_seq - 1;
        l->newest_call = w->first_call - 1;
        l->begun = true;
    }
    size_t before = l->view.count;
    put_found(l, before, w);
    view_set_count(&l->view, before + w->count);
    w->taken += w->count;
    w->count = 0;
    l->oldest_seq = w->seq;
    l->oldest_call = w->call;
    l->complete = w->ended;
    find_sought_line(l, before);
    view_grown(&l->view);
}

static bool older_part(struct job *job)
{
    deliver_older((struct list_job *)job);
    return true;
}

static void done(struct job *job, const struct error *e)
{
    struct list_job *j = (struct list_job *)job;
    struct activity_list *l = j->list;
    if (e->code != ERROR_NONE) {
        if (e->code != ERROR_INTERRUPTED)
            ui_error(l->view.ui, e);
    } else if (job->slot == SLOT_OLDER) {
        deliver_older(j);
    } else if (l->view.app->remote.paused) {
        l->held = j->walk.count;
        l->newer_wanted = true;
    } else {
        l->held = 0;
        l->newest_seq = j->walk.first_seq - 1;
        l->newest_call = j->walk.first_call - 1;
        take_newer(l, &j->walk);
    }
}

static void release_job(struct job *job)
{
    activity_walk_release(&((struct list_job *)job)->walk);
    free(job);
}

static const struct job_ops newer_ops = {
    .name = "reading the log", .run = run, .done = done, .release = release_job, .quiet = true};
static const struct job_ops older_ops = {.name = "reading older events",
                                         .run = run,
                                         .part = older_part,
                                         .done = done,
                                         .release = release_job};

static struct list_job *older_job(struct activity_list *l)
{
    struct list_job *j = xcalloc(1, sizeof(*j));
    j->list = l;
    j->walk.filter = wanted(l);
    j->walk.begun = l->begun;
    j->walk.seq = l->oldest_seq;
    j->walk.call = l->oldest_call;
    return j;
}

/* Reads one more page, or up to a line that is waited for. */
static void read_older(struct activity_list *l)
{
    const struct view *v = &l->view;
    struct list_job *j = older_job(l);
    l->reads_far = view_wants_more(v);
    if (!l->reads_far)
        j->walk.wanted = PAGE;
    else if (v->line_wanted > v->count)
        j->walk.wanted = v->line_wanted - v->count;
    else if (!v->end_wanted)
        snprintf(j->walk.until, sizeof(j->walk.until), "%s", v->search.pattern);
    worker_submit(&l->view.ui->data->worker, &j->job, &older_ops, l, SLOT_OLDER);
}

/* Does not restart a running read; otherwise it would never end while others write. During a pause it only counts. */
static void read_newer(struct activity_list *l)
{
    struct app *x = l->view.app;
    l->newer_wanted = true;
    if (!l->begun || l->asked || worker_has(&x->data.worker, l, SLOT_NEWER))
        return;
    struct list_job *j = xcalloc(1, sizeof(*j));
    j->list = l;
    j->walk.filter = wanted(l);
    j->walk.filter.after_seq = l->newest_seq;
    j->walk.filter.after_call = l->newest_call;
    l->newer_wanted = false;
    worker_submit(&x->data.worker, &j->job, &newer_ops, l, SLOT_NEWER);
}

void activity_list_narrow(struct view *v)
{
    struct activity_list *l = list_of(v);
    worker_cancel(&v->ui->data->worker, l, SLOT_NEWER);
    choose_sought_line(l);
    l->begun = l->complete = false;
    l->asked = true;
    read_older(l);
}

/* Reads the lines of one screen at once if they are near, since the worker may be busy. */
static void read_first_page(struct activity_list *l)
{
    struct app *x = l->view.app;
    struct list_job *j = older_job(l);
    struct error e;
    j->walk.wanted = (size_t)(x->ui.screen.rows > 0 ? x->ui.screen.rows : 1);
    if (activity_walk_next(&j->walk, x->data.reader, FIRST_MS, &e) >= 0)
        deliver_older(j);
    release_job(&j->job);
}

void activity_list_begin(struct activity_list *l)
{
    read_first_page(l);
    if (!l->complete)
        read_older(l);
}

/* ---- view_ops ---- */

void activity_list_store_changed(struct view *v)
{
    read_newer(list_of(v));
}

void activity_list_notify(struct view *v, const struct event *events, size_t count, bool whole)
{
    (void)events;
    (void)count;
    (void)whole;
    list_of(v)->preview.panel.stale = true;
    read_newer(list_of(v));
}

size_t activity_list_held(const struct view *v)
{
    return ((const struct activity_list *)v)->held;
}

bool activity_list_partial(struct view *v)
{
    return !list_of(v)->complete;
}

void activity_list_counts(struct view *v, struct strbuf *out)
{
    const struct activity_list *l = list_of(v);
    strbuf_addf(
        out, "%zu%s %s%s", v->count, l->complete ? "" : glyph_text(&v->ui->screen, GLYPH_ELLIPSIS),
        l->mode == ACTIVITY_HISTORY ? "change" : "event", v->count == 1 && l->complete ? "" : "s");
}

void activity_list_order(struct view *v, struct strbuf *out)
{
    (void)v;
    strbuf_addstr(out, "newest first");
}

const char *activity_list_sort(struct view *v, const char *column)
{
    (void)v;
    (void)column;
    return "a log is read in the order of time, newest first";
}

void activity_list_text(struct view *v, size_t line, struct strbuf *out)
{
    activity_text(activity_list_at(list_of(v), line), out);
}

struct line_subject activity_list_subject(struct view *v, size_t line)
{
    const struct activity *a = activity_list_at(list_of(v), line);
    int64_t only = list_of(v)->filter.session; /* all lines are about it */
    struct line_subject s = {.activity = a, .session = only || !a ? only : activity_session(a)};
    s.node = a ? a->subject : 0;
    s.id = a ? activity_id(a) : 0;
    s.event = a && a->type == ACTIVITY_WRITE ? a->id : 0;
    return s;
}

/* Opens the session of an activity without a memory, or one that a person decided about. Otherwise says what the line
 * was about. */
static void open_other(struct activity_list *l, const struct activity *a)
{
    struct app *x = l->view.app;
    bool wrote = a->type == ACTIVITY_WRITE, decided = wrote && session_decision(a->what);
    bool here = decided && a->about == l->session;
    if (decided && !here && live_view_open_session(x, a->about))
        return;
    ui_message(&x->ui, "\"%s\" was about %s", wrote ? activity_action(a) : a->what,
               here ? "this session" : "no single memory; @ shows it as a call");
}

bool activity_list_request(struct view *v, enum view_request request)
{
    const struct activity *a = activity_list_cursor(list_of(v));
    if (request == REQUEST_REFRESH) {
        list_of(v)->preview.panel.stale = true;
        v->sought = v->cursor > 0 ? view_subject(v).id : 0;
        activity_list_narrow(v);
        return true;
    }
    if (request == REQUEST_OPEN && a && a->type == ACTIVITY_REFUSAL) {
        app_push(v->app, failure_view_new(v->ui, a));
        return true;
    }
    if (request != REQUEST_OPEN || !a || a->subject > 0)
        return false;
    open_other(list_of(v), a);
    return true;
}

/* Reads more before the last line is reached, and stops reading for a line that nobody waits for any more. */
static void read_on(struct activity_list *l, int height)
{
    struct view *v = &l->view;
    bool far = view_wants_more(v), reads = worker_has(&v->ui->data->worker, l, SLOT_OLDER);
    if (reads && l->reads_far && !far)
        worker_cancel(&v->ui->data->worker, l, SLOT_OLDER);
    else if (!reads && !l->complete && l->begun &&
             (far || v->top + 3 * (size_t)(height > 0 ? height : 1) >= v->count))
        read_older(l);
}

void activity_list_layout(struct view *v, int height, int width)
{
    struct activity_list *l = list_of(v);
    bool clients = l->session == 0 && l->filter.session == 0;
    l->columns = activity_columns_fit(v, width, clients, l->mode);
    if (v->top == 0)
        v->above = 0;
    if (l->newer_wanted && !v->app->remote.paused)
        read_newer(l);
    read_on(l, height);
}

/* ---- drawing ---- */

void activity_list_draw_header(struct view *v, const struct pane *p)
{
    struct pane names = pane_row(p, p->height - 1);
    activity_columns_draw_header(v, &list_of(v)->columns, &names);
}

void activity_list_draw_line(struct view *v, const struct pane *row, size_t line)
{
    struct activity_list *l = list_of(v);
    const char *pattern = v->search.pattern[0] ? v->search.pattern : v->filter_word;
    activity_columns_draw(v->app, &l->columns, row, activity_list_at(l, line), pattern, v->pan);
}

void activity_list_draw_preview(struct view *v, const struct pane *p)
{
    event_preview_draw(&list_of(v)->preview, p, activity_list_cursor(list_of(v)));
}

const char *activity_list_empty(struct view *v)
{
    const struct activity_list *l = list_of(v);
    return !l->complete  ? "looking…"
           : *v->filter  ? "nothing matches the filter; Esc clears it"
           : v->only_new ? v->ui->nothing_new
                         : "nothing has happened here yet";
}

void activity_list_init(struct activity_list *l, const struct view_ops *ops, struct ui *ui,
                        enum activity_mode mode)
{
    view_init(&l->view, ops, ui);
    event_preview_init(&l->preview, ui);
    l->mode = mode;
}

void activity_list_release(struct view *v)
{
    struct activity_list *l = list_of(v);
    if (v->app->remote.follows == v)
        v->app->remote.follows = NULL;
    forget(l);
    free(l->line);
    panel_release(&l->preview.panel);
}

/* A view of one session keeps that restriction. */
int activity_list_read_filter(struct view *v, struct query_terms *terms, struct error *e)
{
    struct activity_list *l = list_of(v);
    struct activity_filter filter;
    if (activity_filter_read(v->ui->data->reader, terms, v->ui->now, &filter, e))
        return -1;
    if (l->session && filter.session && filter.session != l->session)
        return error_set(e, ERROR_INVALID, "9 shows all.", "this view shows one session");
    filter.session = l->session ? l->session : filter.session;
    l->filter = filter;
    return 0;
}
