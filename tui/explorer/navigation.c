/* Where a person is and has been: the stack of views, the views of `[` and `]`, the places of `m`. */
#include "store/reasoning/chain.h"
#include "tui/explorer/app.h"

/* ---- the trail ---- */

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

static void exchange(struct trail *t, struct view *from, struct view *to)
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

/* ---- the stack ---- */

static void top_changed(struct app *x)
{
    x->ui.preview_focus = x->ui.zoom = false;
    x->preview.sheet_width = 0;
    x->ui.marks.range = 0;
    if (x->ui.prompt.ops)
        prompt_close(&x->ui);
    view_take_only_new(x->nav.top);
    if (x->nav.top->ops->shown)
        x->nav.top->ops->shown(x->nav.top);
    if (x->nav.top->moved)
        view_read_moved(x->nav.top);
    if (x->nav.top->behind)
        view_news(x->nav.top, NULL, 0, true);
    x->nav.top->behind = false;
    /* What asks something is answered once, and not come back to. */
    if (!(x->nav.top->ops->place & (IN_HELP | IN_CONFIRM | IN_VERSUS)))
        trail_visit(&x->nav.trail, x->nav.top);
}

void app_push(struct app *x, struct view *v)
{
    v->below = x->nav.top;
    x->nav.top = v;
    top_changed(x);
}

bool app_pop(struct app *x)
{
    struct view *v = x->nav.top;
    if (!v->below)
        return false;
    x->nav.top = view_hold(v->below);
    view_drop(v);
    top_changed(x);
    return true;
}

void app_show(struct app *x, struct view *v)
{
    struct view *before = x->nav.top;
    x->nav.top = v;
    view_drop(before);
    top_changed(x);
}

void app_exchange(struct app *x, struct view *v)
{
    struct view *before = x->nav.top;
    if (!v->below && before->below)
        v->below = view_hold(before->below);
    exchange(&x->nav.trail, before, v);
    x->nav.top = v;
    view_drop(before);
    top_changed(x);
}

/* What shows a memory of its kind best. */
static struct view *view_of_kind(struct app *x, int64_t node)
{
    const struct memory_row *row = details_row(x, node);
    struct error e;
    bool there = row && row->status != STATUS_MISSING && row->status != STATUS_PURGED;
    if (there && row->ref.kind == KIND_CHAIN)
        return x->above->chain(x, node);
    if (there && row->ref.kind == KIND_STEP && chain_of_step(x->data.reader, node, &e) > 0)
        return x->above->step(x, node);
    if (row && row->ref.kind == KIND_DOCUMENT)
        return x->above->document(x, node);
    return x->above->memory(x, node);
}

void app_open_memory(struct app *x, int64_t node)
{
    if (node > 0 && view_about(x->nav.top) == node)
        app_say(x, "this is that memory already");
    else if (node > 0)
        app_push(x, view_of_kind(x, node));
}

void app_open_root(struct app *x, int root)
{
    if (!x->nav.root[root])
        x->nav.root[root] = root == ROOT_LIVE     ? x->above->live(x)
                            : root == ROOT_REVIEW ? x->above->review(x)
                                                  : x->above->list(x, root);
    if (x->nav.top == x->nav.root[root])
        app_say(x, "this is that view already");
    else
        app_show(x, view_hold(x->nav.root[root]));
}

void app_lists_changed(struct app *x)
{
    for (struct view *v = x->nav.top; v; v = v->below)
        if (v->ops->place == IN_LIST && v->ops->shown && (v == x->nav.top))
            v->ops->shown(v);
}

bool app_move_key(struct app *x, uint32_t key)
{
    struct view *v = x->nav.top;
    if (key == KEY_ARROW_DOWN || key == KEY_ARROW_UP)
        view_move(v, key == KEY_ARROW_DOWN ? 1 : -1);
    else if (key == KEY_PAGE_DOWN || key == KEY_PAGE_UP)
        view_page(v, key == KEY_PAGE_DOWN ? 2 : -2);
    else
        return false;
    return true;
}
