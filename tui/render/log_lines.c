#include "tui/render/log_lines.h"

#include <stdlib.h>
#include <string.h>
#include "store/journal/call_outcome.h"

#define BATCH LOG_BLOCK

void log_lines_open(struct log_lines *l, struct reader *r, const struct event_filter *filter,
                    bool calls_wanted, const struct log_place *end)
{
    *l = (struct log_lines){.reader = r, .filter = filter, .end = *end};
    l->calls_wanted = calls_wanted && end->call && !filter->correlation; /* which no call has */
}

void log_lines_begin(struct log_lines *l, const struct log_place *from)
{
    l->events.count = l->events.next = l->calls.count = l->calls.next = 0;
    l->events.last = from->event;
    l->calls.last = from->call;
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
    *wanted =
        same(f->actor, session->actor) || (row->guard.agent && same(f->actor, row->guard.agent));
    return 0;
}

/* A line for each outcome that a row has, of the calls in the time that is asked for. Where a tool is asked for there is
 * no line of the event, which is called otherwise. */
static void add_row(struct log_lines *l, const struct call_row *row)
{
    struct call_outcome of[ERROR_CODES];
    size_t count = call_outcomes(row, l->filter->since, l->filter->until, of);
    for (size_t i = 0; i < count; i++)
        if (l->filter->operation || !call_outcome_is_event(row->tool, of[i].code))
            l->calls.lines[l->calls.count++] =
                (struct log_line){of[i].first, of[i].last, NULL, row, of[i].code, of[i].count};
}

static int64_t block_of(int64_t call)
{
    return (call - 1) / LOG_BLOCK;
}

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Of two lines of a block. */
static int by_time(const void *a, const void *b)
{
    const struct log_line *x = a, *y = b;
    int order = compare(x->at, y->at);
    order = order ? order : compare(x->row->id, y->row->id);
    return order ? order : compare(x->outcome, y->outcome);
}

/* Does the line come behind the end, of whose block it is? */
static bool is_behind(const struct log_line *line, const struct log_place *end)
{
    int order = compare(line->at, end->at);
    order = order ? order : compare(line->row->id, end->call);
    return (order ? order : compare((int)line->outcome, end->outcome)) > 0;
}

/* The lines of a block, or of what is there of it by now, in their order. */
static int add_block(struct log_lines *l, const struct call_row *rows, size_t count,
                     struct error *e)
{
    struct log_batch *b = &l->calls;
    int64_t block = block_of(rows[0].id);
    for (size_t i = 0; i < count && block_of(rows[i].id) == block; i++) {
        bool wanted;
        if (is_wanted(l, &rows[i], &wanted, e))
            return -1;
        if (wanted)
            add_row(l, &rows[i]);
        b->last = rows[i].id;
    }
    qsort(b->lines, b->count, sizeof(*b->lines), by_time);
    while (block == block_of(l->end.call) && b->count &&
           is_behind(&b->lines[b->count - 1], &l->end))
        b->count--;
    return 0;
}

/* Rows are written flush by flush, by several processes: within a block they are put in order. */
static int read_calls(struct log_lines *l, struct error *e)
{
    struct log_batch *b = &l->calls;
    struct call_row *rows;
    size_t count;
    do {
        arena_clear(&b->arena);
        if (call_list(l->reader, &b->arena, b->last, BATCH, &rows, &count, e) ||
            begin_batch(b, count * ERROR_CODES, e))
            return -1;
        if (count && block_of(rows[0].id) > block_of(l->end.call))
            return 0;
        if (count && add_block(l, rows, count, e))
            return -1;
    } while (count && !b->count);
    return 0;
}

void log_place_pass(struct log_place *p, const struct log_line *line)
{
    if (line->event) {
        p->event = line->event->seq;
        return;
    }
    p->call = line->row->id;
    p->at = line->at;
    p->outcome = (int)line->outcome;
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
