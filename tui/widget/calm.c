#include "tui/widget/calm.h"

#include "tui/explorer/app.h"

#define LEAST_MS 250

void calm_rest(struct calm *c, int64_t begun)
{
    int64_t now = monotonic_ms(), until = now + 4 * (now - begun) + LEAST_MS;
    if (until > c->until)
        c->until = until;
}

bool calm_is_due(const struct calm *c, struct app *x)
{
    int64_t wait = x->options->script ? 0 : c->until - monotonic_ms();
    if (c->wanted && wait > 0)
        app_wake(x, wait);
    return c->wanted && wait <= 0;
}
