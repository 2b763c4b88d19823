/* The view of what an operation would change, before it is done. */
#include "tui/view/views.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/render/plan_sheet.h"
#include "tui/widget/sheet_view.h"

/* What the worker read. */
struct confirm_facts {
    struct arena arena;
    struct plan_page page; /* points into the deed */
    struct error error;    /* why there is no plan */
};

struct confirm_view {
    struct sheet_view page;
    struct deed *deed;  /* NULL: the worker has it */
    struct error error; /* why there is no plan */
    char name[128];     /* "retract belief:54c5507f?", "belief:54c5507f what if" */
};

static struct confirm_view *confirm_of(struct view *v)
{
    return (struct confirm_view *)v;
}

/* ---- the worker's thread ---- */

static int read_page(struct confirm_facts *f, struct deed *d, struct reader *r, struct error *e)
{
    struct actor actor = acting_actor(d->app);
    arena_clear(&d->answers);
    if (operation_preview(r, &actor, d->op, &d->q, &d->answers, &d->plan, e) || reader_begin(r, e))
        return -1;
    f->page = (struct plan_page){.op = d->op, .plan = &d->plan, .reason = d->q.reason};
    int result = plan_page_read(r, &f->arena, &f->page, e);
    reader_end(r);
    return result;
}

/* Never NULL: why there is no plan is shown. */
static void *read_plan(const struct page_key *key, struct reader *r, struct error *e)
{
    struct deed **asked = key->more;
    struct confirm_facts *f = xcalloc(1, sizeof(*f));
    *f = (struct confirm_facts){.arena = ARENA_INIT};
    if (read_page(f, *asked, r, e))
        f->error = *e;
    return f;
}

static void drop_deed(void *more)
{
    deed_free(*(struct deed **)more);
}

static void free_facts(void *facts)
{
    struct confirm_facts *f = facts;
    arena_release(&f->arena);
    free(f);
}

/* ---- the main thread ---- */

/* Where the memory was changed since, both its states are shown in place of this. */
static void refuse(struct confirm_view *c, const struct error *e)
{
    struct deed *d = c->deed;
    app_fail(c->page.view.app, e);
    if (e->code != ERROR_CONFLICT || (d->op != OPERATION_UNDO && d->op != OPERATION_REDO))
        return;
    d->error = *e;
    c->deed = NULL;
    acting_return(c->page.view.app, d);
}

static void say_nothing(struct app *x, const struct deed *d)
{
    const struct plan *p = &d->plan;
    const char *why = p->left_count ? p->left[0]
                      : d->op == OPERATION_PROPAGATE
                          ? "nothing that rests on it is surer than it can bear"
                          : "it is said of each where it came from";
    if (p->left_count > 1)
        app_say(x, "there is nothing to change: %s, and %zu more like it", why, p->left_count - 1);
    else
        app_say(x, "there is nothing to change: %s", why);
}

/* Of what looks for changes by itself there may be none: that is said, and not shown. False where the person went on to
 * something else meanwhile. */
static bool found_nothing(struct confirm_view *c)
{
    struct app *x = c->page.view.app;
    struct deed *d = c->deed;
    bool looks = d->op == OPERATION_PROPAGATE || d->op == OPERATION_FIX_PROVENANCE;
    if (!looks || d->plan.count > 0 || x->nav.top != &c->page.view || x->ui.modal)
        return false;
    c->deed = NULL;
    app_pop(x);
    say_nothing(x, d);
    deed_free(d);
    return true;
}

/* The worker has the deed meanwhile. */
static void ask(const struct page *p, void *more)
{
    struct confirm_view *c = confirm_of(p->view);
    *(struct deed **)more = c->deed;
    c->deed = NULL;
    c->error.code = ERROR_NONE;
    p->view->changed = false;
}

/* Also where it was given up: what was typed for it is kept, and it can be asked again. */
static void take_back(struct page *p, void *more)
{
    struct deed **asked = more;
    confirm_of(p->view)->deed = *asked;
    *asked = NULL;
}

static void taken(struct page *p)
{
    struct confirm_view *c = confirm_of(p->view);
    const struct confirm_facts *f = p->facts;
    c->error = f->error;
    if (!c->error.code && found_nothing(c))
        return;
    if (c->error.code)
        refuse(c, &c->error);
    else if (!p->ui->status.fresh && !(c->deed->how & DEED_WHAT_IF))
        ui_say(p->ui, "nothing is changed yet");
}

/* NULL: it is not known. */
static const struct plan *known(const struct confirm_view *c)
{
    return c->page.shown.facts && c->deed && !c->error.code ? &c->deed->plan : NULL;
}

static void lay(struct page *p, const struct facts_look *look)
{
    const struct confirm_facts *f = p->facts;
    if (known(confirm_of(p->view)))
        plan_sheet(&p->sheet, &f->page, look);
}

static const struct page_ops confirm_page = {.job = "what it would change",
                                             .more = sizeof(struct deed *),
                                             .ask = ask,
                                             .back = take_back,
                                             .drop = drop_deed,
                                             .read = read_plan,
                                             .free = free_facts,
                                             .taken = taken,
                                             .lay = lay};

/* What the lines point to is made anew. */
static void load(struct view *v)
{
    struct confirm_view *c = confirm_of(v);
    if (!c->deed)
        return;
    page_forget(&c->page.shown);
    sheet_clear(&c->page.shown.sheet, c->page.shown.sheet.width);
    view_set_count(v, 0);
    sheet_view_load(v);
}

const char *confirm_view_blocked(struct view *v)
{
    struct confirm_view *c = confirm_of(v);
    if (c->error.code)
        return "it cannot be done";
    if (!known(c))
        return "it is not known yet what it would change";
    return c->deed->plan.count == 0 ? "there is nothing to change" : NULL;
}

void confirm_view_agree(struct view *v)
{
    struct confirm_view *c = confirm_of(v);
    struct app *x = v->app;
    struct deed *d = c->deed;
    c->deed = NULL;
    deed_agree(d);
    app_pop(x);
    acting_do(x, d);
}

/* ---- as a view ---- */

static void title(struct view *v, struct strbuf *out)
{
    strbuf_addstr(out, confirm_of(v)->name);
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct plan *p = known(confirm_of(v));
    const char *dot = glyph_text(&v->app->ui.screen, GLYPH_DOT);
    if (!p)
        return;
    strbuf_addf(out, "%zu change%s", p->count, p->count == 1 ? "" : "s");
    if (p->fall_count)
        strbuf_addf(out, " %s %zu fall%s", dot, p->fall_count, p->fall_count == 1 ? "s" : "");
    if (p->weakened_count)
        strbuf_addf(out, " %s %zu weakened", dot, p->weakened_count);
}

static const char *empty(struct view *v)
{
    const struct confirm_view *c = confirm_of(v);
    if (c->error.code)
        return c->error.what;
    return c->deed ? "what it would change was not read to its end; R asks again"
                   : "asking what it would change…";
}

static void release(struct view *v)
{
    deed_free(confirm_of(v)->deed);
    sheet_view_release(v);
}

static const struct view_ops confirm_ops = {
    .name = "confirm",
    SHEET_VIEW_OPS,
    .preview = true,
    .has = HAS_MEMORIES | HAS_TEXT | HAS_QUESTION | HAS_NO_PLACE,
    .bar = "confirm",
    .title = title,
    .counts = counts,
    .empty = empty,
    .load = load,
    .news = view_changed,
    .release = release,
};

bool confirm_view_is_over(const struct view *v)
{
    const struct confirm_view *c = (const struct confirm_view *)v;
    return v->ops == &confirm_ops && c->error.code && !c->deed;
}

struct view *confirm_view_new(struct app *x, struct deed *d)
{
    struct confirm_view *c = sheet_view_new(sizeof(*c), &confirm_ops, &x->ui, &confirm_page, 0);
    if (d->how & DEED_WHAT_IF)
        snprintf(c->name, sizeof(c->name), "%s what if", d->about);
    else
        snprintf(c->name, sizeof(c->name), "%s%s%s?", deed_name(d), *d->about ? " " : "", d->about);
    d->app = x;
    c->deed = d;
    view_load(&c->page.view);
    return &c->page.view;
}
