/* The view of what would be written back into the source of a working copy. Enter writes it; the worker reads and
 * writes. */
#include "tui/view/views.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/apply/apply.h"
#include "tui/explorer/app.h"
#include "tui/render/plan_page.h"
#include "tui/widget/page_view.h"

/* A plan and what became of it. The worker has it while it reads or writes. */
struct applying {
    struct apply plan;
    const char *source; /* NULL: the only one of the store */
    unsigned how;       /* for apply_plan */
    struct actor actor;
    bool planned, writes, done;
    struct error error;
};

struct apply_view {
    struct page_view page;
    struct applying *applying; /* NULL while the worker has it */
};

static struct apply_view *apply_of(struct view *v)
{
    return (struct apply_view *)v;
}

/* ---- the worker's thread ---- */

static void *carry_out(const struct panel_key *key, struct reader *r, struct error *e)
{
    struct applying *a = *(struct applying **)key->more;
    int result;
    a->error.code = ERROR_NONE;
    if (a->planned && !a->writes)
        apply_release(&a->plan);
    if (a->writes)
        result = apply_write(&a->plan, reader_store(r), &a->actor, e);
    else
        result = apply_plan(&a->plan, r, a->source, a->how, e);
    a->planned = true;
    a->done = a->writes && result == 0;
    a->writes = false;
    if (result)
        a->error = *e;
    return xcalloc(1, 1); /* what is shown is the plan, which comes back by itself */
}

static void free_applying(struct applying *a)
{
    if (a && a->planned)
        apply_release(&a->plan);
    free(a);
}

static void drop(void *more)
{
    free_applying(*(struct applying **)more);
}

/* ---- the main thread ---- */

static void ask(const struct panel *p, void *more)
{
    *(struct applying **)more = apply_of(p->view)->applying;
    apply_of(p->view)->applying = NULL;
}

static void take_back(struct panel *p, void *more)
{
    struct applying **given = more;
    apply_of(p->view)->applying = *given;
    *given = NULL;
}

static void taken(struct panel *p)
{
    const struct applying *a = apply_of(p->view)->applying;
    p->ui->rows_moved = true; /* keys from before the plan is drawn do not agree to it */
    if (a->error.code)
        ui_error(p->ui, &a->error);
    else if (a->done && a->plan.undoes)
        ui_message(p->ui, "%s has again what was there before", a->plan.w.path);
    else if (a->done)
        ui_message(p->ui, "written, with a copy next to it; u, or :apply --undo, takes it back");
    else if (apply_writes(&a->plan))
        ui_message(p->ui, "nothing was written yet: Enter writes it, q does not");
}

static void lay(struct panel *p, const struct page_options *options)
{
    const struct applying *a = apply_of(p->view)->applying;
    (void)options;
    if (!a || a->error.code)
        return;
    if (!apply_view_blocked(p->view)) {
        page_line(&p->page)->opens = true;
        page_put(&p->page, 3, 0, STYLE_KEY, "write it into the source");
        page_line(&p->page);
    }
    apply_page(&p->page, &a->plan);
    page_line(&p->page);
    page_put(&p->page, 1, 0, STYLE_DIM, apply_summary(&p->page.arena, &a->plan));
}

static const struct panel_ops apply_panel = {.job = "comparing with the source",
                                             .more = sizeof(struct applying *),
                                             .ask = ask,
                                             .back = take_back,
                                             .drop = drop,
                                             .read = carry_out,
                                             .free = free,
                                             .taken = taken,
                                             .lay = lay};

static void title(struct view *v, struct strbuf *out)
{
    const struct applying *a = apply_of(v)->applying;
    strbuf_addstr(out, a && a->how & APPLY_UNDO ? (a->done ? "undone" : "undo of apply")
                       : a && a->done           ? "applied"
                                                : "apply");
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct applying *a = apply_of(v)->applying;
    if (a && a->planned && !a->error.code)
        strbuf_addf(out, "%zu change%s", a->plan.w.change_count,
                    a->plan.w.change_count == 1 ? "" : "s");
    if (a && a->planned && !a->error.code && a->plan.w.conflict_count)
        strbuf_addf(out, ", %zu left out", a->plan.w.conflict_count);
}

static const char *empty(struct view *v)
{
    const struct applying *a = apply_of(v)->applying;
    return a && a->error.code ? a->error.what : "comparing with the source…";
}

/* The lines point into the plan, which the worker replaces. */
static void load(struct view *v)
{
    struct apply_view *c = apply_of(v);
    if (!c->applying)
        return;
    panel_forget(&c->page.shown);
    page_clear(&c->page.shown.page, c->page.shown.page.width);
    view_set_count(v, 0);
    page_view_load(v);
}

static void notify(struct view *v, const struct event *events, size_t count, bool whole)
{
    const struct applying *a = apply_of(v)->applying;
    (void)events;
    v->changed |= a && !a->done && (whole || count > 0);
}

static void release(struct view *v)
{
    free_applying(apply_of(v)->applying);
    page_view_release(v);
}

static bool request(struct view *v, enum view_request request)
{
    if (request != REQUEST_OPEN || apply_view_blocked(v))
        return page_view_request(v, request);
    apply_view_write(v);
    return true;
}

static const struct view_ops apply_ops = {
    .name = "apply",
    PAGE_VIEW_OPS,
    .title = title,
    .counts = counts,
    .empty = empty,
    .load = load,
    .notify = notify,
    .release = release,
    .request = request,
    .has = HAS_TEXT | HAS_WRITING | HAS_NO_PLACE,
    .bar = "show=write it,undo=undo it",
    .of_now = true,
};

const char *apply_view_blocked(struct view *v)
{
    const struct applying *a = apply_of(v)->applying;
    return !a || !a->planned         ? "it is still being compared with the source"
           : a->error.code           ? "it cannot be written; R compares again"
           : a->done                 ? "it is written already"
           : !apply_writes(&a->plan) ? "there is nothing to write"
                                     : NULL;
}

const char *apply_view_undo_blocked(struct view *v)
{
    const struct applying *a = apply_of(v)->applying;
    return a && a->done ? NULL
                        : "nothing was written here; :apply --undo takes the last write back";
}

void apply_view_write(struct view *v)
{
    apply_of(v)->applying->writes = true;
    load(v);
}

struct view *apply_view_new(struct app *x, bool undo, bool overwrite)
{
    struct apply_view *c = page_view_new(sizeof(*c), &apply_ops, &x->ui, &apply_panel, 0);
    c->applying = xcalloc(1, sizeof(*c->applying));
    c->applying->source = x->options->follow;
    c->applying->how = (undo ? APPLY_UNDO : 0) | (overwrite ? APPLY_OVERWRITE : 0);
    c->applying->actor = pending_actor(x->options);
    view_load(&c->page.view);
    return &c->page.view;
}
