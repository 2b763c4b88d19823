#include "tui/view/memory/memory_views.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/render/facts_sheet.h"
#include "tui/widget/sheet_view.h"

struct memory_view {
    struct sheet_view page; /* struct facts */
    int64_t node;
    struct memory_name name; /* of the breadcrumb */
};

static struct memory_view *memory_of(struct view *v)
{
    return (struct memory_view *)v;
}

static void ask(const struct sheet_view *v, void *question)
{
    *(int64_t *)question = ((const struct memory_view *)v)->node;
}

static void *read_facts(void *question, struct reader *r, struct error *e)
{
    return facts_read(r, *(int64_t *)question, 0, true, e);
}

static void free_facts(void *facts)
{
    facts_free(facts);
}

static void lay(struct sheet_view *v, const struct facts_look *look)
{
    facts_sheet_full(&v->sheet, v->facts, look);
}

static const struct page_ops facts_page = {.job = PAGE_JOB("reading the memory"),
                                           .question = sizeof(int64_t),
                                           .ask = ask,
                                           .read = read_facts,
                                           .free = free_facts,
                                           .lay = lay};

static void title(struct view *v, struct strbuf *out)
{
    strbuf_addstr(out, details_name(v->app, &memory_of(v)->name));
}

/* "3 of 41": its place in the list below it. */
static void counts(struct view *v, struct strbuf *out)
{
    const struct view *below = v->below;
    if (below && below->ops->place == IN_LIST && below->selected != LINE_NONE &&
        view_node_at(v->below, below->selected) == memory_of(v)->node)
        strbuf_addf(out, "%zu of %zu", below->selected + 1, below->count);
}

static int64_t about(const struct view *v)
{
    return ((const struct memory_view *)v)->node;
}

static const struct view_ops memory_ops = {
    .name = "memory",
    .place = IN_MEMORY,
    .at_large = true,
    .title = title,
    .counts = counts,
    .layout = sheet_view_layout,
    .draw_line = sheet_view_draw_line,
    .selectable = sheet_view_selectable,
    .node = sheet_view_node,
    .about = about,
    .text = sheet_view_text,
    .empty = sheet_view_empty,
    .request = sheet_view_request,
    .position = details_position,
    .load = sheet_view_load,
    .release = sheet_view_release,
};

struct view *memory_view_new(struct app *x, int64_t node)
{
    struct memory_view *m = xcalloc(1, sizeof(*m));
    sheet_view_init(&m->page, &memory_ops, &x->ui, &facts_page);
    m->node = node;
    details_name_open(x, &m->name, node);
    view_load(&m->page.view);
    return &m->page.view;
}
