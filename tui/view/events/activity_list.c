#include "tui/view/events/activity_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/text/match.h"
#include "tui/view/events/audit_filter.h"
#include "tui/view/events/event_views.h"

#define PACE_MS   1000 /* a rate stands so long */
#define LATELY_MS 2000 /* and is of so long */

/* By their own times: what is only shown late, as after a pause, is none of them. */
static size_t count_lately(struct happening_list *l)
{
    size_t lately = 0;
    for (; lately < happenings_count(&l->all); lately++) {
        int64_t ago = l->view.app->ui.now - happenings_at(&l->all, lately)->at;
        if (ago >= LATELY_MS || ago <= -LATELY_MS)
            break;
    }
    return lately;
}

/* Before each frame: list->rate. 0 in a pause, for nothing that is shown tells it then. */
static void happening_rate_measure(struct happening_list *l)
{
    struct app *x = l->view.app;
    int64_t now = monotonic_ms();
    bool stands = l->rate > 0 && now - l->rated_at < PACE_MS && !x->options->script;
    if (x->remote.paused) {
        l->rate = 0;
    } else if (!stands) {
        l->rate = (double)count_lately(l) * 1000 / LATELY_MS;
        l->rated_at = now;
    }
    if (l->rate > 0 && !x->options->script)
        app_wake(x, PACE_MS);
}

#define FAR_MOST 100000 /* lines that it is sought in */

static struct happening_place place_of(const struct happening *h)
{
    if (!h)
        return (struct happening_place){.known = false};
    return (struct happening_place){true, h->id, h->at, h->sort, h->outcome};
}

static bool is_call(uint8_t sort)
{
    return sort != HAPPENED_WRITE;
}

static bool is_at(const struct happening *h, const struct happening_place *place)
{
    return h->id == place->id && is_call(h->sort) == is_call(place->sort) &&
           h->outcome == place->outcome;
}

/* The filter is another one; before the list is read anew. `was`, `is`: is there one? */
static void happening_return_filter(struct happening_list *l, bool was, bool is)
{
    struct view *v = &l->view;
    struct happening_return *r = &l->back;
    struct happening *at = happening_list_cursor(l);
    bool follows = v->app->remote.follows == v, typing = v->app->ui.prompt.ops != NULL;
    v->line_sought = false;
    if (!was)
        r->before = place_of(follows ? NULL : at);
    if (is) {
        r->taken = !typing;
        return;
    }
    bool chosen = at && (r->taken || v->selected > 0);
    r->sought = chosen ? place_of(at) : r->before;
    /* One that is typed anew is empty in between: that chooses nothing. */
    v->line_sought = r->sought.known && !(follows && typing);
}

/* It was given once more as it is: typed to its end, unless it is typed still. */
static void happening_return_taken(struct happening_list *l)
{
    l->back.taken = l->back.taken || !l->view.app->ui.prompt.ops;
}

/* Each log keeps its order, and both are merged by their times. */
static bool is_passed(struct happening_list *l, const struct happening_place *place)
{
    const struct happening *last = happenings_at(&l->all, l->view.count - 1);
    return l->complete || (is_call(place->sort) ? l->oldest_call : l->oldest_seq) <= place->id ||
           (last && last->at < place->at) || l->view.count > FAR_MOST;
}

/* Where it is the newest one, who follows goes on with that. */
static void return_to(struct happening_list *l, size_t line)
{
    struct view *v = &l->view;
    size_t half = v->height > 0 ? (size_t)v->height / 2 : 0;
    v->line_sought = false;
    view_select(v, line);
    v->top = line > half ? line - half : 0;
    view_reveal(v);
    if (line == 0 || v->app->remote.follows != v)
        return;
    v->app->remote.follows = NULL;
    app_say(v->app, "the cursor stays on what was found, and follows no more");
}

/* Lines were appended, from that one on: is the one that is sought among them, or can none be it any more? */
static void happening_return_seek(struct happening_list *l, size_t from)
{
    struct view *v = &l->view;
    for (size_t line = from; v->line_sought && line < v->count; line++)
        if (is_at(happenings_at(&l->all, line), &l->back.sought))
            return_to(l, line);
    if (v->line_sought && is_passed(l, &l->back.sought))
        v->line_sought = false;
}

enum slot {
    SLOT_NEWER = 0,
    SLOT_OLDER,
    SLOT_HELD, /* counting what a pause holds back */
};
#define SLICE_MS  20
#define PAGE      400    /* that come at a time */
#define KEPT_MOST 100000 /* beyond it the oldest are let go, where the cursor is far from them */
#define FIRST_MS  10

struct list_job {
    struct job job;
    struct happening_list *list;
    struct happening_walk walk;
};

static struct happening_list *list_of(struct view *v)
{
    return (struct happening_list *)v;
}

struct happening *happening_list_cursor(struct happening_list *l)
{
    return l->view.selected == LINE_NONE ? NULL : happenings_at(&l->all, l->view.selected);
}

/* ---- landing ---- */

static int compare_sizes(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* Lines were put in: the cursor stays on its happening, and that on its row of the screen. */
static void keep_cursor(struct happening_list *l, const size_t *in, size_t count)
{
    struct view *v = &l->view;
    size_t before = 0;
    while (before < count && v->selected != LINE_NONE && in[before] <= v->selected + before)
        before++;
    if (v->selected != LINE_NONE) {
        v->selected += before;
        v->top += before;
    }
    view_set_count(v, happenings_count(&l->all));
    if (v->app->remote.follows == v)
        view_select(v, 0);
    else
        view_reveal(v);
}

/* What a search found stands in other lines now, and some of the new ones match too. */
static void keep_matches(struct happening_list *l, const size_t *in, size_t count)
{
    struct view *v = &l->view;
    struct strbuf text = STRBUF_INIT;
    if (!*v->search.pattern)
        return;
    view_search_move(v, in, count);
    for (size_t i = 0; i < count; i++) {
        strbuf_clear(&text);
        happening_text(happenings_at(&l->all, in[i]), &text);
        if (match_text(text.buf, v->search.pattern))
            view_search_add(v, in[i]);
    }
    strbuf_release(&text);
}

/* Takes them over. */
static void take_in(struct happening_list *l, struct happening **found, size_t count, bool back)
{
    size_t *in = xmalloc((count ? count : 1) * sizeof(*in)), landed = 0;
    for (size_t i = 0; i < count; i++) {
        size_t line = happenings_put(&l->all, found[i], back);
        if (line == SIZE_MAX)
            continue;
        /* The lines as they are once all are in. */
        for (size_t k = landed; line < happenings_count(&l->all) - 1 && k-- > 0;)
            in[k] += in[k] >= line;
        in[landed++] = line;
    }
    if (landed > 0) {
        qsort(in, landed, sizeof(*in), compare_sizes);
        keep_cursor(l, in, landed);
        keep_matches(l, in, landed);
    }
    free(in);
}

static void land(struct happening_list *l, struct happening **found, size_t count)
{
    struct view *v = &l->view;
    size_t top = v->top;
    take_in(l, found, count, false);
    v->above += v->top > top ? v->top - top : 0;
}

/* What is far below the cursor can be read again. */
static void let_go(struct happening_list *l)
{
    struct view *v = &l->view;
    size_t count = happenings_count(&l->all);
    if (count <= KEPT_MOST || view_wants_more(v) || v->selected > KEPT_MOST / 2 ||
        v->top > KEPT_MOST / 2 || worker_has(&v->app->data.worker, l, SLOT_OLDER))
        return;
    happenings_cut(&l->all, KEPT_MOST * 3 / 4, &l->oldest_seq, &l->oldest_call);
    l->complete = false;
    view_set_count(v, happenings_count(&l->all));
    view_search_again(v);
}

/* ---- what a pause holds back ---- */

struct held_job {
    struct job job;
    struct happening_list *list;
    struct happening_walk walk;
};

static enum job_result happening_held_run(struct job *job, struct reader *r, struct error *e)
{
    int more = happening_walk_on(&((struct held_job *)job)->walk, r, SLICE_MS, e);
    return more < 0 ? JOB_FAILED : more ? JOB_AGAIN : JOB_DONE;
}

/* They are counted and read again when they are shown: however many came, none is kept. */
static bool part(struct job *job)
{
    struct held_job *j = (struct held_job *)job;
    struct happening_held *held = &j->list->held;
    struct happening_walk *w = &j->walk;
    bool any = w->count > 0;
    held->count += w->count;
    held->seq = w->seq;
    held->call = w->call;
    while (w->count > 0)
        free(w->found[--w->count]);
    return any;
}

static void happening_held_done(struct job *job, const struct error *e)
{
    if (e->code == ERROR_NONE)
        part(job);
    else if (e->code != ERROR_INTERRUPTED)
        app_fail(((struct held_job *)job)->list->view.app, e);
}

static void happening_held_release(struct job *job)
{
    happening_walk_release(&((struct held_job *)job)->walk);
    free(job);
}

static const struct job_ops happening_held_ops = {.name = "counting what is held back",
                                                  .run = happening_held_run,
                                                  .part = part,
                                                  .done = happening_held_done,
                                                  .release = happening_held_release,
                                                  .quiet = true};

/* Its filter, and whether it shows what is new alone. */
static struct happening_filter happening_list_wanted(const struct happening_list *l)
{
    struct happening_filter wanted = l->filter;
    if (l->view.only_new) {
        wanted.after_seq = l->view.app->unread.seq;
        wanted.after_call = l->view.app->unread.call;
    }
    return wanted;
}

/* Counts what came since; before each frame, what was asked for meanwhile. */
static void happening_held_count(struct happening_list *l)
{
    struct app *x = l->view.app;
    struct happening_held *held = &l->held;
    held->wanted = true;
    if (!l->begun || l->asked || worker_has(&x->data.worker, l, SLOT_HELD))
        return;
    if (!held->begun)
        *held =
            (struct happening_held){.begun = true, .seq = l->newest_seq, .call = l->newest_call};
    held->wanted = false;
    struct held_job *j = xcalloc(1, sizeof(*j));
    j->list = l;
    j->walk.filter = happening_list_wanted(l);
    j->walk.begun = true;
    j->walk.seq = held->seq;
    j->walk.call = held->call;
    worker_submit(&x->data.worker, &j->job, &happening_held_ops, l, SLOT_HELD);
}

/* The list shows more by itself: nothing is held back from that on. */
static void happening_held_clear(struct happening_list *l)
{
    worker_cancel(&l->view.app->data.worker, l, SLOT_HELD);
    l->held = (struct happening_held){.wanted = true};
}

size_t happening_held_from(const struct view *v)
{
    return ((const struct happening_list *)v)->held.count;
}

/* ---- reading ---- */

static enum job_result happening_list_run(struct job *job, struct reader *r, struct error *e)
{
    struct list_job *j = (struct list_job *)job;
    int more = happening_walk_on(&j->walk, r, SLICE_MS, e);
    return more < 0 ? JOB_FAILED : more ? JOB_AGAIN : JOB_DONE;
}

static void begin_anew(struct happening_list *l)
{
    l->asked = false;
    happenings_clear(&l->all);
    view_set_count(&l->view, 0);
    view_search_again(&l->view);
}

/* What was found since the last time; the job keeps none of it. */
static void deliver(struct list_job *j)
{
    struct happening_list *l = j->list;
    struct happening_walk *w = &j->walk;
    if (w->back && l->asked)
        begin_anew(l);
    if (w->back && !l->begun && w->first_seq > 0) {
        l->newest_seq = w->first_seq - 1;
        l->newest_call = w->first_call - 1;
        l->begun = true;
        happening_held_clear(l);
    }
    size_t before = l->view.count;
    if (w->back)
        take_in(l, w->found, w->count, true);
    else
        land(l, w->found, w->count);
    w->taken += w->count;
    w->count = 0;
    if (w->back) {
        l->oldest_seq = w->seq;
        l->oldest_call = w->call;
        happening_return_seek(l, before);
    } else {
        l->newest_seq = w->seq;
        l->newest_call = w->call;
        happening_held_clear(l);
    }
}

/* Back to a hundredth of the journal that was not looked through before: that is worth a frame. */
static bool is_far(const struct happening_list *l, int64_t before)
{
    int64_t step = l->newest_seq / 100 + 1;
    return l->oldest_seq / step != before / step;
}

static bool happening_list_part(struct job *job)
{
    struct list_job *j = (struct list_job *)job;
    bool any = j->walk.count > 0;
    int64_t before = j->list->oldest_seq;
    deliver(j);
    if (any)
        view_grown(&j->list->view);
    return any || is_far(j->list, before);
}

static void happening_list_done(struct job *job, const struct error *e)
{
    struct list_job *j = (struct list_job *)job;
    struct happening_list *l = j->list;
    if (e->code == ERROR_INTERRUPTED)
        return;
    if (e->code) {
        app_fail(l->view.app, e);
        return;
    }
    deliver(j);
    if (j->walk.back) {
        l->complete = j->walk.ended;
        happening_return_seek(l, l->view.count);
    } else {
        let_go(l);
    }
    view_grown(&l->view);
}

static void release_job(struct job *job)
{
    happening_walk_release(&((struct list_job *)job)->walk);
    free(job);
}

static const struct job_ops newer_ops = {.name = "reading what happened",
                                         .run = happening_list_run,
                                         .part = happening_list_part,
                                         .done = happening_list_done,
                                         .release = release_job,
                                         .quiet = true};
static const struct job_ops older_ops = {.name = "reading what happened before",
                                         .run = happening_list_run,
                                         .part = happening_list_part,
                                         .done = happening_list_done,
                                         .release = release_job};

static struct list_job *new_job(struct happening_list *l, bool back)
{
    struct list_job *j = xcalloc(1, sizeof(*j));
    j->list = l;
    j->walk.filter = happening_list_wanted(l);
    j->walk.back = back;
    j->walk.begun = l->begun;
    j->walk.seq = back ? l->oldest_seq : l->newest_seq;
    j->walk.call = back ? l->oldest_call : l->newest_call;
    return j;
}

/* A page more, or as far as what is waited for. */
static void read_older(struct happening_list *l)
{
    const struct view *v = &l->view;
    struct list_job *j = new_job(l, true);
    l->reads_far = view_wants_more(v);
    if (!l->reads_far)
        j->walk.wanted = PAGE;
    else if (v->line_wanted > v->count)
        j->walk.wanted = v->line_wanted - v->count;
    else if (!v->end_wanted)
        snprintf(j->walk.until, sizeof(j->walk.until), "%s", v->search.pattern);
    worker_submit(&l->view.app->data.worker, &j->job, &older_ops, l, SLOT_OLDER);
}

/* What is under way is left to end, or nothing would ever come while others write. */
static void read_newer(struct happening_list *l)
{
    struct app *x = l->view.app;
    l->newer_wanted = true;
    if (x->remote.paused)
        happening_held_count(l);
    if (!l->begun || l->asked || worker_has(&x->data.worker, l, SLOT_NEWER) || x->remote.paused)
        return;
    l->newer_wanted = false;
    worker_submit(&x->data.worker, &new_job(l, false)->job, &newer_ops, l, SLOT_NEWER);
}

static void read_anew(struct happening_list *l)
{
    worker_cancel(&l->view.app->data.worker, l, SLOT_NEWER);
    l->begun = l->complete = false;
    l->asked = true;
    read_older(l);
}

/* The same for another filter: the cursor is where it belongs by struct happening_return. */
static void happening_list_refilter(struct happening_list *l, bool was, bool is)
{
    happening_return_filter(l, was, is);
    read_anew(l);
}

void happening_list_only_new(struct view *v)
{
    bool filtered = v->ops->filter && *v->ops->filter(v);
    happening_list_refilter(list_of(v), filtered || !v->only_new, filtered || v->only_new);
}

/* As many lines as a screen shows, at once, where they are near: the worker may be busy with others. */
static void read_first_page(struct happening_list *l)
{
    struct app *x = l->view.app;
    struct list_job *j = new_job(l, true);
    struct error e;
    j->walk.wanted = (size_t)(x->ui.screen.rows > 0 ? x->ui.screen.rows : 1);
    if (happening_walk_on(&j->walk, x->data.reader, FIRST_MS, &e) >= 0) {
        deliver(j);
        l->complete = j->walk.ended;
    }
    release_job(&j->job);
}

void happening_list_begin(struct happening_list *l)
{
    read_first_page(l);
    if (!l->complete)
        read_older(l);
}

/* ---- as a view ---- */

void happening_list_stirred(struct view *v)
{
    read_newer(list_of(v));
}

void happening_list_news(struct view *v, const struct event *events, size_t count, bool whole)
{
    (void)events;
    (void)count;
    (void)whole;
    list_of(v)->preview.page.stale = true;
    read_newer(list_of(v));
}

bool happening_list_partial(struct view *v)
{
    return !list_of(v)->complete;
}

static void add_total(const struct happening_list *l, struct strbuf *out)
{
    strbuf_addf(out, "%zu%s", l->view.count,
                l->complete ? "" : glyph_text(&l->view.ui->screen, GLYPH_ELLIPSIS));
}

void happening_list_counts(struct view *v, struct strbuf *out)
{
    add_total(list_of(v), out);
    strbuf_addf(out, " %s%s", list_of(v)->look == LOOK_HISTORY ? "change" : "event",
                v->count == 1 && list_of(v)->complete ? "" : "s");
}

void happening_list_position(struct view *v, struct strbuf *out)
{
    strbuf_addf(out, "%zu/", v->selected + 1);
    add_total(list_of(v), out);
}

void happening_list_text(struct view *v, size_t line, struct strbuf *out)
{
    happening_text(happenings_at(&list_of(v)->all, line), out);
}

int64_t happening_list_node(struct view *v, size_t line)
{
    const struct happening *h = happenings_at(&list_of(v)->all, line);
    return h ? h->subject : 0;
}

/* What was about no memory: to the session that a person decided about. What is said of it is what its line says; what
 * was asked for in vain had a name all the same. */
static void open_other(struct happening_list *l, const struct happening *h)
{
    struct app *x = l->view.app;
    bool wrote = h->sort == HAPPENED_WRITE, decided = wrote && session_decision(h->what);
    bool here = decided && h->about == l->session;
    if (decided && !here && live_view_open_session(x, h->about))
        return;
    if (h->outcome == ERROR_NOT_FOUND)
        app_say(x, "what \"%s\" asked for was not found; the log does not keep what that was",
                h->what);
    else
        app_say(x, "\"%s\" was about %s", wrote ? happening_said(h) : h->what,
                here ? "this session" : "no one memory");
}

bool happening_list_request(struct view *v, enum view_request request)
{
    const struct happening *h = happening_list_cursor(list_of(v));
    if (request == REQUEST_REFRESH) {
        list_of(v)->preview.page.stale = true;
        read_anew(list_of(v));
        return true;
    }
    if (request != REQUEST_OPEN || !h || h->subject > 0)
        return false;
    open_other(list_of(v), h);
    return true;
}

/* More is read before the last line is reached, and what nobody waits for any more is left. */
static void read_on(struct happening_list *l, int height)
{
    struct view *v = &l->view;
    bool far = view_wants_more(v), reads = worker_has(&v->app->data.worker, l, SLOT_OLDER);
    if (reads && l->reads_far && !far)
        worker_cancel(&v->app->data.worker, l, SLOT_OLDER);
    else if (!reads && !l->complete && l->begun &&
             (far || v->top + 3 * (size_t)(height > 0 ? height : 1) >= v->count))
        read_older(l);
}

void happening_list_layout(struct view *v, int height, int width)
{
    struct happening_list *l = list_of(v);
    bool clients = l->session == 0 && l->filter.session == 0;
    l->columns = happening_columns_fit(v->app, width, clients, l->look);
    if (v->top == 0)
        v->above = 0;
    if (l->newer_wanted && !v->app->remote.paused)
        read_newer(l);
    if (l->held.wanted && v->app->remote.paused)
        happening_held_count(l);
    happening_rate_measure(l);
    read_on(l, height);
}

/* ---- drawing ---- */

void happening_list_title(struct view *v, const char *name, struct strbuf *out)
{
    const struct happening_list *l = list_of(v);
    /* What is not words alone has quotes of its own. */
    const char *quote = strcmp(l->typed, l->filter.pattern) ? "" : "\"";
    strbuf_addstr(out, name);
    if (*l->typed)
        strbuf_addf(out, " %s %s%s%s", glyph_text(&v->ui->screen, GLYPH_CRUMB), quote, l->typed,
                    quote);
}

void happening_list_draw_header(struct view *v, const struct pane *p)
{
    struct pane names = pane_row(p, p->height - 1);
    happening_columns_header(v->app, &list_of(v)->columns, &names);
}

void happening_list_draw_line(struct view *v, const struct pane *row, size_t line)
{
    struct happening_list *l = list_of(v);
    const char *pattern = v->search.pattern[0] ? v->search.pattern : l->filter.pattern;
    happening_columns_row(v->app, &l->columns, row, happenings_at(&l->all, line), pattern, v->pan);
}

void happening_list_draw_preview(struct view *v, const struct pane *p)
{
    event_preview_draw(&list_of(v)->preview, p, happening_list_cursor(list_of(v)));
}

void happening_list_scroll_preview(struct view *v, long lines)
{
    preview_scroll(&list_of(v)->preview.page, lines);
}

const struct happening *happening_list_happening(struct view *v, size_t line)
{
    return happenings_at(&list_of(v)->all, line);
}

int64_t happening_list_session(struct view *v)
{
    const struct happening *h = happening_list_cursor(list_of(v));
    int64_t session = h ? happening_session(h) : 0;
    return session ? session : list_of(v)->session;
}

const char *happening_list_empty(struct view *v)
{
    const struct happening_list *l = list_of(v);
    return !l->complete  ? "looking…"
           : *l->typed   ? "nothing matches the filter; Esc clears it"
           : v->only_new ? v->ui->nothing_new
                         : "nothing has happened here yet";
}

void happening_list_init(struct happening_list *l, const struct view_ops *ops, struct app *x,
                         enum happening_look look)
{
    view_init(&l->view, ops, &x->ui);
    event_preview_init(&l->preview, x);
    l->look = look;
}

void happening_list_release(struct view *v)
{
    struct happening_list *l = list_of(v);
    if (v->app->remote.follows == v)
        v->app->remote.follows = NULL;
    happenings_release(&l->all);
    preview_release(&l->preview.page);
}

/* What is shown of one session alone stays that. */
static bool read_line(struct happening_list *l, const char *text, struct happening_filter *out)
{
    struct app *x = l->view.app;
    char why[160];
    if (!audit_filter_read(x, text, out, why, sizeof(why))) {
        app_say(x, "%s", why);
        return false;
    }
    if (l->session && out->session && out->session != l->session) {
        app_say(x, "here stands one session alone; 9 shows all");
        return false;
    }
    if (l->session)
        out->session = l->session;
    return true;
}

void happening_typed_begin(struct happening_list *l, const char *text)
{
    if (!read_line(l, text, &l->filter)) {
        l->filter = (struct happening_filter){.session = l->session};
        return;
    }
    snprintf(l->typed, sizeof(l->typed), "%s", text);
    happening_return_taken(l);
}

const char *happening_typed_filter(const struct view *v)
{
    return ((const struct happening_list *)v)->typed;
}

void happening_typed_set(struct view *v, const char *text)
{
    struct happening_list *l = list_of(v);
    struct happening_filter filter;
    bool was = *l->typed != '\0';
    if (!strcmp(l->typed, text)) {
        happening_return_taken(l);
        return;
    }
    if (!read_line(l, text, &filter))
        return;
    snprintf(l->typed, sizeof(l->typed), "%s", text);
    l->filter = filter;
    happening_list_refilter(l, was, *text != '\0');
}
