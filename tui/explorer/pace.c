#include "tui/explorer/pace.h"

#define SPAN_MS  (PACE_SECONDS * 1000)
#define FLUSH_MS 1000 /* from a call to the row that tells it */
#define LATE_MS  1600 /* and to the look at that */
#define LEAST_MS 1000 /* of less than that no pace is told */

static void add_spell(struct pace *p, int64_t from, int64_t to, int64_t calls)
{
    struct spell *spell = &p->spell[p->next++ % PACE_SPELLS];
    if (spell->calls > 0 && spell->to > p->since)
        p->since = spell->to;
    *spell = (struct spell){from, to, calls};
}

struct pace pace_begin(int64_t started_at, int64_t seen_at, int64_t calls, int64_t now)
{
    struct pace p = {.calls = calls, .seen_at = seen_at, .since = seen_at};
    if (now - started_at < SPAN_MS) {
        p.since = started_at - SPAN_MS;
        add_spell(&p, started_at, seen_at, calls);
    }
    return p;
}

void pace_add(struct pace *p, int64_t seen_at, int64_t calls)
{
    int64_t from = seen_at - FLUSH_MS;
    if (calls > p->calls)
        add_spell(p, from > p->seen_at ? from : p->seen_at, seen_at, calls - p->calls);
    p->calls = calls;
    p->seen_at = seen_at;
}

/* How many of them came after that time. */
static double calls_after(const struct spell *s, int64_t at)
{
    if (at >= s->to)
        return 0;
    if (at <= s->from)
        return (double)s->calls;
    return (double)s->calls * (double)(s->to - at) / (double)(s->to - s->from);
}

double pace_at(const struct pace *p, int64_t now)
{
    int64_t end = now - p->seen_at > LATE_MS ? now : p->seen_at, known = end - p->since;
    double calls = 0;
    /* Its clock was set back: when the last one was is not known any more. */
    if (p->seen_at - now > SPAN_MS)
        return 0;
    for (unsigned i = 0; i < PACE_SPELLS; i++)
        calls += calls_after(&p->spell[i], end - SPAN_MS);
    int64_t span = known > SPAN_MS ? SPAN_MS : known < LEAST_MS ? LEAST_MS : known;
    return calls * 1000 / (double)span;
}
