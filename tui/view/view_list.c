/* The view of memories in a list: of a kind, of a search, of a node of a drawing. */
#include "tui/view/views.h"

#include <stdlib.h>
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "store/query/list.h"
#include "store/record/get.h"
#include "store/search/search.h"
#include "tui/explorer/app.h"
#include "tui/view/memory/memory_views.h"
#include "tui/view/columns.h"
#include "tui/widget/scan.h"
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
    bool by_news;    /* others wrote: it is to be read again, or was because of that */
    int64_t written; /* the last memory that they wrote */
    int64_t newest;  /* of `ids`; a memory that was added later has a larger one */
    int64_t known;   /* and of those before others wrote */
    int64_t *shown;  /* those that the filter leaves; where there is one */
    size_t shown_count, shown_alloc;
    int64_t *passed; /* that were found so far to pass it */
    size_t passed_count, passed_alloc;
    char filter[256];
    bool filter_complete;
    bool shows_filtered; /* the lines are `shown`, else `ids` */
    bool filters_again;  /* by the same filter as before */
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
        l->by_news = true;
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
    return failed ? JOB_FAILED : JOB_DONE;
}

static void start_filter(struct list_view *l, bool again);

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

/* The cursor's memory stays in a list that others change, behind the one that was before it, while the cursor is on it,
 * though it may be gone. */
static void keep_cursor(struct list_view *l, struct load_job *j)
{
    size_t was = find_node(l->ids, l->id_count, l->cursor), place = 0;
    l->kept = 0;
    if (was == LINE_NONE || find_node(j->ids, j->count, l->cursor) != LINE_NONE ||
        is_erased(l->view.app, l->cursor))
        return;
    if (was > 0)
        place = find_node(j->ids, j->count, l->ids[was - 1]) + 1; /* 0: that one is gone too */
    ARRAY_ROOM(j->ids, j->count, j->alloc, 1);
    memmove(j->ids + place + 1, j->ids + place, (j->count++ - place) * sizeof(*j->ids));
    j->ids[place] = l->kept = l->cursor;
}

static void take_reading(struct list_view *l, struct load_job *j)
{
    if (j->news && l->complete && !is_found(l))
        keep_cursor(l, j);
    free(l->ids);
    l->ids = j->ids;
    l->id_count = j->count;
    l->id_alloc = j->alloc;
    j->ids = NULL;
    l->known = j->news && l->complete ? l->newest : INT64_MAX;
    for (size_t i = 0; i < l->id_count; i++)
        l->newest = l->ids[i] > l->newest ? l->ids[i] : l->newest;
    l->complete = true;
}

/* The rows that others added and that are not on the screen. */
static void count_new(struct list_view *l)
{
    struct view *v = &l->view;
    size_t count, end = v->top + (size_t)(v->height > 0 ? v->height : 0);
    const int64_t *ids = lines_of(l, &count);
    for (size_t i = 0; i < count && l->known < l->newest; i++) {
        v->above += ids[i] > l->known && i < v->top;
        v->under += ids[i] > l->known && v->height > 0 && i >= end;
    }
}

/* All lines are there: the cursor goes to what was written, where it follows that. */
static void settled(struct list_view *l)
{
    size_t count;
    const int64_t *ids = lines_of(l, &count);
    size_t place = l->written ? find_node(ids, count, l->written) : LINE_NONE;
    bool newest_first = l->order == ORDER_RECORDED && !l->reverse;
    count_new(l);
    l->known = INT64_MAX;
    l->written = 0;
    if (l->view.app->remote.follows == &l->view && (place != LINE_NONE || newest_first))
        view_select(&l->view, place != LINE_NONE ? place : 0);
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
    take_reading(l, j);
    if (filtered(l)) {
        start_filter(l, j->news);
    } else {
        lines_changed(l);
        settled(l);
    }
    view_grown(&l->view);
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

/* Until the first answer comes, or, where others wrote, until all of it is known, the lines stay: neither typing nor what
 * others do makes the list blink. */
static void filter_found(void *arg, const uint32_t *places, size_t count, bool complete)
{
    struct list_view *l = arg;
    for (size_t i = 0; i < count; i++)
        if (places[i] < l->id_count)
            *ARRAY_ADD(l->passed, l->passed_count, l->passed_alloc) = l->ids[places[i]];
    l->filter_complete = complete;
    if (l->filters_again && !complete)
        return;
    l->shows_filtered = true;
    l->shown_count = 0;
    ARRAY_ROOM(l->shown, 0, l->shown_alloc, l->passed_count + 1);
    for (size_t i = 0; i < l->passed_count; i++)
        l->shown[l->shown_count++] = l->passed[i];
    lines_changed(l);
    if (complete)
        settled(l);
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

/* `again`: it is the same filter, and others wrote. */
static void start_filter(struct list_view *l, bool again)
{
    l->passed_count = 0;
    l->filters_again = again && l->shows_filtered;
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
    start_filter(l, false);
}

/* ---- news ---- */

/* Something is under way that counts the lines as they are: it is left to end. */
static bool is_busy(struct list_view *l)
{
    return !l->complete || worker_has(&l->view.app->data.worker, l, SLOT_LOAD) ||
           (filtered(l) && !l->filter_complete) ||
           (*l->view.search.pattern && !l->view.search.complete);
}

/* Others wrote: it is read again as soon as nothing is under way that counts the lines. */
static void take_news(struct list_view *l)
{
    l->view.calm.wanted |= l->by_news && !is_busy(l);
}

static void news(struct view *v, const struct event *events, size_t count, bool whole)
{
    struct list_view *l = list_of(v);
    l->by_news = true;
    if (count > 0 && !whole && events[count - 1].subject > 0)
        l->written = events[count - 1].subject;
    take_news(l);
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
    take_news(l);
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
    free(l->passed);
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
