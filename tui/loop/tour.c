#include "tui/loop/tour.h"

#include <string.h>
#include "model/base/strbuf.h"

/* The text of a step is `before`, the first key of the action, and `after`. */
static const struct step {
    int number;
    const char *action;
    const char *view; /* view_ops->name after the action; NULL for any */
    const char *before, *after;
} steps[] = {
    {1, "show", "memory",
     "The belief under the cursor is wrong. Ten notes support it, but the 1 next to 10/10 says "
     "that "
     "they have one root. ",
     " opens it."},
    {2, "why", "question", "Why is it believed? ",
     " shows its derivations, the strongest first, and the one page that all of them hang on."},
    {3, "what-if", "confirm", "j goes to that page, attribution:03b3f0bb. ",
     " shows what would lose its support if the page were wrong. Nothing changes by that."},
    {4, "retract", "confirm", "q goes back. ",
     " retracts the page: it shows the consequences once more, and asks."},
    {4, "undo", NULL, "Enter on the first line does it: the belief loses its support. ",
     " takes it back. Every change is an event that can be undone."},
    {5, "inbox", "inbox", "Last: ",
     " is the inbox. It has what agents wrote and nobody decided about, the riskiest first."},
};
#define STEPS (int)(sizeof(steps) / sizeof(steps[0]))

void tour_begin(struct app *x)
{
    x->tour = 1;
}

bool tour_take_key(struct app *x, uint32_t key)
{
    if (!x->tour || key != key_from_name("Esc", 3))
        return false;
    x->tour = 0;
    ui_message(&x->ui, "`stemma demo --tour` begins the tour again");
    return true;
}

void tour_advance(struct app *x, const struct action *done)
{
    if (!x->tour)
        return;
    const struct step *step = &steps[x->tour - 1];
    if (strcmp(done->name, step->action) != 0 ||
        (step->view && strcmp(x->nav.top->ops->name, step->view) != 0))
        return;
    if (++x->tour <= STEPS)
        return;
    x->tour = 0;
    ui_message(&x->ui,
               "That was the tour. ? lists the keys of a view; `stemma help tutorial` goes on");
}

void tour_add_text(const struct app *x, struct strbuf *out)
{
    if (!x->tour)
        return;
    const struct step *step = &steps[x->tour - 1];
    strbuf_addf(out, "tour %d/%d, Esc ends it: %s", step->number, steps[STEPS - 1].number,
                step->before);
    keymap_name(x->keymap, action_find(step->action, strlen(step->action)), out);
    strbuf_addstr(out, step->after);
}
