#include "tui/view/view_confirm.h"

#include "model/base/array.h"
#include "model/format/difference.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/render/difference_sheet.h"
#include "tui/text/text.h"

#define SLOT_PLAN 0

enum line_kind {
    LINE_BLANK = 0,
    LINE_HEADING,
    LINE_CHANGE,     /* a memory that is changed */
    LINE_DIFFERENCE, /* how */
    LINE_FALLS,
    LINE_WEAKENED,
    LINE_DESCENDS,
    LINE_MORE, /* so many more that are not listed */
    LINE_NOTE, /* what was left, what should be known */
};

enum part {
    PART_CHANGES = 0,
    PART_FALLS,
    PART_WEAKENED,
    PART_DESCENDS,
    PART_FOLLOWS, /* changes that follow from the others */
    PART_LEFT,
    PART_REMARKS,
    PART_COUNT
};

struct plan_line {
    uint8_t kind, part;
    int64_t node;
    const struct consequence *consequence;
    const struct difference *difference;
    const char *text;
};

struct plan_lines {
    struct plan_line *line;
    size_t count, alloc;
    size_t of[PART_COUNT];
};

struct confirm_view {
    struct view view;
    struct deed *deed; /* NULL: the worker has it */
    struct plan_lines lines;
    struct error error; /* why there is no plan */
    bool known, changed;
    char name[128]; /* "retract belief:54c5507f" */
};

struct plan_job {
    struct job job;
    struct confirm_view *view;
    struct deed *deed;
    struct plan_lines lines;
};

static struct confirm_view *confirm_of(struct view *v)
{
    return (struct confirm_view *)v;
}

/* ---- the worker's thread: the plan, and its lines ---- */

static void add(struct plan_lines *l, struct plan_line line)
{
    *ARRAY_ADD(l->line, l->count, l->alloc) = line;
}

static void add_heading(struct plan_lines *l, enum part part, size_t count)
{
    l->of[part] = count;
    if (count == 0 && part != PART_CHANGES)
        return;
    if (l->count)
        add(l, (struct plan_line){.kind = LINE_BLANK, .part = (uint8_t)part});
    add(l, (struct plan_line){.kind = LINE_HEADING, .part = (uint8_t)part});
}

static void add_change(struct plan_lines *l, enum part part, struct arena *arena,
                       const struct planned *c)
{
    struct difference *list;
    size_t count;
    const struct memory *m = c->before ? c->before : c->after;
    memory_difference(c->before, c->after, arena, &list, &count);
    add(l, (struct plan_line){.kind = LINE_CHANGE, .part = (uint8_t)part, .node = m->node});
    for (size_t i = 0; i < count; i++) {
        difference_readable(&list[i], arena);
        add(l, (struct plan_line){.kind = LINE_DIFFERENCE,
                                  .part = (uint8_t)part,
                                  .node = m->node,
                                  .difference = &list[i]});
    }
}

static void add_consequences(struct plan_lines *l, enum part part, enum line_kind kind,
                             const struct consequence *list, size_t count)
{
    add_heading(l, part, count);
    for (size_t i = 0; i < count; i++)
        add(l, (struct plan_line){.kind = (uint8_t)kind,
                                  .part = (uint8_t)part,
                                  .node = list[i].node,
                                  .consequence = &list[i]});
}

/* As many as the plan names: the rest is said. */
static void add_descending(struct plan_lines *l, const struct plan *p)
{
    add_heading(l, PART_DESCENDS, (size_t)p->descends);
    for (size_t i = 0; i < p->descending_count; i++)
        add(l, (struct plan_line){
                   .kind = LINE_DESCENDS, .part = PART_DESCENDS, .node = p->descending[i]});
    if ((size_t)p->descends > p->descending_count)
        add(l, (struct plan_line){.kind = LINE_MORE, .part = PART_DESCENDS});
}

static void add_notes(struct plan_lines *l, enum part part, const char *const *list, size_t count)
{
    add_heading(l, part, count);
    for (size_t i = 0; i < count; i++)
        add(l, (struct plan_line){.kind = LINE_NOTE, .part = (uint8_t)part, .text = list[i]});
}

static int add_changes(struct plan_job *j, enum part part, size_t from, size_t to, struct error *e)
{
    add_heading(&j->lines, part, to - from);
    for (size_t i = from; i < to; i++) {
        if (atomic_load(&j->job.cancelled))
            return error_set(e, ERROR_INTERRUPTED, "", "cancelled");
        add_change(&j->lines, part, &j->deed->answers, &j->deed->plan.change[i]);
    }
    return 0;
}

static int make_lines(struct plan_job *j, struct error *e)
{
    struct plan_lines *l = &j->lines;
    const struct plan *p = &j->deed->plan;
    size_t named = p->named && p->named < p->count ? p->named : p->count;
    if (add_changes(j, PART_CHANGES, 0, named, e))
        return -1;
    add_consequences(l, PART_FALLS, LINE_FALLS, p->falls, p->fall_count);
    add_consequences(l, PART_WEAKENED, LINE_WEAKENED, p->weakened, p->weakened_count);
    add_descending(l, p);
    if (add_changes(j, PART_FOLLOWS, named, p->count, e))
        return -1;
    add_notes(l, PART_LEFT, p->left, p->left_count);
    add_notes(l, PART_REMARKS, p->remarks, p->remark_count);
    return 0;
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct plan_job *j = (struct plan_job *)job;
    struct deed *d = j->deed;
    struct actor actor = acting_actor(d->app);
    arena_clear(&d->answers);
    if (operation_preview(r, &actor, d->op, &d->q, &d->answers, &d->plan, e) || make_lines(j, e))
        return JOB_FAILED;
    return JOB_DONE;
}

/* ---- the main thread ---- */

/* Where the memory was changed since, both its states are shown in place of this. */
static void refuse(struct confirm_view *c, const struct error *e)
{
    struct deed *d = c->deed;
    app_fail(c->view.app, e);
    if (e->code != ERROR_CONFLICT || (d->op != OPERATION_UNDO && d->op != OPERATION_REDO))
        return;
    d->error = *e;
    c->deed = NULL;
    acting_return(c->view.app, d);
}

static void say_nothing(struct app *x, const struct deed *d)
{
    const struct plan *p = &d->plan;
    const char *why = p->left_count ? p->left[0]
                      : d->op == OPERATION_PROPAGATE
                          ? "nothing that rests on it is surer than it can bear"
                          : "it is said of each where it came from";
    if (p->left_count > 1)
        app_say(x, "there is nothing to change: %s, and %zu more like it", why, p->left_count - 1);
    else
        app_say(x, "there is nothing to change: %s", why);
}

/* What it would change was only to be known before why is asked; it is shown again with the answer. False
 * where the person went on to something else meanwhile. */
static bool looked_first(struct confirm_view *c)
{
    struct app *x = c->view.app;
    struct deed *d = c->deed;
    if (!(d->how & DEED_FIRST) || x->nav.top != &c->view || x->ui.modal)
        return false;
    d->how &= ~(unsigned)DEED_FIRST;
    c->deed = NULL;
    app_pop(x);
    if (d->plan.count > 0) {
        acting_do(x, d);
        return true;
    }
    say_nothing(x, d);
    deed_free(d);
    return true;
}

static void done(struct job *job, const struct error *e)
{
    struct plan_job *j = (struct plan_job *)job;
    struct confirm_view *c = j->view;
    c->deed = j->deed;
    j->deed = NULL;
    c->error = *e;
    c->known = e->code == ERROR_NONE;
    c->changed = false;
    if (c->known && looked_first(c))
        return; /* and the view is gone */
    free(c->lines.line);
    c->lines = j->lines;
    j->lines.line = NULL;
    if (!c->known) {
        c->lines.count = 0;
        refuse(c, e);
    }
    if (c->known && !c->view.app->ui.status.fresh)
        app_say(c->view.app, "nothing is changed yet");
    view_set_count(&c->view, c->lines.count);
    view_search_again(&c->view);
}

static void release_job(struct job *job)
{
    struct plan_job *j = (struct plan_job *)job;
    deed_free(j->deed);
    free(j->lines.line);
    free(j);
}

static const struct job_ops job_ops = {
    .name = "what it would change", .run = run, .done = done, .release = release_job};

/* The worker has the deed meanwhile. */
static void load(struct confirm_view *c)
{
    if (!c->deed)
        return;
    struct plan_job *j = xcalloc(1, sizeof(*j));
    j->view = c;
    j->deed = c->deed;
    c->deed = NULL;
    c->known = false;
    c->error.code = ERROR_NONE;
    view_set_count(&c->view, 0);
    worker_submit(&c->view.app->data.worker, &j->job, &job_ops, c, SLOT_PLAN);
}

const char *confirm_view_blocked(struct view *v)
{
    struct confirm_view *c = confirm_of(v);
    if (c->error.code)
        return "it cannot be done";
    if (!c->known || !c->deed)
        return "it is not known yet what it would change";
    return c->deed->plan.count == 0 ? "there is nothing to change" : NULL;
}

void confirm_view_agree(struct view *v)
{
    struct confirm_view *c = confirm_of(v);
    struct app *x = v->app;
    struct deed *d = c->deed;
    c->deed = NULL;
    if (d->how & DEED_FIRST)
        d->how &= ~(unsigned)DEED_FIRST; /* why is to be asked, and it is shown with that */
    else
        deed_agree(d);
    app_pop(x);
    acting_do(x, d);
}

/* ---- drawing ---- */

static const struct {
    const char *name, *about;
} parts[PART_COUNT] = {
    [PART_CHANGES] = {"would be changed", ""},
    [PART_FALLS] = {"would fall", "stand now, and would rest on nothing that holds"},
    [PART_WEAKENED] = {"would be weakened", "would still stand, with fewer justifications"},
    [PART_DESCENDS] = {"would only lose an ancestor", "descend from it, and hold as they do now"},
    [PART_FOLLOWS] = {"would follow from it", "changed as well, and undone with it"},
    [PART_LEFT] = {"left as they are", ""},
    [PART_REMARKS] = {"to be known", ""},
};

static void draw_heading(struct confirm_view *c, const struct pane *row, const struct plan_line *l)
{
    int at = 3 + paint_text(row, 0, 3, 30, STYLE_RULE_TITLE, parts[l->part].name) + 1;
    at += paint_format(row, 0, at, 12, STYLE_NUMBER, "%zu", c->lines.of[l->part]) + 2;
    const char *reason = l->part == PART_CHANGES && c->deed ? c->deed->q.reason : NULL;
    paint_text(row, 0, at, row->width - at - 1, STYLE_DIM, reason ? reason : parts[l->part].about);
}

static void draw_panned(const struct pane *row, int at, int end, const struct difference *d,
                        int pan)
{
    struct strbuf both = STRBUF_INIT;
    strbuf_addf(&both, "%s %s %s", d->before ? d->before : "+", d->before && d->after ? "->" : "",
                d->after ? d->after : "");
    size_t from = paint_skip(row, both.buf, both.len, pan);
    if (from < both.len)
        paint_bytes(row, 0, at, end - at, STYLE_TEXT, both.buf + from, both.len - from);
    strbuf_release(&both);
}

/* "status       active → retracted"; of a list's element what is added or taken away. */
static void draw_difference(struct app *x, const struct pane *row, const struct difference *d)
{
    int at = 8, end = row->width - 1;
    int names = row->width >= 100 ? 23 : 16;
    paint_text(row, 0, at, names, STYLE_FIELD, d->field);
    at += names + 1;
    if (x->nav.top->pan > 0) {
        draw_panned(row, at, end, d, x->nav.top->pan);
        return;
    }
    if (!d->before) {
        paint_text(row, 0, at, 1, STYLE_GROUNDED, "+");
        paint_text(row, 0, at + 2, end - at - 2, STYLE_TEXT, d->after);
        return;
    }
    if (!d->after) {
        paint_text(row, 0, at, 1, STYLE_GONE, "-");
        paint_text(row, 0, at + 2, end - at - 2, STYLE_DIM, d->before);
        return;
    }
    int half = (end - at - 4) / 2;
    int after = (int)text_width(d->after, strlen(d->after), 4096, 0);
    int room = end - at - 4 - after > half ? end - at - 4 - after : half;
    at += paint_text(row, 0, at, room, STYLE_DIM, d->before);
    at += paint_format(row, 0, at, 4, STYLE_DIM, " %s ", glyph_text(&x->ui.screen, GLYPH_ARROW));
    paint_text(row, 0, at, end - at, STYLE_TEXT, d->after);
}

/* Of several that are named: through which of them. Returns the columns it took. */
static int draw_cause(struct app *x, const struct pane *row, int end, const struct consequence *c)
{
    struct strbuf text = STRBUF_INIT;
    if (c->because.id)
        strbuf_addf(&text, "%s:%.8s%s", kind_name(c->because.kind), c->because.id,
                    c->several ? "," : "");
    if (c->several)
        strbuf_addf(&text, "%s", glyph_text(&x->ui.screen, GLYPH_ELLIPSIS));
    paint_bytes(row, 0, end - 24, 23, STYLE_DIM, text.buf, text.len);
    strbuf_release(&text);
    return 25;
}

static void draw_memory(struct app *x, const struct pane *row, const struct plan_line *l,
                        const char *pattern)
{
    const struct memory_row *m = details_row(x, l->node);
    const struct detail *d = details_of(x, l->node);
    struct strbuf ref = STRBUF_INIT;
    int end = row->width;
    if (!m) {
        paint_text(row, 0, 7, 22, STYLE_DIM, "a new memory");
        return;
    }
    enum label label = l->kind == LINE_FALLS      ? LABEL_UNGROUNDED
                       : l->kind == LINE_WEAKENED ? LABEL_WEAKENED
                       : d                        ? d->label.label
                                                  : LABEL_COUNT;
    if (label < LABEL_COUNT)
        paint_label(row, 0, 5, label);
    details_ref(x, m, &ref);
    paint_bytes(row, 0, 7, 22, STYLE_REF, ref.buf, ref.len);
    strbuf_release(&ref);
    if (l->kind == LINE_WEAKENED) {
        end -= 14;
        paint_format(row, 0, end, 13, STYLE_WEAKENED, "%u %s %u hold", l->consequence->holds,
                     glyph_text(&x->ui.screen, GLYPH_ARROW), l->consequence->remain);
    }
    if (l->consequence && row->width >= 110 && confirm_of(x->nav.top)->lines.of[PART_CHANGES] > 1)
        end -= draw_cause(x, row, end, l->consequence);
    size_t len = m->text ? strlen(m->text) : 0;
    size_t from = len ? paint_skip(row, m->text, len, x->nav.top->pan) : 0;
    if (from < len)
        paint_matched(row, 0, 30, end - 31, STYLE_TEXT, m->text + from, len - from, pattern);
}

static void draw_line(struct view *v, const struct pane *row, size_t line)
{
    struct confirm_view *c = confirm_of(v);
    const struct plan_line *l = &c->lines.line[line];
    if (l->kind == LINE_HEADING)
        draw_heading(c, row, l);
    else if (l->kind == LINE_DIFFERENCE)
        draw_difference(v->app, row, l->difference);
    else if (l->kind == LINE_NOTE)
        paint_matched(row, 0, 5, row->width - 6, STYLE_TEXT, l->text, strlen(l->text),
                      v->search.pattern);
    else if (l->kind == LINE_MORE)
        paint_format(row, 0, 5, row->width - 6, STYLE_DIM, "and %zu more; what if lists them all",
                     c->lines.of[PART_DESCENDS] - (size_t)PLAN_DESCENDING);
    else if (l->kind != LINE_BLANK)
        draw_memory(v->app, row, l, v->search.pattern);
}

static void title(struct view *v, struct strbuf *out)
{
    strbuf_addf(out, "%s?", confirm_of(v)->name);
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct confirm_view *c = confirm_of(v);
    const char *dot = glyph_text(&v->app->ui.screen, GLYPH_DOT);
    if (!c->known)
        return;
    size_t changes = c->lines.of[PART_CHANGES] + c->lines.of[PART_FOLLOWS];
    strbuf_addf(out, "%zu change%s", changes, changes == 1 ? "" : "s");
    if (c->lines.of[PART_FALLS])
        strbuf_addf(out, " %s %zu fall%s", dot, c->lines.of[PART_FALLS],
                    c->lines.of[PART_FALLS] == 1 ? "s" : "");
    if (c->lines.of[PART_WEAKENED])
        strbuf_addf(out, " %s %zu weakened", dot, c->lines.of[PART_WEAKENED]);
}

static void notice(struct view *v, struct strbuf *out)
{
    if (confirm_of(v)->known && confirm_of(v)->changed)
        strbuf_addstr(out, "changed since, R asks again");
}

static bool selectable(struct view *v, size_t line)
{
    uint8_t kind = confirm_of(v)->lines.line[line].kind;
    return kind == LINE_CHANGE || kind == LINE_FALLS || kind == LINE_WEAKENED ||
           kind == LINE_DESCENDS;
}

static int64_t node_at(struct view *v, size_t line)
{
    return line < v->count ? confirm_of(v)->lines.line[line].node : 0;
}

static void text(struct view *v, size_t line, struct strbuf *out)
{
    const struct plan_line *l = &confirm_of(v)->lines.line[line];
    const struct memory_row *m = selectable(v, line) ? details_row(v->app, l->node) : NULL;
    if (m && m->text)
        strbuf_addstr(out, m->text);
    if (l->text)
        strbuf_addstr(out, l->text);
    if (l->difference)
        strbuf_addf(out, "%s %s %s", l->difference->field,
                    l->difference->before ? l->difference->before : "",
                    l->difference->after ? l->difference->after : "");
}

static const char *empty(struct view *v)
{
    const struct confirm_view *c = confirm_of(v);
    return c->error.code ? c->error.what : "asking what it would change…";
}

static void step_part(struct view *v, int direction)
{
    const struct plan_lines *l = &confirm_of(v)->lines;
    int part = v->selected == LINE_NONE ? 0 : l->line[v->selected].part;
    for (int i = 0; i < PART_COUNT; i++) {
        part = (part + direction + PART_COUNT) % PART_COUNT;
        for (size_t line = 0; line < v->count; line++) {
            if (l->line[line].part == part && selectable(v, line)) {
                view_select(v, line);
                return;
            }
        }
    }
}

static bool request(struct view *v, enum view_request request)
{
    switch (request) {
    case REQUEST_OPEN:
        app_open_memory(v->app, view_node(v));
        return true;
    case REQUEST_NEXT_SECTION:
    case REQUEST_PREVIOUS_SECTION:
        step_part(v, request == REQUEST_NEXT_SECTION ? 1 : -1);
        return true;
    case REQUEST_REFRESH:
        load(confirm_of(v));
        return true;
    default:
        return false;
    }
}

static void news(struct view *v, const struct event *events, size_t count, bool whole)
{
    (void)events;
    (void)count;
    (void)whole;
    confirm_of(v)->changed = true;
}

static void release(struct view *v)
{
    deed_free(confirm_of(v)->deed);
    free(confirm_of(v)->lines.line);
}

static const struct view_ops confirm_ops = {
    .name = "confirm",
    .place = IN_CONFIRM,
    .preview = true,
    .title = title,
    .notice = notice,
    .counts = counts,
    .draw_line = draw_line,
    .selectable = selectable,
    .node = node_at,
    .text = text,
    .empty = empty,
    .request = request,
    .news = news,
    .release = release,
};

bool confirm_view_is_over(const struct view *v)
{
    const struct confirm_view *c = (const struct confirm_view *)v;
    return v->ops == &confirm_ops && c->error.code && !c->deed;
}

struct view *confirm_view_new(struct app *x, struct deed *d)
{
    struct confirm_view *c = xcalloc(1, sizeof(*c));
    view_init(&c->view, &confirm_ops, &x->ui);
    snprintf(c->name, sizeof(c->name), "%s%s%s", deed_name(d), *d->about ? " " : "", d->about);
    d->app = x;
    c->deed = d;
    load(c);
    return &c->view;
}
