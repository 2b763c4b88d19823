/* The view of a document with its uses. */
#include "tui/view/chain/chain_views.h"

#include "model/base/strbuf.h"
#include "store/record/get.h"
#include "tui/explorer/app.h"
#include "tui/render/document.h"
#include "tui/widget/page_view.h"
#include "tui/view/chain/chain_view.h"

#define MORE 4 /* factor for each request for more rows */

/* Limits of rows for each section, and of links to count. */
struct wanted_rows {
    size_t limit[DOCUMENT_SECTIONS], counted;
};

struct document_view {
    struct page_view page; /* struct document_facts */
    struct wanted_rows wanted;
    struct memory_name name; /* of the breadcrumb */
};

static struct document_view *document_of(struct view *v)
{
    return (struct document_view *)v;
}

static void ask(const struct panel *p, void *more)
{
    *(struct wanted_rows *)more = ((const struct document_view *)p->view)->wanted;
}

static void *read_facts(const struct panel_key *key, struct reader *r, struct error *e)
{
    const struct wanted_rows *w = key->more;
    return document_facts_read(r, key->id, w->limit, w->counted, e);
}

static void lay(struct panel *p, const struct page_options *options)
{
    document_page(&p->page, p->facts, options);
}

static const struct panel_ops document_panel = {.job = "reading the document",
                                                .more = sizeof(struct wanted_rows),
                                                .ask = ask,
                                                .read = read_facts,
                                                .free = document_facts_free,
                                                .lay = lay};

static void title(struct view *v, struct strbuf *out)
{
    strbuf_addstr(out, details_name(v->app, &document_of(v)->name));
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct document_facts *f = document_of(v)->page.shown.facts;
    if (!f)
        return;
    int64_t uses = f->reach.steps + f->reach.citations + f->reach.others;
    document_add_count(f, "", uses, "use", out);
    strbuf_addf(out, " %s ", glyph_text(&v->ui->screen, GLYPH_DOT));
    document_add_count(f, "", (int64_t)f->reach.beliefs, "belief", out);
}

/* A line for more rows is about nothing, not even about the document. */
static struct line_subject subject_at(struct view *v, size_t line)
{
    const struct page_line *on = line == LINE_NONE ? page_view_line(v) : NULL;
    return on && !on->node ? (struct line_subject){0} : page_view_subject(v, line);
}

/* ---- requests ---- */

static void read_more(struct document_view *d, int section)
{
    if (d->wanted.limit[section] > SIZE_MAX / MORE / sizeof(struct document_use))
        return;
    d->wanted.limit[section] *= MORE;
    d->wanted.counted *= MORE;
    view_load(&d->page.view);
}

/* Opens a step in its chain, if it has one. */
static void open_step(struct app *x, int64_t step)
{
    struct error e;
    struct view *chain =
        chain_of_step(x->data.reader, step, &e) > 0 ? chain_view_new(&x->ui, step) : NULL;
    if (chain)
        app_push(x, chain);
    else
        app_open_memory(x, step);
}

static void open_line(struct view *v)
{
    const struct page_line *line = page_view_line(v);
    const struct memory_row *row = line ? details_row(v->app, line->node) : NULL;
    if (row && row->ref.kind == KIND_STEP && line->value == DOCUMENT_STEPS + 1)
        open_step(v->app, line->node);
    else if (line->node > 0)
        app_open_memory(v->app, line->node);
    else if (line->value > 0)
        read_more(document_of(v), (int)line->value - 1);
}

static bool request(struct view *v, enum view_request request)
{
    if (request != REQUEST_OPEN)
        return page_view_request(v, request);
    open_line(v);
    return true;
}

static const struct view_ops document_ops = {
    .name = "document",
    PAGE_VIEW_OPS,
    .has = HAS_MEMORIES,
    .bar = "show,next-section,used-by,based-on,what-if,facts=facts",
    .at_large = true,
    .title = title,
    .counts = counts,
    .subject = subject_at,
    .request = request,
};

struct view *document_view_new(struct app *x, int64_t node)
{
    struct document_view *d =
        page_view_new(sizeof(*d), &document_ops, &x->ui, &document_panel, node);
    size_t rows = x->ui.screen.rows > 8 ? (size_t)x->ui.screen.rows : 8;
    d->wanted.counted = DOCUMENT_COUNTED;
    for (size_t i = 0; i < DOCUMENT_SECTIONS; i++)
        d->wanted.limit[i] = rows / 2;
    d->wanted.limit[DOCUMENT_STEPS] = rows;
    d->wanted.limit[DOCUMENT_RETRIEVALS] = rows / 4;
    details_name_open(x, &d->name, node);
    view_load(&d->page.view);
    return &d->page.view;
}
