/* Actions on the columns of a list: its order, and which columns are shown and how wide. */
#include "tui/action/action.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/explorer/saved_views.h"
#include "tui/view/chain/chain_view.h"
#include "tui/view/columns.h"
#include "tui/view/views.h"
#include "tui/widget/rows_view.h"

/* ---- the order of a list ---- */

static bool is_reversed(struct view *v)
{
    const struct prefs *prefs = v->ui->prefs;
    return !(v->ops->has & HAS_MEMORY_LIST) ? ((struct rows_view *)v)->reverse
           : prefs->by_column               ? prefs->by_column < 0
                                            : prefs->reverse;
}

/* The order of the store has a name of its own. */
static const char *sorted_by(struct view *v, const char *column)
{
    const struct prefs *prefs = v->ui->prefs;
    return v->ops->has & HAS_MEMORY_LIST && !prefs->by_column ? order_name(prefs->order) : column;
}

/* Returns why the list cannot be sorted by the column, or NULL. */
static const char *sort_by(struct app *x, const char *column)
{
    struct view *v = x->nav.top;
    const char *why = v->ops->sort ? v->ops->sort(v, column)
                                   : "the lines of this view have an order of their own";
    if (!why)
        ui_message(&x->ui, "by %s%s", sorted_by(v, column), is_reversed(v) ? ", reversed" : "");
    return why;
}

void act_sort_by_heading(struct app *x, int column)
{
    const char *name = heading_at(headers_of(x->nav.top), column);
    const char *why = name ? sort_by(x, name) : NULL;
    if (why)
        ui_message(&x->ui, "not by %s: %s", name, why);
}

/* Goes from the column that sorts, or from beyond the first, to the next that can. */
void act_sort_step(struct app *x, const char *argument, int step)
{
    const struct headers *h = headers_of(x->nav.top);
    const char *sorted = heading_sorted(x->nav.top, &(bool){false}), *why = NULL, *name = NULL;
    int count = (int)h->count, at = step > 0 ? -1 : count;
    (void)argument;
    for (int i = 0; sorted && i < count; i++)
        if (!strcmp(h->at[i].name, sorted))
            at = i;
    for (at += step; at >= 0 && at < count; at += step) {
        char column[COLUMN_NAME];
        if (h->at[at].from == h->at[at].to)
            continue;
        snprintf(column, sizeof(column), "%s", h->at[at].name);
        const char *not = sort_by(x, column);
        if (!not )
            return;
        why = why ? why : not ;
        name = name ? name : h->at[at].name;
    }
    if (why)
        ui_message(&x->ui, "not by %s: %s", name, why);
    else
        ui_message(&x->ui, "there is no column further to the %s", step > 0 ? "right" : "left");
}

/* ---- choosing an order ---- */

enum {
    ORDER_REVERSE = ORDER_COUNT,
    ORDER_GROUPS, /* of logged retrievals */
    ORDER_COLUMN  /* and more: a column that no index has */
};

static void take_order(struct app *x, int order)
{
    const char *column = heading_sorted(x->nav.top, &(bool){false});
    if (order == ORDER_REVERSE && x->prefs.by_column && column) {
        sort_by(x, column);
        return;
    }
    /* Choosing the same order again reverses it. */
    x->prefs.reverse =
        order == ORDER_REVERSE || (order == (int)x->prefs.order && !x->prefs.by_column)
            ? !x->prefs.reverse
            : false;
    x->prefs.order = order == ORDER_REVERSE ? x->prefs.order : (enum list_order)order;
    x->prefs.by_column = 0;
    details_changed(&x->details); /* the order of keystones has a column of its own */
    lists_changed(x->nav.top);
    ui_message(&x->ui, "by %s%s", order_name(x->prefs.order), x->prefs.reverse ? ", reversed" : "");
}

static void order_chosen(struct app *x, const struct popup_item *item)
{
    if (item->value == ORDER_GROUPS)
        act_retrievals(x, "");
    else if (item->value < ORDER_COLUMN)
        take_order(x, (int)item->value);
    else
        sort_by(x, column_name((int)item->value - ORDER_COLUMN, list_view_root(x->nav.top)));
}

static void column_chosen(struct app *x, const struct popup_item *item)
{
    const struct rows_column *by = rows_view_columns(x->nav.top);
    const char *sorted = heading_sorted(x->nav.top, &(bool){false});
    if (by && item->value >= 0)
        sort_by(x, by[item->value].name);
    else if (sorted)
        sort_by(x, sorted);
    else
        ui_message(&x->ui, "choose a column first");
}

#define CHOICES_MAX (ORDER_COUNT + 1 + HEADERS_MAX)

/* Of columns that no index has, those that the list shows. */
static void offer_orders(struct app *x, const char *argument)
{
    static const struct choice orders[ORDER_COUNT + 1] = {
        {'n', "recorded", "newest first", ORDER_RECORDED},
        {'c', "created", "newest first", ORDER_CREATED},
        {'u', "updated", "last changed first", ORDER_UPDATED},
        {'f', "confidence", "highest confidence first", ORDER_CONFIDENCE},
        {'t', "text", "from A to Z", ORDER_TEXT},
        {'w', "trust", "most trusted first, unsourced last", ORDER_TRUST},
        {'e', "retrieved", "logged retrievals by their time, latest first", ORDER_RETRIEVED},
        {'l', "keystones", "what most others hang on first", ORDER_KEYSTONES},
        {'r', "reverse", "reversed", ORDER_REVERSE},
    };
    static const struct choice groups = {'g', "groups", "by type, URI or agent", ORDER_GROUPS};
    int root = list_view_root(x->nav.top);
    struct choice all[CHOICES_MAX];
    size_t count = ORDER_COUNT + 1;
    memcpy(all, orders, sizeof(orders));
    for (int column = 0; column < COLUMN_NONE && count < CHOICES_MAX; column++)
        if (columns_find(column_name(column, root), root) == column &&
            column_order(&x->prefs, column) == ORDER_COUNT)
            all[count++] = (struct choice){KEY_NONE, column_name(column, root),
                                           column_is_text(column) ? "from A to Z" : "largest first",
                                           ORDER_COLUMN + column};
    popup_by_name(&x->ui.popup, argument, "order", all, count,
                  x->prefs.by_column ? ORDER_COLUMN + abs(x->prefs.by_column) - 1
                                     : (int)x->prefs.order,
                  order_chosen);
    if (!*argument && root == KIND_ATTRIBUTION)
        popup_offer(&x->ui.popup, &groups, 1);
}

/* Each has the first letter of its name that no other has. */
static void offer_columns(struct app *x, const struct rows_column *by, const char *argument)
{
    const char *sorted = heading_sorted(x->nav.top, &(bool){false});
    struct choice all[HEADERS_MAX + 1];
    char keys[HEADERS_MAX + 6] = "jkqr"; /* of the popup, and of "reverse" */
    size_t count = 0;
    int value = -1;
    for (; by[count].name && count < HEADERS_MAX; count++) {
        const char *name = by[count].name, *c = name;
        while (*c && (!isalpha((unsigned char)*c) || strchr(keys, *c)))
            c++;
        keys[4 + count] = *c ? *c : ' ';
        value = sorted && !strcmp(sorted, name) ? (int)count : value;
        all[count] = (struct choice){*c ? (uint32_t)(unsigned char)*c : KEY_NONE, name,
                                     by[count].type == BY_TEXT   ? "from A to Z"
                                     : by[count].type == BY_TIME ? "latest first"
                                                                 : "largest first",
                                     (int64_t)count};
    }
    all[count++] = (struct choice){'r', "reverse", "reversed", -1};
    popup_by_name(&x->ui.popup, argument, "order", all, count, value, column_chosen);
}

void act_order(struct app *x, const char *argument)
{
    struct view *v = x->nav.top;
    const struct rows_column *by = rows_view_columns(v);
    const char *own = v->ops->has & HAS_MEMORY_LIST ? list_view_own_order(v) : NULL;
    if (view_is_chain(v))
        act_matrix_order(v);
    else if (view_is(v, "retrievals"))
        retrievals_view_regroup(v);
    else if (own)
        ui_message(&x->ui, "%s", own);
    else if (v->ops->has & HAS_MEMORY_LIST)
        offer_orders(x, argument);
    else if (by)
        offer_columns(x, by, argument);
}

/* ---- which columns, and how wide ---- */

const char *blocked_columns(struct app *x)
{
    return headers_of(x->nav.top)->count ? NULL : "this view has no columns";
}

static const struct header *find_header(const struct app *x, const char *name)
{
    const struct headers *h = headers_of(x->nav.top);
    for (size_t i = 0; i < h->count; i++)
        if (!strcmp(h->at[i].name, name))
            return &h->at[i];
    return NULL;
}

static void keep(struct app *x)
{
    struct error e;
    if (column_choices_write(&x->prefs, &e))
        ui_error(&x->ui, &e);
}

static bool is_shown(struct app *x, const char *name)
{
    const struct column_choice *c = column_choice(x->nav.top, name);
    const struct header *h = find_header(x, name);
    return c && (c->shown || c->hidden) ? c->shown : h && h->to > h->from;
}

static void toggle(struct app *x, const char *name)
{
    const struct header *h = find_header(x, name);
    if (h && h->fixed) {
        ui_message(&x->ui, "%s is always shown", name);
        return;
    }
    bool shown = is_shown(x, name);
    struct column_choice *c = column_choose(x->nav.top, name);
    c->hidden = shown;
    c->shown = !shown;
    keep(x);
}

static int width_now(struct app *x, const char *name)
{
    const struct column_choice *c = column_choice(x->nav.top, name);
    const struct header *h = find_header(x, name);
    return c && c->width ? c->width : h ? h->to - h->from : 0;
}

static void set_width(struct app *x, const char *name, int width)
{
    const struct header *h = find_header(x, name);
    if (h && h->fixed)
        ui_message(&x->ui, "%s has the width that it needs", name);
    else if (!is_shown(x, name))
        ui_message(&x->ui, "%s is not shown: Space shows it", name);
    else if (width < 1 || width > COLUMN_WIDTH_MAX)
        ui_message(&x->ui, "a column is 1 to %d wide", COLUMN_WIDTH_MAX);
    else {
        column_choose(x->nav.top, name)->width = width;
        keep(x);
    }
}

/* Forgets what was chosen for this list. */
static void reset(struct app *x)
{
    struct prefs *prefs = &x->prefs;
    size_t kept = 0;
    for (size_t i = 0; i < prefs->column_count; i++)
        if (strcmp(prefs->columns[i].list, columns_list(x->nav.top)) != 0)
            prefs->columns[kept++] = prefs->columns[i];
    prefs->column_count = kept;
    keep(x);
}

#define RESET "default"

static void describe(struct app *x, struct popup_item *item)
{
    const char *name = item->text;
    const struct header *h = find_header(x, name);
    AUTO_STRBUF shown = STRBUF_INIT, help = STRBUF_INIT;
    bool is = h && h->fixed ? true : is_shown(x, name);
    strbuf_addf(&shown, "[%c] %s", is ? 'x' : ' ', name);
    if (h && h->fixed)
        strbuf_addstr(&help, "always shown");
    else if (is)
        strbuf_addf(&help, "%d wide", width_now(x, name));
    else
        strbuf_addstr(&help, "not shown; Space shows it");
    free(item->shown);
    free(item->help);
    item->shown = xstrdup(shown.buf);
    item->help = xstrdup(help.buf ? help.buf : "");
}

static bool stays(struct app *x, const struct popup_item *item)
{
    const struct header *h = find_header(x, item->text);
    return item->value || (h && h->fixed);
}

/* Exchanges a column with its neighbour. Then each column of the list has a place of its own. */
static void move_column(struct app *x, size_t at, int step)
{
    struct popup *p = &x->ui.popup;
    size_t to = step < 0 && at == 0 ? at : at + (size_t)step;
    if (!columns_move(x->nav.top)) {
        ui_message(&x->ui, "the columns of this list keep their places");
        return;
    }
    if (to >= p->count || stays(x, &p->items[at]) || stays(x, &p->items[to]))
        return;
    struct popup_item item = p->items[at];
    p->items[at] = p->items[to];
    p->items[to] = item;
    p->selected = to;
    for (size_t i = 0; i < p->count; i++)
        if (!stays(x, &p->items[i]))
            column_choose(x->nav.top, p->items[i].text)->place = (int)i + 1;
    keep(x);
}

static bool column_key(struct app *x, struct popup_item *item, uint32_t key)
{
    bool wider = key == '>' || key == '+' || key == KEY_ARROW_RIGHT || key == 'l';
    bool narrower = key == '<' || key == '-' || key == KEY_ARROW_LEFT || key == 'h';
    if (key == ' ' && item->value)
        reset(x);
    else if (key == ' ')
        toggle(x, item->text);
    else if (key == 'H' || key == 'L')
        move_column(x, x->ui.popup.selected, key == 'H' ? -1 : 1);
    else if ((wider || narrower) && !item->value)
        set_width(x, item->text, width_now(x, item->text) + (wider ? 1 : -1));
    else
        return wider || narrower;
    for (size_t i = 0; i < x->ui.popup.count; i++)
        if (!x->ui.popup.items[i].value)
            describe(x, &x->ui.popup.items[i]);
    return true;
}

/* Enter closes the popup, and resets the list if that was selected. */
static void columns_chosen(struct app *x, const struct popup_item *item)
{
    if (item->value)
        reset(x);
}

static void pick_columns(struct app *x)
{
    static const struct bar_word keys[] = {{"H L", "move"}, /* first, for lists without it */
                                           {"Space", "show or hide"},
                                           {"<", "narrower"},
                                           {">", "wider"},
                                           {NULL, NULL}};
    const struct headers *h = headers_of(x->nav.top);
    struct popup *p = &x->ui.popup;
    popup_open(p, "columns of this list", columns_chosen);
    for (size_t i = 0; i < h->count; i++)
        describe(x, popup_add(p, KEY_NONE, h->at[i].name, ""));
    popup_add(p, KEY_NONE, RESET, "all as they were at first")->value = 1;
    p->key = column_key;
    p->keys = columns_move(x->nav.top) ? keys : keys + 1;
}

/* ":columns", ":columns agent", ":columns agent 20", ":columns default". */
void act_columns(struct app *x, const char *argument)
{
    char name[COLUMN_NAME], *end = NULL;
    size_t len = strlen(argument), number = len;
    while (number > 0 && isdigit((unsigned char)argument[number - 1]))
        number--;
    long width = number < len && number > 0 && argument[number - 1] == ' '
                     ? strtol(argument + number, &end, 10)
                     : 0;
    if (end)
        for (len = number; len > 0 && argument[len - 1] == ' ';)
            len--;
    snprintf(name, sizeof(name), "%.*s", (int)(len < sizeof(name) ? len : 0), argument);
    if (!*argument)
        pick_columns(x);
    else if (!strcmp(argument, RESET))
        reset(x);
    else if (!find_header(x, name))
        ui_message(&x->ui, "this list has no column \"%s\"; :columns shows them", name);
    else if (end)
        set_width(x, name, width < COLUMN_WIDTH_MAX ? (int)width : COLUMN_WIDTH_MAX + 1);
    else
        toggle(x, name);
}
