/* Shared memory: its namespaces, and what agents may do there. */
#include "tui/action/actions.h"

#include "model/policy/permission.h"
#include "tui/explorer/app.h"
#include "tui/view/shared/entries.h"
#include "tui/view/shared/namespaces.h"
#include "tui/view/shared/permissions.h"

void act_namespaces(struct app *x, const char *argument)
{
    if (!*argument && x->nav.top->ops->place == IN_NAMESPACES)
        app_say(x, "these are the namespaces");
    else if (!*argument)
        app_push(x, namespaces_view_new(x));
    else if (namespace_is_valid(argument, strlen(argument)))
        app_push(x, entries_view_new(x, argument));
    else
        app_say(x, "\"%.100s\" is no namespace: letters, digits, _ and -, with dots between",
                argument);
}

void act_permissions(struct app *x, const char *argument)
{
    const char *agent = *argument ? argument : x->prefs.agent;
    if (agent && !strcmp(agent, "all"))
        agent = NULL;
    if (x->nav.top->ops->place == IN_PERMISSIONS)
        permissions_view_of(x->nav.top, agent);
    else
        app_push(x, permissions_view_new(x, agent));
}
