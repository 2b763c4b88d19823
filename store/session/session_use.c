/* What went through a session, for whoever is in it. */
#include <stdlib.h>
#include "model/base/alloc.h"
#include "store/session/session_state.h"

#define PAST_FIRST 16

void session_passed(struct session *s, size_t bytes)
{
    s->bytes += (int64_t)bytes;
}

void session_spent(struct session *s, double usd)
{
    s->usd = usd;
}

static size_t kept(const struct session *s)
{
    return s->tool_calls < (int64_t)s->past_alloc ? (size_t)s->tool_calls : s->past_alloc;
}

/*
 * It grows while it is not full, and then the newest takes the place of the oldest. Where there is no memory to
 * grow it is full at that size: how many calls there were is counted all the same.
 */
void session_remember(struct session *s, const struct call_note *note)
{
    if (s->tool_calls == (int64_t)s->past_alloc && s->past_alloc < SESSION_PAST_MAX) {
        size_t more = s->past_alloc ? 2 * s->past_alloc : PAST_FIRST;
        more = more < SESSION_PAST_MAX ? more : SESSION_PAST_MAX;
        struct past_call *past = xrealloc(s->past, more * sizeof(*past));
        if (past) {
            s->past = past;
            s->past_alloc = more;
        }
    }
    if (s->past_alloc)
        s->past[s->tool_calls % (int64_t)s->past_alloc] =
            (struct past_call){note->tool, note->at, note->outcome};
    s->tool_calls++;
}

struct session_use session_used(const struct session *s)
{
    return (struct session_use){.started_at = s->started_at,
                                .bytes = s->bytes,
                                .usd = s->usd,
                                .calls = s->tool_calls,
                                .kept = kept(s)};
}

struct past_call session_past(const struct session *s, size_t i)
{
    size_t first = (size_t)(s->tool_calls - (int64_t)kept(s));
    return s->past[(first + i) % s->past_alloc];
}
