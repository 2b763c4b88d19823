/* The view of an operation's plan, before it is done. */
#include "tui/view/views.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/journal/journal.h"
#include "store/query/list.h"
#include "tui/explorer/app.h"
#include "tui/render/plan_page.h"
#include "tui/widget/page_view.h"

/* What Enter does on a line that is a choice: the line's value. All but the first stand at the top. */
enum choice_line {
    CHOICE_DEPENDANTS = PLAN_DEPENDANTS,
    CHOICE_DO,
    CHOICE_STORED, /* of a conflict: the stored version stays */
    CHOICE_EDIT,
};

/* The result of the worker. */
struct confirm_facts {
    struct arena arena;
    struct plan_facts facts; /* points into the pending operation */
    struct error error;      /* set if there is no plan */
};

struct confirm_view {
    struct page_view page;
    struct pending *pending;  /* NULL while the worker has it */
    struct error error;       /* set if there is no plan */
    const char *verb;         /* "retract" */
    struct memory_name about; /* "belief:54c5507f", "3 memories" */
    bool what_if;
    int sought; /* value of the line where the cursor begins; -1: it is there. What if begins on the memory */
};

static struct confirm_view *confirm_of(struct view *v)
{
    return (struct confirm_view *)v;
}

/* ---- the worker's thread ---- */

static int read_page(struct confirm_facts *f, struct pending *p, struct reader *r, struct error *e)
{
    struct actor actor = pending_actor(p->app->options);
    arena_clear(&p->answers);
    if (operation_preview(r, &actor, p->op, &p->q, &p->answers, &p->plan, e) || reader_begin(r, e))
        return -1;
    f->facts = (struct plan_facts){.op = p->op, .plan = &p->plan, .reason = p->q.reason};
    int result = plan_facts_read(r, &f->arena, &f->facts, e);
    reader_end(r);
    return result;
}

/* Never returns NULL: an error is part of the page. */
static void *read_plan(const struct panel_key *key, struct reader *r, struct error *e)
{
    struct pending **asked = key->more;
    struct confirm_facts *f = xcalloc(1, sizeof(*f));
    *f = (struct confirm_facts){.arena = ARENA_INIT};
    if (read_page(f, *asked, r, e))
        f->error = *e;
    return f;
}

static void drop_pending(void *more)
{
    pending_put_away(*(struct pending **)more);
}

static void free_facts(void *facts)
{
    struct confirm_facts *f = facts;
    arena_release(&f->arena);
    free(f);
}

/* ---- the main thread ---- */

static void report_nothing(struct ui *ui, const struct pending *p)
{
    const struct plan *plan = &p->plan;
    const char *why = plan->left_count ? plan->left[0]
                      : p->op == OPERATION_CAP_CONFIDENCE
                          ? "nothing based on it has a higher confidence than its support allows"
                          : "every origin is recorded";
    if (plan->left_count > 1)
        ui_message(ui, "there is nothing to change: %s, and %zu more like it", why,
                   plan->left_count - 1);
    else
        ui_message(ui, "there is nothing to change: %s", why);
}

/* An operation that searches for changes may find none: shows a message and closes the view. Returns false if the
 * person has opened another view meanwhile. */
static bool found_nothing(struct confirm_view *c)
{
    struct app *x = c->page.view.app;
    struct pending *p = c->pending;
    bool looks = p->op == OPERATION_CAP_CONFIDENCE || p->op == OPERATION_REPAIR_ORIGINS;
    if (!looks || p->plan.count > 0 || x->nav.top != &c->page.view || x->ui.modal)
        return false;
    c->pending = NULL;
    app_pop(x);
    report_nothing(&x->ui, p);
    pending_free(p);
    return true;
}

/* The worker gets the operation. */
static void ask(const struct panel *p, void *more)
{
    struct confirm_view *c = confirm_of(p->view);
    *(struct pending **)more = c->pending;
    c->pending = NULL;
    c->error.code = ERROR_NONE;
    p->view->changed = false;
}

/* Runs also after a cancelled read: typed text is kept, and the plan can be read again. */
static void take_back(struct panel *p, void *more)
{
    struct pending **asked = more;
    confirm_of(p->view)->pending = *asked;
    *asked = NULL;
}

static void taken(struct panel *p)
{
    struct confirm_view *c = confirm_of(p->view);
    const struct confirm_facts *f = p->facts;
    c->error = f->error;
    p->ui->rows_moved = true; /* keys from before the plan is drawn do not agree to it */
    if (!c->error.code && found_nothing(c))
        return;
    if (c->error.code)
        ui_error(p->ui, &c->error);
    else if (!p->ui->status.fresh)
        ui_message(p->ui, "nothing has changed yet: Enter on the first line does it, q cancels");
}

/* NULL if it is not read yet. */
static const struct plan *known(const struct confirm_view *c)
{
    return c->page.shown.facts && c->pending && !c->error.code ? &c->pending->plan : NULL;
}

/* Whether an event is about a memory that the plan shows, or about one that is based on the subject. */
static bool concerns(struct confirm_view *c, const struct event *event)
{
    const struct page *page = &c->page.shown.page;
    struct error e;
    for (size_t i = 0; i < page->count; i++)
        if (page->line[i].node && page->line[i].node == event->subject)
            return true;
    return c->about.node &&
           (event->subject == c->about.node ||
            (event->subject > 0 &&
             link_exists(c->page.view.ui->data->reader, event->subject, c->about.node, &e) != 0));
}

/* If another change makes a difference nevertheless, that is found before anything is written. */
static void notify(struct view *v, const struct event *events, size_t count, bool whole)
{
    for (size_t i = 0; i < count && !v->changed; i++)
        v->changed = concerns(confirm_of(v), &events[i]);
    v->changed |= whole;
}

/* The preview goes on to show the memory that it is about. */
static void put_choice(struct confirm_view *c, enum choice_line choice, const char *text)
{
    struct page *page = &c->page.shown.page;
    struct page_line *line = page_opens(page, c->about.node);
    line->opens = true;
    line->value = choice;
    page_put(page, 3, 0, STYLE_KEY, text);
}

static void put_choices(struct confirm_view *c)
{
    struct page *page = &c->page.shown.page;
    const char *about = c->about.node ? details_name(c->page.view.app, &c->about) : c->about.text;
    bool stale = c->pending->how & PENDING_STALE;
    if (c->error.code)
        page_note(page, 3, "%s", c->error.what);
    else if (stale)
        put_choice(c, CHOICE_DO, "overwrite the stored version with your text");
    else
        put_choice(c, CHOICE_DO,
                   page_printf(page, "do it: %s%s%s", c->verb, *about ? " " : "", about));
    if (stale) {
        put_choice(c, CHOICE_STORED, "keep the stored version, and discard your text");
        put_choice(c, CHOICE_EDIT, "edit your text again, on top of the stored version");
    }
}

static void lay(struct panel *p, const struct page_options *options)
{
    const struct confirm_facts *f = p->facts;
    struct confirm_view *c = confirm_of(p->view);
    if (!c->pending || (c->error.code && !(c->pending->how & PENDING_STALE)))
        return;
    put_choices(c);
    if (!c->error.code)
        plan_page(&p->page, &f->facts, options);
}

static const struct panel_ops confirm_panel = {.job = "the preview",
                                               .more = sizeof(struct pending *),
                                               .ask = ask,
                                               .back = take_back,
                                               .drop = drop_pending,
                                               .read = read_plan,
                                               .free = free_facts,
                                               .taken = taken,
                                               .lay = lay};

/* The lines point into data that is replaced. */
static void load(struct view *v)
{
    struct confirm_view *c = confirm_of(v);
    const struct page_line *line = page_view_line(v);
    if (!c->pending)
        return;
    if (line)
        c->sought = (int)line->value;
    panel_forget(&c->page.shown);
    page_clear(&c->page.shown.page, c->page.shown.page.width);
    view_set_count(v, 0);
    page_view_load(v);
}

const char *confirm_view_blocked(struct view *v)
{
    struct confirm_view *c = confirm_of(v);
    if (c->error.code)
        return "it cannot be done";
    if (!known(c))
        return "the preview is still being computed";
    return c->pending->plan.count == 0 ? "there is nothing to change" : NULL;
}

static void change_dependants(struct view *v)
{
    static const char *const words[] = {DEPENDANTS_REVIEW, DEPENDANTS_LEAVE, DEPENDANTS_RETRACT};
    struct pending *p = confirm_of(v)->pending;
    size_t at = 0;
    while (p->q.dependants && strcmp(words[at], p->q.dependants) != 0)
        at++;
    p->q.dependants = words[(at + 1) % 3];
    load(v);
}

struct pending *confirm_view_pending(struct view *v)
{
    return confirm_of(v)->pending;
}

/* Closes the view and gives the operation to the caller. */
static struct pending *take(struct view *v)
{
    struct pending *p = confirm_of(v)->pending;
    confirm_of(v)->pending = NULL;
    app_pop(v->app);
    return p;
}

void confirm_view_do(struct view *v)
{
    struct pending *p = take(v);
    pending_agree(p);
    pending_do(p);
}

static bool request(struct view *v, enum view_request request)
{
    const struct page_line *line = page_view_line(v);
    if (request != REQUEST_OPEN || !line || !line->value || !confirm_of(v)->pending)
        return page_view_request(v, request);
    const char *why = line->value == CHOICE_DO ? confirm_view_blocked(v) : NULL;
    struct app *x = v->app;
    if (why) {
        ui_message(&x->ui, "%s", why);
    } else if (line->value == CHOICE_DO) {
        confirm_view_do(v);
    } else if (line->value == CHOICE_DEPENDANTS) {
        change_dependants(v);
    } else if (line->value == CHOICE_EDIT) {
        pending_edit_again(take(v));
    } else {
        pending_free(take(v));
        ui_message(&x->ui, "the stored version stays");
    }
    return true;
}

/* ---- view_ops ---- */

static void title(struct view *v, struct strbuf *out)
{
    struct confirm_view *c = confirm_of(v);
    const char *about = c->about.node ? details_name(v->app, &c->about) : c->about.text;
    if (c->what_if)
        strbuf_addf(out, "%s what if", about);
    else
        strbuf_addf(out, "%s%s%s?", c->verb, *about ? " " : "", about);
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct plan *p = known(confirm_of(v));
    const char *dot = glyph_text(&v->ui->screen, GLYPH_DOT);
    if (!p)
        return;
    strbuf_addf(out, "%zu change%s", p->count, p->count == 1 ? "" : "s");
    if (p->unsupported_count)
        strbuf_addf(out, " %s %zu lose%s all support", dot, p->unsupported_count,
                    p->unsupported_count == 1 ? "s" : "");
    if (p->weakened_count)
        strbuf_addf(out, " %s %zu weakened", dot, p->weakened_count);
}

static const char *empty(struct view *v)
{
    const struct confirm_view *c = confirm_of(v);
    if (c->error.code)
        return c->error.what;
    return c->pending ? "the preview was interrupted; R computes it again"
                      : "computing the preview…";
}

/* Going back cancels the operation, but keeps typed text. */
static void release(struct view *v)
{
    pending_put_away(confirm_of(v)->pending);
    page_view_release(v);
}

/* Puts the cursor on the first line with the value that is sought. */
static void layout(struct view *v, int height, int width)
{
    struct confirm_view *c = confirm_of(v);
    const struct page *page = &c->page.shown.page;
    page_view_layout(v, height, width);
    for (size_t i = 0; c->sought >= 0 && i < page->count; i++)
        if (page->line[i].opens && page->line[i].value == c->sought) {
            view_select(v, i);
            c->sought = -1;
        }
}

#define CONFIRM_OPS                                                                                \
    PAGE_VIEW_OPS, .preview = true, .title = title, .counts = counts, .empty = empty,              \
                   .load = load, .notify = notify, .release = release, .request = request,         \
                   .layout = layout

static const struct view_ops confirm_ops = {
    .name = "confirm",
    CONFIRM_OPS,
    .has = HAS_MEMORIES | HAS_TEXT | HAS_QUESTION | HAS_NO_PLACE,
    .bar = "show=choose,!what-if",
};

/* For an edit of a version that is out of date. */
static const struct view_ops conflict_ops = {
    .name = "conflict",
    CONFIRM_OPS,
    .has = HAS_TEXT | HAS_QUESTION | HAS_NO_PLACE,
    .bar = "show=choose",
};

struct view *confirm_view_new(struct pending *p)
{
    const struct view_ops *ops = p->how & PENDING_STALE ? &conflict_ops : &confirm_ops;
    struct confirm_view *c = page_view_new(sizeof(*c), ops, &p->app->ui, &confirm_panel, 0);
    c->verb = p->name;
    c->what_if = p->how & PENDING_WHAT_IF;
    c->sought = c->what_if ? 0 : CHOICE_DO;
    snprintf(c->about.text, sizeof(c->about.text), "%s", p->about);
    if (p->node > 0)
        details_name_open(p->app, &c->about, p->node);
    c->pending = p;
    view_load(&c->page.view);
    return &c->page.view;
}
