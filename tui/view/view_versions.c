#include "tui/view/view_versions.h"

#include "model/base/alloc.h"
#include "model/format/difference.h"
#include "model/base/strbuf.h"
#include "store/history/history.h"
#include "tui/explorer/app.h"
#include "tui/render/difference_sheet.h"
#include "tui/render/facts_sheet.h"
#include "tui/widget/rows_view.h"
#include "tui/widget/sheet_view.h"

#define SLOT_DIFFERENCE 1 /* behind that of the rows */

struct versions_view {
    struct rows_view rows; /* int64_t: the memories' rows, newest first */
    int64_t node;          /* the one that it was asked of */
    /* What is shown of the one under the cursor. */
    struct compared {
        struct arena arena;
        int64_t node, before; /* 0: none */
        struct difference *list;
        size_t count;
    } shown;
    int64_t asked; /* the one that is compared, or was */
    struct sheet sheet;
    int width; /* it is laid out for; 0: it must be */
    size_t top;
};

static struct versions_view *versions_of(struct view *v)
{
    return (struct versions_view *)v;
}

/* ---- the chain ---- */

static void ask(struct rows_view *v, struct rows *rows)
{
    *(int64_t *)rows->question = versions_of(&v->view)->node;
}

static int read_chain(struct rows *rows, struct reader *r, struct error *e)
{
    int64_t *chain;
    size_t count;
    if (history_versions(r, &rows->arena, *(int64_t *)rows->question, &chain, &count, e))
        return -1;
    for (size_t i = count; i-- > 0;)
        *(int64_t *)rows_add(rows) = chain[i];
    return 0;
}

static int64_t row_id(const void *row)
{
    return *(const int64_t *)row;
}

static void taken(struct rows_view *v)
{
    versions_of(&v->view)->asked = 0;
}

static const struct rows_ops chain_ops = {.job = ROWS_JOB("looking for versions"),
                                          .size = sizeof(int64_t),
                                          .question = sizeof(int64_t),
                                          .ask = ask,
                                          .read = read_chain,
                                          .id = row_id,
                                          .taken = taken};

static int64_t node_at(struct view *v, size_t line)
{
    const int64_t *node = rows_view_at(v, line);
    return node ? *node : 0;
}

/* ---- what differs ---- */

struct compare_job {
    struct job job;
    struct versions_view *view;
    struct compared found;
};

/* A stub is nothing. */
static int read_one(struct reader *r, struct arena *arena, int64_t node, struct memory *m,
                    const struct memory **out, struct error *e)
{
    *out = NULL;
    if (node <= 0)
        return 0;
    if (memory_read(r, arena, node, m, e))
        return -1;
    *out = m->status == STATUS_MISSING ? NULL : m;
    return 0;
}

static enum job_result run_compare(struct job *job, struct reader *r, struct error *e)
{
    struct compared *c = &((struct compare_job *)job)->found;
    struct memory old, new;
    const struct memory *before, *after;
    if (reader_begin(r, e))
        return JOB_FAILED;
    int failed = read_one(r, &c->arena, c->before, &old, &before, e) ||
                 read_one(r, &c->arena, c->node, &new, &after, e);
    reader_end(r);
    if (!failed)
        memory_difference(before, after, &c->arena, &c->list, &c->count);
    return failed ? JOB_FAILED : JOB_DONE;
}

static void compare_done(struct job *job, const struct error *e)
{
    struct compare_job *j = (struct compare_job *)job;
    struct versions_view *w = j->view;
    if (e->code && e->code != ERROR_INTERRUPTED)
        app_fail(w->rows.view.app, e);
    if (e->code)
        return;
    arena_release(&w->shown.arena);
    w->shown = j->found;
    j->found.arena = (struct arena)ARENA_INIT;
    w->width = 0;
}

static void release_compare(struct job *job)
{
    arena_release(&((struct compare_job *)job)->found.arena);
    free(job);
}

static const struct job_ops compare_ops = {.name = "comparing versions",
                                           .run = run_compare,
                                           .done = compare_done,
                                           .release = release_compare,
                                           .quiet = true};

static void compare(struct versions_view *w)
{
    struct view *v = &w->rows.view;
    int64_t node = view_node(v);
    if (node <= 0 || node == w->asked)
        return;
    struct compare_job *j = xcalloc(1, sizeof(*j));
    w->asked = node;
    w->top = 0;
    j->view = w;
    j->found.node = node;
    j->found.before = node_at(v, v->selected + 1);
    worker_submit(&v->app->data.worker, &j->job, &compare_ops, w, SLOT_DIFFERENCE);
}

/* ---- drawing ---- */

static void title(struct view *v, struct strbuf *out)
{
    (void)v;
    strbuf_addstr(out, "versions");
}

static void counts(struct view *v, struct strbuf *out)
{
    if (rows_view_known(v))
        strbuf_addf(out, "%zu version%s", v->count, v->count == 1 ? "" : "s");
}

#define NUMBER 6 /* columns of a version's number */

static void draw_header(struct view *v, const struct pane *p)
{
    bool wide = p->width >= 60;
    paint_right(p, 0, 3, NUMBER, STYLE_HEADER, "number");
    if (wide)
        paint_text(p, 0, NUMBER + 7, 18, STYLE_HEADER, "memory");
    if (wide)
        paint_text(p, 0, NUMBER + 27, 5, STYLE_HEADER, "conf");
    paint_right(p, 0, wide ? NUMBER + 33 : NUMBER + 5, 4, STYLE_HEADER,
                v->app->prefs.exact_times ? "made" : "age");
    paint_text(p, 0, wide ? NUMBER + 39 : NUMBER + 11, 20, STYLE_HEADER, "text");
}

/* The number; the one that it was asked of has a mark of its own. */
static void draw_number(struct versions_view *w, const struct pane *row, size_t line)
{
    char number[24];
    snprintf(number, sizeof(number), "%zu", w->rows.view.count - line);
    paint_right(row, 0, 3, NUMBER,
                node_at(&w->rows.view, line) == w->node ? STYLE_TITLE : STYLE_NUMBER, number);
    if (node_at(&w->rows.view, line) == w->node)
        paint_text(row, 0, 3 + NUMBER, 1, STYLE_TITLE, "<");
}

static void draw_label(struct app *x, const struct memory_row *m, const struct pane *row)
{
    const struct detail *d = details_of(x, m->node);
    if (!STATUS_LIVES(m->status))
        paint_label(row, 0, NUMBER + 5, LABEL_GONE);
    else if (d && d->label.label < LABEL_COUNT)
        paint_label(row, 0, NUMBER + 5, d->label.label);
}

static void draw_columns(struct app *x, const struct memory_row *m, const struct pane *row)
{
    struct strbuf ref = STRBUF_INIT;
    details_ref(x, m, &ref);
    paint_name(row, 0, NUMBER + 7, 18, STYLE_REF, ref.buf, NULL);
    strbuf_release(&ref);
    if (m->status != STATUS_MISSING)
        paint_format(row, 0, NUMBER + 27, 5, STYLE_NUMBER, "%.2f", m->confidence);
}

static void draw_line(struct view *v, const struct pane *row, size_t line)
{
    struct versions_view *w = versions_of(v);
    struct app *x = v->app;
    const struct memory_row *m = details_row(x, node_at(&w->rows.view, line));
    struct facts_look look = ages_look(&x->ui);
    char when[40];
    bool wide = row->width >= 60;
    draw_number(w, row, line);
    if (!m)
        return;
    if (marks_has(&x->ui.marks, m->node))
        paint_text(row, 0, 2, 1, STYLE_MARK, "*");
    draw_label(x, m, row);
    if (wide)
        draw_columns(x, m, row);
    facts_when(when, sizeof(when), m->created_at, &look);
    int age = wide ? NUMBER + 33 : NUMBER + 5, width = x->prefs.exact_times ? 10 : 4;
    if (m->status != STATUS_MISSING)
        paint_right(row, 0, age, width, STYLE_AGE,
                    x->prefs.exact_times ? (when[10] = '\0', when) : when);
    int at = age + width + 2;
    if (m->status == STATUS_MISSING)
        paint_text(row, 0, at, row->width - at - 1, STYLE_DIM, "not in this store");
    else if (m->text)
        paint_matched(row, 0, at, row->width - at - 1, STYLE_TEXT, m->text, strlen(m->text),
                      v->search.pattern);
}

static void lay_out(struct versions_view *w, int width)
{
    if (w->width == width)
        return;
    sheet_clear(&w->sheet, width);
    if (w->shown.before == 0)
        state_sheet(&w->sheet, w->shown.list, w->shown.count);
    else
        difference_sheet(&w->sheet, w->shown.list, w->shown.count,
                         !w->rows.view.app->ui.screen.utf8);
    w->width = width;
}

static void draw_preview(struct view *v, const struct pane *p)
{
    struct versions_view *w = versions_of(v);
    char title_text[80] = "", right[40] = "";
    compare(w);
    bool here = rows_view_known(v) && v->selected != LINE_NONE && w->shown.node == view_node(v);
    if (here && w->shown.before > 0)
        snprintf(title_text, sizeof(title_text), "from version %zu to %zu",
                 w->rows.view.count - v->selected - 1, w->rows.view.count - v->selected);
    else if (here)
        snprintf(title_text, sizeof(title_text), "the first version");
    paint_rule(p, 0, title_text, right);
    if (!here)
        return;
    lay_out(w, p->width);
    w->top = w->top < w->sheet.count ? w->top : w->sheet.count ? w->sheet.count - 1 : 0;
    for (int i = 1; i < p->height; i++) {
        struct pane line = pane_row(p, i);
        sheet_draw_line(&w->sheet, &line, w->top + (size_t)i - 1, NULL);
    }
}

static void scroll_preview(struct view *v, long lines)
{
    struct versions_view *w = versions_of(v);
    long top = (long)w->top + lines, most = (long)w->sheet.count - 1;
    w->top = top < 0 || most < 0 ? 0 : top > most ? (size_t)most : (size_t)top;
}

static const char *empty(struct view *v)
{
    return rows_view_known(v) ? "there is no version of it" : "looking…";
}

static bool request(struct view *v, enum view_request request)
{
    switch (request) {
    case REQUEST_OPEN:
        app_open_memory(v->app, view_node(v));
        return true;
    default:
        return false;
    }
}

static void release(struct view *v)
{
    struct versions_view *w = versions_of(v);
    arena_release(&w->shown.arena);
    sheet_release(&w->sheet);
    rows_view_release(v);
}

static const struct view_ops versions_ops = {
    .name = "versions",
    .place = IN_VERSIONS,
    .preview = true,
    .own_preview = true,
    .title = title,
    .counts = counts,
    .header_rows = 1,
    .draw_header = draw_header,
    .draw_line = draw_line,
    .draw_preview = draw_preview,
    .scroll_preview = scroll_preview,
    .node = node_at,
    .empty = empty,
    .request = request,
    .load = rows_view_load,
    .release = release,
};

struct view *versions_view_new(struct app *x, int64_t node)
{
    struct versions_view *w = xcalloc(1, sizeof(*w));
    view_init(&w->rows.view, &versions_ops, &x->ui);
    w->rows.rows_ops = &chain_ops;
    sheet_init(&w->sheet);
    w->node = w->rows.wanted = node;
    view_load(&w->rows.view);
    return &w->rows.view;
}
