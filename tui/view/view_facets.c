/* The values that the memories of a list have in a field, and how many have each. Enter filters the list by one. */
#include "tui/view/views.h"

#include <stdatomic.h>
#include "model/base/strbuf.h"
#include "store/query/matcher.h"
#include "tui/explorer/app.h"
#include "tui/view/memory/list_line.h"
#include "tui/widget/rows_view.h"

struct facets_view {
    struct rows_view rows; /* struct facet */
    struct view *list;     /* the view below */
    const struct query_spec *spec;
    size_t most, total; /* the greatest count, and the sum */
};

struct facets_context {
    struct list_query list;
    struct query_terms terms;
    enum query_field field;
    atomic_size_t looked; /* memories that were counted so far */
};

static struct facets_view *facets_of(struct view *v)
{
    return (struct facets_view *)v;
}

/* ---- reading ---- */

static void ask(struct rows_view *v, struct rows *rows)
{
    struct facets_context *q = rows->context;
    q->field = facets_of(&v->view)->spec->field;
    list_view_ask(facets_of(&v->view)->list, &rows->arena, &q->list, &q->terms);
    q->list.terms = q->terms.count ? &q->terms : NULL;
}

static int read_facets(struct rows *rows, struct reader *r, struct error *e)
{
    struct facets_context *q = rows->context;
    struct facet *all;
    size_t count;
    if (facet_count(r, &q->list, q->field, &rows->arena, &q->looked, &all, &count, e))
        return -1;
    for (size_t i = 0; i < count; i++)
        *(struct facet *)rows_add(rows) = all[i];
    return 0;
}

static void taken(struct rows_view *v)
{
    struct facets_view *f = facets_of(&v->view);
    const struct facet *all = v->rows->row;
    f->most = f->total = 0;
    for (size_t i = 0; i < v->rows->count; i++) {
        f->most = all[i].count > f->most ? all[i].count : f->most;
        f->total += all[i].count;
    }
}

static struct line_subject row_subject(const void *row)
{
    return (struct line_subject){.id = view_name_id(((const struct facet *)row)->value)};
}

/* ---- drawing ---- */

#define BAR_WIDTH   40 /* half of that in a narrow list, where the values need the room */
#define PROGRESS_MS 250

/* Draws "memories share bar value"; with `one` NULL the column headers. */
static void draw(struct view *v, const struct pane *row, const void *one)
{
    static const struct facet none = {"", 0};
    const struct facet *f = one ? one : &none;
    const struct facets_view *view = facets_of(v);
    struct list_line l = line_begin(v, row, !one, 3, NULL);
    AUTO_STRBUF name = STRBUF_INIT, share = STRBUF_INIT, bar = STRBUF_INIT;
    if (one)
        ui_mask_name(v->ui, f->value, &name);
    if (view->total)
        strbuf_addf(&share, "%.1f%%", 100.0 * (double)f->count / (double)view->total);
    bool ranges = facet_is_ranges(view->spec->field);
    const int width = row->width < 78 ? 0 : ranges || row->width >= 110 ? BAR_WIDTH : BAR_WIDTH / 2;
    double part = view->most ? (double)f->count / (double)view->most : 0;
    if (f->count > 0 && part * width < 0.5)
        part = width ? 0.5 / width : 0; /* few memories are still some */
    score_bar(&bar, v->ui->screen.utf8, part, SCORE_MEASURED, width);
    line_number(&l, 9, "memories", STYLE_NUMBER, f->count);
    line_right(&l, 6, "share", STYLE_DIM, share.buf);
    line_right(&l, width, "bar", STYLE_SUPPORTED, bar.buf);
    line_text(&l, "value", STYLE_TEXT, name.buf);
}

/* ---- the view ---- */

static void title(struct view *v, struct strbuf *out)
{
    strbuf_addf(out, "facets of %s", facets_of(v)->spec->name);
}

static void counts(struct view *v, struct strbuf *out)
{
    struct facets_context *running = rows_view_asked(&facets_of(v)->rows);
    size_t of = facets_of(v)->list->count;
    if (rows_view_known(v))
        strbuf_addf(out, "%zu value%s", v->count, v->count == 1 ? "" : "s");
    else if (running && of > 0) {
        size_t looked = atomic_load(&running->looked);
        strbuf_addf(out, "%zu%% counted", looked < of ? looked * 100 / of : 100);
        if (!v->ui->script)
            ui_wake(v->ui, PROGRESS_MS);
    }
}

static void order(struct view *v, struct strbuf *out)
{
    bool up;
    if (!heading_sorted(v, &up))
        strbuf_addstr(out,
                      facet_is_ranges(facets_of(v)->spec->field) ? "highest first" : "most first");
}

static void add_value(struct view *v, const void *row, struct strbuf *out)
{
    ui_mask_name(v->ui, ((const struct facet *)row)->value, out);
}

static void text(struct view *v, size_t line, struct strbuf *out)
{
    add_value(v, rows_view_at(v, line), out);
}

static bool request(struct view *v, enum view_request request)
{
    const struct facet *f = rows_view_at(v, v->cursor);
    struct app *x = v->app;
    AUTO_STRBUF query = STRBUF_INIT;
    if (request != REQUEST_OPEN || !f)
        return false;
    query_put(&query, facets_of(v)->list->filter, facets_of(v)->spec->name, f->value);
    app_pop(x);
    view_filter(x->nav.top, query.buf);
    return true;
}

static const struct rows_column facets_columns[] = {
    ROWS_COLUMN("memories", BY_SIZE, facet, count),
    ROWS_COLUMN("share", BY_SIZE, facet, count),
    ROWS_COLUMN("bar", BY_SIZE, facet, count),
    ROWS_TEXT("value", add_value),
    {.name = NULL},
};

static const struct rows_ops facets_rows = {.job = "counting",
                                            .size = sizeof(struct facet),
                                            .context = sizeof(struct facets_context),
                                            .ask = ask,
                                            .read = read_facets,
                                            .subject = row_subject,
                                            .taken = taken,
                                            .draw = draw,
                                            .columns = facets_columns,
                                            .while_reading = "counting…",
                                            .nothing = "no memory of the list has a value there"};

static const struct view_ops facets_ops = {
    .name = "facets",
    ROWS_VIEW_OPS,
    .preview = false,
    .title = title,
    .counts = counts,
    .order = order,
    .has = HAS_ORDER | HAS_EVERYONE | HAS_NO_PLACE,
    .bar = "show=filter,search",
    .text = text,
    .request = request,
};

struct view *facets_view_new(struct ui *ui, struct view *list, const struct query_spec *spec)
{
    struct facets_view *f = rows_view_new(sizeof(*f), &facets_ops, &facets_rows, ui);
    f->spec = spec;
    f->list = list;
    view_load(&f->rows.view);
    return &f->rows.view;
}
