#include "log_lines.h"

#include <stdlib.h>
#include <string.h>

#define BATCH    256
#define OUTCOMES (ERROR_INTERRUPTED + 1)

void log_lines_open(struct log_lines *l, struct reader *r, const struct event_filter *filter,
                    bool calls_wanted, int64_t after_event, int64_t after_call)
{
    *l = (struct log_lines){.reader = r, .filter = filter};
    l->calls_wanted = calls_wanted && !filter->correlation; /* which no call has */
    l->events.last = after_event;
    l->calls.last = after_call;
}

void log_lines_close(struct log_lines *l)
{
    arena_release(&l->events.arena);
    arena_release(&l->calls.arena);
    for (size_t i = 0; i < LOG_SESSIONS; i++)
        arena_release(&l->session[i].arena);
}

static int begin_batch(struct log_batch *b, size_t most, struct error *e)
{
    b->count = b->next = 0;
    b->lines = arena_array(&b->arena, most ? most : 1, sizeof(*b->lines));
    return b->lines ? 0 : error_set(e, ERROR_MEMORY, "", "there is no memory for the log");
}

/* ---- events ---- */

static int read_events(struct log_lines *l, struct error *e)
{
    struct log_batch *b = &l->events;
    struct event *events;
    size_t count;
    arena_clear(&b->arena);
    if (journal_select(l->reader, &b->arena, l->filter, b->last, BATCH, &events, &count, e) ||
        begin_batch(b, count, e))
        return -1;
    for (size_t i = 0; i < count; i++)
        b->lines[b->count++] =
            (struct log_line){.at = events[i].at, .until = events[i].at, .event = &events[i]};
    if (count)
        b->last = events[count - 1].seq;
    return 0;
}

/* ---- calls ---- */

int log_lines_session(struct log_lines *l, int64_t session, const struct session_row **out,
                      struct error *e)
{
    struct log_session *kept = &l->session[(uint64_t)session % LOG_SESSIONS];
    *out = &kept->row;
    if (kept->row.id == session && session)
        return 0;
    arena_clear(&kept->arena);
    if (session_read(l->reader, &kept->arena, session, &kept->row, e) == 0)
        return 0;
    kept->row = (struct session_row){.id = 0}; /* gone: fsck says so */
    return e->code == ERROR_NOT_FOUND ? 0 : -1;
}

static bool same(const char *wanted, const char *is)
{
    return !wanted || (is && strcmp(wanted, is) == 0);
}

/* Is a row of calls wanted, its times left aside? */
static int is_wanted(struct log_lines *l, const struct call_row *row, bool *wanted, struct error *e)
{
    const struct event_filter *f = l->filter;
    const struct session_row *session;
    *wanted = same(f->operation, row->tool) && (!f->session || f->session == row->session) &&
              (!f->subject || f->subject == row->subject) &&
              (f->kind < 0 || (row->ref.id && (int)row->ref.kind == f->kind));
    if (!*wanted || !f->actor)
        return 0;
    if (log_lines_session(l, row->session, &session, e))
        return -1;
    *wanted = same(f->actor, session->actor);
    return 0;
}

/* A line for each outcome that a row has, of the calls in the time that is asked for. */
static void add_row(struct log_lines *l, const struct call_row *row)
{
    struct log_line found[OUTCOMES] = {{.count = 0}};
    for (size_t i = 0; i < row->count; i++) {
        struct log_line *line = &found[row->outcome[i]];
        if (row->at[i] < l->filter->since || row->at[i] > l->filter->until)
            continue;
        if (!line->count++)
            *line = (struct log_line){row->at[i], row->at[i], NULL, row, row->outcome[i], 1};
        line->at = row->at[i] < line->at ? row->at[i] : line->at;
        line->until = row->at[i] > line->until ? row->at[i] : line->until;
    }
    for (size_t i = 0; i < OUTCOMES; i++)
        if (found[i].count)
            l->calls.lines[l->calls.count++] = found[i];
}

static int by_time(const void *a, const void *b)
{
    const struct log_line *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return (x->row->id > y->row->id) - (x->row->id < y->row->id);
}

/* Rows are written flush by flush, by several processes: within a batch they are put in order. */
static int read_calls(struct log_lines *l, struct error *e)
{
    struct log_batch *b = &l->calls;
    struct call_row *rows;
    size_t count;
    do {
        arena_clear(&b->arena);
        if (call_list(l->reader, &b->arena, b->last, BATCH, &rows, &count, e) ||
            begin_batch(b, count * OUTCOMES, e))
            return -1;
        for (size_t i = 0; i < count; i++) {
            bool wanted;
            if (is_wanted(l, &rows[i], &wanted, e))
                return -1;
            if (wanted)
                add_row(l, &rows[i]);
            b->last = rows[i].id;
        }
    } while (count && !b->count);
    qsort(b->lines, b->count, sizeof(*b->lines), by_time);
    return 0;
}

/* ---- both ---- */

int log_lines_next(struct log_lines *l, struct log_line *out, struct error *e)
{
    struct log_batch *events = &l->events, *calls = &l->calls;
    if (events->next == events->count && read_events(l, e))
        return -1;
    if (l->calls_wanted && calls->next == calls->count && read_calls(l, e))
        return -1;
    const struct log_line *event = events->next < events->count ? &events->lines[events->next] : 0;
    const struct log_line *call = calls->next < calls->count ? &calls->lines[calls->next] : 0;
    if (!event && !call)
        return 0;
    if (!call || (event && event->at <= call->at)) {
        *out = *event;
        events->next++;
    } else {
        *out = *call;
        calls->next++;
    }
    return 1;
}
