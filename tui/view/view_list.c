/* The view of a list of memories: of a kind, of a search, of a node of a drawing. */
#include "tui/view/views.h"

#include <stdlib.h>
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "store/lineage/loaded.h"
#include "store/lineage/neighbours.h"
#include "store/query/list.h"
#include "store/record/get.h"
#include "store/search/search.h"
#include "tui/explorer/app.h"
#include "tui/explorer/changes.h"
#include "tui/text/match.h"
#include "tui/text/times.h"
#include "tui/view/columns.h"
#include "tui/view/memory/memory_views.h"
#include "tui/widget/rows_view.h"

#define SLICE_MS 20 /* ms of filtering until other jobs get their turn */

struct list_view {
    struct rows_view rows; /* int64_t: the memories' rows */
    int root;
    unsigned kinds;
    struct arena arena;                /* holds the next five */
    const char *words;                 /* the query of a search; NULL otherwise */
    const char *found;                 /* its words; NULL for none */
    const char *first;                 /* the first of them, which lines highlight */
    const char *told;                  /* lists what somebody told; NULL otherwise */
    struct neighbour_list *neighbours; /* neighbours in a drawing; NULL otherwise */
    size_t total;                      /* count without the filter */
    bool by_changes;                   /* others wrote: read again */
    int64_t written;                   /* the last memory that others wrote */
    /* the highest row that is listed; a memory that was added later has a higher one */
    int64_t newest;
    int64_t known; /* `newest` before others wrote */
    bool unsorted; /* it has too many rows for the column that sorts lists */
    int64_t kept;  /* inactive since, but listed while the cursor is on it; 0 for none */
    struct columns columns;
};

struct list_context {
    struct list_query query;
    const char *words;                /* of a search; NULL otherwise */
    struct query_terms search;        /* the query of a search */
    struct neighbour_list neighbours; /* title "" otherwise */
    unsigned char extent;
    struct query_terms terms; /* the filter */
    struct matcher matcher;   /* of the terms, while ids are read and checked */
    bool matching;            /* it is made */
    bool changes;
    int64_t cursor, above; /* the memory under the cursor and the one above it; 0 for none */
    struct new_filter since;
    int64_t *ids; /* [count] before filtering; the first `at` are filtered */
    size_t count, alloc, at;
    size_t total; /* memories that the list would have without the filter */
    bool listed;  /* the ids are read */
    size_t first; /* rows to read at once */
    struct column_sort sort;
    bool unsorted; /* there are too many rows for that */
};

static struct list_view *list_of(const struct view *v)
{
    return (struct list_view *)v;
}

/* Search results have their own order. A write requires searching again. */
static bool is_found(const struct list_view *l)
{
    return l->words || l->neighbours;
}

static bool filtered(const struct list_view *l)
{
    return *l->rows.view.filter;
}

static bool is_complete(const struct list_view *l)
{
    return l->rows.rows && !l->rows.rows->partial;
}

/* The column that sorts the list in place of the order; COLUMN_NONE for none. */
static int sorting_column(const struct list_view *l)
{
    const struct prefs *prefs = l->rows.view.ui->prefs;
    const char *name = prefs->by_column ? column_name(abs(prefs->by_column) - 1, l->root) : "";
    return is_found(l) || !*name ? COLUMN_NONE : columns_find(name, l->root);
}

static struct line_subject row_subject(const void *row)
{
    int64_t node = *(const int64_t *)row;
    return (struct line_subject){.node = node, .id = node};
}

/* ---- reading ---- */

static struct neighbour_list copy_neighbours(struct arena *arena, const struct neighbour_list *b)
{
    struct neighbour_list copy = *b;
    copy.row = arena_memdup(arena, b->row, b->count * sizeof(*b->row));
    return copy;
}

/* Which ended memories lists show, in the order of the key. */
static const struct {
    unsigned statuses; /* 0: STATUSES_LISTED */
    const char *notice, *message;
} extents[] = {
    {0, "", "retracted memories are listed; forgotten and deleted ones are hidden"},
    {STATUSES_ALL, "with removed", "every memory is listed: forgotten and deleted ones, too"},
    {STATUSES_LIVING, "without retracted", "retracted memories are hidden, too"},
};

#define EXTENTS (sizeof(extents) / sizeof(extents[0]))

const char *list_view_step_extent(struct prefs *prefs, int step)
{
    int level = (prefs->extent + 1) % (int)EXTENTS + step; /* the last has the fewest */
    if (level < 0 || level >= (int)EXTENTS)
        return NULL;
    prefs->extent = (unsigned char)((level + (int)EXTENTS - 1) % (int)EXTENTS);
    return extents[prefs->extent].message;
}

/* Queries were parsed before they came here, so they have no mistake. */
static void parse(const struct view *v, const char *query, struct arena *arena,
                  struct query_terms *out)
{
    struct error none;
    if (query_parse(query, QUERY_MEMORIES, times_clock(v->ui->now), arena, out, &none))
        out->count = 0;
}

void list_view_ask(struct view *v, struct arena *arena, struct list_query *out,
                   struct query_terms *terms)
{
    const struct list_view *l = list_of(v);
    const struct prefs *prefs = v->ui->prefs;
    *out = (struct list_query){.kinds = l->kinds,
                               .statuses = extents[prefs->extent].statuses,
                               .agent = arena_strdup(arena, prefs->agent),
                               .told = arena_strdup(arena, l->told),
                               .order = prefs->order,
                               .reverse = prefs->reverse};
    parse(v, v->filter, arena, terms);
}

static void ask(struct rows_view *v, struct rows *rows)
{
    struct list_view *l = list_of(&v->view);
    struct list_context *q = rows->context;
    const struct prefs *prefs = v->view.ui->prefs;
    list_view_ask(&v->view, &rows->arena, &q->query, &q->terms);
    if (l->words) {
        q->words = arena_strdup(&rows->arena, l->found ? l->found : "");
        parse(&v->view, l->words, &rows->arena, &q->search);
    }
    if (l->neighbours)
        q->neighbours = copy_neighbours(&rows->arena, l->neighbours);
    q->extent = prefs->extent;
    q->changes = l->by_changes;
    if (q->changes && !is_found(l) && !filtered(l)) {
        q->cursor = view_node(&v->view);
        q->above = v->view.cursor > 0 ? view_node_at(&v->view, v->view.cursor - 1) : 0;
    }
    q->since = new_filter_of(&v->view);
    /* Keystones of a large store take a second, which only the worker has. */
    q->sort = (struct column_sort){.column = sorting_column(l)};
    q->sort.up = column_is_text(q->sort.column) != (prefs->by_column < 0);
    bool sorts = q->sort.column != COLUMN_NONE;
    if (sorts) { /* the order among equal ones */
        q->query.order = ORDER_RECORDED;
        q->query.reverse = false;
    }
    bool early = !v->view.only_new && prefs->order != ORDER_KEYSTONES && !sorts;
    q->first = early ? (size_t)v->view.ui->screen.rows * 2 : 0;
    /* Partial results would make the list flicker while others write. */
    rows->parts = !l->by_changes && !sorts;
    l->by_changes = false;
}

static int take_ids(void *arg, const int64_t *nodes, size_t count)
{
    struct rows *rows = arg;
    struct list_context *q = rows->context;
    for (size_t i = 0; i < count; i++)
        if (new_filter_wants(&q->since, nodes[i]))
            *ARRAY_ADD(q->ids, q->count, q->alloc) = nodes[i];
    return atomic_load(rows->cancelled);
}

static int take_match(void *arg, int64_t node, bool exact)
{
    (void)exact;
    return take_ids(arg, &node, 1);
}

static int count_ids(void *arg, const int64_t *nodes, size_t count)
{
    struct rows *rows = arg;
    struct list_context *q = rows->context;
    for (size_t i = 0; i < count; i++)
        q->total += new_filter_wants(&q->since, nodes[i]);
    return atomic_load(rows->cancelled);
}

static int read_neighbours(struct reader *r, const struct neighbour_list *b, struct arena *arena,
                           int (*each)(void *arg, const int64_t *nodes, size_t count), void *arg,
                           struct error *e)
{
    struct subgraph_source source = neighbours_of(r);
    struct subgraph_links links;
    if (source.links(source.of, arena, b->of, b->side, SIZE_MAX, &links, e))
        return -1;
    for (size_t i = 0; i < links.count; i++)
        if (links.link[i].memory.kind == b->kind && each(arg, &links.link[i].row, 1))
            return 0;
    return 0;
}

/* All neighbours, last written first; `each` stops with a non-zero result. Returns -1 and sets *e on failure. */
static int neighbours_read(struct reader *r, const struct neighbour_list *b,
                           int (*each)(void *arg, const int64_t *nodes, size_t count), void *arg,
                           struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    if (b->of == 0) {
        each(arg, b->row, b->count);
        return 0;
    }
    if (reader_begin(r, e))
        return -1;
    int result = read_neighbours(r, b, &arena, each, arg, e);
    reader_end(r);
    return result;
}

static int find_ids(struct rows *rows, struct reader *r, struct error *e)
{
    struct list_context *q = rows->context;
    struct search_query search = {.words = q->words,
                                  .terms = q->search.count ? &q->search : NULL,
                                  .kinds = q->query.kinds,
                                  .agent = rows->agent,
                                  .statuses = q->query.statuses};
    struct list_query all = q->query;
    bool listed = !q->words && !*q->neighbours.title;
    if (new_filter_read(&q->since, r, rows->cancelled, e))
        return -1;
    q->matching = q->terms.count > 0;
    if (q->matching && matcher_make(&q->matcher, r, &q->terms, listed ? &q->query : NULL, e))
        return -1;
    int result = q->words  ? search_run(r, &search, take_match, rows, e)
                 : !listed ? neighbours_read(r, &q->neighbours, take_ids, rows, e)
                           : list_ids(r, &q->query, take_ids, rows, e);
    q->total = q->count;
    if (result || !listed || !q->matching)
        return result;
    q->total = 0;
    all.statuses = q->query.statuses;
    return list_ids(r, &all, count_ids, rows, e);
}

static int read_ids(struct rows *rows, struct reader *r, struct error *e)
{
    struct list_context *q = rows->context;
    q->listed = true;
    return reader_begin(r, e) ? -1 : reader_done(r, find_ids(rows, r, e));
}

/* A memory under the cursor that others removed stays listed, unless it was purged. */
static void keep_cursor(struct list_context *q, struct reader *r)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct memory_row row;
    struct error e;
    size_t place = 0;
    for (size_t i = 0; i < q->count && q->cursor; i++) {
        place = q->ids[i] == q->above ? i + 1 : place;
        if (q->ids[i] == q->cursor)
            q->cursor = 0;
    }
    if (!q->cursor || memory_row_read(r, &arena, q->cursor, &row, &e) || !STATUS_KEPT(row.status))
        q->cursor = 0;
    if (!q->cursor)
        return;
    q->total++;
    ARRAY_ROOM(q->ids, q->count, q->alloc, 1);
    memmove(q->ids + place + 1, q->ids + place, (q->count++ - place) * sizeof(*q->ids));
    q->ids[place] = q->cursor;
}

/* Applies the filter for one slice of time. */
static int read_filtered(struct rows *rows, struct reader *r, struct error *e)
{
    struct list_context *q = rows->context;
    int64_t until = monotonic_ms() + SLICE_MS;
    int matches = 0;
    if (reader_begin(r, e))
        return -1;
    for (bool goes_on = true; goes_on && q->at < q->count && matches >= 0; q->at++) {
        matches = matcher_passes(&q->matcher, r, q->ids[q->at], e);
        if (matches > 0)
            *(int64_t *)rows_add(rows) = q->ids[q->at];
        goes_on = q->at % 64 != 63 || (!atomic_load(rows->cancelled) && monotonic_ms() <= until);
    }
    reader_end(r);
    return matches < 0 ? -1 : q->at < q->count;
}

/* By the column of the list, if there is one. */
static int sort_rows(struct rows *rows, struct reader *r, struct error *e)
{
    struct list_context *q = rows->context;
    q->unsorted = q->sort.column != COLUMN_NONE && rows->count > COLUMN_SORT_MAX;
    return q->sort.column == COLUMN_NONE || q->unsorted
               ? 0
               : column_sort_step(&q->sort, r, rows->row, rows->count, e);
}

static int read_list(struct rows *rows, struct reader *r, struct error *e)
{
    struct list_context *q = rows->context;
    if (!q->listed && read_ids(rows, r, e))
        return -1;
    if (q->matching && !matcher_is_done(&q->matcher)) {
        int more = q->at < q->count ? read_filtered(rows, r, e) : 0;
        return more ? more : sort_rows(rows, r, e);
    }
    if (q->ids) {
        keep_cursor(q, r);
        rows->row = q->ids;
        rows->count = q->count;
        rows->alloc = q->alloc;
        q->ids = NULL;
    }
    return sort_rows(rows, r, e);
}

static int read_first(struct rows *rows, struct reader *r, struct error *e)
{
    struct list_context *q = rows->context;
    struct list *list = q->first ? list_open(r, &q->query, NULL, e) : NULL;
    int64_t node;
    if (!list)
        return q->first ? -1 : 0;
    while (rows->count < q->first && list_next(list, &node, e) == 1)
        *(int64_t *)rows_add(rows) = node;
    list_close(list);
    return 0;
}

static void release_context(struct rows *rows)
{
    struct list_context *q = rows->context;
    new_filter_release(&q->since);
    column_sort_release(&q->sort);
    if (q->matching)
        matcher_release(&q->matcher);
    free(q->ids);
}

static void taken(struct rows_view *v)
{
    struct list_view *l = list_of(&v->view);
    const struct list_context *q = v->rows->context;
    const int64_t *ids = v->rows->row;
    l->total = q->total;
    if (q->unsorted && !l->unsorted)
        ui_message(v->view.ui,
                   "%zu memories are too many to sort by %s, which no index has: \\ filters them "
                   "to %d or fewer",
                   v->rows->count, column_name(q->sort.column, l->root), COLUMN_SORT_MAX);
    l->unsorted = q->unsorted;
    l->kept = q->cursor;
    l->known = q->changes ? l->newest : INT64_MAX;
    for (size_t i = 0; i < v->rows->count; i++)
        l->newest = ids[i] > l->newest ? ids[i] : l->newest;
}

/* Counts rows that others added outside the screen. If the view follows changes, moves the cursor to the last write. */
static void laid(struct rows_view *v)
{
    struct list_view *l = list_of(&v->view);
    struct view *view = &v->view;
    const int64_t *ids = v->rows->row;
    const struct list_context *q = v->rows->context;
    size_t count = v->rows->count, place = LINE_NONE;
    size_t end = view->top + (size_t)(view->height > 0 ? view->height : 0);
    for (size_t i = 0; i < count; i++) {
        view->above += ids[i] > l->known && i < view->top;
        view->under += ids[i] > l->known && view->height > 0 && i >= end;
        place = ids[i] == l->written ? i : place;
    }
    bool newest_first =
        q->query.order == ORDER_RECORDED && !q->query.reverse && q->sort.column == COLUMN_NONE;
    l->written = 0;
    if (view->app->remote.follows == view && (place != LINE_NONE || newest_first))
        view_select(view, place != LINE_NONE ? place : 0);
}

int list_view_root(const struct view *v)
{
    return list_of(v)->root;
}

/* ---- changes by others ---- */

static void notify(struct view *v, const struct event *events, size_t count, bool whole)
{
    struct list_view *l = list_of(v);
    l->by_changes = v->throttle.wanted = true;
    if (count > 0 && !whole && events[count - 1].subject > 0)
        l->written = events[count - 1].subject;
}

/* The state of a chain depends on whether its session still runs. */
static void store_changed(struct view *v)
{
    if (list_of(v)->root != KIND_CHAIN)
        return;
    details_changed(&v->app->details);
    v->app->preview.stale = true;
}

/* Without a context the only read was cancelled or failed: reads now. */
static void shown(struct view *v)
{
    const struct list_context *q = rows_view_asked(&list_of(v)->rows);
    const struct prefs *prefs = v->ui->prefs;
    if (!q) {
        view_load(v);
        return;
    }
    int column = sorting_column(list_of(v));
    bool order = column == q->sort.column &&
                 (column == COLUMN_NONE
                      ? q->query.order == prefs->order && q->query.reverse == prefs->reverse
                      : q->sort.up == (column_is_text(column) != (prefs->by_column < 0)));
    if (!same_text(q->query.agent, prefs->agent) || q->extent != prefs->extent ||
        (!order && !is_found(list_of(v))))
        view_load(v);
}

/* ---- drawing ---- */

static void title(struct view *v, struct strbuf *out)
{
    struct list_view *l = list_of(v);
    AUTO_STRBUF told = STRBUF_INIT;
    if (l->words)
        strbuf_addf(out, "search \"%s\"", l->words);
    else if (l->neighbours)
        strbuf_addstr(out, l->neighbours->title);
    else if (!l->told)
        strbuf_addstr(out,
                      l->root == ROOT_ALL ? "everything" : kind_spec((enum kind)l->root)->plural);
    if (l->told) {
        ui_mask_name(v->ui, l->told, &told);
        strbuf_addf(out, "told by %s", told.buf);
    }
}

static void counts(struct view *v, struct strbuf *out)
{
    struct list_view *l = list_of(v);
    const char *more = glyph_text(&v->ui->screen, GLYPH_ELLIPSIS);
    if (filtered(l))
        strbuf_addf(out, "%zu%s of ", v->count, l->rows.next ? more : "");
    if (is_complete(l))
        strbuf_addf(out, "%zu", l->total);
    else
        strbuf_addstr(out, more);
}

static void notice(struct view *v, struct strbuf *out)
{
    strbuf_addstr(out, extents[v->ui->prefs->extent].notice);
}

static const char *sorted(struct view *v, bool *up)
{
    const struct list_view *l = list_of(v);
    const struct prefs *prefs = v->ui->prefs;
    int column = sorting_column(l);
    *up = (prefs->order == ORDER_TEXT) != prefs->reverse;
    if (column != COLUMN_NONE) {
        *up = l->unsorted ? false : column_is_text(column) != (prefs->by_column < 0);
        return l->unsorted ? NULL : column_name(column, l->root);
    }
    column = is_found(l) ? COLUMN_NONE : column_of_order(prefs->order);
    return column == COLUMN_NONE ? NULL : column_name(column, l->root);
}

static const char *sort(struct view *v, const char *name)
{
    const struct list_view *l = list_of(v);
    struct prefs *prefs = v->ui->prefs;
    int column = columns_find(name, l->root);
    enum list_order order = column_order(prefs, column);
    bool up;
    if (list_view_own_order(v))
        return list_view_own_order(v);
    if (column == COLUMN_NONE)
        return "its values have no order";
    const char *before = heading_sorted(v, &up);
    bool same = before && !strcmp(before, name);
    if (order == ORDER_COUNT) {
        prefs->by_column = same && prefs->by_column > 0 ? -1 - column : 1 + column;
    } else {
        prefs->reverse = same && !prefs->reverse;
        prefs->order = order;
        prefs->by_column = 0;
    }
    details_changed(&v->app->details); /* the order of keystones has a column of its own */
    view_load(v);
    return NULL;
}

static const char *columns(struct view *v)
{
    int root = list_of(v)->root;
    return root == ROOT_ALL ? "everything" : kind_spec((enum kind)root)->plural;
}

static void order(struct view *v, struct strbuf *out)
{
    const struct list_view *l = list_of(v);
    int column = sorting_column(l);
    bool up = (v->ui->prefs->order == ORDER_TEXT) != v->ui->prefs->reverse;
    if (is_found(l))
        return;
    if (column != COLUMN_NONE)
        heading_sorted(v, &up);
    strbuf_addf(out, "%s %s",
                l->unsorted             ? order_name(ORDER_RECORDED)
                : column == COLUMN_NONE ? order_name(v->ui->prefs->order)
                                        : column_name(column, l->root),
                v->ui->screen.speaks ? (up ? "ascending" : "descending")
                                     : glyph_text(&v->ui->screen, up ? GLYPH_UP : GLYPH_DOWN));
}

static void layout(struct view *v, int height, int width)
{
    struct list_view *l = list_of(v);
    (void)height;
    l->columns = columns_fit(v, width, l->root);
    if (l->kept && view_node(v) != l->kept) { /* the cursor moved away */
        l->kept = 0;
        l->by_changes = v->throttle.wanted = true;
    }
    if (v->top == 0)
        v->above = v->under = 0;
}

static void draw(struct view *v, const struct pane *row, const void *one)
{
    struct list_view *l = list_of(v);
    const char *pattern = v->search.pattern[0]           ? v->search.pattern
                          : l->first && !*v->filter_word ? l->first
                                                         : v->filter_word;
    if (one)
        columns_draw_row(v, &l->columns, row, *(const int64_t *)one, pattern, l->found);
    else
        columns_draw_header(v, &l->columns, row, l->root);
}

static const char *empty(struct view *v)
{
    struct list_view *l = list_of(v);
    if (!rows_view_known(v))
        return rows_view_empty(v);
    if (!is_complete(l))
        return "reading…";
    if (filtered(l))
        return l->rows.next ? "looking…" : "nothing matches the filter; Esc clears it";
    if (l->words)
        return "no memory has all these words; try fewer or shorter words";
    if (v->only_new)
        return v->ui->nothing_new;
    return v->ui->prefs->agent ? "nothing by this agent; A chooses another" : "nothing here yet";
}

/* The row of a chain counts its steps, that of a document its users, so events about those change it. */
static bool touched(struct view *v, const struct event *event)
{
    const struct list_view *l = list_of(v);
    struct error e;
    bool counts = l->root == KIND_CHAIN || (l->root == KIND_DOCUMENT && !event->before);
    return counts && event->subject > 0 &&
           link_exists(v->ui->data->reader, event->subject, view_node(v), &e) > 0;
}

static void release(struct view *v)
{
    struct list_view *l = list_of(v);
    if (v->app->remote.follows == v)
        v->app->remote.follows = NULL;
    rows_view_release(v);
    arena_release(&l->arena);
}

static const struct rows_ops list_rows = {.job = "reading the list",
                                          .size = sizeof(int64_t),
                                          .context = sizeof(struct list_context),
                                          .ask = ask,
                                          .read = read_list,
                                          .release = release_context,
                                          .subject = row_subject,
                                          .draw = draw,
                                          .taken = taken,
                                          .laid = laid};

static const struct view_ops list_ops = {
    .name = "list",
    ROWS_VIEW_OPS,
    .query = QUERY_MEMORIES,
    .has = HAS_MEMORIES | HAS_TEXT | HAS_FILTER | HAS_NEW | HAS_ORDER | HAS_MEMORY_LIST |
           HAS_AGENT | HAS_FOLLOWING,
    .legend = SIGNS_OF_LABELS | SIGNS_OF_FLAGS,
    .title = title,
    .notice = notice,
    .counts = counts,
    .order = order,
    .columns = columns,
    .sort = sort,
    .sorted = sorted,
    .layout = layout,
    .touched = touched,
    .partial = rows_view_partial,
    .empty = empty,
    .shown = shown,
    .notify = notify,
    .store_changed = store_changed,
    .release = release,
};

const char *list_view_own_order(const struct view *v)
{
    const struct list_view *l = (const struct list_view *)v;
    return l->words        ? "a search shows whole words first, then the newest"
           : l->neighbours ? "a group shows recorded links first, then the newest"
                           : NULL;
}

static struct list_view *make(struct ui *ui, int root)
{
    struct list_view *l = rows_view_new(sizeof(*l), &list_ops, &list_rows, ui);
    l->root = root;
    return l;
}

struct view *list_view_new(struct ui *ui, int root)
{
    struct list_view *l = make(ui, root);
    l->kinds = root == ROOT_ALL ? 0 : KIND_BIT(root);
    rows_view_first(&l->rows, read_first);
    view_load(&l->rows.view);
    return &l->rows.view;
}

struct view *list_view_search(struct ui *ui, const char *words, unsigned kinds)
{
    struct list_view *l = make(ui, ROOT_ALL);
    l->kinds = kinds;
    struct query_terms terms;
    AUTO_STRBUF found = STRBUF_INIT;
    l->words = arena_strdup(&l->arena, words);
    parse(&l->rows.view, words, &l->arena, &terms);
    query_words(&terms, &found);
    if (found.len) {
        l->found = arena_strdup(&l->arena, found.buf);
        l->first = query_term(&terms, QUERY_TEXT)->text;
    }
    view_load(&l->rows.view);
    return &l->rows.view;
}

struct view *list_view_told(struct ui *ui, const char *entity)
{
    struct list_view *l = make(ui, ROOT_ALL);
    l->told = arena_strdup(&l->arena, entity);
    view_load(&l->rows.view);
    return &l->rows.view;
}

struct view *list_view_neighbours(struct ui *ui, const struct neighbour_list *b)
{
    struct list_view *l = make(ui, ROOT_ALL);
    l->neighbours = arena_alloc(&l->arena, sizeof(*b));
    *l->neighbours = copy_neighbours(&l->arena, b);
    view_load(&l->rows.view);
    return &l->rows.view;
}
