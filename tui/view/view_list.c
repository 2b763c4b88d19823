/* The view of memories in a list: of a kind, of a search, of a node of a drawing. */
#include "tui/view/views.h"

#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "store/query/list.h"
#include "store/record/get.h"
#include "store/search/search.h"
#include "tui/explorer/app.h"
#include "tui/view/memory/memory_views.h"
#include "tui/view/columns.h"
#include "tui/widget/places.h"
#include "tui/explorer/news.h"
#include "tui/text/text.h"

#define SLOT_LOAD 0

struct list_view {
    struct view view;
    int root;
    char *words;           /* of a search; NULL: a list */
    struct beside *beside; /* in a drawing; NULL: a list */
    unsigned kinds;
    enum list_order order; /* the ids are in this one */
    bool reverse;
    char *agent;
    bool gone;
    int64_t *ids; /* all of them, once `complete`; before, the first ones */
    size_t id_count, id_alloc;
    bool complete;
    bool by_news; /* it is read again because others wrote */
    int64_t
        read_last; /* the journal's last event after it was read: it may have those up to that one */
    struct unplaced *unplaced; /* written, and not in its place yet; NULL: nothing ever was */
    int64_t *shown;            /* those that the filter leaves; where there is one */
    size_t shown_count, shown_alloc;
    char filter[256];
    bool filter_complete;
    bool shows_filtered; /* the lines are `shown`, else `ids` */
    bool filter_asked;   /* and of an older filter until the first answer to this one comes */
    int64_t cursor;      /* the memory under it, which it stays on */
    int64_t before;      /* and was on before there was a filter; 0: another was chosen since */
    size_t before_row;   /* of the screen */
    bool settling;       /* the cursor moves because the lines are others */
    int64_t kept; /* gone meanwhile, and listed for as long as the cursor is on it; 0: none */
    struct columns columns;
};

static struct list_view *list_of(struct view *v)
{
    return (struct list_view *)v;
}

/* What was found has an order of its own, and what is written is found by looking again. */
static bool is_found(const struct list_view *l)
{
    return l->words || l->beside;
}

static bool filtered(const struct list_view *l)
{
    return l->filter[0] != '\0';
}

static const int64_t *lines_of(const struct list_view *l, size_t *count)
{
    *count = l->shows_filtered ? l->shown_count : l->id_count;
    return l->shows_filtered ? l->shown : l->ids;
}

static int64_t node_at(struct view *v, size_t line)
{
    size_t count;
    const int64_t *ids = lines_of(list_of(v), &count);
    return line < count ? ids[line] : 0;
}

static size_t find_node(const int64_t *ids, size_t count, int64_t node)
{
    for (size_t i = 0; i < count; i++)
        if (ids[i] == node)
            return i;
    return LINE_NONE;
}

/*
 * The lines are others now: the cursor stays on its memory, and that memory on its row of the screen,
 * or, where it is gone, the cursor stays where it was.
 */
static void settle_lines(struct list_view *l)
{
    struct view *v = &l->view;
    size_t count,
        row = v->selected != LINE_NONE && v->selected >= v->top ? v->selected - v->top : 0;
    const int64_t *ids = lines_of(l, &count);
    int64_t cursor = l->cursor;
    size_t place = cursor ? find_node(ids, count, cursor) : LINE_NONE;
    l->settling = true;
    view_set_count(v, count);
    l->settling = false;
    if (place != LINE_NONE) {
        v->selected = place;
        v->top = place > row ? place - row : 0;
        view_reveal(v);
    }
    if (v->selected != LINE_NONE)
        l->cursor = node_at(v, v->selected);
}

/* It is put in its place, or taken out, when nothing else counts the lines. */
static void expect(struct list_view *l, int64_t node, bool was_there)
{
    if (!l->unplaced)
        l->unplaced = xcalloc(1, sizeof(*l->unplaced));
    unplaced_add(l->unplaced, node, was_there);
}

static void lines_changed(struct list_view *l)
{
    settle_lines(l);
    view_search_again(&l->view);
}

static void selected(struct view *v)
{
    struct list_view *l = list_of(v);
    int64_t left = l->cursor;
    l->cursor = node_at(v, v->selected);
    if (l->settling)
        return;
    l->before = 0;
    if (left && left == l->kept) {
        l->kept = 0;
        expect(l, left, true); /* to be taken out */
    }
}

/* ---- reading ---- */

static void list_query(const struct list_view *l, struct list_query *q)
{
    *q = (struct list_query){.kinds = l->kinds,
                             .statuses = l->gone ? STATUSES_ALL : 0,
                             .agent = l->agent,
                             .order = l->order,
                             .reverse = l->reverse};
}

struct load_job {
    struct job job;
    struct list_view *list;
    struct list_query query;
    char *agent, *words;
    struct beside *beside;
    int64_t *ids;
    size_t count, alloc;
    bool news;
    struct since since;
    int64_t last; /* event that it may have been read with */
};

static int take_ids(void *arg, const int64_t *nodes, size_t count)
{
    struct load_job *j = arg;
    for (size_t i = 0; i < count; i++) {
        if (!since_wants(&j->since, nodes[i]))
            continue;
        *ARRAY_ADD(j->ids, j->count, j->alloc) = nodes[i];
    }
    return atomic_load(&j->job.cancelled);
}

static int take_match(void *arg, int64_t node, bool exact)
{
    (void)exact;
    return take_ids(arg, &node, 1);
}

static enum job_result load_run(struct job *job, struct reader *r, struct error *e)
{
    struct load_job *j = (struct load_job *)job;
    struct search_query search = {.words = j->words,
                                  .kinds = j->query.kinds,
                                  .agent = j->agent,
                                  .statuses = j->query.statuses};
    if (since_read(&j->since, r, &j->job.cancelled, e))
        return JOB_FAILED;
    int failed = j->words    ? search_run(r, &search, take_match, j, e)
                 : j->beside ? beside_read(r, j->beside, take_ids, j, e)
                             : list_ids(r, &j->query, take_ids, j, e);
    if (!failed)
        j->last = journal_last(r, e);
    return failed || j->last < 0 ? JOB_FAILED : JOB_DONE;
}

static void start_filter(struct list_view *l);

/* After all of it was read again: so many rows are above the screen that were not. */
static void count_pushed(struct list_view *l, size_t top)
{
    if (top != LINE_NONE && l->view.top > top)
        l->view.above += l->view.top - top;
}

/* What others wrote meanwhile may have been read with it. */
static void take_reading(struct list_view *l, struct load_job *j)
{
    free(l->ids);
    l->ids = j->ids;
    l->id_count = j->count;
    l->id_alloc = j->alloc;
    j->ids = NULL;
    l->complete = true;
    l->read_last = j->last;
    for (size_t i = 0; l->unplaced && i < l->unplaced->count; i++)
        l->unplaced->was_there[i] = true;
}

static void load_done(struct job *job, const struct error *e)
{
    struct load_job *j = (struct load_job *)job;
    struct list_view *l = j->list;
    if (e->code != ERROR_NONE) {
        view_reads_not(&l->view);
        app_fail(l->view.app, e);
        return;
    }
    size_t top = j->news && l->complete && !filtered(l) ? l->view.top : LINE_NONE;
    take_reading(l, j);
    if (filtered(l))
        start_filter(l);
    else
        lines_changed(l);
    view_grown(&l->view);
    if (l->view.app->remote.follows == &l->view && l->order == ORDER_RECORDED && !l->reverse)
        view_select(&l->view, 0);
    count_pushed(l, top);
    calm_rest(&l->view.calm, job->begun);
}

static void load_release(struct job *job)
{
    struct load_job *j = (struct load_job *)job;
    since_release(&j->since);
    free(j->ids);
    free(j->agent);
    free(j->words);
    beside_free(j->beside);
    free(j);
}

static const struct job_ops load_ops = {
    .name = "reading the list", .run = load_run, .done = load_done, .release = load_release};

/* As many rows as a screen shows, at once. */
static void read_first_page(struct list_view *l)
{
    struct app *x = l->view.app;
    struct list_query query;
    struct error e;
    int64_t node;
    if (l->view.only_new)
        return;
    list_query(l, &query);
    struct list *list = list_open(x->data.reader, &query, NULL, &e);
    if (!list) {
        app_fail(x, &e);
        return;
    }
    while (l->id_count < (size_t)x->ui.screen.rows * 2 && list_next(list, &node, &e) == 1)
        *ARRAY_ADD(l->ids, l->id_count, l->id_alloc) = node;
    list_close(list);
}

static void take_settings(struct list_view *l)
{
    struct app *x = l->view.app;
    free(l->agent);
    l->agent = x->prefs.agent ? xstrdup(x->prefs.agent) : NULL;
    l->order = x->prefs.order;
    l->reverse = x->prefs.reverse;
    l->gone = x->prefs.gone;
}

static bool same_settings(const struct list_view *l)
{
    const struct app *x = l->view.app;
    bool agent = !l->agent || !x->prefs.agent ? l->agent == x->prefs.agent
                                              : !strcmp(l->agent, x->prefs.agent);
    return agent && l->gone == x->prefs.gone &&
           (is_found(l) || (l->order == x->prefs.order && l->reverse == x->prefs.reverse));
}

static void load(struct view *v)
{
    struct list_view *l = list_of(v);
    struct load_job *j = xcalloc(1, sizeof(*j));
    take_settings(l);
    j->list = l;
    j->news = l->by_news;
    l->by_news = false;
    j->since = since_of(v);
    list_query(l, &j->query);
    j->agent = l->agent ? xstrdup(l->agent) : NULL;
    j->words = l->words ? xstrdup(l->words) : NULL;
    j->query.agent = j->agent;
    j->beside = l->beside ? beside_copy(l->beside) : NULL;
    worker_submit(&v->app->data.worker, &j->job, &load_ops, l, SLOT_LOAD);
}

/* ---- filtering ---- */

static void filter_found(void *arg, const uint32_t *places, size_t count, bool complete)
{
    struct list_view *l = arg;
    if (l->filter_asked)
        l->shown_count = 0;
    l->filter_asked = false;
    l->shows_filtered = true;
    for (size_t i = 0; i < count; i++)
        if (places[i] < l->id_count)
            *ARRAY_ADD(l->shown, l->shown_count, l->shown_alloc) = l->ids[places[i]];
    l->filter_complete = complete;
    lines_changed(l);
}

/* A filter that is gone leaves the cursor where it was, unless a memory was chosen meanwhile. */
static void return_to_before(struct list_view *l)
{
    struct view *v = &l->view;
    size_t place = l->before ? find_node(l->ids, l->id_count, l->before) : LINE_NONE;
    l->before = 0;
    if (place == LINE_NONE)
        return;
    view_select(v, place);
    v->top = place > l->before_row ? place - l->before_row : 0;
    view_reveal(v);
}

/* Until the first answer comes the lines stay, so that typing does not make the list blink. */
static void start_filter(struct list_view *l)
{
    l->filter_asked = filtered(l);
    l->filter_complete = false;
    if (!filtered(l)) {
        l->shows_filtered = false;
        worker_cancel_owner(&l->view.app->data.worker, l->filter);
        lines_changed(l);
        return_to_before(l);
        return;
    }
    int64_t *copy = xmalloc((l->id_count ? l->id_count : 1) * sizeof(*copy));
    if (l->id_count > 0)
        memcpy(copy, l->ids, l->id_count * sizeof(*copy));
    scan_start(&l->view.app->ui, l->filter, copy, l->id_count, l->filter, filter_found, l);
}

bool view_is_list(const struct view *v)
{
    return v->ops->place == IN_LIST;
}

int list_view_root(const struct view *v)
{
    return ((const struct list_view *)v)->root;
}

static const char *list_view_filter(const struct view *v)
{
    return ((const struct list_view *)v)->filter;
}

static void list_view_set_filter(struct view *v, const char *pattern)
{
    struct list_view *l = list_of(v);
    if (!strcmp(l->filter, pattern))
        return;
    if (!filtered(l)) {
        l->before = l->cursor;
        l->before_row =
            v->selected != LINE_NONE && v->selected >= v->top ? v->selected - v->top : 0;
    }
    snprintf(l->filter, sizeof(l->filter), "%s", pattern);
    start_filter(l);
}

/* ---- news ---- */

/* Something is under way that counts the lines as they are: it is left to end. */
static bool is_busy(struct list_view *l)
{
    return !l->complete || worker_has(&l->view.app->data.worker, l, SLOT_LOAD) ||
           (filtered(l) && !l->filter_complete) ||
           (*l->view.search.pattern && !l->view.search.complete);
}

static bool passes_filter(void *arg, int64_t node)
{
    struct list_view *l = arg;
    return scan_matches(l->view.app->data.reader, node, l->filter);
}

/* The rows that were put in and are not on the screen. */
static void count_new(struct list_view *l, const struct moves *m)
{
    struct view *v = &l->view;
    for (size_t i = 0; i < m->in_count; i++) {
        v->above += m->is_new[i] && m->in[i] < v->top;
        v->under += m->is_new[i] && v->height > 0 && m->in[i] >= v->top + (size_t)v->height;
    }
}

/* What a search found stands in other lines now, and some of the new ones match too. */
static void move_matches(struct list_view *l, const struct moves *m)
{
    struct view *v = &l->view;
    if (!*v->search.pattern)
        return;
    view_search_move(v, m->out, m->out_count, m->in, m->in_count);
    for (size_t i = 0; i < m->in_count; i++)
        if (scan_matches(v->app->data.reader, node_at(v, m->in[i]), v->search.pattern))
            view_search_add(v, m->in[i]);
}

/* Purged, or its addition was taken back: there is nothing of it to look at. As it is stored: what a
 * frame has read may be older. */
static bool is_erased(struct app *x, int64_t node)
{
    struct arena arena = ARENA_INIT;
    struct memory_row row;
    struct error e;
    bool erased =
        memory_row_read(x->data.reader, &arena, node, &row, &e) || row.status >= STATUS_PURGED;
    arena_release(&arena);
    return erased;
}

/* The cursor's memory stays in the list while the cursor is on it, though it may be gone. */
static void keep_cursor(struct list_view *l, const struct list_query *query)
{
    struct error e;
    size_t place;
    bool matches;
    for (size_t i = 0; i < l->unplaced->count; i++)
        if (l->unplaced->node[i] == l->cursor &&
            !list_place(l->view.app->data.reader, query, NULL, 0, l->cursor, &place, &matches, &e))
            l->kept = matches || is_erased(l->view.app, l->cursor) ? 0 : l->cursor;
}

/* -1 where only reading it all again helps. */
static int place_all(struct list_view *l)
{
    struct list_query query;
    struct moves *m = xmalloc(sizeof(*m));
    list_query(l, &query);
    keep_cursor(l, &query);
    struct placing p = {.reader = l->view.app->data.reader, .query = &query, .keep = l->kept};
    int failed = places_update(&p, l->unplaced, &l->ids, &l->id_alloc, &l->id_count, m);
    if (!failed && filtered(l)) {
        p.passes = passes_filter;
        p.arg = l;
        failed = places_update(&p, l->unplaced, &l->shown, &l->shown_alloc, &l->shown_count, m);
    }
    if (!failed) {
        settle_lines(l);
        count_new(l, m);
        move_matches(l, m);
    }
    free(m);
    return failed;
}

static void follow_news(struct list_view *l, int64_t node)
{
    size_t lines;
    const int64_t *ids = lines_of(l, &lines);
    size_t place = find_node(ids, lines, node);
    if (place != LINE_NONE)
        view_select(&l->view, place);
}

/* Puts what was written in its place, as soon as nothing is under way that counts the lines. */
static void take_unplaced(struct list_view *l)
{
    struct unplaced *u = l->unplaced;
    if (!u || (u->count == 0 && !u->overflow) || is_busy(l))
        return;
    int64_t last = u->count > 0 ? u->node[u->count - 1] : 0;
    if (is_found(l) || u->overflow || place_all(l))
        l->by_news = l->view.calm.wanted = true;
    u->count = 0;
    u->overflow = false;
    if (l->view.app->remote.follows == &l->view)
        follow_news(l, last);
}

static void news(struct view *v, const struct event *events, size_t count, bool whole)
{
    struct list_view *l = list_of(v);
    if (whole)
        l->by_news = v->calm.wanted = true;
    for (size_t i = 0; i < count && !whole; i++)
        if (events[i].subject > 0)
            expect(l, events[i].subject, events[i].before || events[i].seq <= l->read_last);
    take_unplaced(l);
}

/* A session that came or went says of a chain whether it still runs. */
static void stirred(struct view *v)
{
    if (list_of(v)->root != KIND_CHAIN)
        return;
    details_changed(&v->app->details);
    v->app->preview.stale = true;
}

static void shown(struct view *v)
{
    if (!same_settings(list_of(v)))
        view_load(v);
}

/* ---- drawing ---- */

static bool partial(struct view *v)
{
    return !list_of(v)->complete;
}

static const char *order_arrow(const struct list_view *l)
{
    bool up = (l->order == ORDER_TEXT) != l->reverse;
    return glyph_text(&l->view.app->ui.screen, up ? GLYPH_UP : GLYPH_DOWN);
}

static void title(struct view *v, struct strbuf *out)
{
    struct list_view *l = list_of(v);
    const char *crumb = glyph_text(&v->app->ui.screen, GLYPH_CRUMB);
    if (l->words)
        strbuf_addf(out, "search \"%s\"", l->words);
    else if (l->beside)
        strbuf_addstr(out, l->beside->title);
    else
        strbuf_addstr(out,
                      l->root == ROOT_ALL ? "everything" : kind_spec((enum kind)l->root)->plural);
    if (filtered(l))
        strbuf_addf(out, " %s \"%s\"", crumb, l->filter);
}

static void counts(struct view *v, struct strbuf *out)
{
    struct list_view *l = list_of(v);
    const char *more = glyph_text(&v->app->ui.screen, GLYPH_ELLIPSIS);
    if (filtered(l)) {
        size_t lines;
        lines_of(l, &lines);
        strbuf_addf(out, "%zu%s of ", lines, l->filter_complete ? "" : more);
    }
    if (l->complete)
        strbuf_addf(out, "%zu", l->id_count);
    else
        strbuf_addstr(out, more);
}

static void notice(struct view *v, struct strbuf *out)
{
    if (list_of(v)->gone)
        strbuf_addstr(out, "with gone ones");
}

static void order(struct view *v, struct strbuf *out)
{
    const struct list_view *l = list_of(v);
    if (!is_found(l))
        strbuf_addf(out, "%s %s", order_name(l->order), order_arrow(l));
}

static void position(struct view *v, struct strbuf *out)
{
    strbuf_addf(out, "%zu/", v->selected + 1);
    if (list_of(v)->complete)
        strbuf_addf(out, "%zu", v->count);
    else
        strbuf_addstr(out, glyph_text(&v->app->ui.screen, GLYPH_ELLIPSIS));
}

static void layout(struct view *v, int height, int width)
{
    struct list_view *l = list_of(v);
    (void)height;
    l->columns = columns_fit(v->app, width, l->root);
    take_unplaced(l);
    if (v->top == 0)
        v->above = v->under = 0;
}

static void draw_header(struct view *v, const struct pane *p)
{
    struct list_view *l = list_of(v);
    columns_draw_header(v->app, &l->columns, p, l->root);
}

static void draw_line(struct view *v, const struct pane *row, size_t line)
{
    struct list_view *l = list_of(v);
    const char *pattern = v->search.pattern[0]                 ? v->search.pattern
                          : l->words && !strchr(l->words, ' ') ? l->words
                                                               : l->filter;
    columns_draw_row(v->app, &l->columns, row, node_at(v, line), pattern, v->pan);
}

static const char *empty(struct view *v)
{
    struct list_view *l = list_of(v);
    if (!l->complete)
        return "reading…";
    if (filtered(l))
        return l->filter_complete ? "nothing matches the filter; Esc clears it" : "looking…";
    if (l->words)
        return "nothing was found";
    if (v->only_new)
        return v->ui->nothing_new;
    return l->agent ? "nothing of this agent; A shows others" : "nothing here yet";
}

static bool request(struct view *v, enum view_request request)
{
    if (request != REQUEST_OPEN)
        return false;
    list_of(v)->before = 0;
    app_open_memory(v->app, view_node(v));
    return true;
}

/* A chain's row counts its steps, a document's what uses it: those name them. */
static bool touched(struct view *v, const struct event *event)
{
    const struct list_view *l = list_of(v);
    struct error e;
    bool counts = l->root == KIND_CHAIN || (l->root == KIND_DOCUMENT && !event->before);
    return counts && event->subject > 0 &&
           related_names(v->app->data.reader, event->subject, view_node(v), &e) > 0;
}

static void release_list(struct view *v)
{
    struct list_view *l = list_of(v);
    worker_cancel_owner(&v->app->data.worker, l->filter);
    if (v->app->remote.follows == v)
        v->app->remote.follows = NULL;
    free(l->ids);
    free(l->shown);
    free(l->unplaced);
    free(l->agent);
    free(l->words);
    beside_free(l->beside);
}

static const struct view_ops list_ops = {
    .name = "list",
    .place = IN_LIST,
    .preview = true,
    .title = title,
    .notice = notice,
    .counts = counts,
    .order = order,
    .layout = layout,
    .header_rows = 1,
    .draw_header = draw_header,
    .draw_line = draw_line,
    .node = node_at,
    .touched = touched,
    .partial = partial,
    .empty = empty,
    .request = request,
    .position = position,
    .selected = selected,
    .shown = shown,
    .only_new = view_load,
    .load = load,
    .news = news,
    .stirred = stirred,
    .filter = list_view_filter,
    .set_filter = list_view_set_filter,
    .release = release_list,
};

const char *list_view_own_order(const struct view *v)
{
    const struct list_view *l = (const struct list_view *)v;
    return l->words    ? "a search's own order is: whole words first, then the newest"
           : l->beside ? "the order is that of the drawing: recorded links first, then the newest"
                       : NULL;
}

static struct list_view *make(struct app *x, int root)
{
    struct list_view *l = xcalloc(1, sizeof(*l));
    view_init(&l->view, &list_ops, &x->ui);
    l->root = root;
    take_settings(l);
    return l;
}

struct view *list_view_new(struct app *x, int root)
{
    struct list_view *l = make(x, root);
    l->kinds = root == ROOT_ALL ? 0 : KIND_BIT(root);
    l->view.height = x->ui.screen.rows;
    read_first_page(l);
    lines_changed(l);
    view_load(&l->view);
    return &l->view;
}

struct view *list_view_search(struct app *x, const char *words, unsigned kinds)
{
    struct list_view *l = make(x, ROOT_ALL);
    l->kinds = kinds;
    l->words = xstrdup(words);
    view_load(&l->view);
    return &l->view;
}

struct view *list_view_beside(struct app *x, const struct beside *b)
{
    struct list_view *l = make(x, ROOT_ALL);
    l->beside = beside_copy(b);
    view_load(&l->view);
    return &l->view;
}
