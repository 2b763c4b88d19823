/* Which namespaces are shown, and in which order. */
#include "model/base/alloc.h"
#include "tui/view/shared/namespaces_view.h"

#include <stdlib.h>
#include "model/base/strbuf.h"
#include "tui/text/match.h"
#include "tui/explorer/rules.h"

static bool passes(const struct namespaces_view *n, const struct namespace_row *r)
{
    struct strbuf name = STRBUF_INIT;
    if (n->view.only_new && !namespaces_put_since(&n->view, r))
        return false;
    if (!*n->filter)
        return true;
    namespaces_add_name(&n->view, r, &name);
    bool matches = match_text(name.buf, n->filter);
    strbuf_release(&name);
    return matches;
}

static double share(int64_t used, int64_t most)
{
    return most > 0 ? (double)used / (double)most : 0;
}

static double by_name(const struct namespace_row *r, const struct namespace_policy *policy)
{
    (void)r, (void)policy;
    return 0;
}

static double by_fullness(const struct namespace_row *r, const struct namespace_policy *policy)
{
    return fmax(share(r->items, policy->max_items), share(r->bytes, policy->max_bytes));
}

static double by_items(const struct namespace_row *r, const struct namespace_policy *policy)
{
    (void)policy;
    return (double)r->items;
}

static double by_bytes(const struct namespace_row *r, const struct namespace_policy *policy)
{
    (void)policy;
    return (double)r->bytes;
}

static double by_put(const struct namespace_row *r, const struct namespace_policy *policy)
{
    (void)policy;
    return (double)r->updated_at;
}

static const struct {
    const char *name, *about;
    uint32_t key;
    double (*weight)(const struct namespace_row *r, const struct namespace_policy *policy);
} orders[] = {
    {"name", "from A to Z", 'n', by_name},
    {"fullest", "what is nearest to its quota first", 'f', by_fullness},
    {"items", "most entries first", 'i', by_items},
    {"bytes", "most bytes first", 'b', by_bytes},
    {"put", "put last first", 'p', by_put},
};
#define ORDERS ((int)(sizeof(orders) / sizeof(orders[0])))

/* Rows stand by name, which decides where the weight does not. */
static int compare_lines(const void *a, const void *b)
{
    const struct namespace_line *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return (x->row > y->row) - (x->row < y->row);
}

static void turn_round(struct namespace_line *line, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        struct namespace_line one = line[i];
        line[i] = line[count - 1 - i];
        line[count - 1 - i] = one;
    }
}

void namespaces_lay(struct namespaces_view *n, const char *name)
{
    const struct permissions *rules = rules_say(n->view.app, n->rules);
    size_t count = 0, place = LINE_NONE;
    free(n->line);
    n->line = xcalloc(n->all + 1, sizeof(*n->line));
    for (size_t i = 0; n->line && i < n->all; i++) {
        const struct namespace_row *r = &n->row[i];
        if (passes(n, r))
            n->line[count++] = (struct namespace_line){
                r, orders[n->order].weight(r, permission_policy(rules, r->name))};
    }
    if (count > 0)
        qsort(n->line, count, sizeof(*n->line), compare_lines);
    if (n->reverse)
        turn_round(n->line, count);
    for (size_t i = 0; i < count && name; i++)
        if (!strcmp(n->line[i].row->name, name))
            place = i;
    view_set_count(&n->view, count);
    if (place != LINE_NONE)
        view_select(&n->view, place);
    view_search_again(&n->view);
}

void namespaces_lay_again(struct namespaces_view *n)
{
    const struct namespace_row *at = namespaces_row(&n->view, n->view.selected);
    namespaces_lay(n, at ? at->name : NULL); /* the rows stay, and their names with them */
}

/* ---- another order ---- */

/* The same once more turns it round. */
static void take_order(struct namespaces_view *n, int order)
{
    n->reverse = order == ORDERS || order == n->order ? !n->reverse : false;
    if (order != ORDERS)
        n->order = order;
    namespaces_lay_again(n);
    app_say(n->view.app, "by %s%s", orders[n->order].name,
            n->reverse ? ", the other way round" : "");
}

static void order_chosen(struct app *x, const struct popup_item *item)
{
    if (x->nav.top->ops->place == IN_NAMESPACES)
        take_order(namespaces_of(x->nav.top), (int)item->value);
}

void namespaces_view_order(struct view *v, const char *name)
{
    struct app *x = v->app;
    for (int i = 0; i < ORDERS && *name; i++)
        if (!strcmp(name, orders[i].name)) {
            take_order(namespaces_of(v), i);
            return;
        }
    if (*name) {
        app_say(x, "there is no order \"%s\": name, fullest, items, bytes, put", name);
        return;
    }
    popup_open(&x->ui.popup, "order", order_chosen);
    for (int i = 0; i < ORDERS; i++)
        popup_add(&x->ui.popup, orders[i].key, orders[i].name, orders[i].about)->value = i;
    popup_add(&x->ui.popup, 'r', "reverse", "the other way round")->value = ORDERS;
    x->ui.popup.selected = (size_t)namespaces_of(v)->order;
}
