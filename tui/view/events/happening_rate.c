#include "tui/view/events/happening_rate.h"

#include "tui/explorer/app.h"
#include "tui/view/events/happening_list.h"

#define PACE_MS   1000 /* a rate stands so long */
#define LATELY_MS 2000 /* and is of so long */

/* By their own times: what is only shown late, as after a pause, is none of them. */
static size_t count_lately(struct happening_list *l)
{
    size_t lately = 0;
    for (; lately < happenings_count(&l->all); lately++) {
        int64_t ago = l->view.app->ui.now - happenings_at(&l->all, lately)->at;
        if (ago >= LATELY_MS || ago <= -LATELY_MS)
            break;
    }
    return lately;
}

void happening_rate_measure(struct happening_list *l)
{
    struct app *x = l->view.app;
    int64_t now = monotonic_ms();
    bool stands = l->rate > 0 && now - l->rated_at < PACE_MS && !x->options->script;
    if (x->remote.paused) {
        l->rate = 0;
    } else if (!stands) {
        l->rate = (double)count_lately(l) * 1000 / LATELY_MS;
        l->rated_at = now;
    }
    if (l->rate > 0 && !x->options->script)
        app_wake(x, PACE_MS);
}
