#include "tui/explorer/trail.h"

#include "tui/explorer/app.h"

void trail_release(struct trail *t)
{
    for (size_t i = 0; i < t->count; i++)
        view_drop(t->visited[i]);
    for (size_t i = 0; i < TRAIL_PLACES; i++)
        view_drop(t->place[i].view);
    *t = (struct trail){0};
}

static void drop_from(struct trail *t, size_t first)
{
    for (size_t i = first; i < t->count; i++)
        view_drop(t->visited[i]);
    t->count = first < t->count ? first : t->count;
}

void trail_visit(struct trail *t, struct view *v)
{
    if (t->count > 0 && t->visited[t->at] == v)
        return;
    drop_from(t, t->at + 1);
    if (t->count == TRAIL_LENGTH) {
        view_drop(t->visited[0]);
        memmove(t->visited, t->visited + 1, (TRAIL_LENGTH - 1) * sizeof(struct view *));
        t->count--;
    }
    t->visited[t->count] = view_hold(v);
    t->at = t->count++;
}

void trail_exchange(struct trail *t, struct view *from, struct view *to)
{
    for (size_t i = 0; i < t->count; i++) {
        if (t->visited[i] != from)
            continue;
        t->visited[i] = view_hold(to);
        view_drop(from);
    }
}

struct view *trail_step(struct trail *t, int direction)
{
    if (direction < 0 ? t->at == 0 : t->at + 1 >= t->count)
        return NULL;
    t->at += direction < 0 ? (size_t)-1 : 1;
    return t->visited[t->at];
}

void trail_keep(struct app *x, uint32_t letter)
{
    struct place_kept *slot = NULL;
    char name[16];
    for (size_t i = 0; i < TRAIL_PLACES; i++)
        if (x->nav.trail.place[i].letter == letter)
            slot = &x->nav.trail.place[i];
    for (size_t i = 0; i < TRAIL_PLACES && !slot; i++)
        if (!x->nav.trail.place[i].letter)
            slot = &x->nav.trail.place[i];
    key_text(letter, name, sizeof(name));
    if (!slot) {
        app_say(x, "all %d places are taken; use one of them again", TRAIL_PLACES);
        return;
    }
    struct view *before = slot->view;
    *slot = (struct place_kept){letter, view_hold(x->nav.top), view_node(x->nav.top),
                                x->nav.top->selected};
    view_drop(before);
    app_say(x, "kept this place as %s; ' %s returns to it", name, name);
}

static size_t find_node(struct view *v, int64_t node, size_t line)
{
    if (line < v->count && view_node_at(v, line) == node)
        return line;
    for (size_t i = 0; node && i < v->count; i++)
        if (view_node_at(v, i) == node)
            return i;
    return line;
}

void trail_return(struct app *x, uint32_t letter)
{
    char name[16];
    key_text(letter, name, sizeof(name));
    for (size_t i = 0; i < TRAIL_PLACES; i++) {
        struct place_kept *kept = &x->nav.trail.place[i];
        if (kept->letter != letter)
            continue;
        app_show(x, view_hold(kept->view));
        view_select(x->nav.top, find_node(x->nav.top, kept->node, kept->line));
        return;
    }
    app_say(x, "no place is kept as %s; m %s keeps one", name, name);
}
