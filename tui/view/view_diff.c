/*
 * A line for each memory that differs, under it what of it does: both moments are past or present
 * whatever moment is shown, so they are read through a reader of the present.
 */
#include "tui/view/view_diff.h"

#include "model/base/array.h"
#include "model/format/difference.h"
#include "model/base/utf8.h"
#include "store/journal/journal.h"
#include "store/history/past.h"
#include "tui/explorer/app.h"
#include "tui/render/difference_sheet.h"
#include "tui/render/facts_sheet.h"
#include "tui/explorer/news.h"
#include "tui/text/text.h"

#define SLOT_DIFF   0
#define TEXT_MOST   400                /* bytes of a text that a line has */
#define WHOLE_BELOW ((size_t)64 << 20) /* bytes, beyond which only the memories are told */

/* A memory, or under it one of its fields. */
struct diff_line {
    int64_t node, event, at; /* event 0: a field */
    char sign;               /* '+' it came, '-' it went, '~' it is another */
    uint32_t place;          /* among the memories, from 1 */
    const char *who, *operation, *ref, *text;
    const char *field, *before, *after; /* before or after may be NULL */
};

struct diff_lines {
    struct arena arena;
    struct diff_line *line;
    size_t count, alloc;
    uint32_t memories, untold; /* whose fields are not told, for there are too many */
};

struct diff_view {
    struct view view;
    struct moment from, to;
    struct diff_lines found;
    bool known;
};

struct diff_job {
    struct job job;
    struct diff_view *view;
    int64_t from, to;
    struct reader *reader;
    struct diff_lines found;
    struct error error;
    bool failed;
};

static struct diff_view *diff_of(struct view *v)
{
    return (struct diff_view *)v;
}

static void lines_release(struct diff_lines *l)
{
    arena_release(&l->arena);
    free(l->line);
    *l = (struct diff_lines){.arena = ARENA_INIT};
}

/* ---- comparing ---- */

static const char *keep(struct diff_lines *l, const char *text)
{
    return text ? arena_strndup(&l->arena, text, utf8_fit(text, strlen(text), TEXT_MOST)) : NULL;
}

static void add_line(struct diff_lines *l, struct diff_line line)
{
    *ARRAY_ADD(l->line, l->count, l->alloc) = line;
}

static void add_fields(struct diff_lines *l, const struct changed *c)
{
    struct arena arena = ARENA_INIT;
    struct difference *all;
    size_t count = 0;
    memory_difference(c->before, c->after, &arena, &all, &count);
    for (size_t i = 0; i < count; i++) {
        difference_readable(&all[i], &arena);
        add_line(l, (struct diff_line){.place = l->memories,
                                       .field = keep(l, all[i].field),
                                       .before = keep(l, all[i].before),
                                       .after = keep(l, all[i].after)});
    }
    arena_release(&arena);
    /* It was forgotten and restored, or written again: a line without a field says so. */
    if (count == 0)
        add_line(l, (struct diff_line){.place = l->memories,
                                       .text = "the same again, in another version"});
}

static void add_changed(struct diff_job *j, const struct changed *c, const struct event *event)
{
    struct diff_lines *l = &j->found;
    const struct memory *m = c->after ? c->after : c->before;
    struct strbuf ref = STRBUF_INIT;
    struct memory_row row = {.ref = c->ref};
    facts_ref(&row, ref_short_length(j->reader, c->ref), &ref);
    struct diff_line line = {.node = c->node,
                             .event = c->made,
                             .sign = !c->before  ? '+'
                                     : !c->after ? '-'
                                                 : '~',
                             .place = ++l->memories,
                             .ref = arena_strdup(&l->arena, ref.buf),
                             .text = keep(l, m ? m->text : "")};
    if (event) {
        line.at = event->at;
        line.who = keep(l, news_who(event));
        line.operation = keep(l, event->operation);
    }
    add_line(l, line);
    strbuf_release(&ref);
    bool whole = l->arena.used < WHOLE_BELOW;
    l->untold += !whole;
    if (whole && c->before && c->after)
        add_fields(l, c);
}

static int take(void *arg, const struct changed *c)
{
    struct diff_job *j = arg;
    struct arena arena = ARENA_INIT;
    struct event *event;
    size_t count;
    if (atomic_load(&j->job.cancelled)) {
        j->failed = error_set(&j->error, ERROR_INTERRUPTED, "", "interrupted") != 0;
        return 1;
    }
    if (journal_read(j->reader, &arena, c->made - 1, 1, &event, &count, &j->error))
        j->failed = true;
    else
        add_changed(j, c, count ? event : NULL);
    arena_release(&arena);
    return j->failed;
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct diff_job *j = (struct diff_job *)job;
    bool own = reader_past(r) >= 0;
    j->reader = own ? reader_open(reader_store(r), e) : r;
    int failed = !j->reader || past_compare(j->reader, j->from, j->to, take, j, e);
    if (!failed && j->failed)
        *e = j->error;
    if (own)
        reader_close(j->reader);
    return failed || j->failed ? JOB_FAILED : JOB_DONE;
}

static void done(struct job *job, const struct error *e)
{
    struct diff_job *j = (struct diff_job *)job;
    struct diff_view *d = j->view;
    if (e->code != ERROR_NONE) {
        app_fail(d->view.app, e);
        return;
    }
    lines_release(&d->found);
    d->found = j->found;
    j->found = (struct diff_lines){.arena = ARENA_INIT};
    d->known = true;
    view_set_count(&d->view, d->found.count);
    view_search_again(&d->view);
}

static void release_job(struct job *job)
{
    struct diff_job *j = (struct diff_job *)job;
    lines_release(&j->found);
    free(j);
}

static const struct job_ops job_ops = {
    .name = "comparing", .run = run, .done = done, .release = release_job};

static void load(struct diff_view *d)
{
    struct diff_job *j = xcalloc(1, sizeof(*j));
    j->view = d;
    j->from = d->from.seq;
    j->to = d->to.seq;
    j->found.arena = (struct arena)ARENA_INIT;
    worker_submit(&d->view.app->data.worker, &j->job, &job_ops, d, SLOT_DIFF);
}

/* ---- drawing ---- */

#define AT_SIGN  4
#define AT_EVENT 6
#define AT_WHEN  15
#define AT_FIELD 8

static void draw_memory(struct view *v, const struct pane *row, const struct diff_line *l)
{
    struct app *x = v->app;
    struct facts_look look = ages_look(&x->ui);
    static const enum style styles[] = {STYLE_GROUNDED, STYLE_UNGROUNDED, STYLE_WEAKENED};
    char text[48], sign[] = {l->sign, '\0'};
    int when = x->prefs.exact_times ? 19 : 4, at = AT_WHEN + when + 2;
    bool wide = row->width >= 90;
    if (marks_has(&x->ui.marks, l->node))
        paint_text(row, 0, 2, 1, STYLE_MARK, "*");
    paint_text(row, 0, AT_SIGN, 1, styles[l->sign == '+' ? 0 : l->sign == '-' ? 1 : 2], sign);
    snprintf(text, sizeof(text), "@%lld", (long long)l->event);
    paint_right(row, 0, AT_EVENT, 8, STYLE_NUMBER, text);
    facts_when(text, sizeof(text), l->at, &look);
    if (l->at)
        paint_right(row, 0, AT_WHEN, when, STYLE_AGE, text);
    if (wide) {
        paint_name(row, 0, at, 12, STYLE_SOURCE, l->who ? l->who : "", NULL);
        at += 14;
    }
    paint_name(row, 0, at, 10, STYLE_DIM, l->operation ? l->operation : "", NULL);
    at += 12;
    paint_name(row, 0, at, 18, STYLE_REF, l->ref ? l->ref : "", NULL);
    at += 20;
    size_t len = l->text ? strlen(l->text) : 0;
    size_t from = len ? paint_skip(row, l->text, len, v->pan) : 0;
    if (from < len && at < row->width - 1)
        paint_matched(row, 0, at, row->width - at - 1, STYLE_TEXT, l->text + from, len - from,
                      v->search.pattern);
}

/* "  confidence  0.7 → 0.9"; of an element of a list "+" or "-" stands before it. */
static void add_field(const struct view *v, const struct diff_line *l, struct strbuf *out)
{
    if (l->before && l->after)
        strbuf_addf(out, "%s %s %s", l->before, glyph_text(&v->app->ui.screen, GLYPH_ARROW),
                    l->after);
    else
        strbuf_addf(out, "%s %s", l->before ? "-" : "+",
                    l->before  ? l->before
                    : l->after ? l->after
                               : "");
}

static void draw_field(struct view *v, const struct pane *row, const struct diff_line *l)
{
    struct strbuf text = STRBUF_INIT;
    int width = row->width >= 60 ? 16 : 10, at = AT_FIELD + width + 2;
    if (!l->field) {
        paint_text(row, 0, AT_FIELD, row->width - AT_FIELD - 1, STYLE_DIM, l->text);
        return;
    }
    paint_name(row, 0, AT_FIELD, width, STYLE_FIELD, l->field, NULL);
    add_field(v, l, &text);
    size_t from = text.len ? paint_skip(row, text.buf, text.len, v->pan) : 0;
    if (from < text.len && at < row->width - 1)
        paint_matched(row, 0, at, row->width - at - 1, STYLE_TEXT, text.buf + from, text.len - from,
                      v->search.pattern);
    strbuf_release(&text);
}

static void draw_line(struct view *v, const struct pane *row, size_t line)
{
    const struct diff_line *l = &diff_of(v)->found.line[line];
    if (l->event)
        draw_memory(v, row, l);
    else
        draw_field(v, row, l);
}

static void add_moment(const struct moment *m, struct strbuf *out)
{
    strbuf_addf(out, "@%lld", (long long)m->seq);
}

static void title(struct view *v, struct strbuf *out)
{
    const struct diff_view *d = diff_of(v);
    strbuf_addstr(out, "diff ");
    add_moment(&d->from, out);
    strbuf_addch(out, ' ');
    add_moment(&d->to, out);
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct diff_view *d = diff_of(v);
    if (!d->known)
        return;
    strbuf_addf(out, "%u memor%s", d->found.memories, d->found.memories == 1 ? "y" : "ies");
}

static void notice(struct view *v, struct strbuf *out)
{
    const struct diff_view *d = diff_of(v);
    if (d->known && d->found.untold)
        strbuf_addf(out, "of %u not what differs, stemma diff tells all", d->found.untold);
}

static void position(struct view *v, struct strbuf *out)
{
    const struct diff_lines *l = &diff_of(v)->found;
    strbuf_addf(out, "%u/%u", l->line[v->selected].place, l->memories);
}

static bool selectable(struct view *v, size_t line)
{
    return diff_of(v)->found.line[line].event != 0;
}

static int64_t node_at(struct view *v, size_t line)
{
    return line < v->count ? diff_of(v)->found.line[line].node : 0;
}

static int64_t event_at(struct view *v, size_t line)
{
    return line < v->count ? diff_of(v)->found.line[line].event : 0;
}

static void line_text(struct view *v, size_t line, struct strbuf *out)
{
    const struct diff_line *l = &diff_of(v)->found.line[line];
    if (!l->event && !l->field) {
        strbuf_addstr(out, l->text);
        return;
    }
    if (!l->event) {
        strbuf_addf(out, "%s ", l->field);
        add_field(v, l, out);
        return;
    }
    strbuf_addf(out, "%s %s %s %s", l->who ? l->who : "", l->operation ? l->operation : "",
                l->ref ? l->ref : "", l->text ? l->text : "");
}

static const char *empty(struct view *v)
{
    return diff_of(v)->known ? "nothing differs between these two moments" : "comparing…";
}

static bool request(struct view *v, enum view_request request)
{
    switch (request) {
    case REQUEST_OPEN:
        app_open_memory(v->app, view_node(v));
        return true;
    case REQUEST_NEXT_SECTION:
        view_move(v, 1);
        return true;
    case REQUEST_PREVIOUS_SECTION:
        view_move(v, -1);
        return true;
    case REQUEST_REFRESH:
        load(diff_of(v));
        return true;
    default:
        return false;
    }
}

static void release(struct view *v)
{
    lines_release(&diff_of(v)->found);
}

static const struct view_ops diff_ops = {
    .name = "diff",
    .place = IN_DIFF,
    .preview = true,
    .title = title,
    .notice = notice,
    .counts = counts,
    .draw_line = draw_line,
    .selectable = selectable,
    .node = node_at,
    .text = line_text,
    .empty = empty,
    .request = request,
    .position = position,
    .event = event_at,
    .release = release,
};

struct view *diff_view_new(struct app *x, const struct moment *from, const struct moment *to)
{
    struct diff_view *d = xcalloc(1, sizeof(*d));
    view_init(&d->view, &diff_ops, &x->ui);
    d->found.arena = (struct arena)ARENA_INIT;
    d->from = *from;
    d->to = *to;
    load(d);
    return &d->view;
}
