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
    HAPPENING_LIST_OPS,
    .place = IN_AUDIT,
    .own_preview = true,
    .title = title,
    .counts = counts,
    .layout = happening_list_layout,
    .header_rows = 1,
    .draw_header = happening_list_draw_header,
    .draw_preview = happening_list_draw_preview,
    .scroll_preview = happening_list_scroll_preview,
    .request = happening_list_request,
    .news = happening_list_news,
    .held = happening_held_from,
    .filter = happening_typed_filter,
    .set_filter = happening_typed_set,
    .ask_filter = filter_field_ask,
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
