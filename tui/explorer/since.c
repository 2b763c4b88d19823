#include "tui/explorer/since.h"

#include "store/journal/journal.h"
#include "tui/explorer/app.h"

const char *since_empty(const struct view *v)
{
    return v->app->unread.before ? "nothing is new since your last visit; Esc shows the rest"
                                 : "nothing came while you look; Esc shows the rest";
}

struct since since_of(const struct view *v)
{
    return (struct since){.only = v->only_new, .after = v->app->unread.seq};
}

struct finding {
    struct since *since;
    const atomic_bool *cancelled;
};

static int take(void *arg, int64_t node)
{
    struct finding *finding = arg;
    marks_set(&finding->since->written, node, true);
    return atomic_load(finding->cancelled);
}

int since_read(struct since *s, struct reader *r, const atomic_bool *cancelled, struct error *e)
{
    struct finding finding = {s, cancelled};
    return s->only ? journal_changed(r, s->after, take, &finding, e) : 0;
}

bool since_wants(const struct since *s, int64_t node)
{
    return !s->only || marks_has(&s->written, node);
}

void since_release(struct since *s)
{
    marks_release(&s->written);
}
