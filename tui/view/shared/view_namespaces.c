#include "tui/view/shared/view_namespaces.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/view/shared/namespaces_job.h"
#include "tui/view/shared/namespaces_view.h"
#include "tui/explorer/rules.h"
#include "tui/explorer/since.h"
#include "tui/view/shared/view_entries.h"

const struct namespace_row *namespaces_row(const struct view *v, size_t line)
{
    return line < v->count ? namespaces_of(v)->line[line].row : NULL;
}

void namespaces_add_name(const struct view *v, const struct namespace_row *r, struct strbuf *out)
{
    strbuf_addstr(out, r->name);
    rules_mask(v->app, out);
}

bool namespaces_put_since(const struct view *v, const struct namespace_row *r)
{
    return r->updated_at > v->app->unread.at;
}

/* ---- reading ---- */

static void take_rules(struct namespaces_view *n)
{
    guard_rules_release(n->rules);
    n->rules = rules_now(n->view.app);
}

static void done(struct job *job, const struct error *e)
{
    struct namespaces_job *j = (struct namespaces_job *)job;
    struct namespaces_view *n = namespaces_of(j->view);
    struct strbuf was = STRBUF_INIT;
    if (e->code != ERROR_NONE) {
        app_fail(n->view.app, e);
        return;
    }
    if (namespaces_view_name(&n->view))
        strbuf_addstr(&was, namespaces_view_name(&n->view));
    arena_release(&n->arena);
    n->arena = j->arena;
    n->row = j->row;
    n->all = j->count;
    j->arena = (struct arena)ARENA_INIT;
    n->read = true;
    take_rules(n);
    namespaces_lay(n, was.len > 0 ? was.buf : NULL);
    strbuf_release(&was);
    calm_rest(&n->view.calm, job->begun);
}

static const struct job_ops job_ops = {.name = "reading the namespaces",
                                       .run = namespaces_job_run,
                                       .done = done,
                                       .release = namespaces_job_release};

static void load(struct view *v)
{
    namespaces_job_submit(v, &job_ops);
}

/* ---- the view ---- */

static int header(struct view *v)
{
    (void)v;
    return 1;
}

static void title(struct view *v, struct strbuf *out)
{
    const struct namespaces_view *n = namespaces_of(v);
    strbuf_addstr(out, "namespaces");
    if (*n->filter)
        strbuf_addf(out, " %s \"%s\"", glyph_text(&v->app->ui.screen, GLYPH_CRUMB), n->filter);
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct namespaces_view *n = namespaces_of(v);
    int64_t items = 0;
    for (size_t i = 0; i < v->count; i++)
        items += n->line[i].row->items;
    if (!n->read)
        return;
    if (*n->filter || v->only_new)
        strbuf_addf(out, "%zu of ", v->count);
    strbuf_addf(out, "%zu namespace%s %s %lld entr%s", n->all, n->all == 1 ? "" : "s",
                glyph_text(&v->app->ui.screen, GLYPH_DOT), (long long)items,
                items == 1 ? "y" : "ies");
}

static void text(struct view *v, size_t line, struct strbuf *out)
{
    namespaces_add_name(v, namespaces_row(v, line), out);
}

static int64_t line_id(struct view *v, size_t line)
{
    return view_name_id(namespaces_row(v, line)->name);
}

static bool touched(struct view *v, const struct event *event)
{
    struct arena arena = ARENA_INIT;
    struct error e;
    const char *name = NULL, *here = namespaces_view_name(v);
    bool is = here && event->ref.id && event->ref.kind == KIND_ENTRY &&
              !entry_namespace(v->app->data.reader, &arena, event->subject, &name, &e) && name &&
              !strcmp(name, here);
    arena_release(&arena);
    return is;
}

static const char *empty(struct view *v)
{
    const struct namespaces_view *n = namespaces_of(v);
    if (!n->read)
        return "reading…";
    if (v->only_new && !*n->filter)
        return since_empty(v);
    return n->all > 0 ? "nothing matches the filter; Esc clears it"
                      : "there are no entries: agents put them with putMemory";
}

static bool request(struct view *v, enum view_request request)
{
    const char *name = namespaces_view_name(v);
    switch (request) {
    case REQUEST_OPEN:
        if (name)
            app_push(v->app, entries_view_new(v->app, name));
        return true;
    default:
        return false;
    }
}

static const char *filter_of(const struct view *v)
{
    return namespaces_of(v)->filter;
}

static void only_new(struct view *v)
{
    namespaces_lay_again(namespaces_of(v));
}

static void set_filter(struct view *v, const char *pattern)
{
    struct namespaces_view *n = namespaces_of(v);
    snprintf(n->filter, sizeof(n->filter), "%s", pattern);
    namespaces_lay_again(n);
}

static void release(struct view *v)
{
    free(namespaces_of(v)->line);
    guard_rules_release(namespaces_of(v)->rules);
    arena_release(&namespaces_of(v)->arena);
}

static const struct view_ops namespaces_ops = {
    .name = "namespaces",
    .place = IN_NAMESPACES,
    .preview = true,
    .own_preview = true,
    .title = title,
    .counts = counts,
    .layout = namespaces_layout,
    .header = header,
    .draw_header = namespaces_draw_header,
    .draw_line = namespaces_draw_line,
    .draw_preview = namespaces_draw_preview,
    .text = text,
    .line_id = line_id,
    .touched = touched,
    .empty = empty,
    .request = request,
    .only_new = only_new,
    .load = load,
    .filter = filter_of,
    .set_filter = set_filter,
    .release = release,
};

const char *namespaces_view_name(const struct view *v)
{
    const struct namespace_row *r = namespaces_row(v, v->selected);
    return r ? r->name : NULL;
}

struct view *namespaces_view_new(struct app *x)
{
    struct namespaces_view *n = xcalloc(1, sizeof(*n));
    view_init(&n->view, &namespaces_ops, x);
    n->arena = (struct arena)ARENA_INIT;
    take_rules(n);
    view_load(&n->view);
    return &n->view;
}
