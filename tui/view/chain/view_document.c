/* The view of a document with its uses. */
#include "tui/view/chain/chain_views.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/record/get.h"
#include "tui/explorer/app.h"
#include "tui/render/document.h"
#include "tui/widget/sheet_view.h"
#include "tui/view/chain/chain_view.h"

enum slot {
    SLOT_FACTS = 0,
    SLOT_REACH
};
#define MORE 4 /* times as many rows, where more are asked for */

struct document_view {
    struct sheet_view page; /* struct document_facts */
    int64_t node;
    struct document_reach *reach;
    size_t limit[DOCUMENT_SECTIONS];
    struct memory_name name; /* of the breadcrumb */
};

struct document_job {
    struct job job;
    struct document_view *view;
    int64_t node;
    size_t limit[DOCUMENT_SECTIONS];
    struct document_facts *facts;
    struct document_reach *reach;
};

static struct document_view *document_of(struct view *v)
{
    return (struct document_view *)v;
}

/* ---- reading ---- */

static enum job_result run_facts(struct job *job, struct reader *r, struct error *e)
{
    struct document_job *j = (struct document_job *)job;
    j->facts = document_facts_read(r, j->node, j->limit, e);
    return j->facts ? JOB_DONE : JOB_FAILED;
}

static enum job_result run_reach(struct job *job, struct reader *r, struct error *e)
{
    struct document_job *j = (struct document_job *)job;
    if (!j->reach)
        j->reach = document_reach_new();
    if (document_reach_read(r, j->reach, j->node, j->limit, e))
        return JOB_FAILED;
    return j->reach->stage == STAGE_DONE ? JOB_DONE : JOB_AGAIN;
}

static void done(struct job *job, const struct error *e)
{
    struct document_job *j = (struct document_job *)job;
    struct document_view *d = j->view;
    if (e->code != ERROR_NONE) {
        app_fail(d->page.view.app, e);
        return;
    }
    if (j->facts)
        sheet_view_take(&d->page, j->facts);
    j->facts = NULL;
    if (j->reach) {
        document_reach_free(d->reach);
        d->reach = j->reach;
        j->reach = NULL;
    }
    d->page.laid_out = 0;
    calm_rest(&d->page.view.calm, job->begun);
}

static void release_job(struct job *job)
{
    document_facts_free(((struct document_job *)job)->facts);
    document_reach_free(((struct document_job *)job)->reach);
    free(job);
}

static const struct job_ops facts_ops = {
    .name = "reading the document", .run = run_facts, .done = done, .release = release_job};
static const struct job_ops reach_ops = {
    .name = "counting its uses", .run = run_reach, .done = done, .release = release_job};

static void submit(struct document_view *d, const struct job_ops *ops, enum slot slot)
{
    struct document_job *j = xcalloc(1, sizeof(*j));
    j->view = d;
    j->node = d->node;
    memcpy(j->limit, d->limit, sizeof(j->limit));
    worker_submit(&d->page.view.app->data.worker, &j->job, ops, d, (int)slot);
}

static void load(struct view *v)
{
    struct document_view *d = document_of(v);
    submit(d, &facts_ops, SLOT_FACTS);
    submit(d, &reach_ops, SLOT_REACH);
}

/* ---- drawing ---- */

static void lay(struct sheet_view *v, const struct facts_look *look)
{
    document_sheet(&v->sheet, v->facts, document_of(&v->view)->reach, look);
}

static void free_facts(void *facts)
{
    document_facts_free(facts);
}

/* Read by two jobs of its own: what counts all uses may take long. */
static const struct page_ops document_page = {.free = free_facts, .lay = lay};

static void title(struct view *v, struct strbuf *out)
{
    strbuf_addstr(out, details_name(v->app, &document_of(v)->name));
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct document_view *d = document_of(v);
    const char *dot = glyph_text(&v->app->ui.screen, GLYPH_DOT);
    if (!d->reach)
        return;
    const struct document_counts *c = &d->reach->counts;
    int64_t uses = c->steps + c->citations + c->others;
    strbuf_addf(out, "%lld%s use%s %s ", (long long)uses, c->bounded ? "+" : "",
                uses == 1 ? "" : "s", dot);
    document_reach_add_beliefs(d->reach, out);
}

/* A line that stands for others is about none, and not about the document either. */
static int64_t about(const struct view *v)
{
    const struct sheet_line *line = sheet_view_line(v);
    return line && !line->node ? 0 : ((const struct document_view *)v)->node;
}

/* ---- requests ---- */

static void read_more(struct document_view *d, int section)
{
    if (d->limit[section] > SIZE_MAX / MORE / sizeof(struct document_use))
        return;
    d->limit[section] *= MORE;
    bool first =
        section == DOCUMENT_STEPS || section == DOCUMENT_VERSIONS || section == DOCUMENT_RETRIEVALS;
    submit(d, first ? &facts_ops : &reach_ops, first ? SLOT_FACTS : SLOT_REACH);
}

/* In its chain, where it is part of one. */
static void open_step(struct app *x, int64_t step)
{
    struct error e;
    struct view *chain =
        chain_of_step(x->data.reader, step, &e) > 0 ? chain_view_new(x, step) : NULL;
    if (chain)
        app_push(x, chain);
    else
        app_open_memory(x, step);
}

static void open_line(struct view *v)
{
    const struct sheet_line *line = sheet_view_line(v);
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
        return sheet_view_request(v, request);
    open_line(v);
    return true;
}

static void release(struct view *v)
{
    document_reach_free(document_of(v)->reach);
    sheet_view_release(v);
}

static const struct view_ops document_ops = {
    .name = "document",
    SHEET_VIEW_OPS,
    .place = IN_DOCUMENT,
    .bar = "open,next-section,carries,rests-on,what-if,facts=facts",
    .at_large = true,
    .title = title,
    .counts = counts,
    .layout = sheet_view_layout,
    .node = sheet_view_node,
    .about = about,
    .empty = sheet_view_empty,
    .request = request,
    .position = details_position,
    .load = load,
    .release = release,
};

/* As many of each as a screen shows, and a little more. */
static void take_limits(struct document_view *d)
{
    size_t rows =
        d->page.view.app->ui.screen.rows > 8 ? (size_t)d->page.view.app->ui.screen.rows : 8;
    d->limit[DOCUMENT_STEPS] = rows;
    d->limit[DOCUMENT_CITATIONS] = d->limit[DOCUMENT_OTHERS] = rows / 2;
    d->limit[DOCUMENT_BELIEFS] = d->limit[DOCUMENT_VERSIONS] = rows / 2;
    d->limit[DOCUMENT_RETRIEVALS] = rows / 4;
}

struct view *document_view_new(struct app *x, int64_t node)
{
    struct document_view *d = xcalloc(1, sizeof(*d));
    sheet_view_init(&d->page, &document_ops, &x->ui, &document_page);
    d->node = node;
    take_limits(d);
    details_name_open(x, &d->name, node);
    view_load(&d->page.view);
    return &d->page.view;
}
