/* The conversation that led to a memory: what a person and the agent said around it. What tools returned is folded. */
#include <stdlib.h>
#include "model/base/alloc.h"
#include "tui/explorer/app.h"
#include "tui/render/conversation_page.h"
#include "tui/view/memory/memory_views.h"
#include "tui/widget/page_view.h"

struct conversation_view {
    struct page_view page;   /* struct talk */
    struct memory_name name; /* of the breadcrumb */
    char *open;              /* [count of turns]: 1 if it is unfolded */
    bool placed;             /* the cursor was put on what led to the memory, or on the end */
};

static struct conversation_view *conversation_of(struct view *v)
{
    return (struct conversation_view *)v;
}

static const struct conversation *shown(const struct conversation_view *c)
{
    const struct talk *talk = c->page.shown.facts;
    return talk ? &talk->conversation : NULL;
}

static void *read_facts(const struct panel_key *key, struct reader *r, struct error *e)
{
    return talk_read(r, key->id, key->other > 0, e);
}

static void taken(struct panel *p)
{
    struct conversation_view *c = conversation_of(p->view);
    free(c->open);
    c->open = shown(c) ? xcalloc(shown(c)->count + 1, 1) : NULL;
}

static void lay(struct panel *p, const struct page_options *options)
{
    struct conversation_view *c = conversation_of(p->view);
    conversation_page(&p->page, p->facts, c->open, options);
    for (size_t i = 0; i < p->page.count && !c->placed; i++)
        if (p->page.line[i].value == (int64_t)shown(c)->here + 1) {
            p->view->cursor = i;
            c->placed = true;
        }
}

/* While it is followed the end is shown, and the cursor stays there. */
static void layout(struct view *v, int height, int width)
{
    struct conversation_view *c = conversation_of(v);
    bool follows = v->app->remote.follows == v;
    if (follows && !c->page.shown.key.other) {
        c->page.shown.key.other = 1;
        view_load(v);
    }
    bool again = !panel_is_laid_out(&c->page.shown, width, 0);
    page_view_layout(v, height, width);
    v->height = height;
    if (again && follows)
        page_view_end(v);
}

/* Lines were added to the transcript: no event, unless they became memories. */
static void store_changed(struct view *v)
{
    if (conversation_of(v)->page.shown.key.other)
        view_notify(v, NULL, 0, true);
}

static const struct panel_ops conversation_panel = {.job = "reading the conversation",
                                                    .read = read_facts,
                                                    .taken = taken,
                                                    .free = talk_free,
                                                    .lay = lay};

static void title(struct view *v, struct strbuf *out)
{
    strbuf_addf(out, "conversation of %s", details_name(v->app, &conversation_of(v)->name));
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct conversation *c = shown(conversation_of(v));
    if (c)
        strbuf_addf(out, "%zu%s turns", c->count, c->before || c->after ? "+" : "");
}

/* The turn under the cursor; SIZE_MAX if there is none. */
static size_t turn_at_cursor(const struct conversation_view *c)
{
    const struct page_line *line = page_view_line(&c->page.view);
    return line && line->value > 0 && shown(c) ? (size_t)line->value - 1 : SIZE_MAX;
}

/* Folds and unfolds; Enter does too on what is no memory. */
static bool request(struct view *v, enum view_request request)
{
    struct conversation_view *c = conversation_of(v);
    const struct page_line *line = page_view_line(v);
    bool folds = request == REQUEST_LEFT || request == REQUEST_RIGHT;
    size_t turn = turn_at_cursor(c);
    if (!folds && !(request == REQUEST_OPEN && line && !line->node))
        return page_view_request(v, request);
    if (turn == SIZE_MAX)
        return false;
    c->open[turn] = request == REQUEST_OPEN ? !c->open[turn] : request == REQUEST_RIGHT;
    c->page.shown.width = 0; /* the layout is outdated */
    return true;
}

static void release(struct view *v)
{
    if (v->app->remote.follows == v)
        v->app->remote.follows = NULL;
    free(conversation_of(v)->open);
    page_view_release(v);
}

static const struct view_ops conversation_ops = {
    .name = "conversation",
    PAGE_VIEW_OPS,
    .has = HAS_MEMORIES | HAS_FOLDS | HAS_FOLLOWING,
    .layout = layout,
    .store_changed = store_changed,
    .bar = "show,left=fold,right=unfold,follow,next-section,facts=facts,!conversation",
    .title = title,
    .counts = counts,
    .request = request,
    .release = release,
};

struct view *conversation_view_new(struct app *x, int64_t node)
{
    struct conversation_view *c =
        page_view_new(sizeof(*c), &conversation_ops, &x->ui, &conversation_panel, node);
    details_name_open(x, &c->name, node);
    view_load(&c->page.view);
    return &c->page.view;
}
