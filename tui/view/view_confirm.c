/* The view of what an operation would change, before it is done. */
#include "tui/view/views.h"

#include "model/base/alloc.h"
#include "model/format/difference.h"
#include "model/base/strbuf.h"
#include "store/record/get.h"
#include "tui/explorer/app.h"
#include "tui/render/difference_sheet.h"
#include "tui/text/text.h"
#include "tui/view/memory/list_line.h"
#include "tui/widget/rows_view.h"

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
    uint32_t place; /* among the lines, from 1 */
    const struct consequence *consequence;
    const struct difference *difference;
    const char *text;
};

struct plan_question {
    struct deed *deed; /* owned while the plan is made */
    size_t of[PART_COUNT];
};

struct confirm_view {
    struct rows_view rows;
    struct deed *deed;  /* NULL: the worker has it */
    struct error error; /* why there is no plan */
    char name[128];     /* "retract belief:54c5507f" */
};

static struct confirm_view *confirm_of(struct view *v)
{
    return (struct confirm_view *)v;
}

/* ---- the worker's thread: the plan, and its lines ---- */

static struct plan_line *add(struct rows *rows, enum part part, enum line_kind kind, int64_t node)
{
    struct plan_line *line = rows_add(rows);
    line->kind = (uint8_t)kind;
    line->part = (uint8_t)part;
    line->node = node;
    line->place = (uint32_t)rows->count;
    return line;
}

static void add_heading(struct rows *rows, enum part part, size_t count)
{
    ((struct plan_question *)rows->question)->of[part] = count;
    if (count == 0 && part != PART_CHANGES)
        return;
    if (rows->count)
        add(rows, part, LINE_BLANK, 0);
    add(rows, part, LINE_HEADING, 0);
}

static void add_change(struct rows *rows, enum part part, struct arena *arena,
                       const struct planned *c)
{
    struct difference *list;
    size_t count;
    const struct memory *m = c->before ? c->before : c->after;
    memory_difference(c->before, c->after, arena, &list, &count);
    add(rows, part, LINE_CHANGE, m->node);
    for (size_t i = 0; i < count; i++) {
        difference_readable(&list[i], arena);
        add(rows, part, LINE_DIFFERENCE, m->node)->difference = &list[i];
    }
}

static void add_consequences(struct rows *rows, enum part part, enum line_kind kind,
                             const struct consequence *list, size_t count)
{
    add_heading(rows, part, count);
    for (size_t i = 0; i < count; i++)
        add(rows, part, kind, list[i].node)->consequence = &list[i];
}

/* As many as the plan names: the rest is said. */
static void add_descending(struct rows *rows, const struct plan *p)
{
    add_heading(rows, PART_DESCENDS, (size_t)p->descends);
    for (size_t i = 0; i < p->descending_count; i++)
        add(rows, PART_DESCENDS, LINE_DESCENDS, p->descending[i]);
    if ((size_t)p->descends > p->descending_count)
        add(rows, PART_DESCENDS, LINE_MORE, 0);
}

static void add_notes(struct rows *rows, enum part part, const char *const *list, size_t count)
{
    add_heading(rows, part, count);
    for (size_t i = 0; i < count; i++)
        add(rows, part, LINE_NOTE, 0)->text = list[i];
}

static int add_changes(struct rows *rows, enum part part, size_t from, size_t to, struct error *e)
{
    struct deed *d = ((struct plan_question *)rows->question)->deed;
    add_heading(rows, part, to - from);
    for (size_t i = from; i < to; i++) {
        if (atomic_load(rows->cancelled))
            return error_set(e, ERROR_INTERRUPTED, "", "cancelled");
        add_change(rows, part, &d->answers, &d->plan.change[i]);
    }
    return 0;
}

static int read_plan(struct rows *rows, struct reader *r, struct error *e)
{
    struct deed *d = ((struct plan_question *)rows->question)->deed;
    const struct plan *p = &d->plan;
    struct actor actor = acting_actor(d->app);
    arena_clear(&d->answers);
    if (operation_preview(r, &actor, d->op, &d->q, &d->answers, &d->plan, e))
        return -1;
    size_t named = p->named && p->named < p->count ? p->named : p->count;
    if (add_changes(rows, PART_CHANGES, 0, named, e))
        return -1;
    add_consequences(rows, PART_FALLS, LINE_FALLS, p->falls, p->fall_count);
    add_consequences(rows, PART_WEAKENED, LINE_WEAKENED, p->weakened, p->weakened_count);
    add_descending(rows, p);
    if (add_changes(rows, PART_FOLLOWS, named, p->count, e))
        return -1;
    add_notes(rows, PART_LEFT, p->left, p->left_count);
    add_notes(rows, PART_REMARKS, p->remarks, p->remark_count);
    return 0;
}

/* ---- the main thread ---- */

/* Where the memory was changed since, both its states are shown in place of this. */
static void refuse(struct confirm_view *c, const struct error *e)
{
    struct deed *d = c->deed;
    app_fail(c->rows.view.app, e);
    if (e->code != ERROR_CONFLICT || (d->op != OPERATION_UNDO && d->op != OPERATION_REDO))
        return;
    d->error = *e;
    c->deed = NULL;
    acting_return(c->rows.view.app, d);
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
    struct app *x = c->rows.view.app;
    struct deed *d = c->deed;
    if (!(d->how & DEED_FIRST) || x->nav.top != &c->rows.view || x->ui.modal)
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

/* The worker has the deed meanwhile. */
static void ask(struct rows_view *v, struct rows *rows)
{
    struct confirm_view *c = confirm_of(&v->view);
    ((struct plan_question *)rows->question)->deed = c->deed;
    c->deed = NULL;
    c->error.code = ERROR_NONE;
}

static void release_question(struct rows *rows)
{
    deed_free(((struct plan_question *)rows->question)->deed);
}

static bool ended(struct rows_view *v, struct rows *rows, const struct error *e)
{
    struct confirm_view *c = confirm_of(&v->view);
    struct plan_question *asked = rows->question;
    c->deed = asked->deed;
    asked->deed = NULL;
    c->error = *e;
    if (!e->code && looked_first(c))
        return false;
    if (e->code)
        refuse(c, e);
    else if (!v->view.ui->status.fresh)
        ui_say(v->view.ui, "nothing is changed yet");
    return e->code == ERROR_NONE;
}

static bool selects(const struct plan_line *l)
{
    return l->kind == LINE_CHANGE || l->kind == LINE_FALLS || l->kind == LINE_WEAKENED ||
           l->kind == LINE_DESCENDS;
}

static int64_t row_id(const void *row)
{
    const struct plan_line *l = row;
    return selects(l) ? l->place : 0;
}

static int64_t row_node(const void *row)
{
    return ((const struct plan_line *)row)->node;
}

static int row_section(const void *row)
{
    return ((const struct plan_line *)row)->part;
}

static void load(struct confirm_view *c)
{
    if (!c->deed)
        return;
    view_set_count(&c->rows.view, 0); /* what the lines point to is made anew */
    rows_view_load(&c->rows.view);
}

/* NULL: it is not known. The lines point into the deed. */
static const size_t *known(const struct confirm_view *c)
{
    const struct rows *rows = c->rows.rows;
    return rows && c->deed && !c->error.code ? ((struct plan_question *)rows->question)->of : NULL;
}

const char *confirm_view_blocked(struct view *v)
{
    struct confirm_view *c = confirm_of(v);
    if (c->error.code)
        return "it cannot be done";
    if (!known(c))
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
    const char *reason = l->part == PART_CHANGES ? c->deed->q.reason : NULL;
    line_heading(row, parts[l->part].name, known(c)[l->part],
                 reason ? reason : parts[l->part].about);
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

static void draw_memory(struct view *v, const struct pane *row, const struct plan_line *line)
{
    struct app *x = v->app;
    bool falls = line->kind == LINE_FALLS, weakened = line->kind == LINE_WEAKENED;
    struct list_line l = line_begin(v, row, false, 7, NULL);
    const struct memory_row *m = details_row(x, line->node);
    const struct detail *d = details_of(x, line->node);
    enum label label = falls      ? LABEL_UNGROUNDED
                       : weakened ? LABEL_WEAKENED
                       : d        ? d->label.label
                                  : LABEL_COUNT;
    if (!m) {
        paint_text(row, 0, 7, 22, STYLE_DIM, "a new memory");
        return;
    }
    if (label < LABEL_COUNT)
        paint_label(row, 0, 5, label);
    line_ref(&l, 21, NULL, m);
    if (weakened) {
        l.end -= 14;
        paint_format(row, 0, l.end, 13, STYLE_WEAKENED, "%u %s %u hold", line->consequence->holds,
                     glyph_text(&x->ui.screen, GLYPH_ARROW), line->consequence->remain);
    }
    if (line->consequence && row->width >= 110 && known(confirm_of(v))[PART_CHANGES] > 1)
        l.end -= draw_cause(x, row, l.end, line->consequence);
    line_text(&l, NULL, STYLE_TEXT, m->text);
}

static void draw(struct view *v, const struct pane *row, const void *one)
{
    struct confirm_view *c = confirm_of(v);
    const struct plan_line *l = one;
    if (l->kind == LINE_HEADING)
        draw_heading(c, row, l);
    else if (l->kind == LINE_DIFFERENCE)
        draw_difference(v->app, row, l->difference);
    else if (l->kind == LINE_NOTE)
        paint_matched(row, 0, 5, row->width - 6, STYLE_TEXT, l->text, strlen(l->text),
                      v->search.pattern);
    else if (l->kind == LINE_MORE)
        paint_format(row, 0, 5, row->width - 6, STYLE_DIM, "and %zu more; what if lists them all",
                     known(c)[PART_DESCENDS] - (size_t)PLAN_DESCENDING);
    else if (l->kind != LINE_BLANK)
        draw_memory(v, row, l);
}

static void title(struct view *v, struct strbuf *out)
{
    strbuf_addf(out, "%s?", confirm_of(v)->name);
}

static void counts(struct view *v, struct strbuf *out)
{
    const size_t *of = known(confirm_of(v));
    const char *dot = glyph_text(&v->app->ui.screen, GLYPH_DOT);
    if (!of)
        return;
    size_t changes = of[PART_CHANGES] + of[PART_FOLLOWS];
    strbuf_addf(out, "%zu change%s", changes, changes == 1 ? "" : "s");
    if (of[PART_FALLS])
        strbuf_addf(out, " %s %zu fall%s", dot, of[PART_FALLS], of[PART_FALLS] == 1 ? "s" : "");
    if (of[PART_WEAKENED])
        strbuf_addf(out, " %s %zu weakened", dot, of[PART_WEAKENED]);
}

static void notice(struct view *v, struct strbuf *out)
{
    if (known(confirm_of(v)) && confirm_of(v)->rows.changed)
        strbuf_addstr(out, "changed since, R asks again");
}

static void text(struct view *v, size_t line, struct strbuf *out)
{
    const struct plan_line *l = rows_view_at(v, line);
    const struct memory_row *m = selects(l) ? details_row(v->app, l->node) : NULL;
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

static bool request(struct view *v, enum view_request request)
{
    if (request != REQUEST_REFRESH)
        return rows_view_request(v, request);
    load(confirm_of(v));
    return true;
}

static void release(struct view *v)
{
    deed_free(confirm_of(v)->deed);
    rows_view_release(v);
}

static const struct rows_ops plan_ops = {.job = "what it would change",
                                         .size = sizeof(struct plan_line),
                                         .question = sizeof(struct plan_question),
                                         .ask = ask,
                                         .read = read_plan,
                                         .ended = ended,
                                         .release = release_question,
                                         .id = row_id,
                                         .node = row_node,
                                         .draw = draw,
                                         .section = row_section};

static const struct view_ops confirm_ops = {
    .name = "confirm",
    ROWS_SECTIONS_OPS,
    .place = IN_CONFIRM,
    .bar = "confirm",
    .title = title,
    .notice = notice,
    .counts = counts,
    .text = text,
    .empty = empty,
    .request = request,
    .news = rows_view_changed,
    .release = release,
};

bool confirm_view_is_over(const struct view *v)
{
    const struct confirm_view *c = (const struct confirm_view *)v;
    return v->ops == &confirm_ops && c->error.code && !c->deed;
}

struct view *confirm_view_new(struct app *x, struct deed *d)
{
    struct confirm_view *c = rows_view_new(sizeof(*c), &confirm_ops, &plan_ops, &x->ui);
    snprintf(c->name, sizeof(c->name), "%s%s%s", deed_name(d), *d->about ? " " : "", d->about);
    d->app = x;
    c->deed = d;
    load(c);
    return &c->rows.view;
}
