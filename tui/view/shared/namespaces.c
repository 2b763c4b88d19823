/* The view of namespaces, and their order. */
#include "tui/view/shared/shared_views.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/explorer/rules.h"
#include "tui/render/permission_table.h"
#include "tui/text/match.h"
#include "tui/view/memory/list_line.h"
#include "tui/widget/ui.h"
#include "tui/widget/rows_view.h"
#include "store/record/entry_row.h"

struct namespaces_view {
    struct rows_view rows;     /* struct namespace_row, read by name */
    struct guard_rules *rules; /* referenced; the rules used for the rows */
};

static struct namespaces_view *namespaces_of(const struct view *v)
{
    return (struct namespaces_view *)v;
}

static const struct namespace_row *at_cursor(const struct view *v)
{
    return rows_view_at(v, v->cursor);
}

/* Whether anything was written there since the last visit. */
static bool put_since(const struct view *v, const struct namespace_row *r)
{
    return r->updated_at > v->app->unread.at;
}

static double share(int64_t used, int64_t most)
{
    return most > 0 ? (double)used / (double)most : 0;
}

/* How near it is to its quota. */
static double fullness(struct view *v, const void *row)
{
    const struct namespace_row *r = row;
    const struct namespace_policy *policy =
        permission_policy(rules_permissions(v->app->config, namespaces_of(v)->rules), r->name);
    return fmax(share(r->items, policy->max_items), share(r->bytes, policy->max_bytes));
}

static void add_data(struct view *v, const void *row, struct strbuf *out)
{
    const struct namespace_row *r = row;
    const struct permissions *rules = rules_permissions(v->app->config, namespaces_of(v)->rules);
    strbuf_addstr(out, pii_policy_name(permission_policy(rules, r->name)->pii));
}

#define COLUMN(name, type, member) ROWS_COLUMN(name, type, namespace_row, member)
static const struct rows_column namespace_columns[] = {
    COLUMN("items", BY_INT64, items),
    COLUMN("bytes", BY_INT64, bytes),
    COLUMN("put", BY_TIME, updated_at),
    COLUMN("expired", BY_INT64, expired),
    ROWS_TEXT("data", add_data),
    COLUMN("namespace", BY_TEXT, name),
    ROWS_NUMBER("fullest", fullness), /* the bars */
    {.name = NULL},
};

static bool passes(struct rows_view *v, const void *row)
{
    AUTO_STRBUF name = STRBUF_INIT;
    if (v->view.only_new && !put_since(&v->view, row))
        return false;
    ui_mask_name(v->view.ui, ((const struct namespace_row *)row)->name, &name);
    return !*v->view.filter || match_text(name.buf, v->view.filter);
}

/* ---- the lines ---- */

#define ITEMS    14 /* columns of a number with its unit, without the bar */
#define BYTES    15
#define NAME_MIN 14 /* columns that the name keeps; other columns are dropped for it */

static void add_use(struct strbuf *out, int64_t used, int64_t most, bool bytes)
{
    const int64_t numbers[] = {used, most};
    for (int i = 0; i < 1 + (most > 0); i++) {
        char text[24];
        if (bytes)
            format_bytes(text, sizeof(text), numbers[i]);
        else
            snprintf(text, sizeof(text), "%lld", (long long)numbers[i]);
        strbuf_addf(out, "%s%s", i ? "/" : "", text);
    }
}

/* Draws "12/100 ▆▆░": a number, and a bar of the used quota. */
static void draw_use(struct list_line *l, const char *name, int bar, int64_t used, int64_t most,
                     bool bytes)
{
    AUTO_STRBUF text = STRBUF_INIT;
    add_use(&text, used, most, bytes);
    int before = l->at;
    line_right(l, bytes ? 13 : 12, name, gauge_style(used, most), text.buf);
    bar = l->at > before ? bar : 0;
    if (bar && !l->names)
        gauge_draw(l->pane, l->at - 1 + column_shift(l->view, name), bar, used, most);
    l->at += bar ? 1 + bar : 0;
}

/* Draws "items ▆▆░ bytes ▆▆░ put expired data name"; with `r` NULL the column headers. */
static void draw(struct view *v, const struct pane *row, const void *one)
{
    static const struct namespace_row none = {.name = ""};
    const struct namespace_row *r = one;
    const struct namespaces_view *n = namespaces_of(v);
    struct list_line l = line_begin(v, row, !r, 3, v->filter);
    int room = row->width - l.at - NAME_MIN;
    int bar = row->width >= 150 ? 14 : row->width >= 100 ? 8 : 5;
    bar = room < ITEMS + BYTES + 2 * (1 + bar) ? 0 : bar;
    r = r ? r : &none;
    const struct namespace_policy *policy =
        permission_policy(rules_permissions(v->app->config, n->rules), r->name);
    AUTO_STRBUF name = STRBUF_INIT;
    char expired[24] = "";
    if (!l.names && view_name_id(r->name) == v->app->remote.touched)
        paint_text(row, 0, 2, 1, STYLE_CHIP, "!");
    else if (!l.names && put_since(v, r))
        paint_text(row, 0, 2, 1, STYLE_CHIP, "~");
    if (room >= ITEMS)
        draw_use(&l, "items", bar, r->items, policy->max_items, false);
    if (room >= ITEMS + BYTES)
        draw_use(&l, "bytes", bar, r->bytes, policy->max_bytes, true);
    if (l.end - l.at >= line_when_width(&l) + 24)
        line_when(&l, "put", "put", r->updated_at);
    if (r->expired > 0)
        snprintf(expired, sizeof(expired), "%lld", (long long)r->expired);
    if (l.end - l.at >= 40)
        line_right(&l, 7, "expired", STYLE_DIM, expired);
    if (l.end - l.at >= 26) {
        line_cell(&l, 7, "data",
                  policy->pii == PII_OFF      ? STYLE_UNSUPPORTED
                  : policy->pii == PII_REFUSE ? STYLE_WEAKENED
                                              : STYLE_DIM,
                  pii_policy_name(policy->pii));
        l.at--;
    }
    ui_mask_name(v->ui, r->name, &name);
    line_cell(&l, l.end - l.at - 1, "namespace", STYLE_TEXT, name.buf);
}

/* ---- the preview ---- */

static void put(struct view *v, const struct pane *p, int *row, const char *name,
                struct strbuf *value)
{
    if (value->len == 0 || *row >= p->height)
        return;
    ui_mask(v->ui, value);
    paint_text(p, *row, 1, 13, STYLE_FIELD, name);
    paint_text(p, (*row)++, 15, p->width - 16, STYLE_TEXT, value->buf);
}

static void put_policy(struct view *v, const struct pane *p, int *row,
                       const struct permissions *rules, const struct namespace_row *r)
{
    const struct namespace_policy *policy = permission_policy(rules, r->name);
    AUTO_STRBUF text = STRBUF_INIT;
    int64_t most = policy->max_items > 0 ? policy->max_items : r->items;
    add_use(&text, r->items, policy->max_items, false);
    strbuf_addstr(&text, most == 1 ? " entry, " : " entries, ");
    add_use(&text, r->bytes, policy->max_bytes, true);
    put(v, p, row, "holds", &text);
    strbuf_clear(&text);
    namespace_policy_describe(policy, &text);
    if (policy->pattern)
        strbuf_addf(&text, " (%s)", policy->pattern);
    put(v, p, row, "policy", &text);
    for (int tool = 0; tool < MEMORY_TOOL_COUNT; tool++) {
        strbuf_clear(&text);
        rate_limit_describe(permission_rate(rules, (enum memory_tool)tool, r->name), &text);
        put(v, p, row, memory_tool_name((enum memory_tool)tool), &text);
    }
}

static void draw_preview_rule(struct view *v, const struct pane *p)
{
    AUTO_STRBUF name = STRBUF_INIT, agent = STRBUF_INIT;
    ui_mask_name(v->ui, at_cursor(v)->name, &name);
    ui_mask_name(v->ui, v->ui->prefs->agent ? v->ui->prefs->agent : "any agent", &agent);
    paint_rule(p, 0, name.buf, agent.buf);
}

/* Draws the limits of the namespace under the cursor, and the permissions there. */
static void draw_preview(struct view *v, const struct pane *p)
{
    const struct namespaces_view *n = namespaces_of(v);
    const char *agent = v->ui->prefs->agent;
    struct permission_rule rule[PERMISSION_TOOLS];
    int row = 1;
    if (v->cursor >= v->count || p->height < 1) {
        paint_rule(p, 0, "", "");
        return;
    }
    const struct namespace_row *r = at_cursor(v);
    const struct permissions *rules = rules_permissions(v->app->config, n->rules);
    draw_preview_rule(v, p);
    put_policy(v, p, &row, rules, r);
    row++;
    for (size_t i = 0; i < PERMISSION_TOOLS; i++)
        rule[i] = permission_explain(rules, agent, permission_tool[i], r->name);
    permission_rules_draw(v, p, &row, rule);
}

/* ---- reading ---- */

static int read_namespaces(struct rows *rows, struct reader *r, struct error *e)
{
    struct namespace_row *all;
    size_t count;
    if (namespace_list(r, &rows->arena, &all, &count, e))
        return -1;
    for (size_t i = 0; i < count; i++)
        *(struct namespace_row *)rows_add(rows) = all[i];
    return 0;
}

static struct line_subject row_subject(const void *row)
{
    return (struct line_subject){.id = view_name_id(((const struct namespace_row *)row)->name)};
}

static void taken(struct rows_view *v)
{
    struct namespaces_view *n = namespaces_of(&v->view);
    guard_rules_release(n->rules);
    n->rules = rules_now(v->view.app);
}

static const struct rows_ops namespace_rows = {
    .job = "reading the namespaces",
    .size = sizeof(struct namespace_row),
    .read = read_namespaces,
    .subject = row_subject,
    .draw = draw,
    .passes = passes,
    .columns = namespace_columns,
    .taken = taken,
    .nothing = "there are no entries; agents write them with putMemory"};

/* ---- the view ---- */

static void counts(struct view *v, struct strbuf *out)
{
    const struct namespaces_view *n = namespaces_of(v);
    int64_t items = 0;
    for (size_t i = 0; i < v->count; i++)
        items += ((const struct namespace_row *)rows_view_at(v, i))->items;
    if (!rows_view_known(v))
        return;
    size_t all = n->rows.rows->count;
    if (*v->filter || v->only_new)
        strbuf_addf(out, "%zu of ", v->count);
    strbuf_addf(out, "%zu namespace%s %s %lld entr%s", all, all == 1 ? "" : "s",
                glyph_text(&v->ui->screen, GLYPH_DOT), (long long)items, items == 1 ? "y" : "ies");
}

static void text(struct view *v, size_t line, struct strbuf *out)
{
    ui_mask_name(v->ui, ((const struct namespace_row *)rows_view_at(v, line))->name, out);
}

static bool touched(struct view *v, const struct event *event)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct error e;
    const char *name = NULL;
    const struct namespace_row *here = at_cursor(v);
    return here && event->ref.id && event->ref.kind == KIND_ENTRY &&
           !entry_namespace(v->ui->data->reader, &arena, event->subject, &name, &e) && name &&
           !strcmp(name, here->name);
}

static bool request(struct view *v, enum view_request request)
{
    const struct namespace_row *r = request == REQUEST_OPEN ? at_cursor(v) : NULL;
    if (r)
        app_push(v->app, entries_view_new(v->ui, r->name));
    return r != NULL;
}

static void release(struct view *v)
{
    guard_rules_release(namespaces_of(v)->rules);
    rows_view_release(v);
}

static const struct view_ops namespaces_ops = {
    .name = "namespaces",
    ROWS_VIEW_OPS,
    .has = HAS_FILTER | HAS_NEW | HAS_ORDER | HAS_SHARED | HAS_EVERYONE,
    .bar = "show=entries,filter,order,search",
    .own_preview = true,
    .counts = counts,
    .draw_preview = draw_preview,
    .text = text,
    .touched = touched,
    .request = request,
    .release = release,
};

struct view *namespaces_view_new(struct ui *ui)
{
    struct namespaces_view *n = rows_view_new(sizeof(*n), &namespaces_ops, &namespace_rows, ui);
    taken(&n->rows);
    view_load(&n->rows.view);
    return &n->rows.view;
}
