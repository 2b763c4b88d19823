/* Navigation: the stack of views, the history of `[` and `]`, the bookmarks. */

#include "store/reasoning/chain.h"
#include "store/record/get.h"
#include "tui/explorer/app.h"
#include "tui/explorer/changes.h"
#include "tui/explorer/shown_state.h"

/* ---- back list and bookmarks ---- */

void back_list_release(struct back_list *t)
{
    for (size_t i = 0; i < t->count; i++)
        view_drop(t->visited[i]);
    for (size_t i = 0; i < BOOKMARKS; i++)
        view_drop(t->bookmark[i].view);
    *t = (struct back_list){0};
}

static void drop_from(struct back_list *t, size_t first)
{
    for (size_t i = first; i < t->count; i++)
        view_drop(t->visited[i]);
    t->count = first < t->count ? first : t->count;
}

void back_list_visit(struct back_list *t, struct view *v)
{
    if (t->count > 0 && t->visited[t->at] == v)
        return;
    drop_from(t, t->at + 1);
    if (t->count == BACK_LIST_LENGTH) {
        view_drop(t->visited[0]);
        memmove(t->visited, t->visited + 1, (BACK_LIST_LENGTH - 1) * sizeof(struct view *));
        t->count--;
    }
    t->visited[t->count] = view_hold(v);
    t->at = t->count++;
}

static void exchange(struct back_list *t, struct view *from, struct view *to)
{
    for (size_t i = 0; i < t->count; i++) {
        if (t->visited[i] != from)
            continue;
        t->visited[i] = view_hold(to);
        view_drop(from);
    }
}

struct view *back_list_step(struct back_list *t, int direction)
{
    if (direction < 0 ? t->at == 0 : t->at + 1 >= t->count)
        return NULL;
    t->at += direction < 0 ? (size_t)-1 : 1;
    return t->visited[t->at];
}

void bookmark_set(struct app *x, uint32_t letter)
{
    struct bookmark *slot = NULL;
    char name[16];
    for (size_t i = 0; i < BOOKMARKS; i++)
        if (x->nav.back_list.bookmark[i].letter == letter)
            slot = &x->nav.back_list.bookmark[i];
    for (size_t i = 0; i < BOOKMARKS && !slot; i++)
        if (!x->nav.back_list.bookmark[i].letter)
            slot = &x->nav.back_list.bookmark[i];
    key_text(letter, name, sizeof(name));
    if (!slot) {
        ui_message(&x->ui, "all %d bookmarks are used; choose one of them to replace it",
                   BOOKMARKS);
        return;
    }
    struct view *before = slot->view;
    *slot =
        (struct bookmark){letter, view_hold(x->nav.top), view_node(x->nav.top), x->nav.top->cursor};
    view_drop(before);
    ui_message(&x->ui, "bookmark %s is set; ' %s jumps to it", name, name);
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

void bookmark_jump(struct app *x, uint32_t letter)
{
    char name[16];
    key_text(letter, name, sizeof(name));
    for (size_t i = 0; i < BOOKMARKS; i++) {
        struct bookmark *kept = &x->nav.back_list.bookmark[i];
        if (kept->letter != letter)
            continue;
        app_show(x, view_hold(kept->view));
        view_select(x->nav.top, find_node(x->nav.top, kept->node, kept->line));
        return;
    }
    ui_message(&x->ui, "there is no bookmark %s; :set-bookmark %s sets it", name, name);
}

/* ---- the stack ---- */

static void top_changed(struct app *x)
{
    memset(x->ui.bar_state, 0, sizeof(x->ui.bar_state)); /* its key bar differs */
    x->ui.preview_focus = x->ui.zoom = false;
    x->ui.selection.range = 0;
    if (x->ui.prompt.ops)
        prompt_close(&x->ui);
    view_update_only_new(x->nav.top);
    if (x->nav.top->ops->shown)
        x->nav.top->ops->shown(x->nav.top);
    view_reload_if_outdated(x->nav.top);
    int64_t notified = x->data.feed ? feed_seq(x->data.feed) : 0;
    if (x->nav.top->read_to < notified && x->nav.top->notified_to < notified)
        view_notify(x->nav.top, NULL, 0, true);
    x->nav.top->notified_to = notified;
    /* Questions are not kept in the history. */
    if (!(x->nav.top->ops->has & HAS_NO_PLACE))
        back_list_visit(&x->nav.back_list, x->nav.top);
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
    exchange(&x->nav.back_list, before, v);
    x->nav.top = v;
    view_drop(before);
    top_changed(x);
}

/* The best view for a memory of its kind. */
static struct view *view_of_kind(struct app *x, int64_t node)
{
    const struct memory_row *row = details_row(x, node);
    struct error e;
    bool there = row && row->status != STATUS_MISSING && row->status != STATUS_PURGED;
    if (there && row->ref.kind == KIND_CHAIN)
        return x->above->chain(&x->ui, node);
    if (there && row->ref.kind == KIND_STEP && chain_of_step(x->data.reader, node, &e) > 0)
        return x->above->step(x, node);
    if (row && row->ref.kind == KIND_DOCUMENT)
        return x->above->document(x, node);
    return x->above->memory(x, node);
}

void app_open_memory(struct app *x, int64_t node)
{
    if (node > 0 && view_about(x->nav.top) == node)
        ui_message(&x->ui, "you are on this memory");
    else if (node > 0)
        app_push(x, view_of_kind(x, node));
}

void app_open_line(struct app *x)
{
    if (!view_request(x->nav.top, REQUEST_OPEN))
        app_open_memory(x, view_node(x->nav.top));
}

void app_open_root(struct app *x, int root)
{
    if (!x->nav.root[root])
        x->nav.root[root] = root == ROOT_LIVE     ? x->above->live(x)
                            : root == ROOT_REVIEW ? x->above->review(&x->ui)
                            : root == ROOT_HEALTH ? x->above->health(&x->ui)
                                                  : x->above->list(&x->ui, root);
    if (x->nav.top == x->nav.root[root])
        ui_message(&x->ui, "you are in this view");
    else
        app_show(x, view_hold(x->nav.root[root]));
}

void app_changed(struct app *x)
{
    details_changed(&x->details);
    x->preview.stale = true;
    disbelieve_changed(x);
    changes_count_waiting(x);
}

bool app_move_key(struct app *x, uint32_t key)
{
    struct view *v = x->nav.top;
    if (key == KEY_ARROW_DOWN || key == KEY_ARROW_UP)
        view_move(v, key == KEY_ARROW_DOWN ? 1 : -1);
    else if (key == KEY_PAGE_DOWN || key == KEY_PAGE_UP)
        view_page(v, key == KEY_PAGE_DOWN ? 2 : -2);
    else if (key == KEY_FIRST && x->ui.prompt.line.len == 0)
        view_first(v);
    else if (key == KEY_LAST && x->ui.prompt.line.len == 0)
        view_last(v);
    else
        return false;
    return true;
}

#define SPLIT_WIDTH    140 /* columns from which the preview is next to the list */
#define BELOW_HEIGHT   12  /* rows from which there is room for a preview below */
#define LIST_MIN       70
#define EVENTS_MIN     150 /* columns of an activity list or the live view with every column */
#define DRAWING_HEIGHT 30  /* rows from which the preview of a drawing is below it */
#define PREVIEW_MIN    60  /* columns of a preview next to those */
#define PANE_COLUMNS   24  /* least columns and rows of either pane, whatever size was chosen */
#define PANE_ROWS      4

/* A drawing gets two thirds. Lists of activity and of sessions keep all their columns; otherwise a wider terminal would
 * show less. */
static int list_width(const struct view_ops *ops, int place, int width)
{
    int list = width * (ops->has & HAS_DRAWING ? 67 : 56) / 100, least = LIST_MIN;
    bool wide = ops->wide || (ops->has & (HAS_EVENTS | HAS_SESSIONS) && !(ops->has & HAS_FORMER));
    if (place == PREVIEW_AUTO && wide)
        least = width >= EVENTS_MIN + PREVIEW_MIN ? EVENTS_MIN : width;
    return list < least ? least : list;
}

/* The part that the person chose, or `otherwise`; both panes keep some of it. */
static int share_of(const struct prefs *prefs, int whole, int least, int otherwise)
{
    int size = prefs->preview_size ? whole * prefs->preview_size / 100 : otherwise;
    size = size < least ? least : size;
    return prefs->preview_size && size > whole - least ? whole - least : size;
}

static int preview_width(const struct prefs *prefs, const struct view_ops *ops,
                         const struct pane *body)
{
    int place = prefs->preview;
    if (place == PREVIEW_OFF || place == PREVIEW_BELOW || style_speaks())
        return 0;
    /* Drawings need columns more than rows. */
    if (place == PREVIEW_AUTO && ops->has & HAS_DRAWING && body->height >= DRAWING_HEIGHT)
        return 0;
    if (body->width < (place == PREVIEW_RIGHT ? 100 : SPLIT_WIDTH) || body->height < 6)
        return 0;
    int list = list_width(ops, place, body->width);
    return list < body->width || prefs->preview_size
               ? share_of(prefs, body->width, PANE_COLUMNS, body->width - list)
               : 0;
}

static int below_height(const struct prefs *prefs, const struct view_ops *ops,
                        const struct pane *body)
{
    if (prefs->preview == PREVIEW_OFF || body->height < BELOW_HEIGHT)
        return 0;
    /* Activity and drawings get as many rows as possible. */
    bool live = ops->has & HAS_EVENTS && ops->has & HAS_SESSIONS;
    bool small = live || ops->has & HAS_DRAWING;
    int height = small ? body->height / 3 : body->height * 9 / 20;
    return share_of(prefs, body->height, PANE_ROWS, height > 22 ? 22 : height);
}

/* ---- moving the border ---- */

bool app_preview_border(const struct app *x, int column, int row)
{
    const struct pane *list = &x->ui.list_pane, *preview = &x->ui.preview_pane;
    if (list->height == 0 || preview->height == 0)
        return false;
    return preview->x > list->x
               ? column == preview->x - 1 && row >= list->y && row < list->y + list->height
               : row == preview->y && column >= 0;
}

void app_preview_drag(struct app *x, int column, int row)
{
    const struct pane *list = &x->ui.list_pane, *preview = &x->ui.preview_pane;
    bool right = preview->x > list->x;
    int whole = right ? list->width + preview->width + 1 : list->height + preview->height;
    int size = right ? list->x + whole - column : list->y + whole - row;
    if (preview->height == 0 || whole == 0)
        return;
    size = (size * 100 + whole / 2) / whole;
    x->prefs.preview_size = size < PREVIEW_SIZE_MIN   ? PREVIEW_SIZE_MIN
                            : size > PREVIEW_SIZE_MAX ? PREVIEW_SIZE_MAX
                                                      : size;
}

int app_preview_size(const struct app *x)
{
    const struct pane *list = &x->ui.list_pane, *preview = &x->ui.preview_pane;
    bool right = preview->x > list->x;
    int whole = right ? list->width + preview->width + 1 : list->height + preview->height;
    int size = right ? preview->width + 1 : preview->height;
    return x->prefs.preview_size || !whole ? x->prefs.preview_size : size * 100 / whole;
}

void app_place_panes(struct app *x, const struct pane *body)
{
    x->ui.list_pane = *body;
    x->ui.preview_pane = pane_part(body, 0, 0, 0, 0);
    if (!x->nav.top->ops->preview || (x->ui.zoom && !x->ui.preview_focus))
        return;
    if (x->ui.zoom) {
        x->ui.list_pane = pane_part(body, 0, 0, 0, 0);
        x->ui.preview_pane = *body;
        return;
    }
    int preview = preview_width(&x->prefs, x->nav.top->ops, body),
        below = preview ? 0 : below_height(&x->prefs, x->nav.top->ops, body);
    if (preview) {
        x->ui.list_pane = pane_part(body, 0, 0, body->height, body->width - preview);
        x->ui.preview_pane =
            pane_part(body, 0, body->width - preview + 1, body->height, preview - 1);
        paint_divider(body, body->width - preview);
    } else if (below) {
        x->ui.list_pane = pane_part(body, 0, 0, body->height - below, body->width);
        x->ui.preview_pane = pane_part(body, body->height - below, 0, below, body->width);
    }
}

void app_room(const struct app *x, const struct view_ops *ops, int *rows, int *columns)
{
    int whole = x->ui.screen.rows;
    int taken = (whole >= 3) + (whole >= 4) + (whole >= 2) + (whole >= RULE_HEIGHT);
    struct pane body = {.height = whole - taken, .width = x->ui.screen.columns};
    int preview = ops->preview ? preview_width(&x->prefs, ops, &body) : 0;
    int below = ops->preview && !preview ? below_height(&x->prefs, ops, &body) : 0;
    *rows = body.height - below;
    *columns = body.width - preview;
}
