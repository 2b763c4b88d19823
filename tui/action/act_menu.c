/* The menu of what can be done, each with its letter, and why it cannot be done where it cannot. */
#include "tui/action/actions.h"

#include "model/base/strbuf.h"
#include "tui/explorer/app.h"

/* In the order in which they stand there. */
static const struct {
    char letter;
    const char *action;
} entries[] = {
    {'e', "edit"},      {'E', "edit-outside"},   {'v', "verify"},  {'r', "reinforce"},
    {'s', "supersede"}, {'p', "process"},        {'x', "revise"},  {'c', "consolidate"},
    {'m', "mark-as"},   {'M', "unmark"},         {'t', "protect"}, {'T', "unprotect"},
    {'d', "retract"},   {'R', "restore"},        {'D', "forget"},  {'P', "purge"},
    {'g', "propagate"}, {'f', "fix-provenance"}, {'i', "add"},     {'S', "seed"},
    {'u', "undo"},
};
#define ENTRIES (sizeof(entries) / sizeof(entries[0]))

static void chosen(struct app *x, const struct popup_item *item)
{
    action_run(x, action_at((size_t)item->value), "");
}

/* Under the cursor, or in full, whatever is marked. */
static int64_t here(struct app *x)
{
    int64_t node = view_node(x->nav.top);
    return node > 0 ? node : view_about(x->nav.top);
}

static void name_subject(struct app *x)
{
    struct acting *a = &x->acting;
    const struct memory_row *row = details_row(x, here(x));
    struct strbuf ref = STRBUF_INIT;
    if (x->ui.marks.count > 0)
        strbuf_addf(&ref, "the %zu marked", x->ui.marks.count);
    else if (row)
        details_ref(x, row, &ref);
    snprintf(a->title, sizeof(a->title), "act%s%s", ref.len ? " on " : "", ref.buf);
    strbuf_release(&ref);
}

/* Of what takes the marked ones as evidence: on which one it acts. */
static bool is_by_marked(struct app *x, char letter)
{
    size_t others = x->ui.marks.count - (size_t)marks_has(&x->ui.marks, here(x));
    return (letter == 'x' || letter == 'c') && others > 0;
}

static void add_by_marked(struct app *x, struct strbuf *help)
{
    const struct memory_row *row = details_row(x, here(x));
    size_t others = x->ui.marks.count - (size_t)marks_has(&x->ui.marks, here(x));
    if (row)
        details_ref(x, row, help);
    strbuf_addf(help, "%sby the %zu marked", row ? ", " : "", others);
}

void act_act(struct app *x, const char *argument)
{
    (void)argument;
    name_subject(x);
    popup_open(&x->ui.popup, x->acting.title, chosen);
    for (size_t i = 0; i < ENTRIES; i++) {
        const struct action *a = action_find(entries[i].action, strlen(entries[i].action));
        if (!a || !(a->where & x->nav.top->ops->place))
            continue;
        struct strbuf help = STRBUF_INIT;
        if (is_by_marked(x, entries[i].letter))
            add_by_marked(x, &help);
        struct popup_item *item = popup_add(&x->ui.popup, (uint32_t)entries[i].letter, a->name,
                                            help.len ? help.buf : a->help);
        strbuf_release(&help);
        for (size_t k = 0; k < action_count(); k++)
            if (action_at(k) == a)
                item->value = (int64_t)k;
        item->blocked = a->blocked ? a->blocked(x) : NULL;
    }
}
