#include "tui/action/actions.h"

#include "tui/explorer/app.h"
#include "tui/view/chain/chain_view.h"

static void say_marked(struct app *x)
{
    if (x->ui.marks.count == 0)
        app_say(x, "nothing is marked");
    else
        app_say(x, "%zu marked", x->ui.marks.count);
}

/* With a word it is said of the memory; alone it marks it for what is done next. */
void act_mark(struct app *x, const char *argument)
{
    int64_t node = view_node(x->nav.top);
    if (*argument) {
        act_mark_as(x, argument);
        return;
    }
    if (node <= 0)
        node = view_about(x->nav.top);
    marks_set(&x->ui.marks, node, !marks_has(&x->ui.marks, node));
    if (view_node(x->nav.top) > 0 && !x->nav.top->ops->draw)
        view_move(x->nav.top, 1);
    say_marked(x);
}

static size_t line_of(struct view *v, int64_t node)
{
    for (size_t i = 0; i < v->count; i++)
        if (view_node_at(v, i) == node)
            return i;
    return LINE_NONE;
}

void act_mark_range(struct app *x, const char *argument)
{
    struct view *v = x->nav.top;
    (void)argument;
    if (!x->ui.marks.range) {
        x->ui.marks.range = view_node(v);
        app_say(x, "a range begins here; v again marks it, Esc gives it up");
        return;
    }
    size_t from = line_of(v, x->ui.marks.range), to = v->selected;
    x->ui.marks.range = 0;
    if (from == LINE_NONE || to == LINE_NONE) {
        app_say(x, "where the range began is not in this view any more");
        return;
    }
    for (size_t i = from < to ? from : to; i <= (from < to ? to : from); i++)
        marks_set(&x->ui.marks, view_node_at(v, i), true);
    say_marked(x);
}

/* A memory that stands on several lines is turned once. */
void act_mark_invert(struct app *x, const char *argument)
{
    struct view *v = x->nav.top;
    struct marks before = x->ui.marks, after = {0};
    (void)argument;
    for (int64_t n = marks_next(&before, 0); n > 0; n = marks_next(&before, n))
        marks_set(&after, n, true);
    for (size_t i = 0; i < v->count; i++) {
        int64_t node = view_chain_has_keys(v, i) ? view_node_at(v, i) : 0;
        if (node > 0)
            marks_set(&after, node, !marks_has(&before, node));
    }
    marks_release(&x->ui.marks);
    x->ui.marks = after;
    say_marked(x);
}

void act_mark_none(struct app *x, const char *argument)
{
    (void)argument;
    marks_clear(&x->ui.marks);
    say_marked(x);
}

const char *blocked_no_marks(struct app *x)
{
    return x->ui.marks.count == 0 && !x->ui.marks.range ? "nothing is marked" : NULL;
}
