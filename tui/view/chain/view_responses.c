/* The view of responses: conversations, their responses, and what each cited. */
#include "tui/view/chain/chain_views.h"

#include <stdio.h>
#include <string.h>
#include "tui/explorer/app.h"
#include "tui/render/chain_page.h"
#include "tui/widget/page_view.h"

#define NEWEST 500  /* citations that are read without an id */
#define ID_MAX 4000 /* bytes of an id that can be asked for */

struct responses_view {
    struct page_view page; /* struct responses */
    char nothing[160];     /* why it is empty */
    char of[ID_MAX + 1];   /* a conversation or message; "" for all, or for that of page.id */
};

static struct responses_view *responses_of_view(struct view *v)
{
    return (struct responses_view *)v;
}

static void ask(const struct panel *p, void *more)
{
    memcpy(more, responses_of_view(p->view)->of, ID_MAX + 1);
}

static void *read_facts(const struct panel_key *key, struct reader *r, struct error *e)
{
    const char *of = key->more;
    return key->id > 0 ? responses_of(r, key->id, e)
                       : responses_read(r, *of ? of : NULL, NEWEST, e);
}

static void lay(struct panel *p, const struct page_options *options)
{
    responses_page(&p->page, p->facts, options);
}

static const struct panel_ops responses_panel = {.job = "reading the responses",
                                                 .more = ID_MAX + 1,
                                                 .ask = ask,
                                                 .read = read_facts,
                                                 .free = responses_free,
                                                 .lay = lay};

static void title(struct view *v, struct strbuf *out)
{
    const struct responses_view *s = responses_of_view(v);
    strbuf_addf(out, "responses%s%s", *s->of ? " of " : "", s->of);
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct responses *all = responses_of_view(v)->page.shown.facts;
    if (all)
        strbuf_addf(out, "%zu%s response%s", all->count, all->more ? "+" : "",
                    all->count == 1 ? "" : "s");
}

static const char *empty(struct view *v)
{
    struct responses_view *s = responses_of_view(v);
    if (!s->page.shown.facts)
        return page_view_empty(v);
    if (!*s->of)
        return "No response has cited anything yet.";
    snprintf(s->nothing, sizeof(s->nothing), "There is no conversation or message '%.80s'.", s->of);
    return s->nothing;
}

static const struct view_ops responses_ops = {
    .name = "responses",
    PAGE_VIEW_OPS,
    .has = HAS_MEMORIES,
    .bar = "show,next-section,used-by,based-on,what-if,facts=facts",
    .title = title,
    .counts = counts,
    .empty = empty,
};

struct view *responses_view_new(struct app *x, const char *of, int64_t citation)
{
    struct responses_view *s =
        page_view_new(sizeof(*s), &responses_ops, &x->ui, &responses_panel, citation);
    snprintf(s->of, sizeof(s->of), "%.*s", ID_MAX, of);
    view_load(&s->page.view);
    return &s->page.view;
}
