/* The view of an agent's permissions in each namespace, by the current rules. */
#include "tui/view/shared/shared_views.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/entries/entry.h"
#include "tui/explorer/app.h"
#include "tui/explorer/rules.h"
#include "tui/render/permission_table.h"
#include "tui/text/match.h"
#include "tui/text/text.h"
#include "tui/view/memory/list_line.h"
#include "tui/widget/rows_view.h"

#define WIDE_CELL  14 /* width of a cell with the full name of a tool */
#define CELL       11
#define SMALL_CELL 7  /* width of a cell that tells only whether it is allowed */
#define NAME_MIN   14 /* columns of the name */

struct permissions_view {
    struct rows_view rows;     /* struct permission_row */
    char *agent;               /* NULL for any */
    size_t name_count;         /* existing namespaces */
    struct guard_rules *rules; /* referenced; the rows point into them */
};

static struct permissions_view *permissions_of(const struct view *v)
{
    return (struct permissions_view *)v;
}

/* ---- the rows ---- */

static int read_namespaces(struct rows *rows, struct reader *r, struct error *e)
{
    struct namespace_row *all;
    size_t count;
    if (namespace_list(r, &rows->arena, &all, &count, e))
        return -1;
    rows->row = xmemdup(all, count * sizeof(*all));
    rows->count = count;
    return 0;
}

/* The rules belong to the main thread, so it turns namespaces into rows of the table. */
static void taken(struct rows_view *v)
{
    struct permissions_view *t = permissions_of(&v->view);
    struct app *x = v->view.app;
    struct rows *rows = v->rows;
    struct permission_row *all = NULL;
    struct namespace_row *names = rows->row;
    guard_rules_release(t->rules);
    t->rules = rules_now(x);
    t->name_count = rows->count;
    permission_table(rules_permissions(x->config, t->rules), t->agent, names, t->name_count,
                     &rows->arena, &all, &rows->count);
    rows->row = xmemdup(all, rows->count * sizeof(*all));
    free(names);
}

static struct line_subject row_subject(const void *row)
{
    return (struct line_subject){.id = view_name_id(((const struct permission_row *)row)->name)};
}

static bool passes(struct rows_view *v, const void *row)
{
    AUTO_STRBUF name = STRBUF_INIT;
    ui_mask_name(v->view.ui, ((const struct permission_row *)row)->name, &name);
    return !*v->view.filter || match_text(name.buf, v->view.filter);
}

/* ---- drawing ---- */

/* A time that does not fit is left out, since a cut number would be wrong; the preview has it. */
static void draw_cell(const struct pane *p, int column, int width, const struct permission_row *row,
                      size_t tool)
{
    AUTO_STRBUF text = STRBUF_INIT;
    permission_cell_describe(row, tool, &text);
    size_t word = strcspn(text.buf, " ");
    if (text.len > (size_t)width && word < text.len)
        width = (int)word + 1; /* for the ellipsis */
    paint_text(p, 0, column, width, row->rule[tool].allowed ? STYLE_SUPPORTED : STYLE_UNSUPPORTED,
               text.buf);
}

/* Draws "list get put delete name held to". Tools are dropped if they leave too little room for the name. With `one`
 * NULL draws the column headers. */
static void draw(struct view *v, const struct pane *row, const void *one)
{
    static const char *const short_names[PERMISSION_TOOLS] = {"list", "get", "put", "delete"};
    const struct permission_row *r = one;
    struct list_line l = line_begin(v, row, !r, 4, NULL);
    AUTO_STRBUF text = STRBUF_INIT;
    int room = row->width - l.at - NAME_MIN, tools = PERMISSION_TOOLS;
    int cell = row->width >= 110 ? WIDE_CELL : room >= PERMISSION_TOOLS * CELL ? CELL : SMALL_CELL;
    for (; tools > 0 && tools * cell > room; tools--)
        ;
    for (int i = 0; i < tools; i++, l.at += cell)
        if (r)
            draw_cell(row, l.at + column_shift(v, short_names[i]), cell - 1, r, (size_t)i);
        else
            heading_draw(v, row, short_names[i],
                         cell < WIDE_CELL ? NULL : memory_tool_name(permission_tool[i]), l.at,
                         cell - 2, false);
    room = row->width - l.at;
    if (r)
        ui_mask_name(v->ui, r->name, &text);
    line_cell(&l,
              room <= 60      ? room
              : room / 2 < 40 ? room / 2
                              : 40,
              "namespace or pattern", r && r->pattern ? STYLE_DIM : STYLE_TEXT, text.buf);
    strbuf_clear(&text);
    if (r)
        namespace_limits_describe(rules_permissions(v->app->config, permissions_of(v)->rules), r,
                                  &text);
    l.pattern = NULL;
    if (room > 60)
        line_cell(&l, l.end - l.at - 1, "limits", STYLE_DIM, text.buf);
}

static void draw_header(struct view *v, const struct pane *p)
{
    const struct permissions_view *t = permissions_of(v);
    const struct permissions *rules = rules_permissions(v->app->config, t->rules);
    struct pane names = pane_row(p, 1);
    AUTO_STRBUF parts = STRBUF_INIT;
    permission_context_describe(rules, t->agent, &parts);
    strbuf_addf(&parts, "; other agents' memories: %s",
                rules->share ? "all of them" : "only ref and owner");
    int at = 3 + paint_text(p, 0, 3, 12, STYLE_FIELD, "getContext") + 2;
    paint_text(p, 0, at, p->width - at - 1, STYLE_TEXT, parts.buf);
    draw(v, &names, NULL);
}

void permission_rules_draw(struct view *v, const struct pane *p, int *row,
                           const struct permission_rule *rules)
{
    for (size_t i = 0; i < PERMISSION_TOOLS && *row < p->height; i++) {
        AUTO_STRBUF why = STRBUF_INIT;
        permission_rule_describe(&rules[i], &why);
        ui_mask(v->ui, &why);
        paint_text(p, *row, 1, 13, STYLE_FIELD, memory_tool_name(permission_tool[i]));
        paint_text(p, *row, 15, 7, rules[i].allowed ? STYLE_SUPPORTED : STYLE_UNSUPPORTED,
                   rules[i].allowed ? "allowed" : "denied");
        paint_text(p, (*row)++, 24, p->width - 25, STYLE_TEXT, why.buf);
    }
}

static void draw_held_to(struct view *v, const struct permission_row *r, const struct pane *p,
                         int row)
{
    const struct permissions *rules = rules_permissions(v->app->config, permissions_of(v)->rules);
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF text = STRBUF_INIT;
    struct text_line *lines;
    size_t width = p->width > 17 ? (size_t)p->width - 16 : 1;
    namespace_limits_describe(rules, r, &text);
    size_t count = text_wrap(&arena, text.buf, text.len, width, SIZE_MAX, 0, &lines);
    paint_text(p, row, 1, 13, STYLE_FIELD, "limits");
    for (size_t i = 0; i < count; i++)
        paint_text(p, row + (int)i, 15, (int)width, STYLE_TEXT, lines[i].text);
}

static void draw_preview(struct view *v, const struct pane *p)
{
    AUTO_STRBUF text = STRBUF_INIT;
    int row = 1;
    if (v->cursor >= v->count || p->height < 1) {
        paint_rule(p, 0, "", "");
        return;
    }
    const struct permission_row *r = rows_view_at(v, v->cursor);
    ui_mask_name(v->ui, r->name, &text);
    paint_rule(p, 0, text.buf, r->pattern ? "pattern" : "namespace");
    permission_rules_draw(v, p, &row, r->rule);
    draw_held_to(v, r, p, row + 1);
}

/* ---- the view ---- */

static void title(struct view *v, struct strbuf *out)
{
    const struct permissions_view *t = permissions_of(v);
    strbuf_addf(out, "permissions %s %s", glyph_text(&v->ui->screen, GLYPH_CRUMB),
                t->agent ? t->agent : "any agent");
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct permissions_view *t = permissions_of(v);
    const struct permissions *rules = rules_permissions(v->app->config, t->rules);
    if (!rows_view_known(v))
        return;
    size_t patterns = 0;
    const struct permission_row *all = t->rows.rows->row;
    for (size_t i = 0; i < t->rows.rows->count; i++)
        patterns += all[i].pattern;
    strbuf_addf(out, "%zu namespace%s", t->name_count, t->name_count == 1 ? "" : "s");
    if (patterns > 0)
        strbuf_addf(out, ", %zu pattern%s", patterns, patterns == 1 ? "" : "s");
    if (rules->agent_count > 0)
        strbuf_addf(out, " %s %zu agent%s with grants of their own",
                    glyph_text(&v->ui->screen, GLYPH_DOT), rules->agent_count,
                    rules->agent_count == 1 ? "" : "s");
}

static void text(struct view *v, size_t line, struct strbuf *out)
{
    ui_mask_name(v->ui, ((const struct permission_row *)rows_view_at(v, line))->name, out);
}

static bool request(struct view *v, enum view_request request)
{
    const struct permission_row *r = rows_view_at(v, v->cursor);
    if (request != REQUEST_OPEN || !r)
        return false;
    if (r->pattern)
        ui_message(v->ui, "a pattern of the configuration: it has no entries of its own");
    else
        app_push(v->app, entries_view_new(v->ui, r->name));
    return true;
}

static void release(struct view *v)
{
    struct permissions_view *t = permissions_of(v);
    guard_rules_release(t->rules);
    rows_view_release(v);
    free(t->agent);
}

static const struct rows_column permission_columns[] = {
    ROWS_COLUMN("list", BY_FLAG, permission_row, rule[0].allowed),
    ROWS_COLUMN("get", BY_FLAG, permission_row, rule[1].allowed),
    ROWS_COLUMN("put", BY_FLAG, permission_row, rule[2].allowed),
    ROWS_COLUMN("delete", BY_FLAG, permission_row, rule[3].allowed),
    ROWS_COLUMN("namespace or pattern", BY_TEXT, permission_row, name),
    {.name = NULL},
};

static const struct rows_ops permission_rows = {.job = "reading the namespaces",
                                                .size = sizeof(struct permission_row),
                                                .read = read_namespaces,
                                                .subject = row_subject,
                                                .passes = passes,
                                                .draw = draw,
                                                .columns = permission_columns,
                                                .fixed = "limits have no order",
                                                .taken = taken,
                                                .nothing = "there are no grants and no entries"};

static const struct view_ops permissions_ops = {
    .name = "permissions",
    ROWS_VIEW_OPS,
    .has = HAS_FILTER | HAS_ORDER,
    .bar = "show=entries,agent=agent,filter,search",
    .own_preview = true,
    .title = title,
    .counts = counts,
    .header_rows = 2,
    .draw_header = draw_header,
    .draw_preview = draw_preview,
    .text = text,
    .request = request,
    .release = release,
};

void permissions_view_of(struct view *v, const char *agent)
{
    struct permissions_view *t = permissions_of(v);
    char *name = agent ? xstrdup(agent) : NULL;
    free(t->agent);
    t->agent = name;
    view_load(&t->rows.view);
}

struct view *permissions_view_new(struct ui *ui, const char *agent)
{
    struct permissions_view *t = rows_view_new(sizeof(*t), &permissions_ops, &permission_rows, ui);
    t->agent = agent ? xstrdup(agent) : NULL;
    view_load(&t->rows.view);
    return &t->rows.view;
}
