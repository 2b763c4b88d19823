#include "tui/widget/ages.h"

#include "model/base/clock.h"
#include "tui/explorer/app.h"
#include "tui/view/memory/facts_sheet.h"

void ages_note(struct ages *ages, int64_t at, int64_t now)
{
    int64_t unit, next = now + clock_age_stands(at, now, &unit);
    if (!ages->next || next < ages->next)
        ages->next = next;
    if (!ages->unit || unit < ages->unit)
        ages->unit = unit;
}

struct facts_look ages_look(struct app *x)
{
    return (struct facts_look){.screen = &x->ui.screen,
                               .now = x->ui.now,
                               .exact_times = x->prefs.exact_times,
                               .ages = &x->ui.ages};
}

unsigned ages_shown(const struct app *x)
{
    return x->prefs.exact_times ? 0 : x->ui.ages.turn + 1;
}

/* When they are to be said again: what counts in minutes waits for a minute since the last time. */
static int64_t due_at(const struct ages *ages)
{
    int64_t soonest = ages->turned_at + ages->unit;
    return ages->next > soonest ? ages->next : soonest;
}

/* What is not shown any more is forgotten then: what is, is noted as it is drawn. */
void ages_begin(struct app *x)
{
    struct ages *ages = &x->ui.ages;
    if (ages->next && x->ui.now >= due_at(ages))
        *ages = (struct ages){.turned_at = x->ui.now, .turn = ages->turn + 1};
}

void ages_end(struct app *x)
{
    const struct ages *ages = &x->ui.ages;
    if (!ages->next)
        return;
    int64_t wait =
        due_at(ages) - x->ui.now; /* a clock that was set back makes nobody wait for it */
    app_wake(x, wait < ages->unit ? wait : ages->unit);
}
