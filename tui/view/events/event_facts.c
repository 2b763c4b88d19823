#include "tui/view/events/event_facts.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/guard/guard.h"
#include "tui/render/session_print.h"

/* The one revision that is asked for; its states live for this call alone. */
static int take_revision(void *arg, const struct revision *revision)
{
    struct event_facts *f = arg;
    if (revision->event.seq > f->id)
        return 0;
    if (revision->event.seq < f->id)
        return 1;
    f->purged_by = revision->purged_by;
    if (f->purged_by)
        return 1;
    memory_difference(revision->before, revision->after, &f->arena, &f->difference,
                      &f->difference_count);
    return 1;
}

static int read_difference(struct event_facts *f, struct reader *r, struct error *e)
{
    return f->event->subject > 0 ? history_walk(r, f->event->subject, take_revision, f, e) : 0;
}

static int read_batch(struct event_facts *f, struct reader *r, struct error *e)
{
    struct event_filter filter = EVENT_FILTER_ALL;
    struct event *events;
    size_t count;
    if (!f->event->correlation)
        return 0;
    filter.correlation = f->event->correlation;
    f->together = journal_together(r, f->event->correlation, e);
    if (f->together < 0 ||
        journal_select_newest(r, &f->arena, &filter, 0, EVENT_OTHERS + 1, &events, &count, e))
        return -1;
    f->others = events;
    for (size_t i = 0; i < count; i++)
        if (events[i].seq != f->id && f->other_count < EVENT_OTHERS)
            f->others[f->other_count++] = events[i];
    return 0;
}

static int read_undone(struct event_facts *f, struct reader *r, struct error *e)
{
    size_t count;
    int64_t by = history_undone_by(r, f->id, e);
    if (by <= 0)
        return by < 0 ? -1 : 0;
    if (journal_read(r, &f->arena, by - 1, 1, &f->undone_by, &count, e))
        return -1;
    f->undone_by = count ? f->undone_by : NULL;
    return 0;
}

static int not_found(const struct event_facts *f, struct error *e)
{
    return error_set(e, ERROR_NOT_FOUND, "", "there is no %s %lld",
                     f->call ? "row of calls" : "event", (long long)f->id);
}

static int read_event(struct event_facts *f, struct reader *r, struct error *e)
{
    struct event *event;
    size_t count;
    if (journal_read(r, &f->arena, f->id - 1, 1, &event, &count, e))
        return -1;
    if (count == 0 || event->seq != f->id)
        return not_found(f, e);
    f->event = event;
    return read_difference(f, r, e) || read_batch(f, r, e) || read_undone(f, r, e) ? -1 : 0;
}

static void mask_guard(struct call_guard *g, const struct guard_rules *rules, struct arena *arena)
{
    g->namespace_ = guard_mask_text(rules, arena, g->namespace_);
    g->agent = guard_mask_text(rules, arena, g->agent);
    g->task = guard_mask_text(rules, arena, g->task);
}

static int read_calls(struct event_facts *f, struct reader *r, struct error *e)
{
    struct call_row *calls;
    size_t count;
    if (call_list(r, &f->arena, f->id - 1, 1, &calls, &count, e))
        return -1;
    if (count == 0 || calls->id != f->id)
        return not_found(f, e);
    if (reader_masked(r))
        mask_guard(&calls->guard, reader_masked(r), &f->arena);
    f->calls = calls;
    return 0;
}

/* A session, 0 being none. */
static void read_session(struct event_facts *f, struct reader *r, int64_t id,
                         struct session_row *out)
{
    struct error e;
    if (id <= 0 || session_read(r, &f->arena, id, out, &e))
        out->id = 0;
    else
        session_mask(r, &f->arena, out, 1);
}

/* What may be gone, or never was there, is left out. */
static void read_around(struct event_facts *f, struct reader *r)
{
    struct error e;
    int64_t node = f->event ? f->event->subject : f->calls->subject;
    if (node > 0 && memory_row_read(r, &f->arena, node, &f->row, &e))
        f->row.node = 0;
    if (f->row.node > 0)
        f->short_length = ref_short_length(r, f->row.ref);
    read_session(f, r, f->event ? f->event->session : f->calls->session, &f->session);
    read_session(f, r, f->event ? f->event->about : 0, &f->about);
}

/* What it says of who did it, to what and why. */
static void mask_words(struct event_facts *f, struct reader *r, struct event *event)
{
    const struct guard_rules *rules = reader_masked(r);
    const char **const words[] = {&event->actor, &event->agent, &event->reason,
                                  &event->correlation};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        *words[i] = guard_mask_text(rules, &f->arena, *words[i]);
    event->ref = guard_mask_ref(r, &f->arena, event->ref);
}

static void mask_event(struct event_facts *f, struct reader *r)
{
    const struct guard_rules *rules = reader_masked(r);
    struct event *event = f->event ? arena_memdup(&f->arena, f->event, sizeof(*event)) : NULL;
    for (size_t i = 0; i < f->difference_count; i++) {
        struct difference *d = &f->difference[i];
        bool value = !strcmp(d->field, "detail.value"); /* whose keys may make it secret */
        d->before = value && d->before ? "(masked)" : guard_mask_text(rules, &f->arena, d->before);
        d->after = value && d->after ? "(masked)" : guard_mask_text(rules, &f->arena, d->after);
    }
    for (size_t i = 0; i < f->other_count; i++)
        mask_words(f, r, &f->others[i]);
    if (event) {
        mask_words(f, r, event);
        event->patch = NULL;
    }
    f->event = event;
}

struct event_facts *event_facts_read(struct reader *r, int64_t id, bool call, struct error *e)
{
    struct event_facts *f = xcalloc(1, sizeof(*f));
    f->id = id;
    f->call = call;
    int failed = reader_begin(r, e);
    if (!failed) {
        failed = call ? read_calls(f, r, e) : read_event(f, r, e);
        if (!failed)
            read_around(f, r);
        if (!failed && reader_masked(r))
            mask_event(f, r);
        reader_end(r);
    }
    if (!failed)
        return f;
    event_facts_free(f);
    return NULL;
}

void event_facts_free(struct event_facts *f)
{
    if (f)
        arena_release(&f->arena);
    free(f);
}
