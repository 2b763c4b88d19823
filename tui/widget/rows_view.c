#include "tui/widget/rows_view.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "store/db/thread.h"
#include "tui/text/times.h"
#include "tui/widget/ui.h"

#define SLOT_ROWS 0
#define AFTER     64 /* rows after the cursor that it may move to if its own row was removed */

struct rows_job {
    struct job job;
    struct job_ops job_ops;
    struct rows_view *view;
    const struct rows_ops *ops; /* the view may be released while the job runs */
    struct rows *rows;
    bool parted; /* the view shows the rows found so far */
};

static struct rows_view *rows_of(const struct view *v)
{
    return (struct rows_view *)v;
}

void *rows_add(struct rows *rows)
{
    if (rows->count == rows->alloc)
        rows->row = array_room(rows->row, &rows->alloc, rows->count + 1, rows->size);
    return memset((char *)rows->row + rows->count++ * rows->size, 0, rows->size);
}

static void rows_free(const struct rows_ops *ops, struct rows *rows)
{
    if (!rows)
        return;
    if (ops->release)
        ops->release(rows);
    arena_release(&rows->arena);
    free(rows->row);
    free(rows->context);
    free(rows);
}

static const void *row_at(const struct rows *rows, size_t index)
{
    return (const char *)rows->row + index * rows->size;
}

void *rows_view_at(const struct view *v, size_t line)
{
    const struct rows_view *l = rows_of(v);
    if (!l->rows || line >= v->count)
        return NULL;
    return (void *)row_at(l->rows, l->line ? l->line[line] : line);
}

bool rows_view_known(const struct view *v)
{
    return rows_of(v)->rows != NULL;
}

bool rows_view_is_whole(const struct view *v)
{
    const struct rows_view *l = rows_of(v);
    bool reads = l->next && worker_has(&v->ui->data->worker, l, SLOT_ROWS);
    return l->rows && !l->rows->partial && !(reads && l->next->parts);
}

bool rows_view_partial(struct view *v)
{
    return !rows_view_known(v) || rows_of(v)->rows->partial;
}

/* The rows being read, else the rows shown. A cancelled read may still be running. */
static const struct rows *rows_asked(const struct rows_view *l)
{
    bool reads = l->next && worker_has(&l->view.ui->data->worker, l, SLOT_ROWS);
    return reads ? l->next : l->rows;
}

void *rows_view_asked(const struct rows_view *l)
{
    return rows_asked(l) ? rows_asked(l)->context : NULL;
}

void *rows_view_answer(const struct view *v)
{
    return rows_view_known(v) ? rows_of(v)->rows->context : NULL;
}

/* ---- the cursor ---- */

/* The row of the cursor and the rows after it, where the cursor goes if its row was removed. On the first line it stays
 * on the first line. */
struct cursor {
    int64_t id[AFTER];
    size_t count, row; /* on the screen */
};

static void note_cursor(const struct rows_view *l, struct cursor *c)
{
    const struct view *v = &l->view;
    *c = (struct cursor){0};
    if (l->rows && v->cursor != LINE_NONE)
        c->row = v->cursor > v->top ? v->cursor - v->top : 0;
    if (v->sought)
        c->id[c->count++] = v->sought;
    size_t most = v->cursor ? AFTER : c->count + 1;
    for (size_t i = v->cursor; l->rows && i < v->count && c->count < most; i++) {
        int64_t id = l->rows_ops->subject(rows_view_at(v, i)).id;
        if (id)
            c->id[c->count++] = id;
    }
}

static void put_cursor(struct rows_view *l, const struct cursor *c)
{
    struct view *v = &l->view;
    for (size_t k = 0; k < c->count; k++)
        for (size_t i = 0; i < v->count; i++)
            if (l->rows_ops->subject(rows_view_at(v, i)).id == c->id[k]) {
                v->top = i > c->row ? i - c->row : 0;
                view_select(v, i);
                if (v->sought == c->id[k])
                    v->line_wanted = 0;
                return;
            }
}

/* ---- sorting ---- */

/* A row while it is sorted. */
struct sorted_row {
    size_t index; /* decides between equal keys */
    double number;
    const char *text;
};

static bool is_known(const struct sorted_row *row, bool text)
{
    return text ? row->text != NULL : row->number == row->number;
}

/* Rows without a key come last. */
static int compare_rows(const struct sorted_row *a, const struct sorted_row *b, bool text, bool up)
{
    int order = is_known(b, text) - is_known(a, text);
    if (!order && is_known(a, text))
        order = (text ? strcmp(a->text, b->text) : COMPARE(a->number, b->number)) * (up ? 1 : -1);
    return order ? order : COMPARE(a->index, b->index);
}

static int texts_up(const void *a, const void *b)
{
    return compare_rows(a, b, true, true);
}

static int texts_down(const void *a, const void *b)
{
    return compare_rows(a, b, true, false);
}

static int numbers_up(const void *a, const void *b)
{
    return compare_rows(a, b, false, true);
}

static int numbers_down(const void *a, const void *b)
{
    return compare_rows(a, b, false, false);
}

static double number_of(struct view *v, const struct rows_column *by, const void *row)
{
    const char *at = (const char *)row + by->at;
    if (by->number)
        return by->number(v, row);
    return by->type == BY_INT64 || by->type == BY_TIME ? (double)*(const int64_t *)(const void *)at
           : by->type == BY_SIZE                       ? (double)*(const size_t *)(const void *)at
           : by->type == BY_DOUBLE                     ? *(const double *)(const void *)at
                                                       : *(const bool *)(const void *)at;
}

/* As it is sorted: without case. */
static const char *text_of(struct view *v, const struct rows_column *by, const void *row,
                           struct arena *arena)
{
    AUTO_STRBUF text = STRBUF_INIT, folded = STRBUF_INIT;
    const char *member =
        by->text ? NULL : *(const char *const *)(const void *)((const char *)row + by->at);
    if (by->text)
        by->text(v, row, &text);
    else
        strbuf_addstr(&text, member ? member : "");
    fold_text(&folded, text.buf ? text.buf : "", text.len);
    return text.len ? arena_strdup(arena, folded.buf) : NULL;
}

static void sort_lines(struct rows_view *l, size_t count)
{
    AUTO_ARENA arena = ARENA_INIT;
    bool text = l->by->type == BY_TEXT, up = text != l->reverse;
    AUTO_FREE struct sorted_row *row = xcalloc(count + 1, sizeof(*row));
    for (size_t i = 0; i < count; i++) {
        const void *of = row_at(l->rows, l->line[i]);
        row[i] = (struct sorted_row){.index = l->line[i]};
        if (text)
            row[i].text = text_of(&l->view, l->by, of, &arena);
        else
            row[i].number = number_of(&l->view, l->by, of);
    }
    qsort(row, count, sizeof(*row),
          text ? up ? texts_up : texts_down
          : up ? numbers_up
               : numbers_down);
    for (size_t i = 0; i < count; i++)
        l->line[i] = row[i].index;
}

const struct rows_column *rows_view_columns(const struct view *v)
{
    return v->ops->sort == rows_view_sort ? rows_of(v)->rows_ops->columns : NULL;
}

const char *rows_view_sort(struct view *v, const char *column)
{
    struct rows_view *l = rows_of(v);
    const struct rows_column *by = l->rows_ops->columns;
    while (by && by->name && strcmp(by->name, column) != 0)
        by++;
    if (!by || !by->name)
        return l->rows_ops->fixed ? l->rows_ops->fixed : "its values have no order";
    l->reverse = l->by == by && !l->reverse;
    l->by = by;
    rows_view_make_lines(v);
    return NULL;
}

const char *rows_view_sorted(struct view *v, bool *up)
{
    const struct rows_view *l = rows_of(v);
    *up = l->by && (l->by->type == BY_TEXT) != l->reverse;
    return l->by ? l->by->name : NULL;
}

/* Makes lines of the rows that are shown. */
static size_t make_lines(struct rows_view *l)
{
    const struct rows_ops *ops = l->rows_ops;
    size_t count = 0;
    free(l->line);
    l->line = NULL;
    if (!ops->passes && !l->by)
        return l->rows->count;
    l->line = xcalloc(l->rows->count + 1, sizeof(*l->line));
    for (size_t i = 0; i < l->rows->count; i++)
        if (!ops->passes || ops->passes(l, row_at(l->rows, i)))
            l->line[count++] = i;
    if (l->by)
        sort_lines(l, count);
    return count;
}

static void lay(struct rows_view *l, const struct cursor *c)
{
    size_t count = make_lines(l);
    view_set_count(&l->view, count);
    put_cursor(l, c);
    view_search_again(&l->view);
}

void rows_view_make_lines(struct view *v)
{
    struct cursor c;
    if (!rows_of(v)->rows)
        return;
    note_cursor(rows_of(v), &c);
    lay(rows_of(v), &c);
    v->sought = 0;
}

/* ---- reading ---- */

static size_t end_of_section(const struct rows_ops *ops, const struct rows *rows, size_t from)
{
    int section = ops->subject(row_at(rows, from)).section;
    while (++from < rows->count && ops->subject(row_at(rows, from)).section == section)
        ;
    return from;
}

/* Marks the rows of a section that the filter shows: those that match, and their heading. */
static int mark_section(const struct rows_ops *ops, struct rows *rows, size_t from, size_t to,
                        struct reader *r, bool *shown, struct error *e)
{
    bool any = false;
    for (size_t i = from; i < to && !atomic_load(rows->cancelled); i++) {
        int matches = ops->matches(rows, i, r, e);
        if (matches < 0)
            return -1;
        any |= shown[i] = matches > 0;
    }
    for (size_t i = from; i < to && any; i++)
        shown[i] |= ops->whole_sections || ops->subject(row_at(rows, i)).id == 0;
    return 0;
}

int rows_match(struct rows *rows, struct reader *r, int64_t node, const char *also, struct error *e)
{
    rows->matcher.also = also;
    return node > 0 ? matcher_passes(&rows->matcher, r, node, e) : 0;
}

/* Removes the rows that the filter hides. */
static int apply_filter(const struct rows_ops *ops, struct rows *rows, struct reader *r,
                        struct error *e)
{
    size_t count = 0;
    if (!*rows->filter)
        return 0;
    if (reader_begin(r, e))
        return -1;
    AUTO_FREE bool *shown = xcalloc(rows->count + 1, sizeof(*shown));
    int result = rows->terms.count ? matcher_make(&rows->matcher, r, &rows->terms, NULL, e) : 0;
    for (size_t from = 0, to; from < rows->count && !result; from = to) {
        to = end_of_section(ops, rows, from);
        result = mark_section(ops, rows, from, to, r, shown, e);
    }
    if (rows->terms.count)
        matcher_release(&rows->matcher);
    reader_end(r);
    if (result)
        return -1;
    for (size_t i = 0; i < rows->count; i++)
        if (shown[i])
            memmove((char *)rows->row + count++ * rows->size, row_at(rows, i), rows->size);
    rows->count = count;
    return 0;
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct rows_job *j = (struct rows_job *)job;
    int result = j->ops->read(j->rows, r, e);
    if (result == 0)
        result = apply_filter(j->ops, j->rows, r, e);
    return result < 0 ? JOB_FAILED : result ? JOB_AGAIN : JOB_DONE;
}

/* Appends new rows to those that the view has. */
static void append(struct rows *to, struct rows *from)
{
    if (from->count > 0)
        to->row = array_room(to->row, &to->alloc, to->count + from->count, to->size);
    if (from->count > 0)
        memcpy((char *)to->row + to->count * to->size, from->row, from->count * to->size);
    to->count += from->count;
    from->count = 0;
}

/* The first part replaces the rows that are shown. */
static bool part(struct job *job)
{
    struct rows_job *j = (struct rows_job *)job;
    struct rows_view *l = j->view;
    struct cursor c;
    if (!j->rows->parts || !l->rows)
        return false;
    note_cursor(l, &c);
    if (!j->parted)
        l->rows->count = 0;
    j->parted = true;
    l->view.asked = false;
    append(l->rows, j->rows);
    lay(l, &c);
    return true;
}

static void done(struct job *job, const struct error *e)
{
    struct rows_job *j = (struct rows_job *)job;
    struct rows_view *l = j->view;
    struct cursor c;
    l->next = l->next == j->rows ? NULL : l->next; /* a cancelled read is another one */
    l->took = monotonic_ms() - job->begun;
    throttle_read_done(&l->view.throttle, job->begun);
    if (j->ops->ended && !j->ops->ended(l, j->rows, e))
        return; /* the view may have been released */
    if (e->code != ERROR_NONE) {
        if (e->code != ERROR_INTERRUPTED || !job->ops->quiet)
            ui_error(l->view.ui, e);
        return;
    }
    note_cursor(l, &c);
    struct rows *before = l->rows;
    if (j->parted) {
        append(before, j->rows);
        append(j->rows, before);
    }
    l->rows = j->rows;
    j->rows = NULL;
    l->view.changed = l->view.asked = false;
    if (l->rows_ops->taken)
        l->rows_ops->taken(l);
    lay(l, &c);
    if (l->view.sought && l->view.line_wanted > l->view.count)
        l->view.line_wanted = l->view.count; /* the neighbour of a row that is gone */
    l->view.sought = 0;
    rows_free(j->ops, before);
    if (j->ops->laid)
        j->ops->laid(l);
    view_grown(&l->view);
}

static void release_job(struct job *job)
{
    struct rows_job *j = (struct rows_job *)job;
    rows_free(j->ops, j->rows);
    free(j);
}

/* The filter was parsed when it was set, so it has no mistake. */
static void rows_parse(struct rows *rows, const struct view *v)
{
    struct error e;
    if (query_parse(v->filter, (enum query_on)v->ops->query, times_clock(v->ui->now), &rows->arena,
                    &rows->terms, &e))
        rows->terms.count = 0;
}

static struct rows *ask(struct rows_view *l, const atomic_bool *cancelled)
{
    const struct rows_ops *ops = l->rows_ops;
    struct rows *rows = xcalloc(1, sizeof(*rows));
    *rows = (struct rows){.arena = ARENA_INIT, .size = ops->size, .cancelled = cancelled};
    rows->context = ops->context ? xcalloc(1, ops->context) : NULL;
    rows->agent = arena_strdup(&rows->arena, l->view.ui->prefs->agent);
    rows->filter = ops->matches ? arena_strdup(&rows->arena, l->view.filter) : "";
    if (*rows->filter && l->view.ops->query)
        rows_parse(rows, &l->view);
    if (ops->ask)
        ops->ask(l, rows);
    return rows;
}

void rows_view_load(struct view *v)
{
    struct rows_view *l = rows_of(v);
    const struct rows_ops *ops = l->rows_ops;
    struct rows_job *j = xcalloc(1, sizeof(*j));
    j->view = l;
    j->ops = ops;
    l->next = j->rows = ask(l, &j->job.cancelled);
    j->job_ops = (struct job_ops){.name = ops->job,
                                  .quiet = ops->quiet,
                                  .run = run,
                                  .part = part,
                                  .done = done,
                                  .release = release_job};
    worker_submit(&v->ui->data->worker, &j->job, &j->job_ops, v, SLOT_ROWS);
}

void rows_view_first(struct rows_view *l,
                     int (*first)(struct rows *rows, struct reader *r, struct error *e))
{
    static const atomic_bool never;
    struct cursor none = {0};
    struct error e;
    l->rows = ask(l, &never);
    l->rows->partial = true;
    if (first(l->rows, l->view.ui->data->reader, &e))
        ui_error(l->view.ui, &e);
    lay(l, &none);
}

void rows_view_release(struct view *v)
{
    rows_free(rows_of(v)->rows_ops, rows_of(v)->rows);
    free(rows_of(v)->line);
}

/* ---- view_ops ---- */

void *rows_view_new(size_t size, const struct view_ops *ops, const struct rows_ops *rows_ops,
                    struct ui *ui)
{
    struct rows_view *l = xcalloc(1, size);
    view_init(&l->view, ops, ui);
    l->rows_ops = rows_ops;
    return l;
}

void rows_view_draw_header(struct view *v, const struct pane *p)
{
    rows_of(v)->rows_ops->draw(v, p, NULL);
}

void rows_view_draw_line(struct view *v, const struct pane *row, size_t line)
{
    rows_of(v)->rows_ops->draw(v, row, rows_view_at(v, line));
}

void rows_view_shown(struct view *v)
{
    const struct rows *rows = rows_asked(rows_of(v));
    if (rows && same_text(rows->agent, v->ui->prefs->agent))
        return;
    if (v->ops->load)
        view_load(v);
    else
        view_request(v, REQUEST_REFRESH);
}

void rows_view_narrow(struct view *v)
{
    if (rows_of(v)->rows_ops->passes)
        rows_view_make_lines(v);
    else
        view_load(v);
}

struct line_subject rows_view_subject(struct view *v, size_t line)
{
    const void *row = rows_view_at(v, line);
    return row ? rows_of(v)->rows_ops->subject(row) : (struct line_subject){0};
}

bool rows_view_selectable(struct view *v, size_t line)
{
    return rows_view_subject(v, line).id != 0;
}

/* Goes to the first row of the next or previous section, and wraps. */
static void step_section(struct view *v, int direction)
{
    size_t first = LINE_NONE, last = LINE_NONE, before = LINE_NONE, after = LINE_NONE;
    if (v->cursor >= v->count)
        return;
    int here = rows_view_subject(v, v->cursor).section, section = -1;
    for (size_t i = 0; i < v->count; i++) {
        int of = rows_view_subject(v, i).section;
        if (of == section || !view_selectable(v, i))
            continue;
        section = of;
        last = i;
        first = first == LINE_NONE ? i : first;
        if (of != here && i < v->cursor)
            before = i;
        else if (of != here && after == LINE_NONE)
            after = i;
    }
    if (direction > 0)
        view_select(v, after == LINE_NONE ? first : after);
    else
        view_select(v, before == LINE_NONE ? last : before);
}

bool rows_view_request(struct view *v, enum view_request request)
{
    bool next = request == REQUEST_NEXT_SECTION;
    if (request == REQUEST_REFRESH) {
        rows_view_load(v);
        return true;
    }
    if (!rows_of(v)->rows_ops->sections || (!next && request != REQUEST_PREVIOUS_SECTION))
        return false;
    step_section(v, next ? 1 : -1);
    return true;
}

const char *rows_view_empty(struct view *v)
{
    const struct rows_ops *ops = rows_of(v)->rows_ops;
    if (!rows_view_known(v) && !rows_of(v)->next)
        return "this was not read completely; R reloads it";
    if (!rows_view_known(v))
        return ops->while_reading ? ops->while_reading : "reading…";
    if (*v->filter)
        return "nothing matches the filter; Esc clears it";
    return v->only_new ? v->ui->nothing_new : ops->nothing;
}
