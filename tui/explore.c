/* The explorer takes over from the command that opened its store. */
#include "explore.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "explorer.h"
#include "stop.h"
#include "visit.h"

int explore_possible(const struct invocation *i, const char *path, const char *kernle,
                     struct error *e)
{
    char todo[250];
    if (i->out.tty && !i->out.json)
        return 0;
    if (!path)
        snprintf(todo, sizeof(todo), "Run it in a terminal.");
    else if (kernle && access(path, F_OK) != 0)
        snprintf(todo, sizeof(todo), "`stemma import kernle %.100s --store %.100s` takes it over.",
                 kernle, path);
    else
        snprintf(todo, sizeof(todo), "`stemma list all --store %.120s` lists what is there.", path);
    if (i->out.json)
        return error_set(e, ERROR_USAGE, todo, "the explorer draws a screen and writes no JSON");
    return error_set(e, ERROR_USAGE, todo, "the explorer needs a terminal to draw on");
}

int explore(struct invocation *i, struct opened *o, const char *follow, const char *notice,
            struct error *e)
{
    char *visit = visit_path(store_path(o->store));
    struct explorer_options options = {.no_colour = !i->out.color,
                                       .notice = notice,
                                       .follow = follow,
                                       .as_of = option_text(i, "as-of"),
                                       .visit = visit,
                                       .person = opening_person(i).name};
    /* It reads through readers of its own, and signals are its own from here on. */
    stop_watch(NULL);
    reader_close(o->reader);
    o->reader = NULL;
    int result = explorer_run(o->store, &i->config, &options, e);
    opening_close(o);
    free(visit);
    i->ended_by = result > 0 ? result : 0;
    return result < 0 ? -1 : 0;
}
