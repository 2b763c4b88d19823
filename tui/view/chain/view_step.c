#include "tui/view/chain/view_step.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/view/chain/chain_matrix.h"
#include "tui/view/chain/step_sheet.h"
#include "tui/view/chain/chain_view.h"
#include "tui/widget/sheet_view.h"

#define SLOT_STEP 0

struct step_view {
    struct view view;
    int64_t node;
    struct chain_reading *reading; /* held; NULL: not read yet */
    size_t step;                   /* in it; SIZE_MAX: it is not there any more */
    size_t wanted;                 /* the source to stand on once it is laid out; SIZE_MAX: none */
    struct sheet sheet;
    int laid_out; /* for this width; 0: it must be laid out. No line tells a time */
    bool by_confidence, load_again;
    int64_t moment;
    char failed[512];
    struct memory_name name; /* of the breadcrumb */
};

static struct step_view *step_of(struct view *v)
{
    return (struct step_view *)v;
}

/* ---- reading ---- */

struct reading_job {
    struct job job;
    struct step_view *view;
    int64_t node, moment;
    struct chain_reading *reading;
};

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct reading_job *j = (struct reading_job *)job;
    j->reading = chain_reading_make(r, j->node, e);
    return j->reading ? JOB_DONE : JOB_FAILED;
}

static void take(struct step_view *s, struct chain_reading *reading)
{
    chain_reading_drop(s->reading);
    s->reading = reading;
    s->step = chain_step_of(&reading->chain, s->node);
    s->laid_out = 0;
    s->failed[0] = '\0';
    if (s->step == SIZE_MAX)
        snprintf(s->failed, sizeof(s->failed), "the step is not part of its chain any more");
}

static void load(struct step_view *s);

static void done(struct job *job, const struct error *e)
{
    struct reading_job *j = (struct reading_job *)job;
    struct step_view *s = j->view;
    if (e->code != ERROR_NONE) {
        snprintf(s->failed, sizeof(s->failed), "%s", e->what);
        app_fail(s->view.app, e);
        return;
    }
    s->moment = j->moment;
    take(s, j->reading);
    j->reading = NULL;
    if (s->load_again)
        load(s);
    s->load_again = false;
}

static void release_job(struct job *job)
{
    chain_reading_drop(((struct reading_job *)job)->reading);
    free(job);
}

static const struct job_ops job_ops = {
    .name = "reading the step", .run = run, .done = done, .release = release_job};

static void load(struct step_view *s)
{
    struct app *x = s->view.app;
    struct reading_job *j = xcalloc(1, sizeof(*j));
    j->view = s;
    j->node = s->node;
    j->moment = x->asof.moment.seq;
    worker_submit(&x->data.worker, &j->job, &job_ops, s, SLOT_STEP);
}

/* ---- laying out ---- */

/* The line that tells of that source; LINE_NONE: none does. */
static size_t line_of(const struct step_view *s, int64_t source)
{
    for (size_t i = 0; source >= 0 && i < s->sheet.count; i++)
        if (s->sheet.line[i].opens && s->sheet.line[i].value == source)
            return i;
    return LINE_NONE;
}

/* The cursor stays on its source, whatever was laid out anew around it. */
static void return_to(struct step_view *s, int64_t source)
{
    struct view *v = &s->view;
    size_t line = line_of(s, source);
    view_set_count(v, s->sheet.count);
    if (line == LINE_NONE)
        return;
    view_select(v, line);
    /* With its excerpt, where it came into view from below. */
    size_t end = line + 1;
    while (end < s->sheet.count && !s->sheet.line[end].opens)
        end++;
    size_t height = v->height > 0 ? (size_t)v->height : 1;
    if (end > v->top + height && end - line < height)
        v->top = end - height;
}

static void layout(struct view *v, int height, int width)
{
    struct step_view *s = step_of(v);
    struct app *x = v->app;
    (void)height;
    if (!s->reading || s->step == SIZE_MAX || s->laid_out == width)
        return;
    int64_t source = s->wanted != SIZE_MAX ? (int64_t)s->wanted : STEP_NO_SOURCE;
    if (s->wanted == SIZE_MAX && v->selected < s->sheet.count)
        source = s->sheet.line[v->selected].value;
    struct step_look look = {.facts = ages_look(&x->ui), .by_confidence = s->by_confidence};
    look.facts.width = width;
    step_sheet_lay(&s->sheet, &s->reading->chain, s->step, &look);
    s->laid_out = width;
    s->wanted = SIZE_MAX;
    return_to(s, source);
    view_search_again(v);
}

static void draw_line(struct view *v, const struct pane *row, size_t line)
{
    struct step_view *s = step_of(v);
    if (line < s->sheet.count && s->sheet.line[line].opens &&
        marks_has(&v->app->ui.marks, s->sheet.line[line].node))
        paint_text(row, 0, 2, 1, STYLE_MARK, "*");
    sheet_draw_line(&s->sheet, row, line, v->search.pattern);
}

/* ---- what the view says of itself ---- */

static void title(struct view *v, struct strbuf *out)
{
    struct step_view *s = step_of(v);
    const struct chain_step *step =
        s->reading && s->step != SIZE_MAX ? &s->reading->chain.step[s->step] : NULL;
    if (step && step->number > 0 && v->below && view_is_chain(v->below))
        strbuf_addf(out, "step %lld", (long long)step->number);
    else
        strbuf_addstr(out, details_name(v->app, &s->name));
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct step_view *s = step_of(v);
    const char *dot = glyph_text(&v->app->ui.screen, GLYPH_DOT);
    if (!s->reading || s->step == SIZE_MAX)
        return;
    const struct chain *chain = &s->reading->chain;
    if (s->by_confidence)
        strbuf_addf(out, "by confidence %s ", dot);
    step_add_place(out, chain, s->step, s->step);
    strbuf_addf(out, " %s %s", dot, chain_state_name(chain->state));
}

static void position(struct view *v, struct strbuf *out)
{
    const struct memory_row *row = details_row(v->app, view_node(v));
    if (row) {
        strbuf_addstr(out, "on ");
        details_ref(v->app, row, out);
    }
}

static bool selectable(struct view *v, size_t line)
{
    struct step_view *s = step_of(v);
    return line < s->sheet.count && s->sheet.line[line].opens;
}

static int64_t node_at(struct view *v, size_t line)
{
    struct step_view *s = step_of(v);
    return line < s->sheet.count ? s->sheet.line[line].node : 0;
}

static int64_t about(const struct view *v)
{
    return ((const struct step_view *)v)->node;
}

static void text(struct view *v, size_t line, struct strbuf *out)
{
    sheet_text(&step_of(v)->sheet, line, out);
}

static const char *empty(struct view *v)
{
    return step_of(v)->failed[0] ? step_of(v)->failed : "reading…";
}

/* ---- what is asked ---- */

/* From what it was given to its sources, and back to the step itself. */
static void step_section(struct step_view *s, int direction)
{
    struct view *v = &s->view;
    if (v->count == 0)
        return;
    int32_t last = s->sheet.line[v->count - 1].section, sections = last + 1;
    int32_t section = v->selected < v->count ? s->sheet.line[v->selected].section : 0;
    section = (section + direction + sections) % sections;
    for (size_t i = 0; i < v->count; i++) {
        if (s->sheet.line[i].section != section || !s->sheet.line[i].opens)
            continue;
        view_select(v, i);
        return;
    }
    v->selected = LINE_NONE;
    v->top = 0;
}

static bool request(struct view *v, enum view_request request)
{
    struct step_view *s = step_of(v);
    switch (request) {
    case REQUEST_OPEN:
        app_open_memory(v->app, view_node(v));
        return true;
    case REQUEST_NEXT_SECTION:
        step_section(s, 1);
        return true;
    case REQUEST_PREVIOUS_SECTION:
        step_section(s, -1);
        return true;
    case REQUEST_REFRESH:
        load(s);
        return true;
    case REQUEST_CLEAR:
        return s->by_confidence && (step_view_by_confidence(v), true);
    default:
        return false;
    }
}

static void news(struct view *v, const struct event *events, size_t count, bool whole)
{
    struct step_view *s = step_of(v);
    if (!whole && s->reading &&
        !chain_concerned(&s->reading->chain, v->app->data.reader, events, count))
        return;
    s->load_again = worker_has(&v->app->data.worker, v, SLOT_STEP);
    if (!s->load_again)
        load(s);
}

static void shown(struct view *v)
{
    struct step_view *s = step_of(v);
    if (s->reading && s->moment != v->app->asof.moment.seq)
        v->moved = true;
}

static void release(struct view *v)
{
    chain_reading_drop(step_of(v)->reading);
    sheet_release(&step_of(v)->sheet);
}

static const struct view_ops step_ops = {
    .name = "step",
    .place = IN_STEP,
    .at_large = true,
    .title = title,
    .counts = counts,
    .layout = layout,
    .draw_line = draw_line,
    .selectable = selectable,
    .node = node_at,
    .about = about,
    .text = text,
    .empty = empty,
    .request = request,
    .position = position,
    .shown = shown,
    .news = news,
    .release = release,
};

bool view_is_step(const struct view *v)
{
    return v->ops == &step_ops;
}

int64_t step_view_number(const struct view *v)
{
    const struct step_view *s = (const struct step_view *)v;
    return s->reading && s->step != SIZE_MAX ? s->reading->chain.step[s->step].number : 0;
}

const struct chain_source *step_view_source(const struct view *v)
{
    const struct step_view *s = (const struct step_view *)v;
    if (!view_is_step(v) || !s->reading || s->step == SIZE_MAX || v->selected >= s->sheet.count)
        return NULL;
    const struct chain_step *step = &s->reading->chain.step[s->step];
    int64_t source = s->sheet.line[v->selected].value;
    return source >= 0 && (size_t)source < step->source_count ? &step->source[source] : NULL;
}

bool step_view_by_confidence(struct view *v)
{
    struct step_view *s = step_of(v);
    s->by_confidence = !s->by_confidence;
    s->laid_out = 0;
    return s->by_confidence;
}

static struct step_view *make(struct app *x, int64_t node)
{
    struct step_view *s = xcalloc(1, sizeof(*s));
    view_init(&s->view, &step_ops, &x->ui);
    sheet_init(&s->sheet);
    s->node = node;
    s->step = s->wanted = SIZE_MAX;
    details_name_open(x, &s->name, node);
    return s;
}

struct view *step_view_new(struct app *x, int64_t node)
{
    struct step_view *s = make(x, node);
    struct chain_reading *reading = chain_reading_at_once(x->data.reader, node);
    s->moment = x->asof.moment.seq;
    if (reading)
        take(s, reading);
    else
        load(s);
    return &s->view;
}

struct view *step_view_of(struct app *x, struct chain_reading *reading, size_t step, size_t source)
{
    struct step_view *s = make(x, reading->chain.step[step].node);
    s->moment = x->asof.moment.seq;
    take(s, chain_reading_hold(reading));
    s->wanted = source;
    return &s->view;
}
