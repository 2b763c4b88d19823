/* The search in a view: its lines by their texts, or its memories on the worker. */
#include <stdlib.h>
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "store/query/matcher.h"
#include "tui/widget/ui.h"
#include "tui/widget/view.h"
#include "tui/text/match.h"

#define SLOT_SCAN 0
#define SLICE_MS  20  /* ms until other jobs get their turn */
#define REPORT_MS 100 /* ms between reports, so that not every match causes a frame */

struct scan_job {
    struct job job;
    int64_t *nodes;
    size_t count, at;
    struct arena arena;
    struct query_terms terms; /* the text that is searched */
    uint32_t *found;
    size_t found_count, found_alloc, delivered;
    int64_t reported_at; /* ms of the last report; 0 for none yet */
    struct view *view;
};

/* ---- searching the lines of a view ---- */

static void found_line(struct search *s, size_t line)
{
    *ARRAY_ADD(s->line, s->count, s->alloc) = line;
}

/* The index of the first match at or after `line`; s->count if there is none. */
static size_t match_after(const struct search *s, size_t line)
{
    size_t low = 0, high = s->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->line[middle] < line)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Shows a match even if its line cannot be selected. */
static void go_to(struct view *v, size_t line)
{
    view_show_line(v, line);
    v->search.shown = line;
    v->search.top = v->top;
}

/* Where the search for the next match starts: the cursor, else the match that is shown. */
static size_t place_of(const struct view *v)
{
    const struct search *s = &v->search;
    if (v->cursor != LINE_NONE)
        return v->cursor;
    return s->top == v->top && s->shown >= v->top ? s->shown : v->top;
}

static void jump_wanted(struct view *v)
{
    struct search *s = &v->search;
    size_t index = match_after(s, s->origin);
    bool asked = !v->ui->prompt.ops; /* a key started it; a prompt shows the result itself */
    if (!s->wanted || (index == s->count && !s->complete))
        return;
    s->wanted = false;
    if (s->count == 0) {
        if (asked)
            ui_message(v->ui, "no match here for \"%s\"; S searches all texts", s->pattern);
        return;
    }
    bool wrapped = index == s->count;
    index = wrapped ? 0 : index;
    go_to(v, s->line[index]);
    if (asked)
        ui_message(v->ui, "match %zu of %zu%s%s", index + 1, s->count, s->complete ? "" : " so far",
                   wrapped ? ", continued from the top" : "");
}

/* Continues after the lines that were already searched. */
static void search_to(struct view *v, size_t end)
{
    AUTO_STRBUF text = STRBUF_INIT;
    for (; v->search.seen < end; v->search.seen++) {
        struct match_place found;
        strbuf_clear(&text);
        v->ops->text(v, v->search.seen, &text);
        if (match_find(text.buf, text.len, 0, v->search.pattern, &found))
            found_line(&v->search, v->search.seen);
    }
}

void view_search_here(struct view *v)
{
    search_to(v, v->count);
    v->search.complete = !view_is_partial(v);
    jump_wanted(v);
}

/* Searches for a slice of time. */
static enum job_result run_slice(struct scan_job *j, struct matcher *m, struct reader *r,
                                 struct error *e)
{
    int64_t begun = monotonic_ms();
    for (; j->at < j->count; j->at++) {
        if (j->at % 64 == 63 &&
            (atomic_load(&j->job.cancelled) || monotonic_ms() - begun > SLICE_MS))
            return JOB_AGAIN;
        int matches = j->nodes[j->at] > 0 ? matcher_passes(m, r, j->nodes[j->at], e) : 0;
        if (matches < 0)
            return JOB_FAILED;
        if (matches)
            *ARRAY_ADD(j->found, j->found_count, j->found_alloc) = (uint32_t)j->at;
    }
    return JOB_DONE;
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct scan_job *j = (struct scan_job *)job;
    struct matcher m;
    if (reader_begin(r, e))
        return JOB_FAILED;
    enum job_result result =
        matcher_make(&m, r, &j->terms, NULL, e) ? JOB_FAILED : run_slice(j, &m, r, e);
    matcher_release(&m);
    reader_end(r);
    return result;
}

static void deliver(struct scan_job *j, bool complete)
{
    for (; j->delivered < j->found_count; j->delivered++)
        found_line(&j->view->search, j->found[j->delivered]);
    j->view->search.complete = complete;
    jump_wanted(j->view);
}

static bool part(struct job *job)
{
    struct scan_job *j = (struct scan_job *)job;
    if (monotonic_ms() - j->reported_at < REPORT_MS)
        return false;
    j->reported_at = monotonic_ms();
    deliver(j, false);
    return true;
}

static void done(struct job *job, const struct error *e)
{
    struct scan_job *j = (struct scan_job *)job;
    deliver(j, e->code == ERROR_NONE);
}

static void release(struct job *job)
{
    struct scan_job *j = (struct scan_job *)job;
    free(j->nodes);
    free(j->found);
    arena_release(&j->arena);
    free(j);
}

static const struct job_ops job_ops = {
    .name = "looking through the list", .run = run, .part = part, .done = done, .release = release};

/* At most 2^32 lines. A new search replaces the one before. */
static void search_rows(struct view *v)
{
    struct scan_job *j = xcalloc(1, sizeof(*j));
    j->view = v;
    j->count = v->count;
    j->nodes = xmalloc((v->count ? v->count : 1) * sizeof(*j->nodes));
    for (size_t i = 0; i < v->count; i++)
        j->nodes[i] = view_node_at(v, i);
    query_plain(v->search.pattern, &j->arena, &j->terms);
    worker_submit(&v->ui->data->worker, &j->job, &job_ops, &v->search, SLOT_SCAN);
}

void view_search_again(struct view *v)
{
    struct search *s = &v->search;
    worker_cancel_owner(&v->ui->data->worker, s);
    s->count = s->seen = 0;
    s->complete = !*s->pattern;
    if (!*s->pattern)
        return;
    if (v->ops->text)
        view_search_here(v);
    else if (v->ops->subject)
        search_rows(v);
}

void view_search_above(struct view *v, size_t came, size_t end)
{
    struct search *s = &v->search, before = *s;
    if (!*s->pattern)
        return;
    s->line = NULL;
    s->count = s->alloc = s->seen = 0;
    search_to(v, end);
    for (size_t i = match_after(&before, end - came); i < before.count; i++)
        found_line(s, before.line[i] + came);
    s->seen = before.seen + came;
    free(before.line);
    jump_wanted(v);
}

void view_search_begin(struct view *v)
{
    v->search.origin = v->cursor == LINE_NONE ? v->top : v->cursor;
}

void view_search(struct view *v, const char *pattern)
{
    snprintf(v->search.pattern, sizeof(v->search.pattern), "%s", pattern);
    v->search.wanted = *pattern != '\0';
    view_search_again(v);
}

void view_search_abandon(struct view *v)
{
    size_t origin = v->search.origin;
    view_search(v, "");
    view_select(v, origin);
}

void view_search_next(struct view *v, int direction)
{
    struct search *s = &v->search;
    size_t from = place_of(v);
    size_t index = match_after(s, direction > 0 ? from + 1 : from);
    if (s->count == 0 && s->complete) {
        ui_message(v->ui, "no match here for \"%s\"; S searches all texts", s->pattern);
        return;
    }
    if (!s->complete && (s->count == 0 || (direction > 0 && index == s->count))) {
        s->origin = direction > 0 ? from + 1 : s->origin;
        s->wanted = true;
        ui_message(v->ui, "still searching for \"%s\"; any key stops it", s->pattern);
        return;
    }
    bool wrapped = direction > 0 ? index == s->count : index == 0;
    index = direction > 0 ? (wrapped ? 0 : index) : (wrapped ? s->count : index) - 1;
    go_to(v, s->line[index]);
    ui_message(v->ui, "match %zu of %zu%s%s", index + 1, s->count, s->complete ? "" : " so far",
               !wrapped        ? ""
               : direction > 0 ? ", continued from the top"
                               : ", continued from the bottom");
}
