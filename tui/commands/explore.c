/* The explorer takes over from the command that opened its store. */
#include "tui/commands/explore.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tui/loop/explorer.h"
#include "tui/cli/stop.h"

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

/* The explorer goes back by itself; where it could not, it is not opened on the present instead. */
static int check_moment(struct invocation *i, const struct opened *o, struct error *e)
{
    const char *text = option_text(i, "as-of");
    struct moment m;
    if (!text || strcmp(text, "now") == 0)
        return 0;
    if (moment_read(o->reader, text, i->out.now, &m, e))
        return -1;
    if (m.seq > 0)
        return 0;
    opening_nothing_yet(text, &m, e);
    e->code = ERROR_STORE;
    return -1;
}

int explore(struct invocation *i, struct opened *o, const char *follow, const char *notice,
            struct error *e)
{
    if (check_moment(i, o, e)) {
        opening_close(o);
        return -1;
    }
    char *visit = explorer_visit_path(store_path(o->store));
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
