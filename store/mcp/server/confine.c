/* What a server may still use once it listens: the files of its store, its sockets and its configuration. */
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "store/db/db.h"
#include "store/db/store_state.h"
#include "store/mcp/server/server_state.h"

struct paths {
    struct platform_path *list;
    size_t count, alloc;
};

static void add(struct paths *p, char *path, enum platform_use use)
{
    *ARRAY_ADD(p->list, p->count, p->alloc) = (struct platform_path){path, use};
}

/* Adds the directory that the path names a file in. The file may be replaced, so it is not enough by itself. Returns
 * the directory, or NULL if the path names none. */
static const char *add_directory(struct paths *p, const char *path, enum platform_use use)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    if (!slash)
        return NULL;
    char *directory = xformat("%.*s", slash == path ? 1 : (int)(slash - path), path);
    add(p, directory, use);
    return directory;
}

/* A configuration is often a symbolic link to where a person keeps it. */
static void add_read(struct paths *p, const char *path)
{
    char *real = path ? realpath(path, NULL) : NULL;
    add_directory(p, path, USE_READ);
    if (real)
        add(p, real, USE_READ);
}

static void add_agents(struct paths *p, const struct permissions *permissions)
{
    for (size_t i = 0; i < permissions->agent_count; i++) {
        add_directory(p, permissions->agents[i].socket, USE_WRITE);
        add_read(p, permissions->agents[i].token_file);
    }
}

const char *mcp_server_confine(struct mcp_server *v, const char *config)
{
    const struct store *s = v->store;
    struct paths p = {.list = NULL};
    struct error ignored;
    if (s->read) /* it could not remove the copy's directory */
        return "it reads a private copy of an older store";
    if (v->follower) /* libpq reads its own files and connects */
        return "its store is a team's, which it must reach";
    struct guard_rules *rules = v->options.rules ? v->options.rules(v->options.rules_arg) : NULL;
    add_directory(&p, s->path, USE_WRITE);
    if (s->head && store_make_folders(s->head, &ignored) == 0)
        add_directory(&p, s->head, USE_WRITE);
    const char *sockets = add_directory(&p, v->listening.endpoint.path, USE_WRITE);
    add_directory(&p, sockets, USE_SOCKETS); /* to make it again */
    add_read(&p, config);
    if (rules)
        add_agents(&p, guard_permissions(rules));
    db_use_temporary(s->read_only && s->head ? s->head : s->path);
    const char *why = platform_confine(p.list, p.count);
    guard_rules_release(rules);
    for (size_t i = 0; i < p.count; i++)
        free((char *)p.list[i].path);
    free(p.list);
    return why;
}
