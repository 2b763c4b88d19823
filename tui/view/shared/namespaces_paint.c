#include "tui/view/shared/namespaces_view.h"

#include "model/base/strbuf.h"
#include "tui/view/memory/facts_sheet.h"
#include "tui/widget/gauge.h"
#include "tui/render/permission_table.h"
#include "tui/explorer/rules.h"

/* ---- the lines ---- */

#define ITEMS      14 /* columns of a number and what is behind it, their bars apart */
#define BYTES      15
#define NAME_LEAST 14 /* columns of the name: what leaves it less is not shown */

/* "items ▆▆░ bytes ▆▆░ put expired data name" */
void namespaces_layout(struct view *v, int height, int width)
{
    struct namespaces_view *n = namespaces_of(v);
    int at = 3, room = width - at - NAME_LEAST;
    (void)height;
    n->at.bar = width >= 150 ? 14 : width >= 100 ? 8 : 5;
    if (room < ITEMS + BYTES + 2 * (1 + n->at.bar))
        n->at.bar = 0;
    int bar = n->at.bar ? 1 + n->at.bar : 0;
    n->at.items = room >= ITEMS ? at : 0;
    at += n->at.items ? ITEMS + bar : 0;
    n->at.bytes = room >= ITEMS + BYTES ? at : 0;
    at += n->at.bytes ? BYTES + bar : 0;
    n->at.put_width = v->app->prefs.exact_times ? 19 : 4;
    n->at.put = width - at >= n->at.put_width + 24 ? at : 0;
    at += n->at.put ? n->at.put_width + 2 : 0;
    n->at.expired = width - at >= 40 ? at : 0;
    at += n->at.expired ? 9 : 0;
    n->at.pii = width - at >= 26 ? at : 0;
    at += n->at.pii ? 8 : 0;
    n->at.name = at;
}

void namespaces_draw_header(struct view *v, const struct pane *p)
{
    const struct namespaces_view *n = namespaces_of(v);
    if (n->at.items)
        paint_right(p, 0, n->at.items, 12, STYLE_HEADER, "items");
    if (n->at.bytes)
        paint_right(p, 0, n->at.bytes, 13, STYLE_HEADER, "bytes");
    if (n->at.put)
        paint_right(p, 0, n->at.put, n->at.put_width, STYLE_HEADER, "put");
    if (n->at.expired)
        paint_right(p, 0, n->at.expired, 7, STYLE_HEADER, "expired");
    if (n->at.pii)
        paint_text(p, 0, n->at.pii, 7, STYLE_HEADER, "data");
    paint_text(p, 0, n->at.name, p->width - n->at.name, STYLE_HEADER, "namespace");
}

static void add_use(struct strbuf *out, int64_t used, int64_t most, bool bytes)
{
    char text[24];
    if (bytes)
        bytes_say(text, sizeof(text), used);
    else
        snprintf(text, sizeof(text), "%lld", (long long)used);
    strbuf_addstr(out, text);
    if (most <= 0)
        return;
    if (bytes)
        bytes_say(text, sizeof(text), most);
    else
        snprintf(text, sizeof(text), "%lld", (long long)most);
    strbuf_addf(out, "/%s", text);
}

static void draw_use(const struct pane *row, int column, int bar, int64_t used, int64_t most,
                     bool bytes)
{
    struct strbuf text = STRBUF_INIT;
    int width = bytes ? 13 : 12;
    if (!column)
        return;
    add_use(&text, used, most, bytes);
    paint_right(row, 0, column, width, gauge_style(used, most), text.buf);
    if (bar)
        gauge_draw(row, column + width + 1, bar, used, most);
    strbuf_release(&text);
}

void namespaces_draw_line(struct view *v, const struct pane *row, size_t line)
{
    const struct namespaces_view *n = namespaces_of(v);
    const struct namespace_row *r = namespaces_row(v, line);
    const char *pattern = v->search.pattern[0] ? v->search.pattern : n->filter;
    const struct namespace_policy *policy = permission_policy(rules_say(v->app, n->rules), r->name);
    struct facts_look look = ages_look(v->app);
    char text[40];
    if (view_name_id(r->name) == v->app->remote.touched)
        paint_text(row, 0, 2, 1, STYLE_CHIP, "!");
    else if (namespaces_put_since(v, r))
        paint_text(row, 0, 2, 1, STYLE_CHIP, "~");
    draw_use(row, n->at.items, n->at.bar, r->items, policy->max_items, false);
    draw_use(row, n->at.bytes, n->at.bar, r->bytes, policy->max_bytes, true);
    if (n->at.put && r->updated_at > 0) {
        facts_when(text, sizeof(text), r->updated_at, &look);
        paint_right(row, 0, n->at.put, n->at.put_width, STYLE_AGE, text);
    }
    if (n->at.expired && r->expired > 0) {
        snprintf(text, sizeof(text), "%lld", (long long)r->expired);
        paint_right(row, 0, n->at.expired, 7, STYLE_DIM, text);
    }
    if (n->at.pii)
        paint_text(row, 0, n->at.pii, 7,
                   policy->pii == PII_OFF      ? STYLE_UNGROUNDED
                   : policy->pii == PII_REFUSE ? STYLE_WEAKENED
                                               : STYLE_DIM,
                   pii_policy_name(policy->pii));
    struct strbuf name = STRBUF_INIT;
    namespaces_add_name(v, namespaces_row(v, line), &name);
    paint_name(row, 0, n->at.name, row->width - n->at.name - 1, STYLE_TEXT,
               name.buf ? name.buf : "", pattern);
    strbuf_release(&name);
}

/* ---- the preview ---- */

static void put(struct view *v, const struct pane *p, int *row, const char *name,
                struct strbuf *value)
{
    if (value->len == 0 || *row >= p->height)
        return;
    rules_mask(v->app, value);
    paint_text(p, *row, 1, 13, STYLE_FIELD, name);
    paint_text(p, (*row)++, 15, p->width - 16, STYLE_TEXT, value->buf ? value->buf : "");
}

static void put_policy(struct view *v, const struct pane *p, int *row,
                       const struct permissions *rules, const struct namespace_row *r)
{
    const struct namespace_policy *policy = permission_policy(rules, r->name);
    struct strbuf text = STRBUF_INIT;
    int64_t most = policy->max_items > 0 ? policy->max_items : r->items;
    add_use(&text, r->items, policy->max_items, false);
    strbuf_addstr(&text, most == 1 ? " entry, " : " entries, ");
    add_use(&text, r->bytes, policy->max_bytes, true);
    put(v, p, row, "holds", &text);
    strbuf_clear(&text);
    namespace_policy_say(policy, &text);
    if (policy->pattern)
        strbuf_addf(&text, " (%s)", policy->pattern);
    put(v, p, row, "policy", &text);
    for (int tool = 0; tool < MEMORY_TOOL_COUNT; tool++) {
        strbuf_clear(&text);
        rate_limit_say(permission_rate(rules, (enum memory_tool)tool, r->name), &text);
        put(v, p, row, memory_tool_name((enum memory_tool)tool), &text);
    }
    strbuf_release(&text);
}

static void draw_preview_rule(struct view *v, const struct pane *p)
{
    struct strbuf name = STRBUF_INIT, agent = STRBUF_INIT;
    namespaces_add_name(v, namespaces_row(v, v->selected), &name);
    strbuf_addstr(&agent, v->app->prefs.agent ? v->app->prefs.agent : "any agent");
    rules_mask(v->app, &agent);
    paint_rule(p, 0, name.buf ? name.buf : "", agent.buf ? agent.buf : "");
    strbuf_release(&name);
    strbuf_release(&agent);
}

void namespaces_draw_preview(struct view *v, const struct pane *p)
{
    const struct namespaces_view *n = namespaces_of(v);
    const char *agent = v->app->prefs.agent;
    int row = 1;
    if (v->selected >= v->count || p->height < 1) {
        paint_rule(p, 0, "", "");
        return;
    }
    const struct namespace_row *r = namespaces_row(v, v->selected);
    const struct permissions *rules = rules_say(v->app, n->rules);
    draw_preview_rule(v, p);
    put_policy(v, p, &row, rules, r);
    row++;
    for (size_t i = 0; i < PERMISSION_TOOLS && row < p->height; i++) {
        struct permission_rule rule = permission_explain(rules, agent, permission_tool[i], r->name);
        struct strbuf why = STRBUF_INIT;
        permission_rule_say(&rule, &why);
        rules_mask(v->app, &why);
        paint_text(p, row, 1, 13, STYLE_FIELD, memory_tool_name(permission_tool[i]));
        paint_text(p, row, 15, 7, rule.allowed ? STYLE_GROUNDED : STYLE_UNGROUNDED,
                   rule.allowed ? "allowed" : "denied");
        paint_text(p, row++, 24, p->width - 25, STYLE_DIM, why.buf ? why.buf : "");
        strbuf_release(&why);
    }
}
