#include "tui/view/events/event_views.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/view/events/event_facts.h"
#include "tui/view/events/audit_filter.h"
#include "tui/view/events/activity_list.h"
#include "tui/explorer/visit.h"

static void title(struct view *v, struct strbuf *out)
{
    happening_list_title(v, "audit", out);
}

/* How far back it was looked, where a filter leaves so little that it takes a while. */
static void counts(struct view *v, struct strbuf *out)
{
    const struct happening_list *l = (const struct happening_list *)v;
    happening_list_counts(v, out);
    if (*l->typed && l->begun && !l->complete && l->newest_seq > 0 && l->oldest_seq < l->newest_seq)
        strbuf_addf(out, " %s %d%% looked through", glyph_text(&v->ui->screen, GLYPH_DOT),
                    (int)(100 * (l->newest_seq - l->oldest_seq) / l->newest_seq));
}

static const struct view_ops audit_ops = {
    .name = "audit",
    .place = IN_AUDIT,
    .preview = true,
    .own_preview = true,
    .title = title,
    .counts = counts,
    .layout = happening_list_layout,
    .header_rows = 1,
    .draw_header = happening_list_draw_header,
    .draw_line = happening_list_draw_line,
    .draw_preview = happening_list_draw_preview,
    .scroll_preview = happening_list_scroll_preview,
    .node = happening_list_node,
    .text = happening_list_text,
    .partial = happening_list_partial,
    .empty = happening_list_empty,
    .request = happening_list_request,
    .position = happening_list_position,
    .shown = happening_list_stirred,
    .news = happening_list_news,
    .stirred = happening_list_stirred,
    .only_new = happening_list_only_new,
    .held = happening_held_from,
    .filter = happening_typed_filter,
    .set_filter = happening_typed_set,
    .ask_filter = filter_field_ask,
    .session = happening_list_session,
    .happening = happening_list_happening,
    .release = happening_list_release,
};

struct view *audit_view_new(struct app *x, const char *filter)
{
    struct happening_list *l = xcalloc(1, sizeof(*l));
    happening_list_init(l, &audit_ops, x, LOOK_AUDIT);
    happening_typed_begin(l, filter);
    happening_list_begin(l);
    return &l->view;
}
