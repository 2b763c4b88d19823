/* The values that the memories of a list have in a field, and how many have each. Enter filters the list by one. */
#include "tui/view/views.h"

#include "model/base/strbuf.h"
#include "store/query/facet.h"
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
    const struct facets_context *q = rows->context;
    struct facet *all;
    size_t count;
    if (facet_count(r, &q->list, q->field, &rows->arena, &all, &count, e))
        return -1;
    for (size_t i = 0; i < count; i++)
        *(struct facet *)rows_add(rows) = all[i];
    return 0;
}

static void taken(struct rows_view *v)
{
    struct facets_view *f = facets_of(&v->view);
    const struct facet *all = v->rows->row;
    f->most = v->rows->count ? all[0].count : 0;
    f->total = 0;
    for (size_t i = 0; i < v->rows->count; i++)
        f->total += all[i].count;
}

static struct line_subject row_subject(const void *row)
{
    return (struct line_subject){.id = view_name_id(((const struct facet *)row)->value)};
}

/* ---- drawing ---- */

#define BAR_WIDTH 24

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
    size_t length = view->most ? (f->count * BAR_WIDTH + view->most - 1) / view->most : 0;
    for (size_t i = 0; i < BAR_WIDTH; i++)
        strbuf_addch(&bar, i < length ? '=' : ' ');
    line_number(&l, 9, "memories", STYLE_NUMBER, f->count);
    line_right(&l, 6, "share", STYLE_DIM, share.buf);
    line_right(&l, row->width >= 70 ? BAR_WIDTH : 0, "", STYLE_SUPPORTED, bar.buf);
    line_text(&l, view->spec->name, STYLE_TEXT, name.buf);
}

/* ---- the view ---- */

static void title(struct view *v, struct strbuf *out)
{
    strbuf_addf(out, "facets of %s", facets_of(v)->spec->name);
}

static void counts(struct view *v, struct strbuf *out)
{
    if (rows_view_known(v))
        strbuf_addf(out, "%zu value%s", v->count, v->count == 1 ? "" : "s");
}

static void order(struct view *v, struct strbuf *out)
{
    (void)v;
    strbuf_addstr(out, "most first");
}

static void text(struct view *v, size_t line, struct strbuf *out)
{
    ui_mask_name(v->ui, ((const struct facet *)rows_view_at(v, line))->value, out);
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

static const struct rows_ops facets_rows = {.job = "counting",
                                            .size = sizeof(struct facet),
                                            .context = sizeof(struct facets_context),
                                            .ask = ask,
                                            .read = read_facets,
                                            .subject = row_subject,
                                            .taken = taken,
                                            .draw = draw,
                                            .while_reading = "counting…",
                                            .nothing = "no memory of the list has a value there"};

static const struct view_ops facets_ops = {
    .name = "facets",
    ROWS_VIEW_OPS,
    .preview = false,
    .title = title,
    .counts = counts,
    .order = order,
    .has = HAS_EVERYONE | HAS_NO_PLACE,
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
