#include "tui/view/events/view_audit.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/view/events/event_preview.h"
#include "tui/view/events/filter_field.h"
#include "tui/view/events/activity_list.h"
#include "tui/view/events/activity_row.h"
#include "tui/explorer/visit.h"

struct audit_view {
    struct happening_list list;
    struct happening_columns columns;
    struct event_preview preview;
};

static struct audit_view *audit_of(struct view *v)
{
    return (struct audit_view *)v;
}

static void title(struct view *v, struct strbuf *out)
{
    strbuf_addstr(out, "audit");
    if (*audit_of(v)->list.typed)
        strbuf_addf(out, " %s %s", glyph_text(&v->app->ui.screen, GLYPH_CRUMB),
                    audit_of(v)->list.typed);
}

/* How far back it was looked, where a filter leaves so little that it takes a while. */
static void add_progress(const struct happening_list *l, struct strbuf *out)
{
    if (l->begun && !l->complete && l->newest_seq > 0 && l->oldest_seq < l->newest_seq)
        strbuf_addf(out, " %s %d%% looked through", glyph_text(&l->view.app->ui.screen, GLYPH_DOT),
                    (int)(100 * (l->newest_seq - l->oldest_seq) / l->newest_seq));
}

static void counts(struct view *v, struct strbuf *out)
{
    struct happening_list *l = &audit_of(v)->list;
    happening_list_add_total(l, out);
    strbuf_addf(out, " event%s", l->view.count == 1 && l->complete ? "" : "s");
    if (*l->typed)
        add_progress(l, out);
}

static void layout(struct view *v, int height, int width)
{
    struct audit_view *a = audit_of(v);
    a->columns = happening_columns_fit(v->app, width, a->list.filter.session == 0, LOOK_AUDIT);
    happening_list_layout(&a->list, height);
}

static void draw_header(struct view *v, const struct pane *p)
{
    happening_columns_header(v->app, &audit_of(v)->columns, p);
}

static void draw_line(struct view *v, const struct pane *row, size_t line)
{
    struct audit_view *a = audit_of(v);
    const char *pattern = v->search.pattern[0] ? v->search.pattern : a->list.filter.pattern;
    happening_columns_row(v->app, &a->columns, row, happening_list_at(&a->list, line), pattern,
                          v->pan);
}

static void draw_preview(struct view *v, const struct pane *p)
{
    struct audit_view *a = audit_of(v);
    event_preview_draw(&a->preview, p, happening_list_cursor(&a->list));
}

static void scroll_preview(struct view *v, long lines)
{
    event_preview_scroll(&audit_of(v)->preview, lines);
}

static void news(struct view *v, const struct event *events, size_t count, bool whole)
{
    event_preview_changed(&audit_of(v)->preview);
    happening_list_news(v, events, count, whole);
}

static int64_t session_at_cursor(struct view *v)
{
    const struct happening *h = happening_list_cursor(&audit_of(v)->list);
    return h ? happening_session(h) : 0;
}

static const struct happening *happening_at(struct view *v, size_t line)
{
    return happening_list_at(&audit_of(v)->list, line);
}

static const char *empty(struct view *v)
{
    struct audit_view *a = audit_of(v);
    if (!a->list.complete)
        return "looking…";
    return *a->list.typed ? "nothing matches the filter; Esc clears it"
           : v->only_new  ? v->ui->nothing_new
                          : "nothing has happened here yet";
}

static bool request(struct view *v, enum view_request request)
{
    if (request == REQUEST_OPEN)
        return happening_list_open(v);
    if (request != REQUEST_REFRESH)
        return false;
    event_preview_changed(&audit_of(v)->preview);
    happening_list_read_anew(&audit_of(v)->list);
    return true;
}

static void release(struct view *v)
{
    event_preview_release(&audit_of(v)->preview);
    happening_list_release(v);
}

static const struct view_ops audit_ops = {
    .name = "audit",
    .place = IN_AUDIT,
    .preview = true,
    .own_preview = true,
    .title = title,
    .counts = counts,
    .layout = layout,
    .header_rows = 1,
    .draw_header = draw_header,
    .draw_line = draw_line,
    .draw_preview = draw_preview,
    .scroll_preview = scroll_preview,
    .node = happening_list_node,
    .text = happening_list_text,
    .partial = happening_list_partial,
    .empty = empty,
    .request = request,
    .position = happening_list_position,
    .shown = happening_list_stirred,
    .news = news,
    .stirred = happening_list_stirred,
    .only_new = happening_list_only_new,
    .held = happening_held_from,
    .filter = happening_typed_filter,
    .set_filter = happening_typed_set,
    .ask_filter = filter_field_ask,
    .session = session_at_cursor,
    .happening = happening_at,
    .release = release,
};

struct view *audit_view_new(struct app *x, const char *filter)
{
    struct audit_view *a = xcalloc(1, sizeof(*a));
    view_init(&a->list.view, &audit_ops, &x->ui);
    event_preview_open(&a->preview, x);
    happening_typed_begin(&a->list, filter);
    happening_list_begin(&a->list);
    return &a->list.view;
}
