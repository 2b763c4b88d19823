/* The keys of a person's own. Which actions and keys there are config_check knows. */
#include "tui/config/config_parts.h"

/* Of an action: the array that grows, and whose it is. */
struct binding {
    const char *action;
    struct config_array keys;
};

static int add_key(struct config_reading *r, const char *key, void *into)
{
    struct binding *b = into;
    if (!*key)
        return config_fail(r, config_line(r), "a key of '%.80s' is empty", b->action);
    const char **place = config_append(r, &r->c->arena, &b->keys);
    if (!place)
        return -1;
    *place = arena_strdup(&r->c->arena, key);
    return *place ? 0 : config_no_memory(r, "a key");
}

static int read_binding(struct config_reading *r, const char *action, void *into)
{
    struct config_array *all = into;
    struct config_binding *b = config_append(r, &r->c->arena, all);
    if (!b)
        return -1;
    *b = (struct config_binding){.action = action, .line = (int)config_line(r)};
    void *keys = NULL;
    struct binding binding = {action, {&keys, &b->count, 0, sizeof(const char *)}};
    if (config_advance(r))
        return -1;
    int failed;
    if (r->event.type == YAML_SCALAR_EVENT) {
        const char *key = config_scalar(r, action);
        failed = key ? add_key(r, key, &binding) : -1;
    } else {
        failed = config_list(r, action, "a key or a list of keys", add_key, &binding);
    }
    b->keys = keys;
    return failed;
}

int config_read_keys(struct config_reading *r)
{
    void *keys = NULL;
    struct config_array all = {&keys, &r->c->key_count, 0, sizeof(struct config_binding)};
    if (config_is_empty(r))
        return 0;
    int failed = config_each(r, "keys", "actions with their keys", read_binding, &all);
    r->c->keys = keys;
    return failed;
}
