#include "view_live.h"

#include "../model/alloc.h"
#include "../model/strbuf.h"
#include "app.h"
#include "facts_sheet.h"
#include "happening.h"
#include "happening_row.h"
#include "match.h"
#include "session_columns.h"
#include "text.h"
#include "view_sessions.h"

enum slot {
    SLOT_NEWER = 0,
    SLOT_OLDER
};
#define PAGE      400    /* that come at a time */
#define KEPT_MOST 100000 /* beyond it the oldest are let go, where the cursor is far from them */
#define SLICE_MS  20
#define PACE_MS   1000

struct live_view {
    struct view view;
    struct happenings all; /* those that pass the filter */
    struct happening_filter filter;
    char *name; /* of the one session that is shown; NULL: all are */
    int64_t newest_seq, newest_call, oldest_seq, oldest_call; /* as far as was read */
    bool begun;                                               /* the four are known */
    bool complete;                                            /* back to the beginning */
    bool asked; /* another filter: its first answer replaces what is there */
    bool newer_wanted;
    bool reads_far; /* what is under way reads on to what is waited for, else a page */
    size_t there;   /* about so many happenings, whatever the filter leaves */
    size_t landed;  /* since the time below */
    int64_t landed_from;
    double rate; /* a second */
    struct happening_columns columns;
    struct session_columns session_columns;
};

struct live_job {
    struct job job;
    struct live_view *live;
    struct happening_walk walk;
};

static struct live_view *live_of(struct view *v)
{
    return (struct live_view *)v;
}

static struct happening *at_line(struct view *v, size_t line)
{
    return happenings_at(&live_of(v)->all, line);
}

/* ---- landing ---- */

/* The clock of a script stands still for what is measured. */
static void count_landed(struct live_view *l, size_t count)
{
    int64_t now = monotonic_ms(), took = now - l->landed_from;
    l->landed += count;
    if (l->view.app->options->script)
        return;
    if (took >= PACE_MS) {
        l->rate = took < 10 * PACE_MS ? (double)l->landed * 1000 / (double)took : 0;
        l->landed = 0;
        l->landed_from = now;
    }
    if (l->rate > 0 || l->landed > 0)
        app_wake(l->view.app, PACE_MS);
}

static int compare_sizes(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* Lines were put in: the cursor stays on its happening, and that on its row of the screen. */
static void keep_cursor(struct live_view *l, const size_t *in, size_t count)
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
    if (v->app->follows == v)
        view_select(v, 0);
    else
        view_reveal(v);
}

/* What a search found stands in other lines now, and some of the new ones match too. */
static void keep_matches(struct live_view *l, const size_t *in, size_t count)
{
    struct view *v = &l->view;
    struct strbuf text = STRBUF_INIT;
    if (!*v->search.pattern)
        return;
    view_search_move(v, NULL, 0, in, count);
    for (size_t i = 0; i < count; i++) {
        strbuf_clear(&text);
        happening_text(at_line(v, in[i]), &text);
        if (match_text(text.buf, v->search.pattern))
            view_search_add(v, in[i]);
    }
    strbuf_release(&text);
}

/* Takes them over; `put` is happenings_land or happenings_append. How many there are more. */
static size_t take_in(struct live_view *l, struct happening **found, size_t count,
                      size_t (*put)(struct happenings *, struct happening *))
{
    size_t *in = malloc((count ? count : 1) * sizeof(*in)), landed = 0;
    for (size_t i = 0; i < count; i++) {
        size_t line = in ? put(&l->all, found[i]) : SIZE_MAX;
        if (!in)
            free(found[i]);
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
    return landed;
}

static void land(struct live_view *l, struct happening **found, size_t count)
{
    struct view *v = &l->view;
    size_t top = v->top;
    count_landed(l, take_in(l, found, count, happenings_land));
    v->above += v->top > top ? v->top - top : 0;
}

/* What is far below the cursor can be read again. */
static void let_go(struct live_view *l)
{
    struct view *v = &l->view;
    size_t count = happenings_count(&l->all);
    if (count <= KEPT_MOST || view_wants_more(v) || v->selected > KEPT_MOST / 2 ||
        v->top > KEPT_MOST / 2 || worker_has(&v->app->worker, l, SLOT_OLDER))
        return;
    happenings_cut(&l->all, KEPT_MOST * 3 / 4, &l->oldest_seq, &l->oldest_call);
    l->complete = false;
    view_set_count(v, happenings_count(&l->all));
    view_search_again(v);
}

/* ---- reading ---- */

static void read_newer(struct live_view *l);

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct live_job *j = (struct live_job *)job;
    int more = happening_walk_on(&j->walk, r, SLICE_MS, e);
    return more < 0 ? JOB_FAILED : more ? JOB_AGAIN : JOB_DONE;
}

static void begin_anew(struct live_view *l)
{
    l->asked = false;
    happenings_clear(&l->all);
    view_set_count(&l->view, 0);
    view_search_again(&l->view);
}

/* What was found since the last time; the job keeps none of it. */
static void deliver(struct live_job *j)
{
    struct live_view *l = j->live;
    struct happening_walk *w = &j->walk;
    if (w->back && l->asked)
        begin_anew(l);
    if (w->back && !l->begun && w->first_seq > 0) {
        l->newest_seq = w->first_seq - 1;
        l->newest_call = w->first_call - 1;
        l->there = (size_t)w->there;
        l->begun = true;
    }
    if (w->back)
        take_in(l, w->found, w->count, happenings_append);
    else
        land(l, w->found, w->count);
    l->there += w->back ? 0 : w->seen;
    w->seen = 0;
    w->taken += w->count;
    w->count = 0;
    if (w->back) {
        l->oldest_seq = w->seq;
        l->oldest_call = w->call;
    } else {
        l->newest_seq = w->seq;
        l->newest_call = w->call;
    }
}

static bool part(struct job *job)
{
    struct live_job *j = (struct live_job *)job;
    bool any = j->walk.count > 0;
    if (any) {
        deliver(j);
        view_grown(&j->live->view);
    }
    return any;
}

static void done(struct job *job, const struct error *e)
{
    struct live_job *j = (struct live_job *)job;
    struct live_view *l = j->live;
    if (e->code == ERROR_INTERRUPTED)
        return;
    if (e->code) {
        app_fail(l->view.app, e);
        return;
    }
    deliver(j);
    if (j->walk.back)
        l->complete = j->walk.ended;
    else
        let_go(l);
    view_grown(&l->view);
}

static void release_job(struct job *job)
{
    happening_walk_release(&((struct live_job *)job)->walk);
    free(job);
}

static const struct job_ops newer_ops = {.name = "reading what happened",
                                         .run = run,
                                         .part = part,
                                         .done = done,
                                         .release = release_job,
                                         .quiet = true};
static const struct job_ops older_ops = {.name = "reading what happened before",
                                         .run = run,
                                         .part = part,
                                         .done = done,
                                         .release = release_job};

static struct live_job *new_job(struct live_view *l, bool back)
{
    struct live_job *j = xcalloc(1, sizeof(*j));
    j->live = l;
    j->walk.filter = l->filter;
    j->walk.back = back;
    j->walk.begun = l->begun;
    j->walk.seq = back ? l->oldest_seq : l->newest_seq;
    j->walk.call = back ? l->oldest_call : l->newest_call;
    return j;
}

/* A page more, or as far as what is waited for. */
static void read_older(struct live_view *l)
{
    const struct view *v = &l->view;
    struct live_job *j = new_job(l, true);
    l->reads_far = view_wants_more(v);
    if (!l->reads_far)
        j->walk.wanted = PAGE;
    else if (v->line_wanted > v->count)
        j->walk.wanted = v->line_wanted - v->count;
    else if (!v->end_wanted)
        snprintf(j->walk.until, sizeof(j->walk.until), "%s", v->search.pattern);
    worker_submit(&l->view.app->worker, &j->job, &older_ops, l, SLOT_OLDER);
}

/* What is under way is left to end, or nothing would ever come while others write. */
static void read_newer(struct live_view *l)
{
    struct app *x = l->view.app;
    l->newer_wanted = true;
    if (!l->begun || l->asked || worker_has(&x->worker, l, SLOT_NEWER) || x->paused)
        return;
    l->newer_wanted = false;
    worker_submit(&x->worker, &new_job(l, false)->job, &newer_ops, l, SLOT_NEWER);
}

/* All of it from the newest on. The lines stay until the first answer comes. */
static void read_anew(struct live_view *l)
{
    worker_cancel(&l->view.app->worker, l, SLOT_NEWER);
    l->begun = l->complete = false;
    l->asked = true;
    read_older(l);
}

/* ---- the view ---- */

static void stirred(struct view *v)
{
    read_newer(live_of(v));
}

static void shown(struct view *v)
{
    read_newer(live_of(v));
}

static void news(struct view *v, const struct event *events, size_t count, bool whole)
{
    (void)events;
    (void)count;
    (void)whole;
    read_newer(live_of(v));
}

static void title(struct view *v, struct strbuf *out)
{
    struct live_view *l = live_of(v);
    const char *crumb = glyph_text(&v->app->screen, GLYPH_CRUMB);
    strbuf_addstr(out, "live");
    if (l->name)
        strbuf_addf(out, " %s %s", crumb, l->name);
    if (*l->filter.pattern)
        strbuf_addf(out, " %s \"%s\"", crumb, l->filter.pattern);
}

/* How many lines there are, those that are still to come with them where that is known. */
static void add_total(const struct live_view *l, struct strbuf *out)
{
    const struct view *v = &l->view;
    bool all = !l->filter.session && !*l->filter.pattern && l->begun;
    if (l->complete || (all && l->there <= v->count))
        strbuf_addf(out, "%zu", v->count);
    else if (all)
        strbuf_addf(out, "%zu", l->there);
    else
        strbuf_addf(out, "%zu%s", v->count, glyph_text(&v->app->screen, GLYPH_ELLIPSIS));
}

static void counts(struct view *v, struct strbuf *out)
{
    struct live_view *l = live_of(v);
    const char *more = glyph_text(&v->app->screen, GLYPH_ELLIPSIS);
    const char *dot = glyph_text(&v->app->screen, GLYPH_DOT);
    live_add_count(v->app, out);
    strbuf_addf(out, "%s%s%s", out->len ? " " : "", out->len ? dot : "", out->len ? " " : "");
    if (*l->filter.pattern && !l->filter.session)
        strbuf_addf(out, "%zu%s of %zu event%s", v->count, l->complete ? "" : more, l->there,
                    l->there == 1 ? "" : "s");
    else
        add_total(l, out);
    if (!*l->filter.pattern || l->filter.session)
        strbuf_addf(out, " event%s", v->count == 1 ? "" : "s");
    if (l->rate >= 0.5)
        strbuf_addf(out, " %s %.0f/s", dot, l->rate);
}

static void position(struct view *v, struct strbuf *out)
{
    struct live_view *l = live_of(v);
    strbuf_addf(out, "%zu/", v->selected + 1);
    add_total(l, out);
}

static bool partial(struct view *v)
{
    return !live_of(v)->complete;
}

/* More is read before the last line is reached, and what nobody waits for any more is left. */
static void read_on(struct live_view *l, int height)
{
    struct view *v = &l->view;
    bool far = view_wants_more(v), reads = worker_has(&v->app->worker, l, SLOT_OLDER);
    if (reads && l->reads_far && !far)
        worker_cancel(&v->app->worker, l, SLOT_OLDER);
    else if (!reads && !l->complete && l->begun &&
             (far || v->top + 3 * (size_t)(height > 0 ? height : 1) >= v->count))
        read_older(l);
}

static void layout(struct view *v, int height, int width)
{
    struct live_view *l = live_of(v);
    l->columns = happening_columns_fit(v->app, width, l->name == NULL);
    l->session_columns = session_columns_fit(v->app, width);
    if (v->top == 0)
        v->above = 0;
    if (l->newer_wanted)
        read_newer(l);
    if (l->rate > 0 || l->landed > 0)
        count_landed(l, 0);
    read_on(l, height);
}

/* ---- drawing ---- */

/* How many sessions stand above, for a pane of that height; 0: there is no room for such a part. */
static int sessions_shown(const struct live_view *l, int height)
{
    size_t count = l->view.app->live.count;
    if (height < 12 || l->name)
        return 0;
    int most = height / 5 < 2 ? 2 : height / 5;
    /* While little happened the lines that it leaves are theirs. */
    size_t lines = l->view.count > 0 ? l->view.count : 1;
    if (lines < (size_t)height && height - 4 - (int)lines > most)
        most = height - 4 - (int)lines;
    return count == 0 ? 1 : count < (size_t)most ? (int)count : most;
}

/* A rule, the names of the columns, the sessions, a rule, and the columns' names of what happens. */
static int header(struct view *v)
{
    int shown_sessions = sessions_shown(live_of(v), v->app->list_pane.height);
    return shown_sessions ? shown_sessions + 4 : 1;
}

static void draw_sessions(struct live_view *l, const struct pane *p, int rows)
{
    struct app *x = l->view.app;
    struct live *live = &x->live;
    if (live->count == 0) {
        paint_text(p, 0, 3, p->width - 3, STYLE_DIM,
                   live->known ? "no agent is connected; `stemma mcp --help` tells how one is"
                               : "looking…");
        return;
    }
    for (int i = 0; i < rows && (size_t)i < live->count; i++) {
        struct pane row = pane_row(p, i);
        if (i == rows - 1 && live->count > (size_t)rows)
            paint_format(&row, 0, 3, row.width - 3, STYLE_DIM, "%zu more: Tab shows all",
                         live->count - (size_t)i);
        else
            session_columns_row(x, &l->session_columns, &row, &live->session[i], NULL);
    }
}

static void draw_header(struct view *v, const struct pane *p)
{
    struct live_view *l = live_of(v);
    int rows = sessions_shown(l, v->app->list_pane.height);
    if (rows > 0) {
        struct strbuf listener = STRBUF_INIT;
        struct pane names = pane_row(p, 1), lines = pane_part(p, 2, 0, rows, p->width);
        live_add_listener(v->app, &listener);
        paint_rule(p, 0, "sessions", listener.buf ? listener.buf : "");
        strbuf_release(&listener);
        session_columns_header(v->app, &l->session_columns, &names);
        draw_sessions(l, &lines, rows);
        paint_rule(p, rows + 2, "events", "");
    }
    struct pane names = pane_row(p, p->height - 1);
    happening_columns_header(v->app, &l->columns, &names);
}

static void draw_line(struct view *v, const struct pane *row, size_t line)
{
    struct live_view *l = live_of(v);
    const char *pattern = v->search.pattern[0] ? v->search.pattern : l->filter.pattern;
    happening_columns_row(v->app, &l->columns, row, at_line(v, line), pattern, v->pan);
}

static int64_t node_at(struct view *v, size_t line)
{
    const struct happening *h = at_line(v, line);
    return h ? h->subject : 0;
}

static int64_t session_at_cursor(struct view *v)
{
    const struct happening *h = v->selected == LINE_NONE ? NULL : at_line(v, v->selected);
    return h && h->session ? h->session : live_of(v)->filter.session;
}

/* A call that was about no memory: the session that made it. */
static void draw_preview(struct view *v, const struct pane *p)
{
    struct arena arena = ARENA_INIT;
    struct session_row row;
    struct error e;
    char id[24];
    snprintf(id, sizeof(id), "%lld", (long long)session_at_cursor(v));
    bool known = session_at_cursor(v) > 0 && !session_find(v->app->reader, &arena, id, &row, &e);
    session_preview(v->app, p, known ? &row : NULL);
    arena_release(&arena);
}

static void text(struct view *v, size_t line, struct strbuf *out)
{
    happening_text(at_line(v, line), out);
}

static const char *empty(struct view *v)
{
    struct live_view *l = live_of(v);
    if (!l->complete)
        return "looking…";
    return *l->filter.pattern ? "nothing matches the filter; Esc clears it"
                              : "nothing has happened here yet";
}

static bool open_line(struct view *v)
{
    const struct happening *h = v->selected == LINE_NONE ? NULL : at_line(v, v->selected);
    if (h && h->subject > 0)
        app_open_memory(v->app, h->subject);
    else if (h)
        app_say(v->app, "%s was about no one memory", h->what);
    return true;
}

static bool request(struct view *v, enum request request)
{
    struct live_view *l = live_of(v);
    switch (request) {
    case REQUEST_OPEN:
        return open_line(v);
    case REQUEST_REFRESH:
        read_anew(l);
        return true;
    case REQUEST_NEXT_SECTION:
        if (v->app->preview_focus)
            return false;
        app_push(v->app, sessions_view_new(v->app));
        return true;
    default:
        return false;
    }
}

static const char *filter_of(const struct view *v)
{
    return ((const struct live_view *)v)->filter.pattern;
}

static void set_filter(struct view *v, const char *pattern)
{
    struct live_view *l = live_of(v);
    if (!strcmp(l->filter.pattern, pattern))
        return;
    snprintf(l->filter.pattern, sizeof(l->filter.pattern), "%s", pattern);
    read_anew(l);
}

static void release(struct view *v)
{
    struct live_view *l = live_of(v);
    if (v->app->follows == v)
        v->app->follows = NULL;
    happenings_release(&l->all);
    free(l->name);
}

static const struct view_ops live_ops = {
    .name = "live",
    .place = IN_LIVE,
    .preview = true,
    .title = title,
    .counts = counts,
    .layout = layout,
    .header = header,
    .draw_header = draw_header,
    .draw_line = draw_line,
    .draw_preview = draw_preview,
    .node = node_at,
    .text = text,
    .partial = partial,
    .empty = empty,
    .request = request,
    .position = position,
    .shown = shown,
    .news = news,
    .stirred = stirred,
    .filter = filter_of,
    .set_filter = set_filter,
    .session = session_at_cursor,
    .release = release,
};

struct view *live_view_of(struct app *x, int64_t session, const char *name)
{
    struct live_view *l = xcalloc(1, sizeof(*l));
    view_init(&l->view, &live_ops, x);
    l->filter.session = session;
    l->name = name ? xstrdup(name) : NULL;
    l->landed_from = monotonic_ms();
    read_older(l);
    if (x->feed)
        x->follows = &l->view;
    return &l->view;
}

struct view *live_view_new(struct app *x)
{
    return live_view_of(x, 0, NULL);
}
