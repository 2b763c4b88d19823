#include "tui/view/shared/permissions.h"

#include <string.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/explorer/rules.h"
#include "tui/render/permission_table.h"
#include "tui/text/text.h"
#include "tui/view/shared/entries.h"
#include "tui/view/shared/namespaces.h"

#define WIDE_CELL  14 /* columns in which a tool has its whole name */
#define CELL       11
#define SMALL_CELL 7  /* columns in which it is said whether it is allowed */
#define NAME_LEAST 14 /* columns of the name: tools that leave it less have none */

struct permissions_view {
    struct view view;
    char *agent;        /* NULL: any */
    struct arena names; /* of the namespaces that are there */
    struct namespace_row *name;
    size_t name_count;
    struct guard_rules *rules; /* held; the rows point into them */
    struct arena arena;        /* of the rows */
    struct permission_row *row;
    bool read;
    int tools;               /* so many have a column, the first ones */
    int cell;                /* columns of one */
    int name_at, name_width; /* where the name begins */
    int policy;              /* where the policy begins; 0: it is not shown */
};

static struct permissions_view *permissions_of(const struct view *v)
{
    return (struct permissions_view *)v;
}

/* ---- the rows ---- */

static void make_rows(struct permissions_view *t)
{
    struct app *x = t->view.app;
    struct error e;
    size_t rows = 0;
    struct guard_rules *rules = rules_now(x);
    view_set_count(&t->view, 0);
    arena_clear(&t->arena);
    guard_rules_release(t->rules);
    t->rules = rules;
    if (permission_table(rules_say(x, rules), t->agent, t->name, t->name_count, &t->arena, &t->row,
                         &rows, &e))
        app_fail(x, &e);
    view_set_count(&t->view, rows);
}

static void done(struct job *job, const struct error *e)
{
    struct namespaces_job *j = (struct namespaces_job *)job;
    struct permissions_view *t = permissions_of(j->view);
    size_t selected = t->view.selected, top = t->view.top;
    if (e->code != ERROR_NONE) {
        app_fail(t->view.app, e);
        return;
    }
    t->name = j->row;
    t->name_count = j->count;
    make_rows(t);
    arena_release(&t->names);
    t->names = j->arena;
    j->arena = (struct arena)ARENA_INIT;
    t->read = true;
    if (selected < t->view.count) {
        view_select(&t->view, selected);
        t->view.top = top;
        view_reveal(&t->view);
    }
    view_search_again(&t->view);
    calm_rest(&t->view.calm, job->begun);
}

static const struct job_ops job_ops = {.name = "reading the namespaces",
                                       .run = namespaces_job_run,
                                       .done = done,
                                       .release = namespaces_job_release};

static void load(struct view *v)
{
    namespaces_job_submit(v, &job_ops);
}

/* ---- drawing ---- */

/* As it is shown; the row's own name is what is meant. */
static void add_shown(const struct view *v, size_t line, struct strbuf *out)
{
    strbuf_addstr(out, permissions_of(v)->row[line].name);
    rules_mask(v->app, out);
}

static void layout(struct view *v, int height, int width)
{
    struct permissions_view *t = permissions_of(v);
    (void)height;
    int room = width - 4 - NAME_LEAST;
    t->cell = width >= 110 ? WIDE_CELL : room >= PERMISSION_TOOLS * CELL ? CELL : SMALL_CELL;
    t->tools = PERMISSION_TOOLS;
    while (t->tools > 0 && t->tools * t->cell > room)
        t->tools--;
    t->name_at = 4 + t->tools * t->cell;
    t->name_width = width - t->name_at;
    t->policy = 0;
    if (t->name_width > 60) {
        t->name_width = t->name_width / 2 < 40 ? t->name_width / 2 : 40;
        t->policy = t->name_at + t->name_width + 2;
    }
}

static int header(struct view *v)
{
    (void)v;
    return 2;
}

static void draw_header(struct view *v, const struct pane *p)
{
    const struct permissions_view *t = permissions_of(v);
    const struct permissions *rules = rules_say(v->app, t->rules);
    static const char *const short_names[PERMISSION_TOOLS] = {"list", "get", "put", "delete"};
    struct strbuf parts = STRBUF_INIT;
    permission_context_say(rules, t->agent, &parts);
    strbuf_addf(&parts, "; other agents' memories: %s",
                rules->share ? "all of them" : "ref and owner");
    int at = 3 + paint_text(p, 0, 3, 12, STYLE_FIELD, "getContext") + 2;
    paint_text(p, 0, at, p->width - at - 1, STYLE_TEXT, parts.buf);
    strbuf_release(&parts);
    for (int i = 0; i < t->tools; i++)
        paint_text(p, 1, 4 + i * t->cell, t->cell - 1, STYLE_HEADER,
                   t->cell < WIDE_CELL ? short_names[i] : memory_tool_name(permission_tool[i]));
    paint_text(p, 1, t->name_at, t->name_width, STYLE_HEADER, "namespace or pattern");
    if (t->policy)
        paint_text(p, 1, t->policy, p->width - t->policy, STYLE_HEADER, "held to");
}

/* A time that has no room is left out as a whole, for what is cut of it would be another one: it stands below. */
static void draw_cell(const struct pane *p, int column, int width, const struct permission_row *row,
                      size_t tool)
{
    struct strbuf text = STRBUF_INIT;
    permission_cell_say(row, tool, &text);
    size_t word = strcspn(text.buf ? text.buf : "", " ");
    if (text.len > (size_t)width && word < text.len)
        width = (int)word + 1; /* the ellipsis */
    paint_text(p, 0, column, width, row->rule[tool].allowed ? STYLE_GROUNDED : STYLE_UNGROUNDED,
               text.buf ? text.buf : "");
    strbuf_release(&text);
}

static void draw_line(struct view *v, const struct pane *row, size_t line)
{
    const struct permissions_view *t = permissions_of(v);
    const struct permission_row *r = &t->row[line];
    struct strbuf text = STRBUF_INIT;
    for (int i = 0; i < t->tools; i++)
        draw_cell(row, 4 + i * t->cell, t->cell - 1, r, (size_t)i);
    add_shown(v, line, &text);
    paint_name(row, 0, t->name_at, t->name_width, r->pattern ? STYLE_DIM : STYLE_TEXT,
               text.buf ? text.buf : "", v->search.pattern);
    if (t->policy) {
        strbuf_clear(&text);
        namespace_held_to_say(rules_say(v->app, t->rules), r, &text);
        paint_text(row, 0, t->policy, row->width - t->policy - 1, STYLE_DIM, text.buf);
    }
    strbuf_release(&text);
}

/* Which rule decides each of them. */
static void draw_rules(struct view *v, const struct permission_row *r, const struct pane *p,
                       int *row)
{
    for (size_t i = 0; i < PERMISSION_TOOLS && *row < p->height; i++) {
        struct strbuf why = STRBUF_INIT;
        permission_rule_say(&r->rule[i], &why);
        rules_mask(v->app, &why);
        paint_text(p, *row, 1, 13, STYLE_FIELD, memory_tool_name(permission_tool[i]));
        paint_text(p, *row, 15, 7, r->rule[i].allowed ? STYLE_GROUNDED : STYLE_UNGROUNDED,
                   r->rule[i].allowed ? "allowed" : "denied");
        paint_text(p, (*row)++, 24, p->width - 25, STYLE_TEXT, why.buf ? why.buf : "");
        strbuf_release(&why);
    }
}

static void draw_held_to(struct view *v, const struct permission_row *r, const struct pane *p,
                         int row)
{
    const struct permissions *rules = rules_say(v->app, permissions_of(v)->rules);
    struct arena arena = ARENA_INIT;
    struct strbuf text = STRBUF_INIT;
    struct text_line *lines;
    size_t width = p->width > 17 ? (size_t)p->width - 16 : 1;
    namespace_held_to_say(rules, r, &text);
    long count = text_wrap(&arena, text.buf, text.len, width, SIZE_MAX, 0, &lines);
    paint_text(p, row, 1, 13, STYLE_FIELD, "held to");
    for (long i = 0; i < count; i++)
        paint_text(p, row + (int)i, 15, (int)width, STYLE_TEXT, lines[i].text);
    strbuf_release(&text);
    arena_release(&arena);
}

static void draw_preview(struct view *v, const struct pane *p)
{
    const struct permissions_view *t = permissions_of(v);
    struct strbuf text = STRBUF_INIT;
    int row = 1;
    if (v->selected >= v->count || p->height < 1) {
        paint_rule(p, 0, "", "");
        return;
    }
    const struct permission_row *r = &t->row[v->selected];
    add_shown(v, v->selected, &text);
    paint_rule(p, 0, text.buf ? text.buf : "", r->pattern ? "pattern" : "namespace");
    draw_rules(v, r, p, &row);
    draw_held_to(v, r, p, row + 1);
    strbuf_release(&text);
}

/* ---- the view ---- */

static void title(struct view *v, struct strbuf *out)
{
    const struct permissions_view *t = permissions_of(v);
    strbuf_addf(out, "permissions %s %s", glyph_text(&v->app->ui.screen, GLYPH_CRUMB),
                t->agent ? t->agent : "any agent");
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct permissions_view *t = permissions_of(v);
    const struct permissions *rules = rules_say(v->app, t->rules);
    if (!t->read)
        return;
    size_t patterns = 0;
    for (size_t i = 0; i < v->count; i++)
        patterns += t->row[i].pattern;
    strbuf_addf(out, "%zu namespace%s", t->name_count, t->name_count == 1 ? "" : "s");
    if (patterns > 0)
        strbuf_addf(out, ", %zu pattern%s", patterns, patterns == 1 ? "" : "s");
    if (rules->agent_count > 0)
        strbuf_addf(out, " %s %zu agent%s with grants of their own",
                    glyph_text(&v->app->ui.screen, GLYPH_DOT), rules->agent_count,
                    rules->agent_count == 1 ? "" : "s");
}

static void text(struct view *v, size_t line, struct strbuf *out)
{
    add_shown(v, line, out);
}

static const char *empty(struct view *v)
{
    return permissions_of(v)->read ? "nothing is granted to anybody, and there are no entries"
                                   : "reading…";
}

static bool request(struct view *v, enum view_request request)
{
    const struct permissions_view *t = permissions_of(v);
    switch (request) {
    case REQUEST_OPEN:
        if (v->selected >= v->count)
            return true;
        if (t->row[v->selected].pattern)
            app_say(v->app, "a pattern of the configuration: it has no entries of its own");
        else
            app_push(v->app, entries_view_new(v->app, t->row[v->selected].name));
        return true;
    default:
        return false;
    }
}

static void release(struct view *v)
{
    struct permissions_view *t = permissions_of(v);
    guard_rules_release(t->rules);
    arena_release(&t->names);
    arena_release(&t->arena);
    free(t->agent);
}

static const struct view_ops permissions_ops = {
    .name = "permissions",
    .place = IN_PERMISSIONS,
    .preview = true,
    .own_preview = true,
    .title = title,
    .counts = counts,
    .layout = layout,
    .header = header,
    .draw_header = draw_header,
    .draw_line = draw_line,
    .draw_preview = draw_preview,
    .text = text,
    .empty = empty,
    .request = request,
    .load = load,
    .release = release,
};

void permissions_view_of(struct view *v, const char *agent)
{
    struct permissions_view *t = permissions_of(v);
    char *name = agent ? xstrdup(agent) : NULL;
    free(t->agent);
    t->agent = name;
    view_load(&t->view);
}

struct view *permissions_view_new(struct app *x, const char *agent)
{
    struct permissions_view *t = xcalloc(1, sizeof(*t));
    view_init(&t->view, &permissions_ops, &x->ui);
    t->names = (struct arena)ARENA_INIT;
    t->arena = (struct arena)ARENA_INIT;
    t->agent = agent ? xstrdup(agent) : NULL;
    view_load(&t->view);
    return &t->view;
}
