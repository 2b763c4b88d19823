/* Actions: lists by a query, facets of a list, and views that are saved under a name. */
#include "tui/action/action.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "store/query/matcher.h"
#include "tui/explorer/saved_views.h"
#include "tui/view/memory/memory_views.h"
#include "tui/view/views.h"

void act_list(struct app *x, const char *argument)
{
    if (x->nav.top != x->nav.root[ROOT_ALL] || !x->nav.top)
        app_open_root(x, ROOT_ALL);
    if (*argument)
        view_filter(x->nav.top, argument);
}

const struct action *view_opener(const struct app *x, const struct view *top)
{
    for (size_t i = 0; i < action_count(); i++) {
        const struct action *a = action_at(i);
        if (a->with == act_root && x->nav.root[a->value] == top)
            return a;
    }
    return view_is(top, "audit") || view_is(top, "sessions")
               ? action_find(top->ops->name, strlen(top->ops->name))
               : NULL;
}

static bool is_name(const char *name)
{
    return *name && strlen(name) < 64 && !strpbrk(name, " :#\n\t");
}

void act_save(struct app *x, const char *argument)
{
    const struct action *opens = x->nav.top->ops->query ? view_opener(x, x->nav.top) : NULL;
    struct error e;
    if (!opens)
        ui_message(&x->ui,
                   "this view cannot be saved: only lists, the live view, the audit and sessions");
    else if (!is_name(argument))
        ui_message(&x->ui, "give a name without blanks and colons: save NAME");
    else if (action_find(argument, strlen(argument)))
        ui_message(&x->ui, "\"%s\" is the name of an action; give another name", argument);
    else if (saved_views_put(&(struct saved_view){argument, opens->name, x->nav.top->filter}, &e))
        ui_error(&x->ui, &e);
    else
        ui_message(&x->ui, "saved: :%s opens %s %s", argument, opens->name, x->nav.top->filter);
}

void act_unsave(struct app *x, const char *argument)
{
    struct error e;
    if (!*argument)
        ui_message(&x->ui, "give the name of a saved view: unsave NAME");
    else if (saved_views_put(&(struct saved_view){.name = argument}, &e))
        ui_error(&x->ui, &e);
    else
        ui_message(&x->ui, "\"%s\" is no saved view any more", argument);
}

static int read_views(struct app *x, struct arena *arena, struct saved_view **out, size_t *count)
{
    struct error e;
    *count = 0;
    if (!saved_views_read(arena, out, count, &e))
        return 0;
    ui_error(&x->ui, &e);
    return -1;
}

bool saved_view_open(struct app *x, const char *name)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct saved_view *all;
    size_t count;
    if (read_views(x, &arena, &all, &count))
        return true;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(all[i].name, name) != 0)
            continue;
        const struct action *opens = action_find(all[i].view, strlen(all[i].view));
        if (!opens) {
            ui_message(&x->ui, "\"%s\" opens \"%s\", which is no view", name, all[i].view);
            return true;
        }
        if (view_opener(x, x->nav.top) != opens)
            action_run(x, opens, "");
        view_filter(x->nav.top, all[i].query);
        return true;
    }
    return false;
}

void saved_views_offer(struct app *x, const char *typed)
{
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF about = STRBUF_INIT;
    struct saved_view *all;
    size_t count;
    read_views(x, &arena, &all, &count);
    for (size_t i = 0; i < count; i++) {
        strbuf_clear(&about);
        strbuf_addf(&about, "%s %s", all[i].view, all[i].query);
        if (*typed && strstr(all[i].name, typed))
            prompt_offer(&x->ui, all[i].name, about.buf, NULL,
                         strncmp(all[i].name, typed, strlen(typed)) ? 3 : 1);
    }
}

static void view_chosen(struct app *x, const struct popup_item *item)
{
    saved_view_open(x, item->text);
}

void act_views(struct app *x)
{
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF about = STRBUF_INIT;
    struct saved_view *all;
    size_t count;
    if (read_views(x, &arena, &all, &count))
        return;
    if (!count) {
        ui_message(&x->ui, "no view is saved; :save NAME saves a list with its filter");
        return;
    }
    popup_open(&x->ui.popup, "saved views", view_chosen);
    for (size_t i = 0; i < count; i++) {
        strbuf_clear(&about);
        strbuf_addf(&about, "%s %s", all[i].view, all[i].query);
        popup_add(&x->ui.popup, KEY_NONE, all[i].name, about.buf);
    }
}

/* ---- watched queries ---- */

static void offer_watches(struct app *x, const char *title,
                          void (*chosen)(struct app *x, const struct popup_item *item))
{
    if (!x->alerts.count) {
        ui_message(&x->ui,
                   "nothing is watched; :watch QUERY alerts you when a memory begins to match");
        return;
    }
    popup_open(&x->ui.popup, title, chosen);
    for (size_t i = 0; i < x->alerts.count; i++)
        popup_add(&x->ui.popup, KEY_NONE, x->alerts.watch[i].query, "");
}

static void list_chosen(struct app *x, const struct popup_item *item)
{
    act_list(x, item->text);
}

static void unwatch_chosen(struct app *x, const struct popup_item *item)
{
    alerts_unwatch(x, item->text);
}

void act_watch(struct app *x, const char *argument)
{
    if (*argument)
        alerts_watch(x, argument);
    else
        offer_watches(x, "watched queries", list_chosen);
}

void act_unwatch(struct app *x, const char *argument)
{
    if (*argument)
        alerts_unwatch(x, argument);
    else
        offer_watches(x, "no longer watch", unwatch_chosen);
}

void act_alerts(struct app *x)
{
    struct neighbour_list list = {.title = "alerts"};
    size_t alloc = 0;
    for (int64_t n = 0; (n = row_set_next(&x->alerts.fresh, &(struct row_set){0}, n)) > 0;)
        *ARRAY_ADD(list.row, list.count, alloc) = n;
    if (list.count)
        app_push(x, list_view_neighbours(&x->ui, &list));
    else
        ui_message(&x->ui, "there are no alerts; :watch QUERY watches for what matches it");
    alerts_seen(&x->alerts);
    free(list.row);
}

/* ---- facets ---- */

/* Nothing finds the values of a search or of neighbours again. */
const char *blocked_facets(struct app *x)
{
    return list_view_own_order(x->nav.top) ? "facets are of lists of a kind, not of this one"
                                           : NULL;
}

static void open_facets(struct app *x, const struct query_spec *spec)
{
    app_push(x, facets_view_new(&x->ui, x->nav.top, spec));
}

static void field_chosen(struct app *x, const struct popup_item *item)
{
    open_facets(x, query_spec((int)item->value));
}

void act_facets(struct app *x, const char *argument)
{
    const struct query_spec *spec = query_spec_named(argument, strlen(argument));
    if (spec && facet_is_of(spec->field)) {
        open_facets(x, spec);
        return;
    }
    char keys[16] = ""; /* of each name the first letter that no other has */
    size_t count = 0;
    popup_open(&x->ui.popup, "the values of", field_chosen);
    for (int i = 0; (spec = query_spec(i)) && count < sizeof(keys) - 1; i++) {
        if (!facet_is_of(spec->field))
            continue;
        keys[count] = spec->name[strspn(spec->name, keys)];
        popup_add(&x->ui.popup, (uint32_t)(unsigned char)keys[count], spec->name, spec->about)
            ->value = i;
        count++;
    }
}
