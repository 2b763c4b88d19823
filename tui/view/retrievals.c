#include "tui/view/retrievals.h"

#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "tui/text/text.h"
#include "tui/render/facts_sheet.h"

#define ROW_HEAD (-1) /* the group itself */

#define ROW_MORE (-2) /* what is still to come of it */

struct retrievals_view {
    struct view view;
    enum retrieval_group by;
    char *agent;               /* that is shown; NULL: all */
    struct retrieval_set *set; /* NULL: not read yet */
    struct unfolding unfolded;
    struct group_times times;
    struct group_line *line;
    size_t line_alloc;
    /* Where the columns begin; 0: it is not shown. */
    struct group_columns {
        int count, first, last, times, times_width, when_width, name;
    } columns;
};

static inline struct retrievals_view *retrievals_of_view(struct view *v)
{
    return (struct retrievals_view *)v;
}

static const struct group_line *retrievals_line(const struct retrievals_view *l, size_t line);

/* ---- where things stand ---- */

/* "count  first  ▁▂▅  last  name": each group's timeline stands between its ends. */
static struct group_columns retrievals_fit(const struct app *x, int width)
{
    struct group_columns c = {.when_width = x->prefs.exact_times ? 19 : 4};
    int at = 5, ends = 2 * c.when_width + 3;
    c.count = at;
    at += 9;
    c.times_width = width / 3 < TIMES_BUCKETS ? width / 3 : TIMES_BUCKETS;
    if (width - at - ends - c.times_width < 22)
        c.times_width = 0;
    if (width - at - ends >= 18) {
        c.first = at;
        c.times = c.times_width ? c.first + c.when_width + 1 : 0;
        c.last = c.first + c.when_width + 1 + (c.times ? c.times_width + 1 : 0);
        at = c.last + c.when_width + 2;
    } else if (width - at - c.when_width >= 18) {
        c.last = at;
        at += c.when_width + 2;
    }
    c.name = at;
    return c;
}

/* What a group is called; those without a name: "(none)". */
static const char *retrievals_group_said(const struct retrievals *group)
{
    return group->shown && *group->shown ? group->shown : "(none)";
}

/* ---- drawing ---- */

static void retrievals_draw_header(struct view *v, const struct pane *p)
{
    struct retrievals_view *l = retrievals_of_view(v);
    const struct group_columns *c = &l->columns;
    paint_right(p, 0, c->count, 7, STYLE_HEADER, "count");
    if (c->first)
        paint_right(p, 0, c->first, c->when_width, STYLE_HEADER,
                    c->when_width > 5 ? "first" : "from");
    if (c->times)
        paint_text(p, 0, c->times, c->times_width, STYLE_HEADER, "when");
    if (c->last)
        paint_text(p, 0, c->last, c->when_width, STYLE_HEADER, "last");
    paint_text(p, 0, c->name, p->width - c->name, STYLE_HEADER, retrieval_group_name(l->by));
}

static void draw_when(struct retrievals_view *l, const struct pane *row, int column, int64_t at,
                      bool suspect, bool right)
{
    struct app *x = l->view.app;
    struct facts_look look = ages_look(&x->ui);
    enum style style = suspect ? STYLE_UNGROUNDED : STYLE_AGE;
    int width = l->columns.when_width;
    char when[32];
    facts_when(when, sizeof(when), at, &look);
    if (suspect && !x->prefs.exact_times)
        snprintf(when, sizeof(when), "?");
    if (right)
        paint_right(row, 0, column, width, style, when);
    else
        paint_text(row, 0, column, width, style, when);
}

static void draw_group(struct retrievals_view *l, const struct pane *row, size_t index)
{
    const struct group_columns *c = &l->columns;
    const struct retrievals *g = &l->set->group[index];
    bool suspect = g->suspect == g->count;
    struct timeline t;
    int room = row->width - c->name - 1;
    paint_text(row, 0, 3, 1, STYLE_DIM,
               glyph_text(row->screen, l->set->rows[index].row ? GLYPH_OPEN : GLYPH_FOLDED));
    if (view_name_id(g->name) == l->view.app->remote.touched)
        paint_text(row, 0, 2, 1, STYLE_CHIP, "!");
    char number[32];
    snprintf(number, sizeof(number), "%lld", (long long)g->count);
    paint_right(row, 0, c->count, 7, STYLE_NUMBER, number);
    if (c->first)
        draw_when(l, row, c->first, g->first, suspect, true);
    if (c->last)
        draw_when(l, row, c->last, g->last, suspect, !c->times);
    if (c->times && !suspect && group_times_row(&l->times, index, &t))
        timeline_draw(row, 0, c->times, &t);
    if (g->suspect > 0 && room > 24) {
        snprintf(number, sizeof(number), "%lld suspect", (long long)g->suspect);
        paint_right(row, 0, row->width - 17, 16, STYLE_UNGROUNDED, number);
        room -= 17;
    }
    paint_name(row, 0, c->name, room, g->name && *g->name ? STYLE_TEXT : STYLE_DIM,
               retrievals_group_said(g), l->view.search.pattern);
}

static void draw_retrieval(struct retrievals_view *l, const struct pane *row,
                           const struct retrieval *r)
{
    struct app *x = l->view.app;
    const struct memory_row *m = details_row(x, r->node);
    const struct detail *d = details_of(x, r->node);
    struct strbuf ref = STRBUF_INIT;
    int at = 7, when = x->prefs.exact_times ? 19 : 7;
    if (marks_has(&x->ui.marks, r->node))
        paint_text(row, 0, 2, 1, STYLE_MARK, "*");
    else if (r->node == x->remote.touched)
        paint_text(row, 0, 2, 1, STYLE_CHIP, "!");
    if (!m) {
        paint_text(row, 0, at, row->width - at, STYLE_ERROR, "cannot be read");
        return;
    }
    if (d && d->label.label < LABEL_COUNT)
        paint_label(row, 0, 5, d->label.label);
    details_ref(x, m, &ref);
    at += paint_bytes(row, 0, at, 24, STYLE_REF, ref.buf, ref.len) + 2;
    at = at < 29 ? 29 : at;
    strbuf_release(&ref);
    struct facts_look look = ages_look(&x->ui);
    char age[32];
    bool suspect = facts_when_retrieved(age, sizeof(age), r->at, &look);
    paint_right(row, 0, at, when, suspect ? STYLE_UNGROUNDED : STYLE_AGE, age);
    at += when + 2;
    if (row->width - at >= 70 && l->by != RETRIEVALS_BY_URI && d && d->more.known) {
        int uri = (row->width - at) * 2 / 5;
        paint_matched(row, 0, at, uri, STYLE_SOURCE, d->more.text, strlen(d->more.text), NULL);
        at += uri + 2;
    }
    if (m->text)
        paint_matched(row, 0, at, row->width - at - 1,
                      STATUS_LIVES(m->status) ? STYLE_TEXT : STYLE_DIM, m->text, strlen(m->text),
                      l->view.search.pattern);
}

static void retrievals_draw_line(struct view *v, const struct pane *row, size_t line)
{
    struct retrievals_view *l = retrievals_of_view(v);
    const struct group_line *at = &l->line[line];
    const struct retrieval_rows *rows = &l->set->rows[at->group];
    if (at->row == ROW_HEAD)
        draw_group(l, row, at->group);
    else if (at->row == ROW_MORE)
        paint_format(row, 0, 7, row->width - 7, STYLE_DIM, "%lld more; Enter reads on",
                     (long long)(l->set->group[at->group].count - (int64_t)rows->count));
    else
        draw_retrieval(l, row, &rows->row[at->row]);
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
    struct facts_look exact = {.exact_times = true};
    char text[64];
    struct strbuf name = STRBUF_INIT;
    text_add(&name, retrievals_group_said(g), TEXT_EXACT);
    paint_text(p, (*row)++, 1, p->width - 2, STYLE_TEXT, name.buf);
    strbuf_release(&name);
    ++*row;
    snprintf(text, sizeof(text), "%lld", (long long)g->count);
    draw_fact(p, row, "retrievals", text);
    facts_when(text, sizeof(text), g->first, &exact);
    draw_fact(p, row, "first", text);
    facts_when(text, sizeof(text), g->last, &exact);
    draw_fact(p, row, "last", text);
    snprintf(text, sizeof(text), "%lld of them, left out of the timeline", (long long)g->suspect);
    draw_fact(p, row, "suspect time", g->suspect > 0 ? text : "");
}

/* Of a group's own line: its name, its numbers, and a chart of its times. */
static void retrievals_draw_preview(struct view *v, const struct pane *p)
{
    struct retrievals_view *l = retrievals_of_view(v);
    const struct group_line *line = retrievals_line(l, v->selected);
    struct timeline t;
    int row = 1;
    if (!line || p->height < 1) {
        paint_rule(p, 0, "", "");
        return;
    }
    paint_rule(p, 0, retrieval_group_name(l->by), "");
    draw_group_facts(p, &row, &l->set->group[line->group]);
    int rows = p->height - row - 2 < 9 ? p->height - row - 2 : 9;
    if (rows < 2 || p->width < 12)
        return;
    struct pane chart =
        pane_part(p, row + 1, 1, rows, p->width - 2 < CHART_BUCKETS ? p->width - 2 : CHART_BUCKETS);
    if (l->set->group[line->group].suspect == l->set->group[line->group].count)
        return;
    group_times_want_chart(&l->times, line->group, (size_t)chart.width);
    if (group_times_chart(&l->times, line->group, &t))
        timeline_draw_chart(&chart, &t);
}

#define SLOT_LOAD 0
#define UNFOLDED  40 /* retrievals of a group that are shown at first, */
#define MORE      8  /* and times as many whenever more are asked for */

struct retrievals_job {
    struct job job;
    struct retrievals_view *view;
    enum retrieval_group by;
    char *agent;
    struct unfolding unfolded;
    struct retrieval_set *set;
};

/* ---- the lines ---- */

static void add_line(struct retrievals_view *l, size_t *count, size_t group, size_t row)
{
    *ARRAY_ADD(l->line, *count, l->line_alloc) = (struct group_line){(uint32_t)group, (int32_t)row};
}

static size_t make_lines(struct retrievals_view *l)
{
    size_t count = 0;
    for (size_t i = 0; i < l->set->count && i < UINT32_MAX; i++) {
        const struct retrieval_rows *rows = &l->set->rows[i];
        add_line(l, &count, i, (size_t)ROW_HEAD);
        for (size_t k = 0; rows->row && k < rows->count && k < INT32_MAX; k++)
            add_line(l, &count, i, k);
        if (rows->row && rows->more)
            add_line(l, &count, i, (size_t)ROW_MORE);
    }
    return count;
}

/* NULL: there is no such line. */
static const struct group_line *retrievals_line(const struct retrievals_view *l, size_t line)
{
    return l->set && line < l->view.count ? &l->line[line] : NULL;
}

/* Where the cursor stood: on a retrieval, or on a group's own line. */
struct kept {
    bool on_line;
    int64_t node;
    int32_t row;
    char *name; /* owned */
    size_t line, screen_row;
};

static int64_t node_of(const struct retrievals_view *l, const struct group_line *line)
{
    return line && line->row >= 0 ? l->set->rows[line->group].row[line->row].node : 0;
}

static struct kept keep_place(const struct retrievals_view *l)
{
    const struct view *v = &l->view;
    const struct group_line *line = retrievals_line(l, v->selected);
    struct kept kept = {.on_line = line != NULL};
    if (!line)
        return kept;
    const char *name = l->set->group[line->group].name;
    kept.node = node_of(l, line);
    kept.row = line->row;
    kept.name = name ? xstrdup(name) : NULL;
    kept.line = v->selected;
    kept.screen_row = v->selected > v->top ? v->selected - v->top : 0;
    return kept;
}

static size_t find_kept(const struct retrievals_view *l, const struct kept *kept, size_t count)
{
    size_t group = retrieval_set_find(l->set, kept->name), head = LINE_NONE;
    for (size_t i = 0; i < count && group != SIZE_MAX; i++) {
        if (l->line[i].group != group)
            continue;
        if (l->line[i].row == ROW_HEAD)
            head = i;
        if (kept->node ? node_of(l, &l->line[i]) == kept->node : l->line[i].row == kept->row)
            return i;
    }
    return head;
}

static void show_lines(struct retrievals_view *l, struct kept *kept)
{
    struct view *v = &l->view;
    size_t count = make_lines(l);
    size_t line = kept->on_line && kept->row != ROW_MORE ? find_kept(l, kept, count) : LINE_NONE;
    if (line == LINE_NONE && kept->on_line)
        line = kept->line;
    free(kept->name);
    view_set_count(v, count);
    if (line != LINE_NONE && count > 0) {
        view_select(v, line < count ? line : count - 1);
        v->top = v->selected > kept->screen_row ? v->selected - kept->screen_row : 0;
        view_reveal(v);
    }
    view_search_again(v);
}

/* ---- reading ---- */

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct retrievals_job *j = (struct retrievals_job *)job;
    j->set = retrieval_set_read(r, j->by, j->agent, &j->unfolded, e);
    return j->set ? JOB_DONE : JOB_FAILED;
}

static void done(struct job *job, const struct error *e)
{
    struct retrievals_job *j = (struct retrievals_job *)job;
    struct retrievals_view *l = j->view;
    if (e->code != ERROR_NONE) {
        app_fail(l->view.app, e);
        return;
    }
    struct kept kept = l->set && l->set->by == j->set->by ? keep_place(l) : (struct kept){0};
    group_times_take(&l->times, j->set, j->agent);
    retrieval_set_free(l->set);
    l->set = j->set;
    j->set = NULL;
    show_lines(l, &kept);
    calm_rest(&l->view.calm, job->begun);
}

static void release_job(struct job *job)
{
    struct retrievals_job *j = (struct retrievals_job *)job;
    unfolding_release(&j->unfolded);
    retrieval_set_free(j->set);
    free(j->agent);
    free(j);
}

static const struct job_ops job_ops = {
    .name = "reading the log", .run = run, .done = done, .release = release_job};

static void load(struct view *v)
{
    struct retrievals_view *l = retrievals_of_view(v);
    struct app *x = l->view.app;
    struct retrievals_job *j = xcalloc(1, sizeof(*j));
    free(l->agent);
    l->agent = x->prefs.agent ? xstrdup(x->prefs.agent) : NULL;
    j->view = l;
    j->by = l->by;
    j->agent = x->prefs.agent ? xstrdup(x->prefs.agent) : NULL;
    unfolding_copy(&j->unfolded, &l->unfolded);
    worker_submit(&x->data.worker, &j->job, &job_ops, l, SLOT_LOAD);
}

/* Timelines of what can be seen, and the chart of the group under the cursor. */
static void want_times(struct retrievals_view *l, int height)
{
    size_t groups[256], count = 0;
    for (size_t i = l->view.top; i < l->view.top + (size_t)height && count < 256; i++) {
        const struct group_line *line = retrievals_line(l, i);
        if (line && line->row == ROW_HEAD)
            groups[count++] = line->group;
    }
    if (l->columns.times)
        group_times_want(&l->times, groups, count);
}

static void layout(struct view *v, int height, int width)
{
    struct retrievals_view *l = retrievals_of_view(v);
    const struct app *x = v->app;
    bool other = l->agent && x->prefs.agent ? strcmp(l->agent, x->prefs.agent) != 0
                                            : (l->agent != NULL) != (x->prefs.agent != NULL);
    v->calm.wanted = v->calm.wanted || other;
    l->columns = retrievals_fit(x, width);
    group_times_width(&l->times, l->columns.times ? (size_t)l->columns.times_width : 0);
    want_times(l, height);
}

/* ---- the view ---- */

static void title(struct view *v, struct strbuf *out)
{
    strbuf_addf(out, "retrievals %s by %s", glyph_text(&v->app->ui.screen, GLYPH_CRUMB),
                retrieval_group_name(retrievals_of_view(v)->by));
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct retrieval_set *s = retrievals_of_view(v)->set;
    const char *dot = glyph_text(&v->app->ui.screen, GLYPH_DOT);
    if (!s)
        return;
    strbuf_addf(out, "%lld retrieval%s %s %zu group%s", (long long)s->total,
                s->total == 1 ? "" : "s", dot, s->count, s->count == 1 ? "" : "s");
    if (s->suspect > 0)
        strbuf_addf(out, " %s %lld suspect", dot, (long long)s->suspect);
}

static int64_t node_at(struct view *v, size_t line)
{
    struct retrievals_view *l = retrievals_of_view(v);
    return node_of(l, retrievals_line(l, line));
}

static int64_t line_id(struct view *v, size_t line)
{
    struct retrievals_view *l = retrievals_of_view(v);
    const struct group_line *at = retrievals_line(l, line);
    return at->row == ROW_HEAD ? view_name_id(l->set->group[at->group].name) : 0;
}

static bool touched(struct view *v, const struct event *event)
{
    struct retrievals_view *l = retrievals_of_view(v);
    const struct group_line *at = retrievals_line(l, v->selected);
    struct error e;
    return at && at->row == ROW_HEAD && event->ref.id && event->ref.kind == KIND_ATTRIBUTION &&
           retrieval_is_of(v->app->data.reader, l->set->by, l->set->group[at->group].name, l->agent,
                           event->subject, &e) > 0;
}

static void text(struct view *v, size_t line, struct strbuf *out)
{
    struct retrievals_view *l = retrievals_of_view(v);
    const struct group_line *at = retrievals_line(l, line);
    const struct memory_row *m = at ? details_row(v->app, node_of(l, at)) : NULL;
    if (at && at->row == ROW_HEAD)
        strbuf_addstr(out, retrievals_group_said(&l->set->group[at->group]));
    else if (m && m->text)
        strbuf_addstr(out, m->text);
}

static const char *empty(struct view *v)
{
    struct retrievals_view *l = retrievals_of_view(v);
    return !l->set    ? "reading…"
           : l->agent ? "no retrieval of this agent was logged; A shows others"
                      : "no retrieval was logged";
}

/* ---- requests ---- */

static void unfold(struct retrievals_view *l, size_t group, size_t limit)
{
    const char *name = l->set->group[group].name;
    size_t all = (size_t)l->set->group[group].count;
    struct unfolded *u = unfolding_find(&l->unfolded, name);
    limit = limit < all ? limit : all;
    if (!u)
        u = unfolding_add(&l->unfolded, name, limit);
    u->limit = limit;
    view_load(&l->view);
}

/* What is read of it is let go; the lines close at once. */
static void fold(struct retrievals_view *l, const struct group_line *line)
{
    size_t group = line->group, head = l->view.selected;
    unfolding_remove(&l->unfolded, l->set->group[group].name);
    while (head > 0 && l->line[head].row != ROW_HEAD)
        head--;
    view_select(&l->view, head);
    l->set->rows[group] = (struct retrieval_rows){0};
    struct kept kept = keep_place(l);
    show_lines(l, &kept);
}

static void open_line(struct retrievals_view *l, bool toggle)
{
    const struct group_line *line = retrievals_line(l, l->view.selected);
    if (!line)
        return;
    struct retrieval_rows *rows = &l->set->rows[line->group];
    if (line->row >= 0)
        app_open_memory(l->view.app, rows->row[line->row].node);
    else if (line->row == ROW_MORE && rows->count < SIZE_MAX / MORE / sizeof(*rows->row))
        unfold(l, line->group, rows->count * MORE);
    else if (line->row == ROW_HEAD && !rows->row)
        unfold(l, line->group, UNFOLDED);
    else if (line->row == ROW_HEAD && toggle)
        fold(l, line);
}

/* To the group after this one, or before. */
static void step_group(struct view *v, int direction)
{
    struct retrievals_view *l = retrievals_of_view(v);
    size_t at = v->selected;
    if (at >= v->count)
        return;
    do
        at = direction > 0 ? (at + 1) % v->count : (at > 0 ? at : v->count) - 1;
    while (l->line[at].row != ROW_HEAD);
    view_select(v, at);
}

static bool request(struct view *v, enum view_request request)
{
    struct retrievals_view *l = retrievals_of_view(v);
    switch (request) {
    case REQUEST_OPEN:
        open_line(l, true);
        return true;
    case REQUEST_UNFOLD:
        open_line(l, false);
        return true;
    case REQUEST_FOLD:
        if (retrievals_line(l, v->selected) && l->set->rows[l->line[v->selected].group].row)
            fold(l, retrievals_line(l, v->selected));
        return true;
    case REQUEST_NEXT_SECTION:
    case REQUEST_PREVIOUS_SECTION:
        step_group(v, request == REQUEST_NEXT_SECTION ? 1 : -1);
        return true;
    default:
        return false;
    }
}

static void release(struct view *v)
{
    struct retrievals_view *l = retrievals_of_view(v);
    group_times_release(&l->times);
    retrieval_set_free(l->set);
    unfolding_release(&l->unfolded);
    free(l->agent);
    free(l->line);
}

static const struct view_ops retrievals_ops = {
    .name = "retrievals",
    .place = IN_RETRIEVALS,
    .preview = true,
    .title = title,
    .counts = counts,
    .layout = layout,
    .header_rows = 1,
    .draw_header = retrievals_draw_header,
    .draw_line = retrievals_draw_line,
    .draw_preview = retrievals_draw_preview,
    .node = node_at,
    .line_id = line_id,
    .touched = touched,
    .text = text,
    .empty = empty,
    .request = request,
    .load = load,
    .release = release,
};

void retrievals_view_regroup(struct view *v)
{
    struct retrievals_view *l = retrievals_of_view(v);
    l->by = (enum retrieval_group)((l->by + 1) % RETRIEVALS_GROUPS);
    unfolding_release(&l->unfolded);
    view_load(&l->view);
}

struct view *retrievals_view_new(struct app *x, enum retrieval_group by)
{
    struct retrievals_view *l = xcalloc(1, sizeof(*l));
    view_init(&l->view, &retrievals_ops, &x->ui);
    l->by = by;
    group_times_open(&l->times, x);
    view_load(&l->view);
    return &l->view;
}
