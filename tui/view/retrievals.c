/* The view of attributions, grouped by type, URI or agent, with a timeline for each group. */
#include "tui/view/views.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "store/reasoning/retrievals.h"
#include "store/record/get.h"
#include "tui/text/text.h"
#include "tui/explorer/app.h"
#include "tui/render/facts.h"
#include "tui/text/times.h"
#include "tui/view/memory/list_line.h"
#include "tui/widget/rows_view.h"

#define UNFOLDED 40 /* retrievals of a group that are shown at first */
#define MORE     8  /* factor for each request for more */

#define TIMES_BUCKETS 60  /* most columns of a row's timeline */
#define CHART_BUCKETS 400 /* columns of a group's chart */
#define TIMES_ASKED   16  /* timelines that are read at the same time */

/* The groups as they were read. */
struct retrieval_set {
    enum retrieval_group by;
    struct retrievals *group;
    size_t count;
    int64_t total, suspect;
};

enum line_type {
    LINE_GROUP, /* the group itself */
    LINE_RETRIEVAL,
    LINE_MORE, /* stands for the retrievals that are not loaded */
};

struct retrieval_line {
    enum line_type type;
    size_t index;                   /* of the group */
    const struct retrievals *group; /* in the arena of the rows */
    struct retrieval retrieval;     /* for LINE_MORE: the first one that is not listed */
    int64_t left;                   /* for LINE_MORE: how many are not listed */
};

struct retrievals_context {
    struct map limits;        /* as the view's */
    struct retrieval_set set; /* the answer */
};

struct retrievals_view {
    struct rows_view rows; /* struct retrieval_line */
    enum retrieval_group by;
    struct map limits; /* rows to read of each group, by view_name_id; 0 if it is folded */
    struct map times;  /* struct times of each group's timeline and chart, by times_at */
    /* generation of the rows; older timelines are shown until they are read again */
    unsigned generation;
    bool given_up;   /* timelines of these rows cannot be read */
    int times_asked; /* running reads of timelines */
    int times_width; /* 0 without timelines */
    bool first, last;
};

static struct retrievals_view *retrievals_of_view(const struct view *v)
{
    return (struct retrievals_view *)v;
}

static const struct retrieval_line *at_cursor(const struct view *v)
{
    return rows_view_at(v, v->cursor);
}

/* ---- timelines ---- */

/* Retrievals of a group over time, from its first to its last. */
struct times {
    unsigned generation;
    size_t buckets;
    int64_t counts[];
};

struct times_job {
    struct job job;
    struct retrievals_view *view;
    struct arena arena; /* holds names */
    enum retrieval_group by;
    const char *agent;
    struct retrievals group;
    bool chart;
    struct times *times;
};

/* The timeline and the chart of a group have separate entries. */
static int64_t *times_at(struct retrievals_view *l, const struct retrievals *group, bool chart)
{
    return map_at(&l->times, 2 * view_name_id(group->name) + chart);
}

static void forget_times(struct retrievals_view *l)
{
    for (size_t i = 0; i < l->times.keys.count; i++)
        free((void *)(intptr_t)l->times.value[i]);
    map_clear(&l->times);
}

static enum job_result run_times(struct job *job, struct reader *r, struct error *e)
{
    struct times_job *j = (struct times_job *)job;
    const struct retrievals *g = &j->group;
    return retrievals_timeline(r, j->by, g->name, j->agent, g->first, g->last, j->times->buckets,
                               j->times->counts, e)
               ? JOB_FAILED
               : JOB_DONE;
}

static void times_done(struct job *job, const struct error *e)
{
    struct times_job *j = (struct times_job *)job;
    struct retrievals_view *l = j->view;
    l->times_asked--;
    if (e->code && !l->given_up)
        ui_error(l->rows.view.ui, e);
    l->given_up = l->given_up || e->code;
    if (e->code || j->by != l->by)
        return;
    int64_t *at = times_at(l, &j->group, j->chart);
    free((void *)(intptr_t)*at);
    *at = (intptr_t)j->times;
    j->times = NULL;
}

static void release_times(struct job *job)
{
    struct times_job *j = (struct times_job *)job;
    free(j->times);
    arena_release(&j->arena);
    free(j);
}

static const struct job_ops times_ops = {.name = "timelines",
                                         .run = run_times,
                                         .done = times_done,
                                         .release = release_times,
                                         .quiet = true};

static void ask_times(struct retrievals_view *l, const struct retrieval_line *line, bool chart,
                      size_t buckets, int slot)
{
    struct times_job *j = xcalloc(1, sizeof(*j));
    *j = (struct times_job){.view = l, .by = l->by, .group = *line->group, .chart = chart};
    j->group.name = arena_strdup(&j->arena, line->group->name);
    j->agent = arena_strdup(&j->arena, l->rows.rows->agent);
    j->times = xcalloc(1, sizeof(*j->times) + buckets * sizeof(*j->times->counts));
    j->times->generation = l->generation;
    j->times->buckets = buckets;
    l->times_asked++;
    worker_submit(&l->rows.view.ui->data->worker, &j->job, &times_ops, l, slot);
}

/* Returns false if there is no timeline yet. Requests it if it is missing or out of date. */
static bool find_times(struct retrievals_view *l, const struct retrieval_line *line, bool chart,
                       size_t buckets, struct timeline *out)
{
    const struct retrievals *g = line->group;
    const struct times *t = (const struct times *)(intptr_t)*times_at(l, g, chart);
    int slot = 1 + 2 * (int)line->index + chart; /* slot 0 reads the rows */
    bool known = t && t->buckets == buckets, current = known && t->generation == l->generation;
    if (!current && !l->given_up && l->times_asked < TIMES_ASKED &&
        !worker_has(&l->rows.view.ui->data->worker, l, slot))
        ask_times(l, line, chart, buckets, slot);
    if (known)
        *out = (struct timeline){g->first, g->last, t->counts, t->buckets};
    return known;
}

static size_t limit_of(const struct map *limits, const struct retrievals *group)
{
    const int64_t *limit = map_find(limits, view_name_id(group->name));
    return limit ? (size_t)*limit : 0;
}

/* The name of a group, or "(none)". */
static const char *group_name(const struct retrievals *group)
{
    return group->shown && *group->shown ? group->shown : "(none)";
}

/* ---- reading ---- */

static void ask(struct rows_view *v, struct rows *rows)
{
    struct retrievals_view *l = retrievals_of_view(&v->view);
    struct retrievals_context *asked = rows->context;
    asked->set.by = l->by;
    for (size_t i = 0; i < l->limits.keys.count; i++)
        *map_at(&asked->limits, l->limits.keys.row[i]) = l->limits.value[i];
}

static void release_context(struct rows *rows)
{
    map_release(&((struct retrievals_context *)rows->context)->limits);
}

static struct retrieval_line *add_line(struct rows *rows, enum line_type type, size_t index)
{
    const struct retrieval_set *s = &((struct retrievals_context *)rows->context)->set;
    struct retrieval_line *line = rows_add(rows);
    line->type = type;
    line->index = index;
    line->group = &s->group[index];
    return line;
}

static int add_group(struct rows *rows, struct reader *r, size_t index, struct error *e)
{
    struct retrievals_context *asked = rows->context;
    const struct retrievals *group = &asked->set.group[index];
    struct retrieval *found;
    size_t count;
    asked->set.total += group->count;
    asked->set.suspect += group->suspect;
    add_line(rows, LINE_GROUP, index);
    size_t limit = limit_of(&asked->limits, group);
    if (limit == 0)
        return 0;
    if (retrievals_of(r, &rows->arena, asked->set.by, group->name, rows->agent, limit + 1, &found,
                      &count, e))
        return -1;
    for (size_t k = 0; k < count && k < limit; k++)
        add_line(rows, LINE_RETRIEVAL, index)->retrieval = found[k];
    if (count > limit) {
        struct retrieval_line *more = add_line(rows, LINE_MORE, index);
        more->retrieval = found[limit];
        more->left = group->count - (int64_t)limit;
    }
    return 0;
}

static int read_log(struct rows *rows, struct reader *r, struct error *e)
{
    struct retrievals_context *asked = rows->context;
    struct retrieval_set *s = &asked->set;
    if (reader_begin(r, e))
        return -1;
    int failed = retrievals_grouped(r, &rows->arena, s->by, rows->agent, &s->group, &s->count, e);
    for (size_t i = 0; i < s->count && !failed; i++)
        failed = add_group(rows, r, i, e);
    reader_end(r);
    return failed ? -1 : 0;
}

/* A line for more retrievals gets the id of the first of them, so that the cursor stays there. */
static struct line_subject row_subject(const void *row)
{
    const struct retrieval_line *line = row;
    bool group = line->type == LINE_GROUP;
    return (struct line_subject){.node = line->type == LINE_RETRIEVAL ? line->retrieval.node : 0,
                                 .id =
                                     group ? view_name_id(line->group->name) : line->retrieval.node,
                                 .section = (int)line->index};
}

/* Hides rows of a group that was folded since the read. */
static bool passes(struct rows_view *v, const void *row)
{
    const struct retrieval_line *line = row;
    return line->type == LINE_GROUP ||
           limit_of(&retrievals_of_view(&v->view)->limits, line->group) > 0;
}

static void taken(struct rows_view *v)
{
    retrievals_of_view(&v->view)->generation++;
    retrievals_of_view(&v->view)->given_up = false;
}

/* ---- drawing ---- */

static void draw_when(struct list_line *l, const char *name, int64_t at, bool suspect, bool right)
{
    struct page_options options = ages_options(l->view->ui);
    enum style style = suspect ? STYLE_UNSUPPORTED : STYLE_AGE;
    char when[32];
    facts_when(when, sizeof(when), at, &options);
    if (suspect && !options.exact_times)
        snprintf(when, sizeof(when), "?");
    if (right)
        line_right(l, line_when_width(l), name, style, when);
    else
        line_cell(l, line_when_width(l), name, style, when);
}

/* "1 retracted, 2 suspect", at the right if there is room. */
static void draw_odd(struct list_line *l, const struct pane *row, const struct retrievals *g)
{
    char text[64] = "";
    if (g->retracted > 0)
        snprintf(text, sizeof(text), "%lld retracted%s", (long long)g->retracted,
                 g->suspect > 0 ? ", " : "");
    size_t len = strlen(text);
    if (g->suspect > 0)
        snprintf(text + len, sizeof(text) - len, "%lld suspect", (long long)g->suspect);
    int width = (int)strlen(text) < 16 ? 16 : (int)strlen(text);
    if (!*text || l->end - l->at <= width + 9)
        return;
    paint_right(row, 0, row->width - width - 1, width, STYLE_UNSUPPORTED, text);
    l->end -= width + 1;
}

/* Draws "count first ▁▂▅ last name", the timeline between its ends. With `one` NULL draws the column headers. */
static void draw_group(struct view *v, const struct pane *row, const struct retrieval_line *one)
{
    static const struct retrievals none;
    struct retrievals_view *w = retrievals_of_view(v);
    const struct retrievals *g = one ? one->group : &none;
    struct list_line l = line_begin(v, row, !one, 5, NULL);
    bool suspect = one && g->suspect == g->count;
    struct timeline t;
    line_number(&l, 7, "count", STYLE_NUMBER, g->count);
    if (w->first) {
        draw_when(&l, line_when_width(&l) > 5 ? "first" : "from", g->first, suspect, true);
        l.at--;
    }
    if (w->times_width && !one)
        heading_draw_last(v, row, "when", l.at, w->times_width);
    else if (w->times_width && !suspect && find_times(w, one, false, (size_t)w->times_width, &t))
        timeline_draw(row, 0, l.at, &t);
    l.at += w->times_width ? w->times_width + 1 : 0;
    if (w->last)
        draw_when(&l, "last", g->last, suspect, one && !w->times_width);
    draw_odd(&l, row, g);
    line_cell(&l, l.end - l.at - 1, retrieval_group_name(w->by),
              g->name && *g->name ? STYLE_TEXT : STYLE_DIM, group_name(g));
    if (!one)
        return;
    paint_text(row, 0, 3, 1, STYLE_DIM,
               glyph_text(row->screen, limit_of(&w->limits, g) ? GLYPH_OPEN : GLYPH_FOLDED));
    if (view_name_id(g->name) == v->app->remote.touched)
        paint_text(row, 0, 2, 1, STYLE_CHIP, "!");
}

static void draw_retrieval(struct view *v, const struct pane *row, const struct retrieval *r)
{
    struct app *x = v->app;
    struct list_line l = line_begin(v, row, false, 7, NULL);
    const struct memory_row *m = line_memory(&l, r->node, 5);
    const struct detail *d = details_of(&x->details, r->node);
    struct page_options options = ages_options(&x->ui);
    char age[32];
    if (r->node == x->remote.touched && !selection_has(&x->ui.selection, r->node))
        paint_text(row, 0, 2, 1, STYLE_CHIP, "!");
    if (!m) {
        paint_text(row, 0, l.at, row->width - l.at, STYLE_ERROR, "cannot be read");
        return;
    }
    line_ref(&l, 20, NULL, m);
    bool suspect = facts_when_retrieved(age, sizeof(age), r->at, &options);
    line_right(&l, options.exact_times ? 19 : 7, NULL, suspect ? STYLE_UNSUPPORTED : STYLE_AGE,
               age);
    if (row->width - l.at >= 70 && retrievals_of_view(v)->by != RETRIEVALS_BY_URI && d &&
        d->more.known)
        line_cell(&l, (row->width - l.at) * 2 / 5, NULL, STYLE_SOURCE, d->more.text);
    line_text(&l, NULL, details_style(m, d), m->text);
}

static void draw(struct view *v, const struct pane *row, const void *one)
{
    const struct retrieval_line *at = one;
    if (!at || at->type == LINE_GROUP)
        draw_group(v, row, at);
    else if (at->type == LINE_MORE)
        paint_format(row, 0, 7, row->width - 7, STYLE_DIM, "%lld more; Enter shows them",
                     (long long)at->left);
    else
        draw_retrieval(v, row, &at->retrieval);
}

/* ---- the preview of a group ---- */

static void draw_fact(const struct pane *p, int *row, const char *name, const char *value)
{
    if (!*value || *row >= p->height)
        return;
    paint_text(p, *row, 1, 12, STYLE_FIELD, name);
    paint_text(p, (*row)++, 14, p->width - 15, STYLE_TEXT, value);
}

static void draw_group_facts(const struct pane *p, int *row, const struct retrievals *g)
{
    char text[64];
    AUTO_STRBUF name = STRBUF_INIT;
    text_add(&name, group_name(g), TEXT_EXACT);
    paint_text(p, (*row)++, 1, p->width - 2, STYLE_TEXT, name.buf);
    ++*row;
    snprintf(text, sizeof(text), "%lld", (long long)g->count);
    draw_fact(p, row, "retrievals", text);
    snprintf(text, sizeof(text), "%lld of them", (long long)g->retracted);
    draw_fact(p, row, "retracted", g->retracted > 0 ? text : "");
    times_format(text, sizeof(text), g->first);
    draw_fact(p, row, "first", text);
    times_format(text, sizeof(text), g->last);
    draw_fact(p, row, "last", text);
    snprintf(text, sizeof(text), "%lld of them, not in the timeline", (long long)g->suspect);
    draw_fact(p, row, "suspect time", g->suspect > 0 ? text : "");
}

/* For a group's line: its name, its numbers, and a chart of its times. */
static void draw_preview(struct view *v, const struct pane *p)
{
    struct retrievals_view *l = retrievals_of_view(v);
    const struct retrieval_line *line = at_cursor(v);
    struct timeline t;
    int row = 1;
    if (!line || p->height < 1) {
        paint_rule(p, 0, "", "");
        return;
    }
    paint_rule(p, 0, retrieval_group_name(l->by), "");
    draw_group_facts(p, &row, line->group);
    int rows = p->height - row - 2 < 9 ? p->height - row - 2 : 9;
    if (rows < 2 || p->width < 12)
        return;
    struct pane chart =
        pane_part(p, row + 1, 1, rows, p->width - 2 < CHART_BUCKETS ? p->width - 2 : CHART_BUCKETS);
    if (line->group->suspect == line->group->count)
        return;
    if (find_times(l, line, true, (size_t)chart.width, &t))
        timeline_draw_chart(&chart, &t);
}

/* ---- the view ---- */

static void layout(struct view *v, int height, int width)
{
    struct retrievals_view *l = retrievals_of_view(v);
    (void)height;
    int when = v->ui->prefs->exact_times ? 19 : 4, room = width - 14, ends = 2 * when + 3;
    l->first = room - ends >= 18;
    l->last = l->first || room - when >= 18;
    l->times_width = width / 3 < TIMES_BUCKETS ? width / 3 : TIMES_BUCKETS;
    if (room - ends - l->times_width < 22)
        l->times_width = 0;
}

static void title(struct view *v, struct strbuf *out)
{
    strbuf_addf(out, "retrievals %s by %s", glyph_text(&v->ui->screen, GLYPH_CRUMB),
                retrieval_group_name(retrievals_of_view(v)->by));
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct retrievals_context *a = rows_view_answer(v);
    const char *dot = glyph_text(&v->ui->screen, GLYPH_DOT);
    if (!a)
        return;
    strbuf_addf(out, "%lld retrieval%s %s %zu group%s", (long long)a->set.total,
                a->set.total == 1 ? "" : "s", dot, a->set.count, a->set.count == 1 ? "" : "s");
    if (a->set.suspect > 0)
        strbuf_addf(out, " %s %lld suspect", dot, (long long)a->set.suspect);
}

static bool touched(struct view *v, const struct event *event)
{
    const struct rows *rows = retrievals_of_view(v)->rows.rows;
    const struct retrieval_line *at = at_cursor(v);
    struct error e;
    return at && at->type == LINE_GROUP && event->ref.id && event->ref.kind == KIND_ATTRIBUTION &&
           retrieval_is_of(v->ui->data->reader,
                           ((const struct retrievals_context *)rows->context)->set.by,
                           at->group->name, rows->agent, event->subject, &e) > 0;
}

static void text(struct view *v, size_t line, struct strbuf *out)
{
    const struct retrieval_line *at = rows_view_at(v, line);
    const struct memory_row *m = details_row(v->app, row_subject(at).node);
    if (at->type == LINE_GROUP)
        strbuf_addstr(out, group_name(at->group));
    else if (m && m->text)
        strbuf_addstr(out, m->text);
}

static const char *empty(struct view *v)
{
    return rows_view_known(v) && retrievals_of_view(v)->rows.rows->agent
               ? "no retrieval by this agent was logged; A chooses another"
               : rows_view_empty(v);
}

/* ---- requests ---- */

static void unfold(struct view *v, const struct retrievals *group, size_t limit)
{
    struct map *limits = &retrievals_of_view(v)->limits;
    *map_at(limits, view_name_id(group->name)) =
        limit < (size_t)group->count ? (int64_t)limit : group->count;
    view_load(v);
}

static void fold(struct view *v)
{
    struct map *limits = &retrievals_of_view(v)->limits;
    const struct retrieval_line *at = at_cursor(v);
    size_t head = v->cursor;
    if (!at || !limit_of(limits, at->group))
        return;
    *map_at(limits, view_name_id(at->group->name)) = 0;
    while (((const struct retrieval_line *)rows_view_at(v, head))->type != LINE_GROUP)
        head--;
    view_select(v, head);
    rows_view_make_lines(v);
}

static bool open_line(struct view *v, bool toggle)
{
    const struct retrieval_line *at = at_cursor(v);
    if (!at || at->type == LINE_RETRIEVAL)
        return !at;
    size_t limit = limit_of(&retrievals_of_view(v)->limits, at->group);
    if (at->type == LINE_MORE && limit < SIZE_MAX / MORE / sizeof(struct retrieval))
        unfold(v, at->group, limit * MORE);
    else if (!limit)
        unfold(v, at->group, UNFOLDED);
    else if (at->type == LINE_GROUP && toggle)
        fold(v);
    return true;
}

static bool request(struct view *v, enum view_request request)
{
    switch (request) {
    case REQUEST_OPEN:
        return open_line(v, true);
    case REQUEST_RIGHT:
        if (!open_line(v, false))
            app_open_memory(v->app, view_node(v));
        return true;
    case REQUEST_LEFT:
        fold(v);
        return true;
    default:
        return rows_view_request(v, request);
    }
}

static void release(struct view *v)
{
    struct retrievals_view *l = retrievals_of_view(v);
    forget_times(l);
    map_release(&l->times);
    map_release(&l->limits);
    rows_view_release(v);
}

static const struct rows_ops log_ops = {
    .job = "reading the retrievals",
    .size = sizeof(struct retrieval_line),
    .context = sizeof(struct retrievals_context),
    .ask = ask,
    .read = read_log,
    .release = release_context,
    .subject = row_subject,
    .draw = draw,
    .sections = true,
    .fixed = "retrievals are in groups, the largest first; o groups them by "
             "type, URI or agent",
    .passes = passes,
    .taken = taken,
    .nothing = "no retrieval was logged"};

static const struct view_ops retrievals_ops = {
    .name = "retrievals",
    ROWS_VIEW_OPS,
    .has = HAS_MEMORIES | HAS_FOLDS | HAS_GROUPS | HAS_AGENT,
    .bar = "show,order=group by,next-section=next group,search,left=fold,right=unfold",
    .title = title,
    .counts = counts,
    .layout = layout,
    .draw_preview = draw_preview,
    .touched = touched,
    .text = text,
    .empty = empty,
    .request = request,
    .shown = rows_view_shown,
    .release = release,
};

void retrievals_view_regroup(struct view *v)
{
    struct retrievals_view *l = retrievals_of_view(v);
    l->by = (enum retrieval_group)((l->by + 1) % RETRIEVALS_GROUPS);
    map_clear(&l->limits);
    forget_times(l);
    view_load(&l->rows.view);
}

struct view *retrievals_view_new(struct ui *ui, enum retrieval_group by)
{
    struct retrievals_view *l = rows_view_new(sizeof(*l), &retrievals_ops, &log_ops, ui);
    l->by = by;
    view_load(&l->rows.view);
    return &l->rows.view;
}
