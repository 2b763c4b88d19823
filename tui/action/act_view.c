#include "tui/action/actions.h"

#include "model/base/alloc.h"
#include "model/base/clock.h"
#include "tui/explorer/app.h"
#include "tui/view/graph/lineage_view.h"
#include "tui/explorer/rules.h"
#include "tui/view/view_health.h"
#include "tui/view/view_history.h"
#include "tui/view/view_list.h"
#include "tui/view/shared/namespaces.h"
#include "tui/view/shared/permissions.h"
#include "tui/view/view_whatif.h"

/* The memory that an action is about: the one named, the one under the cursor, or the one in full. */
static int64_t subject(struct app *x, const char *argument)
{
    struct error e;
    int64_t node = view_node(x->nav.top);
    if (*argument) {
        node = ref_resolve(x->data.reader, argument, &e);
        if (node <= 0) {
            palette_goto(x, argument); /* says what is wrong, or asks which */
            return 0;
        }
    }
    return node > 0 ? node : view_about(x->nav.top);
}

const char *blocked_no_memory(struct app *x)
{
    return view_node(x->nav.top) > 0 || view_about(x->nav.top) > 0 ? NULL
                                                                   : "there is no memory here";
}

const char *blocked_no_lines(struct app *x)
{
    return x->nav.top->count == 0 ? "there is nothing here" : NULL;
}

static void open_lineage(struct app *x, const char *argument, enum scene_show show)
{
    int64_t node = subject(x, argument);
    if (node > 0 && lineage_is_shown(x, node, show))
        app_say(x, "this is that lineage already");
    else if (node > 0)
        app_push(x, lineage_view_new(x, node, show));
}

void act_rests_on(struct app *x, const char *argument)
{
    open_lineage(x, argument, SCENE_RESTS_ON);
}

void act_carries(struct app *x, const char *argument)
{
    open_lineage(x, argument, SCENE_CARRIES);
}

void act_both(struct app *x, const char *argument)
{
    open_lineage(x, argument, SCENE_BOTH);
}

static void what_if_marked(struct app *x)
{
    size_t count = 0;
    int64_t *nodes = xmalloc(x->ui.marks.count * sizeof(*nodes));
    if (!nodes) {
        app_say(x, "there is no memory left for so many");
        return;
    }
    for (int64_t n = marks_next(&x->ui.marks, 0); n > 0; n = marks_next(&x->ui.marks, n))
        nodes[count++] = n;
    app_push(x, whatif_view_new(x, nodes, count));
    free(nodes);
}

void act_what_if(struct app *x, const char *argument)
{
    if (!*argument && x->ui.marks.count > 0) {
        what_if_marked(x);
        return;
    }
    int64_t node = subject(x, argument);
    if (node > 0)
        app_push(x, whatif_view_new(x, &node, 1));
}

void act_history(struct app *x, const char *argument)
{
    int64_t node = subject(x, argument);
    if (x->nav.top->ops->place == IN_HISTORY && !*argument)
        app_say(x, "this is its history already");
    else if (node > 0)
        app_push(x, history_view_new(x, node));
}

void act_health(struct app *x, const char *argument)
{
    (void)argument;
    if (x->nav.top->ops->place == IN_HEALTH)
        view_request(x->nav.top, REQUEST_REFRESH);
    else
        app_push(x, health_view_new(x));
}

void act_mend(struct app *x, const char *argument)
{
    (void)argument;
    health_view_mend(x->nav.top);
}

/* ---- lists ---- */

#define ROOT_ACTION(name, root)                                                                    \
    void act_##name(struct app *x, const char *argument)                                           \
    {                                                                                              \
        (void)argument;                                                                            \
        app_open_root(x, root);                                                                    \
    }
ROOT_ACTION(beliefs, KIND_BELIEF)
ROOT_ACTION(episodes, KIND_EPISODE)
ROOT_ACTION(raw, KIND_RAW)
ROOT_ACTION(notes, KIND_NOTE)
ROOT_ACTION(attributions, KIND_ATTRIBUTION)
ROOT_ACTION(chains, KIND_CHAIN)
ROOT_ACTION(documents, KIND_DOCUMENT)
ROOT_ACTION(review, ROOT_REVIEW)
ROOT_ACTION(everything, ROOT_ALL)
ROOT_ACTION(values, KIND_VALUE)
ROOT_ACTION(goals, KIND_GOAL)
ROOT_ACTION(drives, KIND_DRIVE)
ROOT_ACTION(relationships, KIND_RELATIONSHIP)
ROOT_ACTION(suggestions, KIND_SUGGESTION)
ROOT_ACTION(steps, KIND_STEP)
ROOT_ACTION(citations, KIND_CITATION)
ROOT_ACTION(entries, KIND_ENTRY)

/* ---- order ---- */

#define ORDER_REVERSE ORDER_COUNT

static void take_order(struct app *x, int order)
{
    /* The same once more turns it round. */
    x->prefs.reverse =
        order == ORDER_REVERSE || order == (int)x->prefs.order ? !x->prefs.reverse : false;
    if (order != ORDER_REVERSE)
        x->prefs.order = (enum list_order)order;
    app_lists_changed(x);
    app_say(x, "by %s%s", order_name(x->prefs.order),
            x->prefs.reverse ? ", the other way round" : "");
}

static void order_chosen(struct app *x, const struct popup_item *item)
{
    take_order(x, (int)item->value);
}

static void offer_orders(struct app *x)
{
    static const char *const help[ORDER_COUNT] = {"newest first", "changed last first",
                                                  "surest first", "from A to Z"};
    static const char keys[ORDER_COUNT] = {'c', 'u', 'f', 't'};
    popup_open(&x->ui.popup, "order", order_chosen);
    for (int i = 0; i < ORDER_COUNT; i++) {
        const char *name = order_name((enum list_order)i);
        struct popup_item *item = popup_add(&x->ui.popup, (uint32_t)keys[i], name, help[i]);
        item->value = i;
        if (i == (int)x->prefs.order)
            x->ui.popup.selected = (size_t)i;
    }
    popup_add(&x->ui.popup, 'r', "reverse", "the other way round")->value = ORDER_REVERSE;
}

void act_order(struct app *x, const char *argument)
{
    int order = order_from_name(argument);
    if (x->nav.top->ops->place == IN_NAMESPACES)
        namespaces_view_order(x->nav.top, argument);
    else if (view_is_list(x->nav.top) && list_view_own_order(x->nav.top))
        app_say(x, "%s", list_view_own_order(x->nav.top));
    else if (!*argument)
        offer_orders(x);
    else if (order >= 0)
        take_order(x, order);
    else
        app_say(x, "there is no order \"%s\": created, updated, confidence, text", argument);
}

/* ---- agents ---- */

/* Namespaces are shared: they show what every agent put there, and what this one may do. What happens is everybody's
 * as well. */
static void say_agent(struct app *x, const char *name)
{
    enum place place = x->nav.top->ops->place;
    if (place == IN_PERMISSIONS)
        app_say(x, name ? "what %s may do" : "what any agent may do", name);
    else if (name && (place == IN_NAMESPACES || place == IN_ENTRIES))
        app_say(x, "lists show only what %s holds; a namespace holds what every agent put", name);
    else if (name && place & IN_EVERYBODYS)
        app_say(x, "lists show only what %s holds; here all agents stand%s", name,
                place & IN_FILTER ? ", and \\ filters" : "");
    else
        app_say(x, name ? "only what %s holds" : "every agent", name);
}

static void take_agent(struct app *x, const char *name)
{
    free(x->prefs.agent);
    x->prefs.agent = name ? xstrdup(name) : NULL;
    app_lists_changed(x);
    if (x->nav.top->ops->place == IN_PERMISSIONS)
        permissions_view_of(x->nav.top, name);
    if (x->nav.top->ops->place & (IN_HEALTH | IN_REVIEW | IN_RETRIEVALS))
        view_request(x->nav.top, REQUEST_REFRESH);
    say_agent(x, name);
}

static void agent_chosen(struct app *x, const struct popup_item *item)
{
    take_agent(x, item->value ? item->text : NULL);
}

static void offer_agent(struct app *x, const char *name, const char *help)
{
    for (size_t i = 1; i < x->ui.popup.count; i++) /* the first one is all of them */
        if (!strcmp(x->ui.popup.items[i].text, name))
            return;
    popup_add(&x->ui.popup, KEY_NONE, name, help)->value = 1;
}

/* Who has no memories, where it is about what they may do: those that the configuration names, and those that were
 * connected. */
static void offer_others(struct app *x, struct arena *arena)
{
    struct guard_rules *rules = rules_now(x);
    const struct permissions *p = rules ? guard_permissions(rules) : NULL;
    const char **names;
    struct error e;
    size_t count;
    for (size_t i = 0; p && i < p->agent_count; i++)
        offer_agent(x, p->agents[i].agent, "grants of its own");
    guard_rules_release(rules);
    if (session_agents(x->data.reader, arena, &names, &count, &e)) {
        app_fail(x, &e);
        return;
    }
    for (size_t i = 0; i < count; i++)
        offer_agent(x, names[i], "was connected");
}

void act_agent(struct app *x, const char *argument)
{
    struct arena arena = ARENA_INIT;
    struct agent_count *agents;
    struct error e;
    size_t count;
    char help[48];
    if (*argument) {
        take_agent(x, strcmp(argument, "all") ? argument : NULL);
        return;
    }
    if (list_agents(x->data.reader, &arena, &agents, &count, &e)) {
        app_fail(x, &e);
        arena_release(&arena);
        return;
    }
    bool allowed = x->nav.top->ops->place == IN_PERMISSIONS;
    popup_open(&x->ui.popup, allowed ? "whose permissions?" : "whose memories?", agent_chosen);
    popup_add(&x->ui.popup, '0', "all agents", "")->value = 0;
    for (size_t i = 0; i < count; i++) {
        snprintf(help, sizeof(help), "%lld", (long long)agents[i].count);
        uint32_t key = i < 9 ? (uint32_t)('1' + i) : KEY_NONE;
        popup_add(&x->ui.popup, key, agents[i].name, help)->value = 1;
        if (x->prefs.agent && !strcmp(x->prefs.agent, agents[i].name))
            x->ui.popup.selected = i + 1;
    }
    x->prefs.agents = count;
    if (allowed)
        offer_others(x, &arena);
    arena_release(&arena);
}

void act_gone(struct app *x, const char *argument)
{
    (void)argument;
    x->prefs.gone = !x->prefs.gone;
    app_lists_changed(x);
    app_say(x, x->prefs.gone ? "forgotten and deleted memories are listed too"
                             : "forgotten and deleted memories are hidden");
}

void act_only_new(struct app *x, const char *argument)
{
    char age[32];
    (void)argument;
    x->prefs.only_new = !x->prefs.only_new;
    view_take_only_new(x->nav.top);
    clock_format_age(age, sizeof(age), x->unread.left_at, store_now(x->data.store));
    if (!x->prefs.only_new)
        app_say(x, "everything again");
    else if (x->unread.before)
        app_say(x, "only what is new (+) or changed (~) since your last visit, %s%s", age,
                strcmp(age, "now") ? " ago" : "");
    else
        app_say(x, "this is your first visit: only what comes while you look");
}
