/* From a key to the function of its action: the key map, what an action needs, and running it. */
#include "tui/action/action.h"

#include <string.h>
#include "model/base/strbuf.h"
#include "store/record/get.h"
#include "tui/explorer/app.h"
#include "tui/term/theme.h"

/* ---- keys ---- */

/* The binding of the configuration that has the key; NULL if none. */
static const struct binding *find_clash(const struct keymap *map, uint32_t key)
{
    for (size_t i = 0; i < map->configured; i++)
        if (map->binding[i].key == key)
            return &map->binding[i];
    return NULL;
}

static int add_configured(struct keymap *map, const struct action *action,
                          const struct config_binding *b, const char *name, struct error *e)
{
    uint32_t key = key_from_name(name, strlen(name));
    const struct binding *other = find_clash(map, key);
    const char *before = other ? other->action->name : "";
    if (key == KEY_NONE)
        return error_set(e, ERROR_INVALID, "Write keys as in j, C-d, Enter, PgDn, F1.",
                         "there is no key `%.80s`", name);
    if (other && other->action == action)
        return error_set(e, ERROR_INVALID, "Write it once.",
                         "the key %.80s is given twice for `%s`", name, b->action);
    if (other)
        return error_set(e, ERROR_INVALID, "Give one of them another key.",
                         "the key %.80s is bound to both `%s` and `%s`", name,
                         other->action < action ? before : b->action,
                         other->action < action ? b->action : before);
    if (map->count == BINDINGS_MAX / 2)
        return error_set(e, ERROR_INVALID, "Leave some out.", "there are more than %d keys",
                         BINDINGS_MAX / 2);
    map->binding[map->count++] = (struct binding){key, action, b->line};
    map->configured = map->count;
    return 0;
}

static int take_binding(struct keymap *map, const struct config_binding *b, struct error *e)
{
    const struct action *action = action_find(b->action, strlen(b->action));
    if (!action)
        return error_set(e, ERROR_INVALID, "? in the explorer lists the names of all actions.",
                         "there is no action `%.80s`", b->action);
    for (size_t i = 0; i < b->count; i++)
        if (add_configured(map, action, b, b->keys[i], e))
            return -1;
    return 0;
}

/* Adds default keys. The configuration may not have given one to another action, which would lose it unnoticed. */
static int add_defaults(struct keymap *map, const struct action *action, const char *path,
                        struct error *e)
{
    for (const char *keys = action->keys; *keys;) {
        size_t len = strcspn(keys, " ");
        uint32_t key = key_from_name(keys, len);
        const struct binding *other = find_clash(map, key);
        if (other) {
            AUTO_STRBUF hint = STRBUF_INIT;
            strbuf_addf(&hint, "Give `%s` another key, or none: `%s: []`.", action->name,
                        action->name);
            return error_set(e, ERROR_INVALID, hint.buf,
                             "%s line %d: the key %.*s is bound to `%s` and, by default, to `%s`",
                             path, other->line, (int)len, keys, other->action->name, action->name);
        }
        map->binding[map->count++] = (struct binding){key, action, 0};
        keys += len + strspn(keys + len, " ");
    }
    return 0;
}

/* The configuration replaces all keys of an action; an empty list removes them. */
static bool is_configured(const struct config *config, const struct action *action)
{
    for (size_t i = 0; config && i < config->key_count; i++)
        if (action_find(config->keys[i].action, strlen(config->keys[i].action)) == action)
            return true;
    return false;
}

int keymap_open(struct keymap *map, const struct config *config, struct error *e)
{
    const char *path = config && config->path ? config->path : "config.yaml";
    map->count = map->configured = 0;
    for (size_t i = 0; config && i < config->key_count; i++)
        if (take_binding(map, &config->keys[i], e))
            return error_prefix(e, "%s line %d", path, config->keys[i].line);
    for (size_t i = 0; i < action_count(); i++)
        if (!is_configured(config, action_at(i)) && add_defaults(map, action_at(i), path, e))
            return -1;
    return 0;
}

const struct action *keymap_find(const struct keymap *map, uint32_t key)
{
    for (size_t i = 0; i < map->count; i++)
        if (map->binding[i].key == key)
            return map->binding[i].action;
    return NULL;
}

uint32_t keymap_key(const struct keymap *map, const struct action *action)
{
    for (size_t i = 0; i < map->count; i++)
        if (map->binding[i].action == action)
            return map->binding[i].key;
    return KEY_NONE;
}

void keymap_keys(const struct keymap *map, const struct action *action, size_t most,
                 struct strbuf *out)
{
    size_t count = 0;
    for (size_t i = 0; i < map->count && count < most; i++) {
        char name[16];
        if (map->binding[i].action != action)
            continue;
        key_text(map->binding[i].key, name, sizeof(name));
        strbuf_addf(out, "%s%s", count++ ? " " : "", name);
    }
}

void keymap_name(const struct keymap *map, const struct action *action, struct strbuf *out)
{
    size_t before = out->len;
    keymap_keys(map, action, 1, out);
    if (out->len == before)
        strbuf_addf(out, ":%s", action->name);
}

/* ---- what it needs ---- */

/* The current subject of actions. */
struct subject {
    const struct app *x;
    const struct view *v;
    int64_t here;                    /* the memory under the cursor, or of the view; 0 for none */
    const struct memory_row *cursor; /* its row, or NULL */
    size_t selected;                 /* number of selected memories */
    /* The single memory to act on; NULL for none, or for several, which are checked one by one. */
    const struct memory_row *one;
};

static bool has_status(const struct subject *s, unsigned statuses)
{
    return !s->one || (STATUS_BIT(s->one->status) & statuses);
}

static bool has_kind(const struct subject *s, enum kind kind)
{
    return !s->one || s->one->ref.kind == kind;
}

static bool holds(const struct subject *s, enum need need)
{
    switch (need) {
    case NEED_NO_QUESTION:
        return !(s->v->ops->has & HAS_QUESTION);
    case NEED_MEMORY:
        return s->here > 0;
    case NEED_SUBJECT:
        return s->selected > 0 || s->here > 0;
    case NEED_LINE:
        return !s->v->ops->at_large || s->v->cursor != LINE_NONE;
    case NEED_LINES:
    case NEED_DRAWING:
        return s->v->count > 0;
    case NEED_BEFORE:
        return s->x->nav.back_list.at > 0;
    case NEED_AFTER:
        return s->x->nav.back_list.at + 1 < s->x->nav.back_list.count;
    case NEED_PATTERN:
        return *s->v->search.pattern != '\0';
    case NEED_FEED:
        return s->x->data.feed != NULL;
    case NEED_PREVIEW:
        return s->v->ops->preview || s->v->ops->zooms;
    case NEED_SELECTION:
        return s->selected > 0 || s->x->ui.selection.range;
    case NEED_UNSAVED:
        return s->x->pending.count[PENDING_UNSAVED] > 0;
    case NEED_ONE:
        return s->selected <= 1;
    case NEED_KEPT:
        return has_status(s, ~STATUS_BIT(STATUS_PURGED));
    case NEED_WRITTEN:
        return has_status(s, ~STATUS_BIT(STATUS_MISSING));
    case NEED_UNLOCKED:
        return !s->one || !s->one->is_protected;
    case NEED_LOCKED:
        return !s->one || s->one->is_protected;
    case NEED_RAW:
        return has_kind(s, KIND_RAW);
    case NEED_BELIEF:
        return has_kind(s, KIND_BELIEF);
    case NEED_LIVING: /* what a pending one refuses, the operation says */
        return has_status(s, STATUSES_LIVING | STATUS_BIT(STATUS_PENDING));
    case NEED_INACTIVE:
        return has_status(s, ~(STATUSES_LIVING | STATUS_BIT(STATUS_PENDING)));
    case NEED_REMEMBERED:
        return has_status(s, STATUSES_LISTED);
    case NEED_CURRENT:
        return has_status(s, ~STATUS_BIT(STATUS_SUPERSEDED));
    case NEED_EPISODE:
        return s->cursor && s->cursor->ref.kind == KIND_EPISODE;
    case NEED_LIVING_HERE:
        return s->cursor && STATUS_LIVES(s->cursor->status);
    case NEED_QUARANTINED:
        return has_status(s, STATUS_BIT(STATUS_QUARANTINED));
    case NEED_END:
        break;
    }
    return true;
}

/* Messages in the order of enum need, which is the order of the checks. */
static const char *const need_messages[] = {
    "answer this question first: Enter on its first line does it, q cancels",
    "there is no memory here",
    "there is no memory here",
    "the cursor is on no other memory; j or Tab goes to one",
    "there is nothing here",
    "the drawing is not ready yet",
    "there is no previous view",
    "there is no next view",
    "nothing was searched for in this view; / starts a search",
    "changes to this store cannot be followed",
    "this view has no preview to zoom",
    "nothing is selected",
    "everything that you typed is saved",
    "this works on one memory at a time",
    "it was purged: nothing of it is left",
    "it is missing: other memories name it, but it was never written",
    "it is already locked",
    "it is not locked",
    "only a raw entry can be promoted",
    "only a belief can be replaced; e edits this",
    "it is no longer active",
    "it is already active",
    "it is already forgotten",
    "it is already replaced",
    "only an episode can revise beliefs",
    "it is no longer active",
    "it is not quarantined",
};
#define NEEDS (sizeof(need_messages) / sizeof(need_messages[0]))
_Static_assert(NEED_END == 1u << NEEDS, "each need has its words");

static struct subject find_subject(struct app *x)
{
    struct subject s = {.x = x,
                        .v = x->nav.top,
                        .here = view_memory(x->nav.top),
                        .selected = x->ui.selection.count};
    s.cursor = details_row(x, s.here);
    s.one = s.selected > 1 ? NULL : details_row(x, pending_subject(x));
    return s;
}

/* An argument that names a memory, or what to copy, replaces the conditions on the cursor. */
static const char *missing_here(struct app *x, const struct action *a, const char *argument)
{
    if (*argument && (a->argument == ARGUMENT_REF || a->argument == ARGUMENT_COPY))
        return NULL;
    struct subject s = a->needs ? find_subject(x) : (struct subject){0};
    for (size_t i = 0; i < NEEDS; i++)
        if (a->needs >> i & 1 && !holds(&s, (enum need)(1u << i)))
            return need_messages[i];
    return a->blocked ? a->blocked(x) : NULL;
}

const char *action_missing(struct app *x, const struct action *a, const char *argument)
{
    const char *why = a->group == GROUP_ACT ? pending_blocked(x) : NULL;
    return why ? why : missing_here(x, a, argument);
}

/* ---- where it is ---- */

bool action_applies(const struct action *a, unsigned has)
{
    /* A preview asks about one change: no key of it makes another. */
    bool other = a->menu && has & HAS_QUESTION && !(a->needs & NEED_NO_QUESTION);
    return (!a->where || a->where & has) && !(a->lacks & has) && !other;
}

/* Where the actions are that not every view has, and the action that leads there. An action is where the first of its
 * features is. */
static const struct place {
    unsigned has;
    const char *where, *way;
} places[] = {
    {HAS_FILTER, "a list", "beliefs"},
    {HAS_DRAWING, "a drawing", "based-on"},
    {HAS_LINEAGE, "a lineage", "based-on"},
    {HAS_FOLDS, "an outline", "based-on"},
    {HAS_MATRIX, "a chain's sources", "reasoning"},
    {HAS_USES, "a chain or step", "reasoning"},
    {HAS_CHAINS, "compared chains", "strategies"},
    {HAS_PAGE, "a memory", "facts"},
    {HAS_TEXT, "a list", "beliefs"},
    {HAS_NEW, "a list", "beliefs"},
    {HAS_ORDER, "a list", "beliefs"},
    {HAS_MEMORY_LIST, "a list of memories", "beliefs"},
    {HAS_GROUPS, "logged retrievals", "retrievals"},
    {HAS_SHARED, "shared memory", "namespaces"},
    {HAS_FOLLOWING, "a list that grows", "live"},
    {HAS_SESSIONS, "sessions", "sessions"},
    {HAS_UNDO, "the audit or a history", "audit"},
    {HAS_EVENTS, "the audit or a history", "audit"},
    {HAS_PROBLEMS, "health", "health"},
    {HAS_INBOX, "the inbox", "inbox"},
    {HAS_QUESTION, "a preview", NULL},
};

static const struct place *place_of(const struct action *a, unsigned has)
{
    static const struct place memories = {0, "lists and pages of memories", "beliefs"},
                              others = {0, "other views", NULL};
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
        if (a->where & places[i].has && !(has & places[i].has))
            return &places[i];
    return a->where & HAS_MEMORIES ? &memories : &others;
}

const char *action_place(const struct action *a, unsigned has)
{
    return place_of(a, has)->where;
}

/* "dots works in a drawing: f leads there" */
static void refuse_here(struct app *x, const struct action *a)
{
    const struct place *place = place_of(a, x->nav.top->ops->has);
    AUTO_STRBUF way = STRBUF_INIT;
    if (place->way)
        keymap_name(x->keymap, action_find(place->way, strlen(place->way)), &way);
    ui_message(&x->ui, "%s works in %s%s%s%s", a->name, place->where, way.len ? ": " : "", way.buf,
               way.len ? " leads there" : "");
}

/* ---- running ---- */

static bool takes_selection(const struct action *a)
{
    return (a->group == GROUP_ACT && a->where & (HAS_MEMORIES | HAS_PROBLEMS)) ||
           a->run == act_what_if || a->run == act_disbelieve || a->run == act_yank ||
           a->run == act_pipe || a->act == act_strategies;
}

bool action_acts_on_lines(const struct action *a)
{
    const unsigned elsewhere = NEED_BEFORE | NEED_AFTER | NEED_FEED;
    return a->group == GROUP_ACT || a->group == GROUP_SELECT || a->needs & ~elsewhere ||
           a->with == act_move || a->with == act_section;
}

/* Whether it must not be done on lines that are not on the screen yet. */
static bool decides(const struct action *a, const struct view *top)
{
    bool agrees = a->run == act_open && top->ops->has & (HAS_QUESTION | HAS_WRITING);
    return agrees || ((a->group == GROUP_ACT || a->group == GROUP_SELECT) && !a->ahead);
}

void action_run(struct app *x, const struct action *action, const char *argument)
{
    x->ui.doing = action->name;
    if (!action_applies(action, x->nav.top->ops->has)) {
        refuse_here(x, action);
        return;
    }
    if (x->ui.rows_moved && decides(action, x->nav.top)) {
        if (action->run == act_open)
            ui_message(&x->ui, "nothing has changed yet: Enter was typed before this was shown");
        else
            ui_message(&x->ui, "`%s` was typed before the lines were shown: nothing was done",
                       action->name);
        return;
    }
    /* An open range counts as selected. */
    if (x->ui.selection.range && !*argument && takes_selection(action)) {
        act_select_range(x->nav.top);
        if (x->ui.selection.count == 0)
            return; /* with a message */
    }
    const char *why = action_missing(x, action, argument);
    if (why)
        ui_message(&x->ui, "%s", why);
    else if (action->run)
        action->run(x, argument);
    else if (action->with)
        action->with(x, argument, action->value);
    else if (action->on)
        action->on(x->nav.top);
    else if (action->view && view_is(x->nav.top, action->name))
        ui_message(&x->ui, "you are in this view");
    else if (action->view)
        app_push(x, action->view(&x->ui));
    else
        action->act(x);
}

int config_check(const struct config *c, struct error *e)
{
    struct theme theme;
    struct keymap keys;
    if (!c->path)
        return 0; /* no settings */
    if (c->theme_line && theme_load(&theme, c->theme, e))
        return error_prefix(e, "%s line %d", c->path, c->theme_line);
    return keymap_open(&keys, c, e) ? -1 : config_check_patterns(c, e);
}
