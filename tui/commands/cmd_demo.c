/*
 * stemma demo: a store of its own each time, in a place that other commands can be told. A second
 * demo at the same time gets a private one, so that neither pulls the store from under the other. One that is
 * made where --store says stays there.
 */
#include "tui/cli/cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "tui/demo/demo.h"
#include "tui/demo/demo_agents.h"
#include "tui/commands/explore.h"
#include "tui/cli/opening.h"

/* Where the demo store stands: always in the same place, so that commands can be tried on it. */
static const char *demo_path(struct arena *arena)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    struct strbuf path = STRBUF_INIT;
    if (state && *state == '/')
        strbuf_addf(&path, "%s/stemma/demo.db", state);
    else if (home && *home)
        strbuf_addf(&path, "%s/.local/state/stemma/demo.db", home);
    const char *made = path.len ? arena_strdup(arena, path.buf) : NULL;
    strbuf_release(&path);
    return made;
}

/* Held as long as the demo store is explored: a lock on its folder, for the store itself is removed and created again.
 * -1 where another demo holds it, or it cannot be made. */
static int take_lock(const char *path)
{
    struct error e = {0};
    char *folder = xstrdup(path);
    *strrchr(folder, '/') = '\0';
    int fd = opening_make_parents(path, &e) ? -1 : open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB)) {
        close(fd);
        fd = -1;
    }
    free(folder);
    return fd;
}

/* Agents connect to the explorer's own socket. */
static int check_listening(struct invocation *i, struct error *e)
{
    if (option_given(i, "read-only"))
        return error_set(e, ERROR_USAGE, "Leave --live or --read-only out.",
                         "two agents cannot write into a store that is open for reading only");
    if (!i->config.listen)
        return error_set(e, ERROR_USAGE, "Leave --live out, or set `listen: yes`.",
                         "the configuration says `listen: no`, so agents cannot connect");
    return 0;
}

static int explore_demo(struct invocation *i, const char *path, bool stays, struct error *e)
{
    struct opened o;
    struct demo_agents agents = DEMO_AGENTS_INIT;
    char notice[600];
    if (demo_rules_add(&i->config.permissions) || demo_unpack(path, i->out.now, e) ||
        explore_possible(i, stays ? path : NULL, NULL, e) ||
        (option_given(i, "live") && demo_agents_start(&agents, path, e)))
        return -1;
    snprintf(notice, sizeof(notice), "%s; commands find it with --store %.400s",
             option_given(i, "live") ? "two agents are at work" : "a story to look around in",
             path);
    int result = opening_open(i, path, false, &o, e) ? -1 : explore(i, &o, NULL, notice, e);
    demo_agents_stop(&agents);
    return result;
}

/* Where the caller says: nothing that stands there is touched. */
static int explore_there(struct invocation *i, struct error *e)
{
    struct stat st;
    const char *path = opening_path(i, NULL, e);
    if (!path)
        return -1;
    if (lstat(path, &st) == 0)
        return error_set(e, ERROR_USAGE, "Name a file that is not there yet, or leave --store out.",
                         "%.400s is there already, and the demo begins with a store of its own",
                         path);
    return opening_make_parents(path, e) ? -1 : explore_demo(i, path, true, e);
}

static int explore_usual(struct invocation *i, struct error *e)
{
    struct scratch scratch = SCRATCH_INIT;
    const char *path = demo_path(&i->arena);
    int lock = path ? take_lock(path) : -1;
    if (lock < 0) {
        if (scratch_make(&scratch, e))
            return -1;
        path = scratch.store;
    } else {
        scratch_remove_store(path); /* every run tells the story from its beginning */
    }
    int result = explore_demo(i, path, lock >= 0, e);
    scratch_remove(&scratch);
    if (lock >= 0)
        close(lock);
    return result;
}

static int run_demo(struct invocation *i, struct error *e)
{
    if (option_given(i, "live") && check_listening(i, e))
        return -1;
    return option_given(i, "store") ? explore_there(i, e) : explore_usual(i, e);
}

static const struct option_spec options[] = {
    OPT_FLAG("live", "with two agents that write, reason, look things up and err while you watch"),
    OPTION_END,
};

const struct command cmd_demo = {
    .name = "demo",
    .words = "[--live]",
    .about = "explore a store made for looking around",
    .details =
        "The story begins anew each time. It stands in ~/.local/state/stemma/demo.db, where other "
        "commands can be tried on it, or where --store says, if nothing is there yet.\n\n"
        "With --live two agents, Ash and Claire, connect to the explorer's socket as any agent "
        "would, and leave when it ends.",
    .options = options,
    .run = run_demo,
};
