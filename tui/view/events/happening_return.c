#include "tui/view/events/happening_return.h"

#include "tui/explorer/app.h"
#include "tui/view/events/happening_list.h"

#define FAR_MOST 100000 /* lines that it is sought in */

static struct happening_place place_of(const struct happening *h)
{
    if (!h)
        return (struct happening_place){.known = false};
    return (struct happening_place){true, h->id, h->at, h->sort, h->outcome};
}

static bool is_call(uint8_t sort)
{
    return sort != HAPPENED_WRITE;
}

static bool is_at(const struct happening *h, const struct happening_place *place)
{
    return h->id == place->id && is_call(h->sort) == is_call(place->sort) &&
           h->outcome == place->outcome;
}

void happening_return_filter(struct happening_list *l, bool was, bool is)
{
    struct view *v = &l->view;
    struct happening_return *r = &l->back;
    struct happening *at = happening_list_cursor(l);
    bool follows = v->app->remote.follows == v, typing = v->app->ui.prompt.ops != NULL;
    v->line_sought = false;
    if (!was)
        r->before = place_of(follows ? NULL : at);
    if (is) {
        r->taken = !typing;
        return;
    }
    bool chosen = at && (r->taken || v->selected > 0);
    r->sought = chosen ? place_of(at) : r->before;
    /* One that is typed anew is empty in between: that chooses nothing. */
    v->line_sought = r->sought.known && !(follows && typing);
}

void happening_return_taken(struct happening_list *l)
{
    l->back.taken = l->back.taken || !l->view.app->ui.prompt.ops;
}

/* Each log keeps its order, and both are merged by their times. */
static bool is_passed(struct happening_list *l, const struct happening_place *place)
{
    const struct happening *last = happening_list_at(l, l->view.count - 1);
    return l->complete || (is_call(place->sort) ? l->oldest_call : l->oldest_seq) <= place->id ||
           (last && last->at < place->at) || l->view.count > FAR_MOST;
}

/* Where it is the newest one, who follows goes on with that. */
static void return_to(struct happening_list *l, size_t line)
{
    struct view *v = &l->view;
    size_t half = v->height > 0 ? (size_t)v->height / 2 : 0;
    v->line_sought = false;
    view_select(v, line);
    v->top = line > half ? line - half : 0;
    view_reveal(v);
    if (line == 0 || v->app->remote.follows != v)
        return;
    v->app->remote.follows = NULL;
    app_say(v->app, "the cursor stays on what was found, and follows no more");
}

void happening_return_seek(struct happening_list *l, size_t from)
{
    struct view *v = &l->view;
    for (size_t line = from; v->line_sought && line < v->count; line++)
        if (is_at(happening_list_at(l, line), &l->back.sought))
            return_to(l, line);
    if (v->line_sought && is_passed(l, &l->back.sought))
        v->line_sought = false;
}
